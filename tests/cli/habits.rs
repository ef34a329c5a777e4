// SPDX-License-Identifier: MIT OR Apache-2.0
//! What people expect of any command: colour when they ask for it, silence, completions, a manual.

use std::fs;

use assert_cmd::Command;

use crate::{Place, Ran, example};

const STYLED: &str = "\u{1b}[";

impl Place {
    /// The command as a shell starts it: nothing is said of colours, lines are as long as they are.
    fn bare(&self, arguments: &[&str], env: Option<(&str, &str)>) -> Ran {
        let mut command = Command::cargo_bin("gpu-lsu").unwrap();
        let output =
            command.args(arguments).envs(env).current_dir(self.path()).env_remove("GPU_LSU_RTL").output().unwrap();
        let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        Ran { out, err, code: output.status.code().unwrap() }
    }
}

#[test]
fn colour_is_as_it_is_asked_for() {
    let place = Place::new().with("bad.lsu", "isa spa5\nfrob\n");
    let says = |arguments: &[&str], env: Option<&str>| {
        let arguments = [&["run", "bad.lsu"][..], arguments].concat();
        let ran = place.bare(&arguments, env.map(|value| ("GPU_LSU_COLOR", value)));
        assert_eq!(ran.code, 1, "{}", ran.err);
        ran.err.contains(STYLED)
    };
    assert!(!says(&[], None), "no terminal");
    assert!(
        says(&["--color", "always"], None) && says(&["--color=always"], Some("never")) && says(&[], Some("always"))
    );
    assert!(!says(&["--color", "never"], Some("always")));
    // Help as well, which comes before anything is read.
    assert!(place.bare(&["--color", "always", "run", "--help"], None).out.contains(STYLED));
    assert!(!place.bare(&["run", "--help"], None).out.contains(STYLED));
    assert_eq!(place.ran(&["run", "bad.lsu", "--color", "blue"]).code, 2);
}

#[test]
fn quiet_leaves_results_and_errors() {
    let place = Place::new();
    let program = example("spa5_worked.lsu");
    let loud = place.ran(&["run", &program, "--wave", "a.vcd"]);
    let quiet = place.ran(&["run", &program, "--wave", "b.vcd", "--quiet"]);
    assert_eq!((quiet.err.as_str(), quiet.code, quiet.out), ("", 0, loud.out));
    assert!(!loud.err.is_empty() && place.path().join("b.vcd").is_file());
    let refused = place.ran(&["-q", "run", "none.lsu"]);
    assert!(
        refused.err.starts_with("error: cannot read `none.lsu`") && !refused.err.contains("hint"),
        "{}",
        refused.err
    );
}

#[test]
fn seed_and_jobs_may_be_in_the_environment() {
    let place = Place::new();
    let arguments = ["verify", "--isa", "spa5", "--ops", "300", "--json"];
    let seed = |arguments: &[&str], env| {
        let ran = place.bare(arguments, Some(("GPU_LSU_SEED", env)));
        ran.out.split("\"seed\":\"").nth(1).map(|rest| rest.split('"').next().unwrap().to_owned())
    };
    assert_eq!(seed(&arguments, "0x77").as_deref(), Some("0x77"));
    assert_eq!(seed(&[&arguments[..], &["--seed", "5"]].concat(), "0x77").as_deref(), Some("0x5"));
    // An empty variable is none, and one that has no place is not in the way.
    assert!(seed(&arguments, "").is_some());
    fs::write(place.path().join("seeds.txt"), "0x9\n").unwrap();
    let ran = place.bare(&[&arguments[..], &["--seeds", "seeds.txt"]].concat(), Some(("GPU_LSU_SEED", "0x77")));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let ran = place.bare(&arguments, Some(("GPU_LSU_SEED", "x")));
    assert!(ran.code == 2 && ran.err.contains("GPU_LSU_SEED is `x`"), "{}", ran.err);
    let ran = place.bare(&arguments, Some(("GPU_LSU_JOBS", "0")));
    assert!(ran.code == 2 && ran.err.contains("no jobs do no work"), "{}", ran.err);
}

/// A line of an example stands as it is typed: on a terminal of 80 columns it is not broken. A longer command is broken
/// where a shell reads on.
#[test]
fn examples_fit_a_terminal() {
    let place = Place::new();
    fs::create_dir(place.path().join("man1")).unwrap();
    assert_eq!(place.ran(&["man", "--out", "man1"]).code, 0);
    let mut commands = 0;
    for page in fs::read_dir(place.path().join("man1")).unwrap() {
        // `gpu-lsu-wave-diff.1`: `wave diff`.
        let name = page.unwrap().file_name().into_string().unwrap();
        let name = name.trim_start_matches("gpu-lsu").trim_end_matches(".1");
        let command: Vec<&str> = name.split('-').filter(|word| !word.is_empty()).chain(["--help"]).collect();
        let help = place.bare(&command, Some(("COLUMNS", "1000"))).out;
        let examples = help.split_once("Examples:\n").unwrap().1.split("\n\n").next().unwrap();
        let mut goes_on = false;
        for line in examples.lines() {
            let indent = if goes_on { 4 } else { 2 };
            let stands = line.len() - line.trim_start().len() == indent && line.len() <= 80;
            assert!(stands && line.matches('#').count() <= 1, "{command:?}: {line}");
            goes_on = line.ends_with(" \\");
        }
        assert!(!goes_on && !examples.is_empty(), "{command:?}");
        commands += 1;
    }
    assert!(commands > 15, "{commands}");
}

