// SPDX-License-Identifier: MIT OR Apache-2.0
//! scripts/mutate, without a campaign: what it would mutate, and what its worker says of faults that are known.
#![cfg(feature = "planted-faults")]

use std::{collections::HashSet, path::Path, process::Command};

use serde_json::Value;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The mutants of a seed, a line each: `NUMBER: FILE:LINE:COLUMN: KIND: TEXT -> OTHER TEXT`.
fn listed(seed: u64) -> Vec<String> {
    let python = Path::new(ROOT).join("target/mutants/tools/bin/python");
    assert!(python.is_file(), "no slang: run `scripts/setup test`");
    let script = "scripts/mutants/campaign.py";
    let seed = seed.to_string();
    let output =
        Command::new(python).current_dir(ROOT).args([script, "--list", "--mutants", "40", "--seed", &seed]).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn mutants_come_from_the_seed_and_stand_in_the_unit() {
    let first = listed(1);
    assert_eq!(first, listed(1));
    assert_ne!(first, listed(2));
    assert_eq!(first.len(), 40);
    let mut kinds = HashSet::new();
    for (line, number) in first.iter().zip(1..) {
        let [found, file, row, column, kind, change] = line.splitn(6, ':').collect::<Vec<_>>().try_into().unwrap();
        assert_eq!(found, number.to_string());
        assert!(!file.contains("assert") && !file.contains("proof"), "{line}");
        let (was, put) = change.trim_start().split_once(" -> ").unwrap();
        assert_ne!(was, put, "{line}");
        // What is changed stands where the line says.
        let text = std::fs::read_to_string(Path::new(ROOT).join(file.trim())).unwrap();
        let row = text.lines().nth(row.parse::<usize>().unwrap() - 1).unwrap();
        let there = &row[column.parse::<usize>().unwrap() - 1..];
        let shown = was.len().min(there.len());
        assert_eq!(there[..shown].split_whitespace().next(), was.split_whitespace().next(), "{line}");
        kinds.insert(kind.to_owned());
    }
    // Each kind in its turn.
    assert!(kinds.len() >= 6, "{kinds:?}");
}

#[test]
fn the_worker_tells_faults_from_none() {
    let args = ["--ops", "5000", "--seed", "1", "--jobs", "2", "0", "111"];
    let output = Command::new(env!("CARGO_BIN_EXE_mutants")).args(args).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).unwrap();
    let mut verdicts: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    verdicts.sort_by_key(|verdict| verdict["mutant"].as_u64());
    assert_eq!(verdicts.len(), 2);
    assert_eq!((&verdicts[0]["outcome"], &verdicts[0]["clause"]), (&"survived".into(), &Value::Null));
    // SM5-CAS: a lane stores whatever it finds.
    assert_eq!(verdicts[1]["outcome"], "killed");
    assert!(verdicts[1]["clause"].is_string() && verdicts[1]["says"].is_string(), "{}", verdicts[1]);
}
