// SPDX-License-Identifier: MIT OR Apache-2.0
//! Small handmade waves of a unit with 4 lanes and lines of 32 bytes.

mod analyser;
mod unknown;

use std::{fmt::Write as _, num::NonZero, path::PathBuf};

use proptest::prelude::*;
use tempfile::TempDir;

use super::*;
use crate::{
    judge::log::{Event, Unknown},
    op::{LaneMask, Shape},
};

/// A VCD that is being written. Each port is one vector, which begins as 0.
struct Vcd {
    shape: Shape,
    text: String,
    time: u64,
}

impl Vcd {
    fn new() -> Self {
        Self::of("$scope module top $end", "$upscope $end", &|name| name.to_owned())
    }

    /// A VCD with the ports between `open` and `close`. `called` gives the name of each port; an empty name leaves it
    /// out.
    fn of(open: &str, close: &str, called: &dyn Fn(&str) -> String) -> Self {
        let shape = Shape { line_bytes: 32, ..Shape::with_lanes(4) };
        let (mut text, mut values) = (format!("$timescale 1ns $end {open}\n"), String::new());
        for (number, (port, _)) in PORTS.iter().enumerate() {
            let (name, width) = (called(port.name), port.width(&shape));
            if !name.is_empty() {
                let range = if width > 1 { format!(" [{}:0]", width - 1) } else { String::new() };
                writeln!(text, "$var wire {width} p{number} {name}{range} $end").unwrap();
                writeln!(values, "b0 p{number}").unwrap();
            }
        }
        write!(text, "{close} $enddefinitions $end\n#0\n{values}").unwrap();
        Vcd { shape, text, time: 0 }
    }

    fn set(&mut self, port: &str, bits: &str) -> &mut Self {
        let number = PORTS.iter().position(|(known, _)| known.name == port).unwrap();
        writeln!(self.text, "b{bits} p{number}").unwrap();
        self
    }

    /// Ends a cycle. What is set after it changes together with the edge.
    fn edge(&mut self) -> &mut Self {
        self.time += 10;
        writeln!(self.text, "#{}", self.time - 5).unwrap();
        self.set("clk_i", "0");
        writeln!(self.text, "#{}", self.time).unwrap();
        self.set("clk_i", "1")
    }

    /// Ends a sample, in a wave without a clock.
    fn sample(&mut self) -> &mut Self {
        self.time += 10;
        writeln!(self.text, "#{}", self.time).unwrap();
        self
    }

    /// Leaves reset, after two cycles in it.
    fn started(&mut self) -> &mut Self {
        self.edge().edge().set("rst_ni", "1")
    }

    fn read(&self, names: &Names) -> Result<Wave, WaveError> {
        let (_folder, path) = file(self.text.as_bytes());
        read(&path, names)
    }

    fn events(&self) -> Vec<(u64, Event)> {
        self.events_of(&Names::default())
    }

    fn events_of(&self, names: &Names) -> Vec<(u64, Event)> {
        let wave = self.read(names).unwrap();
        wave.log.entries().iter().map(|entry| (entry.cycle, entry.event)).collect()
    }

    fn reports(&self) -> Vec<String> {
        let log = self.read(&Names::default()).unwrap().log;
        let reports = log.entries().iter().filter_map(|entry| match entry.event {
            Event::Report(number) => Some(log.reported(number).text.clone()),
            _ => None,
        });
        reports.collect()
    }
}

fn in_cycles(cycles: Cycles) -> Names {
    Names { cycles, ..Names::default() }
}

fn file(bytes: &[u8]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wave.vcd");
    std::fs::write(&path, bytes).unwrap();
    (folder, path)
}

/// What is left of `b1 p12` would be a change of another signal.
#[test]
fn a_wave_that_is_cut_off_in_a_line_is_refused() {
    let mut vcd = Vcd::new();
    vcd.started().edge().edge();
    assert!(vcd.read(&Names::default()).is_ok());
    // Within a value, and within a time: `b1 1` may have been the beginning of `b1 1W`.
    for end in ["b1", "b1 1", "#6"] {
        let cut = Vcd { text: format!("{}{end}", vcd.text), ..Vcd::new() };
        let told = cut.read(&Names::default()).unwrap_err().to_string();
        assert!(told.contains("it is cut off in its last line, ") && told.contains(&format!(": `{end}`")), "{told}");
    }
}

