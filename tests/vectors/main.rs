// SPDX-License-Identifier: MIT OR Apache-2.0
//! Test vectors as their users meet them: files that others read, folders that are whole or not there, and benches that
//! pass, and fail where a fault is planted.
#![cfg(feature = "all-lanes")]

mod files;
mod folders;
#[path = "../support/hears.rs"]
mod hears;
#[path = "../support/netlist.rs"]
mod netlist;
#[path = "../support/rtl.rs"]
mod rtl;
mod simulators;

use std::path::Path;

use assert_cmd::Command;

/// What a command leaves: its output, what it said besides, its exit code.
pub struct Ran {
    pub out: String,
    pub err: String,
    pub code: i32,
}

/// Runs gpu-lsu in a folder.
pub fn ran(dir: &Path, arguments: &[&str]) -> Ran {
    let mut command = Command::cargo_bin("gpu-lsu").unwrap();
    let output = command.args(arguments).current_dir(dir).env_remove("GPU_LSU_RTL").output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    Ran { out, err, code: output.status.code().unwrap() }
}

/// The same, which must succeed.
pub fn made(dir: &Path, arguments: &[&str]) -> String {
    let Ran { out, err, code } = ran(dir, arguments);
    assert_eq!(code, 0, "{arguments:?}: {err}");
    out
}

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
