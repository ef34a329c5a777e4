// SPDX-License-Identifier: MIT OR Apache-2.0
// lsu_uav_pkg::place_uav and off_dword, and on the way there row_index and slice_index, with the u#'s registers at ports
// of their own: `gpu-lsu prove` reads it as a formula.

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
  output logic [15:0] row_o,
  output logic [15:0] slice_o,
  output logic        misaligned_o,
  output logic        memory_o,
  output logic        shared_o,
  output logic [ 3:0] space_o,
  output logic [ 2:0] fault_o,
  output logic [39:0] addr_o
);
  uav_t   uav;
  place_t p;

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

  assign row_o = row_index(uav.dimension, y_i[15:0]);
  assign slice_o = slice_index(uav.dimension, y_i[15:0], z_i[15:0]);
  assign p = place_uav(uav, addr_mode_e'(mode_i), x_i, y_i, z_i);
  assign misaligned_o = off_dword(addr_mode_e'(mode_i), x_i[1:0], y_i[1:0]);
  assign memory_o = p.memory;
  assign shared_o = p.shared;
  assign space_o = p.space;
  assign fault_o = p.fault;
  assign addr_o = p.addr;
endmodule
