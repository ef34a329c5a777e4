// SPDX-License-Identifier: MIT OR Apache-2.0
//! Folders that are whole or not there, what is refused, and what is said of it.

use std::{
    fs,
    io::{BufRead, BufReader},
    path::Path,
    process::Command,
};

use crate::{Ran, hears::hears, made, ran, root};

const SMALL: &[&str] = &["vectors", "--isa", "spa5", "--ops", "8", "--seed", "2", "--lanes", "4", "--out", "v"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [SMALL, more].concat()
}

/// Everything below a folder, by name and contents.
fn contents(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap());
    let mut all: Vec<_> = entries
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path()).unwrap_or_default()))
        .collect();
    all.sort();
    all
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let place = tempfile::tempdir().unwrap();
    let each = ["one", "two"].map(|name| {
        made(place.path(), &["vectors", "--ops", "40", "--seed", "0x2a", "--lanes", "8", "--bench", "--out", name]);
        contents(&place.path().join(name))
    });
    assert!(each[0].len() > 8 && each[0] == each[1]);
    // A program has none, and nothing else that changes from time to time.
    let program = root().join("examples/r700_worked.lsu");
    let each = ["three", "four"].map(|name| {
        let said = made(place.path(), &["vectors", program.to_str().unwrap(), "--json", "--out", name]);
        (said.replace(name, ""), contents(&place.path().join(name)))
    });
    assert!(each[0].1.len() > 8 && each[0] == each[1]);
}

#[test]
fn nothing_is_written_over_and_nothing_by_halves() {
    let place = tempfile::tempdir().unwrap();
    let dir = place.path();
    fs::create_dir(dir.join("v")).unwrap();
    made(dir, SMALL); // an empty folder will do
    let before = contents(&dir.join("v"));
    let Ran { err, code, .. } = ran(dir, SMALL);
    assert_eq!(code, 1, "{err}");
    assert!(err.contains("the folder v is not empty") && err.contains("hint: give a folder"), "{err}");
    assert_eq!(contents(&dir.join("v")), before);

    fs::write(dir.join("file"), "").unwrap();
    let Ran { err, code, .. } = ran(dir, &[&SMALL[..8], &["4", "--out", "file"]].concat());
    assert_eq!((code, err.contains("file is no folder")), (2, true), "{err}");

    // A disk that is full, as far as a file may be large.
    fs::remove_dir_all(dir.join("v")).unwrap();
    let command = format!("trap '' XFSZ; ulimit -f 8; '{}' {}", env!("CARGO_BIN_EXE_gpu-lsu"), SMALL.join(" "));
    let output = Command::new("sh").args(["-c", &command]).current_dir(dir).output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert!(err.contains("error: cannot write `v/") && err.contains("too large"), "{err}");
    let left: Vec<_> = contents(dir).into_iter().map(|(name, _)| name).collect();
    assert_eq!(left, ["file"]);
}

#[test]
fn what_was_changed_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let dir = place.path();
    made(dir, &with(&["--format", "mem,csv"]));
    let explain = |number: &str| ran(dir, &["vectors", "explain", "v", "--vector", number]);
    let all = (0..8).map(|number| explain(&number.to_string()));
    let told =
        all.inspect(|told| assert_eq!(told.code, 0, "{}", told.err)).find(|told| told.out.contains("Memory port, "));
    let told = told.expect("a vector that does something").out;
    assert!(told.contains("active lane") && told.contains("\n  SPA5-") && told.contains("\nClauses:\n"), "{told}");
    assert_eq!(explain("99").code, 2);
    let change = |name: &str, from: &str, to: &str, says: &str| {
        let path = dir.join("v").join(name);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{name}: {text}");
        fs::write(&path, text.replacen(from, to, 1)).unwrap();
        let Ran { err, code, .. } = explain("1");
        assert_eq!((code, err.contains(says)), (1, true), "{name}: {err}");
        fs::write(&path, text).unwrap();
    };
    change("manifest.json", "\"lanes\":4", "\"lanes\":8", "the manifest was changed or cut");
    change("manifest.json", "\"checksum\"", "\"sum\"", "this is no manifest of vectors");
    change("op.mem", "0", "1", "it was changed or cut after it was written");
    fs::remove_file(dir.join("v/op.mem")).unwrap();
    let Ran { err, code, .. } = explain("1");
    assert_eq!((code, err.contains("op.mem")), (2, true), "{err}");
    let Ran { err, code, .. } = ran(dir, &["vectors", "explain", "nowhere", "--vector", "0"]);
    assert!(code == 2 && err.starts_with("error: cannot read `nowhere/manifest.json`: "), "{err}");
    assert!(err.ends_with("\n\nhint: give a folder that `gpu-lsu vectors --out DIR` wrote\n"), "{err}");
}

