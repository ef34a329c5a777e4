// SPDX-License-Identifier: MIT OR Apache-2.0
// Store data: beats in the order of the operations, before or after them (PORT-DATA), laid out as they come.
//
//   data port ---> queue of beats ---> [ lay out ] ---> a block for each lane and entry of lsu_store ---> lsu_merge
//   groups ------> queue of groups -------+                                                        +---> lsu_scratchpad
//
// A beat is one register of every lane. It goes, a beat a cycle, to the entry of the oldest group that still wants
// one, and there to every place where its bytes can lie in 32 naturally aligned bytes: whoever reads the block shifts
// nothing. A component of a burst lies in whatever word it has in 16 bytes, and is in both halves: each lane has its own.
// Up to RING_BEATS beats wait for their group.

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

  // From lsu_store: a group that has data; there is room for one of each entry
  input  logic    group_i,
  input  entry_t  group_entry_i,
  input  rows_t   group_rows_i,  // not empty
  input  layout_t group_layout_i,
  input  logic    group_burst_i,
  input  logic [LANES-1:0][1:0] group_at_i,  // of a burst: where its component X lies, in words of 16 bytes

  // To lsu_store: the last beat of an entry is there from the next cycle on
  output logic   done_o,        // ... of a group that came before: nothing of the one that comes tells it
  output entry_t done_entry_o,
  output logic   done_come_o,   // ... of the group that comes

  // To lsu_merge and lsu_scratchpad, from the cycle after a read to that of the next one
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
  rows_t                  taken_q;  // beats of the oldest group that are there
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
  // One that finds no other takes its first beat as it comes.
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
  // No beat is there of a group that finds no other.
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

  // The blocks, a memory for each word of all lanes and each reader
  // ---------------------------------------------------------------
  // Where a beat goes takes long to find, so it is written a cycle later: nobody reads a block sooner, nor beside that.
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
  // Of LUTs: block RAM stands in a few rows of a device, and the wires to it and from it would be a quarter of the unit's.
  // lsu_merge takes a block in the cycle after the read, and nobody writes it beside that: so it is read then.
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
  // The same with writes that block; most beats are words, and a simulator moves them whole. Whoever reads an entry does
  // so after its last beat is there.
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
