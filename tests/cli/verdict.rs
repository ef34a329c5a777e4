// SPDX-License-Identifier: MIT OR Apache-2.0
//! Nothing hides a verdict: pipes that close, disks that are full, files that cannot be written, signals, earlier failures.
//! The unit is the copy with planted faults.
#![cfg(unix)]

use std::{
    fs::{self, OpenOptions},
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
};

use gpu_lsu::{
    cosim::{
        Bench,
        campaign::{Budget, Campaign},
        capsule::Capsule,
        shrink::shrink,
    },
    sets::Isa,
};
use serde_json::Value;

use crate::{
    Place,
    process::{ended, gpu_lsu, text},
};

/// Of tests/harness/faults.txt: an absolute address is sign-extended.
const FAULT: [&str; 4] = ["--fault", "1", "--lanes", "4"];
const SAID: &str = "error: RTL and model disagree: SPA5-EA-ABS, operation ";
/// The second load is right: without it the fault might be that of another rule as well.
const PROGRAM: &str = "isa spa5\nlanes 4\nalloc 0x1000 0x100\nLD R1, [0xfffffaa0]\nLD R2, [0x1000]\n";

/// A program and a capsule that show the fault.
fn place() -> Place {
    let place = Place::new().with("abs.lsu", PROGRAM);
    let ran = place.ran(&["verify", "--isa", "spa5", "--seed", "1", "--fault", "1", "--lanes", "4"]);
    assert_eq!((ran.code, place.files().len()), (1, 5), "{}", ran.err);
    place
}

/// Every command that drives the unit, in words and in JSON.
fn commands() -> Vec<Vec<&'static str>> {
    let verify = ["verify", "--isa", "spa5", "--seed", "1", "--capsule", "new.capsule"];
    let plain = [[&verify[..], &FAULT].concat(), [&["run", "abs.lsu"][..], &FAULT].concat()];
    let replay = vec!["replay", "gpu-lsu.capsule", "--fault", "1"];
    let plain = plain.into_iter().chain([replay]);
    plain.flat_map(|words| [words.clone(), [&words[..], &["--json"]].concat()]).collect()
}

fn start(place: &Place, arguments: &[&str], stdout: impl Into<Stdio>) -> Child {
    gpu_lsu(arguments).current_dir(place.path()).stdout(stdout).spawn().unwrap()
}

