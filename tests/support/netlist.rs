// SPDX-License-Identifier: MIT OR Apache-2.0
//! The unit as a netlist of board size, from Yosys (scripts/synth). It is kept for as long as rtl/ and scripts/ stay
//! the same.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::Mutex,
};

/// Tests run at the same time, and one of them makes it.
static MAKING: Mutex<()> = Mutex::new(());

/// The file of the netlist.
pub fn netlist() -> PathBuf {
    let _alone = MAKING.lock().unwrap();
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("netlist");
    fs::create_dir_all(&dir).unwrap();
    let (netlist, stamp) = (dir.join("lsu.v"), dir.join("made-of"));
    let sources = made_of();
    if !fs::read_to_string(&stamp).is_ok_and(|last| last == sources) || !netlist.exists() {
        let _ = fs::remove_file(&stamp);
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        finish(Command::new(root.join("scripts/synth")).arg("netlist").arg(&netlist));
        fs::write(&stamp, sources).unwrap();
    }
    netlist
}

/// Everything that the netlist depends on.
fn made_of() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut text = String::new();
    for dir in ["rtl", "rtl/cells", "scripts"] {
        let entries = fs::read_dir(root.join(dir)).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<_> = entries.filter(|path| path.is_file()).collect();
        files.sort();
        for file in files {
            text += &fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        }
    }
    text
}

/// Runs a command, which must succeed, and returns its output.
pub fn finish(command: &mut Command) -> String {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().unwrap_or_else(|error| {
        panic!("cannot run `{program}`: {error}. `scripts/setup test` installs what this test needs.")
    });
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "`{program}` failed:\n{said}\n{}", String::from_utf8_lossy(&output.stderr));
    said
}
