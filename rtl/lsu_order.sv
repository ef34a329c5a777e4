// SPDX-License-Identifier: MIT OR Apache-2.0
// Sends requests in the order in which they come, each as soon as nothing in flight stands against it.
//
//                 +---------+     hazard, id     +----------+
//   coalesce ---> | 2 deep  |---> lsu_pending -->| register |---> mem_req
//                 +---------+         cas ------>|          |
//                                                +----------+
//
// The short queue cuts the ready path: ready_o depends on registers alone. What is offered stays, because a
// request is registered in the pending table, with its id, before it is offered (PORT-HOLD, PORT-ORDER). The rest of
// a compare-and-store's pair has its id already; it and the queue take turns when both have something (PORT-CAS).

module lsu_order
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
#(
  parameter int unsigned LINE_BYTES = 128
) (
  input  logic clk_i,
  input  logic rst_ni,  // asynchronous, active low

  // From lsu_coalesce
  input  logic                    valid_i,
  output logic                    ready_o,
  input  request_t                request_i,
  input  logic [LINE_BYTES-1:0]   be_i,
  input  logic [LINE_BYTES*8-1:0] data_i,

  // To and from lsu_pending: the request that waits, and whether it may go
  output logic                  next_valid_o,
  output request_t              next_o,
  output logic [LINE_BYTES-1:0] next_be_o,
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

  // Whether a request of a warp waits here
  input  warp_t                 fence_warp_i,
  output logic                  fence_waits_o,

  // To the memory port
  output logic                    mem_req_valid_o,
  input  logic                    mem_req_ready_i,
  output id_t                     mem_req_id_o,
  output request_t                mem_req_o,
  output logic [LINE_BYTES-1:0]   mem_req_be_o,
  output logic [LINE_BYTES*8-1:0] mem_req_data_o
);
  request_t                request_q [2];
  logic [LINE_BYTES-1:0]   be_q [2];
  logic [LINE_BYTES*8-1:0] data_q [2];
  logic [1:0]              count_q;
  logic                    front_q;

  logic push, back;
  assign ready_o = count_q != 2'd2;
  assign push = valid_i && ready_o;
  assign back = front_q ^ count_q[0];

  assign next_valid_o = count_q != 2'd0;
  assign next_o = request_q[front_q];
  assign next_be_o = be_q[front_q];
  assign fence_waits_o = (next_valid_o && next_o.warp == fence_warp_i)
      || (count_q == 2'd2 && request_q[~front_q].warp == fence_warp_i);

  logic room, turn_q;  // turn_q: the pairs' turn
  assign room = !mem_req_valid_o || mem_req_ready_i;
  assign again_ready_o = room && again_valid_i && (turn_q || !(next_valid_o && clear_i));
  assign issue_o = room && next_valid_o && clear_i && !again_ready_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q <= 2'd0;
      front_q <= 1'b0;
      mem_req_valid_o <= 1'b0;
      turn_q <= 1'b0;
    end else begin
      count_q <= count_q + 2'(push) - 2'(issue_o);
      front_q <= front_q ^ issue_o;
      mem_req_valid_o <= issue_o || again_ready_o || (mem_req_valid_o && !mem_req_ready_i);
      if (issue_o || again_ready_o) turn_q <= issue_o;
    end
  end

  always_ff @(posedge clk_i) begin
    if (push) begin
      request_q[back] <= request_i;
      be_q[back] <= be_i;
      data_q[back] <= data_i;
    end
    if (issue_o) begin
      mem_req_id_o <= id_i;
      mem_req_o <= request_q[front_q];
      mem_req_be_o <= be_q[front_q];
      mem_req_data_o <= data_q[front_q];
    end else if (again_ready_o) begin
      mem_req_id_o <= again_id_i;
      mem_req_o <= again_i;
      mem_req_be_o <= again_be_i;
      mem_req_data_o <= again_data_i;
    end
  end
endmodule
