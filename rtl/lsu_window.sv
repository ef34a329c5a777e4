// SPDX-License-Identifier: MIT OR Apache-2.0
// Second stage: forces alignment, finds each lane's memory, and settles every fault but the bus error.
//
//   lsu_address ---> [ align, place ] ---> stage register ---> dispatch (lsu.sv)
//
// One operation a cycle. The control registers are read here and nowhere else.
// Golden model: src/model/window.rs, align.rs.

module lsu_window
  import lsu_pkg::*;
#(
  parameter int unsigned LANES = 32
) (
  input  logic clk_i,
  input  logic rst_ni,  // asynchronous, active low
  input  ctrl_t ctrl_i,

  // From lsu_address
  input  logic             valid_i,
  output logic             ready_o,
  input  op_t              op_i,
  input  logic             illegal_i,
  input  logic [LANES-1:0] active_i,
  input  logic [LANES-1:0] predicate_i,
  input  logic [LANES-1:0][63:0] ea_i,

  // To dispatch: the masks are disjoint, and empty for an illegal operation
  output logic                  valid_o,
  input  logic                  ready_i,
  output op_t                   op_o,
  output logic                  illegal_o,
  output logic [LANES-1:0]      memory_o,  // lanes that go to the memory port
  output logic [LANES-1:0]      local_o,   // ... and of these, to local memory
  output logic [LANES-1:0]      shared_o,  // lanes that go to the scratchpad
  output logic [LANES-1:0]      zeros_o,   // lanes of a load that are out of bounds: their registers become 0
  output addr_t [LANES-1:0]     addr_o,
  output logic [LANES-1:0][2:0] fault_o
);
  import lsu_align_pkg::*;
  import lsu_window_pkg::*;

  localparam int unsigned LaneBits = $clog2(LANES);

  assign ready_o = !valid_o || ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_o <= 1'b0;
    else if (ready_o) valid_o <= valid_i;
  end

  always_ff @(posedge clk_i) begin
    if (valid_i && ready_o) begin
      op_o <= op_i;
      illegal_o <= illegal_i;
      for (int l = 0; l < LANES; l++) begin
        automatic place_t p = place(ctrl_i, predicate_i[l], align(ea_i[l], op_i.element_bytes),
                                    8'({op_i.warp, LaneBits'(l)}));
        automatic logic goes = active_i[l] && !illegal_i;
        memory_o[l] <= goes && p.memory;
        local_o[l] <= goes && p.is_local;
        shared_o[l] <= goes && p.shared;
        zeros_o[l] <= goes && p.fault != FaultNone && op_i.kind == KindLoad;
        addr_o[l] <= p.addr;
        if (!active_i[l]) fault_o[l] <= FaultNone;
        else if (illegal_i) fault_o[l] <= FaultIllegal;
        else if (p.fault != FaultNone) fault_o[l] <= p.fault;
        else if (ctrl_i.trap_misaligned && misaligned(ea_i[l], op_i.element_bytes)) fault_o[l] <= FaultMisaligned;
        else fault_o[l] <= FaultNone;
      end
    end
  end
endmodule
