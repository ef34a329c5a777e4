// SPDX-License-Identifier: MIT OR Apache-2.0
//! The blocks of PTX that are proved.

mod space;

use crate::prove::block::{Obligation, Of};

/// In the order of the pipeline.
pub const BLOCKS: &[&dyn Obligation] = &[&Of(space::Space)];
