// SPDX-License-Identifier: MIT OR Apache-2.0
//! `explain`: programs, JSON, refusals in their arguments, exit codes, and nothing wider than 80 columns.

use std::{
    fs,
    path::Path,
    process::{Command as Process, Stdio},
};

use assert_cmd::Command;
use serde_json::{Value, json};

#[path = "explain/ptx.rs"]
mod ptx;
#[path = "explain/r700.rs"]
mod r700;
#[path = "explain/sm5.rs"]
mod sm5;
#[path = "explain/texts.rs"]
mod texts;

/// Standard output, standard error, exit code.
fn explain(arguments: &[&str]) -> (String, String, i32) {
    let mut command = Command::cargo_bin("gpu-lsu").unwrap();
    let output = command.arg("explain").args(arguments).env("NO_COLOR", "1").output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    let free = arguments.iter().any(|argument| ["--json", "--help"].contains(argument));
    for line in out.lines().filter(|_| !free) {
        assert!(line.chars().count() <= 80 && line == line.trim_end(), "{arguments:?}: {line:?}");
        assert!(!line.contains('\x1b'), "{arguments:?}: {line:?}");
    }
    (out, err, output.status.code().unwrap())
}

/// The explanation of one instruction that is not refused.
fn of(isa: &str, sets: &[&str], rest: &[&str]) -> String {
    let sets = sets.iter().flat_map(|line| ["--set", line]);
    let arguments: Vec<_> = ["--isa", isa].into_iter().chain(sets).chain(rest.iter().copied()).collect();
    let (out, err, code) = explain(&arguments);
    assert_eq!((err.as_str(), code), ("", 0), "{arguments:?}");
    out
}

fn spa5(sets: &[&str], rest: &[&str]) -> String {
    of("spa5", sets, rest)
}

fn json_of(sets: &[&str], rest: &[&str]) -> Value {
    let rest: Vec<_> = rest.iter().copied().chain(["--json"]).collect();
    serde_json::from_str(&spa5(sets, &rest)).unwrap()
}

const ALLOC: &str = "alloc 0x1000 0x1000";

#[test]
fn json_has_the_fields() {
    let sets = [ALLOC, "R1 = 0x1003", "R4 = 0x44444444", "R5 = -1"];
    let object = json_of(&sets, &["--lanes", "4", "--lane", "2", "ST.64 [R1+0x18], R4"]);
    let expected = json!({
        "text": "ST.64 [R1+0x18], R4",
        "word": "bca0000001870104",
        "lanes": [{
            "lane": 2, "active": true, "ea": "0x101b", "aligned": "0x1018", "space": "global", "address": "0x1018",
            "bytes": 8, "fault": "ok",
            "registers": [
                { "name": "R4", "before": "0x44444444", "after": "0x44444444" },
                { "name": "R5", "before": "0xffffffff", "after": "0xffffffff" },
            ],
            "clauses": ["SPA5-EA-32", "SPA5-MULTI", "SPA5-ALIGN", "COM-SAMEADDR"],
        }],
        "requests": [{
            "line": "0x1000", "byte_enable": "0xff000000", "lanes": [0, 1, 2, 3], "space": "global", "error": false,
        }],
        "bank_cycles": 0,
        "clauses": ["SPA5-EA-32", "SPA5-MULTI", "SPA5-ALIGN", "PORT-GROUP", "PORT-MIN", "COM-SAMEADDR"],
    });
    assert_eq!(object, expected);
}

#[test]
fn json_of_lanes_that_do_nothing() {
    let object = json_of(&["active = 1", "helpers = 1", "P0 = 0"], &["--lanes", "4", "ST [R1], R4, P0"]);
    for lane in 0..2 {
        let lane = &object["lanes"][lane];
        for field in ["ea", "aligned", "space", "address"] {
            assert_eq!(lane[field], Value::Null);
        }
        assert_eq!((&lane["active"], &lane["bytes"], &lane["fault"]), (&json!(false), &json!(0), &json!("ok")));
    }
    assert_eq!(object["lanes"][0]["clauses"], json!(["COM-HELPER"]));
    assert_eq!(object["lanes"][1]["clauses"], json!(["COM-INACTIVE"]));
}

