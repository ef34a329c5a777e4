// SPDX-License-Identifier: MIT OR Apache-2.0
//! The blocks that are proved.

mod address;
mod align;
mod array;
mod burst;
mod clamp;
mod extract;
mod window;

use super::block::{Obligation, Of};

/// Every block, in the order of the pipeline: SPA 5.0 first, then R700.
pub(super) const ALL: &[&dyn Obligation] = &[
    &Of(address::Address),
    &Of(align::Align),
    &Of(window::Window),
    &Of(extract::Extract),
    &Of(array::Array),
    &Of(clamp::Clamp),
    &Of(burst::Burst),
];