#[test]
fn shells_complete_and_man_shows() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = place.bare(&["completions", shell], None);
        assert!(ran.code == 0 && ran.out.contains("verify") && ran.out.contains("gpu-lsu"), "{shell}");
    }
    let page = place.bare(&["man"], None);
    assert!(page.code == 0 && page.out.contains(".TH gpu-lsu 1") && page.out.contains("verify"), "{}", page.out);
    fs::create_dir(place.path().join("man1")).unwrap();
    assert_eq!(place.ran(&["man", "--out", "man1"]).code, 0);
    let entries = fs::read_dir(place.path().join("man1")).unwrap();
    let names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    for name in ["gpu-lsu.1", "gpu-lsu-verify.1", "gpu-lsu-wave-diff.1", "gpu-lsu-vectors-explain.1"] {
        assert!(names.iter().any(|other| other == name), "{name} of {names:?}");
    }
    let verify = fs::read_to_string(place.path().join("man1/gpu-lsu-verify.1")).unwrap();
    assert!(verify.contains("GPU_LSU_SEED") && verify.contains("Exit codes"), "{verify}");
    // Nobody looks in vain for an example, or for what a code says.
    for name in names.iter().filter(|name| name.ends_with(".1")) {
        let page = fs::read_to_string(place.path().join("man1").join(name)).unwrap();
        assert!(page.contains("Examples:") && page.contains("Exit codes: 0 "), "{name}: {page}");
    }
    let ran = place.ran(&["man", "--out", "none"]);
    assert!(ran.code == 2 && ran.err.starts_with("error: cannot write `none/gpu-lsu.1`: "), "{}", ran.err);
}

/// A number that is none is answered in the words of the option, and a negative one is no other option.
#[test]
fn numbers_are_refused_in_plain_words() {
    let place = Place::new().with("a.lsu", "").with("a.jsonl", "");
    for words in [
        "run a.lsu --wave a.vcd --from -1",
        "run a.lsu --wave a.vcd --to x",
        "run a.lsu --wave a.vcd --around -1",
        "verify --wave a.vcd --last 0",
        "judge a.jsonl --sampled=0",
        "judge a.jsonl --warps x",
        "judge a.jsonl --pending -1",
        "judge a.jsonl --shared-bytes -1",
        "wave why a.jsonl --byte -1",
        "wave why a.jsonl --shared -1",
        "wave why a.jsonl --byte 0 --cycle -1",
        "wave why a.jsonl --byte 0 --run 0",
        "wave diff a b --max 0",
        "wave report a.jsonl --run -1",
        "vectors --out v --depth 0",
        "vectors --out v --warps -1",
        "vectors explain v --vector -1",
        "explain a.lsu --lane -1",
        "farm --out f --shards -1",
        "farm --out f --shards 1 --retries -1",
        "check a.ptx --ptx -1",
    ] {
        let ran = place.ran(&words.split(' ').collect::<Vec<_>>());
        let said = ran.err.starts_with("error: invalid value ");
        let foreign = ["invalid digit", "is not in", "non-zero type"].iter().any(|text| ran.err.contains(text));
        assert!(said && !foreign && ran.code == 2, "{words}: {}", ran.err);
    }
}

#[test]
#[cfg(unix)]
fn a_variable_is_text_or_an_error() {
    use std::os::unix::ffi::OsStrExt;
    let place = Place::new();
    let ran = |arguments: &[&str], name: &str, value: &[u8]| {
        let mut command = Command::cargo_bin("gpu-lsu").unwrap();
        let command = command.args(arguments).env(name, std::ffi::OsStr::from_bytes(value)).current_dir(place.path());
        let output = command.env_remove("GPU_LSU_RTL").output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let verify = ["verify", "--ops", "20", "--isa", "spa5"];
    for (arguments, name) in [
        (&verify[..], "GPU_LSU_SEED"),
        (&verify, "GPU_LSU_JOBS"),
        (&verify, "GPU_LSU_PARAMETERS"),
        (&["prove", "--block", "cas"], "GPU_LSU_YOSYS"),
        (&["prove", "--block", "cas"], "GPU_LSU_SOLVER"),
    ] {
        let (code, err) = ran(arguments, name, b"\xff1");
        assert!(code == Some(2) && err.contains("no UTF-8 text") && err.contains(name), "{name}: {err}");
    }
    // Set to nothing is not set.
    assert_eq!(ran(&verify, "GPU_LSU_COLOR", b"").0, Some(0));
}
