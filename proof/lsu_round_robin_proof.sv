// SPDX-License-Identifier: MIT OR Apache-2.0
// lsu_round_robin beside a loop that walks on from the last turn: the grants must agree, and a place that keeps asking
// waits for no more turns than there are other places, if none is preferred.
//
// Which places ask, which of them are preferred, and when a turn is taken, is free.

module lsu_round_robin_proof #(
  parameter int unsigned PLACES = 6,
  localparam int unsigned IndexBits = $clog2(PLACES)
) (
  input logic              clk_i,
  input logic [PLACES-1:0] prefer_i,
  input logic [PLACES-1:0] request_i,
  input logic              advance_i
);
  typedef logic [IndexBits:0] count_t;

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic [PLACES-1:0]    grant;
  logic [IndexBits-1:0] index;
  lsu_round_robin #(.PLACES(PLACES)) u_turn (
    .clk_i, .rst_ni, .prefer_i, .request_i, .advance_i, .grant_o(grant), .index_o(index)
  );

  count_t last_q;  // the place that had the last turn
  count_t expected;
  logic        found;
  logic [PLACES-1:0] among;
  assign among = prefer_i != '0 ? prefer_i : request_i;
  always_comb begin
    expected = '0;
    found = 1'b0;
    for (int step = 1; step <= PLACES; step++) begin
      automatic count_t place = last_q + count_t'(step);
      if (place >= count_t'(PLACES)) place = place - count_t'(PLACES);
      if (!found && among[place[IndexBits-1:0]]) begin
        expected = place;
        found = 1'b1;
      end
    end
  end

  count_t turns_q [PLACES];  // turns that other places had since this one began to ask
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      last_q <= count_t'(PLACES - 1);
      for (int i = 0; i < PLACES; i++) turns_q[i] <= '0;
    end else begin
      if (advance_i) last_q <= expected;
      for (int i = 0; i < PLACES; i++) begin
        if (!request_i[i] || prefer_i != '0 || (advance_i && expected == count_t'(i))) turns_q[i] <= '0;
        else if (advance_i) turns_q[i] <= turns_q[i] + count_t'(1);
      end
    end
  end

  always_comb begin
    if (rst_ni) begin
      Asked: assume (!advance_i || request_i != '0);
      Preferred: assume ((prefer_i & ~request_i) == '0);
      Grant: assert (grant == (found ? PLACES'(1) << expected : '0));
      Index: assert (count_t'(index) == expected);
      // Invariants that tie the two together.
      Last: assert (last_q < count_t'(PLACES));
      Later: assert (u_turn.later_q == PLACES'(~((PLACES'(2) << last_q) - PLACES'(1))));
    end
  end
  for (genvar i = 0; i < PLACES; i++) begin : gen_place
    // The number of places before this one in the round.
    count_t round, ahead;
    assign round = count_t'(i + PLACES - 1) - last_q;
    assign ahead = round >= count_t'(PLACES) ? round - count_t'(PLACES) : round;
    always_comb begin
      if (rst_ni) Turns: assert (32'(turns_q[i]) + 32'(ahead) < PLACES);
    end
  end
endmodule
