// SPDX-License-Identifier: MIT OR Apache-2.0
// The operation store: groups between lsu_window and the parts that act on them, so that who waits keeps nobody waiting.
//
//                 +----------------+--- oldest of its warp that may go ---> lsu_coalesce
//   lsu_window -->| entries, a     |
//                 | group each     |--- in order ------------------------> lsu_scratchpad
//                 +----------------+
//
// An entry holds a group until all its bytes are requested and its part in the scratchpad is begun. The op port promised
// it, so a group never waits for one (lsu_admit). Of a warp's groups the oldest goes to memory first (PORT-ORDER), as soon
// as its store data are there; between warps the turn goes round. A release goes once nothing older of its warp is here,
// on its way, or in flight without an answer of its scope (PTX-SEM). A group whose warp may make no further request for
// now comes back from lsu_coalesce when another's could go, and goes on later from where it was (PORT-FAIR).

module lsu_store
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
#(
  parameter int unsigned LANES = 32,
  parameter int unsigned WARPS = 8
) (
  input  logic clk_i,
  input  logic rst_ni,  // asynchronous, active low

  // From lsu_window
  input  logic                valid_i,
  input  op_t                 op_i,
  input  slot_t               slot_i,
  input  group_t              group_i,
  input  words_t [LANES-1:0]  memory_i,
  input  logic [LANES-1:0][3:0] space_i,
  input  logic [LANES-1:0]    shared_i,
  input  addr_t [LANES-1:0]   addr_i,
  input  rows_t               rows_i,
  input  logic                fill_i,     // it has registers to fill
  input  logic                release_i,
  output entry_t              entry_o,
  output logic                counts_o,   // lsu_coalesce will end it, or its data
  output logic [2:0]          freed_o,    // entries that are free since the last cycle

  // From lsu_data: an entry's data are there
  input  logic   data_done_i,
  input  logic   data_come_i,   // of the group that comes
  input  entry_t data_entry_i,

  // To lsu_inflight: the data of a group that moves nothing are there, and with them it is over
  output logic   dropped_o,
  output slot_t  dropped_slot_o,

  // From lsu_fill: an entry's registers are taken over
  input  logic   fill_done_i,
  input  entry_t fill_entry_i,

  // To and from lsu_coalesce: a group to make requests of, lanes that are served already left out
  output logic                job_valid_o,
  input  logic                job_take_i,
  output job_t                job_o,
  output entry_t              job_entry_o,
  output words_t [LANES-1:0]  job_words_o,
  output logic [LANES-1:0][3:0] job_space_o,
  output addr_t [LANES-1:0]   job_addr_o,
  output logic                job_resumed_o,
  output logic [1:0][LANES-1:0] job_rest_o,
  input  logic                back_i,        // one comes back
  input  entry_t              back_entry_i,
  input  logic [1:0][LANES-1:0] back_rest_i,
  input  logic                drop_i,        // the offer is taken back: its warp may make no request for now
  input  logic                read_i,        // the last request of an entry has its data
  input  entry_t              read_entry_i,

  // From lsu_order: by warp, whether a request more may be made, and whether none is on its way
  input  logic [WARPS-1:0] room_i,
  input  logic [WARPS-1:0] idle_i,

  // To and from lsu_pending: whether a warp has requests without an answer of a scope
  output logic   fence_o,
  output warp_t  fence_warp_o,
  output scope_e fence_scope_o,
  input  logic   fence_waits_i,

  // To and from lsu_scratchpad
  input  logic [1:0]          spad_busy_i,       // operations at work there
  input  warp_t [1:0]         spad_busy_warp_i,
  output logic                spad_valid_o,
  input  logic                spad_ready_i,
  output op_t                 spad_op_o,
  output logic [31:0]         spad_moves_o,
  output logic [4:0]          spad_span_o,
  output slot_t               spad_slot_o,
  output entry_t              spad_entry_o,      // a cycle later: of the one that was taken
  output logic [LANES-1:0]    spad_shared_o,
  output logic [LANES-1:0][19:0] spad_addr_o
);
  import lsu_spad_pkg::*;

  localparam int unsigned WarpBits = WARPS > 1 ? $clog2(WARPS) : 1;
  typedef logic [WarpBits-1:0] warp_index_t;

  // By entry
  entries_t    valid_q;
  entries_t    wait_q;     // lsu_coalesce is still to take it
  entries_t    memory_q;   // requests are still to be made
  entries_t    spad_q;     // the scratchpad is still to take it
  entries_t    fill_q;     // lsu_fill is still to take it over
  entries_t    data_q;     // store data are still to come
  entries_t    drop_q;     // and nothing else of it
  entries_t    held_q;     // a release that may not go yet
  entries_t    left_q;     // either
  entries_t    resumed_q;
  entries_t    older_q [ENTRIES];  // those of its warp that came before it
  warp_index_t [ENTRIES-1:0] warp_q;
  scope_e [ENTRIES-1:0]      scope_q;
  slot_t       slot_mem [ENTRIES];

  // In and out
  // ----------
  entries_t unused, spare, enter, free_now, part;
  logic     needs_memory, needs_spad, drops;
  entries_t place_q;  // for the next group, if one is free
  entry_t   place_entry_q;
  warp_index_t warp;
  assign warp = warp_index_t'(op_i.warp);
  assign needs_spad = shared_i != '0;
  assign needs_memory = memory_i != '0;
  // A store without a lane that moves takes its data all the same.
  assign drops = rows_i != '0 && !needs_memory && !needs_spad;
  // Much hangs on where a group goes: its place is found in the cycle before.
  assign unused = ~(valid_q | place_q);
  assign spare = entries_t'(lowest_bit(32'(unused)));
  assign enter = valid_i ? place_q : '0;
  assign entry_o = place_entry_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) place_q <= '0;
    else if (valid_i || place_q == '0) place_q <= spare;
  end

  always_ff @(posedge clk_i) begin
    if (valid_i || place_q == '0) place_entry_q <= entry_of(spare);
  end

  assign counts_o = needs_memory || drops;

  // That the scratchpad or lsu_fill takes one, or that data are there, is known late in a cycle: what comes free for that
  // is seen to in the next.
  logic   spad_taken_q, fill_done_q, data_there_q;
  entry_t queued_entry, spad_taken_entry_q, fill_done_entry_q, data_there_entry_q;  // queued: for the scratchpad
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      spad_taken_q <= 1'b0;
      fill_done_q <= 1'b0;
      data_there_q <= 1'b0;
    end else begin
      spad_taken_q <= spad_valid_o && spad_ready_i;
      fill_done_q <= fill_done_i;
      data_there_q <= data_done_i;
    end
  end

  always_ff @(posedge clk_i) begin
    spad_taken_entry_q <= queued_entry;
    fill_done_entry_q <= fill_entry_i;
    data_there_entry_q <= data_come_i ? entry_o : data_entry_i;
  end

  entries_t memory_d, spad_d, fill_d, drop_d, data_there;
  assign memory_d = memory_q & ~(read_i ? entries_t'(1) << read_entry_i : '0);
  assign spad_d = spad_q & ~(spad_taken_q ? entries_t'(1) << spad_taken_entry_q : '0);
  assign fill_d = fill_q & ~(fill_done_q ? entries_t'(1) << fill_done_entry_q : '0);
  assign data_there = data_done_i && !data_come_i ? entries_t'(1) << data_entry_i : '0;
  assign drop_d = drop_q & ~(data_there_q ? entries_t'(1) << data_there_entry_q : '0);
  assign part = memory_d | spad_d | fill_d | drop_d;
  assign dropped_o = data_there_q && drop_q[data_there_entry_q];
  assign dropped_slot_o = slot_mem[data_there_entry_q];
  assign free_now = valid_q & ~part;
  // Each of the parts ends one entry a cycle, and a group with nothing to do is over as it comes.
  logic     nothing, nothing_q;
  entries_t freed_q;
  assign nothing = valid_i && !needs_memory && !needs_spad && !fill_i && !drops;
  assign freed_o = 3'($countones(freed_q)) + 3'(nothing_q);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      freed_q <= '0;
      nothing_q <= 1'b0;
    end else begin
      freed_q <= free_now;
      nothing_q <= nothing;
    end
  end

  // The next for lsu_coalesce
  // -------------------------
  // Two are offered, the second behind the first: that lsu_coalesce takes one is known late, and chooses none.
  logic [WARPS-1:0] room_q;  // a cycle ago: who then has none is sent back
  entries_t may_go, chosen, offered;
  logic     offer_q, second_q, moves;
  entry_t   offer_entry_q, second_entry_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) room_q <= '0;
    else room_q <= room_i;
  end

  // What comes back is not waited for here before the next cycle: none of its warp is chosen in this one.
  logic free, choose;
  assign free = !second_q && !back_i && !drop_i;
  always_comb begin
    may_go = wait_q & ~data_q & ~held_q;
    if (needed(free) && may_go != '0) for (int e = 0; e < ENTRIES; e++) begin
      if (may_go[e]) may_go[e] = (older_q[e] & left_q) == '0 && room_q[warp_q[e]];
    end
  end
  entry_t chosen_entry;
  assign choose = free && may_go != '0;
  assign moves = !offer_q || job_take_i;
  assign offered = (offer_q && drop_i ? entries_t'(1) << offer_entry_q : '0)
      | (second_q ? entries_t'(1) << second_entry_q : '0);

  lsu_round_robin #(.PLACES(ENTRIES)) u_turn (
    .clk_i, .rst_ni, .request_i(may_go), .advance_i(choose), .grant_o(chosen), .index_o(chosen_entry)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      offer_q <= 1'b0;
      second_q <= 1'b0;
    end else if (back_i || drop_i) begin
      // None of the warp may stay on offer before what comes back.
      offer_q <= 1'b0;
      second_q <= 1'b0;
    end else begin
      offer_q <= !moves || second_q || choose;
      second_q <= !moves && (second_q || choose);
    end
  end

  always_ff @(posedge clk_i) begin
    if (moves) offer_entry_q <= second_q ? second_entry_q : chosen_entry;
    if (choose) second_entry_q <= chosen_entry;
  end

  // A release
  // ---------
  // One after the other is looked at; what it waited for does not come back, so it may be looked at late.
  entries_t looked_at, looked_at_q, in_spad;  // in_spad, of those that are held: the scratchpad works for their warp
  logic     looked_q, fence_q;
  entry_t   looked_entry_q, fence_entry_q;
  always_comb begin
    in_spad = '0;
    looked_at = '0;
    if (held_q != '0) for (int e = 0; e < ENTRIES; e++) begin
      if (held_q[e]) begin
        in_spad[e] = (spad_busy_i[0] && warp_q[e] == warp_index_t'(spad_busy_warp_i[0]))
            || (spad_busy_i[1] && warp_q[e] == warp_index_t'(spad_busy_warp_i[1]));
        looked_at[e] = !in_spad[e] && (older_q[e] & (memory_q | spad_q)) == '0 && idle_i[warp_q[e]];
      end
    end
  end

  entry_t looked_entry;
  lsu_round_robin #(.PLACES(ENTRIES)) u_fence (
    .clk_i, .rst_ni, .request_i(looked_at_q), .advance_i(looked_at_q != '0), .grant_o(), .index_o(looked_entry)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      looked_at_q <= '0;
      looked_q <= 1'b0;
      fence_q <= 1'b0;
    end else begin
      looked_at_q <= looked_at;
      looked_q <= looked_at_q != '0;
      fence_q <= looked_q;
    end
  end

  assign fence_o = fence_q;
  always_ff @(posedge clk_i) begin
    looked_entry_q <= looked_entry;
    fence_entry_q <= looked_entry_q;
    fence_warp_o <= warp_t'(warp_q[looked_entry_q]);
    fence_scope_o <= scope_q[looked_entry_q];
  end

  // What each is
  // ------------
  entries_t wait_d, held_d;
  assign wait_d = (wait_q & ~(choose ? chosen : '0)) | (needs_memory ? enter : '0)
      | (back_i ? entries_t'(1) << back_entry_i : '0) | (back_i || drop_i ? offered : '0);
  assign held_d = (held_q & part & ~(fence_q && !fence_waits_i ? entries_t'(1) << fence_entry_q : '0))
      | (release_i ? enter : '0);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      wait_q <= '0;
      memory_q <= '0;
      spad_q <= '0;
      fill_q <= '0;
      data_q <= '0;
      drop_q <= '0;
      held_q <= '0;
      left_q <= '0;
      resumed_q <= '0;
    end else begin
      valid_q <= (valid_q & part) | (nothing ? '0 : enter);
      wait_q <= wait_d;
      memory_q <= memory_d | (needs_memory ? enter : '0);
      spad_q <= spad_d | (needs_spad ? enter : '0);
      fill_q <= fill_d | (fill_i ? enter : '0);
      data_q <= (data_q & ~data_there) | (rows_i != '0 && !data_come_i ? enter : '0);
      drop_q <= drop_d | (drops ? enter : '0);
      held_q <= held_d;
      left_q <= wait_d | held_d;
      resumed_q <= (resumed_q | (back_i ? entries_t'(1) << back_entry_i : '0)) & ~enter;
    end
  end

  // Others' entries are no business of its own (PORT-FAIR).
  entries_t same_warp;
  always_comb begin
    same_warp = '0;
    if (needed(valid_i)) for (int e = 0; e < ENTRIES; e++) same_warp[e] = valid_q[e] && part[e] && warp_q[e] == warp;
  end

  // Nothing waits for an entry that is free; who takes it next is younger.
  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      for (int e = 0; e < ENTRIES; e++) begin
        if (enter[e]) begin
          older_q[e] <= same_warp;
          warp_q[e] <= warp;
          scope_q[e] <= op_i.attr.scope;
        end else begin
          older_q[e] <= older_q[e] & ~enter;
        end
      end
    end
  end

  // What each asks for
  // ------------------
  job_t                  job_mem [ENTRIES];
  words_t [LANES-1:0]    words_mem [ENTRIES];
  logic [LANES-1:0][3:0] space_mem [ENTRIES];
  addr_t [LANES-1:0]     addr_mem [ENTRIES];
  logic [1:0][LANES-1:0] rest_mem [ENTRIES];
  op_t                   spad_op_mem [ENTRIES];
  logic [31:0]           moves_mem [ENTRIES];
  logic [4:0]            span_mem [ENTRIES];
  logic [LANES-1:0]      shared_mem [ENTRIES];
  logic [LANES-1:0][19:0] offset_mem [ENTRIES];
  logic [LANES-1:0][19:0] offset;
  always_comb begin
    offset = '0;
    if (needed(valid_i && needs_spad)) for (int l = 0; l < LANES; l++) offset[l] = addr_i[l][19:0];
  end

  always_ff @(posedge clk_i) begin
    if (valid_i && needs_memory) begin
      job_mem[entry_o] <= '{
        slot: slot_i, warp: op_i.warp, tag: op_i.tag, group: group_i, attr: op_i.attr, kind: op_i.kind,
        burst: op_i.space == SpaceBuffer, mmio: is_mmio(op_i), await_last: op_i.await_last,
        element_bytes: op_i.element_bytes, element_count: op_i.element_count, element_mask: op_i.element_mask
      };
      words_mem[entry_o] <= memory_i;
      space_mem[entry_o] <= space_i;
      addr_mem[entry_o] <= addr_i;
    end
    if (valid_i && needs_spad) begin
      spad_op_mem[entry_o] <= op_i;
      moves_mem[entry_o] <= moves_of(op_i.element_bytes, op_i.element_count, op_i.element_mask);
      span_mem[entry_o] <= span_of(op_i.element_bytes, op_i.element_count);
      shared_mem[entry_o] <= shared_i;
      offset_mem[entry_o] <= offset;
    end
    if (valid_i) slot_mem[entry_o] <= slot_i;
    if (back_i) rest_mem[back_entry_i] <= back_rest_i;
  end

  assign job_valid_o = offer_q;
  assign job_entry_o = offer_entry_q;
  assign job_resumed_o = resumed_q[offer_entry_q];
  always_comb begin
    job_o = '0;
    if (needed(offer_q)) job_o = job_mem[offer_entry_q];
  end
  always_comb begin
    job_words_o = '0;
    job_space_o = '0;
    job_addr_o = '0;
    job_rest_o = '0;
    if (needed(job_take_i)) begin
      job_words_o = words_mem[offer_entry_q];
      job_space_o = space_mem[offer_entry_q];
      job_addr_o = addr_mem[offer_entry_q];
      job_rest_o = rest_mem[offer_entry_q];
    end
  end

  // The scratchpad, in order
  // ------------------------
  logic queued;
  lsu_fifo #(.WIDTH($bits(entry_t)), .DEPTH(ENTRIES)) u_spad (
    .clk_i, .rst_ni, .push_i(valid_i && needs_spad), .data_i(entry_o), .valid_o(queued), .full_o(),
    .pop_i(spad_valid_o && spad_ready_i), .data_o(queued_entry)
  );
  assign spad_valid_o = queued && !data_q[queued_entry] && !held_q[queued_entry];
  assign spad_entry_o = spad_taken_entry_q;
  assign spad_slot_o = slot_mem[queued_entry];
  always_comb begin
    spad_op_o = '0;
    spad_moves_o = '0;
    spad_span_o = '0;
    spad_shared_o = '0;
    spad_addr_o = '0;
    if (needed(spad_valid_o && spad_ready_i)) begin
      spad_op_o = spad_op_mem[queued_entry];
      spad_moves_o = moves_mem[queued_entry];
      spad_span_o = span_mem[queued_entry];
      spad_shared_o = shared_mem[queued_entry];
      spad_addr_o = offset_mem[queued_entry];
    end
  end
endmodule
