// SPDX-License-Identifier: MIT OR Apache-2.0
// The operations in flight: counts what each still waits for, gathers its faults, and reports it done.
//
//   dispatch -- groups --> +-------+
//   coalesce --- sent ---> | SLOTS |--- oldest of its warp, nothing outstanding ---> done port
//   answers, beats ------> +-------+
//
// An operation is done once its last group came and its last request was made, each was answered, every beat was
// taken, and its part in the scratchpad is over. The done port follows issue order within a warp: an entry knows the one before it
// (PORT-DONE). Between warps the port goes round.

module lsu_inflight
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
#(
  parameter int unsigned LANES = 32,
  parameter int unsigned WARPS = 8,
  parameter int unsigned SLOTS = 32
) (
  input  logic clk_i,
  input  logic rst_ni,  // asynchronous, active low

  // From and to dispatch: a group of an operation; the groups of one follow each other
  output logic                  slot_free_o,
  output slot_t                 slot_o,
  input  logic                  group_i,
  input  logic                  group_first_i,
  input  logic                  group_last_i,
  input  warp_t                 group_warp_i,
  input  tag_t                  group_tag_i,
  input  logic                  group_memory_i,  // it will make requests
  input  logic                  group_fill_i,    // it has registers to fill
  input  logic                  group_spad_i,    // it has a part in the scratchpad
  input  logic [LANES-1:0][2:0] group_fault_i,

  // From lsu_coalesce: one request more
  input  logic  sent_i,
  input  logic  sent_final_i,
  input  slot_t sent_slot_i,

  // From the memory port: a first answer, and the answer with which what is no load is over; a load is with its last beat
  input  logic        answer_i,
  input  logic        settled_i,
  input  logic        answer_error_i,
  input  slot_t       answer_slot_i,
  input  lane_words_t answer_served_i,
  input  logic        over_i,  // a compare-and-store that wrote nothing
  input  slot_t       over_slot_i,

  // From lsu_writeback and lsu_scratchpad
  input  logic  beats_done_i,
  input  logic  spad_beats_done_i,
  input  slot_t beats_slot_i,
  input  logic  spad_store_done_i,
  input  slot_t spad_store_slot_i,

  // To the done port
  output logic                  done_valid_o,
  input  logic                  done_ready_i,
  output warp_t                 done_warp_o,
  output tag_t                  done_tag_o,
  output logic [LANES-1:0][2:0] done_fault_o
);
  localparam int unsigned SlotBits = $clog2(SLOTS);
  // Requests in flight, on their way there and on their way back, and fills.
  localparam int unsigned CountBits = $clog2(SLOTS / 2 + 9);
  localparam int unsigned WarpBits = WARPS > 1 ? $clog2(WARPS) : 1;
  typedef logic [SlotBits-1:0] index_t;
  typedef logic [WarpBits-1:0] warp_index_t;

  // By operation
  logic [SLOTS-1:0]      valid_q;
  logic [SLOTS-1:0]      more_q;         // more groups to come
  logic [SLOTS-1:0]      sending_q;      // more requests to make
  logic [SLOTS-1:0]      outstanding_q;  // count_q is not zero
  logic [SLOTS-1:0]      spad_q;
  logic [SLOTS-1:0]      follows_q;      // an older operation of its warp is in flight: before_q
  logic [SLOTS-1:0][CountBits-1:0] count_q;
  index_t                before_q [SLOTS];
  warp_t                 warp_q [SLOTS];
  tag_t                  tag_q [SLOTS];
  logic [LANES-1:0][2:0] fault_q [SLOTS];

  // By warp
  logic [WARPS-1:0] has_youngest_q;
  index_t           youngest_q [WARPS];

  // A place for the next operation; the groups after its first have it already
  // --------------------------------------------------------------------------
  index_t current_q;
  always_comb begin
    slot_o = slot_t'(current_q);
    if (group_first_i) for (int s = SLOTS - 1; s >= 0; s--) if (!valid_q[s]) slot_o = slot_t'(s);
  end
  assign slot_free_o = !group_first_i || valid_q != '1;


  logic open;
  assign open = group_i && group_first_i;

  // The next operation to report
  // ----------------------------
  logic [SLOTS-1:0] over, over_after;
  logic             close;
  index_t           close_slot;
  index_t           turn_q;  // the search starts past the last one reported

  assign over = valid_q & ~more_q & ~sending_q & ~outstanding_q & ~spad_q & ~follows_q;
  assign over_after = over & ~((SLOTS'(2) << turn_q) - SLOTS'(1));
  assign close = over != '0 && (!done_valid_o || done_ready_i);

  always_comb begin
    close_slot = '0;
    for (int s = SLOTS - 1; s >= 0; s--) begin
      if (over_after != '0 ? over_after[s] : over[s]) close_slot = index_t'(s);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      done_valid_o <= 1'b0;
      turn_q <= '0;
    end else begin
      done_valid_o <= close || (done_valid_o && !done_ready_i);
      if (close) turn_q <= close_slot;
    end
  end

  always_ff @(posedge clk_i) begin
    if (close) begin
      done_warp_o <= warp_q[close_slot];
      done_tag_o <= tag_q[close_slot];
      done_fault_o <= fault_q[close_slot];
    end
  end

  // What each waits for
  // -------------------
  index_t group_slot, sent_slot, answer_slot, over_slot, beats_slot, store_slot;
  assign group_slot = index_t'(slot_o);
  assign sent_slot = index_t'(sent_slot_i);
  assign answer_slot = index_t'(answer_slot_i);
  assign over_slot = index_t'(over_slot_i);
  assign beats_slot = index_t'(beats_slot_i);
  assign store_slot = index_t'(spad_store_slot_i);

  logic [SLOTS-1:0][CountBits-1:0] count_d;
  logic [SLOTS-1:0]     outstanding_d;
  always_comb begin
    count_d = count_q;
    outstanding_d = outstanding_q;
    if (sent_i) count_d[sent_slot] = count_d[sent_slot] + CountBits'(1);
    if (group_i && group_fill_i) count_d[group_slot] = count_d[group_slot] + CountBits'(1);
    if (settled_i) count_d[answer_slot] = count_d[answer_slot] - CountBits'(1);
    if (over_i) count_d[over_slot] = count_d[over_slot] - CountBits'(1);
    if (beats_done_i) count_d[beats_slot] = count_d[beats_slot] - CountBits'(1);
    if (sent_i) outstanding_d[sent_slot] = count_d[sent_slot] != '0;
    if (group_i && group_fill_i) outstanding_d[group_slot] = count_d[group_slot] != '0;
    if (settled_i) outstanding_d[answer_slot] = count_d[answer_slot] != '0;
    if (over_i) outstanding_d[over_slot] = count_d[over_slot] != '0;
    if (beats_done_i) outstanding_d[beats_slot] = count_d[beats_slot] != '0;
  end

  warp_index_t open_warp, close_warp;
  assign open_warp = warp_index_t'(group_warp_i);
  assign close_warp = warp_index_t'(warp_q[close_slot]);

  logic follows;
  assign follows = has_youngest_q[open_warp] && !(close && close_slot == youngest_q[open_warp]);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      more_q <= '0;
      sending_q <= '0;
      outstanding_q <= '0;
      spad_q <= '0;
      follows_q <= '0;
      has_youngest_q <= '0;
      count_q <= '0;
    end else begin
      count_q <= count_d;
      outstanding_q <= outstanding_d;
      if (sent_i && sent_final_i) sending_q[sent_slot] <= 1'b0;
      if (spad_beats_done_i) spad_q[beats_slot] <= 1'b0;
      if (spad_store_done_i) spad_q[store_slot] <= 1'b0;
      if (close) begin
        valid_q[close_slot] <= 1'b0;
        for (int s = 0; s < SLOTS; s++) if (before_q[s] == close_slot) follows_q[s] <= 1'b0;
        if (youngest_q[close_warp] == close_slot) has_youngest_q[close_warp] <= 1'b0;
      end
      if (open) begin
        valid_q[group_slot] <= 1'b1;
        spad_q[group_slot] <= group_spad_i;
        follows_q[group_slot] <= follows;
        has_youngest_q[open_warp] <= 1'b1;
      end
      if (group_i) begin
        more_q[group_slot] <= !group_last_i;
        if (group_memory_i) sending_q[group_slot] <= 1'b1;
      end
    end
  end

  // A lane's outcome over all groups and answers is the lowest code (COM-FAULT). Only what was out of bounds, or
  // misaligned, is known before an answer.
  function automatic logic [2:0] worse(logic [2:0] a, logic [2:0] b);
    if (a == FaultNone) return b;
    return b == FaultNone || a < b ? a : b;
  endfunction

  always_ff @(posedge clk_i) begin
    if (open) begin
      current_q <= group_slot;
      before_q[group_slot] <= youngest_q[open_warp];
      youngest_q[open_warp] <= group_slot;
      warp_q[group_slot] <= group_warp_i;
      tag_q[group_slot] <= group_tag_i;
      fault_q[group_slot] <= group_fault_i;
    end
    if (answer_i && answer_error_i) begin
      automatic logic [LANES-1:0][2:0] fault = fault_q[answer_slot];
      for (int l = 0; l < LANES; l++) begin
        if (answer_served_i[l] != '0) fault[l] = worse(fault[l], FaultBus);
        if (group_i && group_slot == answer_slot) fault[l] = worse(fault[l], group_fault_i[l]);
      end
      fault_q[answer_slot] <= fault;
    end
    if (group_i && !group_first_i && !(answer_i && answer_error_i && group_slot == answer_slot)) begin
      automatic logic [LANES-1:0][2:0] fault = fault_q[group_slot];
      for (int l = 0; l < LANES; l++) fault[l] = worse(fault[l], group_fault_i[l]);
      fault_q[group_slot] <= fault;
    end
  end
endmodule
