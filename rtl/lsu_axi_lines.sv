// SPDX-License-Identifier: MIT OR Apache-2.0
// Joins the beats of each id's read burst to a line, on a bus that is narrower than a line.
//
// Beats of different ids may be interleaved, so each id has a line here, in memories one beat wide; it stays until the
// id is used again. A burst may be shorter than a line, and its place in the line is not known here. So beat i is
// written to every place whose number agrees with i in all bits up to the highest one set in i. Whichever aligned block
// of a power of two the burst was, the last beat that a place of the block gets is the right one.

module lsu_axi_lines #(
  parameter int unsigned LINE_BYTES = 128,
  parameter int unsigned DATA_BYTES = 32,  // less than LINE_BYTES
  parameter int unsigned IDS = 16,
  localparam int unsigned IdBits = $clog2(IDS)
) (
  input  logic clk_i,
  input  logic rst_ni,  // asynchronous, active low

  // A beat is taken
  input  logic                    beat_i,
  input  logic [IdBits-1:0]       id_i,
  input  logic [DATA_BYTES*8-1:0] data_i,
  input  logic [1:0]              resp_i,
  input  logic                    last_i,
  // The response of its burst so far, with this beat
  output logic                    error_o,
  output logic                    plain_o,  // some beat was not EXOKAY

  // The line of an id
  input  logic [IdBits-1:0]       line_id_i,
  output logic [LINE_BYTES*8-1:0] line_o
);
  localparam int unsigned Beats = LINE_BYTES / DATA_BYTES;
  localparam int unsigned BeatBits = $clog2(Beats);

  // The state of each id's burst; 0 between bursts.
  typedef struct packed {
    logic [BeatBits-1:0] count;
    logic                error;
    logic                plain;
  } burst_t;
  burst_t burst_q [IDS];
  burst_t now, then;

  assign now = burst_q[id_i];
  assign error_o = now.error || resp_i[1];
  assign plain_o = now.plain || resp_i != 2'b01;
  always_comb begin
    then = '{count: now.count + BeatBits'(1), error: error_o, plain: plain_o};
    if (last_i) then = '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) for (int i = 0; i < IDS; i++) burst_q[i] <= '0;
    else if (beat_i) burst_q[id_i] <= then;
  end

  for (genvar p = 0; p < Beats; p++) begin : gen_place
    logic [DATA_BYTES*8-1:0] data_q [IDS];
    logic [BeatBits-1:0]     reach;  // ones up to the highest bit set in the beat's number
    logic                    here;

    for (genvar b = 0; b < BeatBits; b++) begin : gen_reach
      assign reach[b] = (now.count >> b) != '0;
    end
    assign here = ((now.count ^ BeatBits'(p)) & reach) == '0;

    always_ff @(posedge clk_i) if (beat_i && here) data_q[id_i] <= data_i;
    assign line_o[p*DATA_BYTES*8+:DATA_BYTES*8] = data_q[line_id_i];
  end
endmodule
