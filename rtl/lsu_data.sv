// SPDX-License-Identifier: MIT OR Apache-2.0
// Store data: beats in the order of the operations, before or after them (PORT-DATA).
//
//   data port ---> ring of beats ---> lsu_coalesce, lsu_scratchpad
//
// A beat is one register of every lane. Dispatch takes all the beats of an operation at once: those who want them
// copy them out of the ring in that cycle. The ring holds the beats of two of the largest operations, so that one's
// gather while another's go.

module lsu_data
  import lsu_internal_pkg::*;
#(
  parameter int unsigned LANES = 32
) (
  input  logic clk_i,
  input  logic rst_ni,  // asynchronous, active low

  // From the data port
  input  logic                valid_i,
  output logic                ready_o,
  input  logic [LANES*32-1:0] data_i,

  // From and to dispatch: an operation's beats are taken when they are all here
  input  logic [3:0]          beats_i,  // 0 to ROWS
  output logic                ready_beats_o,
  input  logic                take_i,
  output ring_ptr_t           front_o,  // where the oldest beat stands
  output logic [LANES*32-1:0] beat_o [RING_BEATS]
);
  typedef logic [$bits(ring_ptr_t):0] count_t;

  count_t    count_q;
  ring_ptr_t back;
  count_t    taken;
  assign back = front_o + ring_ptr_t'(count_q);
  assign taken = take_i ? count_t'(beats_i) : '0;
  assign ready_o = count_q != count_t'(RING_BEATS);
  assign ready_beats_o = count_q >= count_t'(beats_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      front_o <= '0;
      count_q <= '0;
    end else begin
      front_o <= front_o + ring_ptr_t'(taken);
      count_q <= count_q + count_t'(valid_i && ready_o) - taken;
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid_i && ready_o) beat_o[back] <= data_i;
  end
endmodule
