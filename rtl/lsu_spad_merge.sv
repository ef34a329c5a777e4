// SPDX-License-Identifier: MIT OR Apache-2.0
// Keeps the store data of the operation in work, and assembles the banks' words from them.
//
//   block_i ---> registers ---> for each byte of a bank's word: that of its lane ---> registers
//
// A lane's words lie in its block as they lie in 32 bytes of memory, so a bank finds its word at the same place in
// every lane's block and selects only the lane. A compare-and-store's two words alternate in the block: a bank selects
// one of them, and the other from the place beside it.

module lsu_spad_merge
  import lsu_spad_pkg::*;
#(
  parameter int unsigned LANES = 32,
  localparam int unsigned LaneBits = $clog2(LANES)
) (
  input  logic clk_i,

  // An operation has just come into work; the one before it may still be on its way to the banks
  input  logic                        take_i,
  input  logic [7:0][LANES-1:0][31:0] block_i,

  // What the banks will write
  input  logic                                go_i,
  input  logic                                swap_i,
  input  logic [LANES-1:0]                    used_i,
  input  logic [LANES-1:0]                    upper_i,   // with 4 lanes, by bank: its word is in the upper half
  input  logic [LANES-1:0][3:0][LaneBits-1:0] writer_i,
  output logic [LANES-1:0][31:0]              data_q,
  output logic [LANES-1:0][31:0]              other_q    // of a compare-and-store
);
  // The place of a bank's word in a lane's block.
  function automatic logic [2:0] place(logic [2:0] bank, logic upper);
    return LANES < 8 ? {upper, bank[1:0]} : bank;
  endfunction

`ifdef SYNTHESIS
  // Flip-flops: a LUT RAM for a single block takes more room than the LUTs that select from it.
  logic [7:0][LANES-1:0][31:0] block_q;
  always_ff @(posedge clk_i) begin
    if (take_i) block_q <= block_i;
    if (go_i) begin
      for (int b = 0; b < LANES; b++) begin
        for (int i = 0; i < 4; i++) begin
          data_q[b][i*8+:8] <= block_q[place(3'(b), upper_i[b])][writer_i[b][i]][i*8+:8];
        end
      end
    end
    if (go_i && swap_i) begin
      for (int b = 0; b < LANES; b++) other_q[b] <= block_q[place(3'(b ^ 1), 1'b0)][writer_i[b][0]];
    end
  end
`else
  // The simulation twin, word by word: a simulator would copy a packed block each time it looks into it. The words are
  // read before they are written.
  logic [31:0] words [LANES][8];
  always_ff @(posedge clk_i) begin
    if (go_i) begin
      for (int b = 0; b < LANES; b++) begin
        if (used_i[b]) begin
          automatic logic [2:0] w = place(3'(b), upper_i[b]);
          automatic logic [3:0][LaneBits-1:0] writer = writer_i[b];
          automatic logic [31:0] data = words[writer[0]][w];
          if (writer != {4{writer[0]}}) begin
            for (int i = 1; i < 4; i++) data[i*8+:8] = words[writer[i]][w][i*8+:8];
          end
          data_q[b] <= data;
          if (swap_i) other_q[b] <= words[writer[0]][place(3'(b ^ 1), 1'b0)];
        end
      end
    end
    if (take_i) begin
      for (int l = 0; l < LANES; l++) begin
        for (int w = 0; w < 8; w++) words[l][w] = block_i[w][l];
      end
    end
  end
`endif
endmodule
