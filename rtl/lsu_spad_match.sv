// SPDX-License-Identifier: MIT OR Apache-2.0
// Groups the lanes of an access that want the same words, and finds the lane that leads them and the lanes that write:
// COM-SAMEADDR.
//
//   addresses ---> same word? ---> groups of lanes ---> for each bank: the words that it owes
//                                        |
//                                        +------------> for each byte of a word: the lane that writes it
//
// Accesses are naturally aligned and all of one size, so two lanes want either the very same words or none in common.
// The leader of a lane group, its lowest lane, asks for the words, and all its lanes get them. A byte is written by the
// highest lane that has it. With 8 lanes or more an access uses a bank at most once. With 4 lanes, one of 8 words uses
// each bank twice, in two rows: a bank then owes a word of the lane's lower and one of its upper half.
// Each lane of a compare-and-store is a lane group of its own, and each is a step (SM5-ORDER).

module lsu_spad_match
  import lsu_internal_pkg::*;
  import lsu_spad_pkg::*;
#(
  parameter int unsigned LANES = 32,
  parameter int unsigned WORD_BITS = 13,
  localparam int unsigned LaneBits = $clog2(LANES),
  localparam int unsigned Halves = LANES < 8 ? 2 : 1
) (
  input  logic                            valid_i,
  input  logic                            swap_i,    // a compare-and-store
  input  logic [LANES-1:0]                shared_i,
  input  logic [LANES-1:0][WORD_BITS-1:0] word_i,
  input  logic [LANES-1:0][1:0]           byte_i,
  input  logic [4:0]                      span_i,    // bytes of the access, less one
  input  logic [31:0]                     moves_i,

  output logic [LANES-1:0][LaneBits-1:0]      group_o,   // by lane: the leader of its lane group
  output logic [LANES-1:0][3:0][LaneBits-1:0] writer_o,  // by lane and byte: the highest lane of its group that has it
  output logic [LANES-1:0][3:0]               has_o,     // ... and whether there is one
  output logic [LANES-1:0][Halves*LANES-1:0]  rest_o     // by bank and half: the leaders for which it has a word
);
  logic [7:0] wants;  // words of 32 bytes in which some byte moves
  always_comb begin
    wants = '0;
    if (needed(valid_i)) for (int w = 0; w < 8; w++) wants[w] = moves_i[w*4+:4] != '0;
  end

  // Whether word w of 32 bytes belongs to an access that begins at word first; likewise for the bytes of a word.
  function automatic logic covers(logic [2:0] span, logic [2:0] first, logic [2:0] w);
    return ((first ^ w) & ~span) == '0;
  endfunction

`ifdef SYNTHESIS
  logic [LANES-1:0]      leads;
  logic [3:0][LANES-1:0] at;  // by byte of a word: the lanes that have it
  always_comb begin
    for (int i = 0; i < 4; i++) begin
      for (int l = 0; l < LANES; l++) at[i][l] = covers({1'b0, span_i[1:0]}, {1'b0, byte_i[l]}, 3'(i));
    end
    for (int l = 0; l < LANES; l++) begin
      automatic logic [LANES-1:0] same = '0;
      for (int m = 0; m < LANES; m++) begin
        same[m] = shared_i[l] && shared_i[m] && (l == m || (!swap_i && word_i[l] == word_i[m]));
      end
      group_o[l] = LaneBits'(number_of(lowest_bit(mask_t'(same))));
      leads[l] = shared_i[l] && (same & LANES'((33'd1 << l) - 33'd1)) == '0;
      for (int i = 0; i < 4; i++) begin
        has_o[l][i] = (same & at[i]) != '0;
        writer_o[l][i] = LaneBits'(number_of(highest_bit(mask_t'(same) & mask_t'(at[i]))));
      end
    end
    for (int b = 0; b < LANES; b++) begin
      for (int h = 0; h < Halves; h++) begin
        for (int l = 0; l < LANES; l++) begin
          automatic logic [2:0] w = 3'(h * LANES + b);
          rest_o[b][h*LANES+l] = valid_i && leads[l] && wants[w] && covers(span_i[4:2], 3'(word_i[l]), w)
              && (b / 8 == 32'(word_i[l]) % LANES / 8);
        end
      end
    end
  end
`else
  // The simulation twin, lane after lane: a simulator need not compare all lanes with all.
  int lower [LANES];  // by leader: the leader before it whose first word is in the same bank; -1 if none
  int latest [LANES];  // by bank: the highest leader so far whose first word is there; -1 if none
  int leader;
  int unsigned bank, w;
  always_comb begin
    group_o = '0;
    writer_o = '0;
    has_o = '0;
    rest_o = '0;
    leader = 0;
    bank = 0;
    w = 0;
    for (int l = 0; l < LANES; l++) begin
      lower[l] = -1;
      latest[l] = -1;
    end
    if (valid_i) begin
      for (int l = 0; l < LANES; l++) begin
        if (shared_i[l]) begin
          bank = 32'(word_i[l]) % LANES;
          leader = swap_i ? -1 : latest[bank];
          for (int m = 0; m < l; m++) begin
            if (leader < 0 || word_i[leader[LaneBits-1:0]] == word_i[l]) break;
            leader = lower[leader[LaneBits-1:0]];
          end
          if (leader < 0) begin
            leader = l;
            lower[l] = latest[bank];
            latest[bank] = l;
            for (int k = 0; k < 8; k++) begin
              w = (32'(word_i[l]) % 8 & ~32'(span_i[4:2])) | k;
              if (k <= 32'(span_i[4:2]) && wants[w[2:0]]) begin
                rest_o[LaneBits'((bank & ~7) | w)][(Halves == 2 ? w / LANES * LANES : 0) + l] = 1'b1;
              end
            end
          end
          group_o[l] = LaneBits'(leader);
          for (int i = 0; i < 4; i++) begin
            if (covers({1'b0, span_i[1:0]}, {1'b0, byte_i[l]}, 3'(i))) begin
              writer_o[leader[LaneBits-1:0]][i] = LaneBits'(l);
              has_o[leader[LaneBits-1:0]][i] = 1'b1;
            end
          end
        end
      end
      for (int l = 0; l < LANES; l++) begin
        if (shared_i[l]) begin
          writer_o[l] = writer_o[group_o[l]];
          has_o[l] = has_o[group_o[l]];
        end
      end
    end
  end
`endif
endmodule
