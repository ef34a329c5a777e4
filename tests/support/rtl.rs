// SPDX-License-Identifier: MIT OR Apache-2.0
//! Copies of rtl/, or of another folder, in which a text is changed.
#![allow(dead_code, reason = "each test takes what it needs")]

use std::{
    fs,
    path::{Path, PathBuf},
};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Copies rtl/ with its subfolders.
pub fn copy(to: &Path) {
    copy_folder(&Path::new(ROOT).join("rtl"), to);
}

pub fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let place = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_folder(&entry.path(), &place);
        } else {
            fs::copy(entry.path(), place).unwrap();
        }
    }
}

/// Replaces a text that occurs exactly once in a file of a copy.
pub fn change(copy: &Path, file: &str, from: &str, to: &str) {
    let path = find(copy, file).unwrap_or_else(|| panic!("no {file}"));
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(text.matches(from).count(), 1, "`{from}` in {file}");
    fs::write(&path, text.replace(from, to)).unwrap();
}

fn find(folder: &Path, file: &str) -> Option<PathBuf> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).find_map(|path| match path.is_dir() {
        true => find(&path, file),
        false => path.ends_with(file).then_some(path),
    })
}

/// Plants a fault of tests/harness/faults.txt, which is active where the expression `active` holds. Returns the clause
/// that it breaks.
pub fn plant(copy: &Path, number: &str, active: &str) -> String {
    let list = fs::read_to_string(Path::new(ROOT).join("tests/harness/faults.txt")).unwrap();
    let fault = list.split("\n## ").find_map(|fault| fault.strip_prefix(number)?.strip_prefix(' ')).unwrap();
    let (head, change_of) = fault.split_once('\n').unwrap();
    let (clause, file) = head.split_once(':').unwrap().0.split_once(' ').unwrap();
    let (find, put) = change_of.split_once("\n----\n").unwrap();
    change(copy, file, find.trim_end(), &put.trim_end().replace(&format!("fault == {number}"), active));
    clause.to_owned()
}
