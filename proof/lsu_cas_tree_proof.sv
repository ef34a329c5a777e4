// SPDX-License-Identifier: MIT OR Apache-2.0
// The twins of lsu_cas: hardware finds a lane's dword by a one-hot mask, a simulator by an index. Both must find and
// store the same dwords, and make the same requests.
//
// The inputs are free, except that a line or a refusal is an answer, and that no more lines wait than there may be pairs.

module lsu_cas_tree_proof
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
#(
  parameter int unsigned LANES = 4,
  parameter int unsigned LINE_BYTES = 16,
  parameter int unsigned PENDING = 2,
  parameter int unsigned SLOTS = 2
) (
  input logic                                       clk_i,
  input logic                                       open_i,
  input slot_t                                      open_slot_i,
  input logic [LANES-1:0][$clog2(LINE_BYTES/4)-1:0] open_at_i,
  input logic [LANES-1:0][31:0]                     compare_i,
  input logic [LANES-1:0][31:0]                     value_i,
  input logic                                       begin_i,
  input id_t                                        begin_id_i,
  input request_t                                   begin_request_i,
  input logic [LINE_BYTES-1:0]                      begin_be_i,
  input logic                                       answer_i,
  input logic                                       line_i,
  input logic                                       refused_i,
  input id_t                                        rsp_id_i,
  input slot_t                                      rsp_slot_i,
  input lane_words_t                                rsp_served_i,
  input logic [LINE_BYTES*8-1:0]                    rsp_data_i,
  input logic                                       again_ready_i
);
  localparam int unsigned Words = LINE_BYTES / 4;

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  /* verilator lint_off PINMISSING */
  lsu_cas #(.LANES(LANES), .LINE_BYTES(LINE_BYTES), .PENDING(PENDING), .SLOTS(SLOTS)) u_tree (
    .clk_i, .rst_ni, .open_i, .open_slot_i, .open_at_i, .compare_i, .value_i, .begin_i, .begin_id_i, .begin_request_i,
    .begin_be_i, .answer_i, .line_i, .refused_i, .rsp_id_i, .rsp_slot_i, .rsp_served_i, .rsp_data_i, .again_ready_i
  );
  lsu_cas_loop #(.LANES(LANES), .LINE_BYTES(LINE_BYTES), .PENDING(PENDING), .SLOTS(SLOTS)) u_loop (
    .clk_i, .rst_ni, .open_i, .open_slot_i, .open_at_i, .compare_i, .value_i, .begin_i, .begin_id_i, .begin_request_i,
    .begin_be_i, .answer_i, .line_i, .refused_i, .rsp_id_i, .rsp_slot_i, .rsp_served_i, .rsp_data_i, .again_ready_i
  );
  /* verilator lint_on PINMISSING */

  always_comb begin
    if (rst_ni) begin
      Answer: assume (answer_i || !(line_i || refused_i));
      Again: assert (u_tree.again_valid_o == u_loop.again_valid_o);
      if (u_tree.again_valid_o) begin
        Request: assert (u_tree.again_id_o == u_loop.again_id_o && u_tree.again_o == u_loop.again_o
                         && u_tree.again_be_o == u_loop.again_be_o && u_tree.again_data_o == u_loop.again_data_o);
      end
      Over: assert (u_tree.over_o == u_loop.over_o && u_tree.over_id_o == u_loop.over_id_o
                    && u_tree.over_slot_o == u_loop.over_slot_o);
    end
  end
  // New dwords: hardware has a memory for each dword of a line, a simulator one array. Neither reads what was never
  // written.
  logic [PENDING-1:0][Words-1:0] put_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) put_q <= '0;
    else put_q[u_tree.id_q] <= put_q[u_tree.id_q] | u_tree.put;
  end

  // Lines that wait, from front_q on. There are fewer pairs than ids, and so a place is free, which only hardware writes.
  logic [$clog2(PENDING):0] waiting_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) waiting_q <= '0;
    else waiting_q <= waiting_q + ($clog2(PENDING) + 1)'(line_i) - ($clog2(PENDING) + 1)'(u_tree.load);
  end
  always_comb begin
    if (rst_ni) begin
      Room: assume (!line_i || 32'(waiting_q) < PENDING - 1);
      Waiting: assert (32'(waiting_q) < PENDING && u_tree.back_q == u_tree.front_q + $clog2(PENDING)'(waiting_q));
      Load: assert (!u_tree.load || waiting_q != '0);
    end
  end
  for (genvar n = 0; n < PENDING; n++) begin : gen_waiting
    logic [$clog2(PENDING)-1:0] at;
    assign at = u_tree.front_q + $clog2(PENDING)'(n);
    always_comb begin
      if (rst_ni && n < 32'(waiting_q)) begin
        Line: assert (u_tree.waiting_q[at] == u_loop.waiting_q[at] && u_tree.waiting_line_q[at] == u_loop.waiting_line_q[at]);
      end
    end
  end

  for (genvar w = 0; w < Words; w++) begin : gen_word
    always_comb begin
      if (rst_ni && u_tree.valid_q) Stored: assert (!u_tree.stored_q[w] || put_q[u_tree.id_q][w]);
    end
    for (genvar i = 0; i < PENDING; i++) begin : gen_id
      logic wanted;
      assign wanted = u_tree.wanted_q[i] || (u_tree.picked_valid_q && 32'(u_tree.picked_q) == i);
      always_comb begin
        if (rst_ni) begin
          New: assert (!put_q[i][w] || u_tree.gen_new[w].new_q[i] == u_loop.new_q[i*Words+w]);
          Wanted: assert (!(wanted && u_tree.second_q[i] && u_tree.write_q[i][w]) || put_q[i][w]);
        end
      end
    end
  end
  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    always_comb begin
      if (rst_ni && u_tree.valid_q) begin
        Hot: assert (u_tree.lane_hot_q[l] == Words'(1) << u_loop.lane_at_q[l]);
        Lower: assert (u_tree.lane_meets_q[l] >> l == '0);
      end
    end
    // Lanes that meet on a dword never act in one cycle.
    for (genvar m = 0; m < l; m++) begin : gen_other
      always_comb begin
        if (rst_ni && u_tree.valid_q) begin
          Meets: assert (u_tree.lane_meets_q[l][m] == (u_loop.lane_at_q[l] == u_loop.lane_at_q[m]));
        end
      end
    end
  end
endmodule
