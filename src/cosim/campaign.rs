// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs many random cases on every core. The work is split by block number, and the result does not depend on which job
//! ran which block.

use std::{
    cmp::Reverse,
    num::NonZero,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use crate::{
    clause::Clause,
    dut::DutError,
    judge::{
        Field, Figures, Mismatch, Promises, Site,
        coverage::{Bits, Coverage},
    },
    op::Shape,
    regress::{Group, Lines, Place, Shard},
    sets::Isa,
};

use super::{
    bench::Bench,
    case::Case,
    outlived,
    stimulus::{self, BLOCK, Forbidden},
};

/// The number of blocks that may be played to name a failure, and the number of failures that suffice to name it.
const ASKED: u64 = 48;
const WITNESSES: usize = 9;

/// When a campaign ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// After this many operations.
    Operations(u64),
    /// After this long; the number of operations then depends on the machine.
    Time(Duration),
}

/// A campaign: what to run.
#[derive(Clone, Copy, Debug)]
pub struct Campaign {
    /// The instruction set; `None` stands for all of them, in turn and together.
    pub isa: Option<Isa>,
    /// The seed of all random values.
    pub seed: u64,
    /// The parameters of the unit.
    pub shape: Shape,
    /// When to end.
    pub budget: Budget,
    /// The number of units that run side by side.
    pub jobs: NonZero<usize>,
    /// What the units promise ([`Bench::promise`]).
    pub promises: Promises,
}

/// The sink for the logs of a campaign's blocks.
pub trait Logs: Sync {
    /// Returns the log of the case that a bench has just played; called on any thread.
    fn record(&self, bench: &Bench, case: &Case) -> Vec<u8>;

    /// Writes a log; called block by block, in their order.
    fn write(&self, log: &[u8]);
}

/// A block that diverged.
#[derive(Clone)]
pub struct Failure {
    /// The seed of the block.
    pub seed: u64,
    /// The number of the block among those of its seed.
    pub block: u64,
    /// The case that ran.
    pub case: Case,
    /// The divergence.
    pub mismatch: Mismatch,
}

/// The part of a campaign to run, and what to collect besides figures.
#[derive(Clone, Copy)]
pub struct Share<'a> {
    /// Used instead of the campaign's own seed. Each seed gets the whole budget.
    pub seeds: &'a [u64],
    /// Which blocks to run, of the blocks of one seed after another.
    pub shard: Shard,
    /// The number of failing blocks that ends the run.
    pub failures: NonZero<u64>,
    /// Called with each failing block as soon as it fails; on any thread, in any order.
    pub heard: Option<&'a (dyn Fn(&Failure) + Sync)>,
    /// The sink for the logs.
    pub logs: Option<&'a dyn Logs>,
    /// Whether to count how often lines of the RTL run. Each block then has a bench of its own, so that earlier blocks
    /// do not affect the counts.
    pub lines: bool,
}

impl<'a> Share<'a> {
    /// All blocks of these seeds, until the first failure.
    pub fn whole(seeds: &'a [u64]) -> Self {
        Share { seeds, shard: Shard::WHOLE, failures: NonZero::<u64>::MIN, heard: None, logs: None, lines: false }
    }
}

/// The result of a campaign.
pub struct Outcome {
    /// The figures of all blocks that agreed; if enough blocks failed, of those before the last of these.
    pub figures: Figures,
    /// The coverage of the same blocks.
    pub coverage: Coverage,
    /// The number of these blocks.
    pub blocks: u64,
    /// The last of these blocks.
    pub last: Option<Place>,
    /// The first failing block, if any. From [`Campaign::run`], it may be a block soon after it that shows the broken
    /// rule better.
    pub failure: Option<Failure>,
    /// All divergences, grouped by cause, each group with its first failing block.
    pub groups: Vec<(Group, Failure)>,
    /// How often lines of the RTL ran in the blocks that agreed, if they were counted.
    pub lines: Option<Lines>,
    /// By seed: the bins that it hit. Empty if there is only one seed.
    pub seeds: Vec<Bits>,
    /// The blocks that count, as inclusive ranges of their places in the shard.
    pub ran: Vec<(u64, u64)>,
    /// Whether as many blocks failed as were asked for.
    pub enough: bool,
    /// Whether the run was not stopped early. Unless `enough`, this means that the budget was spent.
    pub finished: bool,
}

