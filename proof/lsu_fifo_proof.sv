// SPDX-License-Identifier: MIT OR Apache-2.0
// lsu_fifo beside a queue that shifts: both must give out the same words, in the same cycles.
//
// Pushes and pops are free, except that none is made into a full queue or from an empty one.

module lsu_fifo_proof #(
  parameter int unsigned WIDTH = 2,
  parameter int unsigned DEPTH = 4
) (
  input logic             clk_i,
  input logic             push_i,
  input logic             pop_i,
  input logic [WIDTH-1:0] data_i
);
  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic             valid, full;
  logic [WIDTH-1:0] data;
  lsu_fifo #(.WIDTH(WIDTH), .DEPTH(DEPTH)) u_fifo (
    .clk_i, .rst_ni, .push_i, .data_i, .valid_o(valid), .full_o(full), .pop_i, .data_o(data)
  );

  logic [DEPTH-1:0][WIDTH-1:0] queue_q, queue_d;
  int unsigned                 length_q, length_d;
  always_comb begin
    queue_d = queue_q;
    length_d = length_q;
    if (pop_i) begin
      queue_d = queue_q >> WIDTH;
      length_d = length_d - 1;
    end
    if (push_i) begin
      queue_d[2'(length_d)] = data_i;
      length_d = length_d + 1;
    end
  end
  always_ff @(posedge clk_i) queue_q <= queue_d;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) length_q <= 0;
    else length_q <= length_d;
  end

  always_comb begin
    if (rst_ni) begin
      Room: assume (!push_i || length_q < DEPTH);
      Some: assume (!pop_i || length_q > 0);
      Valid: assert (valid == (length_q != 0));
      Full: assert (full == (length_q == DEPTH));
      Data: assert (!valid || data == queue_q[0]);
      // Invariants that tie the two together.
      Count: assert (length_q <= DEPTH && 32'(u_fifo.count_q) == length_q);
      Pointers: assert (u_fifo.back_q == 2'(u_fifo.front_q + 2'(length_q)));
    end
  end
  for (genvar i = 0; i < DEPTH; i++) begin : gen_word
    always_comb begin
      if (rst_ni) Word: assert (i >= length_q || u_fifo.mem[2'(u_fifo.front_q + 2'(i))] == queue_q[i]);
    end
  end
endmodule
