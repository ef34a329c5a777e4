// SPDX-License-Identifier: MIT OR Apache-2.0
// lsu_inflight beside a record of what each operation still owes. An operation must be reported when it owes nothing,
// once, with its faults, and after the older ones of its warp (PORT-DONE, COM-FAULT). Its slot then serves another
// operation, and no slot is lost.
//
// The neighbours are free within what they promise, which is assumed here. lsu_admit lets no operation in without a
// slot. An operation's groups are consecutive, and only the first has a part in the scratchpad. Nothing ends that an
// operation does not owe: a dropped group, an answered request, a fill. A request is made only of a group that is
// there, and one that fails has not ended before. The scratchpad reports the end of its part once. What an operation
// owes is bounded by what the unit holds.

module lsu_inflight_proof
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
#(
  parameter int unsigned LANES = 2,
  parameter int unsigned WARPS = 2,
  parameter int unsigned SLOTS = 4,
  localparam int unsigned WarpBits = $clog2(WARPS),
  localparam int unsigned SlotBits = $clog2(SLOTS)
) (
  input logic                  clk_i,
  input logic                  group_i,
  input logic                  group_last_i,
  input logic [WarpBits-1:0]   group_warp_i,
  input tag_t                  group_tag_i,
  input logic                  group_memory_i,
  input logic                  group_fill_i,
  input logic                  group_spad_i,
  input logic [LANES-1:0][2:0] group_fault_i,
  input logic                  sent_i,
  input logic                  sent_final_i,
  input logic [SlotBits-1:0]   sent_slot_i,
  input logic                  dropped_i,
  input logic [SlotBits-1:0]   dropped_slot_i,
  input logic                  answer_i,
  input logic                  settled_i,
  input logic                  answer_error_i,
  input logic [SlotBits-1:0]   answer_slot_i,
  input logic [LANES-1:0]      answer_served_i,
  input logic                  over_i,
  input logic [SlotBits-1:0]   over_slot_i,
  input logic                  beats_done_i,
  input logic                  spad_beats_done_i,
  input logic [SlotBits-1:0]   beats_slot_i,
  input logic                  spad_store_done_i,
  input logic [SlotBits-1:0]   spad_store_slot_i,
  input logic                  done_ready_i
);
  // The most that is owed: every entry of the store, a fill for each, a warp's queue in lsu_order, and all ids.
  localparam int unsigned Most = SLOTS + 2 * ENTRIES + 8;

  typedef logic [SlotBits-1:0] index_t;
  typedef logic [5:0] count_t;

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic        within_q;  // the youngest operation has more groups to come
  slot_t       slot;
  logic        done_valid;
  warp_t       done_warp;
  tag_t        done_tag;
  sent_t       request;
  answer_t     answer;
  event_t      dropped, over, stored;
  drained_t    drained;
  lane_words_t served;
  logic [LANES-1:0][2:0] done_fault;
  assign request = '{valid: sent_i, last: sent_final_i, slot: slot_t'(sent_slot_i)};
  assign dropped = '{valid: dropped_i, slot: slot_t'(dropped_slot_i)};
  assign answer = '{
    first: answer_i, settled: settled_i, error: answer_error_i, slot: slot_t'(answer_slot_i), served: served
  };
  assign over = '{valid: over_i, slot: slot_t'(over_slot_i)};
  assign drained = '{beats: beats_done_i, spad: spad_beats_done_i, slot: slot_t'(beats_slot_i)};
  assign stored = '{valid: spad_store_done_i, slot: slot_t'(spad_store_slot_i)};
  always_comb begin
    served = '0;
    for (int l = 0; l < LANES; l++) served[l][0] = answer_served_i[l];
  end

  arrived_t arrived;
  assign arrived = '{
    valid: group_i, first: !within_q, last: group_last_i, warp: warp_t'(group_warp_i), tag: group_tag_i,
    memory: group_memory_i, fill: group_fill_i, spad: group_spad_i
  };

  lsu_inflight #(.LANES(LANES), .WARPS(WARPS), .SLOTS(SLOTS)) u_inflight (
    .clk_i, .rst_ni,
    .slot_o(slot), .group_i(arrived), .group_fault_i,
    .sent_i(request), .dropped_i(dropped), .answer_i(answer), .over_i(over), .drained_i(drained), .stored_i(stored),
    .done_valid_o(done_valid), .done_ready_i, .done_warp_o(done_warp), .done_tag_o(done_tag), .done_fault_o(done_fault)
  );

  logic   open, close;
  index_t at, close_slot, free;  // free: number of slots in the queue of those that came free
  assign open = group_i && !within_q;
  assign at = index_t'(slot);
  assign close = u_inflight.close;
  assign close_slot = u_inflight.close_slot;
  assign free = u_inflight.free_back_q - u_inflight.free_front_q;

  // The record
  // ----------
  logic [SLOTS-1:0]            taken_q;
  logic [SLOTS-1:0][SLOTS-1:0] older_q;     // [s][t]: s came before t
  logic [WarpBits-1:0]         warp_q [SLOTS];
  tag_t                        tag_q [SLOTS];
  logic [SLOTS-1:0]            spad_q;      // its part in the scratchpad is not over
  count_t                      owed_q [SLOTS];  // groups whose last request is not made, requests, fills
  count_t                      owed_then_q [SLOTS];  // owed_q a cycle before, less the beats: what lsu_inflight knows
  logic [LANES-1:0][2:0]       fault_q [SLOTS];
  index_t                      current_q;   // the youngest operation's

  // The lowest code other than none (COM-FAULT).
  function automatic logic [2:0] worst(logic [2:0] one, logic [2:0] other);
    if (one == '0 || other == '0) return one | other;
    return one < other ? one : other;
  endfunction

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      within_q <= 1'b0;
      taken_q <= '0;
      spad_q <= '0;
    end else begin
      if (group_i) within_q <= !group_last_i;
      if (close) taken_q[close_slot] <= 1'b0;
      if (spad_beats_done_i) spad_q[beats_slot_i] <= 1'b0;
      if (spad_store_done_i) spad_q[spad_store_slot_i] <= 1'b0;
      if (open) begin
        taken_q[at] <= 1'b1;
        spad_q[at] <= group_spad_i;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (open) begin
      current_q <= at;
      warp_q[at] <= group_warp_i;
      tag_q[at] <= group_tag_i;
      for (int s = 0; s < SLOTS; s++) older_q[s][at] <= 1'b1;
      older_q[at] <= '0;
    end
  end

  logic [SLOTS-1:0] in_list;  // in its warp's list; not yet while its first group is only registered

  // Events, and the assumptions on them
  // -----------------------------------
  for (genvar s = 0; s < SLOTS; s++) begin : gen_slot
    logic group, sent, failed;
    assign group = group_i && at == index_t'(s);
    assign sent = sent_i && sent_slot_i == index_t'(s);
    assign failed = answer_i && answer_error_i && answer_slot_i == index_t'(s);

    // At most three increments, and four decrements
    logic settled, beats;
    count_t more, less;
    assign settled = settled_i && answer_slot_i == index_t'(s);
    assign beats = beats_done_i && beats_slot_i == index_t'(s);
    assign more = count_t'(group && group_memory_i) + count_t'(group && group_fill_i) + count_t'(sent && !sent_final_i);
    assign less = count_t'(dropped_i && dropped_slot_i == index_t'(s)) + count_t'(settled)
        + count_t'(over_i && over_slot_i == index_t'(s)) + count_t'(beats);

    logic beats_over, store_over;
    assign beats_over = spad_beats_done_i && beats_slot_i == index_t'(s);
    assign store_over = spad_store_done_i && spad_store_slot_i == index_t'(s);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        owed_q[s] <= '0;
        owed_then_q[s] <= '0;
      end else begin
        owed_q[s] <= owed_q[s] + more - less;
        owed_then_q[s] <= owed_q[s] - count_t'(beats);
      end
    end
    for (genvar l = 0; l < LANES; l++) begin : gen_lane
      logic [2:0] come;
      assign come = worst(group ? group_fault_i[l] : '0, failed && answer_served_i[l] ? FaultBus : '0);
      always_ff @(posedge clk_i) fault_q[s][l] <= worst(open && group ? '0 : fault_q[s][l], come);
    end

    always_comb begin
      if (rst_ni) begin
        Ends: assume (less + count_t'(sent) <= owed_q[s]);
        Fails: assume (less + count_t'(failed && !settled) <= owed_q[s]);
        Spad: assume (!(beats_over || store_over) || (spad_q[s] && !(beats_over && store_over)));
        Bounded: assume (owed_q[s] + more <= count_t'(Most));
      end
    end

    // The events that lsu_inflight has registered, but not yet counted
    logic group_then, opens, sent_then, dropped_then, settled_then, failed_then, over_then, spad_then;
    assign group_then = u_inflight.group_q && u_inflight.group_slot_q == index_t'(s);
    assign opens = group_then && u_inflight.opened_q;
    assign sent_then = u_inflight.more_sent && u_inflight.sent_slot_q == index_t'(s);
    assign dropped_then = u_inflight.dropped_q && u_inflight.dropped_slot_q == index_t'(s);
    assign settled_then = u_inflight.settled_q && u_inflight.answer_slot_q == index_t'(s);
    assign failed_then = u_inflight.error_q && u_inflight.answer_slot_q == index_t'(s);
    assign over_then = u_inflight.over_q && u_inflight.over_slot_q == index_t'(s);
    assign spad_then = u_inflight.store_q && u_inflight.store_slot_q == index_t'(s);

    count_t more_then, less_then;
    assign more_then = count_t'(group_then && u_inflight.memory_q) + count_t'(group_then && u_inflight.fill_q)
        + count_t'(sent_then);
    assign less_then = count_t'(dropped_then) + count_t'(settled_then) + count_t'(over_then);

    logic             closes, waits, listed, eldest, youngest;
    logic [SLOTS-1:0] follows;  // the next operation of its warp
    assign closes = close && close_slot == index_t'(s);
    assign waits = (within_q && current_q == index_t'(s)) || owed_q[s] != '0 || spad_q[s];
    assign listed = taken_q[s] && !opens;
    assign in_list[s] = listed;
    always_comb begin
      eldest = 1'b1;
      youngest = 1'b1;
      for (int t = 0; t < SLOTS; t++) begin
        if (in_list[t] && warp_q[t] == warp_q[s] && t != s) begin
          if (older_q[t][s]) eldest = 1'b0;
          else youngest = 1'b0;
        end
      end
    end

    // Where the slot stands in the queue of those that came free, if it does
    logic [SLOTS-1:0] in_free;
    for (genvar k = 0; k < SLOTS; k++) begin : gen_free
      index_t place;
      assign place = u_inflight.free_q[index_t'(u_inflight.free_front_q+index_t'(k))];
      assign in_free[k] = k + 1 <= 32'(free) && place == index_t'(s);
    end

    always_comb begin
      if (rst_ni) begin
        // An operation is reported only if it owes nothing and is the eldest of its warp; then it is ready at once.
        Owing: assert (!closes || (taken_q[s] && !waits && eldest));
        Over: assert (!(listed && eldest && !waits && !group_then && !spad_then && (less_then == '0
                        || (settled_then && !failed_then && !dropped_then && !over_then))) || u_inflight.ready[warp_q[s]]);
        // A slot is taken, in the queue, never used or at hand: exactly one of these.
        Place: assert ($countones(in_free) + 32'(taken_q[s]) + 32'(s >= u_inflight.unused_q)
                       + 32'(u_inflight.at_hand_q && u_inflight.place_q == index_t'(s)) == 1);

        // Invariants that tie the record to the module: counts
        Nobody: assert (taken_q[s] || (owed_q[s] == '0 && !spad_q[s] && less_then == '0 && !spad_then && !failed_then));
        Count: assert (count_t'(u_inflight.count_q[s]) == owed_then_q[s]);
        Owed: assert (owed_q[s] == owed_then_q[s] + more_then - less_then);
        Ended: assert (less_then <= owed_then_q[s]);
        Small: assert (owed_q[s] <= count_t'(Most) && owed_then_q[s] <= count_t'(Most));
        Outstanding: assert (u_inflight.outstanding_q[s] == (u_inflight.count_q[s] != '0));
        One: assert (u_inflight.one_q[s] == (u_inflight.count_q[s] == 1));
        Settles: assert (u_inflight.settles_q[s] == settled_then);
        Group: assert (!group_then || (taken_q[s] && current_q == index_t'(s)));
        More: assert (more_then <= owed_q[s]);
        Opens: assert (!opens || !(sent_then || less_then != '0 || spad_then || failed_then));
        Failed: assert (!failed_then || settled_then || owed_q[s] != '0);
        // ... flags
        if (group_then) Last: assert (u_inflight.last_q == !within_q);
        if (group_then && !opens) Goes: assert (u_inflight.more_q[s]);
        if (listed && !group_then) Rest: assert (u_inflight.more_q[s] == (within_q && current_q == index_t'(s)));
        if (opens) Part: assert (u_inflight.spad_part_q == spad_q[s]);
        if (listed) Parts: assert (u_inflight.spad_q[s] == (spad_q[s] || spad_then));
        SpadOnce: assert (!(spad_then && spad_q[s]));
        // ... and lists
        if (opens) begin
          Comes: assert (u_inflight.group_warp_q == warp_q[s] && u_inflight.group_tag_q == tag_q[s] && youngest);
        end
        if (listed) begin
          Any: assert (u_inflight.any_q[warp_q[s]]);
          Tag: assert (u_inflight.tag_q[s] == tag_q[s]);
          Head: assert ((u_inflight.head_q[warp_q[s]] == index_t'(s)) == eldest);
          Youngest: assert ((u_inflight.youngest_q[warp_q[s]] == index_t'(s)) == youngest);
          Next: assert (youngest || (in_list[u_inflight.next_q[s]] && follows[u_inflight.next_q[s]]));
        end
      end
    end

    // The order of the operations
    for (genvar t = 0; t < SLOTS; t++) begin : gen_other
      logic [SLOTS-1:0] between;
      for (genvar v = 0; v < SLOTS; v++) begin : gen_third
        assign between[v] = v != s && v != t && in_list[v] && warp_q[v] == warp_q[s] && older_q[s][v] && older_q[v][t];
        if (s != t && t != v && s != v) begin : gen_order
          always_comb begin
            if (rst_ni && taken_q[s] && taken_q[t] && taken_q[v]) begin
              Order: assert (!(older_q[s][t] && older_q[t][v]) || older_q[s][v]);
            end
          end
        end
      end
      assign follows[t] = t != s && warp_q[t] == warp_q[s] && older_q[s][t] && between == '0;
      if (s != t) begin : gen_two
        always_comb begin
          if (rst_ni && taken_q[s] && taken_q[t]) Two: assert (older_q[s][t] != older_q[t][s]);
        end
      end
    end

    // Faults
    logic [LANES-1:0][2:0] told;
    logic [LANES-1:0]      errors;
    assign told = group_then ? u_inflight.gathered : u_inflight.fault_q[s];
    assign errors = (!opens && u_inflight.has_error_q[s] ? u_inflight.error_served_q[s] : '0)
        | (failed_then ? u_inflight.error_lanes_q : '0);
    for (genvar l = 0; l < LANES; l++) begin : gen_fault
      always_comb begin
        if (rst_ni && taken_q[s]) begin
          Fault: assert (fault_q[s][l] == worst(told[l], errors[l] ? FaultBus : '0));
        end
      end
    end
  end

  for (genvar w = 0; w < WARPS; w++) begin : gen_warp
    logic [SLOTS-1:0] own;
    for (genvar s = 0; s < SLOTS; s++) begin : gen_own
      assign own[s] = in_list[s] && warp_q[s] == WarpBits'(w);
    end
    always_comb begin
      if (rst_ni) None: assert (u_inflight.any_q[w] == (own != '0));
    end
  end

  // The report
  // ----------
  logic                  report_q;
  logic [WarpBits-1:0]   report_warp_q;
  tag_t                  report_tag_q;
  logic [LANES-1:0][2:0] report_fault_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) report_q <= 1'b0;
    else report_q <= close || (report_q && !done_ready_i);
  end
  always_ff @(posedge clk_i) begin
    if (close) begin
      report_warp_q <= warp_q[close_slot];
      report_tag_q <= tag_q[close_slot];
      report_fault_q <= fault_q[close_slot];
    end
  end

  logic [LANES-1:0][2:0] gathered_before;
  assign gathered_before = u_inflight.fault_q[current_q];
  always_comb begin
    if (rst_ni) begin
      Admitted: assume (!open || u_inflight.at_hand_q);
      First: assume (!(group_i && within_q) || !group_spad_i);

      Report: assert (done_valid == report_q);
      if (report_q) begin
        Told: assert (done_warp == warp_t'(report_warp_q) && done_tag == report_tag_q && done_fault == report_fault_q);
      end
      Lost: assert (!(close && report_q && !done_ready_i));
      Hand: assert (u_inflight.at_hand_q || free <= index_t'(1));
      Unused: assert (32'(u_inflight.unused_q) <= SLOTS);
      if (within_q) Within: assert (taken_q[current_q] && u_inflight.current_q == current_q);
      if ((within_q || u_inflight.group_q) && !(u_inflight.group_q && u_inflight.opened_q)) begin
        Gathered: assert (u_inflight.gathered_q == gathered_before);
      end
    end
  end
endmodule
