// SPDX-License-Identifier: MIT OR Apache-2.0
// Finds the memory and the address of each lane of a group, and every fault except the bus error, in three stages:
//
//   lsu_address ---> (a) choose --------> (b) multiply --------> (c) add ---------> lsu_store
//                    registers,           two products,          base + at +
//                    windows,             allocations,           products; do
//                    operands             limits of indices      these fit?
//
// One group a cycle, without stalls, so in hardware the registers of the stages have no enable. The control registers
// are read here; lsu_address reads only the one that selects the form of the R700 equation. Each lane has two
// multipliers of 16 x 32 bits, which the instruction sets share: thread times stride; structure times stride; row and
// slice, each times its pitch.
// Golden model: src/model/window.rs, space.rs, align.rs, clamp.rs, uav.rs.

module lsu_window
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
#(
  parameter int unsigned LANES = 32
) (
  input  logic clk_i,
  input  logic rst_ni,  // asynchronous, active low
  input  ctrl_t ctrl_i,

  // From lsu_address
  input  logic             valid_i,
  input  head_t            head_i,
  input  logic             last_i,   // the last group of its operation
  input  choice_t          chosen_i,
  input  logic [LANES-1:0] active_i,
  input  logic [LANES-1:0] predicate_i,
  input  logic [LANES-1:0][63:0] ea_i,
  input  logic [LANES-1:0][31:0] z_i,

  // To lsu_store: each lane accesses memory, the scratchpad or neither; no lane of an illegal operation accesses any
  output logic                  valid_o,
  output placed_t               placed_o,
  output words_t [LANES-1:0]    memory_o,  // words to be accessed at the memory port
  output logic [LANES-1:0][3:0] space_o,   // the space of these words
  output logic [LANES-1:0]      shared_o,  // lanes that access the scratchpad
  output logic [REGISTERS-1:0][LANES-1:0] fill_o,  // by register of a load: lanes that get it from neither
  output addr_t [LANES-1:0]     addr_o,    // of the group's first word
  output logic [LANES-1:0][2:0] fault_o
);
  import lsu_align_pkg::*;
  import lsu_clamp_pkg::*;
  import lsu_uav_pkg::*;
  import lsu_window_pkg::*;

  localparam int unsigned LaneBits = $clog2(LANES);

  logic a_valid_q, b_valid_q;  // a group has passed (a), has passed (b)

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      a_valid_q <= 1'b0;
      b_valid_q <= 1'b0;
      valid_o <= 1'b0;
    end else begin
      a_valid_q <= valid_i;
      b_valid_q <= a_valid_q;
      valid_o <= b_valid_q;
    end
  end

  // After (a)
  // ---------
  head_t            a_head_q;
  logic             a_last_q;
  words_t           a_words_q;    // words to be accessed in memory or in the scratchpad
  logic [LANES-1:0] a_active_q;
  addr_t       base_q, window_q;  // as in common_t; or base_q is that of a buffer or resource
  dwords_t     past_q;            // as in common_t or view_t
  end_t        spad_q;
  end_t        alloc_past_q [ALLOCS];
  logic [31:0] pitch_q;           // a thread's stride, or a row's pitch
  dword_t      limit_q;           // of the array of a burst
  logic [31:0] size_q;            // of the buffer, in bytes
  logic [31:0] slice_pitch_q;     // these and the rest as in view_t
  pitched_t    row_limit_q, slice_limit_q;
  room_t       room_q;
  logic        a_bound_q;
  addr_t       at_q [LANES];
  where_e      a_where_q [LANES];
  pitched_t    count_q [LANES];   // operand of the first product: thread, row, or a structure's stride
  // The other operand is a structure's index, index_q, rather than pitch_q. One copy for each multiplier, next to it.
  (* keep *) logic structured_q [LANES];
  logic [31:0] index_q [LANES];
  pitched_t    slice_q [LANES];
  logic [LANES-1:0] beyond_q, a_off_q;  // out of window, or an index too wide; misaligned, if that is a fault

  // After (b)
  // ---------
  head_t            b_head_q;
  logic             b_last_q;
  words_t           b_words_q;
  logic [LANES-1:0] b_active_q, b_off_q;
  logic             b_bound_q;
  addr_t            sum_q [LANES];      // the address without the products
  product_t         product_q [LANES];
  product_t         slices_q [LANES];
  room_t            left_q [LANES];
  logic [LANES-1:0] below_q;
  where_e           b_where_q [LANES];
  words_t [LANES-1:0]    moves_q;
  logic [LANES-1:0][2:0] fault_q;

  // All three stages are one process, the last stage first: each register between them is read before it is written,
  // and no other process reads it. So blocking assignments are registers, and the simulator needs no second copy.
  always_ff @(posedge clk_i) begin
    // (c) The sums, and each lane's accesses and fault
    if (needed(b_valid_q)) begin
      automatic op_t op = b_head_q.op;
      automatic words_t words = b_words_q;
      automatic words_t [LANES-1:0] memory = '0;
      automatic logic [LANES-1:0][3:0] space = '0;
      automatic logic [LANES-1:0] shared = '0;
      automatic logic [REGISTERS-1:0][LANES-1:0] fill = '0;
      automatic addr_t [LANES-1:0] addr;
      automatic logic [LANES-1:0][2:0] fault = '0;
      automatic placed_t placed;
      automatic logic ordered = 1'b0;  // some access is not in private memory
      automatic logic [48:0] products [LANES];
      for (int l = 0; l < LANES; l++) begin
        products[l] = 49'(product_q[l]) + 49'(slices_q[l]);
        addr[l] = sum_of(sum_q[l], addr_t'(products[l]));
      end

      if (b_head_q.illegal) begin
        // Every lane that executes faults, and none accesses memory (COM-ILLEGAL).
        for (int l = 0; l < LANES; l++) fault[l] = b_active_q[l] ? FaultIllegal : FaultNone;
      end else if (b_head_q.burst) begin
        memory = moves_q;
        space = {LANES{SpaceBuffer}};
        fault = fault_q;
        if (op.kind == KindLoad && !b_head_q.empty) begin
          automatic logic [REGISTERS-1:0][LANES-1:0] moved;  // by component
          for (int c = 0; c < REGISTERS; c++) for (int l = 0; l < LANES; l++) moved[c][l] = moves_q[l][c];
          for (int r = 0; r < REGISTERS; r++) begin
            automatic logic [2:0] select = op.component_select[r*3+:3];
            // A constant, or a component that the lane does not get from memory (R700-READ, R700-READOOB).
            if (select != 3'd7) fill[r] = b_active_q & (select[2] ? '1 : ~moved[select[1:0]]);
          end
        end
      end else if (b_head_q.swap) begin
        automatic logic in_spad = op.space == SpaceTgsm;
        space = {LANES{op.space}};
        for (int l = 0; l < LANES; l++) begin
          automatic logic fits = room_for(left_q[l], products[l]);
          // Past a limit, or bound as another kind (SM5-OOB-UAV, SM5-OOB-TGSM, SM5-UNBOUND).
          automatic fault_e why = fault_of(in_spad, op.addr_mode, b_bound_q, below_q[l], fits);
          automatic logic goes = b_active_q[l] && why == FaultNone;
          memory[l] = goes && !in_spad ? words : '0;
          shared[l] = goes && in_spad;
          if (!b_active_q[l]) fault[l] = FaultNone;
          else if (why != FaultNone) fault[l] = why;
          // Misaligned is reported only if no other fault is (COM-FAULT, SM5-ALIGN).
          else fault[l] = b_off_q[l] ? FaultMisaligned : FaultNone;
        end
      end else begin
        automatic logic [LANES-1:0] in_bounds, in_spad, in_private, goes, zeros;
        for (int l = 0; l < LANES; l++) in_bounds[l] = fault_q[l] == FaultNone;
        for (int l = 0; l < LANES; l++) in_spad[l] = b_where_q[l] == InShared;
        for (int l = 0; l < LANES; l++) in_private[l] = b_where_q[l] == InPrivate;
        // What is out of bounds is not accessed (SPA5-OOB).
        goes = b_active_q & in_bounds;
        shared = goes & in_spad;
        for (int l = 0; l < LANES; l++) memory[l] = goes[l] && !in_spad[l] ? words : '0;
        for (int l = 0; l < LANES; l++) space[l] = space_at(op.space, b_where_q[l]);
        // In private memory a release is weak (PTX-SEM).
        ordered = (goes & ~in_private) != '0;
        // A load out of bounds returns 0 (SPA5-OOB).
        zeros = op.kind == KindLoad ? b_active_q & ~in_bounds : '0;
        for (int l = 0; l < LANES; l++) begin
          // The first fault that applies (COM-FAULT).
          if (!b_active_q[l]) fault[l] = FaultNone;
          else if (!in_bounds[l]) fault[l] = fault_q[l];
          else fault[l] = b_off_q[l] ? FaultMisaligned : FaultNone;
        end
        for (int r = 0; r < REGISTERS; r++) fill[r] = words[r] ? zeros : '0;
      end

      placed = '{
        op: op, illegal: b_head_q.illegal, group: b_head_q.group, first: b_head_q.first, last: b_last_q,
        rows: b_head_q.illegal || b_head_q.empty || op.kind == KindLoad ? '0 : rows_of(op), layout: layout_of(op),
        fence: ordered && is_release(op)
      };
      placed_o <= placed;
      memory_o <= memory;
      space_o <= space;
      shared_o <= shared;
      fill_o <= fill;
      addr_o <= addr;
      fault_o <= fault;
    end

    // (b) Products, and the comparisons that need none
    if (needed(a_valid_q)) begin
      automatic addr_mode_e mode = a_head_q.op.addr_mode;
      automatic space_e space = a_head_q.op.space;
      automatic logic windowed = is_windowed(space);
      automatic logic [LANES-1:0] below_past;
      for (int l = 0; l < LANES; l++) begin
        automatic logic [31:0] unit = structured_q[l] ? index_q[l] : pitch_q;
        product_q[l] = product_of(count_q[l], unit);
        slices_q[l] = '0;
        sum_q[l] = at_q[l] + base_for(windowed, a_where_q[l], base_q, window_q);
        below_past[l] = dwords_t'(at_q[l][ADDR_WIDTH-1:2]) < past_q;
      end

      if (a_head_q.burst) begin
        for (int l = 0; l < LANES; l++) begin
          automatic dword_t x = at_q[l][2+:$bits(dword_t)];
          automatic words_t wants = a_active_q[l] ? a_words_q & below(x, limit_q) : '0;
          automatic words_t moves = wants & allocated(size_q, x);
          moves_q[l] = moves;
          // Past the buffer's size is a fault, past the array's limit is not (R700-BOUND, R700-CLAMP).
          fault_q[l] = moves != wants ? FaultAllocation : FaultNone;
        end
      end else if (a_head_q.swap) begin
        for (int l = 0; l < LANES; l++) begin
          if (mode == AddrTyped) slices_q[l] = product_of(slice_q[l], slice_pitch_q);
          left_q[l] = room_left(mode, room_q, at_q[l][33:2]);
          below_q[l] = !beyond_q[l] && below_past[l] && count_q[l] < row_limit_q && slice_q[l] < slice_limit_q;
        end
      end else begin
        automatic logic only = only_global(space, is_mmio(a_head_q.op), access_bytes(a_head_q.op) == 6'd32);
        automatic granule_t alloc_base [ALLOCS];
        for (int i = 0; i < ALLOCS; i++) alloc_base[i] = ctrl_i.alloc[i].base[ADDR_WIDTH-1:5];
        for (int l = 0; l < LANES; l++) begin
          automatic granule_t at = at_q[l][ADDR_WIDTH-1:5];
          automatic logic in_range = 1'b0;
          if (needed(a_active_q[l] && a_where_q[l] == InGlobal)) begin
            // Wholly in one range, because ranges and accesses are aligned (COM-GLOBAL).
            for (int i = 0; i < ALLOCS; i++) in_range |= inside_range(alloc_base[i], alloc_past_q[i], at);
          end
          fault_q[l] = fault_at(space, a_where_q[l], beyond_q[l], only,
                                is_allocated(windowed, a_where_q[l], in_range, below_past[l], end_t'(at) < spad_q));
          b_where_q[l] = a_where_q[l];
        end
      end
      b_head_q = a_head_q;
      b_last_q = a_last_q;
      b_words_q = a_words_q;
      b_active_q = a_active_q;
      b_off_q = a_off_q;
      b_bound_q = a_bound_q;
    end

    // (a) The slot's control registers, and where each lane's access lies
    if (needed(valid_i)) begin
      automatic op_t op = head_i.op;
      if (head_i.burst) begin
        // Scratch is that of the program's stage (R700-STAGE); the fourth of these is never selected.
        automatic buffer_t [3:0] scratches = {ctrl_i.stage_scratch[2], ctrl_i.stage_scratch};
        automatic buffer_t buffer = ctrl_i.buffer[chosen_i.buffer[2:0]];
        if (chosen_i.buffer[3]) buffer = scratches[chosen_i.buffer[1:0]];
        base_q = buffer.base;
        // R700-PLACE
        pitch_q = buffer.stride;
        size_q = buffer.size;
        limit_q = limit_or_none(ctrl_i.r700_driver_form, op.slot, op.array_base, op.array_size, op.elem_size);
        for (int l = 0; l < LANES; l++) begin
          at_q[l] = addr_t'({element(dword_t'(ea_i[l]), head_i.group, op.elem_size), 2'b0});
          // The thread's number among those of all warps (R700-PLACE).
          count_q[l] = pitched_t'({op.warp, LaneBits'(l)});
        end
      end else if (head_i.swap) begin
        // Selected by slot, whatever is bound there (SM5-KIND).
        automatic uav_t uav = ctrl_i.uav[chosen_i.uav];
        automatic tgsm_t tgsm = ctrl_i.tgsm[chosen_i.tgsm];
        automatic logic in_spad = op.space == SpaceTgsm;
        automatic logic typed = op.addr_mode == AddrTyped;
        automatic logic [11:0] stride;
        automatic view_t view;
        stride = in_spad ? tgsm.stride : uav.stride;
        view = in_spad ? view_tgsm(tgsm, op.addr_mode) : view_uav(uav, op.addr_mode);
        a_bound_q = view.bound;
        base_q = view.base;
        past_q = view.past;
        pitch_q = view.pitch;
        slice_pitch_q = view.slice_pitch;
        row_limit_q = view.rows;
        slice_limit_q = view.slices;
        room_q = view.room;
        for (int l = 0; l < LANES; l++) begin
          automatic logic [31:0] x = ea_i[l][31:0];
          automatic logic [31:0] y = ea_i[l][63:32];
          // A misaligned offset is forced down (SM5-ALIGN).
          at_q[l] = addr_t'({dword_of(op.addr_mode, x, y[31:2]), 2'b0});
          count_q[l] = count_of(op.addr_mode, stride, row_index(uav.dimension, y[15:0]));
          // The structure's index (SM5-STRUCT).
          index_q[l] = x;
          slice_q[l] = typed ? slice_index(uav.dimension, y[15:0], z_i[l][15:0]) : '0;
          beyond_q[l] = typed && index_beyond(uav.dimension, y[31:16], z_i[l][31:16]);
          a_off_q[l] = ctrl_i.trap_misaligned && off_dword(op.addr_mode, x[1:0], y[1:0]);
        end
      end else begin
        // Of all elements together. 32 is 0 in five bits, which still aligns to 32 (PTX-ALIGN).
        automatic logic [4:0] bytes = 5'(access_bytes(op));
        automatic granule_t local_base = ctrl_i.local_window.base[ADDR_WIDTH-1:5];
        automatic granule_t shared_base = ctrl_i.shared_window.base[ADDR_WIDTH-1:5];
        automatic end_t local_past = past_range(local_base, ctrl_i.local_window.size[ADDR_WIDTH-1:5]);
        automatic end_t shared_past = past_range(shared_base, ctrl_i.shared_window.size[ADDR_WIDTH-1:5]);
        automatic private_t item = private_space(op.space, ctrl_i.local_memory, ctrl_i.param_memory);
        automatic common_t common = common_of(op.space, ctrl_i.local_window.base, ctrl_i.local_memory.base,
                                              ctrl_i.local_memory.size[31:5], ctrl_i.shared_window.base, item,
                                              ctrl_i.cluster, ctrl_i.shared_size[31:5]);
        base_q = common.base;
        past_q = {common.past, 3'b0};
        window_q = common.window;
        spad_q = common.spad;
        pitch_q = common.stride;
        for (int i = 0; i < ALLOCS; i++) begin
          alloc_past_q[i] = past_range(ctrl_i.alloc[i].base[ADDR_WIDTH-1:5], ctrl_i.alloc[i].size[ADDR_WIDTH-1:5]);
        end
        for (int l = 0; l < LANES; l++) begin
          automatic logic [63:0] ea = align(ea_i[l], bytes);
          // SPA5-WINDOW
          automatic logic in_local = inside_range(local_base, local_past, ea[ADDR_WIDTH-1:5]);
          // SPA5-WINDOW
          automatic logic in_shared = inside_range(shared_base, shared_past, ea[ADDR_WIDTH-1:5]);
          // SPA5-SPACE
          automatic logic predicate = predicate_i[l];
          automatic where_e where = where_of(op.space, predicate, in_local, in_shared);
          // An offset, if the space is named (PTX-OFFSET).
          at_q[l] = ea[ADDR_WIDTH-1:0];
          a_where_q[l] = where;
          // COM-PRIVATE
          count_q[l] = thread_count(where, 8'({op.warp, LaneBits'(l)}));
          beyond_q[l] = beyond(op.space, predicate, in_shared, ea[63:ADDR_WIDTH]);
          // SPA5-ALIGN
          a_off_q[l] = ctrl_i.trap_misaligned && misaligned(ea_i[l], bytes);
        end
      end
