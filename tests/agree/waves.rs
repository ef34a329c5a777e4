// SPDX-License-Identifier: MIT OR Apache-2.0
//! The wave of a run, read back: what the RTL's ports show is what `ref` shows, in the same cycles.

use std::path::Path;

use gpu_lsu::{
    cosim::{
        Bench, Case, Figures, Issue, Mismatch,
        case::{Answer, Rate, stall},
        play, stimulus,
        waves::{self, Window},
    },
    op::{AddrMode, Ctrl, Kind, LaneMask, Lanes, MAX_LANES, Op, Range, Resource, Shape, Space, Uav},
    program::Program,
    sets::Isa,
    wave::PERIOD,
};
use wellen::simple::{self, Waveform};

use crate::units::{access, built, case, on_bench, sizes};

/// A wave with every value at every time.
struct Wave {
    wave: Waveform,
    rtl: String,
    /// The first time; the preparation of a case is not in the wave.
    start: u64,
    end: u64,
}

impl Wave {
    fn of(case: &Case, path: &Path) -> (Self, Result<Figures, Box<Mismatch>>) {
        let result = on_bench(case.shape, |bench| waves::run(bench, case, Window::default(), path)).unwrap();
        let wave = simple::read(path).unwrap();
        let hierarchy = wave.hierarchy();
        let names = hierarchy.all_vars().map(|var| hierarchy[var].full_name(hierarchy));
        let port = names.filter(|name| name.ends_with("mem_req_addr_o")).min_by_key(String::len).unwrap();
        let rtl = port.trim_end_matches("mem_req_addr_o").to_owned();
        let [start, end] = [wave.time_table().first(), wave.time_table().last()].map(|time| *time.unwrap());
        (Wave { wave, rtl, start, end }, result)
    }

    /// The value in each cycle, right before the edge that ends the cycle.
    fn cycles(&mut self, path: &str) -> Vec<String> {
        let all: Vec<&str> = path.split('.').collect();
        let (name, scopes) = all.split_last().unwrap();
        let var = self.wave.hierarchy().lookup_var(scopes, *name).unwrap_or_else(|| panic!("no {path}"));
        let signal = self.wave.hierarchy()[var].signal_ref();
        self.wave.load_signals(&[signal]);
        let times = self.wave.time_table();
        let changes = self.wave.get_signal(signal).unwrap().iter_changes();
        let changes: Vec<_> = changes.map(|(at, value)| (times[at as usize], value.to_string())).collect();
        let value =
            |time| changes.partition_point(|(at, _)| *at <= time).checked_sub(1).map(|at| changes[at].1.clone());
        (self.start / PERIOD..self.end / PERIOD).map(|cycle| value(cycle * PERIOD + PERIOD - 1).unwrap()).collect()
    }

    fn port(&mut self, name: &str) -> Vec<String> {
        self.cycles(&format!("{}{name}", self.rtl))
    }
}

/// A run that is judged while it is traced leaves the same wave as one that is judged first, and the same figures as
/// any run.
#[test]
fn a_wave_written_at_once_is_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["once", "twice"].map(|name| folder.path().join(name).with_extension("fst"));
    let windows = [Window::default(), Window { from: Some(0), ..Window::default() }];
    for shape in built() {
        for isa in [None].into_iter().chain(Isa::ALL.iter().map(|&isa| Some(isa))) {
            for number in 0..2 {
                let case = stimulus::block(isa, 9, 4 + number, &shape, 300).case;
                let runs = [0, 1, 2].map(|way: usize| {
                    let mut bench = Bench::of(&shape).unwrap();
                    // What earlier runs left does not show.
                    for _ in 0..2 {
                        bench.run(&case).unwrap_or_else(|mismatch| panic!("{shape}: {mismatch}"));
                    }
                    let figures = match paths.get(way) {
                        Some(path) => waves::run(&mut bench, &case, windows[way], path).unwrap(),
                        None => bench.run(&case),
                    };
                    let figures = figures.unwrap_or_else(|mismatch| panic!("{shape}: {mismatch}"));
                    (
                        figures,
                        bench.coverage().hits().map(|(_, clause, hits)| (clause, hits.to_vec())).collect::<Vec<_>>(),
                    )
                });
                assert!(runs[0] == runs[2] && runs[1] == runs[2], "{shape}: {:?}", runs.map(|(figures, _)| figures));
                let files = paths.each_ref().map(|path| std::fs::read(path).unwrap());
                assert!(files[0] == files[1], "{shape}, {isa:?}, block {number}");
                let saved = paths.each_ref().map(|path| {
                    let text = std::fs::read_to_string(gpu_lsu::wave::save_file(path)).unwrap();
                    text.replace("twice", "once")
                });
                assert_eq!(saved[0], saved[1]);
            }
        }
    }
}

