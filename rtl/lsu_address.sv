// SPDX-License-Identifier: MIT OR Apache-2.0
// First stage: which lanes execute, where each lane's access starts, and the groups of a burst one after the other.
//
//   op port ---> [ effective_address, first_dword, legal ] ---> stage register ---> lsu_window
//                                                                 |        ^
//                                                                 +- group +
//
// One group a cycle: a burst has one for each of its GPRs, any other operation is one (PORT-GROUP). The next operation
// is taken in the cycle in which the last group of this one goes. An illegal operation is one group, in which no lane's
// address is used (COM-ILLEGAL).
// Golden model: src/model/address.rs.

module lsu_address
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
#(
  parameter int unsigned LANES = 32
) (
  input  logic clk_i,
  input  logic rst_ni,  // asynchronous, active low
  input  logic driver_form_i,

  // From the op port
  input  logic                         offer_i,  // op_i is offered,
  input  logic                         valid_i,  // ... and admitted: taken if ready_o
  output logic                         ready_o,
  input  op_t                          op_i,
  input  logic [LANES-1:0]             active_i,
  input  logic [LANES-1:0]             helper_i,
  input  logic [LANES-1:0]             predicate_i,
  input  logic [LANES-1:0][2:0][31:0]  addr_i,

  // To lsu_window
  output logic             valid_o,
  output head_t            head_o,
  output logic             last_o,    // the last group of its operation
  output choice_t          chosen_o,
  output logic [LANES-1:0] active_o,
  output logic [LANES-1:0] predicate_o,
  output logic [LANES-1:0][63:0] ea_o,  // byte address; of a burst, its first dword; of SM5, the indices {y, x}
  output logic [LANES-1:0][31:0] z_o    // SM5's third index
);
  import lsu_address_pkg::*;
  import lsu_window_pkg::choice_of;

  (* keep *) choice_t chosen_q;  // equal registers are not merged: each selects in its own family of control registers
  assign chosen_o = chosen_q;

  logic [15:0] rest_q;  // GPRs of the burst after the current one
  logic        next;
  assign last_o = rest_q == '0 || head_o.illegal;
  assign next = valid_o && !last_o;
  assign ready_o = !valid_o || last_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_o <= 1'b0;
    end else begin
      valid_o <= (valid_i && ready_o) || next;
    end
  end

`ifdef SYNTHESIS
  dword_t                 start;
  logic [LANES-1:0][63:0] lane_ea;
  assign start = first_dword(driver_form_i, op_i.slot, op_i.array_base, op_i.elem_size, 1'b0, '0);
  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    lsu_address_lane u_lane (.driver_form_i, .op_i, .start_i(start), .words_i(addr_i[l][1:0]), .ea_o(lane_ea[l]));
  end
`endif

  always_ff @(posedge clk_i) begin
    // valid_i is known late: only valid_o depends on it, and hardware loads the payload in any case.
    if (offer_i && ready_o && needed(valid_i)) begin
      head_o <= '{
        op: op_i, burst: op_i.space == SpaceBuffer, swap: op_i.kind == KindCmpStore, illegal: !legal(op_i),
        empty: op_i.space == SpaceBuffer && op_i.present_gprs == '0, group: lowest(gprs_of(op_i)), first: 1'b1
      };
      // Not cleared for an illegal burst: last_o ends it after one group.
      rest_q <= op_i.space == SpaceBuffer ? op_i.present_gprs & (op_i.present_gprs - 16'd1) : '0;
      chosen_q <= choice_of(op_i);
      // The lanes that execute (COM-INACTIVE, COM-HELPER, R700-VPM, SM5-INACTIVE).
      active_o <= active_i & ~(helper_i & {LANES{op_i.suppress_helpers || op_i.kind == KindCmpStore}});
      predicate_o <= predicate_i;
`ifdef SYNTHESIS
      ea_o <= lane_ea;
      for (int l = 0; l < LANES; l++) z_o[l] <= addr_i[l][2];
`else
      if (op_i.space == SpaceBuffer) begin
        automatic op_t op = op_i;
        for (int l = 0; l < LANES; l++) begin
          ea_o[l] <= 64'(first_dword(driver_form_i, op.slot, op.array_base, op.elem_size, op.use_index, addr_i[l][0]));
        end
      end else if (op_i.kind == KindCmpStore) begin
        for (int l = 0; l < LANES; l++) begin
          ea_o[l] <= {addr_i[l][1], addr_i[l][0]};
          z_o[l] <= addr_i[l][2];
        end
      end else begin
        automatic addr_mode_e mode = op_i.addr_mode;
        automatic logic [63:0] imm = op_i.imm;
        for (int l = 0; l < LANES; l++) ea_o[l] <= effective_address(mode, imm, addr_i[l][0], addr_i[l][1]);
      end
`endif
    end else if (next) begin
      rest_q <= rest_q & (rest_q - 16'd1);
      head_o.group <= lowest(rest_q);
      head_o.first <= 1'b0;
    end
  end

  // The GPRs that become groups: those of a legal burst. Any other operation, an illegal burst too, is one group.
  function automatic logic [15:0] gprs_of(op_t op);
    return op.space == SpaceBuffer && legal(op) ? op.present_gprs : '0;
  endfunction
endmodule
