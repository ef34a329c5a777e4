// SPDX-License-Identifier: MIT OR Apache-2.0
// The twins of lsu_coalesce: hardware finds the line of the next leader by a tree, a simulator by an index, only when
// there is a next request, and in numbers of 64 bits. Both must take the same groups, give the same ones back, and make
// the same requests.
//
// The inputs are free.

module lsu_coalesce_tree_proof
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
#(
  parameter int unsigned LANES = 4,
  parameter int unsigned LINE_BYTES = 32,
  parameter int unsigned WARPS = 2,
  localparam int unsigned LineBits = ADDR_WIDTH - $clog2(LINE_BYTES)
) (
  input logic                  clk_i,
  input logic                  job_valid_i,
  input job_t                  job_i,
  input entry_t                job_entry_i,
  input words_t [LANES-1:0]    job_words_i,
  input logic [LANES-1:0][3:0] job_space_i,
  input addr_t [LANES-1:0]     job_addr_i,
  input logic [LANES-1:0]      job_lead_i,
  input logic [LineBits-1:0]   job_line_i,
  input logic                  job_resumed_i,
  input logic [1:0][LANES-1:0] job_rest_i,
  input logic [WARPS-1:0]      ready_i,
  input logic [WARPS-1:0]      room_i,
  input logic [WARPS-1:0]      idle_i,
  input logic [WARPS-1:0]      held_i
);
  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  /* verilator lint_off PINMISSING */
  lsu_coalesce #(.LANES(LANES), .LINE_BYTES(LINE_BYTES), .WARPS(WARPS)) u_tree (
    .clk_i, .rst_ni, .job_valid_i, .job_i, .job_entry_i, .job_words_i, .job_space_i, .job_addr_i, .job_lead_i,
    .job_line_i, .job_resumed_i, .job_rest_i, .ready_i, .room_i, .idle_i, .held_i
  );
  lsu_coalesce_loop #(.LANES(LANES), .LINE_BYTES(LINE_BYTES), .WARPS(WARPS)) u_loop (
    .clk_i, .rst_ni, .job_valid_i, .job_i, .job_entry_i, .job_words_i, .job_space_i, .job_addr_i, .job_lead_i,
    .job_line_i, .job_resumed_i, .job_rest_i, .ready_i, .room_i, .idle_i, .held_i
  );
  /* verilator lint_on PINMISSING */

  always_comb begin
    if (rst_ni) begin
      Take: assert (u_tree.job_take_o == u_loop.job_take_o);
      Drop: assert (u_tree.drop_o == u_loop.drop_o);
      Back: assert (u_tree.back_o == u_loop.back_o);
      if (u_tree.back_o) begin
        BackGroup: assert (u_tree.back_entry_o == u_loop.back_entry_o && u_tree.back_rest_o == u_loop.back_rest_o);
        BackLead: assert (u_tree.back_lead_o == u_loop.back_lead_o && u_tree.back_line_o == u_loop.back_line_o);
      end
      Coming: assert (u_tree.coming_o == u_loop.coming_o);
      if (u_tree.coming_o) ComingWarp: assert (u_tree.coming_warp_o == u_loop.coming_warp_o);
      // Hardware reads in every cycle.
      if (u_loop.reads_o) Reads: assert (u_tree.reads_o && u_tree.read_entry_o == u_loop.read_entry_o);
      Valid: assert (u_tree.valid_o == u_loop.valid_o && u_tree.final_o == u_loop.final_o);
      if (u_tree.valid_o) begin
        Job: assert (u_tree.job_o == u_loop.job_o && u_tree.entry_o == u_loop.entry_o);
        Moved: assert (u_tree.bytes_o == u_loop.bytes_o && u_tree.moved_o == u_loop.moved_o);
        Request: assert (u_tree.request_o == u_loop.request_o && u_tree.offset_o == u_loop.offset_o);
      end
      // Line numbers, which only a group at work has, and the ones after them, which only a burst has
      if (u_tree.valid_q) Lead: assert (64'(u_tree.lead_line_q) == u_loop.lead_line_q);
    end
  end
  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    always_comb begin
      if (rst_ni && u_tree.valid_q) begin
        Line: assert (64'(u_tree.line_q[l]) == u_loop.line_q[l]);
        if (u_tree.job_q.burst) Next: assert (64'(u_tree.next_q[l]) == u_loop.next_q[l]);
        if (!u_tree.job_q.burst) High: assert (!u_tree.high_rest_q[l]);
      end
    end
  end
endmodule
