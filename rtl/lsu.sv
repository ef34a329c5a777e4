// SPDX-License-Identifier: MIT OR Apache-2.0
// GPU load/store unit: one operation of one warp in, line requests out, write-back, faults and completion back.
//
//   op ----> admit, +--------+   +-------+   +----------+   +-------+   +-------+
//           address | window |-->| store |-->| coalesce |-->| merge |-->| order |--> mem_req   (one line a cycle)
//                   +--------+   +-------+   +----------+   +-------+   +-------+
//   data -------------------------> data --------------------->|         |     |
//                      |           |                                     v     v
//                      v           v                                pending, cas  <--- mem_rsp (any order, by id)
//                    fill     scratchpad                                 |
//   wb <------------ writeback <--------------------------------------- return
//   done <---------- inflight  <---- every request, answer and beat
//
// An R700 burst goes through as a group for each of its GPRs, everything else as one group (PORT-GROUP). A group that
// must wait does so in the store, and keeps no other warp waiting (PORT-FAIR).
// The promises at these ports are the PORT clauses of src/clause.rs. Sustained: one operation, one data beat, one
// request, one response, one write-back beat and one done a cycle. op_ready_o looks at op_i; every other ready and
// valid is known as its cycle begins.
// Golden model: src/model/mod.rs, `plan`.

