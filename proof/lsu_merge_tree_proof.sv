// SPDX-License-Identifier: MIT OR Apache-2.0
// The twins of lsu_merge: hardware finds for every byte of the line the lane that wins it, a simulator lays one lane
// over the other. Both must enable the same bytes, and store the same values in them.
//
// The inputs are free, except for what lsu_coalesce promises: an access has 2^n bytes and is naturally aligned
// (SPA5-ALIGN, PTX-ALIGN), moved_i repeats its moving bytes over 32 bytes, and all words of a burst move.

module lsu_merge_tree_proof
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
#(
  parameter int unsigned LANES = 2,
  parameter int unsigned LINE_BYTES = 32
) (
  input logic        clk_i,
  input logic        valid_i,
  input logic        final_i,
  input job_t        job_i,
  input entry_t      entry_i,
  input request_t    request_i,
  input logic [5:0]  bytes_i,
  input logic [31:0] moved_i,
  input logic [LANES-1:0][$clog2(LINE_BYTES)-1:0] offset_i,
  input logic [BLOCK_WORDS-1:0][LANES-1:0][31:0] block_i
);
  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  /* verilator lint_off PINMISSING */
  lsu_merge #(.LANES(LANES), .LINE_BYTES(LINE_BYTES)) u_tree (
    .clk_i, .rst_ni, .valid_i, .final_i, .job_i, .entry_i, .request_i, .bytes_i, .moved_i, .offset_i, .block_i
  );
  lsu_merge_loop #(.LANES(LANES), .LINE_BYTES(LINE_BYTES)) u_loop (
    .clk_i, .rst_ni, .valid_i, .final_i, .job_i, .entry_i, .request_i, .bytes_i, .moved_i, .offset_i, .block_i
  );
  /* verilator lint_on PINMISSING */

  logic kept_q;  // the last request had store data
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) kept_q <= 1'b0;
    else if (valid_i) kept_q <= job_i.kind != KindLoad;
  end

  logic [5:0] less;
  logic       repeats, aligned;
  assign less = bytes_i - 6'd1;
  always_comb begin
    repeats = 1'b1;
    aligned = 1'b1;
    for (int b = 0; b < 32; b++) if (moved_i[b] != moved_i[5'(b) & 5'(less)]) repeats = 1'b0;
    for (int l = 0; l < LANES; l++) if ((5'(offset_i[l]) & 5'(less)) != '0) aligned = 1'b0;
  end
  always_comb begin
    if (valid_i && job_i.burst) Burst: assume (moved_i == '1);
    if (valid_i && !job_i.burst) begin
      Size: assume (bytes_i != '0 && (bytes_i & less) == '0);
      Moved: assume (repeats);
      Aligned: assume (aligned);
    end
    if (rst_ni) begin
      Valid: assert (u_tree.valid_o == u_loop.valid_o && u_tree.final_o == u_loop.final_o);
      if (u_tree.valid_o) begin
        Kind: assert (u_tree.store_q == u_loop.store_q);
        Request: assert (u_tree.request_o == u_loop.request_o && u_tree.entry_o == u_loop.entry_o);
        Enables: assert (u_tree.be_o == u_loop.be_o);
      end
      if (u_tree.valid_o && (u_tree.store_q || u_tree.request_q.exclusive)) At: assert (u_tree.at_o == u_loop.at_o);
      if (u_tree.valid_o && u_tree.store_q) Kept: assert (kept_q);
      if (u_tree.valid_o && kept_q) Pair: assert (u_tree.pair_o == u_loop.pair_o);
    end
  end
  // Only hardware keeps a load's block.
  for (genvar l = 0; l < LANES; l++) begin : gen_block
    for (genvar w = 0; w < BLOCK_WORDS; w++) begin : gen_word
      always_comb if (rst_ni && u_tree.valid_o && kept_q) Block: assert (u_tree.block_q[w][l] == u_loop.block_q[w][l]);
    end
  end
  // By byte, the lane that wins it, or none: the cases are asserted one by one, and together cover all.
  for (genvar b = 0; b < LINE_BYTES; b++) begin : gen_byte
    always_comb begin
      if (rst_ni && u_tree.valid_o && u_tree.winner_q[b] == '0) begin
        None: assert (u_tree.data_o[b*8+:8] == u_loop.data_o[b*8+:8]);
      end
    end
    for (genvar l = 0; l < LANES; l++) begin : gen_lane
      always_comb begin
        if (rst_ni && u_tree.valid_o && u_tree.winner_q[b][l]) begin
          Data: assert (u_tree.data_o[b*8+:8] == u_loop.data_o[b*8+:8]);
        end
      end
    end
  end
endmodule
