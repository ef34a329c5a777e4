// SPDX-License-Identifier: MIT OR Apache-2.0
// Extracts one register of a load from the aligned 8 bytes that hold it: SPA5-EXT, SPA5-MULTI.
// Golden model: src/model/extract.rs.

package lsu_extract_pkg;
  // at: the byte of word at which the register starts; register_bytes: 1, 2 or 4.
  function automatic logic [31:0] extract(logic [63:0] word, logic [2:0] at, logic [2:0] register_bytes,
                                          logic sign_extend);
    logic [31:0] raw;
    raw = 32'(word >> {at, 3'b0});
    case (register_bytes)
      3'd1:    return {{24{sign_extend & raw[7]}}, raw[7:0]};
      3'd2:    return {{16{sign_extend & raw[15]}}, raw[15:0]};
      default: return raw;
    endcase
  endfunction
endpackage
