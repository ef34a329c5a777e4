// SPDX-License-Identifier: MIT OR Apache-2.0
//! scripts/fpga, on the smallest module alone: what it says of a ceiling that is too low, and of what it cannot read.

#[path = "support/rtl.rs"]
mod rtl;

use std::{fs, path::Path, process::Command};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Exit code, standard output and standard error.
fn fpga(arguments: &[&str]) -> (Option<i32>, String, String) {
    fpga_of(Path::new(ROOT), arguments)
}

/// The same of a copy of the project.
fn fpga_of(root: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(root.join("scripts/fpga")).args(arguments).output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    (output.status.code(), out, err)
}

/// (module, sites, levels) of each line of the ceilings.
fn ceilings() -> Vec<(String, usize, usize)> {
    let text = fs::read_to_string(Path::new(ROOT).join("scripts/fpga.ceilings")).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let [module, sites, levels] = line.split_whitespace().collect::<Vec<_>>().try_into().unwrap();
            (module.to_owned(), sites.parse().unwrap(), levels.parse().unwrap())
        })
        .collect()
}

#[test]
fn every_ceiling_is_a_module_of_the_unit() {
    let ceilings = ceilings();
    assert!(ceilings.iter().any(|(module, ..)| module == "lsu"));
    for (module, sites, levels) in ceilings {
        assert!(Path::new(ROOT).join(format!("rtl/{module}.sv")).is_file(), "{module}");
        assert!(sites > 0 && levels > 0, "{module}");
    }
}

#[test]
fn a_module_above_its_ceiling_is_named() {
    let (module, ..) = ceilings().into_iter().min_by_key(|&(_, sites, _)| sites).unwrap();
    let lowered = tempfile::tempdir().unwrap();
    let file = lowered.path().join("ceilings");
    fs::write(&file, format!("# Lower than anything.\n{module} 1 1000\nlsu_nothing 1 1\n")).unwrap();
    let file = file.to_str().unwrap();
    let (code, out, err) = fpga(&["check", "--ceilings", file, &module]);
    assert_eq!(code, Some(1), "{err}");
    assert!(out.contains(&module), "{out}");
    let [line] = err.lines().collect::<Vec<_>>().try_into().unwrap_or_else(|_| panic!("{err}"));
    let said = line.strip_prefix(&format!("error: {module}: ")).unwrap_or_else(|| panic!("{line}"));
    assert!(said.ends_with(&format!(" sites, above the 1 of {file}")), "{line}");
}

/// A copy of what `scripts/fpga` reads, with the tools that are here.
fn copied() -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    rtl::copy(&copy.path().join("rtl"));
    rtl::copy_folder(&Path::new(ROOT).join("scripts"), &copy.path().join("scripts"));
    fs::copy(Path::new(ROOT).join("Cargo.toml"), copy.path().join("Cargo.toml")).unwrap();
    fs::create_dir_all(copy.path().join("target/fpga")).unwrap();
    let tools = Path::new(ROOT).join("target/fpga/tools");
    std::os::unix::fs::symlink(tools, copy.path().join("target/fpga/tools")).unwrap();
    copy
}

#[test]
fn a_map_that_makes_something_else_is_refused() {
    let (module, ..) = ceilings().into_iter().min_by_key(|&(_, sites, _)| sites).unwrap();
    for (map, from, to, of) in [
        // Of the second pair of bits one may differ.
        ("wide_eq.v", ".INIT0(16'h9009), .INIT1(16'h9009)", ".INIT0(16'h9009), .INIT1(16'h9019)", "assign y = a == b"),
        // The lowest bit of a number where its highest belongs.
        ("wide_mux.v", ".SD(S[2])", ".SD(S[0])", "assign y = a[s*2 +: 2]"),
    ] {
        let copy = copied();
        rtl::change(&copy.path().join("scripts"), map, from, to);
        let (code, out, err) = fpga_of(copy.path(), &["check", &module]);
        assert_eq!(code, Some(2), "{map}: {out}{err}");
        assert!(err.contains(&format!("a map makes something else of `{of}`")), "{map}: {err}");
    }
}

#[test]
fn what_cannot_be_asked_is_said() {
    for (arguments, says) in [
        (&["modules", "--fast"][..], "unknown flag `--fast`"),
        (&["modules", "LANE=4"], "unknown parameter `LANE`"),
        (&["modules", "LANES=four"], "`LANES=four`: the value must be a number"),
        (&["modules", "LANES=5"], "LANES must be 4, 8, 16 or 32"),
        (&["route", "--seed", "many"], "`--seed` needs a number of at most nine digits"),
        (&["route", "lsu_nothing"], "no module `lsu_nothing` in the unit"),
        (&["check", "LANES=8"], "the ceilings are those of the default parameters"),
        (&["check", "--ceilings"], "`--ceilings` needs a file"),
        (&["check", "--ceilings", "nowhere"], "cannot read the ceilings"),
        (&["costs"], "scripts/fpga modules"),
    ] {
        let (code, out, err) = fpga(arguments);
        assert_eq!(code, Some(2), "{arguments:?}: {out}{err}");
        assert!(err.contains(says), "{arguments:?}: {err}");
    }
}
