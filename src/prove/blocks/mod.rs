// SPDX-License-Identifier: MIT OR Apache-2.0
//! The blocks that are proved.

mod address;

use super::block::{Obligation, Of};

/// Every block, in the order of the pipeline.
pub(super) const ALL: &[&dyn Obligation] = &[&Of(address::Address)];
