// SPDX-License-Identifier: MIT OR Apache-2.0
//! PORT-DONE: a completion comes soon after the last event that it waits for. PORT-FAIR: only a limited number of other
//! completions go before one that is due.

use std::collections::VecDeque;

use super::{
    contract::Contract,
    mismatch::{Field, Mismatch, Site},
    scoreboard::{Divergence, Scoreboard, awaits_last},
};
use crate::{
    clause::Clause,
    model::is_release,
    op::{MAX_PENDING, Op},
};

/// The number of uses of the done port that are remembered at least: more than the default number that may go before a
/// completion that is due.
const REMEMBERED: usize = 2 * MAX_PENDING + 9;

/// The uses of the done port, and the last one by each warp.
#[derive(Default)]
pub struct Prompt {
    /// By use, ascending: the cycles of the first offer and of the handshake.
    used: VecDeque<(u64, u64)>,
    /// By warp: the cycle of its last completion.
    last: [u64; 8],
    /// The number of completions that may go before one that is due.
    patience: usize,
    /// The cycle of the last completion of an operation that uses the scratchpad.
    spad: u64,
}

impl Prompt {
    /// Records the completion of an operation that was accepted before the log begins. `offered` is the cycle of its
    /// first offer, `cycle` that of its handshake.
    pub fn stranger(&mut self, offered: u64, cycle: u64, warp: u8) {
        self.last[usize::from(warp & 7)] = cycle;
        self.remember(offered, cycle);
    }

    /// By warp: the cycle of its last completion.
    pub fn completed(&self) -> &[u64; 8] {
        &self.last
    }

    /// The cycle of the last completion of an operation that uses the scratchpad.
    pub fn spad(&self) -> u64 {
        self.spad
    }

    fn remember(&mut self, offered: u64, cycle: u64) {
        if self.used.len() >= self.most() {
            self.used.pop_front();
        }
        self.used.push_back((offered, cycle));
    }

    /// How many uses are remembered.
    fn most(&self) -> usize {
        REMEMBERED.max(self.patience.saturating_add(1))
    }

    /// Judges the completion of operation `index`. `offered` is the cycle of its first offer, `cycle` that of its
    /// handshake, and `placed` that in which its last data beat is put in its place.
    pub fn done(
        &mut self,
        (offered, cycle): (u64, u64),
        (index, op): (usize, &Op),
        board: &Scoreboard,
        placed: u64,
        contract: &Contract,
    ) -> Result<(), Box<Divergence>> {
        let progress = board.op(index);
        let warp = usize::from(progress.warp & 7);
        let patience = contract.promises.passed(&contract.shape);
        let before = std::mem::replace(&mut self.last[warp], cycle);
        let shown = progress.last_event(op);
        let last = shown.or_else(|| self.unshown((index, op), board, placed)).map(|last| last.max(before));
        // What does not show begins when it can, and takes its time.
        let promises = &contract.promises;
        let hidden = promises.latency.waits.saturating_add(progress.bank_cycles.into());
        let hidden = if shown.is_none() { hidden } else { 0 };
        let patience = patience.saturating_add(hidden.try_into().unwrap_or(u32::MAX));
        let since = |from: u64| self.used.iter().rev().take_while(move |(_, to)| *to > from);
        let busy = |from: u64| -> u64 { since(from).map(|&(first, to)| to - first.max(from + 1) + 1).sum() };
        let passed = last.map_or(0, |last| since(last).count() as u32);
        // Before the oldest use that is remembered, the port counts as used.
        let soon = promises.latency.done.saturating_add(hidden).saturating_add(progress.groups_behind(op));
        let from = |last: u64| match self.used.front() {
            Some(&(first, _)) if self.used.len() >= self.most() => last.max(first.saturating_sub(1)),
            _ => last,
        };
        let late = last.map(from).map(|last| offered.saturating_sub(last).saturating_sub(busy(last)));
        self.patience = self.patience.max(patience as usize);
        self.remember(offered, cycle);
        self.spad = if progress.plan.shared.is_empty() { self.spad } else { cycle };
        match late.filter(|&late| late > soon) {
            // A completion that may be late may also have others go before it.
            _ if !promises.keeps(Clause::PortDone) => Ok(()),
            None if passed > patience && promises.keeps(Clause::PortFair) => {
                let m = Mismatch::new(Clause::PortFair, Some(progress.index), Field::signal(Site::Done, "valid"));
                Err(m.values(format!("after at most {patience} of others"), format!("after {passed}")).into())
            }
            None => Ok(()),
            Some(late) => {
                let awaited = if awaits_last(op) { "last answer" } else { "first answer" };
                let awaited = match shown {
                    Some(_) => format!("{awaited}, beat and done"),
                    None => "data beat, done and scratchpad access".to_owned(),
                };
                let expected = format!("within {soon} cycles of the {awaited} that it waits for");
                let in_scratchpad = shown.is_none() && progress.bank_cycles > 0 && promises.keeps(Clause::PortBank);
                let m = Mismatch::new(Clause::PortDone, Some(progress.index), Field::signal(Site::Done, "valid"))
                    .or(in_scratchpad.then_some(Clause::PortBank));
                Err(m.values(expected, format!("after {late} cycles")).into())
            }
        }
    }

    /// The cycle in which nothing is left for which an operation must wait of which nothing shows, or which stores to the
    /// scratchpad. There is none if the log cannot tell: what a release waits for does not show, nor how far the
    /// scratchpad is with those before it.
    fn unshown(&self, (index, op): (usize, &Op), board: &Scoreboard, placed: u64) -> Option<u64> {
        let progress = board.op(index);
        let tells = board.sees_all() && progress.wild.is_none() && !is_release(op);
        let spad = if progress.plan.shared.is_empty() { 0 } else { self.spad };
        (tells && !board.is_held_in_scratchpad(index)).then(|| progress.moved().max(placed).max(spad))
    }
}
