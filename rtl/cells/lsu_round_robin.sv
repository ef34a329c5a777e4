// SPDX-License-Identifier: MIT OR Apache-2.0
// Whose turn it is: the first request past the last one that had its turn, or else the first of all.
//
//   request_i ---+--- past the last turn ---> [ first ] --+
//                |                                        +---> grant_o, index_o
//                +--- all ------------------> [ first ] --+
//
// grant_o is one-hot, and 0 with no request; index_o is 0 then. A request need not stay. advance_i says that the turn
// was taken; it comes only with a request.

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

  // Those above the lowest: each step reaches twice as far.
  function automatic places_t above(places_t requests);
    above = requests << 1;
    for (int reach = 1; reach < int'(PLACES); reach *= 2) above |= above << reach;
  endfunction

  places_t later_q;  // the places past the last turn
  places_t later, after;
  assign later = request_i & later_q;

`ifdef SYNTHESIS
  // The two searches go side by side.
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
