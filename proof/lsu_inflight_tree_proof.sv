// SPDX-License-Identifier: MIT OR Apache-2.0
// The twins of lsu_inflight: in hardware each slot adds up its own events, a simulator applies the events one after
// another. Both must report the same operations.
//
// The inputs are free: both count alike even below zero.

module lsu_inflight_tree_proof
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
#(
  parameter int unsigned LANES = 1,
  parameter int unsigned WARPS = 2,
  parameter int unsigned SLOTS = 4
) (
  input logic                  clk_i,
  input arrived_t              group_i,
  input logic [LANES-1:0][2:0] group_fault_i,
  input sent_t                 sent_i,
  input event_t                dropped_i,
  input answer_t               answer_i,
  input event_t                over_i,
  input drained_t              drained_i,
  input event_t                stored_i,
  input logic                  done_ready_i
);
  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  /* verilator lint_off PINMISSING */
  lsu_inflight #(.LANES(LANES), .WARPS(WARPS), .SLOTS(SLOTS)) u_tree (
    .clk_i, .rst_ni, .group_i, .group_fault_i, .sent_i, .dropped_i, .answer_i, .over_i, .drained_i, .stored_i,
    .done_ready_i
  );
  lsu_inflight_loop #(.LANES(LANES), .WARPS(WARPS), .SLOTS(SLOTS)) u_loop (
    .clk_i, .rst_ni, .group_i, .group_fault_i, .sent_i, .dropped_i, .answer_i, .over_i, .drained_i, .stored_i,
    .done_ready_i
  );
  /* verilator lint_on PINMISSING */

  always_comb begin
    if (rst_ni) begin
      Slot: assert (u_tree.slot_o == u_loop.slot_o);
      Done: assert (u_tree.done_valid_o == u_loop.done_valid_o && u_tree.done_warp_o == u_loop.done_warp_o
                    && u_tree.done_tag_o == u_loop.done_tag_o && u_tree.done_fault_o == u_loop.done_fault_o);
    end
  end
  for (genvar s = 0; s < SLOTS; s++) begin : gen_slot
    always_comb begin
      if (rst_ni) begin
        Outstanding: assert (u_tree.outstanding_q[s] == (u_tree.count_q[s] != '0));
        One: assert (u_tree.one_q[s] == (u_tree.count_q[s] == 1));
        Settles: assert (u_tree.settles_q[s] == (u_tree.settled_q && 32'(u_tree.answer_slot_q) == s));
      end
    end
  end
endmodule
