// SPDX-License-Identifier: MIT OR Apache-2.0
// The operations in flight: counts what each still waits for, gathers its faults, and reports it done.
//
//   dispatch --- open ---> +-------+
//   coalesce --- sent ---> | SLOTS |--- oldest of its warp, nothing outstanding ---> done port
//   answers, beats ------> +-------+
//
// An operation is done once its last request was made, each was answered, every beat was taken, and its part in
// the scratchpad is over. The done port follows issue order within a warp: an entry knows the one before it
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

  // From and to dispatch
  output logic                  slot_free_o,
  output slot_t                 slot_o,
  input  logic                  open_i,
  input  warp_t                 open_warp_i,
  input  tag_t                  open_tag_i,
  input  logic                  open_memory_i,  // it will make requests
  input  logic                  open_spad_i,    // it has a part in the scratchpad, or registers to clear
  input  logic [LANES-1:0][2:0] open_fault_i,

  // From lsu_coalesce: one request more
  input  logic  sent_i,
  input  logic  sent_final_i,
  input  slot_t sent_slot_i,

  // From the memory port: a first answer
  input  logic   answer_i,
  input  logic   answer_write_i,  // a write is over with it, a read with its last beat
  input  logic   answer_error_i,
  input  slot_t  answer_slot_i,
  input  lanes_t answer_lanes_i,

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
  localparam int unsigned CountBits = $clog2(LANES + 1);
  localparam int unsigned WarpBits = WARPS > 1 ? $clog2(WARPS) : 1;
  typedef logic [SlotBits-1:0] index_t;
  typedef logic [WarpBits-1:0] warp_index_t;

  // By operation
  logic [SLOTS-1:0]      valid_q;
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

  // A place for the next operation
  // ------------------------------
  always_comb begin
    slot_o = '0;
    for (int s = SLOTS - 1; s >= 0; s--) if (!valid_q[s]) slot_o = slot_t'(s);
  end
  assign slot_free_o = valid_q != '1;

  // The next operation to report
  // ----------------------------
  logic [SLOTS-1:0] over, over_after;
  logic             close;
  index_t           close_slot;
  index_t           turn_q;  // the search starts past the last one reported

  assign over = valid_q & ~sending_q & ~outstanding_q & ~spad_q & ~follows_q;
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
  index_t open_slot, sent_slot, answer_slot, beats_slot, store_slot;
  assign open_slot = index_t'(slot_o);
  assign sent_slot = index_t'(sent_slot_i);
  assign answer_slot = index_t'(answer_slot_i);
  assign beats_slot = index_t'(beats_slot_i);
  assign store_slot = index_t'(spad_store_slot_i);

  logic [SLOTS-1:0][CountBits-1:0] count_d;
  logic [SLOTS-1:0]     outstanding_d;
  always_comb begin
    count_d = count_q;
    outstanding_d = outstanding_q;
    if (sent_i) count_d[sent_slot] = count_d[sent_slot] + CountBits'(1);
    if (answer_i && answer_write_i) count_d[answer_slot] = count_d[answer_slot] - CountBits'(1);
    if (beats_done_i) count_d[beats_slot] = count_d[beats_slot] - CountBits'(1);
    if (sent_i) outstanding_d[sent_slot] = count_d[sent_slot] != '0;
    if (answer_i) outstanding_d[answer_slot] = count_d[answer_slot] != '0;
    if (beats_done_i) outstanding_d[beats_slot] = count_d[beats_slot] != '0;
  end

  warp_index_t open_warp, close_warp;
  assign open_warp = warp_index_t'(open_warp_i);
  assign close_warp = warp_index_t'(warp_q[close_slot]);

  logic follows;
  assign follows = has_youngest_q[open_warp] && !(close && close_slot == youngest_q[open_warp]);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
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
      if (open_i) begin
        valid_q[open_slot] <= 1'b1;
        sending_q[open_slot] <= open_memory_i;
        spad_q[open_slot] <= open_spad_i;
        follows_q[open_slot] <= follows;
        has_youngest_q[open_warp] <= 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (open_i) begin
      before_q[open_slot] <= youngest_q[open_warp];
      youngest_q[open_warp] <= open_slot;
      warp_q[open_slot] <= open_warp_i;
      tag_q[open_slot] <= open_tag_i;
      fault_q[open_slot] <= open_fault_i;
    end
    // Only a lane whose access was made is served, so what it can hold already is none or misaligned.
    if (answer_i && answer_error_i) begin
      automatic logic [LANES-1:0][2:0] fault = fault_q[answer_slot];
      for (int l = 0; l < LANES; l++) if (answer_lanes_i[l]) fault[l] = FaultBus;
      fault_q[answer_slot] <= fault;
    end
  end
endmodule
