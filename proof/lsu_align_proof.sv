// SPDX-License-Identifier: MIT OR Apache-2.0
// lsu_align_pkg at ports, for `gpu-lsu prove` to read as a formula.

module lsu_align_proof
  import lsu_align_pkg::*;
(
  input  logic [63:0] ea_i,
  input  logic [ 4:0] bytes_i,
  output logic [63:0] aligned_o,
  output logic        misaligned_o
);
  assign aligned_o = align(ea_i, bytes_i);
  assign misaligned_o = misaligned(ea_i, bytes_i);
endmodule
