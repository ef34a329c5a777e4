// SPDX-License-Identifier: MIT OR Apache-2.0
//! The blocks of SPA 5.0 with a proof obligation.

mod address;
mod align;
mod extract;
pub(crate) mod window;
mod program;

use crate::prove::block::{Obligation, Of};

/// The blocks, in the order of the pipeline.
pub const BLOCKS: &[&dyn Obligation] =
    &[&Of(address::Address), &Of(align::Align), &Of(window::Window), &Of(extract::Extract)];
