// SPDX-License-Identifier: MIT OR Apache-2.0
// Which release of lsu_store may go: nothing older of its warp is in the store or in the scratchpad, waits to be
// issued, or is in flight without an answer of its scope (PTX-SEM).
//
//   held, nothing older waits ---> [ turn ] ---> its warp and scope ---> lsu_pending ---> it may go
//
// One release a cycle enters this pipeline. Nothing older can arrive, so a condition that is fulfilled stays fulfilled,
// and the conditions may be checked in different cycles. A release enters once, and again after each answer to its warp:
// others take no turns from a release that may go (PORT-FAIR).

module lsu_store_fence
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
#(
  parameter int unsigned WARPS = 8,
  localparam int unsigned WarpBits = WARPS > 1 ? $clog2(WARPS) : 1
) (
  input  logic clk_i,
  input  logic rst_ni,  // asynchronous, active low

  // By entry
  input  entries_t held_i,             // a release that may not go yet
  input  entries_t undone_i,           // requests are still to be made, or the scratchpad is still to take it
  input  entries_t older_i [ENTRIES],  // those of its warp that came before it
  input  logic [ENTRIES-1:0][WarpBits-1:0] warp_i,
  input  scope_e [ENTRIES-1:0]         scope_i,
  output entries_t passes_o,           // may go

  // By warp: it has no request that is not yet issued
  input  logic [WARPS-1:0] idle_i,

  // From lsu_scratchpad: operations whose words are not all accessed
  input  logic [1:0]  spad_busy_i,
  input  warp_t [1:0] spad_busy_warp_i,

  // To and from lsu_pending: whether a warp has requests without an answer of at least a scope
  output fence_t fence_o,
  input  logic   fence_waits_i,
  input  logic [WARPS-1:0] answers_i  // by warp: in the cycle before, a request of it was answered, or a pair was over
);
  typedef logic [WarpBits-1:0] warp_index_t;

  entries_t looked_at, looked_at_q, in_spad;  // in_spad: a release whose warp is at work in the scratchpad
  entries_t asked_q, asks, takes;  // asked_q: it has entered, and its warp had no answer since
  logic     looked_q, fence_q;
  warp_t    fence_warp_q;
  scope_e   fence_scope_q;
  entry_t   looked_entry, looked_entry_q, fence_entry_q;
  always_comb begin
    in_spad = '0;
    looked_at = '0;
    if (held_i != '0) for (int e = 0; e < ENTRIES; e++) begin
      if (held_i[e]) begin
        in_spad[e] = (spad_busy_i[0] && warp_i[e] == warp_index_t'(spad_busy_warp_i[0]))
            || (spad_busy_i[1] && warp_i[e] == warp_index_t'(spad_busy_warp_i[1]));
        looked_at[e] = !in_spad[e] && (older_i[e] & undone_i) == '0 && idle_i[warp_i[e]];
      end
    end
  end

  assign asks = looked_at_q & ~asked_q;
  lsu_round_robin #(.PLACES(ENTRIES)) u_turn (
    .clk_i, .rst_ni, .prefer_i('0), .request_i(asks), .advance_i(asks != '0), .grant_o(takes), .index_o(looked_entry)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      looked_at_q <= '0;
      asked_q <= '0;
      looked_q <= 1'b0;
      fence_q <= 1'b0;
    end else begin
      looked_at_q <= looked_at;
      looked_q <= asks != '0;
      if (held_i == '0) asked_q <= '0;
      else for (int e = 0; e < ENTRIES; e++) asked_q[e] <= held_i[e] && (takes[e] || (asked_q[e] && !answers_i[warp_i[e]]));
      fence_q <= looked_q;
    end
  end

  always_ff @(posedge clk_i) begin
    looked_entry_q <= looked_entry;
    fence_entry_q <= looked_entry_q;
    fence_warp_q <= warp_t'(warp_i[looked_entry_q]);
    fence_scope_q <= scope_i[looked_entry_q];
  end

  assign fence_o = '{valid: fence_q, warp: fence_warp_q, scope: fence_scope_q};
  assign passes_o = fence_q && !fence_waits_i ? entries_t'(1) << fence_entry_q : '0;
endmodule
