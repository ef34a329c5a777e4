// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where files come from and go to: none takes another's place, and what is said of one that has none fits.

use std::fs;

use crate::{Place, capsules, example};

/// A folder with a program, a capsule, a log and a result, under other names as well.
fn place() -> Place {
    let program = fs::read_to_string(example("spa5_worked.lsu")).unwrap();
    let place = Place::new().with("p.lsu", &program).with("k.vcd", &capsules::agreeing().to_text());
    let place = place.with("my.toml", "").with("seeds", "1\n");
    assert_eq!(place.ran(&["run", "p.lsu", "--log", "run.jsonl"]).code, 0);
    assert_eq!(place.ran(&["verify", "--seed", "1", "--ops", "20", "--result", "r.result.json"]).code, 0);
    assert_eq!(place.ran(&["vectors", "p.lsu", "--out", "v"]).code, 0);
    fs::hard_link(place.path().join("p.lsu"), place.path().join("hard.lsu")).unwrap();
    std::os::unix::fs::symlink("p.lsu", place.path().join("soft.lsu")).unwrap();
    place
}

/// Everything in a folder, and in those in it.
fn contents(place: &Place) -> Vec<(String, Vec<u8>)> {
    let folders = [place.path().to_owned(), place.path().join("v")];
    let files = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()));
    let mut all: Vec<_> = files.filter_map(|path| Some((path.display().to_string(), fs::read(&path).ok()?))).collect();
    all.sort();
    all
}

#[test]
fn what_is_read_stays() {
    let place = place();
    let before = contents(&place);
    for (arguments, name, option) in [
        (&["run", "p.lsu", "--log", "p.lsu"][..], "p.lsu", "--log"),
        (&["run", "p.lsu", "--log", "./p.lsu"], "./p.lsu", "--log"),
        (&["run", "soft.lsu", "--log", "hard.lsu"], "hard.lsu", "--log"),
        (&["run", "p.lsu", "--wave", "soft.lsu"], "soft.lsu", "--wave"),
        (&["run", "p.lsu", "--contract", "my.toml", "--log", "my.toml"], "my.toml", "--log"),
        (&["replay", "k.vcd", "--wave", "k.vcd"], "k.vcd", "--wave"),
        (&["verify", "--ops", "1", "--seeds", "seeds", "--junit", "seeds"], "seeds", "--junit"),
        (&["verify", "--ops", "1", "--contract", "my.toml", "--capsule", "my.toml"], "my.toml", "--capsule"),
        (&["merge", ".", "--out", "r.result.json"], "r.result.json", "--out"),
        (&["merge", "r.result.json", "--rank", "./r.result.json"], "./r.result.json", "--rank"),
        (&["wave", "report", "run.jsonl", "-o", "run.jsonl"], "run.jsonl", "the page"),
        (&["vectors", "explain", "v", "--vector", "0", "--wave", "v/op.mem"], "v/op.mem", "--wave"),
        (&["vectors", "explain", "v", "--vector", "0", "--wave", "v/manifest.json"], "v/manifest.json", "--wave"),
        (&["farm", "--shards", "1", "--out", ".", "--contract", "seeds"], "./seeds", "the farm"),
    ] {
        let text = format!("error: `{name}` is what is read: {option} needs a file of its own\n");
        place.ran(arguments).refuses(2, &text);
        assert!(contents(&place) == before, "{arguments:?}");
    }
}

