// SPDX-License-Identifier: MIT OR Apache-2.0
// AXI4 master for the memory port of lsu: a line request becomes a burst, its id the AXI id, and the pair of a
// compare-and-store an exclusive access.
//
//   mem_req ---> burst -+-> queue ---> AW          R ---> lines, queue -+
//                       +-> queue ---> W                                +-> mem_rsp   (in turn)
//                       +-> queue ---> AR          B ---> queue --------+
//
// One request and one answer a cycle where DATA_BYTES is LINE_BYTES, else one beat. The fabric may answer in any order
// and interleave the read beats of different ids. Neither it nor this module has to order reads and writes: every id is
// in flight once (PORT-ID), and no two requests in flight share a byte if one writes (PORT-HAZARD). All outputs come
// from registers, except mem_req_ready_o, which depends on mem_req's kind and length, and the multiplexer between the
// two kinds of answers. No valid waits for a ready; RREADY and BREADY depend on nothing but room.
// What the fabric must keep, and the attributes: docs/axi.md.

module lsu_axi
  import lsu_pkg::*;
#(
  parameter int unsigned LINE_BYTES = 128,         // as the unit's
  parameter int unsigned PENDING = 16,             // as the unit's
  parameter int unsigned DATA_BYTES = LINE_BYTES,  // bus width: a power of two, 4 to LINE_BYTES, at least 1/16 of it
  localparam int unsigned IdBits = $clog2(PENDING)
) (
  input  logic clk_i,
  input  logic rst_ni,  // asynchronous, active low; the fabric's too, see docs/axi.md

  // The unit's memory port
  input  logic                    mem_req_valid_i,
  output logic                    mem_req_ready_o,
  input  id_t                     mem_req_id_i,
  input  req_kind_e               mem_req_kind_i,
  input  space_e                  mem_req_space_i,
  input  attr_t                   mem_req_attr_i,
  input  addr_t                   mem_req_addr_i,
  input  logic [LINE_BYTES-1:0]   mem_req_be_i,
  input  logic [LINE_BYTES*8-1:0] mem_req_data_i,

  output logic                    mem_rsp_valid_o,
  input  logic                    mem_rsp_ready_i,
  output id_t                     mem_rsp_id_o,
  output logic [LINE_BYTES*8-1:0] mem_rsp_data_o,
  output logic                    mem_rsp_error_o,
  output logic                    mem_rsp_exclusive_failed_o,
  output scope_e                  mem_rsp_scope_o,
  output logic                    mem_rsp_last_o,

  // Write address
  output logic                    m_axi_awvalid_o,
  input  logic                    m_axi_awready_i,
  output logic [IdBits-1:0]       m_axi_awid_o,
  output addr_t                   m_axi_awaddr_o,
  output logic [7:0]              m_axi_awlen_o,
  output logic [2:0]              m_axi_awsize_o,
  output logic [1:0]              m_axi_awburst_o,
  output logic                    m_axi_awlock_o,
  output logic [3:0]              m_axi_awcache_o,
  output logic [2:0]              m_axi_awprot_o,
  output logic [3:0]              m_axi_awqos_o,

  // Write data
  output logic                    m_axi_wvalid_o,
  input  logic                    m_axi_wready_i,
  output logic [DATA_BYTES*8-1:0] m_axi_wdata_o,
  output logic [DATA_BYTES-1:0]   m_axi_wstrb_o,
  output logic                    m_axi_wlast_o,

  // Write response
  input  logic                    m_axi_bvalid_i,
  output logic                    m_axi_bready_o,
  input  logic [IdBits-1:0]       m_axi_bid_i,
  input  logic [1:0]              m_axi_bresp_i,

  // Read address
  output logic                    m_axi_arvalid_o,
  input  logic                    m_axi_arready_i,
  output logic [IdBits-1:0]       m_axi_arid_o,
  output addr_t                   m_axi_araddr_o,
  output logic [7:0]              m_axi_arlen_o,
  output logic [2:0]              m_axi_arsize_o,
  output logic [1:0]              m_axi_arburst_o,
  output logic                    m_axi_arlock_o,
  output logic [3:0]              m_axi_arcache_o,
  output logic [2:0]              m_axi_arprot_o,
  output logic [3:0]              m_axi_arqos_o,

  // Read data
  input  logic                    m_axi_rvalid_i,
  output logic                    m_axi_rready_o,
  input  logic [IdBits-1:0]       m_axi_rid_i,
  input  logic [DATA_BYTES*8-1:0] m_axi_rdata_i,
  input  logic [1:0]              m_axi_rresp_i,
  input  logic                    m_axi_rlast_i
);
  localparam int unsigned Beats = LINE_BYTES / DATA_BYTES;
  localparam int unsigned BeatBits = Beats > 1 ? $clog2(Beats) : 1;
  // INCR; a data access, non-secure, unprivileged.
  localparam logic [1:0] Incr = 2'b01;
  localparam logic [2:0] Prot = 3'b010;
  localparam logic [1:0] RespOkay = 2'b00;

  if (!(LINE_BYTES inside {32, 64, 128})) $error("LINE_BYTES must be 32, 64 or 128");
  if (PENDING < 2 || PENDING > 64) $error("PENDING must be 2 to 64");
  // A pair moves its whole line: AXI4 limits an exclusive access to 128 bytes, aligned, in 16 beats.
  if (DATA_BYTES < 4 || DATA_BYTES > LINE_BYTES || 2**$clog2(DATA_BYTES) != DATA_BYTES || Beats > 16) begin : gen_check
    $error("DATA_BYTES must be a power of two, 4 to LINE_BYTES, and LINE_BYTES / 16 at least");
  end

  // Requests
  // --------
  typedef struct packed {
    logic [IdBits-1:0] id;
    addr_t             addr;
    logic [7:0]        len;
    logic [2:0]        size;
    logic              lock;
    logic [3:0]        cache;
    logic [3:0]        qos;
  } ax_t;

  ax_t                 ax, aw, ar;
  logic [BeatBits-1:0] first_beat;
  assign ax.id = IdBits'(mem_req_id_i);

  lsu_axi_burst #(.LINE_BYTES(LINE_BYTES), .DATA_BYTES(DATA_BYTES)) u_burst (
    .kind_i(mem_req_kind_i), .space_i(mem_req_space_i), .attr_i(mem_req_attr_i), .line_i(mem_req_addr_i),
    .be_i(mem_req_be_i),
    .addr_o(ax.addr), .len_o(ax.len), .size_o(ax.size), .lock_o(ax.lock), .cache_o(ax.cache), .qos_o(ax.qos),
    .beat_o(first_beat)
  );

  // The next beat of a write. The request waits at the memory port until its last beat is in the queue.
  logic                    beat_first, beat_last;
  logic [DATA_BYTES*8-1:0] beat_data;
  logic [DATA_BYTES-1:0]   beat_strb;

  logic write, aw_room, w_room, ar_room, w_push;
  assign write = mem_req_kind_i inside {ReqWrite, ReqWriteExclusive};
  assign w_push = mem_req_valid_i && write && w_room && (aw_room || !beat_first);
  assign mem_req_ready_o = write ? w_room && (aw_room || !beat_first) && beat_last : ar_room;

  if (Beats > 1) begin : gen_beats
    logic [BeatBits-1:0] count_q;
    logic [Beats-1:0]    chosen;
    assign beat_first = count_q == '0;
    assign beat_last = count_q == BeatBits'(ax.len);
    for (genvar b = 0; b < Beats; b++) begin : gen_beat
      assign chosen[b] = (first_beat | count_q) == BeatBits'(b);
    end
    always_comb begin
      beat_data = '0;
      beat_strb = '0;
      for (int b = 0; b < Beats; b++) begin
        beat_data |= mem_req_data_i[b*DATA_BYTES*8+:DATA_BYTES*8] & {DATA_BYTES*8{chosen[b]}};
        beat_strb |= mem_req_be_i[b*DATA_BYTES+:DATA_BYTES] & {DATA_BYTES{chosen[b]}};
      end
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) count_q <= '0;
      else if (w_push) count_q <= beat_last ? '0 : count_q + BeatBits'(1);
    end
  end else begin : gen_beat
    assign {beat_first, beat_last} = 2'b11;
    assign {beat_data, beat_strb} = {mem_req_data_i, mem_req_be_i};
  end

  lsu_axi_queue #(.WIDTH($bits(ax_t))) u_aw (
    .clk_i, .rst_ni, .valid_i(w_push && beat_first), .ready_o(aw_room), .data_i(ax),
    .valid_o(m_axi_awvalid_o), .ready_i(m_axi_awready_i), .data_o(aw)
  );
  lsu_axi_queue #(.WIDTH(DATA_BYTES * 9 + 1)) u_w (
    .clk_i, .rst_ni, .valid_i(w_push), .ready_o(w_room), .data_i({beat_data, beat_strb, beat_last}),
    .valid_o(m_axi_wvalid_o), .ready_i(m_axi_wready_i), .data_o({m_axi_wdata_o, m_axi_wstrb_o, m_axi_wlast_o})
  );
  lsu_axi_queue #(.WIDTH($bits(ax_t))) u_ar (
    .clk_i, .rst_ni, .valid_i(mem_req_valid_i && !write), .ready_o(ar_room), .data_i(ax),
    .valid_o(m_axi_arvalid_o), .ready_i(m_axi_arready_i), .data_o(ar)
  );

  assign {m_axi_awid_o, m_axi_awaddr_o, m_axi_awlen_o, m_axi_awsize_o, m_axi_awlock_o, m_axi_awcache_o, m_axi_awqos_o} = aw;
  assign {m_axi_arid_o, m_axi_araddr_o, m_axi_arlen_o, m_axi_arsize_o, m_axi_arlock_o, m_axi_arcache_o, m_axi_arqos_o} = ar;
  assign m_axi_awburst_o = Incr;
  assign m_axi_arburst_o = Incr;
  assign m_axi_awprot_o = Prot;
  assign m_axi_arprot_o = Prot;

  // Answers
  // -------
  typedef struct packed {
    logic [IdBits-1:0] id;
    logic              error;
    logic              failed;
  } answer_t;

  // OKAY to an exclusive means that the write was not made, or that the memory that was read has no monitor (PORT-CAS).
  logic pair_q [PENDING];
  always_ff @(posedge clk_i) begin
    if (mem_req_valid_i && mem_req_ready_o) pair_q[IdBits'(mem_req_id_i)] <= ax.lock;
  end

  answer_t b_in, b, r_in, r;
  logic    b_valid, b_taken, r_valid, r_taken;
  logic [LINE_BYTES*8-1:0] r_data;

  assign b_in = '{id: m_axi_bid_i, error: m_axi_bresp_i[1], failed: pair_q[m_axi_bid_i] && m_axi_bresp_i == RespOkay};
  lsu_axi_queue #(.WIDTH($bits(answer_t))) u_b (
    .clk_i, .rst_ni, .valid_i(m_axi_bvalid_i), .ready_o(m_axi_bready_o), .data_i(b_in),
    .valid_o(b_valid), .ready_i(b_taken), .data_o(b)
  );

  logic r_error, r_plain;  // of the whole burst
  assign r_in = '{id: m_axi_rid_i, error: r_error, failed: pair_q[m_axi_rid_i] && r_plain && !r_error};
  if (Beats > 1) begin : gen_lines
    lsu_axi_queue #(.WIDTH($bits(answer_t))) u_r (
      .clk_i, .rst_ni, .valid_i(m_axi_rvalid_i && m_axi_rlast_i), .ready_o(m_axi_rready_o), .data_i(r_in),
      .valid_o(r_valid), .ready_i(r_taken), .data_o(r)
    );
    lsu_axi_lines #(.LINE_BYTES(LINE_BYTES), .DATA_BYTES(DATA_BYTES), .IDS(PENDING)) u_lines (
      .clk_i, .rst_ni, .beat_i(m_axi_rvalid_i && m_axi_rready_o), .id_i(m_axi_rid_i), .data_i(m_axi_rdata_i),
      .resp_i(m_axi_rresp_i), .last_i(m_axi_rlast_i), .error_o(r_error), .plain_o(r_plain),
      .line_id_i(r.id), .line_o(r_data)
    );
  end else begin : gen_line
    assign r_error = m_axi_rresp_i[1];
    assign r_plain = m_axi_rresp_i == RespOkay;
    lsu_axi_queue #(.WIDTH($bits(answer_t) + LINE_BYTES * 8)) u_r (
      .clk_i, .rst_ni, .valid_i(m_axi_rvalid_i), .ready_o(m_axi_rready_o), .data_i({r_in, m_axi_rdata_i}),
      .valid_o(r_valid), .ready_i(r_taken), .data_o({r, r_data})
    );
  end

  // R and B take turns when both have an answer; an offered answer keeps the turn until it is taken.
  logic turn_q, pick_b;
  assign pick_b = b_valid && (!r_valid || turn_q);
  assign b_taken = pick_b && mem_rsp_ready_i;
  assign r_taken = r_valid && !pick_b && mem_rsp_ready_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) turn_q <= 1'b0;
    else if (mem_rsp_valid_o) turn_q <= pick_b ^ mem_rsp_ready_i;
  end

  assign mem_rsp_valid_o = b_valid || r_valid;
  assign {mem_rsp_error_o, mem_rsp_exclusive_failed_o} = pick_b ? {b.error, b.failed} : {r.error, r.failed};
  assign mem_rsp_id_o = pick_b ? id_t'(b.id) : id_t'(r.id);
  // A write's answer brings no data: they are 0, as they must not change while the answer waits.
  assign mem_rsp_data_o = r_data & {LINE_BYTES*8{!pick_b}};
  assign mem_rsp_scope_o = ScopeSys;
  assign mem_rsp_last_o = 1'b1;
endmodule
