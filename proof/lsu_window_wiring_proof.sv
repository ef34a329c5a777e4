// SPDX-License-Identifier: MIT OR Apache-2.0
// lsu_window beside a record of the groups that it took. What it passes on, two stages later, must be what the
// functions of lsu_window_pkg, lsu_uav_pkg and lsu_clamp_pkg compute from the operands of the group and of each lane,
// and from the control registers that its slot, its space and its stage select.
//
// The offered groups are free, except that lsu_address has marked illegal operations, bursts and compare-and-stores
// rightly (`wiring-address`). Separate proofs show that the functions are the model's.

module lsu_window_wiring_proof
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
  import lsu_address_pkg::*;
  import lsu_align_pkg::*;
  import lsu_clamp_pkg::*;
  import lsu_window_pkg::*;
  import lsu_uav_pkg::*;
#(
  parameter int unsigned LANES = 2
) (
  input logic                   clk_i,
  input ctrl_t                  ctrl_i,
  input logic                   valid_i,
  input head_t                  head_i,
  input logic                   last_i,
  input choice_t                chosen_i,
  input logic [LANES-1:0]       active_i,
  input logic [LANES-1:0]       predicate_i,
  input logic [LANES-1:0][63:0] ea_i,
  input logic [LANES-1:0][31:0] z_i
);
  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic                            valid;
  placed_t                         placed;
  words_t [LANES-1:0]              memory;
  logic [LANES-1:0][3:0]           space;
  logic [LANES-1:0]                shared;
  logic [REGISTERS-1:0][LANES-1:0] fill;
  addr_t [LANES-1:0]               addr;
  logic [LANES-1:0][2:0]           fault;
  lsu_window #(.LANES(LANES)) u_window (
    .clk_i, .rst_ni, .ctrl_i, .valid_i, .head_i, .last_i, .chosen_i, .active_i, .predicate_i, .ea_i,
    .z_i, .valid_o(valid), .placed_o(placed), .memory_o(memory), .space_o(space), .shared_o(shared),
    .fill_o(fill), .addr_o(addr), .fault_o(fault)
  );

  // The groups that are in stages (a), (b) and (c) now
  // --------------------------------------------------
  /* verilator lint_off UNUSEDSIGNAL */  // no place reads all fields of a head
  typedef struct packed {
    head_t            head;
    logic             last;
    logic [LANES-1:0] active;
  } group_info_t;

  group_info_t a_q, b_q, c_q;
  logic        in_a_q, in_b_q, in_c_q;
  logic        to_a, to_b, to_c;
  assign to_a = valid_i;
  assign to_b = in_a_q;
  assign to_c = in_b_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_a_q <= 1'b0;
      in_b_q <= 1'b0;
      in_c_q <= 1'b0;
    end else begin
      in_a_q <= to_a;
      in_b_q <= to_b;
      in_c_q <= to_c;
    end
  end
  always_ff @(posedge clk_i) begin
    if (to_a) begin
      a_q <= '{head: head_i, last: last_i, active: active_i};
    end
    if (to_b) b_q <= a_q;
    if (to_c) c_q <= b_q;
  end

  // The kind of operation that a group is of, and the words that it asks for
  function automatic logic is_burst(head_t head);
    return !head.illegal && head.burst;
  endfunction
  function automatic logic is_swap(head_t head);
    return !head.illegal && head.swap;
  endfunction
  function automatic logic is_access(head_t head);
    return !head.illegal && !head.burst && !head.swap;
  endfunction
  function automatic words_t asked(head_t head);
    return head.illegal || head.empty ? '0 : words_of(head.op);
  endfunction
  // What lsu_address promises of a head (`wiring-address`).
  function automatic logic is_kept(head_t head);
    return head.illegal == !legal(head.op) && head.burst == (head.op.space == SpaceBuffer)
        && head.swap == (head.op.kind == KindCmpStore);
  endfunction

  /* verilator lint_on UNUSEDSIGNAL */

  // The control registers do not change while a group is here (PORT-OP). All but these are read in (a) alone.
  range_t [ALLOCS-1:0] alloc_q;
  always_ff @(posedge clk_i) alloc_q <= ctrl_i.alloc;

  op_t op_i;
  assign op_i = head_i.op;

  // (a) What the operation takes from the control registers
  // -------------------------------------------------------
  buffer_t  buffer;
  private_t item;
  common_t  common;
  view_t    view;
  logic     in_spad;
  always_comb begin
    in_spad = op_i.space == SpaceTgsm;
    // R700-STAGE
    buffer = ctrl_i.buffer[op_i.slot];
    if (op_i.slot == BufferScratch && op_i.stage != StagePixel) buffer = ctrl_i.stage_scratch[2'(op_i.stage - 2'd1)];
    item = op_i.space == SpaceParam ? ctrl_i.param_memory : ctrl_i.local_memory;
    common = common_of(op_i.space, ctrl_i.local_window.base, ctrl_i.local_memory.base, ctrl_i.local_memory.size[31:5],
                       ctrl_i.shared_window.base, item, ctrl_i.cluster, ctrl_i.shared_size[31:5]);
    view = in_spad ? view_tgsm(ctrl_i.tgsm[op_i.slot], op_i.addr_mode) : view_uav(ctrl_i.uav[op_i.slot], op_i.addr_mode);
  end

  buffer_t             a_buffer_q;
  common_t             a_common_q;
  view_t               a_view_q;
  dword_t              a_limit_q;
  end_t [ALLOCS-1:0]   a_alloc_q;
  always_ff @(posedge clk_i) begin
    if (to_a) begin
      a_buffer_q <= buffer;
      a_common_q <= common;
      a_view_q <= view;
      a_limit_q <= limit_or_none(ctrl_i.r700_driver_form, op_i.slot, op_i.array_base, op_i.array_size, op_i.elem_size);
      for (int i = 0; i < ALLOCS; i++) begin
        a_alloc_q[i] <= past_range(ctrl_i.alloc[i].base[ADDR_WIDTH-1:5], ctrl_i.alloc[i].size[ADDR_WIDTH-1:5]);
      end
    end
  end

  logic b_bound_q;
  always_ff @(posedge clk_i) if (to_b) b_bound_q <= a_view_q.bound;

  always_comb begin
    if (rst_ni) begin
      Held: assume (!(in_a_q || in_b_q || in_c_q) || ctrl_i.alloc == alloc_q);
      Kinds: assume (is_kept(head_i)
                     && chosen_i == choice_of(op_i));

      Valid: assert (valid == in_c_q && u_window.a_valid_q == in_a_q
                     && u_window.b_valid_q == in_b_q);
      if (in_a_q) begin
        AHead: assert (is_kept(a_q.head) && u_window.a_head_q == a_q.head && u_window.a_last_q == a_q.last
                       && u_window.a_words_q == asked(a_q.head) && u_window.a_active_q == a_q.active);
        if (is_burst(a_q.head)) begin
          ABuffer: assert (u_window.base_q == a_buffer_q.base && u_window.pitch_q == a_buffer_q.stride
                           && u_window.size_q == a_buffer_q.size && u_window.limit_q == a_limit_q);
        end
        if (is_swap(a_q.head)) begin
          AView: assert (u_window.a_bound_q == a_view_q.bound && u_window.base_q == a_view_q.base
                         && u_window.past_q == a_view_q.past && u_window.pitch_q == a_view_q.pitch
                         && u_window.slice_pitch_q == a_view_q.slice_pitch && u_window.row_limit_q == a_view_q.rows
                         && u_window.slice_limit_q == a_view_q.slices && u_window.room_q == a_view_q.room);
        end
        if (is_access(a_q.head)) begin
          ACommon: assert (u_window.base_q == a_common_q.base && u_window.past_q == {a_common_q.past, 3'b0}
                           && u_window.window_q == a_common_q.window && u_window.spad_q == a_common_q.spad
                           && u_window.pitch_q == a_common_q.stride);
        end
      end
      if (in_b_q) begin
        BHead: assert (is_kept(b_q.head) && u_window.b_head_q == b_q.head && u_window.b_last_q == b_q.last
                       && u_window.b_words_q == asked(b_q.head) && u_window.b_active_q == b_q.active);
        if (is_swap(b_q.head)) BBound: assert (u_window.b_bound_q == b_bound_q);
      end
      if (in_c_q) begin
        Head: assert (placed.op == c_q.head.op && placed.illegal == c_q.head.illegal && placed.group == c_q.head.group
                      && placed.first == c_q.head.first && placed.last == c_q.last);
        Rows: assert (placed.rows == (c_q.head.illegal || c_q.head.empty || c_q.head.op.kind == KindLoad ? '0
                                      : rows_of(c_q.head.op)) && placed.layout == layout_of(c_q.head.op));
      end
    end
  end
  for (genvar i = 0; i < ALLOCS; i++) begin : gen_alloc
    always_comb begin
      if (rst_ni && in_a_q && is_access(a_q.head)) AAlloc: assert (u_window.alloc_past_q[i] == a_alloc_q[i]);
    end
  end

  // Each lane
  // ---------
  logic [LANES-1:0] orders;  // of the group that goes to (c): lanes for which a release is not weak (PTX-SEM)
  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    // (a)
    logic [63:0] ea;
    logic        in_local, in_shared;
    where_e      where;
    assign ea = align(ea_i[l], 5'(access_bytes(op_i)));
    assign in_local = inside_range(ctrl_i.local_window.base[ADDR_WIDTH-1:5],
                                   past_range(ctrl_i.local_window.base[ADDR_WIDTH-1:5],
                                              ctrl_i.local_window.size[ADDR_WIDTH-1:5]), ea[ADDR_WIDTH-1:5]);
    assign in_shared = inside_range(ctrl_i.shared_window.base[ADDR_WIDTH-1:5],
                                    past_range(ctrl_i.shared_window.base[ADDR_WIDTH-1:5],
                                               ctrl_i.shared_window.size[ADDR_WIDTH-1:5]), ea[ADDR_WIDTH-1:5]);
    assign where = where_of(op_i.space, predicate_i[l], in_local, in_shared);

    logic [7:0]  thread;  // its number over all warps (COM-PRIVATE, R700-PLACE)
    logic [31:0] x, y, z;
    uav_t        uav;
    assign thread = 8'(32'(op_i.warp) * LANES + l);
    assign x = ea_i[l][31:0];
    assign y = ea_i[l][63:32];
    assign z = z_i[l];
    assign uav = ctrl_i.uav[op_i.slot];

    addr_t       a_at_q;
    where_e      a_where_q;
    logic        a_beyond_q, a_off_q;
    logic [15:0] a_count_q, a_slice_q;
    logic [31:0] a_index_q;
    always_ff @(posedge clk_i) begin
      if (to_a) begin
        a_index_q <= x;
        a_slice_q <= '0;
        if (op_i.space == SpaceBuffer) begin
          a_at_q <= addr_t'({element(dword_t'(ea_i[l]), head_i.group, op_i.elem_size), 2'b0});
          a_count_q <= 16'(thread);
        end else if (op_i.kind == KindCmpStore) begin
          a_at_q <= addr_t'({dword_of(op_i.addr_mode, x, y[31:2]), 2'b0});
          a_count_q <= count_of(op_i.addr_mode, in_spad ? ctrl_i.tgsm[op_i.slot].stride : uav.stride,
                                row_index(uav.dimension, y[15:0]));
          if (op_i.addr_mode == AddrTyped) a_slice_q <= slice_index(uav.dimension, y[15:0], z[15:0]);
          a_beyond_q <= op_i.addr_mode == AddrTyped && index_beyond(uav.dimension, y[31:16], z[31:16]);
          a_off_q <= ctrl_i.trap_misaligned && off_dword(op_i.addr_mode, x[1:0], y[1:0]);
        end else begin
          a_at_q <= ea[ADDR_WIDTH-1:0];
          a_where_q <= where;
          a_count_q <= thread_count(where, thread);
          a_beyond_q <= beyond(op_i.space, predicate_i[l], in_shared, ea[63:ADDR_WIDTH]);
          a_off_q <= ctrl_i.trap_misaligned && misaligned(ea_i[l], 5'(access_bytes(op_i)));
        end
      end
    end
    always_comb begin
      if (rst_ni && in_a_q) begin
        Struct: assert (u_window.structured_q[l] == (a_q.head.swap && a_q.head.op.addr_mode == AddrStruct));
      end
      if (rst_ni && in_a_q && !a_q.head.illegal) begin
        At: assert (u_window.at_q[l] == a_at_q && u_window.count_q[l] == a_count_q);
        if (is_swap(a_q.head)) begin
          Indices: assert (u_window.index_q[l] == a_index_q && u_window.slice_q[l] == a_slice_q
                           && u_window.beyond_q[l] == a_beyond_q && u_window.a_off_q[l] == a_off_q);
        end
        if (is_access(a_q.head)) begin
          Where: assert (u_window.a_where_q[l] == a_where_q && u_window.beyond_q[l] == a_beyond_q
                         && u_window.a_off_q[l] == a_off_q);
        end
      end
    end

    // (b) The operands were asserted above, so the unit's own registers stand for them here.
    logic                 windowed, in_range;
    granule_t             at;
    logic [31:0]          unit;
    logic [ALLOCS-1:0]    in_ranges;
    addr_t                b_sum_q;
    product_t             b_product_q, b_slices_q;
    words_t               wants, b_wants_q, b_moves_q;
    room_t                b_left_q;
    logic                 b_below_q, b_off_q;
    where_e               b_where_q;
    fault_e               b_fault_q;
    assign windowed = is_windowed(a_q.head.op.space);
    assign at = u_window.at_q[l][ADDR_WIDTH-1:5];
    for (genvar i = 0; i < ALLOCS; i++) begin : gen_range
      assign in_ranges[i] = inside_range(ctrl_i.alloc[i].base[ADDR_WIDTH-1:5], u_window.alloc_past_q[i], at);
    end
    assign in_range = in_ranges != '0;
    assign unit = u_window.structured_q[l] ? u_window.index_q[l] : u_window.pitch_q;
    assign wants = a_q.active[l] ? asked(a_q.head) & below(u_window.at_q[l][2+:$bits(dword_t)], u_window.limit_q) : '0;
    always_ff @(posedge clk_i) begin
      if (to_b) begin
        b_product_q <= product_of(u_window.count_q[l], unit);
        b_slices_q <= is_swap(a_q.head) && a_q.head.op.addr_mode == AddrTyped
            ? product_of(u_window.slice_q[l], u_window.slice_pitch_q) : '0;
        b_off_q <= a_off_q;
        if (is_burst(a_q.head)) begin
          b_sum_q <= u_window.at_q[l] + a_buffer_q.base;
          b_wants_q <= wants;
          b_moves_q <= wants & allocated(u_window.size_q, u_window.at_q[l][2+:$bits(dword_t)]);
        end
        if (is_swap(a_q.head)) begin
          b_sum_q <= u_window.at_q[l] + a_view_q.base;
          b_left_q <= room_left(a_q.head.op.addr_mode, u_window.room_q, u_window.at_q[l][33:2]);
          b_below_q <= !a_beyond_q && dwords_t'(u_window.at_q[l][ADDR_WIDTH-1:2]) < u_window.past_q
              && u_window.count_q[l] < u_window.row_limit_q && u_window.slice_q[l] < u_window.slice_limit_q;
        end
        if (is_access(a_q.head)) begin
          b_sum_q <= u_window.at_q[l] + base_for(windowed, a_where_q, u_window.base_q, u_window.window_q);
          b_where_q <= a_where_q;
          b_fault_q <= fault_at(a_q.head.op.space, a_where_q, a_beyond_q,
                                only_global(a_q.head.op.space, is_mmio(a_q.head.op), access_bytes(a_q.head.op) == 6'd32),
                                is_allocated(windowed, a_where_q, in_range,
                                             dwords_t'(u_window.at_q[l][ADDR_WIDTH-1:2]) < u_window.past_q,
                                             end_t'(at) < u_window.spad_q));
        end
      end
    end
    always_comb begin
      if (rst_ni && in_b_q && !b_q.head.illegal) begin
        Sum: assert (u_window.sum_q[l] == b_sum_q && u_window.product_q[l] == b_product_q
                     && u_window.slices_q[l] == b_slices_q);
        if (is_burst(b_q.head)) begin
          Wants: assert ((b_q.active[l] || b_wants_q == '0) && (b_moves_q & ~b_wants_q) == '0);
          Moves: assert (u_window.moves_q[l] == b_moves_q
                         && u_window.fault_q[l] == (b_moves_q != b_wants_q ? FaultAllocation : FaultNone));
        end else begin
          Off: assert (u_window.b_off_q[l] == b_off_q);
        end
        if (is_swap(b_q.head)) Room: assert (u_window.left_q[l] == b_left_q && u_window.below_q[l] == b_below_q);
        if (is_access(b_q.head)) begin
          // The fault of an inactive lane is not looked at.
          Fault: assert (u_window.b_where_q[l] == b_where_q && (!b_q.active[l] || u_window.fault_q[l] == b_fault_q));
        end
      end
    end

    // (c) What becomes of the lane
    fault_e why;
    logic   goes;
    always_comb begin
      why = FaultIllegal;
      if (is_burst(b_q.head)) why = b_moves_q != b_wants_q ? FaultAllocation : FaultNone;
      if (is_swap(b_q.head)) begin
        why = fault_of(b_q.head.op.space == SpaceTgsm, b_q.head.op.addr_mode, b_bound_q, b_below_q,
                       room_for(u_window.left_q[l], 49'(u_window.product_q[l]) + 49'(u_window.slices_q[l])));
      end
      if (is_access(b_q.head)) why = b_fault_q;
      goes = b_q.active[l] && why == FaultNone;
    end
    assign orders[l] = goes && is_access(b_q.head) && !(b_where_q inside {InPrivate});

    words_t                 c_memory_q;
    logic                   c_shared_q;
    logic [3:0]             c_space_q;
    logic [REGISTERS-1:0]   c_fill_q;
    addr_t                  c_addr_q;
    logic [2:0]             c_fault_q;
    always_ff @(posedge clk_i) begin
      if (to_c) begin
        c_addr_q <= sum_of(u_window.sum_q[l], addr_t'(u_window.product_q[l]) + addr_t'(u_window.slices_q[l]));
        c_memory_q <= '0;
        c_shared_q <= 1'b0;
        c_fill_q <= '0;
        c_fault_q <= FaultNone;
        if (b_q.active[l]) begin
          c_fault_q <= why;
          // The first that applies (COM-FAULT).
          if (!is_burst(b_q.head) && goes && b_off_q) c_fault_q <= FaultMisaligned;
        end
        if (is_burst(b_q.head)) begin
          c_space_q <= SpaceBuffer;
          c_memory_q <= b_moves_q;
          if (b_q.active[l] && b_q.head.op.kind == KindLoad && !b_q.head.empty) begin
            // A constant, or a word that memory does not give (R700-READ, R700-READOOB); 7 selects no register.
            for (int r = 0; r < REGISTERS; r++) begin
              unique case (b_q.head.op.component_select[r*3+:3])
                3'd0, 3'd1, 3'd2, 3'd3: c_fill_q[r] <= !b_moves_q[b_q.head.op.component_select[r*3+:2]];
                3'd7: c_fill_q[r] <= 1'b0;
                default: c_fill_q[r] <= 1'b1;
              endcase
            end
          end
        end
        if (is_swap(b_q.head)) begin
          c_space_q <= b_q.head.op.space;
          c_shared_q <= goes && b_q.head.op.space == SpaceTgsm;
          if (goes && b_q.head.op.space != SpaceTgsm) c_memory_q <= asked(b_q.head);
        end
        if (is_access(b_q.head)) begin
          c_space_q <= space_at(b_q.head.op.space, b_where_q);
          c_shared_q <= goes && b_where_q == InShared;
          if (goes && b_where_q != InShared) c_memory_q <= asked(b_q.head);
          // SPA5-OOB
          if (b_q.active[l] && !goes && b_q.head.op.kind == KindLoad) c_fill_q <= asked(b_q.head);
        end
      end
    end
    always_comb begin
      if (rst_ni && in_c_q) begin
        Way: assert (memory[l] == c_memory_q && shared[l] == c_shared_q && fault[l] == c_fault_q);
        if (!c_q.head.illegal) Place: assert (space[l] == c_space_q && addr[l] == c_addr_q);
      end
    end
    for (genvar r = 0; r < REGISTERS; r++) begin : gen_fill
      always_comb if (rst_ni && in_c_q) Fill: assert (fill[r][l] == c_fill_q[r]);
    end
  end

  logic c_release_q;
  always_ff @(posedge clk_i) if (to_c) c_release_q <= orders != '0 && is_release(b_q.head.op);
  always_comb if (rst_ni && in_c_q) Release: assert (placed.fence == c_release_q);
endmodule
