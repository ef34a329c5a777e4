// SPDX-License-Identifier: MIT OR Apache-2.0
// Store data: assigns beats to groups, and lays each one out in its entry's block as it arrives (PORT-DATA).
//
//   data port ---> queue of beats ---> [ lay out ] ---> a block for each lane and entry of lsu_store ---> lsu_merge
//   groups ------> queue of groups -------+                                                        +---> lsu_scratchpad
//
// A beat is one register of every lane. Beats come in the order of the operations, before or after them; up to
// RING_BEATS of them wait for their group. One beat a cycle goes to the entry of the oldest group that still lacks one.
// It is written to every place where its bytes can lie in 32 naturally aligned bytes, so that readers need no shifter.
// A component of a burst may lie in any word of 16 bytes, a different one in each lane; it is written to both halves.

module lsu_data
  import lsu_internal_pkg::*;
#(
  parameter int unsigned LANES = 32
) (
  input  logic clk_i,
  input  logic rst_ni,  // asynchronous, active low

  // From the data port
  input  logic                   valid_i,
  output logic                   ready_o,
  input  logic [LANES-1:0][31:0] data_i,

  // From lsu_store: a group with store data. There is room for one group of each entry, so none waits
  input  logic    group_i,
  input  entry_t  group_entry_i,
  input  rows_t   group_rows_i,  // not empty
  input  layout_t group_layout_i,
  input  logic    group_burst_i,
  input  logic [LANES-1:0][1:0] group_at_i,  // of a burst, by lane: the word of 16 bytes in which component X lies

  // To lsu_store: an entry's store data are complete from the next cycle on
  output logic   done_o,        // ... of a queued group: does not depend on the arriving one
  output entry_t done_entry_o,
  output logic   done_come_o,   // ... of the arriving group

  // To lsu_merge and lsu_scratchpad: valid from the cycle after a read up to the next read
  input  logic   merge_read_i,
  input  entry_t merge_entry_i,
  output logic [BLOCK_WORDS-1:0][LANES-1:0][31:0] merge_block_o,
  input  logic   spad_read_i,
  input  entry_t spad_entry_i,
  output logic [BLOCK_WORDS-1:0][LANES-1:0][31:0] spad_block_o
);
  typedef struct packed {
    entry_t  entry;
    rows_t   rows;
    layout_t layout;
    logic    burst;
    logic [LANES-1:0][1:0] at;
  } group_t;

  logic                   beat_valid, full, group_valid, queued;
  logic [LANES-1:0][31:0] beat;
  group_t                 come, front, group;
  rows_t                  taken_q;  // beats of the oldest group that have been laid out
  rows_t                  rest;
  logic [2:0]             row;
  logic                   write;

  lsu_fifo #(.WIDTH(LANES * 32), .DEPTH(RING_BEATS)) u_beats (
    .clk_i, .rst_ni, .push_i(valid_i && !full), .data_i, .valid_o(beat_valid), .full_o(full), .pop_i(write),
    .data_o(beat)
  );
  assign ready_o = !full;

  lsu_fifo #(.WIDTH($bits(group_t)), .DEPTH(ENTRIES)) u_groups (
    .clk_i, .rst_ni, .push_i(group_i && !done_come_o), .data_i(come), .valid_o(queued), .full_o(),
    .pop_i(done_o), .data_o(front)
  );
  // A group that finds the queue empty takes its first beat in the cycle in which it arrives.
  assign come = '{
    entry: group_entry_i, rows: group_rows_i, layout: group_layout_i, burst: group_burst_i, at: group_at_i
  };
  assign group = queued ? front : come;
  assign group_valid = queued || group_i;

  function automatic logic is_last(rows_t left);
    return (left & (left - rows_t'(1))) == '0;
  endfunction

  assign rest = group.rows & ~taken_q;
  assign write = beat_valid && group_valid;
  // taken_q is 0 while the queue is empty, so done_come_o depends on the arriving group's rows alone.
  assign done_o = beat_valid && queued && is_last(front.rows & ~taken_q);
  assign done_come_o = beat_valid && group_i && !queued && is_last(group_rows_i);
  assign done_entry_o = front.entry;
  always_comb begin
    row = '0;
    if (needed(write)) for (int r = ROWS - 1; r >= 0; r--) if (rest[r]) row = 3'(r);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) taken_q <= '0;
    else if (write) taken_q <= done_o || done_come_o ? '0 : taken_q | rows_t'(1) << row;
  end

  // The blocks: a memory for each word, lane and reader
  // ---------------------------------------------------
  // Finding a beat's place takes long, so the beat is written a cycle later. No block is read before that write, or in
  // the same cycle.
  logic [31:0]            bytes_q;
  entry_t                 entry_q;
  logic                   burst_q;
  logic [LANES-1:0][1:0]  place_q;  // of a burst: the word of each half that a lane's component goes to
  logic [LANES-1:0][31:0] unit, unit_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) bytes_q <= '0;
    else if (!write) bytes_q <= '0;
    else if (group.burst) bytes_q <= '1;
    else bytes_q <= beat_bytes(group.layout, row);
  end

  always_ff @(posedge clk_i) begin
    if (write) begin
      entry_q <= group.entry;
      unit_q <= unit;
      burst_q <= group.burst;
      if (group.burst) for (int l = 0; l < LANES; l++) place_q[l] <= 2'(row) + group.at[l];
    end
  end

  always_comb begin
    unit = '0;
    if (needed(write)) begin
      unit = beat;
      if (group.layout.unit_bytes == 3'd1) for (int l = 0; l < LANES; l++) unit[l] = {4{beat[l][7:0]}};
      if (group.layout.unit_bytes == 3'd2) for (int l = 0; l < LANES; l++) unit[l] = {2{beat[l][15:0]}};
    end
  end

`ifdef SYNTHESIS
  // LUT RAM: block RAM sits in a few rows of a device, and the wires to and from it would be a quarter of the unit's.
  // lsu_merge takes a block in the cycle after merge_read_i, and the block is not written in that cycle, so the memory
  // is read in that cycle and needs no output register.
  entry_t merge_entry_q;
  always_ff @(posedge clk_i) if (merge_read_i) merge_entry_q <= merge_entry_i;

  for (genvar w = 0; w < BLOCK_WORDS; w++) begin : gen_word
    for (genvar l = 0; l < LANES; l++) begin : gen_lane
      logic [31:0] merge_mem [ENTRIES];
      logic [31:0] spad_mem [ENTRIES];
      assign merge_block_o[w][l] = merge_mem[merge_entry_q];
      always_ff @(posedge clk_i) begin
        for (int i = 0; i < 4; i++) begin
          if (bytes_q[w*4+i] && (!burst_q || place_q[l] == 2'(w))) begin
            merge_mem[entry_q][i*8+:8] <= unit_q[l][i*8+:8];
            spad_mem[entry_q][i*8+:8] <= unit_q[l][i*8+:8];
          end
        end
        if (spad_read_i) spad_block_o[w][l] <= spad_mem[spad_entry_i];
      end
    end
  end
`else
  // The simulation twin: one array with blocking writes. Most beats are words, which a simulator moves whole. An entry
  // is read only after its last beat was written.
  logic [LANES-1:0][31:0] mem [BLOCK_WORDS][ENTRIES];
  always_ff @(posedge clk_i) begin
    if (merge_read_i) for (int w = 0; w < BLOCK_WORDS; w++) merge_block_o[w] <= mem[w][merge_entry_i];
    if (spad_read_i) for (int w = 0; w < BLOCK_WORDS; w++) spad_block_o[w] <= mem[w][spad_entry_i];
    if (bytes_q != '0 && burst_q) begin
      for (int l = 0; l < LANES; l++) begin
        mem[{1'b0, place_q[l]}][entry_q][l] = unit_q[l];
        mem[{1'b1, place_q[l]}][entry_q][l] = unit_q[l];
      end
    end else if (bytes_q != '0) begin
      for (int w = 0; w < BLOCK_WORDS; w++) begin
        if (bytes_q[w*4+:4] == '1) begin
          mem[w][entry_q] = unit_q;
        end else if (bytes_q[w*4+:4] != '0) begin
          mem[w][entry_q] = (mem[w][entry_q] & ~{LANES{bits_of(bytes_q[w*4+:4])}})
              | (unit_q & {LANES{bits_of(bytes_q[w*4+:4])}});
        end
      end
    end
  end
`endif
endmodule
