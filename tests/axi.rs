// SPDX-License-Identifier: MIT OR Apache-2.0
//! AXI4 at the memory port: rtl/lsu_axi.sv on cocotbext-axi's channels, and proved.
//!
//! tests/axi/play.py plays the unit with it, judged by the bench's second memory, by the assertions of the RTL, and here
//! by the judge from the log of the unit's own ports. Planted faults are found by each of them.
#![cfg(feature = "all-lanes")]

#[path = "support/rtl.rs"]
mod sources;

use std::{
    fs,
    io::BufReader,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use gpu_lsu::judge::{Figures, Judge, Unjudged, log::lines::Reader};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A place of its own for a run.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("axi").join(name);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Plays the unit with an lsu_axi of these widths, maybe a planted fault of it. The bench's word, and the log.
fn play(
    rtl: &Path,
    work: &Path,
    line_bytes: u32,
    data_bytes: u32,
    operations: u32,
    fault: Option<u32>,
) -> (Output, PathBuf) {
    let root = Path::new(ROOT);
    let python = root.join("target/cocotb/tools/bin/python");
    assert!(python.is_file(), "no cocotb: run `scripts/setup test`");
    let log = work.join("run.jsonl");
    let _ = fs::remove_file(&log);
    let output = Command::new(python)
        .arg(root.join("tests/axi/play.py"))
        .arg(&log)
        .args([Path::new("--rtl"), rtl, Path::new("--work"), work])
        .args(["--line-bytes", &line_bytes.to_string(), "--data-bytes", &data_bytes.to_string()])
        .args(["--ops", &operations.to_string(), "--seed", "2", "--flags=-O0"])
        .args(["--gpu-lsu", env!("CARGO_BIN_EXE_gpu-lsu")])
        .args(fault.map(|fault| format!("--fault={fault}")))
        .output()
        .unwrap();
    (output, log)
}

/// What the judge says of a log.
fn judged(log: &Path) -> Result<Figures, String> {
    let log = BufReader::new(fs::File::open(log).unwrap());
    let record = Reader::new(log).unwrap().next().unwrap().unwrap_or_else(|error| panic!("{error}"));
    record.judge(&mut Judge::new(&record.header.unit), record.header.contract).map_err(|mismatch| mismatch.to_string())
}

/// A run in which the bench, the assertions and the judge find nothing.
fn agrees(line_bytes: u32, data_bytes: u32, operations: u32) {
    let work = folder(&format!("line{line_bytes}-data{data_bytes}"));
    let (output, log) = play(&Path::new(ROOT).join("rtl"), &work, line_bytes, data_bytes, operations, None);
    assert!(output.status.success(), "{}", said(&output));
    let figures = judged(&log).unwrap_or_else(|mismatch| panic!("{mismatch}"));
    assert!(figures.operations > u64::from(operations) && figures.requests > u64::from(operations), "{figures:?}");
    // The bench resets it once, with operations in flight.
    let unjudged = Unjudged { lost: figures.unjudged.lost, ..Unjudged::default() };
    assert!(figures.unjudged == unjudged && unjudged.lost > 0, "{figures:?}");
}

#[test]
fn a_bus_as_wide_as_a_line() {
    agrees(32, 32, 1500);
}

#[test]
fn a_line_of_128_bytes_in_four_beats() {
    agrees(128, 32, 600);
}

/// A copy of rtl/ in which each text, which stands once, is another.
fn changed(to: &Path, changes: &[(&str, &str, &str)]) -> PathBuf {
    let rtl = to.join("rtl");
    let _ = fs::remove_dir_all(&rtl);
    sources::copy(&rtl);
    for (file, from, put) in changes {
        sources::change(&rtl, file, from, put);
    }
    rtl
}

/// Faults that the bench finds without the RTL's assertions, all in one build: `+fault=N` is asked for at the start.
#[test]
fn the_bench_finds_planted_faults() {
    let work = folder("planted");
    let asks = "int fault;\n  initial if ($value$plusargs(\"fault=%d\", fault) == 0) fault = 0;\n  assign ax.id = \
                IdBits'(mem_req_id_i) ^ IdBits'(fault == 2);";
    let changes = [
        ("assign ax.id = IdBits'(mem_req_id_i);", asks),
        (
            "{beat_data, beat_strb, beat_last}),",
            "{beat_data, fault == 1 ? {beat_strb[DATA_BYTES-2:0], beat_strb[DATA_BYTES-1]} : beat_strb, beat_last}),",
        ),
        ("error: m_axi_bresp_i[1],", "error: m_axi_bresp_i[1] && fault != 3,"),
        ("&& m_axi_bresp_i == RespOkay};", "&& (m_axi_bresp_i == RespOkay) != (fault == 4)};"),
        (
            ".valid_i(w_push), .ready_o(w_room)",
            ".valid_i(w_push && !(fault == 5 && !beat_first && beat_last)), .ready_o(w_room)",
        ),
        ("error: r_error,", "error: fault == 6 ? m_axi_rresp_i[1] : r_error,"),
        // `uncached` is the last of the attributes.
        (".attr_i(mem_req_attr_i)", ".attr_i(attr_t'(mem_req_attr_i & ~$bits(attr_t)'(fault == 7)))"),
    ];
    let rtl = changed(&work, &changes.map(|(from, put)| ("lsu_axi.sv", from, put)));
    for (fault, why) in [
        (0, &[""][..]),
        (1, &["a line became another", "a strobe outside of the burst"]),
        // What stands under the other id by then, if anything does.
        (2, &["is not in flight", " became ", "a burst that is not the line"]),
        (3, &["error of {"]),
        (4, &["exclusive_failed of {"]),
        (5, &["WLAST in another beat"]),
        (6, &["error of {"]),
        // AxCACHE of something cached: 0b1010 to 0b1111.
        (7, &["attributes (1"]),
    ] {
        let (output, _) = play(&rtl, &work, 32, 8, 600, Some(fault));
        let said = said(&output);
        assert_eq!(output.status.success(), fault == 0, "fault {fault}: {said}");
        assert!(why.iter().any(|why| said.contains(why)), "fault {fault}: {said}");
    }
}

/// What scripts/prove_axi says, and its exit code.
fn proved(rtl: &Path, parameters: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(Path::new(ROOT).join("scripts/prove_axi"));
    let output = command.arg("--rtl").arg(rtl).args(parameters).output().unwrap();
    (output.status.code(), said(&output))
}

#[test]
fn the_assertions_are_proved() {
    // The rate is asserted of a bus as wide as a line alone.
    for (parameters, count) in [("PENDING=3", 27), ("DATA_BYTES=16", 26)] {
        let (code, said) = proved(&Path::new(ROOT).join("rtl"), &[parameters]);
        assert_eq!(code, Some(0), "{said}");
        assert!(said.starts_with(&format!("proved: {count} assertions")), "{said}");
    }
}

/// A wrong lsu_axi breaks the assertion that speaks of it.
#[test]
fn a_fault_is_no_proof() {
    let two_beats = [
        ("lsu_axi.sv", "pick_b ^ mem_rsp_ready_i", "1'b1", "RspHeld"),
        ("lsu_axi.sv", "&& m_axi_bresp_i == RespOkay}", "&& m_axi_bresp_i != RespOkay}", "RspTrue"),
        ("lsu_axi.sv", "beat_last = count_q == BeatBits'(ax.len)", "beat_last = count_q == '0", "AwWithW"),
        ("lsu_axi_queue.sv", "ready_o = !full_q", "ready_o = 1'b1", "AwInW"),
        ("lsu_axi_burst.sv", "3'($countones(low[SizeBits-1:0]))", "3'd0", "Shape"),
        ("lsu_axi_lines.sv", "(now.count >> b) != '0", "1'b1", "RspData"),
    ];
    // Nobody is passed twice where there are but two ids.
    let three_ids = [("lsu_axi.sv", "pick_b ^ mem_rsp_ready_i", "pick_b && !mem_rsp_ready_i", "RspTurn")];
    let two_beats = two_beats.map(|fault| (fault, "DATA_BYTES=16"));
    for ((file, from, put, broken), parameters) in
        two_beats.into_iter().chain(three_ids.map(|fault| (fault, "PENDING=3")))
    {
        let work = tempfile::tempdir_in(folder("faults")).unwrap();
        let (code, said) = proved(&changed(work.path(), &[(file, from, put)]), &[parameters]);
        assert_eq!(code, Some(1), "{put}: {said}");
        assert!(said.starts_with("not proved: ") && said.contains(broken), "{put}: {said}");
    }
    let (code, said) = proved(Path::new(ROOT), &[]);
    assert!(code == Some(2) && said.starts_with("error: ") && said.contains("has no lsu_axi.sv"), "{said}");
}
