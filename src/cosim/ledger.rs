// SPDX-License-Identifier: MIT OR Apache-2.0
//! The blocks of a campaign as they come in, in any order, and what counts of them in the end.

use std::collections::BTreeMap;

use super::campaign::{Failure, Logs, Outcome};
use crate::judge::{Figures, coverage::Coverage};

/// Figures of every block that agreed. Those behind the first that is still to come wait apart: if that one fails, they do
/// not count, so that the figures are the same whoever did which block.
pub(super) struct Ledger<'a> {
    /// Blocks before this one are in the totals.
    next: u64,
    figures: Figures,
    coverage: Coverage,
    blocks: u64,
    waiting: BTreeMap<u64, (Figures, Coverage, Vec<u8>)>,
    failure: Option<(Failure, Vec<u8>)>,
    logs: Option<&'a dyn Logs>,
}

impl<'a> Ledger<'a> {
    /// No block yet; `blank` is coverage without a hit. What blocks wrote down goes to `logs`, in their order.
    pub(super) fn new(blank: Coverage, logs: Option<&'a dyn Logs>) -> Self {
        Ledger {
            next: 0,
            figures: Figures::default(),
            coverage: blank,
            blocks: 0,
            waiting: BTreeMap::new(),
            failure: None,
            logs,
        }
    }

    pub(super) fn agreed(&mut self, block: u64, figures: Figures, coverage: Coverage, log: Vec<u8>) {
        self.waiting.insert(block, (figures, coverage, log));
        while let Some((figures, coverage, log)) = self.waiting.remove(&self.next) {
            self.add(figures, &coverage, &log);
            self.next += 1;
        }
    }

    pub(super) fn failed(&mut self, failure: Failure, log: Vec<u8>) {
        if self.failure.as_ref().is_none_or(|(first, _)| failure.block < first.block) {
            self.failure = Some((failure, log));
        }
    }

    pub(super) fn has_failed(&self) -> bool {
        self.failure.is_some()
    }

    /// Counts what waits, up to the first failure. Blocks may be missing before it only if the campaign was stopped.
    pub(super) fn close(mut self, finished: bool) -> Outcome {
        let end = self.failure.as_ref().map_or(u64::MAX, |(failure, _)| failure.block);
        for (block, (figures, coverage, log)) in std::mem::take(&mut self.waiting) {
            if block < end {
                self.add(figures, &coverage, &log);
            }
        }
        let failure = self.failure.map(|(failure, log)| {
            self.logs.iter().for_each(|logs| logs.write(&log));
            failure
        });
        Outcome { figures: self.figures, coverage: self.coverage, blocks: self.blocks, failure, finished }
    }

    fn add(&mut self, figures: Figures, coverage: &Coverage, log: &[u8]) {
        self.figures += figures;
        self.blocks += 1;
        self.coverage.merge(coverage);
        self.logs.iter().for_each(|logs| logs.write(log));
    }
}
