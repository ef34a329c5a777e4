// SPDX-License-Identifier: MIT OR Apache-2.0
//! Shards: which blocks of a campaign are whose, and which of them ran.

use std::{fmt, num::NonZero, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::sets::text::count;

/// Operations of a block: campaigns are cut between blocks.
pub const BLOCK: u64 = 256;

/// Shards that a campaign is cut into, at most.
pub const MOST: u64 = 1_000_000;

/// One of several shares of a campaign: of its blocks, those whose number is `number - 1` modulo `of`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shard {
    /// From 1.
    number: u64,
    of: NonZero<u64>,
}

impl Shard {
    /// All of a campaign.
    pub const WHOLE: Shard = Shard { number: 1, of: NonZero::<u64>::MIN };

    /// The `number`-th of `of`, from 1; none, if there is no such shard.
    pub fn new(number: u64, of: u64) -> Option<Self> {
        let of = NonZero::new(of).filter(|of| of.get() <= MOST)?;
        (1..=of.get()).contains(&number).then_some(Shard { number, of })
    }

    /// Why a campaign of so many blocks is not cut into `of` shards, if it is not.
    pub fn problem(of: u64, blocks: u64) -> Option<String> {
        let most = blocks.min(MOST);
        (of > most).then(|| {
            let (all, shards) = (count(blocks, "block"), count(most, "shard"));
            let hint = if blocks < MOST { ": give more `--ops`" } else { "" };
            format!("a campaign of {all} is cut into {shards} at most, not {of}{hint}")
        })
    }

    /// Which it is, from 1.
    pub fn number(self) -> u64 {
        self.number
    }

    /// How many there are.
    pub fn of(self) -> u64 {
        self.of.get()
    }

    /// The place in the campaign of its `index`-th block; none past the last number.
    pub fn block(self, index: u64) -> Option<u64> {
        index.checked_mul(self.of())?.checked_add(self.number - 1)
    }

    /// Its blocks in a campaign of so many.
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
    /// Every block of it ran.
    Complete,
    /// As many blocks failed as were asked for.
    Failures,
    /// Somebody stopped it.
    Interrupted,
}

/// What ran of a shard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Which it is, from 1.
    pub shard: u64,
    /// Blocks that ran, by their places in the shard: from, to, both among them.
    pub ran: Vec<(u64, u64)>,
    /// How it ended.
    pub ended: Ended,
    /// Of the result that it came in, beside others: what tells the same shard from another one of its number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
}

impl Part {
    /// How many blocks ran.
    pub fn blocks(&self) -> u64 {
        self.ran.iter().map(|(from, to)| to - from + 1).sum()
    }
}

/// Shards of one campaign.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parts {
    /// How many the campaign was cut into.
    pub of: u64,
    /// Those that are here, by number.
    pub parts: Vec<Part>,
}

impl Parts {
    /// Whether they are the whole campaign, to its end.
    pub fn is_whole(&self) -> bool {
        self.parts.len() as u64 == self.of && self.parts.iter().all(|part| part.ended == Ended::Complete)
    }

    /// How many are here and came to their end.
    pub fn complete(&self) -> usize {
        self.parts.iter().filter(|part| part.ended == Ended::Complete).count()
    }

    /// Numbers of those that are not here, as ranges: from, to, both among them.
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

    /// How many blocks ran.
    pub fn blocks(&self) -> u64 {
        self.parts.iter().map(Part::blocks).sum()
    }

    /// What makes no sense in it, if anything does: a file may say anything.
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
