// SPDX-License-Identifier: MIT OR Apache-2.0
//! The blocks of SPA 5.0 that are proved.

mod address;
mod align;
mod extract;
pub(crate) mod window;
mod program;

use crate::prove::block::{Obligation, Of};

/// In the order of the pipeline.
pub const BLOCKS: &[&dyn Obligation] =
    &[&Of(address::Address), &Of(align::Align), &Of(window::Window), &Of(extract::Extract)];
