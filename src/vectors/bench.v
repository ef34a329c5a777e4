// SPDX-License-Identifier: MIT OR Apache-2.0
// What plays the vectors, and compares: request by request, register by register, fault by fault, at last memory.
// Verilog-2005. `NETLIST`: the unit has no parameters. `+wave=FILE`: a VCD of the unit's ports, which `gpu-lsu judge`
// reads. `+stall`: readies come and go, and answers take longer.

module lsu_vectors_tb;
  // Sizes
  // -----
  localparam LATENCY = 4;     // cycles from a request to its answer, at least
  localparam PATIENCE = 4096; // cycles without a handshake, while something is owed

  reg clk, rst_n, stall;
  initial begin
    clk = 1'b0;
    forever #5 clk = ~clk;
  end

  // The vectors
  // -----------
  reg [CONTROL_BITS-1:0]  control_mem [0:CONTROL_DEPTH-1];
  reg [OP_BITS-1:0]       op_mem [0:OP_DEPTH-1];
  reg [DATA_BITS-1:0]     data_mem [0:DATA_DEPTH-1];
  reg [REQUEST_BITS-1:0]  request_mem [0:REQUEST_DEPTH-1];
  reg [REGISTER_BITS-1:0] register_mem [0:REGISTER_DEPTH-1];
  reg [MEMORY_BITS-1:0]   memory_mem [0:MEMORY_DEPTH-1];
  reg [AFTER_BITS-1:0]    after_mem [0:AFTER_DEPTH-1];
  reg [CLAUSE_BITS-1:0]   clause_mem [0:CLAUSE_DEPTH-1];

  // What each came to
  // -----------------
  reg             made [0:REQUEST_DEPTH-1];     // the request
  reg [LANES-1:0] written [0:REGISTER_DEPTH-1]; // lanes of the register
  reg             busy [0:255];                 // by tag
  reg [31:0]      vector_of [0:255];
  reg [31:0]      next_request [0:255];
  reg             id_busy [0:63];

  // The unit
  // --------
  reg  [CONTROL_CTRL_W-1:0] ctrl;
  reg                       op_valid, data_valid, rsp_valid;
  wire                      op_ready, data_ready, rsp_ready;
  reg  [OP_BITS-1:0]        op;
  reg  [32*LANES-1:0]       data;
  wire                      wb_valid, done_valid, req_valid;
  reg                       wb_ready, done_ready, req_ready;
  wire [2:0]                wb_warp, done_warp, req_warp;
  wire [7:0]                wb_tag, done_tag, req_tag;
  wire [5:0]                wb_reg, req_id;
  wire [LANES-1:0]          wb_mask;
  wire [32*LANES-1:0]       wb_data;
  wire [3*LANES-1:0]        done_fault;
  wire [3:0]                req_group, req_space;
  wire [1:0]                req_kind;
  wire [OP_ATTR_W-1:0]      req_attr;
  wire [39:0]               req_addr;
  wire [LINE_BYTES-1:0]     req_be;
  wire [8*LINE_BYTES-1:0]   req_data;
  reg  [5:0]                rsp_id;
  reg  [8*LINE_BYTES-1:0]   rsp_data;
  reg                       rsp_error;

