// SPDX-License-Identifier: MIT OR Apache-2.0
//! gpu-lsu: a GPU load/store unit in SystemVerilog, and the workbench that checks it.
//!
//! Arrows run one way: `op <- {model, dut} <- {judge, program} <- {wave, cone, explain} <- {cosim, prove} <- vectors <- cli`;
//! [`sets`] has, a folder each, what these ask of an instruction set.
//!
//! - [`model`] never looks at `dut` or the RTL, nor they at it: only `cosim` knows both.
//! - [`judge`] reads a log of what crossed the ports, whoever made it; it knows neither `dut` nor the RTL.
//! - [`ports`] describes the unit's ports, bit by bit, and needs no unit.
//! - The unit sees no register numbers: [`sets`] and [`program`] turn them into an [`op::Op`] and lane values.
//! - [`prove`] takes the RTL as text, through Yosys, and the model as formulas.
//! - `vectors` has cases from `cosim` and all that must come of them from the model.
//! - [`regress`] has campaigns in shards, their results and what becomes of them together; it needs no unit.
//! - [`wave`] shows what the judge says of a log, as waves and pages, and compares what others wrote; it needs no unit.
//! - `cone` reads the RTL as text: which lines may be to blame for a mismatch. Only [`cli`] prints.
//! - A new instruction begins in [`sets`], a new rule in [`clause`].

pub mod clause;
pub mod cli;
#[cfg(feature = "rtl")]
pub mod cone;
#[cfg(feature = "rtl")]
pub mod cosim;
#[cfg(feature = "rtl")]
pub mod dut;
mod explain;
pub mod judge;
pub mod model;
pub mod op;
mod output;
pub mod ports;
pub mod program;
pub mod prove;
pub mod regress;
pub mod rtl;
pub mod sets;
#[cfg(feature = "rtl")]
pub mod vectors;
pub mod wave;
