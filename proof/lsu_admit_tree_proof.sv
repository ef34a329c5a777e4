// SPDX-License-Identifier: MIT OR Apache-2.0
// The twins of lsu_admit: hardware counts the GPRs of a burst by a tree of gates, a simulator by $countones. Both
// must have the same room, and reserve the same entries. The inputs are free.

module lsu_admit_tree_proof
  import lsu_pkg::*;
#(
  parameter int unsigned SLOTS = 4
) (
  input logic       clk_i,
  input op_t        op_i,
  input logic       enter_i,
  input logic [2:0] freed_i,
  input logic       done_i
);
  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic tree_room, loop_room;
  lsu_admit #(.SLOTS(SLOTS)) u_tree (.clk_i, .rst_ni, .op_i, .room_o(tree_room), .enter_i, .freed_i, .done_i);
  lsu_admit_loop #(.SLOTS(SLOTS)) u_loop (.clk_i, .rst_ni, .op_i, .room_o(loop_room), .enter_i, .freed_i, .done_i);

  // The registers, which count what is left, are alike by their names.
  always_comb begin
    if (rst_ni) begin
      Room: assert (tree_room == loop_room);
    end
  end
endmodule
