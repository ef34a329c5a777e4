// SPDX-License-Identifier: MIT OR Apache-2.0
// Where an aligned access lies: SPA5-SPACE, SPA5-WINDOW, SPA5-OOB, PTX-SPACE, PTX-OFFSET, PTX-GLOBAL-ONLY, COM-PRIVATE,
// COM-GLOBAL; where a dword of an R700 buffer lies: R700-BOUND, R700-PLACE, R700-STAGE.
//
// Every range is a multiple of 32 bytes and every access a naturally aligned power of two below that, so an
// access is inside as soon as its first byte is (SPA5-STRADDLE). A buffer is a multiple of a dword.
// Golden model: src/model/window.rs, space.rs, buffer.rs.

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

  // COM-GLOBAL: one of the allocation ranges has it.
  function automatic logic inside_global(ctrl_t ctrl, addr_t addr);
    inside_global = 1'b0;
    for (int i = 0; i < ALLOCS; i++) inside_global |= inside_range(ctrl.alloc[i], addr);
  endfunction

  // A lane of SPA 5.0; predicate as SPA5-SPACE; thread is warp * LANES + lane.
  function automatic place_t place(ctrl_t ctrl, logic predicate, logic [63:0] ea, logic [7:0] thread);
    place_t p;
    addr_t  addr;
    addr_t  offset;
    p = '0;
    addr = ea[ADDR_WIDTH-1:0];
    if (ea[63:ADDR_WIDTH] != '0) begin
      p.fault = FaultWindow;
    end else if (!predicate) begin
      p.space = SpaceShared;
      offset = addr - ctrl.shared_window.base;
      if (offset >= ctrl.shared_window.size) p.fault = FaultWindow;
      else if (offset >= addr_t'(ctrl.shared_size)) p.fault = FaultAllocation;
      else begin
        p.shared = 1'b1;
        p.addr = offset;
      end
    end else if (inside_range(ctrl.local_window, addr)) begin
      p.space = SpaceLocal;
      offset = addr - ctrl.local_window.base;
      if (offset >= addr_t'(ctrl.local_memory.size)) p.fault = FaultAllocation;
      else begin
        p.memory = 1'b1;
        p.addr = ctrl.local_memory.base + addr_t'(thread) * addr_t'(ctrl.local_memory.stride) + offset;
      end
    end else begin
      p.space = SpaceGlobal;
      if (inside_global(ctrl, addr)) begin
        p.memory = 1'b1;
        p.addr = addr;
      end else begin
        p.fault = FaultAllocation;
      end
    end
    return p;
  endfunction

  // The private space that an access is in, if it is in one.
  function automatic private_t private_space(ctrl_t ctrl, space_e space);
    return space == SpaceParam ? ctrl.param_memory : ctrl.local_memory;
  endfunction

  // A lane of PTX. A generic address is local, shared or global by the windows; in a space that is written out the
  // address is the offset there (PTX-OFFSET). mmio, and 256 bits at a generic address (wide), go to global memory only
  // (PTX-SEM, PTX-GLOBAL-ONLY). thread is warp * LANES + lane.
  function automatic place_t place_ptx(ctrl_t ctrl, space_e space, logic mmio, logic wide, logic [63:0] ea,
                                       logic [7:0] thread);
    place_t   p;
    private_t item;
    addr_t    addr;
    logic     allocated, elsewhere, refused;
    item = private_space(ctrl, space);
    addr = ea[ADDR_WIDTH-1:0];
    p = '0;
    p.space = space;
    if (ea[63:ADDR_WIDTH] != '0) begin
      p.fault = FaultWindow;
      return p;
    end
    if (space == SpaceGeneric) begin
      if (inside_range(ctrl.local_window, addr)) begin
        p.space = SpaceLocal;
        addr = addr - ctrl.local_window.base;
      end else if (inside_range(ctrl.shared_window, addr)) begin
        p.space = SpaceShared;
        addr = addr - ctrl.shared_window.base;
      end else begin
        p.space = SpaceGlobal;
      end
    end
    p.addr = addr;
    unique case (p.space)
      SpaceShared: allocated = addr < addr_t'(ctrl.shared_size);
      SpaceLocal, SpaceParam: begin
        allocated = addr < addr_t'(item.size);
        p.addr = item.base + addr_t'(thread) * addr_t'(item.stride) + addr;
      end
      SpaceCluster: begin
        allocated = addr < ctrl.cluster.size;
        p.addr = ctrl.cluster.base + addr;
      end
      default: allocated = inside_global(ctrl, addr);
    endcase
    elsewhere = p.space inside {SpaceLocal, SpaceShared};
    refused = elsewhere && (mmio || (wide && space == SpaceGeneric));
    if (refused) p.fault = FaultIllegal;
    else p.fault = allocated ? FaultNone : FaultAllocation;
    p.shared = allocated && !refused && p.space == SpaceShared;
    p.memory = allocated && !refused && p.space != SpaceShared;
    return p;
  endfunction

  // Which of the control registers' buffers an operation means: the slots, then the scratch of stages past pixel.
  function automatic logic [3:0] buffer_number(logic [2:0] slot, logic [1:0] stage);
    return slot == BufferScratch && stage != StagePixel ? 4'(BUFFERS - 1) + 4'(stage) : {1'b0, slot};
  endfunction

  function automatic buffer_t buffer_of(ctrl_t ctrl, logic [2:0] slot, logic [1:0] stage);
    logic [3:0] number;
    number = buffer_number(slot, stage);
    if (!number[3]) return ctrl.buffer[number[2:0]];
    unique case (number[1:0])
      2'd0:    return ctrl.stage_scratch[0];
      2'd1:    return ctrl.stage_scratch[1];
      default: return ctrl.stage_scratch[2];
    endcase
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
