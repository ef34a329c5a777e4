// SPDX-License-Identifier: MIT OR Apache-2.0
// Round-robin arbiter: grants the first request past the last one that took its turn, or else the first of all. Those
// of prefer_i, which are requests as well, go before the others.
//
//   prefer_i  ---+--- past the last turn ---> [ first ] --+
//                +--- all ------------------> [ first ] --+
//   request_i ---+--- past the last turn ---> [ first ] --+---> grant_o, index_o
//                +--- all ------------------> [ first ] --+
//
// grant_o is one-hot, or 0 without a request, and index_o is then 0, too. A request need not stay. advance_i tells that
// the granted request takes its turn; it is set only with a request.

module lsu_round_robin #(
  parameter int unsigned PLACES = 8,
  localparam int unsigned IndexBits = PLACES > 1 ? $clog2(PLACES) : 1
) (
  input  logic clk_i,
  input  logic rst_ni,  // asynchronous, active low

  input  logic [PLACES-1:0]    prefer_i,
  input  logic [PLACES-1:0]    request_i,
  input  logic                 advance_i,
  output logic [PLACES-1:0]    grant_o,
  output logic [IndexBits-1:0] index_o
);
  typedef logic [PLACES-1:0] places_t;

  // The places above the lowest request: each step reaches twice as far.
  function automatic places_t above(places_t requests);
    above = requests << 1;
    for (int reach = 1; reach < int'(PLACES); reach *= 2) above |= above << reach;
  endfunction

  places_t later_q;  // the places past the last turn
  places_t after;

`ifdef SYNTHESIS
  // The four searches run in parallel.
  places_t [3:0] sets;
  logic    [3:0] some, found;
  always_comb begin
    sets = {request_i, request_i & later_q, prefer_i, prefer_i & later_q};
    for (int n = 0; n < 4; n++) some[n] = sets[n] != '0;
    // Of the four, the first that has a request.
    found = some & ~{|some[2:0], |some[1:0], some[0], 1'b0};
    after = '0;
    grant_o = '0;
    for (int n = 0; n < 4; n++) begin
      after |= above(sets[n]) & {PLACES{found[n]}};
      grant_o |= sets[n] & ~above(sets[n]) & {PLACES{found[n]}};
    end
    index_o = '0;
    for (int i = 0; i < PLACES; i++) if (grant_o[i]) index_o |= IndexBits'(i);
  end
`else
  places_t among, later;
  always_comb begin
    after = '0;
    grant_o = '0;
    index_o = '0;
    among = prefer_i != '0 ? prefer_i : request_i;
    later = among & later_q;
    if (request_i != '0) begin
      after = above(later != '0 ? later : among);
      grant_o = (later != '0 ? later : among) & ~after;
      for (int i = 0; i < PLACES; i++) if (grant_o[i]) index_o = IndexBits'(i);
    end
  end
`endif

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) later_q <= '0;
    else if (advance_i) later_q <= after;
  end
endmodule