/// `ref.<scope>.valid` is high exactly in the cycles of the port's handshake, and each pair of fields is then equal.
fn same(wave: &mut Wave, scope: &str, port: &str, [valid, ready]: [&str; 2], fields: &[(&str, &str)]) -> usize {
    let expected = wave.cycles(&format!("ref.{scope}.valid"));
    let (valid, ready) = (wave.port(&format!("{port}_{valid}")), wave.port(&format!("{port}_{ready}")));
    let mut count = 0;
    for cycle in 0..expected.len() {
        let moves = valid[cycle] == "1" && ready[cycle] == "1";
        assert_eq!(expected[cycle] == "1", moves, "{port} in cycle {cycle}");
        count += usize::from(moves);
    }
    for (name, pin) in fields {
        let (want, got) = (wave.cycles(&format!("ref.{scope}.{name}")), wave.port(&format!("{port}_{pin}")));
        for cycle in (0..expected.len()).filter(|&cycle| expected[cycle] == "1") {
            assert!(!want[cycle].contains('x'), "{scope}.{name} in cycle {cycle}: {}", want[cycle]);
            assert_eq!(want[cycle], got[cycle], "{scope}.{name} in cycle {cycle}");
        }
    }
    count
}

fn everything_is_the_same(case: &Case) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wave.vcd");
    let (mut wave, result) = Wave::of(case, &path);
    let figures = result.unwrap();
    let request = [("addr", "addr_o"), ("be", "be_o"), ("group", "group_o")];
    assert_eq!(same(&mut wave, "op", "op", ["valid_i", "ready_o"], &[]), case.issues.len());
    assert_eq!(same(&mut wave, "req", "mem_req", ["valid_o", "ready_i"], &request) as u64, figures.requests);
    assert!(same(&mut wave, "wb", "wb", ["valid_o", "ready_i"], &[("reg", "reg_o"), ("mask", "mask_o")]) > 0);
    assert_eq!(same(&mut wave, "done", "done", ["valid_o", "ready_i"], &[]), case.issues.len());
    assert!(wave.cycles("diff.mismatch").iter().all(|value| value == "0"));
    // The data of the lanes in each beat.
    let (valid, mask) = (wave.cycles("ref.wb.valid"), wave.cycles("ref.wb.mask"));
    for lane in 0..case.shape.lanes {
        let expected = wave.cycles(&format!("ref.wb.data_lane{lane:02}"));
        let data = wave.port(&format!("wb_data_o.[{lane}]"));
        for cycle in (0..valid.len()).filter(|&cycle| valid[cycle] == "1") {
            if mask[cycle].as_bytes()[case.shape.lanes - 1 - lane] == b'1' {
                assert_eq!(expected[cycle], data[cycle], "lane {lane} in cycle {cycle}");
            }
        }
    }
    let mut names: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["wave.gtkw", "wave.sucl", "wave.vcd"]);
}

#[test]
fn ports_and_reference_show_the_same() {
    for shape in built() {
        let mut ctrl = Ctrl { shared_window: Range { base: 0, size: 0x200 }, shared_size: 0x100, ..Ctrl::default() };
        ctrl.alloc[0] = Range { base: 0x1000, size: 0x400 };
        let place = |lane: u64| if lane % 3 == 2 { (lane * 16, false) } else { (0x1000 + lane * 0x28, true) };
        let places: Vec<_> = (0..shape.lanes as u64).map(place).collect();
        let mut case = case(shape, ctrl, sizes().map(|(op, size)| access(op, size, 3, &places)).collect());
        everything_is_the_same(&case);
        case.schedule.stalls = vec![0, stall::REQ, stall::WB | stall::DONE, stall::OP | stall::DATA, stall::RSP];
        case.schedule.answers = vec![Answer { apply: 3, answer: 9, scope: 1, last: 5 }, Answer::default()];
        everything_is_the_same(&case);
    }
}

#[test]
fn random_operations_show_the_same() {
    // Of each instruction set, and of several in one case.
    for number in 0..6 {
        everything_is_the_same(&stimulus::block(None, 3, number, &Shape::with_lanes(32), 60).case);
    }
}

