// SPDX-License-Identifier: MIT OR Apache-2.0
// Picks the word that each bank accesses in a cycle: that of the lowest lane for which it still has one.
//
//   words that are left ---> lowest lane, by bank ---> its row, its bytes, who writes them ---> registers
//
// rest_o is what is left after this cycle, if go_i. The pick is registered, and comes a cycle later.

module lsu_spad_pick
  import lsu_internal_pkg::*;
  import lsu_spad_pkg::*;
#(
  parameter int unsigned LANES = 32,
  parameter int unsigned ROW_BITS = 8,
  localparam int unsigned LaneBits = $clog2(LANES),
  localparam int unsigned Halves = LANES < 8 ? 2 : 1
) (
  input  logic clk_i,

  // The access in work
  input  logic                                go_i,
  input  logic [LANES-1:0][Halves*LANES-1:0]  rest_i,
  input  logic [LANES-1:0][ROW_BITS-1:0]      row_i,
  input  logic [LANES-1:0][3:0][LaneBits-1:0] writer_i,
  input  logic [LANES-1:0][3:0]               has_i,
  input  logic [31:0]                         moves_i,
  output logic [LANES-1:0][Halves*LANES-1:0]  rest_o,

  // By bank; valid a cycle after go_i
  output logic [LANES-1:0]                    used_q,
  output logic [LANES-1:0][LaneBits-1:0]      lane_q,    // leader of the lane group that the word is for
  output logic [LANES-1:0][ROW_BITS-1:0]      row_q,
  output logic [LANES-1:0][3:0]               be_q,      // of a store
  output logic [LANES-1:0][3:0][LaneBits-1:0] writer_q   // by byte: the lane that writes it
);
  logic                               look;
  logic [LANES-1:0][Halves*LANES-1:0] chosen;
`ifdef SYNTHESIS
  assign look = 1'b1;
`else
  assign look = go_i;  // saves a simulator the search in other cycles
`endif

  always_comb begin
    chosen = '0;
    rest_o = '0;
    if (look) begin
      for (int b = 0; b < LANES; b++) begin
        chosen[b] = (Halves * LANES)'(lowest_bit(mask_t'(rest_i[b])));
        rest_o[b] = rest_i[b] & ~chosen[b];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (go_i) begin
      for (int b = 0; b < LANES; b++) begin
        automatic logic [LANES-1:0] lanes = chosen[b][LANES-1:0];
        automatic logic             upper = 1'b0;  // with 4 lanes: the upper half of an access of 8 words
        automatic logic [LaneBits-1:0] lane;
        automatic logic [ROW_BITS-1:0] row;
        if (Halves == 2) begin
          upper = chosen[b][Halves*LANES-1-:LANES] != '0;
          lanes |= chosen[b][Halves*LANES-1-:LANES];
        end
        used_q[b] <= chosen[b] != '0;
        if (chosen[b] != '0) begin
          lane = LaneBits'(number_of(mask_t'(lanes)));
          row = row_i[lane];
          if (Halves == 2) row[0] = upper;
          lane_q[b] <= lane;
          row_q[b] <= row;
          be_q[b] <= has_i[lane] & moves_i[(32'(upper)*LANES+b)%8*4+:4];
          writer_q[b] <= writer_i[lane];
        end
      end
    end
  end
endmodule
