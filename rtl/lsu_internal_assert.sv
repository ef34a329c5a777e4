// SPDX-License-Identifier: MIT OR Apache-2.0
// What the parts of lsu promise each other, at every clock edge.
//
// Bound to lsu, like lsu_assert; simulation only. A failure's message begins with the clause that would be broken next.

`ifndef SYNTHESIS
module lsu_internal_assert
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
(
  input logic clk_i,
  input logic rst_ni  // asynchronous, active low
);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      if (lsu.go) begin
        // A burst stays out of the scratchpad, an illegal operation goes nowhere.
        Ways: assert (!(lsu.needs_spad && lsu.at_op.space == SpaceBuffer))
          else $error("R700-PLACE: a burst goes to the scratchpad");
        IllegalStays: assert (!lsu.at_illegal || !(lsu.needs_memory || lsu.needs_fill || lsu.needs_spad))
          else $error("COM-ILLEGAL: an illegal operation goes to memory");
        // Its place in the in-flight table is free, and its data is there.
        SlotFree: assert (lsu.u_inflight.valid_q[lsu.u_inflight.group_slot] == !lsu.at_first)
          else $error("PORT-DONE: an operation takes the place of another, or has none");
        DataThere: assert (lsu.u_data.count_q >= lsu.u_data.taken)
          else $error("PORT-DATA: an operation takes more data than there is");
      end
      DataFits: assert (32'(lsu.u_data.count_q) <= RING_BEATS)
        else $error("PORT-DATA: more data than the ring holds");

      if (lsu.u_memory.line_valid) begin
        // A line request serves somebody.
        Leader: assert (lsu.u_memory.u_coalesce.served_q != '0)
          else $error("PORT-GROUP: a request that serves no lane");
      end
      QueueFits: assert (lsu.u_memory.u_order.count_q <= 2'd2)
        else $error("PORT-ORDER: more requests than the queue holds");
      if (lsu.u_memory.issue) begin
        // Two requests that share a byte, one of them a write, do not meet.
        NoHazard: assert (!lsu.u_memory.u_pending.hazard)
          else $error("PORT-HAZARD: a request goes although another stands against it");
      end

      // A pair goes on under an id that is its own.
      if (lsu.u_memory.again_ready) PairBusy: assert (lsu.u_memory.u_pending.busy_q[lsu.u_memory.u_cas.next]
                                                     && lsu.u_memory.u_pending.exclusive_q[lsu.u_memory.u_cas.next])
        else $error("PORT-CAS: a second half without a first");

      // Nothing is counted down that was not counted up.
      if (lsu.sent) Sending: assert (lsu.u_inflight.sending_q[lsu.u_inflight.sent_slot])
        else $error("PORT-DONE: a request after the last one of its operation");
      if (lsu.settled) Answered: assert (lsu.u_inflight.count_q[lsu.u_inflight.answer_slot] != '0)
        else $error("PORT-DONE: an answer to an operation that waits for none");
      if (lsu.over) Over: assert (lsu.u_inflight.count_q[lsu.u_inflight.over_slot] != '0)
        else $error("PORT-CAS: a pair of an operation that waits for none");
      if (lsu.beats_done) Beaten: assert (lsu.u_inflight.count_q[lsu.u_inflight.beats_slot] != '0)
        else $error("PORT-WB: the last beat of an answer that nobody waits for");
      if (lsu.spad_beats_done) Drained: assert (lsu.u_inflight.spad_q[lsu.u_inflight.beats_slot])
        else $error("PORT-WB: the last scratchpad beat of an operation that waits for none");
      if (lsu.spad_stored) Stored: assert (lsu.u_inflight.spad_q[lsu.u_inflight.store_slot])
        else $error("PORT-SPAD: a scratchpad store of an operation that waits for none");

      // A load's words do not fall into a buffer that still drains.
      if (lsu.u_scratchpad.collect_q) Collect: assert (!lsu.u_scratchpad.full_q[lsu.u_scratchpad.collect_fill_q])
        else $error("PORT-SPAD: a load overwrites the one before it");
    end
  end
endmodule

bind lsu lsu_internal_assert u_internal_assert (.clk_i, .rst_ni);
`endif
