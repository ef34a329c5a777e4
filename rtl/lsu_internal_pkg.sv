// SPDX-License-Identifier: MIT OR Apache-2.0
// Types and functions that the unit's parts share, and that cross no port.

package lsu_internal_pkg;
  import lsu_pkg::*;

  parameter int unsigned MAX_LANES = 32;
  parameter int unsigned MAX_LINE_BYTES = 128;
  parameter int unsigned SLOT_WIDTH = 7;  // bits of a slot: an operation's place in the table of lsu_inflight
  parameter int unsigned REGISTERS = 4;   // 32-bit registers that a group of a load fills in a lane
  parameter int unsigned ROWS = 8;        // 32-bit registers that a group of a store takes from a lane
  parameter int unsigned ENTRIES = 16;    // groups that the operation store holds; a burst has up to 16
  parameter int unsigned RING_BEATS = 16; // beats of store data that may wait for their operations
  parameter int unsigned BLOCK_WORDS = 8; // words of a block: the aligned 32 bytes that hold any access but a burst's

  typedef logic [SLOT_WIDTH-1:0] slot_t;
  typedef logic [$clog2(ENTRIES)-1:0] entry_t;
  typedef logic [ENTRIES-1:0] entries_t;  // a bit for each entry
  typedef logic [MAX_LINE_BYTES-1:0] line_be_t;  // byte enables of a line; bytes past the unit's LINE_BYTES stay 0
  typedef logic [35:0] dword_t;           // number of a dword in an R700 buffer

  // What a group moves for one lane, a bit for each 32-bit word: component c of an R700 GPR, or register r of a load. A
  // PTX store is moved as a whole: bit 0.
  typedef logic [REGISTERS-1:0] words_t;
  typedef logic [ROWS-1:0] rows_t;
  typedef words_t [MAX_LANES-1:0] lane_words_t;  // lanes past the unit's LANES stay 0

  // The control registers that an operation uses: its number among buffers, among u# and among g#. Each number fans out
  // to all registers of its family.
  typedef struct packed {
    logic [3:0] buffer;  // the slots, then the scratch of stages past pixel
    logic [2:0] uav;
    logic [2:0] tgsm;
  } choice_t;

  // How a load's words become registers.
  typedef struct packed {
    logic [2:0] register_bytes;  // 1, 2 or 4
    logic       sign_extend;
    logic [1:0] elem_size;       // distance from group to group, in dwords - 1
    words_t [REGISTERS-1:0] takes;  // by register: the word, if any, one-hot
  } format_t;

  // A group of an operation from lsu_address to lsu_window, without what each lane has
  typedef struct packed {
    op_t    op;
    logic   burst;
    logic   swap;     // a compare-and-store
    logic   illegal;
    logic   empty;    // a burst of no GPR: nothing moves
    group_t group;
    logic   first;    // the first group of its operation
  } head_t;

  // What lsu_store keeps of a group that makes requests
  typedef struct packed {
    slot_t       slot;
    warp_t       warp;
    tag_t        tag;
    group_t      group;
    attr_t       attr;
    kind_e       kind;
    logic        burst;
    logic        mmio;        // one request for each lane, each after the answer to the one before (PTX-SEM)
    logic        await_last;
    logic [4:0]  element_bytes;
    logic [3:0]  element_count;
    logic [7:0]  element_mask;
  } job_t;

  // How the beats of a store lie in a lane's block. Beat r fills the units of unit_bytes bytes whose number, modulo units,
  // is r: the block repeats the access. So each byte is where its address says, wherever the access lies.
  typedef struct packed {
    logic [2:0] unit_bytes;  // 1, 2 or 4
    logic [3:0] units;       // of the access: 1, 2, 4 or 8
  } layout_t;

  // A group after lsu_window, without what each lane has
  typedef struct packed {
    op_t     op;
    logic    illegal;
    group_t  group;
    logic    first;    // the first group of its operation
    logic    last;
    rows_t   rows;     // for which store data come
    layout_t layout;   // of these
    logic    fence;    // a release: waits for what its warp did before (PTX-SEM)
  } placed_t;

  // An access to the scratchpad, without what each lane has
  typedef struct packed {
    slot_t       slot;
    warp_t       warp;
    tag_t        tag;
    kind_e       kind;
    logic [4:0]  element_bytes;
    logic        sign_extend;
    logic [31:0] moves;  // its bytes that move, wherever it lies in 32 bytes
    logic [4:0]  span;   // its bytes, less one
  } access_t;

  // A request, without its byte enables and data
  typedef struct packed {
    slot_t  slot;
    warp_t  warp;
    tag_t   tag;
    group_t group;
    logic   exclusive;   // half of a compare-and-store's pair (PORT-CAS)
    logic   write;
    space_e space;
    attr_t  attr;
    addr_t  addr;        // of the line
    logic   await_last;  // its operation is done after the last answer, not the first
    logic   mmio;        // waits for the earlier mmio requests of its warp (PORT-ORDER)
    lane_words_t served;
    words_t together;    // the words that it serves for some lane
  } request_t;

  // What decides, besides the byte enables, whether two requests conflict (PORT-HAZARD, PORT-CAS)
  typedef struct packed {
    warp_t warp;
    logic  exclusive;
    logic  write;
    addr_t addr;
  } against_t;

  function automatic against_t against_of(request_t request);
    return '{warp: request.warp, exclusive: request.exclusive, write: request.write, addr: request.addr};
  endfunction

  // Whether two requests have the same line, and whether they share a byte. These comparisons end long paths, so
  // hardware keeps their results by parts; in simulation each is one part.
