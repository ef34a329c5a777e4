// SPDX-License-Identifier: MIT OR Apache-2.0
//! The log that is read from a wave of a run is the one that the player wrote.

use std::{fmt::Write, fs, num::NonZero, path::Path, process::Command};

use gpu_lsu::{
    cosim::{
        Case, stimulus,
        waves::{self, Window},
    },
    judge::log::{
        Event, Log, Unseen,
        wave::{self, Cycles, Names},
    },
    op::Shape,
    ports::{Direction, PORTS},
    sets::Isa,
};

use crate::units::{built, on_bench};

/// All events that a wave can show, in order; operations and data only for the unit's lanes.
fn shown(log: &Log, lanes: usize) -> Vec<String> {
    let mut data = vec![0; log.issues().len()];
    let events = log.entries().iter().filter_map(|entry| {
        let what = match entry.event {
            Event::Op(number) => {
                let issue = &log.issues()[number as usize];
                let mask = Shape::with_lanes(lanes).lane_mask();
                let masks = [issue.lanes.active, issue.lanes.helper, issue.lanes.predicate].map(|lanes| lanes & mask);
                format!("{:?} {masks:?} {:x?}", issue.op, &issue.lanes.addr[..lanes])
            }
            Event::Data(number) => log.owner(number).map_or_else(String::new, |owner| {
                data[owner] += 1;
                format!("{owner} {:x?}", &log.issues()[owner].data[data[owner] - 1][..lanes])
            }),
            Event::Request(number) => format!("{:x?}", log.requested(number)),
            Event::Response(number) => format!("{:x?}", log.responded(number)),
            Event::Beat(number) => format!("{:x?}", log.written_back(number)),
            Event::Done(number) => format!("{:x?}", log.completed(number)),
            Event::Offer(number) => format!("{:x?}", log.offered(number)),
            Event::Withdrawn(port) => format!("{port:?}"),
            Event::Reset | Event::Report(_) => format!("{:?}", entry.event),
            Event::Control(_) | Event::Applied(..) | Event::Foreign(_) | Event::End(_) => return None,
        };
        let kind = format!("{:?}", entry.event);
        Some(format!("{} {}: {what}", entry.cycle, kind.split('(').next()?))
    });
    events.collect()
}

fn is_the_same(case: &Case) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wave.vcd");
    on_bench(case.shape, |bench| {
        let figures = waves::run(bench, case, Window::default(), &path).unwrap().unwrap();
        let wave = wave::read(&path, &Names { idle: true, ..Names::default() }).unwrap();
        let shape = bench.shape();
        assert_eq!((wave.lanes, wave.line_bytes, wave.cycles), (shape.lanes, shape.line_bytes, figures.cycles));
        assert!(wave.missing.is_empty(), "{:?}", wave.missing);
        // The trace begins after the preparation of the case, when nothing is in flight.
        assert_eq!(wave.log.unseen(), Unseen { end: true, ..Unseen::default() });
        // Its number of the cycle says so, too.
        let ours = wave::read(&path, &Names::default()).unwrap();
        assert_eq!(ours.log.unseen(), wave.log.unseen());
        let (expected, found) = (shown(bench.log(), case.shape.lanes), shown(&wave.log, case.shape.lanes));
        assert!(expected.len() > 2 * case.issues.len());
        for (expected, found) in expected.iter().zip(&found) {
            assert_eq!(found, expected);
        }
        assert_eq!(found.len(), expected.len());
        // Sampled by the clock: a cycle is ten time steps.
        let cycles = Cycles::Steps(NonZero::new(10).unwrap());
        let sampled = wave::read(&path, &Names { idle: true, cycles, ..Names::default() }).unwrap();
        assert_eq!(shown(&sampled.log, case.shape.lanes), found);
        let control = wave.log.entries().iter().find(|entry| matches!(entry.event, Event::Control(_)));
        assert_eq!(control.map(|entry| entry.cycle), Some(0));
        assert_eq!(*wave.log.controls(0), case.ctrl);
    });
}

#[test]
fn a_wave_says_what_the_player_wrote() {
    for shape in built() {
        for isa in Isa::ALL {
            for number in 0..3 {
                is_the_same(&stimulus::block(Some(*isa), 5, number, &shape, 40).case);
            }
        }
    }
}

/// The same with `--scope` and `--map`, with the names that the trace has anyway.
#[test]
fn the_scope_may_be_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wave.vcd");
    let case = stimulus::block(Some(Isa::Spa5), 5, 1, &Shape::with_lanes(32), 10).case;
    on_bench(Shape::with_lanes(32), |bench| waves::run(bench, &case, Window::default(), &path).unwrap().unwrap());
    let outer = wave::read(&path, &Names::default()).unwrap();
    let scope = format!("{}.lsu", outer.scope);
    let map = [("data_i", format!("{}.data_i", outer.scope)), ("op_i", "op_i".to_owned())];
    let map = map.map(|(port, signal)| (port.to_owned(), signal)).to_vec();
    let inner = wave::read(&path, &Names { scope: Some(scope.clone()), map, ..Names::default() }).unwrap();
    assert_eq!((inner.scope, inner.cycles), (scope, outer.cycles));
    assert_eq!(shown(&inner.log, 32), shown(&outer.log, 32));
}

