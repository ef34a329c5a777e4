// SPDX-License-Identifier: MIT OR Apache-2.0
// lsu_pending between any queue of requests and any memory: whose ids are handed out, and that no two requests in flight
// stand against each other (PORT-ID, PORT-HAZARD, PORT-CAS; mmio of PTX-SEM; the id that PORT-FAIR leaves to others).
//
// What is asked for is free, and so is whether it goes as soon as it may; the memory answers ids in flight, in any order.

module lsu_pending_proof
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
#(
  parameter int unsigned PENDING = 4,
  parameter int unsigned LINE_BYTES = 4
) (
  input logic                  clk_i,
  input logic                  next_valid_i,
  input logic                  goes_i,
  input logic                  exclusive_i,
  input logic                  write_i,
  input logic                  mmio_i,
  input logic [1:0]            warp_i,
  input logic [1:0]            line_i,
  input logic [LINE_BYTES-1:0] be_i,
  input logic                  again_i,
  input id_t                   again_id_i,
  input logic                  again_write_i,
  input logic                  over_i,
  input id_t                   over_id_i,
  input logic                  rsp_valid_i,
  input id_t                   rsp_id_i,
  input scope_e                rsp_scope_i,
  input logic                  rsp_error_i,
  input logic                  rsp_exclusive_failed_i,
  input logic                  rsp_last_i
);
  localparam int unsigned IdBits = $clog2(PENDING);

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  request_t next;
  always_comb begin
    next = '0;
    next.exclusive = exclusive_i;
    next.write = write_i && !exclusive_i;
    next.mmio = mmio_i && !exclusive_i;
    next.warp = warp_t'(warp_i);
    next.addr = addr_t'(line_i);
  end

  logic clear, known;
  id_t  id;
  /* verilator lint_off PINMISSING */
  lsu_pending #(.PENDING(PENDING), .LINE_BYTES(LINE_BYTES)) u_pending (
    .clk_i, .rst_ni, .next_valid_i, .next_i(next), .next_be_i(be_i), .clear_o(clear), .id_o(id),
    .issue_i(next_valid_i && clear && goes_i), .again_i, .again_id_i, .again_write_i, .over_i, .over_id_i,
    .fence_warp_i('0), .fence_scope_i(ScopeCta), .rsp_valid_i, .rsp_id_i, .rsp_scope_i, .rsp_error_i,
    .rsp_exclusive_failed_i, .rsp_last_i, .rsp_known_o(known)
  );
  /* verilator lint_on PINMISSING */

  logic [PENDING-1:0] busy, pairs;
  assign busy = u_pending.busy_q;
  assign pairs = busy & u_pending.exclusive_q;

  function automatic logic has(logic [PENDING-1:0] ids, id_t which);
    return 32'(which) < PENDING && ids[IdBits'(which)];
  endfunction

  always_comb begin
    if (rst_ni) begin
      Known: assume (!rsp_valid_i || known);
      // A pair is answered, goes on, or is over: one of these at a time.
      Again: assume (!again_i || (has(pairs, again_id_i) && !(rsp_valid_i && rsp_id_i == again_id_i)));
      Over: assume (!over_i || (has(pairs, over_id_i) && !(rsp_valid_i && rsp_id_i == over_id_i) &&
                                !(again_i && again_id_i == over_id_i)));

      Free: assert (!(next_valid_i && clear) || (32'(id) < PENDING && (!busy[IdBits'(id)] ||
                    (rsp_valid_i && rsp_id_i == id && rsp_last_i))));
      Pairs: assert (32'(u_pending.pairs_q) == $countones(pairs));
      OneLeft: assert ($countones(pairs) < PENDING);
    end
  end
  for (genvar i = 0; i < PENDING; i++) begin : gen_id
    for (genvar j = 0; j < i; j++) begin : gen_other
      logic both, line, waits;
      assign both = busy[i] && busy[j];
      assign line = u_pending.line_q[i] == u_pending.line_q[j];
      assign waits = !u_pending.answered_q[i] && !u_pending.answered_q[j];
      always_comb begin
        if (rst_ni) begin
          Own: assert (!(both && line && (pairs[i] || pairs[j])));
          Apart: assert (!(both && line && waits && (u_pending.write_q[i] || u_pending.write_q[j]) &&
                           (u_pending.be_q[i] & u_pending.be_q[j]) != '0));
          Mmio: assert (!(both && waits && u_pending.mmio_q[i] && u_pending.mmio_q[j] &&
                          u_pending.warp_q[i] == u_pending.warp_q[j]));
        end
      end
    end
  end
endmodule
