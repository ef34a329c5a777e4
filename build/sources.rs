// SPDX-License-Identifier: MIT OR Apache-2.0
//! The SystemVerilog files of a unit, in an order in which they can be read.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::listing::{Listing, has_extension};

/// The files of a directory and its subfolders, or of a list, as Verilator gets them.
pub fn of(path: &Path) -> Result<Listing, String> {
    let mut listing = Listing::of(path).map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
    if !listing.files.iter().any(|file| has_extension(file, &["sv", "v"])) {
        return Err(format!(
            "`{}` holds no module: GPU_LSU_RTL must name a directory of .sv or .v files, or a .f list of them",
            path.display()
        ));
    }
    if !listing.ordered {
        listing.files = in_order(listing.files)?;
    }
    Ok(listing)
}

/// Puts waivers first, then packages, each after those that it names, then the rest by name.
fn in_order(found: Vec<PathBuf>) -> Result<Vec<PathBuf>, String> {
    let (mut files, found): (Vec<_>, Vec<_>) = found.into_iter().partition(|file| has_extension(file, &["vlt"]));
    let (mut packages, mut modules) = (Vec::new(), Vec::new());
    for path in found {
        let text = fs::read_to_string(&path).map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
        match text.lines().find_map(package) {
            Some(name) => packages.push((name, text, path)),
            None => modules.push(path),
        }
    }
    while !packages.is_empty() {
        let names: Vec<String> = packages.iter().map(|(name, ..)| format!("{name}::")).collect();
        let free = packages
            .iter()
            .enumerate()
            .position(|(own, (_, text, _))| !names.iter().enumerate().any(|(i, name)| i != own && text.contains(name)))
            .ok_or("the packages of the RTL import each other in a circle")?;
        files.push(packages.remove(free).2);
    }
    files.extend(modules);
    Ok(files)
}

/// The name of the package that begins on a line.
fn package(line: &str) -> Option<String> {
    let mut words = line.trim_start().strip_prefix("package ")?.split([' ', '\t', ';']).filter(|word| !word.is_empty());
    words.find(|word| !["automatic", "static"].contains(word)).map(str::to_owned)
}
