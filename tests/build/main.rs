// SPDX-License-Identifier: MIT OR Apache-2.0
//! The parts of the build script that can go wrong without a word: what is kept from build to build, what a planted
//! fault puts where, and which units it refuses.

use std::{cell::Cell, fs, path::Path};

#[path = "../../build/kept.rs"]
mod kept;
#[path = "../../build/listing.rs"]
mod listing;
#[path = "../../build/parameters.rs"]
#[allow(dead_code)]
mod parameters;
#[path = "../../build/planted.rs"]
mod planted;
#[path = "../../build/ports.rs"]
#[allow(dead_code)]
mod ports;
#[path = "../../build/refusal.rs"]
mod refusal;
#[path = "../../build/sources.rs"]
mod sources;

use kept::keep;
use planted::plant;

/// Unit and list of a planted fault, and what becomes of the unit.
fn planted(source: &str, fault: &str) -> Result<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let [rtl, list, to] = ["rtl", "faults.txt", "faulty"].map(|name| folder.path().join(name));
    fs::create_dir(&rtl).unwrap();
    fs::write(rtl.join("lsu.sv"), source).unwrap();
    fs::write(&list, format!("# A list.\n\n{fault}")).unwrap();
    plant(&rtl, &list, &to)?;
    let package = fs::read_to_string(to.join("lsu_fault_pkg.sv")).unwrap();
    assert!(package.contains("logic [15:0] fault "), "{package}");
    Ok(fs::read_to_string(to.join("lsu.sv")).unwrap())
}

const UNIT: &str =
    "module lsu (\n  input  logic  clk_i,\n  output logic  o\n);\n  assign o = d.fault == A;\nendmodule\n";

#[test]
fn a_fault_asks_for_its_number_and_for_nothing_else() {
    let put = "## 300 COM-FAULT lsu.sv: another field of that name\n  assign o = d.fault == A;\n----\n  assign o = \
               fault == 300 ? d.fault == B : (default_fault == C) || !(fault == 300) && d.fault == A;\n";
    let text = planted(UNIT, put).unwrap();
    let line = text.lines().find(|line| line.contains("assign o")).unwrap();
    assert_eq!(
        line,
        "  assign o = lsu_fault_pkg::fault == 300 ? d.fault == B : (default_fault == C) || !(lsu_fault_pkg::fault == \
         300) && d.fault == A;"
    );
    assert!(text.contains("  input  logic [15:0] fault_i,\n  input  logic  clk_i,\n"), "{text}");
    assert!(text.contains("always @* lsu_fault_pkg::fault = fault_i;\nendmodule"), "{text}");
}

#[test]
fn a_list_tells_its_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("faults.txt");
    fs::write(&list, "# ## 7 is no fault.\n\n## 1 COM-FAULT a.sv: one\na\n----\nb\n\n## 300 COM-FAULT a.sv: two\n")
        .unwrap();
    assert_eq!(planted::numbers(&list).unwrap(), "1 300");
}