#[test]
fn loads_see_memory_and_bus_errors() {
    let sets = [ALLOC, "bus_error 0x1080 1", "memory 0x1000: 80 7f", "R1 = 0x1000 + 0x80*lane", "R2 = 9"];
    let object = json_of(&sets, &["--lanes", "4", "LD.S8 R2, [R1]"]);
    let after = |lane: usize| &object["lanes"][lane]["registers"][0];
    assert_eq!(after(0), &json!({ "name": "R2", "before": "0x9", "after": "0xffffff80" }));
    assert_eq!(after(1), &json!({ "name": "R2", "before": "0x9", "after": "0x0" }));
    assert_eq!(object["lanes"][1]["fault"], "bus error");
    assert_eq!(object["lanes"][1]["clauses"], json!(["SPA5-EA-32", "SPA5-EXT", "COM-BUSERR"]));
    assert_eq!(object["requests"][1]["error"], true);
    assert_eq!(after(2)["after"], "0x0");
}

/// Headers may follow values, and an instruction sees what an earlier one left.
#[test]
fn instructions_follow_one_another() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("two.lsu");
    let text = "isa spa5\nlanes 4\nalloc 0 0x1000\nR1 = 4*lane\nR2 = 7 + lane\nST [R1], R2\nLD R3, [R1]\nLD R1, [R1+4]\n\
                LD.U8 R4, [R1]\nwarp 1\nLD R2, [RZ]\n";
    fs::write(&file, text).unwrap();
    let (out, err, code) = explain(&[file.to_str().unwrap(), "--json"]);
    assert_eq!((err.as_str(), code), ("", 0));
    let objects: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let after: Vec<Vec<_>> = objects
        .iter()
        .map(|object| {
            object["lanes"]
                .as_array()
                .unwrap()
                .iter()
                .map(|lane| lane["registers"][0]["after"].as_str().unwrap())
                .collect()
        })
        .collect();
    assert_eq!(after[1], ["0x7", "0x8", "0x9", "0xa"]);
    assert_eq!(after[2], ["0x8", "0x9", "0xa", "0x0"]);
    assert_eq!(after[3], ["0x9", "0x0", "0x0", "0x7"]); // bytes at 8, 9, 10 and 0
    assert_eq!(after[4], ["0x7"; 4]);
    assert_eq!((&objects[4]["line"], &objects[4]["warp"]), (&json!(11), &json!(1)));
    let sets = ["R1 = 4*lane", "P0 = 0", "lanes 8", "window shared 0 32"];
    assert_eq!(json_of(&sets, &["ST [R1], R2, P0"])["bank_cycles"], 1);
}

#[test]
fn shipped_programs_are_explained() {
    let mut count = 0;
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "lsu") {
            let (out, err, code) = explain(&[path.to_str().unwrap()]);
            assert_eq!((err.as_str(), code), ("", 0), "{}", path.display());
            let first =
                ["SPA5-EA-", "R700-", "PTX-", "SM5-"].map(|clause| out.contains(&format!("Clauses:\n  {clause}")));
            assert!(first.contains(&true), "{}", path.display());
            count += 1;
        }
    }
    assert!(count >= 3);
}

/// Nothing allocated is a hint, not an error; and it is nobody's business where no access is global.
#[test]
fn nothing_allocated_is_hinted() {
    let (out, err, code) = explain(&["--isa", "spa5", "ST [R1], R2"]);
    assert!(code == 0 && out.contains("  0..31  0x0  global  out of allocation, writes nothing\n"), "{out}");
    assert!(
        err.starts_with("\nhint: no global memory is allocated") && err.contains("--set 'alloc BASE SIZE'"),
        "{err}"
    );
    assert!(err.lines().all(|line| line.len() <= 80), "{err}");
    spa5(&["R1 = 0x1000000"], &["ST [R1], R2, P0"]);
}

