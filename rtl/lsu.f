// SPDX-License-Identifier: MIT OR Apache-2.0
// Made by scripts/package: change rtl/, not this.
lsu_align_pkg.sv
lsu_cas_pkg.sv
lsu_extract_pkg.sv
lsu_pkg.sv
lsu_internal_pkg.sv
lsu_window_pkg.sv
lsu_clamp_pkg.sv
lsu_uav_pkg.sv
lsu_address_pkg.sv
lsu.sv
lsu_address.sv
lsu_cas.sv
lsu_coalesce.sv
lsu_data.sv
lsu_fill.sv
lsu_inflight.sv
lsu_memory.sv
lsu_order.sv
lsu_pending.sv
lsu_return.sv
lsu_scratchpad.sv
lsu_window.sv
lsu_writeback.sv
