// SPDX-License-Identifier: MIT OR Apache-2.0
//! `wave report` as its readers meet it: pages of runs that fail and that agree, opened in Chromium and in Firefox.
#![cfg(all(feature = "planted-faults", feature = "all-lanes"))]

mod long;
mod refused;

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use assert_cmd::Command as Program;
use serde_json::Value;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// What a command leaves.
struct Ran {
    out: String,
    err: String,
    code: i32,
}

/// A folder to run in.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        Place(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn ran(&self, arguments: &[&str]) -> Ran {
        let mut command = Program::cargo_bin("gpu-lsu").unwrap();
        let output = command.args(arguments).current_dir(self.0.path()).env_remove("GPU_LSU_RTL").output().unwrap();
        let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        assert!(!err.contains("panicked"), "{arguments:?}: {err}");
        Ran { out, err, code: output.status.code().unwrap() }
    }

    /// A capsule of a fault that is planted in the unit's sign extension.
    fn fault(&self) -> &Self {
        let verify = ["verify", "--fault", "22", "--lanes", "4", "--isa", "spa5", "--ops", "20000", "--seed", "1"];
        assert_eq!(self.ran(&verify).code, 1);
        let ran = self.ran(&["wave", "report", "gpu-lsu.capsule", "--fault", "22"]);
        assert!(ran.err.contains("error: RTL and model disagree: SPA5-EXT"), "{}", ran.err);
        assert!(ran.err.ends_with("page written to gpu-lsu.html\n"), "{}", ran.err);
        assert_eq!((ran.out.as_str(), ran.code), ("", 1));
        self
    }

    /// The page of a program of the examples.
    fn example(&self, name: &str) -> &Self {
        let program = format!("{ROOT}/examples/{name}.lsu");
        let log = format!("{name}.jsonl");
        let ran = self.ran(&["run", &program, "--log", &log]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let ran = self.ran(&["wave", "report", &log]);
        assert_eq!((ran.err, ran.code), (format!("page written to {name}.html\n"), 0));
        self
    }

    /// What stands in a page for its script.
    fn data(&self, page: &str) -> Value {
        data(&fs::read_to_string(self.path(page)).unwrap())
    }

    /// Uses a page in Chromium.
    #[track_caller]
    fn read(&self, what: &str, page: &str) -> String {
        let shots = Path::new(ROOT).join("target/page/shots");
        fs::create_dir_all(&shots).unwrap();
        driven("chromium.py", &[what.as_ref(), &self.path(page), &shots])
    }
}

fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

/// Runs a script of this folder, with the tools that `scripts/setup test` installs.
#[track_caller]
fn driven(script: &str, arguments: &[&Path]) -> String {
    let python = Path::new(ROOT).join("target/page/tools/bin/python");
    assert!(python.is_file(), "no {}: run `scripts/setup test`", python.display());
    let script = Path::new(ROOT).join("tests/page").join(script);
    let output = Command::new(python).arg("-B").arg(script).args(arguments).output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(output.status.success(), "{arguments:?}\n{out}\n{err}");
    print!("{out}");
    out
}

#[test]
fn a_failure_is_found_and_explained() {
    let place = Place::new();
    place.fault().read("fault", "gpu-lsu.html");
    let data = place.data("gpu-lsu.html");
    let story: Vec<_> = data["story"].as_array().unwrap().iter().map(|one| one["text"].as_str().unwrap()).collect();
    insta::assert_snapshot!(story.join("\n"));
    driven("firefox.py", &[&place.path("gpu-lsu.html")]);
}

/// The wave of the same run, from which the page has the ports alone.
#[test]
fn a_wave_is_a_run() {
    let place = Place::new();
    place.fault();
    assert_eq!(place.ran(&["replay", "gpu-lsu.capsule", "--fault", "22", "--vcd", "wave.vcd"]).code, 1);
    let ran = place.ran(&["wave", "report", "wave.vcd", "--idle"]);
    assert!(ran.err.ends_with("page written to wave.html\n"), "{}", ran.err);
    assert_eq!(ran.code, 1);
    let [capsule, wave] = ["gpu-lsu.html", "wave.html"].map(|page| place.data(page));
    for field in ["clause", "op", "lane", "group", "row", "expected", "actual"] {
        assert_eq!(wave["mismatch"][field], capsule["mismatch"][field], "{field}");
    }
}

#[test]
fn a_run_that_agrees() {
    let place = Place::new();
    place.example("spa5_saxpy").read("agree", "spa5_saxpy.html");
    driven("firefox.py", &[&place.path("spa5_saxpy.html")]);
}

#[test]
fn a_burst_shows_what_is_clamped() {
    let place = Place::new();
    place.example("r700_clamp").read("burst", "r700_clamp.html");
}

/// A page is a function of its run: no time, no place, nothing that happens to be so.
#[test]
fn a_page_is_the_same_twice() {
    let place = Place::new();
    place.fault();
    let again = place.ran(&["wave", "report", "gpu-lsu.capsule", "--fault", "22", "-o", "-"]);
    assert_eq!((again.out, again.code), (fs::read_to_string(place.path("gpu-lsu.html")).unwrap(), 1));
    // Nothing in it names a network or another file.
    let page = fs::read_to_string(place.path("gpu-lsu.html")).unwrap();
    for word in ["http:", "https:", "//cdn", "src=", "@import", "url(", "innerHTML", "eval("] {
        assert!(!page.contains(word), "{word}");
    }
}

/// Every channel's transfers, as many as the log has; and the model has the same beside all of them.
#[test]
fn a_page_has_what_the_log_has() {
    let place = Place::new();
    for name in ["spa5_shared", "r700_stages", "ptx_forms", "sm5_forms"] {
        place.example(name);
        let data = place.data(&format!("{name}.html"));
        let log = fs::read_to_string(place.path(&format!("{name}.jsonl"))).unwrap();
        for group in data["groups"].as_array().unwrap() {
            let channel = group["name"].as_str().unwrap().trim_start_matches("mem_");
            // What is not taken has `"taken":false` before it.
            let event = format!("\"{channel}\":");
            let taken = |line: &&str| line.split_once(',').is_some_and(|(_, rest)| rest.starts_with(&event));
            let expected = log.lines().skip(1).filter(taken).count();
            let found = expanded(group["taken"].as_str().unwrap()).iter().filter(|taken| *taken == "1").count();
            assert_eq!(found, expected, "{name}: {channel}");
            for row in group["rows"].as_array().unwrap() {
                let Some(model) = row["model"].as_str() else { continue };
                assert!(expanded(model).iter().all(|value| value == "="), "{name}: {channel} {}: {model}", row["name"]);
            }
        }
    }
}

/// The tokens of a column.
fn expanded(column: &str) -> Vec<String> {
    let tokens = column.split(' ').filter(|token| !token.is_empty());
    tokens
        .flat_map(|token| match token.split_once('*') {
            Some((value, times)) => vec![value.to_owned(); times.parse().unwrap()],
            None => vec![token.to_owned()],
        })
        .collect()
}
