// SPDX-License-Identifier: MIT OR Apache-2.0
// Shared memory: LANES banks of 32 bits (PORT-SPAD, PORT-BANK).
//
//                +-------+   +------+   +-------+   +-------+
//   lsu_store -->| match |-->| pick |-->| merge |-->| banks |---> store done
//                +-------+   +------+   +-------+   +-------+
//                 groups of   a word a   a store's      | a word a bank
//                 lanes       bank       words          v
//                                                   +---------+   +-------+
//                                                   | collect |-->| drain |---> lsu_writeback
//                                                   +---------+   +-------+
//
// Each bank serves one word a cycle, to every lane that wants it. So an operation takes as many cycles in pick as its
// busiest bank has distinct words, and the next one follows at once. Nothing stalls behind pick: a load is picked only
// while a buffer is free for its words. Operations are performed whole and in order, and all access the banks in the
// same stage, so that each sees what the earlier ones stored.
// Golden model: src/model/scratchpad.rs.

module lsu_scratchpad
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
#(
  parameter int unsigned LANES = 32,
  parameter int unsigned SHARED_BYTES = 32768
) (
  input  logic clk_i,
  input  logic rst_ni,  // asynchronous, active low

  // From lsu_store; shared_i is never 0
  input  logic                        valid_i,
  output logic                        ready_o,
  input  access_t                     access_i,
  input  logic [LANES-1:0]            shared_i,
  input  logic [LANES-1:0][19:0]      addr_i,   // byte address in the scratchpad
  output logic                        reads_o,  // reads an operation's store data, a cycle after it was taken
  input  logic [BLOCK_WORDS-1:0][LANES-1:0][31:0] block_i,  // from the next cycle on: as they lie in 32 bytes, repeated

  // To lsu_store: the warps of the operations whose words are not all accessed (PTX-SEM)
  output logic [1:0]  busy_o,
  output warp_t [1:0] busy_warp_o,

  // To lsu_inflight: a store or compare-and-store is over
  output event_t stored_o,

  // To lsu_writeback
  output logic                beat_valid_o,
  output logic                beat_soon_o,  // look-ahead: a beat is offered in the next cycle, unless one is taken now
  input  logic                beat_ready_i,
  output beat_t               beat_o,
  output logic [LANES-1:0]    beat_mask_o,
  output logic [LANES*32-1:0] beat_data_o
);
  import lsu_spad_pkg::*;

  localparam int unsigned LaneBits = $clog2(LANES);
  localparam int unsigned WordBits = $clog2(SHARED_BYTES) - 2;
  localparam int unsigned RowBits = WordBits - LaneBits;
  localparam int unsigned Halves = LANES < 8 ? 2 : 1;  // lsu_spad_match
  typedef logic [LaneBits-1:0] bank_t;
  typedef logic [RowBits-1:0] row_t;

  // An operation, without what each lane has
  typedef struct packed {
    slot_t      slot;
    warp_t      warp;
    tag_t       tag;
    logic       store;
    logic       swap;  // a compare-and-store
    logic [4:0] element_bytes;
    logic       sign_extend;
  } work_t;

  // The next operation
  // ------------------
  logic                              next_valid_q;
  work_t                             next_q;
  logic [31:0]                       next_moves_q;
  logic [4:0]                        next_span_q;
  logic [LANES-1:0]                  next_shared_q;
  logic [LANES-1:0][WordBits+1:0]    next_addr_q;
  logic                              advance;  // the operation in work, if any, ends in this cycle
  logic                              take_q;  // the next operation has just come, and has store data

  assign ready_o = !next_valid_q || advance;
  assign reads_o = take_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      next_valid_q <= 1'b0;
      take_q <= 1'b0;
    end else begin
      take_q <= valid_i && ready_o && access_i.kind != KindLoad;
      if (ready_o) next_valid_q <= valid_i;
    end
  end

  always_ff @(posedge clk_i) begin
    // valid_i is known late: only next_valid_q depends on it, and hardware loads the payload in any case.
    if (ready_o && needed(valid_i)) begin
      next_q <= '{
        slot: access_i.slot, warp: access_i.warp, tag: access_i.tag, store: access_i.kind == KindStore,
        swap: access_i.kind == KindCmpStore, element_bytes: access_i.element_bytes, sign_extend: access_i.sign_extend
      };
      next_moves_q <= access_i.moves;
      next_span_q <= access_i.span;
      next_shared_q <= shared_i;
      for (int l = 0; l < LANES; l++) next_addr_q[l] <= addr_i[l][WordBits+1:0];
    end
  end

  logic [LANES-1:0][WordBits-1:0]      word;
  logic [LANES-1:0][1:0]               first_byte;
  logic [LANES-1:0][LaneBits-1:0]      group;
  logic [LANES-1:0][3:0][LaneBits-1:0] writer;
  logic [LANES-1:0][3:0]               has;
  logic [LANES-1:0][Halves*LANES-1:0]  rest;
  always_comb begin
    word = '0;
    first_byte = '0;
    if (next_valid_q && needed(advance)) for (int l = 0; l < LANES; l++) {word[l], first_byte[l]} = next_addr_q[l];
  end

  lsu_spad_match #(.LANES(LANES), .WORD_BITS(WordBits)) u_match (
    .valid_i(next_valid_q && needed(advance)), .swap_i(next_q.swap), .shared_i(next_shared_q), .word_i(word), .byte_i(first_byte),
    .span_i(next_span_q), .moves_i(next_moves_q),
    .group_o(group), .writer_o(writer), .has_o(has), .rest_o(rest)
  );

  // The operation in work
  // ---------------------
  logic                                valid_q;
  work_t                               work_q;
  logic [LANES-1:0]                    shared_q;
  logic [31:0]                         moves_q;
  logic [LANES-1:0][WordBits+1:0]      addr_q;
  logic [LANES-1:0][LaneBits-1:0]      group_q;
  logic [LANES-1:0][3:0][LaneBits-1:0] writer_q;
  logic [LANES-1:0][3:0]               has_q;
  logic [LANES-1:0][Halves*LANES-1:0]  rest_q;
  logic [LANES-1:0][Halves*LANES-1:0]  rest_after;
  logic [LANES-1:0]                    more_q;  // by bank: it has more than one word left
  logic                                is_load, proceed, over, buffer_free;
  logic                                begin_q;  // the operation has just come into work, and has store data

  assign is_load = !work_q.store && !work_q.swap;
  assign proceed = valid_q && (!is_load || buffer_free);
  // Computed a cycle ahead, in more_q: advance depends on it, which loads the registers of both stages.
  assign over = more_q == '0;
  assign advance = !valid_q || (proceed && over);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      begin_q <= 1'b0;
    end else begin
      if (advance) valid_q <= next_valid_q;
      begin_q <= advance && next_valid_q && (next_q.store || next_q.swap);
    end
  end

  always_ff @(posedge clk_i) begin
    if (next_valid_q && advance) begin
      work_q <= next_q;
      shared_q <= next_shared_q;
      moves_q <= next_moves_q;
      addr_q <= next_addr_q;
      group_q <= group;
      writer_q <= writer;
      has_q <= has;
      rest_q <= rest;
      for (int b = 0; b < LANES; b++) more_q[b] <= several(mask_t'(rest[b]));
    end else if (proceed && needed(!over)) begin
      rest_q <= rest_after;
      for (int b = 0; b < LANES; b++) more_q[b] <= several(mask_t'(rest_after[b]));
    end
  end

  assign busy_o = {valid_q, next_valid_q};
  assign busy_warp_o = {work_q.warp, next_q.warp};

  // Reported before the banks are written, which is safe: no later operation reaches the banks first.
  logic  stored_q;
  slot_t stored_slot_q;
  assign stored_o = '{valid: stored_q, slot: stored_slot_q};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) stored_q <= 1'b0;
    else stored_q <= proceed && over && !is_load;
  end

  always_ff @(posedge clk_i) if (proceed) stored_slot_q <= work_q.slot;

  // Bank accesses
  // -------------
  logic [LANES-1:0][RowBits-1:0]       row, bank_row;
  logic [LANES-1:0]                    bank_used;
  logic [LANES-1:0][LaneBits-1:0]      bank_lane;
  logic [LANES-1:0][3:0]               bank_be;
  logic [LANES-1:0][3:0][LaneBits-1:0] bank_writer;
  always_comb begin
    row = '0;
    if (valid_q && needed(proceed)) for (int l = 0; l < LANES; l++) row[l] = row_t'(addr_q[l] >> (LaneBits + 2));
  end

  lsu_spad_pick #(.LANES(LANES), .ROW_BITS(RowBits)) u_pick (
    .clk_i, .go_i(proceed), .rest_i(rest_q), .row_i(row), .writer_i(writer_q), .has_i(has_q), .moves_i(moves_q),
    .rest_o(rest_after), .used_q(bank_used), .lane_q(bank_lane), .row_q(bank_row), .be_q(bank_be),
    .writer_q(bank_writer)
  );

  logic        load_picked_q, store_picked_q, swap_picked_q;
  logic        last_picked_q;
  buffer_ptr_t fill, fill_picked_q;
  logic [LANES-1:0][LaneBits-1:0] group_picked_q;
  bank_t [LANES-1:0]              bank_picked_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      load_picked_q <= 1'b0;
      store_picked_q <= 1'b0;
      swap_picked_q <= 1'b0;
    end else begin
      load_picked_q <= proceed && is_load;
      store_picked_q <= proceed && work_q.store;
      swap_picked_q <= proceed && work_q.swap;
    end
  end

  always_ff @(posedge clk_i) begin
    if (proceed) begin
      last_picked_q <= over;
      fill_picked_q <= fill;
    end
    if (proceed && is_load) begin
      group_picked_q <= group_q;
      for (int l = 0; l < LANES; l++) bank_picked_q[l] <= bank_t'(addr_q[l] >> 2);
    end
  end

  logic [LANES-1:0]       upper;
  logic [LANES-1:0][31:0] store_data, store_other, read_word;
  always_comb begin
    upper = '0;
    if (LANES < 8) for (int b = 0; b < LANES; b++) upper[b] = bank_row[b][0];
  end

  lsu_spad_merge #(.LANES(LANES)) u_merge (
    .clk_i, .take_i(begin_q), .block_i, .go_i(store_picked_q || swap_picked_q), .swap_i(swap_picked_q),
    .used_i(bank_used), .upper_i(upper), .writer_i(bank_writer), .data_q(store_data), .other_q(store_other)
  );

  lsu_spad_banks #(.LANES(LANES), .ROW_BITS(RowBits)) u_banks (
    .clk_i, .rst_ni, .read_i(load_picked_q || swap_picked_q), .write_i(store_picked_q), .swap_i(swap_picked_q),
    .used_i(bank_used), .row_i(bank_row), .be_i(bank_be), .data_i(store_data), .other_i(store_other),
    .word_o(read_word)
  );

  // A load's words
  // --------------
  logic [LOAD_BUFFERS-1:0] full;
  logic                     drained;
  buffer_ptr_t              drain;
  logic [LANES-1:0][1:0]    place;
  logic [LANES-1:0][31:0]   kept;
  logic [LANES-1:0][3:0]    at;
  always_comb begin
    at = '0;
    if (valid_q && needed(proceed)) for (int l = 0; l < LANES; l++) at[l] = addr_q[l][3:0];
  end

  lsu_spad_collect #(.LANES(LANES)) u_collect (
    .clk_i, .rst_ni, .read_i(load_picked_q), .last_i(last_picked_q), .fill_i(fill_picked_q), .used_i(bank_used),
    .lane_i(bank_lane), .group_i(group_picked_q), .bank_i(bank_picked_q), .word_i(read_word),
    .full_o(full), .drained_i(drained), .drain_i(drain), .place_i(place), .word_o(kept)
  );

  lsu_spad_drain #(.LANES(LANES)) u_drain (
    .clk_i, .rst_ni, .load_i(proceed && over && is_load), .free_o(buffer_free), .fill_q(fill),
    .slot_i(work_q.slot), .warp_i(work_q.warp), .tag_i(work_q.tag), .element_bytes_i(work_q.element_bytes),
    .sign_extend_i(work_q.sign_extend), .shared_i(shared_q), .at_i(at),
    .full_i(full), .drained_o(drained), .drain_q(drain), .place_o(place), .word_i(kept),
    .beat_valid_o, .beat_soon_o, .beat_ready_i, .beat_o, .beat_mask_o, .beat_data_o
  );
endmodule
