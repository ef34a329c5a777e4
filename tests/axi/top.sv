// SPDX-License-Identifier: MIT OR Apache-2.0
// The unit with AXI4 at its memory port, for play.py. The names at the bus are those that cocotbext-axi looks for.

module lsu_axi_top
  import lsu_pkg::*;
#(
  parameter int unsigned LANES = 4,
  parameter int unsigned LINE_BYTES = 32,
  parameter int unsigned PENDING = 8,
  parameter int unsigned DATA_BYTES = 32,
  localparam int unsigned IdBits = $clog2(PENDING)
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  ctrl_t                       ctrl_i,
  input  logic                        op_valid_i,
  output logic                        op_ready_o,
  input  op_t                         op_i,
  input  logic [LANES-1:0]            op_active_i,
  input  logic [LANES-1:0]            op_helper_i,
  input  logic [LANES-1:0]            op_predicate_i,
  input  logic [LANES-1:0][2:0][31:0] op_addr_i,
  input  logic                        data_valid_i,
  output logic                        data_ready_o,
  input  logic [LANES-1:0][31:0]      data_i,
  output logic                        wb_valid_o,
  input  logic                        wb_ready_i,
  output warp_t                       wb_warp_o,
  output tag_t                        wb_tag_o,
  output reg_t                        wb_reg_o,
  output logic [LANES-1:0]            wb_mask_o,
  output logic [LANES-1:0][31:0]      wb_data_o,
  output logic                        done_valid_o,
  input  logic                        done_ready_i,
  output warp_t                       done_warp_o,
  output tag_t                        done_tag_o,
  output logic [LANES-1:0][2:0]       done_fault_o,

  output logic                        m_axi_awvalid,
  input  logic                        m_axi_awready,
  output logic [IdBits-1:0]           m_axi_awid,
  output addr_t                       m_axi_awaddr,
  output logic [7:0]                  m_axi_awlen,
  output logic [2:0]                  m_axi_awsize,
  output logic [1:0]                  m_axi_awburst,
  output logic                        m_axi_awlock,
  output logic [3:0]                  m_axi_awcache,
  output logic [2:0]                  m_axi_awprot,
  output logic [3:0]                  m_axi_awqos,
  output logic                        m_axi_wvalid,
  input  logic                        m_axi_wready,
  output logic [DATA_BYTES*8-1:0]     m_axi_wdata,
  output logic [DATA_BYTES-1:0]       m_axi_wstrb,
  output logic                        m_axi_wlast,
  input  logic                        m_axi_bvalid,
  output logic                        m_axi_bready,
  input  logic [IdBits-1:0]           m_axi_bid,
  input  logic [1:0]                  m_axi_bresp,
  output logic                        m_axi_arvalid,
  input  logic                        m_axi_arready,
  output logic [IdBits-1:0]           m_axi_arid,
  output addr_t                       m_axi_araddr,
  output logic [7:0]                  m_axi_arlen,
  output logic [2:0]                  m_axi_arsize,
  output logic [1:0]                  m_axi_arburst,
  output logic                        m_axi_arlock,
  output logic [3:0]                  m_axi_arcache,
  output logic [2:0]                  m_axi_arprot,
  output logic [3:0]                  m_axi_arqos,
  input  logic                        m_axi_rvalid,
  output logic                        m_axi_rready,
  input  logic [IdBits-1:0]           m_axi_rid,
  input  logic [DATA_BYTES*8-1:0]     m_axi_rdata,
  input  logic [1:0]                  m_axi_rresp,
  input  logic                        m_axi_rlast
);
  logic                    mem_req_valid, mem_req_ready, mem_rsp_valid, mem_rsp_ready, mem_rsp_error;
  logic                    mem_rsp_exclusive_failed, mem_rsp_last;
  id_t                     mem_req_id, mem_rsp_id;
  req_kind_e               mem_req_kind;
  space_e                  mem_req_space;
  attr_t                   mem_req_attr;
  addr_t                   mem_req_addr;
  logic [LINE_BYTES-1:0]   mem_req_be;
  logic [LINE_BYTES*8-1:0] mem_req_data, mem_rsp_data;
  scope_e                  mem_rsp_scope;

  // A simulation begins with any values at the inputs: nothing is out of reset before it was in it.
  logic was_reset_q = 1'b0;
  logic rst_n;
  always_ff @(posedge clk_i) if (!rst_ni) was_reset_q <= 1'b1;
  assign rst_n = rst_ni && was_reset_q;

  lsu #(.LANES(LANES), .LINE_BYTES(LINE_BYTES), .PENDING(PENDING)) u_lsu (
    .clk_i, .rst_ni(rst_n), .ctrl_i,
    .op_valid_i, .op_ready_o, .op_i, .op_active_i, .op_helper_i, .op_predicate_i, .op_addr_i,
    .data_valid_i, .data_ready_o, .data_i,
    .wb_valid_o, .wb_ready_i, .wb_warp_o, .wb_tag_o, .wb_reg_o, .wb_mask_o, .wb_data_o,
    .done_valid_o, .done_ready_i, .done_warp_o, .done_tag_o, .done_fault_o,
    .mem_req_valid_o(mem_req_valid), .mem_req_ready_i(mem_req_ready), .mem_req_id_o(mem_req_id), .mem_req_warp_o(),
    .mem_req_tag_o(), .mem_req_group_o(), .mem_req_kind_o(mem_req_kind), .mem_req_space_o(mem_req_space),
    .mem_req_attr_o(mem_req_attr), .mem_req_addr_o(mem_req_addr), .mem_req_be_o(mem_req_be),
    .mem_req_data_o(mem_req_data),
    .mem_rsp_valid_i(mem_rsp_valid), .mem_rsp_ready_o(mem_rsp_ready), .mem_rsp_id_i(mem_rsp_id),
    .mem_rsp_data_i(mem_rsp_data), .mem_rsp_error_i(mem_rsp_error),
    .mem_rsp_exclusive_failed_i(mem_rsp_exclusive_failed), .mem_rsp_scope_i(mem_rsp_scope),
    .mem_rsp_last_i(mem_rsp_last)
  );

  lsu_axi #(.LINE_BYTES(LINE_BYTES), .PENDING(PENDING), .DATA_BYTES(DATA_BYTES)) u_axi (
    .clk_i, .rst_ni(rst_n),
    .mem_req_valid_i(mem_req_valid), .mem_req_ready_o(mem_req_ready), .mem_req_id_i(mem_req_id),
    .mem_req_kind_i(mem_req_kind), .mem_req_space_i(mem_req_space), .mem_req_attr_i(mem_req_attr),
    .mem_req_addr_i(mem_req_addr), .mem_req_be_i(mem_req_be), .mem_req_data_i(mem_req_data),
    .mem_rsp_valid_o(mem_rsp_valid), .mem_rsp_ready_i(mem_rsp_ready), .mem_rsp_id_o(mem_rsp_id),
    .mem_rsp_data_o(mem_rsp_data), .mem_rsp_error_o(mem_rsp_error),
    .mem_rsp_exclusive_failed_o(mem_rsp_exclusive_failed), .mem_rsp_scope_o(mem_rsp_scope),
    .mem_rsp_last_o(mem_rsp_last),
    .m_axi_awvalid_o(m_axi_awvalid), .m_axi_awready_i(m_axi_awready), .m_axi_awid_o(m_axi_awid),
    .m_axi_awaddr_o(m_axi_awaddr), .m_axi_awlen_o(m_axi_awlen), .m_axi_awsize_o(m_axi_awsize),
    .m_axi_awburst_o(m_axi_awburst), .m_axi_awlock_o(m_axi_awlock), .m_axi_awcache_o(m_axi_awcache),
    .m_axi_awprot_o(m_axi_awprot), .m_axi_awqos_o(m_axi_awqos),
    .m_axi_wvalid_o(m_axi_wvalid), .m_axi_wready_i(m_axi_wready), .m_axi_wdata_o(m_axi_wdata),
    .m_axi_wstrb_o(m_axi_wstrb), .m_axi_wlast_o(m_axi_wlast),
    .m_axi_bvalid_i(m_axi_bvalid), .m_axi_bready_o(m_axi_bready), .m_axi_bid_i(m_axi_bid),
    .m_axi_bresp_i(m_axi_bresp),
    .m_axi_arvalid_o(m_axi_arvalid), .m_axi_arready_i(m_axi_arready), .m_axi_arid_o(m_axi_arid),
    .m_axi_araddr_o(m_axi_araddr), .m_axi_arlen_o(m_axi_arlen), .m_axi_arsize_o(m_axi_arsize),
    .m_axi_arburst_o(m_axi_arburst), .m_axi_arlock_o(m_axi_arlock), .m_axi_arcache_o(m_axi_arcache),
    .m_axi_arprot_o(m_axi_arprot), .m_axi_arqos_o(m_axi_arqos),
    .m_axi_rvalid_i(m_axi_rvalid), .m_axi_rready_o(m_axi_rready), .m_axi_rid_i(m_axi_rid),
    .m_axi_rdata_i(m_axi_rdata), .m_axi_rresp_i(m_axi_rresp), .m_axi_rlast_i(m_axi_rlast)
  );
endmodule
