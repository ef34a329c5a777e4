// SPDX-License-Identifier: MIT OR Apache-2.0
//! `--failures N`: more than one failure, by clause and cause. The unit is the copy with planted faults.

use std::fs;

use gpu_lsu::{cosim::capsule::Capsule, regress::Results};
use serde_json::Value;

use crate::Place;

/// Of tests/harness/faults.txt: one that not every block shows.
const FAULT: [&str; 8] = ["--fault", "13", "--lanes", "4", "--seed", "1", "--isa", "spa5"];

fn object(place: &Place, more: &[&str]) -> Value {
    let ran = place.ran(&[&["verify", "--json"], &FAULT[..], more].concat());
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    let mut object: Value = serde_json::from_str(&ran.out).unwrap();
    assert!(object["seconds"].take().as_f64() > Some(0.0));
    object
}

#[test]
fn failures_are_counted_by_cause_whoever_finds_them() {
    let mut first = Value::Null;
    for jobs in ["1", "2", "3"] {
        let place = Place::new();
        let object = object(&place, &["--ops", "20000", "--failures", "12", "--jobs", jobs]);
        let groups = object["failures"].as_array().unwrap();
        let count: u64 = groups.iter().map(|group| group["count"].as_u64().unwrap()).sum();
        assert_eq!(count, 12, "{groups:#?}");
        for group in groups {
            let places = group["places"].as_array().unwrap();
            assert_eq!(places.len() as u64, group["count"].as_u64().unwrap());
            let capsule = fs::read_to_string(place.path().join(group["capsule"].as_str().unwrap())).unwrap();
            let capsule = Capsule::from_text(&capsule).unwrap();
            assert_eq!(places[0]["block"], capsule.block);
        }
        let capsules = place.files().iter().filter(|name| name.ends_with(".capsule")).count();
        assert_eq!(capsules, groups.len());
        if jobs == "1" {
            first = object;
        } else {
            assert_eq!(object, first, "{jobs} jobs");
        }
    }
}

#[test]
fn a_table_of_failures() {
    let place = Place::new();
    let ran = place.ran(&[&["verify", "--ops", "20000", "--failures", "5"], &FAULT[..]].concat());
    assert_eq!(ran.code, 1);
    assert!(ran.err.starts_with("error: RTL and model disagree: "), "{}", ran.err);
    let header = ran.out.lines().find(|line| line.trim_start().starts_with("clause "));
    assert!(header.is_some_and(|line| line.contains("cause") && line.contains("first block")), "{}", ran.out);
    assert!(ran.out.contains("\n5 blocks failed, ") && ran.out.contains("gpu-lsu.capsule"), "{}", ran.out);
}

/// A campaign that goes on to its end is the same in shards: its failures, the first of each cause, what agreed.
#[test]
fn failures_of_shards_are_those_of_the_campaign() {
    let place = Place::new();
    let run = |name: &str, more: &[&str]| {
        let (capsule, file) = (format!("{name}.capsule"), format!("{name}.result.json"));
        let budget = ["--ops", "20000", "--failures", "1000", "--result", &file, "--capsule", &capsule];
        // A shard may have none.
        let ran = place.ran(&[&["verify", "--json"], &FAULT[..], &budget, more].concat());
        assert!([0, 1].contains(&ran.code), "{}", ran.err);
        ran.code
    };
    assert_eq!(run("whole", &["--jobs", "2"]), 1);
    let codes = ["1", "2", "3"].map(|number| run(number, &["--shard", &format!("{number}/3")]));
    assert!(codes.iter().sum::<i32>() >= 2, "{codes:?}");
    let ran =
        place.ran(&["merge", "3.result.json", "1.result.json", "2.result.json", "--out", "all", "--capsules", "c"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.starts_with("error: RTL and model disagree: "), "{}", ran.err);
    let lasting = |name: &str| {
        let text = fs::read_to_string(place.path().join(name)).unwrap();
        text.lines().filter(|line| !line.starts_with("\"seconds\":")).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(lasting("all"), lasting("whole.result.json"));
    let (whole, _) = Results::read(fs::read_to_string(place.path().join("all")).unwrap().as_bytes()).unwrap();
    assert!(whole.shards.is_whole() && whole.groups.failures() > 1 && whole.figures.operations > 0);
    let capsules = fs::read_dir(place.path().join("c")).unwrap().count();
    assert_eq!(capsules, whole.groups.sorted().len());
    for group in whole.groups.sorted() {
        Capsule::from_text(&group.capsule).unwrap();
    }
}

/// A shard that ended early is not the end of the campaign, and says so.
#[test]
fn a_shard_stops_at_its_first_failure() {
    let place = Place::new();
    object(&place, &["--ops", "6000", "--result", "a"]);
    let ran = place.ran(&["merge", "a", "--json"]);
    let object: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&object["verdict"], ran.code), (&"mismatch".into(), 1));
    assert_eq!(object["failures"][0]["count"], 1);
}
