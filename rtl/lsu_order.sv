// SPDX-License-Identifier: MIT OR Apache-2.0
// Sends a warp's requests in the order in which they come, each as soon as nothing in flight stands against it.
//
//                +----------------+     hazard, id     +----------+
//   merge  --->  | a queue a warp |---> lsu_pending -->| register |---> mem_req
//                +----------------+         cas ------>|          |
//                                                      +----------+
//
// One warp's oldest request is tried in a cycle, and then another warp's if there is one, so that who is held holds nobody
// (PORT-FAIR). lsu_coalesce makes no request that has no room here. What is offered stays, because a request is
// registered in the pending table, with its id, before it is offered (PORT-HOLD, PORT-ORDER). The rest of a
// compare-and-store's pair has its id already; it and the queues take turns when both have something (PORT-CAS).

module lsu_order
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
#(
  parameter int unsigned LINE_BYTES = 128,
  parameter int unsigned WARPS = 8
) (
  input  logic clk_i,
  input  logic rst_ni,  // asynchronous, active low

  // From and to lsu_coalesce and lsu_store: a request is on its way; by warp, whether one more may be, and whether none is
  input  logic             coming_i,
  input  warp_t            coming_warp_i,
  output logic [WARPS-1:0] room_o,  // as the cycle begins: much hangs on it, and it has a long way
  output logic [WARPS-1:0] idle_o,

  // From lsu_merge
  input  logic                    valid_i,
  input  request_t                request_i,
  input  logic [LINE_BYTES-1:0]   be_i,
  input  logic [LINE_BYTES*8-1:0] data_i,

  // To and from lsu_pending: the request that is tried, and whether it may go
  output logic                  next_valid_o,
  output request_t              next_o,
  output logic [LINE_BYTES-1:0] next_be_o,
  output logic                  look_o,     // another one is tried in the next cycle, if there is one
  output against_t              look_at_o,
  output logic [LINE_BYTES-1:0] look_be_o,
  input  logic                  clear_i,  // an id is free and no hazard stands
  input  id_t                   id_i,
  output logic                  issue_o,  // takes the id

  // From lsu_cas: what follows in a pair
  input  logic                    again_valid_i,
  output logic                    again_ready_o,
  input  id_t                     again_id_i,
  input  request_t                again_i,
  input  logic [LINE_BYTES-1:0]   again_be_i,
  input  logic [LINE_BYTES*8-1:0] again_data_i,

  // To the memory port
  output logic                    mem_req_valid_o,
  input  logic                    mem_req_ready_i,
  output id_t                     mem_req_id_o,
  output request_t                mem_req_o,
  output logic [LINE_BYTES-1:0]   mem_req_be_o,
  output logic [LINE_BYTES*8-1:0] mem_req_data_o
);
  // Of a warp alone: as many as pass from lsu_coalesce to here and back, and some to spare.
  localparam int unsigned Depth = 8;
  localparam int unsigned DepthBits = $clog2(Depth);
  localparam int unsigned WarpBits = WARPS > 1 ? $clog2(WARPS) : 1;
  typedef logic [WarpBits-1:0] warp_index_t;
  typedef logic [DepthBits-1:0] ptr_t;
  typedef logic [DepthBits:0] count_t;
  typedef logic [WarpBits+DepthBits-1:0] place_ptr_t;

  request_t                request_mem [2**(WarpBits+DepthBits)];
  against_t                against_mem [2**(WarpBits+DepthBits)];  // of these
  logic [LINE_BYTES-1:0]   be_mem [2**(WarpBits+DepthBits)];
  logic [LINE_BYTES*8-1:0] data_mem [2**(WarpBits+DepthBits)];
  count_t [WARPS-1:0]      coming_d, coming_q;  // on their way or here; with the one that went_q tells of
  count_t [WARPS-1:0]      count_q;   // here; so too
  logic [WARPS-1:0]        one_q, two_q;  // one at least, two at least
  logic                    went_q;    // a request went in the cycle before: that one goes is known late, and counted then
  warp_index_t             went_warp_q;
  ptr_t [WARPS-1:0]        front_q, back_q;

  warp_index_t coming_warp, warp, try_q;
  assign coming_warp = warp_index_t'(coming_warp_i);
  assign warp = warp_index_t'(request_i.warp);

  place_ptr_t at_q;  // where it lies, that is tried: all memories wait for it, so it is there as the cycle begins
  always_comb begin
    next_o = '0;
    next_be_o = '0;
    if (needed(next_valid_o)) begin
      next_o = request_mem[at_q];
      next_be_o = be_mem[at_q];
    end
  end

  // The turn changes whether or not it is used: a pair does not wait to hear that a hazard
  // stands (PORT-FAIR).
  logic room, turn_q, tries;  // turn_q: the pairs' turn; tries: a request may go
  assign room = !mem_req_valid_o || mem_req_ready_i;
  assign tries = room && !(again_valid_i && turn_q);
  assign again_ready_o = room && again_valid_i && (turn_q || !next_valid_o);
  assign issue_o = tries && next_valid_o && clear_i;

  // The warp that is tried next, as if this one's request went. Only where one may go: else a warp whose turn falls on
  // the others' cycles every time would never go (PORT-FAIR).
  logic [WARPS-1:0] some;
  logic             moves;
  warp_index_t      turn, try_d;
  ptr_t [WARPS-1:0] then_front;  // of what each is tried with
  always_comb begin
    some = one_q;
    some[try_q] = two_q[try_q];
    then_front = front_q;
    then_front[try_q] = front_q[try_q] + ptr_t'(1);
  end

  assign moves = tries || !next_valid_o;
  lsu_round_robin #(.PLACES(WARPS)) u_turn (
    .clk_i, .rst_ni, .request_i(some), .advance_i(moves && some != '0), .grant_o(), .index_o(turn)
  );
  // What comes in this cycle is tried in the next if there is nothing else.
  always_comb begin
    try_d = try_q;
    if (moves) try_d = some != '0 ? turn : valid_i ? warp : try_q;
  end

  // What stands against a request takes long to find, so it is looked for in the cycle before. A request that did not go
  // and is tried again has been looked at.
  place_ptr_t look;
  assign look = {turn, then_front[turn]};
  logic others;  // it is not the one that was tried
  assign others = !next_valid_o || try_d != try_q || issue_o;
  assign look_o = others && needed(some != '0 || valid_i);
  always_comb begin
    look_at_o = '0;
    look_be_o = '0;
    if (needed(look_o)) begin
      if (some != '0) begin
        look_at_o = against_mem[look];
        look_be_o = be_mem[look];
      end else begin
        look_at_o = against_of(request_i);
        look_be_o = be_i;
      end
    end
  end

  logic [WARPS-1:0] went;
  always_comb begin
    went = '0;
    if (went_q) went[went_warp_q] = 1'b1;
  end

  logic [WARPS-1:0] comes;
  always_comb begin
    comes = '0;
    if (coming_i) comes[coming_warp] = 1'b1;
    coming_d = coming_q;
    if (needed(coming_i || went_q)) for (int w = 0; w < WARPS; w++) begin
      if (comes[w] != went[w]) coming_d[w] = comes[w] ? coming_q[w] + count_t'(1) : coming_q[w] - count_t'(1);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      coming_q <= '0;
      room_o <= '1;
      idle_o <= '1;
      count_q <= '0;
      one_q <= '0;
      two_q <= '0;
      front_q <= '0;
      back_q <= '0;
      try_q <= '0;
      next_valid_o <= 1'b0;
      mem_req_valid_o <= 1'b0;
      turn_q <= 1'b0;
      went_q <= 1'b0;
    end else begin
      went_q <= issue_o;
      if (needed(coming_i || went_q)) begin
        coming_q <= coming_d;
        for (int w = 0; w < WARPS; w++) begin
          room_o[w] <= !coming_d[w][DepthBits];
          idle_o[w] <= coming_d[w] == '0;
        end
      end
      if (valid_i || went_q) for (int w = 0; w < WARPS; w++) begin
        automatic logic is_here = valid_i && warp == warp_index_t'(w);
        if (is_here != went[w]) count_q[w] <= is_here ? count_q[w] + count_t'(1) : count_q[w] - count_t'(1);
      end
      if (issue_o || valid_i) for (int w = 0; w < WARPS; w++) begin
        automatic logic goes = issue_o && try_q == warp_index_t'(w);
        automatic logic is_here = valid_i && warp == warp_index_t'(w);
        if (is_here != goes) begin
          one_q[w] <= is_here || two_q[w];
          two_q[w] <= is_here ? one_q[w] : count_q[w] > (went[w] ? count_t'(3) : count_t'(2));
        end
        if (goes) front_q[w] <= front_q[w] + ptr_t'(1);
        if (is_here) back_q[w] <= back_q[w] + ptr_t'(1);
      end
      try_q <= try_d;
      next_valid_o <= !others || some != '0 || valid_i;
      mem_req_valid_o <= issue_o || again_ready_o || (mem_req_valid_o && !mem_req_ready_i);
      if (room) turn_q <= !turn_q;
    end
  end

  always_ff @(posedge clk_i) begin
    went_warp_q <= try_q;
    if (others) at_q <= some != '0 ? look : {warp, back_q[warp]};
    if (valid_i) begin
      // In the order in which they come (PORT-ORDER).
      request_mem[{warp, back_q[warp]}] <= request_i;
      against_mem[{warp, back_q[warp]}] <= against_of(request_i);
      be_mem[{warp, back_q[warp]}] <= be_i;
      // A read's are zeros.
      if (needed(request_i.write)) data_mem[{warp, back_q[warp]}] <= data_i;
    end
    // Whether it may go is known late, and counts for mem_req_valid_o alone.
    if (again_ready_o) begin
      mem_req_id_o <= again_id_i;
      mem_req_o <= again_i;
      mem_req_be_o <= again_be_i;
      mem_req_data_o <= again_data_i;
    end else if (room && next_valid_o) begin
      mem_req_id_o <= id_i;
      mem_req_o <= next_o;
      mem_req_be_o <= next_be_o;
      mem_req_data_o <= needed(next_o.write) ? data_mem[at_q] : '0;
    end
  end
endmodule
