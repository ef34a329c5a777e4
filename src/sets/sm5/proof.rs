// SPDX-License-Identifier: MIT OR Apache-2.0
//! The blocks of compare-and-store that are proved.

mod cas;
mod program;
mod tgsm;
mod uav;

use crate::prove::block::{Obligation, Of};

/// In the order of the pipeline.
pub const BLOCKS: &[&dyn Obligation] = &[&Of(uav::Uav), &Of(tgsm::Tgsm), &Of(cas::Cas)];