`ifdef SYNTHESIS
  localparam int unsigned AddrPart = 8;
  localparam int unsigned BytePart = 8;
`else
  localparam int unsigned AddrPart = ADDR_WIDTH;
  localparam int unsigned BytePart = MAX_LINE_BYTES;
`endif
  typedef logic [ADDR_WIDTH/AddrPart-1:0] addr_parts_t;      // all set: the same line
  typedef logic [MAX_LINE_BYTES/BytePart-1:0] byte_parts_t;  // none set: no byte is shared

  function automatic addr_parts_t equal_parts(addr_t one, addr_t other);
    for (int p = 0; p < $bits(addr_parts_t); p++) equal_parts[p] = one[p*AddrPart+:AddrPart] == other[p*AddrPart+:AddrPart];
  endfunction

  function automatic byte_parts_t shared_parts(line_be_t one, line_be_t other);
    for (int p = 0; p < $bits(byte_parts_t); p++) begin
      shared_parts[p] = (one[p*BytePart+:BytePart] & other[p*BytePart+:BytePart]) != '0;
    end
  endfunction

  // Whether some request of a warp has no answer of at least a scope
  typedef struct packed {
    logic   valid;
    warp_t  warp;
    scope_e scope;
  } fence_t;

  // A response, without its line
  typedef struct packed {
    id_t    id;
    logic   error;
    logic   exclusive_failed;
    scope_e scope;
    logic   last;
  } response_t;

  // The request that a response answers, without its lanes, and what the response is to it
  typedef struct packed {
    logic   known;    // the id is in flight; if not, memory is at fault
    logic   first;    // the first answer: the request is applied
    logic   load;     // it brings a load's data
    logic   pair;     // it answers a half of a pair
    logic   line;     // ... with a line for a compare-and-store to act on
    logic   refused;  // ... the write-exclusive, which was refused
    logic   frees;    // the id comes free
    logic   settles;  // not for a load: the answer that the operation waits for
    logic   bad;      // bus error
    slot_t  slot;
    group_t group;
    words_t together;
  } asked_t;

  // A write-back beat, without what each lane has
  typedef struct packed {
    slot_t slot;
    warp_t warp;
    tag_t  tag;
    reg_t  index;  // of the register in the operation
    logic  last;   // of its response, of the group's fill, or of the scratchpad's part
  } beat_t;

  // Events for lsu_inflight. Something happened to the operation in this slot
  typedef struct packed {
    logic  valid;
    slot_t slot;
  } event_t;

  // A group arrives; those of an operation are consecutive
  typedef struct packed {
    logic  valid;
    logic  first;
    logic  last;
    warp_t warp;
    tag_t  tag;
    logic  memory;  // it makes requests, or will be dropped
    logic  fill;    // it has registers to fill
    logic  spad;    // it has a part in the scratchpad
  } arrived_t;

  // A request was made
  typedef struct packed {
    logic  valid;
    logic  last;  // the last one of its group
    slot_t slot;
  } sent_t;

  // An answer from memory
  typedef struct packed {
    logic        first;
    logic        settled;  // not for a load: the answer that the operation waits for
    logic        error;
    slot_t       slot;
    lane_words_t served;
  } answer_t;

  // The last beat of a response or a fill, or of the scratchpad's part, was taken
  typedef struct packed {
    logic  beats;
    logic  spad;
    slot_t slot;
  } drained_t;

  // Guards the computation of something wide. Hardware computes it in every cycle; a simulator does so only where it is
  // looked at, to save time. Where it is not, nothing may depend on whether it was computed.
  function automatic logic needed(logic looked_at);
`ifdef SYNTHESIS
    return 1'b1;
