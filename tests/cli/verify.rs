// SPDX-License-Identifier: MIT OR Apache-2.0
//! `verify`: coverage, seeds, budgets, and arguments that make no sense.

use std::collections::BTreeSet;

use gpu_lsu::{judge::coverage, sets::Isa};
use serde_json::Value;

use crate::{Place, Ran, unit, words};

/// Enough for every bin.
const OPERATIONS: u64 = 200_000;

fn agrees(ran: &Ran) {
    assert_eq!((ran.err.as_str(), ran.code), ("", 0), "{}", ran.out);
}

#[test]
fn every_bin_of_every_clause_is_hit() {
    let lanes: BTreeSet<usize> = gpu_lsu::dut::built().into_iter().map(|shape| shape.lanes).collect();
    let units = lanes.into_iter().flat_map(|lanes| Isa::ALL.iter().map(move |&isa| (lanes, isa)));
    for (lanes, isa) in units {
        let place = Place::new();
        let (operations, number) = (OPERATIONS.to_string(), lanes.to_string());
        let chosen = ["--isa", isa.name(), "--lanes", &number];
        let ran = place.ran(&[&["verify", "--json", "--seed", "1", "--ops", &operations], &chosen[..]].concat());
        agrees(&ran);
        assert!(place.files().is_empty());
        let object: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(
            (&object["seed"], &object["lanes"], &object["agrees"], &object["verdict"]),
            (&"0x1".into(), &lanes.into(), &true.into(), &"agrees".into())
        );
        let rtl = gpu_lsu::rtl::built();
        let rtl = serde_json::json!({ "path": rtl.path, "hash": rtl.hash, "parameters": {
            "LANES": lanes, "LINE_BYTES": 128, "WARPS": 8, "PENDING": 16, "SHARED_BYTES": 32768,
        } });
        assert_eq!(object["rtl"], rtl);
        assert_eq!(object["operations"], OPERATIONS);
        for field in ["cycles", "requests", "comparisons"] {
            assert!(object[field].as_u64() >= Some(OPERATIONS / 2), "{field}: {}", object[field]);
        }
        assert!(object["seconds"].as_f64() > Some(0.0) && object["mismatch"].is_null());

        let rows = object["coverage"].as_array().unwrap();
        let named: BTreeSet<&str> = rows.iter().map(|row| row["clause"].as_str().unwrap()).collect();
        let clauses: BTreeSet<&str> = coverage::clauses(isa.rule()).map(|clause| clause.id()).collect();
        assert!(rows.iter().all(|row| row["isa"] == isa.name()) && object["isa"] == serde_json::json!([isa]));
        assert_eq!(named, clauses);
        let empty: Vec<_> = rows.iter().filter(|row| !row["empty"].as_array().unwrap().is_empty()).collect();
        assert!(empty.is_empty(), "{isa}, {lanes} lanes: {empty:#?}");
        for row in rows {
            assert!(row["hit"] == row["bins"] && row["hits"].as_u64() >= row["bins"].as_u64(), "{row}");
            assert!(row["bins"].as_u64() > Some(0), "{row}");
        }
    }
}

/// Standard output without the line that tells the time.
fn lasting(ran: &Ran) -> String {
    let (timed, lasting): (Vec<&str>, Vec<&str>) = ran.out.lines().partition(|line| line.starts_with("in "));
    assert_eq!(timed.len(), 1, "{}", ran.out);
    assert!(timed[0].ends_with(" cycles/s"), "{}", timed[0]);
    lasting.join("\n")
}

#[test]
fn this_unit_is_among_those_that_choose() {
    for isa in [&["--isa", "sm5"][..], &[]] {
        let ran = Place::new().ran(&[&["verify", "--allowed-sets", "--ops", "20_000", "--seed", "1"], isa].concat());
        agrees(&ran);
        assert!(ran.out.contains("RTL and model agree: 20000 operations, "), "{}", ran.out);
    }
}

