// SPDX-License-Identifier: MIT OR Apache-2.0
//! Many random cases, on every core, with one answer: the work is cut by block number, and what comes back does not
//! depend on who did which block.

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
    stimulus::{self, BLOCK, Forbidden},
};

/// Blocks that are asked for the name of a failure, and failures that are enough to name it.
const ASKED: u64 = 48;
const WITNESSES: usize = 9;

/// When a campaign ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// After this many operations.
    Operations(u64),
    /// After this long; how much that is depends on the machine.
    Time(Duration),
}

/// What to run.
#[derive(Clone, Copy, Debug)]
pub struct Campaign {
    /// The instruction set; `None` is all of them, in turn and together.
    pub isa: Option<Isa>,
    /// Everything random comes from it.
    pub seed: u64,
    /// The parameters of the unit.
    pub shape: Shape,
    /// When to end.
    pub budget: Budget,
    /// Units that run side by side.
    pub jobs: NonZero<usize>,
    /// What the units promise ([`Bench::promise`]).
    pub promises: Promises,
}

/// Where the logs of a campaign's blocks go.
pub trait Logs: Sync {
    /// What a bench has just played, written down; on any thread.
    fn record(&self, bench: &Bench, case: &Case) -> Vec<u8>;

    /// The same, block by block in their order.
    fn write(&self, log: &[u8]);
}

/// A block that diverged.
#[derive(Clone)]
pub struct Failure {
    /// The seed.
    pub seed: u64,
    /// Its number among the seed's.
    pub block: u64,
    /// What ran.
    pub case: Case,
    /// What went wrong.
    pub mismatch: Mismatch,
}

/// What of a campaign is run, and what besides figures is wanted of it.
#[derive(Clone, Copy)]
pub struct Share<'a> {
    /// Each runs with the whole budget; if there are several, instead of the campaign's own.
    pub seeds: &'a [u64],
    /// Which of their blocks, that of one seed after another, are run here.
    pub shard: Shard,
    /// Blocks that fail until that is enough.
    pub failures: NonZero<u64>,
    /// Hears of a block that failed as soon as it has; on any thread, in any order.
    pub heard: Option<&'a (dyn Fn(&Failure) + Sync)>,
    /// Where logs go.
    pub logs: Option<&'a dyn Logs>,
    /// Whether lines of the RTL are counted: then each block has a bench of its own, so that what was played before does
    /// not show.
    pub lines: bool,
}

impl<'a> Share<'a> {
    /// All, until the first failure.
    pub fn whole(seeds: &'a [u64]) -> Self {
        Share { seeds, shard: Shard::WHOLE, failures: NonZero::<u64>::MIN, heard: None, logs: None, lines: false }
    }
}

/// What a campaign found.
pub struct Outcome {
    /// All blocks that agreed; if enough failed, those before the last of these.
    pub figures: Figures,
    /// Of the same blocks.
    pub coverage: Coverage,
    /// How many they are.
    pub blocks: u64,
    /// Where the last of them is.
    pub last: Option<Place>,
    /// What diverged, if anything did: the first failing block; of [`Campaign::run`] maybe one soon after it that shows
    /// the broken rule better.
    pub failure: Option<Failure>,
    /// Everything that diverged, by cause; each with its first failing block.
    pub groups: Vec<(Group, Failure)>,
    /// How often lines of the RTL ran in the blocks that agreed, if they are counted.
    pub lines: Option<Lines>,
    /// Bins that each seed hit, if there are several.
    pub seeds: Vec<Bits>,
    /// Blocks that count here, by their places in the shard: from, to, both among them.
    pub ran: Vec<(u64, u64)>,
    /// Whether as many blocks failed as were asked for.
    pub enough: bool,
    /// Whether the budget was spent; without enough failures, that nobody stopped it.
    pub finished: bool,
}

impl Campaign {
    /// Runs it. `progress` hears of finished operations; `stop` ends it early.
    ///
    /// # Errors
    ///
    /// When this build does not hold the unit.
    pub fn run(&self, progress: &(dyn Fn(u64) + Sync), stop: &AtomicBool) -> Result<Outcome, DutError> {
        self.run_on(&|| Bench::of(&self.shape), progress, stop)
    }

    /// Runs it on benches that `make` makes, one for each job.
    ///
    /// # Errors
    ///
    /// What `make` says.
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

    /// The same without a look at the blocks after a failing one; `logs` gets the logs of those up to it.
    ///
    /// # Errors
    ///
    /// What `make` says.
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

    /// What a block plays.
    pub fn case(&self, number: u64) -> Case {
        stimulus::block(self.isa, self.seed, number, &self.shape, self.operations(number)).case
    }

    /// Blocks of a seed.
    pub fn blocks(&self) -> u64 {
        match self.budget {
            Budget::Operations(count) => count.div_ceil(BLOCK),
            Budget::Time(_) => u64::MAX,
        }
    }

    /// Operations of a share, as far as they are known before.
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

    /// Operations of a block.
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

    /// The failure to report. One divergence alone may look like a neighbouring rule's: the blocks after it are asked as
    /// well, and the first of those that the most agree with is taken.
    ///
    /// # Errors
    ///
    /// What `make` says.
    pub fn best_witness(
        &self,
        make: &dyn Fn() -> Result<Bench, DutError>,
        first: Failure,
        stop: &AtomicBool,
    ) -> Result<Failure, DutError> {
        let mut bench = self.bench(make)?;
        if first.mismatch.field.site != Site::FrontEnd && bench.run(&first.case).is_ok() {
            return Ok(first.outlived());
        }
        let of_seed = Campaign { seed: first.seed, ..*self };
        let after = first.block + 1..first.block + ASKED;
        let mut witnesses = vec![first];
        for number in after {
            if witnesses.len() < WITNESSES && !stop.load(Ordering::Relaxed) {
                witnesses.extend(run_block(&mut bench, &of_seed, number, BLOCK).err().map(|failure| *failure));
            }
        }
        let may_be = |clause: Clause, m: &Mismatch| m.clause == clause || m.or.contains(&clause);
        let votes = |clause: Clause| witnesses.iter().filter(|witness| may_be(clause, &witness.mismatch)).count();
        let best = (0..witnesses.len()).max_by_key(|&place| {
            let Mismatch { clause, or, .. } = &witnesses[place].mismatch;
            (votes(*clause), or.is_empty(), Reverse(place))
        });
        Ok(witnesses.swap_remove(best.unwrap_or(0)))
    }
}

impl Failure {
    /// A unit that has played nothing else agrees on the same case: what earlier ones left has outlived reset.
    fn outlived(mut self) -> Self {
        let Mismatch { clause, or, actual, .. } = &mut self.mismatch;
        if *clause != Clause::PortReset {
            or.retain(|&other| other != Clause::PortReset);
            or.insert(0, std::mem::replace(clause, Clause::PortReset));
        }
        actual.push_str("; a unit that has played nothing else agrees: something of earlier blocks outlived reset");
        self
    }
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
