// SPDX-License-Identifier: MIT OR Apache-2.0
// The effective address of one lane: SPA5-EA-ABS, SPA5-EA-32, SPA5-EA-64.
//
// 64 bits come out; bits at ADDR_WIDTH and above are never dropped here, lsu_window_pkg refuses them.
// Golden model: src/model/address.rs.

package lsu_address_pkg;
  import lsu_pkg::*;

  // word0 and word1 are the lane's address words, imm is the operation's immediate, all in bytes.
  function automatic logic [63:0] effective_address(addr_mode_e mode, logic [63:0] imm, logic [31:0] word0,
                                                    logic [31:0] word1);
    unique case (mode)
      AddrAbs:   return imm;
      AddrReg32: return {32'b0, word0 + imm[31:0]};
      default:   return {word1, word0} + imm;
    endcase
  endfunction

  // What this unit executes; anything else is answered with a fault (COM-ILLEGAL).
  function automatic logic legal(op_t op);
    logic size_ok;
    size_ok = op.element_bytes inside {5'd1, 5'd2, 5'd4, 5'd8, 5'd16};
    return op.kind inside {KindLoad, KindStore} && op.addr_mode inside {AddrAbs, AddrReg32, AddrReg64}
        && op.space == SpacePredicated && size_ok && op.element_count == 4'd1 && op.element_mask == 8'd1;
  endfunction
endpackage
