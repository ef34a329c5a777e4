// SPDX-License-Identifier: MIT OR Apache-2.0
//! gpu-lsu: a GPU load/store unit in SystemVerilog, and the workbench that checks it.
//!
//! Dependencies run one way, with what they need of an instruction set in [`sets`], a folder each:
//! `op <- {model, dut} <- {judge, program} <- {wave, cone, explain} <- {cosim, prove} <- vectors <- cli`.
//!
//! - [`model`] knows neither `dut` nor the RTL, nor do they know it; only `cosim` knows both.
//! - [`judge`] reads a log of what crossed the ports, whatever made it; it knows neither `dut` nor the RTL.
//! - [`ports`] describes the unit's ports, bit by bit, and needs no unit.
//! - The unit sees no register numbers: [`sets`] and [`program`] turn them into an [`op::Op`] and lane values.
//! - [`prove`] takes the RTL as text, through Yosys, and the model as formulas.
//! - `vectors` pairs cases from `cosim` with the results that the model expects.
//! - [`regress`] cuts campaigns into shards and merges their results; it needs no unit.
//! - [`wave`] shows the judge's view of a log as waves and pages, and compares two waves; it needs no unit.
//! - `cone` reads the RTL as text to find the lines that may be to blame for a mismatch.
//! - A new instruction begins in [`sets`], a new rule in [`clause`]; only [`cli`] prints.

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
