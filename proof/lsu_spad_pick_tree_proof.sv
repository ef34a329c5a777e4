// SPDX-License-Identifier: MIT OR Apache-2.0
// The twins of lsu_spad_pick: hardware always searches, a simulator only if go_i asks for it. When it does, both must
// pick the same words, and leave the same.
//
// The inputs are free.

module lsu_spad_pick_tree_proof #(
  parameter int unsigned LANES = 4,
  parameter int unsigned ROW_BITS = 3,
  localparam int unsigned LaneBits = $clog2(LANES)
) (
  input logic                                clk_i,
  input logic                                go_i,
  input logic [LANES-1:0][2*LANES-1:0]       rest_i,
  input logic [LANES-1:0][ROW_BITS-1:0]      row_i,
  input logic [LANES-1:0][3:0][LaneBits-1:0] writer_i,
  input logic [LANES-1:0][3:0]               has_i,
  input logic [31:0]                         moves_i
);
  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  /* verilator lint_off PINMISSING */
  lsu_spad_pick #(.LANES(LANES), .ROW_BITS(ROW_BITS)) u_tree (
    .clk_i, .go_i, .rest_i, .row_i, .writer_i, .has_i, .moves_i
  );
  lsu_spad_pick_loop #(.LANES(LANES), .ROW_BITS(ROW_BITS)) u_loop (
    .clk_i, .go_i, .rest_i, .row_i, .writer_i, .has_i, .moves_i
  );
  /* verilator lint_on PINMISSING */

  always_comb begin
    if (rst_ni) begin
      if (go_i) Rest: assert (u_tree.rest_o == u_loop.rest_o);
      Picked: assert (u_tree.used_q == u_loop.used_q && u_tree.lane_q == u_loop.lane_q && u_tree.row_q == u_loop.row_q
                      && u_tree.be_q == u_loop.be_q && u_tree.writer_q == u_loop.writer_q);
    end
  end
endmodule
