// SPDX-License-Identifier: MIT OR Apache-2.0
// Compare-and-store at the memory port: pairs of a read-exclusive and a write-exclusive (PORT-CAS, SM5-CAS, SM5-ORDER).
//
//                             values, by slot
//                                    |
//   mem_rsp ---> lines that wait ----+---> line ---> [ step ] ---> new dwords, by id ---> lsu_order
//                                           ^            |
//                                           +-- again ---+ while lanes meet
//
// A pair begins like any request; lsu_pending reserves its line and its id until the pair is over. When the line
// arrives, the request's lanes act on it: in each cycle, on every dword, the lowest lane that is left. So lanes that
// meet on a dword act in ascending order. If a lane matched, the write-exclusive is sent from here; if memory refuses
// it, the read-exclusive is sent again. As long as no lanes meet, the throughput is a line a cycle. There is room for
// the line of every id, so an answer never waits, neither for earlier lines nor for a request to be taken.
// Golden model: src/model/cas.rs.

module lsu_cas
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
#(
  parameter int unsigned LANES = 32,
  parameter int unsigned LINE_BYTES = 128,
  parameter int unsigned PENDING = 16,
  parameter int unsigned SLOTS = 32
) (
  input  logic clk_i,
  input  logic rst_ni,  // asynchronous, active low

  // An operation's comparison value, new value and dword of the line, by lane; before its first pair begins
  input  logic                                       open_i,
  input  slot_t                                      open_slot_i,
  input  logic [LANES-1:0][$clog2(LINE_BYTES/4)-1:0] open_at_i,
  input  logic [LANES-1:0][31:0]                     compare_i,
  input  logic [LANES-1:0][31:0]                     value_i,

  // From lsu_order: a pair begins
  input  logic                  begin_i,
  input  id_t                   begin_id_i,
  input  request_t              begin_request_i,
  input  logic [LINE_BYTES-1:0] begin_be_i,

  // From the memory port and lsu_pending: an answer to a pair; it may be a line to act on, or a refused write
  input  logic                    answer_i,
  input  logic                    line_i,
  input  logic                    refused_i,
  input  id_t                     rsp_id_i,
  input  slot_t                   rsp_slot_i,
  input  lane_words_t             rsp_served_i,
  input  logic [LINE_BYTES*8-1:0] rsp_data_i,

  // To lsu_order: a pair's second half, or its first half again
  output logic                    again_valid_o,
  input  logic                    again_ready_i,
  output id_t                     again_id_o,
  output request_t                again_o,  // the fields that the memory port shows; the rest is 0
  output logic [LINE_BYTES-1:0]   again_be_o,
  output logic [LINE_BYTES*8-1:0] again_data_o,

  // To lsu_pending and lsu_inflight: a pair ends without a write, as no lane matched
  output logic  over_o,
  output id_t   over_id_o,
  output slot_t over_slot_o
);
  import lsu_cas_pkg::*;

  localparam int unsigned Words = LINE_BYTES / 4;
  localparam int unsigned WordBits = $clog2(Words);
  localparam int unsigned IdBits = $clog2(PENDING);
  localparam int unsigned SlotBits = $clog2(SLOTS);
  typedef logic [WordBits-1:0] at_t;  // number of a dword in a line
  typedef logic [IdBits-1:0] index_t;

  // Operands of each operation, by slot
  // -----------------------------------
  logic [LANES-1:0][31:0] compare_q [SLOTS];
  logic [LANES-1:0][31:0] value_q [SLOTS];
  at_t [LANES-1:0]        at_q [SLOTS];

  always_ff @(posedge clk_i) begin
    if (open_i) begin
      compare_q[SlotBits'(open_slot_i)] <= compare_i;
      value_q[SlotBits'(open_slot_i)] <= value_i;
      at_q[SlotBits'(open_slot_i)] <= open_at_i;
    end
  end

  // The queue of lines
  // ------------------
  // A pair has at most one line here, and there are fewer pairs than ids: the queue is never full.
  typedef struct packed {
    index_t           id;
    slot_t            slot;
    logic [LANES-1:0] lanes;  // served by the request
  } waiting_t;

  waiting_t               waiting_q [2**IdBits];
  logic [Words-1:0][31:0] waiting_line_q [2**IdBits];
  index_t                 front_q, back_q;

  logic             load;  // the head of the queue goes on to the step
  waiting_t         front;
  assign front = waiting_q[front_q];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      front_q <= '0;
      back_q <= '0;
    end else begin
      if (line_i) back_q <= back_q + index_t'(1);
      if (load) front_q <= front_q + index_t'(1);
    end
  end

  // line_i is known late: only back_q depends on it, and hardware writes the queue's memory for every answer to a pair.
  always_ff @(posedge clk_i) begin
    if (answer_i && needed(line_i)) begin
      automatic logic [LANES-1:0] rsp_lanes;
      for (int l = 0; l < LANES; l++) rsp_lanes[l] = rsp_served_i[l] != '0;
      waiting_q[back_q] <= '{id: index_t'(rsp_id_i), slot: rsp_slot_i, lanes: rsp_lanes};
      waiting_line_q[back_q] <= rsp_data_i;
    end
  end

  // Step
  // ----
  logic                        valid_q;
  index_t                      id_q;
  slot_t                       slot_q;
  logic [LANES-1:0]            left_q;  // lanes that have not acted yet
  logic [Words-1:0]            stored_q;
  logic [LANES-1:0][31:0]      lane_word_q;  // the dword as each lane in left_q finds it
  logic [LANES-1:0][31:0]      lane_compare_q, lane_value_q;

  at_t [LANES-1:0]             front_at;
  logic [LANES-1:0][31:0]      front_word;
  always_comb begin
    front_at = '0;
    front_word = '0;
    if (needed(load)) begin
      front_at = at_q[SlotBits'(front.slot)];
      for (int l = 0; l < LANES; l++) front_word[l] = waiting_line_q[front_q][front_at[l]];
    end
  end

  logic [LANES-1:0] acts, stores;
  logic             more;  // some lanes act in a later cycle
  assign more = valid_q && acts != left_q;
  assign load = front_q != back_q && !more;

  step_t found;
  always_comb begin
    stores = '0;
    found = '0;
    if (valid_q) begin
      for (int l = 0; l < LANES; l++) begin
        found = step(lane_word_q[l], lane_compare_q[l], lane_value_q[l]);
        stores[l] = acts[l] && found.stores;
      end
    end
  end

  logic [Words-1:0]       put;  // dwords that are stored in this cycle
  logic [Words-1:0][31:0] next;
  // Forwarding: the lanes whose dword a lower lane stores in this cycle, and the value that they find from then on.
  logic [LANES-1:0]       meets;
  logic [LANES-1:0][31:0] meets_word;
`ifdef SYNTHESIS
  logic [LANES-1:0][Words-1:0] lane_hot_q;    // by lane, one-hot: its dword
  logic [LANES-1:0][LANES-1:0] lane_meets_q;  // by lane: the lower lanes on the same dword
  always_ff @(posedge clk_i) begin
    if (load) begin
      for (int l = 0; l < LANES; l++) begin
        for (int w = 0; w < Words; w++) lane_hot_q[l][w] <= front_at[l] == at_t'(w);
        for (int m = 0; m < LANES; m++) lane_meets_q[l][m] <= m < l && front_at[m] == front_at[l];
      end
    end
  end

  always_comb begin
    acts = '0;
    if (valid_q) for (int l = 0; l < LANES; l++) acts[l] = left_q[l] && (lane_meets_q[l] & left_q) == '0;
  end

  // No two of the lanes that act are on one dword, so each or-reduction selects one lane's value.
  always_comb begin
    put = '0;
    next = '0;
    meets = '0;
    meets_word = '0;
    for (int w = 0; w < Words; w++) begin
      for (int l = 0; l < LANES; l++) begin
        put[w] |= stores[l] && lane_hot_q[l][w];
        next[w] |= {32{acts[l] && lane_hot_q[l][w]}} & new_value(lane_compare_q[l], lane_value_q[l]);
      end
    end
    for (int l = 0; l < LANES; l++) begin
      for (int m = 0; m < l; m++) begin
        meets[l] |= left_q[l] && stores[m] && lane_meets_q[l][m];
        meets_word[l] |= {32{acts[m] && lane_meets_q[l][m]}} & new_value(lane_compare_q[m], lane_value_q[m]);
      end
    end
  end
`else
  at_t [LANES-1:0] lane_at_q;
  always_ff @(posedge clk_i) if (load) lane_at_q <= front_at;

  logic [Words-1:0] taken;  // dwords of the lower lanes that are left
  always_comb begin
    acts = '0;
    taken = '0;
    if (valid_q) begin
      for (int l = 0; l < LANES; l++) begin
        if (left_q[l]) begin
          acts[l] = !taken[lane_at_q[l]];
          taken[lane_at_q[l]] = 1'b1;
        end
      end
    end
  end

  always_comb begin
    put = '0;
    next = '0;
    meets = '0;
    meets_word = '0;
    if (stores != '0) begin
      for (int l = 0; l < LANES; l++) begin
        if (stores[l]) begin
          put[lane_at_q[l]] = 1'b1;
          next[lane_at_q[l]] = new_value(lane_compare_q[l], lane_value_q[l]);
        end
      end
      if (more) for (int l = 0; l < LANES; l++) begin
        meets[l] = left_q[l] && !acts[l] && put[lane_at_q[l]];
        meets_word[l] = next[lane_at_q[l]];
      end
    end
  end
`endif

  logic             last, matched;
  logic [Words-1:0] stored;  // dwords of the line that were stored, in all steps so far
  assign last = valid_q && !more;
  assign stored = stored_q | put;
  // If no lane matches, no write-exclusive is sent (PORT-CAS).
  assign matched = stored_q != '0 || stores != '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      over_o <= 1'b0;
    end else begin
      valid_q <= load || more;
      over_o <= last && !matched;
    end
  end

  always_ff @(posedge clk_i) begin
    if (more) begin
      left_q <= left_q & ~acts;
      stored_q <= stored;
      for (int l = 0; l < LANES; l++) if (meets[l]) lane_word_q[l] <= meets_word[l];
    end else if (load) begin
      id_q <= front.id;
      slot_q <= front.slot;
      left_q <= front.lanes;
      stored_q <= '0;
      lane_word_q <= front_word;
      lane_compare_q <= compare_q[SlotBits'(front.slot)];
      lane_value_q <= value_q[SlotBits'(front.slot)];
    end
    if (last) begin
      over_id_o <= id_t'(id_q);
      over_slot_o <= slot_q;
    end
  end

  // The pairs, by id
  // ----------------
  // The fields of a request that the memory port shows
  typedef struct packed {
    warp_t  warp;
    tag_t   tag;
    group_t group;
    space_e space;
    attr_t  attr;
    addr_t  addr;
  } shown_t;

  logic [PENDING-1:0]    wanted_q;  // a request is to be sent
  logic [PENDING-1:0]    second_q;  // that request is the write-exclusive
  shown_t                request_q [PENDING];
  logic [LINE_BYTES-1:0] read_be_q [PENDING];
  logic [Words-1:0]      write_q [PENDING];

  always_ff @(posedge clk_i) begin
    if (begin_i) begin
      request_q[index_t'(begin_id_i)] <= '{
        warp: begin_request_i.warp, tag: begin_request_i.tag, group: begin_request_i.group,
        space: begin_request_i.space, attr: begin_request_i.attr, addr: begin_request_i.addr
      };
      read_be_q[index_t'(begin_id_i)] <= begin_be_i;
    end
    if (last) write_q[id_q] <= stored;
  end

  logic [PENDING-1:0] turn;  // the pair whose request goes next
  index_t             turn_id, picked_q;

  // The new dwords. If several lanes store one, the value of the last of them stays.
`ifdef SYNTHESIS
  logic [Words-1:0][31:0] new_line;
  for (genvar w = 0; w < Words; w++) begin : gen_new
    logic [31:0] new_q [PENDING];
    always_ff @(posedge clk_i) if (put[w]) new_q[id_q] <= next[w];
    assign new_line[w] = new_q[picked_q];
  end
`endif

  // Send
  // ----
  // Round robin, so that a pair that is refused for ever keeps no other waiting. The turn is chosen a cycle before the
  // pair's dwords are read.
  logic   take, goes, picked_valid_q;
  logic   refused_q;  // refused_i is known late, and handled in the next cycle
  index_t refused_id_q;
  assign goes = picked_valid_q && (!again_valid_o || again_ready_i);
  assign take = wanted_q != '0 && (!picked_valid_q || goes);

  lsu_round_robin #(.PLACES(PENDING)) u_turn (
    .clk_i, .rst_ni, .prefer_i('0), .request_i(wanted_q), .advance_i(take), .grant_o(turn), .index_o(turn_id)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wanted_q <= '0;
      refused_q <= 1'b0;
      picked_valid_q <= 1'b0;
      again_valid_o <= 1'b0;
    end else begin
      refused_q <= refused_i;
      picked_valid_q <= take || (picked_valid_q && !goes);
      again_valid_o <= goes || (again_valid_o && !again_ready_i);
      if (take) wanted_q <= wanted_q & ~turn;
      if (last && matched) wanted_q[id_q] <= 1'b1;
      if (refused_q) wanted_q[refused_id_q] <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    // After a refused write the pair starts over with its read (PORT-CAS).
    if (last) second_q[id_q] <= 1'b1;
    if (refused_q) second_q[refused_id_q] <= 1'b0;
  end

  shown_t shown_q;
  logic   again_second_q;
`ifndef SYNTHESIS
  // The simulation twin: one array with blocking writes, which come after the reads in the process below.
  logic [31:0] new_q [2**IdBits * Words];
`endif
  always_ff @(posedge clk_i) begin
    refused_id_q <= index_t'(rsp_id_i);
    if (take) picked_q <= turn_id;
    if (goes) begin
      again_id_o <= id_t'(picked_q);
      shown_q <= request_q[picked_q];
      again_second_q <= second_q[picked_q];
      for (int w = 0; w < Words; w++) begin
        automatic logic writes = second_q[picked_q] && write_q[picked_q][w];
        again_be_o[w*4+:4] <= second_q[picked_q] ? {4{writes}} : read_be_q[picked_q][w*4+:4];
`ifdef SYNTHESIS
        again_data_o[w*32+:32] <= writes ? new_line[w] : '0;
`else
        again_data_o[w*32+:32] <= writes ? new_q[{picked_q, at_t'(w)}] : '0;
`endif
      end
    end
`ifndef SYNTHESIS
    if (put != '0) for (int w = 0; w < Words; w++) if (put[w]) new_q[{id_q, at_t'(w)}] = next[w];
`endif
  end

  always_comb begin
    again_o = '0;
    if (needed(again_valid_o)) begin
      again_o.exclusive = 1'b1;
      again_o.write = again_second_q;
      again_o.warp = shown_q.warp;
      again_o.tag = shown_q.tag;
      again_o.group = shown_q.group;
      again_o.space = shown_q.space;
      again_o.attr = shown_q.attr;
      again_o.addr = shown_q.addr;
    end
  end
endmodule
