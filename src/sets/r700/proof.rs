// SPDX-License-Identifier: MIT OR Apache-2.0
//! The blocks of R700 with a proof obligation.

mod array;
mod buffer;
mod burst;
mod clamp;
mod program;

use crate::prove::block::{Obligation, Of};

/// The blocks, in the order of the pipeline.
pub const BLOCKS: &[&dyn Obligation] = &[&Of(array::Array), &Of(clamp::Clamp), &Of(burst::Burst), &Of(buffer::Buffer)];
