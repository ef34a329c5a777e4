// SPDX-License-Identifier: MIT OR Apache-2.0
// The bytes of a request: the line's byte enables, and a store's data, where the highest lane wins (COM-SAMEADDR).
//
//   lsu_coalesce ---> [ winner of each byte ] --> winners ---> [ and-or ] ---> lsu_order
//   lsu_data ------------------------------------> words --------^
//
// Two stages, without stalls. A byte lies in its lane's block where it lies in 32 aligned bytes of the line.
// Golden model: src/model/coalesce.rs.

module lsu_merge
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
#(
  parameter int unsigned LANES = 32,
  parameter int unsigned LINE_BYTES = 128
) (
  input  logic clk_i,
  input  logic rst_ni,  // asynchronous, active low

  // From lsu_coalesce
  input  logic     valid_i,
  input  logic     final_i,
  input  job_t     job_i,
  input  entry_t   entry_i,
  input  request_t request_i,
  input  logic [5:0]  bytes_i,  // size of the whole access
  input  logic [31:0] moved_i,  // the bytes that move, wherever it lies
  input  logic [LANES-1:0][$clog2(LINE_BYTES)-1:0] offset_i,

  // From lsu_data: the store data of entry_i
  input  logic [BLOCK_WORDS-1:0][LANES-1:0][31:0] block_i,

  // To lsu_store: the last request of an entry has its store data
  output logic   final_o,
  output entry_t entry_o,

  // To lsu_cas
  output logic [LANES-1:0][$clog2(LINE_BYTES/4)-1:0] at_o,  // each lane's dword in the line
  output logic [1:0][LANES-1:0][31:0]                pair_o,  // [0] comparison values, [1] new values

  // To lsu_order
  output logic                    valid_o,
  output request_t                request_o,
  output logic [LINE_BYTES-1:0]   be_o,
  output logic [LINE_BYTES*8-1:0] data_o
);
  localparam int unsigned Words = LINE_BYTES / 4;
  localparam int unsigned WordBits = $clog2(Words);
  typedef logic [WordBits-1:0] at_t;

  // Which bytes of the line a lane moves
  // ------------------------------------
  // Bit w: the lane's access contains word w of the line or, for a burst, the request serves a component there.
  function automatic logic [Words-1:0] words_in_line(logic burst, words_t served, logic [5:0] bytes, at_t at);
    for (int w = 0; w < Words; w++) begin
      automatic at_t component = at_t'(w) - at;
      automatic at_t apart = at_t'(w) ^ at;
      if (burst) words_in_line[w] = component < at_t'(REGISTERS) && served[component[1:0]];
      else words_in_line[w] = served != '0 && (bytes <= 6'd4 ? apart == '0 : (apart & ~at_t'(bytes[5:2] - 4'd1)) == '0);
    end
  endfunction

  // The bytes of a word that the access covers: all, or those where a narrower access lies.
  function automatic logic [3:0] bytes_in_word(logic [5:0] bytes, logic [1:0] at);
    if (bytes == 6'd1) return 4'b0001 << at;
    if (bytes == 6'd2) return 4'b0011 << {at[1], 1'b0};
    return '1;
  endfunction

  // First stage
  // -----------
  logic                  valid_q, final_q;
  request_t              request_q;
  logic [LINE_BYTES-1:0] be_q;
  logic                  store_q;
  logic [LANES-1:0][$clog2(LINE_BYTES)-1:0] offset_q;
  logic [BLOCK_WORDS-1:0][LANES-1:0][31:0] block_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      final_q <= 1'b0;
    end else begin
      valid_q <= valid_i;
      final_q <= final_i;
    end
  end

  // Without stalls, the registers have no enable in hardware.
  always_ff @(posedge clk_i) begin
    if (needed(valid_i)) begin
      entry_o <= entry_i;
      request_q <= request_i;
      store_q <= job_i.kind == KindStore;
      offset_q <= offset_i;
    end
  end

  assign final_o = final_q;
  assign valid_o = valid_q;
  assign request_o = request_q;
  assign be_o = be_q;
  assign pair_o = block_q[1:0];
  always_comb begin
    at_o = '0;
    if (needed(valid_q && (store_q || request_q.exclusive))) begin
      for (int l = 0; l < LANES; l++) at_o[l] = at_t'(offset_q[l] >> 2);
    end
  end

`ifdef SYNTHESIS
  // For each byte the highest lane that moves it; then each word of the line is an and-or over the lanes
  // ----------------------------------------------------------------------------------------------------
  logic [LINE_BYTES-1:0][LANES-1:0] winner_q;
  always_ff @(posedge clk_i) begin
    automatic logic [LANES-1:0][LINE_BYTES-1:0] lane_bytes;
    for (int l = 0; l < LANES; l++) begin
      automatic logic [Words-1:0] words = words_in_line(job_i.burst, request_i.served[l], bytes_i,
                                                        at_t'(offset_i[l] >> 2));
      automatic logic [3:0] inside_word = job_i.burst ? '1 : bytes_in_word(bytes_i, offset_i[l][1:0]);
      for (int b = 0; b < LINE_BYTES; b++) lane_bytes[l][b] = words[b/4] && inside_word[b%4] && moved_i[b%32];
    end
    for (int b = 0; b < LINE_BYTES; b++) begin
      automatic logic [LANES-1:0] movers;
      for (int l = 0; l < LANES; l++) movers[LANES-1-l] = lane_bytes[l][b];
      be_q[b] <= movers != '0;
      winner_q[b] <= LANES'(lowest_bit(32'(movers)));
    end
    block_q <= block_i;
  end

  always_comb begin
    for (int w = 0; w < Words; w++) begin
      data_o[w*32+:32] = '0;
      for (int l = 0; l < LANES; l++) begin
        automatic logic [3:0] wins;
        for (int i = 0; i < 4; i++) wins[i] = winner_q[w*4+i][LANES-1-l] && store_q;
        data_o[w*32+:32] |= block_q[w%BLOCK_WORDS][l] & bits_of(wins);
      end
    end
  end
`else
  // The simulation twin: lane by lane, so that only words that move take time
  // -------------------------------------------------------------------------
  logic             burst_q;
  logic [5:0]       bytes_q;
  logic [31:0]      moved_q;
  logic [LANES-1:0] served_q;  // lanes of which some word is served
  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      automatic logic [3:0] line [Words];
      automatic logic [LANES-1:0] served;
      for (int w = 0; w < Words; w++) line[w] = '0;
      for (int l = 0; l < LANES; l++) served[l] = request_i.served[l] != '0;
      for (int l = 0; l < LANES; l++) begin
        if (served[l]) begin
          automatic at_t at = at_t'(offset_i[l] >> 2);
          if (job_i.burst) begin
            for (int c = 0; c < REGISTERS; c++) if (request_i.served[l][c]) line[at_t'(at+at_t'(c))] = '1;
          end else if (bytes_i <= 6'd4) begin
            line[at] |= moved_i[32'(at)%BLOCK_WORDS*4+:4] & bytes_in_word(bytes_i, offset_i[l][1:0]);
          end else begin
            for (int i = 0; i < BLOCK_WORDS; i++) if (i * 4 < 32'(bytes_i)) line[at_t'(at+at_t'(i))] |= moved_i[i*4+:4];
          end
        end
      end
      if (job_i.kind == KindStore) served_q <= served;
      for (int w = 0; w < Words; w++) be_q[w*4+:4] <= line[w];
      burst_q <= job_i.burst;
      bytes_q <= bytes_i;
      moved_q <= moved_i;
      if (job_i.kind != KindLoad) block_q <= block_i;
    end
  end

  at_t         w;
  logic [31:0] mask;
  always_comb begin
    data_o = '0;
    w = '0;
    mask = '0;
    if (valid_q && store_q) begin
      for (int l = 0; l < LANES; l++) begin
        if (served_q[l]) begin
          if (burst_q) begin
            for (int c = 0; c < REGISTERS; c++) begin
              w = at_o[l] + at_t'(c);
              // Higher lanes come later, and win (COM-SAMEADDR).
              if (request_q.served[l][c]) data_o[32'(w)*32+:32] = block_q[3'(w)][l];
            end
          end else begin
            for (int i = 0; i < BLOCK_WORDS; i++) begin
              if (i == 0 || i * 4 < 32'(bytes_q)) begin
                w = at_o[l] + at_t'(i);
                mask = bits_of(moved_q[32'(w)%BLOCK_WORDS*4+:4] & bytes_in_word(bytes_q, offset_q[l][1:0]));
                // Higher lanes come later, and win (COM-SAMEADDR).
                data_o[32'(w)*32+:32] = (data_o[32'(w)*32+:32] & ~mask) | (block_q[3'(w)][l] & mask);
              end
            end
          end
        end
      end
    end
  end
`endif
endmodule
