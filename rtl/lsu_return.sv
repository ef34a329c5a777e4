// SPDX-License-Identifier: MIT OR Apache-2.0
// Answers from memory: turns a load's line into write-back beats (PORT-RSP, COM-BUSERR).
//
//                +------------------------+
//   mem_rsp -----+---> spare register ----+---> line register ---> [ extract ] ---> beats, one for each register ---> wb
//
// A response that fills one register takes one cycle; one that belongs to no load takes one cycle and makes no beat. If
// the line register still has beats to deliver, an arriving response goes to the spare register. So rsp_ready_o comes
// from a register, and does not depend on who gets write-back in the same cycle.
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

  // From lsu_window, with an operation's first group: how its responses become registers
  input  logic    open_i,
  input  placed_t open_placed_i,
  input  slot_t   open_slot_i,
  input  addr_t [LANES-1:0] open_addr_i,

  // From the memory port and lsu_pending
  input  logic                    rsp_valid_i,
  output logic                    rsp_ready_o,
  input  logic [LINE_BYTES*8-1:0] rsp_data_i,
  input  logic                    rsp_error_i,
  input  asked_t                  asked_i,
  input  words_t [LANES-1:0]      asked_served_i,

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
  localparam int unsigned Words = LINE_BYTES / 4;
  localparam int unsigned SlotBits = $clog2(SLOTS);

  typedef logic [OffsetBits-1:0] offset_t;
  typedef logic [OffsetBits-3:0] index_t;  // of a word in the line

  // By slot. offset_q: where each lane's first word of group 0 lies in its line, even if the operation has no group 0
  warp_t   warp_q [SLOTS];
  tag_t    tag_q [SLOTS];
  format_t format_q [SLOTS];
  offset_t [LANES-1:0] offset_q [SLOTS];

  // A lane's words advance by one element from group to group.
  function automatic offset_t group_offset(group_t group, logic [1:0] elem_size);
    return offset_t'(elements(dword_t'(group), elem_size) << 2);
  endfunction

  offset_t [LANES-1:0] open_offset;
  always_comb begin
    open_offset = '0;
    if (needed(open_i)) begin
      for (int l = 0; l < LANES; l++) begin
        open_offset[l] = offset_t'(open_addr_i[l]) - group_offset(open_placed_i.group, open_placed_i.op.elem_size);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (open_i) begin
      warp_q[SlotBits'(open_slot_i)] <= open_placed_i.op.warp;
      tag_q[SlotBits'(open_slot_i)] <= open_placed_i.op.tag;
      format_q[SlotBits'(open_slot_i)] <= format_of(open_placed_i.op);
      offset_q[SlotBits'(open_slot_i)] <= open_offset;
    end
  end

  // Responses: the arriving one, the one in the spare register, and the one in the line register
  // --------------------------------------------------------------------------------------------
  typedef struct packed {
    logic    error;
    slot_t   slot;
    group_t  group;
    format_t format;
    words_t  fills;  // the registers that take a word which the response brings to some lane
  } load_rsp_t;

  load_rsp_t               come, wait_q, next, work_q;
  logic                    comes, waits_q, free;
  words_t [LANES-1:0]      wait_served_q, served_q;
  logic [LINE_BYTES*8-1:0] wait_line_q, line_q;
  words_t                  todo_q;      // registers still to be written back
  logic [1:0]              register_q;  // the first of them
  offset_t [LANES-1:0]     base_q;      // where each lane's first word lies in its line

  // Of the beat, from the cycle before it, because the position is on the way to every bit of the lane's word
  logic   [LANES-1:0]      due_q;       // the lanes that get a word for register_q
  index_t [LANES-1:0]      at_q;        // where it lies in the line

  always_comb begin
    come = '0;
    if (needed(rsp_valid_i && asked_i.load)) begin
      come = '{
        error: rsp_error_i, slot: asked_i.slot, group: asked_i.group, format: format_q[SlotBits'(asked_i.slot)], fills: '0
      };
      for (int r = 0; r < REGISTERS; r++) begin
        come.fills[r] = (come.format.takes[r] & asked_i.together) != '0;
      end
    end
  end
  assign comes = rsp_valid_i && rsp_ready_o && asked_i.known && asked_i.load && asked_i.first && come.fills != '0;
  assign rsp_ready_o = !waits_q;
  assign next = waits_q ? wait_q : come;

  // The word, one-hot, that the first of some registers takes
  function automatic words_t word_of(words_t [REGISTERS-1:0] takes, words_t registers);
    words_t first;
    first = registers & (~registers + words_t'(1));
    word_of = '0;
    for (int r = 0; r < REGISTERS; r++) word_of |= takes[r] & {REGISTERS{first[r]}};
  endfunction

  // Where a word of a lane's access lies in the line. Words are whole, and a narrower access lies within one.
  function automatic index_t position(offset_t base, words_t word);
    return index_t'(base >> 2) + index_t'(first_of(word));
  endfunction

  words_t             rest;
  words_t [LANES-1:0] served;
  assign rest = todo_q & (todo_q - words_t'(1));
  assign served = waits_q ? wait_served_q : asked_served_i;
  assign beat_valid_o = todo_q != '0;
  assign beat_o = '{
    slot: work_q.slot, warp: warp_q[SlotBits'(work_q.slot)], tag: tag_q[SlotBits'(work_q.slot)],
    index: {work_q.group, register_q}, last: rest == '0
  };
  assign free = !beat_valid_o || (beat_ready_i && beat_o.last);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      todo_q <= '0;
      waits_q <= 1'b0;
    end else if (free) begin
      todo_q <= waits_q || comes ? next.fills : '0;
      waits_q <= 1'b0;
    end else begin
      if (beat_ready_i) todo_q <= rest;
      if (comes) waits_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    // It is known late whether the response is a load's and fills a register: only todo_q and waits_q depend on it, and
    // hardware loads the payload in any case.
    if (free && (waits_q || (rsp_valid_i && needed(asked_i.load)))) begin
      automatic offset_t moved = group_offset(next.group, next.format.elem_size);
      automatic words_t taken = word_of(next.format.takes, next.fills);
      work_q <= next;
      served_q <= served;
      line_q <= waits_q ? wait_line_q : rsp_data_i;
      register_q <= first_of(next.fills);
      for (int l = 0; l < LANES; l++) begin
        automatic offset_t base = offset_q[SlotBits'(next.slot)][l] + moved;
        base_q[l] <= base;
        due_q[l] <= (served[l] & taken) != '0;
        at_q[l] <= position(base, taken);
      end
    end else if (beat_ready_i && needed(beat_valid_o)) begin
      automatic words_t taken = word_of(work_q.format.takes, rest);
      register_q <= first_of(rest);
      for (int l = 0; l < LANES; l++) begin
        due_q[l] <= (served_q[l] & taken) != '0;
        at_q[l] <= position(base_q[l], taken);
      end
    end
    if (rsp_valid_i && needed(asked_i.load) && !waits_q && !free) begin
      wait_q <= come;
      wait_served_q <= asked_served_i;
      wait_line_q <= rsp_data_i;
    end
  end

  logic [31:0] word [Words];
  always_comb begin
    beat_data_o = '0;
    for (int w = 0; w < Words; w++) word[w] = '0;
    if (needed(beat_valid_o)) begin
      for (int w = 0; w < Words; w++) word[w] = line_q[w*32+:32];
      for (int l = 0; l < LANES; l++) begin
        if (due_q[l]) begin
          if (!work_q.error) beat_data_o[l*32+:32] = extract({32'b0, word[at_q[l]]}, {1'b0, base_q[l][1:0]},
                                                        work_q.format.register_bytes, work_q.format.sign_extend);
        end
      end
    end
  end
  assign beat_mask_o = due_q;
endmodule
