// SPDX-License-Identifier: MIT OR Apache-2.0
// Which group of lsu_store goes to lsu_coalesce: of each warp the oldest, if it is ready; between warps the turn goes round
// (PORT-ORDER, PORT-FAIR).
//
//   ready, oldest of its warp, room ---> [ turn ] ---> second ---> offer ---> lsu_coalesce
//
// Two are offered, the second behind the first: that lsu_coalesce takes one is known late, and chooses none. What comes
// back, or is not wanted for now, is chosen anew, and so are those on offer.

module lsu_store_choose
  import lsu_internal_pkg::*;
#(
  parameter int unsigned WARPS = 8,
  localparam int unsigned WarpBits = WARPS > 1 ? $clog2(WARPS) : 1
) (
  input  logic clk_i,
  input  logic rst_ni,  // asynchronous, active low

  // By entry
  input  entries_t ready_i,
  input  entries_t left_i,             // ready or not
  input  entries_t older_i [ENTRIES],  // those of its warp that came before it
  input  logic [ENTRIES-1:0][WarpBits-1:0] warp_i,
  output entries_t goes_o,             // is chosen
  output entries_t returns_o,          // was chosen, and is not on offer any more

  // By warp: lsu_order takes a request more
  input  logic [WARPS-1:0] room_i,

  // To and from lsu_coalesce
  output logic   valid_o,
  output entry_t entry_o,
  input  logic   take_i,
  input  logic   back_i,  // another one comes back
  input  logic   drop_i   // the offer is taken back: its warp may make no request for now
);
  logic [WARPS-1:0] room_q;  // a cycle ago: who then has none is sent back
  entries_t may_go, chosen;
  entry_t   chosen_entry, second_entry_q;
  logic     second_q, free, choose, moves;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) room_q <= '0;
    else room_q <= room_i;
  end

  // What comes back is not waited for here before the next cycle: none of its warp is chosen in this one.
  assign free = !second_q && !back_i && !drop_i;
  always_comb begin
    may_go = ready_i;
    if (needed(free) && may_go != '0) for (int e = 0; e < ENTRIES; e++) begin
      if (may_go[e]) may_go[e] = (older_i[e] & left_i) == '0 && room_q[warp_i[e]];
    end
  end
  assign choose = free && may_go != '0;
  assign moves = !valid_o || take_i;
  assign goes_o = choose ? chosen : '0;

  lsu_round_robin #(.PLACES(ENTRIES)) u_turn (
    .clk_i, .rst_ni, .request_i(may_go), .advance_i(choose), .grant_o(chosen), .index_o(chosen_entry)
  );

  always_comb begin
    returns_o = '0;
    if (back_i || drop_i) begin
      returns_o = (valid_o && drop_i ? entries_t'(1) << entry_o : '0)
          | (second_q ? entries_t'(1) << second_entry_q : '0);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_o <= 1'b0;
      second_q <= 1'b0;
    end else if (back_i || drop_i) begin
      // None of the warp may stay on offer before what comes back.
      valid_o <= 1'b0;
      second_q <= 1'b0;
    end else begin
      valid_o <= !moves || second_q || choose;
      second_q <= !moves && (second_q || choose);
    end
  end

  always_ff @(posedge clk_i) begin
    if (moves) entry_o <= second_q ? second_entry_q : chosen_entry;
    if (choose) second_entry_q <= chosen_entry;
  end
endmodule
