// SPDX-License-Identifier: MIT OR Apache-2.0
// One write-back port for two sources: memory and the scratchpad (PORT-WB).
//
// When both offer, the one that did not go last goes. The beat is registered: what is offered stays.

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

  // To lsu_inflight: the last beat of a response, or of the scratchpad's part, was taken
  output logic  mem_done_o,
  output logic  spad_done_o,
  output slot_t done_slot_o
);
  logic  from_spad_q;
  logic  last_q;
  logic  free, pick_spad;

  assign free = !wb_valid_o || wb_ready_i;
  assign pick_spad = spad_valid_i && (!mem_valid_i || !from_spad_q);
  assign mem_ready_o = free && !pick_spad;
  assign spad_ready_o = free && pick_spad;

  assign mem_done_o = wb_valid_o && wb_ready_i && last_q && !from_spad_q;
  assign spad_done_o = wb_valid_o && wb_ready_i && last_q && from_spad_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) wb_valid_o <= 1'b0;
    else if (free) wb_valid_o <= mem_valid_i || spad_valid_i;
  end

  // from_spad_q is the source of the last beat, so it is also whose turn it is not.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) from_spad_q <= 1'b0;
    else if (free && (mem_valid_i || spad_valid_i)) from_spad_q <= pick_spad;
  end

  beat_t beat;
  assign beat = pick_spad ? spad_i : mem_i;

  always_ff @(posedge clk_i) begin
    if (free && (mem_valid_i || spad_valid_i)) begin
      last_q <= beat.last;
      done_slot_o <= beat.slot;
      wb_warp_o <= beat.warp;
      wb_tag_o <= beat.tag;
      wb_reg_o <= beat.index;
      wb_mask_o <= pick_spad ? spad_mask_i : mem_mask_i;
      wb_data_o <= pick_spad ? spad_data_i : mem_data_i;
    end
  end
endmodule
