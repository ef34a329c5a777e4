// SPDX-License-Identifier: MIT OR Apache-2.0
// Made by scripts/package: change rtl/, not this.
-F lsu.f
lsu_assert.sv
lsu_axi_assert.sv
lsu_axi_burst_assert.sv
lsu_holders.sv
lsu_internal_assert.sv
