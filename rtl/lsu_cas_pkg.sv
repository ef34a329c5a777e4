// SPDX-License-Identifier: MIT OR Apache-2.0
// One lane's compare-and-store on one dword: SM5-CAS.
// Golden model: src/model/cas.rs.

package lsu_cas_pkg;
  typedef struct packed {
    logic        stores;
    logic [31:0] value;  // the dword afterwards
  } step_t;

  // memory: the dword as the lane finds it, after the lower lanes (SM5-ORDER).
  function automatic step_t step(logic [31:0] memory, logic [31:0] compare, logic [31:0] value);
    step_t s;
    s.stores = memory == compare;
    s.value = s.stores ? value : memory;
    return s;
  endfunction

  // What a lane stores if it matches; known before memory is compared.
  function automatic logic [31:0] new_value(logic [31:0] compare, logic [31:0] value);
    step_t match;
    match = step(compare, compare, value);
    return match.value;
  endfunction
endpackage
