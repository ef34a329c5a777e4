// SPDX-License-Identifier: MIT OR Apache-2.0
// Which compare-and-store may take the last id that pairs may have: of those that could use it, the one that was tried
// first (PORT-FAIR). Without this, whoever is tried as an id comes free would go, and another one might wait for ever.
//
// A pair that stands behind a pair in flight could not use the id: memory may refuse that one for ever. Nor could one
// that stands behind requests which were there first: their answers may be late. One that stands behind requests which
// passed it counts. The id is kept for it meanwhile: given to a third, it would be gone when they are answered, and others
// could take the line again.

module lsu_pair_turn
  import lsu_internal_pkg::*;
#(
  parameter int unsigned PENDING = 16,
  parameter int unsigned WARPS = 8
) (
  input  logic clk_i,
  input  logic rst_ni,  // asynchronous, active low

  // From lsu_held, by warp: its oldest request is a pair that was tried in vain; the ids that stand against it; those of
  // them that were there first; and its oldest request, of whatever kind, is tried now
  input  logic [WARPS-1:0]              known_i,
  input  logic [WARPS-1:0][PENDING-1:0] against_i,
  input  logic [WARPS-1:0][PENDING-1:0] yields_i,
  input  logic [WARPS-1:0]              tried_i,

  // From lsu_pending: the pairs in flight; they have all ids that they may have, or had in the cycle before
  input  logic [PENDING-1:0] pairs_i,
  input  logic               pairs_full_i,

  // By warp: its pair, known or not, must leave the last id to another one; a register, since what follows is long
  output logic [WARPS-1:0] waits_o
);
  logic [WARPS-1:0][WARPS-1:0] ahead_q;  // by warp: whose known pairs were tried before its own
  logic [WARPS-1:0]            could_q;  // whose pairs could use the id

  // could_q is late: as an id comes free, the pair that ended still stands against those behind it. All count then.
  logic [WARPS-1:0] could;
  assign could = pairs_full_i ? known_i : could_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ahead_q <= '0;
      could_q <= '0;
      waits_o <= '0;
    end else if (needed((known_i | could_q | waits_o) != '0)) begin
      for (int w = 0; w < WARPS; w++) begin
        automatic logic [WARPS-1:0] others = ~(WARPS'(1) << w);
        ahead_q[w] <= (tried_i[w] && !known_i[w] ? others : ahead_q[w]) & known_i;
        could_q[w] <= known_i[w] && ((against_i[w] & pairs_i) | yields_i[w]) == '0;
        waits_o[w] <= ((known_i[w] ? ahead_q[w] : others) & could) != '0;
      end
    end
  end
endmodule
