// SPDX-License-Identifier: MIT OR Apache-2.0
//! The blocks of R700 that are proved.

mod array;
mod buffer;
mod burst;
mod clamp;
mod program;

use crate::prove::block::{Obligation, Of};

/// In the order of the pipeline.
pub const BLOCKS: &[&dyn Obligation] = &[&Of(array::Array), &Of(clamp::Clamp), &Of(burst::Burst), &Of(buffer::Buffer)];
