// SPDX-License-Identifier: MIT OR Apache-2.0
// Second stage: finds the memory of each lane of a group, and settles every fault but the bus error.
//
//   lsu_address ---> [ align, place; or clamp, bound; or uav ] ---> stage register ---> dispatch (lsu.sv)
//
// A group a cycle. The control registers are read here and, for the form of the equation, in lsu_address.
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
  output logic             ready_o,
  input  op_t              op_i,
  input  logic             illegal_i,
  input  logic [LANES-1:0] active_i,
  input  logic [LANES-1:0] predicate_i,
  input  logic [LANES-1:0][63:0] ea_i,
  input  logic [LANES-1:0][31:0] z_i,
  input  logic             empty_i,
  input  group_t           group_i,
  input  logic             first_i,
  input  logic             last_i,

  // To dispatch: a lane's way is memory, scratchpad or neither; all ways are empty for an illegal operation
  output logic                  valid_o,
  input  logic                  ready_i,
  output op_t                   op_o,
  output logic                  illegal_o,
  output group_t                group_o,
  output logic                  first_o,
  output logic                  last_o,
  output rows_t                 rows_o,    // of the group, for which store data comes
  output words_t [LANES-1:0]    memory_o,  // words that go to the memory port
  output logic [LANES-1:0][3:0] space_o,   // where these are
  output logic [LANES-1:0]      shared_o,  // lanes that go to the scratchpad
  output logic [REGISTERS-1:0][LANES-1:0] fill_o,  // registers of a load that neither fills, by register
  output addr_t [LANES-1:0]     addr_o,    // of the group's first word
  output logic [LANES-1:0][2:0] fault_o,
  output logic                  release_o  // waits for what its warp did before (PTX-SEM)
);
  import lsu_align_pkg::*;
  import lsu_clamp_pkg::*;
  import lsu_uav_pkg::*;
  import lsu_window_pkg::*;

  localparam int unsigned LaneBits = $clog2(LANES);

  assign ready_o = !valid_o || ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_o <= 1'b0;
    else if (ready_o) valid_o <= valid_i;
  end

  always_ff @(posedge clk_i) begin
    if (valid_i && ready_o) begin
      automatic words_t words = illegal_i || empty_i ? '0 : words_of(op_i);
      automatic logic [4:0] bytes = 5'(access_bytes(op_i));
      op_o <= op_i;
      illegal_o <= illegal_i;
      group_o <= group_i;
      first_o <= first_i;
      last_o <= last_i;
      rows_o <= illegal_i || empty_i || op_i.kind == KindLoad ? '0 : rows_of(op_i);
      release_o <= 1'b0;

      // Lanes
      if (illegal_i) begin
        memory_o <= '0;
        shared_o <= '0;
        fill_o <= '0;
        for (int l = 0; l < LANES; l++) fault_o[l] <= active_i[l] ? FaultIllegal : FaultNone;
      end else if (op_i.space == SpaceBuffer) begin
        automatic buffer_t where = buffer_of(ctrl_i, op_i.slot, op_i.stage);
        automatic dword_t array_limit = limit(ctrl_i.r700_driver_form, op_i.slot, op_i.array_base, op_i.array_size,
                                              op_i.elem_size);
        automatic logic [REGISTERS-1:0][LANES-1:0] fill = '0;
        for (int l = 0; l < LANES; l++) begin
          automatic logic [7:0] thread = 8'({op_i.warp, LaneBits'(l)});
          automatic dword_t x = element(dword_t'(ea_i[l]), group_i, op_i.elem_size);
          automatic words_t wants = active_i[l]
              ? words & below(ctrl_i.r700_driver_form, op_i.slot, x, array_limit) : '0;
          automatic words_t moves = wants & allocated(where.size, x);
          memory_o[l] <= moves;
          addr_o[l] <= buffer_address(where.base, where.stride, thread, x);
          fault_o[l] <= moves != wants ? FaultAllocation : FaultNone;
          for (int r = 0; r < REGISTERS; r++) begin
            automatic logic [2:0] select = op_i.component_select[r*3+:3];
            // A constant, or a word that memory does not give this lane.
            fill[r][l] = active_i[l] && !empty_i && op_i.kind == KindLoad && select != 3'd7
                && (select[2] || !moves[select[1:0]]);
          end
        end
        for (int l = 0; l < LANES; l++) space_o[l] <= SpaceBuffer;
        fill_o <= fill;
        shared_o <= '0;
      end else if (op_i.kind == KindCmpStore) begin
        for (int l = 0; l < LANES; l++) begin
          automatic place_t p = op_i.space == SpaceTgsm
              ? place_tgsm(ctrl_i.tgsm[op_i.slot], op_i.addr_mode, ea_i[l][31:0], ea_i[l][63:32])
              : place_uav(ctrl_i.uav[op_i.slot], op_i.addr_mode, ea_i[l][31:0], ea_i[l][63:32], z_i[l]);
          automatic logic forced = off_dword(op_i.addr_mode, ea_i[l][1:0], ea_i[l][33:32]);
          memory_o[l] <= active_i[l] && p.memory ? words : '0;
          space_o[l] <= p.space;
          shared_o[l] <= active_i[l] && p.shared;
          addr_o[l] <= p.addr;
          if (!active_i[l]) fault_o[l] <= FaultNone;
          else if (p.fault != FaultNone) fault_o[l] <= p.fault;
          else fault_o[l] <= ctrl_i.trap_misaligned && forced ? FaultMisaligned : FaultNone;
        end
        fill_o <= '0;
      end else begin
        automatic logic [LANES-1:0] zeros = '0;
        automatic logic ordered = 1'b0;  // some access is where a release is one; in private memory it is weak
        for (int l = 0; l < LANES; l++) begin
          automatic logic [63:0] ea = align(ea_i[l], bytes);
          automatic logic [7:0] thread = 8'({op_i.warp, LaneBits'(l)});
          automatic place_t p = is_ptx(op_i.space)
              ? place_ptx(ctrl_i, op_i.space, is_mmio(op_i), access_bytes(op_i) == 6'd32, ea, thread)
              : place(ctrl_i, predicate_i[l], ea, thread);
          memory_o[l] <= active_i[l] && p.memory ? words : '0;
          space_o[l] <= p.space;
          ordered |= active_i[l] && (p.shared || (p.memory && !(p.space inside {SpaceLocal, SpaceParam})));
          shared_o[l] <= active_i[l] && p.shared;
          zeros[l] = active_i[l] && p.fault != FaultNone && op_i.kind == KindLoad;
          addr_o[l] <= p.addr;
          if (!active_i[l]) fault_o[l] <= FaultNone;
          else if (p.fault != FaultNone) fault_o[l] <= p.fault;
          else if (ctrl_i.trap_misaligned && misaligned(ea_i[l], bytes)) fault_o[l] <= FaultMisaligned;
          else fault_o[l] <= FaultNone;
        end
        for (int r = 0; r < REGISTERS; r++) fill_o[r] <= words[r] ? zeros : '0;
        release_o <= ordered && is_release(op_i);
      end
    end
  end
endmodule
