// SPDX-License-Identifier: MIT OR Apache-2.0
// Where one lane's access starts: one adder for all address modes, of the lane's words and what all lanes share.
//
//   op fields ---> [ which words ] --+
//   words_i ------------------------ & ---> + ---> ea_o
//   start_i, of a burst, or imm -----------/
//
// For synthesis; simulation uses effective_address and first_dword (`gpu-lsu prove --block wiring-address` compares the
// two). Each lane decodes the operation itself, because on an FPGA a shared decoder would be far from most lanes. A
// burst's index times 3 (ELEM_SIZE 2) takes both operands of the adder: twice the index, and the index.

module lsu_address_lane
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
(
  input  logic             driver_form_i,
  input  op_t              op_i,
  input  dword_t           start_i,  // of a burst: its first dword if the index is 0
  input  logic [1:0][31:0] words_i,
  output logic [63:0]      ea_o  // as in lsu_address
);
  import lsu_clamp_pkg::unbounded;

  always_comb begin
    automatic logic burst = op_i.space == SpaceBuffer;
    automatic logic swap = op_i.kind == KindCmpStore;
    automatic logic low = swap || op_i.addr_mode != AddrAbs;
    automatic logic high = swap || !(op_i.addr_mode inside {AddrAbs, AddrReg32});
    automatic logic [1:0] scale = unbounded(driver_form_i, op_i.slot) ? 2'd0 : op_i.elem_size;
    automatic dword_t index = op_i.use_index ? dword_t'(words_i[0]) : '0;
    automatic dword_t scaled = scale == 2'd3 ? index << 2 : scale == 2'd0 ? index : index << 1;
    automatic dword_t once = start_i + (scale == 2'd2 ? index : '0);
    automatic logic [63:0] words = {words_i[1] & {32{high}}, words_i[0] & {32{low}}};
    ea_o = (burst ? 64'(scaled) : words) + (burst ? 64'(once) : swap ? '0 : op_i.imm);
    // The sum wraps at 2^32 (SPA5-EA-32).
    if (!burst && op_i.addr_mode == AddrReg32 && !swap) ea_o[63:32] = '0;
  end
endmodule
