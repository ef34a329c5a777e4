// SPDX-License-Identifier: MIT OR Apache-2.0
// Issues each warp's requests in the order in which they arrive, each as soon as none in flight conflicts with it.
//
//                +----------------+     hazard, id     +----------+
//   merge  --->  | a queue a warp |---> lsu_pending -->| register |---> mem_req
//                +----------------+         cas ------>|          |
//                                                      +----------+
//
// Each cycle tries one warp's oldest request; the next cycle tries another warp's, if there is one. A request that could
// not go is not tried again as long as what stood against it is there (lsu_held): it delays no other warp (PORT-FAIR).
// Nor does an mmio request that waits for the answer to the one before: it, and what is behind it, only then counts as
// being in the queue (PTX-SEM, PORT-ORDER).
// lsu_coalesce makes a request only if there is room for it here. An offer stays, because a request enters the table of
// lsu_pending, with its id, before it is offered (PORT-HOLD, PORT-ORDER). The further requests of a compare-and-store's
// pair come from lsu_cas, with their id; they and the queues take turns when both have a request (PORT-CAS).

module lsu_order
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
#(
  parameter int unsigned LINE_BYTES = 128,
  parameter int unsigned WARPS = 8
) (
  input  logic clk_i,
  input  logic rst_ni,  // asynchronous, active low

  // From and to lsu_coalesce and lsu_store: a request is made; by warp, whether it may make another one, and whether it
  // has none that is not yet issued
  input  logic             coming_i,
  input  warp_t            coming_warp_i,
  output logic [WARPS-1:0] room_o,  // a register, because of its fan-out and long wires
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
  output logic                  look_o,     // look-ahead: in the next cycle another one is tried
  output against_t              look_at_o,
  output logic [LINE_BYTES-1:0] look_be_o,
  input  logic                  clear_i,  // an id is free, and there is no hazard
  input  logic                  lacks_id_i,  // no id was free as the cycle began; a register's value
  input  id_t                   id_i,
  output logic                  issue_o,  // the request goes, with this id

  // To and from lsu_held: the request that is tried may go now; by warp, whether its oldest one is held back
  output logic             tried_o,
  input  logic [WARPS-1:0] held_i,

  // By warp: from lsu_pending, its mmio request has its first answer; and its oldest request waits for that
  input  logic [WARPS-1:0] mmio_answered_i,
  output logic [WARPS-1:0] waits_o,

  // From lsu_cas: the next request of a pair
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
  // Enough for one warp alone to cover the round trip from lsu_coalesce to here and back, and some to spare.
  localparam int unsigned Depth = 8;
  localparam int unsigned DepthBits = $clog2(Depth);
  localparam int unsigned WarpBits = WARPS > 1 ? $clog2(WARPS) : 1;
  typedef logic [WarpBits-1:0] warp_index_t;
  typedef logic [DepthBits-1:0] ptr_t;
  typedef logic [DepthBits:0] count_t;
  typedef logic [WarpBits+DepthBits-1:0] place_ptr_t;

  request_t                request_mem [2**(WarpBits+DepthBits)];
  logic [LINE_BYTES-1:0]   be_mem [2**(WarpBits+DepthBits)];
  logic [LINE_BYTES*8-1:0] data_mem [2**(WarpBits+DepthBits)];
  count_t [WARPS-1:0]      coming_d, coming_q;  // made and not yet issued; with the one that went_q reports
  count_t [WARPS-1:0]      count_q;   // in the queue, and may be tried; likewise
  logic [WARPS-1:0]        one_q, two_q;  // at least one of these, at least two; without that one
  logic                    went_q;    // a request was issued in the cycle before; issue_o is known too late to count
  warp_index_t             went_warp_q;
  ptr_t [WARPS-1:0]        front_q, back_q;

  // Requests that may not be tried yet: an mmio request, and what is behind it
  logic [WARPS-1:0]            hidden_q;  // there are some
  ptr_t [WARPS-1:0]            shown_q;   // the oldest of them
  logic [WARPS-1:0][Depth-1:0] mmio_q;    // by place: it is an mmio request
  logic [WARPS-1:0]            mmio_busy_q;  // an mmio request may be tried, or is not answered

  warp_index_t coming_warp, warp, try_q;
  assign coming_warp = warp_index_t'(coming_warp_i);
  assign warp = warp_index_t'(request_i.warp);

  place_ptr_t at_q;  // place of the request that is tried; a register, because it addresses all memories
  always_comb begin
    next_o = '0;
    next_be_o = '0;
    if (needed(next_valid_o)) begin
      next_o = request_mem[at_q];
      next_o.warp = warp_t'(at_q[DepthBits+:WarpBits]);
      next_be_o = be_mem[at_q];
    end
  end

  // The turn alternates whether or not it is used, so a pair does not wait until a hazard is found (PORT-FAIR).
  logic room, turn_q, tries;  // turn_q: the pairs' turn; tries: a queued request may go
  assign room = !mem_req_valid_o || mem_req_ready_i;
  assign tries = room && !(again_valid_i && turn_q);
  assign again_ready_o = room && again_valid_i && (turn_q || !next_valid_o);
  assign tried_o = tries && next_valid_o;
  assign issue_o = tried_o && clear_i;

  // The warp that is tried next, as if the current request went. The round robin advances only when a queued request
  // may go: otherwise a warp whose turns always fell on the pairs' cycles would never go (PORT-FAIR).
  logic [WARPS-1:0] some;
  logic             moves;
  logic [WARPS-1:0] granted;
  warp_index_t      turn, then_try;
  ptr_t [WARPS-1:0] then_front;  // the request that each would try
  always_comb begin
    some = one_q & ~held_i;
    then_front = front_q;
    if (next_valid_o) begin
      some[try_q] = two_q[try_q];
      then_front[try_q] = front_q[try_q] + ptr_t'(1);
    end
  end

  // While no id is free, the request that is tried keeps its turn until it goes: ids come free at memory's pace, and
  // turns that go round meanwhile may always fall on the same warp when one does (PORT-FAIR).
  assign moves = (tries && !lacks_id_i) || !next_valid_o;
  lsu_round_robin #(.PLACES(WARPS)) u_turn (
    .clk_i, .rst_ni, .prefer_i('0), .request_i(some), .advance_i((moves || issue_o) && some != '0), .grant_o(granted),
    .index_o(turn)
  );

  // One mmio request of a warp at a time, until its first answer (PTX-SEM).
  logic [WARPS-1:0] direct, shows, joins;  // by warp: the arriving request may be tried; the oldest hidden one; either
  always_comb begin
    direct = '0;
    if (valid_i) direct[warp] = !hidden_q[warp] && !(request_i.mmio && mmio_busy_q[warp]);
    shows = '0;
    if (needed(hidden_q != '0)) for (int w = 0; w < WARPS; w++) begin
      shows[w] = hidden_q[w] && !(mmio_q[w][shown_q[w]] && mmio_busy_q[w]);
    end
  end
  assign joins = direct | shows;
  assign waits_o = hidden_q & ~one_q;

  // An arriving request is tried in the next cycle, if there is no other, and none of its warp is before it.
  logic arrives;
  assign arrives = direct != '0 && (!held_i[warp] || warp == try_q);
  assign then_try = some != '0 ? turn : arrives ? warp : try_q;

  // Finding conflicts takes long, so lsu_pending compares a request in the cycle before it is tried. A request that is
  // tried again was compared before.
  place_ptr_t look;
  assign look = {turn, then_front[turn]};
  // Each warp has a memory for what is compared, read before it is known whose turn it is.
  typedef struct packed {
    against_t              against;
    logic [LINE_BYTES-1:0] be;
  } look_t;
  look_t then_look [WARPS];
  for (genvar w = 0; w < WARPS; w++) begin : gen_look
    look_t look_mem [Depth];
    assign then_look[w] = look_mem[then_front[w]];
    always_ff @(posedge clk_i) begin
      if (valid_i && warp == warp_index_t'(w)) look_mem[back_q[w]] <= '{against: against_of(request_i), be: be_i};
    end
  end
  logic others;  // the next request is not the one that is tried now
  assign others = (moves && then_try != try_q) || !next_valid_o || issue_o;
  assign look_o = others && needed(some != '0 || arrives);
  always_comb begin
    look_at_o = '0;
    look_be_o = '0;
    if (needed(look_o)) begin
      for (int w = 0; w < WARPS; w++) if (granted[w]) begin
        look_at_o |= then_look[w].against;
        look_be_o |= then_look[w].be;
      end
      if (some == '0) begin
        look_at_o |= against_of(request_i);
        look_be_o |= be_i;
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
      hidden_q <= '0;
      shown_q <= '0;
      mmio_busy_q <= '0;
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
      if (needed(joins != '0 || went_q)) for (int w = 0; w < WARPS; w++) begin
        if (joins[w] != went[w]) count_q[w] <= joins[w] ? count_q[w] + count_t'(1) : count_q[w] - count_t'(1);
      end
      if (needed(issue_o || joins != '0)) for (int w = 0; w < WARPS; w++) begin
        automatic logic goes = issue_o && try_q == warp_index_t'(w);
        if (joins[w] != goes) begin
          one_q[w] <= joins[w] || two_q[w];
          two_q[w] <= joins[w] ? one_q[w] : count_q[w] > (went[w] ? count_t'(3) : count_t'(2));
        end
        if (goes) front_q[w] <= front_q[w] + ptr_t'(1);
      end
      mmio_busy_q <= mmio_busy_q & ~mmio_answered_i;
      if (needed(valid_i || joins != '0)) for (int w = 0; w < WARPS; w++) begin
        automatic logic is_here = valid_i && warp == warp_index_t'(w);
        if (is_here) back_q[w] <= back_q[w] + ptr_t'(1);
        if (joins[w]) shown_q[w] <= shown_q[w] + ptr_t'(1);
        if ((direct[w] && request_i.mmio) || (shows[w] && mmio_q[w][shown_q[w]])) mmio_busy_q[w] <= 1'b1;
        // Until the last one is shown: what stays hidden never goes (PORT-PROGRESS).
        if (shows[w] && shown_q[w] + ptr_t'(1) == back_q[w]) hidden_q[w] <= 1'b0;
        if (is_here) hidden_q[w] <= !direct[w];
      end
      if (others) try_q <= then_try;
      next_valid_o <= !others || some != '0 || arrives;
      mem_req_valid_o <= issue_o || again_ready_o || (mem_req_valid_o && !mem_req_ready_i);
      if (room) turn_q <= !turn_q;
    end
  end

  always_ff @(posedge clk_i) begin
    went_warp_q <= try_q;
    if (others) at_q <= some != '0 ? look : {warp, back_q[warp]};
    if (valid_i) begin
      // In order of arrival (PORT-ORDER).
      request_mem[{warp, back_q[warp]}] <= request_i;
      be_mem[{warp, back_q[warp]}] <= be_i;
      mmio_q[warp][back_q[warp]] <= request_i.mmio;
      // A read's data are 0 in any case.
      if (needed(request_i.write)) data_mem[{warp, back_q[warp]}] <= data_i;
    end
    // clear_i is known late: only mem_req_valid_o depends on it, and the payload is loaded in any case.
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