impl Campaign {
    /// Runs the campaign. `progress` receives the numbers of finished operations; setting `stop` ends it early.
    ///
    /// # Errors
    ///
    /// When this build does not contain the unit.
    pub fn run(&self, progress: &(dyn Fn(u64) + Sync), stop: &AtomicBool) -> Result<Outcome, DutError> {
        self.run_on(&|| Bench::of(&self.shape), progress, stop)
    }

    /// Runs the campaign on benches that `make` creates, one for each job.
    ///
    /// # Errors
    ///
    /// The errors of `make`.
    pub fn run_on(
        &self,
        make: &(dyn Fn() -> Result<Bench, DutError> + Sync),
        progress: &(dyn Fn(u64) + Sync),
        stop: &AtomicBool,
    ) -> Result<Outcome, DutError> {
        let mut outcome = self.search(make, progress, stop, None)?;
        if let Some(first) = outcome.failure.take() {
            outcome.failure = Some(self.best_witness(make, first, stop)?);
        }
        Ok(outcome)
    }

    /// Like [`Campaign::run_on`], but plays no blocks after a failing one. `logs` receives the logs up to that block.
    ///
    /// # Errors
    ///
    /// The errors of `make`.
    pub fn search(
        &self,
        make: &(dyn Fn() -> Result<Bench, DutError> + Sync),
        progress: &(dyn Fn(u64) + Sync),
        stop: &AtomicBool,
        logs: Option<&dyn Logs>,
    ) -> Result<Outcome, DutError> {
        let seeds = [self.seed];
        let share = Share { logs, ..Share::whole(&seeds) };
        self.search_share(&share, make, progress, stop)
    }

    /// The case of a block.
    pub fn case(&self, number: u64) -> Case {
        stimulus::block(self.isa, self.seed, number, &self.shape, self.operations(number)).case
    }

    /// The number of blocks of a seed.
    pub fn blocks(&self) -> u64 {
        match self.budget {
            Budget::Operations(count) => count.div_ceil(BLOCK),
            Budget::Time(_) => u64::MAX,
        }
    }

    /// The number of operations in a share, if the budget determines it.
    pub fn operations_of(&self, seeds: &[u64], shard: Shard) -> Option<u64> {
        let Budget::Operations(each) = self.budget else { return None };
        let blocks = self.blocks();
        let all = blocks.saturating_mul(seeds.len() as u64);
        let mine = shard.blocks(all);
        // The last block of each seed is short.
        let short = blocks.saturating_mul(BLOCK) - each;
        let last = (1..=seeds.len() as u64)
            .filter(|seed| (seed.saturating_mul(blocks) - 1) % shard.of() == shard.number() - 1);
        Some(mine.saturating_mul(BLOCK).saturating_sub(short * last.count() as u64))
    }

    /// The number of operations in a block.
    pub(super) fn operations(&self, number: u64) -> u64 {
        match self.budget {
            Budget::Operations(count) => count.saturating_sub(number * BLOCK).min(BLOCK),
            Budget::Time(_) => BLOCK,
        }
    }

    pub(super) fn bench(&self, make: &dyn Fn() -> Result<Bench, DutError>) -> Result<Bench, DutError> {
        let mut bench = make()?;
        bench.promise(self.promises);
        Ok(bench)
    }

