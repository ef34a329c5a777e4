// SPDX-License-Identifier: MIT OR Apache-2.0
// The operation store: holds groups until the parts that execute them take them, so that a group that waits delays no
// other warp's.
//
//                 +----------------+--- lsu_store_choose ---> lsu_coalesce
//   lsu_window -->| entries, a     |--- in order ----------> lsu_scratchpad
//                 | group each     |
//                 +----------------+<-- lsu_store_fence: releases that may go
//
// An entry holds a group until all its bytes are requested and its part in the scratchpad has begun. lsu_admit has
// reserved it, so a group never waits for an entry. A warp's groups go to memory oldest first (PORT-ORDER), each as
// soon as its store data are complete; warps take turns. A release goes once nothing older of its warp is in the store,
// waits to be issued, or is in flight without an answer of its scope (PTX-SEM). A group that must not keep lsu_coalesce
// from another warp's is returned, and later resumes where it stopped (PORT-FAIR).

module lsu_store
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
#(
  parameter int unsigned LANES = 32,
  parameter int unsigned LINE_BYTES = 128,
  parameter int unsigned WARPS = 8,
  localparam int unsigned LineBits = ADDR_WIDTH - $clog2(LINE_BYTES)
) (
  input  logic clk_i,
  input  logic rst_ni,  // asynchronous, active low

  // From lsu_window
  input  logic                valid_i,
  input  placed_t             placed_i,
  input  slot_t               slot_i,
  input  words_t [LANES-1:0]  memory_i,
  input  logic [LANES-1:0][3:0] space_i,
  input  logic [LANES-1:0]    shared_i,
  input  addr_t [LANES-1:0]   addr_i,
  input  logic                fill_i,     // the group has registers to fill
  output entry_t              entry_o,
  output logic                counts_o,   // the group makes requests, or moves nothing and ends with its store data
  output logic [2:0]          freed_o,    // number of entries that came free in the last cycle

  // From lsu_data: the store data of an entry are complete
  input  logic   data_done_i,   // of an earlier group
  input  entry_t data_entry_i,
  input  logic   data_come_i,   // of the arriving group

  // To lsu_inflight: a group that moves nothing has its store data, and is over
  output event_t dropped_o,

  // From lsu_fill: an entry's group has left its queue
  input  logic   fill_done_i,
  input  entry_t fill_entry_i,

  // To and from lsu_coalesce: the offer of a group that makes requests; if it was returned before, job_rest_o is its
  // lanes that are not served yet
  output logic                job_valid_o,
  input  logic                job_take_i,
  output job_t                job_o,
  output entry_t              job_entry_o,
  output words_t [LANES-1:0]  job_words_o,
  output logic [LANES-1:0][3:0] job_space_o,
  output addr_t [LANES-1:0]   job_addr_o,
  output logic [LANES-1:0]    job_lead_o,    // the leader of its next request,
  output logic [LineBits-1:0] job_line_o,    // ... and the line of that request
  output logic                job_resumed_o,
  output logic [1:0][LANES-1:0] job_rest_o,
  input  logic                back_i,        // a group is returned
  input  entry_t              back_entry_i,
  input  logic [LANES-1:0]    back_lead_i,
  input  logic [LineBits-1:0] back_line_i,
  input  logic [1:0][LANES-1:0] back_rest_i,
  input  logic                drop_i,        // the offer is to be withdrawn: other warps' groups go before it
  output logic [WARPS-1:0]    ready_o,       // by warp: a group of it could go
  input  logic                read_i,        // the last request of an entry has its data
  input  entry_t              read_entry_i,

  // From lsu_order: by warp, whether it may make another request, whether it has none that is not yet issued, and
  // whether its oldest one is held back
  input  logic [WARPS-1:0] room_i,
  input  logic [WARPS-1:0] idle_i,
  input  logic [WARPS-1:0] held_i,

  // To and from lsu_pending: whether a warp has requests without an answer of at least a scope
  output fence_t fence_o,
  input  logic   fence_waits_i,
  input  logic [WARPS-1:0] answers_i,  // by warp: in the cycle before, this may have changed

  // To and from lsu_scratchpad
  input  logic [1:0]          spad_busy_i,       // an operation's words are not all accessed
  input  warp_t [1:0]         spad_busy_warp_i,
  output logic                spad_valid_o,
  input  logic                spad_ready_i,
  output access_t             spad_access_o,
  output entry_t              spad_entry_o,      // of the access that was taken in the cycle before
  output logic [LANES-1:0]    spad_shared_o,
  output logic [LANES-1:0][19:0] spad_addr_o
);
  import lsu_spad_pkg::*;

  localparam int unsigned WarpBits = WARPS > 1 ? $clog2(WARPS) : 1;
  typedef logic [WarpBits-1:0] warp_index_t;

  // By entry
  entries_t    valid_q;
  entries_t    wait_q;     // still to be chosen for lsu_coalesce
  entries_t    memory_q;   // requests are still to be made
  entries_t    spad_q;     // the scratchpad is still to take it
  entries_t    fill_q;     // lsu_fill is still to take it over
  entries_t    data_q;     // store data are still to come
  entries_t    drop_q;     // it moves nothing, and ends with its store data
  entries_t    held_q;     // a release that may not go yet
  entries_t    resumed_q;
  entries_t    older_q [ENTRIES];  // entries of its warp that came before it
  warp_index_t [ENTRIES-1:0] warp_q;
  scope_e [ENTRIES-1:0]      scope_q;
  slot_t       slot_mem [ENTRIES];

  // In and out
  // ----------
  entries_t unused, spare, enter, free_now, part;
  logic     needs_memory, needs_spad, drops;
  entries_t place_q;  // one-hot: the entry for the next group; 0 if none is free
  entry_t   place_entry_q;
  warp_index_t warp;
  op_t op;
  assign op = placed_i.op;
  assign warp = warp_index_t'(op.warp);
  assign needs_spad = shared_i != '0;
  assign needs_memory = memory_i != '0;
  // A store that moves nothing takes its data beats all the same.
  assign drops = placed_i.rows != '0 && !needs_memory && !needs_spad;
  // The next group's entry is chosen a cycle ahead, because of its fan-out.
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

  // It is known late that the scratchpad or lsu_fill takes a group, or that store data are complete: an entry that this
  // ends comes free in the next cycle.
  logic   spad_taken_q, fill_done_q, data_there_q;
  entry_t queued_entry, spad_taken_entry_q, fill_done_entry_q, data_there_entry_q;  // queued: the scratchpad's next
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      spad_taken_q <= 1'b0;
      fill_done_q <= 1'b0;
      data_there_q <= 1'b0;
    end else begin
      spad_taken_q <= spad_valid_o && spad_ready_i;
      fill_done_q <= fill_done_i;
      data_there_q <= data_done_i || data_come_i;
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
  assign data_there = data_done_i ? entries_t'(1) << data_entry_i : '0;
  assign drop_d = drop_q & ~(data_there_q ? entries_t'(1) << data_there_entry_q : '0);
  assign part = memory_d | spad_d | fill_d | drop_d;
  assign dropped_o = '{valid: data_there_q && drop_q[data_there_entry_q], slot: slot_mem[data_there_entry_q]};
  assign free_now = valid_q & ~part;
  // Each of the four parts ends at most one entry a cycle, and a group with nothing to do is over as it arrives.
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

  // Which may go
  // ------------
  entries_t same_warp, stays, goes, returns, resumes, passes;
  logic     enter_stays;  // the arriving group has to wait
  entry_t   offer_entry;
  assign stays = data_q | held_q;
  assign enter_stays = placed_i.fence || (placed_i.rows != '0 && !data_come_i);
  // A group waits for groups of its own warp only (PORT-FAIR).
  always_comb begin
    same_warp = '0;
    if (needed(valid_i)) for (int e = 0; e < ENTRIES; e++) same_warp[e] = valid_q[e] && warp_q[e] == warp;
  end

  lsu_store_choose #(.WARPS(WARPS)) u_choose (
    .clk_i, .rst_ni, .wait_i(wait_q), .stays_i(stays), .left_i(wait_q | held_q), .older_i(older_q),
    .warp_i(warp_q), .enter_i(place_q), .enter_older_i(same_warp), .enter_warp_i(warp),
    .enter_valid_i(valid_i && needs_memory && !enter_stays), .goes_o(goes), .returns_o(returns), .resumes_o(resumes),
    .room_i, .held_i, .valid_o(job_valid_o), .entry_o(offer_entry), .take_i(job_take_i), .back_i, .back_entry_i,
    .drop_i, .ready_o
  );

  lsu_store_fence #(.WARPS(WARPS)) u_fence (
    .clk_i, .rst_ni, .held_i(held_q), .undone_i(memory_q | spad_q), .older_i(older_q), .warp_i(warp_q),
    .scope_i(scope_q), .passes_o(passes), .idle_i, .spad_busy_i, .spad_busy_warp_i, .fence_o, .fence_waits_i,
    .answers_i
  );

  // The state of each entry
  // -----------------------
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
      resumed_q <= '0;
    end else begin
      valid_q <= (valid_q & part) | (nothing ? '0 : enter);
      wait_q <= (wait_q & ~goes) | (needs_memory ? enter : '0) | returns;
      memory_q <= memory_d | (needs_memory ? enter : '0);
      spad_q <= spad_d | (needs_spad ? enter : '0);
      fill_q <= fill_d | (fill_i ? enter : '0);
      data_q <= (data_q & ~data_there) | (placed_i.rows != '0 && !data_come_i ? enter : '0);
      drop_q <= drop_d | (drops ? enter : '0);
      held_q <= (held_q & part & ~passes) | (placed_i.fence ? enter : '0);
      resumed_q <= (resumed_q | resumes) & ~enter;
    end
  end

  // A free entry's bit in older_q stays, and is ignored; the group that enters it is younger, and clears it.
  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      for (int e = 0; e < ENTRIES; e++) begin
        if (enter[e]) begin
          older_q[e] <= same_warp & part;
          warp_q[e] <= warp;
          scope_q[e] <= op.attr.scope;
        end else begin
          older_q[e] <= older_q[e] & ~enter;
        end
      end
    end
  end

  // The payload of each entry
  // -------------------------
  logic                  burst;
  logic [LANES-1:0]      lead;
  logic [LineBits-1:0]   line;
  assign burst = op.space == SpaceBuffer;

  lsu_lead #(.LANES(LANES), .LINE_BYTES(LINE_BYTES)) u_lead (
    .valid_i(valid_i && needs_memory), .burst_i(burst), .words_i(memory_i), .addr_i, .lead_o(lead), .line_o(line)
  );

  job_t                  job_mem [ENTRIES];
  words_t [LANES-1:0]    words_mem [ENTRIES];
  logic [LANES-1:0][3:0] space_mem [ENTRIES];
  addr_t [LANES-1:0]     addr_mem [ENTRIES];
  logic [LANES-1:0]      lead_mem [ENTRIES];
  logic [LineBits-1:0]   line_mem [ENTRIES];
  // Of a group that was returned
  logic [1:0][LANES-1:0] rest_mem [ENTRIES];
  logic [LANES-1:0]      back_lead_mem [ENTRIES];
  logic [LineBits-1:0]   back_line_mem [ENTRIES];
  access_t               access_mem [ENTRIES];
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
        slot: slot_i, warp: op.warp, tag: op.tag, group: placed_i.group, attr: op.attr, kind: op.kind,
        burst: burst, mmio: is_mmio(op), await_last: op.await_last,
        element_bytes: op.element_bytes, element_count: op.element_count, element_mask: op.element_mask
      };
      words_mem[entry_o] <= memory_i;
      space_mem[entry_o] <= space_i;
      addr_mem[entry_o] <= addr_i;
      lead_mem[entry_o] <= lead;
      line_mem[entry_o] <= line;
    end
    if (valid_i && needs_spad) begin
      access_mem[entry_o] <= '{
        slot: slot_i, warp: op.warp, tag: op.tag, kind: op.kind, element_bytes: op.element_bytes,
        sign_extend: op.sign_extend, moves: moves_of(op.element_bytes, op.element_count, op.element_mask),
        span: span_of(op.element_bytes, op.element_count)
      };
      shared_mem[entry_o] <= shared_i;
      offset_mem[entry_o] <= offset;
    end
    if (valid_i) slot_mem[entry_o] <= slot_i;
    if (back_i) begin
      rest_mem[back_entry_i] <= back_rest_i;
      back_lead_mem[back_entry_i] <= back_lead_i;
      back_line_mem[back_entry_i] <= back_line_i;
    end
  end

  assign job_entry_o = offer_entry;
  assign job_resumed_o = resumed_q[offer_entry];
  always_comb begin
    job_o = '0;
    if (needed(job_valid_o)) job_o = job_mem[offer_entry];
  end
  always_comb begin
    job_words_o = '0;
    job_space_o = '0;
    job_addr_o = '0;
    job_lead_o = '0;
    job_line_o = '0;
    job_rest_o = '0;
    if (needed(job_take_i)) begin
      job_words_o = words_mem[offer_entry];
      job_space_o = space_mem[offer_entry];
      job_addr_o = addr_mem[offer_entry];
      job_lead_o = job_resumed_o ? back_lead_mem[offer_entry] : lead_mem[offer_entry];
      job_line_o = job_resumed_o ? back_line_mem[offer_entry] : line_mem[offer_entry];
      job_rest_o = rest_mem[offer_entry];
    end
  end

  // The scratchpad's queue, in order
  // --------------------------------
  logic queued;
  lsu_fifo #(.WIDTH($bits(entry_t)), .DEPTH(ENTRIES)) u_spad (
    .clk_i, .rst_ni, .push_i(valid_i && needs_spad), .data_i(entry_o), .valid_o(queued), .full_o(),
    .pop_i(spad_valid_o && spad_ready_i), .data_o(queued_entry)
  );
  assign spad_valid_o = queued && !data_q[queued_entry] && !held_q[queued_entry];
  assign spad_entry_o = spad_taken_entry_q;
  always_comb begin
    spad_access_o = '0;
    spad_shared_o = '0;
    spad_addr_o = '0;
    if (needed(spad_valid_o && spad_ready_i)) begin
      spad_access_o = access_mem[queued_entry];
      spad_shared_o = shared_mem[queued_entry];
      spad_addr_o = offset_mem[queued_entry];
    end
  end
endmodule