/// Helpers are inactive where the operation says so, and always in a compare-and-store (SM5-INACTIVE).
#[test]
fn active_lanes_are_those_that_execute() {
    let mut ctrl = Ctrl::default();
    ctrl.alloc[0] = Range { base: 0, size: 0x4000 };
    ctrl.uav[0] = Uav { kind: Resource::Raw as u8, size: 0x1000, ..Uav::default() };
    let compare = Op {
        kind: Kind::CmpStore as u8,
        addr_mode: AddrMode::Raw as u8,
        space: Space::Uav as u8,
        element_bytes: 4,
        element_count: 1,
        element_mask: 1,
        ..Op::default()
    };
    let load = access(gpu_lsu::sets::spa5::Opcode::Ld, 4, 0, &[(0, true), (4, true), (8, true), (12, true)]);
    let issue = |op: Op, suppress_helpers: bool| {
        let lanes =
            Lanes { active: LaneMask::from_bits(0b1110), helper: LaneMask::from_bits(0b0110), ..load.lanes.clone() };
        let op = Op { suppress_helpers, ..op };
        Issue { op, lanes, data: vec![[0; MAX_LANES]; op.data_beats() as usize], inst: None }
    };
    let issues = [(load.op, false), (load.op, true), (compare, false), (compare, true)];
    let case = case(Shape::with_lanes(32), ctrl, issues.map(|(op, suppress)| issue(op, suppress)).to_vec());
    let folder = tempfile::tempdir().unwrap();
    let (mut wave, _) = Wave::of(&case, &folder.path().join("wave.vcd"));
    let (valid, active) = (wave.cycles("ref.op.valid"), wave.cycles("ref.op.active"));
    let active = valid.iter().zip(active).filter(|(valid, _)| *valid == "1").map(|(_, active)| active);
    let active: Vec<u32> = active.map(|bits| u32::from_str_radix(&bits, 2).unwrap()).collect();
    assert_eq!(active, [0b1110, 0b1000, 0b1000, 0b1000]);
}

/// The shipped example: each lane keeps those of three GPRs that lie below the limit, and so do its requests.
#[test]
fn a_burst_is_clamped_lane_by_lane() {
    let program = Program::parse("r700_clamp.lsu", include_str!("../../examples/r700_clamp.lsu")).unwrap();
    let case = play::case(&program, &Shape::with_lanes(32));
    everything_is_the_same(&case);
    let folder = tempfile::tempdir().unwrap();
    let (mut wave, _) = Wave::of(&case, &folder.path().join("wave.vcd"));
    let bursts = wave.cycles("ref.burst.valid");
    let cycle = bursts.iter().position(|valid| valid == "1").unwrap();
    let number = |bits: &str| u64::from_str_radix(bits, 2).unwrap();
    assert_eq!(number(&wave.cycles("ref.burst.limit_dw")[cycle]), 56);

    let gprs = [3, 3, 3, 3, 2, 1, 0, 0];
    for (lane, gprs) in gprs.into_iter().enumerate() {
        assert_eq!(number(&wave.cycles(&format!("ref.burst.first_dw_lane{lane:02}"))[cycle]), 32 + 4 * lane as u64);
        assert_eq!(number(&wave.cycles(&format!("ref.burst.moved_lane{lane:02}"))[cycle]), (1 << (4 * gprs)) - 1);
    }
    // The requests of the first burst, until it is done; one digit of four components for each lane.
    let done = wave.cycles("ref.done.valid").iter().position(|valid| valid == "1").unwrap();
    let (valid, words) = (wave.cycles("ref.req.valid"), wave.cycles("ref.req.words"));
    for (lane, gprs) in gprs.into_iter().enumerate() {
        let digit = 4 * (31 - lane)..4 * (32 - lane);
        let asked = (cycle..done).filter(|&at| valid[at] == "1" && &words[at][digit.clone()] == "1111");
        assert_eq!(asked.count(), gprs, "lane {lane}");
    }
}

#[test]
fn a_divergence_raises_its_flag_once() {
    let mut ctrl = Ctrl::default();
    ctrl.alloc[0] = Range { base: 0, size: 0x4000 };
    let load = |number: u64| access(gpu_lsu::sets::spa5::Opcode::Ld, 4, 0, &[(number * 128, true)]);
    let mut case = case(Shape::with_lanes(32), ctrl, (0..60).map(load).collect());
    // Longer than the unit has ids for, so that no unit keeps this rate.
    case.schedule.answers = vec![Answer { apply: 0, answer: 200, scope: 3, last: 0 }];
    case.rate = Some(Rate::Operations);
    let folder = tempfile::tempdir().unwrap();
    let (mut wave, result) = Wave::of(&case, &folder.path().join("wave.vcd"));
    let mismatch = result.unwrap_err();
    let mut flag = wave.cycles("diff.mismatch");
    assert_eq!(flag.iter().position(|value| value == "1"), Some(mismatch.cycle as usize));
    flag.dedup();
    assert_eq!(flag, ["0", "1"]);
    let last = |wave: &mut Wave, name: &str| wave.cycles(name).pop().unwrap();
    assert_eq!(last(&mut wave, "diff.clause"), "PORT-RATE");
    assert!(last(&mut wave, "diff.field").starts_with("mem_req cycles from the first"));
}
