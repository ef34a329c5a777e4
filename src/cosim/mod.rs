// SPDX-License-Identifier: MIT OR Apache-2.0
//! The bench: plays the same operations on RTL and model.
//!
//! ```text
//!  stimulus -> Case -> Player -> Log -> Judge -> ok, with figures        (campaign: many, on every core)
//!                        |                 \--> Mismatch -> shrink -> capsule
//!              pins, environment
//! ```
//!
//! The player knows the schedule and how a memory answers, but not what is right. The judge ([`crate::judge`]) knows
//! what is right, but not the schedule.

pub mod bench;
pub mod campaign;
pub mod capsule;
pub mod case;
mod environment;
mod epilogue;
mod exclusive;
mod ledger;
pub mod outlived;
pub mod page;
mod pins;
pub mod play;
mod player;
mod progress;
pub(crate) mod prologue;
mod search;
pub mod shrink;
pub mod stimulus;
pub mod tape;
mod waiting;
pub mod waves;

pub use crate::judge::{Figures, Mismatch};
pub use bench::Bench;
pub use case::{Case, Issue, Schedule};
