// SPDX-License-Identifier: MIT OR Apache-2.0
// From the fields of a burst and a lane's index to its dwords, and which of them are below the limit: lsu_address_pkg
// and lsu_clamp_pkg, combined as in lsu_address and lsu_window. At ports, for `gpu-lsu prove` to read as a formula.

module lsu_burst_proof
  import lsu_clamp_pkg::*;
(
  input  logic        driver_i,
  input  logic [ 2:0] slot_i,
  input  logic [12:0] base_i,
  input  logic [12:0] size_i,
  input  logic [ 1:0] elem_size_i,
  input  logic        use_index_i,
  input  logic [31:0] index_i,
  input  logic [ 3:0] gpr_i,
  output logic [35:0] first_o,
  output logic [35:0] limit_o,  // 0 if there is none
  output logic [35:0] element_o,
  output logic [ 3:0] below_o
);
  assign first_o = lsu_address_pkg::first_dword(driver_i, slot_i, base_i, elem_size_i, use_index_i, index_i);
  assign element_o = element(first_o, gpr_i, elem_size_i);
  assign limit_o = unbounded(driver_i, slot_i) ? '0 : limit(driver_i, slot_i, base_i, size_i, elem_size_i);
  assign below_o = below(element_o, limit_or_none(driver_i, slot_i, base_i, size_i, elem_size_i));
endmodule
