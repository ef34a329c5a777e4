// SPDX-License-Identifier: MIT OR Apache-2.0
// Where an aligned access lies: SPA5-SPACE, SPA5-WINDOW, SPA5-OOB, PTX-SPACE, PTX-OFFSET, PTX-GLOBAL-ONLY, COM-PRIVATE,
// COM-GLOBAL; where a dword of an R700 buffer lies: R700-BOUND, R700-PLACE, R700-STAGE.
//
// By stage of lsu_window: (a) `common_of` for the operation, and `where_of` and `beyond` for each lane;
// (b) `inside_range`, `base_for`, `fault_at`; (c) `space_at`. An address is at + base + product, where
//
//   at       the aligned access, or a dword of a buffer
//   base     base of the memory that it lies in, less that of its window
//   product  the thread's number times the stride, computed in (b)
//
// Ranges are multiples of 32 bytes, and an access is a naturally aligned power of two of at most that. So an access is
// inside a range if its first byte is (SPA5-STRADDLE). Buffers are multiples of a dword.
// Golden model: src/model/window.rs, space.rs, buffer.rs.

package lsu_window_pkg;
  import lsu_pkg::*;
  import lsu_internal_pkg::*;

  typedef logic [ADDR_WIDTH-1:5] granule_t;  // an address in units of 32 bytes
  typedef logic [ADDR_WIDTH:5] end_t;        // the first granule past something, which may be at 2^ADDR_WIDTH
  typedef logic [47:0] product_t;            // exact

  // The memory that an access of SPA 5.0 or PTX is in.
  typedef enum logic [1:0] {
    InGlobal  = 2'd0,
    InPrivate = 2'd1,
    InShared  = 2'd2,
    InCluster = 2'd3
  } where_e;

  // What all accesses of an operation share.
  typedef struct packed {
    addr_t       base;    // added to an access
    end_t        past;    // the first granule that is not allocated
    addr_t       window;  // added instead to an access in the shared window
    end_t        spad;    // the first granule there that is not allocated
    logic [31:0] stride;
  } common_t;

  // The spaces whose addresses are looked up in the windows. A named space takes an offset (PTX-OFFSET).
  function automatic logic is_windowed(space_e space);
    return space == SpacePredicated || space == SpaceGeneric;
  endfunction

  function automatic end_t past_range(granule_t base, granule_t size);
    return end_t'(base) + end_t'(size);
  endfunction

  // No range ends past 2^ADDR_WIDTH.
  function automatic logic inside_range(granule_t base, end_t past, granule_t addr);
    return addr >= base && end_t'(addr) < past;
  endfunction

  // The private space of an access, if it is in one (COM-PRIVATE, PTX-OFFSET).
  function automatic private_t private_space(space_e space, private_t local_memory, private_t param_memory);
    return space == SpaceParam ? param_memory : local_memory;
  endfunction

  // item is the private space. For windowed spaces that is local memory, and passed as such, so that their sums do not
  // wait for the operation. The sums may wrap: an access that is not allocated is never made.
  function automatic common_t common_of(space_e space, addr_t local_window, addr_t local_base, logic [31:5] local_size,
                                        addr_t shared_window, private_t item, range_t cluster,
                                        logic [31:5] shared_size);
    common_t common;
    common.stride = item.stride;
    common.window = -shared_window;
    common.spad = past_range(shared_window[ADDR_WIDTH-1:5], granule_t'(shared_size));
    case (space)
      SpacePredicated, SpaceGeneric: begin
        common.base = local_base - local_window;
        common.past = past_range(local_window[ADDR_WIDTH-1:5], granule_t'(local_size));
      end
      SpaceCluster: begin
        // An offset into the cluster's window (PTX-OFFSET).
        common.base = cluster.base;
        // PTX-OFFSET
        common.past = end_t'(cluster.size[ADDR_WIDTH-1:5]);
      end
      SpaceShared: begin
        common.base = '0;
        common.past = end_t'(shared_size);
      end
      SpaceGlobal: begin
        common.base = '0;
        common.past = '0;
      end
      default: begin
        common.base = item.base;
        common.past = end_t'(item.size[31:5]);
      end
    endcase
    return common;
  endfunction

  // Which memory an address is in. predicate is that of SPA5-SPACE; in_local and in_shared tell in which window the
  // address is, and decide for a generic one (PTX-SPACE).
  function automatic where_e where_of(space_e space, logic predicate, logic in_local, logic in_shared);
    case (space)
      SpacePredicated: begin
        if (!predicate) return InShared;
        return in_local ? InPrivate : InGlobal;
      end
      SpaceGeneric: begin
        if (in_local) return InPrivate;
        return in_shared ? InShared : InGlobal;
      end
      SpaceGlobal: return InGlobal;
      SpaceShared: return InShared;
      SpaceCluster: return InCluster;
      default: return InPrivate;
    endcase
  endfunction

  // Out of window. high is the address's bits at ADDR_WIDTH and above.
  function automatic logic beyond(space_e space, logic predicate, logic in_shared, logic [63:ADDR_WIDTH] high);
    return high != '0 || (space == SpacePredicated && !predicate && !in_shared);
  endfunction

  // The factor of the stride: thread, which is warp * LANES + lane, or 0 if the access is not private.
  function automatic logic [15:0] thread_count(where_e where, logic [7:0] thread);
    return where == InPrivate ? 16'(thread) : '0;
  endfunction

  // What is added to an access; base and window as in common_t.
  function automatic addr_t base_for(logic windowed, where_e where, addr_t base, addr_t window);
    return (base & {ADDR_WIDTH{!windowed || where == InPrivate}}) | (window & {ADDR_WIDTH{windowed && where == InShared}});
  endfunction

  // An access is allocated (COM-PRIVATE, SPA5-OOB). in_range: some allocation range contains it; below_past and
  // below_spad: it lies below past, or below spad, of common_t.
  function automatic logic is_allocated(logic windowed, where_e where, logic in_range, logic below_past,
                                        logic below_spad);
    if (where == InGlobal) return in_range;
    return windowed && where == InShared ? below_spad : below_past;
  endfunction

  // mmio, and 256 bits at a generic address (wide), are for global memory only (PTX-SEM, PTX-GLOBAL-ONLY).
  function automatic logic only_global(space_e space, logic mmio, logic wide);
    return mmio || (wide && space == SpaceGeneric);
  endfunction

  // The first fault that applies (COM-FAULT).
  function automatic fault_e fault_at(space_e space, where_e where, logic out, logic only, logic allocated);
    if (out) return FaultWindow;
    if (only && (where == InShared || (where == InPrivate && space != SpaceParam))) return FaultIllegal;
    return allocated ? FaultNone : FaultAllocation;
  endfunction

  // The space of an access at the memory port.
  function automatic space_e space_at(space_e space, where_e where);
    if (!is_windowed(space)) return space;
    case (where)
      InPrivate: return SpaceLocal;
      InShared:  return SpaceShared;
      default:   return SpaceGlobal;
    endcase
  endfunction

  // The unit's only multiplier; each lane has two.
  function automatic product_t product_of(logic [15:0] count, logic [31:0] unit);
    return product_t'(count) * product_t'(unit);
  endfunction

  function automatic addr_t sum_of(addr_t sum, addr_t products);
    return sum + products;
  endfunction

  // The operation's buffer among the control registers: first those by slot, then the scratch of stages past pixel.
  function automatic logic [3:0] buffer_number(logic [2:0] slot, logic [1:0] stage);
    return slot == BufferScratch && stage != StagePixel ? 4'(BUFFERS - 1) + 4'(stage) : {1'b0, slot};
  endfunction

  function automatic choice_t choice_of(op_t op);
    return '{buffer: buffer_number(op.slot, op.stage), uav: op.slot, tgsm: op.slot};
  endfunction

  // Bit c: dword x + c is below past. One subtraction tells how many are.
  function automatic words_t dwords_below(dword_t x, dword_t past);
    logic [$bits(dword_t):0] left;
    left = {1'b0, past} - {1'b0, x};
    if (left[$bits(dword_t)]) return '0;
    if (left[$bits(dword_t)-1:2] != '0) return '1;
    return words_t'((4'd1 << left[1:0]) - 4'd1);
  endfunction

  // Bit c: dword x + c lies within the buffer's size, which is in bytes.
  function automatic words_t allocated(logic [31:0] size, dword_t x);
    return dwords_below(x, dword_t'(size) >> 2);
  endfunction
endpackage
