// SPDX-License-Identifier: MIT OR Apache-2.0
// Registers of a load that no memory fills: zeros for what is out of bounds or past an array's limit, and the constants
// of R700 reads (SPA5-OOB, R700-READ, R700-READOOB, R700-BOUND).
//
//   dispatch ---> a group's masks ---> beats, one for each register with a lane ---> lsu_writeback
//
// Golden model: src/model/plan.rs, `filled`.

module lsu_fill
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
#(
  parameter int unsigned LANES = 32
) (
  input  logic clk_i,
  input  logic rst_ni,  // asynchronous, active low

  // From dispatch; fill_i is not empty
  input  logic   valid_i,
  output logic   ready_o,
  input  op_t    op_i,
  input  slot_t  slot_i,
  input  group_t group_i,
  input  logic [REGISTERS-1:0][LANES-1:0] fill_i,

  // To lsu_writeback
  output logic             beat_valid_o,
  input  logic             beat_ready_i,
  output beat_t            beat_o,
  output logic [LANES-1:0] beat_mask_o,
  output logic [31:0]      beat_value_o  // the same in every lane
);
  logic [REGISTERS-1:0][LANES-1:0] fill_q;
  logic [REGISTERS-1:0][31:0]      value_q;
  words_t todo_q;  // registers that are still to go
  slot_t  slot_q;
  warp_t  warp_q;
  tag_t   tag_q;
  group_t group_q;

  logic [1:0] register;
  assign register = 2'(lowest(16'(todo_q)));
  assign beat_valid_o = todo_q != '0;
  assign beat_o = '{
    slot: slot_q, warp: warp_q, tag: tag_q, index: {group_q, register}, last: (todo_q & (todo_q - words_t'(1))) == '0
  };
  assign beat_mask_o = fill_q[register];
  assign beat_value_o = value_q[register];
  assign ready_o = !beat_valid_o || (beat_ready_i && beat_o.last);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      todo_q <= '0;
    end else if (valid_i && ready_o) begin
      for (int r = 0; r < REGISTERS; r++) todo_q[r] <= fill_i[r] != '0;
    end else if (beat_valid_o && beat_ready_i) begin
      todo_q <= todo_q & (todo_q - words_t'(1));
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid_i && ready_o) begin
      fill_q <= fill_i;
      slot_q <= slot_i;
      warp_q <= op_i.warp;
      tag_q <= op_i.tag;
      group_q <= group_i;
      for (int r = 0; r < REGISTERS; r++) begin
        automatic logic one = op_i.space == SpaceBuffer && op_i.component_select[r*3+:3] == 3'd5;
        value_q[r] <= !one ? '0 : op_i.one_is_float ? 32'h3f80_0000 : 32'd1;
      end
    end
  end
endmodule
