// SPDX-License-Identifier: MIT OR Apache-2.0
// AXI4's rules for the bursts of lsu_axi: shape, address, exclusive access, and as many W beats as AWLEN says.
//
// Bound to lsu_axi, like lsu_axi_assert, and proved with it.

`ifndef SYNTHESIS
// verilator tracing_off
module lsu_axi_burst_assert
  import lsu_pkg::*;
#(
  parameter int unsigned LINE_BYTES = 128,
  parameter int unsigned DATA_BYTES = 128
) (
  input logic clk_i,
  input logic rst_ni  // asynchronous, active low
);
  localparam int unsigned Beats = LINE_BYTES / DATA_BYTES;
  localparam int unsigned BeatBits = Beats > 1 ? $clog2(Beats) : 1;

  typedef logic [BeatBits-1:0] beat_t;
  typedef struct packed {
    logic [7:0] len;
    logic [2:0] size;
    logic [1:0] burst;
    logic       lock;
    logic [3:0] cache;
    logic [2:0] prot;
    logic [3:0] qos;
  } shape_t;

  shape_t aw, ar;
  assign aw = {lsu_axi.m_axi_awlen_o, lsu_axi.m_axi_awsize_o, lsu_axi.m_axi_awburst_o, lsu_axi.m_axi_awlock_o,
               lsu_axi.m_axi_awcache_o, lsu_axi.m_axi_awprot_o, lsu_axi.m_axi_awqos_o};
  assign ar = {lsu_axi.m_axi_arlen_o, lsu_axi.m_axi_arsize_o, lsu_axi.m_axi_arburst_o, lsu_axi.m_axi_arlock_o,
               lsu_axi.m_axi_arcache_o, lsu_axi.m_axi_arprot_o, lsu_axi.m_axi_arqos_o};

  // INCR, of full beats or one narrow one, in a naturally aligned block of at most a line, so that it crosses no 4 KiB.
  // An exclusive access is a whole line in 16 beats at most, and not cached; its halves differ in the direction alone.
  function automatic logic shaped(shape_t ax, addr_t addr);
    logic [15:0] beats, bytes;
    beats = 16'(ax.len) + 16'd1;
    bytes = beats << ax.size;
    shaped = ax.burst == 2'b01 && (16'd1 << ax.size) <= 16'(DATA_BYTES) && bytes <= 16'(LINE_BYTES);
    shaped &= beats == 16'd1 || (16'd1 << ax.size) == 16'(DATA_BYTES);
    shaped &= (beats & (beats - 16'd1)) == '0 && (16'(addr[11:0]) & (bytes - 16'd1)) == '0;
    shaped &= 16'(addr[11:0]) + bytes <= 16'd4096;
    if (ax.lock) shaped &= bytes == 16'(LINE_BYTES) && bytes <= 16'd128 && beats <= 16'd16
        && {ax.cache, ax.prot, ax.qos} == {4'b0010, 3'b010, 4'd1};
  endfunction

  logic aw_taken, w_taken;
  assign aw_taken = lsu_axi.m_axi_awvalid_o && lsu_axi.m_axi_awready_i;
  assign w_taken = lsu_axi.m_axi_wvalid_o && lsu_axi.m_axi_wready_i;

  // Bursts on AW and on W, counted apart: whichever channel has a burst first keeps its length for the other. Neither
  // leads by more than two.
  logic [2:0] aw_count_q, w_count_q, lead;
  beat_t      length_q [4];
  beat_t      beat_q;  // the beat that W is in, of its burst
  logic       aw_leads, w_ends;
  assign lead = aw_count_q - w_count_q;
  assign aw_leads = lead inside {3'd1, 3'd2};
  assign w_ends = w_taken && lsu_axi.m_axi_wlast_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {aw_count_q, w_count_q, beat_q} <= '0;
    end else begin
      if (lsu_axi.m_axi_awvalid_o) AwShape: assert (shaped(aw, lsu_axi.m_axi_awaddr_o))
        else $error("AXI: no such burst: AW at %h", lsu_axi.m_axi_awaddr_o);
      if (lsu_axi.m_axi_arvalid_o) ArShape: assert (shaped(ar, lsu_axi.m_axi_araddr_o))
        else $error("AXI: no such burst: AR at %h", lsu_axi.m_axi_araddr_o);
      Lead: assert (lead inside {3'd0, 3'd1, 3'd2, 3'd6, 3'd7}) else $error("AXI: AW and W are far from each other");

      if (w_taken) beat_q <= lsu_axi.m_axi_wlast_o ? '0 : beat_q + beat_t'(1);
      if (w_ends) w_count_q <= w_count_q + 3'd1;
      if (aw_taken) aw_count_q <= aw_count_q + 3'd1;

      // WLAST comes in the last beat, and in no other.
      if (w_taken && aw_leads) WLast: assert (lsu_axi.m_axi_wlast_o == (beat_q == length_q[w_count_q[1:0]]))
        else $error("AXI: WLAST is %0d in beat %0d", lsu_axi.m_axi_wlast_o, beat_q);
      if (aw_taken && lead == 3'd0 && w_ends) AwWithW: assert (aw.len == 8'(beat_q))
        else $error("AXI: AW says %0d more beats, W had %0d", aw.len, beat_q);
      if (aw_taken && lead inside {3'd6, 3'd7}) AwAfterW: assert (aw.len == 8'(length_q[aw_count_q[1:0]]))
        else $error("AXI: AW says %0d more beats, W had %0d", aw.len, length_q[aw_count_q[1:0]]);
      if (aw_taken && lead == 3'd0 && !w_ends && w_taken) AwInW: assert (aw.len > 8'(beat_q))
        else $error("AXI: AW says %0d more beats, W is in beat %0d", aw.len, beat_q);
    end
  end

  always_ff @(posedge clk_i) begin
    if (aw_taken && lead inside {3'd0, 3'd1}) length_q[aw_count_q[1:0]] <= beat_t'(aw.len);
    if (w_ends && !aw_leads && !(aw_taken && lead == 3'd0)) length_q[w_count_q[1:0]] <= beat_q;
  end
endmodule
// verilator tracing_on

bind lsu_axi lsu_axi_burst_assert #(.LINE_BYTES(LINE_BYTES), .DATA_BYTES(DATA_BYTES)) u_burst_assert (.clk_i, .rst_ni);
`endif
