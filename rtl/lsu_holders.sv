// SPDX-License-Identifier: MIT OR Apache-2.0
// Who holds what: when a simulation ends, each part of lsu reports the operations that it has not passed on, and what
// each waits for.
//
// Bound to lsu, like lsu_assert; simulation only. A final block, so it costs nothing while the simulation runs. A bench
// runs it when the unit hangs, so that its report can name the part. Each line reads `held by PART tag TAG: what`. The
// parts nearest to the output ports come first, because the others wait for them.

`ifndef SYNTHESIS
module lsu_holders
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
#(
  parameter int unsigned PENDING = 16,
  parameter int unsigned WARPS = 8,
  parameter int unsigned SLOTS = 32
) ();
  localparam int unsigned SlotBits = $clog2(SLOTS);

  // Why a request may not go.
  function automatic string why(bit against, bit behind, bit pair);
    if (against) return "something stands against its request";
    if (behind) return "its request must not pass one of another warp";
    if (pair && lsu.u_execute.u_memory.pairs_full) return "pairs have all ids that they may have";
    return "no id is free for its request";
  endfunction

  function automatic void held(string part, tag_t tag, string what);
    $display("held by %s tag %h: %s", part, tag, what);
  endfunction

  // The operation store
  // -------------------
  function automatic void stages();
    for (int e = 0; e < ENTRIES; e++) begin
      if (lsu.u_execute.u_store.wait_q[e] || lsu.u_execute.u_store.spad_q[e]) begin
        automatic tag_t tag = lsu.u_execute.u_store.wait_q[e] ? lsu.u_execute.u_store.job_mem[e].tag
            : lsu.u_execute.u_store.access_mem[e].tag;
        if (lsu.u_execute.u_store.data_q[e]) held("lsu_store", tag, "its store data are not there");
        else if (lsu.u_execute.u_store.held_q[e]) held("lsu_store_fence", tag, "a release, whose warp waits");
        else if (lsu.u_execute.u_store.wait_q[e]) held("lsu_store", tag, "lsu_coalesce does not take it");
        else held("lsu_store", tag, "lsu_scratchpad does not take it");
      end
    end
  endfunction

  // Memory
  // ------
  function automatic void queued();
    automatic int depth = 1 << $bits(lsu.u_execute.u_memory.u_order.front_q[0]);
    for (int at = 0; at < $size(lsu.u_execute.u_memory.u_order.request_mem); at++) begin
      automatic int warp = at / depth;
      automatic bit tried = lsu.u_execute.u_memory.next_valid && at == int'(lsu.u_execute.u_memory.u_order.at_q);
      if (warp < int'(WARPS) && !tried) begin
        automatic int after = (at + depth - int'(lsu.u_execute.u_memory.u_order.front_q[warp])) % depth;
        automatic int size = (int'(lsu.u_execute.u_memory.u_order.back_q[warp]) + depth
                              - int'(lsu.u_execute.u_memory.u_order.front_q[warp])) % depth;
        automatic bit some = lsu.u_execute.u_memory.u_order.one_q[warp] || lsu.u_execute.u_memory.u_order.hidden_q[warp];
        if (some && (size == 0 || after < size)) begin
          automatic tag_t tag = lsu.u_execute.u_memory.u_order.request_mem[at].tag;
          if (after == 0 && lsu.u_execute.u_memory.mmio_waits[warp]) begin
            held("lsu_order", tag, "the mmio request before it is not answered");
          end
          else if (after == 0 && lsu.u_execute.u_memory.held[warp]) begin
            held("lsu_held", tag, why(lsu.u_execute.u_memory.u_held.against_q[warp] != '0,
                                      lsu.u_execute.u_memory.u_held.behind_q[warp] != '0,
                                      lsu.u_execute.u_memory.u_held.pair_q[warp]));
          end
          else held("lsu_order", tag, "its request waits for its turn");
        end
      end
    end
  endfunction

  function automatic void memory();
    if (lsu.u_execute.mem_beat_valid) begin
      held("lsu_return", lsu.u_execute.mem_beat.tag, "lsu_writeback does not take its beat");
    end
    if (lsu.u_execute.u_memory.u_return.waits_q) begin
      held("lsu_return", lsu.u_execute.u_memory.u_return.tag_q[SlotBits'(lsu.u_execute.u_memory.u_return.wait_q.slot)],
           "lsu_writeback does not take the beat before its own");
    end
    for (int i = 0; i < PENDING; i++) begin
      automatic tag_t tag = lsu.u_execute.u_memory.u_cas.request_q[i].tag;
      if (lsu.u_execute.u_memory.u_cas.wanted_q[i]) begin
        held("lsu_cas", tag, $sformatf("the next half of the pair with id %0d", i));
      end else if (lsu.u_execute.u_memory.u_pending.busy_q[i] && lsu.u_execute.u_memory.u_pending.exclusive_q[i]) begin
        held("lsu_pending", tag, $sformatf("the pair with id %0d is not over", i));
      end else if (lsu.u_execute.u_memory.u_pending.busy_q[i] && !lsu.u_execute.u_memory.u_pending.answered_q[i]) begin
        held("lsu_pending", lsu.u_inflight.tag_q[SlotBits'(lsu.u_execute.u_memory.u_pending.slot_q[i])],
             $sformatf("id %0d is not answered", i));
      end
    end
    if (lsu.u_execute.u_memory.next_valid) begin
      automatic tag_t tag = lsu.u_execute.u_memory.next.tag;
      if (lsu.u_execute.u_memory.next_clear) held("lsu_order", tag, "its request is not offered");
      else begin
        held(lsu.u_execute.u_memory.next_blocked ? "lsu_held" : "lsu_pending", tag,
             why(lsu.u_execute.u_memory.next_against != '0, lsu.u_execute.u_memory.next_blocked,
                 lsu.u_execute.u_memory.next.exclusive));
      end
    end
    queued();
    if (lsu.u_execute.u_memory.u_coalesce.valid_q) begin
      automatic tag_t tag = lsu.u_execute.u_memory.u_coalesce.job_q.tag;
      held("lsu_coalesce", tag, "lsu_order has no room for its request");
    end
  endfunction

  // Registers
  // ---------
  function automatic void registers();
    if (lsu.wb_valid_o) held("lsu_writeback", lsu.wb_tag_o, "its beat is not taken");
    if (lsu.u_execute.fill_beat_valid) begin
      held("lsu_fill", lsu.u_execute.fill_beat.tag, "lsu_writeback does not take its beat");
    end
    if (lsu.u_execute.u_fill.queued) begin
      held("lsu_fill", lsu.u_execute.u_fill.next.tag, "its beats wait for those of another operation");
    end
    if (lsu.u_execute.spad_beat_valid) begin
      held("lsu_scratchpad", lsu.u_execute.spad_beat.tag, "lsu_writeback does not take its beat");
    end
    if (lsu.u_execute.u_scratchpad.valid_q) begin
      held("lsu_scratchpad", lsu.u_execute.u_scratchpad.work_q.tag, "its words are not all accessed");
    end
    if (lsu.u_execute.u_scratchpad.next_valid_q) begin
      held("lsu_scratchpad", lsu.u_execute.u_scratchpad.next_q.tag, "it waits for the banks");
    end
  endfunction

  // Admission
  // ---------
  function automatic void admission();
    if (lsu.op_valid_i && !lsu.op_ready_o) begin
      held("lsu_admit", lsu.op_i.tag, $sformatf("of lsu_store's entries %0d are free, of lsu_inflight's slots %0d",
                                                lsu.u_place.u_admit.entries_q, lsu.u_place.u_admit.slots_q));
    end
  endfunction

  // What each operation waits for
  // -----------------------------
  function automatic void operations();
    for (int s = 0; s < SLOTS; s++) begin
      automatic tag_t tag = lsu.u_inflight.tag_q[s];
      if (lsu.u_inflight.valid_q[s]) begin
        if (lsu.u_inflight.more_q[s]) held("lsu_inflight", tag, "more of its groups are to come");
        if (lsu.u_inflight.outstanding_q[s]) begin
          held("lsu_inflight", tag, $sformatf("it counts %0d requests, groups and fills that are not over",
                                              lsu.u_inflight.count_q[s]));
        end
        if (lsu.u_inflight.spad_q[s]) held("lsu_inflight", tag, "its part in the scratchpad is not over");
        if (lsu.u_inflight.over[s]) held("lsu_inflight", tag, "it is over, and not reported, or an older one of its warp is not");
      end
    end
    if (lsu.done_valid_o) held("lsu_inflight", lsu.done_tag_o, "its completion is not taken");
  endfunction

  final begin
    registers();
    memory();
    stages();
    operations();
    admission();
  end
endmodule

bind lsu lsu_holders #(.PENDING(PENDING), .WARPS(WARPS), .SLOTS(Slots)) u_holders ();
`endif
