// SPDX-License-Identifier: MIT OR Apache-2.0
// The twins of the functions on masks: the hardware's tree and the simulator's arithmetic agree for every mask.

module lsu_bits_tree_proof (
  input logic [31:0] mask_i
);
  always_comb begin
    Lowest: assert (lsu_internal_pkg::lowest_bit(mask_i) == lsu_internal_pkg_loop::lowest_bit(mask_i));
    Several: assert (lsu_spad_pkg::several(mask_i) == lsu_spad_pkg_loop::several(mask_i));
  end
endmodule
