// SPDX-License-Identifier: MIT OR Apache-2.0
// lsu_order with lsu_held, beside a record of one request, whichever arrives as it is chosen: how many of its warp are
// ahead of it, and what it was. It must go after these and no others, once, and as it arrived (PORT-ORDER); an offer
// must stay until it is taken (PORT-HOLD); and neither the queues nor the pairs may keep the others from the port
// (PORT-FAIR). An mmio request goes after the answer to the one before (PTX-SEM). lsu_pending must be told a cycle ahead
// which request is tried.
//
// The requests are free, and so is when one arrives after it was made, what stands against it, what is answered, and
// when memory takes one. lsu_coalesce makes a request only if there is room for it.

module lsu_order_proof
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
#(
  parameter int unsigned LINE_BYTES = 1,
  parameter int unsigned WARPS = 2,
  parameter int unsigned PENDING = 2
) (
  input logic                    clk_i,
  input logic                    coming_i,
  input logic                    coming_warp_i,
  input logic                    valid_i,
  input request_t                request_i,
  input logic [LINE_BYTES-1:0]   be_i,
  input logic [LINE_BYTES*8-1:0] data_i,
  input logic                    follows_i,  // the arriving request is the one to follow, unless another one is
  input logic                    free_i,
  input logic                    lacks_id_i,
  input logic [PENDING-1:0]      against_i,
  input logic [PENDING-1:0]      pairs_i,
  input logic                    pairs_last_i,
  input logic                    pairs_full_i,
  input logic [WARPS-1:0]        mmio_answered_i,
  input logic                    rsp_valid_i,
  input id_t                     rsp_id_i,
  input logic                    rsp_pair_i,
  input logic                    rsp_frees_i,
  input logic                    over_i,
  input id_t                     over_id_i,
  input id_t                     id_i,
  input logic                    again_valid_i,
  input id_t                     again_id_i,
  input request_t                again_i,
  input logic [LINE_BYTES-1:0]   again_be_i,
  input logic [LINE_BYTES*8-1:0] again_data_i,
  input logic                    mem_req_ready_i
);
  localparam int unsigned Depth = 8;
  typedef logic [5:0] count_t;
  typedef logic [2:0] place_t;

  typedef struct packed {
    request_t                request;
    logic [LINE_BYTES-1:0]   be;
    logic [LINE_BYTES*8-1:0] data;
  } item_t;

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic                    tried, arrives;  // the warp whose request is tried, or arrives
  assign tried = u_order.try_q;
  assign arrives = request_i.warp[0];

  logic [WARPS-1:0]        room, idle, held, waits;
  logic                    next_valid, look, issue, tries, again_ready, mem_valid, clear, blocked;
  request_t                next, mem_request;
  against_t                look_at;
  logic [LINE_BYTES-1:0]   next_be, look_be, mem_be;
  logic [LINE_BYTES*8-1:0] mem_data;
  id_t                     mem_id;
  assign clear = free_i && against_i == '0 && !blocked && !(next.exclusive && pairs_full_i);
  lsu_order #(.LINE_BYTES(LINE_BYTES), .WARPS(WARPS)) u_order (
    .clk_i, .rst_ni, .coming_i, .coming_warp_i(warp_t'(coming_warp_i)), .room_o(room), .idle_o(idle),
    .valid_i, .request_i, .be_i, .data_i, .next_valid_o(next_valid), .next_o(next), .next_be_o(next_be), .look_o(look),
    .look_at_o(look_at), .look_be_o(look_be), .clear_i(clear), .lacks_id_i, .id_i, .issue_o(issue),
    .tried_o(tries),
    .held_i(held), .mmio_answered_i, .waits_o(waits), .again_valid_i, .again_ready_o(again_ready), .again_id_i, .again_i,
    .again_be_i, .again_data_i,
    .mem_req_valid_o(mem_valid), .mem_req_ready_i, .mem_req_id_o(mem_id), .mem_req_o(mem_request),
    .mem_req_be_o(mem_be), .mem_req_data_o(mem_data)
  );
  // That next.warp is this warp is asserted of the request that is followed.
  against_t next_against;
  always_comb begin
    next_against = against_of(next);
    next_against.warp = warp_t'(tried);
  end
  lsu_held #(.PENDING(PENDING), .WARPS(WARPS), .LINE_BYTES(LINE_BYTES)) u_held (
    .clk_i, .rst_ni, .next_valid_i(next_valid), .next_i(next_against), .next_be_i(next_be), .tried_i(tries),
    .clear_i(clear), .against_i, .id_i, .look_i(look), .look_at_i(look_at), .look_be_i(look_be), .blocked_o(blocked),
    .rsp_valid_i, .rsp_id_i, .rsp_pair_i, .rsp_frees_i, .over_i, .over_id_i, .pairs_i, .pairs_last_i, .pairs_full_i,
    .held_o(held)
  );

  // By warp: requests that have arrived; the oldest of these, which may be tried; those that were made and have not
  // arrived. And whether an mmio request has gone that is not answered
  count_t [WARPS-1:0] size_q, open_q, made_q;
  logic [WARPS-1:0]   mmio_q;

  // The request that is followed: in the queue, with so many ahead of it; then offered
  logic   follows_q, offered_q;
  logic   warp_q;
  count_t ahead_q;
  item_t  item_q;
  id_t    offered_id_q;

  // The last cycle's offer, if it was not taken
  logic  stays_q;
  id_t   stays_id_q;
  item_t stays_item_q;

  // What lsu_pending was told, and whether a pair, or a queued request, was passed over in the last cycle in which
  // something could be offered
  against_t              looked_at_q;
  logic [LINE_BYTES-1:0] looked_be_q;
  logic                  again_passed_q, next_passed_q;

  logic left_q;  // in the last cycle some warp had a request that nothing held back, and that did not go

  // Of a request, all but whom it serves, which would double the time; that lies in the same memory.
  function automatic request_t all_but(request_t request);
    all_but = request;
    all_but.served = '0;
    all_but.together = '0;
  endfunction

  logic space, goes, is_next;
  assign space = !mem_valid || mem_req_ready_i;
  assign is_next = follows_q && next_valid && tried == warp_q && ahead_q == '0;
  assign goes = issue && is_next;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      size_q <= '0;
      open_q <= '0;
      mmio_q <= '0;
      made_q <= '0;
      follows_q <= 1'b0;
      offered_q <= 1'b0;
      stays_q <= 1'b0;
      again_passed_q <= 1'b0;
      next_passed_q <= 1'b0;
      left_q <= 1'b0;
    end else begin
      for (int w = 0; w < WARPS; w++) begin
        size_q[w] <= size_q[w] + count_t'(valid_i && arrives == 1'(w)) - count_t'(issue && tried == 1'(w));
        open_q[w] <= open_q[w] + count_t'(u_order.joins[w]) - count_t'(issue && tried == 1'(w));
        mmio_q[w] <= (mmio_q[w] && !mmio_answered_i[w]) || (issue && tried == 1'(w) && u_order.mmio_q[w][u_order.front_q[w]]);
        made_q[w] <= made_q[w] + count_t'(coming_i && coming_warp_i == 1'(w)) - count_t'(valid_i && arrives == 1'(w));
      end
      if (!follows_q && !offered_q) follows_q <= valid_i && follows_i;
      else if (goes) follows_q <= 1'b0;
      offered_q <= goes || (offered_q && !mem_req_ready_i);
      stays_q <= mem_valid && !mem_req_ready_i;
      left_q <= 1'b0;
      for (int w = 0; w < WARPS; w++) begin
        if (open_q[w] > count_t'(issue && tried == 1'(w)) && !held[w]) left_q <= 1'b1;
      end
      if (space) begin
        again_passed_q <= again_valid_i && !again_ready;
        next_passed_q <= next_valid && again_ready;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!follows_q && !offered_q) begin
      warp_q <= arrives;
      ahead_q <= size_q[arrives] - count_t'(issue && tried == arrives);
      item_q <= '{request: all_but(request_i), be: be_i, data: data_i};
    end else if (issue && tried == warp_q) begin
      ahead_q <= ahead_q - count_t'(1);
    end
    if (goes) offered_id_q <= id_i;
    stays_id_q <= mem_id;
    stays_item_q <= {mem_request, mem_be, mem_data};
    if (look) begin
      looked_at_q <= look_at;
      looked_be_q <= look_be;
    end
  end

  // Where it is in the queues
  logic [3:0] at;
  logic [$bits(against_t)+LINE_BYTES-1:0] compared;  // what is kept for comparing it
  assign at = {warp_q, place_t'(u_order.front_q[warp_q] + place_t'(ahead_q))};
  assign compared = warp_q ? u_order.gen_look[1].look_mem[at[2:0]] : u_order.gen_look[0].look_mem[at[2:0]];

  always_comb begin
    if (rst_ni) begin
      Room: assume (!coming_i || room[coming_warp_i]);
      Made: assume (!valid_i || (32'(request_i.warp) < WARPS && made_q[arrives] != '0));
      Answered: assume ((mmio_answered_i & ~mmio_q) == '0);

      One: assert (!(issue && again_ready) && (space || !(issue || again_ready)));
      if (valid_i) Fits: assert (size_q[arrives] < count_t'(Depth));
      if (issue) Some: assert (next_valid && size_q[tried] != '0);
      if (is_next) begin
        Order: assert (all_but(next) == item_q.request && next_be == item_q.be);
        MmioWaits: assert (!(item_q.request.mmio && mmio_q[warp_q]));
        Looked: assert (looked_at_q == against_of(item_q.request) && looked_be_q == item_q.be);
      end
      if (offered_q) Payload: assert (mem_valid && mem_id == offered_id_q && all_but(mem_request) == item_q.request
                                      && mem_be == item_q.be && (!item_q.request.write || mem_data == item_q.data));
      if (stays_q) Stays: assert (mem_valid && mem_id == stays_id_q && {mem_request, mem_be, mem_data} == stays_item_q);
      if (left_q) Tries: assert (next_valid);
      // Pairs and queues alternate.
      if (again_valid_i && space && again_passed_q) PairsTurn: assert (again_ready);
      if (next_valid && next_passed_q) QueuesTurn: assert (!again_ready);

      // Invariants
      Passed: assert ((!again_passed_q || u_order.turn_q) && (!next_passed_q || !u_order.turn_q));
      Kept: assert (!(follows_q && offered_q));
      if (follows_q) begin
        Ahead: assert (ahead_q < size_q[warp_q]);
        Item: assert (all_but(u_order.request_mem[at]) == item_q.request && u_order.be_mem[at] == item_q.be
                      && compared == {against_of(item_q.request), item_q.be}
                      && (!item_q.request.write || u_order.data_mem[at] == item_q.data));
        Mmio: assert (u_order.mmio_q[warp_q][at[2:0]] == item_q.request.mmio);
        Warp: assert (item_q.request.warp == warp_t'(warp_q));
        // What lsu_held knows is the oldest request of the warp.
        if (ahead_q == '0 && u_held.known_q[warp_q]) begin
          Known: assert (u_held.line_q[warp_q] == item_q.request.addr && u_held.be_q[warp_q] == item_q.be
                         && u_held.write_q[warp_q] == item_q.request.write
                         && u_held.pair_q[warp_q] == item_q.request.exclusive);
        end
      end
      if (next_valid) Tried: assert (u_order.at_q == {tried, u_order.front_q[tried]} && open_q[tried] != '0);
      if (!next_valid) Nothing: assert (!held[tried] && !u_held.known_q[tried]);
    end
  end

  for (genvar w = 0; w < WARPS; w++) begin : gen_warp
    logic went;
    assign went = u_order.went_q && u_order.went_warp_q == 1'(w);
    logic [Depth-1:0] open_mmio;  // by place: an mmio request that may be tried
    for (genvar n = 0; n < Depth; n++) begin : gen_place
      place_t after;  // its place in the queue
      assign after = place_t'(n) - u_order.front_q[w];
      assign open_mmio[n] = u_order.mmio_q[w][n] && count_t'(after) < open_q[w];
    end
    always_comb begin
      if (rst_ni) begin
        Idle: assert (idle[w] == (size_q[w] == '0 && made_q[w] == '0 && !went));
        Held: assert (!(held[w] || u_held.known_q[w]) || open_q[w] != '0);

        Coming: assert (count_t'(u_order.coming_q[w]) == size_q[w] + made_q[w] + count_t'(went)
                        && count_t'(u_order.coming_q[w]) <= count_t'(Depth) && size_q[w] <= count_t'(Depth)
                        && made_q[w] <= count_t'(Depth));
        Free: assert (room[w] == (count_t'(u_order.coming_q[w]) != count_t'(Depth)));
        Count: assert (count_t'(u_order.count_q[w]) == open_q[w] + count_t'(went));
        Least: assert (u_order.one_q[w] == (open_q[w] != '0) && u_order.two_q[w] == (open_q[w] > count_t'(1)));
        // One mmio request of a warp at a time is open or not answered, and what is not open is behind it.
        Open: assert (open_q[w] <= size_q[w] && u_order.hidden_q[w] == (open_q[w] != size_q[w])
                      && u_order.shown_q[w] == place_t'(u_order.front_q[w] + place_t'(open_q[w])));
        OneMmio: assert ((open_mmio & (open_mmio - 1'b1)) == '0 && !(open_mmio != '0 && mmio_q[w])
                         && u_order.mmio_busy_q[w] == (open_mmio != '0 || mmio_q[w]));
        Waits: assert (waits[w] == (size_q[w] != '0 && open_q[w] == '0));
        Back: assert (u_order.back_q[w] == place_t'(u_order.front_q[w] + place_t'(size_q[w])));
      end
    end
  end
endmodule
