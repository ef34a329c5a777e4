// SPDX-License-Identifier: MIT OR Apache-2.0
// What lsu_window does with a lane of a g#, without its registers. Each register of the g# has a port of its own, for
// `gpu-lsu prove` to read this as a formula. (a), (b) and (c) are the stages.

module lsu_tgsm_proof
  import lsu_pkg::*;
  import lsu_window_pkg::*;
  import lsu_uav_pkg::*;
(
  input  logic [ 2:0] mode_i,
  input  logic [ 1:0] kind_i,
  input  logic [31:0] base_i,
  input  logic [31:0] size_i,
  input  logic [11:0] stride_i,
  input  logic [31:0] x_i,
  input  logic [31:0] y_i,
  output logic        misaligned_o,
  output logic [15:0] count_o,  // the factor of x, or of the pitch, in the product
  output logic [47:0] product_o,
  output logic        memory_o,
  output logic        shared_o,
  output logic [ 3:0] space_o,
  output logic [ 2:0] fault_o,
  output logic [39:0] addr_o  // 0 if the lane goes nowhere
);
  addr_mode_e  mode;
  tgsm_t       tgsm;
  view_t       view;
  logic [31:0] dword;
  product_t    slices;
  logic [48:0] products;
  logic        below, fits;

  // (a)
  assign mode = addr_mode_e'(mode_i);
  assign tgsm = '{kind: resource_e'(kind_i), base: base_i, size: size_i, stride: stride_i};
  assign view = view_tgsm(tgsm, mode);
  assign dword = dword_of(mode, x_i, y_i[31:2]);
  assign count_o = count_of(mode, stride_i, '0);
  assign misaligned_o = off_dword(mode, x_i[1:0], y_i[1:0]);

  // (b)
  assign product_o = product_of(count_o, mode == AddrStruct ? x_i : view.pitch);
  assign slices = product_of('0, view.slice_pitch);
  assign below = dwords_t'(dword) < view.past && count_o < view.rows && 16'd0 < view.slices;

  // (c)
  assign products = 49'(product_o) + 49'(slices);
  assign fits = room_for(room_left(mode, view.room, dword), products);
  assign fault_o = fault_of(1'b1, mode, view.bound, below, fits);
  assign memory_o = 1'b0;
  assign shared_o = fault_o == FaultNone;
  assign space_o = SpaceTgsm;
  assign addr_o = shared_o ? sum_of(addr_t'({dword, 2'b0}) + view.base, addr_t'(products)) : '0;
endmodule
