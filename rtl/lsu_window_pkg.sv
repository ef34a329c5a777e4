// SPDX-License-Identifier: MIT OR Apache-2.0
// Where an aligned access lies: SPA5-SPACE, SPA5-WINDOW, SPA5-OOB, PTX-SPACE, PTX-OFFSET, COM-PRIVATE, COM-GLOBAL; where
// a dword of an R700 buffer lies: R700-BOUND, R700-PLACE.
//
// Every range is a multiple of 32 bytes and every access a naturally aligned power of two below that, so an
// access is inside as soon as its first byte is (SPA5-STRADDLE). A buffer is a multiple of a dword.
// Golden model: src/model/window.rs.

package lsu_window_pkg;
  import lsu_pkg::*;
  import lsu_internal_pkg::*;

  typedef struct packed {
    logic   memory;      // goes out of the memory port, to byte address addr of space
    logic   shared;      // goes to the scratchpad, at byte offset addr
    space_e space;       // that the address names
    fault_e fault;
    addr_t  addr;
  } place_t;

  // A byte below the base wraps to an offset past any size, since no range ends past 2^ADDR_WIDTH.
  function automatic logic inside_range(range_t range, addr_t addr);
    return addr - range.base < range.size;
  endfunction

  // The memory that an address names, and the offset there. A generic address is local, shared or global by the windows;
  // of a predicated one the predicate tells whether it is shared; in a space that is written out it is the offset.
  function automatic place_t named(ctrl_t ctrl, space_e space, logic predicate, addr_t addr);
    place_t p;
    logic   in_local, in_shared;
    p = '0;
    p.space = space;
    p.addr = addr;
    if (space inside {SpacePredicated, SpaceGeneric}) begin
      in_local = inside_range(ctrl.local_window, addr);
      in_shared = inside_range(ctrl.shared_window, addr);
      if (space == SpacePredicated && !predicate) begin
        p.space = SpaceShared;
        if (!in_shared) p.fault = FaultWindow;
      end else if (in_local) begin
        p.space = SpaceLocal;
      end else begin
        p.space = space == SpaceGeneric && in_shared ? SpaceShared : SpaceGlobal;
      end
      if (p.space == SpaceLocal) p.addr = addr - ctrl.local_window.base;
      if (p.space == SpaceShared) p.addr = addr - ctrl.shared_window.base;
    end
    return p;
  endfunction

  // predicate as SPA5-SPACE; thread is warp * LANES + lane.
  function automatic place_t place(ctrl_t ctrl, space_e space, logic predicate, logic [63:0] ea, logic [7:0] thread);
    place_t   p;
    private_t item;
    addr_t    offset;  // in private memory
    logic     allocated;
    p = named(ctrl, space, predicate, ea[ADDR_WIDTH-1:0]);
    if (ea[63:ADDR_WIDTH] != '0) p.fault = FaultWindow;
    if (p.fault != FaultNone) return p;
    offset = ea[ADDR_WIDTH-1:0];
    if (space inside {SpacePredicated, SpaceGeneric}) offset = offset - ctrl.local_window.base;
    item = space == SpaceParam ? ctrl.param_memory : ctrl.local_memory;
    unique case (p.space)
      SpaceShared:            allocated = p.addr < addr_t'(ctrl.shared_size);
      SpaceLocal, SpaceParam: allocated = p.addr < addr_t'(item.size);
      SpaceCluster:           allocated = p.addr < ctrl.cluster.size;
      default: begin
        allocated = 1'b0;
        for (int i = 0; i < ALLOCS; i++) allocated |= inside_range(ctrl.alloc[i], p.addr);
      end
    endcase
    if (p.space inside {SpaceLocal, SpaceParam}) p.addr = item.base + addr_t'(thread) * addr_t'(item.stride) + offset;
    if (p.space == SpaceCluster) p.addr = ctrl.cluster.base + p.addr;
    p.fault = allocated ? FaultNone : FaultAllocation;
    p.shared = allocated && p.space == SpaceShared;
    p.memory = allocated && p.space != SpaceShared;
    return p;
  endfunction

  // Bit c: the dword c past x lies within the buffer's size.
  function automatic words_t allocated(logic [31:0] size, dword_t x);
    for (int c = 0; c < REGISTERS; c++) allocated[c] = {x + dword_t'(c), 2'b0} < 38'(size);
  endfunction

  // The byte address of a dword that is allocated; thread is warp * LANES + lane.
  function automatic addr_t buffer_address(addr_t base, logic [31:0] stride, logic [7:0] thread, dword_t x);
    return base + addr_t'(thread) * addr_t'(stride) + addr_t'({x, 2'b0});
  endfunction
endpackage
