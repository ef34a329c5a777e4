// SPDX-License-Identifier: MIT OR Apache-2.0
//! Long runs: how large a page is, how soon it opens, how long a frame takes.

use std::fmt::Write;

use crate::Place;

/// The runs of a log as one, each after a reset.
fn joined(log: &str) -> (String, u64) {
    let (mut out, mut base, mut last) = (String::new(), 0, 0);
    for line in log.lines() {
        let Some(rest) = line.strip_prefix("{\"cycle\":") else {
            match out.is_empty() {
                true => writeln!(out, "{line}").unwrap(),
                false => base = last + 1,
            }
            continue;
        };
        let (cycle, rest) = rest.split_once(',').unwrap();
        // Between the runs nothing ends; when memory did what it was asked is another run's business.
        if rest.starts_with("\"end\"") || rest.starts_with("\"applied\"") {
            continue;
        }
        last = base + cycle.parse::<u64>().unwrap();
        writeln!(out, "{{\"cycle\":{last},{rest}").unwrap();
    }
    writeln!(out, "{{\"cycle\":{last},\"end\":true}}").unwrap();
    (out, last)
}

fn measured(operations: &str, least: u64) {
    let place = Place::new();
    let verify = ["verify", "--isa", "spa5", "--lanes", "32", "--ops", operations, "--seed", "3", "--jobs", "1"];
    let ran = place.ran(&[&verify[..], &["--log", "runs.jsonl"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let (log, cycles) = joined(&std::fs::read_to_string(place.path("runs.jsonl")).unwrap());
    assert!(cycles >= least, "{cycles} cycles");
    std::fs::write(place.path("long.jsonl"), log).unwrap();
    let begin = std::time::Instant::now();
    let ran = place.ran(&["wave", "report", "long.jsonl"]);
    println!("{cycles} cycles: page made in {:.1} s", begin.elapsed().as_secs_f64());
    assert_eq!((ran.err.as_str(), ran.code), ("page written to long.html\n", 0));
    let figures = place.read("speed", "long.html");
    assert!(figures.contains("frame p50 "), "{figures}");
}

#[test]
fn two_thousand_operations() {
    measured("2000", 10_000);
}

#[test]
fn a_hundred_thousand_cycles() {
    measured("16000", 100_000);
}
