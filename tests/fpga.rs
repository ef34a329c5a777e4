// SPDX-License-Identifier: MIT OR Apache-2.0
//! scripts/fpga, on the smallest module alone: what it says of a ceiling that is too low, and of what it cannot read.

use std::{fs, path::Path, process::Command};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Exit code, standard output and standard error.
fn fpga(arguments: &[&str]) -> (Option<i32>, String, String) {
    let script = Path::new(ROOT).join("scripts/fpga");
    let output = Command::new(script).args(arguments).output().unwrap();
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