/// Paths from the top need no scope, and an escaped name is the name.
#[test]
fn ports_are_found_by_path_and_by_escaped_name() {
    let mut vcd = Vcd::of("$scope module tb $end $scope module dut $end", "$upscope $end $upscope $end", &|name| {
        format!("probe_{name}")
    });
    vcd.started().edge();
    let map = PORTS.iter().map(|(port, _)| (port.name.to_owned(), format!("tb.dut.probe_{}", port.name))).collect();
    let wave = vcd.read(&Names { map, ..Names::default() }).unwrap();
    assert_eq!((wave.lanes, wave.scope.as_str(), wave.missing.len()), (4, "", 0));
    let mut escaped = Vcd::of("$scope module top $end", "$upscope $end", &|name| format!("\\{name}"));
    escaped.started().edge();
    let wave = escaped.read(&Names::default()).unwrap();
    assert_eq!((wave.lanes, wave.missing.len()), (4, 0));
}

/// The reader of waves would leave out what comes after.
#[test]
fn a_wave_whose_time_goes_back_is_refused() {
    let mut vcd = Vcd::new();
    vcd.started().edge().edge();
    vcd.text += "#3\n";
    let told = vcd.read(&Names::default()).unwrap_err().to_string();
    assert!(told.contains("its time goes back from ") && told.contains(" to 3, in line "), "{told}");
}

#[test]
fn a_handshake_is_what_stands_before_the_edge() {
    let mut vcd = Vcd::new();
    vcd.started().set("done_valid_o", "1").set("done_tag_o", "111").set("done_fault_o", "110000").edge();
    vcd.set("done_ready_i", "1").set("op_valid_i", "1").set("op_ready_o", "1").edge();
    vcd.set("done_valid_o", "0").set("op_valid_i", "0").set("op_active_i", "1010").edge();
    let wave = vcd.read(&Names::default()).unwrap();
    assert_eq!((wave.lanes, wave.line_bytes, wave.scope.as_str(), wave.cycles), (4, 32, "top", 5));
    assert!(wave.missing.is_empty() && !wave.log.is_timed());
    assert_eq!(wave.log.unseen(), Unseen { end: true, ..Unseen::default() });
    let expected = [
        (0, Event::Reset),
        (0, Event::Control(0)),
        (2, Event::Offer(0)),
        (3, Event::Done(0)),
        (3, Event::Op(0)),
        (4, Event::End(false)),
    ];
    assert_eq!(vcd.events(), expected);
    let done = wave.log.completed(0);
    assert_eq!((done.tag, &done.faults[..4]), (7, [0, 6, 0, 0].as_slice()));
    assert_eq!(wave.log.issues()[0].lanes.active, LaneMask::NONE);
}

#[test]
fn what_waits_is_written_down_where_it_is_new() {
    let mut vcd = Vcd::new();
    vcd.started().set("mem_req_valid_o", "1").set("mem_req_be_o", "1111").edge().edge();
    vcd.set("mem_req_id_o", "1").edge();
    vcd.set("mem_req_valid_o", "0").edge();
    vcd.set("mem_req_valid_o", "1").set("mem_req_ready_i", "1").set("data_valid_i", "1").edge();
    // Reset drops the pending offer.
    vcd.set("wb_valid_o", "1").set("mem_req_valid_o", "0").edge();
    vcd.set("rst_ni", "0").edge();
    vcd.set("rst_ni", "1").set("wb_valid_o", "0").edge();
    let expected = [
        (0, Event::Reset),
        (0, Event::Control(0)),
        (2, Event::Offer(0)),
        (4, Event::Offer(1)),
        (5, Event::Withdrawn(super::super::Port::Request)),
        (6, Event::Request(0)),
        (7, Event::Offer(2)),
        (8, Event::Reset),
        (9, Event::End(true)),
    ];
    assert_eq!(vcd.events(), expected);
}

#[test]
fn control_registers_are_written_down_when_they_change() {
    let mut vcd = Vcd::new();
    vcd.started().set("ctrl_i", "1").edge().set("ctrl_i", "1").edge().set("ctrl_i", "0").edge();
    let controls = vcd.events().into_iter().filter(|(_, event)| matches!(event, Event::Control(_)));
    assert_eq!(controls.map(|(cycle, _)| cycle).collect::<Vec<_>>(), [0, 2, 4]);
}

#[test]
fn resets_between_edges_count() {
    let mut vcd = Vcd::new();
    vcd.set("rst_ni", "1").edge().set("rst_ni", "0");
    vcd.text += "#11\n";
    vcd.set("rst_ni", "1").edge();
    assert!(vcd.read(&Names::default()).unwrap().log.unseen().start);
    assert_eq!(vcd.events(), [(0, Event::Control(0)), (0, Event::Reset), (1, Event::End(false))]);
}

