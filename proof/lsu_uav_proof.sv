// SPDX-License-Identifier: MIT OR Apache-2.0
// What lsu_window does with a lane of a u#, without its registers. Each register of the u# has a port of its own, for
// `gpu-lsu prove` to read this as a formula. (a), (b) and (c) are the stages.

module lsu_uav_proof
  import lsu_pkg::*;
  import lsu_window_pkg::*;
  import lsu_uav_pkg::*;
(
  input  logic [ 2:0] mode_i,
  input  logic [ 1:0] kind_i,
  input  logic [ 2:0] dimension_i,
  input  logic [39:0] base_i,
  input  logic [39:0] size_i,
  input  logic [11:0] stride_i,
  input  logic [31:0] width_i,
  input  logic [15:0] height_i,
  input  logic [15:0] depth_i,
  input  logic [31:0] row_pitch_i,
  input  logic [31:0] slice_pitch_i,
  input  logic [31:0] x_i,
  input  logic [31:0] y_i,
  input  logic [31:0] z_i,
  output logic [15:0] count_o,  // of units; it, the unit and the slice are operands of the products
  output logic [31:0] unit_o,
  output logic [15:0] slice_o,
  output logic [47:0] product_o,
  output logic [47:0] slices_o,
  output logic        misaligned_o,
  output logic        memory_o,
  output logic        shared_o,
  output logic [ 3:0] space_o,
  output logic [ 2:0] fault_o,
  output logic [39:0] addr_o  // 0 if the lane goes nowhere
);
  addr_mode_e  mode;
  uav_t        uav;
  view_t       view;
  logic [31:0] dword;
  logic [48:0] products;
  logic        typed, past, below, fits;

  always_comb begin
    uav = '0;
    uav.kind = resource_e'(kind_i);
    uav.dimension = dimension_e'(dimension_i);
    uav.base = base_i;
    uav.size = size_i;
    uav.stride = stride_i;
    uav.width = width_i;
    uav.height = height_i;
    uav.depth = depth_i;
    uav.row_pitch = row_pitch_i;
    uav.slice_pitch = slice_pitch_i;
  end

  // (a)
  assign mode = addr_mode_e'(mode_i);
  assign typed = mode == AddrTyped;
  assign view = view_uav(uav, mode);
  assign dword = dword_of(mode, x_i, y_i[31:2]);
  assign count_o = count_of(mode, uav.stride, row_index(uav.dimension, y_i[15:0]));
  assign slice_o = typed ? slice_index(uav.dimension, y_i[15:0], z_i[15:0]) : '0;
  assign past = typed && index_beyond(uav.dimension, y_i[31:16], z_i[31:16]);
  assign misaligned_o = off_dword(mode, x_i[1:0], y_i[1:0]);

  // (b)
  assign unit_o = mode == AddrStruct ? x_i : view.pitch;
  assign product_o = product_of(count_o, unit_o);
  assign slices_o = product_of(slice_o, view.slice_pitch);
  assign below = !past && dwords_t'(dword) < view.past && count_o < view.rows && slice_o < view.slices;

  // (c)
  assign products = 49'(product_o) + 49'(slices_o);
  assign fits = room_for(room_left(mode, view.room, dword), products);
  assign fault_o = fault_of(1'b0, mode, view.bound, below, fits);
  assign memory_o = fault_o == FaultNone;
  assign shared_o = 1'b0;
  assign space_o = SpaceUav;
  assign addr_o = memory_o ? sum_of(addr_t'({dword, 2'b0}) + view.base, addr_t'(products)) : '0;
endmodule
