// SPDX-License-Identifier: MIT OR Apache-2.0
// lsu_pending between any queue of requests and any memory: an id that is handed out is free, and no two requests in
// flight conflict (PORT-ID, PORT-HAZARD, PORT-CAS; mmio of PTX-SEM; the id that PORT-FAIR leaves to others). And
// lsu_held beside it: what it takes to stand against a warp's request is in flight, and does (PORT-FAIR).
//
// The requests are free, but for an mmio request that is tried before the answer to the one before, which is asserted of
// lsu_order; and so is whether one goes as soon as it may, and whether another is tried after one that does not go. The
// memory answers ids in flight, in any order.

module lsu_pending_proof
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
#(
  parameter int unsigned PENDING = 4,
  parameter int unsigned WARPS = 2,
  parameter int unsigned LINE_BYTES = 4
) (
  input logic                  clk_i,
  input logic                  next_valid_i,
  input logic                  moves_i,
  input logic                  goes_i,
  input logic                  exclusive_i,
  input logic                  write_i,
  input logic                  mmio_i,
  input logic                  warp_i,
  input logic [1:0]            line_i,
  input logic [LINE_BYTES-1:0] be_i,
  input logic                  again_i,
  input id_t                   again_id_i,
  input logic                  again_write_i,
  input logic                  over_i,
  input id_t                   over_id_i,
  input logic                  rsp_valid_i,
  input id_t                   rsp_id_i,
  input scope_e                rsp_scope_i,
  input logic                  rsp_error_i,
  input logic                  rsp_exclusive_failed_i,
  input logic                  rsp_last_i
);
  localparam int unsigned IdBits = $clog2(PENDING);

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  request_t              come, next;  // next: the request of the last look-ahead
  logic [LINE_BYTES-1:0] next_be;
  logic                  issue, look;
  always_comb begin
    come = '0;
    come.exclusive = exclusive_i;
    come.write = write_i && !exclusive_i;
    come.mmio = mmio_i && !exclusive_i;
    come.warp = warp_t'(warp_i);
    come.addr = addr_t'(line_i);
  end
  assign look = issue || moves_i || !rst_ni;
  always_ff @(posedge clk_i) begin
    if (look) begin
      next <= come;
      next_be <= be_i;
    end
  end

  response_t rsp;
  asked_t    asked;
  assign rsp = '{
    id: rsp_id_i, error: rsp_error_i, exclusive_failed: rsp_exclusive_failed_i, scope: rsp_scope_i, last: rsp_last_i
  };
  logic clear, pairs_last, pairs_full;
  logic [PENDING-1:0] pairs;
  id_t  id;
  logic [PENDING-1:0] against;
  logic [WARPS-1:0]   held, mmio_answered, answers;
  logic               blocked;
  /* verilator lint_off PINMISSING */
  lsu_pending #(.PENDING(PENDING), .WARPS(WARPS), .LINE_BYTES(LINE_BYTES)) u_pending (
    .clk_i, .rst_ni, .next_valid_i, .next_i(next), .next_be_i(next_be), .blocked_i(blocked), .clear_o(clear),
    .against_o(against), .id_o(id), .issue_i(issue), .look_i(look), .look_at_i(against_of(come)), .look_be_i(be_i),
    .again_i, .again_id_i, .again_write_i, .over_i, .over_id_i, .fence_i('0), .pairs_o(pairs),
    .pairs_last_o(pairs_last), .pairs_full_o(pairs_full), .mmio_answered_o(mmio_answered), .answers_o(answers),
    .rsp_valid_i, .rsp_i(rsp), .asked_o(asked)
  );

  lsu_held #(.PENDING(PENDING), .WARPS(WARPS), .LINE_BYTES(LINE_BYTES)) u_held (
    .clk_i, .rst_ni, .next_valid_i, .next_i(against_of(next)), .next_be_i(next_be), .tried_i(next_valid_i && goes_i),
    .clear_i(clear), .against_i(against), .id_i(id), .look_i(look), .look_at_i(against_of(come)), .look_be_i(be_i),
    .blocked_o(blocked), .rsp_valid_i, .rsp_id_i, .rsp_pair_i(asked.pair), .rsp_frees_i(asked.frees), .over_i,
    .over_id_i, .pairs_i(pairs), .pairs_last_i(pairs_last), .pairs_full_i(pairs_full), .held_o(held)
  );
  /* verilator lint_on PINMISSING */

  assign issue = next_valid_i && clear && goes_i;

  logic [PENDING-1:0] busy;
  assign busy = u_pending.busy_q;

  function automatic logic has(logic [PENDING-1:0] ids, id_t which);
    return 32'(which) < PENDING && ids[IdBits'(which)];
  endfunction

  always_comb begin
    if (rst_ni) begin
      Known: assume (!rsp_valid_i || asked.known);
      // A pair is answered, goes on, or is over: at most one of these in a cycle.
      Again: assume (!again_i || (has(pairs, again_id_i) && !(rsp_valid_i && rsp_id_i == again_id_i)));
      Over: assume (!over_i || (has(pairs, over_id_i) && !(rsp_valid_i && rsp_id_i == over_id_i) &&
                                !(again_i && again_id_i == over_id_i)));

      Free: assert (!(next_valid_i && clear) || (32'(id) < PENDING && (!busy[IdBits'(id)] ||
                    (rsp_valid_i && rsp_id_i == id && rsp_last_i))));
      Its: assert (32'(next.warp) < WARPS && !(next.exclusive && next.mmio));
      Looked: assert (u_pending.next_q == against_of(next) && u_held.next_pair_q == next.exclusive
                      && u_held.next_write_q == next.write);
      Pairs: assert (32'(u_pending.pairs_q) == $countones(pairs));
      OneLeft: assert ($countones(pairs) < PENDING);
    end
  end
  for (genvar i = 0; i < PENDING; i++) begin : gen_id
    logic   answered_before;  // was answered in the cycle before, and is still the same request
    scope_e scope_before;
    always_ff @(posedge clk_i) begin
      answered_before <= busy[i] && u_pending.answered_q[i] && !(issue && id == id_t'(i));
      scope_before <= u_pending.scope_q[i];
    end

    always_comb begin
      if (rst_ni && busy[i]) begin
        Widest: assert (!answered_before || u_pending.scope_q[i] >= scope_before);
        Entry: assert (32'(u_pending.warp_q[i]) < WARPS && !(pairs[i] && u_pending.mmio_q[i]));
        Line: assert ((u_pending.line_meets_q[i] == '1) == (u_pending.line_q[i] == next.addr));
        Bytes: assert ((u_pending.byte_meets_q[i] != '0) == ((u_pending.be_q[i] & next_be) != '0));
      end
    end
    for (genvar j = 0; j < i; j++) begin : gen_other
      logic both, line, unanswered;
      assign both = busy[i] && busy[j];
      assign line = u_pending.line_q[i] == u_pending.line_q[j];
      assign unanswered = !u_pending.answered_q[i] && !u_pending.answered_q[j];
      always_comb begin
        if (rst_ni) begin
          Own: assert (!(both && line && (pairs[i] || pairs[j])));
          Apart: assert (!(both && line && unanswered && (u_pending.write_q[i] || u_pending.write_q[j]) &&
                           (u_pending.be_q[i] & u_pending.be_q[j]) != '0));
          Mmio: assert (!(both && unanswered && u_pending.mmio_q[i] && u_pending.mmio_q[j] &&
                          u_pending.warp_q[i] == u_pending.warp_q[j]));
        end
      end
    end
  end

  // Of the two warps, whose known request was tried first
  logic elder_q, comes;
  assign comes = next_valid_i && goes_i && !clear && !u_held.known_q[next.warp[0]];
  always_ff @(posedge clk_i) begin
    if (comes) elder_q <= u_held.known_q[!next.warp[0]] ? !next.warp[0] : next.warp[0];
    else if (issue) elder_q <= !next.warp[0];
  end

  for (genvar w = 0; w < WARPS; w++) begin : gen_warp
    against_t              oldest;  // the request that was tried last
    logic [LINE_BYTES-1:0] its_be;
    always_ff @(posedge clk_i) begin
      if (next_valid_i && goes_i && next.warp == warp_t'(w)) begin
        oldest <= against_of(next);
        its_be <= next_be;
      end
    end
    // Whether it conflicts with the next request, of another warp
    logic is_next, conflicts;
    logic went_q;  // a request of the warp went in the cycle before
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) went_q <= 1'b0;
      else went_q <= issue && is_next;
    end
    assign is_next = next_valid_i && next.warp == warp_t'(w);
    assign conflicts = next_valid_i && !is_next && u_held.known_q[w] && oldest.addr == next.addr && (oldest.exclusive
        || next.exclusive || ((oldest.write || next.write) && (its_be & next_be) != '0));
    // Whether a release of the warp would wait, by scope: lsu_store_fence is told when it no longer does.
    logic [PENDING-1:0][3:0] lacks;
    logic [3:0]              waits_of, waited_of_q;
    always_comb begin
      waits_of = '0;
      for (int i = 0; i < PENDING; i++) waits_of |= lacks[i];
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) waited_of_q <= '0;
      else waited_of_q <= waits_of;
    end
    always_comb if (rst_ni) Tells: assert ((waited_of_q & ~waits_of) == '0 || answers[w]);

    // Its known request is a pair, and in the cycle before no pair in flight stood against it, nor anything that was there
    // first
    logic could_q, could_then_q;
    logic other_went_q;  // a request of the other warp went in the cycle before
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        could_q <= 1'b0;
        could_then_q <= 1'b0;
        other_went_q <= 1'b0;
      end else begin
        could_q <= u_held.known_q[w] && oldest.exclusive && (u_held.against_q[w] & pairs) == '0
                   && u_held.yields_q[w] == '0;
        could_then_q <= could_q;
        other_went_q <= issue && !is_next;
      end
    end

    logic               mmio_q;  // an mmio request went, and had no answer
    logic [PENDING-1:0] unanswered_mmio;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) mmio_q <= 1'b0;
      else mmio_q <= (mmio_q && !mmio_answered[w]) || (issue && is_next && next.mmio);
    end
    for (genvar i = 0; i < PENDING; i++) begin : gen_stands
      assign lacks[i] = busy[i] && u_pending.warp_q[i] == warp_t'(w)
          ? ~(u_pending.answered_q[i] ? 4'hf >> (2'd3 - u_pending.scope_q[i]) : 4'h0) : 4'h0;
      assign unanswered_mmio[i] = busy[i] && !u_pending.answered_q[i] && u_pending.mmio_q[i]
          && u_pending.warp_q[i] == warp_t'(w);
      logic line, unanswered, bytes;
      assign line = u_pending.line_q[i] == oldest.addr;
      assign unanswered = !u_pending.answered_q[i];
      assign bytes = (u_pending.write_q[i] || oldest.write) && (u_pending.be_q[i] & its_be) != '0;
      // It is tried again as soon as it may go, and no sooner.
      always_comb begin
        if (rst_ni && u_held.known_q[w]) begin
          Stands: assert ((u_held.against_q[w][i] || (u_held.passed_q[w] && 32'(u_held.passed_id_q) == i))
                          == (busy[i] && line && (pairs[i] || oldest.exclusive || (unanswered && bytes))));
        end
      end
    end
    for (genvar v = 0; v < WARPS; v++) begin : gen_behind
      always_comb begin
        if (rst_ni && u_held.known_q[v] && u_held.behind_q[v][w]) begin
          Behind: assert (v != w && (u_held.known_q[w] ? !u_held.behind_q[w][v] : went_q));
        end
      end
    end
    always_comb begin
      if (rst_ni) begin
        Kind: assert (!held[w] || (u_held.pair_q[w] == oldest.exclusive && oldest.warp == warp_t'(w)));
        MmioWaits: assume (!(is_next && next.mmio && mmio_q));
        // The known request is the oldest of its warp until it goes, which is asserted of lsu_order.
        Same: assume (!(is_next && u_held.known_q[w]) || (oldest == against_of(next) && its_be == next_be));
        if (u_held.known_q[w]) begin
          Known: assert (u_held.line_q[w] == oldest.addr && u_held.be_q[w] == its_be && u_held.write_q[w] == oldest.write
                         && u_held.pair_q[w] == oldest.exclusive && oldest.warp == warp_t'(w));
          First: assert ((u_held.first_q[w] & ~u_held.yields_q[w]) == '0);
          Yields: assert ((u_held.yields_q[w] & ~u_held.against_q[w]) == '0);
        end
        if (u_held.known_q[w] && next.warp != warp_t'(w)) begin
          KnownLine: assert ((u_held.line_meets_q[w] == '1) == (oldest.addr == next.addr));
          KnownBytes: assert ((u_held.byte_meets_q[w] != '0) == ((its_be & next_be) != '0));
        end
        if (next_valid_i) Meets: assert (u_held.meets[w] == conflicts);
        // No request that is tried for the first time passes one that has been passed enough.
        Passes: assert (!(issue && conflicts && u_held.reserves[w] && !u_held.known_q[next.warp[0]]));
        // No pair takes the last id that pairs may have from one that was tried before it, and that no pair in flight, and
        // nothing that was there first, stood against in the two cycles before; but for one that is tried first right
        // after another request of its warp.
        PairTurn: assert (!(issue && next.exclusive && !is_next && pairs_last && could_q && could_then_q
                            && u_held.known_q[w] && (u_held.known_q[next.warp[0]] ? elder_q == 1'(w) : !other_went_q)));
        if (u_held.known_q[w]) begin
          Elder: assert (!(u_held.pair_q[w] && u_held.known_q[1-w] && u_held.pair_q[1-w])
                         || u_held.u_pair_turn.ahead_q[w][1-w] == (elder_q != 1'(w)));
        end
        OwnTurn: assert (!u_held.u_pair_turn.ahead_q[w][w]);
        Could: assert (!u_held.known_q[w] || !could_q || u_held.u_pair_turn.could_q[w]);
        Waits: assert (!(u_held.known_q[w] && could_q && could_then_q) || u_held.pairs_wait[1-w]
                       || (u_held.known_q[1-w] ? elder_q != 1'(w) : other_went_q));
        Answered: assert (mmio_q == (unanswered_mmio != '0));
      end
    end
  end
endmodule
