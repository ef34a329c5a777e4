// SPDX-License-Identifier: MIT OR Apache-2.0
// Turns the lanes of a group into the fewest line requests: PORT-GROUP, PORT-MIN, COM-SAMEADDR.
//
//   lsu_store ---> group register ---> [ joiners ] ---> request, without its bytes ---> lsu_merge
//                    ^         |
//                    +- next <-+   the next leader, and its line
//
// The lowest lane that is left leads, and every lane with words in its line joins it. Only a burst's words can cross
// into the next line; the lane is then left for its other line, and leads with the lower one first. An mmio lane goes
// alone (PTX-SEM). The leader is known a cycle ahead; that of a group's first request comes from the store. One request
// a cycle; the next group is taken in the cycle in which the last request of this one goes. A request is made only if
// lsu_order has room for it. A group makes way for another warp's, and returns to the store with what is left of it, in
// the cycle after one without room, and after each of its requests while a warp that has none on its way must not wait
// (PORT-FAIR).
// Golden model: src/model/coalesce.rs.

module lsu_coalesce
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
#(
  parameter int unsigned LANES = 32,
  parameter int unsigned LINE_BYTES = 128,
  parameter int unsigned WARPS = 8,
  localparam int unsigned LineBits = ADDR_WIDTH - $clog2(LINE_BYTES)
) (
  input  logic clk_i,
  input  logic rst_ni,  // asynchronous, active low

  // From and to lsu_store
  input  logic                job_valid_i,
  output logic                job_take_o,
  input  job_t                job_i,
  input  entry_t              job_entry_i,
  input  words_t [LANES-1:0]  job_words_i,
  input  logic [LANES-1:0][3:0] job_space_i,
  input  addr_t [LANES-1:0]   job_addr_i,
  input  logic [LANES-1:0]    job_lead_i,    // the leader of the next request,
  input  logic [LineBits-1:0] job_line_i,    // ... and its line
  input  logic                job_resumed_i,
  input  logic [1:0][LANES-1:0] job_rest_i,
  output logic                back_o,        // known late
  output entry_t              back_entry_o,
  output logic [LANES-1:0]    back_lead_o,
  output logic [LineBits-1:0] back_line_o,
  output logic [1:0][LANES-1:0] back_rest_o,
  output logic                drop_o,        // likewise
  input  logic [WARPS-1:0]    ready_i,       // by warp: a group of it could go

  // From and to lsu_order: by warp, whether it may make another request, whether it has none that is not yet issued,
  // and whether its oldest one is held back; a request is made
  input  logic [WARPS-1:0] room_i,
  input  logic [WARPS-1:0] idle_i,
  input  logic [WARPS-1:0] held_i,
  output logic             coming_o,
  output warp_t            coming_warp_o,

  // To lsu_data: reads the store data, which lsu_merge gets with the request, in the next cycle
  output logic   reads_o,
  output entry_t read_entry_o,

  // To lsu_merge and lsu_inflight
  output logic     valid_o,   // a request
  output logic     final_o,   // ... the last of its group
  output job_t     job_o,
  output entry_t   entry_o,
  output request_t request_o,
  output logic [5:0]  bytes_o,  // size of the whole access
  output logic [31:0] moved_o,  // the bytes that move, wherever it lies
  output logic [LANES-1:0][$clog2(LINE_BYTES)-1:0] offset_o  // of each lane's first word in its line
);
  localparam int unsigned OffsetBits = $clog2(LINE_BYTES);
  localparam int unsigned WarpBits = WARPS > 1 ? $clog2(WARPS) : 1;
  typedef logic [LineBits-1:0] line_t;
  typedef logic [OffsetBits-1:0] offset_t;
  // A line number for comparison; in simulation a machine word, whose upper bits are 0.
`ifdef SYNTHESIS
  typedef line_t held_t;
`else
  typedef logic [63:0] held_t;
