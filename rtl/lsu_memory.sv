// SPDX-License-Identifier: MIT OR Apache-2.0
// The memory side: a group's lanes become line requests, and the answers become beats.
//
//   dispatch ---> coalesce ---> order ---> mem_req
//                               |   |
//                         pending   cas
//                               |   |
//   beats <------ return <------+---+----- mem_rsp
//
// Wiring only.

module lsu_memory
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
#(
  parameter int unsigned LANES = 32,
  parameter int unsigned LINE_BYTES = 128,
  parameter int unsigned PENDING = 16,
  parameter int unsigned SLOTS = 32
) (
  input  logic clk_i,
  input  logic rst_ni,  // asynchronous, active low

  // From dispatch; words_i is not empty
  input  logic                valid_i,
  output logic                ready_o,
  input  op_t                 op_i,
  input  slot_t               slot_i,
  input  group_t              group_i,
  input  logic                first_i,  // group of its operation
  input  words_t [LANES-1:0]  words_i,
  input  logic [LANES-1:0][3:0] space_i,
  input  addr_t [LANES-1:0]   addr_i,
  input  rows_t               rows_i,
  input  ring_ptr_t           front_i,
  input  logic [LANES*32-1:0] ring_i [RING_BEATS],

  // To the memory port
  output logic                    mem_req_valid_o,
  input  logic                    mem_req_ready_i,
  output id_t                     mem_req_id_o,
  output request_t                mem_req_o,
  output logic [LINE_BYTES-1:0]   mem_req_be_o,
  output logic [LINE_BYTES*8-1:0] mem_req_data_o,

  // From the memory port
  input  logic                    mem_rsp_valid_i,
  output logic                    mem_rsp_ready_o,
  input  id_t                     mem_rsp_id_i,
  input  logic [LINE_BYTES*8-1:0] mem_rsp_data_i,
  input  logic                    mem_rsp_error_i,
  input  logic                    mem_rsp_exclusive_failed_i,
  input  scope_e                  mem_rsp_scope_i,
  input  logic                    mem_rsp_last_i,

  // Whether a request of a warp waits, or has no answer of at least a scope (PTX-SEM)
  input  warp_t  fence_warp_i,
  input  scope_e fence_scope_i,
  output logic   fence_waits_o,

  // To lsu_inflight: a request more, and a first answer
  output logic   sent_o,
  output logic   sent_final_o,
  output slot_t  sent_slot_o,
  output logic   answer_o,
  output logic   answer_error_o,
  output logic   settled_o,  // of what is no load, the answer that its operation waits for
  output slot_t  answer_slot_o,
  output lane_words_t answer_served_o,
  output logic   over_o,     // a compare-and-store wrote nothing, and waits for no answer
  output slot_t  over_slot_o,

  // To lsu_writeback
  output logic                beat_valid_o,
  input  logic                beat_ready_i,
  output beat_t               beat_o,
  output logic [LANES-1:0]    beat_mask_o,
  output logic [LANES*32-1:0] beat_data_o
);
  logic                    line_valid, line_ready;
  request_t                line, next;
  logic [LINE_BYTES-1:0]   line_be, next_be;
  logic [LINE_BYTES*8-1:0] line_data;

  assign sent_o = line_valid && line_ready;
  assign sent_slot_o = line.slot;

  lsu_coalesce #(.LANES(LANES), .LINE_BYTES(LINE_BYTES)) u_coalesce (
    .clk_i, .rst_ni,
    .valid_i, .ready_o, .op_i, .slot_i, .group_i, .words_i, .space_i, .addr_i, .rows_i, .front_i, .ring_i,
    .valid_o(line_valid), .ready_i(line_ready), .final_o(sent_final_o), .request_o(line), .be_o(line_be),
    .data_o(line_data)
  );

  logic order_waits, pending_waits;
  assign fence_waits_o = (line_valid && line.warp == fence_warp_i) || order_waits || pending_waits;

  logic next_valid, next_clear, issue;
  logic                    again_valid, again_ready;
  id_t                     again_id;
  request_t                again;
  logic [LINE_BYTES-1:0]   again_be;
  logic [LINE_BYTES*8-1:0] again_data;
  id_t  next_id;

  lsu_order #(.LINE_BYTES(LINE_BYTES)) u_order (
    .clk_i, .rst_ni,
    .valid_i(line_valid), .ready_o(line_ready), .request_i(line), .be_i(line_be), .data_i(line_data),
    .next_valid_o(next_valid), .next_o(next), .next_be_o(next_be), .clear_i(next_clear), .id_i(next_id),
    .issue_o(issue), .again_valid_i(again_valid), .again_ready_o(again_ready), .again_id_i(again_id), .again_i(again),
    .again_be_i(again_be), .again_data_i(again_data), .fence_warp_i, .fence_waits_o(order_waits),
    .mem_req_valid_o, .mem_req_ready_i, .mem_req_id_o, .mem_req_o, .mem_req_be_o, .mem_req_data_o
  );

  logic   rsp_take, rsp_first, rsp_load, rsp_settles, rsp_line, rsp_refused, rsp_known;
  id_t    over_id;
  group_t rsp_group;
  words_t rsp_together;
  assign rsp_take = mem_rsp_valid_i && mem_rsp_ready_o;
  assign answer_o = rsp_take && rsp_known && rsp_first;
  assign settled_o = rsp_take && rsp_known && rsp_settles;

  lsu_pending #(.PENDING(PENDING), .LINE_BYTES(LINE_BYTES)) u_pending (
    .clk_i, .rst_ni,
    .next_valid_i(next_valid), .next_i(next), .next_be_i(next_be), .clear_o(next_clear), .id_o(next_id),
    .issue_i(issue), .again_i(again_ready), .again_id_i(again_id), .again_write_i(again.write),
    .over_i(over_o), .over_id_i(over_id), .fence_warp_i, .fence_scope_i, .fence_waits_o(pending_waits),
    .rsp_valid_i(rsp_take), .rsp_id_i(mem_rsp_id_i), .rsp_scope_i(mem_rsp_scope_i), .rsp_error_i(mem_rsp_error_i),
    .rsp_exclusive_failed_i(mem_rsp_exclusive_failed_i), .rsp_last_i(mem_rsp_last_i), .rsp_first_o(rsp_first),
    .rsp_load_o(rsp_load), .rsp_settles_o(rsp_settles), .rsp_bad_o(answer_error_o), .rsp_line_o(rsp_line),
    .rsp_refused_o(rsp_refused), .rsp_slot_o(answer_slot_o), .rsp_group_o(rsp_group),
    .rsp_served_o(answer_served_o), .rsp_together_o(rsp_together), .rsp_known_o(rsp_known)
  );

  lsu_cas #(.LANES(LANES), .LINE_BYTES(LINE_BYTES), .PENDING(PENDING), .SLOTS(SLOTS)) u_cas (
    .clk_i, .rst_ni,
    .open_i(valid_i && ready_o && op_i.kind == KindCmpStore), .open_slot_i(slot_i), .open_addr_i(addr_i), .front_i,
    .ring_i,
    .begin_i(issue && next.exclusive), .begin_id_i(next_id), .begin_request_i(next), .begin_be_i(next_be),
    .line_i(rsp_take && rsp_known && rsp_line), .refused_i(rsp_take && rsp_known && rsp_refused),
    .rsp_id_i(mem_rsp_id_i), .rsp_slot_i(answer_slot_o), .rsp_served_i(answer_served_o), .rsp_data_i(mem_rsp_data_i),
    .again_valid_o(again_valid), .again_ready_i(again_ready), .again_id_o(again_id), .again_o(again),
    .again_be_o(again_be), .again_data_o(again_data),
    .over_o, .over_id_o(over_id), .over_slot_o
  );

  lsu_return #(.LANES(LANES), .LINE_BYTES(LINE_BYTES), .SLOTS(SLOTS)) u_return (
    .clk_i, .rst_ni,
    .open_i(valid_i && ready_o && first_i), .open_slot_i(slot_i), .open_op_i(op_i), .open_group_i(group_i),
    .open_addr_i(addr_i),
    .rsp_valid_i(mem_rsp_valid_i), .rsp_ready_o(mem_rsp_ready_o), .rsp_data_i(mem_rsp_data_i),
    .rsp_error_i(mem_rsp_error_i), .rsp_first_i(rsp_first), .rsp_load_i(rsp_load), .rsp_slot_i(answer_slot_o),
    .rsp_group_i(rsp_group), .rsp_served_i(answer_served_o), .rsp_together_i(rsp_together), .rsp_known_i(rsp_known),
    .beat_valid_o, .beat_ready_i, .beat_o, .beat_mask_o, .beat_data_o
  );
endmodule
