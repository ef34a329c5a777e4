// SPDX-License-Identifier: MIT OR Apache-2.0
// Where one lane's access starts: SPA5-EA-ABS, SPA5-EA-32, SPA5-EA-64 as a byte address; R700-FIRST and R700-DRIVER as
// a dword of the buffer.
//
// No bit is lost here: dwords are exact, and addresses keep 64 bits; lsu_window_pkg refuses those of 2^ADDR_WIDTH and
// above.
// Golden model: src/model/address.rs.

package lsu_address_pkg;
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
  import lsu_clamp_pkg::*;

  // word0 and word1 are the lane's address words, imm the operation's immediate, all in bytes.
  function automatic logic [63:0] effective_address(addr_mode_e mode, logic [63:0] imm, logic [31:0] word0,
                                                    logic [31:0] word1);
    case (mode)
      AddrAbs:   return imm;
      AddrReg32: return {32'b0, word0 + imm[31:0]};
      default:   return {word1, word0} + imm;
    endcase
  endfunction

  // first_dw of a burst: the dword of component X of its GPR number 0 (R700-FIRST, R700-DRIVER).
  function automatic dword_t first_dword(logic driver, logic [2:0] slot, logic [12:0] base, logic [1:0] elem_size,
                                         logic use_index, logic [31:0] index);
    dword_t indexed;
    indexed = use_index ? dword_t'(index) : '0;
    if (!driver) return elements(dword_t'(base) + indexed, elem_size);
    if (unbounded(driver, slot)) return indexed;
    // R700-DRIVER
    return driver_base(slot, base) + elements(indexed, elem_size);
  endfunction

  // The operations that this unit executes; any other one faults (COM-ILLEGAL).
  function automatic logic legal(op_t op);
    if (op.kind == KindCmpStore) return legal_compare(op);
    if (!(op.kind inside {KindLoad, KindStore})) return 1'b0;
    if (op.space == SpaceBuffer) return op.addr_mode == AddrArray && legal_burst(op);
    if (is_ptx(op.space)) return op.addr_mode inside {AddrAbs, AddrReg64} && legal_store(op);
    return op.addr_mode inside {AddrAbs, AddrReg32, AddrReg64} && op.space == SpacePredicated
        && op.element_bytes inside {5'd1, 5'd2, 5'd4, 5'd8, 5'd16} && op.element_count == 4'd1
        && op.element_mask == 8'd1;
  endfunction

  // A PTX st: 1 to 8 elements, 32 bytes at most, not all of them sinks; mmio to a generic or global address only.
  function automatic logic legal_store(op_t op);
    logic sizes;
    case (op.element_bytes)
      5'd1, 5'd2, 5'd4: sizes = op.element_count inside {4'd1, 4'd2, 4'd4, 4'd8};
      5'd8:             sizes = op.element_count inside {4'd1, 4'd2, 4'd4};
      5'd16:            sizes = op.element_count inside {4'd1, 4'd2};
      default:          sizes = 1'b0;
    endcase
    return op.kind == KindStore && sizes && op.element_mask != '0
        && 9'(op.element_mask) < (9'd1 << op.element_count) && op.attr.semantics <= SemMmioRelease
        && (!is_mmio(op) || op.space inside {SpaceGeneric, SpaceGlobal});
  endfunction

  // A compare-and-store of a dword (SM5-KIND).
  function automatic logic legal_compare(op_t op);
    return op.element_bytes == 5'd4 && op.element_count == 4'd1 && op.element_mask == 8'd1
        && ((op.space == SpaceUav && op.addr_mode inside {AddrRaw, AddrStruct, AddrTyped})
            || (op.space == SpaceTgsm && op.addr_mode inside {AddrRaw, AddrStruct}));
  endfunction

  function automatic logic legal_burst(op_t op);
    logic reserved;  // DST_SEL 6
    reserved = 1'b0;
    for (int c = 0; c < 4; c++) reserved |= op.component_select[c*3+:3] == 3'd6;
    return op.element_bytes == 5'd4 && op.element_count == 4'd4 && op.element_mask[7:4] == '0
        && op.array_size != '0 && op.array_size <= 13'd4096 && !(op.kind == KindLoad && reserved);
  endfunction
endpackage