`ifdef SYNTHESIS
      // The addresses of all three branches from one adder: its operands are selected, not the sums.
      for (int l = 0; l < LANES; l++) begin
        automatic logic [4:0] low = head_i.swap ? 5'b11100 : ~(5'(access_bytes(op)) - 5'd1);
        automatic logic dwords = head_i.burst || (head_i.swap && op.addr_mode == AddrTyped);
        automatic logic second = head_i.swap && op.addr_mode == AddrStruct;
        automatic addr_t from;
        from[31:0] = dwords ? {ea_i[l][29:0], 2'b0} : (second ? ea_i[l][63:32] : ea_i[l][31:0]) & {27'h7ff_ffff, low};
        from[37:32] = head_i.burst ? ea_i[l][35:30] : head_i.swap ? {4'b0, ea_i[l][31:30] & {2{dwords}}} : ea_i[l][37:32];
        from[39:38] = head_i.burst || head_i.swap ? '0 : ea_i[l][39:38];
        at_q[l] = from + (head_i.burst ? addr_t'({elements(dword_t'(head_i.group), op.elem_size), 2'b0}) : '0);
        if (head_i.burst) at_q[l][39:38] = '0;
      end
`endif
      for (int l = 0; l < LANES; l++) structured_q[l] = head_i.swap && op.addr_mode == AddrStruct;
      a_active_q = active_i;
      a_head_q = head_i;
      a_last_q = last_i;
      a_words_q = head_i.illegal || head_i.empty ? '0 : words_of(op);
    end
  end
endmodule
