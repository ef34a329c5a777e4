// SPDX-License-Identifier: MIT OR Apache-2.0
// Compare-and-store at the memory port: pairs of a read-exclusive and a write-exclusive (PORT-CAS, SM5-CAS, SM5-ORDER).
//
//   mem_rsp ---> line register ---> [ step, a lane after the other ] ---> new line, by id ---> lsu_order
//
// A pair begins as any request does; lsu_pending keeps its line and its id for it until it is over. When the line
// comes, the request's lanes act on it in one cycle, in ascending order. If one of them matched, the write-exclusive
// is sent from here; if it is refused, the read-exclusive again. There is room for every id, so an answer never waits
// for a request to be taken. A line comes every cycle, and one goes.
// Golden model: src/model/cas.rs.

module lsu_cas
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

  // From dispatch: what the lanes compare with and store
  input  logic                open_i,
  input  slot_t               open_slot_i,
  input  addr_t [LANES-1:0]   open_addr_i,
  input  ring_ptr_t           front_i,  // of the data: the comparison values; the new ones follow
  input  logic [LANES*32-1:0] ring_i [RING_BEATS],

  // From lsu_order: a pair begins
  input  logic                  begin_i,
  input  id_t                   begin_id_i,
  input  request_t              begin_request_i,
  input  logic [LINE_BYTES-1:0] begin_be_i,

  // From the memory port and lsu_pending: a line to act on, or a refused write
  input  logic                    line_i,
  input  logic                    refused_i,
  input  id_t                     rsp_id_i,
  input  slot_t                   rsp_slot_i,
  input  lane_words_t             rsp_served_i,
  input  logic [LINE_BYTES*8-1:0] rsp_data_i,

  // To lsu_order: a second half, or a first half again
  output logic                    again_valid_o,
  input  logic                    again_ready_i,
  output id_t                     again_id_o,
  output request_t                again_o,
  output logic [LINE_BYTES-1:0]   again_be_o,
  output logic [LINE_BYTES*8-1:0] again_data_o,

  // To lsu_pending and lsu_inflight: no lane matched, nothing is written
  output logic  over_o,
  output id_t   over_id_o,
  output slot_t over_slot_o
);
  import lsu_cas_pkg::*;

  localparam int unsigned Words = LINE_BYTES / 4;
  localparam int unsigned WordBits = $clog2(Words);
  localparam int unsigned IdBits = $clog2(PENDING);
  localparam int unsigned SlotBits = $clog2(SLOTS);
  typedef logic [WordBits-1:0] at_t;  // a dword of a line
  typedef logic [IdBits-1:0] index_t;

  // By operation
  logic [LANES*32-1:0] compare_q [SLOTS];
  logic [LANES*32-1:0] value_q [SLOTS];
  at_t [LANES-1:0]     at_q [SLOTS];

  // By id: the pairs
  logic [PENDING-1:0]      wanted_q;  // a request is to be sent
  logic [PENDING-1:0]      second_q;  // it is the write-exclusive
  request_t                request_q [PENDING];
  logic [LINE_BYTES-1:0]   read_be_q [PENDING];
  logic [LINE_BYTES-1:0]   write_be_q [PENDING];
  logic [LINE_BYTES*8-1:0] new_q [PENDING];

  always_ff @(posedge clk_i) begin
    if (open_i) begin
      automatic at_t [LANES-1:0] at;
      for (int l = 0; l < LANES; l++) at[l] = at_t'(open_addr_i[l] >> 2);
      at_q[SlotBits'(open_slot_i)] <= at;
      compare_q[SlotBits'(open_slot_i)] <= ring_i[front_i];
      value_q[SlotBits'(open_slot_i)] <= ring_i[front_i+ring_ptr_t'(1)];
    end
    if (begin_i) begin
      request_q[index_t'(begin_id_i)] <= begin_request_i;
      read_be_q[index_t'(begin_id_i)] <= begin_be_i;
    end
  end

  // Step
  // ----
  logic                    valid_q;
  index_t                  id_q;
  slot_t                   slot_q;
  lane_words_t             served_q;
  logic [LINE_BYTES*8-1:0] line_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= 1'b0;
    else valid_q <= line_i;
  end

  always_ff @(posedge clk_i) begin
    if (line_i) begin
      id_q <= index_t'(rsp_id_i);
      slot_q <= rsp_slot_i;
      served_q <= rsp_served_i;
      line_q <= rsp_data_i;
    end
  end

  logic [31:0]             word [Words];
  logic [Words-1:0]        stored;
  logic [LINE_BYTES-1:0]   be;
  logic [LINE_BYTES*8-1:0] line;
  logic [LANES*32-1:0]     compare, value;
  at_t [LANES-1:0]         at;
  step_t                   s;
  always_comb begin
    stored = '0;
    be = '0;
    line = '0;
    compare = '0;
    value = '0;
    at = '0;
    s = '0;
    for (int w = 0; w < Words; w++) word[w] = '0;
    if (valid_q) begin
      compare = compare_q[SlotBits'(slot_q)];
      value = value_q[SlotBits'(slot_q)];
      at = at_q[SlotBits'(slot_q)];
      for (int w = 0; w < Words; w++) word[w] = line_q[w*32+:32];
      for (int l = 0; l < LANES; l++) begin
        if (served_q[l] != '0) begin
          s = step(word[at[l]], compare[l*32+:32], value[l*32+:32]);
          word[at[l]] = s.value;
          if (s.stores) stored[at[l]] = 1'b1;
        end
      end
      for (int w = 0; w < Words; w++) begin
        be[w*4+:4] = {4{stored[w]}};
        line[w*32+:32] = stored[w] ? word[w] : '0;
      end
    end
  end

  assign over_o = valid_q && stored == '0;
  assign over_id_o = id_t'(id_q);
  assign over_slot_o = slot_q;

  // Send
  // ----
  // The turn goes round, so that a pair that is refused for ever keeps no other waiting.
  index_t             turn_q, next;
  logic [PENDING-1:0] wanted_after;
  assign wanted_after = wanted_q & ~((PENDING'(2) << turn_q) - PENDING'(1));
  always_comb begin
    next = '0;
    for (int i = PENDING - 1; i >= 0; i--) begin
      if (wanted_after != '0 ? wanted_after[i] : wanted_q[i]) next = index_t'(i);
    end
  end

  assign again_valid_o = wanted_q != '0;
  assign again_id_o = id_t'(next);
  always_comb begin
    again_o = request_q[next];
    again_o.write = second_q[next];
  end
  assign again_be_o = second_q[next] ? write_be_q[next] : read_be_q[next];
  assign again_data_o = second_q[next] ? new_q[next] : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wanted_q <= '0;
      turn_q <= '0;
    end else begin
      if (again_valid_o && again_ready_i) begin
        wanted_q[next] <= 1'b0;
        turn_q <= next;
      end
      if (valid_q && stored != '0) wanted_q[id_q] <= 1'b1;
      if (refused_i) wanted_q[index_t'(rsp_id_i)] <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid_q && stored != '0) begin
      second_q[id_q] <= 1'b1;
      write_be_q[id_q] <= be;
      new_q[id_q] <= line;
    end
    if (refused_i) second_q[index_t'(rsp_id_i)] <= 1'b0;
  end
endmodule
