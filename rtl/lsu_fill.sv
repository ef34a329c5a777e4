// SPDX-License-Identifier: MIT OR Apache-2.0
// Fills: writes back the registers of a load that get no value from memory: zeros for what is out of bounds or past an
// array's limit, and the constants of R700 reads (SPA5-OOB, R700-READ, R700-READOOB, R700-BOUND).
//
//   lsu_window ---> queue of groups ---> a group's masks ---> beats, one for each register with a lane ---> lsu_writeback
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

  // From lsu_window; fill_i is never 0. There is room for one group of each entry of lsu_store, so none waits
  input  logic    valid_i,
  input  placed_t placed_i,
  input  slot_t   slot_i,
  input  entry_t  entry_i,
  input  logic [REGISTERS-1:0][LANES-1:0] fill_i,

  // To lsu_store: an entry's group has left the queue
  output logic   done_o,
  output entry_t done_entry_o,

  // To lsu_writeback
  output logic             beat_valid_o,
  output logic             beat_soon_o,  // look-ahead: a beat is offered in the next cycle, unless one is taken now
  input  logic             beat_ready_i,
  output beat_t            beat_o,
  output logic [LANES-1:0] beat_mask_o,
  output logic [31:0]      beat_value_o  // the same in every lane
);
  typedef struct packed {
    entry_t entry;
    slot_t  slot;
    warp_t  warp;
    tag_t   tag;
    group_t group;
    logic [REGISTERS-1:0] one;  // by register: the constant 1, else 0
    logic   one_is_float;
    logic [REGISTERS-1:0][LANES-1:0] fill;
  } filling_t;

  filling_t filling, next;
  logic     queued;
  op_t      op;
  assign op = placed_i.op;
  always_comb begin
    filling = '0;
    if (needed(valid_i)) begin
      filling = '{entry: entry_i, slot: slot_i, warp: op.warp, tag: op.tag, group: placed_i.group,
                  one: '0, one_is_float: op.one_is_float, fill: fill_i};
      for (int r = 0; r < REGISTERS; r++) begin
        filling.one[r] = op.space == SpaceBuffer && op.component_select[r*3+:3] == 3'd5;
      end
    end
  end

  lsu_fifo #(.WIDTH($bits(filling_t)), .DEPTH(ENTRIES)) u_queue (
    .clk_i, .rst_ni, .push_i(valid_i), .data_i(filling), .valid_o(queued), .full_o(), .pop_i(done_o), .data_o(next)
  );

  logic ready;
  assign done_o = queued && ready;
  assign done_entry_o = next.entry;

  logic [REGISTERS-1:0][LANES-1:0] fill_q;
  logic [REGISTERS-1:0][31:0]      value_q;
  words_t todo_q;  // registers still to be written back
  slot_t  slot_q;
  warp_t  warp_q;
  tag_t   tag_q;
  group_t group_q;

  logic [1:0] register;
  assign register = first_of(todo_q);
  assign beat_valid_o = todo_q != '0;
  assign beat_soon_o = beat_valid_o || queued;
  assign beat_o = '{
    slot: slot_q, warp: warp_q, tag: tag_q, index: {group_q, register}, last: (todo_q & (todo_q - words_t'(1))) == '0
  };
  assign beat_mask_o = fill_q[register];
  assign beat_value_o = value_q[register];
  assign ready = !beat_valid_o || (beat_ready_i && beat_o.last);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      todo_q <= '0;
    end else if (done_o) begin
      for (int r = 0; r < REGISTERS; r++) todo_q[r] <= next.fill[r] != '0;
    end else if (beat_valid_o && beat_ready_i) begin
      todo_q <= todo_q & (todo_q - words_t'(1));
    end
  end

  always_ff @(posedge clk_i) begin
    if (done_o) begin
      fill_q <= next.fill;
      slot_q <= next.slot;
      warp_q <= next.warp;
      tag_q <= next.tag;
      group_q <= next.group;
      for (int r = 0; r < REGISTERS; r++) value_q[r] <= !next.one[r] ? '0 : next.one_is_float ? 32'h3f80_0000 : 32'd1;
    end
  end
endmodule
