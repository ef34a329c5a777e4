// SPDX-License-Identifier: MIT OR Apache-2.0
// First stage: which lanes execute, and the effective address of each.
//
//   op port ---> [ effective_address, legal ] ---> stage register ---> lsu_window
//
// One operation a cycle. An illegal operation goes on with no lane's address used (COM-ILLEGAL).
// Golden model: src/model/address.rs.

module lsu_address
  import lsu_pkg::*;
#(
  parameter int unsigned LANES = 32
) (
  input  logic clk_i,
  input  logic rst_ni,  // asynchronous, active low

  // From the op port
  input  logic                         valid_i,
  output logic                         ready_o,
  input  op_t                          op_i,
  input  logic [LANES-1:0]             active_i,
  input  logic [LANES-1:0]             helper_i,
  input  logic [LANES-1:0]             predicate_i,
  input  logic [LANES-1:0][2:0][31:0]  addr_i,

  // To lsu_window
  output logic             valid_o,
  input  logic             ready_i,
  output op_t              op_o,
  output logic             illegal_o,
  output logic [LANES-1:0] active_o,
  output logic [LANES-1:0] predicate_o,
  output logic [LANES-1:0][63:0] ea_o
);
  import lsu_address_pkg::*;

  // The third address word belongs to operations that this unit does not execute yet.
  logic unused_words;
  always_comb begin
    unused_words = 1'b0;
    for (int l = 0; l < LANES; l++) unused_words ^= ^addr_i[l][2];
  end

  assign ready_o = !valid_o || ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_o <= 1'b0;
    else if (ready_o) valid_o <= valid_i;
  end

  always_ff @(posedge clk_i) begin
    if (valid_i && ready_o) begin
      op_o <= op_i;
      illegal_o <= !legal(op_i);
      active_o <= active_i & ~(helper_i & {LANES{op_i.suppress_helpers}});
      predicate_o <= predicate_i;
      for (int l = 0; l < LANES; l++) begin
        ea_o[l] <= effective_address(op_i.addr_mode, op_i.imm, addr_i[l][0], addr_i[l][1]);
      end
    end
  end
endmodule
