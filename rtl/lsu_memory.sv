// SPDX-License-Identifier: MIT OR Apache-2.0
// The memory side: turns a group's lanes into line requests, and memory's answers into write-back beats.
//
//   lsu_store ---> coalesce ---> merge ---> order ---> mem_req
//                                           |   |
//                               held, pending   cas
//                                           |   |
//   beats <----------- return <-------------+---+----- mem_rsp
//
// Wiring only.

module lsu_memory
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
#(
  parameter int unsigned LANES = 32,
  parameter int unsigned LINE_BYTES = 128,
  parameter int unsigned WARPS = 8,
  parameter int unsigned PENDING = 16,
  parameter int unsigned SLOTS = 32,
  localparam int unsigned LineBits = ADDR_WIDTH - $clog2(LINE_BYTES)
) (
  input  logic clk_i,
  input  logic rst_ni,  // asynchronous, active low

  // From lsu_window: an operation's first group
  input  logic                open_i,
  input  placed_t             open_placed_i,
  input  slot_t               open_slot_i,
  input  addr_t [LANES-1:0]   open_addr_i,

  // To and from lsu_store: groups, and by warp the state of their requests
  input  logic                job_valid_i,
  output logic                job_take_o,
  input  job_t                job_i,
  input  entry_t              job_entry_i,
  input  words_t [LANES-1:0]  job_words_i,
  input  logic [LANES-1:0][3:0] job_space_i,
  input  addr_t [LANES-1:0]   job_addr_i,
  input  logic [LANES-1:0]    job_lead_i,
  input  logic [LineBits-1:0] job_line_i,
  input  logic                job_resumed_i,
  input  logic [1:0][LANES-1:0] job_rest_i,
  output logic                back_o,
  output entry_t              back_entry_o,
  output logic [LANES-1:0]    back_lead_o,
  output logic [LineBits-1:0] back_line_o,
  output logic [1:0][LANES-1:0] back_rest_o,
  output logic                drop_o,
  input  logic [WARPS-1:0]    ready_i,
  output logic [WARPS-1:0]    room_o,
  output logic [WARPS-1:0]    idle_o,
  output logic [WARPS-1:0]    held_o,
  input  fence_t              fence_i,
  output logic                fence_waits_o,
  output logic [WARPS-1:0]    answers_o,

  // To and from lsu_data: reads an entry's store data, which arrive in the next cycle
  output logic                reads_o,
  output entry_t              reads_entry_o,
  input  logic [BLOCK_WORDS-1:0][LANES-1:0][31:0] block_i,

  // To lsu_store: the last request of an entry has taken its store data
  output logic                read_o,
  output entry_t              read_entry_o,

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
  input  response_t               mem_rsp_i,
  input  logic [LINE_BYTES*8-1:0] mem_rsp_data_i,

  // To lsu_inflight: a request was made; an answer has come
  output sent_t   sent_o,
  output answer_t answer_o,
  output event_t  over_o,  // a pair wrote nothing, and no answer is due

  // To lsu_writeback
  output logic                beat_valid_o,
  input  logic                beat_ready_i,
  output beat_t               beat_o,
  output logic [LANES-1:0]    beat_mask_o,
  output logic [LANES*32-1:0] beat_data_o
);
  localparam int unsigned OffsetBits = $clog2(LINE_BYTES);

  logic     picked, picked_final, coming;
  warp_t    coming_warp;
  job_t     picked_job;
  entry_t   picked_entry;
  request_t picked_request;
  logic [5:0]  picked_bytes;
  logic [31:0] picked_moved;
  logic [LANES-1:0][OffsetBits-1:0] picked_offset;

  lsu_coalesce #(.LANES(LANES), .LINE_BYTES(LINE_BYTES), .WARPS(WARPS)) u_coalesce (
    .clk_i, .rst_ni,
    .job_valid_i, .job_take_o, .job_i, .job_entry_i, .job_words_i, .job_space_i, .job_addr_i, .job_lead_i,
    .job_line_i, .job_resumed_i, .job_rest_i, .back_o, .back_entry_o, .back_lead_o, .back_line_o, .back_rest_o,
    .drop_o, .ready_i, .room_i(room_o), .idle_i(idle_o), .held_i(held_o), .coming_o(coming),
    .coming_warp_o(coming_warp), .reads_o, .read_entry_o(reads_entry_o), .valid_o(picked), .final_o(picked_final),
    .job_o(picked_job), .entry_o(picked_entry), .request_o(picked_request), .bytes_o(picked_bytes),
    .moved_o(picked_moved), .offset_o(picked_offset)
  );

  assign sent_o = '{valid: picked, last: picked_final, slot: picked_job.slot};

  logic                    line_valid;
  request_t                line, next;
  logic [LINE_BYTES-1:0]   line_be, next_be;
  logic [LINE_BYTES*8-1:0] line_data;
  logic [LANES-1:0][OffsetBits-3:0] line_at;
  logic [1:0][LANES-1:0][31:0]      line_pair;

  lsu_merge #(.LANES(LANES), .LINE_BYTES(LINE_BYTES)) u_merge (
    .clk_i, .rst_ni,
    .valid_i(picked), .final_i(picked_final), .job_i(picked_job), .entry_i(picked_entry),
    .request_i(picked_request), .bytes_i(picked_bytes), .moved_i(picked_moved), .offset_i(picked_offset), .block_i,
    .final_o(read_o), .entry_o(read_entry_o), .at_o(line_at), .pair_o(line_pair),
    .valid_o(line_valid), .request_o(line), .be_o(line_be), .data_o(line_data)
  );

  logic next_valid, next_tried, next_clear, next_blocked, lacks_id, issue, look;
  logic [PENDING-1:0] next_against;
  against_t look_at;
  logic [LINE_BYTES-1:0] look_be;
  logic                    again_valid, again_ready;
  id_t                     again_id;
  request_t                again;
  logic [LINE_BYTES-1:0]   again_be;
  logic [LINE_BYTES*8-1:0] again_data;
  id_t  next_id;
  logic [PENDING-1:0] pairs;  // in flight
  logic             pairs_last, pairs_full;  // one more may begin; none may
  logic [WARPS-1:0] mmio_answered;  // by warp: its mmio request has its first answer
  logic [WARPS-1:0] mmio_waits;     // its oldest request waits for this,
  logic [WARPS-1:0] held;           // ... or was tried in vain
  // That an mmio request waits is known late, and it waits for long: lsu_store and lsu_coalesce know it a cycle later.
  logic [WARPS-1:0] mmio_waits_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) mmio_waits_q <= '0;
    else mmio_waits_q <= mmio_waits;
  end
  assign held_o = held | mmio_waits_q;

  lsu_order #(.LINE_BYTES(LINE_BYTES), .WARPS(WARPS)) u_order (
    .clk_i, .rst_ni,
    .coming_i(coming), .coming_warp_i(coming_warp), .room_o, .idle_o,
    .valid_i(line_valid), .request_i(line), .be_i(line_be), .data_i(line_data),
    .next_valid_o(next_valid), .next_o(next), .next_be_o(next_be), .look_o(look),
    .look_at_o(look_at), .look_be_o(look_be), .clear_i(next_clear), .lacks_id_i(lacks_id), .id_i(next_id), .issue_o(issue),
    .tried_o(next_tried), .held_i(held), .mmio_answered_i(mmio_answered), .waits_o(mmio_waits),
    .again_valid_i(again_valid), .again_ready_o(again_ready), .again_id_i(again_id), .again_i(again),
    .again_be_i(again_be), .again_data_i(again_data),
    .mem_req_valid_o, .mem_req_ready_i, .mem_req_id_o, .mem_req_o, .mem_req_be_o, .mem_req_data_o
  );

  logic        rsp_take;
  asked_t      asked;         // the request that the response answers
  lane_words_t asked_served;
  id_t         over_id;
  assign rsp_take = mem_rsp_valid_i && mem_rsp_ready_o;
  always_comb begin
    answer_o = '0;
    if (needed(rsp_take)) begin
      answer_o = '{
        first: rsp_take && asked.known && asked.first,
        settled: rsp_take && asked.known && asked.settles,
        error: asked.bad, slot: asked.slot, served: asked_served
      };
    end
  end

  lsu_pending #(.PENDING(PENDING), .WARPS(WARPS), .LINE_BYTES(LINE_BYTES)) u_pending (
    .clk_i, .rst_ni,
    .next_valid_i(next_valid), .next_i(next), .next_be_i(next_be), .blocked_i(next_blocked), .clear_o(next_clear), .lacks_id_o(lacks_id),
    .against_o(next_against), .id_o(next_id),
    .issue_i(issue), .look_i(look), .look_at_i(look_at), .look_be_i(look_be),
    .again_i(again_ready), .again_id_i(again_id), .again_write_i(again.write), .over_i(over_o.valid), .over_id_i(over_id),
    .fence_i, .fence_waits_o, .answers_o, .pairs_o(pairs), .pairs_last_o(pairs_last), .pairs_full_o(pairs_full),
    .mmio_answered_o(mmio_answered), .rsp_valid_i(rsp_take), .rsp_i(mem_rsp_i), .asked_o(asked),
    .asked_served_o(asked_served)
  );

  lsu_held #(.PENDING(PENDING), .WARPS(WARPS), .LINE_BYTES(LINE_BYTES)) u_held (
    .clk_i, .rst_ni,
    .next_valid_i(next_valid), .next_i(against_of(next)), .next_be_i(next_be), .tried_i(next_tried),
    .clear_i(next_clear), .against_i(next_against), .id_i(next_id), .look_i(look), .look_at_i(look_at),
    .look_be_i(look_be), .blocked_o(next_blocked), .rsp_valid_i(rsp_take), .rsp_id_i(mem_rsp_i.id),
    .rsp_pair_i(asked.pair), .rsp_frees_i(asked.frees), .over_i(over_o.valid), .over_id_i(over_id), .pairs_i(pairs),
    .pairs_last_i(pairs_last), .pairs_full_i(pairs_full), .held_o(held)
  );

  // A pair's first half has just entered the request register, from which lsu_cas copies it.
  logic pair_begins_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) pair_begins_q <= 1'b0;
    else pair_begins_q <= issue && next.exclusive;
  end

  // Every request of an operation opens its slot again, with the same comparison values and new values.
  lsu_cas #(.LANES(LANES), .LINE_BYTES(LINE_BYTES), .PENDING(PENDING), .SLOTS(SLOTS)) u_cas (
    .clk_i, .rst_ni,
    .open_i(line_valid && line.exclusive), .open_slot_i(line.slot), .open_at_i(line_at), .compare_i(line_pair[0]),
    .value_i(line_pair[1]),
    .begin_i(pair_begins_q), .begin_id_i(mem_req_id_o), .begin_request_i(mem_req_o), .begin_be_i(mem_req_be_o),
    .answer_i(rsp_take && asked.pair), .line_i(rsp_take && asked.known && asked.line),
    .refused_i(rsp_take && asked.known && asked.refused),
    .rsp_id_i(mem_rsp_i.id), .rsp_slot_i(asked.slot), .rsp_served_i(asked_served),
    .rsp_data_i(mem_rsp_data_i),
    .again_valid_o(again_valid), .again_ready_i(again_ready), .again_id_o(again_id), .again_o(again),
    .again_be_o(again_be), .again_data_o(again_data),
    .over_o(over_o.valid), .over_id_o(over_id), .over_slot_o(over_o.slot)
  );

  lsu_return #(.LANES(LANES), .LINE_BYTES(LINE_BYTES), .SLOTS(SLOTS)) u_return (
    .clk_i, .rst_ni,
    .open_i, .open_placed_i, .open_slot_i, .open_addr_i,
    .rsp_valid_i(mem_rsp_valid_i), .rsp_ready_o(mem_rsp_ready_o), .rsp_data_i(mem_rsp_data_i),
    .rsp_error_i(mem_rsp_i.error), .asked_i(asked), .asked_served_i(asked_served[LANES-1:0]),
    .beat_valid_o, .beat_ready_i, .beat_o, .beat_mask_o, .beat_data_o
  );
endmodule