#[test]
fn the_same_seed_says_the_same() {
    let arguments = ["verify", "--ops", "20_000", "--seed", "0x2a"];
    let place = Place::new();
    let first = place.ran(&arguments);
    agrees(&first);
    assert!(first.out.starts_with("seed 0x000000000000002a, 32 lanes\nrtl "), "{}", first.out);
    assert!(first.out.contains("RTL and model agree: 20000 operations, "), "{}", first.out);
    assert!(first.out.ends_with("\nseed 0x000000000000002a\n"), "{}", first.out);
    for jobs in ["1", "2", "3"] {
        let ran = place.ran(&[&arguments[..], &["--jobs", jobs]].concat());
        agrees(&ran);
        assert_eq!(lasting(&ran), lasting(&first), "{jobs} jobs");
    }
    let other = place.ran(&["verify", "--ops", "20_000", "--seed", "43"]);
    assert_ne!(lasting(&other), lasting(&first));
    assert!(place.files().is_empty());
}

#[test]
fn without_a_seed_it_takes_a_new_one() {
    let seed = || {
        let ran = Place::new().ran(&["verify", "--ops", "1"]);
        agrees(&ran);
        ran.out.lines().next().unwrap_or_default().to_owned()
    };
    assert_ne!(seed(), seed());
}

#[test]
fn few_operations_leave_bins_empty_and_say_so() {
    let ran = Place::new().ran(&["verify", "--ops", "300", "--seed", "1"]);
    agrees(&ran);
    assert!(ran.out.contains("bins that nothing hit"), "{}", ran.out);
    assert!(ran.out.contains("run longer, or with another seed\n"), "{}", ran.out);
    assert!(ran.out.contains("; and "), "{}", ran.out);
    let [spa5, r700] = ["\nspa5\n", "\nr700\n"].map(|title| ran.out.find(title).expect(title));
    assert!(spa5 < r700);
    for clause in Isa::ALL.iter().flat_map(|&isa| coverage::clauses(isa.rule())) {
        let row = ran.out.lines().any(|line| line.trim_start().starts_with(&format!("{clause} ")));
        assert!(row, "{clause} has no row in\n{}", ran.out);
    }
}

#[test]
fn every_number_of_lanes_that_is_built() {
    for lanes in gpu_lsu::dut::built().into_iter().map(|shape| shape.lanes) {
        let ran = Place::new().ran(&["verify", "--ops", "2000", "--lanes", &lanes.to_string(), "--seed", "1"]);
        agrees(&ran);
        // How long a path is, is the user's business.
        let start = format!("seed 0x0000000000000001, {lanes} lanes rtl {} ", unit(lanes));
        assert!(words(&ran.out).starts_with(&start), "{}", ran.out);
    }
}

#[test]
fn a_time_is_a_budget() {
    let ran = Place::new().ran(&["verify", "--time", "1s", "--seed", "1"]);
    agrees(&ran);
    let seconds = ran.out.lines().find_map(|line| line.strip_prefix("in ")?.split_once(" s:")).unwrap().0;
    assert!((1.0..10.0).contains(&seconds.parse::<f64>().unwrap()), "{seconds}");
}

