// SPDX-License-Identifier: MIT OR Apache-2.0
// Forced alignment: SPA5-ALIGN, PTX-ALIGN.
// Golden model: src/model/align.rs.

package lsu_align_pkg;
  // bytes is a power of two, at most 32: the size of the access. Its five bits are 0 for 32, and one less than that 31.
  function automatic logic [63:0] align(logic [63:0] ea, logic [4:0] bytes);
    return ea & ~{59'b0, bytes - 5'd1};
  endfunction

  function automatic logic misaligned(logic [63:0] ea, logic [4:0] bytes);
    return (ea[4:0] & (bytes - 5'd1)) != '0;
  endfunction
endpackage
