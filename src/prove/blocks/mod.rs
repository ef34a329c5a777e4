// SPDX-License-Identifier: MIT OR Apache-2.0
//! The blocks that are proved.

mod address;
mod align;
mod array;
mod buffer;
mod burst;
mod cas;
mod clamp;
mod extract;
mod tgsm;
mod uav;
mod window;

use super::block::{Obligation, Of};

/// Every block, in the order of the pipeline: SPA 5.0 first, then R700, then SM5.
pub(super) const ALL: &[&dyn Obligation] = &[
    &Of(address::Address),
    &Of(align::Align),
    &Of(window::Window),
    &Of(extract::Extract),
    &Of(array::Array),
    &Of(clamp::Clamp),
    &Of(burst::Burst),
    &Of(buffer::Buffer),
    &Of(uav::Uav),
    &Of(tgsm::Tgsm),
    &Of(cas::Cas),
];
