// SPDX-License-Identifier: MIT OR Apache-2.0
//! Results as others read them: UCIS XML, JUnit XML, a list of seeds.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    process::Command,
};

use gpu_lsu::{judge, regress::Results, sets::Isa};
use quick_xml::events::Event;
use serde_json::Value;

use crate::Place;

/// What another program reads of UCIS XML is what we counted. It holds the file to the standard's schema as well.
#[test]
fn coverage_as_others_read_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let python = root.join("target/ucis/tools/bin/python");
    assert!(python.is_file(), "no reader of coverage: run `scripts/setup test`");
    let place = Place::new();
    place.shard("a", &["--seed", "1"]);
    let ran = place.ran(&["merge", "a.result.json", "--ucis", "a.xml"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let output = Command::new(python).arg(root.join("tests/ucis/read.py")).arg(place.path().join("a.xml")).output();
    let output = output.unwrap();
    let theirs = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let (results, _) = Results::read(place.text("a.result.json").as_bytes()).unwrap();
    let mut ours = String::new();
    for row in results.rows() {
        for (bin, hits) in &row.each {
            ours += &format!("{}.{}\t{bin}\t{hits}\n", row.rule, row.clause);
        }
    }
    assert!(ours.lines().count() > 500);
    assert_eq!(theirs, ours);
}

/// Elements of a JUnit report, each with its attributes, in the order in which they begin; what Jenkins' schema asks of
/// them is looked at on the way.
fn elements(text: &str) -> Vec<(String, BTreeMap<String, String>)> {
    let mut reader = quick_xml::Reader::from_str(text);
    let (mut elements, mut open) = (Vec::new(), Vec::<String>::new());
    loop {
        let event = reader.read_event().unwrap();
        let (start, stays) = match event {
            Event::Start(start) => (start, true),
            Event::Empty(start) => (start, false),
            Event::End(end) => {
                assert_eq!(open.pop().unwrap(), end.name().as_ref());
                continue;
            }
            Event::Eof => break,
            _ => continue,
        };
        let name = start.name().as_ref().to_owned();
        let inside: &[&str] = match open.last().map(String::as_str) {
            None => &["testsuites"],
            Some("testsuites") => &["testsuite"],
            Some("testsuite") => &["properties", "testcase"],
            Some("properties") => &["property"],
            Some("testcase") => &["skipped", "error", "failure", "system-out"],
            Some(other) => panic!("{name} in {other}"),
        };
        assert!(inside.contains(&name.as_str()), "{name} in {open:?}");
        let attributes = start.attributes().map(|attribute| {
            let attribute = attribute.unwrap();
            (attribute.key.as_ref().to_owned(), attribute.value.into_owned())
        });
        elements.push((name.clone(), attributes.collect::<BTreeMap<_, _>>()));
        if stays {
            open.push(name);
        }
    }
    assert!(open.is_empty());
    elements
}

#[test]
fn a_report_for_ci() {
    let place = Place::new();
    let ran =
        place.ran(&["verify", "--seed", "1", "--isa", "r700", "--ops", "400", "--junit", "j.xml", "--result", "r"]);
    assert_eq!((ran.err.as_str(), ran.code), ("", 0));
    let said = elements(&place.text("j.xml"));
    assert_eq!((said[0].0.as_str(), said[1].0.as_str()), ("testsuites", "testsuite"));
    let number = |name: &str| said[1].1[name].parse::<usize>().unwrap();
    let count = |name: &str| said.iter().filter(|(element, _)| element == name).count();
    assert_eq!((number("tests"), number("failures"), number("errors")), (count("testcase"), 0, 0));
    assert_eq!(number("skipped"), count("skipped"));
    let clauses: BTreeSet<&str> = judge::coverage::clauses(Isa::R700.rule()).map(|clause| clause.id()).collect();
    let cases = said.iter().filter(|(name, of)| name == "testcase" && of["classname"] == "gpu-lsu.r700");
    assert_eq!(cases.map(|(_, of)| of["name"].as_str()).collect::<BTreeSet<_>>(), clauses);
    // Of a result it is the same, and what is missing is an error.
    let ran = place.ran(&["merge", "r", "--junit", "m.xml", "--require-coverage", "100"]);
    assert_eq!(ran.code, 1);
    let merged = elements(&place.text("m.xml"));
    assert_eq!(merged[1].1["errors"], "1");
    let error = merged.iter().find(|(name, _)| name == "error").unwrap();
    assert!(error.1["type"] == "coverage" && error.1["message"].contains("% of the bins are hit"), "{error:?}");
}

/// The seeds that are kept hit what all of them hit, when they run again.
#[test]
fn seeds_worth_keeping() {
    let seeds: String = (1..=12).map(|seed| format!("{seed}\n")).collect();
    let place = Place::new().with("seeds", &seeds);
    let verify = ["verify", "--isa", "spa5", "--ops", "700", "--seeds"];
    assert_eq!(place.ran(&[&verify[..], &["seeds", "--result", "all"]].concat()).code, 0);
    let ran = place.ran(&["merge", "all", "--rank", "best"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let sentence = ran.out.lines().find(|line| line.starts_with("worth keeping: ")).unwrap();
    assert!(sentence.contains(" of 12 seeds hit all "), "{sentence}");
    assert_eq!(place.ran(&[&verify[..], &["best", "--result", "kept"]].concat()).code, 0);
    let read = |name: &str| Results::read(place.text(name).as_bytes()).unwrap().0;
    let [all, kept] = [read("all"), read("kept")];
    assert!(kept.campaign.seeds.len() < 12 && !kept.campaign.seeds.is_empty());
    let hit = |results: &Results| results.coverage.all_bits().among(&results.bins());
    assert_eq!(hit(&kept), hit(&all));
    let ran = place.ran(&["merge", "all", "--rank", "best", "--json"]);
    let object: Value = serde_json::from_str(&ran.out).unwrap();
    let ranking = &object["ranking"];
    assert_eq!(ranking["kept"].as_array().unwrap().len(), kept.campaign.seeds.len());
    assert_eq!(ranking["bins"], hit(&all).count());
    assert!(ranking["least"].as_u64().unwrap() as usize <= kept.campaign.seeds.len());
}