#[test]
fn a_file_that_does_not_begin_in_reset_says_so() {
    for (first, start) in [("1", true), ("x", true), ("0", false)] {
        let mut vcd = Vcd::new();
        vcd.set("rst_ni", first).set("done_valid_o", "x").edge().set("rst_ni", "0").edge();
        vcd.set("rst_ni", "1").set("done_valid_o", "0").edge();
        assert_eq!(vcd.read(&Names::default()).unwrap().log.unseen().start, start, "{first}");
        // Before the first reset nothing in a unit is known.
        assert!(vcd.reports().is_empty());
    }
}

#[test]
fn what_nobody_knows_is_reported_where_it_matters() {
    type Sets<'a> = &'a [(&'a str, &'a str)];
    let cases: &[(Sets<'_>, &[&str])] = &[
        (&[("wb_valid_o", "x")], &["PORT-WB: `wb_valid_o` is unknown in cycle 2: x"]),
        (&[("op_ready_o", "z"), ("mem_req_be_o", "x")], &[]),
        (&[("op_ready_o", "z"), ("op_valid_i", "1")], &["PORT-OP: `op_ready_o` is unknown in cycle 2: x"]),
        (
            &[("done_valid_o", "1"), ("done_ready_i", "1"), ("done_fault_o", "1x0000")],
            &["PORT-DONE: `done_fault_o[1]` is unknown in cycle 2: 1x0"],
        ),
        // Nobody takes it yet.
        (
            &[("done_valid_o", "1"), ("done_ready_i", "0"), ("done_tag_o", "x0")],
            &["PORT-DONE: `done_tag_o` is unknown in cycle 2: "],
        ),
        // Lanes outside the mask.
        (&[("wb_valid_o", "1"), ("wb_ready_i", "1"), ("wb_data_o", "x")], &[]),
        (&[("wb_valid_o", "1"), ("wb_ready_i", "0"), ("wb_data_o", "x")], &[]),
        // The addresses of lanes that do not execute do not matter. The operation depends on the control registers.
        (&[("op_valid_i", "1"), ("op_ready_o", "1"), ("op_addr_i", "x"), ("op_helper_i", "x")], &[]),
        (
            &[("op_valid_i", "1"), ("op_ready_o", "1"), ("ctrl_i", "x")],
            &["PORT-OP (environment): `ctrl_i.trap_misaligned` is unknown"],
        ),
        // A read has no data; a write has the bytes that are enabled.
        (&[("mem_req_valid_o", "1"), ("mem_req_ready_i", "1"), ("mem_req_be_o", "1"), ("mem_req_data_o", "x")], &[]),
        (
            &[
                ("mem_req_valid_o", "1"),
                ("mem_req_ready_i", "1"),
                ("mem_req_kind_o", "1"),
                ("mem_req_be_o", "10"),
                ("mem_req_data_o", "x1xxxxxxxxxxxxxxx"),
            ],
            &["PORT-REQ: `mem_req_data_o[1]` is unknown in cycle 2: 1xxxxxxx"],
        ),
        (&[("mem_rsp_valid_i", "1"), ("mem_rsp_ready_o", "1"), ("mem_rsp_data_i", "x")], &[]),
    ];
    for (sets, expected) in cases {
        let mut vcd = Vcd::new();
        vcd.started();
        sets.iter().for_each(|(port, bits)| _ = vcd.set(port, bits));
        vcd.edge();
        let reports = vcd.reports();
        assert!(reports.len() == expected.len(), "{sets:?} {reports:?}");
        assert!(reports.iter().zip(*expected).all(|(report, text)| report.starts_with(text)), "{sets:?} {reports:?}");
    }
}

/// An unknown bit reads as 0, which may be what stood there before.
#[test]
fn what_is_forgotten_while_it_waits_is_reported() {
    let mut vcd = Vcd::new();
    vcd.started().set("done_valid_o", "1").set("done_ready_i", "0").set("done_tag_o", "100").edge();
    vcd.set("done_tag_o", "1x0").edge().edge();
    let [report] = &vcd.reports()[..] else { panic!("{:?}", vcd.reports()) };
    assert!(report.starts_with("PORT-DONE: `done_tag_o` is unknown in cycle 3: "), "{report}");
}

#[test]
fn what_a_beat_does_not_know_is_told_of_each() {
    let mut vcd = Vcd::new();
    vcd.started().set("wb_valid_o", "1").set("wb_ready_i", "1").set("wb_tag_o", "101").set("wb_mask_o", "1011");
    vcd.set("wb_data_o", &format!("x{}", "0".repeat(40))).edge();
    vcd.set("wb_tag_o", "110").edge().set("wb_valid_o", "0").edge();
    let log = vcd.read(&Names::default()).unwrap().log;
    let told = log.entries().iter().filter_map(|entry| match entry.event {
        Event::Report(number) => log.reported(number).beat.clone(),
        _ => None,
    });
    // Lane 2 is not in the mask.
    let of = |tag: u8| Unknown { warp: 0, tag, register: 0, bits: vec![(1, 0xffff_ff00), (3, u32::MAX)] };
    assert_eq!(told.collect::<Vec<_>>(), [of(5), of(6)]);
}

#[test]
fn answers_matter_where_their_reads_ask() {
    let mut vcd = Vcd::new();
    vcd.started().set("mem_req_valid_o", "1").set("mem_req_ready_i", "1").set("mem_req_be_o", "10").edge();
    vcd.set("mem_req_valid_o", "0").set("mem_rsp_valid_i", "1").set("mem_rsp_ready_o", "1");
    vcd.set("mem_rsp_data_i", "x00000000xxxxxxxx").edge();
    assert!(vcd.reports().is_empty());
    // A later answer carries only its scope.
    vcd.set("mem_rsp_error_i", "x").set("mem_rsp_data_i", "x").edge();
    assert!(vcd.reports().is_empty());
    vcd.set("mem_rsp_scope_i", "x").edge().edge();
    assert_eq!(vcd.reports(), ["PORT-RSP (environment): `mem_rsp_scope_i` is unknown in cycle 5: xx"]);
}

#[test]
fn the_unit_is_found_where_its_ports_are() {
    let port = |name: &str| name.to_owned();
    let nested = Vcd::of("$scope module tb $end $scope module dut $end", "$upscope $end $upscope $end", &port);
    let mut nested =
        Vcd { text: nested.text.replace("$scope module dut", "$var wire 1 p0 clk_i $end $scope module dut"), ..nested };
    nested.edge();
    assert_eq!(nested.read(&Names::default()).unwrap().scope, "tb.dut");
    let scope = Some("tb".to_owned());
    let error = nested.read(&Names { scope, ..Names::default() }).unwrap_err().to_string();
    assert!(error.contains("lacks rst_ni, op_valid_i,") && error.contains("`tb.dut` (45 of 45)"), "{error}");
    let error = nested.read(&Names { scope: Some("tb.lsu".into()), ..Names::default() }).unwrap_err().to_string();
    assert!(
        error.ends_with("has no scope `tb.lsu`; the unit's ports are in `tb.dut` (45 of 45), `tb` (1 of 45)"),
        "{error}"
    );

    // Two scopes with the same contents: nested first, then side by side.
    let header = Vcd::new().text.split("$scope").nth(1).unwrap().split("$upscope").next().unwrap().to_owned();
    let twice = |between: &str| {
        let mut vcd = Vcd::new();
        let inner = format!("$scope{} $upscope $end", header.replace("module top", "module lsu"));
        vcd.text = vcd.text.replace(
            "$upscope $end",
            &format!("{between}{inner}{}", if between.is_empty() { "$upscope $end" } else { "" }),
        );
        vcd.edge();
        vcd
    };
    assert_eq!(twice("").read(&Names::default()).unwrap().scope, "top");
    let error = twice("$upscope $end ").read(&Names::default()).unwrap_err();
    assert!(
        matches!(&error, WaveError::Ambiguous { scopes, .. } if scopes == "`top` (45 of 45), `lsu` (45 of 45)"),
        "{error}"
    );
    let scope = Some("lsu".to_owned());
    assert_eq!(twice("$upscope $end ").read(&Names { scope, ..Names::default() }).unwrap().scope, "lsu");
}

#[test]
fn ports_have_other_names_or_are_missing() {
    let called = |name: &str| match name {
        "clk_i" => "clock".to_owned(),
        "wb_tag_o" | "data_i" | "ctrl_i" => String::new(),
        name => name.to_owned(),
    };
    let mut vcd = Vcd::of("$scope module top $end", "$upscope $end", &called);
    vcd.started().set("data_valid_i", "1").set("data_ready_o", "1").set("wb_valid_o", "1").edge();
    let error = vcd.read(&Names::default()).unwrap_err();
    assert!(matches!(&error, WaveError::NoClock { .. }), "{error}");
    for signal in ["clock", "top.clock"] {
        let wave = vcd.read(&Names { map: vec![("clk_i".into(), signal.into())], ..Names::default() }).unwrap();
        assert_eq!((wave.cycles, wave.missing), (3, vec!["ctrl_i", "data_i", "wb_tag_o"]));
        assert_eq!(wave.log.unseen(), Unseen { end: true, data: true, write_back: true, ..Unseen::default() });
        assert_eq!(wave.log.entries().len(), 2);
    }
    let map = |port: &str, signal: &str| {
        let map = vec![("clk_i".into(), "clock".into()), (port.into(), signal.into())];
        vcd.read(&Names { map, ..Names::default() }).unwrap_err()
    };
    assert!(matches!(map("clk", "x"), WaveError::NoPort { .. }));
    assert!(matches!(map("op_i", "top.x"), WaveError::NoSignal { port: "op_i", .. }));
    assert!(matches!(map("*", "clk"), WaveError::Missing { .. }));
    let error = map("op_i", "op_active_i").to_string();
    assert!(error.ends_with(": the port `op_i` has 4 bits, where 248 are expected"), "{error}");
}

#[test]
fn all_ports_may_have_more_of_a_name() {
    let called = |name: &str| match name {
        "clk_i" => "scope_clk".to_owned(),
        name => format!("soc_{name}_probe"),
    };
    let mut vcd = Vcd::of("$scope module top $end", "$upscope $end", &called);
    vcd.started().edge();
    let map = [("clk_i", "scope_clk"), ("*", "soc_*_probe")].map(|(port, name)| (port.to_owned(), name.to_owned()));
    let wave = vcd.read(&Names { map: map.to_vec(), ..Names::default() }).unwrap();
    assert_eq!((wave.cycles, wave.scope.as_str()), (3, "top"));
    assert!(wave.missing.is_empty());
}

#[test]
fn widths_fit_each_other() {
    let vcd = Vcd::new();
    let with = |from: &str, to: &str| {
        let (text, shape) = (vcd.text.replace(from, to), vcd.shape);
        assert_ne!(text, vcd.text);
        Vcd { text, shape, time: 0 }.read(&Names::default()).unwrap_err().to_string()
    };
    let lanes = PORTS.iter().position(|(port, _)| port.name == "op_active_i").unwrap();
    let error = with(&format!("wire 4 p{lanes} op_active_i [3:0]"), &format!("wire 5 p{lanes} op_active_i [4:0]"));
    assert!(error.ends_with(": the port `op_active_i` has 5 bits, where 4 or 8 or 16 or 32 are expected"), "{error}");
    let error = with(&format!("wire 4 p{lanes} op_active_i [3:0]"), &format!("wire 8 p{lanes} op_active_i [7:0]"));
    assert!(error.ends_with(": the port `op_helper_i` has 4 bits, where 8 are expected"), "{error}");
    assert!(with("clk_i", "clock").contains("lacks clk_i"));
    // The only edge is not a rising one.
    assert!(matches!(vcd.read(&Names::default()), Err(WaveError::NoCycle { .. })));
}

#[test]
fn what_is_no_wave_is_refused() {
    let (folder, path) = file(b"");
    assert!(matches!(read(&path, &Names::default()), Err(WaveError::Malformed { .. })));
    assert!(matches!(read(&folder.path().join("none"), &Names::default()), Err(WaveError::Open { .. })));
    assert!(read(folder.path(), &Names::default()).is_err());
    let (_folder, path) = file(b"$scope module top $end $upscope $end $enddefinitions $end\n");
    assert!(matches!(read(&path, &Names::default()), Err(WaveError::NoUnit { .. })));
}

/// Some transfers, followed by the latest time that a VCD can express.
fn busy() -> Vcd {
    let mut vcd = Vcd::new();
    vcd.started();
    for tag in ["0", "1", "10", "x"] {
        vcd.set("op_valid_i", "1").set("op_ready_o", tag).set("done_valid_o", "1").set("done_tag_o", tag).edge();
    }
    write!(vcd.text, "#{}\nb0 p0\n#{}\nb1 p0\n", u64::MAX - 1, u64::MAX).unwrap();
    vcd
}

#[test]
fn any_time_will_do() {
    assert_eq!(busy().read(&Names::default()).unwrap().cycles, 7);
}

proptest! {
    /// Damaged files are refused, or read as they are.
    #[test]
    fn nothing_panics(edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6), keep in 0.0..1.0f64) {
        let mut bytes = busy().text.into_bytes();
        for (place, byte) in edits {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        bytes.truncate((bytes.len() as f64 * keep) as usize);
        let (_folder, path) = file(&bytes);
        let _ = read(&path, &Names::default());
        let _ = read(&path, &in_cycles(Cycles::Steps(NonZero::new(5).unwrap())));
    }
}