`endif
  typedef logic [WarpBits-1:0] warp_index_t;

  logic                  valid_q;
  job_t                  job_q;
  entry_t                entry_q;
  logic [LANES-1:0]      low_rest_q;   // lanes with words still to be requested in the line of their first word,
  logic [LANES-1:0]      high_rest_q;  // ... in the line after it
  words_t [LANES-1:0]    low_q;        // these words
  words_t [LANES-1:0]    high_q;
  held_t [LANES-1:0]     line_q;       // of the first word
  held_t [LANES-1:0]     next_q;       // the line after it; valid for a burst
  logic [LANES-1:0]      lead_q;       // one-hot: the lowest lane that is left
  held_t                 lead_line_q;  // the line of its first word that is left
  logic [LANES-1:0][3:0] space_q;
  offset_t [LANES-1:0]   offset_q;

  // Pick
  // ----
  logic [LANES-1:0] low_joins, high_joins, low_left, high_left, left, lead;
  logic [$clog2(LANES)-1:0] leader;
  logic  last, room, emit;
  assign room = room_i[warp_index_t'(job_q.warp)];
  assign leader = $clog2(LANES)'(lsu_spad_pkg::number_of(32'(lead_q)));
  always_comb begin
    low_joins = '0;
    high_joins = '0;
    if (needed(valid_q && room)) begin
      for (int l = 0; l < LANES; l++) low_joins[l] = low_rest_q[l] && line_q[l] == lead_line_q && (!job_q.mmio || lead_q[l]);
      if (needed(high_rest_q != '0)) for (int l = 0; l < LANES; l++) high_joins[l] = high_rest_q[l] && next_q[l] == lead_line_q;
    end
  end
  assign low_left = low_rest_q & ~low_joins;
  assign high_left = high_rest_q & ~high_joins;
  assign left = low_left | high_left;
  assign last = left == '0;

  // The next leader, and its line
`ifdef SYNTHESIS
  // A tree, because it is known late which lanes are left. Node n selects between its children 2n and 2n+1, of which 2n
  // has the lower lanes and wins; the last LANES nodes are the lanes.
  function automatic held_t lowest_line(
    logic [LANES-1:0] set, logic [LANES-1:0] low, held_t [LANES-1:0] first, held_t [LANES-1:0] second
  );
    logic  [2*LANES-1:0] any;
    held_t [2*LANES-1:0] led;
    any = '0;
    any[2*LANES-1:LANES] = set;
    for (int n = LANES - 1; n > 0; n--) any[n] = any[2*n] || any[2*n+1];
    for (int l = 0; l < LANES; l++) led[LANES+l] = low[l] ? first[l] : second[l];
    for (int n = LANES - 1; n > 0; n--) led[n] = any[2*n] ? led[2*n] : led[2*n+1];
    return led[1];
  endfunction

  held_t line;
  always_comb begin
    lead = '0;
    line = '0;
    if (needed(emit && !last)) begin
      lead = LANES'(lowest_bit(32'(left)));
      line = lowest_line(left, low_left, line_q, next_q);
    end
  end
