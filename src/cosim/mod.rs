// SPDX-License-Identifier: MIT OR Apache-2.0
//! The bench: the same operations through RTL and model, compared event by event.
//!
//! ```text
//!  stimulus -> Case -> Bench::run -> ok, with figures            (campaign: many, on every core)
//!                        |    \--> Mismatch -> shrink -> capsule
//!   environment  scoreboard -> diagnose
//! ```

pub mod bench;
pub mod campaign;
pub mod capsule;
pub mod case;
pub mod coverage;
mod diagnose;
mod environment;
mod exclusive;
mod history;
mod hold;
mod ledger;
pub mod mismatch;
mod pace;
mod pins;
pub mod play;
mod prologue;
mod relation;
mod sample;
mod scoreboard;
pub mod shrink;
pub mod stimulus;
pub mod tape;
pub mod waves;

pub use bench::{Bench, Figures, Watch};
pub use case::{Case, Issue, Schedule};
pub use mismatch::Mismatch;
