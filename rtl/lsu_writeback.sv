// SPDX-License-Identifier: MIT OR Apache-2.0
// One write-back port for three sources: memory, registers that nothing fills, and the scratchpad (PORT-WB).
//
// The sources take turns: of those that offer, the one after the one that went last goes. The beat is registered: what
// is offered stays.

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
  output logic                fill_ready_o,
  input  beat_t               fill_i,
  input  logic [LANES-1:0]    fill_mask_i,
  input  logic [31:0]         fill_value_i,

  // From lsu_scratchpad
  input  logic                spad_valid_i,
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

  // To lsu_inflight: the last beat of a response or a fill, or of the scratchpad's part, was taken
  output logic  beats_done_o,
  output logic  spad_done_o,
  output slot_t done_slot_o
);
  typedef enum logic [1:0] {FromMemory, FromFill, FromSpad} source_e;

  source_e turn_q, pick;  // turn_q went last
  logic    last_q, free, any;

  assign free = !wb_valid_o || wb_ready_i;
  assign any = mem_valid_i || fill_valid_i || spad_valid_i;
  always_comb begin
    unique case (turn_q)
      FromMemory: pick = fill_valid_i ? FromFill : spad_valid_i ? FromSpad : FromMemory;
      FromFill:   pick = spad_valid_i ? FromSpad : mem_valid_i ? FromMemory : FromFill;
      default:    pick = mem_valid_i ? FromMemory : fill_valid_i ? FromFill : FromSpad;
    endcase
  end
  assign mem_ready_o = free && pick == FromMemory;
  assign fill_ready_o = free && pick == FromFill;
  assign spad_ready_o = free && pick == FromSpad;

  assign beats_done_o = wb_valid_o && wb_ready_i && last_q && turn_q != FromSpad;
  assign spad_done_o = wb_valid_o && wb_ready_i && last_q && turn_q == FromSpad;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wb_valid_o <= 1'b0;
      turn_q <= FromMemory;
    end else if (free) begin
      wb_valid_o <= any;
      if (any) turn_q <= pick;
    end
  end

  beat_t beat;
  assign beat = pick == FromMemory ? mem_i : pick == FromFill ? fill_i : spad_i;

  always_ff @(posedge clk_i) begin
    if (free && any) begin
      last_q <= beat.last;
      done_slot_o <= beat.slot;
      wb_warp_o <= beat.warp;
      wb_tag_o <= beat.tag;
      wb_reg_o <= beat.index;
      unique case (pick)
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
