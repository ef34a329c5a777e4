// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a shell does to a process: readers that go away, full disks, interrupts.
#![cfg(unix)]

use std::{
    io::{BufRead, BufReader, Read},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use crate::{capsules, example};

fn gpu_lsu(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gpu-lsu"));
    command.args(arguments).env("NO_COLOR", "1").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn text(mut stream: impl Read) -> String {
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

/// Waits; a process that does not end is ended, and an error.
fn ended(mut child: Child) -> (Option<i32>, String) {
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
        let error = "error: cannot write: No space left on device (os error 28)\n";
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

/// A wave to a full device: the error is told, and the device is still there.
#[test]
#[cfg(target_os = "linux")]
fn a_wave_to_a_full_disk_is_an_error() {
    let child = gpu_lsu(&["run", &example("spa5_worked.lsu"), "--vcd", "/dev/full"]).spawn().unwrap();
    let error = "error: cannot write the wave `/dev/full`: No space left on device (os error 28)\n";
    assert_eq!(ended(child), (Some(2), error.to_owned()));
}

fn interrupt(child: &Child) {
    let status = Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status().unwrap();
    assert!(status.success());
}

#[test]
fn an_interrupt_shows_the_figures_so_far() {
    let mut child = gpu_lsu(&["verify", "--time", "10m", "--seed", "1"]).spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    output.read_line(&mut first).unwrap();
    assert_eq!(first, "seed 0x0000000000000001, 32 lanes\n");
    std::thread::sleep(Duration::from_millis(700));
    interrupt(&child);
    let rest = text(output);
    let (code, err) = ended(child);
    assert_eq!((code, err.as_str()), (Some(130), "interrupted: the figures are those of what ran until then\n"));
    let figures =
        rest.lines().find(|line| line.starts_with("RTL and model agree: ")).unwrap_or_else(|| panic!("{rest}"));
    let operations: u64 = figures.split(' ').nth(4).unwrap().parse().unwrap();
    assert!(operations > 0 && rest.contains(" bins hit\n"), "{rest}");
}

/// Early, so that there is nothing to show, or twice, so that there is no time to.
#[test]
fn interrupts_at_any_time_end_it_alike() {
    for (wait, times) in [(0, 1), (0, 2), (2, 1), (50, 2)] {
        let mut child = gpu_lsu(&["verify", "--time", "10m"]).spawn().unwrap();
        // It listens from its first line on.
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut String::new()).unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        for _ in 0..times {
            // The first may have been enough already; nobody is left then.
            let kill = format!("kill -INT {}", child.id());
            let _ = Command::new("sh").args(["-c", &kill]).stderr(Stdio::null()).status().unwrap();
        }
        let output = child.stdout.take().unwrap();
        let reader = std::thread::spawn(move || text(output));
        let (code, err) = ended(child);
        assert_eq!(code, Some(130), "{err}");
        let said = reader.join().unwrap();
        assert!(times == 2 || err.starts_with("interrupted"), "{err}{said}");
    }
}