`ifdef NETLIST
  lsu dut (
`else
  lsu #(
    .LANES(LANES), .LINE_BYTES(LINE_BYTES), .WARPS(WARPS), .PENDING(PENDING), .SHARED_BYTES(SHARED_BYTES)
  ) dut (
`endif
    .clk_i(clk), .rst_ni(rst_n), .ctrl_i(ctrl),
    .op_valid_i(op_valid), .op_ready_o(op_ready), .op_i(op[OP_OP+:OP_OP_W]),
    .op_active_i(op[OP_ACTIVE+:LANES]), .op_helper_i(op[OP_HELPER+:LANES]),
    .op_predicate_i(op[OP_PREDICATE+:LANES]), .op_addr_i(op[OP_ADDR+:96*LANES]),
    .data_valid_i(data_valid), .data_ready_o(data_ready), .data_i(data),
    .wb_valid_o(wb_valid), .wb_ready_i(wb_ready), .wb_warp_o(wb_warp), .wb_tag_o(wb_tag), .wb_reg_o(wb_reg),
    .wb_mask_o(wb_mask), .wb_data_o(wb_data),
    .done_valid_o(done_valid), .done_ready_i(done_ready), .done_warp_o(done_warp), .done_tag_o(done_tag),
    .done_fault_o(done_fault),
    .mem_req_valid_o(req_valid), .mem_req_ready_i(req_ready), .mem_req_id_o(req_id), .mem_req_warp_o(req_warp),
    .mem_req_tag_o(req_tag), .mem_req_group_o(req_group), .mem_req_kind_o(req_kind), .mem_req_space_o(req_space),
    .mem_req_attr_o(req_attr), .mem_req_addr_o(req_addr), .mem_req_be_o(req_be), .mem_req_data_o(req_data),
    .mem_rsp_valid_i(rsp_valid), .mem_rsp_ready_o(rsp_ready), .mem_rsp_id_i(rsp_id), .mem_rsp_data_i(rsp_data),
    .mem_rsp_error_i(rsp_error), .mem_rsp_exclusive_failed_i(1'b0), .mem_rsp_scope_i(2'd3), .mem_rsp_last_i(1'b1)
  );

  // Where it is
  // -----------
  integer next_op, next_data, finished, cycle, moved, rsp_in, rsp_out, problem;
  reg [31:0] random;
  reg [5:0] rsp_fifo_id [0:127];
  reg [8*LINE_BYTES-1:0] rsp_fifo_data [0:127];
  reg rsp_fifo_error [0:127];
  integer rsp_fifo_at [0:127];
  reg held_req, held_wb, held_done;
  reg [LINE_BYTES*9+OP_ATTR_W+66:0] last_req;
  reg [33*LANES+16:0] last_wb;
  reg [3*LANES+10:0] last_done;
  wire [LINE_BYTES*9+OP_ATTR_W+66:0] now_req =
      {req_id, req_warp, req_tag, req_group, req_kind, req_space, req_attr, req_addr, req_be, req_data};
  wire [33*LANES+16:0] now_wb = {wb_warp, wb_tag, wb_reg, wb_mask, wb_data};
  wire [3*LANES+10:0] now_done = {done_warp, done_tag, done_fault};

  // Verdicts
  // --------
  integer compared;
  reg     over;

  // The vector, the lane (or -1), the thing, both values, and which of the vector's clauses stands behind it.
  task fail;
    input [31:0] vector;
    input integer lane;
    input [8*24-1:0] field;
    input [127:0] expected, found;
    input [8*16-1:0] clause;
    if (!over) begin
      over = 1'b1;
      $display("gpu-lsu: vector %0d lane %0d field %0s expected %0h found %0h clause %0s", vector, lane, field, expected,
               found, clause);
      $display("gpu-lsu: FAIL at cycle %0d; what should have happened: gpu-lsu vectors explain DIR --vector %0d", cycle,
               vector);
      $finish;
    end
  endtask

  function [8*16-1:0] clause_of;
    input [31:0] vector;
    input integer field;
    clause_of = clause_name(clause_mem[vector][8*field+:8]);
  endfunction

  function integer lowest;
    input [LANES-1:0] lanes;
    integer at;
    begin
      lowest = -1;
      for (at = LANES - 1; at >= 0; at = at - 1) if (lanes[at]) lowest = at;
    end
  endfunction

  // A request: its row, and what memory does
  // ----------------------------------------
  integer row, first, count, seconds, at, lane, line, vector, tag, warp;
  reg     found_row;
  reg [REQUEST_BITS-1:0] want;
  reg [8*LINE_BYTES-1:0] held;

  task request;
    begin
      vector = vector_of[req_tag];
      if (busy[req_tag] !== 1'b1) fail(vector, -1, "request.tag", 0, req_tag, "PORT-REQ");
      else begin
        first = op_mem[vector][OP_FIRST_REQUEST+:32];
        count = op_mem[vector][OP_REQUESTS+:16];
        seconds = op_mem[vector][OP_SECONDS+:16];
        found_row = 1'b0;
        row = first + next_request[req_tag];
        if (req_kind == 2'd3) begin
          for (at = first + count; at < first + count + seconds; at = at + 1)
            if (!found_row && !made[at] && request_mem[at][REQUEST_ADDR+:40] == req_addr) begin
              found_row = 1'b1;
              row = at;
            end
        end else if (next_request[req_tag] < count) begin
          found_row = 1'b1;
          next_request[req_tag] = next_request[req_tag] + 1;
        end
        if (!found_row) fail(vector, -1, "request.address", 0, req_addr, clause_of(vector, FIELD_REQUEST));
        else begin
          want = request_mem[row];
          made[row] = 1'b1;
          lane = lowest(want[REQUEST_LANES+:LANES]);
          compared = compared + 1;
          if (req_warp !== op_mem[vector][OP_WARP+:3])
            fail(vector, lane, "request.warp", op_mem[vector][OP_WARP+:3], req_warp, "PORT-REQ");
          if (req_kind !== want[REQUEST_KIND+:2])
            fail(vector, lane, "request.kind", want[REQUEST_KIND+:2], req_kind, "PORT-REQ");
          if (req_addr !== want[REQUEST_ADDR+:40])
            fail(vector, lane, "request.address", want[REQUEST_ADDR+:40], req_addr, clause_of(vector, FIELD_ADDRESS));
          if (req_be !== want[REQUEST_BE+:LINE_BYTES])
            fail(vector, lane, "request.enable", want[REQUEST_BE+:LINE_BYTES], req_be, clause_of(vector, FIELD_ENABLE));
          if (req_space !== want[REQUEST_SPACE+:4])
            fail(vector, lane, "request.space", want[REQUEST_SPACE+:4], req_space, "PORT-REQ");
          if (req_group !== want[REQUEST_GROUP+:4])
            fail(vector, lane, "request.group", want[REQUEST_GROUP+:4], req_group, "PORT-GROUP");
          if (req_attr !== op_mem[vector][OP_ATTR+:OP_ATTR_W])
            fail(vector, lane, "request.attribute", op_mem[vector][OP_ATTR+:OP_ATTR_W], req_attr,
                 clause_of(vector, FIELD_ATTRIBUTE));
          line = want[REQUEST_LINE+:32];
          held = memory_mem[line][MEMORY_DATA+:8*LINE_BYTES];
          for (at = 0; at < LINE_BYTES; at = at + 1)
            if (req_kind[0] && want[REQUEST_BE+at]) begin
              if (req_data[8*at+:8] !== want[REQUEST_DATA+8*at+:8])
                fail(vector, lane, "request.data", want[REQUEST_DATA+8*at+:8], req_data[8*at+:8],
                     clause_of(vector, FIELD_DATA));
              if (!memory_mem[line][MEMORY_FAILS])
                memory_mem[line][MEMORY_DATA+8*at+:8] = req_data[8*at+:8];
            end
          if (id_busy[req_id] === 1'b1) fail(vector, lane, "request.id", 0, req_id, "PORT-ID");
          id_busy[req_id] = 1'b1;
          // Reads see the line as it is now: nothing in flight has a byte with them.
          rsp_fifo_id[rsp_in[6:0]] = req_id;
          rsp_fifo_data[rsp_in[6:0]] = req_kind[0] ? {8*LINE_BYTES{1'b0}} : held;
          rsp_fifo_error[rsp_in[6:0]] = memory_mem[line][MEMORY_FAILS];
          rsp_fifo_at[rsp_in[6:0]] = cycle + LATENCY + (stall ? random[3:0] : 0);
          rsp_in = rsp_in + 1;
        end
      end
    end
  endtask

  task write_back;
    begin
      vector = vector_of[wb_tag];
      if (busy[wb_tag] !== 1'b1) fail(vector, -1, "wb.tag", 0, wb_tag, "PORT-WB");
      else begin
        first = op_mem[vector][OP_FIRST_REGISTER+:32];
        count = op_mem[vector][OP_REGISTERS+:8];
        found_row = 1'b0;
        row = 0;
        for (at = first; at < first + count; at = at + 1)
          if (register_mem[at][REGISTER_REGISTER+:8] == {2'b0, wb_reg}) begin
            found_row = 1'b1;
            row = at;
          end
        if (wb_warp !== op_mem[vector][OP_WARP+:3])
          fail(vector, -1, "wb.warp", op_mem[vector][OP_WARP+:3], wb_warp, "PORT-WB");
        if (!found_row) fail(vector, lowest(wb_mask), "wb.register", 0, wb_reg, "PORT-WB");
        else begin
          for (lane = 0; lane < LANES; lane = lane + 1)
            if (wb_mask[lane] !== 1'b0) begin
              compared = compared + 1;
              if (!register_mem[row][REGISTER_LANES+lane])
                fail(vector, lane, "wb.lanes", 0, 1, clause_of(vector, FIELD_LANES));
              if (written[row][lane]) fail(vector, lane, "wb.again", 1, 2, "PORT-WB");
              if (wb_data[32*lane+:32] !== register_mem[row][REGISTER_DATA+32*lane+:32])
                fail(vector, lane, "wb.data", register_mem[row][REGISTER_DATA+32*lane+:32], wb_data[32*lane+:32],
                     clause_of(vector, FIELD_REGISTER));
            end
          written[row] = written[row] | wb_mask;
        end
      end
    end
  endtask

  task complete;
    begin
      vector = vector_of[done_tag];
      if (busy[done_tag] !== 1'b1) fail(vector, -1, "done.tag", 0, done_tag, "PORT-DONE");
      else begin
        if (done_warp !== op_mem[vector][OP_WARP+:3])
          fail(vector, -1, "done.warp", op_mem[vector][OP_WARP+:3], done_warp, "PORT-DONE");
        first = op_mem[vector][OP_FIRST_REQUEST+:32];
        count = op_mem[vector][OP_REQUESTS+:16] + op_mem[vector][OP_SECONDS+:16];
        for (at = first; at < first + count; at = at + 1)
          if (!made[at])
            fail(vector, lowest(request_mem[at][REQUEST_LANES+:LANES]), "request.missing",
                 request_mem[at][REQUEST_ADDR+:40], 0, clause_of(vector, FIELD_REQUEST));
        first = op_mem[vector][OP_FIRST_REGISTER+:32];
        count = op_mem[vector][OP_REGISTERS+:8];
        for (at = first; at < first + count; at = at + 1)
          if (written[at] !== register_mem[at][REGISTER_LANES+:LANES])
            fail(vector, lowest(register_mem[at][REGISTER_LANES+:LANES] & ~written[at]), "wb.missing",
                 register_mem[at][REGISTER_LANES+:LANES], written[at], "PORT-WB");
        for (lane = 0; lane < LANES; lane = lane + 1) begin
          compared = compared + 1;
          if (done_fault[3*lane+:3] !== op_mem[vector][OP_FAULT+3*lane+:3])
            fail(vector, lane, "fault", op_mem[vector][OP_FAULT+3*lane+:3], done_fault[3*lane+:3],
                 clause_of(vector, FIELD_FAULT));
        end
        for (at = 0; at < 256; at = at + 1)
          if (busy[at] === 1'b1 && vector_of[at] < vector_of[done_tag] &&
              op_mem[vector_of[at]][OP_WARP+:3] == done_warp)
            fail(vector_of[at], -1, "done.order", vector_of[at], vector, "PORT-DONE");
        busy[done_tag] = 1'b0;
        finished = finished + 1;
      end
    end
  endtask

  // Play
  // ----
  reg [8*256-1:0] wave;
  initial begin
    if ($value$plusargs("wave=%s", wave)) begin
      $dumpfile(wave);
      $dumpvars(1, dut);
    end
    stall = $test$plusargs("stall") != 0;
    load;
    for (at = 0; at < 256; at = at + 1) busy[at] = 1'b0;
    for (at = 0; at < 64; at = at + 1) id_busy[at] = 1'b0;
    for (at = 0; at < REQUEST_DEPTH; at = at + 1) made[at] = 1'b0;
    for (at = 0; at < REGISTER_DEPTH; at = at + 1) written[at] = 0;
    {op_valid, data_valid, rsp_valid, req_ready, wb_ready, done_ready} = 6'd0;
    {next_op, next_data, finished, cycle, moved, rsp_in, rsp_out, compared} = 0;
    {held_req, held_wb, held_done, over} = 4'd0;
    {rsp_id, rsp_data, rsp_error} = 0;
    op = 0;
    data = 0;
    ctrl = control_mem[0][CONTROL_CTRL_W-1:0];
    random = 32'h2545f491;
`ifdef NETLIST
    // A netlist has the widths that it was made with, whatever those of the vectors are.
    if (({1'b1, dut.op_active_i} >> LANES) !== 1 || ({1'b1, dut.mem_req_be_o} >> LINE_BYTES) !== 1) begin
      $display("gpu-lsu: NOT PLAYED: the vectors are for LANES=%0d LINE_BYTES=%0d, and the unit has other widths", LANES,
               LINE_BYTES);
      over = 1'b1;
      $finish;
    end
`endif
    rst_n = 1'b0;
    #42 rst_n = 1'b1;
  end

  always @(posedge clk) if (rst_n && !over) begin
    cycle = cycle + 1;
    random = random ^ (random << 13);
    random = random ^ (random >> 17);
    random = random ^ (random << 5);

    // Offers stay as they are until they are taken.
    if (held_req && (req_valid !== 1'b1 || now_req !== last_req))
      fail(vector_of[req_tag], -1, "request.held", 1, req_valid, "PORT-HOLD");
    if (held_wb && (wb_valid !== 1'b1 || now_wb !== last_wb))
      fail(vector_of[wb_tag], -1, "wb.held", 1, wb_valid, "PORT-HOLD");
    if (held_done && (done_valid !== 1'b1 || now_done !== last_done))
      fail(vector_of[done_tag], -1, "done.held", 1, done_valid, "PORT-HOLD");
    if ((^{req_valid, wb_valid, done_valid, op_ready, data_ready, rsp_ready}) === 1'bx)
      fail(next_op, -1, "handshake", 0, 1, "PORT-RESET");
    {held_req, last_req} = {req_valid && !req_ready, now_req};
    {held_wb, last_wb} = {wb_valid && !wb_ready, now_wb};
    {held_done, last_done} = {done_valid && !done_ready, now_done};

    if (rsp_valid && rsp_ready) id_busy[rsp_id] = 1'b0;
    if (req_valid && req_ready) request;
    if (wb_valid && wb_ready) write_back;
    if (done_valid && done_ready) complete;
    if (op_valid && op_ready) begin
      tag = op[OP_TAG+:8];
      busy[tag] = 1'b1;
      vector_of[tag] = next_op;
      next_request[tag] = 0;
      next_op = next_op + 1;
    end
    if ((op_valid && op_ready) || (data_valid && data_ready) || (rsp_valid && rsp_ready) || (req_valid && req_ready) ||
        (wb_valid && wb_ready) || (done_valid && done_ready)) moved = cycle;

    // What is offered next.
    if (!op_valid || op_ready) begin
      op_valid <= 1'b0;
      if (next_op < VECTORS && (!op_mem[next_op][OP_WAITS] || finished == next_op) &&
          busy[op_mem[next_op][OP_TAG+:8]] !== 1'b1) begin
        // The control registers change while nothing is in flight, a cycle before the operation.
        if (ctrl !== control_mem[op_mem[next_op][OP_SEGMENT+:16]][CONTROL_CTRL_W-1:0])
          ctrl <= control_mem[op_mem[next_op][OP_SEGMENT+:16]][CONTROL_CTRL_W-1:0];
        else begin
          op <= op_mem[next_op];
          op_valid <= 1'b1;
        end
      end
    end
    if (data_valid && data_ready) next_data = next_data + 1;
    if (!data_valid || data_ready) begin
      data_valid <= next_data < BEATS;
      if (next_data < BEATS) data <= data_mem[next_data][32*LANES-1:0];
    end
    if (!rsp_valid || rsp_ready) begin
      rsp_valid <= 1'b0;
      if (rsp_out < rsp_in && rsp_fifo_at[rsp_out[6:0]] <= cycle) begin
        rsp_valid <= 1'b1;
        rsp_id <= rsp_fifo_id[rsp_out[6:0]];
        rsp_data <= rsp_fifo_data[rsp_out[6:0]];
        rsp_error <= rsp_fifo_error[rsp_out[6:0]];
        rsp_out = rsp_out + 1;
      end
    end
    req_ready <= !stall || random[4];
    wb_ready <= !stall || random[5];
    done_ready <= !stall || random[6];

    if (!over && finished == VECTORS) begin
      problem = 0;
      for (line = 0; line < LINES; line = line + 1)
        for (at = 0; at < LINE_BYTES; at = at + 1) begin
          compared = compared + 1;
          if (memory_mem[line][MEMORY_DATA+8*at+:8] !== after_mem[line][8*at+:8]) problem = 1;
        end
      if (problem != 0) fail(VECTORS, -1, "after", 0, 1, "PORT-REQ");
      else if (next_data != BEATS) fail(VECTORS, -1, "data.taken", BEATS, next_data, "PORT-DATA");
      else begin
        over = 1'b1;
        $display("gpu-lsu: PASS: %0d vectors, %0d comparisons, %0d cycles", VECTORS, compared, cycle);
        $finish;
      end
    end else if (!over && cycle - moved > PATIENCE) begin
      vector = next_op;
      for (at = 0; at < 256; at = at + 1)
        if (busy[at] === 1'b1 && (vector == next_op || vector_of[at] < vector)) vector = vector_of[at];
      fail(vector, -1, "progress", 1, 0, "PORT-PROGRESS");
    end
  end

