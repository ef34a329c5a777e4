// SPDX-License-Identifier: MIT OR Apache-2.0
// Round-robin arbiter: grants the first request past the last one that took its turn, or else the first of all.
//
//   request_i ---+--- past the last turn ---> [ first ] --+
//                |                                        +---> grant_o, index_o
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
  places_t later, after;
  assign later = request_i & later_q;

`ifdef SYNTHESIS
  // The two searches run in parallel.
  always_comb begin
    after = later != '0 ? above(later) : above(request_i);
    grant_o = (later != '0 ? later : request_i) & ~after;
    index_o = '0;
    for (int i = 0; i < PLACES; i++) if (grant_o[i]) index_o |= IndexBits'(i);
  end
`else
  always_comb begin
    after = '0;
    grant_o = '0;
    index_o = '0;
    if (request_i != '0) begin
      after = above(later != '0 ? later : request_i);
      grant_o = (later != '0 ? later : request_i) & ~after;
      for (int i = 0; i < PLACES; i++) if (grant_o[i]) index_o = IndexBits'(i);
    end
  end
`endif

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) later_q <= '0;
    else if (advance_i) later_q <= after;
  end
endmodule
