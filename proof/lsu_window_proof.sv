// SPDX-License-Identifier: MIT OR Apache-2.0
// What lsu_window does with an access of SPA 5.0, without its registers. Each control register that it reads has a port
// of its own, for `gpu-lsu prove` to read this as a formula. (a), (b) and (c) are the stages.

module lsu_window_proof
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
  input  logic        predicate_i,
  input  logic [63:0] ea_i,
  input  logic [ 7:0] thread_i,
  output logic        range0_o,  // alloc0 holds the access, whatever the space
  output logic        range1_o,
  output logic        range2_o,
  output logic        range3_o,
  output logic        range4_o,
  output logic        range5_o,
  output logic        range6_o,
  output logic        range7_o,
  output logic [15:0] count_o,  // the factor of the stride in the product
  output logic [47:0] product_o,
  output logic        memory_o,
  output logic        local_o,
  output logic        shared_o,
  output logic [ 2:0] fault_o,
  output logic [39:0] addr_o  // 0 if the access goes nowhere
);
  granule_t at;
  logic     in_local, in_shared, out, has;
  where_e   where;
  common_t  common;
  addr_t    sum;

  // (a)
  assign at = ea_i[ADDR_WIDTH-1:5];
  assign in_local = inside_range(local_base_i[39:5], past_range(local_base_i[39:5], local_size_i[39:5]), at);
  assign in_shared = inside_range(shared_base_i[39:5], past_range(shared_base_i[39:5], shared_size_i[39:5]), at);
  assign where = where_of(SpacePredicated, predicate_i, in_local, in_shared);
  assign out = beyond(SpacePredicated, predicate_i, in_shared, ea_i[63:ADDR_WIDTH]);
  assign count_o = thread_count(where, thread_i);
  assign common = common_of(SpacePredicated, local_base_i, item_base_i, item_size_i[31:5], shared_base_i,
                            '{base: item_base_i, stride: item_stride_i, size: item_size_i}, '0, allocated_i[31:5]);

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
  assign sum = ea_i[ADDR_WIDTH-1:0] + base_for(1'b1, where, common.base, common.window);
  assign has = is_allocated(1'b1, where, range0_o | range1_o | range2_o | range3_o | range4_o | range5_o | range6_o
                                  | range7_o, end_t'(at) < common.past, end_t'(at) < common.spad);
  assign fault_o = fault_at(SpacePredicated, where, out, 1'b0, has);

  // (c)
  assign memory_o = fault_o == FaultNone && where != InShared;
  assign local_o = memory_o && space_at(SpacePredicated, where) == SpaceLocal;
  assign shared_o = fault_o == FaultNone && where == InShared;
  assign addr_o = fault_o == FaultNone ? sum_of(sum, addr_t'(product_o)) : '0;
endmodule
