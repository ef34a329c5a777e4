// SPDX-License-Identifier: MIT OR Apache-2.0
// The requests in flight: assigns ids, finds hazards, and tells which request a response answers.
//
// A request is in flight from issue (lsu_order) to its last answer (PORT-ID). With its first answer it counts as
// applied; until then it conflicts with any request that shares a byte with it, if one of the two writes (PORT-HAZARD).
// The pair of a compare-and-store keeps one id from its first read-exclusive to its final answer, and shares its line
// with no other request (PORT-CAS). Pairs always leave one id to other requests, even if they are refused for ever
// (PORT-FAIR).
// An id that comes free can be assigned in the same cycle, so PENDING requests cover a round trip of PENDING cycles,
// counted from the cycle in which a request is first offered to the cycle of its last answer.

module lsu_pending
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
#(
  parameter int unsigned PENDING = 16,
  parameter int unsigned WARPS = 8,
  parameter int unsigned LINE_BYTES = 128
) (
  input  logic clk_i,
  input  logic rst_ni,  // asynchronous, active low

  // From and to lsu_order
  input  logic                  next_valid_i,
  input  request_t              next_i,
  input  logic [LINE_BYTES-1:0] next_be_i,
  input  logic                  blocked_i,  // another warp's request goes before it, from lsu_held
  output logic                  clear_o,
  output logic                  lacks_id_o, // no id was free as the cycle began
  output logic [PENDING-1:0]    against_o,  // ids of the requests that stand against it
  output id_t                   id_o,
  input  logic                  issue_i,
  input  logic                  look_i,     // look-ahead: in the next cycle another one is next
  input  against_t              look_at_i,
  input  logic [LINE_BYTES-1:0] look_be_i,

  // From lsu_cas: a pair's next request goes, or the pair is over without a write
  input  logic   again_i,
  input  id_t    again_id_i,
  input  logic   again_write_i,
  input  logic   over_i,
  input  id_t    over_id_i,

  // Whether some request of a warp has no answer of at least a scope yet
  input  fence_t fence_i,        // valid: fence_waits_o is used
  output logic   fence_waits_o,
  output logic [WARPS-1:0] answers_o,  // by warp: this may have changed; registered

  output logic [PENDING-1:0] pairs_o,          // the pairs in flight
  output logic               pairs_last_o,     // one more may begin
  output logic               pairs_full_o,     // no further one may begin
  output logic [WARPS-1:0]   mmio_answered_o,  // by warp: its mmio request has its first answer

  // A response, in the cycle in which it is taken, and the request that it answers
  input  logic   rsp_valid_i,
  input  response_t rsp_i,
  output asked_t    asked_o,
  output lane_words_t asked_served_o
);
  localparam int unsigned IdBits = PENDING > 1 ? $clog2(PENDING) : 1;
  localparam int unsigned WarpBits = WARPS > 1 ? $clog2(WARPS) : 1;

  logic [PENDING-1:0]    busy_q;
  logic [PENDING-1:0]    answered_q;
  logic [PENDING-1:0]    exclusive_q;
  logic [PENDING-1:0]    write_q;     // of a pair: the half that is in flight is the write
  logic [PENDING-1:0]    await_q;
  logic [PENDING-1:0]    mmio_q;
  warp_t                 warp_q [PENDING];
  scope_e                scope_q [PENDING];  // of the widest answer so far
  addr_t                 line_q [PENDING];
  logic [LINE_BYTES-1:0] be_q [PENDING];
  slot_t                 slot_q [PENDING];
  group_t                group_q [PENDING];
  lane_words_t           served_q [PENDING];
  words_t                together_q [PENDING];

  logic [IdBits-1:0] rsp_index;
  assign rsp_index = IdBits'(rsp_i.id);

  // If a pair's read fails, the memory has no exclusives; if its write fails, the pair starts over.
  logic known, first, pair, write, line, refused, bad, goes_on, frees, settles;
  always_comb begin
    {known, first, pair, write, line, refused, bad, goes_on, frees, settles} = '0;
    asked_o = '0;
    asked_served_o = '0;
    if (needed(rsp_valid_i)) begin
      pair = exclusive_q[rsp_index];
      write = write_q[rsp_index];
      known = 32'(rsp_i.id) < PENDING && busy_q[rsp_index];
      first = !answered_q[rsp_index];
      line = pair && !write && !rsp_i.error && !rsp_i.exclusive_failed;
      // PORT-CAS
      refused = pair && write && !rsp_i.error && rsp_i.exclusive_failed;
      // COM-BUSERR, and a memory without exclusives (PORT-CAS)
      bad = rsp_i.error || (pair && !write && rsp_i.exclusive_failed);
      goes_on = line || refused;
      // The last answer frees the id (PORT-ID).
      frees = rsp_valid_i && known && rsp_i.last && !goes_on;
      if (pair) settles = first && !goes_on;
      else settles = write && (await_q[rsp_index] ? rsp_i.last : first);
      asked_o = '{
        known: known, first: first, load: !write && !pair, pair: pair, line: line, refused: refused, frees: frees,
        settles: settles, bad: bad, slot: slot_q[rsp_index], group: group_q[rsp_index], together: together_q[rsp_index]
      };
      asked_served_o = served_q[rsp_index];
    end
  end

  // The id that the next request gets
  // ----------------------------------
  // If all ids are in use, one is reused in the cycle of its last answer (PORT-RATE). A pair's id comes free a cycle
  // later: it is known late whether the pair is over.
  logic free, reuses;
  assign reuses = rsp_valid_i && rsp_i.last && 32'(rsp_i.id) < PENDING && !pair;
  assign free = busy_q != '1 || reuses;
  assign lacks_id_o = busy_q == '1;
  // The lowest free id, from registers alone.
  id_t free_id;
  always_comb begin
    free_id = '0;
