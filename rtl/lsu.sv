// SPDX-License-Identifier: MIT OR Apache-2.0
// GPU load/store unit: takes operations, each of one warp; makes line requests, and returns registers, faults and done.
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
// lsu_place is all that stands left of the store, lsu_execute everything from the store to write-back, and lsu_inflight
// completes operations. An R700 burst passes through as one group for each of its GPRs, any other operation as one
// group (PORT-GROUP). A group that has to wait does so in the store, where it delays no other warp (PORT-FAIR).
// The unit promises the PORT clauses of src/clause.rs at its ports. Throughput: one operation, one data beat, one
// request, one response, one write-back beat and one completion a cycle. op_ready_o depends combinationally on op_i;
// every other ready and valid depends on registers alone.
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
  output addr_t                       mem_req_addr_o,   // byte address of the line
  output logic [LINE_BYTES-1:0]       mem_req_be_o,
  output logic [LINE_BYTES*8-1:0]     mem_req_data_o,   // meaningless where not enabled; here 0

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
  // An operation is in flight for longer than its requests: it also passes through the stages.
  localparam int unsigned Slots = PENDING + 16;

  if (!(LANES inside {4, 8, 16, 32})) $error("LANES must be 4, 8, 16 or 32");
  if (!(LINE_BYTES inside {32, 64, 128})) $error("LINE_BYTES must be 32, 64 or 128");
  if (WARPS < 1 || WARPS > 8) $error("WARPS must be 1 to 8");
  if (PENDING < 2 || PENDING > 64) $error("PENDING must be 2 to 64");
  if (SHARED_BYTES < 8 * LANES || SHARED_BYTES > 2**20 || 2**$clog2(SHARED_BYTES) != SHARED_BYTES) begin : gen_check
    $error("SHARED_BYTES must be a power of two, 8 * LANES to 2^20");
  end

  // One group a cycle, with the destination of each lane; and the events that tell what its operation still waits for
  logic                   at_valid, counts;
  placed_t                at;
  slot_t                  at_slot;
  words_t [LANES-1:0]     at_memory;
  logic [LANES-1:0][3:0]  at_space;
  logic [LANES-1:0]       at_shared;
  logic [REGISTERS-1:0][LANES-1:0] at_fill;
  addr_t [LANES-1:0]      at_addr;
  logic [LANES-1:0][2:0]  at_fault;
  logic [2:0]             freed;
  request_t               mem_req;
  response_t              mem_rsp;
  arrived_t               arrived;
  event_t                 dropped, over, stored;
  sent_t                  sent;
  answer_t                answer;
  drained_t               drained;

  lsu_place #(.LANES(LANES), .SLOTS(Slots)) u_place (
    .clk_i, .rst_ni, .ctrl_i, .op_valid_i, .op_ready_o, .op_i, .op_active_i, .op_helper_i, .op_predicate_i, .op_addr_i,
    .freed_i(freed), .done_i(done_valid_o && done_ready_i), .at_valid_o(at_valid), .at_o(at), .at_memory_o(at_memory),
    .at_space_o(at_space), .at_shared_o(at_shared), .at_fill_o(at_fill), .at_addr_o(at_addr), .at_fault_o(at_fault)
  );

  lsu_execute #(
    .LANES(LANES), .LINE_BYTES(LINE_BYTES), .WARPS(WARPS), .PENDING(PENDING), .SHARED_BYTES(SHARED_BYTES), .SLOTS(Slots)
  ) u_execute (
    .clk_i, .rst_ni, .at_valid_i(at_valid), .at_i(at), .at_slot_i(at_slot), .at_memory_i(at_memory),
    .at_space_i(at_space), .at_shared_i(at_shared), .at_fill_i(at_fill), .at_addr_i(at_addr), .freed_o(freed),
    .data_valid_i, .data_ready_o, .data_i,
    .wb_valid_o, .wb_ready_i, .wb_warp_o, .wb_tag_o, .wb_reg_o, .wb_mask_o, .wb_data_o,
    .mem_req_valid_o, .mem_req_ready_i, .mem_req_id_o, .mem_req_o(mem_req), .mem_req_be_o, .mem_req_data_o,
    .mem_rsp_valid_i, .mem_rsp_ready_o, .mem_rsp_i(mem_rsp), .mem_rsp_data_i,
    .counts_o(counts), .sent_o(sent), .dropped_o(dropped), .answer_o(answer), .over_o(over), .drained_o(drained),
    .stored_o(stored)
  );

  assign arrived = '{
    valid: at_valid, first: at.first, last: at.last, warp: at.op.warp, tag: at.op.tag, memory: counts,
    fill: at_fill != '0, spad: at_shared != '0
  };
  assign mem_rsp = '{
    id: mem_rsp_id_i, error: mem_rsp_error_i, exclusive_failed: mem_rsp_exclusive_failed_i, scope: mem_rsp_scope_i,
    last: mem_rsp_last_i
  };
  assign mem_req_warp_o = mem_req.warp;
  assign mem_req_tag_o = mem_req.tag;
  assign mem_req_group_o = mem_req.group;
  assign mem_req_kind_o = req_kind_e'({mem_req.exclusive, mem_req.write});
  assign mem_req_space_o = mem_req.space;
  assign mem_req_attr_o = mem_req.attr;
  assign mem_req_addr_o = mem_req.addr;

  lsu_inflight #(.LANES(LANES), .WARPS(WARPS), .SLOTS(Slots)) u_inflight (
    .clk_i, .rst_ni, .slot_o(at_slot), .group_i(arrived), .group_fault_i(at_fault), .sent_i(sent), .dropped_i(dropped),
    .answer_i(answer), .over_i(over), .drained_i(drained), .stored_i(stored),
    .done_valid_o, .done_ready_i, .done_warp_o, .done_tag_o, .done_fault_o
  );
endmodule
