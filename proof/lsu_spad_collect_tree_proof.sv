// SPDX-License-Identifier: MIT OR Apache-2.0
// The twins of lsu_spad_collect: hardware has a memory for each lane and place, a simulator one array, from which it
// reads only a buffer that is full. Such a buffer must hold the same words in both.
//
// The inputs are free. The initial contents of a buffer are free, and the same in both.

module lsu_spad_collect_tree_proof
  import lsu_spad_pkg::*;
#(
  parameter int unsigned LANES = 4,
  localparam int unsigned LaneBits = $clog2(LANES)
) (
  input logic                           clk_i,
  input logic                           read_i,
  input logic                           last_i,
  input buffer_ptr_t                    fill_i,
  input logic [LANES-1:0]               used_i,
  input logic [LANES-1:0][LaneBits-1:0] lane_i,
  input logic [LANES-1:0][LaneBits-1:0] group_i,
  input logic [LANES-1:0][LaneBits-1:0] bank_i,
  input logic [LANES-1:0][31:0]         word_i,
  input logic                           drained_i,
  input buffer_ptr_t                    drain_i,
  input logic [LANES-1:0][1:0]          place_i
);
  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic [LOAD_BUFFERS-1:0] tree_full, loop_full;
  logic [LANES-1:0][31:0]  tree_word, loop_word;
  lsu_spad_collect #(.LANES(LANES)) u_tree (
    .clk_i, .rst_ni, .read_i, .last_i, .fill_i, .used_i, .lane_i, .group_i, .bank_i, .word_i, .full_o(tree_full),
    .drained_i, .drain_i, .place_i, .word_o(tree_word)
  );
  lsu_spad_collect_loop #(.LANES(LANES)) u_loop (
    .clk_i, .rst_ni, .read_i, .last_i, .fill_i, .used_i, .lane_i, .group_i, .bank_i, .word_i, .full_o(loop_full),
    .drained_i, .drain_i, .place_i, .word_o(loop_word)
  );

  // Any one word of a buffer, which stays the same: what holds for it holds for all.
  typedef struct packed {
    buffer_ptr_t         fill;
    logic [LaneBits-1:0] lane;
    logic [1:0]          place;
  } at_t;
  at_t at_q;
  always_ff @(posedge clk_i) at_q <= at_q;

  logic [LANES-1:0][3:0][31:0] tree;  // of that buffer
  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    for (genvar p = 0; p < 4; p++) begin : gen_place
      assign tree[l][p] = u_tree.gen_lane[l].gen_place[p].words[at_q.fill];
    end
  end
  logic alike;
  assign alike = tree[at_q.lane][at_q.place] == u_loop.words[at_q];

  always_comb begin
    if (rst_ni) begin
      Full: assert (tree_full == loop_full);
      Kept: assert (alike);
      if (u_tree.full_q[drain_i] && drain_i == at_q.fill && place_i[at_q.lane] == at_q.place) begin
        Word: assert (tree_word[at_q.lane] == loop_word[at_q.lane]);
      end
    end else begin
      Begin: assume (alike);
    end
  end
endmodule
