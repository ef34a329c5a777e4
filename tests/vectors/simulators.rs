// SPDX-License-Identifier: MIT OR Apache-2.0
//! The bench in simulators: Verilator with the RTL, Icarus Verilog with the netlist. It passes; with a planted fault it says
//! where, and the judge, who gets its wave, which clause.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    made,
    netlist::{finish, netlist},
    ran, root, rtl,
};

/// Numbers of tests/harness/faults.txt: two of an address, one of which bytes, of an attribute, of a value that is written,
/// and of one that is read.
const FAULTS: [&str; 6] = ["4", "14", "65", "28", "111", "23"];
const OPERATIONS: &str = "160";
/// Of a size for a board, as scripts/synth makes the netlist. A wave of its ports does not show the last three.
const LANES: [&str; 4] = ["--lanes", "4", "--line-bytes", "32"];
const HIDDEN: [&str; 6] = ["--warps", "2", "--pending", "8", "--shared-bytes", "1024"];

fn vectors(name: &str) -> PathBuf {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("vectors");
    let dir = place.join(name);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&place).unwrap();
    let arguments = ["vectors", "--ops", OPERATIONS, "--seed", "3", "--bench", "--out", name];
    made(&place, &[&arguments[..], &LANES, &HIDDEN].concat());
    dir
}

/// A copy of rtl/ with the faults, each of which bites where the simulation has `+faultN`; and their clauses.
fn planted(to: &Path) -> Vec<String> {
    let _ = fs::remove_dir_all(to);
    rtl::copy(to);
    FAULTS.iter().map(|number| rtl::plant(to, number, &format!("($test$plusargs(\"fault{number}\") != 0)"))).collect()
}

/// The last but one line that a simulation prints for people, and the last.
fn verdict(said: &str) -> Vec<&str> {
    said.lines().filter(|line| line.starts_with("gpu-lsu: ")).collect()
}

#[test]
fn verilator_plays_the_rtl() {
    let dir = vectors("rtl");
    let clauses = planted(&dir.join("planted"));
    finish(
        Command::new("verilator")
            .args(["--binary", "--timing", "-Wno-fatal", "--trace", "--trace-depth", "2", "-CFLAGS", "-O0", "-j", "2"])
            .args(["--top-module", "lsu_vectors_tb", "--Mdir", "obj", "-o", "play"])
            .args(["-F", "planted/lsu.f", "bench.v"])
            .current_dir(&dir),
    );
    let play = |options: &[String]| finish(Command::new(dir.join("obj/play")).args(options).current_dir(&dir));
    for options in [vec![], vec!["+stall".to_owned()]] {
        let said = play(&options);
        assert!(verdict(&said)[0].starts_with("gpu-lsu: PASS: "), "{said}");
    }
    for (number, clause) in FAULTS.iter().zip(clauses) {
        let wave = format!("{number}.vcd");
        let said = play(&[format!("+fault{number}"), format!("+wave={wave}")]);
        let lines = verdict(&said);
        assert!(lines.len() == 2 && lines[1].starts_with("gpu-lsu: FAIL"), "{number}: {said}");
        let words: Vec<&str> = lines[0].split(' ').collect();
        let [_, "vector", vector, "lane", lane, "field", _, "expected", expected, "found", found, "clause", _] =
            words[..]
        else {
            panic!("{number}: {said}");
        };
        assert!(expected != found && lane.parse::<i32>().is_ok_and(|lane| (-1..4).contains(&lane)), "{said}");
        made(&dir, &["vectors", "explain", ".", "--vector", vector]);
        let judged = ran(&dir, &[&["judge", &wave][..], &HIDDEN].concat());
        assert_eq!(judged.code, 1, "{number}: {}", judged.out);
        let said = judged.err.lines().last().unwrap_or_default();
        assert!(said.contains(&format!("disagree: {clause},")), "{number} {clause}: {said}");
    }
}

