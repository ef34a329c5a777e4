// SPDX-License-Identifier: MIT OR Apache-2.0
//! Regressions: campaigns cut into shards, the results of each shard, and their merger into one result.
//!
//! ```text
//!  Identity, Shard --> (somebody runs it) --> Results --> file --> Merge --> Results
//!                                                                    \--> Rank, exports
//! ```
//!
//! A result depends only on the campaign and on which of its blocks ran, except for the time that it took. So shards
//! merge into the same bytes in any order, and all of them into the bytes of the whole campaign. The module needs no
//! unit.

mod group;
mod identity;
pub mod junit;
mod lines;
mod merge;
mod rank;
mod read;
mod results;
mod shard;
pub mod ucis;
mod xml;

pub use group::{Group, Groups, Key, MOST_PLACES, Place, key};
pub use identity::{Identity, Seed, unit_name};
pub use lines::Lines;
pub use merge::{Merge, MergeError, Selection, Skipped};
pub use rank::Ranking;
pub use read::{Head, ReadError};
pub use results::{ENDING, FORMAT, Results, Verdict};
pub use shard::{BLOCK, Ended, Part, Parts, Shard};
