// SPDX-License-Identifier: MIT OR Apache-2.0
//! `verify --html`: a page of all campaigns that were kept in a folder.

use std::fs;

use serde_json::Value;

use crate::Place;

/// Attributes of a page that lead somewhere.
fn links(page: &str) -> Vec<&str> {
    page.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn campaigns_add_up_on_one_page() {
    let place = Place::new();
    for (isa, seed) in [("ptx", "1"), ("sm5", "2")] {
        let ran = place.ran(&["verify", "--isa", isa, "--ops", "2000", "--seed", seed, "--html", "night/html"]);
        assert_eq!((ran.err.as_str(), ran.code), ("page written to night/html/index.html\n", 0));
    }
    let read = |name: &str| fs::read_to_string(place.path().join("night/html").join(name)).unwrap();
    let page = read("index.html");
    assert!(page.contains("<title>gpu-lsu: 2 campaigns, nothing diverged</title>"), "{page}");
    assert!(!page.contains("<script") && !page.contains("http"), "it needs nothing from elsewhere");
    for clause in ["PTX-SINK", "SM5-CAS", "PORT-RATE"] {
        assert!(page.contains(&format!("<span class=\"id\">{clause}</span>")), "{clause}");
    }
    let campaign: Value = serde_json::from_str(&read("ptx-0x1-32lanes.campaign.json")).unwrap();
    assert_eq!((&campaign["operations"], &campaign["verdict"]), (&2000.into(), &"agrees".into()));
    let progress = campaign["progress"].as_array().unwrap();
    assert_eq!((progress[0][1].as_u64(), progress.last().unwrap()[1].as_u64()), (Some(0), Some(2000)));
    // Every bin that the table counts, with its hits.
    let plain = place.ran(&["verify", "--isa", "ptx", "--ops", "2000", "--seed", "1", "--json"]);
    let plain: Value = serde_json::from_str(&plain.out).unwrap();
    for (row, kept) in plain["coverage"].as_array().unwrap().iter().zip(campaign["coverage"].as_array().unwrap()) {
        let bins = kept["bins"].as_array().unwrap();
        assert_eq!((row["clause"].as_str(), row["bins"].as_u64()), (kept["id"].as_str(), Some(bins.len() as u64)));
        assert_eq!(row["hits"].as_u64(), Some(bins.iter().map(|bin| bin[1].as_u64().unwrap()).sum()));
    }
    // The same campaign again takes its own place.
    place.ran(&["verify", "--isa", "ptx", "--ops", "2000", "--seed", "1", "--html", "night/html", "--quiet"]);
    assert!(read("index.html").contains("2 campaigns"));
    // One that did not do what it was asked for does not pass for one that did.
    let lacking = ["verify", "--isa", "ptx", "--ops", "100", "--seed", "1", "--require-coverage", "99"];
    let ran = place.ran(&[&lacking[..], &["--html", "night/html", "--quiet"]].concat());
    assert_eq!(ran.code, 1, "{}", ran.err);
    let page = read("index.html");
    assert!(page.contains("<title>gpu-lsu: 2 campaigns, 1 covered too little, nothing diverged</title>"), "{page}");
    assert!(page.contains("ptx, seed <code>0x1</code>: too little covered") && !page.contains("<p>None.</p>"));
}

#[test]
#[cfg(feature = "planted-faults")]
fn failures_stand_under_their_clause_with_all_that_belongs_to_them() {
    let place = Place::new();
    let verify = |isa: &str, fault: &str| {
        place.ran(&["verify", "--isa", isa, "--seed", "1", "--fault", fault, "--lanes", "4", "--html", "night"])
    };
    for (isa, fault, code) in [("spa5", "22", 1), ("spa5", "0", 0), ("ptx", "22", 1)] {
        let ran = verify(isa, fault);
        assert!(ran.code == code || isa == "ptx", "{}", ran.err);
    }
    let page = fs::read_to_string(place.path().join("night/index.html")).unwrap();
    let files: Vec<&str> = links(&page).into_iter().filter(|link| !link.starts_with('#')).collect();
    for link in &files {
        assert!(place.path().join("night").join(link).is_file(), "{link}");
    }
    let campaign = fs::read_to_string(place.path().join("night/spa5-0x1-4lanes.campaign.json")).unwrap();
    // The right unit's campaign came last, and took the place of the failing one of the same name.
    assert_eq!(serde_json::from_str::<Value>(&campaign).unwrap()["failure"], Value::Null);
    verify("spa5", "22");
    let page = fs::read_to_string(place.path().join("night/index.html")).unwrap();
    assert!(page.contains("<strong>SPA5-EXT</strong>"), "{page}");
    for ending in ["html", "capsule", "fst"] {
        assert!(links(&page).contains(&format!("spa5-0x1-4lanes.{ending}").as_str()), "{ending}");
    }
    let replayed = place.ran(&["replay", "night/spa5-0x1-4lanes.capsule", "--fault", "22"]);
    assert_eq!(replayed.code, 1);
}

#[test]
fn a_folder_that_is_none_is_told_before_anything_runs() {
    let place = Place::new().with("file", "mine");
    let text = "error: `file` is a file: give a folder, or one that is not there yet\n";
    place.ran(&["verify", "--ops", "1e9", "--html", "file"]).refuses(2, text);
    place.ran(&["farm", "--shards", "1", "--out", "file"]).refuses(2, text);
    fs::create_dir(place.path().join("night")).unwrap();
    let bad = place.path().join("night/x.campaign.json");
    for content in ["{", "{}", "{\"format\":2}"] {
        fs::write(&bad, content).unwrap();
        let ran = place.ran(&["verify", "--ops", "1e9", "--html", "night"]);
        assert!(ran.code == 2 && ran.err.starts_with("error: cannot read `night/x.campaign.json`: "), "{}", ran.err);
    }
}
