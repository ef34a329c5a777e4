// SPDX-License-Identifier: MIT OR Apache-2.0
// The twins of lsu_pending: hardware finds the lowest free id by a tree, and compares lines and bytes by parts. Both must
// let the same requests go, and have the same ids in flight.
//
// The inputs are free, except that a request goes only if it may.

module lsu_pending_tree_proof
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
#(
  parameter int unsigned PENDING = 2,
  parameter int unsigned LINE_BYTES = 16
) (
  input logic                  clk_i,
  input logic                  next_valid_i,
  input request_t              next_i,
  input logic [LINE_BYTES-1:0] next_be_i,
  input logic                  blocked_i,
  input logic                  goes_i,
  input logic                  look_i,
  input against_t              look_at_i,
  input logic [LINE_BYTES-1:0] look_be_i,
  input logic                  again_i,
  input id_t                   again_id_i,
  input logic                  again_write_i,
  input logic                  over_i,
  input id_t                   over_id_i,
  input fence_t                fence_i,
  input logic                  rsp_valid_i,
  input response_t             rsp_i
);
  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic issue;
  assign issue = next_valid_i && u_tree.clear_o && goes_i;

  /* verilator lint_off PINMISSING */
  lsu_pending #(.PENDING(PENDING), .LINE_BYTES(LINE_BYTES)) u_tree (
    .clk_i, .rst_ni, .next_valid_i, .next_i, .next_be_i, .blocked_i, .issue_i(issue), .look_i, .look_at_i, .look_be_i, .again_i,
    .again_id_i, .again_write_i, .over_i, .over_id_i, .fence_i, .rsp_valid_i, .rsp_i
  );
  lsu_pending_loop #(.PENDING(PENDING), .LINE_BYTES(LINE_BYTES)) u_loop (
    .clk_i, .rst_ni, .next_valid_i, .next_i, .next_be_i, .blocked_i, .issue_i(issue), .look_i, .look_at_i, .look_be_i, .again_i,
    .again_id_i, .again_write_i, .over_i, .over_id_i, .fence_i, .rsp_valid_i, .rsp_i
  );
  /* verilator lint_on PINMISSING */

  always_comb begin
    if (rst_ni) begin
      Clear: assert (u_tree.clear_o == u_loop.clear_o && u_tree.id_o == u_loop.id_o);
      Held: assert (u_tree.mmio_answered_o == u_loop.mmio_answered_o && u_tree.pairs_full_o == u_loop.pairs_full_o
                    && u_tree.pairs_last_o == u_loop.pairs_last_o && u_tree.pairs_o == u_loop.pairs_o);
      Fence: assert (u_tree.fence_waits_o == u_loop.fence_waits_o);
      if (rsp_valid_i) begin
        Response: assert (u_tree.asked_o == u_loop.asked_o && u_tree.asked_served_o == u_loop.asked_served_o);
      end
    end
  end
  // A simulator compares lines and bytes as a whole, and the bytes of one line only.
  for (genvar i = 0; i < PENDING; i++) begin : gen_id
    logic line, bytes;
    assign line = (u_tree.line_meets_q[i] == '1) == (u_loop.line_meets_q[i] == '1);
    assign bytes = u_tree.line_meets_q[i] != '1 || (u_tree.byte_meets_q[i] != '0) == (u_loop.byte_meets_q[i] != '0);
    always_comb begin
      if (rst_ni) begin
        Line: assert (line);
        Bytes: assert (bytes);
      end else begin
        Begin: assume (line && bytes);
      end
    end
  end
endmodule
