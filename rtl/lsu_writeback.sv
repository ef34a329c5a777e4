// SPDX-License-Identifier: MIT OR Apache-2.0
// One write-back port for three sources: memory, registers that nothing fills, and the scratchpad (PORT-WB).
//
// The sources take turns: of the others that offer in the next cycle, the one after the one whose turn it is has it.
// So a turn is known as its cycle begins, because much hangs on it. Memory does not know before whether it will offer:
// it has the turn when nobody else has something, and waits a cycle for it when it comes beside another one. The beat
// is registered: what is offered stays.

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
  input  logic                fill_soon_i,   // if not taken in this cycle, offers in the next
  output logic                fill_ready_o,
  input  beat_t               fill_i,
  input  logic [LANES-1:0]    fill_mask_i,
  input  logic [31:0]         fill_value_i,

  // From lsu_scratchpad
  input  logic                spad_valid_i,
  input  logic                spad_soon_i,   // the like
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

  source_e turn_q, next, from_q;  // from_q: whose beat is at the port
  logic    last_q, free, offers;  // offers: the one whose turn it is
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
