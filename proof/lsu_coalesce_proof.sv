// SPDX-License-Identifier: MIT OR Apache-2.0
// lsu_lead and lsu_coalesce beside a list of the words left to request. Each request must serve all listed words that
// lie in the line of the first one, and no other (PORT-GROUP, PORT-MIN); an mmio lane goes alone (PTX-SEM).
//
// The groups and what is known of each warp are free, except that a group has some word to request, and that a resumed
// group is led by its first word left, as it was when it went back to lsu_store. Addresses are the lowest and the
// highest ones.

module lsu_coalesce_proof
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
  input logic [LANES-1:0][13:0] job_addr_i,
  input logic [LANES-1:0]      job_lead_i,
  input logic [LineBits-1:0]   job_line_i,
  input logic                  job_resumed_i,
  input logic [1:0][LANES-1:0] job_rest_i,
  input logic [WARPS-1:0]      room_i,
  input logic [WARPS-1:0]      idle_i,
  input logic [WARPS-1:0]      held_i,
  input logic [WARPS-1:0]      ready_i
);
  localparam int unsigned OffsetBits = $clog2(LINE_BYTES);
  typedef logic [LineBits-1:0] line_t;
  typedef logic [OffsetBits-1:0] offset_t;

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  // Addresses of the offered group, and of the group at work
  logic [LANES-1:0][13:0] at_q;
  addr_t [LANES-1:0]      addr, addr_q;
  for (genvar l = 0; l < LANES; l++) begin : gen_addr
    assign addr[l] = {{ADDR_WIDTH-14{job_addr_i[l][13]}}, job_addr_i[l]};
    assign addr_q[l] = {{ADDR_WIDTH-14{at_q[l][13]}}, at_q[l]};
  end

  logic [LANES-1:0] lead;
  line_t            line;
  lsu_lead #(.LANES(LANES), .LINE_BYTES(LINE_BYTES)) u_lead (
    .valid_i(1'b1), .burst_i(job_i.burst), .words_i(job_words_i), .addr_i(addr), .lead_o(lead), .line_o(line)
  );

  logic take, back, drop, coming, valid, final_request;
  entry_t back_entry;
  logic [LANES-1:0] back_lead;
  line_t back_line;
  logic [1:0][LANES-1:0] back_rest;
  job_t job;
  entry_t entry;
  request_t request;
  logic [LANES-1:0][OffsetBits-1:0] offset;
  /* verilator lint_off PINMISSING */
  lsu_coalesce #(.LANES(LANES), .LINE_BYTES(LINE_BYTES), .WARPS(WARPS)) u_coalesce (
    .clk_i, .rst_ni, .job_valid_i, .job_take_o(take), .job_i, .job_entry_i, .job_words_i, .job_space_i, .job_addr_i(addr),
    .job_lead_i(job_resumed_i ? job_lead_i : lead), .job_line_i(job_resumed_i ? job_line_i : line), .job_resumed_i,
    .job_rest_i, .back_o(back), .back_entry_o(back_entry), .back_lead_o(back_lead), .back_line_o(back_line),
    .back_rest_o(back_rest), .drop_o(drop), .ready_i, .room_i, .idle_i, .held_i, .coming_o(coming), .valid_o(valid),
    .final_o(final_request), .job_o(job), .entry_o(entry), .request_o(request), .offset_o(offset)
  );
  /* verilator lint_on PINMISSING */

  // Only a burst's words can cross into the next line.
  function automatic logic crosses(logic burst, offset_t at, int w);
    return burst && 32'(at) / 4 + w >= LINE_BYTES / 4;
  endfunction

  // The list: the group at work, and its words that are left
  logic               work_q;
  job_t               job_q;
  entry_t             entry_q;
  words_t [LANES-1:0] words_q, left_q, comes, goes;
  logic [LANES-1:0][3:0] space_q;

  // The first of some words of a group; none leads if there is none. The loops run downwards, so that the first is
  // written last.
  typedef struct packed {
    logic [LANES-1:0] lead;
    line_t            line;
  } leads_t;

  function automatic leads_t first_of(logic burst, addr_t [LANES-1:0] at, words_t [LANES-1:0] words);
    first_of = '0;
    for (int l = LANES - 1; l >= 0; l--) begin
      for (int w = REGISTERS - 1; w >= 0; w--) begin
        if (words[l][w]) begin
          first_of.lead = LANES'(1) << l;
          first_of.line = line_t'(at[l] >> OffsetBits) + line_t'(crosses(burst, offset_t'(at[l]), w));
        end
      end
    end
  endfunction

  always_comb begin
    for (int l = 0; l < LANES; l++) begin
      for (int w = 0; w < REGISTERS; w++) begin
        comes[l][w] = job_words_i[l][w] && (!job_resumed_i || job_rest_i[crosses(job_i.burst, offset_t'(addr[l]), w)][l]);
      end
    end
  end

  // The first word of the offered group, and of those left
  leads_t     come, first;
  logic [3:0] first_space;
  assign come = first_of(job_i.burst, addr, comes);
  assign first = first_of(job_q.burst, addr_q, left_q);
  always_comb begin
    first_space = '0;
    for (int l = 0; l < LANES; l++) if (first.lead[l]) first_space = space_q[l];
    for (int l = 0; l < LANES; l++) begin
      for (int w = 0; w < REGISTERS; w++) begin
        goes[l][w] = left_q[l][w] && (!job_q.mmio || first.lead[l])
            && line_t'(addr_q[l] >> OffsetBits) + line_t'(crosses(job_q.burst, offset_t'(addr_q[l]), w)) == first.line;
      end
    end
  end

  // When a request goes, and when the next group is taken
  logic room, same_warp;
  assign room = room_i[$clog2(WARPS)'(job_q.warp)];
  assign same_warp = job_i.warp == job_q.warp;
  // While requests are held back, a warp with none on its way hurries, and so does any warp without a held one if the
  // group at work is of a warp with one.
  logic hurries;
  always_comb begin
    hurries = 1'b0;
    for (int w = 0; w < WARPS; w++) begin
      if (ready_i[w] && $clog2(WARPS)'(job_q.warp) != $clog2(WARPS)'(w) && held_i != '0) begin
        if (idle_i[w] || (!held_i[w] && held_i[$clog2(WARPS)'(job_q.warp)])) hurries = 1'b1;
      end
    end
  end
  // Then, and after a cycle without room, the group makes way for another warp's, with what it sends in that cycle. An
  // offered group of its own warp is declined.
  logic stuck_q, moves_on, ends, gives_way, declines, sends;
  assign sends = work_q && room;
  assign ends = sends && left_q == goes;
  assign moves_on = work_q && job_valid_i && (stuck_q || hurries);
  assign gives_way = moves_on && !same_warp;
  assign declines = moves_on && same_warp && !ends;

  // What is left after this cycle, and its first word
  words_t [LANES-1:0] rest;
  leads_t             next;
  assign rest = sends ? left_q & ~goes : left_q;
  assign next = first_of(job_q.burst, addr_q, rest);

  logic     sent_valid_q, sent_final_q;
  job_t     sent_job_q;
  entry_t   sent_entry_q;
  request_t sent_q;
  logic [LANES-1:0][OffsetBits-1:0] sent_offset_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      work_q <= 1'b0;
      stuck_q <= 1'b0;
      sent_valid_q <= 1'b0;
      sent_final_q <= 1'b0;
    end else begin
      work_q <= take || (work_q && !ends);
      stuck_q <= work_q && !room && !gives_way;
      sent_valid_q <= sends;
      sent_final_q <= ends;
    end
  end
  words_t together;
  always_comb begin
    together = '0;
    for (int l = 0; l < LANES; l++) together |= goes[l];
  end
  always_ff @(posedge clk_i) begin
    if (sends) begin
      left_q <= left_q & ~goes;
      sent_job_q <= job_q;
      sent_entry_q <= entry_q;
      sent_q <= '{
        slot: job_q.slot, warp: job_q.warp, tag: job_q.tag, group: job_q.group, exclusive: job_q.kind == KindCmpStore,
        write: job_q.kind == KindStore, space: space_e'(first_space), attr: job_q.attr, addr: {first.line, offset_t'(0)},
        await_last: job_q.await_last && job_q.burst, mmio: job_q.mmio, served: lane_words_t'(goes), together: together
      };
      for (int l = 0; l < LANES; l++) sent_offset_q[l] <= offset_t'(addr_q[l]);
    end
    if (take) begin
      job_q <= job_i;
      entry_q <= job_entry_i;
      at_q <= job_addr_i;
      words_q <= job_words_i;
      left_q <= comes;
      space_q <= job_space_i;
    end
  end

  always_comb begin
    if (rst_ni) begin
      Some: assume (!job_valid_i || comes != '0);
      // mmio is of PTX alone, a burst of R700.
      One: assume (!(job_i.mmio && job_i.burst));
      Resumed: assume (!job_resumed_i || (job_lead_i == come.lead && job_line_i == come.line));
      if (job_valid_i && !job_resumed_i) Lead: assert (lead == come.lead && line == come.line);

      Left: assert (!work_q || left_q != '0);
      Taken: assert (take == (job_valid_i && (!work_q || gives_way || ends)));
      Drop: assert (drop == declines);
      Back: assert (back == (gives_way && !ends));
      if (back) BackLead: assert (back_entry == entry_q && back_lead == next.lead && back_line == next.line);
      Coming: assert (coming == sends);

      Valid: assert (valid == sent_valid_q && final_request == sent_final_q);
      if (valid) Request: assert (request == sent_q && offset == sent_offset_q);
      if (valid) Of: assert (job == sent_job_q && entry == sent_entry_q);

      // Invariants that tie the list to the modules
      Work: assert (u_coalesce.valid_q == work_q);
      Stuck: assert (u_coalesce.stuck_q == stuck_q && (work_q || !stuck_q));
      if (work_q) begin
        Kind: assert (!(job_q.mmio && job_q.burst));
        Group: assert (u_coalesce.job_q == job_q && u_coalesce.entry_q == entry_q && u_coalesce.space_q == space_q);
        Leads: assert (u_coalesce.lead_q == first.lead && u_coalesce.lead_line_q == first.line);
      end
    end
  end
  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    words_t upper;
    always_comb for (int w = 0; w < REGISTERS; w++) upper[w] = crosses(job_q.burst, offset_t'(addr_q[l]), w);
    always_comb begin
      if (rst_ni && back) BackRest: assert (rest[l] == (((words_q[l] & ~upper) & {REGISTERS{back_rest[0][l]}})
                                                        | ((words_q[l] & upper) & {REGISTERS{back_rest[1][l]}})));
      if (rst_ni && work_q) begin
        Words: assert (u_coalesce.low_q[l] == (words_q[l] & ~upper) && u_coalesce.high_q[l] == (words_q[l] & upper));
        // Of a lane's words in one line, either all are left or none.
        Rest: assert (left_q[l] == (((words_q[l] & ~upper) & {REGISTERS{u_coalesce.low_rest_q[l]}})
                                    | ((words_q[l] & upper) & {REGISTERS{u_coalesce.high_rest_q[l]}})));
        RestSome: assert ((!u_coalesce.low_rest_q[l] || (words_q[l] & ~upper) != '0)
                          && (!u_coalesce.high_rest_q[l] || (words_q[l] & upper) != '0));
        Own: assert (u_coalesce.line_q[l] == line_t'(addr_q[l] >> OffsetBits)
                     && (!job_q.burst || u_coalesce.next_q[l] == line_t'(addr_q[l] >> OffsetBits) + line_t'(1)));
        Offset: assert (u_coalesce.offset_q[l] == offset_t'(addr_q[l]));
      end
    end
  end
endmodule