module lsu
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
#(
  parameter int unsigned LANES = 32,            // threads of an operation: 4, 8, 16, 32
  parameter int unsigned LINE_BYTES = 128,      // width of the memory port: 32, 64, 128
  parameter int unsigned WARPS = 8,             // ordering domains: 1 to 8
  parameter int unsigned PENDING = 16,          // requests in flight: 2 to 64
  parameter int unsigned SHARED_BYTES = 32768   // scratchpad: a power of two, 8 * LANES to 2^20
) (
  input  logic  clk_i,
  input  logic  rst_ni,  // asynchronous, active low
  input  ctrl_t ctrl_i,  // stable while anything is in flight

  // Operations (PORT-OP)
  input  logic                        op_valid_i,
  output logic                        op_ready_o,
  input  op_t                         op_i,
  input  logic [LANES-1:0]            op_active_i,
  input  logic [LANES-1:0]            op_helper_i,
  input  logic [LANES-1:0]            op_predicate_i,
  input  logic [LANES-1:0][2:0][31:0] op_addr_i,

  // Store data, a register a beat (PORT-DATA)
  input  logic                        data_valid_i,
  output logic                        data_ready_o,
  input  logic [LANES-1:0][31:0]      data_i,

  // Write-back (PORT-WB)
  output logic                        wb_valid_o,
  input  logic                        wb_ready_i,
  output warp_t                       wb_warp_o,
  output tag_t                        wb_tag_o,
  output reg_t                        wb_reg_o,
  output logic [LANES-1:0]            wb_mask_o,
  output logic [LANES-1:0][31:0]      wb_data_o,

  // Completion (PORT-DONE)
  output logic                        done_valid_o,
  input  logic                        done_ready_i,
  output warp_t                       done_warp_o,
  output tag_t                        done_tag_o,
  output logic [LANES-1:0][2:0]       done_fault_o,  // fault_e of each lane

  // Memory requests (PORT-REQ)
  output logic                        mem_req_valid_o,
  input  logic                        mem_req_ready_i,
  output id_t                         mem_req_id_o,
  output warp_t                       mem_req_warp_o,   // owner
  output tag_t                        mem_req_tag_o,    // owner
  output group_t                      mem_req_group_o,  // owner
  output req_kind_e                   mem_req_kind_o,
  output space_e                      mem_req_space_o,
  output attr_t                       mem_req_attr_o,
  output addr_t                       mem_req_addr_o,   // of the line, in bytes
  output logic [LINE_BYTES-1:0]       mem_req_be_o,
  output logic [LINE_BYTES*8-1:0]     mem_req_data_o,   // 0 where not enabled

  // Memory responses (PORT-RSP)
  input  logic                        mem_rsp_valid_i,
  output logic                        mem_rsp_ready_o,
  input  id_t                         mem_rsp_id_i,
  input  logic [LINE_BYTES*8-1:0]     mem_rsp_data_i,
  input  logic                        mem_rsp_error_i,
  input  logic                        mem_rsp_exclusive_failed_i,
  input  scope_e                      mem_rsp_scope_i,
  input  logic                        mem_rsp_last_i
);
  // An operation lives longer than its requests: it also passes the stages.
  localparam int unsigned Slots = PENDING + 16;

  if (!(LANES inside {4, 8, 16, 32})) $error("LANES must be 4, 8, 16 or 32");
  if (!(LINE_BYTES inside {32, 64, 128})) $error("LINE_BYTES must be 32, 64 or 128");
  if (WARPS < 1 || WARPS > 8) $error("WARPS must be 1 to 8");
  if (PENDING < 2 || PENDING > 64) $error("PENDING must be 2 to 64");
  if (SHARED_BYTES < 8 * LANES || SHARED_BYTES > 2**20 || 2**$clog2(SHARED_BYTES) != SHARED_BYTES) begin : gen_check
    $error("SHARED_BYTES must be a power of two, 8 * LANES to 2^20");
  end

  // Lanes: where each one's access goes, a group of registers at a time
  // -------------------------------------------------------------------
  logic                   admitted, address_ready, ea_valid, ea_ready, ea_last;
  head_t                  ea_head;
  choice_t                ea_chosen;
  logic [LANES-1:0]       ea_active, ea_predicate;
  logic [LANES-1:0][63:0] ea;
  logic [LANES-1:0][31:0] ea_z;
  logic [2:0]             freed;
  assign op_ready_o = admitted && address_ready;

  lsu_admit #(.SLOTS(Slots)) u_admit (
    .clk_i, .rst_ni, .op_i, .room_o(admitted), .enter_i(op_valid_i && op_ready_o), .freed_i(freed),
    .done_i(done_valid_o && done_ready_i)
  );

  lsu_address #(.LANES(LANES)) u_address (
    .clk_i, .rst_ni, .driver_form_i(ctrl_i.r700_driver_form), .offer_i(op_valid_i), .valid_i(op_valid_i && admitted),
    .ready_o(address_ready), .op_i, .active_i(op_active_i), .helper_i(op_helper_i), .predicate_i(op_predicate_i),
    .addr_i(op_addr_i), .valid_o(ea_valid), .ready_i(ea_ready), .head_o(ea_head), .last_o(ea_last),
    .chosen_o(ea_chosen), .active_o(ea_active), .predicate_o(ea_predicate), .ea_o(ea), .z_o(ea_z)
  );

  logic                  at_valid;
  placed_t               at;
  words_t [LANES-1:0]    at_memory;
  logic [LANES-1:0][3:0] at_space;
  logic [LANES-1:0]      at_shared;
  logic [REGISTERS-1:0][LANES-1:0] at_fill;
  logic [LANES-1:0][2:0] at_fault;
  addr_t [LANES-1:0]     at_addr;

  // Nothing stands still there: there is room for all that enters (lsu_admit).
  lsu_window #(.LANES(LANES)) u_window (
    .clk_i, .rst_ni, .ctrl_i, .valid_i(ea_valid), .ready_o(ea_ready), .head_i(ea_head), .last_i(ea_last),
    .chosen_i(ea_chosen), .active_i(ea_active), .predicate_i(ea_predicate), .ea_i(ea), .z_i(ea_z),
    .valid_o(at_valid), .ready_i(1'b1), .placed_o(at), .memory_o(at_memory), .space_o(at_space),
    .shared_o(at_shared), .fill_o(at_fill), .addr_o(at_addr), .fault_o(at_fault)
  );

  // Store: a group waits here for its turn and for its data
  // -------------------------------------------------------
  slot_t                  at_slot;
  entry_t                 at_entry, data_entry, fill_entry, job_entry, back_entry, read_entry, reads_entry, spad_entry;
  logic                   fills, counts, data_done, data_come, fill_done, reads, read, spad_reads;
  logic                   job_valid, job_take, job_resumed, back, drop, fence, fence_waits, spad_valid, spad_ready;
  job_t                   job;
  words_t [LANES-1:0]     job_words;
  logic [LANES-1:0][3:0]  job_space;
  addr_t [LANES-1:0]      job_addr;
  logic [1:0][LANES-1:0]  job_rest, back_rest;
  logic [WARPS-1:0]       room, idle;
  warp_t                  fence_warp;
  scope_e                 fence_scope;
  logic [1:0]             spad_busy;
  warp_t [1:0]            spad_busy_warp;
  access_t                spad_access;
  logic [LANES-1:0]       spad_shared;
  logic [LANES-1:0][19:0] spad_addr;
  logic [BLOCK_WORDS-1:0][LANES-1:0][31:0] memory_block, spad_block;
  event_t                 dropped, over, stored;  // to lsu_inflight
  sent_t                  sent;
  answer_t                answer;
  drained_t               drained;
  assign fills = at_fill != '0;

  lsu_store #(.LANES(LANES), .WARPS(WARPS)) u_store (
    .clk_i, .rst_ni, .valid_i(at_valid), .placed_i(at), .slot_i(at_slot), .memory_i(at_memory), .space_i(at_space),
    .shared_i(at_shared), .addr_i(at_addr), .fill_i(fills), .entry_o(at_entry), .counts_o(counts), .freed_o(freed),
    .data_done_i(data_done), .data_come_i(data_come), .data_entry_i(data_entry), .dropped_o(dropped),
    .fill_done_i(fill_done), .fill_entry_i(fill_entry), .job_valid_o(job_valid), .job_take_i(job_take), .job_o(job),
    .job_entry_o(job_entry), .job_words_o(job_words), .job_space_o(job_space), .job_addr_o(job_addr),
    .job_resumed_o(job_resumed), .job_rest_o(job_rest), .back_i(back), .back_entry_i(back_entry),
    .back_rest_i(back_rest), .drop_i(drop), .read_i(read), .read_entry_i(read_entry), .room_i(room), .idle_i(idle),
    .fence_o(fence), .fence_warp_o(fence_warp), .fence_scope_o(fence_scope), .fence_waits_i(fence_waits),
    .spad_busy_i(spad_busy), .spad_busy_warp_i(spad_busy_warp), .spad_valid_o(spad_valid), .spad_ready_i(spad_ready),
    .spad_access_o(spad_access), .spad_entry_o(spad_entry), .spad_shared_o(spad_shared), .spad_addr_o(spad_addr)
  );

  lsu_data #(.LANES(LANES)) u_data (
    .clk_i, .rst_ni, .valid_i(data_valid_i), .ready_o(data_ready_o), .data_i, .group_i(at_valid && at.rows != '0),
    .group_entry_i(at_entry), .group_rows_i(at.rows), .group_layout_i(at.layout), .done_o(data_done),
    .done_come_o(data_come), .done_entry_o(data_entry), .merge_read_i(reads), .merge_entry_i(reads_entry),
    .merge_block_o(memory_block), .spad_read_i(spad_reads), .spad_entry_i(spad_entry), .spad_block_o(spad_block)
  );

  // Memory, registers that nothing fills, and the scratchpad
  // --------------------------------------------------------
  request_t            mem_req;
  logic                mem_beat_valid, mem_beat_ready, fill_beat_valid, fill_beat_soon, fill_beat_ready;
  logic                spad_beat_valid, spad_beat_soon, spad_beat_ready;
  beat_t               mem_beat, fill_beat, spad_beat;
  logic [LANES-1:0]    mem_beat_mask, fill_beat_mask, spad_beat_mask;
  logic [LANES*32-1:0] mem_beat_data, spad_beat_data;
  logic [31:0]         fill_beat_value;

  lsu_memory #(.LANES(LANES), .LINE_BYTES(LINE_BYTES), .WARPS(WARPS), .PENDING(PENDING), .SLOTS(Slots)) u_memory (
    .clk_i, .rst_ni, .open_i(at_valid && at.first), .open_placed_i(at), .open_slot_i(at_slot), .open_addr_i(at_addr),
    .job_valid_i(job_valid), .job_take_o(job_take), .job_i(job), .job_entry_i(job_entry), .job_words_i(job_words),
    .job_space_i(job_space), .job_addr_i(job_addr), .job_resumed_i(job_resumed), .job_rest_i(job_rest),
    .back_o(back), .back_entry_o(back_entry), .back_rest_o(back_rest), .drop_o(drop), .room_o(room), .idle_o(idle),
    .fence_i(fence), .fence_warp_i(fence_warp), .fence_scope_i(fence_scope), .fence_waits_o(fence_waits),
    .reads_o(reads), .reads_entry_o(reads_entry), .block_i(memory_block), .read_o(read), .read_entry_o(read_entry),
    .mem_req_valid_o, .mem_req_ready_i, .mem_req_id_o, .mem_req_o(mem_req), .mem_req_be_o, .mem_req_data_o,
    .mem_rsp_valid_i, .mem_rsp_ready_o, .mem_rsp_id_i, .mem_rsp_data_i, .mem_rsp_error_i,
    .mem_rsp_exclusive_failed_i, .mem_rsp_scope_i, .mem_rsp_last_i,
    .sent_o(sent), .answer_o(answer), .over_o(over), .beat_valid_o(mem_beat_valid), .beat_ready_i(mem_beat_ready),
    .beat_o(mem_beat), .beat_mask_o(mem_beat_mask), .beat_data_o(mem_beat_data)
  );

  assign mem_req_warp_o = mem_req.warp;
  assign mem_req_tag_o = mem_req.tag;
  assign mem_req_group_o = mem_req.group;
  assign mem_req_kind_o = req_kind_e'({mem_req.exclusive, mem_req.write});
  assign mem_req_space_o = mem_req.space;
  assign mem_req_attr_o = mem_req.attr;
  assign mem_req_addr_o = mem_req.addr;

  lsu_fill #(.LANES(LANES)) u_fill (
    .clk_i, .rst_ni, .valid_i(at_valid && fills), .placed_i(at), .slot_i(at_slot), .entry_i(at_entry),
    .fill_i(at_fill), .done_o(fill_done), .done_entry_o(fill_entry), .beat_valid_o(fill_beat_valid),
    .beat_soon_o(fill_beat_soon), .beat_ready_i(fill_beat_ready), .beat_o(fill_beat), .beat_mask_o(fill_beat_mask),
    .beat_value_o(fill_beat_value)
  );

  lsu_scratchpad #(.LANES(LANES), .SHARED_BYTES(SHARED_BYTES)) u_scratchpad (
    .clk_i, .rst_ni, .valid_i(spad_valid), .ready_o(spad_ready), .access_i(spad_access), .shared_i(spad_shared),
    .addr_i(spad_addr), .reads_o(spad_reads), .block_i(spad_block), .busy_o(spad_busy), .busy_warp_o(spad_busy_warp),
    .stored_o(stored), .beat_valid_o(spad_beat_valid), .beat_soon_o(spad_beat_soon), .beat_ready_i(spad_beat_ready),
    .beat_o(spad_beat), .beat_mask_o(spad_beat_mask), .beat_data_o(spad_beat_data)
  );

  // Write-back and completion
  // -------------------------
  lsu_writeback #(.LANES(LANES)) u_writeback (
    .clk_i, .rst_ni,
    .mem_valid_i(mem_beat_valid), .mem_ready_o(mem_beat_ready), .mem_i(mem_beat), .mem_mask_i(mem_beat_mask),
    .mem_data_i(mem_beat_data), .fill_valid_i(fill_beat_valid), .fill_soon_i(fill_beat_soon),
    .fill_ready_o(fill_beat_ready), .fill_i(fill_beat), .fill_mask_i(fill_beat_mask), .fill_value_i(fill_beat_value),
    .spad_valid_i(spad_beat_valid), .spad_soon_i(spad_beat_soon), .spad_ready_o(spad_beat_ready), .spad_i(spad_beat),
    .spad_mask_i(spad_beat_mask), .spad_data_i(spad_beat_data),
    .wb_valid_o, .wb_ready_i, .wb_warp_o, .wb_tag_o, .wb_reg_o, .wb_mask_o, .wb_data_o, .drained_o(drained)
  );

  lsu_inflight #(.LANES(LANES), .WARPS(WARPS), .SLOTS(Slots)) u_inflight (
    .clk_i, .rst_ni, .slot_o(at_slot), .group_i(at_valid), .group_first_i(at.first), .group_last_i(at.last),
    .group_warp_i(at.op.warp), .group_tag_i(at.op.tag), .group_memory_i(counts), .group_fill_i(fills),
    .group_spad_i(at_shared != '0), .group_fault_i(at_fault), .sent_i(sent), .dropped_i(dropped), .answer_i(answer),
    .over_i(over), .drained_i(drained), .stored_i(stored),
    .done_valid_o, .done_ready_i, .done_warp_o, .done_tag_o, .done_fault_o
  );
endmodule
