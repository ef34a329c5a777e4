// SPDX-License-Identifier: MIT OR Apache-2.0
//! The blocks of PTX with a proof obligation.

mod space;

use crate::prove::block::{Obligation, Of};

/// The blocks, in the order of the pipeline.
pub const BLOCKS: &[&dyn Obligation] = &[&Of(space::Space)];
