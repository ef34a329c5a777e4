// SPDX-License-Identifier: MIT OR Apache-2.0
//! A copy of the RTL with planted faults, for tests/harness: one input chooses the fault that is active.
//!
//! The list is data. A fault is `## NUMBER CLAUSE FILE: what it is`, the lines to find, `----`, and the lines that
//! replace them, in which `fault == NUMBER` is true while that fault is chosen. The lines to find must stand in the
//! file exactly once, so that a fault whose place has moved fails the build instead of doing nothing.
//!
//! GPU_LSU_MUTANTS names a directory of RTL that already has its faults, with a list of its own: see scripts/mutate.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::sources;

fn cannot(what: &Path, error: io::Error) -> String {
    format!("cannot use `{}`: {error}", what.display())
}

/// The numbers of a list's faults, separated by spaces.
pub fn numbers(list: &Path) -> Result<String, String> {
    let text = fs::read_to_string(list).map_err(|error| cannot(list, error))?;
    let faults = text.split("\n## ").skip(1);
    Ok(faults.filter_map(|fault| fault.split_whitespace().next()).collect::<Vec<_>>().join(" "))
}

pub fn plant(rtl: &Path, list: &Path, to: &Path) -> Result<PathBuf, String> {
    let text = fs::read_to_string(list).map_err(|error| cannot(list, error))?;
    let _ = fs::remove_dir_all(to);
    fs::create_dir_all(to).map_err(|error| cannot(to, error))?;
    let mut planted = 0;
    for file in sources::of(rtl)?.files {
        let name = file.file_name().expect("a file of a directory has a name").to_string_lossy().into_owned();
        let mut source = fs::read_to_string(&file).map_err(|error| cannot(&file, error))?;
        for fault in text.split("\n## ").skip(1) {
            let (head, rest) = fault.split_once('\n').ok_or("a planted fault without lines")?;
            let mut words = head.split_whitespace();
            let (number, file) = (words.next().unwrap_or_default(), words.nth(1).unwrap_or_default());
            if file.trim_end_matches(':') != name {
                continue;
            }
            let (find, put) = rest.split_once("\n----\n").ok_or(format!("planted fault {number} has no `----`"))?;
            let (find, put) = (find.trim_end_matches('\n'), put.trim_end_matches('\n'));
            if source.matches(find).count() != 1 {
                return Err(format!("planted fault {number}: its text stands in `{name}` not exactly once:\n{find}"));
            }
            source = source.replace(find, &chosen(put));
            planted += 1;
        }
        if name == "lsu.sv" {
            source =
                source.replacen("  input  logic  clk_i,", "  input  logic [15:0] fault_i,\n  input  logic  clk_i,", 1);
            source = source.replacen(
                "\nendmodule",
                "\n  // verilator lint_off BLKSEQ\n  always @* lsu_fault_pkg::fault = fault_i;\nendmodule",
                1,
            );
        }
        fs::write(to.join(&name), source).map_err(|error| cannot(&file, error))?;
    }
    let listed = text.matches("\n## ").count();
    if planted != listed {
        return Err(format!("{} of {listed} planted faults name no file of the RTL", listed - planted));
    }
    let package = "package lsu_fault_pkg;\n  logic [15:0] fault /* verilator public_flat_rw */;\nendpackage\n";
    fs::write(to.join("lsu_fault_pkg.sv"), package).map_err(|error| cannot(to, error))?;
    Ok(to.to_owned())
}

/// Replaces `fault ==` by a question to the package, but not where another name ends in it, such as `d.fault ==`.
fn chosen(put: &str) -> String {
    let mut pieces = put.split("fault ==");
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let goes_on = |last: char| last.is_alphanumeric() || "_.:$`".contains(last);
        text += if text.ends_with(goes_on) { "fault ==" } else { "lsu_fault_pkg::fault ==" };
        text += piece;
    }
    text
}