`else
  logic [$clog2(LANES)-1:0] next_leader;
  held_t line;
  always_comb begin
    lead = '0;
    next_leader = '0;
    line = '0;
    if (emit && !last) begin
      lead = LANES'(lowest_bit(32'(left)));
      next_leader = $clog2(LANES)'(lsu_spad_pkg::number_of(32'(lead)));
      line = low_left[next_leader] ? line_q[next_leader] : next_q[next_leader];
    end
  end
`endif

  // Requests of a warp whose oldest one is held back would only fill its queue, and of no warp is it known whether it
  // will be held back before its first request was tried. While there are held requests, a warp with none on its way
  // therefore goes first, and a warp with a held one goes last.
  logic [WARPS-1:0] others;
  logic hurry, stuck_q, same, ends, parts, makes_way;
  always_comb begin
    others = ready_i;
    others[warp_index_t'(job_q.warp)] = 1'b0;
  end
  assign hurry = held_i != '0 && (others & (idle_i | (held_i[warp_index_t'(job_q.warp)] ? ~held_i : '0))) != '0;
  assign same = job_i.warp == job_q.warp;
  assign ends = last && room;
  assign parts = valid_q && job_valid_i && (stuck_q || hurry);
  assign makes_way = parts && !same;
  assign back_o = makes_way && !ends;
  // A later group of the same warp is in the way of other warps' groups.
  assign drop_o = parts && same && !ends;
  assign emit = valid_q && room;
  assign coming_o = emit;
  assign coming_warp_o = job_q.warp;
  // emit is known late: hardware reads in every cycle.
  assign reads_o = needed(emit && job_q.kind != KindLoad);
  assign read_entry_o = entry_q;

  assign back_entry_o = entry_q;
  assign back_lead_o = room ? lead : lead_q;
  assign back_line_o = line_t'(room ? line : lead_line_q);
  assign back_rest_o = room ? {high_left, low_left} : {high_rest_q, low_rest_q};
  assign job_take_o = job_valid_i && (!valid_q || ends || makes_way);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      valid_o <= 1'b0;
      final_o <= 1'b0;
      stuck_q <= 1'b0;
    end else begin
      if (job_take_o) valid_q <= 1'b1;
      else if (ends) valid_q <= 1'b0;
      stuck_q <= valid_q && !room && !makes_way;
      valid_o <= emit;
      final_o <= emit && last;
    end
  end

  always_ff @(posedge clk_i) begin
    if (job_take_o) begin
      automatic words_t [LANES-1:0] low = job_words_i;
      automatic words_t [LANES-1:0] high = '0;
      automatic logic [LANES-1:0] has_low, has_high;
      if (job_i.burst) begin
        for (int l = 0; l < LANES; l++) begin
          for (int w = 1; w < REGISTERS; w++) begin
            if (32'(job_addr_i[l][OffsetBits-1:2]) + w >= LINE_BYTES / 4) begin
              low[l][w] = 1'b0;
              high[l][w] = job_words_i[l][w];
            end
          end
        end
      end
      for (int l = 0; l < LANES; l++) has_low[l] = low[l] != '0;
      for (int l = 0; l < LANES; l++) line_q[l] <= held_t'(job_addr_i[l][ADDR_WIDTH-1:OffsetBits]);
      for (int l = 0; l < LANES; l++) offset_q[l] <= offset_t'(job_addr_i[l]);
      low_rest_q <= job_resumed_i ? has_low & job_rest_i[0] : has_low;
      high_rest_q <= '0;
      if (needed(job_i.burst)) begin
        for (int l = 0; l < LANES; l++) has_high[l] = high[l] != '0;
        for (int l = 0; l < LANES; l++) next_q[l] <= held_t'(line_t'(job_addr_i[l][ADDR_WIDTH-1:OffsetBits] + line_t'(1)));
        high_rest_q <= job_resumed_i ? has_high & job_rest_i[1] : has_high;
      end
      low_q <= low;
      high_q <= high;
      lead_q <= job_lead_i;
      lead_line_q <= held_t'(job_line_i);
      space_q <= job_space_i;
      job_q <= job_i;
      entry_q <= job_entry_i;
    end else if (emit) begin
      low_rest_q <= low_left;
      high_rest_q <= high_left;
      lead_q <= lead;
      lead_line_q <= line;
    end
  end

  // The request
  // -----------
  function automatic words_t of_any_lane(lane_words_t words);
    logic [$bits(lane_words_t)/2-1:0] any;
    any = words[MAX_LANES-1:MAX_LANES/2] | words[MAX_LANES/2-1:0];
    for (int bits = $bits(any) / 2; bits >= $bits(words_t); bits /= 2) any |= any >> bits;
    return words_t'(any);
  endfunction

  lane_words_t served;
  words_t      together;
  always_comb begin
    served = '0;
    together = '0;
    if (valid_q && needed(room)) begin
      for (int l = 0; l < LANES; l++) if (low_joins[l]) served[l] = low_q[l];
      if (high_joins != '0) for (int l = 0; l < LANES; l++) if (high_joins[l]) served[l] |= high_q[l];
      together = of_any_lane(served);
    end
  end

  // The bytes that move, repeated as often as a block holds the access.
  function automatic logic [31:0] repeated(logic [5:0] bytes, logic [31:0] moved);
    case (bytes)
      6'd1:    return {32{moved[0]}};
      6'd2:    return {16{moved[1:0]}};
      6'd4:    return {8{moved[3:0]}};
      6'd8:    return {4{moved[7:0]}};
      6'd16:   return {2{moved[15:0]}};
      default: return moved;
    endcase
  endfunction

  logic [5:0] bytes;
  assign bytes = access_size(job_q.element_bytes, job_q.element_count);

  always_ff @(posedge clk_i) begin
    if (valid_q && needed(emit)) begin
      job_o <= job_q;
      entry_o <= entry_q;
      bytes_o <= bytes;
      moved_o <= job_q.burst ? '1 : repeated(bytes, moved_bytes(job_q.element_bytes, job_q.element_mask));
    end
    if (emit) begin
      offset_o <= offset_q;
      request_o <= '{
        slot: job_q.slot, warp: job_q.warp, tag: job_q.tag, group: job_q.group, exclusive: job_q.kind == KindCmpStore,
        write: job_q.kind == KindStore, space: space_e'(space_q[leader]), attr: job_q.attr,
        addr: {line_t'(lead_line_q), OffsetBits'(0)},
        await_last: job_q.await_last && job_q.burst, mmio: job_q.mmio, served: served, together: together
      };
    end
  end
endmodule
