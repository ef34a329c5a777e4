// SPDX-License-Identifier: MIT OR Apache-2.0
// lsu_window_pkg::place_ptx, with the control registers that it reads at ports of their own: `gpu-lsu prove` reads it as a
// formula.

module lsu_space_proof
  import lsu_pkg::*;
  import lsu_window_pkg::*;
(
  input  logic [39:0] local_base_i,
  input  logic [39:0] local_size_i,
  input  logic [39:0] shared_base_i,
  input  logic [39:0] shared_size_i,
  input  logic [39:0] item_base_i,
  input  logic [31:0] item_stride_i,
  input  logic [31:0] item_size_i,
  input  logic [39:0] param_base_i,
  input  logic [31:0] param_stride_i,
  input  logic [31:0] param_size_i,
  input  logic [39:0] cluster_base_i,
  input  logic [39:0] cluster_size_i,
  input  logic [31:0] allocated_i,
  input  logic [39:0] alloc0_base_i,
  input  logic [39:0] alloc0_size_i,
  input  logic [39:0] alloc1_base_i,
  input  logic [39:0] alloc1_size_i,
  input  logic [39:0] alloc2_base_i,
  input  logic [39:0] alloc2_size_i,
  input  logic [39:0] alloc3_base_i,
  input  logic [39:0] alloc3_size_i,
  input  logic [39:0] alloc4_base_i,
  input  logic [39:0] alloc4_size_i,
  input  logic [39:0] alloc5_base_i,
  input  logic [39:0] alloc5_size_i,
  input  logic [39:0] alloc6_base_i,
  input  logic [39:0] alloc6_size_i,
  input  logic [39:0] alloc7_base_i,
  input  logic [39:0] alloc7_size_i,
  input  logic [ 3:0] written_i,
  input  logic [63:0] ea_i,
  input  logic [ 7:0] thread_i,
  input  logic [ 5:0] bytes_i,
  input  logic        mmio_i,
  output logic        range0_o,  // alloc0 holds the access, whatever the space
  output logic        range1_o,
  output logic        range2_o,
  output logic        range3_o,
  output logic        range4_o,
  output logic        range5_o,
  output logic        range6_o,
  output logic        range7_o,
  output logic [39:0] private_base_o,  // of the private space, though the access be in none
  output logic [31:0] private_stride_o,
  output logic [31:0] private_size_o,
  output logic        memory_o,
  output logic        shared_o,
  output logic [ 3:0] space_o,  // 0 if the access goes nowhere, as is its address
  output logic [ 2:0] fault_o,
  output logic [39:0] addr_o
);
  ctrl_t    ctrl;
  private_t item;
  place_t   p;

  always_comb begin
    ctrl = '0;
    ctrl.local_window = '{base: local_base_i, size: local_size_i};
    ctrl.shared_window = '{base: shared_base_i, size: shared_size_i};
    ctrl.local_memory = '{base: item_base_i, stride: item_stride_i, size: item_size_i};
    ctrl.param_memory = '{base: param_base_i, stride: param_stride_i, size: param_size_i};
    ctrl.cluster = '{base: cluster_base_i, size: cluster_size_i};
    ctrl.shared_size = allocated_i;
    ctrl.alloc[0] = '{base: alloc0_base_i, size: alloc0_size_i};
    ctrl.alloc[1] = '{base: alloc1_base_i, size: alloc1_size_i};
    ctrl.alloc[2] = '{base: alloc2_base_i, size: alloc2_size_i};
    ctrl.alloc[3] = '{base: alloc3_base_i, size: alloc3_size_i};
    ctrl.alloc[4] = '{base: alloc4_base_i, size: alloc4_size_i};
    ctrl.alloc[5] = '{base: alloc5_base_i, size: alloc5_size_i};
    ctrl.alloc[6] = '{base: alloc6_base_i, size: alloc6_size_i};
    ctrl.alloc[7] = '{base: alloc7_base_i, size: alloc7_size_i};
  end

  assign range0_o = inside_range(ctrl.alloc[0], ea_i[ADDR_WIDTH-1:0]);
  assign range1_o = inside_range(ctrl.alloc[1], ea_i[ADDR_WIDTH-1:0]);
  assign range2_o = inside_range(ctrl.alloc[2], ea_i[ADDR_WIDTH-1:0]);
  assign range3_o = inside_range(ctrl.alloc[3], ea_i[ADDR_WIDTH-1:0]);
  assign range4_o = inside_range(ctrl.alloc[4], ea_i[ADDR_WIDTH-1:0]);
  assign range5_o = inside_range(ctrl.alloc[5], ea_i[ADDR_WIDTH-1:0]);
  assign range6_o = inside_range(ctrl.alloc[6], ea_i[ADDR_WIDTH-1:0]);
  assign range7_o = inside_range(ctrl.alloc[7], ea_i[ADDR_WIDTH-1:0]);
  assign item = private_space(ctrl, space_e'(written_i));
  assign private_base_o = item.base;
  assign private_stride_o = item.stride;
  assign private_size_o = item.size;
  assign p = place_ptx(ctrl, space_e'(written_i), mmio_i, bytes_i == 6'd32, ea_i, thread_i);
  assign memory_o = p.memory;
  assign shared_o = p.shared;
  assign fault_o = p.fault;
  assign space_o = p.memory || p.shared ? p.space : '0;
  assign addr_o = p.memory || p.shared ? p.addr : '0;
endmodule
