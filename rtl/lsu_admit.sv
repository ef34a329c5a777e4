// SPDX-License-Identifier: MIT OR Apache-2.0
// Admission: an operation is taken only if lsu_store has a free entry for each of its groups, and lsu_inflight a free
// slot.
//
// Entries and slots are reserved here, before the operation enters. So the stages up to lsu_store never stall, and no
// warp waits in them for another. A burst reserves the entries of all its GPRs at once: if it took one after the other,
// it would wait, once taken, for what other warps hold in the store (PORT-FAIR).

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
  output logic room_o,   // there is room for op_i
  input  logic enter_i,  // op_i is taken

  input  logic [2:0] freed_i,  // number of entries that came free
  input  logic       done_i    // an operation is over
);
  localparam int unsigned SlotBits = $clog2(SLOTS + 1);

  logic [4:0]          entries_q;  // free and not reserved, as slots_q
  logic [SlotBits-1:0] slots_q;
  logic [4:0]          gprs, wants;
  logic                burst;

  // Written as gates, since so few bits need no carry chain.
  function automatic logic [2:0] count4(logic [3:0] x);
    return {&x, (x[0] & x[1]) ^ (x[2] & x[3]) ^ ((x[0] ^ x[1]) & (x[2] ^ x[3])), ^x};
  endfunction

  function automatic logic [4:0] count16(logic [15:0] x);
    logic [3:0] bit0, bit1, bit2;  // of the count of each four bits
    logic [2:0] ones, twos, fours, carried;
    for (int n = 0; n < 4; n++) {bit2[n], bit1[n], bit0[n]} = count4(x[n*4+:4]);
    ones = count4(bit0);
    twos = count4(bit1);
    fours = count4(bit2);
    carried = count4({ones[2], twos[1], fours[0], ones[1] & twos[0]});
    count16[0] = ones[0];
    count16[1] = ones[1] ^ twos[0];
    count16[2] = carried[0];
    count16[3] = twos[2] ^ fours[1] ^ carried[1];
    count16[4] = fours[2] | carried[2] | (twos[2] & fours[1]) | (carried[1] & (twos[2] ^ fours[1]));
  endfunction

  // A burst has one group for each of its GPRs; a burst without GPRs, or an illegal one, has one group that moves
  // nothing. That a burst is illegal is known late: it waits for as much room as a legal one, but reserves one entry.
  assign burst = op_i.space == SpaceBuffer;
`ifdef SYNTHESIS
  assign gprs = count16(op_i.present_gprs);
`else
  always_comb begin
    gprs = '0;
    if (burst) gprs = 5'($countones(op_i.present_gprs));
  end
`endif
  always_comb begin
    wants = 5'd1;
    if (needed(enter_i && burst)) begin
      if (burst && gprs != '0 && legal(op_i)) wants = gprs;
    end
  end
  assign room_o = entries_q != '0 && slots_q != '0 && (!burst || entries_q >= gprs);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      entries_q <= 5'(ENTRIES);
      slots_q <= SlotBits'(SLOTS);
    end else begin
      entries_q <= enter_i ? entries_q + 5'(freed_i) - wants : entries_q + 5'(freed_i);
      if (enter_i != done_i) slots_q <= done_i ? slots_q + SlotBits'(1) : slots_q - SlotBits'(1);
    end
  end
endmodule
