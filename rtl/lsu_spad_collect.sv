// SPDX-License-Identifier: MIT OR Apache-2.0
// Collects a load's words on their way from the banks to write-back.
//
//   lane of each bank's word ---> who else gets it? ---> a buffer of eight (LUT RAM) ---> a register of every lane
//
// A buffer keeps a lane's word at its place among the 4 words of 16 bytes (with 4 lanes, at its bank); lsu_spad_drain
// says which place a register takes. A word takes three cycles from pick to beat, and its buffer is free a cycle later,
// so four buffers sustain a one-register load a cycle. Four more, which cost nothing in a LUT RAM, let such loads wait
// behind a load of four registers.

module lsu_spad_collect
  import lsu_spad_pkg::*;
#(
  parameter int unsigned LANES = 32,
  localparam int unsigned LaneBits = $clog2(LANES)
) (
  input  logic clk_i,
  input  logic rst_ni,  // asynchronous, active low

  // Words read in this cycle, which come in the next
  input  logic                           read_i,
  input  logic                           last_i,
  input  buffer_ptr_t                    fill_i,
  input  logic [LANES-1:0]               used_i,   // by bank
  input  logic [LANES-1:0][LaneBits-1:0] lane_i,   // by bank: the leader of the lane group that the word is for
  input  logic [LANES-1:0][LaneBits-1:0] group_i,  // by lane: the leader of its lane group
  input  logic [LANES-1:0][LaneBits-1:0] bank_i,   // by lane: the bank of its first word
  input  logic [LANES-1:0][31:0]         word_i,

  // To lsu_spad_drain
  output logic [LOAD_BUFFERS-1:0]    full_o,   // as of the end of this cycle, apart from what is drained in it
  input  logic                        drained_i,
  input  buffer_ptr_t                 drain_i,
  input  logic [LANES-1:0][1:0]       place_i,  // by lane: place of the wanted register
  output logic [LANES-1:0][31:0]      word_o
);
  logic        collect_q;
  logic        collect_last_q;
  buffer_ptr_t collect_fill_q;
  logic [LANES-1:0][3:0]          served_q;  // by lane and place
  logic [LANES-1:0][LaneBits-1:0] bank_q;

  logic [LOAD_BUFFERS-1:0]        full_q;
  always_comb begin
    full_o = full_q;
    if (collect_q && collect_last_q) full_o[collect_fill_q] = 1'b1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      collect_q <= 1'b0;
      full_q <= '0;
    end else begin
      collect_q <= read_i;
      full_q <= full_o;
      if (drained_i) full_q[drain_i] <= 1'b0;
    end
  end

  // The bank of a place, for a lane whose first word is in bank first.
  function automatic logic [LaneBits-1:0] bank_of(logic [LaneBits-1:0] first, logic [1:0] place);
    return (first & ~LaneBits'(3)) | LaneBits'(place);
  endfunction

  // A lane without an access may collect anything: none of it is written back.
  always_ff @(posedge clk_i) begin
    if (read_i) begin
      // An unpacked copy, which a simulator indexes directly; it would shift a packed vector.
      automatic logic [LaneBits-1:0] lane_of [LANES];
      for (int b = 0; b < LANES; b++) lane_of[b] = lane_i[b];
      collect_last_q <= last_i;
      collect_fill_q <= fill_i;
      bank_q <= bank_i;
      for (int l = 0; l < LANES; l++) begin
        automatic logic [3:0] served;
        for (int p = 0; p < 4; p++) begin
          automatic logic [LaneBits-1:0] bank = bank_of(bank_i[l], 2'(p));
          served[p] = used_i[bank] && lane_of[bank] == group_i[l];
        end
        served_q[l] <= served;
      end
    end
  end

`ifdef SYNTHESIS
  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    logic [31:0] kept [4];
    for (genvar p = 0; p < 4; p++) begin : gen_place
      logic [31:0] words [LOAD_BUFFERS];
      assign kept[p] = words[drain_i];
      always_ff @(posedge clk_i) begin
        if (collect_q && served_q[l][p]) words[collect_fill_q] <= word_i[bank_of(bank_q[l], 2'(p))];
      end
    end
    assign word_o[l] = kept[place_i[l]];
  end
`else
  // The simulation twin: one array with blocking writes, so that a simulator need not look at every place in every
  // cycle. The buffer that is drained is never the one that is written.
  logic [31:0] words [LOAD_BUFFERS * LANES * 4];
  always_ff @(posedge clk_i) begin
    if (collect_q) begin
      for (int l = 0; l < LANES; l++) begin
        for (int p = 0; p < 4; p++) begin
          if (served_q[l][p]) words[{collect_fill_q, LaneBits'(l), 2'(p)}] = word_i[bank_of(bank_q[l], 2'(p))];
        end
      end
    end
  end

  always_comb begin
    word_o = '0;
    if (full_q[drain_i]) for (int l = 0; l < LANES; l++) word_o[l] = words[{drain_i, LaneBits'(l), place_i[l]}];
  end
`endif
endmodule
