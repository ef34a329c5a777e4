// SPDX-License-Identifier: MIT OR Apache-2.0
// lsu_address beside a record of the operation that it took. It must pass the operation on as a group for each GPR of a
// burst, in ascending order, or else as one group (PORT-GROUP), with the lanes that execute, and with what
// lsu_address_pkg computes from the operands of each lane.
//
// The offered operations, and whether they are admitted, are free. Separate proofs show that the functions are the
// model's.

module lsu_address_wiring_proof
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
  import lsu_address_pkg::*;
  import lsu_window_pkg::*;
#(
  parameter int unsigned LANES = 4
) (
  input logic                        clk_i,
  input logic                        driver_form_i,
  input logic                        offer_i,
  input logic                        admit_i,
  input op_t                         op_i,
  input logic [LANES-1:0]            active_i,
  input logic [LANES-1:0]            helper_i,
  input logic [LANES-1:0]            predicate_i,
  input logic [LANES-1:0][2:0][31:0] addr_i
);
  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic                   ready, valid, last;
  head_t                  head;
  choice_t                chosen;
  logic [LANES-1:0]       active, predicate;
  logic [LANES-1:0][63:0] ea;
  logic [LANES-1:0][31:0] z;
  lsu_address #(.LANES(LANES)) u_address (
    .clk_i, .rst_ni, .driver_form_i, .offer_i, .valid_i(offer_i && admit_i), .ready_o(ready), .op_i, .active_i, .helper_i,
    .predicate_i, .addr_i, .valid_o(valid), .head_o(head), .last_o(last), .chosen_o(chosen), .active_o(active),
    .predicate_o(predicate), .ea_o(ea), .z_o(z)
  );

  // The operation that was taken, and its groups that are still to go
  logic                        taken_q;
  op_t                         op_q;
  logic [LANES-1:0]            active_q, helper_q, predicate_q;
  logic [LANES-1:0][2:0][31:0] addr_q;
  logic [15:0]                 gprs, rest_q;
  logic                        take;
  assign take = offer_i && admit_i && ready;
  assign gprs = op_i.space == SpaceBuffer && legal(op_i) && op_i.present_gprs != '0 ? op_i.present_gprs : 16'd1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      taken_q <= 1'b0;
      rest_q <= '0;
    end else if (take) begin
      taken_q <= 1'b1;
      rest_q <= gprs;
    end else if (valid) begin
      taken_q <= (rest_q & (rest_q - 16'd1)) != '0;
      rest_q <= rest_q & (rest_q - 16'd1);
    end
  end
  always_ff @(posedge clk_i) begin
    if (take) begin
      op_q <= op_i;
      active_q <= active_i;
      helper_q <= helper_i;
      predicate_q <= predicate_i;
      addr_q <= addr_i;
    end
  end

  logic burst, compare, whole;  // whole: none of its groups has gone yet
  assign burst = op_q.space == SpaceBuffer;
  assign compare = op_q.kind == KindCmpStore && !burst;
  assign whole = !(burst && legal(op_q) && op_q.present_gprs != '0) || rest_q == op_q.present_gprs;

  always_comb begin
    if (rst_ni) begin
      Valid: assert (valid == taken_q);
      // Ready when the operation before has gone, or its last group goes in this cycle.
      Ready: assert (ready == (!taken_q || (rest_q & (rest_q - 16'd1)) == '0));
      if (taken_q) begin
        Op: assert (head.op == op_q && head.illegal == !legal(op_q) && predicate == predicate_q);
        Chosen: assert (chosen.buffer == buffer_number(op_q.slot, op_q.stage) && chosen.uav == op_q.slot
                        && chosen.tgsm == op_q.slot);
        Kind: assert (head.burst == burst && head.swap == (op_q.kind == KindCmpStore));
        Active: assert (active == (op_q.kind == KindCmpStore || op_q.suppress_helpers ? active_q & ~helper_q : active_q));
        Empty: assert (head.empty == (burst && op_q.present_gprs == '0));
        Group: assert (rest_q != '0 && head.group == lowest(rest_q));
        First: assert (head.first == whole);
        Last: assert (last == ((rest_q & (rest_q - 16'd1)) == '0));
        // Invariants that tie the record to the module
        Rest: assert (head.illegal || u_address.rest_q == (rest_q & (rest_q - 16'd1)));
        Own: assert ((rest_q & ~(burst && legal(op_q) && op_q.present_gprs != '0 ? op_q.present_gprs : 16'd1)) == '0);
      end
    end
  end
  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    logic [63:0] address_q;  // of an access
    dword_t      dword_q;    // of a burst
    always_ff @(posedge clk_i) begin
      if (take) begin
        address_q <= effective_address(op_i.addr_mode, op_i.imm, addr_i[l][0], addr_i[l][1]);
        dword_q <= first_dword(driver_form_i, op_i.slot, op_i.array_base, op_i.elem_size, op_i.use_index, addr_i[l][0]);
      end
    end
    always_comb begin
      if (rst_ni && taken_q) begin
        if (burst) Dword: assert (ea[l] == 64'(dword_q));
        if (compare) Indices: assert (ea[l] == {addr_q[l][1], addr_q[l][0]} && z[l] == addr_q[l][2]);
        if (!burst && !compare) Address: assert (ea[l] == address_q);
      end
    end
  end
endmodule
