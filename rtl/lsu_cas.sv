// SPDX-License-Identifier: MIT OR Apache-2.0
// Compare-and-store at the memory port: pairs of a read-exclusive and a write-exclusive (PORT-CAS, SM5-CAS, SM5-ORDER).
//
//                             values, by slot
//                                    |
//   mem_rsp ---> lines that wait ----+---> line ---> [ step ] ---> new dwords, by id ---> lsu_order
//                                           ^            |
//                                           +-- again ---+ while lanes meet
//
// A pair begins as any request does; lsu_pending keeps its line and its id for it until it is over. When the line
// comes, the request's lanes act on it: in a cycle the lowest of those that wait on a dword, on every dword at once, so
// that lanes that meet on one act in ascending order. If one of them matched, the write-exclusive is sent from here; if
// it is refused, the read-exclusive again. A line comes every cycle, and one goes, as long as no lanes meet. There is
// room for every id, so an answer never waits, neither for the lines before it nor for a request to be taken.
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

  // What an operation's lanes compare with and store, and the dword of the line where; before its first pair begins
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

  // From the memory port and lsu_pending: an answer to a pair, which is a line to act on, or a refused write
  input  logic                    answer_i,
  input  logic                    line_i,
  input  logic                    refused_i,
  input  id_t                     rsp_id_i,
  input  slot_t                   rsp_slot_i,
  input  lane_words_t             rsp_served_i,
  input  logic [LINE_BYTES*8-1:0] rsp_data_i,

  // To lsu_order: a second half, or a first half again
  output logic                    again_valid_o,
  input  logic                    again_ready_i,
  output id_t                     again_id_o,
  output request_t                again_o,  // what the memory port shows of it; the rest is 0
  output logic [LINE_BYTES-1:0]   again_be_o,
  output logic [LINE_BYTES*8-1:0] again_data_o,

  // To lsu_pending and lsu_inflight: no lane matched, nothing is written
  output logic  over_o,
  output id_t   over_id_o,
  output slot_t over_slot_o
);
  import lsu_cas_pkg::*;

  localparam int unsigned Words = LINE_BYTES / 4;
  localparam int unsigned WordBits = $clog2(Words);
  localparam int unsigned IdBits = $clog2(PENDING);
  localparam int unsigned SlotBits = $clog2(SLOTS);
  typedef logic [WordBits-1:0] at_t;  // a dword of a line
  typedef logic [IdBits-1:0] index_t;

  // By operation
  // ------------
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

  // The lines that wait
  // -------------------
  // A pair has at most one, and there are fewer pairs than ids: the places are never all taken.
  typedef struct packed {
    index_t           id;
    slot_t            slot;
    logic [LANES-1:0] lanes;  // that the request serves
  } waiting_t;

  waiting_t               waiting_q [2**IdBits];
  logic [Words-1:0][31:0] waiting_line_q [2**IdBits];
  index_t                 front_q, back_q;

  logic             load;  // the front goes on
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

  // Whether it is a line is known late, and counts for back_q alone.
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
  logic [LANES-1:0]            left_q;  // the lanes that have not acted
  logic [Words-1:0]            stored_q;
  logic [LANES-1:0][31:0]      lane_word_q;  // that a lane finds, if it is left
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
  logic             more;  // lanes that act after these
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

  logic [Words-1:0]       put;  // the dwords that are stored
  logic [Words-1:0][31:0] next;
  // What a lane finds that meets lanes which store now: the lane after them acts on what they leave.
  logic [LANES-1:0]       meets;
  logic [LANES-1:0][31:0] meets_word;
`ifdef SYNTHESIS
  logic [LANES-1:0][Words-1:0] lane_hot_q;    // the dword that a lane is on
  logic [LANES-1:0][LANES-1:0] lane_meets_q;  // the lower lanes that are on the same dword
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

  // Of the lanes that act no two are on one dword.
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

  logic [Words-1:0] taken;  // the dwords that a lower lane is on
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
  logic [Words-1:0] stored;  // of the whole line
  assign last = valid_q && !more;
  assign stored = stored_q | put;
  // Where no lane matches there is no write (PORT-CAS).
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

  // By id: the pairs
  // ----------------
  // What the memory port shows of a request
  typedef struct packed {
    warp_t  warp;
    tag_t   tag;
    group_t group;
    space_e space;
    attr_t  attr;
    addr_t  addr;
  } shown_t;

  logic [PENDING-1:0]    wanted_q;  // a request is to be sent
  logic [PENDING-1:0]    second_q;  // it is the write-exclusive
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

  logic [PENDING-1:0] turn;  // whose request goes next
  index_t             turn_id, picked_q;

  // A dword that is stored twice keeps what came last.
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
  // The turn goes round, so that a pair that is refused for ever keeps no other waiting. It is given a cycle before the
  // pair's dwords are read.
  logic   take, goes, picked_valid_q;
  logic   refused_q;  // known late, and seen to in the next cycle
  index_t refused_id_q;
  assign goes = picked_valid_q && (!again_valid_o || again_ready_i);
  assign take = wanted_q != '0 && (!picked_valid_q || goes);

  lsu_round_robin #(.PLACES(PENDING)) u_turn (
    .clk_i, .rst_ni, .request_i(wanted_q), .advance_i(take), .grant_o(turn), .index_o(turn_id)
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
    // A refused write is read again first (PORT-CAS).
    if (last) second_q[id_q] <= 1'b1;
    if (refused_q) second_q[refused_id_q] <= 1'b0;
  end

  shown_t shown_q;
  logic   again_second_q;
`ifndef SYNTHESIS
  // The same in one array, with writes that block: they are read before they are written.
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
