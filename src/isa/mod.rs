// SPDX-License-Identifier: MIT OR Apache-2.0
//! Instruction sets: text, words and operations.

pub mod spa5;
