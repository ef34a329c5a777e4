// SPDX-License-Identifier: MIT OR Apache-2.0
//! gpu-lsu: a GPU load/store unit in SystemVerilog, and the workbench that checks it.
//!
//! Arrows run one way: `isa -> op <- {model, dut} <- cosim <- cli`.

pub mod clause;
pub mod isa;
pub mod model;
pub mod op;
