// SPDX-License-Identifier: MIT OR Apache-2.0
// lsu_store beside a record of where each group is. A warp's groups must be taken oldest first, each once, also those
// that were returned or declined (PORT-ORDER); a group with its store data, and a release when nothing older of its
// warp is left in the store (PTX-SEM). No group may wait for an entry, and none may be lost.
//
// What arrives is free, as far as lsu_admit has seen room for it; so is what the neighbours do, within what they
// promise. lsu_coalesce has one group at a time. It takes the next one when that has ended, or returns it for one of
// another warp; and the last request of a group that has ended gets its data some time later. Store data and fills come
// for those who wait for them. A release stores something. The queue of the scratchpad is lsu_fifo, which is proved
// elsewhere: here it hands out any entry that waits for it.

module lsu_store_proof
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
#(
  parameter int unsigned LANES = 2,
  parameter int unsigned LINE_BYTES = 16,
  parameter int unsigned WARPS = 2
) (
  input logic               clk_i,
  input logic               admit_i,
  input logic               warp_i,
  input kind_e              kind_i,
  input logic               rows_i,
  input logic               fence_i,
  input logic [LANES-1:0]   memory_i,
  input logic [LANES-1:0]   shared_i,
  input logic               fill_i,
  input logic               data_done_i,
  input entry_t             data_entry_i,
  input logic               data_come_i,
  input logic               fill_done_i,
  input entry_t             fill_entry_i,
  input logic               ends_i,
  input logic               parts_i,
  input logic               read_i,
  input entry_t             read_entry_i,
  input logic [WARPS-1:0]   room_i,
  input logic [WARPS-1:0]   idle_i,
  input logic [WARPS-1:0]   held_i,
  input logic               fence_waits_i,
  input logic [WARPS-1:0]   answers_i,
  input logic [1:0]         spad_busy_i,
  input logic [1:0]         spad_busy_warp_i,
  input logic               spad_ready_i
);
  typedef logic [5:0] count_t;

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  // A group that lsu_admit has let in comes out of lsu_window later; here it is two cycles, which is less.
  logic       coming_q, valid_q;
  logic [2:0] freed;
  count_t     room_q;  // entries that are free and not reserved

  placed_t            placed;
  words_t [LANES-1:0] memory;
  always_comb begin
    placed = '0;
    placed.op.warp = warp_t'(warp_i);
    placed.op.kind = kind_i;
    placed.op.space = SpaceGlobal;
    placed.rows = rows_t'(rows_i);
    placed.fence = fence_i;
    for (int l = 0; l < LANES; l++) memory[l] = words_t'(memory_i[l]);
  end

  logic   offered, resumed, take, back, drop, spad_valid;
  entry_t enter, back_entry, offer;
  /* verilator lint_off PINMISSING */
  lsu_store #(.LANES(LANES), .LINE_BYTES(LINE_BYTES), .WARPS(WARPS)) u_store (
    .clk_i, .rst_ni, .valid_i(valid_q), .placed_i(placed), .slot_i('0), .memory_i(memory), .space_i('0), .shared_i,
    .addr_i('0), .fill_i, .entry_o(enter), .freed_o(freed), .data_done_i, .data_entry_i, .data_come_i, .fill_done_i,
    .fill_entry_i, .job_valid_o(offered), .job_take_i(take), .job_entry_o(offer), .job_resumed_o(resumed),
    .back_i(back), .back_entry_i(back_entry), .back_lead_i('0), .back_line_i('0), .back_rest_i('0), .drop_i(drop),
    .read_i, .read_entry_i, .room_i, .idle_i, .held_i, .fence_waits_i, .answers_i, .spad_busy_i,
    .spad_busy_warp_i({warp_t'(spad_busy_warp_i[1]), warp_t'(spad_busy_warp_i[0])}), .spad_valid_o(spad_valid),
    .spad_ready_i
  );
  /* verilator lint_on PINMISSING */

  // lsu_coalesce: the group at work, and those whose last request was made but has no data yet
  logic     hand_q, same, ends;
  entry_t   hand_entry_q;
  entries_t sent_q, began_q;  // began: some time taken, and returned
  assign same = u_store.warp_q[offer] == u_store.warp_q[hand_entry_q];
  assign ends = hand_q && ends_i;
  assign back = hand_q && offered && parts_i && !same && !ends;
  assign drop = hand_q && offered && parts_i && same && !ends;
  assign take = offered && (!hand_q || ends || back);
  assign back_entry = hand_entry_q;

  // Those of its warp that came before a group
  entries_t enters, same_warp, before_q [ENTRIES];
  assign enters = valid_q ? entries_t'(1) << enter : '0;
  always_comb for (int e = 0; e < ENTRIES; e++) same_warp[e] = u_store.warp_q[e] == warp_i;
  always_ff @(posedge clk_i) begin
    for (int e = 0; e < ENTRIES; e++) before_q[e] <= enters[e] ? u_store.valid_q & same_warp : before_q[e] & ~enters;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      coming_q <= 1'b0;
      valid_q <= 1'b0;
      room_q <= count_t'(ENTRIES);
      hand_q <= 1'b0;
      sent_q <= '0;
      began_q <= '0;
    end else begin
      coming_q <= admit_i;
      valid_q <= coming_q;
      room_q <= room_q + count_t'(freed) - count_t'(admit_i);
      hand_q <= take || (hand_q && !ends);
      sent_q <= (sent_q | (ends ? entries_t'(1) << hand_entry_q : '0)) & ~(read_i ? entries_t'(1) << read_entry_i : '0);
      began_q <= (began_q | (back ? entries_t'(1) << hand_entry_q : '0)) & ~enters;
    end
  end
  always_ff @(posedge clk_i) if (take) hand_entry_q <= offer;

  // Where each group with requests to make is: it waits, is chosen, is offered, is at work, comes back, or is done but
  // for its data.
  entries_t second, first, hand, comes_back;
  assign second = u_store.u_choose.second_q ? entries_t'(1) << u_store.u_choose.second_entry_q : '0;
  assign first = u_store.u_choose.offer_q ? entries_t'(1) << u_store.u_choose.entry_o : '0;
  assign hand = hand_q ? entries_t'(1) << hand_entry_q : '0;
  assign comes_back = u_store.u_choose.back_q ? entries_t'(1) << u_store.u_choose.back_entry_q : '0;

  // Groups that a younger one of their warp must not overtake
  entries_t waits, late;
  assign waits = u_store.wait_q | u_store.held_q;
  assign late = waits | second | comes_back | (ends ? '0 : hand);

  always_comb begin
    if (rst_ni) begin
      Admitted: assume (!admit_i || room_q != '0);
      Release: assume (!fence_i || (rows_i && (memory_i != '0 || shared_i != '0)));
      Come: assume (!data_come_i || (valid_q && rows_i && !data_done_i));
      Done: assume (!data_done_i || u_store.data_q[data_entry_i]);
      Filled: assume (!fill_done_i || (u_store.fill_q[fill_entry_i] &&
                      !(u_store.fill_done_q && u_store.fill_done_entry_q == fill_entry_i)));
      Read: assume (!read_i || sent_q[read_entry_i]);
      Queue: assume (!spad_valid || (u_store.spad_q[u_store.queued_entry] &&
                     !(u_store.spad_taken_q && u_store.spad_taken_entry_q == u_store.queued_entry)));

      if (take) begin
        Order: assert ((before_q[offer] & u_store.valid_q & late) == '0);
        Once: assert (u_store.memory_q[offer] && !sent_q[offer] && !u_store.wait_q[offer]);
        Data: assert (!u_store.data_q[offer] && !u_store.held_q[offer]);
        Resumed: assert (resumed == began_q[offer]);
      end
      if (spad_valid) SpadData: assert (!u_store.data_q[u_store.queued_entry] && !u_store.held_q[u_store.queued_entry]);
      if (valid_q) Room: assert (u_store.place_q == entries_t'(1) << enter && !u_store.valid_q[enter]);
      // At most one group is over for each of the four parts, and one as it arrives.
      Freed: assert ($countones(u_store.freed_q) <= 4);
      Entries: assert (room_q <= count_t'(ENTRIES)
                       && count_t'(ENTRIES) == room_q + count_t'(freed) + count_t'(coming_q) + count_t'(valid_q)
                       + count_t'($countones(u_store.valid_q)));

      // Invariants
      Place: assert ((u_store.place_q & (u_store.place_q - entries_t'(1))) == '0
                     && (u_store.place_q & u_store.valid_q) == '0
                     && (u_store.place_q == '0 || u_store.place_q == entries_t'(1) << u_store.place_entry_q));
      Recall: assert (u_store.u_choose.recall_q != '1 && (u_store.u_choose.back_q
                      ? u_store.u_choose.recall_q[u_store.warp_q[u_store.u_choose.back_entry_q]] : 1'b1));
      if (first != '0) Offered: assert (u_store.u_choose.offer_warp_q == u_store.warp_q[u_store.u_choose.entry_o]);
      if (second != '0) Second: assert (first != '0 && u_store.u_choose.second_warp_q ==
                                        u_store.warp_q[u_store.u_choose.second_entry_q]);
    end
  end

  for (genvar w = 0; w < WARPS; w++) begin : gen_warp
    entries_t its;
    always_comb for (int e = 0; e < ENTRIES; e++) its[e] = u_store.warp_q[e] == 1'(w);
    always_comb begin
      if (rst_ni && u_store.u_choose.some_q[w]) Some: assert ((u_store.u_choose.oldest_q & its) != '0);
    end
  end

  for (genvar e = 0; e < ENTRIES; e++) begin : gen_entry
    logic [5:0] where;
    logic       some, alone, there, spad_taken, turn, asked;
    assign where = {u_store.wait_q[e], second[e], first[e], hand[e], comes_back[e], sent_q[e]};
    assign some = u_store.u_choose.some_q[u_store.warp_q[e]];
    assign alone = (before_q[e] & u_store.valid_q & (u_store.memory_q | u_store.spad_q)) == '0;
    assign there = u_store.data_there_q && u_store.data_there_entry_q == entry_t'(e);
    assign spad_taken = u_store.spad_taken_q && u_store.spad_taken_entry_q == entry_t'(e);
    assign turn = u_store.u_fence.looked_q && u_store.u_fence.looked_entry_q == entry_t'(e);
    assign asked = u_store.u_fence.fence_q && u_store.u_fence.fence_entry_q == entry_t'(e);
    // A release that is not asked again was told to wait, and its warp had no answer since.
    logic told_q;
    always_ff @(posedge clk_i) told_q <= (asked && fence_waits_i) || (told_q && !answers_i[u_store.warp_q[e]]);
    always_comb if (rst_ni && u_store.held_q[e] && u_store.u_fence.asked_q[e]) Told: assert (turn || asked || told_q);
    always_comb begin
      if (rst_ni) begin
        Where: assert ((where & (where - 6'd1)) == '0 && (where != '0) == u_store.memory_q[e]);
        Has: assert (u_store.valid_q[e] == (u_store.memory_q[e] || u_store.spad_q[e] || u_store.fill_q[e]
                                            || u_store.drop_q[e]));
        Chosen: assert (!u_store.u_choose.oldest_q[e] || u_store.wait_q[e]);
        Ready: assert (!(u_store.data_q[e] || u_store.held_q[e])
                       || ((where[4:0] == '0) && !u_store.u_choose.oldest_q[e]));
        Owed: assert (!(u_store.data_q[e] || u_store.held_q[e])
                      || u_store.memory_q[e] || u_store.spad_q[e] || u_store.drop_q[e]);
        if (u_store.held_q[e]) Stores: assert (u_store.memory_q[e] || u_store.spad_q[e]);
        if (there) There: assert (u_store.valid_q[e] && !u_store.data_q[e]);
        if (u_store.drop_q[e]) Drop: assert (u_store.data_q[e] || there);
        if (spad_taken) SpadTaken: assert (u_store.spad_q[e] && !u_store.data_q[e] && !u_store.held_q[e]);
        if (u_store.valid_q[e]) Began: assert (began_q[e] ? u_store.resumed_q[e] || comes_back[e]
                                               : !u_store.resumed_q[e] && !comes_back[e]);
        // A release that goes has nothing older of its warp left in the store.
        if (u_store.passes[e] && u_store.held_q[e]) Fence: assert (alone);
        // It is looked at for three cycles, and may have gone since, but not for long.
        if (u_store.u_fence.looked_at_q[e]) Looked: assert (alone && (u_store.memory_q[e] || u_store.spad_q[e])
                                                            && where[4:0] == '0 && !spad_taken);
        if (turn) Turn: assert (alone && u_store.valid_q[e]);
        if (asked) Asked: assert (u_store.valid_q[e] ? alone : !u_store.place_q[e]);
      end
    end

    for (genvar f = 0; f < ENTRIES; f++) begin : gen_before
      if (f < e) begin : gen_order
        always_comb begin
          if (rst_ni && u_store.valid_q[e] && u_store.valid_q[f]) begin
            Before: assert (u_store.older_q[e][f] == before_q[e][f] && u_store.older_q[f][e] == before_q[f][e]);
            Total: assert (u_store.warp_q[e] == u_store.warp_q[f] ? before_q[e][f] != before_q[f][e]
                           : !before_q[e][f] && !before_q[f][e]);
          end
        end
      end
      if (f != e) begin : gen_behind  // e, if it came after f
        always_comb begin
          if (rst_ni && u_store.valid_q[e] && u_store.valid_q[f] && before_q[e][f]) begin
            Behind: assert (!(waits[f] && ((u_store.u_choose.oldest_q[e] && some) || where[4:0] != '0))
                            && !(second[f] && (first[e] || hand[e] || sent_q[e]))
                            && !((first[f] || comes_back[f]) && (hand[e] || sent_q[e])) && !(hand[f] && sent_q[e]));
          end
        end
      end
    end
    always_comb if (rst_ni && u_store.valid_q[e]) Self: assert (!u_store.older_q[e][e] && !before_q[e][e]);
  end
endmodule
