// SPDX-License-Identifier: MIT OR Apache-2.0
//! What others take the unit by: lists of its sources, the crate, the page that tells how to build it in, and the
//! pictures on that page.
#![cfg(feature = "rtl")]

mod diagrams;
mod krate;
mod lists;
mod page;
#[path = "../support/rtl.rs"]
mod rtl;
mod run;

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
    process::Command,
};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A file or directory of the checkout.
fn here(path: impl AsRef<Path>) -> PathBuf {
    Path::new(ROOT).join(path)
}

/// Text of the checkout.
#[track_caller]
fn read(path: &str) -> String {
    std::fs::read_to_string(here(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A tool that `scripts/setup test` installs.
#[track_caller]
fn tool(name: &str) -> PathBuf {
    let path = here("target/packaging/tools/bin").join(name);
    assert!(path.is_file(), "no {name}: run `scripts/setup test`");
    path
}

/// What a command prints, from `dir`; its failure, with all that it said, is one of the test.
#[track_caller]
fn ran(dir: &Path, program: impl AsRef<OsStr>, args: &[&str]) -> String {
    let mut command = Command::new(program);
    let output = command.current_dir(dir).args(args).output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(output.status.success(), "{command:?}\n{out}\n{err}");
    out
}

/// Verilator, where the build finds it.
fn verilator() -> PathBuf {
    let root = std::env::var_os("VERILATOR_ROOT").map(|root| PathBuf::from(root).join("bin/verilator_bin"));
    root.filter(|path| path.is_file()).unwrap_or_else(|| "verilator_bin".into())
}
