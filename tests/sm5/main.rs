// SPDX-License-Identifier: MIT OR Apache-2.0
//! SM5: text and tokens, shaders and containers, operations and programs.

mod containers;
mod generate;
