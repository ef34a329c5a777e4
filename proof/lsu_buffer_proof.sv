// SPDX-License-Identifier: MIT OR Apache-2.0
// What lsu_window does with a dword of an R700 buffer, without its registers: which buffer the operation means, the
// dword's address, and whether the buffer has it. At ports, for `gpu-lsu prove` to read as a formula. The address of a
// dword that the buffer does not have is given as 0.

module lsu_buffer_proof
  import lsu_window_pkg::*;
(
  input  logic [ 2:0] slot_i,
  input  logic [ 1:0] stage_i,
  input  logic [39:0] base_i,
  input  logic [31:0] stride_i,
  input  logic [31:0] size_i,
  input  logic [ 7:0] thread_i,
  input  logic [35:0] element_i,
  output logic [ 3:0] number_o,
  output logic [ 3:0] fits_o,
  output logic [47:0] product_o,
  output logic [39:0] addr_o
);
  assign number_o = buffer_number(slot_i, stage_i);
  assign fits_o = allocated(size_i, element_i);
  assign product_o = product_of(16'(thread_i), stride_i);
  assign addr_o = fits_o[0] ? sum_of(40'({element_i, 2'b0}) + base_i, 40'(product_o)) : '0;
endmodule
