// SPDX-License-Identifier: MIT OR Apache-2.0
//! Yosys makes the netlist, Icarus Verilog runs it beside a recording.

use std::{
    fmt::Write,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use gpu_lsu::ports::PORTS;

use crate::{
    SHAPE,
    netlist::{finish, netlist},
    recording::{CLOCK, Recording},
};

/// The netlist and its test bench, ready to run.
pub fn build(recording: &Recording, dir: &Path) -> PathBuf {
    let netlist = netlist();
    let text = fs::read_to_string(&netlist).expect("scripts/synth wrote the netlist");
    let (bench, simulation) = (dir.join("bench.v"), dir.join("lsu.vvp"));
    fs::write(&bench, test_bench(recording, &text)).unwrap();
    finish(
        Command::new("iverilog")
            .args(["-g2005", "-Wall", "-s", "bench", "-o"])
            .arg(&simulation)
            .args([&bench, &netlist]),
    );
    simulation
}

/// Plays the recording. Returns the bench's last line: `same: ...` or `differs: ...`.
///
/// `more`: `+wave=FILE`, a VCD of the ports; `+fault`, one of its pins is stuck.
pub fn run(simulation: &Path, recording: &Recording, vectors: &Path, more: &[String]) -> String {
    fs::write(vectors, recording.hex()).unwrap();
    let said = finish(
        Command::new("vvp")
            .arg("-n")
            .arg(simulation)
            .arg(format!("+vectors={}", vectors.display()))
            .arg(format!("+cycles={}", recording.cycles()))
            .args(more),
    );
    said.lines().last().unwrap_or_default().trim().to_owned()
}

/// The width of a port, from `input [159:0] op_i;` in the netlist.
fn bits(netlist: &str, name: &str) -> usize {
    let declares = |line: &&str| {
        (line.starts_with("  input ") || line.starts_with("  output "))
            && line.trim_end_matches(';').ends_with(&format!(" {name}"))
    };
    let line = netlist.lines().find(declares).unwrap_or_else(|| panic!("the netlist has no port `{name}`"));
    match line.split_once('[') {
        Some((_, range)) => 1 + range.split(':').next().unwrap().parse::<usize>().unwrap(),
        None => 1,
    }
}

/// Plays line after line of the vectors into the netlist: inputs, then outputs compared, then the clock's edge.
fn test_bench(recording: &Recording, netlist: &str) -> String {
    let mut declarations = String::new();
    let mut checks = String::new();
    let mut connections = String::new();
    for port in &recording.ports {
        let (name, at) = (port.name, port.at * 8);
        let bits = bits(netlist, name);
        assert!(bits <= port.bytes * 8, "`{name}` has {bits} bits in the netlist, {} bytes in Verilator", port.bytes);
        write!(connections, ", .{name}({name})").unwrap();
        if !port.is_output() {
            writeln!(declarations, "  wire [{bits}-1:0] {name} = now[{at}+:{bits}];").unwrap();
            continue;
        }
        writeln!(declarations, "  wire [{bits}-1:0] {name};").unwrap();
        let valid = port.valid().unwrap_or_else(|| "1'b1".to_owned());
        write!(
            checks,
            "      if (same && {valid} && {name} !== now[{at}+:{bits}]) begin\n        same = 0;\n        \
             $display(\"differs: cycle %0d port {name} expected %h found %h\", cycle, now[{at}+:{bits}], {name});\n      \
             end\n"
        )
        .unwrap();
    }
    let width = recording.width() * 8;
    let operator = PORTS.req_attr.fields(&SHAPE).into_iter().find(|field| field.path == "cache_op");
    let stuck = operator.expect("a request has a cache operator").offset;
    format!(
        "module bench;
  reg {CLOCK} = 0;
  reg [{width}-1:0] vectors [0:65535];
  reg [{width}-1:0] now;
  reg [8*1024-1:0] file, wave;
  reg same = 1;
  reg stuck = 0;  // then the wave goes on after the first difference, so that what was offered is taken
  integer cycle, cycles;
  integer transfers = 0;
{declarations}
  lsu unit (.{CLOCK}({CLOCK}){connections});

  initial begin
    if (!$value$plusargs(\"vectors=%s\", file) || !$value$plusargs(\"cycles=%d\", cycles)) $finish;
    $readmemh(file, vectors, 0, cycles - 1);
    if ($value$plusargs(\"wave=%s\", wave)) begin
      $dumpfile(wave);
      $dumpvars(1, bench);
    end
    if ($test$plusargs(\"fault\")) begin
      stuck = 1;
      force mem_req_attr_o[{stuck}] = 1'b0;
    end
    for (cycle = 0; (same || stuck) && cycle < cycles; cycle = cycle + 1) begin
      now = vectors[cycle];
      #5;
{checks}      if (wb_valid_o) transfers = transfers + 1;
      if (done_valid_o) transfers = transfers + 1;
      if (mem_req_valid_o) transfers = transfers + 1;
      {CLOCK} = 1;
      #5;
      {CLOCK} = 0;
    end
    if (same) $display(\"same: %0d cycles, %0d transfers\", cycle, transfers);
    $finish;
  end
endmodule
"
    )
}
