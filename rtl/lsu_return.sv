// SPDX-License-Identifier: MIT OR Apache-2.0
// Answers from memory: loads become write-back beats, writes are counted (PORT-RSP, COM-BUSERR).
//
//   mem_rsp ---> line register ---> [ extract ] ---> beats, one for each register ---> lsu_writeback
//
// A response of a one-register load takes one cycle. A write's answer takes one cycle and no beat.
// mem_rsp_ready_o follows wb_ready_i combinationally while a beat waits.
// Golden model: src/model/extract.rs.

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

  // From dispatch: what to do with the operation's responses
  input  logic    open_i,
  input  slot_t   open_slot_i,
  input  warp_t   open_warp_i,
  input  tag_t    open_tag_i,
  input  format_t open_format_i,
  input  addr_t [LANES-1:0] open_addr_i,

  // From the memory port and lsu_pending
  input  logic                    rsp_valid_i,
  output logic                    rsp_ready_o,
  input  logic [LINE_BYTES*8-1:0] rsp_data_i,
  input  logic                    rsp_error_i,
  input  logic                    rsp_first_i,
  input  logic                    rsp_write_i,
  input  slot_t                   rsp_slot_i,
  input  lanes_t                  rsp_lanes_i,
  input  logic                    rsp_known_i,

  // To lsu_writeback
  output logic                beat_valid_o,
  input  logic                beat_ready_i,
  output beat_t               beat_o,
  output logic [LANES-1:0]    beat_mask_o,
  output logic [LANES*32-1:0] beat_data_o
);
  import lsu_extract_pkg::*;

  localparam int unsigned OffsetBits = $clog2(LINE_BYTES);
  localparam int unsigned Words = LINE_BYTES / 8;
  localparam int unsigned SlotBits = $clog2(SLOTS);

  typedef logic [OffsetBits-1:0] offset_t;

  // By operation
  warp_t   warp_q [SLOTS];
  tag_t    tag_q [SLOTS];
  format_t format_q [SLOTS];
  offset_t [LANES-1:0] offset_q [SLOTS];

  // The response at work
  logic             valid_q;
  logic             error_q;
  slot_t            slot_q;
  format_t          rsp_format_q;
  logic [LANES-1:0] lanes_q;
  logic [2:0]       reg_q;
  logic [LINE_BYTES*8-1:0] line_q;

  offset_t [LANES-1:0] open_offset;
  always_comb for (int l = 0; l < LANES; l++) open_offset[l] = offset_t'(open_addr_i[l]);

  assign beat_valid_o = valid_q;
  assign beat_o = '{
    slot: slot_q, warp: warp_q[SlotBits'(slot_q)], tag: tag_q[SlotBits'(slot_q)], index: reg_t'(reg_q),
    last: reg_q == rsp_format_q.registers - 3'd1
  };
  assign rsp_ready_o = !valid_q || (beat_ready_i && beat_o.last);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= 1'b0;
    else if (rsp_ready_o) valid_q <= rsp_valid_i && rsp_known_i && !rsp_write_i && rsp_first_i;
  end

  always_ff @(posedge clk_i) begin
    if (open_i) begin
      warp_q[SlotBits'(open_slot_i)] <= open_warp_i;
      tag_q[SlotBits'(open_slot_i)] <= open_tag_i;
      format_q[SlotBits'(open_slot_i)] <= open_format_i;
      offset_q[SlotBits'(open_slot_i)] <= open_offset;
    end
    if (rsp_valid_i && rsp_ready_o) begin
      reg_q <= 3'd0;
      if (!rsp_write_i) begin
        error_q <= rsp_error_i;
        slot_q <= rsp_slot_i;
        rsp_format_q <= format_q[SlotBits'(rsp_slot_i)];
        lanes_q <= LANES'(rsp_lanes_i);
        line_q <= rsp_data_i;
      end
    end else if (beat_valid_o && beat_ready_i) begin
      reg_q <= reg_q + 3'd1;
    end
  end

  assign beat_mask_o = lanes_q;

  // Register r of a lane starts 4 * r bytes into its access: an operation of several registers has whole words.
  logic [63:0]         word [Words];
  offset_t             at;
  offset_t [LANES-1:0] offset;
  always_comb begin
    beat_data_o = '0;
    at = '0;
    offset = '0;
    for (int w = 0; w < Words; w++) word[w] = line_q[w*64+:64];
    if (valid_q && !error_q) begin
      offset = offset_q[SlotBits'(slot_q)];
      for (int l = 0; l < LANES; l++) begin
        if (lanes_q[l]) begin
          at = offset[l] + (offset_t'(reg_q) << 2);
          beat_data_o[l*32+:32] = extract(word[at[OffsetBits-1:3]], at[2:0], rsp_format_q.register_bytes,
                                          rsp_format_q.sign_extend);
        end
      end
    end
  end
endmodule
