// SPDX-License-Identifier: MIT OR Apache-2.0
// Turns the lanes of a group into the fewest line requests: PORT-GROUP, PORT-MIN, COM-SAMEADDR.
//
//                +------+      +-------+
//   dispatch --->| pick |----->| merge |---> lsu_order
//                +------+      +-------+
//
// pick looks one request ahead: the lowest pending lane leads, and every pending lane with words in its line joins it.
// Only a burst's words can cross into the next line; the lane then stays pending for the other line, and leads with the
// lower one first. An mmio lane goes alone (PTX-SEM). merge lays the words of the picked lanes into the line, the
// highest lane last. One request a cycle; the next group is taken in the cycle in which the last request of this one
// goes.
// Golden model: src/model/coalesce.rs.

module lsu_coalesce
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
#(
  parameter int unsigned LANES = 32,
  parameter int unsigned LINE_BYTES = 128
) (
  input  logic clk_i,
  input  logic rst_ni,  // asynchronous, active low

  // From dispatch; words_i is not empty
  input  logic                valid_i,
  output logic                ready_o,
  input  op_t                 op_i,
  input  slot_t               slot_i,
  input  group_t              group_i,
  input  words_t [LANES-1:0]  words_i,
  input  logic [LANES-1:0][3:0] space_i,
  input  addr_t [LANES-1:0]   addr_i,
  input  rows_t               rows_i,   // for which the ring holds data
  input  ring_ptr_t           front_i,  // of the store data: its lowest register
  input  logic [LANES*32-1:0] ring_i [RING_BEATS],

  // To lsu_order
  output logic                    valid_o,
  input  logic                    ready_i,
  output logic                    final_o,  // the group's last request
  output request_t                request_o,
  output logic [LINE_BYTES-1:0]   be_o,
  output logic [LINE_BYTES*8-1:0] data_o
);
  localparam int unsigned OffsetBits = $clog2(LINE_BYTES);
  localparam int unsigned Pairs = LINE_BYTES / 8;  // of words: what is up to 8 bytes lies in one, but for bursts
  localparam int unsigned PairBits = $clog2(Pairs);
  typedef logic [ADDR_WIDTH-OffsetBits-1:0] line_t;

  op_t                 op_q;
  slot_t               slot_q;
  group_t              group_q;
  logic [LANES-1:0]    low_rest_q;   // lanes with words that the picked request does not serve: in the line of their
  logic [LANES-1:0]    high_rest_q;  // first word, and in the line after it
  lane_words_t         served_q;     // by the picked request
  words_t              together_q;   // of all its lanes
  logic [LANES-1:0][3:0] space_q;
  line_t               line_q;
  space_e              line_space_q;
  addr_t [LANES-1:0]   addr_q;
  words_t [LANES-1:0]  low_q;        // words in the line of the first, and in the next
  words_t [LANES-1:0]  high_q;
  logic [LANES*32-1:0] data_q [ROWS];

  logic load, advance;
  assign final_o = (low_rest_q | high_rest_q) == '0;
  assign advance = valid_o && ready_i;
  assign ready_o = !valid_o || (advance && final_o);
  assign load = valid_i && ready_o;

  // Pick
  // ----
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_o <= 1'b0;
    else if (ready_o) valid_o <= valid_i;
  end

  always_ff @(posedge clk_i) begin
    if (load || advance) begin
      automatic words_t [LANES-1:0] low = load ? words_i : low_q;
      automatic words_t [LANES-1:0] high = load ? '0 : high_q;
      automatic logic [LANES-1:0] low_pending = low_rest_q;
      automatic logic [LANES-1:0] high_pending = load ? '0 : high_rest_q;
      automatic line_t leader_line = '0;
      automatic line_t line_below = '0;
      automatic space_e leader_space = SpaceGlobal;
      automatic logic alone = load ? is_mmio(op_i) : is_mmio(op_q);
      automatic logic leads = 1'b1;  // no lane was pending so far
      automatic logic leader_high = 1'b0;
      automatic lane_words_t served = '0;
      automatic words_t together = '0;
      if (load && op_i.space == SpaceBuffer) begin
        for (int l = 0; l < LANES; l++) begin
          for (int w = 1; w < REGISTERS; w++) begin
            if (32'(addr_i[l][OffsetBits-1:2]) + w >= LINE_BYTES / 4) begin
              low[l][w] = 1'b0;
              high[l][w] = words_i[l][w];
            end
          end
          high_pending[l] = high[l] != '0;
        end
      end
      if (load) for (int l = 0; l < LANES; l++) low_pending[l] = low[l] != '0;
      for (int l = LANES - 1; l >= 0; l--) begin
        if (low_pending[l] || high_pending[l]) begin
          leader_line = line_t'((load ? addr_i[l] : addr_q[l]) >> OffsetBits);
          leader_high = !low_pending[l];
          leader_space = space_e'(load ? space_i[l] : space_q[l]);
        end
      end
      if (leader_high) leader_line = leader_line + line_t'(1);
      line_below = leader_line - line_t'(1);
      for (int l = 0; l < LANES; l++) begin
        automatic line_t line = line_t'((load ? addr_i[l] : addr_q[l]) >> OffsetBits);
        automatic logic low_joins = low_pending[l] && line == leader_line && (leads || !alone);
        automatic logic high_joins = high_pending[l] && line == line_below;
        if (low_pending[l]) leads = 1'b0;
        if (low_joins) served[l] = low[l];
        if (high_joins) served[l] = high[l];
        together |= served[l];
        low_rest_q[l] <= low_pending[l] && !low_joins;
        high_rest_q[l] <= high_pending[l] && !high_joins;
      end
      served_q <= served;
      together_q <= together;
      low_q <= low;
      high_q <= high;
      line_q <= leader_line;
      line_space_q <= leader_space;
    end
    if (load) begin
      automatic ring_ptr_t from = front_i;
      op_q <= op_i;
      slot_q <= slot_i;
      group_q <= group_i;
      space_q <= space_i;
      addr_q <= addr_i;
      if (op_i.kind == KindStore) begin
        for (int r = 0; r < ROWS; r++) begin
          if (rows_i[r]) begin
            data_q[r] <= ring_i[from];
            from = from + ring_ptr_t'(1);
          end
        end
      end
    end
  end

  // Merge
  // -----
  logic [63:0]         word [Pairs];
  logic [7:0]          enable [Pairs];
  logic                burst, small_access;
  logic [31:0]         access;
  logic [3:0][7:0]     bytes;   // an access touches up to 4 pairs, a burst's, from an odd word on, 3
  logic [3:0][63:0]    value;
  logic [63:0]         mask;
  logic [5:0]          parts;
  logic [PairBits-1:0] at;

  // Lanes of an access move the same bytes of it; those of a burst may not.
  assign burst = op_q.space == SpaceBuffer;
  assign access = valid_o && !burst ? access_mask(op_q) : '0;
  assign small_access = access_bytes(op_q) <= 6'd8;

  always_comb begin
    be_o = '0;
    data_o = '0;
    bytes = access;
    value = '0;
    mask = '0;
    parts = '0;
    at = '0;
    for (int p = 0; p < Pairs; p++) begin
      word[p] = '0;
      enable[p] = '0;
    end
    if (valid_o) begin
      for (int l = 0; l < LANES; l++) begin
        if (served_q[l] != '0) begin
          at = addr_q[l][OffsetBits-1:3];
          if (burst) begin
            parts = addr_q[l][2] ? {1'b0, served_q[l], 1'b0} : {2'b0, served_q[l]};
            for (int i = 0; i < 6; i++) bytes[i/2][i%2*4+:4] = {4{parts[i]}};
          end else if (small_access) begin
            bytes[0] = access[7:0] << addr_q[l][2:0];
          end
          for (int i = 0; i < 4; i++) if (bytes[i] != '0) enable[at+PairBits'(i)] |= bytes[i];
          if (op_q.kind == KindStore) begin
            if (burst && addr_q[l][2]) begin
              value[0] = {data_q[0][l*32+:32], 32'b0};
              value[1] = {data_q[2][l*32+:32], data_q[1][l*32+:32]};
              value[2] = {32'b0, data_q[3][l*32+:32]};
            end else if (!burst && op_q.element_bytes < 5'd4) begin
              value[1:0] = side_by_side(op_q.element_bytes, rows_at(l)) << {addr_q[l][2:0], 3'b0};
            end else begin
              value[0] = {data_q[1][l*32+:32], data_q[0][l*32+:32]};
              if (!burst && small_access) value[0] = value[0] << {addr_q[l][2:0], 3'b0};
              if (bytes[1] != '0) value[1] = {data_q[3][l*32+:32], data_q[2][l*32+:32]};
              if (bytes[2] != '0) value[2] = {data_q[5][l*32+:32], data_q[4][l*32+:32]};
              if (bytes[3] != '0) value[3] = {data_q[7][l*32+:32], data_q[6][l*32+:32]};
            end
            for (int i = 0; i < 4; i++) begin
              if (bytes[i] != '0) begin
                mask = {byte_mask(bytes[i][7:4]), byte_mask(bytes[i][3:0])};
                word[at+PairBits'(i)] = (word[at+PairBits'(i)] & ~mask) | (value[i] & mask);
              end
            end
          end
        end
      end
      for (int p = 0; p < Pairs; p++) begin
        be_o[p*8+:8] = enable[p];
        data_o[p*64+:64] = word[p];
      end
    end
  end

  function automatic logic [ROWS-1:0][31:0] rows_at(int l);
    return {data_q[7][l*32+:32], data_q[6][l*32+:32], data_q[5][l*32+:32], data_q[4][l*32+:32],
            data_q[3][l*32+:32], data_q[2][l*32+:32], data_q[1][l*32+:32], data_q[0][l*32+:32]};
  endfunction

  assign request_o = '{
    slot: slot_q, warp: op_q.warp, tag: op_q.tag, group: group_q, exclusive: op_q.kind == KindCmpStore,
    write: op_q.kind == KindStore, space: line_space_q,
    attr: op_q.attr, addr: {line_q, OffsetBits'(0)}, await_last: op_q.await_last && burst, mmio: is_mmio(op_q),
    served: served_q, together: together_q
  };
endmodule