#[test]
fn arguments_that_make_no_sense() {
    let invalid = |value: &str, option: &str, reason: &str| {
        format!("error: invalid value '{value}' for '{option}'{reason}\n\nFor more information, try '--help'.\n")
    };
    let seed = ": a seed is a 64-bit number, decimal or 0x...";
    let count = ": a number of operations, such as 1000000, 1M or 1e6";
    let jobs = ": a number of jobs, 1 to 1024";
    for (arguments, text) in [
        (["--ops", "0"], invalid("0", "--ops <N>", ": zero operations check nothing: give at least 1")),
        (["--ops", "many"], invalid("many", "--ops <N>", count)),
        (["--ops=-1", "--json"], invalid("-1", "--ops <N>", count)),
        (["--ops", "18446744073709551616"], invalid("18446744073709551616", "--ops <N>", count)),
        (["--lanes", "7"], invalid("7", "--lanes <LANES>", "\n  [possible values: 4, 8, 16, 32]")),
        (["--seed", "0xzz"], invalid("0xzz", "--seed <SEED>", seed)),
        (["--seed", "0x10000000000000000"], invalid("0x10000000000000000", "--seed <SEED>", seed)),
        (["--time", "0s"], invalid("0s", "--time <T>", ": no time checks nothing: give at least 1s")),
        (["--time", "5d"], invalid("5d", "--time <T>", ": a time is in seconds, or ends in s, m or h: 90, 90s, 5m")),
        (["--time", "-5s"], invalid("-5s", "--time <T>", ": a time such as 90s, 5m or 1h")),
        (["--ops", "-5"], invalid("-5", "--ops <N>", count)),
        (["--ops", "1e-3"], invalid("1e-3", "--ops <N>", count)),
        (["--ops", "1.2345k"], invalid("1.2345k", "--ops <N>", count)),
        (["--ops", "1e20"], invalid("1e20", "--ops <N>", count)),
        (["--ops", ".k"], invalid(".k", "--ops <N>", count)),
        (["--seed", "-1"], invalid("-1", "--seed <SEED>", seed)),
        (["--jobs", "0"], invalid("0", "--jobs <N>", ": no jobs do no work: give at least 1")),
        (["--jobs", "-2"], invalid("-2", "--jobs <N>", jobs)),
        (["--jobs", "1025"], invalid("1025", "--jobs <N>", jobs)),
    ] {
        let place = Place::new();
        place.ran(&[&["verify"], &arguments[..]].concat()).refuses(2, &text);
        assert!(place.files().is_empty());
    }
    let both = Place::new().ran(&["verify", "--ops", "5", "--time", "3s"]);
    assert!(both.err.starts_with("error: the argument '--ops <N>' cannot be used with '--time <T>'\n"), "{}", both.err);
    assert_eq!((both.out.as_str(), both.code), ("", 2));
}

#[test]
fn a_number_of_operations_is_written_as_people_do() {
    for (text, operations) in [("1e3", 1000), ("1k", 1000), ("1.5k", 1500), ("2_000", 2000), ("0.001M", 1000)] {
        let ran = Place::new().ran(&["verify", "--ops", text, "--seed", "1", "--json", "--jobs", "2"]);
        let object: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!((&object["operations"], ran.code), (&operations.into(), 0), "{text}");
    }
}

/// A campaign of PTX or SM5 is not of that alone, and says so.
#[test]
fn neighbours_are_named() {
    for (isa, line) in [
        ("ptx", "\nwith loads and stores of spa5 among those of ptx, one in 4\n"),
        ("sm5", "\nwith loads and stores of spa5 among those of sm5, one in 8\n"),
        ("spa5", ""),
    ] {
        let ran = Place::new().ran(&["verify", "--isa", isa, "--ops", "256", "--seed", "1"]);
        agrees(&ran);
        assert!(ran.out.contains(line) && ran.out.contains("with loads") != line.is_empty(), "{}", ran.out);
    }
}

/// What a failure would be written to is told before anything runs, not when there is one.
#[test]
fn a_capsule_that_could_not_be_written() {
    let hint = "\n\nhint: give a path in a folder that can be written\n";
    for (path, reason) in [("none/x.capsule", "No such file or directory (os error 2)"), (".", "is a directory")] {
        let place = Place::new();
        let text = format!("error: cannot write `{path}`: {reason}{hint}");
        place.ran(&["verify", "--ops", "1", "--capsule", path]).refuses(2, &text);
        assert!(place.files().is_empty());
    }
    // A wave's place as well, by either name.
    for option in ["--wave", "--vcd"] {
        let text = format!("error: cannot write `none/x.vcd`: No such file or directory (os error 2){hint}");
        Place::new().ran(&["verify", "--ops", "1", option, "none/x.vcd"]).refuses(2, &text);
    }
    let text = "error: the capsule's wave would take its place: `--capsule` needs another extension than `.vcd`\n";
    Place::new().ran(&["verify", "--ops", "1", "--capsule", "x.vcd"]).refuses(2, text);
    let text = "error: a capsule is a file: `--capsule` takes a path, and not `-`\n";
    Place::new().ran(&["verify", "--ops", "1", "--capsule", "-"]).refuses(2, text);
}
