// SPDX-License-Identifier: MIT OR Apache-2.0
//! src/ports/table.rs as the list from which the bridge takes each port's address.

use std::{
    fs,
    path::{Path, PathBuf},
};

macro_rules! ports {
    ($($channel:ident {
        $($direction:ident $role:ident $field:ident $name:literal: $holds:expr;)*
    })*) => {
        const NAMES: &[&str] = &[$($($name,)*)*];
    };
}

include!("../src/ports/table.rs");

/// Refuses a unit that lacks ports. `header` is the file in which Verilator declares those that it has.
pub fn all_there(header: &Path) -> Result<(), String> {
    let text = fs::read_to_string(header).map_err(|error| format!("cannot read `{}`: {error}", header.display()))?;
    let missing: Vec<_> = NAMES.iter().filter(|name| !text.contains(&format!("(&{name},"))).copied().collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(format!("the module `lsu` lacks ports: {}. docs/integration.md lists all of them", missing.join(", ")))
}

/// Writes `ports.inc` with a line `PORT(name)` for each port, and returns its directory.
pub fn write(out: &Path) -> Result<PathBuf, String> {
    let dir = out.join("ports");
    let list: String = NAMES.iter().map(|name| format!("PORT({name})\n")).collect();
    let written = fs::create_dir_all(&dir).and_then(|()| fs::write(dir.join("ports.inc"), list));
    written.map_err(|error| format!("cannot write `{}`: {error}", dir.display()))?;
    Ok(dir)
}
