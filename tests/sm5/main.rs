// SPDX-License-Identifier: MIT OR Apache-2.0
//! SM5: text and tokens, shaders and containers, operations and programs.

mod any;
mod containers;
mod generate;
mod lower;
mod programs;
mod reasons;
mod rows;
mod shaders;
