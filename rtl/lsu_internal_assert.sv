// SPDX-License-Identifier: MIT OR Apache-2.0
// What the parts of lsu promise each other, at every clock edge.
//
// Bound to lsu, like lsu_assert; simulation only. A failure's message begins with the clause that would break next.

`ifndef SYNTHESIS
module lsu_internal_assert
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
(
  input logic clk_i,
  input logic rst_ni  // asynchronous, active low
);
  function automatic bit mmio_unanswered(warp_t warp);
    mmio_unanswered = 1'b0;
    for (int i = 0; i < $size(lsu.u_execute.u_memory.u_pending.warp_q); i++) begin
      if (lsu.u_execute.u_memory.u_pending.busy_q[i] && lsu.u_execute.u_memory.u_pending.mmio_q[i]
          && !lsu.u_execute.u_memory.u_pending.answered_q[i]
          && lsu.u_execute.u_memory.u_pending.warp_q[i] == warp) mmio_unanswered = 1'b1;
    end
  endfunction

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      if (lsu.at_valid) begin
        // A burst never goes to the scratchpad, and an illegal operation goes nowhere.
        Ways: assert (!(lsu.at_shared != '0 && lsu.at.op.space == SpaceBuffer))
          else $error("R700-PLACE: a burst goes to the scratchpad");
        IllegalStays: assert (!lsu.at.illegal || !(lsu.counts || lsu.u_execute.fills || lsu.at_shared != '0))
          else $error("COM-ILLEGAL: an illegal operation goes to memory");
        // A release stores something, so it is no group that is over as it arrives.
        ReleaseStores: assert (!lsu.at.fence || (lsu.at.rows != '0 && (lsu.at_memory != '0 || lsu.at_shared != '0)))
          else $error("PTX-SEM: a release that stores nothing");
        // lsu_inflight has a free slot for the operation, and lsu_store a free entry for the group.
        SlotFree: assert (!lsu.at.first || lsu.u_inflight.at_hand_q)
          else $error("PORT-DONE: an operation takes the place of another, or has none");
        EntryFree: assert (lsu.u_execute.u_store.place_q != '0)
          else $error("PORT-PROGRESS: a group has no entry in the store");
      end

      if (lsu.u_execute.u_memory.picked) begin
        // A line request serves at least one lane.
        Leader: assert (lsu.u_execute.u_memory.picked_request.served != '0)
          else $error("PORT-GROUP: a request that serves no lane");
      end
      if (lsu.u_execute.u_memory.line_valid) begin
        QueueFits: assert (lsu.u_execute.u_memory.u_order.front_q[lsu.u_execute.u_memory.u_order.warp]
                           != lsu.u_execute.u_memory.u_order.back_q[lsu.u_execute.u_memory.u_order.warp]
                           || !(lsu.u_execute.u_memory.u_order.one_q[lsu.u_execute.u_memory.u_order.warp]
                                || lsu.u_execute.u_memory.u_order.hidden_q[lsu.u_execute.u_memory.u_order.warp]))
          else $error("PORT-ORDER: more requests than the queue holds");
      end
      if (lsu.u_execute.u_memory.issue) begin
        // Two requests that share a byte are not in flight together if one of them writes.
        NoHazard: assert (lsu.u_execute.u_memory.next_against == '0)
          else $error("PORT-HAZARD: a request goes although another stands against it");
        // lsu_order tries an mmio request only when the one before it of its warp is answered; lsu_pending relies on it.
        OneMmio: assert (!lsu.u_execute.u_memory.next.mmio || !mmio_unanswered(lsu.u_execute.u_memory.next.warp))
          else $error("PORT-ORDER: an mmio request goes before the answer to the one before");
      end

      // What follows in a pair goes out under an id that a pair holds.
      if (lsu.u_execute.u_memory.again_ready) begin
        PairBusy: assert (1'((lsu.u_execute.u_memory.u_pending.busy_q & lsu.u_execute.u_memory.u_pending.exclusive_q)
                             >> lsu.u_execute.u_memory.again_id))
          else $error("PORT-CAS: a second half without a first");
      end

      // Nothing is counted down that was not counted up.
      if (lsu.u_inflight.sent_q) begin
        Sending: assert (lsu.u_inflight.count_q[lsu.u_inflight.sent_slot_q] != '0)
          else $error("PORT-DONE: a request after the last one of its operation");
      end
      if (lsu.u_inflight.settled_q) Answered: assert (lsu.u_inflight.count_q[lsu.u_inflight.answer_slot_q] != '0)
        else $error("PORT-DONE: an answer to an operation that waits for none");
      if (lsu.u_inflight.over_q) Over: assert (lsu.u_inflight.count_q[lsu.u_inflight.over_slot_q] != '0)
        else $error("PORT-CAS: a pair of an operation that waits for none");
      if (lsu.drained.beats) Beaten: assert (lsu.u_inflight.count_q[lsu.u_inflight.drained_slot] != '0)
        else $error("PORT-WB: the last beat of an answer that nobody waits for");
      if (lsu.drained.spad) Drained: assert (lsu.u_inflight.spad_q[lsu.u_inflight.drained_slot])
        else $error("PORT-WB: the last scratchpad beat of an operation that waits for none");
      if (lsu.u_inflight.store_q) Stored: assert (lsu.u_inflight.spad_q[lsu.u_inflight.store_slot_q])
        else $error("PORT-SPAD: a scratchpad store of an operation that waits for none");

      // A load's words never go to a buffer that is still being drained.
      if (lsu.u_execute.u_scratchpad.load_picked_q) begin
        Collect: assert (!lsu.u_execute.u_scratchpad.full[lsu.u_execute.u_scratchpad.fill_picked_q])
          else $error("PORT-SPAD: a load overwrites the one before it");
      end
    end
  end
endmodule

bind lsu lsu_internal_assert u_internal_assert (.clk_i, .rst_ni);
`endif