#[test]
fn what_no_unit_has_is_refused() {
    let place = tempfile::tempdir().unwrap();
    for (more, says) in [
        (["--depth", "0"], "at least 1"),
        (["--line-bytes", "48"], "[possible values: 32, 64, 128]"),
        (["--shared-bytes", "100"], "SHARED_BYTES is a power of two"),
        (["--warps", "9"], "WARPS is 1 to 8"),
        (["--pending", "1"], "PENDING is 2 to 64"),
        (["--ops", "0"], "zero operations"),
        (["--format", "hex"], "[possible values: mem, coe, mif, csv, json]"),
    ] {
        let arguments: Vec<&str> = with(&more);
        // A second `--ops` counts.
        let Ran { err, code, .. } = ran(place.path(), &arguments);
        assert_eq!(code, 2, "{more:?}: {err}");
        assert!(err.contains(says) || err.contains("cannot be used multiple times"), "{more:?}: {err}");
        assert!(contents(place.path()).is_empty());
    }
    let Ran { err, code, .. } = ran(place.path(), &["vectors", "--ops", "4"]);
    assert_eq!((code, err.contains("--out DIR")), (2, true), "{err}");
}

#[test]
fn programs_capsules_and_logs_become_vectors() {
    let place = tempfile::tempdir().unwrap();
    let dir = place.path();
    for name in ["spa5_shared.lsu", "r700_clamp.lsu", "ptx_worked.lsu", "sm5_worked.lsu"] {
        let program = root().join("examples").join(name);
        let program = program.to_str().unwrap();
        let said = made(dir, &["vectors", program, "--lanes", "32", "--out", name]);
        assert!(said.contains(&format!("program {name}")), "{said}");
        assert!(said.lines().all(|line| line.chars().count() <= 80), "{said}");
        // The log of its run has the same operations, and more that fill the scratchpad and read it back.
        let log = format!("{name}.jsonl");
        made(dir, &["run", program, "--log", &log]);
        let said = made(dir, &["vectors", &log, "--out", &format!("{name}.log"), "--json"]);
        let summary: serde_json::Value = serde_json::from_str(&said).unwrap();
        let operations = summary["operations"].as_u64().unwrap();
        let lines = fs::read_to_string(dir.join(&log)).unwrap();
        let ops = lines.lines().filter(|line| line.contains("\"event\":\"op\"") || line.contains("\"op\":")).count();
        assert!(operations > 0 && operations <= ops as u64, "{operations} of {ops}");
    }
    fs::write(dir.join("nothing.lsu"), "isa spa5\n").unwrap();
    let Ran { err, code, .. } = ran(dir, &["vectors", "nothing.lsu", "--out", "none"]);
    assert_eq!((code, err.contains("expected an instruction")), (1, true), "{err}");
    assert!(!dir.join("none").exists());
}

/// However far it was, a signal leaves no folder and no other trace.
#[test]
#[cfg(unix)]
fn a_signal_leaves_nothing() {
    for milliseconds in [0, 300] {
        let place = tempfile::tempdir().unwrap();
        let mut child = hears(env!("CARGO_BIN_EXE_gpu-lsu"))
            .args(["vectors", "--ops", "50k", "--seed", "1", "--lanes", "32", "--format", "mem,json", "--out", "v"])
            .current_dir(place.path())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        // It listens by the time that it says its seed.
        let mut said = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut said).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(milliseconds));
        let pid = child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(130));
        assert!(contents(place.path()).is_empty());
    }
}

/// Of a log with several runs one becomes vectors, and the others are not passed over in silence.
#[test]
fn a_run_of_a_log_is_chosen() {
    let place = tempfile::tempdir().unwrap();
    let campaign = ["verify", "--isa", "spa5", "--lanes", "4", "--ops", "600", "--seed", "1", "--log", "all.jsonl"];
    made(place.path(), &campaign);
    let Ran { err, code, .. } = ran(place.path(), &["vectors", "all.jsonl", "--out", "first"]);
    assert_eq!((err.as_str(), code), ("run 1 of 3: `--run` chooses another one\n", 0));
    made(place.path(), &["vectors", "all.jsonl", "--run", "2", "--out", "second"]);
    assert!(contents(&place.path().join("first")) != contents(&place.path().join("second")));
    let Ran { err, code, .. } = ran(place.path(), &["vectors", "all.jsonl", "--run", "4", "--out", "fourth"]);
    assert_eq!((err.as_str(), code), ("error: all.jsonl: there is no run 4: the log has 3 runs\n", 2));
}
