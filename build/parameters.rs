// SPDX-License-Identifier: MIT OR Apache-2.0
//! The parameters of a unit, as its RTL states them: a module that is bound to `lsu` prints them while Verilator
//! elaborates it.

use std::{fs, path::Path};

#[path = "../src/op/limits.rs"]
mod limits;

/// In the order of `Shape` (src/op.rs).
pub const NAMES: [&str; 5] = ["LANES", "LINE_BYTES", "WARPS", "PENDING", "SHARED_BYTES"];
const MARK: &str = "gpu_lsu_parameters:";
const KEPT: &str = "parameters";

/// The module and its bind.
pub fn module() -> String {
    let list = |each: fn(&str) -> String, between: &str| NAMES.map(each).join(between);
    format!(
        "module gpu_lsu_parameters #(\n  parameter {}\n) ();\n  if (1) $info(\"{MARK} {}\", {});\nendmodule\n\nbind lsu \
         gpu_lsu_parameters #({}) u_gpu_lsu_parameters ();\n",
        list(|name| format!("int {name} = 0"), ", "),
        list(|_| "%0d".to_owned(), " "),
        list(str::to_owned, ", "),
        list(|name| format!(".{name}({name})"), ", "),
    )
}

/// Keeps the parameters, from Verilator's messages, beside the C++. A unit that nobody could judge is refused.
pub fn keep(said: &str, dir: &Path) -> Result<(), String> {
    let found = said.lines().find_map(|line| Some(line.split_once(MARK)?.1.trim()));
    let found = found.ok_or("Verilator does not say the parameters of `lsu`")?;
    let numbers: Vec<usize> = found.split(' ').map_while(|number| number.parse().ok()).collect();
    let numbers = <[usize; 5]>::try_from(numbers).map_err(|_| format!("a parameter of `lsu` is no number: {found}"))?;
    if let Some(problem) = limits::problem(numbers) {
        return Err(format!("the unit's parameters are out of their limits: {problem}"));
    }
    let file = dir.join(KEPT);
    fs::write(&file, found).map_err(|error| format!("cannot write `{}`: {error}", file.display()))
}

/// The kept parameters: five numbers.
pub fn kept(dir: &Path) -> Result<String, String> {
    let file = dir.join(KEPT);
    fs::read_to_string(&file).map_err(|error| format!("cannot read `{}`: {error}", file.display()))
}

/// A remedy for a unit that lacks a parameter.
pub fn hint(said: &str) -> Option<String> {
    let lacks = |line: &str| line.contains("Can't find definition of") && NAMES.iter().any(|name| line.contains(name));
    said.lines()
        .any(lacks)
        .then(|| format!("hint: the module `lsu` states {}, each as a parameter or localparam", NAMES.join(", ")))
}
