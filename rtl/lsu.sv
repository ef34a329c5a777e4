// SPDX-License-Identifier: MIT OR Apache-2.0
// GPU load/store unit: one operation of one warp in, line requests out, write-back, faults and completion back.
//
//   op ---->+---------+   +--------+   +----------+   +-------+
//           | address |-->| window |-->| coalesce |-->| order |--> mem_req   (one line a cycle)
//   data -->+---------+   +--------+   +----------+   +-------+
//                             |                        |     |
//                             v                        v     v
//                     scratchpad, fill            pending, cas  <--- mem_rsp (any order, by id)
//                             |                         |
//   wb <--------------- writeback <----------------- return
//   done <------------- inflight  <---- every request, answer and beat
//
// An R700 burst goes through as a group for each of its GPRs, everything else as one group (PORT-GROUP).
// The promises at these ports are the PORT clauses of src/clause.rs. Sustained: one operation, one data beat, one
// request, one response, one write-back beat and one done a cycle. mem_rsp_ready_o follows wb_ready_i
// combinationally, and op_ready_o the readiness of the stages; no valid depends on a ready.
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
  // An operation lives longer than its requests: it also passes the stages, which PENDING alone may not cover.
  localparam int unsigned Slots = PENDING < 8 ? PENDING + 8 : 2 * PENDING;

  if (!(LANES inside {4, 8, 16, 32})) $error("LANES must be 4, 8, 16 or 32");
  if (!(LINE_BYTES inside {32, 64, 128})) $error("LINE_BYTES must be 32, 64 or 128");
  if (WARPS < 1 || WARPS > 8) $error("WARPS must be 1 to 8");
  if (PENDING < 2 || PENDING > 64) $error("PENDING must be 2 to 64");
  if (SHARED_BYTES < 8 * LANES || SHARED_BYTES > 2**20 || 2**$clog2(SHARED_BYTES) != SHARED_BYTES) begin : gen_check
    $error("SHARED_BYTES must be a power of two, 8 * LANES to 2^20");
  end

  // Lanes: where each one's access goes, a group of registers at a time
  // -------------------------------------------------------------------
  logic             ea_valid, ea_ready, ea_illegal, ea_empty, ea_first, ea_last;
  op_t              ea_op;
  group_t           ea_group;
  logic [LANES-1:0] ea_active, ea_predicate;
  logic [LANES-1:0][63:0] ea;
  logic [LANES-1:0][31:0] ea_z;

  lsu_address #(.LANES(LANES)) u_address (
    .clk_i, .rst_ni, .driver_form_i(ctrl_i.r700_driver_form),
    .valid_i(op_valid_i), .ready_o(op_ready_o), .op_i, .active_i(op_active_i), .helper_i(op_helper_i),
    .predicate_i(op_predicate_i), .addr_i(op_addr_i),
    .valid_o(ea_valid), .ready_i(ea_ready), .op_o(ea_op), .illegal_o(ea_illegal), .active_o(ea_active),
    .predicate_o(ea_predicate), .ea_o(ea), .z_o(ea_z), .empty_o(ea_empty), .group_o(ea_group), .first_o(ea_first),
    .last_o(ea_last)
  );

  logic                  at_valid, at_ready, at_illegal, at_first, at_last, at_release;
  op_t                   at_op;
  group_t                at_group;
  rows_t                 at_rows;
  words_t [LANES-1:0]    at_memory;
  logic [LANES-1:0][3:0] at_space;
  logic [LANES-1:0]      at_shared;
  logic [REGISTERS-1:0][LANES-1:0] at_fill;
  logic [LANES-1:0][2:0] at_fault;
  addr_t [LANES-1:0]     at_addr;

  lsu_window #(.LANES(LANES)) u_window (
    .clk_i, .rst_ni, .ctrl_i,
    .valid_i(ea_valid), .ready_o(ea_ready), .op_i(ea_op), .illegal_i(ea_illegal), .active_i(ea_active),
    .predicate_i(ea_predicate), .ea_i(ea), .z_i(ea_z), .empty_i(ea_empty), .group_i(ea_group), .first_i(ea_first),
    .last_i(ea_last),
    .valid_o(at_valid), .ready_i(at_ready), .op_o(at_op), .illegal_o(at_illegal), .group_o(at_group),
    .first_o(at_first), .last_o(at_last), .rows_o(at_rows), .memory_o(at_memory), .space_o(at_space),
    .shared_o(at_shared), .fill_o(at_fill), .addr_o(at_addr), .fault_o(at_fault), .release_o(at_release)
  );

  // Dispatch: a group goes to all its parts at once, with its store data; a release waits here for its warp
  // -------------------------------------------------------------------------------------------------------
  slot_t               at_slot;
  ring_ptr_t           data_front;
  logic [LANES*32-1:0] data_ring [RING_BEATS];
  logic                go, data_ready, slot_free, memory_ready, fill_ready, spad_ready;
  logic                needs_memory, needs_fill, needs_spad, memory_waits, spad_waits;

  assign needs_memory = at_memory != '0;
  assign needs_fill = at_fill != '0;
  assign needs_spad = at_shared != '0;
  assign at_ready = slot_free && data_ready && (!needs_memory || memory_ready) && (!needs_fill || fill_ready)
      && (!needs_spad || spad_ready) && !(at_release && (memory_waits || spad_waits));
  assign go = at_valid && at_ready;

  lsu_data #(.LANES(LANES)) u_data (
    .clk_i, .rst_ni,
    .valid_i(data_valid_i), .ready_o(data_ready_o), .data_i,
    .beats_i(4'($countones(at_rows))), .ready_beats_o(data_ready), .take_i(go), .front_o(data_front),
    .beat_o(data_ring)
  );

  // Memory, registers that nothing fills, and the scratchpad
  // --------------------------------------------------------
  request_t            mem_req;
  logic                sent, sent_final, answer, answer_error, settled, over, spad_stored;
  slot_t               sent_slot, answer_slot, over_slot, spad_stored_slot;
  lane_words_t         answer_served;
  logic                mem_beat_valid, mem_beat_ready, fill_beat_valid, fill_beat_ready;
  logic                spad_beat_valid, spad_beat_ready;
  beat_t               mem_beat, fill_beat, spad_beat;
  logic [LANES-1:0]    mem_beat_mask, fill_beat_mask, spad_beat_mask;
  logic [LANES*32-1:0] mem_beat_data, spad_beat_data;
  logic [31:0]         fill_beat_value;

  lsu_memory #(.LANES(LANES), .LINE_BYTES(LINE_BYTES), .PENDING(PENDING), .SLOTS(Slots)) u_memory (
    .clk_i, .rst_ni,
    .valid_i(go && needs_memory), .ready_o(memory_ready), .op_i(at_op), .slot_i(at_slot), .group_i(at_group),
    .first_i(at_first), .words_i(at_memory), .space_i(at_space), .addr_i(at_addr), .rows_i(at_rows),
    .front_i(data_front), .ring_i(data_ring),
    .mem_req_valid_o, .mem_req_ready_i, .mem_req_id_o, .mem_req_o(mem_req), .mem_req_be_o, .mem_req_data_o,
    .mem_rsp_valid_i, .mem_rsp_ready_o, .mem_rsp_id_i, .mem_rsp_data_i, .mem_rsp_error_i,
    .mem_rsp_exclusive_failed_i, .mem_rsp_scope_i, .mem_rsp_last_i,
    .fence_warp_i(at_op.warp), .fence_scope_i(at_op.attr.scope), .fence_waits_o(memory_waits),
    .sent_o(sent), .sent_final_o(sent_final), .sent_slot_o(sent_slot),
    .answer_o(answer), .answer_error_o(answer_error), .settled_o(settled), .answer_slot_o(answer_slot),
    .answer_served_o(answer_served), .over_o(over), .over_slot_o(over_slot),
    .beat_valid_o(mem_beat_valid), .beat_ready_i(mem_beat_ready), .beat_o(mem_beat), .beat_mask_o(mem_beat_mask),
    .beat_data_o(mem_beat_data)
  );

  assign mem_req_warp_o = mem_req.warp;
  assign mem_req_tag_o = mem_req.tag;
  assign mem_req_group_o = mem_req.group;
  assign mem_req_kind_o = req_kind_e'({mem_req.exclusive, mem_req.write});
  assign mem_req_space_o = mem_req.space;
  assign mem_req_attr_o = mem_req.attr;
  assign mem_req_addr_o = mem_req.addr;

  lsu_fill #(.LANES(LANES)) u_fill (
    .clk_i, .rst_ni,
    .valid_i(go && needs_fill), .ready_o(fill_ready), .op_i(at_op), .slot_i(at_slot), .group_i(at_group),
    .fill_i(at_fill),
    .beat_valid_o(fill_beat_valid), .beat_ready_i(fill_beat_ready), .beat_o(fill_beat),
    .beat_mask_o(fill_beat_mask), .beat_value_o(fill_beat_value)
  );

  lsu_scratchpad #(.LANES(LANES), .SHARED_BYTES(SHARED_BYTES)) u_scratchpad (
    .clk_i, .rst_ni,
    .valid_i(go && needs_spad), .ready_o(spad_ready), .slot_i(at_slot), .op_i(at_op), .shared_i(at_shared),
    .addr_i(at_addr), .rows_i(at_rows), .front_i(data_front), .ring_i(data_ring),
    .fence_warp_i(at_op.warp), .fence_waits_o(spad_waits),
    .store_done_o(spad_stored), .store_slot_o(spad_stored_slot),
    .beat_valid_o(spad_beat_valid), .beat_ready_i(spad_beat_ready), .beat_o(spad_beat), .beat_mask_o(spad_beat_mask),
    .beat_data_o(spad_beat_data)
  );

  // Write-back and completion
  // -------------------------
  logic  beats_done, spad_beats_done;
  slot_t beats_slot;

  lsu_writeback #(.LANES(LANES)) u_writeback (
    .clk_i, .rst_ni,
    .mem_valid_i(mem_beat_valid), .mem_ready_o(mem_beat_ready), .mem_i(mem_beat), .mem_mask_i(mem_beat_mask),
    .mem_data_i(mem_beat_data),
    .fill_valid_i(fill_beat_valid), .fill_ready_o(fill_beat_ready), .fill_i(fill_beat), .fill_mask_i(fill_beat_mask),
    .fill_value_i(fill_beat_value),
    .spad_valid_i(spad_beat_valid), .spad_ready_o(spad_beat_ready), .spad_i(spad_beat), .spad_mask_i(spad_beat_mask),
    .spad_data_i(spad_beat_data),
    .wb_valid_o, .wb_ready_i, .wb_warp_o, .wb_tag_o, .wb_reg_o, .wb_mask_o, .wb_data_o,
    .beats_done_o(beats_done), .spad_done_o(spad_beats_done), .done_slot_o(beats_slot)
  );

  lsu_inflight #(.LANES(LANES), .WARPS(WARPS), .SLOTS(Slots)) u_inflight (
    .clk_i, .rst_ni,
    .slot_free_o(slot_free), .slot_o(at_slot), .group_i(go), .group_first_i(at_first), .group_last_i(at_last),
    .group_warp_i(at_op.warp), .group_tag_i(at_op.tag), .group_memory_i(needs_memory), .group_fill_i(needs_fill),
    .group_spad_i(needs_spad), .group_fault_i(at_fault),
    .sent_i(sent), .sent_final_i(sent_final), .sent_slot_i(sent_slot),
    .answer_i(answer), .settled_i(settled), .answer_error_i(answer_error), .answer_slot_i(answer_slot),
    .answer_served_i(answer_served), .over_i(over), .over_slot_i(over_slot),
    .beats_done_i(beats_done), .spad_beats_done_i(spad_beats_done), .beats_slot_i(beats_slot),
    .spad_store_done_i(spad_stored), .spad_store_slot_i(spad_stored_slot),
    .done_valid_o, .done_ready_i, .done_warp_o, .done_tag_o, .done_fault_o
  );
endmodule