#[test]
fn a_fault_without_its_place_is_refused() {
    for (fault, why) in [
        ("## 1 COM-FAULT lsu.sv: moved\nassign p\n----\nassign q\n", "planted fault 1: its text stands in `lsu.sv`"),
        ("## 1 COM-FAULT lsu.sv: no end\n  output\n", "planted fault 1 has no `----`"),
        ("## 1 COM-FAULT lsu.sv: many\nlogic\n----\nwire\n", "not exactly once"),
    ] {
        let error = planted(UNIT, fault).unwrap_err();
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn a_directory_is_made_again_when_its_inputs_change_or_it_was_left_half_made() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("unit");
    let made = Cell::new(0);
    let make = |to: &Path| {
        made.set(made.get() + 1);
        assert_eq!(fs::read_dir(to).unwrap().count(), 0, "it is empty");
        fs::write(to.join("library"), made.get().to_string()).map_err(|error| error.to_string())
    };
    let library = || fs::read_to_string(dir.join("library")).ok();
    for (inputs, holds) in [
        (("a", "-O2"), "1"),
        (("a", "-O2"), "1"),
        (("a", "-O0"), "2"),
        (("b", "-O0"), "3"),
        (("b", "-O0"), "3"),
        (("a", "-O2"), "4"),
    ] {
        assert_eq!(keep(&dir, &inputs, make), Ok(()), "{inputs:?}");
        assert_eq!(library().as_deref(), Some(holds));
    }
    assert_eq!(keep(&dir, &("c", ""), |_| Err("no compiler".to_owned())), Err("no compiler".to_owned()));
    assert_eq!(keep(&dir, &("c", ""), make), Ok(()));
    assert_eq!(library().as_deref(), Some("5"));
}

/// Files with their contents in a new folder.
fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

/// Names below a folder.
fn names(folder: &Path, files: &[std::path::PathBuf]) -> Vec<String> {
    let name = |file: &std::path::PathBuf| file.strip_prefix(folder).unwrap().display().to_string();
    files.iter().map(name).collect()
}

const TREE: &[(&str, &str)] = &[
    ("lsu.sv", "module lsu; endmodule\n"),
    ("b/two_pkg.sv", "// comes second\npackage automatic two_pkg;\n  import one_pkg::*;\nendpackage\n"),
    ("z/one_pkg.sv", "package one_pkg;\nendpackage\n"),
    ("inc/defs.svh", "`define A 1\n"),
    ("lint.vlt", "`verilator_config\n"),
    ("notes.txt", "no source"),
    (".git/old.sv", "module old; endmodule\n"),
];

#[test]
fn a_directory_is_read_with_its_folders() {
    let folder = tree(TREE);
    let found = sources::of(folder.path()).unwrap();
    assert_eq!(names(folder.path(), &found.files), ["lint.vlt", "z/one_pkg.sv", "b/two_pkg.sv", "lsu.sv"]);
    assert_eq!(names(folder.path(), &found.include_dirs), ["", "b", "inc", "z"]);
    assert_eq!(names(folder.path(), &found.others), ["inc/defs.svh"]);
    let error = sources::of(&folder.path().join("lsu.sv")).unwrap_err();
    assert!(error.ends_with("lsu.sv`: it is a source: name its directory, or a .f list"), "{error}");
    let error = sources::of(tree(&TREE[3..6]).path()).unwrap_err();
    assert!(error.contains("holds no module: GPU_LSU_RTL must name a directory"), "{error}");
}

#[test]
fn a_list_says_which_files_in_which_order() {
    let list =
        "# mine\nz/one_pkg.sv b/two_pkg.sv // packages\n+incdir+inc +define+FAST+DEPTH=3\n-f more.f\nz/one_pkg.sv\n";
    let folder = tree(&[TREE, &[("lsu.f", list), ("more.f", "lsu.sv\n")]].concat());
    let found = sources::of(&folder.path().join("lsu.f")).unwrap();
    assert_eq!(names(folder.path(), &found.files), ["z/one_pkg.sv", "b/two_pkg.sv", "lsu.sv"]);
    assert_eq!(names(folder.path(), &found.others), ["lsu.f", "inc/defs.svh", "more.f"]);
    assert_eq!(found.defines, ["FAST", "DEPTH=3"]);
    for (list, why) in [
        ("lsu.sv none.sv\n", "lsu.f`, line 1: `none.sv`: No such file"),
        ("\n+incdir+none\n", "line 2: `none`: No such file"),
        ("-y dir\n", "line 1: `-y` is not understood: files, +incdir+, +define+, -f and -F are"),
        ("lsu.sv -f\n", "line 1: `-f` without a list"),
        ("-f lsu.f\n", "one that names itself?"),
        ("", "holds no module"),
    ] {
        let folder = tree(&[TREE, &[("lsu.f", list)]].concat());
        let error = sources::of(&folder.path().join("lsu.f")).unwrap_err();
        assert!(error.contains(why), "{list}: {error}");
    }
}

#[test]
fn a_unit_that_is_refused_says_last_what_it_says_itself() {
    let said = "%Error: /r/lsu_window.sv:264:53: Size-changing cast to zero or negative size\n%Warning-USERERROR: \
                /r/lsu.sv:93:39: LANES must be 4, 8, 16 or 32\n%Warning-USERERROR: /r/lsu.sv:95:31: WARPS must be 1 to \
                8: 9\n  ... For warning description see https://verilator.org/warn/USERERROR?v=5.006\n";
    let words = "\n  LANES must be 4, 8, 16 or 32 (/r/lsu.sv:93)\n  WARPS must be 1 to 8: 9 (/r/lsu.sv:95)";
    assert_eq!(refusal::own_words(said), format!("\n\nThe RTL itself says:{words}"));
    assert_eq!(refusal::own_words("%Error: /r/lsu.sv:1:1: syntax error\n"), "");
}

#[test]
fn a_unit_that_nobody_could_judge_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let keep =
        |numbers: &str| parameters::keep(&format!("-Info: a.sv:1: gpu_lsu_parameters: {numbers}\n"), folder.path());
    assert_eq!(keep("32 128 8 16 32768"), Ok(()));
    assert_eq!(parameters::kept(folder.path()).unwrap(), "32 128 8 16 32768");
    for (numbers, why) in [
        ("64 128 8 16 32768", "LANES is 4, 8, 16 or 32, not 64"),
        ("32 128 8 16 48", "SHARED_BYTES is a power of two, 256 to 1048576, not 48"),
        ("32 128 8 -1 48", "a parameter of `lsu` is no number: 32 128 8 -1 48"),
    ] {
        let error = keep(numbers).unwrap_err();
        assert!(error.ends_with(why), "{error}");
    }
}

#[test]
fn a_unit_without_a_port_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let [lists, header] = ["ports", "Vlsu.h"].map(|name| folder.path().join(name));
    let all = fs::read_to_string(ports::write(folder.path()).unwrap().join("ports.inc")).unwrap();
    assert!(lists.is_dir());
    let declared = all.replace("PORT(", "    VL_OUT8(&").replace(')', ",0,0);");
    fs::write(&header, &declared).unwrap();
    assert_eq!(ports::all_there(&header), Ok(()));
    let fewer = declared.replace("&wb_mask_o,", "&wb_mask,").replace("&op_i,", "&op_q,");
    fs::write(&header, fewer).unwrap();
    assert!(ports::all_there(&header).unwrap_err().contains("lacks ports: op_i, wb_mask_o. "));
}
