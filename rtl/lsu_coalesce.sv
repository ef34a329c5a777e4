// SPDX-License-Identifier: MIT OR Apache-2.0
// Turns the lanes of an operation into the fewest line requests: PORT-GROUP, PORT-MIN, COM-SAMEADDR.
//
//                +------+      +-------+
//   dispatch --->| pick |----->| merge |---> lsu_order
//                +------+      +-------+
//
// pick looks one request ahead: the lowest pending lane leads, and every pending lane in its line joins it.
// merge lays the bytes of the picked lanes into the line, the highest lane last. One request a cycle; the next
// operation is taken in the cycle in which the last request of this one goes.
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

  // From dispatch; pending_i is not empty
  input  logic                valid_i,
  output logic                ready_o,
  input  op_t                 op_i,
  input  slot_t               slot_i,
  input  logic [LANES-1:0]    pending_i,
  input  logic [LANES-1:0]    local_i,
  input  addr_t [LANES-1:0]   addr_i,
  input  ring_ptr_t           front_i,  // of the store data: its lowest register
  input  logic [LANES*32-1:0] ring_i [RING_BEATS],

  // To lsu_order
  output logic                    valid_o,
  input  logic                    ready_i,
  output logic                    final_o,  // the operation's last request
  output request_t                request_o,
  output logic [LINE_BYTES-1:0]   be_o,
  output logic [LINE_BYTES*8-1:0] data_o
);
  localparam int unsigned OffsetBits = $clog2(LINE_BYTES);
  localparam int unsigned Words = LINE_BYTES / 8;  // natural alignment puts each lane in whole aligned words
  localparam int unsigned WordBits = $clog2(Words);

  op_t                 op_q;
  slot_t               slot_q;
  logic [LANES-1:0]    rest_q;  // pending lanes that the picked request does not serve
  logic [LANES-1:0]    join_q;  // lanes that it serves
  logic [LANES-1:0]    local_q;
  addr_t               line_q;
  logic                line_local_q;
  addr_t [LANES-1:0]   addr_q;
  logic [LANES*32-1:0] data_q [REGISTERS];

  logic load, advance;
  assign final_o = rest_q == '0;
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
      automatic logic [LANES-1:0] pending = load ? pending_i : rest_q;
      automatic logic [LANES-1:0] is_local = load ? local_i : local_q;
      automatic addr_t leader_line = '0;
      automatic logic leader_local = 1'b0;
      for (int l = LANES - 1; l >= 0; l--) begin
        if (pending[l]) begin
          leader_line = load ? addr_i[l] : addr_q[l];
          leader_local = is_local[l];
        end
      end
      leader_line[OffsetBits-1:0] = '0;
      for (int l = 0; l < LANES; l++) begin
        automatic addr_t addr = load ? addr_i[l] : addr_q[l];
        automatic logic joins = pending[l] && addr[ADDR_WIDTH-1:OffsetBits] == leader_line[ADDR_WIDTH-1:OffsetBits];
        join_q[l] <= joins;
        rest_q[l] <= pending[l] && !joins;
      end
      line_q <= leader_line;
      line_local_q <= leader_local;
    end
    if (load) begin
      op_q <= op_i;
      slot_q <= slot_i;
      local_q <= local_i;
      addr_q <= addr_i;
      if (op_i.kind == KindStore) begin
        data_q[0] <= ring_i[front_i];
        if (op_i.element_bytes >= 5'd8) data_q[1] <= ring_i[front_i+ring_ptr_t'(1)];
        if (op_i.element_bytes == 5'd16) begin
          data_q[2] <= ring_i[front_i+ring_ptr_t'(2)];
          data_q[3] <= ring_i[front_i+ring_ptr_t'(3)];
        end
      end
    end
  end

  // Merge
  // -----
  logic [63:0]         word [Words];
  logic [7:0]          enable [Words];
  logic [7:0]          span, bytes;
  logic [63:0]         mask;
  logic [WordBits-1:0] at;

  assign span = op_q.element_bytes >= 5'd8 ? 8'hff : 8'((16'd1 << op_q.element_bytes) - 16'd1);

  always_comb begin
    be_o = '0;
    data_o = '0;
    bytes = '0;
    mask = '0;
    at = '0;
    for (int w = 0; w < Words; w++) begin
      word[w] = '0;
      enable[w] = '0;
    end
    if (valid_o) begin
      for (int l = 0; l < LANES; l++) begin
        if (join_q[l]) begin
          at = addr_q[l][OffsetBits-1:3];
          bytes = span << addr_q[l][2:0];
          enable[at] |= bytes;
          if (op_q.element_bytes == 5'd16) enable[at|WordBits'(1)] = 8'hff;
          if (op_q.kind == KindStore) begin
            mask = byte_mask(bytes);
            word[at] = (word[at] & ~mask)
                | (({data_q[1][l*32+:32], data_q[0][l*32+:32]} << {addr_q[l][2:0], 3'b0}) & mask);
            if (op_q.element_bytes == 5'd16) word[at|WordBits'(1)] = {data_q[3][l*32+:32], data_q[2][l*32+:32]};
          end
        end
      end
      for (int w = 0; w < Words; w++) begin
        be_o[w*8+:8] = enable[w];
        data_o[w*64+:64] = word[w];
      end
    end
  end

  assign request_o = '{
    slot: slot_q, warp: op_q.warp, tag: op_q.tag, group: '0, write: op_q.kind == KindStore,
    space: line_local_q ? SpaceLocal : SpaceGlobal, attr: op_q.attr, addr: line_q, lanes: lanes_t'(join_q)
  };

  function automatic logic [63:0] byte_mask(logic [7:0] enables);
    for (int b = 0; b < 8; b++) byte_mask[b*8+:8] = {8{enables[b]}};
  endfunction
endmodule
