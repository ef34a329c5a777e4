// SPDX-License-Identifier: MIT OR Apache-2.0
//! Collects the blocks of a shard in whatever order they finish, and counts those that matter.

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
    /// The index of its seed among the seeds of the campaign.
    pub seed: usize,
    pub result: Result<(Figures, Coverage, Option<Lines>), Box<Failure>>,
    pub log: Vec<u8>,
}

/// The totals over blocks, counted in order. A block waits until all before it are there: if too many of those fail, it
/// does not count. So the figures do not depend on which job ran which block.
pub(super) struct Ledger<'a> {
    share: Share<'a>,
    /// The place in the shard of the next block to count; all before it are in the totals.
    next: u64,
    waiting: BTreeMap<u64, Ran>,
    /// The places of all failing blocks, counted or not.
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
    /// Creates an empty ledger; `blank` is coverage without a hit.
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

    /// Takes the block at place `index` of the shard. Returns the place from which on no block matters any more.
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

    /// Whether enough blocks have failed to end the campaign.
    pub(super) fn has_enough(&self) -> bool {
        self.failing.len() as u64 >= self.share.failures.get()
    }

    /// Counts the waiting blocks, up to the last failure that is asked for. Blocks may be missing only if the campaign
    /// was stopped.
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

    /// Counts the next block in order.
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
