// SPDX-License-Identifier: MIT OR Apache-2.0
//! PTX: which `st` are legal, by the vendor's assembler, by the clauses, and for any text at all.

/// What holds of any text.
mod any;
/// `check -`: a line for a line.
mod lines;
/// Statements as operations.
mod lower;
/// `check FILE`: whole modules.
mod modules;
/// What is said of each refusal.
mod reasons;
/// The verdicts of NVIDIA's assembler.
mod rows;

use assert_cmd::Command;

/// What `check` prints with this on its standard input, and its exit code.
fn check(arguments: &[&str], input: impl Into<Vec<u8>>) -> (String, i32) {
    let mut command = Command::cargo_bin("gpu-lsu").unwrap();
    let output = command.args(["check", "--isa", "ptx"]).args(arguments).write_stdin(input).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
    (String::from_utf8(output.stdout).unwrap(), output.status.code().unwrap())
}
