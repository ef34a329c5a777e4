// SPDX-License-Identifier: MIT OR Apache-2.0
// Where a lane's compare-and-store is made: SM5-RAW, SM5-STRUCT, SM5-TYPED; SM5-ALIGN, SM5-OOB-UAV, SM5-OOB-OFFSET,
// SM5-OOB-TGSM, SM5-UNBOUND.
//
// Offsets are exact: no sum or product here can wrap. Sizes, strides and pitches are multiples of a dword, so a dword is
// inside as soon as its first byte is.
// Golden model: src/model/uav.rs.

package lsu_uav_pkg;
  import lsu_pkg::*;
  import lsu_window_pkg::*;

  // An aligned dword of a resource, or why there is none.
  typedef struct packed {
    fault_e fault;
    addr_t  offset;  // bytes
  } dword_at_t;

  // What SM5-ALIGN forces: the byte address of a raw resource, the byte in a structure.
  function automatic logic off_dword(addr_mode_e mode, logic [1:0] x, logic [1:0] y);
    return mode == AddrRaw ? x != '0 : mode == AddrStruct && y != '0;
  endfunction

  // dword counts from the resource's base, or in a structure's from its first byte.
  function automatic dword_at_t raw(addr_t size, logic [29:0] dword);
    dword_at_t d;
    d.offset = addr_t'({dword, 2'b0});
    d.fault = d.offset < size ? FaultNone : FaultAllocation;
    return d;
  endfunction

  // Of the two tests the index decides.
  function automatic dword_at_t structured(addr_t size, logic [11:0] stride, logic [31:0] x, logic [29:0] dword);
    dword_at_t   d;
    logic [31:0] byte_of;
    logic [44:0] first;  // of the structure; the next one's too is below 2^45
    byte_of = {dword, 2'b0};
    first = 45'(x) * 45'(stride);
    d.offset = addr_t'(first) + addr_t'(byte_of);
    if (first + 45'(stride) > 45'(size)) d.fault = FaultAllocation;
    else d.fault = byte_of < 32'(stride) ? FaultNone : FaultUndefined;
    return d;
  endfunction

  // The indices that pitches scale. One that is below its dimension has 16 bits; one that there is none of is 0.
  function automatic logic [15:0] row_index(dimension_e dimension, logic [15:0] y);
    return dimension inside {Dim2d, Dim2dArray, Dim3d} ? y : '0;
  endfunction

  function automatic logic [15:0] slice_index(dimension_e dimension, logic [15:0] y, logic [15:0] z);
    unique case (dimension)
      Dim1dArray: return y;
      Dim2dArray, Dim3d: return z;
      default: return '0;
    endcase
  endfunction

  function automatic dword_at_t typed(uav_t uav, logic [31:0] x, logic [31:0] y, logic [31:0] z);
    dword_at_t   d;
    logic        inside_all;
    logic [49:0] row, slice, sum;
    unique case (uav.dimension)
      DimBuffer, Dim1d: inside_all = 1'b1;
      Dim1dArray: inside_all = y < 32'(uav.depth);
      Dim2d: inside_all = y < 32'(uav.height);
      Dim2dArray, Dim3d: inside_all = y < 32'(uav.height) && z < 32'(uav.depth);
      default: inside_all = 1'b0;
    endcase
    row = 50'(row_index(uav.dimension, y[15:0])) * 50'(uav.row_pitch);
    slice = 50'(slice_index(uav.dimension, y[15:0], z[15:0])) * 50'(uav.slice_pitch);
    sum = 50'({x, 2'b0}) + row + slice;
    d.offset = addr_t'(sum);
    d.fault = inside_all && x < uav.width && sum < 50'(uav.size) ? FaultNone : FaultAllocation;
    return d;
  endfunction

  // u#. A slot that is bound as something else is unbound.
  function automatic place_t place_uav(uav_t uav, addr_mode_e mode, logic [31:0] x, logic [31:0] y, logic [31:0] z);
    dword_at_t as_raw, as_structured, as_typed, d;
    place_t    p;
    // Not under the conditions: a proof would have products of operands that mean nothing where they do not hold.
    as_raw = raw(uav.size, x[31:2]);
    as_structured = structured(uav.size, uav.stride, x, y[31:2]);
    as_typed = typed(uav, x, y, z);
    d = '{fault: FaultAllocation, offset: '0};
    if (mode == AddrRaw && uav.kind == ResourceRaw) d = as_raw;
    if (mode == AddrStruct && uav.kind == ResourceStructured) d = as_structured;
    if (mode == AddrTyped && uav.kind == ResourceTyped) d = as_typed;
    p = '0;
    p.space = SpaceUav;
    p.fault = d.fault;
    p.memory = d.fault == FaultNone;
    if (p.memory) p.addr = uav.base + d.offset;
    return p;
  endfunction

  // g#. Whatever is out of its bounds makes shared memory undefined.
  function automatic place_t place_tgsm(tgsm_t tgsm, addr_mode_e mode, logic [31:0] x, logic [31:0] y);
    dword_at_t d;
    place_t    p;
    d = '{fault: FaultUndefined, offset: '0};
    if (mode == AddrRaw && tgsm.kind == ResourceRaw) d = raw(addr_t'(tgsm.size), x[31:2]);
    if (mode == AddrStruct && tgsm.kind == ResourceStructured) d = structured(addr_t'(tgsm.size), tgsm.stride, x, y[31:2]);
    p = '0;
    p.space = SpaceTgsm;
    p.fault = d.fault == FaultNone ? FaultNone : FaultUndefined;
    p.shared = d.fault == FaultNone;
    if (p.shared) p.addr = addr_t'(tgsm.base) + d.offset;
    return p;
  endfunction
endpackage
