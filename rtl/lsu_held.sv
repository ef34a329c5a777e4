// SPDX-License-Identifier: MIT OR Apache-2.0
// Which warps' oldest requests are held back: each was tried and could not go, and what stood against it is still
// there. lsu_order does not try them meanwhile, so they take no turns from other warps (PORT-FAIR).
//
// Nothing is compared here. A request is held until each id that stood against it was answered, or its pair is over.
// Whether it may go then shows when it is tried again. Without a free id it is held for one cycle: others cannot go
// either. An mmio request behind another one is held from the beginning: its warp has no other one that is not issued.

module lsu_held
  import lsu_pkg::*;
#(
  parameter int unsigned PENDING = 16,
  parameter int unsigned WARPS = 8
) (
  input  logic clk_i,
  input  logic rst_ni,  // asynchronous, active low

  // From lsu_order and lsu_pending: a request is tried, and the ids that stand against it
  input  logic               tried_i,
  input  warp_t              warp_i,
  input  logic               exclusive_i,
  input  logic               mmio_i,
  input  logic               clear_i,  // it goes; known late
  input  logic [PENDING-1:0] against_i,

  // From lsu_order: an mmio request arrives that may not go
  input  logic  waits_i,
  input  warp_t waits_warp_i,

  // An answer is taken, and a pair is over without one
  input  logic rsp_valid_i,
  input  id_t  rsp_id_i,
  input  logic over_i,
  input  id_t  over_id_i,

  // From lsu_pending: no further pair may begin; by warp, no further mmio request may go
  input  logic             pairs_held_i,
  input  logic [WARPS-1:0] mmio_held_i,

  output logic [WARPS-1:0] held_o
);
  localparam int unsigned WarpBits = WARPS > 1 ? $clog2(WARPS) : 1;

  logic [WARPS-1:0][PENDING-1:0] against_q;
  logic [WARPS-1:0]              pair_q;  // the request begins a pair
  logic [WARPS-1:0]              mmio_q;  // it is an mmio request
  logic [PENDING-1:0]            ends;
  assign ends = (rsp_valid_i ? PENDING'(1) << rsp_id_i : '0) | (over_i ? PENDING'(1) << over_id_i : '0);

  logic [WARPS-1:0] tried, waits;
  always_comb begin
    tried = '0;
    waits = '0;
    if (tried_i) tried[WarpBits'(warp_i)] = 1'b1;
    if (waits_i) waits[WarpBits'(waits_warp_i)] = 1'b1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      held_o <= '0;
    end else begin
      for (int w = 0; w < WARPS; w++) begin
        if (waits[w]) held_o[w] <= 1'b1;
        else if (tried[w]) held_o[w] <= !clear_i;
        else if (against_q[w] == '0 && !(pair_q[w] && pairs_held_i) && !(mmio_q[w] && mmio_held_i[w])) held_o[w] <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    for (int w = 0; w < WARPS; w++) begin
      if (waits[w]) begin
        against_q[w] <= '0;
        pair_q[w] <= 1'b0;
        mmio_q[w] <= 1'b1;
      end else if (tried[w]) begin
        against_q[w] <= against_i & ~ends;
        pair_q[w] <= exclusive_i;
        mmio_q[w] <= mmio_i;
      end else begin
        against_q[w] <= against_q[w] & ~ends;
      end
    end
  end
endmodule
