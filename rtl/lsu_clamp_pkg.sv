// SPDX-License-Identifier: MIT OR Apache-2.0
// Which dwords of an R700 burst lie below its array's limit: R700-ELEM, R700-CLAMP, R700-DRIVER.
//
// Dwords are counted from the start of the buffer, in 36 bits. That is enough for 2^32 elements of 4 dwords, an array
// base and a burst, so nothing wraps. Multiplying by ELEM_SIZE + 1 takes a shift and an addition, no multiplier.
// Golden model: src/model/clamp.rs.

package lsu_clamp_pkg;
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
  import lsu_window_pkg::*;

  // x * (elem_size + 1) (R700-UNIT)
  function automatic dword_t elements(dword_t x, logic [1:0] elem_size);
    case (elem_size)
      2'd0:    return x;
      2'd1:    return x << 1;
      2'd2:    return (x << 1) + x;
      default: return x << 2;
    endcase
  endfunction

  // The first dword past the array. Meaningless if there is no array (`unbounded`).
  function automatic dword_t limit(logic driver, logic [2:0] slot, logic [12:0] base, logic [12:0] size,
                                   logic [1:0] elem_size);
    if (!driver) return elements(dword_t'(base) + dword_t'(size), elem_size);
    return driver_base(slot, base) + elements(dword_t'(size), elem_size);
  endfunction

  // In the drivers' form, general export has no array: its index is a dword, and only the size register is a bound.
  function automatic logic unbounded(logic driver, logic [2:0] slot);
    return driver && slot == BufferExport;
  endfunction

  // ARRAY_BASE in the drivers' form: it counts 4 dwords in scratch and reduction, 1 in stream and ring.
  function automatic dword_t driver_base(logic [2:0] slot, logic [12:0] base);
    return slot inside {BufferScratch, BufferReduction} ? dword_t'(base) << 2 : dword_t'(base);
  endfunction

  // The dword of component X of GPR number gpr, in a burst that starts at dword first.
  function automatic dword_t element(dword_t first, logic [3:0] gpr, logic [1:0] elem_size);
    return first + elements(dword_t'(gpr), elem_size);
  endfunction

  // The limit; past every dword of a burst if there is no array.
  function automatic dword_t limit_or_none(logic driver, logic [2:0] slot, logic [12:0] base, logic [12:0] size,
                                           logic [1:0] elem_size);
    return unbounded(driver, slot) ? '1 : limit(driver, slot, base, size, elem_size);
  endfunction

  // Bit c: component c, c dwords after component X at dword x, is below the limit past.
  function automatic words_t below(dword_t x, dword_t past);
    return dwords_below(x, past);
  endfunction
endpackage
