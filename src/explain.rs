// SPDX-License-Identifier: MIT OR Apache-2.0
//! Explains what the instructions of a program do, lane by lane, in words and numbers, from the model alone.

pub mod access;
pub mod explanation;
pub mod group;
pub mod play;
pub mod port;
pub mod words;

pub use play::Machine;
