// SPDX-License-Identifier: MIT OR Apache-2.0
// lsu_address_pkg::effective_address at ports, for `gpu-lsu prove` to read as a formula.

module lsu_address_proof
  import lsu_pkg::*;
(
  input  logic [ 2:0] mode_i,
  input  logic [63:0] imm_i,
  input  logic [31:0] word0_i,
  input  logic [31:0] word1_i,
  output logic [63:0] ea_o
);
  assign ea_o = lsu_address_pkg::effective_address(addr_mode_e'(mode_i), imm_i, word0_i, word1_i);
endmodule
