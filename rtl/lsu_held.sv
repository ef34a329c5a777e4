// SPDX-License-Identifier: MIT OR Apache-2.0
// Which warps' oldest requests are held back: each was tried and could not go, and what stood against it is still
// there. lsu_order does not try them meanwhile, so they take no turns from other warps (PORT-FAIR).
//
// A request that was tried in vain is known here: it is compared with each request that goes after it, so it is tried
// again only when it may go. Without a free id it is held for one cycle: others cannot go either.
//
// Requests that conflict with a known one may pass it as long as one of those is unanswered that stood against it
// first. Then no more may, or it might wait for ever (PORT-FAIR).

module lsu_held
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
#(
  parameter int unsigned PENDING = 16,
  parameter int unsigned WARPS = 8,
  parameter int unsigned LINE_BYTES = 128
) (
  input  logic clk_i,
  input  logic rst_ni,  // asynchronous, active low

  // From lsu_order and lsu_pending: the request that is next; it may go now, if it can; and the ids that stand against
  // it, or the one that it gets
  input  logic                  next_valid_i,
  input  against_t              next_i,
  input  logic [LINE_BYTES-1:0] next_be_i,
  input  logic                  tried_i,
  input  logic                  clear_i,  // it can; known late
  input  logic [PENDING-1:0]    against_i,
  input  id_t                   id_i,
  input  logic                  look_i,   // look-ahead: in the next cycle another one is next
  input  against_t              look_at_i,
  input  logic [LINE_BYTES-1:0] look_be_i,
  output logic                  blocked_o,  // it must not pass a known one

  // An answer is taken, to a half of a pair or not, after which its id is free or not; and a pair is over without one
  input  logic rsp_valid_i,
  input  id_t  rsp_id_i,
  input  logic rsp_pair_i,
  input  logic rsp_frees_i,
  input  logic over_i,
  input  id_t  over_id_i,

  // From lsu_pending: the pairs in flight; of the ids that they may have, one is left, or none
  input  logic [PENDING-1:0] pairs_i,
  input  logic               pairs_last_i,
  input  logic               pairs_full_i,

  output logic [WARPS-1:0] held_o
);
  localparam int unsigned WarpBits = WARPS > 1 ? $clog2(WARPS) : 1;
  typedef logic [WARPS-1:0] warps_t;
  typedef logic [PENDING-1:0] ids_t;

  // By warp
  warps_t                known_q;
  addr_t                 line_q [WARPS];  // of the known request
  logic [LINE_BYTES-1:0] be_q [WARPS];
  warps_t                write_q;
  warps_t                pair_q;
  ids_t   [WARPS-1:0]    against_q;   // ids that stand against it,
  ids_t   [WARPS-1:0]    first_q;     // ... and those of them that it may be passed for
  warps_t [WARPS-1:0]    behind_q;    // warps whose known request it must not pass, and that have not gone
  ids_t   [WARPS-1:0]    yields_q;    // ids of first_q, and of requests that it was behind: others take turns before it

  logic pairs_full_q;  // a cycle late

  warps_t is_next, tried;
  always_comb begin
    is_next = '0;
    if (next_valid_i) is_next[WarpBits'(next_i.warp)] = 1'b1;
  end
  assign tried = tried_i ? is_next : '0;

  // The next request beside each known one, compared in the cycle before
  // ---------------------------------------------------------------------
  logic                    next_pair_q, next_write_q;
  addr_parts_t [WARPS-1:0] line_meets_q;
  byte_parts_t [WARPS-1:0] byte_meets_q;
  always_ff @(posedge clk_i) begin
    if (look_i) begin
      next_pair_q <= look_at_i.exclusive;
      next_write_q <= look_at_i.write;
      for (int w = 0; w < WARPS; w++) begin
        if (needed(known_q[w] || (tried[w] && !clear_i))) begin
          // What is next now may be known then.
          automatic addr_t line = is_next[w] ? next_i.addr : line_q[w];
          automatic logic [LINE_BYTES-1:0] be = is_next[w] ? next_be_i : be_q[w];
          line_meets_q[w] <= equal_parts(line, look_at_i.addr);
          byte_meets_q[w] <= shared_parts(line_be_t'(be), line_be_t'(look_be_i));
        end
      end
    end
  end

  warps_t meets, reserves;  // by warp: its known request conflicts with the next one; and must not be passed any more
  always_comb begin
    meets = '0;
    reserves = '0;
    if (needed(known_q != '0)) for (int w = 0; w < WARPS; w++) begin
      if (known_q[w] && !is_next[w] && line_meets_q[w] == '1) begin
        meets[w] = next_pair_q || pair_q[w] || ((next_write_q || write_q[w]) && byte_meets_q[w] != '0);
      end
      // What has to wait for others' pairs holds up nobody.
      reserves[w] = known_q[w] && first_q[w] == '0 && !(pair_q[w] && pairs_full_q);
    end
  end

  // The next request must not pass one that has been passed enough, and might wait for ever (PORT-FAIR). What it
  // may pass when it is tried first it may always pass: so no two wait for each other.
  warps_t firsts;  // the warps whose requests go before the next one
  assign firsts = meets & reserves & ((known_q & is_next) == '0 ? '1 : behind_q[WarpBits'(next_i.warp)]);

  // Nor may a pair take the last id that pairs may have from one that was tried before it (lsu_pair_turn).
  warps_t pairs_wait;
  lsu_pair_turn #(.PENDING(PENDING), .WARPS(WARPS)) u_pair_turn (
    .clk_i, .rst_ni, .known_i(known_q & pair_q), .against_i(against_q), .yields_i(yields_q), .tried_i(tried),
    .pairs_i, .pairs_full_i(pairs_full_i || pairs_full_q), .waits_o(pairs_wait)
  );
  assign blocked_o = next_valid_i && (firsts != '0 || (next_pair_q && pairs_last_i && (is_next & pairs_wait) != '0));

  // What stands against each
  // ------------------------
  ids_t             answered, freed, passed;
  ids_t [WARPS-1:0] ends;
  logic             issue;
  warps_t           passed_q;  // that a request conflicts with which went in the cycle before
  warps_t           went_q;    // the warp of the request that was tried then
  ids_t [WARPS-1:0] let_go;    // ids of those that it was behind
  id_t              passed_id_q;
  assign issue = tried_i && clear_i;
  assign passed = PENDING'(1) << passed_id_q;
  assign answered = rsp_valid_i ? PENDING'(1) << rsp_id_i : '0;
  assign freed = (rsp_frees_i ? PENDING'(1) << rsp_id_i : '0) | (over_i ? PENDING'(1) << over_id_i : '0);
  always_comb begin
    ends = '0;
    if (needed(rsp_valid_i || over_i)) for (int w = 0; w < WARPS; w++) begin
      // A pair shares its line with no other request until its id is free (PORT-CAS).
      ends[w] = freed;
      if (!rsp_pair_i && !(is_next[w] ? next_i.exclusive : pair_q[w])) ends[w] |= answered;
    end
  end

  // What its pair was behind, and what stood against it first, may be answered late: others take turns meanwhile.
  always_comb begin
    for (int w = 0; w < WARPS; w++) let_go[w] = passed_q[w] && (behind_q[w] & went_q) != '0 ? passed : '0;
  end

  warps_t stands;  // by warp: something stands against its request
  always_comb begin
    stands = '0;
    for (int w = 0; w < WARPS; w++) if (needed(held_o[w])) begin
      stands[w] = against_q[w] != '0 || passed_q[w] || behind_q[w] != '0
          || (pair_q[w] && (pairs_full_i || (pairs_last_i && pairs_wait[w])));
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      held_o <= '0;
      known_q <= '0;
      passed_q <= '0;
      pairs_full_q <= 1'b0;
    end else begin
      passed_q <= issue ? meets : '0;
      pairs_full_q <= pairs_full_i;
      for (int w = 0; w < WARPS; w++) begin
        if (tried[w]) begin
          known_q[w] <= !clear_i;
          held_o[w] <= !clear_i;
        end else if (issue && meets[w]) held_o[w] <= 1'b1;
        else if (!stands[w]) held_o[w] <= 1'b0;
      end
    end
  end

  // clear_i is known late: few registers depend on it.
  always_ff @(posedge clk_i) begin
    passed_id_q <= id_i;
    went_q <= is_next;
    for (int w = 0; w < WARPS; w++) begin
      if (tried[w]) begin
        line_q[w] <= next_i.addr;
        be_q[w] <= next_be_i;
        write_q[w] <= next_i.write;
        pair_q[w] <= next_i.exclusive;
        // An answer that is missed here would be waited for without end (PORT-PROGRESS).
        against_q[w] <= against_i & ~ends[w];
        first_q[w] <= (known_q[w] ? first_q[w] : against_i) & ~ends[w];
        yields_q[w] <= (known_q[w] ? yields_q[w] | let_go[w] : against_i) & ~ends[w];
        behind_q[w] <= firsts;
      end else if (needed(known_q[w])) begin
        against_q[w] <= (against_q[w] | (passed_q[w] ? passed : '0)) & ~ends[w];
        first_q[w] <= first_q[w] & ~ends[w];
        yields_q[w] <= (yields_q[w] | let_go[w]) & ~ends[w];
        // A request that has gone reserves nothing, and is waited for no longer (PORT-PROGRESS).
        behind_q[w] <= behind_q[w] & reserves;
      end
    end
  end
endmodule
