// SPDX-License-Identifier: MIT OR Apache-2.0
// Which group of lsu_store goes to lsu_coalesce: each warp's oldest, if it is ready and may make a request; round robin
// between warps, those first of which no request is held back (PORT-ORDER, PORT-FAIR).
//
//   may go, oldest of its warp ---> register ---> [ turn ] ---> second ---> offer ---> lsu_coalesce
//
// A second group waits behind the offered one: it is known late that lsu_coalesce takes a group, so the choice does not
// depend on it. In the cycle after a group is returned or an offer refused, all groups of its warp that were chosen are
// recalled, and chosen anew: no later group may go before a returned one.

module lsu_store_choose
  import lsu_internal_pkg::*;
#(
  parameter int unsigned WARPS = 8,
  localparam int unsigned WarpBits = WARPS > 1 ? $clog2(WARPS) : 1
) (
  input  logic clk_i,
  input  logic rst_ni,  // asynchronous, active low

  // By entry
  input  entries_t wait_i,             // still to be chosen
  input  entries_t stays_i,            // but not yet: store data are to come, or a release may not go
  input  entries_t left_i,             // holds back the later ones of its warp
  input  entries_t older_i [ENTRIES],  // those of its warp that came before it
  input  logic [ENTRIES-1:0][WarpBits-1:0] warp_i,
  input  entries_t enter_i,            // one-hot: the arriving group's, if one arrives:
  input  entries_t enter_older_i,      // ... those of its warp, whether or not in left_i
  input  logic [WarpBits-1:0] enter_warp_i,
  input  logic enter_valid_i,          // one arrives, and waits for nothing; known late
  output entries_t goes_o,             // is chosen
  output entries_t returns_o,          // was chosen, and is to be chosen anew
  output entries_t resumes_o,          // ... of these, the group that was returned

  // By warp: it may make another request; its oldest one is held back
  input  logic [WARPS-1:0] room_i,
  input  logic [WARPS-1:0] held_i,

  // To and from lsu_coalesce
  output logic   valid_o,
  output entry_t entry_o,
  input  logic   take_i,
  input  logic   back_i,  // a group is returned
  input  entry_t back_entry_i,
  input  logic   drop_i,  // the offer is to be withdrawn: other warps' groups go before it
  output logic [WARPS-1:0] ready_o  // by warp: a group of it could go
);
  // Look-ahead: each warp's oldest group that is left, if it may go, is found in the cycle before the choice: `after`
  // if it is the warp's turn in that cycle, `first` if it is not.
  entries_t         may, oldest_q, first, after, chosen;
  logic [WARPS-1:0] some_q, some_first, some_after, some, turn;  // by warp: it has such a group
  entry_t           chosen_entry, second_entry_q;
  logic             offer_q, second_q, choose, moves, stays_offered, stays_second;
  logic [WARPS-1:0] recall_q;  // by warp: what was chosen is recalled
  assign may = wait_i & ~stays_i;
  always_comb begin
    first = '0;
    after = '0;
    some_first = '0;
    some_after = '0;
    if (enter_valid_i && room_i[enter_warp_i]) begin
      if ((enter_older_i & left_i) == '0) begin
        first = enter_i;
        some_first[enter_warp_i] = 1'b1;
      end
      if ((enter_older_i & left_i & ~oldest_q) == '0) begin
        after = enter_i;
        some_after[enter_warp_i] = 1'b1;
      end
    end
    if (needed(may != '0)) for (int e = 0; e < ENTRIES; e++) if (may[e]) begin
      if (room_i[warp_i[e]]) begin
        first[e] = (older_i[e] & left_i) == '0;
        after[e] = !oldest_q[e] && (older_i[e] & left_i & ~oldest_q) == '0;
        if (first[e]) some_first[warp_i[e]] = 1'b1;
        if (after[e]) some_after[warp_i[e]] = 1'b1;
      end
    end
  end

  // Recalled in the cycle after it is known that the warp's groups must not go, which is late.
  logic                back_q;
  entry_t              back_entry_q;
  logic [WarpBits-1:0] offer_warp_q, second_warp_q, chosen_warp;
  assign some = some_q & ~recall_q;
  assign stays_offered = offer_q && !recall_q[offer_warp_q];
  assign stays_second = second_q && !recall_q[second_warp_q];
  assign valid_o = stays_offered;
  assign choose = !second_q && some != '0;
  assign moves = !stays_offered || take_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      recall_q <= '0;
      back_q <= 1'b0;
    end else begin
      recall_q <= back_i || drop_i ? WARPS'(1) << (back_i ? warp_i[back_entry_i] : offer_warp_q) : '0;
      back_q <= back_i;
    end
  end

  lsu_round_robin #(.PLACES(WARPS)) u_turn (
    .clk_i, .rst_ni, .prefer_i(some & ~held_i), .request_i(some), .advance_i(choose), .grant_o(turn),
    .index_o(chosen_warp)
  );

  always_comb begin
    ready_o = some_q;
    if (second_q) ready_o[second_warp_q] = 1'b1;
    if (offer_q) ready_o[offer_warp_q] = 1'b1;
  end

  entries_t of_turn;  // entries of the warp whose turn it is
  always_comb begin
    of_turn = '0;
    if (needed(choose)) for (int e = 0; e < ENTRIES; e++) of_turn[e] = turn[warp_i[e]];
  end
  assign chosen = oldest_q & of_turn;
  assign chosen_entry = entry_of(chosen);
  assign goes_o = choose ? chosen : '0;

  // warp_i does not have the arriving group's warp yet.
  entries_t its_turn;
  assign its_turn = choose ? (of_turn & ~enter_i) | (turn[enter_warp_i] ? enter_i : '0) : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      oldest_q <= '0;
      some_q <= '0;
    end else begin
      oldest_q <= (its_turn & after) | (~its_turn & first);
      // What is recalled is in wait_i from the next cycle on.
      some_q <= (choose ? (turn & some_after) | (~turn & some_first) : some_first) & ~recall_q;
    end
  end

  assign resumes_o = back_q ? entries_t'(1) << back_entry_q : '0;
  assign returns_o = resumes_o | (offer_q && !stays_offered ? entries_t'(1) << entry_o : '0)
      | (second_q && !stays_second ? entries_t'(1) << second_entry_q : '0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      offer_q <= 1'b0;
      second_q <= 1'b0;
    end else begin
      offer_q <= !moves || stays_second || choose;
      second_q <= !moves && (stays_second || choose);
    end
  end

  always_ff @(posedge clk_i) begin
    back_entry_q <= back_entry_i;
    if (moves) begin
      entry_o <= second_q ? second_entry_q : chosen_entry;
      offer_warp_q <= second_q ? second_warp_q : chosen_warp;
    end
    if (choose) begin
      second_entry_q <= chosen_entry;
      second_warp_q <= chosen_warp;
    end
  end
endmodule
