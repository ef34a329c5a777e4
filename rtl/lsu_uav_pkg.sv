// SPDX-License-Identifier: MIT OR Apache-2.0
// Where a lane's compare-and-store takes place: SM5-RAW, SM5-STRUCT, SM5-TYPED; SM5-ALIGN, SM5-OOB-UAV, SM5-OOB-OFFSET,
// SM5-OOB-TGSM, SM5-UNBOUND.
//
// By stage of lsu_window: (a) `view_uav` or `view_tgsm` for the operation, and the operands of each lane; (b) two
// products, and the comparisons that need no product; (c) the sums. An address is base + offset, where
//
//             offset of the dword       limit: the sum of the products must be below it
//   raw       4 * (x / 4)               1
//   struct    4 * (y / 4) + x * stride  size - stride + 1
//   typed     4 * x + row * row_pitch   size - 4 * x
//                   + slice * slice_pitch
//
// Offsets are exact: no sum or product here can wrap. Sizes, strides and pitches are multiples of a dword, so a dword
// is inside if its first byte is.
// Golden model: src/model/uav.rs.

package lsu_uav_pkg;
  import lsu_pkg::*;
  import lsu_window_pkg::*;

  typedef logic [ADDR_WIDTH:2] dwords_t;    // number of dwords
  typedef logic [ADDR_WIDTH+1:0] room_t;    // bytes, signed: negative if the highest bit is set
  typedef logic [15:0] pitched_t;           // an index that a pitch multiplies

  // A resource, as all lanes of an operation see it.
  typedef struct packed {
    logic        bound;   // the resource is of the kind that the operation addresses (SM5-KIND)
    addr_t       base;
    dwords_t     past;    // limit of dword_of: the size of a raw resource, a structure's stride, a typed one's width
    logic [31:0] pitch;   // of rows
    logic [31:0] slice_pitch;
    pitched_t    rows;    // limit of row indices
    pitched_t    slices;  // limit of slice indices
    room_t       room;    // limit of the products' sum; if typed, the first index is still to be subtracted
  } view_t;

  // Misaligned (SM5-ALIGN): the byte address in a raw resource, or the byte offset in a structure.
  function automatic logic off_dword(addr_mode_e mode, logic [1:0] x, logic [1:0] y);
    return mode == AddrRaw ? x != '0 : mode == AddrStruct && y != '0;
  endfunction

  // The indices that pitches multiply. An index below its limit fits in 16 bits; one that the dimension lacks is 0.
  function automatic logic has_rows(dimension_e dimension);
    return dimension inside {Dim2d, Dim2dArray, Dim3d};
  endfunction

  function automatic logic has_slices(dimension_e dimension);
    return dimension inside {Dim1dArray, Dim2dArray, Dim3d};
  endfunction

  function automatic pitched_t row_index(dimension_e dimension, logic [15:0] y);
    return has_rows(dimension) ? y : '0;
  endfunction

  function automatic pitched_t slice_index(dimension_e dimension, logic [15:0] y, logic [15:0] z);
    case (dimension)
      Dim1dArray: return y;
      Dim2dArray, Dim3d: return z;
      default: return '0;
    endcase
  endfunction

  // One of these indices does not fit in 16 bits; y and z are the upper bits.
  function automatic logic index_beyond(dimension_e dimension, logic [31:16] y, logic [31:16] z);
    case (dimension)
      Dim1dArray, Dim2d: return y != '0;
      Dim2dArray, Dim3d: return y != '0 || z != '0;
      default: return 1'b0;
    endcase
  endfunction

  // Limit of where structures start: the last one ends at the size. size - stride is a multiple of 4, so `| 1` adds 1.
  function automatic room_t structures(addr_t size, logic [11:0] stride);
    return (room_t'(size) - room_t'(stride)) | room_t'(1);
  endfunction

  // u# (SM5-OOB-UAV). A slot that is bound as another kind counts as unbound.
  function automatic view_t view_uav(uav_t uav, addr_mode_e mode);
    view_t v;
    v.base = uav.base;
    v.pitch = uav.row_pitch;
    // SM5-TYPED
    v.slice_pitch = uav.slice_pitch;
    v.rows = '1;
    v.slices = '1;
    case (mode)
      AddrRaw: begin
        v.bound = uav.kind == ResourceRaw;
        // SM5-OOB-UAV
        v.past = dwords_t'(uav.size[ADDR_WIDTH-1:2]);
        v.room = room_t'(1);
      end
      AddrStruct: begin
        v.bound = uav.kind == ResourceStructured;
        v.past = dwords_t'(uav.stride[11:2]);
        v.room = structures(uav.size, uav.stride);
      end
      default: begin
        v.bound = uav.kind == ResourceTyped && uav.dimension <= Dim3d;
        // SM5-TYPED
        v.past = dwords_t'(uav.width);
        v.room = room_t'(uav.size);
        if (has_rows(uav.dimension)) v.rows = uav.height;
        if (has_slices(uav.dimension)) v.slices = uav.depth;
      end
    endcase
    return v;
  endfunction

  // g#, raw or structured (SM5-OOB-TGSM).
  function automatic view_t view_tgsm(tgsm_t tgsm, addr_mode_e mode);
    view_t v;
    v = '0;
    v.base = addr_t'(tgsm.base);
    v.rows = '1;
    v.slices = '1;
    if (mode == AddrRaw) begin
      v.bound = tgsm.kind == ResourceRaw;
      // SM5-OOB-TGSM
      v.past = dwords_t'(tgsm.size[31:2]);
      v.room = room_t'(1);
    end else begin
      v.bound = tgsm.kind == ResourceStructured;
      v.past = dwords_t'(tgsm.stride[11:2]);
      v.room = structures(addr_t'(tgsm.size), tgsm.stride);
    end
    return v;
  endfunction

  // The dword that one index selects alone; of a structured resource, the dword in the structure.
  function automatic logic [31:0] dword_of(addr_mode_e mode, logic [31:0] x, logic [31:2] y);
    case (mode)
      AddrRaw:    return {2'b0, x[31:2]};
      AddrStruct: return {2'b0, y};
      default:    return x;
    endcase
  endfunction

  // Operand of the first product: in a structured resource its stride, times x; else the row, times the row pitch.
  function automatic pitched_t count_of(addr_mode_e mode, logic [11:0] stride, pitched_t row);
    case (mode)
      AddrRaw:    return '0;
      AddrStruct: return pitched_t'(stride);
      default:    return row;
    endcase
  endfunction

  // The limit of a lane's products; in a typed resource, the bytes before the lane's dword are subtracted.
  function automatic room_t room_left(addr_mode_e mode, room_t room, logic [31:0] dword);
    return mode == AddrTyped ? room - room_t'({dword, 2'b0}) : room;
  endfunction

  // The sum of the products fits.
  function automatic logic room_for(room_t left, logic [48:0] sum);
    return !left[ADDR_WIDTH+1] && sum < 49'(left[ADDR_WIDTH:0]);
  endfunction

  // A lane's fault: its structure or element is past the size (fits is 0), or an index is past its limit (below is 0).
  // In a structured u#, the structure's index decides: only past the stride is undefined. In a g#, every fault is.
  function automatic fault_e fault_of(logic shared, addr_mode_e mode, logic bound, logic below, logic fits);
    if (bound && below && fits) return FaultNone;
    return shared || (mode == AddrStruct && bound && fits) ? FaultUndefined : FaultAllocation;
  endfunction
endpackage
