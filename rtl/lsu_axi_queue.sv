// SPDX-License-Identifier: MIT OR Apache-2.0
// A spill register, with two entries: one transfer a cycle, and no combinational path from one side to the other.
//
// ready_o and valid_o come from registers; what is offered stays, unchanged, until it is taken.

module lsu_axi_queue #(
  parameter int unsigned WIDTH = 8  // bits of an entry
) (
  input  logic clk_i,
  input  logic rst_ni,  // asynchronous, active low

  input  logic             valid_i,
  output logic             ready_o,
  input  logic [WIDTH-1:0] data_i,

  output logic             valid_o,
  input  logic             ready_i,
  output logic [WIDTH-1:0] data_o
);
  // The back entry moves up to the front, so that the output needs no multiplexer.
  logic [WIDTH-1:0] front_q, back_q;
  logic             full_q;

  assign ready_o = !full_q;
  assign data_o = front_q;

  logic push, stays;
  assign push = valid_i && ready_o;
  assign stays = valid_o && !ready_i;  // the front entry

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_o <= 1'b0;
      full_q <= 1'b0;
    end else begin
      valid_o <= stays || full_q || push;
      full_q <= stays && (full_q || push);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!stays) front_q <= full_q ? back_q : data_i;
    if (push) back_q <= data_i;
  end
endmodule
