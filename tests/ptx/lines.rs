// SPDX-License-Identifier: MIT OR Apache-2.0
//! `check -`: texts, exit codes, pipes.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Command as Process, Stdio},
};

use assert_cmd::Command;

use crate::check;

#[test]
fn a_line_gives_a_line() {
    let input = "st.b32 [%rd1], %r1;\n\n  // nothing\r\n/* nothing */\nlab: st.b8 [gbl+1], 5; st.f32 [sh], 1.5; // two\r\nerror:";
    assert_eq!(check(&["-"], input), ("accepted\n".repeat(6), 0));
    assert_eq!(check(&[], ""), (String::new(), 0));
    assert_eq!(check(&["-"], "\n"), ("accepted\n".to_owned(), 0));
}

#[test]
fn a_refused_line_says_why_and_the_rest_goes_on() {
    let input =
        b"st.relaxed.b32 [%rd1], %r1;\nst.b32 [%rd1], %r1\nst.b32 [\xc3\xa9\xff], %r1;\nst.b32 [%rd1], %r1; /*\n\0\n\
        ld.b32 %r1, [%rd1];\n\tst.b32 [\x1c], %r1;\nst.b32 [%rd1], %r1;";
    let expected = "\
refused: line 1, column 3: `.relaxed` has no scope (PTX-L3); add .cta, .cluster, .gpu or .sys
refused: line 2, column 19: expected `;`, or `,` and a cache policy, found the end of the line (PTX-SYNTAX)
refused: line 3, column 10: the byte 0xff is no text (PTX-SYNTAX); PTX is ASCII text
refused: line 4, column 21: `/*` is never closed (PTX-SYNTAX)
refused: line 5, column 1: the byte 0x00 is no text (PTX-SYNTAX); PTX is ASCII text
refused: line 6, column 1: expected `st`, found `ld` (PTX-SYNTAX); only stores are judged: the rules say nothing about loads
refused: line 7, column 10: expected a register, a variable or a number, found ` ` (PTX-SYNTAX)
accepted
";
    assert_eq!(check(&["-"], input.as_slice()), (expected.to_owned(), 1));
}

/// What is repeated of a line is its beginning, however long it is, and a byte order mark is passed.
#[test]
fn a_long_line_gives_a_short_error() {
    for line in [
        format!("st.{} [%rd1], %r1;", "x".repeat(10_000_000)),
        format!("st.b32 [{}], %r1;", "n".repeat(10_000_000)),
        format!("st.b32 [%rd1], {{{}%r1}};", "%r1,".repeat(2_000_000)),
        format!("st.b32 {}[1], %r1;", "n".repeat(10_000_000)),
        format!("@{} st.b32 [%rd1], %r1;", "n".repeat(10_000_000)),
    ] {
        for json in [false, true] {
            let (text, code) = check(if json { &["--json", "-"] } else { &["-"] }, line.as_str());
            assert!(text.len() < 400 && code == 1, "{} of {}", text.len(), line.split_at(20).0);
        }
    }
    assert_eq!(check(&["-"], "\u{feff}st.b32 [%rd1], %r1;"), ("accepted\n".to_owned(), 0));
}

#[test]
fn target_and_version_are_asked() {
    let cluster = "st.relaxed.cluster.b32 [%rd1], %r1;";
    assert_eq!(check(&["-"], cluster).1, 0);
    assert_eq!(check(&["--target", "sm_90a", "--ptx", "8.0"], cluster).1, 0);
    for (arguments, what) in [
        (["--target", "sm_80", "--ptx", "8.8"], "`.cluster` needs sm_90, the target is sm_80"),
        (["--target", "sm_90", "--ptx", "7.7"], "PTX 7.7 does not know sm_90"),
        (["--target", "sm_90", "--ptx", "9.9"], "nothing is known of PTX 9.9"),
        (["--target", "sm_99", "--ptx", "9.0"], "nothing is known of the target sm_99"),
        (["--target", "sm_100f", "--ptx", "8.0"], "PTX 8.0 does not know sm_100f"),
    ] {
        let (text, code) = check(&arguments, cluster);
        assert!(text.contains(what) && code == 1, "{text}");
    }
}

#[test]
fn json_is_an_object_a_line() {
    let (lines, code) = check(&["--json", "-"], "st.b32 [%rd1], %r1;\n\nst.b32.cg.ca [%rd1], %r1;\nst.b32 [%rd1]");
    let expected = r#"{"line":1,"verdict":"accepted"}
{"line":2,"verdict":"accepted"}
{"line":3,"verdict":"refused","column":10,"message":"`.ca` is no modifier of `st`","clause":"PTX-L6","fault":".ca","help":"the cache operators of a store are .wb, .cg, .cs and .wt"}
{"line":4,"verdict":"refused","column":14,"message":"expected `,` and the value to store, found the end of the line","clause":"PTX-SYNTAX"}
"#;
    assert_eq!((lines.as_str(), code), (expected, 1));
}

#[test]
fn wrong_usage_is_told() {
    for arguments in [
        &["--target", "90"][..],
        &["--target", "sm_90b"],
        &["--ptx", "8"],
        &["--ptx", "8.x"],
        &["--isa", "spa5"],
        &["no such file"],
    ] {
        let output = Command::cargo_bin("gpu-lsu").unwrap().arg("check").args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{arguments:?}");
    }
}

/// Whoever sends one line and waits has the answer.
#[test]
fn an_answer_does_not_wait_for_the_next_line() {
    let mut process = Process::new(assert_cmd::cargo::cargo_bin("gpu-lsu"))
        .args(["check", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = process.stdin.take().unwrap();
    let mut output = BufReader::new(process.stdout.take().unwrap());
    for (statement, verdict) in [("st.b32 [%rd1], %r1;\n", "accepted"), ("st.b32 [5], %r1;\n", "refused")] {
        input.write_all(statement.as_bytes()).unwrap();
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        assert!(line.starts_with(verdict), "{line}");
    }
    drop(input);
    assert_eq!(process.wait().unwrap().code(), Some(1));
}
