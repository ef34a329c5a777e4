// SPDX-License-Identifier: MIT OR Apache-2.0
// lsu_coalesce, which compares all lanes with all as a group comes, beside the comparison with the leader that a simulator
// does: the same requests, and the same groups taken, sent back and dropped.
//
// What comes, and for which warps there is room, is free, but that something of it is to be asked for; addresses are the
// lowest and the highest ones.

module lsu_coalesce_tree_proof
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
#(
  parameter int unsigned LANES = 4,
  parameter int unsigned LINE_BYTES = 32,
  parameter int unsigned WARPS = 2
) (
  input logic                  clk_i,
  input logic                  job_valid_i,
  input job_t                  job_i,
  input entry_t                job_entry_i,
  input words_t [LANES-1:0]    job_words_i,
  input logic [LANES-1:0][3:0] job_space_i,
  input logic [LANES-1:0][13:0] job_addr_i,
  input logic                  job_resumed_i,
  input logic [1:0][LANES-1:0] job_rest_i,
  input logic [WARPS-1:0]      room_i,
  input logic [WARPS-1:0]      idle_i
);
  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  addr_t [LANES-1:0] addr;
  for (genvar l = 0; l < LANES; l++) begin : gen_addr
    assign addr[l] = {{ADDR_WIDTH-14{job_addr_i[l][13]}}, job_addr_i[l]};
  end

  /* verilator lint_off PINMISSING */
  lsu_coalesce #(.LANES(LANES), .LINE_BYTES(LINE_BYTES), .WARPS(WARPS)) u_tree (
    .clk_i, .rst_ni, .job_valid_i, .job_i, .job_entry_i, .job_words_i, .job_space_i, .job_addr_i(addr), .job_resumed_i,
    .job_rest_i, .room_i, .idle_i
  );
  lsu_coalesce_loop #(.LANES(LANES), .LINE_BYTES(LINE_BYTES), .WARPS(WARPS)) u_loop (
    .clk_i, .rst_ni, .job_valid_i, .job_i, .job_entry_i, .job_words_i, .job_space_i, .job_addr_i(addr), .job_resumed_i,
    .job_rest_i, .room_i, .idle_i
  );
  /* verilator lint_on PINMISSING */

  // Lanes of what comes that have words in the line of their first, and in the line after it
  logic [LANES-1:0] low, high;
  always_comb begin
    low = '0;
    high = '0;
    for (int l = 0; l < LANES; l++) begin
      for (int w = 0; w < REGISTERS; w++) begin
        automatic logic crosses = job_i.burst && 32'(addr[l][$clog2(LINE_BYTES)-1:2]) + w >= LINE_BYTES / 4;
        if (job_words_i[l][w] && crosses) high[l] = !job_resumed_i || job_rest_i[1][l];
        if (job_words_i[l][w] && !crosses) low[l] = !job_resumed_i || job_rest_i[0][l];
      end
    end
  end

  always_comb begin
    if (rst_ni) begin
      Some: assume (!job_valid_i || (low | high) != '0);
      Left: assert (!u_tree.valid_q || u_tree.rest != '0);
      Taken: assert (u_tree.job_take_o == u_loop.job_take_o && u_tree.drop_o == u_loop.drop_o);
      Back: assert (u_tree.back_o == u_loop.back_o && u_tree.back_entry_o == u_loop.back_entry_o
                    && u_tree.back_rest_o == u_loop.back_rest_o);
      Coming: assert (u_tree.coming_o == u_loop.coming_o && u_tree.coming_warp_o == u_loop.coming_warp_o);
      Valid: assert (u_tree.valid_o == u_loop.valid_o && u_tree.final_o == u_loop.final_o);
      Request: assert (u_tree.job_o == u_loop.job_o && u_tree.entry_o == u_loop.entry_o
                       && u_tree.request_o == u_loop.request_o && u_tree.offset_o == u_loop.offset_o);
      // What holds them together: of a burst alone words are in the next line.
      if (u_tree.valid_q) High: assert (u_tree.job_q.burst || u_tree.high_rest_q == '0);
    end
  end
  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    always_comb begin
      // A simulator keeps lines in wider registers.
      if (rst_ni && u_tree.valid_q) Line: assert (u_loop.line_q[l] == 64'(u_tree.line_q[l])
                                                  && u_loop.next_q[l] == 64'(u_tree.next_q[l]));
      if (rst_ni && u_tree.valid_q && u_tree.job_q.burst) Next: assert (u_tree.next_q[l] == u_tree.line_q[l] + 1'b1);
    end
    for (genvar m = 0; m < LANES; m++) begin : gen_other
      always_comb begin
        if (rst_ni && u_tree.valid_q) begin
          Same: assert (u_tree.same_q[l][m] == (u_tree.line_q[l] == u_tree.line_q[m]));
          After: assert (!u_tree.job_q.burst || u_tree.after_q[l][m] == (u_tree.next_q[l] == u_tree.line_q[m]));
        end
      end
    end
  end
endmodule
