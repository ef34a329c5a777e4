// SPDX-License-Identifier: MIT OR Apache-2.0
//! `run`, `verify`, `replay` as their users meet them: texts, exit codes, files, and what a shell does to a process.
#![cfg(feature = "rtl")]

mod capsules;
#[path = "../support/changes.rs"]
mod changes;
mod contract;
mod exports;
#[cfg(feature = "planted-faults")]
mod failures;
mod habits;
#[path = "../support/hears.rs"]
mod hears;
mod html;
mod judge;
mod layout;
mod lines;
#[cfg(feature = "planted-faults")]
mod look;
mod places;
mod process;
mod regress;
mod replay;
mod rtl;
mod run;
#[cfg(feature = "planted-faults")]
mod verdict;
mod verify;
mod waves;

use std::{fs, path::Path};

use assert_cmd::Command;
use tempfile::TempDir;

/// A folder to run in.
struct Place(TempDir);

/// What a command leaves: its output as text, its exit code.
struct Ran {
    out: String,
    err: String,
    code: i32,
}

impl Place {
    fn new() -> Self {
        Place(tempfile::tempdir().unwrap())
    }

    fn with(self, name: &str, text: &str) -> Self {
        fs::write(self.0.path().join(name), text).unwrap();
        self
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn ran(&self, arguments: &[&str]) -> Ran {
        self.fed(arguments, "")
    }

    /// The command with this on its standard input.
    fn fed(&self, arguments: &[&str], input: &str) -> Ran {
        let mut command = Command::cargo_bin("gpu-lsu").unwrap();
        let command = command.args(arguments).current_dir(self.path()).write_stdin(input);
        let command = command.env("NO_COLOR", "1").env("COLUMNS", "80");
        // The build has used it; a relative one would be another here.
        command.env_remove("GPU_LSU_RTL");
        let output = command.output().unwrap();
        let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        if !arguments.contains(&"--json") {
            for line in out.lines() {
                // How long a path is, is the user's business.
                let is_path = line.trim() == format!("`{}`", gpu_lsu::rtl::built().path);
                let fits = line.chars().count() <= 80 || is_path;
                assert!(fits && line == line.trim_end(), "{arguments:?}: {line:?}");
                assert!(!line.contains('\x1b'), "{arguments:?}: {line:?}");
            }
        }
        assert!(!err.contains("panicked"), "{arguments:?}: {err}");
        Ran { out, err, code: output.status.code().unwrap() }
    }

    /// Names of the files in it, hidden ones too.
    fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path()).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Ran {
    /// It was used wrongly, and says only this.
    #[track_caller]
    fn refuses(&self, code: i32, err: &str) {
        // A long sentence has more than one line.
        assert_eq!((words(&self.err), self.out.as_str(), self.code), (words(err), "", code));
    }
}

/// What reports call the unit.
fn unit(lanes: usize) -> String {
    format!("{}, {}", gpu_lsu::rtl::built(), gpu_lsu::op::Shape::with_lanes(lanes))
}

/// A text without the places where its lines end, which depend on how long paths are.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn example(name: &str) -> String {
    format!("{}/examples/{name}", env!("CARGO_MANIFEST_DIR"))
}
