// SPDX-License-Identifier: MIT OR Apache-2.0
// Shares the write-back port among three sources: memory, fills and the scratchpad (PORT-WB).
//
// Round robin with look-ahead: the turn is a register, because every ready and the data multiplexer depend on it. The
// next turn goes to the next of the other sources that offers a beat in the next cycle. Memory cannot tell that in
// advance: it has the turn by default, and waits for it when its beat arrives in another source's turn. The offered
// beat is registered, so it stays until it is taken.

module lsu_writeback
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
#(
  parameter int unsigned LANES = 32
) (
  input  logic clk_i,
  input  logic rst_ni,  // asynchronous, active low

  // From lsu_return
  input  logic                mem_valid_i,
  output logic                mem_ready_o,
  input  beat_t               mem_i,
  input  logic [LANES-1:0]    mem_mask_i,
  input  logic [LANES*32-1:0] mem_data_i,

  // From lsu_fill
  input  logic                fill_valid_i,
  input  logic                fill_soon_i,   // offers a beat in the next cycle, unless one is taken now
  output logic                fill_ready_o,
  input  beat_t               fill_i,
  input  logic [LANES-1:0]    fill_mask_i,
  input  logic [31:0]         fill_value_i,

  // From lsu_scratchpad
  input  logic                spad_valid_i,
  input  logic                spad_soon_i,   // likewise
  output logic                spad_ready_o,
  input  beat_t               spad_i,
  input  logic [LANES-1:0]    spad_mask_i,
  input  logic [LANES*32-1:0] spad_data_i,

  // To the wb port
  output logic                wb_valid_o,
  input  logic                wb_ready_i,
  output warp_t               wb_warp_o,
  output tag_t                wb_tag_o,
  output reg_t                wb_reg_o,
  output logic [LANES-1:0]    wb_mask_o,
  output logic [LANES*32-1:0] wb_data_o,

  // To lsu_inflight
  output drained_t drained_o
);
  typedef enum logic [1:0] {FromMemory, FromFill, FromSpad} source_e;

  source_e turn_q, next, from_q;  // from_q: the source of the beat at the port
  logic    last_q, free, offers;  // offers: the source whose turn it is has a beat
  slot_t   slot_q;

  assign free = !wb_valid_o || wb_ready_i;
  always_comb begin
    case (turn_q)
      FromMemory: begin
        offers = mem_valid_i;
        next = fill_soon_i ? FromFill : spad_soon_i ? FromSpad : FromMemory;
      end
      FromFill: begin
        offers = fill_valid_i;
        next = spad_soon_i ? FromSpad : mem_valid_i || !fill_soon_i ? FromMemory : FromFill;
      end
      default: begin
        offers = spad_valid_i;
        next = mem_valid_i ? FromMemory : fill_soon_i ? FromFill : spad_soon_i ? FromSpad : FromMemory;
      end
    endcase
  end
  assign mem_ready_o = free && turn_q == FromMemory;
  assign fill_ready_o = free && turn_q == FromFill;
  assign spad_ready_o = free && turn_q == FromSpad;

  assign drained_o = '{
    beats: wb_valid_o && wb_ready_i && last_q && from_q != FromSpad,
    spad: wb_valid_o && wb_ready_i && last_q && from_q == FromSpad, slot: slot_q
  };

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wb_valid_o <= 1'b0;
      turn_q <= FromMemory;
    end else begin
      if (free) wb_valid_o <= offers;
      if (free || !offers) turn_q <= next;
    end
  end

  beat_t beat;
  assign beat = turn_q == FromMemory ? mem_i : turn_q == FromFill ? fill_i : spad_i;

  always_ff @(posedge clk_i) begin
    if (free && offers) begin
      from_q <= turn_q;
      last_q <= beat.last;
      slot_q <= beat.slot;
      wb_warp_o <= beat.warp;
      wb_tag_o <= beat.tag;
      wb_reg_o <= beat.index;
      case (turn_q)
        FromMemory: begin
          wb_mask_o <= mem_mask_i;
          wb_data_o <= mem_data_i;
        end
        FromFill: begin
          wb_mask_o <= fill_mask_i;
          for (int l = 0; l < LANES; l++) wb_data_o[l*32+:32] <= fill_mask_i[l] ? fill_value_i : '0;
        end
        default: begin
          wb_mask_o <= spad_mask_i;
          wb_data_o <= spad_data_i;
        end
      endcase
    end
  end
endmodule
