// SPDX-License-Identifier: MIT OR Apache-2.0
// The lane that leads a group's first request, and the line of that request: PORT-GROUP.
//
//   lsu_window ---> [ lowest lane with words ] ---> [ line of its first word ] ---> lsu_store
//
// Found as the group enters the store, so that lsu_coalesce compares each lane with one line, not with all other lanes.
// Golden model: src/model/coalesce.rs.

module lsu_lead
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
#(
  parameter int unsigned LANES = 32,
  parameter int unsigned LINE_BYTES = 128,
  localparam int unsigned LineBits = ADDR_WIDTH - $clog2(LINE_BYTES)
) (
  input  logic                valid_i,  // the outputs are used, and some lane has words
  input  logic                burst_i,
  input  words_t [LANES-1:0]  words_i,
  input  addr_t [LANES-1:0]   addr_i,
  output logic [LANES-1:0]    lead_o,  // one-hot
  output logic [LineBits-1:0] line_o
);
  localparam int unsigned OffsetBits = $clog2(LINE_BYTES);

  logic [LANES-1:0]         some;
  logic [$clog2(LANES)-1:0] leader;
  logic                     crosses;  // the leader's first word is in the line after the one that its address is in
  logic [ADDR_WIDTH-1:2]    start;
  always_comb begin
    some = '0;
    leader = '0;
    crosses = 1'b0;
    start = '0;
    lead_o = '0;
    line_o = '0;
    if (needed(valid_i)) begin
      for (int l = 0; l < LANES; l++) some[l] = words_i[l] != '0;
      lead_o = LANES'(lowest_bit(32'(some)));
      leader = $clog2(LANES)'(lsu_spad_pkg::number_of(32'(lead_o)));
      start = addr_i[leader][ADDR_WIDTH-1:2];
      crosses = burst_i && 32'(start[OffsetBits-1:2]) + 32'(first_of(words_i[leader])) >= LINE_BYTES / 4;
      line_o = start[ADDR_WIDTH-1:OffsetBits] + LineBits'(crosses);
    end
  end
endmodule