#[test]
fn a_reader_that_goes_away_hides_no_mismatch() {
    let place = place();
    for arguments in commands() {
        for lines in [0, 1] {
            let mut child = start(&place, &arguments, Stdio::piped());
            let mut output = BufReader::with_capacity(64, child.stdout.take().unwrap());
            for _ in 0..lines {
                output.read_line(&mut String::new()).unwrap();
            }
            drop(output);
            let (code, err) = ended(child);
            assert!(code == Some(1) && err.starts_with(SAID), "{arguments:?}: {code:?} {err}");
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_hides_no_mismatch() {
    let place = place();
    for arguments in commands() {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let (code, err) = ended(start(&place, &arguments, full));
        assert!(code == Some(1) && err.starts_with(SAID), "{arguments:?}: {code:?} {err}");
        assert!(
            err.contains("\nerror: cannot write to standard output: No space left on device (os error 28)\n"),
            "{arguments:?}: {err}"
        );
    }
}

/// A capsule or wave without a place is an error more, after the verdict.
#[test]
#[cfg(target_os = "linux")]
fn a_file_that_cannot_be_written_hides_no_mismatch() {
    let place = place();
    let verify = [&["verify", "--isa", "spa5", "--seed", "1", "--capsule", "/dev/full"][..], &FAULT].concat();
    let no_space = "No space left on device (os error 28)";
    let ran = place.ran(&verify);
    assert!(ran.err.starts_with(SAID) && ran.code == 1, "{}", ran.err);
    assert!(ran.err.contains(&format!("\nerror: cannot write `/dev/full`: {no_space}\n")), "{}", ran.err);
    assert!(ran.out.contains("\nRTL and model disagree: SPA5-EA-ABS\n  rule "), "{}", ran.out);
    let ran = place.ran(&[&verify[..], &["--json"]].concat());
    let object: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(
        (&object["verdict"], &object["capsule"], &object["wave"]),
        (&"mismatch".into(), &Value::Null, &Value::Null)
    );
    assert_eq!((&object["capsule_error"], ran.code), (&no_space.into(), 1));

    for arguments in [&["run", "abs.lsu"][..], &["replay", "gpu-lsu.capsule"]] {
        let arguments = [arguments, &["--fault", "1", "--vcd", "/dev/full"]].concat();
        let ran = place.ran(&arguments);
        assert!(ran.err.starts_with(SAID) && ran.code == 1, "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains(&format!("\nerror: cannot write the wave `/dev/full`: {no_space}\n")), "{}", ran.err);
        assert!(ran.err.ends_with("\nhint: no space is left there: free some, or name another place\n"), "{}", ran.err);
        assert!(ran.out.contains("RTL and model disagree: SPA5-EA-ABS\n"), "{}", ran.out);
    }

    // No room for the wave: the capsule is there, and what is missing is said.
    let verify = ["verify", "--isa", "spa5", "--seed", "1", "--json", "--capsule", "x", "--wave", "/dev/full"];
    let ran = place.ran(&[&verify[..], &FAULT].concat());
    let object: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&object["capsule"], &object["wave"], ran.code), (&"x".into(), &Value::Null, 1));
    let why = format!("cannot write the wave `/dev/full`: {no_space}");
    assert_eq!(object["wave_error"], why.as_str());
    assert!(ran.err.contains(&format!("error: {why}\n")), "{}", ran.err);
}

/// A folder in which nothing can be written is no reason to hide what was found, as nobody named a file there.
#[test]
#[cfg(target_os = "linux")]
fn a_capsule_without_a_place_hides_no_mismatch() {
    let place = Place::new();
    for more in [&[][..], &["--json"]] {
        let verify = [&["verify", "--isa", "spa5", "--seed", "1"][..], &FAULT, more].concat();
        // A folder that is gone takes nothing, from nobody.
        let script =
            format!("mkdir gone && cd gone && rmdir ../gone && exec '{}' \"$@\"", env!("CARGO_BIN_EXE_gpu-lsu"));
        let mut command = Command::new("sh");
        command.args(["-c", &script, "sh"]).args(&verify).current_dir(place.path()).env_remove("GPU_LSU_RTL");
        let output = command.env("NO_COLOR", "1").output().unwrap();
        let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        assert_eq!(output.status.code(), Some(1), "{err}");
        assert!(err.starts_with(SAID), "{err}");
        let warning = "\nwarning: no capsule was written: cannot write `gpu-lsu.capsule`: ";
        assert!(err.contains(warning) && err.contains("\nhint: `--capsule FILE` names a place"), "{err}");
        assert!(out.contains("RTL and model disagree: SPA5-EA-ABS\n") || out.contains("\"capsule_error\":"), "{out}");
    }
    assert!(place.files().is_empty());
    // A place that somebody named is looked at first.
    let ran = place.ran(&["verify", "--ops", "300", "--capsule", "none/a.capsule"]);
    assert!(ran.code == 2 && ran.err.starts_with("error: cannot write `none/a.capsule`: "), "{}", ran.err);
}

#[test]
fn a_later_failure_leaves_an_earlier_ones_files() {
    for (option, name, end) in [
        (&[][..], "gpu-lsu", ".capsule"),
        (&["--capsule", "mine.txt"], "mine", ".txt"),
        (&["--capsule", "mine"], "mine", ""),
    ] {
        let arguments = [&["verify", "--isa", "spa5", "--seed", "1"][..], &FAULT, option].concat();
        let place = Place::new();
        let mut before: Vec<(String, Vec<u8>)> = Vec::new();
        for _ in 0..3 {
            assert_eq!(place.ran(&arguments).code, 1);
            for (name, content) in &before {
                assert_eq!(&fs::read(place.path().join(name)).unwrap(), content, "{name}");
            }
            let read = |name: String| (name.clone(), fs::read(place.path().join(name)).unwrap());
            before = place.files().into_iter().map(read).collect();
        }
        let all = |number: &str| [end, ".gtkw", ".sucl", ".vcd"].map(|end| format!("{name}{number}{end}"));
        let mut expected = ["", ".2", ".3"].map(all).concat();
        expected.sort();
        assert_eq!(place.files(), expected);
    }
    // A wave without a capsule is somebody's too.
    let place = Place::new().with("gpu-lsu.vcd", "mine").with("gpu-lsu.2.capsule", "mine");
    let ran = place.ran(&[&["verify", "--isa", "spa5", "--seed", "1"][..], &FAULT].concat());
    assert!(ran.err.contains(": `gpu-lsu.3.capsule`, wave `gpu-lsu.3.vcd`\n"), "{}", ran.err);
    assert_eq!(
        place.files(),
        ["gpu-lsu.2.capsule", "gpu-lsu.3.capsule", "gpu-lsu.3.gtkw", "gpu-lsu.3.sucl", "gpu-lsu.3.vcd", "gpu-lsu.vcd"]
    );
}

/// The figures of a failure are those of the blocks before it, whoever did which.
#[test]
fn a_failure_has_figures_and_files() {
    // A fault that the first blocks do not show.
    let arguments = ["verify", "--isa", "spa5", "--seed", "1", "--fault", "13", "--lanes", "4", "--json", "--jobs"];
    let mut first = Value::Null;
    for jobs in ["1", "2", "5"] {
        let place = Place::new();
        let ran = place.ran(&[&arguments[..], &[jobs]].concat());
        let mut object: Value = serde_json::from_str(&ran.out).unwrap();
        assert!(object["seconds"].take().as_f64() > Some(0.0));
        assert_eq!((&object["agrees"], &object["verdict"], ran.code), (&false.into(), &"mismatch".into(), 1));
        assert_eq!(object["mismatch"]["clause"], "SPA5-OOB");
        assert_eq!(object["rtl"]["parameters"]["planted_fault"], 13);
        let operations = object["operations"].as_u64().unwrap();
        assert!(
            operations > 0 && operations.is_multiple_of(256) && object["block"].as_u64() >= Some(operations / 256),
            "{object}"
        );
        for figure in ["cycles", "requests", "comparisons"] {
            assert!(object[figure].as_u64() > Some(0), "{figure}");
        }
        let hits: u64 = object["coverage"].as_array().unwrap().iter().map(|row| row["hits"].as_u64().unwrap()).sum();
        assert!(hits > operations, "{hits}");
        assert_eq!((&object["capsule"], &object["wave"]), (&"gpu-lsu.capsule".into(), &"gpu-lsu.vcd".into()));
        assert_eq!(place.files(), ["gpu-lsu.capsule", "gpu-lsu.gtkw", "gpu-lsu.sucl", "gpu-lsu.vcd"]);
        let capsule = Capsule::from_text(&fs::read_to_string(place.path().join("gpu-lsu.capsule")).unwrap()).unwrap();
        assert_eq!(capsule.rtl, Some(gpu_lsu::rtl::built()));
        if jobs == "1" {
            first = object;
        } else {
            assert_eq!(object, first, "{jobs} jobs");
        }
    }
}

/// Signals while it is found, said, made small: the verdict is 1, and its line is there.
#[test]
fn signals_do_not_hide_a_mismatch() {
    let place = Place::new();
    for wait in [0, 5, 20, 40, 80, 160] {
        // A fault that takes a while to make small.
        let arguments = ["verify", "--seed", "1", "--fault", "34", "--lanes", "4", "--isa", "spa5", "--jobs", "1"];
        let child = start(&place, &arguments, Stdio::null());
        std::thread::sleep(std::time::Duration::from_millis(200 + wait));
        for signal in ["-INT", "-TERM"] {
            // It may have ended by then.
            let _ =
                Command::new("kill").args([signal, &child.id().to_string()]).stderr(Stdio::null()).status().unwrap();
        }
        let (code, err) = ended(child);
        let found = err.starts_with("error: RTL and model disagree: ");
        assert!(code == Some(if found { 1 } else { 130 }), "{wait}: {code:?} {err}");
        assert!(!found || err.contains("\n\nhint: replay it with `gpu-lsu replay "), "{wait}: {err}");
    }
}

/// Once it is told to stop, a shrink gives what it has.
#[test]
fn a_shrink_can_be_stopped() {
    let budget = Budget::Operations(1000);
    let jobs = std::num::NonZero::<usize>::MIN;
    let campaign = Campaign {
        isa: Some(Isa::Spa5),
        seed: 1,
        shape: gpu_lsu::op::Shape::with_lanes(4),
        budget,
        jobs,
        promises: gpu_lsu::judge::Promises::OURS,
    };
    let make = || Bench::planted(1);
    let failure = campaign.search(&make, &|_| {}, &false.into(), None).unwrap().failure.unwrap();
    let stopped = shrink(&mut make().unwrap(), failure.case.clone(), failure.mismatch.clone(), &true.into());
    assert_eq!(stopped, (failure.case.clone(), failure.mismatch.clone()));
    let (case, mismatch) = shrink(&mut make().unwrap(), failure.case, failure.mismatch.clone(), &false.into());
    // One operation that is right tells which rule the other one breaks.
    assert_eq!((case.issues.len(), mismatch.clause, &mismatch.or[..]), (2, failure.mismatch.clause, &[][..]));
}

#[test]
fn the_copy_with_faults_has_four_lanes() {
    let text = "error: the copy with planted faults has 4 lanes: `--lanes 4`\n";
    Place::new().ran(&["verify", "--fault", "1", "--lanes", "32"]).refuses(2, text);
    let ran = Place::new().ran(&["verify", "--fault", "0", "--ops", "100", "--seed", "1"]);
    assert!(ran.code == 0 && ran.out.starts_with("seed 0x0000000000000001, 4 lanes\n"), "{}{}", ran.out, ran.err);
    assert!(text_of_help().contains("--fault <N>"));
    let ran = Place::new().ran(&["verify", "--fault", "9999", "--lanes", "4"]);
    assert!(ran.code == 2 && ran.err.contains("no planted fault has this number"), "{}", ran.err);
}

fn text_of_help() -> String {
    let mut child = gpu_lsu(&["verify", "--help"]).spawn().unwrap();
    let help = text(child.stdout.take().unwrap());
    assert_eq!(ended(child), (Some(0), String::new()));
    help
}
