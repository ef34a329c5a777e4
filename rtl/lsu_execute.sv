// SPDX-License-Identifier: MIT OR Apache-2.0
// Executes groups: a group waits for its turn and its store data, accesses memory or the scratchpad, and its registers
// go to write-back.
//
//   group ----> store ----> memory <----> the memory port
//     |         |   |          |
//     v         |   v          v
//   fill        |  scratchpad  |
//     |         |       |      |
//     |        data     v      v
//     +-----------> writeback ----> wb
//
// Wiring only.

module lsu_execute
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
#(
  parameter int unsigned LANES = 32,
  parameter int unsigned LINE_BYTES = 128,
  parameter int unsigned WARPS = 8,
  parameter int unsigned PENDING = 16,
  parameter int unsigned SHARED_BYTES = 32768,
  parameter int unsigned SLOTS = 32,
  localparam int unsigned LineBits = ADDR_WIDTH - $clog2(LINE_BYTES)
) (
  input  logic clk_i,
  input  logic rst_ni,  // asynchronous, active low

  // Groups from lsu_place, each with its operation's slot from lsu_inflight
  input  logic                            at_valid_i,
  input  placed_t                         at_i,
  input  slot_t                           at_slot_i,
  input  words_t [LANES-1:0]              at_memory_i,
  input  logic [LANES-1:0][3:0]           at_space_i,
  input  logic [LANES-1:0]                at_shared_i,
  input  logic [REGISTERS-1:0][LANES-1:0] at_fill_i,
  input  addr_t [LANES-1:0]               at_addr_i,
  output logic [2:0]                      freed_o,  // number of entries of lsu_store that came free

  // Store data
  input  logic                   data_valid_i,
  output logic                   data_ready_o,
  input  logic [LANES-1:0][31:0] data_i,

  // Write-back
  output logic                   wb_valid_o,
  input  logic                   wb_ready_i,
  output warp_t                  wb_warp_o,
  output tag_t                   wb_tag_o,
  output reg_t                   wb_reg_o,
  output logic [LANES-1:0]       wb_mask_o,
  output logic [LANES-1:0][31:0] wb_data_o,

  // The memory port
  output logic                    mem_req_valid_o,
  input  logic                    mem_req_ready_i,
  output id_t                     mem_req_id_o,
  output request_t                mem_req_o,
  output logic [LINE_BYTES-1:0]   mem_req_be_o,
  output logic [LINE_BYTES*8-1:0] mem_req_data_o,
  input  logic                    mem_rsp_valid_i,
  output logic                    mem_rsp_ready_o,
  input  response_t               mem_rsp_i,
  input  logic [LINE_BYTES*8-1:0] mem_rsp_data_i,

  // To lsu_inflight: what an operation still waits for, and what of it is over
  output logic     counts_o,   // the arriving group makes requests or will be dropped
  output sent_t    sent_o,
  output event_t   dropped_o,
  output answer_t  answer_o,
  output event_t   over_o,
  output drained_t drained_o,
  output event_t   stored_o
);
  // Store: where a group waits for its turn and its store data
  // ----------------------------------------------------------
  entry_t                 at_entry, data_entry, fill_entry, job_entry, back_entry, read_entry, reads_entry, spad_entry;
  logic                   fills, data_done, data_come, fill_done, reads, read, spad_reads;
  logic                   job_valid, job_take, job_resumed, back, drop, fence_waits, spad_valid, spad_ready;
  job_t                   job;
  words_t [LANES-1:0]     job_words;
  logic [LANES-1:0][3:0]  job_space;
  addr_t [LANES-1:0]      job_addr;
  logic [LANES-1:0]       job_lead, back_lead;
  logic [LineBits-1:0]    job_line, back_line;
  logic [1:0][LANES-1:0]  job_rest, back_rest;
  logic [WARPS-1:0]       room, idle, held, ready, answers;
  fence_t                 fence;
  logic [1:0]             spad_busy;
  warp_t [1:0]            spad_busy_warp;
  access_t                spad_access;
  logic [LANES-1:0]       spad_shared;
  logic [LANES-1:0][19:0] spad_addr;
  logic [BLOCK_WORDS-1:0][LANES-1:0][31:0] memory_block, spad_block;
  logic                   bursts;
  logic [LANES-1:0][1:0]  at_words;
  assign fills = at_fill_i != '0;
  assign bursts = at_i.op.space == SpaceBuffer;
  always_comb begin
    at_words = '0;
    if (needed(at_valid_i && bursts)) for (int l = 0; l < LANES; l++) at_words[l] = at_addr_i[l][3:2];
  end

  lsu_store #(.LANES(LANES), .LINE_BYTES(LINE_BYTES), .WARPS(WARPS)) u_store (
    .clk_i, .rst_ni, .valid_i(at_valid_i), .placed_i(at_i), .slot_i(at_slot_i), .memory_i(at_memory_i),
    .space_i(at_space_i), .shared_i(at_shared_i), .addr_i(at_addr_i), .fill_i(fills), .entry_o(at_entry), .counts_o,
    .freed_o, .data_done_i(data_done), .data_come_i(data_come), .data_entry_i(data_entry), .dropped_o,
    .fill_done_i(fill_done), .fill_entry_i(fill_entry), .job_valid_o(job_valid), .job_take_i(job_take), .job_o(job),
    .job_entry_o(job_entry), .job_words_o(job_words), .job_space_o(job_space), .job_addr_o(job_addr),
    .job_lead_o(job_lead), .job_line_o(job_line), .job_resumed_o(job_resumed), .job_rest_o(job_rest), .back_i(back),
    .back_entry_i(back_entry), .back_lead_i(back_lead), .back_line_i(back_line), .back_rest_i(back_rest), .drop_i(drop),
    .ready_o(ready), .read_i(read), .read_entry_i(read_entry), .room_i(room), .idle_i(idle), .held_i(held),
    .fence_o(fence), .fence_waits_i(fence_waits), .answers_i(answers),
    .spad_busy_i(spad_busy), .spad_busy_warp_i(spad_busy_warp), .spad_valid_o(spad_valid), .spad_ready_i(spad_ready),
    .spad_access_o(spad_access), .spad_entry_o(spad_entry), .spad_shared_o(spad_shared), .spad_addr_o(spad_addr)
  );

  lsu_data #(.LANES(LANES)) u_data (
    .clk_i, .rst_ni, .valid_i(data_valid_i), .ready_o(data_ready_o), .data_i, .group_i(at_valid_i && at_i.rows != '0),
    .group_entry_i(at_entry), .group_rows_i(at_i.rows), .group_layout_i(at_i.layout), .group_burst_i(bursts),
    .group_at_i(at_words), .done_o(data_done), .done_come_o(data_come), .done_entry_o(data_entry), .merge_read_i(reads),
    .merge_entry_i(reads_entry), .merge_block_o(memory_block), .spad_read_i(spad_reads), .spad_entry_i(spad_entry),
    .spad_block_o(spad_block)
  );

  // Memory, fills and the scratchpad
  // --------------------------------
  logic                mem_beat_valid, mem_beat_ready, fill_beat_valid, fill_beat_soon, fill_beat_ready;
  logic                spad_beat_valid, spad_beat_soon, spad_beat_ready;
  beat_t               mem_beat, fill_beat, spad_beat;
  logic [LANES-1:0]    mem_beat_mask, fill_beat_mask, spad_beat_mask;
  logic [LANES*32-1:0] mem_beat_data, spad_beat_data;
  logic [31:0]         fill_beat_value;

  lsu_memory #(.LANES(LANES), .LINE_BYTES(LINE_BYTES), .WARPS(WARPS), .PENDING(PENDING), .SLOTS(SLOTS)) u_memory (
    .clk_i, .rst_ni, .open_i(at_valid_i && at_i.first), .open_placed_i(at_i), .open_slot_i(at_slot_i),
    .open_addr_i(at_addr_i),
    .job_valid_i(job_valid), .job_take_o(job_take), .job_i(job), .job_entry_i(job_entry), .job_words_i(job_words),
    .job_space_i(job_space), .job_addr_i(job_addr), .job_lead_i(job_lead), .job_line_i(job_line),
    .job_resumed_i(job_resumed), .job_rest_i(job_rest), .back_o(back), .back_entry_o(back_entry),
    .back_lead_o(back_lead), .back_line_o(back_line), .back_rest_o(back_rest), .drop_o(drop), .ready_i(ready),
    .room_o(room), .idle_o(idle), .held_o(held),
    .fence_i(fence), .fence_waits_o(fence_waits), .answers_o(answers),
    .reads_o(reads), .reads_entry_o(reads_entry), .block_i(memory_block), .read_o(read), .read_entry_o(read_entry),
    .mem_req_valid_o, .mem_req_ready_i, .mem_req_id_o, .mem_req_o, .mem_req_be_o, .mem_req_data_o,
    .mem_rsp_valid_i, .mem_rsp_ready_o, .mem_rsp_i, .mem_rsp_data_i,
    .sent_o, .answer_o, .over_o, .beat_valid_o(mem_beat_valid), .beat_ready_i(mem_beat_ready),
    .beat_o(mem_beat), .beat_mask_o(mem_beat_mask), .beat_data_o(mem_beat_data)
  );

  lsu_fill #(.LANES(LANES)) u_fill (
    .clk_i, .rst_ni, .valid_i(at_valid_i && fills), .placed_i(at_i), .slot_i(at_slot_i), .entry_i(at_entry),
    .fill_i(at_fill_i), .done_o(fill_done), .done_entry_o(fill_entry), .beat_valid_o(fill_beat_valid),
    .beat_soon_o(fill_beat_soon), .beat_ready_i(fill_beat_ready), .beat_o(fill_beat), .beat_mask_o(fill_beat_mask),
    .beat_value_o(fill_beat_value)
  );

  lsu_scratchpad #(.LANES(LANES), .SHARED_BYTES(SHARED_BYTES)) u_scratchpad (
    .clk_i, .rst_ni, .valid_i(spad_valid), .ready_o(spad_ready), .access_i(spad_access), .shared_i(spad_shared),
    .addr_i(spad_addr), .reads_o(spad_reads), .block_i(spad_block), .busy_o(spad_busy), .busy_warp_o(spad_busy_warp),
    .stored_o, .beat_valid_o(spad_beat_valid), .beat_soon_o(spad_beat_soon), .beat_ready_i(spad_beat_ready),
    .beat_o(spad_beat), .beat_mask_o(spad_beat_mask), .beat_data_o(spad_beat_data)
  );

  // Write-back
  // ----------
  lsu_writeback #(.LANES(LANES)) u_writeback (
    .clk_i, .rst_ni,
    .mem_valid_i(mem_beat_valid), .mem_ready_o(mem_beat_ready), .mem_i(mem_beat), .mem_mask_i(mem_beat_mask),
    .mem_data_i(mem_beat_data), .fill_valid_i(fill_beat_valid), .fill_soon_i(fill_beat_soon),
    .fill_ready_o(fill_beat_ready), .fill_i(fill_beat), .fill_mask_i(fill_beat_mask), .fill_value_i(fill_beat_value),
    .spad_valid_i(spad_beat_valid), .spad_soon_i(spad_beat_soon), .spad_ready_o(spad_beat_ready), .spad_i(spad_beat),
    .spad_mask_i(spad_beat_mask), .spad_data_i(spad_beat_data),
    .wb_valid_o, .wb_ready_i, .wb_warp_o, .wb_tag_o, .wb_reg_o, .wb_mask_o, .wb_data_o, .drained_o
  );
endmodule
