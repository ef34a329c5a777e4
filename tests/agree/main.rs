// SPDX-License-Identifier: MIT OR Apache-2.0
//! RTL and model agree: on the bits of every port, on random cases, on every value of whatever is small enough to try
//! them all, and on the examples of the specification. What surrounds the comparison can be trusted as well: campaigns,
//! capsules, waves.
//!
//! `PROPTEST_CASES=10000 cargo test --release --features all-lanes --test agree` searches longer.
#![cfg(feature = "rtl")]

mod any;
mod campaign;
mod capsule;
mod case;
mod contract;
#[cfg(feature = "corners")]
mod corners;
mod drawn;
mod every_bit;
mod exhaustive;
mod exhaustive_ptx;
mod exhaustive_r700;
mod exhaustive_sm5;
mod fair;
mod flush;
mod judge;
mod kept;
mod layout;
mod ptx_forms;
mod random;
mod rate;
mod units;
mod wave_log;
mod waves;
mod worked;
