// SPDX-License-Identifier: MIT OR Apache-2.0
// lsu_axi between any unit and any fabric that keep their rules: its assertions are proved here, by induction.
//
// The first cycle is the reset, which does not come again. Everything else is free: every valid and ready of the
// environment, the requests, and the fabric's latency, order and answers. tests/axi.rs runs the proof.

module lsu_axi_proof
  import lsu_pkg::*;
#(
  parameter int unsigned LINE_BYTES = 32,
  parameter int unsigned PENDING = 2,
  parameter int unsigned DATA_BYTES = 32,
  localparam int unsigned IdBits = $clog2(PENDING)
) (
  input logic                    clk_i,
  input logic                    mem_req_valid_i,
  input id_t                     mem_req_id_i,
  input req_kind_e               mem_req_kind_i,
  input space_e                  mem_req_space_i,
  input attr_t                   mem_req_attr_i,
  input logic                    high_i,
  input logic [11:0]             mem_req_addr_i,
  input logic [LINE_BYTES-1:0]   mem_req_be_i,
  input logic [LINE_BYTES/DATA_BYTES-1:0] mem_req_data_i,
  input logic                    mem_rsp_ready_i,
  input logic                    m_axi_awready_i,
  input logic                    m_axi_wready_i,
  input logic                    m_axi_bvalid_i,
  input logic [IdBits-1:0]       m_axi_bid_i,
  input logic [1:0]              m_axi_bresp_i,
  input logic                    m_axi_arready_i,
  input logic                    m_axi_rvalid_i,
  input logic [IdBits-1:0]       m_axi_rid_i,
  input logic                    m_axi_rdata_i,
  input logic [1:0]              m_axi_rresp_i,
  input logic                    m_axi_rlast_i
);
  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic [LINE_BYTES*8-1:0] data;
  for (genvar b = 0; b < LINE_BYTES / DATA_BYTES; b++) begin : gen_beat
    assign data[b*DATA_BYTES*8+:DATA_BYTES*8] = {DATA_BYTES*8{mem_req_data_i[b]}};
  end

  /* verilator lint_off PINMISSING */
  lsu_axi #(.LINE_BYTES(LINE_BYTES), .PENDING(PENDING), .DATA_BYTES(DATA_BYTES)) u_axi (
    .clk_i, .rst_ni,
    .mem_req_valid_i, .mem_req_id_i, .mem_req_kind_i, .mem_req_space_i, .mem_req_attr_i, .mem_req_addr_i({{ADDR_WIDTH-12{high_i}}, mem_req_addr_i}), .mem_req_be_i,
    .mem_req_data_i(data), .mem_rsp_ready_i,
    .m_axi_awready_i, .m_axi_wready_i, .m_axi_bvalid_i, .m_axi_bid_i, .m_axi_bresp_i,
    .m_axi_arready_i, .m_axi_rvalid_i, .m_axi_rid_i, .m_axi_rdata_i({DATA_BYTES*8{m_axi_rdata_i}}), .m_axi_rresp_i, .m_axi_rlast_i
  );
  /* verilator lint_on PINMISSING */

  always_ff @(posedge clk_i) if (rst_ni) Environment: assume (u_axi.u_assert.environment);
endmodule