#[test]
fn each_output_has_a_file_of_its_own() {
    let place = place();
    let before = contents(&place);
    for (arguments, name, one, other) in [
        (&["run", "p.lsu", "--log", "q.vcd", "--wave", "q.vcd"][..], "q.vcd", "--wave", "--log"),
        (&["run", "p.lsu", "--log", "v/../q", "--wave", "q"], "v/../q", "--wave", "--log"),
        (&["run", "p.lsu", "--log", "q.gtkw", "--wave", "q.vcd"], "q.gtkw", "the wave's save file", "--log"),
        (&["verify", "--ops", "1", "--log", "a", "--result", "./a"], "./a", "--log", "--result"),
        (&["verify", "--ops", "1", "--capsule", "a", "--log", "a.vcd"], "a.vcd", "--log", "the capsule's wave"),
        (&["verify", "--ops", "1", "--html", "h", "--junit", "h/index.html"], "h/index.html", "--html", "--junit"),
        (&["merge", "r.result.json", "--out", "a", "--ucis", "a"], "a", "--out", "--ucis"),
    ] {
        let text = format!("error: `{name}` is for {one} and {other}: each needs a file of its own\n");
        place.ran(arguments).refuses(2, &text);
        assert!(contents(&place) == before, "{arguments:?}");
    }
    // What takes everything is nobody's.
    assert_eq!(place.ran(&["run", "p.lsu", "--log", "/dev/null", "--wave", "/dev/null"]).code, 0);
    assert_eq!(place.ran(&["run", "p.lsu", "--log", "p.jsonl", "--wave", "p.vcd"]).code, 0);
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_no_folder_without_rights() {
    let place = place();
    let hint = "\nhint: no space is left there: free some, or name another place\n";
    for arguments in [
        &["run", "p.lsu", "--log", "/dev/full"][..],
        &["run", "p.lsu", "--wave", "/dev/full"],
        &["verify", "--ops", "20", "--seed", "1", "--junit", "/dev/full"],
        &["merge", "r.result.json", "--out", "/dev/full"],
    ] {
        let ran = place.ran(arguments);
        assert!(ran.err.ends_with(hint) && ran.err.contains("No space left on device"), "{arguments:?}: {}", ran.err);
        assert_eq!(ran.code, 2, "{arguments:?}");
    }
}

#[test]
fn a_folder_is_asked_for_where_one_is_needed() {
    let text = "error: cannot read `none/farm.json`: No such file or directory (os error 2)\n\nhint: give a folder that can \
                be read: one that `gpu-lsu farm --out` made\n";
    Place::new().ran(&["farm", "--resume", "none"]).refuses(2, text);
}

/// A plan that cannot begin leaves its folder to another one.
#[test]
fn a_farm_without_a_scheduler_leaves_no_plan() {
    let place = Place::new();
    let farm = ["farm", "--out", "f", "--shards", "1", "--ops", "10", "--seed", "1", "--isa", "spa5"];
    let mut command = assert_cmd::Command::cargo_bin("gpu-lsu").unwrap();
    let command = command.args(farm).arg("--slurm").current_dir(place.path()).env("PATH", place.path());
    let output = command.env_remove("GPU_LSU_RTL").output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(err.starts_with("error: `scontrol` does not start: ") && output.status.code() == Some(2), "{err}");
    assert!(crate::words(&err).ends_with("; without a cluster, `--local` runs the shards here"), "{err}");
    assert!(!place.path().join("f/farm.json").exists());
    let ran = place.ran(&[&farm[..], &["--local", "1"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
}

/// A file that standard output or standard error goes to is nobody else's: what one writes the other would hide.
#[test]
#[cfg(target_os = "linux")]
fn a_stream_has_a_file_of_its_own() {
    let place = place();
    let ran = |arguments: &str| {
        let script = format!("{} {arguments}", env!("CARGO_BIN_EXE_gpu-lsu"));
        let mut command = assert_cmd::Command::new("sh");
        let command = command.args(["-c", &script]).current_dir(place.path()).env_remove("GPU_LSU_RTL");
        command.output().unwrap().status.code()
    };
    for arguments in [
        "run p.lsu --log /dev/stdout >out",
        "run p.lsu --log out >out",
        "run p.lsu --log out 2>out",
        "run p.lsu --wave /dev/stdout >out",
        "verify --ops 1 --result ./out >out",
        "merge r.result.json --junit /dev/stdout >out",
        "wave report run.jsonl -o out >out",
    ] {
        assert_eq!(ran(arguments), Some(2), "{arguments}");
    }
    for arguments in ["run p.lsu --log /dev/stdout | grep -q op", "run p.lsu --log /dev/stdout >/dev/null"] {
        assert_eq!(ran(arguments), Some(0), "{arguments}");
    }
}

#[test]
fn there_is_one_standard_input() {
    let place = place();
    let text = "error: standard input is one file: only one of those that are read can be `-`\n";
    for arguments in [
        &["run", "-", "--contract", "-"][..],
        &["replay", "-", "--contract", "-"],
        &["judge", "-", "--contract", "-"],
        &["wave", "why", "-", "--byte", "0", "--contract", "-"],
        &["verify", "--ops", "1", "--seeds", "-", "--contract", "-"],
        &["farm", "--shards", "1", "--out", "f", "--seeds", "-", "--contract", "-"],
    ] {
        place.ran(arguments).refuses(2, text);
    }
}

/// A page of somebody's stays, as layouts and capsules do; one of ours makes room for the next.
#[test]
fn pages_of_others_stay() {
    let place = place().with("run.html", "mine\n").with("index.html", "mine\n");
    let before = contents(&place);
    let text = "error: `run.html` is somebody's own: say with `-o` where the page goes\n";
    place.ran(&["wave", "report", "run.jsonl"]).refuses(2, text);
    let text = "error: `./index.html` is somebody's own page: give a folder for those of campaigns\n";
    place.ran(&["verify", "--ops", "1", "--html", "."]).refuses(2, text);
    assert!(contents(&place) == before);
    fs::remove_file(place.path().join("run.html")).unwrap();
    for _ in 0..2 {
        assert_eq!(place.ran(&["wave", "report", "run.jsonl"]).code, 0);
        assert_eq!(place.ran(&["verify", "--ops", "20", "--seed", "1", "--html", "night"]).code, 0);
    }
}
