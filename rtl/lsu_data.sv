// SPDX-License-Identifier: MIT OR Apache-2.0
// Store data: beats in the order of the operations, before or after them (PORT-DATA).
//
//   data port ---> ring of beats ---> the oldest REGISTERS of them, to dispatch
//
// A beat is one register of every lane. Dispatch takes all the beats of an operation at once. The ring holds the
// beats of two of the largest operations, so that one's gather while another's go.

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
  input  logic [2:0]          beats_i,  // 0 to REGISTERS
  output logic                ready_beats_o,
  input  logic                take_i,
  output logic [LANES*32-1:0] data_o [REGISTERS]
);
  localparam int unsigned Depth = 2 * REGISTERS;
  localparam int unsigned PtrWidth = $clog2(Depth);
  typedef logic [PtrWidth-1:0] ptr_t;
  typedef logic [PtrWidth:0] count_t;

  logic [LANES*32-1:0] beat_q [Depth];
  ptr_t                front_q;
  count_t              count_q;

  ptr_t   back;
  count_t taken;
  assign back = front_q + ptr_t'(count_q);
  assign taken = take_i ? count_t'(beats_i) : '0;
  assign ready_o = count_q != count_t'(Depth);
  assign ready_beats_o = count_q >= count_t'(beats_i);

  always_comb begin
    for (int r = 0; r < REGISTERS; r++) data_o[r] = '0;
    if (take_i && beats_i != '0) begin
      for (int r = 0; r < REGISTERS; r++) data_o[r] = beat_q[front_q+ptr_t'(r)];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      front_q <= '0;
      count_q <= '0;
    end else begin
      front_q <= front_q + ptr_t'(taken);
      count_q <= count_q + count_t'(valid_i && ready_o) - taken;
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid_i && ready_o) beat_q[back] <= data_i;
  end
endmodule