#[test]
fn refusals_point_into_their_arguments() {
    for (arguments, parts) in [
        (
            &["LD.64 R5, [R3]"][..],
            &[
                "error[SPA5-EA-PAIR]: illegal instruction: a 64-bit datum",
                "--> instruction:1:1 ",
                "hint: use an even register",
            ][..],
        ),
        (
            &["--set", "R1 = lame", "ST [R1], Q2"],
            &["--> --set:1:6 ", "found `lame`", "--> instruction:1:10 ", "found `Q2`"],
        ),
        (&["--set", "alloc 8 8", "--set", "R1=1", "ST [R1], R2"], &["SPA5-STRADDLE", "--> --set:1:7 ", "alloc 8 8"]),
        (&["--lanes", "4", "--set", "lanes 8", "ST [R1], R2"], &["--> --set:1:7 ", "`8` is given a second time"]),
        (&["--set", "ST [R1], R2", "LD R1, [R2]"], &["--> --set:1:1 ", "an instruction is no starting value"]),
        (&["e000000000000000"], &["is neither LD nor ST", "--> instruction:1:1 "]),
        (&["ST.INVALIDSIZE7 [R2], R4"], &["SPA5-SIZE", "ST has no size 7"]),
        (&["LD R1, [R1"], &["expected `+`, `-` or `]`, found the end of the line", "--> instruction:1:11 "]),
        (&["R1 = 4"], &["expected an instruction"]),
        (&[""], &["expected an instruction"]),
        (&["é"], &["expected `LD` or `ST`, found `é`"]),
    ] {
        let arguments: Vec<_> = ["--isa", "spa5"].iter().chain(arguments).copied().collect();
        let (out, err, code) = explain(&arguments);
        assert_eq!((out.as_str(), code), ("", 1), "{arguments:?}");
        // Long messages are folded.
        let flat = err.split_whitespace().collect::<Vec<_>>().join(" ");
        for part in parts {
            assert!(flat.contains(part), "{arguments:?}: {part}\n{err}");
        }
    }
}

#[test]
fn usage_is_code_2() {
    let saxpy = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/spa5_saxpy.lsu");
    let saxpy = saxpy.to_str().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let eight = folder.path().join("eight.lsu");
    std::fs::write(&eight, "isa spa5\nlanes 8\nST [R1], R2\n").unwrap();
    for arguments in [
        &[][..],
        &["ST [R1], R2"],
        &["--isa", "avr", "ST [R1], R2"],
        &["--isa", "spa5", "--lanes", "5", "ST [R1], R2"],
        &["--isa", "spa5", "--lane", "32", "ST [R1], R2"],
        &["--isa", "spa5", "--frob", "ST [R1], R2"],
        &["--lanes", "16", eight.to_str().unwrap()],
        &["--set", "R1 = 2", saxpy],
        &["no such file.lsu"],
    ] {
        let (out, err, code) = explain(arguments);
        assert_eq!((out.as_str(), code), ("", 2), "{arguments:?}");
        assert!(err.starts_with("error: "), "{arguments:?}: {err}");
    }
    // An instruction or a file, and no standard input.
    assert!(explain(&["none.lsu"]).1.ends_with("\n\nhint: give the name of a readable program\n"));
    assert!(explain(&["nofile"]).1.contains("`--isa spa5`; there is no file `nofile`\n"));
    let help = explain(&["--help"]);
    assert!(help.0.contains("Examples:") && help.2 == 0);
}

#[test]
fn a_full_disk_is_said_and_a_closed_pipe_is_not() {
    let start = |stdout: Stdio| {
        let mut command = Process::new(env!("CARGO_BIN_EXE_gpu-lsu"));
        command.args(["explain", "--isa", "spa5", "ST [0x1000000], R2, P0"]).stdout(stdout).stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = start(full.into()).wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("error: cannot write to standard output: No space"));
    let mut child = start(Stdio::piped());
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}
