// SPDX-License-Identifier: MIT OR Apache-2.0
// Which group of lsu_store goes to lsu_coalesce: each warp's oldest, if it is ready and may make a request; round robin
// between warps (PORT-ORDER, PORT-FAIR).
//
//   may go, oldest of its warp ---> register ---> [ turn ] ---> second ---> offer ---> lsu_coalesce
//
// A second group waits behind the offered one: it is known late that lsu_coalesce takes a group, so the choice does not
// depend on it. When a group is returned or an offer withdrawn, it is chosen anew, and so are both groups held here.

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
  input  entries_t stays_i,            // but not yet: store data are to come, or a release or pair may not go
  input  entries_t left_i,             // holds back the later ones of its warp
  input  entries_t older_i [ENTRIES],  // those of its warp that came before it
  input  logic [ENTRIES-1:0][WarpBits-1:0] warp_i,
  input  entries_t mmio_i,             // makes a request only while its warp has none that is not yet issued
  input  entries_t enter_i,            // one-hot: the arriving group's, if one arrives:
  input  entries_t enter_older_i,      // ... those of its warp, whether or not in left_i
  input  logic [WarpBits-1:0] enter_warp_i,
  input  logic enter_mmio_i,
  input  logic enter_valid_i,          // one arrives, and waits for nothing; known late
  output entries_t goes_o,             // is chosen
  output entries_t returns_o,          // was chosen, and is to be chosen anew

  // By warp: it may make another request; it has none that is not yet issued
  input  logic [WARPS-1:0] room_i,
  input  logic [WARPS-1:0] idle_i,

  // To and from lsu_coalesce
  output logic   valid_o,
  output entry_t entry_o,
  input  logic   take_i,
  input  logic   back_i,  // another group is returned
  input  logic   drop_i   // the offer is withdrawn: its warp may make no request for now
);
  // Look-ahead: each warp's oldest group that is left, if it may go, is found in the cycle before the choice: `after`
  // if it is the warp's turn in that cycle, `first` if it is not.
  entries_t         may, oldest_q, first, after, chosen;
  logic [WARPS-1:0] some_q, some_first, some_after, turn;  // by warp: it has such a group
  entry_t           chosen_entry, second_entry_q;
  logic             second_q, choose, moves;
  assign may = wait_i & ~stays_i;
  always_comb begin
    first = '0;
    after = '0;
    some_first = '0;
    some_after = '0;
    if (enter_valid_i && (enter_mmio_i ? idle_i[enter_warp_i] : room_i[enter_warp_i])) begin
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
      if (mmio_i[e] ? idle_i[warp_i[e]] : room_i[warp_i[e]]) begin
        first[e] = (older_i[e] & left_i) == '0;
        after[e] = !oldest_q[e] && (older_i[e] & left_i & ~oldest_q) == '0;
        if (first[e]) some_first[warp_i[e]] = 1'b1;
        if (after[e]) some_after[warp_i[e]] = 1'b1;
      end
    end
  end

  assign choose = !second_q && some_q != '0;
  assign moves = !valid_o || take_i;

  lsu_round_robin #(.PLACES(WARPS)) u_turn (
    .clk_i, .rst_ni, .request_i(some_q), .advance_i(choose && !back_i && !drop_i), .grant_o(turn), .index_o()
  );

  entries_t of_turn;  // entries of the warp whose turn it is
  always_comb begin
    of_turn = '0;
    if (needed(choose)) for (int e = 0; e < ENTRIES; e++) of_turn[e] = turn[warp_i[e]];
  end
  assign chosen = oldest_q & of_turn;
  assign chosen_entry = entry_of(chosen);
  assign goes_o = choose && !back_i && !drop_i ? chosen : '0;

  // warp_i does not have the arriving group's warp yet.
  entries_t its_turn;
  assign its_turn = choose ? (of_turn & ~enter_i) | (turn[enter_warp_i] ? enter_i : '0) : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      oldest_q <= '0;
      some_q <= '0;
    end else if (back_i || drop_i) begin
      // A returned group is its warp's oldest again, and is in wait_i from the next cycle on.
      oldest_q <= '0;
      some_q <= '0;
    end else begin
      oldest_q <= (its_turn & after) | (~its_turn & first);
      some_q <= choose ? (turn & some_after) | (~turn & some_first) : some_first;
    end
  end

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
      // No later group of its warp may stay on offer before a returned group.
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
