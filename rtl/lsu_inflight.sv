// SPDX-License-Identifier: MIT OR Apache-2.0
// The table of operations in flight: counts what each still waits for, gathers its faults, and reports it done.
//
//   window ---- groups --> |   +-------+
//   coalesce --- sent ---> | ->| SLOTS |--- the oldest of a warp, nothing outstanding ---> done port
//   answers, beats ------> |   +-------+
//
// An operation is done once its last group has arrived, its last request was made, every request was answered, every
// beat was taken, and its part in the scratchpad is over. Events are registered first: their paths are long. That a
// beat was taken is known early, and counts at once; nothing that it might overtake is as young. An answer that is the
// last thing waited for, and brings no error, ends its operation as soon as it is registered. Each warp's operations form
// a linked list of which only the head is reported, so done follows issue order within a warp (PORT-DONE). The warps
// share the done port round robin.

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

  // From lsu_window: a group. lsu_admit has reserved a slot for its operation
  output slot_t                 slot_o,
  input  arrived_t              group_i,
  input  logic [LANES-1:0][2:0] group_fault_i,

  // From lsu_coalesce: a request, maybe the last of its group; from lsu_store: a group that moves nothing has its data
  input  sent_t  sent_i,
  input  event_t dropped_i,

  // From the memory port: a request's first answer, and the one that settles it; a load's request is settled by its
  // last beat instead
  input  answer_t answer_i,
  input  event_t  over_i,  // a pair ended without a write

  // From lsu_writeback and lsu_scratchpad
  input  drained_t drained_i,
  input  event_t   stored_i,

  // To the done port
  output logic                  done_valid_o,
  input  logic                  done_ready_i,
  output warp_t                 done_warp_o,
  output tag_t                  done_tag_o,
  output logic [LANES-1:0][2:0] done_fault_o
);
  localparam int unsigned SlotBits = $clog2(SLOTS);
  // Counts groups that have requests left to make, requests on their way or in flight, and fills.
  localparam int unsigned CountBits = $clog2(SLOTS + 2 * ENTRIES + 9);
  localparam int unsigned WarpBits = WARPS > 1 ? $clog2(WARPS) : 1;
  typedef logic [SlotBits-1:0] index_t;
  typedef logic [WarpBits-1:0] warp_index_t;

  logic   close;  // an operation is reported
  index_t close_slot;

  // The slot of the next operation; the later groups of an operation reuse its slot
  // -------------------------------------------------------------------------------
  // If at_hand_q, place_q holds a free slot. It is refilled from a queue of the slots that came free, or, if that is
  // empty, with one never used. The queue cannot overflow: if all slots are free, one of them is in place_q.
  logic                       at_hand_q;
  index_t                     place_q, current_q;
  index_t                     free_q [2**SlotBits];
  index_t                     free_front_q, free_back_q;
  logic [$clog2(SLOTS+1)-1:0] unused_q;  // the first slot never used

  logic open, refill, has_free, has_unused;
  assign slot_o = group_i.first ? slot_t'(place_q) : slot_t'(current_q);
  assign open = group_i.valid && group_i.first;
  assign refill = open || !at_hand_q;
  assign has_free = free_front_q != free_back_q;
  assign has_unused = 32'(unused_q) != SLOTS;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      at_hand_q <= 1'b0;
      free_front_q <= '0;
      free_back_q <= '0;
      unused_q <= '0;
    end else begin
      if (refill) at_hand_q <= has_free || has_unused;
      if (refill && has_free) free_front_q <= free_front_q + index_t'(1);
      if (refill && !has_free && has_unused) unused_q <= unused_q + 1'b1;
      if (close) free_back_q <= free_back_q + index_t'(1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (refill) place_q <= has_free ? free_q[free_front_q] : index_t'(unused_q);
    if (open) current_q <= place_q;
    if (close) free_q[free_back_q] <= close_slot;
  end

  // Events, registered; but for beats
  // ---------------------------------
  logic                  group_q, opened_q, last_q, memory_q, fill_q, spad_part_q;
  warp_index_t           group_warp_q;
  tag_t                  group_tag_q;
  logic [LANES-1:0][2:0] group_fault_q;
  logic                  sent_q, sent_final_q, dropped_q, settled_q, error_q, over_q, store_q;
  logic [LANES-1:0]      error_lanes_q;
  index_t                group_slot_q, sent_slot_q, dropped_slot_q, answer_slot_q, over_slot_q, store_slot_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      group_q <= 1'b0;
      sent_q <= 1'b0;
      dropped_q <= 1'b0;
      settled_q <= 1'b0;
      error_q <= 1'b0;
      over_q <= 1'b0;
      store_q <= 1'b0;
    end else begin
      group_q <= group_i.valid;
      sent_q <= sent_i.valid;
      dropped_q <= dropped_i.valid;
      settled_q <= answer_i.settled;
      error_q <= answer_i.first && answer_i.error;
      over_q <= over_i.valid;
      store_q <= stored_i.valid;
    end
  end

  always_ff @(posedge clk_i) begin
    opened_q <= group_i.first;
    last_q <= group_i.last;
    memory_q <= group_i.memory;
    fill_q <= group_i.fill;
    spad_part_q <= group_i.spad;
    group_warp_q <= warp_index_t'(group_i.warp);
    group_tag_q <= group_i.tag;
    group_slot_q <= index_t'(slot_o);
    if (group_i.valid) group_fault_q <= group_fault_i;
    sent_final_q <= sent_i.last;
    sent_slot_q <= index_t'(sent_i.slot);
    dropped_slot_q <= index_t'(dropped_i.slot);
    answer_slot_q <= index_t'(answer_i.slot);
    if (answer_i.error) for (int l = 0; l < LANES; l++) error_lanes_q[l] <= answer_i.served[l] != '0;
    over_slot_q <= index_t'(over_i.slot);
    store_slot_q <= index_t'(stored_i.slot);
  end

  // What each operation still waits for
  // -----------------------------------
  index_t drained_slot;
  assign drained_slot = index_t'(drained_i.slot);

  logic [SLOTS-1:0]                more_q;         // more groups to come
  logic [SLOTS-1:0]                outstanding_q;  // count_q is not zero
  logic [SLOTS-1:0]                spad_q;
  logic [SLOTS-1:0][CountBits-1:0] count_q, count_d;
  logic [SLOTS-1:0]                outstanding_d;

  // A group's last request takes over the group's own count, so only the earlier ones add to it.
  logic more_sent;
  assign more_sent = sent_q && !sent_final_q;

  // By slot: an answer is all that it waits for, and comes without an error, whose lanes would have to be in the table
  // first. Such an answer ends the operation before it is counted.
  logic [SLOTS-1:0] last_answer;