    /// Chooses the failure to report. A single divergence may look like that of a related rule. So the blocks that
    /// follow are played as well, and the first failure that most of them agree with is reported. If the first one does
    /// not fail in a unit that has played nothing else, only those count that do. If there are none, or none of them fails
    /// in a unit that held something else before its reset, the first one is reported, and the reset is to blame.
    ///
    /// # Errors
    ///
    /// The errors of `make`.
    pub fn best_witness(
        &self,
        make: &dyn Fn() -> Result<Bench, DutError>,
        first: Failure,
        stop: &AtomicBool,
    ) -> Result<Failure, DutError> {
        let mut bench = self.bench(make)?;
        let of_unit = first.mismatch.field.site != Site::FrontEnd;
        let mut alone = if of_unit { bench.run(&first.case).err() } else { None };
        let of_seed = Campaign { seed: first.seed, ..*self };
        let after = first.block + 1..first.block + ASKED;
        let mut witnesses = Vec::new();
        let outlived = of_unit && alone.is_none();
        if !outlived {
            witnesses.push(first.clone());
        }
        for number in after {
            if witnesses.len() < WITNESSES && !stop.load(Ordering::Relaxed) {
                if outlived {
                    bench = self.bench(make)?;
                }
                witnesses.extend(run_block(&mut bench, &of_seed, number, BLOCK).err().map(|failure| *failure));
            }
        }
        if outlived {
            let Some(failure) = witnesses.first() else {
                let mut failure = first;
                outlived::blame_earlier(&mut failure.mismatch);
                return Ok(failure);
            };
            alone = Some(Box::new(failure.mismatch.clone()));
        }
        let may_be = |clause: Clause, m: &Mismatch| m.clause == clause || m.or.contains(&clause);
        let mismatches = || witnesses.iter().map(|witness| &witness.mismatch);
        let votes = |clause: Clause| mismatches().filter(|m| may_be(clause, m)).map(voice).sum::<u32>();
        let named = |clause: Clause| mismatches().filter(|m| m.clause == clause).count();
        let best = (0..witnesses.len()).max_by_key(|&place| {
            let Mismatch { clause, or, .. } = &witnesses[place].mismatch;
            (votes(*clause), named(*clause), or.is_empty(), Reverse(place))
        });
        if let Some(mut mismatch) = alone {
            let cases: Vec<&Case> = witnesses.iter().map(|witness| &witness.case).collect();
            if let Some(power_up) = outlived::hangs_on(&bench, &cases)? {
                outlived::blame(&mut mismatch, power_up);
                return Ok(Failure { mismatch: *mismatch, ..witnesses.swap_remove(0) });
            }
        }
        Ok(witnesses.swap_remove(best.unwrap_or(0)))
    }
}

/// How much a failure counts in the choice. The ports' own clauses of a value that is written back are what is left where
/// no rule tells why it is wrong.
fn voice(m: &Mismatch) -> u32 {
    let is_left = matches!(m.clause, Clause::PortWb | Clause::PortSpad);
    if is_left && m.field.site == Site::Wb && !m.field.signal.is_empty() { 1 } else { 2 }
}

pub(super) fn run_block(
    bench: &mut Bench,
    campaign: &Campaign,
    number: u64,
    operations: u64,
) -> Result<(Figures, Case), Box<Failure>> {
    let block = stimulus::block(campaign.isa, campaign.seed, number, &campaign.shape, operations);
    for forbidden in &block.forbidden {
        if let Some(mismatch) = misjudged(forbidden) {
            return Err(Box::new(Failure { seed: campaign.seed, block: number, case: block.case, mismatch }));
        }
        bench.coverage_mut().refused(forbidden.inst.isa().rule(), forbidden.clause, forbidden.which);
    }
    match bench.run(&block.case) {
        Ok(mut figures) => {
            figures.comparisons += block.forbidden.len() as u64;
            Ok((figures, block.case))
        }
        Err(mismatch) => {
            Err(Box::new(Failure { seed: campaign.seed, block: number, case: block.case, mismatch: *mismatch }))
        }
    }
}

fn misjudged(forbidden: &Forbidden) -> Option<Mismatch> {
    (forbidden.found != Some(forbidden.expected)).then(|| {
        let found = forbidden.found.map_or("accepted".to_owned(), |clause| format!("refused by {clause}"));
        Mismatch::new(forbidden.expected, None, Field::event(Site::FrontEnd, format!("judges `{}`", forbidden.inst)))
            .values(format!("refused by {}", forbidden.expected), found)
    })
}
