// SPDX-License-Identifier: MIT OR Apache-2.0
// The twins of lsu_spad_banks: hardware compares and writes a cycle later and forwards writes on their way, a simulator
// writes at once. Both must read the same words.
//
// One pair of banks, as banks of different pairs do not depend on each other. The inputs are free, except that a
// compare-and-store reads its words and is no store. The initial contents of the memory are free, and the same in both.

module lsu_spad_banks_tree_proof #(
  parameter int unsigned LANES = 2,
  parameter int unsigned ROW_BITS = 1
) (
  input logic                           clk_i,
  input logic                           read_i,
  input logic                           write_i,
  input logic                           swap_i,
  input logic [LANES-1:0]               used_i,
  input logic [LANES-1:0][ROW_BITS-1:0] row_i,
  input logic [LANES-1:0][3:0]          be_i,
  input logic [LANES-1:0][31:0]         data_i,
  input logic [LANES-1:0][31:0]         other_i
);
  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic [LANES-1:0][31:0] tree_word, loop_word;
  lsu_spad_banks #(.LANES(LANES), .ROW_BITS(ROW_BITS)) u_tree (
    .clk_i, .rst_ni, .read_i, .write_i, .swap_i, .used_i, .row_i, .be_i, .data_i, .other_i, .word_o(tree_word)
  );
  lsu_spad_banks_loop #(.LANES(LANES), .ROW_BITS(ROW_BITS)) u_loop (
    .clk_i, .rst_ni, .read_i, .write_i, .swap_i, .used_i, .row_i, .be_i, .data_i, .other_i, .word_o(loop_word)
  );

  // The words that were read in the cycle before; the others are not looked at.
  logic [LANES-1:0] asked_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) asked_q <= '0;
    else asked_q <= read_i ? used_i : '0;
  end

  always_comb begin
    if (rst_ni) begin
      Reads: assume (!swap_i || (read_i && !write_i));
      Swap: assert (!u_tree.swap_q || (asked_q == u_tree.used_q && !u_tree.write_q));
      Then: assert (!(u_tree.swap_then_q && u_tree.write_then_q));
    end
  end
  for (genvar b = 0; b < LANES; b++) begin : gen_bank
    always_comb begin
      if (rst_ni && asked_q[b]) Word: assert (tree_word[b] == loop_word[b]);
    end
    for (genvar r = 0; r < 2**ROW_BITS; r++) begin : gen_row
      for (genvar i = 0; i < 4; i++) begin : gen_byte
        // The byte once the write on its way is made
        logic [7:0] will;
        assign will = u_tree.gen_bank[b].be[i] && 32'(u_tree.gen_bank[b].row_then_q) == r
            ? u_tree.gen_bank[b].value_q[i*8+:8] : u_tree.gen_bank[b].mem[r][i*8+:8];
        always_comb begin
          if (rst_ni) Byte: assert (will == u_loop.mem[b][r][i*8+:8]);
          if (!rst_ni) Begin: assume (will == u_loop.mem[b][r][i*8+:8]);
        end
      end
    end
  end
endmodule
