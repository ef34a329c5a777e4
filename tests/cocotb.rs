// SPDX-License-Identifier: MIT OR Apache-2.0
//! examples/cocotb, a bench that shares nothing with this project but its documents: the judge reads its log, agrees with
//! the unit, and names the clause that a planted fault breaks.
#![cfg(feature = "all-lanes")]

#[path = "support/rtl.rs"]
mod rtl;

use std::{fs, io::BufReader, path::Path, process::Command};

use gpu_lsu::judge::{Figures, Judge, Mismatch, Unjudged, log::lines::Reader};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const OPERATIONS: u64 = 300;
/// Of tests/harness/faults.txt: the cache operator is lost.
const FAULT: &str = "28";

#[test]
fn the_judge_reads_a_bench_in_cocotb() {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cocotb");
    let (good, faulty) = (dir.join("good"), dir.join("faulty"));
    let figures = played(&Path::new(ROOT).join("rtl"), &good).unwrap_or_else(|mismatch| panic!("{mismatch}"));
    assert!(figures.operations > OPERATIONS && figures.requests > OPERATIONS, "{figures:?}");
    // The bench resets it once, with operations in flight.
    let unjudged = Unjudged { lost: figures.unjudged.lost, ..Unjudged::default() };
    assert!(figures.unjudged == unjudged && unjudged.lost > 0, "{figures:?}");

    // Most of its objects are the same.
    fs::create_dir_all(&faulty).unwrap();
    for entry in fs::read_dir(&good).unwrap() {
        let (from, to) = entry.map(|entry| (entry.path(), faulty.join(entry.file_name()))).unwrap();
        if from.extension().is_some_and(|extension| extension == "o" || extension == "sha256") && !to.exists() {
            fs::copy(&from, &to).unwrap();
        }
    }
    let copy = dir.join("rtl");
    let _ = fs::remove_dir_all(&copy);
    rtl::copy(&copy);
    let clause = rtl::plant(&copy, FAULT, "1");
    let mismatch = played(&copy, &faulty).expect_err("the fault shows");
    assert_eq!(mismatch.clause.id(), clause, "{mismatch}");
}

/// What the judge says of a run on this unit.
fn played(rtl: &Path, work: &Path) -> Result<Figures, Box<Mismatch>> {
    let root = Path::new(ROOT);
    let python = root.join("target/cocotb/tools/bin/python");
    assert!(python.is_file(), "no cocotb: run `scripts/setup test`");
    fs::create_dir_all(work).unwrap();
    let path = work.join("run.jsonl");
    let _ = fs::remove_file(&path);
    let output = Command::new(python)
        .arg(root.join("examples/cocotb/run.py"))
        .arg(&path)
        .args([Path::new("--rtl"), rtl, Path::new("--work"), work])
        .args(["--ops", &OPERATIONS.to_string(), "--seed", "2", "--flags=-O0"])
        .args(["--gpu-lsu", env!("CARGO_BIN_EXE_gpu-lsu")])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    let log = BufReader::new(fs::File::open(path).unwrap());
    let record = Reader::new(log).unwrap().next().unwrap().unwrap_or_else(|error| panic!("{error}"));
    record.judge(&mut Judge::new(&record.header.unit), record.header.contract)
}
