// SPDX-License-Identifier: MIT OR Apache-2.0
//! Many random cases, on every core, with one answer: the work is cut by block number, and what comes back does not
//! depend on who did which block.

use std::{
    cmp::Reverse,
    mem,
    num::NonZero,
    panic::{self, AssertUnwindSafe},
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use crate::{
    clause::Clause,
    dut::DutError,
    judge::{Field, Figures, Mismatch, Promises, Site, coverage::Coverage},
    op::Shape,
    sets::Isa,
};

use super::{
    bench::Bench,
    case::Case,
    ledger::Ledger,
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
    /// Its number.
    pub block: u64,
    /// What ran.
    pub case: Case,
    /// What went wrong.
    pub mismatch: Mismatch,
}

/// What a campaign found.
pub struct Outcome {
    /// All blocks that agreed; if one failed, those before it.
    pub figures: Figures,
    /// Of the same blocks.
    pub coverage: Coverage,
    /// How many they are.
    pub blocks: u64,
    /// What diverged, if anything did: the first failing block; of [`Campaign::run`] maybe one soon after it that shows
    /// the broken rule better.
    pub failure: Option<Failure>,
    /// Whether the budget was spent; without a failure, that nobody stopped it.
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
        let shape = self.shape;
        let next = AtomicU64::new(0);
        // Blocks from here on are of no interest: an earlier one failed, or the budget is spent.
        let end = AtomicU64::new(match self.budget {
            Budget::Operations(count) => count.div_ceil(BLOCK),
            Budget::Time(_) => u64::MAX,
        });
        let start = Instant::now();
        let blank = Coverage::new(&shape);
        let stopped = AtomicBool::new(false);
        let ledger = Mutex::new(Ledger::new(blank.clone(), logs));
        let ledger = || ledger.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let job = || -> Result<(), DutError> {
            let mut bench = self.bench(make)?;
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let spent = matches!(self.budget, Budget::Time(limit) if start.elapsed() >= limit && number > 0);
                if number >= end.load(Ordering::Relaxed) || spent {
                    return Ok(());
                }
                if stop.load(Ordering::Relaxed) {
                    stopped.store(true, Ordering::Relaxed);
                    return Ok(());
                }
                let record = |bench: &Bench, case: &Case| logs.map_or(Vec::new(), |logs| logs.record(bench, case));
                match run_block(&mut bench, self, number, self.operations(number)) {
                    Ok((figures, case)) => {
                        let log = record(&bench, &case);
                        let coverage = mem::replace(bench.coverage_mut(), blank.clone());
                        ledger().agreed(number, figures, coverage, log);
                        progress(figures.operations);
                    }
                    Err(failure) => {
                        end.fetch_min(number, Ordering::Relaxed);
                        let log = record(&bench, &failure.case);
                        ledger().failed(*failure, log);
                    }
                }
            }
        };
        let caught = || panic::catch_unwind(AssertUnwindSafe(job));
        let results: Vec<_> = thread::scope(|scope| {
            let jobs: Vec<_> = (1..self.jobs.get()).map(|_| scope.spawn(caught)).collect();
            let mine = caught();
            jobs.into_iter().map(|job| job.join().and_then(|result| result)).chain([mine]).collect()
        });
        // A failure that was found stands, whatever became of the other jobs.
        let failed = ledger().has_failed();
        for result in results {
            match result {
                _ if failed => {}
                Ok(result) => result?,
                Err(panic) => panic::resume_unwind(panic),
            }
        }
        let ledger = mem::replace(&mut *ledger(), Ledger::new(blank, None));
        Ok(ledger.close(!stopped.into_inner()))
    }

    /// What a block plays.
    pub fn case(&self, number: u64) -> Case {
        stimulus::block(self.isa, self.seed, number, &self.shape, self.operations(number)).case
    }

    /// Operations of a block.
    fn operations(&self, number: u64) -> u64 {
        match self.budget {
            Budget::Operations(count) => count.saturating_sub(number * BLOCK).min(BLOCK),
            Budget::Time(_) => BLOCK,
        }
    }

    fn bench(&self, make: &dyn Fn() -> Result<Bench, DutError>) -> Result<Bench, DutError> {
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
        let after = first.block + 1..first.block + ASKED;
        let mut witnesses = vec![first];
        for number in after {
            if witnesses.len() < WITNESSES && !stop.load(Ordering::Relaxed) {
                witnesses.extend(run_block(&mut bench, self, number, BLOCK).err().map(|failure| *failure));
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

fn run_block(
    bench: &mut Bench,
    campaign: &Campaign,
    number: u64,
    operations: u64,
) -> Result<(Figures, Case), Box<Failure>> {
    let block = stimulus::block(campaign.isa, campaign.seed, number, &campaign.shape, operations);
    for forbidden in &block.forbidden {
        if let Some(mismatch) = misjudged(forbidden) {
            return Err(Box::new(Failure { block: number, case: block.case, mismatch }));
        }
        bench.coverage_mut().refused(forbidden.inst.isa().rule(), forbidden.clause, forbidden.which);
    }
    match bench.run(&block.case) {
        Ok(mut figures) => {
            figures.comparisons += block.forbidden.len() as u64;
            Ok((figures, block.case))
        }
        Err(mismatch) => Err(Box::new(Failure { block: number, case: block.case, mismatch: *mismatch })),
    }
}

fn misjudged(forbidden: &Forbidden) -> Option<Mismatch> {
    (forbidden.found != Some(forbidden.expected)).then(|| {
        let found = forbidden.found.map_or("accepted".to_owned(), |clause| format!("refused by {clause}"));
        Mismatch::new(forbidden.expected, None, Field::event(Site::FrontEnd, format!("judges `{}`", forbidden.inst)))
            .values(format!("refused by {}", forbidden.expected), found)
    })
}
