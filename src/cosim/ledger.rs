// SPDX-License-Identifier: MIT OR Apache-2.0
//! The blocks of a shard as they come in, in any order, and what counts of them in the end.

use std::collections::{BTreeMap, BTreeSet};

use super::campaign::{Failure, Outcome, Share};
use crate::{
    judge::{
        Figures,
        coverage::{Bits, Coverage},
    },
    regress::{Group, Groups, Key, Lines, Place, key},
};

/// A block that was run.
pub(super) struct Ran {
    pub place: Place,
    /// Of its seed among those of the campaign.
    pub seed: usize,
    pub result: Result<(Figures, Coverage, Option<Lines>), Box<Failure>>,
    pub log: Vec<u8>,
}

/// What blocks amount to. Those behind the first that is still to come wait apart: if too many before them fail, they do
/// not count, so that the figures are the same whoever did which block.
pub(super) struct Ledger<'a> {
    share: Share<'a>,
    /// Blocks before this one, by their places in the shard, are in the totals.
    next: u64,
    waiting: BTreeMap<u64, Ran>,
    /// Places of all that failed, counted or not.
    failing: BTreeSet<u64>,
    failed: u64,
    figures: Figures,
    coverage: Coverage,
    seeds: Vec<Bits>,
    lines: Option<Lines>,
    blocks: u64,
    last: Option<Place>,
    ran: Vec<(u64, u64)>,
    groups: Groups,
    firsts: BTreeMap<Key, Failure>,
}

impl<'a> Ledger<'a> {
    /// No block yet; `blank` is coverage without a hit.
    pub(super) fn new(blank: Coverage, share: Share<'a>) -> Self {
        let count = if share.seeds.len() > 1 { share.seeds.len() } else { 0 };
        Ledger {
            share,
            next: 0,
            waiting: BTreeMap::new(),
            failing: BTreeSet::new(),
            failed: 0,
            figures: Figures::default(),
            seeds: vec![blank.all_bits(); count],
            coverage: blank,
            lines: share.lines.then(Lines::default),
            blocks: 0,
            last: None,
            ran: Vec::new(),
            groups: Groups::default(),
            firsts: BTreeMap::new(),
        }
    }

    /// Takes a block, by its place in the shard. Comes back with the place from which on none is of interest any more.
    pub(super) fn take(&mut self, index: u64, ran: Ran) -> u64 {
        if ran.result.is_err() {
            self.failing.insert(index);
        }
        self.waiting.insert(index, ran);
        while let Some(ran) = self.waiting.remove(&self.next) {
            self.count(self.next, ran);
            self.next += 1;
        }
        let enough = usize::try_from(self.share.failures.get() - 1).unwrap_or(usize::MAX);
        self.failing.iter().nth(enough).copied().unwrap_or(u64::MAX)
    }

    /// Whether enough blocks have failed to end it.
    pub(super) fn has_enough(&self) -> bool {
        self.failing.len() as u64 >= self.share.failures.get()
    }

    /// Counts what waits, up to the last failure that is asked for. Blocks may be missing only if the campaign was
    /// stopped.
    pub(super) fn close(mut self, finished: bool) -> Outcome {
        for (index, ran) in std::mem::take(&mut self.waiting) {
            self.count(index, ran);
        }
        let mut firsts = self.firsts;
        let sorted = self.groups.sorted().into_iter().cloned();
        let groups: Vec<(Group, Failure)> =
            sorted.filter_map(|group| firsts.remove(&group.key()).map(|first| (group, first))).collect();
        Outcome {
            figures: self.figures,
            coverage: self.coverage,
            blocks: self.blocks,
            last: self.last,
            failure: groups.first().map(|(_, first)| first.clone()),
            groups,
            seeds: self.seeds,
            lines: self.lines,
            ran: self.ran,
            enough: self.failed == self.share.failures.get(),
            finished,
        }
    }

    /// The next block in order.
    fn count(&mut self, index: u64, ran: Ran) {
        if self.failed == self.share.failures.get() {
            return;
        }
        match self.ran.last_mut() {
            Some((_, to)) if *to + 1 == index => *to = index,
            _ => self.ran.push((index, index)),
        }
        self.share.logs.iter().for_each(|logs| logs.write(&ran.log));
        match ran.result {
            Ok((figures, coverage, lines)) => {
                if let (Some(mine), Some(theirs)) = (&mut self.lines, &lines) {
                    mine.add(theirs);
                }
                self.figures += figures;
                self.blocks += 1;
                self.last = Some(ran.place);
                self.coverage.merge(&coverage);
                if let Some(bits) = self.seeds.get_mut(ran.seed) {
                    bits.add(&coverage.all_bits());
                }
            }
            Err(failure) => {
                self.failed += 1;
                let group = Group::new(failure.mismatch.clone(), ran.place);
                self.groups.add(group);
                self.firsts.entry(key(&failure.mismatch)).or_insert(*failure);
            }
        }
    }
}
