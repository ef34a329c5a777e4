// SPDX-License-Identifier: MIT OR Apache-2.0
//! The SystemVerilog files of a directory, in an order in which they can be read.

use std::{
    fs,
    path::{Path, PathBuf},
};

pub fn with_extension(dir: &Path, extension: &str) -> Result<Vec<PathBuf>, String> {
    let cannot = |error| format!("cannot read the directory `{}`: {error}", dir.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(dir).map_err(cannot)? {
        let path = entry.map_err(cannot)?.path();
        if path.extension().is_some_and(|found| found == extension) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Waivers first, then packages, each after those that it names, then the rest by name.
pub fn in_order(dir: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files = with_extension(dir, "vlt")?;
    let (mut packages, mut modules) = (Vec::new(), Vec::new());
    for path in with_extension(dir, "sv")?.into_iter().chain(with_extension(dir, "v")?) {
        let text = fs::read_to_string(&path).map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
        match text.lines().find_map(|line| line.strip_prefix("package ")) {
            Some(name) => packages.push((name.trim_end_matches(';').trim().to_owned(), text, path)),
            None => modules.push(path),
        }
    }
    if modules.is_empty() {
        return Err(format!(
            "`{}` holds no module: GPU_LSU_RTL must name a directory of .sv or .v files",
            dir.display()
        ));
    }
    while !packages.is_empty() {
        let names: Vec<String> = packages.iter().map(|(name, ..)| format!("{name}::")).collect();
        let free = packages
            .iter()
            .enumerate()
            .position(|(own, (_, text, _))| !names.iter().enumerate().any(|(i, name)| i != own && text.contains(name)))
            .ok_or_else(|| format!("the packages of `{}` import each other in a circle", dir.display()))?;
        files.push(packages.remove(free).2);
    }
    files.extend(modules);
    Ok(files)
}