`else
    return looked_at;
`endif
  endfunction

  // The spaces of PTX stores; only there do the semantics apply (PTX-SEM).
  function automatic logic is_ptx(space_e space);
    return space inside {SpaceGeneric, SpaceGlobal, SpaceLocal, SpaceShared, SpaceCluster, SpaceParam};
  endfunction

  function automatic logic is_mmio(op_t op);
    return is_ptx(op.space) && op.attr.semantics inside {SemMmio, SemMmioRelease};
  endfunction

  function automatic logic is_release(op_t op);
    return is_ptx(op.space) && op.attr.semantics inside {SemRelease, SemMmioRelease};
  endfunction

  // Bytes of the whole access of a lane, 1 to 32 (PTX-VEC).
  function automatic logic [5:0] access_size(logic [4:0] element_bytes, logic [3:0] element_count);
    case (element_count)
      4'd1:    return 6'(element_bytes);
      4'd2:    return 6'(element_bytes) << 1;
      4'd4:    return 6'(element_bytes) << 2;
      default: return 6'(element_bytes) << 3;
    endcase
  endfunction

  function automatic logic [5:0] access_bytes(op_t op);
    return access_size(op.element_bytes, op.element_count);
  endfunction

  // The bytes of the access that move: those of its elements that are not sinks (PTX-SINK).
  function automatic logic [31:0] moved_bytes(logic [4:0] element_bytes, logic [7:0] element_mask);
    moved_bytes = '0;
    case (element_bytes)
      5'd1:    moved_bytes[7:0] = element_mask;
      5'd2:    for (int i = 0; i < 8; i++) moved_bytes[i*2+:2] = {2{element_mask[i]}};
      5'd4:    for (int i = 0; i < 8; i++) moved_bytes[i*4+:4] = {4{element_mask[i]}};
      5'd8:    for (int i = 0; i < 4; i++) moved_bytes[i*8+:8] = {8{element_mask[i]}};
      default: for (int i = 0; i < 2; i++) moved_bytes[i*16+:16] = {16{element_mask[i]}};
    endcase
  endfunction

  // The rows of an operation's store data, one beat each: components of a GPR, elements of at most a word, or words of
  // wider elements.
  function automatic rows_t rows_of(op_t op);
    if (op.space == SpaceBuffer) return rows_t'(op.element_mask[REGISTERS-1:0]);
    if (op.kind == KindCmpStore) return rows_t'(2'b11);  // comparison value, new value
    for (int r = 0; r < ROWS; r++) begin
      case (op.element_bytes)
        5'd8:    rows_of[r] = op.element_mask[r/2];
        5'd16:   rows_of[r] = op.element_mask[r/4];
        default: rows_of[r] = op.element_mask[r];
      endcase
    end
  endfunction

  // A burst's GPR has a unit for each component; a compare-and-store has its comparison value and its new value.
  function automatic layout_t layout_of(op_t op);
    layout_of.unit_bytes = op.element_bytes < 5'd4 ? 3'(op.element_bytes) : 3'd4;
    if (op.space == SpaceBuffer) layout_of.units = 4'd4;
    else if (op.kind == KindCmpStore) layout_of.units = 4'd2;
    else layout_of.units = op.element_bytes < 5'd4 ? op.element_count : 4'(access_bytes(op) >> 2);
  endfunction

  // The bytes of a block that a beat fills (PTX-VEC).
  function automatic logic [31:0] beat_bytes(layout_t layout, logic [2:0] beat);
    automatic logic [7:0] fills;  // by unit, of eight
    for (int u = 0; u < 8; u++) fills[u] = ((3'(u) ^ beat) & 3'(layout.units - 4'd1)) == '0;
    case (layout.unit_bytes[2:1])
      2'd0: beat_bytes = {4{fills}};
      2'd1: for (int u = 0; u < 16; u++) beat_bytes[u*2+:2] = {2{fills[u%8]}};
      default: for (int u = 0; u < 8; u++) beat_bytes[u*4+:4] = {4{fills[u]}};
    endcase
  endfunction

  // The byte enables of a word as a mask of bits.
  function automatic logic [31:0] bits_of(logic [3:0] enables);
    return {{8{enables[3]}}, {8{enables[2]}}, {8{enables[1]}}, {8{enables[0]}}};
  endfunction

  // 32-bit registers of an access that is neither a burst nor a PTX store.
  function automatic logic [2:0] registers_of(logic [4:0] element_bytes);
    return element_bytes > 5'd4 ? 3'(element_bytes >> 2) : 3'd1;
  endfunction

  // The words of a group to be accessed in memory or in the scratchpad (R700-ELEM, R700-READ).
  function automatic words_t words_of(op_t op);
    words_t used;
    if (is_ptx(op.space)) return words_t'(1);
    if (op.space != SpaceBuffer) return words_t'((5'd1 << registers_of(op.element_bytes)) - 5'd1);
    if (op.kind == KindStore) return op.element_mask[REGISTERS-1:0];
    used = '0;
    for (int c = 0; c < REGISTERS; c++) if (!op.component_select[c*3+2]) used[op.component_select[c*3+:2]] = 1'b1;
    return used & op.element_mask[REGISTERS-1:0];
  endfunction

  // How a group's words become registers (R700-READ, SPA5-MULTI).
  function automatic format_t format_of(op_t op);
    format_t f;
    logic [2:0] select;
    words_t     has;  // the components that memory has
    has = op.element_mask[REGISTERS-1:0];
    f.register_bytes = op.element_bytes > 5'd4 ? 3'd4 : 3'(op.element_bytes);
    f.sign_extend = op.sign_extend && op.space != SpaceBuffer;
    f.elem_size = op.elem_size;
    for (int r = 0; r < REGISTERS; r++) begin
      select = op.component_select[r*3+:3];
      if (op.space != SpaceBuffer) f.takes[r] = 3'(r) < registers_of(op.element_bytes) ? words_t'(1) << r : '0;
      else f.takes[r] = select[2] ? '0 : has & words_t'(1) << select[1:0];
    end
    return f;
  endfunction

  // The lowest set bit alone.
  function automatic logic [31:0] lowest_bit(logic [31:0] set);
`ifdef SYNTHESIS
    logic [31:0] below;  // a bit is set here or below
    below = set;
    for (int k = 0; k < 5; k++) below |= below << (1 << k);
    return set & ~(below << 1);
`else
    return set & (~set + 32'd1);
`endif
  endfunction

  // The number of the one entry that is set; 0 if none is.
  function automatic entry_t entry_of(entries_t one);
    return {|(one & 16'hff00), |(one & 16'hf0f0), |(one & 16'hcccc), |(one & 16'haaaa)};
  endfunction

  // The first of a group's words or registers that is set; 0 if none is.
  function automatic logic [1:0] first_of(words_t words);
    return {words[1:0] == '0 && words[3:2] != '0, !words[0] && (words[1] || (!words[2] && words[3]))};
  endfunction

  // The lowest of a burst's GPRs.
  function automatic group_t lowest(logic [15:0] gprs);
    lowest = '0;
    for (int k = 15; k >= 0; k--) if (gprs[k]) lowest = group_t'(k);
  endfunction
endpackage