`ifdef SYNTHESIS
    for (int i = PENDING - 1; i >= 0; i--) if (!busy_q[i]) free_id = id_t'(i);
`else
    // The same: the number of busy ids below the lowest free one.
    if (busy_q != '1) free_id = id_t'($countones((~busy_q - 1'b1) & busy_q));
`endif
  end
  assign id_o = busy_q != '1 ? free_id : rsp_i.id;

  // May the next request go?
  // ------------------------
  // A request is compared with those in flight, and with one that is issued meanwhile, in the cycle before it is next.
  against_t                  next_q;  // its address is not used
  addr_parts_t [PENDING-1:0] line_meets_q;
  byte_parts_t [PENDING-1:0] byte_meets_q;
  always_ff @(posedge clk_i) begin
    if (look_i) begin
      next_q <= look_at_i;
      for (int i = 0; i < PENDING; i++) begin
        line_meets_q[i] <= equal_parts(line_q[i], look_at_i.addr);
        if (needed(line_q[i] == look_at_i.addr)) byte_meets_q[i] <= shared_parts(line_be_t'(be_q[i]), line_be_t'(look_be_i));
      end
      // The request that is tried in this cycle. issue_i is known late: if it does not go, its id stays free, and the
      // result for a free id is not used.
      if (next_valid_i && free) begin
        line_meets_q[IdBits'(id_o)] <= equal_parts(next_i.addr, look_at_i.addr);
        byte_meets_q[IdBits'(id_o)] <= shared_parts(line_be_t'(next_be_i), line_be_t'(look_be_i));
      end
    end
  end

  always_comb begin
    against_o = '0;
    // In simulation an address is one part, and so line_meets_q has one bit for each id.
    if (next_valid_i && needed((busy_q & PENDING'(line_meets_q)) != '0)) begin
      for (int i = 0; i < PENDING; i++) begin
        if (busy_q[i] && line_meets_q[i] == '1) begin
          // A pair shares its line with no other request (PORT-CAS); others must not share a byte (PORT-HAZARD).
          if (exclusive_q[i] || next_q.exclusive) against_o[i] = 1'b1;
          else if (!answered_q[i] && (write_q[i] || next_q.write)) against_o[i] = byte_meets_q[i] != '0;
        end
      end
    end
  end

  always_comb begin
    fence_waits_o = 1'b0;
    if (fence_i.valid) for (int i = 0; i < PENDING; i++) begin
      // PTX-SEM
      if (busy_q[i] && warp_q[i] == fence_i.warp && !(answered_q[i] && scope_q[i] >= fence_i.scope)) fence_waits_o = 1'b1;
    end
  end

  logic [WARPS-1:0] answers;
  always_comb begin
    answers = '0;
    if (rsp_valid_i) answers[WarpBits'(warp_q[rsp_index])] = 1'b1;
    if (over_i) answers[WarpBits'(warp_q[IdBits'(over_id_i)])] = 1'b1;
  end

  // lsu_order holds the next mmio request of the warp until then (PTX-SEM), and no longer (PORT-FAIR).
  always_comb begin
    mmio_answered_o = '0;
    if (rsp_valid_i && known && first && mmio_q[rsp_index]) mmio_answered_o[WarpBits'(warp_q[rsp_index])] = 1'b1;
  end

  // The number of pairs. They may have all ids but one; a pair that would take that one waits.
  logic [IdBits:0] pairs_q;
  logic            pair_begins, pair_answered;
  assign pair_begins = issue_i && next_q.exclusive;
  assign pair_answered = frees && pair;
  assign pairs_full_o = pairs_q == (IdBits + 1)'(PENDING - 1);
  assign pairs_last_o = pairs_q == (IdBits + 1)'(PENDING - 2);
  assign pairs_o = busy_q & exclusive_q;
  assign clear_o = against_o == '0 && !blocked_i && free && !(next_q.exclusive && pairs_full_o);

  // The table
  // ---------
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q <= '0;
      pairs_q <= '0;
      answers_o <= '0;
    end else begin
      answers_o <= answers;
      pairs_q <= pairs_q + (IdBits + 1)'(pair_begins) - (IdBits + 1)'(over_i) - (IdBits + 1)'(pair_answered);
      if (frees) busy_q[rsp_index] <= 1'b0;
      if (over_i) busy_q[IdBits'(over_id_i)] <= 1'b0;
      if (issue_i) busy_q[IdBits'(id_o)] <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rsp_valid_i && known && !goes_on) begin
      answered_q[rsp_index] <= 1'b1;
      if (first || rsp_i.scope > scope_q[rsp_index]) scope_q[rsp_index] <= rsp_i.scope;
    end
    if (again_i) write_q[IdBits'(again_id_i)] <= again_write_i;
    // issue_i is known late: only busy_q depends on it, and the entry of a free id is not read.
    if (next_valid_i && free) begin
      answered_q[IdBits'(id_o)] <= 1'b0;
      exclusive_q[IdBits'(id_o)] <= next_i.exclusive;
      write_q[IdBits'(id_o)] <= next_i.write;
      line_q[IdBits'(id_o)] <= next_i.addr;
      be_q[IdBits'(id_o)] <= next_be_i;
      mmio_q[IdBits'(id_o)] <= next_i.mmio;
      warp_q[IdBits'(id_o)] <= next_i.warp;
      await_q[IdBits'(id_o)] <= next_i.await_last && next_i.write;
      slot_q[IdBits'(id_o)] <= next_i.slot;
      group_q[IdBits'(id_o)] <= next_i.group;
      served_q[IdBits'(id_o)] <= next_i.served;
      together_q[IdBits'(id_o)] <= next_i.together;
    end
  end
endmodule
