// SPDX-License-Identifier: MIT OR Apache-2.0
//! docs/integration.md: what it tells to write is read by Verilator without a warning, and its parameters are those of
//! rtl/lsu.sv.

use std::{fs, path::Path};

use crate::{ROOT, ran, read, verilator};

/// The blocks of a language.
fn blocks(language: &str) -> Vec<String> {
    let page = read("docs/integration.md");
    let fence = format!("```{language}\n");
    let blocks = page.split(&fence).skip(1).map(|rest| rest.split("```").next().unwrap().to_owned());
    blocks.collect()
}

#[test]
fn the_instance_lints() {
    let [block] = &blocks("systemverilog")[..] else { panic!("one block of SystemVerilog") };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sm_lsu.sv");
    fs::write(&file, block).unwrap();
    let file = file.to_str().unwrap();
    for list in ["rtl/lsu.f", "rtl/lsu_sim.f"] {
        let args = ["--lint-only", "-Wall", "--top-module", "sm_lsu", "rtl/lint.vlt", "-F", list, file];
        ran(Path::new(ROOT), verilator(), &args);
    }
}

#[test]
fn the_parameters_are_those_of_the_unit() {
    let (unit, page) = (read("rtl/lsu.sv"), read("docs/integration.md"));
    let stated = unit.lines().filter_map(|line| line.trim().strip_prefix("parameter int unsigned "));
    let mut count = 0;
    for parameter in stated {
        let (name, rest) = parameter.split_once(" = ").unwrap();
        let default: String = rest.chars().take_while(char::is_ascii_digit).collect();
        assert!(page.contains(&format!("| `{name}` | {default} |")), "{name} = {default}");
        count += 1;
    }
    assert_eq!(count, gpu_lsu_parameters());
}

/// As many as the table of the page has.
fn gpu_lsu_parameters() -> usize {
    let page = read("docs/integration.md");
    let table = page.split("## Parameters").nth(1).unwrap().split("\n## ").next().unwrap();
    table.lines().filter(|line| line.starts_with("| `")).count()
}
