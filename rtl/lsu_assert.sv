// SPDX-License-Identifier: MIT OR Apache-2.0
// What must hold at every clock edge of lsu: the handshakes, and what its parts promise each other.
//
// Bound to lsu, so that the unit itself stays free of it; simulation only. A failure's message begins with the clause
// that is broken. "(environment)" means that whoever drives the ports broke it, not the unit. The names of lsu and of
// its parts are seen from here as lsu sees them.
//
// It runs in every simulation: a wide payload is copied only while it waits.

`ifndef SYNTHESIS
// verilator tracing_off
module lsu_assert
  import lsu_pkg::*;
#(
  parameter int unsigned LANES = 32,
  parameter int unsigned LINE_BYTES = 128,
  parameter int unsigned WARPS = 8,
  parameter int unsigned SHARED_BYTES = 32768,
  parameter int unsigned OP_BITS = 1,
  parameter int unsigned REQ_BITS = 1,
  parameter int unsigned WB_BITS = 1,
  parameter int unsigned DONE_BITS = 1
) (
  input logic clk_i,
  input logic rst_ni,
  input ctrl_t ctrl_i
);
endmodule
`endif