#[test]
fn icarus_plays_the_netlist() {
    let dir = vectors("netlist");
    finish(
        Command::new("iverilog")
            .args(["-g2005", "-Wall", "-DNETLIST", "-s", "lsu_vectors_tb", "-o", "play", "bench.v"])
            .arg(netlist())
            .current_dir(&dir),
    );
    for options in [&[][..], &["+stall"]] {
        let said = finish(Command::new("vvp").args(["-n", "play"]).args(options).current_dir(&dir));
        assert!(verdict(&said)[0].starts_with("gpu-lsu: PASS: "), "{said}");
    }
}

/// docs/vectors.md, from its command to its verdict.
#[test]
fn the_page_passes_as_it_says() {
    let page = fs::read_to_string(root().join("docs/vectors.md")).unwrap();
    let command = page.split("    gpu-lsu vectors ").nth(1).unwrap().split("\n\n").next().unwrap().replace('\\', "");
    let place = tempfile::tempdir().unwrap();
    made(place.path(), &["vectors"].into_iter().chain(command.split_whitespace()).collect::<Vec<_>>());
    let dir = place.path().join("vectors");
    let mut command = Command::new("iverilog");
    command.args(["-g2005", "-DNETLIST", "-s", "lsu_vectors_tb", "-o", "play", "bench.v"]).arg(netlist());
    finish(command.current_dir(&dir));
    let said = finish(Command::new("vvp").args(["-n", "play"]).current_dir(&dir));
    let verdict = verdict(&said)[0];
    assert!(verdict.starts_with("gpu-lsu: PASS: ") && page.contains(&format!("`{verdict}`")), "{said}");
}

/// A netlist of other widths is no wrong unit: the bench says so before it compares anything.
#[test]
fn a_netlist_of_other_widths_is_not_played() {
    let place = tempfile::tempdir().unwrap();
    let arguments = ["vectors", "--isa", "r700", "--ops", "8", "--seed", "1", "--bench", "--out", "v"];
    made(place.path(), &[&arguments[..], &LANES].concat());
    let bench = fs::read_to_string(place.path().join("v/bench.v")).unwrap();
    // A unit that does nothing, with the ports that the bench has for it.
    let (inputs, outputs) = ([("op_active_i", "LANES")], [("mem_req_be_o", "LINE_BYTES")]);
    let connected = bench.split(") dut (").nth(1).unwrap().split(");").next().unwrap();
    let names = connected.split('.').skip(1).map(|port| port.split('(').next().unwrap());
    let port = |name: &str| {
        let known = inputs.iter().chain(&outputs).find(|(known, _)| *known == name);
        let width = known.map_or(String::new(), |(_, width)| format!(" [{width}-1:0]"));
        format!("{}{width} {name}", if name.ends_with("_o") { "output" } else { "input" })
    };
    let ports: Vec<String> = names.map(port).collect();
    for (lanes, line_bytes, played) in [(4, 32, true), (8, 32, false), (4, 128, false), (4, 16, false)] {
        let unit = format!("module lsu({});\nendmodule\n", ports.join(", "))
            .replace("LANES", &lanes.to_string())
            .replace("LINE_BYTES", &line_bytes.to_string());
        fs::write(place.path().join("v/lsu.v"), unit).unwrap();
        let mut command = Command::new("iverilog");
        command.args(["-g2005", "-DNETLIST", "-s", "lsu_vectors_tb", "-o", "play", "bench.v", "lsu.v"]);
        finish(command.current_dir(place.path().join("v")));
        let said = finish(Command::new("vvp").args(["-n", "play"]).current_dir(place.path().join("v")));
        let refused = "gpu-lsu: NOT PLAYED: the vectors are for LANES=4 LINE_BYTES=32, and the unit has other widths";
        let expected = if played { "gpu-lsu: FAIL at cycle " } else { refused };
        let last = verdict(&said).last().copied().unwrap_or_default();
        assert!(last.starts_with(expected) && (played || verdict(&said).len() == 1), "{lanes} {line_bytes}: {said}");
    }
}
