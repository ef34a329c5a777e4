// SPDX-License-Identifier: MIT OR Apache-2.0
// What must hold at the ports of lsu at every clock edge: rules for the unit, and for the environment that drives it.
//
// Bound to lsu, to keep assertions out of the unit; simulation only. A failure's message begins with the clause that is
// broken; "(environment)" after it means that the driver of the ports broke it, not the unit.
//
// Runs in every simulation, so a wide payload is looked at only while it waits.

`ifndef SYNTHESIS
// verilator tracing_off
module lsu_assert
  import lsu_pkg::*;
#(
  parameter int unsigned LANES = 32,
  parameter int unsigned LINE_BYTES = 128,
  parameter int unsigned WARPS = 8,
  parameter int unsigned SHARED_BYTES = 32768
) (
  input logic clk_i,
  input logic rst_ni  // asynchronous, active low
);
  // What waits stays
  // ----------------
  typedef struct packed {
    id_t                     id;
    warp_t                   warp;
    tag_t                    tag;
    group_t                  group;
    req_kind_e               kind;
    space_e                  space;
    attr_t                   attr;
    addr_t                   addr;
    logic [LINE_BYTES-1:0]   be;
    logic [LINE_BYTES*8-1:0] data;
  } req_t;

  typedef struct packed {
    warp_t                  warp;
    tag_t                   tag;
    reg_t                   index;
    logic [LANES-1:0]       mask;
    logic [LANES-1:0][31:0] data;
  } wb_t;

  typedef struct packed {
    warp_t                 warp;
    tag_t                  tag;
    logic [LANES-1:0][2:0] fault;
  } done_t;

  typedef struct packed {
    op_t                         op;
    logic [LANES-1:0]            active;
    logic [LANES-1:0]            helper;
    logic [LANES-1:0]            predicate;
    logic [LANES-1:0][2:0][31:0] addr;
  } issue_t;

  typedef struct packed {
    id_t                     id;
    logic                    error;
    logic                    exclusive_failed;
    scope_e                  scope;
    logic                    last;
    logic [LINE_BYTES*8-1:0] data;  // lowest, so that it is compared without a shift
  } rsp_t;

  function automatic req_t req();
    return {lsu.mem_req_id_o, lsu.mem_req_warp_o, lsu.mem_req_tag_o, lsu.mem_req_group_o, lsu.mem_req_kind_o,
            lsu.mem_req_space_o, lsu.mem_req_attr_o, lsu.mem_req_addr_o, lsu.mem_req_be_o, lsu.mem_req_data_o};
  endfunction

  function automatic wb_t wb();
    return {lsu.wb_warp_o, lsu.wb_tag_o, lsu.wb_reg_o, lsu.wb_mask_o, lsu.wb_data_o};
  endfunction

  function automatic done_t done();
    return {lsu.done_warp_o, lsu.done_tag_o, lsu.done_fault_o};
  endfunction

  function automatic issue_t issue();
    return {lsu.op_i, lsu.op_active_i, lsu.op_helper_i, lsu.op_predicate_i, lsu.op_addr_i};
  endfunction

  function automatic rsp_t rsp();
    return {lsu.mem_rsp_id_i, lsu.mem_rsp_error_i, lsu.mem_rsp_exclusive_failed_i, lsu.mem_rsp_scope_i,
            lsu.mem_rsp_last_i, lsu.mem_rsp_data_i};
  endfunction

  logic                   req_waits_q, wb_waits_q, done_waits_q, op_waits_q, data_waits_q, rsp_waits_q;
  req_t                   req_q;
  wb_t                    wb_q;
  done_t                  done_q;
  issue_t                 issue_q;
  logic [LANES-1:0][31:0] data_q;
  rsp_t                   rsp_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {req_waits_q, wb_waits_q, done_waits_q, op_waits_q, data_waits_q, rsp_waits_q} <= '0;
    end else begin
      req_waits_q <= lsu.mem_req_valid_o && !lsu.mem_req_ready_i;
      wb_waits_q <= lsu.wb_valid_o && !lsu.wb_ready_i;
      done_waits_q <= lsu.done_valid_o && !lsu.done_ready_i;
      op_waits_q <= lsu.op_valid_i && !lsu.op_ready_o;
      data_waits_q <= lsu.data_valid_i && !lsu.data_ready_o;
      rsp_waits_q <= lsu.mem_rsp_valid_i && !lsu.mem_rsp_ready_o;

      // A request that was not taken stays, unchanged.
      if (req_waits_q) ReqHeld: assert (lsu.mem_req_valid_o && req_q.data == lsu.mem_req_data_o
          && req_q.be == lsu.mem_req_be_o && {req_q.id, req_q.warp, req_q.tag, req_q.group, req_q.kind, req_q.space,
          req_q.attr, req_q.addr} == {lsu.mem_req_id_o, lsu.mem_req_warp_o, lsu.mem_req_tag_o, lsu.mem_req_group_o,
          lsu.mem_req_kind_o, lsu.mem_req_space_o, lsu.mem_req_attr_o, lsu.mem_req_addr_o})
        else $error("PORT-HOLD: mem_req changed while it was not taken");

      // A write-back beat that was not taken stays, unchanged.
      if (wb_waits_q) WbHeld: assert (lsu.wb_valid_o && wb_q.data == lsu.wb_data_o
          && wb_q.mask == lsu.wb_mask_o && {wb_q.warp, wb_q.tag, wb_q.index} == {lsu.wb_warp_o, lsu.wb_tag_o, lsu.wb_reg_o})
        else $error("PORT-HOLD: wb changed while it was not taken");

      // A completion that was not taken stays, unchanged.
      if (done_waits_q) DoneHeld: assert (lsu.done_valid_o && done_q == done())
        else $error("PORT-HOLD: done changed while it was not taken");

      // The environment, too, holds what it offers.
      if (op_waits_q) OpHeld: assert (lsu.op_valid_i && issue_q.op == lsu.op_i
          && issue_q.active == lsu.op_active_i && issue_q.helper == lsu.op_helper_i
          && issue_q.predicate == lsu.op_predicate_i && issue_q.addr == lsu.op_addr_i)
        else $error("PORT-HOLD (environment): op changed while it was not taken");
      if (data_waits_q) DataHeld: assert (lsu.data_valid_i && data_q == lsu.data_i)
        else $error("PORT-HOLD (environment): data changed while it was not taken");
      if (rsp_waits_q) RspHeld: assert (lsu.mem_rsp_valid_i && rsp_q.data == lsu.mem_rsp_data_i
          && {rsp_q.id, rsp_q.error, rsp_q.exclusive_failed, rsp_q.scope, rsp_q.last} == {lsu.mem_rsp_id_i,
          lsu.mem_rsp_error_i, lsu.mem_rsp_exclusive_failed_i, lsu.mem_rsp_scope_i, lsu.mem_rsp_last_i})
        else $error("PORT-HOLD (environment): mem_rsp changed while it was not taken");

      // Captured once, as the wait begins: a held payload does not change. No other process reads it, so blocking
      // assignments do, and a simulator needs no second copy.
      if (lsu.mem_req_valid_o && !lsu.mem_req_ready_i && !req_waits_q) req_q = req();
      if (lsu.wb_valid_o && !lsu.wb_ready_i && !wb_waits_q) wb_q = wb();
      if (lsu.done_valid_o && !lsu.done_ready_i && !done_waits_q) done_q = done();
      if (lsu.op_valid_i && !lsu.op_ready_o && !op_waits_q) issue_q = issue();
      if (lsu.data_valid_i && !lsu.data_ready_o && !data_waits_q) data_q = lsu.data_i;
      if (lsu.mem_rsp_valid_i && !lsu.mem_rsp_ready_o && !rsp_waits_q) rsp_q = rsp();
    end
  end

  // What is in flight, seen from the ports
  // --------------------------------------
  logic [2**ID_WIDTH-1:0]  id_busy_q, id_write_q, id_exclusive_q, id_answered_q;
  logic [2**TAG_WIDTH-1:0] tag_busy_q;  // blocking assignments, as above
  logic [TAG_WIDTH:0]      running_q;   // operations in flight
  ctrl_t                   ctrl_q;      // for the operations in flight

  logic req_taken, wb_taken, done_taken, op_taken, rsp_taken;
  assign req_taken = lsu.mem_req_valid_o && lsu.mem_req_ready_i;
  assign wb_taken = lsu.wb_valid_o && lsu.wb_ready_i;
  assign done_taken = lsu.done_valid_o && lsu.done_ready_i;
  assign op_taken = lsu.op_valid_i && lsu.op_ready_o;
  assign rsp_taken = lsu.mem_rsp_valid_i && lsu.mem_rsp_ready_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      id_busy_q <= '0;
      tag_busy_q = '0;
      running_q <= '0;
    end else begin
      running_q <= running_q + (TAG_WIDTH + 1)'(op_taken) - (TAG_WIDTH + 1)'(done_taken);
      if (req_taken) begin
        id_busy_q[lsu.mem_req_id_o] <= 1'b1;
        id_write_q[lsu.mem_req_id_o] <= lsu.mem_req_kind_o inside {ReqWrite, ReqWriteExclusive};
        id_exclusive_q[lsu.mem_req_id_o] <= lsu.mem_req_kind_o inside {ReqReadExclusive, ReqWriteExclusive};
        id_answered_q[lsu.mem_req_id_o] <= 1'b0;
        // An id is not used again before its last answer.
        ReqIdFree: assert (!id_busy_q[lsu.mem_req_id_o])
          else $error("PORT-ID: id %0d is used again before its last answer", lsu.mem_req_id_o);
        // A request has some byte enabled, and the address of a line.
        ReqLine: assert (lsu.mem_req_be_o != '0 && lsu.mem_req_addr_o % ADDR_WIDTH'(LINE_BYTES) == '0)
          else $error("PORT-REQ: a request without bytes, or not at a line: %h", lsu.mem_req_addr_o);
      end
      if (rsp_taken) begin
        id_answered_q[lsu.mem_rsp_id_i] <= 1'b1;
        if (lsu.mem_rsp_last_i) id_busy_q[lsu.mem_rsp_id_i] <= 1'b0;
        // Only a request in flight is answered.
        RspIdBusy: assert (id_busy_q[lsu.mem_rsp_id_i])
          else $error("PORT-ID (environment): an answer for id %0d, which is not in flight", lsu.mem_rsp_id_i);
        // A read has one answer; a second answer to a write reports no error.
        RspOnce: assert (lsu.mem_rsp_last_i || id_write_q[lsu.mem_rsp_id_i])
          else $error("PORT-RSP (environment): the answer to a read is not the last one");
        RspError: assert (!lsu.mem_rsp_error_i || !id_answered_q[lsu.mem_rsp_id_i])
          else $error("PORT-RSP (environment): an error after the first answer");
        // exclusive_failed comes in an exclusive request's only answer. In others it means nothing.
        RspFailed: assert (!lsu.mem_rsp_exclusive_failed_i || !id_exclusive_q[lsu.mem_rsp_id_i]
                           || (!id_answered_q[lsu.mem_rsp_id_i] && lsu.mem_rsp_last_i))
          else $error("PORT-CAS (environment): exclusive_failed for id %0d, not in its only answer", lsu.mem_rsp_id_i);
      end

      if (wb_taken) begin
        // A beat is for an operation in flight, and for at least one lane.
        WbTag: assert (tag_busy_q[lsu.wb_tag_o] && lsu.wb_mask_o != '0)
          else $error("PORT-WB: a beat for no lane, or for tag %h, which is not in flight", lsu.wb_tag_o);
      end
      if (done_taken) begin
        // An operation is done once.
        DoneTag: assert (tag_busy_q[lsu.done_tag_o])
          else $error("PORT-DONE: done for tag %h, which is not in flight", lsu.done_tag_o);
        tag_busy_q[lsu.done_tag_o] = 1'b0;
      end
      if (op_taken) begin
        // A tag names one operation in flight, and the warp exists.
        OpTag: assert (!tag_busy_q[lsu.op_i.tag])
          else $error("PORT-OP (environment): tag %h is in flight", lsu.op_i.tag);
        tag_busy_q[lsu.op_i.tag] = 1'b1;
        OpWarp: assert (32'(lsu.op_i.warp) < WARPS)
          else $error("PORT-OP (environment): warp %0d does not exist", lsu.op_i.warp);
        // The control registers are aligned, so that an access is wholly in or wholly out. CtrlHeld checks that they do
        // not change while they are used.
        if (running_q == '0) begin
          CtrlGranules: assert (granular())
            else $error("SPA5-STRADDLE (environment): a window, allocation or item is not of 32-byte granules");
          CtrlBuffers: assert (words_whole())
            else $error("R700-PLACE (environment): a buffer is not of whole dwords, or reduction or export has a stride");
          CtrlResources: assert (resources_whole())
            else $error("SM5-STRUCT (environment): a resource is not of whole dwords, has no stride, or ends nowhere");
          CtrlShared: assert (lsu.ctrl_i.shared_size <= SHARED_BYTES)
            else $error("PORT-SPAD (environment): more is allocated than the scratchpad has");
        end
      end
    end
  end

  // The control registers must hold whether or not another operation follows, as the stages read them after the
  // handshake. They are thousands of bits, of which a quarter is compared in each cycle: a change is found within four.
  localparam int unsigned CtrlPart = ($bits(ctrl_t) / 32 + 3) / 4 * 32;
  logic [1:0] ctrl_part_q;

  function automatic logic ctrl_same();
    if (ctrl_part_q == 2'd0) return ctrl_q[0*CtrlPart+:CtrlPart] == lsu.ctrl_i[0*CtrlPart+:CtrlPart];
    if (ctrl_part_q == 2'd1) return ctrl_q[1*CtrlPart+:CtrlPart] == lsu.ctrl_i[1*CtrlPart+:CtrlPart];
    if (ctrl_part_q == 2'd2) return ctrl_q[2*CtrlPart+:CtrlPart] == lsu.ctrl_i[2*CtrlPart+:CtrlPart];
    return ctrl_q[$bits(ctrl_t)-1:3*CtrlPart] == lsu.ctrl_i[$bits(ctrl_t)-1:3*CtrlPart];
  endfunction

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ctrl_part_q <= '0;
    end else begin
      ctrl_part_q <= ctrl_part_q + 2'd1;
      if (running_q != '0) CtrlHeld: assert (ctrl_same())
        else $error("PORT-OP (environment): a control register changed while an operation is in flight");
      if (op_taken && running_q == '0) ctrl_q = lsu.ctrl_i;
    end
  end

  function automatic logic words_whole();
    words_whole = 1'b1;
    for (int i = 0; i < BUFFERS; i++) begin
      words_whole &= lsu.ctrl_i.buffer[i].base % 4 == '0 && lsu.ctrl_i.buffer[i].stride % 4 == '0
          && lsu.ctrl_i.buffer[i].size % 4 == '0;
      words_whole &= !(3'(i) inside {BufferReduction, BufferExport}) || lsu.ctrl_i.buffer[i].stride == '0;
    end
    for (int i = 0; i < SCRATCHES; i++) begin
      words_whole &= (lsu.ctrl_i.stage_scratch[i].base | addr_t'(lsu.ctrl_i.stage_scratch[i].stride)
          | addr_t'(lsu.ctrl_i.stage_scratch[i].size)) % 4 == '0;
    end
  endfunction

  function automatic logic resources_whole();
    resources_whole = 1'b1;
    for (int i = 0; i < UAVS; i++) begin
      automatic uav_t uav = lsu.ctrl_i.uav[i];
      automatic logic [ADDR_WIDTH:0] top = {1'b0, uav.base} + {1'b0, uav.size};
      resources_whole &= (uav.base | uav.size) % 4 == '0 && uav.stride % 4 == '0 && uav.row_pitch % 4 == '0
          && uav.slice_pitch % 4 == '0 && (uav.kind != ResourceStructured || uav.stride != '0)
          && (!top[ADDR_WIDTH] || top[ADDR_WIDTH-1:0] == '0);
    end
    for (int i = 0; i < TGSMS; i++) begin
      automatic tgsm_t tgsm = lsu.ctrl_i.tgsm[i];
      resources_whole &= (tgsm.base | tgsm.size) % 4 == '0 && tgsm.stride % 4 == '0
          && (tgsm.kind != ResourceStructured || tgsm.stride != '0)
          && {1'b0, tgsm.base} + {1'b0, tgsm.size} <= 33'(SHARED_BYTES);
    end
  endfunction

  function automatic logic in_space(range_t range);
    logic [ADDR_WIDTH:0] top;
    top = {1'b0, range.base} + {1'b0, range.size};
    return (range.base | range.size) % 32 == '0 && (!top[ADDR_WIDTH] || top[ADDR_WIDTH-1:0] == '0);
  endfunction

  function automatic logic granular();
    granular = in_space(lsu.ctrl_i.local_window) && in_space(lsu.ctrl_i.shared_window)
        && lsu.ctrl_i.local_memory.base % 32 == '0 && lsu.ctrl_i.local_memory.stride % 32 == '0
        && lsu.ctrl_i.local_memory.size % 32 == '0 && lsu.ctrl_i.shared_size % 32 == '0
        && lsu.ctrl_i.param_memory.base % 32 == '0 && lsu.ctrl_i.param_memory.stride % 32 == '0
        && lsu.ctrl_i.param_memory.size % 32 == '0 && in_space(lsu.ctrl_i.cluster);
    for (int i = 0; i < ALLOCS; i++) granular &= in_space(lsu.ctrl_i.alloc[i]);
  endfunction
endmodule
// verilator tracing_on

bind lsu lsu_assert #(
  .LANES(LANES), .LINE_BYTES(LINE_BYTES), .WARPS(WARPS), .SHARED_BYTES(SHARED_BYTES)
) u_assert (.clk_i, .rst_ni);
`endif