`ifdef SYNTHESIS
  logic [SLOTS-1:0] settles_q, one_q;  // an answer settles a request of it; it waits for one thing
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      settles_q <= '0;
      one_q <= '0;
    end else begin
      for (int s = 0; s < SLOTS; s++) begin
        settles_q[s] <= answer_i.settled && index_t'(answer_i.slot) == index_t'(s);
        one_q[s] <= count_d[s] == CountBits'(1);
      end
    end
  end
  assign last_answer = settles_q & one_q & {SLOTS{!error_q}};

  // The net decrease of at most three increments and four decrements. Written as gates, since so few bits need no carry
  // chain.
  function automatic logic signed [3:0] less(logic [2:0] more, logic [3:0] over);
    logic [1:0] up, low;
    logic [2:0] down;
    logic [2:1] borrow;
    up = {(more[2] & more[1]) | (more[2] & more[0]) | (more[1] & more[0]), ^more};
    low = {(over[2] & over[1]) | (over[2] & over[0]) | (over[1] & over[0]), ^over[2:0]};
    down = {low[1] & low[0] & over[3], low[1] ^ (low[0] & over[3]), low[0] ^ over[3]};
    borrow[1] = up[0] & ~down[0];
    borrow[2] = (up[1] & ~down[1]) | (borrow[1] & ~(up[1] ^ down[1]));
    return {borrow[2] & ~down[2], down[2] ^ borrow[2], up[1] ^ down[1] ^ borrow[1], up[0] ^ down[0]};
  endfunction

  // Each slot adds up its own events: several may happen in one cycle.
  always_comb begin
    for (int s = 0; s < SLOTS; s++) begin
      automatic logic signed [3:0] change = less(
        {more_sent && sent_slot_q == index_t'(s), group_q && fill_q && group_slot_q == index_t'(s),
         group_q && memory_q && group_slot_q == index_t'(s)},
        {dropped_q && dropped_slot_q == index_t'(s), settles_q[s],
         over_q && over_slot_q == index_t'(s), drained_i.beats && drained_slot == index_t'(s)});
      count_d[s] = count_q[s] - CountBits'(change);
      outstanding_d[s] = count_q[s] != CountBits'(change);
    end
  end
`else
  always_comb begin
    count_d = count_q;
    outstanding_d = outstanding_q;
    if (more_sent) count_d[sent_slot_q] = count_d[sent_slot_q] + CountBits'(1);
    if (dropped_q) count_d[dropped_slot_q] = count_d[dropped_slot_q] - CountBits'(1);
    if (group_q && fill_q) count_d[group_slot_q] = count_d[group_slot_q] + CountBits'(1);
    if (group_q && memory_q) count_d[group_slot_q] = count_d[group_slot_q] + CountBits'(1);
    if (settled_q) count_d[answer_slot_q] = count_d[answer_slot_q] - CountBits'(1);
    if (over_q) count_d[over_slot_q] = count_d[over_slot_q] - CountBits'(1);
    if (drained_i.beats) count_d[drained_slot] = count_d[drained_slot] - CountBits'(1);
    if (more_sent) outstanding_d[sent_slot_q] = count_d[sent_slot_q] != '0;
    if (dropped_q) outstanding_d[dropped_slot_q] = count_d[dropped_slot_q] != '0;
    if (group_q) outstanding_d[group_slot_q] = count_d[group_slot_q] != '0;
    if (settled_q) outstanding_d[answer_slot_q] = count_d[answer_slot_q] != '0;
    if (over_q) outstanding_d[over_slot_q] = count_d[over_slot_q] != '0;
    if (drained_i.beats) outstanding_d[drained_slot] = count_d[drained_slot] != '0;
  end

  always_comb begin
    last_answer = '0;
    if (settled_q && !error_q) last_answer[answer_slot_q] = count_q[answer_slot_q] == CountBits'(1);
  end
