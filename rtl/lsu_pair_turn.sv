// SPDX-License-Identifier: MIT OR Apache-2.0
// Which compare-and-store may take the last id that pairs may have: of those that could use it, the one that was tried
// first (PORT-FAIR). Without this, whoever happens to be tried as an id comes free would go, and another for ever wait.
//
// Those could use it that no pair in flight stands against, for that one may be refused for ever. Other requests are
// answered in time, and the last id is kept meanwhile: as soon as it was taken, others could use the line again.

module lsu_pair_turn
  import lsu_internal_pkg::*;
#(
  parameter int unsigned PENDING = 16,
  parameter int unsigned WARPS = 8
) (
  input  logic clk_i,
  input  logic rst_ni,  // asynchronous, active low

  // From lsu_held, by warp: a pair that was tried in vain is known, and the ids that stand against it; and whose request
  // is tried
  input  logic [WARPS-1:0]              known_i,
  input  logic [WARPS-1:0][PENDING-1:0] against_i,
  input  logic [WARPS-1:0]              tried_i,
  input  logic [WARPS-1:0]              next_i,  // the same, even if it may not go now

  // From lsu_pending: the pairs in flight; they leave one id of those that they may have; they left none in the cycle
  // before
  input  logic [PENDING-1:0] pairs_i,
  input  logic               pairs_last_i,
  input  logic               pairs_full_i,

  // A pair that is next must let another one go first; and by warp, so must the known one
  output logic             blocked_o,
  output logic [WARPS-1:0] waits_o
);
  logic [WARPS-1:0][WARPS-1:0] ahead_q;   // by warp: whose known pairs were tried before its own
  logic [WARPS-1:0]            could_q;   // whose pairs could use the id

  logic [WARPS-1:0] could, ahead;
  // In the cycle in which an id comes free could_q does not tell yet against whom it stood.
  assign could = pairs_full_i ? known_i : could_q;
  always_comb begin
    ahead = (known_i & next_i) == '0 ? known_i : '0;
    waits_o = '0;
    if (needed(known_i != '0)) for (int w = 0; w < WARPS; w++) begin
      if (known_i[w] && next_i[w]) ahead |= ahead_q[w];
      waits_o[w] = pairs_last_i && (ahead_q[w] & could_q) != '0;
    end
  end
  assign blocked_o = pairs_last_i && (ahead & could) != '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ahead_q <= '0;
      could_q <= '0;
    end else if (needed((known_i | could_q) != '0)) begin
      for (int w = 0; w < WARPS; w++) begin
        ahead_q[w] <= (tried_i[w] && !known_i[w] ? ~next_i : ahead_q[w]) & known_i;
        could_q[w] <= known_i[w] && (against_i[w] & pairs_i) == '0;
      end
    end
  end
endmodule
