// SPDX-License-Identifier: MIT OR Apache-2.0
//! gpu-lsu: a GPU load/store unit in SystemVerilog, and the workbench that checks it.
//!
//! Arrows run one way: `isa -> op <- {model, dut} <- cosim <- cli`.

pub mod clause;
pub mod cli;
#[cfg(feature = "rtl")]
pub mod cosim;
#[cfg(feature = "rtl")]
pub mod dut;
pub mod isa;
pub mod model;
pub mod op;
mod output;
pub mod program;
pub mod wave;
