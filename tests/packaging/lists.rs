// SPDX-License-Identifier: MIT OR Apache-2.0
//! rtl/lsu.f, rtl/lsu_sim.f, gpu-lsu.core and Bender.yml: made by scripts/package, not stale, and taken by the tools that
//! they are for.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{ROOT, here, ran, rtl, tool, verilator};

const LISTS: [&str; 4] = ["rtl/lsu.f", "rtl/lsu_sim.f", "gpu-lsu.core", "Bender.yml"];

/// What the lists are made from and what they list, in a folder of its own.
fn copy() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let files = ["scripts/package", "scripts/sources", "Cargo.toml", "gpu-lsu.core", "Bender.yml"].map(PathBuf::from);
    rtl::copy(&folder.path().join("rtl"));
    for file in files {
        let to = folder.path().join(&file);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(here(&file), to).unwrap();
    }
    folder
}

/// The unit's files in the order in which they are read: those that are synthesized, then those for simulation.
fn sources() -> [Vec<String>; 2] {
    let all = ran(Path::new(ROOT), "scripts/sources", &[]);
    let binds = |file: &&str| fs::read_to_string(here(file)).unwrap().lines().any(|line| line.starts_with("bind "));
    let (simulation, design): (Vec<_>, Vec<_>) = all.lines().partition(binds);
    assert!(design.len() > 20 && simulation.len() > 2, "{all}");
    [design, simulation].map(|files| files.into_iter().map(str::to_owned).collect())
}

/// The names of the `.sv` files among a tool's arguments, without their folders.
fn named(list: &str) -> Vec<String> {
    let files = list.split_whitespace().filter(|word| word.ends_with(".sv"));
    files.map(|file| file.rsplit('/').next().unwrap().to_owned()).collect()
}

/// Both kinds of files, without their folders.
fn all() -> Vec<String> {
    named(&sources().concat().join(" "))
}

/// A unit that Verilator warns about.
fn damage(folder: &Path) {
    let file = folder.join("rtl/lsu_fill.sv");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(file, text.replace("endmodule", "  logic nobody;\nendmodule")).unwrap();
}

#[test]
fn no_list_is_stale() {
    ran(Path::new(ROOT), "scripts/package", &["check"]);
}

#[test]
fn a_new_source_makes_every_list_stale_and_goes_where_it_belongs() {
    let folder = copy();
    for (name, text) in
        [("lsu_new.sv", "module lsu_new;\nendmodule\n"), ("lsu_seen.sv", "bind lsu lsu_seen u_seen ();\n")]
    {
        fs::write(folder.path().join("rtl").join(name), text).unwrap();
    }
    let package = || Command::new("scripts/package").current_dir(folder.path()).arg("check").output().unwrap();
    let said = String::from_utf8(package().stderr).unwrap();
    assert!(said.starts_with(&format!("error: stale: {}. Run `scripts/package`", LISTS.join(" "))), "{said}");
    ran(folder.path(), "scripts/package", &[]);
    assert!(package().status.success());
    let [design, simulation] = ["rtl/lsu.f", "rtl/lsu_sim.f"].map(|list| fs::read_to_string(folder.path().join(list)));
    let [design, simulation] = [design, simulation].map(|list| named(&list.unwrap()));
    assert!(design.contains(&"lsu_new.sv".to_owned()) && !design.contains(&"lsu_seen.sv".to_owned()), "{design:?}");
    assert!(simulation.contains(&"lsu_seen.sv".to_owned()), "{simulation:?}");
}

#[test]
fn verilator_reads_the_plain_lists() {
    let lint = ["--lint-only", "-Wall", "--top-module", "lsu", "rtl/lint.vlt", "-F"];
    for list in ["rtl/lsu.f", "rtl/lsu_sim.f"] {
        ran(Path::new(ROOT), verilator(), &[&lint[..], &[list]].concat());
    }
    let [design, simulation] = sources().map(|files| named(&files.join(" ")));
    assert_eq!(named(&crate::read("rtl/lsu.f")), design);
    assert_eq!(named(&crate::read("rtl/lsu_sim.f")), simulation);
}

#[test]
fn fusesoc_lints_the_core() {
    let folder = copy();
    // It keeps files of its own below the home directory.
    let fusesoc = |args: &[&str]| {
        let mut command = Command::new(tool("fusesoc"));
        let home = folder.path().join("home");
        command
            .current_dir(folder.path())
            .env("HOME", &home)
            .env_remove("XDG_CONFIG_HOME")
            .env_remove("XDG_CACHE_HOME");
        let output = command.args(["--cores-root", "."]).args(args).output().unwrap();
        let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        (output.status.success(), out + &err)
    };
    let (good, said) = fusesoc(&["core-info", "gpu-lsu"]);
    assert!(good && ["default", "lint", "synth"].iter().all(|target| said.contains(target)), "{said}");

    let (good, said) = fusesoc(&["run", "--target=lint", "gpu-lsu", "--LANES=8"]);
    assert!(good, "{said}");
    let work = folder.path().join("build");
    let listed = |target: &str, kind: &str| {
        let dir = fs::read_dir(&work).unwrap().next().unwrap().unwrap().path().join(target);
        let files = fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().path());
        let mut found = files.filter(|file| file.to_string_lossy().ends_with(kind));
        fs::read_to_string(found.next().unwrap_or_else(|| panic!("no {kind} in {}", dir.display()))).unwrap()
    };
    let arguments = listed("lint", ".vc");
    assert_eq!(named(&arguments), all());
    assert!(arguments.contains("-GLANES=8") && arguments.contains("lint.vlt"), "{arguments}");

    let (good, said) = fusesoc(&["run", "--target=synth", "--tool=vivado", "--setup", "gpu-lsu"]);
    assert!(good, "{said}");
    let script = listed("synth-vivado", ".eda.yml");
    assert_eq!(named(&script), named(&sources()[0].join(" ")));

    damage(folder.path());
    let (good, said) = fusesoc(&["run", "--target=lint", "gpu-lsu"]);
    assert!(!good && said.contains("UNUSEDSIGNAL"), "a warning passes: {said}");
}

#[test]
fn bender_lists_the_same_files() {
    let folder = copy();
    let bender = |args: &[&str]| ran(folder.path(), tool("bender"), args);
    assert_eq!(named(&bender(&["script", "flist", "-t", "simulation"])), all());
    assert_eq!(named(&bender(&["script", "flist"])), named(&sources()[0].join(" ")));

    let arguments = bender(&["script", "verilator", "-t", "simulation"]);
    assert_eq!(named(&arguments), all());
    let list = folder.path().join("bender.f");
    fs::write(&list, arguments).unwrap();
    let list = list.to_str().unwrap();
    let lint = ["--lint-only", "-Wall", "--top-module", "lsu", "rtl/lint.vlt", "-f", list];
    ran(folder.path(), verilator(), &lint);
    damage(folder.path());
    let output = Command::new(verilator()).current_dir(folder.path()).args(lint).output().unwrap();
    assert!(!output.status.success(), "a warning passes");
}
