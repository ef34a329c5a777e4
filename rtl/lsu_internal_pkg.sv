// SPDX-License-Identifier: MIT OR Apache-2.0
// What crosses the borders between the unit's parts, and no port.

package lsu_internal_pkg;
  import lsu_pkg::*;

  parameter int unsigned MAX_LANES = 32;
  parameter int unsigned SLOT_WIDTH = 7;  // bits: an operation's place in the in-flight table
  parameter int unsigned REGISTERS = 4;   // 32-bit registers of one group of a lane
  parameter int unsigned RING_BEATS = 2 * REGISTERS;  // store data held for operations that come

  typedef logic [SLOT_WIDTH-1:0] slot_t;
  typedef logic [$clog2(RING_BEATS)-1:0] ring_ptr_t;
  typedef logic [MAX_LANES-1:0] lanes_t;  // lanes past the unit's LANES stay 0

  // How a load's bytes become registers.
  typedef struct packed {
    logic [2:0] register_bytes;  // 1, 2 or 4
    logic [2:0] registers;       // 1 to REGISTERS
    logic       sign_extend;
  } format_t;

  // A request without its bytes.
  typedef struct packed {
    slot_t  slot;
    warp_t  warp;
    tag_t   tag;
    group_t group;
    logic   write;
    space_e space;
    attr_t  attr;
    addr_t  addr;   // of the line
    lanes_t lanes;  // that it serves
  } request_t;

  // A register's worth of a load's result, without its lanes.
  typedef struct packed {
    slot_t slot;
    warp_t warp;
    tag_t  tag;
    reg_t  index;  // of the register in the operation
    logic  last;   // of its response, or of the scratchpad's part
  } beat_t;

  function automatic format_t format_of(logic [4:0] element_bytes, logic sign_extend);
    format_t f;
    f.register_bytes = element_bytes > 5'd4 ? 3'd4 : 3'(element_bytes);
    f.registers = element_bytes > 5'd4 ? 3'(element_bytes >> 2) : 3'd1;
    f.sign_extend = sign_extend;
    return f;
  endfunction
endpackage