/// A unit that only counts its completions, in a bench that stalls every fourth.
fn counter(shape: &Shape) -> String {
    let (mut ports, mut nets) = (Vec::new(), String::new());
    for (port, _) in PORTS.iter() {
        let range = format!("[{}:0] {}", port.width(shape) - 1, port.name);
        let (direction, net) = if port.direction == Direction::Input { ("input", "reg") } else { ("output", "wire") };
        ports.push(format!("  {direction} logic {range}"));
        writeln!(nets, "  {net} {range};").unwrap();
    }
    format!(
        "module lsu(\n{});
  reg [7:0] count;
  assign done_valid_o = rst_ni;
  assign done_tag_o = count;
  assign {{done_warp_o, done_fault_o}} = 0;
  assign {{op_ready_o, data_ready_o, wb_valid_o, mem_req_valid_o, mem_rsp_ready_o}} = 0;
  always @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) count <= 0; else if (done_ready_i) count <= count + 1;
endmodule
module bench;
{nets}  lsu dut(.*);
  initial begin clk_i = 0; forever #5 clk_i = ~clk_i; end
  always @(posedge clk_i) done_ready_i <= done_tag_o[1:0] != 3 || done_ready_i === 0;
  initial begin
    $dumpfile(\"wave.vcd\");
    $dumpvars(0, bench);
    ctrl_i = 1;
    {{op_valid_i, data_valid_i, mem_rsp_valid_i}} = 0;
    #2 rst_ni = 0;
    #26 rst_ni = 1;
    #200 $finish;
  end
endmodule
",
        ports.join(",\n")
    )
}

fn finish(folder: &Path, program: &str, args: &[&str]) {
    let output = Command::new(program).args(args).current_dir(folder).output().unwrap_or_else(|error| {
        panic!("cannot run `{program}`: {error}. `scripts/setup test` installs what this test needs.")
    });
    assert!(output.status.success(), "`{program}` failed:\n{}", String::from_utf8_lossy(&output.stderr));
}

/// Icarus keeps each port as a whole, has `x`, and writes both formats.
#[test]
fn a_vcd_and_an_fst_of_another_simulator_say_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let shape = Shape { line_bytes: 64, ..Shape::with_lanes(8) };
    fs::write(folder.path().join("bench.sv"), counter(&shape)).unwrap();
    finish(folder.path(), "iverilog", &["-g2012", "-s", "bench", "-o", "bench", "bench.sv"]);
    let [vcd, fst] = [&["-n", "bench"][..], &["-n", "bench", "-fst"]].map(|args| {
        finish(folder.path(), "vvp", args);
        let wave = wave::read(&folder.path().join("wave.vcd"), &Names::default()).unwrap();
        assert_eq!((wave.lanes, wave.line_bytes, wave.scope.as_str()), (8, 64, "bench"));
        assert_eq!((wave.cycles, wave.log.unseen()), (23, Unseen { end: true, ..Unseen::default() }));
        assert_eq!(wave.log.controls(0).to_words()[0], 1);
        shown(&wave.log, 8)
    });
    assert_eq!(vcd, fst);
    assert!(vcd[0].starts_with("0 Reset"), "{}", vcd[0]);
    let of = |kind: &str| vcd.iter().filter(|line| line.contains(kind)).count();
    assert_eq!((of(" Reset:"), of(" Done:"), of(" Offer:"), of(" Report:")), (1, 16, 4, 0), "{vcd:#?}");
}

/// A damaged or shortened FST is refused, or read as what it says; it never ends the process.
#[test]
fn a_damaged_fst_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wave.vcd");
    fs::write(folder.path().join("bench.sv"), counter(&Shape { line_bytes: 32, ..Shape::with_lanes(4) })).unwrap();
    finish(folder.path(), "iverilog", &["-g2012", "-s", "bench", "-o", "bench", "bench.sv"]);
    finish(folder.path(), "vvp", &["-n", "bench", "-fst"]);
    let whole = fs::read(&path).unwrap();
    for place in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[place] ^= 0x5a;
        fs::write(&path, damaged).unwrap();
        let _ = wave::read(&path, &Names::default());
        fs::write(&path, &whole[..place]).unwrap();
        assert!(wave::read(&path, &Names::default()).is_err(), "{place} bytes");
    }
}
