// SPDX-License-Identifier: MIT OR Apache-2.0
// lsu_uav_pkg::place_tgsm and off_dword, with the g#'s registers at ports of their own: `gpu-lsu prove` reads it as a
// formula.

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
  output logic        memory_o,
  output logic        shared_o,
  output logic [ 3:0] space_o,
  output logic [ 2:0] fault_o,
  output logic [39:0] addr_o
);
  tgsm_t  tgsm;
  place_t p;

  always_comb begin
    tgsm = '0;
    tgsm.kind = resource_e'(kind_i);
    tgsm.base = base_i;
    tgsm.size = size_i;
    tgsm.stride = stride_i;
  end

  assign p = place_tgsm(tgsm, addr_mode_e'(mode_i), x_i, y_i);
  assign misaligned_o = off_dword(addr_mode_e'(mode_i), x_i[1:0], y_i[1:0]);
  assign memory_o = p.memory;
  assign shared_o = p.shared;
  assign space_o = p.space;
  assign fault_o = p.fault;
  assign addr_o = p.addr;
endmodule
