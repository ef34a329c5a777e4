// SPDX-License-Identifier: MIT OR Apache-2.0
// Answers from memory: loads become write-back beats (PORT-RSP, COM-BUSERR).
//
//   mem_rsp ---> line register ---> [ extract ] ---> beats, one for each register that it fills ---> lsu_writeback
//
// A response that fills one register takes one cycle. What is no load's answer takes one cycle and no beat.
// mem_rsp_ready_o follows wb_ready_i combinationally while a beat waits.
// Golden model: src/model/extract.rs, load.rs.

module lsu_return
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
#(
  parameter int unsigned LANES = 32,
  parameter int unsigned LINE_BYTES = 128,
  parameter int unsigned SLOTS = 32
) (
  input  logic clk_i,
  input  logic rst_ni,  // asynchronous, active low

  // From lsu_window, with an operation's first group: what to do with its responses
  input  logic    open_i,
  input  slot_t   open_slot_i,
  input  op_t     open_op_i,
  input  group_t  open_group_i,
  input  addr_t [LANES-1:0] open_addr_i,

  // From the memory port and lsu_pending
  input  logic                    rsp_valid_i,
  output logic                    rsp_ready_o,
  input  logic [LINE_BYTES*8-1:0] rsp_data_i,
  input  logic                    rsp_error_i,
  input  logic                    rsp_first_i,
  input  logic                    rsp_load_i,
  input  slot_t                   rsp_slot_i,
  input  group_t                  rsp_group_i,
  input  lane_words_t             rsp_served_i,
  input  words_t                  rsp_together_i,
  input  logic                    rsp_known_i,

  // To lsu_writeback
  output logic                beat_valid_o,
  input  logic                beat_ready_i,
  output beat_t               beat_o,
  output logic [LANES-1:0]    beat_mask_o,
  output logic [LANES*32-1:0] beat_data_o
);
  import lsu_clamp_pkg::*;
  import lsu_extract_pkg::*;

  localparam int unsigned OffsetBits = $clog2(LINE_BYTES);
  localparam int unsigned Pairs = LINE_BYTES / 8;
  localparam int unsigned SlotBits = $clog2(SLOTS);

  typedef logic [OffsetBits-1:0] offset_t;

  // By operation; offsets in their lines of the lanes' first words, as if group 0 were there
  warp_t   warp_q [SLOTS];
  tag_t    tag_q [SLOTS];
  format_t format_q [SLOTS];
  offset_t [LANES-1:0] offset_q [SLOTS];

  // From a group to the next, a lane's words move on by an element.
  function automatic offset_t group_offset(group_t group, logic [1:0] elem_size);
    return offset_t'(elements(dword_t'(group), elem_size) << 2);
  endfunction

  // The response at work
  logic    error_q;
  slot_t   slot_q;
  group_t  group_q;
  format_t rsp_format_q;
  lane_words_t served_q;
  words_t  todo_q;  // registers that are still to go
  logic [LINE_BYTES*8-1:0] line_q;

  offset_t [LANES-1:0] open_offset;
  always_comb begin
    for (int l = 0; l < LANES; l++) begin
      open_offset[l] = offset_t'(open_addr_i[l]) - group_offset(open_group_i, open_op_i.elem_size);
    end
  end

  // The registers that take a word which the response gives to some lane
  words_t  fills;
  format_t rsp_format;
  assign rsp_format = format_q[SlotBits'(rsp_slot_i)];
  always_comb begin
    for (int r = 0; r < REGISTERS; r++) begin
      fills[r] = !rsp_format.select[r][2] && rsp_together_i[rsp_format.select[r][1:0]];
    end
  end

  logic [1:0] register, from;
  assign register = 2'(lowest(16'(todo_q)));
  assign from = rsp_format_q.select[register][1:0];
  assign beat_valid_o = todo_q != '0;
  assign beat_o = '{
    slot: slot_q, warp: warp_q[SlotBits'(slot_q)], tag: tag_q[SlotBits'(slot_q)], index: {group_q, register},
    last: (todo_q & (todo_q - words_t'(1))) == '0
  };
  assign rsp_ready_o = !beat_valid_o || (beat_ready_i && beat_o.last);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) todo_q <= '0;
    else if (rsp_ready_o) todo_q <= rsp_valid_i && rsp_known_i && rsp_load_i && rsp_first_i ? fills : '0;
    else if (beat_ready_i) todo_q <= todo_q & (todo_q - words_t'(1));
  end

  always_ff @(posedge clk_i) begin
    if (open_i) begin
      warp_q[SlotBits'(open_slot_i)] <= open_op_i.warp;
      tag_q[SlotBits'(open_slot_i)] <= open_op_i.tag;
      format_q[SlotBits'(open_slot_i)] <= format_of(open_op_i);
      offset_q[SlotBits'(open_slot_i)] <= open_offset;
    end
    if (rsp_valid_i && rsp_ready_o && rsp_load_i) begin
      error_q <= rsp_error_i;
      slot_q <= rsp_slot_i;
      group_q <= rsp_group_i;
      rsp_format_q <= rsp_format;
      served_q <= rsp_served_i;
      line_q <= rsp_data_i;
    end
  end

  // Word w of a lane starts 4 * w bytes into its access: whatever has several words has whole ones.
  logic [63:0]         pair [Pairs];
  offset_t             at, moved;
  offset_t [LANES-1:0] offset;
  always_comb begin
    beat_mask_o = '0;
    beat_data_o = '0;
    at = '0;
    moved = '0;
    offset = '0;
    for (int p = 0; p < Pairs; p++) pair[p] = line_q[p*64+:64];
    if (beat_valid_o) begin
      offset = offset_q[SlotBits'(slot_q)];
      moved = group_offset(group_q, rsp_format_q.elem_size) + (offset_t'(from) << 2);
      for (int l = 0; l < LANES; l++) begin
        if (served_q[l][from]) begin
          beat_mask_o[l] = 1'b1;
          at = offset[l] + moved;
          if (!error_q) beat_data_o[l*32+:32] = extract(pair[at[OffsetBits-1:3]], at[2:0], rsp_format_q.register_bytes,
                                                        rsp_format_q.sign_extend);
        end
      end
    end
  end
endmodule
