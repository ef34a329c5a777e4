// SPDX-License-Identifier: MIT OR Apache-2.0
// Where each lane's access goes: turns an operation into groups, with an address, a space and a fault for each lane.
//
//   op ----> address ----> window ----> one group a cycle, without stalls
//              ^
//            admit: is there room for all groups of the operation?
//
// Wiring only.

module lsu_place
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
#(
  parameter int unsigned LANES = 32,
  parameter int unsigned SLOTS = 32
) (
  input  logic  clk_i,
  input  logic  rst_ni,  // asynchronous, active low
  input  ctrl_t ctrl_i,  // stable while anything is in flight

  // Operations
  input  logic                        op_valid_i,
  output logic                        op_ready_o,
  input  op_t                         op_i,
  input  logic [LANES-1:0]            op_active_i,
  input  logic [LANES-1:0]            op_helper_i,
  input  logic [LANES-1:0]            op_predicate_i,
  input  logic [LANES-1:0][2:0][31:0] op_addr_i,

  // Resources that come free: a number of entries of lsu_store, and a slot of lsu_inflight
  input  logic [2:0] freed_i,
  input  logic       done_i,

  // Groups
  output logic                   at_valid_o,
  output placed_t                at_o,
  output words_t [LANES-1:0]     at_memory_o,
  output logic [LANES-1:0][3:0]  at_space_o,
  output logic [LANES-1:0]       at_shared_o,
  output logic [REGISTERS-1:0][LANES-1:0] at_fill_o,
  output addr_t [LANES-1:0]      at_addr_o,
  output logic [LANES-1:0][2:0]  at_fault_o
);
  logic                   admitted, address_ready, ea_valid, ea_last;
  head_t                  ea_head;
  choice_t                ea_chosen;
  logic [LANES-1:0]       ea_active, ea_predicate;
  logic [LANES-1:0][63:0] ea;
  logic [LANES-1:0][31:0] ea_z;
  assign op_ready_o = admitted && address_ready;

  lsu_admit #(.SLOTS(SLOTS)) u_admit (
    .clk_i, .rst_ni, .op_i, .room_o(admitted), .enter_i(op_valid_i && op_ready_o), .freed_i, .done_i
  );

  lsu_address #(.LANES(LANES)) u_address (
    .clk_i, .rst_ni, .driver_form_i(ctrl_i.r700_driver_form), .offer_i(op_valid_i), .valid_i(op_valid_i && admitted),
    .ready_o(address_ready), .op_i, .active_i(op_active_i), .helper_i(op_helper_i), .predicate_i(op_predicate_i),
    .addr_i(op_addr_i), .valid_o(ea_valid), .head_o(ea_head), .last_o(ea_last),
    .chosen_o(ea_chosen), .active_o(ea_active), .predicate_o(ea_predicate), .ea_o(ea), .z_o(ea_z)
  );

  // No back-pressure: lsu_admit has reserved an entry of lsu_store for every group.
  lsu_window #(.LANES(LANES)) u_window (
    .clk_i, .rst_ni, .ctrl_i, .valid_i(ea_valid), .head_i(ea_head), .last_i(ea_last),
    .chosen_i(ea_chosen), .active_i(ea_active), .predicate_i(ea_predicate), .ea_i(ea), .z_i(ea_z),
    .valid_o(at_valid_o), .placed_o(at_o), .memory_o(at_memory_o), .space_o(at_space_o),
    .shared_o(at_shared_o), .fill_o(at_fill_o), .addr_o(at_addr_o), .fault_o(at_fault_o)
  );
endmodule
