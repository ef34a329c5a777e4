// SPDX-License-Identifier: MIT OR Apache-2.0
// FIFO: pushed data come out in order, from the next cycle on.
//
//   push ---> memory of DEPTH words, read at its head ---> pop
//
// Not guarded: the user pushes only if there is room, and pops only if valid_o is set.

module lsu_fifo
  import lsu_internal_pkg::*;
#(
  parameter int unsigned WIDTH = 8,
  parameter int unsigned DEPTH = 16  // a power of two
) (
  input  logic clk_i,
  input  logic rst_ni,  // asynchronous, active low
  input  logic push_i,
  input  logic [WIDTH-1:0] data_i,
  output logic valid_o,  // not empty
  output logic full_o,
  input  logic pop_i,
  output logic [WIDTH-1:0] data_o
);
  localparam int unsigned Bits = $clog2(DEPTH);
  typedef logic [Bits-1:0] ptr_t;

  logic [WIDTH-1:0] mem [DEPTH];
  ptr_t             front_q, back_q;
  logic [Bits:0]    count_q;

  assign full_o = count_q[Bits];
  always_comb begin
    data_o = '0;
    if (needed(valid_o)) data_o = mem[front_q];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      front_q <= '0;
      back_q <= '0;
      count_q <= '0;
      valid_o <= 1'b0;
    end else begin
      if (pop_i) front_q <= front_q + ptr_t'(1);
      if (push_i) back_q <= back_q + ptr_t'(1);
      // A register, because the user's pop depends on it.
      valid_o <= push_i || (valid_o && !(pop_i && count_q == (Bits + 1)'(1)));
      if (push_i != pop_i) count_q <= push_i ? count_q + (Bits + 1)'(1) : count_q - (Bits + 1)'(1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (push_i) mem[back_q] <= data_i;
  end
endmodule
