// SPDX-License-Identifier: MIT OR Apache-2.0
// Who may enter: an operation is taken only if lsu_store has an entry for each of its groups, and lsu_inflight a slot.
//
// What is promised here is there when the operation comes, so no stage on its way stands still, and no warp waits in it
// for another (PORT-FAIR).

module lsu_admit
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
  import lsu_address_pkg::*;
#(
  parameter int unsigned SLOTS = 32
) (
  input  logic clk_i,
  input  logic rst_ni,  // asynchronous, active low

  input  op_t  op_i,
  output logic room_o,   // for op_i
  input  logic enter_i,  // op_i enters

  input  logic [2:0] freed_i,  // entries
  input  logic       done_i    // an operation is over
);
  localparam int unsigned SlotBits = $clog2(SLOTS + 1);

  logic [4:0]          entries_q;  // not promised
  logic [SlotBits-1:0] slots_q;
  logic [4:0]          wants;

  // A burst has a group for each of its GPRs; one of none, and one that is illegal, a group with nothing in it.
  always_comb begin
    wants = op_i.space == SpaceBuffer ? 5'($countones(op_i.present_gprs)) : 5'd1;
    if (wants == '0 || !legal(op_i)) wants = 5'd1;
  end
  assign room_o = entries_q >= wants && slots_q != '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      entries_q <= 5'(ENTRIES);
      slots_q <= SlotBits'(SLOTS);
    end else begin
      entries_q <= entries_q - (enter_i ? wants : '0) + 5'(freed_i);
      slots_q <= slots_q - SlotBits'(enter_i) + SlotBits'(done_i);
    end
  end
endmodule
