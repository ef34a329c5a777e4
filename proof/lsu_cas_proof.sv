// SPDX-License-Identifier: MIT OR Apache-2.0
// lsu_cas_pkg::step at ports, for `gpu-lsu prove` to read as a formula.

module lsu_cas_proof
  import lsu_cas_pkg::*;
(
  input  logic [31:0] memory_i,
  input  logic [31:0] compare_i,
  input  logic [31:0] value_i,
  output logic        stores_o,
  output logic [31:0] after_o
);
  step_t s;

  assign s = step(memory_i, compare_i, value_i);
  assign stores_o = s.stores;
  assign after_o = s.value;
endmodule
