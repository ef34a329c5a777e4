// SPDX-License-Identifier: MIT OR Apache-2.0
//! PORT-DONE: a completion comes soon after the last thing that it waits for; PORT-FAIR: others that are due as well do
//! not go before it for ever.

use std::collections::VecDeque;

use super::{
    contract::Contract,
    mismatch::{Field, Mismatch, Site},
    scoreboard::{Divergence, Progress, awaits_last},
};
use crate::{
    clause::Clause,
    op::{MAX_PENDING, Op},
};

/// Stretches in which the done port was used that are remembered: more than may pass one that is due, unless a contract
/// lets more pass.
const REMEMBERED: usize = 2 * MAX_PENDING + 9;

/// When the done port was used, and by which warp last.
#[derive(Default)]
pub struct Prompt {
    /// From the first offer to the handshake, ascending.
    used: VecDeque<(u64, u64)>,
    /// By warp: its last completion.
    last: [u64; 8],
    /// Completions that may pass one that is due.
    patience: usize,
}

impl Prompt {
    /// A completion of an operation from before the log was taken, and offered first in an earlier cycle or in this one.
    pub fn stranger(&mut self, offered: u64, cycle: u64, warp: u8) {
        self.last[usize::from(warp & 7)] = cycle;
        self.remember(offered, cycle);
    }

    fn remember(&mut self, offered: u64, cycle: u64) {
        if self.used.len() >= self.most() {
            self.used.pop_front();
        }
        self.used.push_back((offered, cycle));
    }

    fn most(&self) -> usize {
        REMEMBERED.max(self.patience.saturating_add(1))
    }

    /// A completion was taken; it was offered first in the first of both cycles.
    pub fn done(
        &mut self,
        (offered, cycle): (u64, u64),
        op: &Op,
        progress: &Progress,
        contract: &Contract,
    ) -> Result<(), Box<Divergence>> {
        let warp = usize::from(progress.warp & 7);
        let patience = contract.promises.passed(&contract.shape);
        self.patience = patience as usize;
        let before = std::mem::replace(&mut self.last[warp], cycle);
        let last = progress.last_event(op).map(|last| last.max(before));
        let since = |from: u64| self.used.iter().rev().take_while(move |(_, to)| *to > from);
        let busy = |from: u64| -> u64 { since(from).map(|&(first, to)| to - first.max(from + 1) + 1).sum() };
        let passed = last.map_or(0, |last| since(last).count() as u32);
        // What is no longer remembered was used throughout.
        let promises = &contract.promises;
        let soon = promises.latency.done.saturating_add(progress.groups_behind(op));
        let from = |last: u64| match self.used.front() {
            Some(&(first, _)) if self.used.len() >= self.most() => last.max(first.saturating_sub(1)),
            _ => last,
        };
        let late = last.map(from).map(|last| offered.saturating_sub(last).saturating_sub(busy(last)));
        self.remember(offered, cycle);
        match late.filter(|&late| late > soon) {
            // One that may be late may also see others go before it.
            _ if !promises.keeps(Clause::PortDone) => Ok(()),
            None if passed > patience && promises.keeps(Clause::PortFair) => {
                let m = Mismatch::new(Clause::PortFair, Some(progress.index), Field::signal(Site::Done, "valid"));
                Err(m.values(format!("after at most {patience} of others"), format!("after {passed}")).into())
            }
            None => Ok(()),
            Some(late) => {
                let awaited = if awaits_last(op) { "last answer" } else { "first answer" };
                let expected = format!("within {soon} cycles of the {awaited}, beat and done that it waits for");
                let m = Mismatch::new(Clause::PortDone, Some(progress.index), Field::signal(Site::Done, "valid"));
                Err(m.values(expected, format!("after {late} cycles")).into())
            }
        }
    }
}
