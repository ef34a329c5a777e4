// SPDX-License-Identifier: MIT OR Apache-2.0
// Drains a load's words into write-back beats, one for each register (SPA5-EXT, SPA5-MULTI).
//
//   loads in work ---> what they are, in order (LUT RAM) ---> a word of each lane ---> register ---> [ extract ] ---> beat
//
// Loads are drained in order, each once all its words are in its buffer. A beat stays in the register until
// lsu_writeback takes it, so that the choice of words here and the arbitration there are not one path.

module lsu_spad_drain
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
  import lsu_spad_pkg::*;
#(
  parameter int unsigned LANES = 32
) (
  input  logic clk_i,
  input  logic rst_ni,  // asynchronous, active low

  // A load's last words are picked, and its buffer is taken
  input  logic                  load_i,
  output logic                  free_o,    // a buffer is free for the next load
  output buffer_ptr_t           fill_q,    // its number
  input  slot_t                 slot_i,
  input  warp_t                 warp_i,
  input  tag_t                  tag_i,
  input  logic [4:0]            element_bytes_i,
  input  logic                  sign_extend_i,
  input  logic [LANES-1:0]      shared_i,
  input  logic [LANES-1:0][3:0] at_i,      // by lane: the byte of 16 at which its access begins

  // The buffers
  input  logic [LOAD_BUFFERS-1:0] full_i,  // as of the end of this cycle
  output logic                     drained_o,
  output buffer_ptr_t              drain_q,
  output logic [LANES-1:0][1:0]    place_o,
  input  logic [LANES-1:0][31:0]   word_i,

  // To lsu_writeback
  output logic                beat_valid_o,
  output logic                beat_soon_o,  // look-ahead: a beat is offered in the next cycle, unless one is taken now
  input  logic                beat_ready_i,
  output beat_t               beat_o,
  output logic [LANES-1:0]    beat_mask_o,
  output logic [LANES*32-1:0] beat_data_o
);
  import lsu_extract_pkg::*;

  typedef struct packed {
    slot_t                 slot;
    warp_t                 warp;
    tag_t                  tag;
    logic [2:0]            register_bytes;
    logic                  sign_extend;
    logic [1:0]            final_register;
    logic [LANES-1:0]      shared;
    logic [LANES-1:0][3:0] at;
  } load_t;

  logic [LOAD_BUFFERS-1:0] busy_q;  // from the pick of a load's last words until its last beat has left the buffer
  logic [1:0]               reg_q;
  logic                     ready_q;  // the oldest load has all its words
  logic                     go, last;
  load_t                    loads [LOAD_BUFFERS];
  load_t                    now;

  assign free_o = !busy_q[fill_q];
  assign now = loads[drain_q];
  assign last = reg_q == now.final_register;
  assign go = ready_q && (!beat_valid_o || beat_ready_i);
  assign drained_o = go && last;
  assign beat_soon_o = beat_valid_o || ready_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q <= '0;
      fill_q <= '0;
      drain_q <= '0;
      reg_q <= '0;
      ready_q <= 1'b0;
      beat_valid_o <= 1'b0;
    end else begin
      ready_q <= full_i[drained_o ? drain_q + buffer_ptr_t'(1) : drain_q];
      beat_valid_o <= ready_q || (beat_valid_o && !beat_ready_i);
      if (drained_o) begin
        busy_q[drain_q] <= 1'b0;
        drain_q <= drain_q + buffer_ptr_t'(1);
        reg_q <= '0;
      end else if (go) begin
        reg_q <= reg_q + 2'd1;
      end
      if (load_i) begin
        busy_q[fill_q] <= 1'b1;
        fill_q <= fill_q + buffer_ptr_t'(1);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (load_i) begin
      loads[fill_q] <= '{
        slot: slot_i, warp: warp_i, tag: tag_i,
        register_bytes: element_bytes_i > 5'd4 ? 3'd4 : 3'(element_bytes_i),
        sign_extend: sign_extend_i, final_register: 2'(registers_of(element_bytes_i) - 3'd1),
        shared: shared_i, at: at_i
      };
    end
  end

  always_comb begin
    place_o = '0;
    // Natural alignment: adding the register's number makes no carry.
    if (ready_q) for (int l = 0; l < LANES; l++) place_o[l] = now.at[l][3:2] | reg_q;
  end

  logic [LANES-1:0][31:0] word_q;
  logic [LANES-1:0][1:0]  byte_q;  // by lane: the byte of its word at which its register begins
  logic [2:0]             register_bytes_q;
  logic                   sign_extend_q;
  always_ff @(posedge clk_i) begin
    if (go) begin
      beat_o <= '{slot: now.slot, warp: now.warp, tag: now.tag, index: reg_t'(reg_q), last: last};
      beat_mask_o <= now.shared;
      word_q <= word_i;
      for (int l = 0; l < LANES; l++) byte_q[l] <= now.at[l][1:0];
      register_bytes_q <= now.register_bytes;
      sign_extend_q <= now.sign_extend;
    end
  end

  always_comb begin
    beat_data_o = '0;
    if (beat_valid_o) begin
      for (int l = 0; l < LANES; l++) begin
        if (beat_mask_o[l]) begin
          beat_data_o[l*32+:32] = extract({32'b0, word_q[l]}, {1'b0, byte_q[l]}, register_bytes_q, sign_extend_q);
        end
      end
    end
  end
endmodule
