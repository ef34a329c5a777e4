// SPDX-License-Identifier: MIT OR Apache-2.0
// The twins of lsu_data: hardware has a memory for each word, lane and reader, a simulator one array that it writes by
// whole words. Both must take the same beats, complete the same groups, and read the same blocks.
//
// The inputs are free, except that lsu_merge reads no block in the cycle in which it is written: hardware reads it a
// cycle later. The initial contents of a block are free, and the same in both.

module lsu_data_tree_proof
  import lsu_internal_pkg::*;
#(
  parameter int unsigned LANES = 1
) (
  input logic                   clk_i,
  input logic                   valid_i,
  input logic [LANES-1:0][31:0] data_i,
  input logic                   group_i,
  input entry_t                 group_entry_i,
  input rows_t                  group_rows_i,
  input layout_t                group_layout_i,
  input logic                   group_burst_i,
  input logic [LANES-1:0][1:0]  group_at_i,
  input logic                   merge_read_i,
  input entry_t                 merge_entry_i,
  input logic                   spad_read_i,
  input entry_t                 spad_entry_i
);
  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  /* verilator lint_off PINMISSING */
  lsu_data #(.LANES(LANES)) u_tree (
    .clk_i, .rst_ni, .valid_i, .data_i, .group_i, .group_entry_i, .group_rows_i, .group_layout_i, .group_burst_i,
    .group_at_i, .merge_read_i, .merge_entry_i, .spad_read_i, .spad_entry_i
  );
  lsu_data_loop #(.LANES(LANES)) u_loop (
    .clk_i, .rst_ni, .valid_i, .data_i, .group_i, .group_entry_i, .group_rows_i, .group_layout_i, .group_burst_i,
    .group_at_i, .merge_read_i, .merge_entry_i, .spad_read_i, .spad_entry_i
  );
  /* verilator lint_on PINMISSING */

  logic read_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) read_q <= 1'b0;
    else read_q <= merge_read_i;
  end

  always_comb begin
    if (rst_ni) begin
      if (merge_read_i) Whole: assume (u_tree.bytes_q == '0 || u_tree.entry_q != merge_entry_i);
      // State of the queues whose names do not end in _q
      Queues: assert (u_tree.beat_valid == u_loop.beat_valid && u_tree.queued == u_loop.queued);
      // A burst writes whole words.
      if (u_tree.burst_q) Words: assert (u_tree.bytes_q == '0 || u_tree.bytes_q == '1);
      Ready: assert (u_tree.ready_o == u_loop.ready_o);
      Done: assert (u_tree.done_o == u_loop.done_o && u_tree.done_come_o == u_loop.done_come_o
                    && u_tree.done_entry_o == u_loop.done_entry_o);
      if (read_q) Merge: assert (u_tree.merge_block_o == u_loop.merge_block_o);
      Spad: assert (u_tree.spad_block_o == u_loop.spad_block_o);
    end
    if (!rst_ni) begin
      BeginSpad: assume (u_tree.spad_block_o == u_loop.spad_block_o);
    end
  end
  for (genvar e = 0; e < ENTRIES; e++) begin : gen_entry
    for (genvar w = 0; w < BLOCK_WORDS; w++) begin : gen_word
      for (genvar l = 0; l < LANES; l++) begin : gen_lane
        logic alike;
        assign alike = u_tree.gen_word[w].gen_lane[l].merge_mem[e] == u_loop.mem[w][e][l]
            && u_tree.gen_word[w].gen_lane[l].spad_mem[e] == u_loop.mem[w][e][l];
        always_comb begin
          if (rst_ni) Word: assert (alike);
          if (!rst_ni) Begin: assume (alike);
        end
      end
    end
  end
endmodule
