// SPDX-License-Identifier: MIT OR Apache-2.0
// The requests in flight: hands out ids, finds hazards, and says whom a response is for.
//
// An entry lives from issue (lsu_order) to its last answer (PORT-ID). It stands against any request that shares
// a byte with it, if one of the two writes, until its first answer: from then on it is applied (PORT-HAZARD).
// An id that comes free can be handed out in the same cycle, so PENDING requests cover a round trip of PENDING
// cycles, counted from the cycle in which a request is first offered to the cycle of its last answer.

module lsu_pending
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
#(
  parameter int unsigned PENDING = 16,
  parameter int unsigned LINE_BYTES = 128
) (
  input  logic clk_i,
  input  logic rst_ni,  // asynchronous, active low

  // From and to lsu_order
  input  logic                  next_valid_i,
  input  request_t              next_i,
  input  logic [LINE_BYTES-1:0] next_be_i,
  output logic                  clear_o,
  output id_t                   id_o,
  input  logic                  issue_i,

  // A response, in the cycle in which it is accepted, and whom it is for
  input  logic   rsp_valid_i,
  input  id_t    rsp_id_i,
  input  logic   rsp_last_i,
  output logic   rsp_first_o,   // the first answer: the request is applied
  output logic   rsp_settles_o, // the answer that its operation waits for
  output logic   rsp_write_o,
  output slot_t  rsp_slot_o,
  output group_t rsp_group_o,
  output lane_words_t rsp_served_o,
  output words_t rsp_together_o,
  output logic   rsp_known_o    // an id in flight; anything else is the memory's error
);
  localparam int unsigned IdBits = PENDING > 1 ? $clog2(PENDING) : 1;

  logic [PENDING-1:0]    busy_q;
  logic [PENDING-1:0]    answered_q;
  logic [PENDING-1:0]    write_q;
  logic [PENDING-1:0]    await_q;
  addr_t                 line_q [PENDING];
  logic [LINE_BYTES-1:0] be_q [PENDING];
  slot_t                 slot_q [PENDING];
  group_t                group_q [PENDING];
  lane_words_t           served_q [PENDING];
  words_t                together_q [PENDING];

  logic [IdBits-1:0] rsp_index;
  logic [PENDING-1:0] free;
  assign rsp_index = IdBits'(rsp_id_i);
  assign rsp_known_o = 32'(rsp_id_i) < PENDING && busy_q[rsp_index];
  assign rsp_first_o = !answered_q[rsp_index];
  assign rsp_settles_o = await_q[rsp_index] ? rsp_last_i : rsp_first_o;
  assign rsp_write_o = write_q[rsp_index];
  assign rsp_slot_o = slot_q[rsp_index];
  assign rsp_group_o = group_q[rsp_index];
  assign rsp_served_o = served_q[rsp_index];
  assign rsp_together_o = together_q[rsp_index];

  // May the waiting request go?
  // ---------------------------
  logic hazard;
  always_comb begin
    hazard = 1'b0;
    if (next_valid_i) begin
      for (int i = 0; i < PENDING; i++) begin
        if (busy_q[i] && !answered_q[i] && (write_q[i] || next_i.write) && line_q[i] == next_i.addr) begin
          hazard |= (be_q[i] & next_be_i) != '0;
        end
      end
    end
  end

  always_comb begin
    free = ~busy_q;
    if (rsp_valid_i && rsp_known_o && rsp_last_i) free[rsp_index] = 1'b1;
    id_o = '0;
    for (int i = PENDING - 1; i >= 0; i--) if (free[i]) id_o = id_t'(i);
  end
  assign clear_o = !hazard && free != '0;

  // The table
  // ---------
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q <= '0;
    end else begin
      if (rsp_valid_i && rsp_known_o && rsp_last_i) busy_q[rsp_index] <= 1'b0;
      if (issue_i) busy_q[IdBits'(id_o)] <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rsp_valid_i && rsp_known_o) answered_q[rsp_index] <= 1'b1;
    if (issue_i) begin
      answered_q[IdBits'(id_o)] <= 1'b0;
      write_q[IdBits'(id_o)] <= next_i.write;
      line_q[IdBits'(id_o)] <= next_i.addr;
      be_q[IdBits'(id_o)] <= next_be_i;
      await_q[IdBits'(id_o)] <= next_i.await_last && next_i.write;
      slot_q[IdBits'(id_o)] <= next_i.slot;
      group_q[IdBits'(id_o)] <= next_i.group;
      served_q[IdBits'(id_o)] <= next_i.served;
      together_q[IdBits'(id_o)] <= next_i.together;
    end
  end
endmodule
