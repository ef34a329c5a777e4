// SPDX-License-Identifier: MIT OR Apache-2.0
//! `--contract`: what another unit promises, and what a report says of what it does not.

use serde_json::Value;

use super::{Place, example, words};

const LOOSE: &str = "not_kept = [\"PORT-MIN\", \"COM-ATTR\"]\n[unit]\nlanes = 4\npending = 16\n[latency]\ndone = 20\n";

#[test]
fn what_is_left_out_is_listed_and_not_counted() {
    let place = Place::new().with("my.toml", LOOSE);
    let command = ["verify", "--isa", "spa5", "--ops", "2000", "--lanes", "4", "--seed", "1", "--contract", "my.toml"];
    let ran = place.ran(&command);
    assert_eq!((ran.err.as_str(), ran.code), ("", 0));
    for text in [
        "not judged: - how often",
        "(PORT-MIN): the contract",
        "the attributes of requests (COM-ATTR): the contract",
        "(PTX-SEM)",
    ] {
        assert!(words(&ran.out).contains(text), "{text}: {}", ran.out);
    }
    assert!(!ran.out.contains("\n PORT-MIN ") && ran.out.contains("\n PORT-GROUP "), "{}", ran.out);
    let ran = place.ran(&[&command[..], &["--json"]].concat());
    let object: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(object["not_judged"].as_array().map(Vec::len), Some(6));
    assert!(object["coverage"].as_array().unwrap().iter().all(|row| row["clause"] != "COM-ATTR"));
}

/// A log carries the contract of its unit; a command goes before it.
#[test]
fn a_log_is_judged_by_the_contract_that_it_carries() {
    let place = Place::new().with("my.toml", LOOSE).with("ours.toml", "");
    let program = example("spa5_saxpy.lsu");
    let ran = place.ran(&["run", &program, "--lanes", "4", "--contract", "my.toml", "--log", "run.jsonl"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let header =
        std::fs::read_to_string(place.path().join("run.jsonl")).unwrap().lines().next().unwrap_or_default().to_owned();
    assert!(header.contains(r#""contract":{"not_kept":["PORT-MIN","COM-ATTR"],"lane_order":"ascending""#), "{header}");
    let ran = place.ran(&["judge", "run.jsonl"]);
    assert!(ran.code == 0 && words(&ran.out).contains("(COM-ATTR): the contract"), "{}{}", ran.out, ran.err);
    let ran = place.ran(&["judge", "run.jsonl", "--contract", "ours.toml"]);
    assert!(ran.code == 0 && !words(&ran.out).contains("the contract"), "{}{}", ran.out, ran.err);
}

/// Said before anything runs, with the place in the file.
#[test]
fn a_contract_that_makes_no_sense_is_refused() {
    let refused = |code: i32, text: &str, why: &[&str]| {
        let ran = Place::new().with("my.toml", text).ran(&["verify", "--ops", "10", "--contract", "my.toml"]);
        assert_eq!((ran.out.as_str(), ran.code), ("", code), "{}", ran.err);
        why.iter().for_each(|why| assert!(words(&ran.err).contains(why), "{why}: {}", ran.err));
    };
    refused(
        1,
        "not_kept = [\"PORT-WB\"]",
        &["line 1, column", "PORT-WB cannot be left out", "these can be left out: PORT-MIN"],
    );
    refused(
        1,
        "\nnot_kept = [\"PORT-WINE\"]",
        &["line 2, column", "unknown clause `PORT-WINE`", "these can be left out: PORT-MIN"],
    );
    refused(1, "not_kpt = []", &["unknown field `not_kpt`", "expected one of `unit`, `not_kept`"]);
    refused(1, "[latency]\ndone = -1", &["line 2, column 8", "invalid value"]);
    let what = "the contract is of a unit with LANES=8 PENDING=4, and this one has";
    let leave = "LANES=32 PENDING=16: leave `[unit]` out to hold this one to it";
    refused(2, "[unit]\nlanes = 8\npending = 4", &[what, leave]);
    // A log that somebody gives for a contract has long lines.
    refused(1, &format!("{{\"gpu_lsu_log\":1,\"about\":\"{}\"}}", "x".repeat(200)), &["line 1, column 1", "xx ..."]);
    let ran = Place::new().ran(&["verify", "--ops", "10", "--contract", "none.toml"]);
    assert!(ran.code == 2 && ran.err.starts_with("error: cannot read `none.toml`: No such file"), "{}", ran.err);
}
