// SPDX-License-Identifier: MIT OR Apache-2.0
// What must hold at the ports of lsu_axi at every clock edge: rules for lsu_axi, for the unit and for the fabric.
//
// Bound to lsu_axi, to keep assertions out of that file. Checked in simulation; proof/lsu_axi_proof.sv proves the rules
// for lsu_axi, for every unit and every fabric that keep theirs. The rules for those two are the signal `environment`,
// and "(environment)" in a failure's message. Only the ports of lsu_axi are looked at.

`ifndef SYNTHESIS
// verilator tracing_off
module lsu_axi_assert
  import lsu_pkg::*;
#(
  parameter int unsigned LINE_BYTES = 128,
  parameter int unsigned PENDING = 16,
  parameter int unsigned DATA_BYTES = 128,
  localparam int unsigned IdBits = $clog2(PENDING)
) (
  input logic clk_i,
  input logic rst_ni  // asynchronous, active low
);
  localparam int unsigned Beats = LINE_BYTES / DATA_BYTES;
  localparam int unsigned BeatBits = Beats > 1 ? $clog2(Beats) : 1;
  localparam int unsigned OffsetBits = $clog2(LINE_BYTES);
  localparam logic [1:0] RespOkay = 2'b00;
  localparam logic [1:0] RespExokay = 2'b01;

  typedef logic [IdBits-1:0] axi_id_t;
  typedef logic [PENDING-1:0] ids_t;

  // Payloads and handshakes
  // -----------------------
  typedef struct packed {
    axi_id_t    id;
    addr_t      addr;
    logic [7:0] len;
    logic [2:0] size;
    logic [1:0] burst;
    logic       lock;
    logic [3:0] cache;
    logic [2:0] prot;
    logic [3:0] qos;
  } ax_t;

  ax_t aw, ar;
  assign aw = {lsu_axi.m_axi_awid_o, lsu_axi.m_axi_awaddr_o, lsu_axi.m_axi_awlen_o, lsu_axi.m_axi_awsize_o,
               lsu_axi.m_axi_awburst_o, lsu_axi.m_axi_awlock_o, lsu_axi.m_axi_awcache_o, lsu_axi.m_axi_awprot_o,
               lsu_axi.m_axi_awqos_o};
  assign ar = {lsu_axi.m_axi_arid_o, lsu_axi.m_axi_araddr_o, lsu_axi.m_axi_arlen_o, lsu_axi.m_axi_arsize_o,
               lsu_axi.m_axi_arburst_o, lsu_axi.m_axi_arlock_o, lsu_axi.m_axi_arcache_o, lsu_axi.m_axi_arprot_o,
               lsu_axi.m_axi_arqos_o};

  logic [DATA_BYTES*9:0]               w;
  logic [$bits(id_t)+LINE_BYTES*8+4:0] rsp;
  assign w = {lsu_axi.m_axi_wdata_o, lsu_axi.m_axi_wstrb_o, lsu_axi.m_axi_wlast_o};
  assign rsp = {lsu_axi.mem_rsp_id_o, lsu_axi.mem_rsp_data_o, lsu_axi.mem_rsp_error_o,
                lsu_axi.mem_rsp_exclusive_failed_o, lsu_axi.mem_rsp_scope_o, lsu_axi.mem_rsp_last_o};
  logic [$bits(id_t)+$bits(req_kind_e)+$bits(space_e)+$bits(attr_t)+ADDR_WIDTH+LINE_BYTES*9-1:0] req;
  logic [IdBits+1:0]              b;
  logic [IdBits+DATA_BYTES*8+2:0] r;
  assign req = {lsu_axi.mem_req_id_i, lsu_axi.mem_req_kind_i, lsu_axi.mem_req_space_i, lsu_axi.mem_req_attr_i,
                lsu_axi.mem_req_addr_i, lsu_axi.mem_req_be_i, lsu_axi.mem_req_data_i};
  assign b = {lsu_axi.m_axi_bid_i, lsu_axi.m_axi_bresp_i};
  assign r = {lsu_axi.m_axi_rid_i, lsu_axi.m_axi_rdata_i, lsu_axi.m_axi_rresp_i, lsu_axi.m_axi_rlast_i};

  axi_id_t req_id, rsp_id, bid, rid;
  logic    req_write, req_pair, req_taken, rsp_taken, aw_taken, w_taken, b_taken, ar_taken, r_taken;
  assign {req_id, rsp_id, bid, rid} = {axi_id_t'(lsu_axi.mem_req_id_i), axi_id_t'(lsu_axi.mem_rsp_id_o),
                                       lsu_axi.m_axi_bid_i, lsu_axi.m_axi_rid_i};
  assign req_write = lsu_axi.mem_req_kind_i inside {ReqWrite, ReqWriteExclusive};
  assign req_pair = lsu_axi.mem_req_kind_i inside {ReqReadExclusive, ReqWriteExclusive};
  assign req_taken = lsu_axi.mem_req_valid_i && lsu_axi.mem_req_ready_o;
  assign rsp_taken = lsu_axi.mem_rsp_valid_o && lsu_axi.mem_rsp_ready_i;
  assign aw_taken = lsu_axi.m_axi_awvalid_o && lsu_axi.m_axi_awready_i;
  assign w_taken = lsu_axi.m_axi_wvalid_o && lsu_axi.m_axi_wready_i;
  assign b_taken = lsu_axi.m_axi_bvalid_i && lsu_axi.m_axi_bready_o;
  assign ar_taken = lsu_axi.m_axi_arvalid_o && lsu_axi.m_axi_arready_i;
  assign r_taken = lsu_axi.m_axi_rvalid_i && lsu_axi.m_axi_rready_o;

  // What is in flight, by id
  // ------------------------
  // open: taken from the unit and not answered. sent: its AW or AR was taken; a burst of several beats may start while
  // its request still waits at the memory port. over: the fabric has answered.
  ids_t                      open_q, sent_q, over_q, write_q, pair_q, error_q, plain_q;
  logic [ADDR_WIDTH-1:OffsetBits] line_q [PENDING];
  logic [BeatBits-1:0]       len_q [PENDING];   // of a read
  logic [BeatBits-1:0]       beat_q [PENDING];  // of a read: beats so far
  logic [BeatBits-1:0]       first_q [PENDING]; // of a read: place of the first beat in the line
  logic [LINE_BYTES*8-1:0]   want_q [PENDING];  // of a read: the line, in the beats that were asked for

  // The unit asked for this burst, on this line.
  function automatic logic asked(ax_t ax, logic write);
    if (lsu_axi.mem_req_valid_i && req_id == ax.id) begin
      return {write, ax.lock, ax.addr[ADDR_WIDTH-1:OffsetBits]}
          == {req_write, req_pair, lsu_axi.mem_req_addr_i[ADDR_WIDTH-1:OffsetBits]};
    end
    return open_q[ax.id] && {write, ax.lock, ax.addr[ADDR_WIDTH-1:OffsetBits]}
        == {write_q[ax.id], pair_q[ax.id], line_q[ax.id]};
  endfunction

  // The data of an answer are what R brought.
  function automatic logic brings();
    brings = 1'b1;
    for (int p = 0; p < Beats; p++) begin
      if (BeatBits'(p) >= first_q[rsp_id] && BeatBits'(p) - first_q[rsp_id] <= len_q[rsp_id]) begin
        brings &= lsu_axi.mem_rsp_data_o[p*DATA_BYTES*8+:DATA_BYTES*8] == want_q[rsp_id][p*DATA_BYTES*8+:DATA_BYTES*8];
      end
    end
  endfunction

  // Rules for the environment
  // -------------------------
  logic req_waits_q, b_waits_q, r_waits_q;
  logic [$bits(req)-1:0] req_q;
  logic [$bits(b)-1:0]   b_q;
  logic [$bits(r)-1:0]   r_q;
  logic keeps_req, keeps_b, keeps_r, environment;
  always_comb begin
    keeps_req = !req_waits_q || (lsu_axi.mem_req_valid_i && req == req_q);
    if (lsu_axi.mem_req_valid_i) begin
      keeps_req &= 32'(lsu_axi.mem_req_id_i) < PENDING && !open_q[req_id];
      keeps_req &= lsu_axi.mem_req_be_i != '0 && lsu_axi.mem_req_addr_i[OffsetBits-1:0] == '0;
    end
    keeps_b = !b_waits_q || (lsu_axi.m_axi_bvalid_i && b == b_q);
    if (lsu_axi.m_axi_bvalid_i) begin
      keeps_b &= 32'(bid) < PENDING && open_q[bid] && sent_q[bid] && write_q[bid] && !over_q[bid];
      keeps_b &= lsu_axi.m_axi_bresp_i != RespExokay || pair_q[bid];
    end
    keeps_r = !r_waits_q || (lsu_axi.m_axi_rvalid_i && r == r_q);
    if (lsu_axi.m_axi_rvalid_i) begin
      keeps_r &= 32'(rid) < PENDING && open_q[rid] && sent_q[rid] && !write_q[rid] && !over_q[rid];
      keeps_r &= lsu_axi.m_axi_rresp_i != RespExokay || pair_q[rid];
      keeps_r &= lsu_axi.m_axi_rlast_i == (beat_q[rid] == len_q[rid]);
    end
  end
  assign environment = keeps_req && keeps_b && keeps_r;

  logic aw_waits_q, ar_waits_q, w_waits_q, rsp_waits_q, readies_q, rsp_ready_q, b_passed_q;
  ax_t  aw_q, ar_q;
  logic [$bits(w)-1:0]   w_q;
  logic [$bits(rsp)-1:0] rsp_q;
  logic [2:0] owed_q;    // writes that were taken, but not their last W
  logic some_b, some_r;  // the fabric has answered, and the unit has not taken the answer
  assign some_b = (over_q & write_q) != '0;
  assign some_r = (over_q & ~write_q) != '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {req_waits_q, b_waits_q, r_waits_q, aw_waits_q, ar_waits_q, w_waits_q, rsp_waits_q} <= '0;
      {readies_q, rsp_ready_q, b_passed_q} <= '0;
      {open_q, sent_q, over_q, error_q, plain_q} <= '0;
      owed_q <= '0;
      for (int i = 0; i < PENDING; i++) beat_q[i] <= '0;
    end else begin
      // What waits stays valid and unchanged, on both sides.
      req_waits_q <= lsu_axi.mem_req_valid_i && !req_taken;
      b_waits_q <= lsu_axi.m_axi_bvalid_i && !b_taken;
      r_waits_q <= lsu_axi.m_axi_rvalid_i && !r_taken;
      aw_waits_q <= lsu_axi.m_axi_awvalid_o && !aw_taken;
      ar_waits_q <= lsu_axi.m_axi_arvalid_o && !ar_taken;
      w_waits_q <= lsu_axi.m_axi_wvalid_o && !w_taken;
      rsp_waits_q <= lsu_axi.mem_rsp_valid_o && !rsp_taken;
      EnvRequest: assert (keeps_req)
        else $error("PORT-REQ (environment): a request changed, or its id %0d is in flight", req_id);
      EnvB: assert (keeps_b) else $error("AXI (environment): B changed, or nobody asked for it: id %0d", bid);
      EnvR: assert (keeps_r) else $error("AXI (environment): R changed, or nobody asked for it so: id %0d", rid);
      if (aw_waits_q) AwHeld: assert (lsu_axi.m_axi_awvalid_o && aw == aw_q) else $error("AXI: AW changed");
      if (ar_waits_q) ArHeld: assert (lsu_axi.m_axi_arvalid_o && ar == ar_q) else $error("AXI: AR changed");
      if (w_waits_q) WHeld: assert (lsu_axi.m_axi_wvalid_o && w == w_q) else $error("AXI: W changed");
      if (rsp_waits_q) RspHeld: assert (lsu_axi.mem_rsp_valid_o && rsp == rsp_q) else $error("PORT-HOLD: mem_rsp changed");

      // Every burst was asked for, and is sent once.
      if (lsu_axi.m_axi_awvalid_o) AwAsked: assert (asked(aw, 1'b1) && !sent_q[aw.id])
        else $error("AXI: AW %0d was not asked for", aw.id);
      if (lsu_axi.m_axi_arvalid_o) ArAsked: assert (asked(ar, 1'b0) && !sent_q[ar.id])
        else $error("AXI: AR %0d was not asked for", ar.id);
      // Every burst that was asked for is offered.
      AwOffered: assert ((open_q & write_q & ~sent_q) == '0 || lsu_axi.m_axi_awvalid_o) else $error("AXI: no AW for a write");
      ArOffered: assert ((open_q & ~write_q & ~sent_q) == '0 || lsu_axi.m_axi_arvalid_o) else $error("AXI: no AR for a read");
      WOffered: assert (owed_q == '0 || lsu_axi.m_axi_wvalid_o) else $error("AXI: no W for a write");

      owed_q <= owed_q + 3'(req_taken && req_write) - 3'(w_taken && lsu_axi.m_axi_wlast_o);
      WAsked: assert (!(lsu_axi.m_axi_wvalid_o && lsu_axi.m_axi_wlast_o) || owed_q != '0) else $error("AXI: W without a write");

      // Every answer is to an open request that the fabric answered, says what the fabric said, and is offered at once.
      if (lsu_axi.mem_rsp_valid_o) begin
        RspAsked: assert (open_q[rsp_id] && over_q[rsp_id] && 32'(lsu_axi.mem_rsp_id_o) < PENDING)
          else $error("PORT-ID: an answer for id %0d, which has none", rsp_id);
        RspTrue: assert (lsu_axi.mem_rsp_error_o == error_q[rsp_id] && lsu_axi.mem_rsp_last_o
                         && lsu_axi.mem_rsp_scope_o == ScopeSys && lsu_axi.mem_rsp_exclusive_failed_o
                         == (pair_q[rsp_id] && plain_q[rsp_id] && !error_q[rsp_id]))
          else $error("PORT-RSP: id %0d is told something else than the fabric said", rsp_id);
        RspData: assert (write_q[rsp_id] || brings()) else $error("PORT-RSP: id %0d gets other data than R brought", rsp_id);
      end
      RspOffered: assert (!(some_b || some_r) || lsu_axi.mem_rsp_valid_o) else $error("PORT-RSP: an answer is kept back");
      // R and B take turns.
      b_passed_q <= rsp_taken && !write_q[rsp_id] ? some_b : b_passed_q && !rsp_taken;
      if (b_passed_q) RspTurn: assert (write_q[rsp_id]) else $error("PORT-RSP: R passes B twice");

      // One request and one answer a cycle.
      readies_q <= lsu_axi.m_axi_awready_i && lsu_axi.m_axi_wready_i && lsu_axi.m_axi_arready_i;
      rsp_ready_q <= lsu_axi.mem_rsp_ready_i && !(some_b && some_r);
      if (readies_q && Beats == 1) ReqRate: assert (lsu_axi.mem_req_ready_o) else $error("PORT-RATE: a request waits");
      if (rsp_ready_q) RspRate: assert ((lsu_axi.m_axi_rready_o || some_b) && (lsu_axi.m_axi_bready_o || some_r))
        else $error("PORT-RATE: an answer waits");

      if (req_taken) open_q[req_id] <= 1'b1;
      if (aw_taken) sent_q[aw.id] <= 1'b1;
      if (ar_taken) sent_q[ar.id] <= 1'b1;
      if (b_taken) {over_q[bid], error_q[bid], plain_q[bid]}
          <= {1'b1, lsu_axi.m_axi_bresp_i[1], lsu_axi.m_axi_bresp_i == RespOkay};
      if (r_taken) begin
        over_q[rid] <= lsu_axi.m_axi_rlast_i;
        beat_q[rid] <= lsu_axi.m_axi_rlast_i ? '0 : beat_q[rid] + BeatBits'(1);
        error_q[rid] <= error_q[rid] || lsu_axi.m_axi_rresp_i[1];
        plain_q[rid] <= plain_q[rid] || lsu_axi.m_axi_rresp_i == RespOkay;
      end
      if (rsp_taken) {open_q[rsp_id], sent_q[rsp_id], over_q[rsp_id], error_q[rsp_id], plain_q[rsp_id]} <= '0;
    end
  end

  always_ff @(posedge clk_i) begin
    {req_q, b_q, r_q, aw_q, ar_q, w_q, rsp_q} <= {req, b, r, aw, ar, w, rsp};
    if (req_taken) begin
      write_q[req_id] <= req_write;
      pair_q[req_id] <= req_pair;
      line_q[req_id] <= lsu_axi.mem_req_addr_i[ADDR_WIDTH-1:OffsetBits];
    end
    if (ar_taken) begin
      len_q[ar.id] <= BeatBits'(ar.len);
      first_q[ar.id] <= Beats > 1 ? BeatBits'(ar.addr[OffsetBits-1:0] >> $clog2(DATA_BYTES)) : '0;
    end
    for (int p = 0; p < Beats; p++) begin
      if (r_taken && first_q[rid] + beat_q[rid] == BeatBits'(p)) begin
        want_q[rid][p*DATA_BYTES*8+:DATA_BYTES*8] <= lsu_axi.m_axi_rdata_i;
      end
    end
  end
endmodule
// verilator tracing_on

bind lsu_axi lsu_axi_assert #(
  .LINE_BYTES(LINE_BYTES), .PENDING(PENDING), .DATA_BYTES(DATA_BYTES)
) u_assert (.clk_i, .rst_ni);
`endif