`endif

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      more_q <= '0;
      outstanding_q <= '0;
      spad_q <= '0;
      count_q <= '0;
    end else begin
      count_q <= count_d;
      outstanding_q <= outstanding_d;
      if (group_q) begin
        more_q[group_slot_q] <= !last_q;
        if (opened_q) spad_q[group_slot_q] <= spad_part_q;
      end
      if (drained_i.spad) spad_q[drained_slot] <= 1'b0;
      if (store_q) spad_q[store_slot_q] <= 1'b0;
    end
  end

  // Faults
  // ------
  // A lane's outcome is the lowest code over all groups and answers (COM-FAULT). A bus error comes with an answer; any
  // other fault is known with its group.
  function automatic logic [2:0] worse(logic [2:0] a, logic [2:0] b);
    if (a == FaultNone) return b;
    return b == FaultNone || a < b ? a : b;
  endfunction

  logic [LANES-1:0][2:0] fault_q [SLOTS];       // over the groups so far
  logic [LANES-1:0]      error_served_q [SLOTS];  // lanes served by an answer with an error; valid if has_error_q
  logic [SLOTS-1:0]      has_error_q;
  logic [LANES-1:0][2:0] gathered_q, gathered;  // of one operation at a time: its groups are consecutive

  always_comb begin
    gathered = group_fault_q;
    if (group_q && !opened_q) for (int l = 0; l < LANES; l++) gathered[l] = worse(gathered_q[l], group_fault_q[l]);
  end

  always_ff @(posedge clk_i) begin
    if (group_q) begin
      gathered_q <= gathered;
      fault_q[group_slot_q] <= gathered;
      if (opened_q) has_error_q[group_slot_q] <= 1'b0;
    end
    if (error_q) begin
      has_error_q[answer_slot_q] <= 1'b1;
      error_served_q[answer_slot_q] <= error_lanes_q
          | (has_error_q[answer_slot_q] ? error_served_q[answer_slot_q] : '0);
    end
  end

  // The list of each warp, oldest operation first
  // ---------------------------------------------
  logic [WARPS-1:0]   any_q;
  index_t [WARPS-1:0] head_q, youngest_q;
  index_t             next_q [SLOTS];  // in the list
  tag_t               tag_q [SLOTS];

  logic [WARPS-1:0] opens, closes, ends;  // ends: the list is empty, or its only operation is reported
  always_comb begin
    opens = '0;
    if (group_q && opened_q) opens[group_warp_q] = 1'b1;
    ends = ~any_q;
    if (closes != '0) for (int w = 0; w < WARPS; w++) if (closes[w] && head_q[w] == youngest_q[w]) ends[w] = 1'b1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) any_q <= '0;
    else any_q <= opens | ~ends;
  end

  always_ff @(posedge clk_i) begin
    if (opens != '0 || closes != '0) for (int w = 0; w < WARPS; w++) begin
      if (opens[w]) youngest_q[w] <= group_slot_q;
      if (opens[w] && ends[w]) head_q[w] <= group_slot_q;
      else if (closes[w]) head_q[w] <= next_q[close_slot];
    end
    // In an empty list youngest_q is stale: its slot may belong to another warp by now.
    if (group_q && opened_q) begin
      if (any_q[group_warp_q]) next_q[youngest_q[group_warp_q]] <= group_slot_q;
      tag_q[group_slot_q] <= group_tag_q;
    end
  end

  // The next operation to report
  // ----------------------------
  logic [SLOTS-1:0] over;
  logic [WARPS-1:0] ready, head_has_error, turn;
  warp_index_t      close_warp;
  logic             close_has_error;

  assign over = ~more_q & ~spad_q & (~outstanding_q | last_answer);
  always_comb begin
    ready = '0;
    head_has_error = '0;
    for (int w = 0; w < WARPS; w++) if (any_q[w]) ready[w] = over[head_q[w]];
    if (has_error_q != '0) for (int w = 0; w < WARPS; w++) if (any_q[w]) head_has_error[w] = has_error_q[head_q[w]];
  end

  lsu_round_robin #(.PLACES(WARPS)) u_turn (
    .clk_i, .rst_ni, .prefer_i('0), .request_i(ready), .advance_i(close), .grant_o(turn), .index_o(close_warp)
  );

  assign close = ready != '0 && (!done_valid_o || done_ready_i);
  assign closes = turn & {WARPS{close}};
  assign close_has_error = (turn & head_has_error) != '0;
  always_comb begin
    close_slot = '0;
    if (turn != '0) for (int w = 0; w < WARPS; w++) close_slot |= head_q[w] & {SlotBits{turn[w]}};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) done_valid_o <= 1'b0;
    else done_valid_o <= close || (done_valid_o && !done_ready_i);
  end

  always_ff @(posedge clk_i) begin
    if (close) begin
      done_warp_o <= warp_t'(close_warp);
      done_tag_o <= tag_q[close_slot];
      for (int l = 0; l < LANES; l++) begin
        if (close_has_error && error_served_q[close_slot][l]) done_fault_o[l] <= worse(fault_q[close_slot][l], FaultBus);
        else done_fault_o[l] <= fault_q[close_slot][l];
      end
    end
  end

`ifndef SYNTHESIS
  // The slots in use, for observers alone (lsu_holders).
  logic [SLOTS-1:0] valid_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else begin
      if (close) valid_q[close_slot] <= 1'b0;
      if (open) valid_q[index_t'(slot_o)] <= 1'b1;
    end
  end
`endif
endmodule
