// SPDX-License-Identifier: MIT OR Apache-2.0
// lsu_address_pkg::first_dword at ports, for `gpu-lsu prove` to read as a formula.

module lsu_array_proof (
  input  logic        driver_i,
  input  logic [ 2:0] slot_i,
  input  logic [12:0] base_i,
  input  logic [ 1:0] elem_size_i,
  input  logic        use_index_i,
  input  logic [31:0] index_i,
  output logic [35:0] first_o
);
  assign first_o = lsu_address_pkg::first_dword(driver_i, slot_i, base_i, elem_size_i, use_index_i, index_i);
endmodule
