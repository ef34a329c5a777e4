// SPDX-License-Identifier: MIT OR Apache-2.0
// lsu_extract_pkg at ports, for `gpu-lsu prove` to read as a formula.

module lsu_extract_proof (
  input  logic [63:0] word_i,
  input  logic [ 2:0] at_i,
  input  logic [ 2:0] bytes_i,
  input  logic        sign_i,
  output logic [31:0] value_o
);
  assign value_o = lsu_extract_pkg::extract(word_i, at_i, bytes_i, sign_i);
endmodule
