// SPDX-License-Identifier: MIT OR Apache-2.0
// The twins of lsu_spad_merge: hardware selects a word for every bank; a simulator selects words from an array, only
// for the banks in use. Those must get the same words.
//
// The inputs are free. The initial contents of a block are free, and the same in both.

module lsu_spad_merge_tree_proof #(
  parameter int unsigned LANES = 4,
  localparam int unsigned LaneBits = $clog2(LANES)
) (
  input logic                                clk_i,
  input logic                                take_i,
  input logic [7:0][LANES-1:0][31:0]         block_i,
  input logic                                go_i,
  input logic                                swap_i,
  input logic [LANES-1:0]                    used_i,
  input logic [LANES-1:0]                    upper_i,
  input logic [LANES-1:0][3:0][LaneBits-1:0] writer_i
);
  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic [LANES-1:0][31:0] tree_data, tree_other, loop_data, loop_other;
  lsu_spad_merge #(.LANES(LANES)) u_tree (
    .clk_i, .take_i, .block_i, .go_i, .swap_i, .used_i, .upper_i, .writer_i, .data_q(tree_data), .other_q(tree_other)
  );
  lsu_spad_merge_loop #(.LANES(LANES)) u_loop (
    .clk_i, .take_i, .block_i, .go_i, .swap_i, .used_i, .upper_i, .writer_i, .data_q(loop_data), .other_q(loop_other)
  );

  // The banks that have a word, and those that have the other word of a compare-and-store, and where each was found; no
  // other bank is looked at
  logic [LANES-1:0] data_used, other_used;
  logic [LANES-1:0] data_upper;
  logic [LANES-1:0][3:0][LaneBits-1:0] data_writer;
  logic [LANES-1:0][LaneBits-1:0]      other_writer;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      data_used <= '0;
      other_used <= '0;
    end else if (go_i) begin
      data_used <= used_i;
      if (swap_i) other_used <= used_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (go_i) begin
      data_upper <= upper_i;
      data_writer <= writer_i;
      if (swap_i) begin
        for (int b = 0; b < LANES; b++) other_writer[b] <= writer_i[b][0];
      end
    end
  end

  // The cases one by one, which together cover all: a solver that has to find them itself does not finish.
  for (genvar b = 0; b < LANES; b++) begin : gen_bank
    for (genvar l = 0; l < LANES; l++) begin : gen_writer
      always_comb begin
        if (rst_ni && other_used[b] && other_writer[b] == l) Other: assert (tree_other[b] == loop_other[b]);
      end
      for (genvar u = 0; u < 2; u++) begin : gen_upper
        for (genvar i = 0; i < 4; i++) begin : gen_byte
          always_comb begin
            if (rst_ni && data_used[b] && data_writer[b][i] == l && data_upper[b] == u) begin
              Data: assert (tree_data[b][i*8+:8] == loop_data[b][i*8+:8]);
            end
          end
        end
      end
    end
  end
  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    for (genvar w = 0; w < 8; w++) begin : gen_word
      always_comb begin
        if (rst_ni) Word: assert (u_tree.block_q[w][l] == u_loop.words[l][w]);
        if (!rst_ni) Begin: assume (u_tree.block_q[w][l] == u_loop.words[l][w]);
      end
    end
  end
endmodule
