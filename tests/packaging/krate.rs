// SPDX-License-Identifier: MIT OR Apache-2.0
//! `cargo package`: the crate has what building it needs, and not the corpora. docs/working.md has the command that
//! builds it.

use std::{collections::BTreeSet, env, fs, path::Path};

use crate::{ROOT, here, ran};

/// Bytes of all its files, before they are compressed.
const MOST: u64 = 10_000_000;

/// Files of a folder of the checkout and those in it.
fn files(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(here(folder)).unwrap() {
        let path = folder.join(entry.unwrap().file_name());
        if here(&path).is_dir() {
            files(&path, found);
        } else {
            found.insert(path.to_str().unwrap().to_owned());
        }
    }
}

#[test]
fn the_crate_has_what_building_it_needs() {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let list = ran(Path::new(ROOT), cargo, &["package", "--list", "--allow-dirty", "--offline"]);
    let packed: BTreeSet<String> = list.lines().map(str::to_owned).collect();

    let mut needed: BTreeSet<String> =
        ["build.rs", "README.md", "LICENSE-MIT", "LICENSE-APACHE"].map(str::to_owned).into();
    for folder in ["build", "proof", "rtl", "src"] {
        files(Path::new(folder), &mut needed);
    }
    // Of other folders, what sources name: the list of faults, wrappers of proofs, tables.
    let text: String = needed.iter().filter(|name| name.ends_with(".rs")).map(|name| crate::read(name)).collect();
    let named = text.split('"').filter(|word| word.contains('/') && !word.contains(char::is_whitespace));
    let named = named
        .map(|word| word.trim_start_matches("../"))
        .filter(|word| !word.starts_with('/') && !word.starts_with("target/") && here(word).is_file());
    let named: BTreeSet<String> = named.map(str::to_owned).collect();
    assert!(named.contains("tests/harness/faults.txt") && named.len() > 10, "{named:?}");
    needed.extend(named.into_iter().filter(|name| !name.starts_with("scripts/")));
    let missing: Vec<_> = needed.difference(&packed).collect();
    assert!(missing.is_empty(), "Cargo.toml, `include`: {missing:?}");

    let made = [".cargo_vcs_info.json", "Cargo.toml.orig"];
    let bytes = |name: &String| fs::metadata(here(name)).unwrap_or_else(|error| panic!("{name}: {error}")).len();
    let size: u64 = packed.iter().filter(|name| !made.contains(&name.as_str())).map(bytes).sum();
    assert!(size < MOST, "{size} bytes");
    let stray: Vec<_> = packed.iter().filter(|name| name.ends_with(".csv") || name.starts_with("target")).collect();
    assert!(stray.is_empty(), "{stray:?}");
}
