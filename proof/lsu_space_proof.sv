// SPDX-License-Identifier: MIT OR Apache-2.0
// What lsu_window does with a store of PTX, without its registers. Each control register that it reads has a port of
// its own, for `gpu-lsu prove` to read this as a formula. (a), (b) and (c) are the stages.

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
  output logic [39:0] private_base_o,  // of the private space, even if the access is in none
  output logic [31:0] private_stride_o,
  output logic [31:0] private_size_o,
  output logic [15:0] count_o,  // the factor of the stride in the product
  output logic [47:0] product_o,
  output logic        memory_o,
  output logic        shared_o,
  output logic [ 3:0] space_o,  // like the address, 0 if the access goes nowhere
  output logic [ 2:0] fault_o,
  output logic [39:0] addr_o
);
  space_e   written;
  granule_t at;
  logic     windowed, in_local, in_shared, out, only, has;
  where_e   where;
  private_t item;
  common_t  common;
  addr_t    sum;

  // (a)
  assign written = space_e'(written_i);
  assign windowed = is_windowed(written);
  assign at = ea_i[ADDR_WIDTH-1:5];
  assign in_local = inside_range(local_base_i[39:5], past_range(local_base_i[39:5], local_size_i[39:5]), at);
  assign in_shared = inside_range(shared_base_i[39:5], past_range(shared_base_i[39:5], shared_size_i[39:5]), at);
  assign where = where_of(written, 1'b0, in_local, in_shared);
  assign out = beyond(written, 1'b0, in_shared, ea_i[63:ADDR_WIDTH]);
  assign count_o = thread_count(where, thread_i);
  assign item = private_space(written, '{base: item_base_i, stride: item_stride_i, size: item_size_i},
                              '{base: param_base_i, stride: param_stride_i, size: param_size_i});
  assign private_base_o = item.base;
  assign private_stride_o = item.stride;
  assign private_size_o = item.size;
  assign common = common_of(written, local_base_i, item_base_i, item_size_i[31:5], shared_base_i, item,
                            '{base: cluster_base_i, size: cluster_size_i}, allocated_i[31:5]);

  // (b)
  assign range0_o = inside_range(alloc0_base_i[39:5], past_range(alloc0_base_i[39:5], alloc0_size_i[39:5]), at);
  assign range1_o = inside_range(alloc1_base_i[39:5], past_range(alloc1_base_i[39:5], alloc1_size_i[39:5]), at);
  assign range2_o = inside_range(alloc2_base_i[39:5], past_range(alloc2_base_i[39:5], alloc2_size_i[39:5]), at);
  assign range3_o = inside_range(alloc3_base_i[39:5], past_range(alloc3_base_i[39:5], alloc3_size_i[39:5]), at);
  assign range4_o = inside_range(alloc4_base_i[39:5], past_range(alloc4_base_i[39:5], alloc4_size_i[39:5]), at);
  assign range5_o = inside_range(alloc5_base_i[39:5], past_range(alloc5_base_i[39:5], alloc5_size_i[39:5]), at);
  assign range6_o = inside_range(alloc6_base_i[39:5], past_range(alloc6_base_i[39:5], alloc6_size_i[39:5]), at);
  assign range7_o = inside_range(alloc7_base_i[39:5], past_range(alloc7_base_i[39:5], alloc7_size_i[39:5]), at);
  assign product_o = product_of(count_o, common.stride);
  assign sum = ea_i[ADDR_WIDTH-1:0] + base_for(windowed, where, common.base, common.window);
  assign only = only_global(written, mmio_i, bytes_i == 6'd32);
  assign has = is_allocated(windowed, where, range0_o | range1_o | range2_o | range3_o | range4_o | range5_o
                                  | range6_o | range7_o, end_t'(at) < common.past, end_t'(at) < common.spad);
  assign fault_o = fault_at(written, where, out, only, has);

  // (c)
  assign memory_o = fault_o == FaultNone && where != InShared;
  assign shared_o = fault_o == FaultNone && where == InShared;
  assign space_o = fault_o == FaultNone ? space_at(written, where) : '0;
  assign addr_o = fault_o == FaultNone ? sum_of(sum, addr_t'(product_o)) : '0;
endmodule
