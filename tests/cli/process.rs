// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a shell does to a process: readers that go away, full disks, interrupts.
#![cfg(unix)]

use std::{
    io::{BufRead, BufReader, Read},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use crate::{Place, capsules, example, hears::hears};

/// What is said of a full device.
const NO_SPACE: &str = "error: cannot write to standard output: No space left on device (os error 28)\n\nhint: no space is left \
                        there: free some, or name another place\n";

pub fn gpu_lsu(arguments: &[&str]) -> Command {
    let mut command = hears(env!("CARGO_BIN_EXE_gpu-lsu"));
    command.env_remove("GPU_LSU_RTL");
    command.args(arguments).env("NO_COLOR", "1").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

pub fn text(mut stream: impl Read) -> String {
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

/// Waits; a process that does not end is ended, and an error.
pub fn ended(mut child: Child) -> (Option<i32>, String) {
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
            panic!("it does not end");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let status = child.wait().unwrap();
    (status.code(), text(child.stderr.unwrap()))
}

fn commands() -> [Vec<String>; 4] {
    let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    let run = example("spa5_worked.lsu");
    [
        owned(&["run", &run]),
        owned(&["run", "--json", &run]),
        owned(&["verify", "--ops", "3000"]),
        owned(&["verify", "--ops", "3000", "--json"]),
    ]
}

#[test]
fn a_reader_that_goes_away_ends_it_quietly() {
    for arguments in commands() {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        // As `| head -1` does: one line, then nobody reads. Without any at all: `| true`.
        for lines in [0, 1] {
            let mut child = gpu_lsu(&arguments).spawn().unwrap();
            let mut output = BufReader::with_capacity(64, child.stdout.take().unwrap());
            let mut line = String::new();
            for _ in 0..lines {
                output.read_line(&mut line).unwrap();
            }
            drop(output);
            assert_eq!(ended(child), (Some(0), String::new()), "{arguments:?}");
            assert_eq!(lines > 0, line.ends_with('\n'), "{line:?}");
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error() {
    for arguments in commands() {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let child = gpu_lsu(&arguments).stdout(full).spawn().unwrap();
        let error = NO_SPACE;
        assert_eq!(ended(child), (Some(2), error.to_owned()), "{arguments:?}");
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.capsule");
    std::fs::write(&path, capsules::agreeing().to_text()).unwrap();
    for format in [None, Some("--json")] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let child = gpu_lsu(&["replay", path.to_str().unwrap()]).args(format).stdout(full).spawn().unwrap();
        assert_eq!(ended(child).0, Some(2));
    }
}

/// What the command line itself is asked for is data like any other.
#[test]
fn help_is_delivered_or_an_error() {
    let program = example("spa5_worked.lsu");
    for words in [
        "--help",
        "help",
        "help verify",
        "verify -h",
        "--version",
        "wave diff --help",
        "layout",
        "layout --json",
        "man",
    ] {
        let arguments: Vec<&str> = words.split(' ').collect();
        let mut child = gpu_lsu(&arguments).spawn().unwrap();
        drop(child.stdout.take());
        assert_eq!(ended(child), (Some(0), String::new()), "{words}");
        if cfg!(target_os = "linux") {
            let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
            let error = NO_SPACE;
            assert_eq!(
                ended(gpu_lsu(&arguments).stdout(full).spawn().unwrap()),
                (Some(2), error.to_owned()),
                "{words}"
            );
        }
    }
    // A usage error is one whoever reads.
    let mut child = gpu_lsu(&["run", &program, "--nothing"]).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(ended(child).0, Some(2));
}

/// A wave to a full device: the error is told, and the device is still there.
#[test]
#[cfg(target_os = "linux")]
fn a_wave_to_a_full_disk_is_an_error() {
    let child = gpu_lsu(&["run", &example("spa5_worked.lsu"), "--vcd", "/dev/full"]).spawn().unwrap();
    let error = "error: cannot write the wave `/dev/full`: No space left on device (os error 28)\n\nhint: no space is left \
                 there: free some, or name another place\n";
    assert_eq!(ended(child), (Some(2), error.to_owned()));
}

/// A judge says what it says, though nobody reads it; of the lines after those that were read as well.
#[test]
fn a_refusal_outlives_its_reader() {
    let place = Place::new();
    let good = "st.global.b32 [%rd1], %r2;\n".repeat(10_000);
    for (end, code) in [("", 0), ("st.global.b33 [%rd1], %r2;\n", 1)] {
        std::fs::write(place.path().join("all"), format!("{good}{end}")).unwrap();
        for arguments in [&["check", "all"][..], &["check", "--json", "all"]] {
            let mut child = gpu_lsu(arguments).current_dir(place.path()).spawn().unwrap();
            BufReader::with_capacity(16, child.stdout.take().unwrap()).read_line(&mut String::new()).unwrap();
            assert_eq!(ended(child), (Some(code), String::new()), "{arguments:?}");
            if cfg!(target_os = "linux") {
                let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
                let child = gpu_lsu(arguments).current_dir(place.path()).stdout(full).spawn().unwrap();
                let error = NO_SPACE;
                assert_eq!(ended(child), (Some(if code == 1 { 1 } else { 2 }), error.to_owned()), "{arguments:?}");
            }
        }
    }
}

fn signal(child: &Child, name: &str) {
    // Whoever has ended already hears nothing.
    let _ = Command::new("kill").args([name, &child.id().to_string()]).stderr(Stdio::null()).status().unwrap();
}

/// A campaign that has said its first lines, and listens.
fn campaign(arguments: &[&str]) -> Child {
    let child = gpu_lsu(&[&["verify", "--time", "10m", "--seed", "1"], arguments].concat()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(700));
    child
}

#[test]
fn a_signal_shows_the_figures_so_far() {
    for (name, code) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        let mut child = campaign(&[]);
        signal(&child, name);
        let out = text(child.stdout.take().unwrap());
        let (ended, err) = ended(child);
        let told = "interrupted: the figures are those of what ran until then\n";
        assert_eq!((ended, err.as_str()), (Some(code), told), "{name}");
        assert!(out.starts_with("seed 0x0000000000000001, 32 lanes\n"), "{out}");
        let (_, figures) = out.split_once("\ninterrupted; until then\nRTL and model agree: ").expect(&out);
        let operations: u64 = figures.split(' ').next().unwrap().parse().unwrap();
        assert!(operations > 0 && out.contains(" bins hit\n"), "{out}");
    }
    let mut child = campaign(&["--json"]);
    signal(&child, "-TERM");
    let object: serde_json::Value = serde_json::from_str(&text(child.stdout.take().unwrap())).unwrap();
    assert_eq!(ended(child).0, Some(143));
    assert_eq!((&object["agrees"], &object["verdict"]), (&false.into(), &"interrupted".into()));
    assert!(object["operations"].as_u64() > Some(0) && object["comparisons"].as_u64() > Some(0), "{object}");
}

/// Early, so that there is nothing to show, or twice: the report is there all the same.
#[test]
fn signals_at_any_time_end_it_alike() {
    for (wait, signals) in [(0, &["-INT"][..]), (0, &["-INT", "-INT"]), (2, &["-HUP"]), (50, &["-TERM", "-HUP"])] {
        let mut child = gpu_lsu(&["verify", "--time", "10m"]).spawn().unwrap();
        // It listens from its first line on.
        let mut output = BufReader::new(child.stdout.take().unwrap());
        output.read_line(&mut String::new()).unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        for name in signals {
            signal(&child, name);
        }
        let reader = std::thread::spawn(move || text(output));
        let (code, err) = ended(child);
        // Of two that are there at once, either may be the first.
        let codes = signals.iter().map(|name| match *name {
            "-INT" => 130,
            "-HUP" => 129,
            _ => 143,
        });
        assert!(codes.map(Some).any(|expected| code == expected), "{code:?}: {err}");
        let said = reader.join().unwrap();
        let nothing = err == "interrupted before anything was compared\n";
        assert!(nothing || said.contains("\nRTL and model agree: "), "{err}{said}");
        assert!(err.starts_with("interrupted"), "{err}");
    }
}

/// A command that hangs in its report, for a reader that does not read, ends by a second signal, with what it knows.
#[test]
fn a_second_signal_ends_what_hangs() {
    // All but a little of what a pipe holds is there before its report.
    let program = env!("CARGO_BIN_EXE_gpu-lsu");
    let script = format!("head -c 65000 /dev/zero; exec {program} verify --ops 300 --seed 1 --json");
    let mut child = hears("sh")
        .args(["-c", &script])
        .env_remove("GPU_LSU_RTL")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_secs(2));
    assert!(child.try_wait().unwrap().is_none(), "the report fits into a pipe");
    signal(&child, "-INT");
    std::thread::sleep(Duration::from_millis(300));
    assert!(child.try_wait().unwrap().is_none());
    signal(&child, "-INT");
    let stdout = child.stdout.take();
    let (code, err) = ended(child);
    drop(stdout);
    let told = "ended at the second signal: 300 operations agreed until then\n";
    assert_eq!((code, err.as_str()), (Some(130), told));
}

/// What was started to ignore a signal, as `nohup` does, goes on.
#[test]
fn nohup_is_respected() {
    let program = env!("CARGO_BIN_EXE_gpu-lsu");
    let script = format!("trap '' HUP; exec {program} verify --ops 30k --seed 1 --isa spa5");
    let child = Command::new("sh")
        .args(["-c", &script])
        .env_remove("GPU_LSU_RTL")
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(200));
    signal(&child, "-HUP");
    assert_eq!(ended(child), (Some(0), String::new()));
}

/// What is ended in the middle of a file leaves no part of it.
#[test]
fn a_signal_leaves_no_part_of_a_file() {
    let program = std::fs::read_to_string(example("spa5_worked.lsu")).unwrap();
    let place = Place::new().with("long.lsu", &(program + &"ST [R1+0x100], RZ\n".repeat(9000)));
    for (name, code) in [("-INT", 2), ("-TERM", 15), ("-HUP", 1)] {
        let mut child = gpu_lsu(&["run", "long.lsu", "--log", "long.jsonl", "--wave", "long.fst"]);
        let child = child.current_dir(place.path()).stdout(Stdio::null()).spawn().unwrap();
        let start = Instant::now();
        while !place.files().iter().any(|file| file.ends_with(".part")) {
            assert!(start.elapsed() < Duration::from_secs(60));
        }
        signal(&child, name);
        let status = child.wait_with_output().unwrap().status;
        assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(code));
        assert_eq!(place.files(), ["long.lsu"]);
    }
}

/// Nor does what a second signal ends: a log that nobody finishes, a folder of vectors.
#[test]
fn a_second_signal_leaves_no_part_of_a_file() {
    let place = Place::new();
    let program = env!("CARGO_BIN_EXE_gpu-lsu");
    // The pipe is full, and nobody reads it.
    let script = format!("head -c 65536 /dev/zero; exec {program} verify --time 10m --seed 1 --log long.jsonl");
    let mut child = hears("sh")
        .args(["-c", &script])
        .env_remove("GPU_LSU_RTL")
        .current_dir(place.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let start = Instant::now();
    while !place.files().iter().any(|file| file.ends_with(".part")) {
        assert!(start.elapsed() < Duration::from_secs(60));
    }
    std::thread::sleep(Duration::from_millis(300));
    signal(&child, "-INT");
    std::thread::sleep(Duration::from_millis(300));
    signal(&child, "-INT");
    let stdout = child.stdout.take();
    assert_eq!(ended(child).0, Some(130));
    drop(stdout);
    assert_eq!(place.files(), [""; 0]);
}

/// A file that may not grow is an error like any other.
#[test]
#[cfg(target_os = "linux")]
fn a_limit_of_size_is_an_error() {
    let place = Place::new();
    let program = env!("CARGO_BIN_EXE_gpu-lsu");
    let script = format!("ulimit -f 8; exec {program} run {} --log long.jsonl", example("spa5_saxpy.lsu"));
    let child = hears("sh")
        .args(["-c", &script])
        .env_remove("GPU_LSU_RTL")
        .current_dir(place.path())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (code, err) = ended(child);
    assert!(code == Some(2) && err.contains("cannot write `long.jsonl`: File too large"), "{code:?} {err}");
    assert_eq!(place.files(), [""; 0]);
}

/// A shard that has found a mismatch is named, though another one still runs when the farm is ended.
#[test]
#[cfg(feature = "planted-faults")]
fn a_farm_that_is_ended_says_what_it_has_found() {
    let place = Place::new();
    let program = env!("CARGO_BIN_EXE_gpu-lsu");
    let script = format!("#!/bin/sh\ncase \"$*\" in *2/2*) exec sleep 60;; esac\nexec {program} \"$@\" --fault 3\n");
    // Another process writes it: what this one has open, it lends to those that other tests start.
    let install = "install -m 755 /dev/stdin shard.sh";
    let mut child =
        Command::new("sh").args(["-c", install]).current_dir(place.path()).stdin(Stdio::piped()).spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), script.as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
    let farm = ["farm", "--out", "f", "--shards", "2", "--ops", "2000", "--lanes", "4", "--seed", "1", "--local", "2"];
    let mut child = gpu_lsu(&[&farm[..], &["--program", "./shard.sh"]].concat());
    let child = child.current_dir(place.path()).spawn().unwrap();
    let start = Instant::now();
    while !place.path().join("f/shard-0001.exit").exists() {
        assert!(start.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(20));
    }
    signal(&child, "-INT");
    let (code, err) = ended(child);
    assert!(
        code == Some(1) && err.contains("error: RTL and model disagree: shard 1 of 2\ninterrupted; "),
        "{code:?} {err}"
    );
}
