// SPDX-License-Identifier: MIT OR Apache-2.0
//! Shards: which blocks of a campaign belong to which shard, and which of them ran.

use std::{fmt, num::NonZero, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::sets::text::count;

/// The number of operations in a block; campaigns are cut between blocks.
pub const BLOCK: u64 = 256;

/// The largest number of shards that a campaign can be cut into.
pub const MOST: u64 = 1_000_000;

/// One of `of` shares of a campaign: the blocks whose number is `number - 1` modulo `of`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shard {
    /// From 1.
    number: u64,
    of: NonZero<u64>,
}

impl Shard {
    /// The whole campaign.
    pub const WHOLE: Shard = Shard { number: 1, of: NonZero::<u64>::MIN };

    /// The `number`-th of `of` shards, from 1; `None` if there is no such shard.
    pub fn new(number: u64, of: u64) -> Option<Self> {
        let of = NonZero::new(of).filter(|of| of.get() <= MOST)?;
        (1..=of.get()).contains(&number).then_some(Shard { number, of })
    }

    /// Why a campaign of `blocks` blocks cannot be cut into `of` shards, if it cannot.
    pub fn problem(of: u64, blocks: u64) -> Option<String> {
        let most = blocks.min(MOST);
        (of > most).then(|| {
            let (all, shards) = (count(blocks, "block"), count(most, "shard"));
            let hint = if blocks < MOST { ": give more `--ops`" } else { "" };
            format!("a campaign of {all} is cut into {shards} at most, not {of}{hint}")
        })
    }

    /// The number of the shard, from 1.
    pub fn number(self) -> u64 {
        self.number
    }

    /// The number of shards.
    pub fn of(self) -> u64 {
        self.of.get()
    }

    /// The place in the campaign of the shard's `index`-th block; `None` if it exceeds `u64`.
    pub fn block(self, index: u64) -> Option<u64> {
        index.checked_mul(self.of())?.checked_add(self.number - 1)
    }

    /// The number of the shard's blocks in a campaign of `all` blocks.
    pub fn blocks(self, all: u64) -> u64 {
        all.saturating_sub(self.number - 1).div_ceil(self.of())
    }
}

/// As `K/N`.
impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse::<u64>().ok())?;
        let numbers = text.split_once('/').and_then(|(number, of)| Some((digits(number)?, digits(of)?)));
        match numbers {
            Some((number, of)) => Shard::new(number, of)
                .ok_or_else(|| format!("shard K of N, K from 1 to N, N up to {MOST}, such as 3/8")),
            None => Err("a shard is K/N, such as 3/8: the third of eight".to_owned()),
        }
    }
}

/// How a shard ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// Every block ran.
    Complete,
    /// As many blocks failed as were asked for.
    Failures,
    /// The user stopped it.
    Interrupted,
}

/// The part of a shard that ran.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// The number of the shard, from 1.
    pub shard: u64,
    /// The blocks that ran, as inclusive ranges of their places in the shard.
    pub ran: Vec<(u64, u64)>,
    /// How it ended.
    pub ended: Ended,
    /// In a merged result, the digest of the shard's own result: it tells apart different results for one shard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
}

impl Part {
    /// The number of blocks that ran.
    pub fn blocks(&self) -> u64 {
        self.ran.iter().map(|(from, to)| to - from + 1).sum()
    }
}

/// Some shards of one campaign.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parts {
    /// The number of shards that the campaign was cut into.
    pub of: u64,
    /// The shards that are here, by number.
    pub parts: Vec<Part>,
}

impl Parts {
    /// Whether these are all shards of the campaign, and all complete.
    pub fn is_whole(&self) -> bool {
        self.parts.len() as u64 == self.of && self.parts.iter().all(|part| part.ended == Ended::Complete)
    }

    /// The number of complete shards.
    pub fn complete(&self) -> usize {
        self.parts.iter().filter(|part| part.ended == Ended::Complete).count()
    }

    /// The numbers of the missing shards, as inclusive ranges.
    pub fn missing(&self) -> Vec<(u64, u64)> {
        let mut missing = Vec::new();
        let mut next = 1;
        for number in self.parts.iter().map(|part| part.shard).chain([self.of + 1]) {
            if number > next {
                missing.push((next, number - 1));
            }
            next = number + 1;
        }
        missing
    }

    /// The number of blocks that ran.
    pub fn blocks(&self) -> u64 {
        self.parts.iter().map(Part::blocks).sum()
    }

    /// An inconsistency, if there is one: a file may contain anything.
    pub(super) fn problem(&self) -> Option<String> {
        if Shard::new(1, self.of).is_none() {
            return Some(format!("a campaign is cut into 1 to {MOST} shards, not {}", self.of));
        }
        if self.parts.is_empty() {
            return Some("there is no shard in it".to_owned());
        }
        if let Some(part) = self.parts.iter().find(|part| !(1..=self.of).contains(&part.shard)) {
            return Some(format!("there is no shard {}/{}", part.shard, self.of));
        }
        if self.parts.windows(2).any(|pair| pair[0].shard >= pair[1].shard) {
            return Some("its shards are not in order".to_owned());
        }
        let disordered = |part: &&Part| {
            part.ran.iter().any(|(from, to)| from > to || *to == u64::MAX)
                || part.ran.windows(2).any(|pair| pair[0].1 >= pair[1].0)
        };
        self.parts.iter().find(disordered).map(|part| format!("the blocks of shard {} are not in order", part.shard))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_share_every_block() {
        for (of, all) in [(1, 7), (3, 7), (4, 8), (9, 4)] {
            let shards = (1..=of).map(|number| Shard::new(number, of).unwrap());
            let mut blocks: Vec<_> =
                shards.flat_map(|shard| (0..shard.blocks(all)).map(move |index| shard.block(index).unwrap())).collect();
            blocks.sort();
            assert_eq!(blocks, (0..all).collect::<Vec<_>>(), "{of} {all}");
        }
    }

    #[test]
    fn shards_are_written_as_people_do() {
        assert_eq!("3/8".parse(), Ok(Shard::new(3, 8).unwrap()));
        assert_eq!(Shard::new(3, 8).unwrap().to_string(), "3/8");
        for text in ["0/4", "5/4", "a/b", "1/0", "1", "/", "+1/2", "1/1000001", "1/99999999999999999999", "-1/2"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
