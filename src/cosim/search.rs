// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs a share of a campaign on every core: each job takes the next block, and the ledger merges the results.

use std::{
    mem,
    panic::{self, AssertUnwindSafe},
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::Instant,
};

use super::{
    bench::Bench,
    campaign::{Budget, Campaign, Outcome, Share, run_block},
    case::Case,
    ledger::{Ledger, Ran},
};
use crate::{dut::DutError, judge::coverage::Coverage, regress::Place};

impl Campaign {
    /// Runs the blocks of a share on benches that `make` creates, one for each job. `progress` receives the numbers of
    /// finished operations; setting `stop` ends the run early.
    ///
    /// # Errors
    ///
    /// The errors of `make`, and of reading the line counts.
    pub fn search_share(
        &self,
        share: &Share<'_>,
        make: &(dyn Fn() -> Result<Bench, DutError> + Sync),
        progress: &(dyn Fn(u64) + Sync),
        stop: &AtomicBool,
    ) -> Result<Outcome, DutError> {
        let next = AtomicU64::new(0);
        let total = self.blocks().saturating_mul(share.seeds.len() as u64);
        // Blocks from here on do not matter: enough blocks before them failed, or there are no more.
        let end = AtomicU64::new(share.shard.blocks(total));
        let start = Instant::now();
        let blank = Coverage::new(&self.shape);
        let stopped = AtomicBool::new(false);
        let ledger = Mutex::new(Ledger::new(blank.clone(), *share));
        let ledger = || ledger.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let job = || -> Result<(), DutError> {
            let mut bench = self.bench(make)?;
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let spent = matches!(self.budget, Budget::Time(limit) if start.elapsed() >= limit && index > 0);
                if index >= end.load(Ordering::Relaxed) || spent {
                    return Ok(());
                }
                if stop.load(Ordering::Relaxed) {
                    stopped.store(true, Ordering::Relaxed);
                    return Ok(());
                }
                let Some((place, seed)) = self.place(share, index) else { return Ok(()) };
                let of_seed = Campaign { seed: place.seed, ..*self };
                let record =
                    |bench: &Bench, case: &Case| share.logs.map_or(Vec::new(), |logs| logs.record(bench, case));
                let played = run_block(&mut bench, &of_seed, place.block, self.operations(place.block));
                let (result, log, operations) = match played {
                    Ok((figures, case)) => {
                        let log = record(&bench, &case);
                        let coverage = mem::replace(bench.coverage_mut(), blank.clone());
                        let lines = share.lines.then(|| bench.lines()).transpose();
                        let lines = lines.map_err(|error| DutError::Lines(error.to_string()))?;
                        (Ok((figures, coverage, lines)), log, figures.operations)
                    }
                    Err(failure) => {
                        share.heard.iter().for_each(|heard| heard(&failure));
                        let log = record(&bench, &failure.case);
                        // The coverage of a failing block does not count.
                        *bench.coverage_mut() = blank.clone();
                        (Err(failure), log, 0)
                    }
                };
                if share.lines {
                    bench = self.bench(make)?;
                }
                end.fetch_min(ledger().take(index, Ran { place, seed, result, log }), Ordering::Relaxed);
                if operations > 0 {
                    progress(operations);
                }
            }
        };
        let caught = || panic::catch_unwind(AssertUnwindSafe(job));
        let results: Vec<_> = thread::scope(|scope| {
            let jobs: Vec<_> = (1..self.jobs.get()).map(|_| scope.spawn(caught)).collect();
            let mine = caught();
            jobs.into_iter().map(|job| job.join().and_then(|result| result)).chain([mine]).collect()
        });
        // Failures that were found are reported, whatever became of the other jobs.
        let failed = ledger().has_enough();
        for result in results {
            match result {
                _ if failed => {}
                Ok(result) => result?,
                Err(panic) => panic::resume_unwind(panic),
            }
        }
        let ledger = mem::replace(&mut *ledger(), Ledger::new(blank, *share));
        Ok(ledger.close(!stopped.into_inner()))
    }

    /// The `index`-th block of a share, and the index of its seed.
    fn place(&self, share: &Share<'_>, index: u64) -> Option<(Place, usize)> {
        let number = share.shard.block(index)?;
        let which = (number / self.blocks()) as usize;
        let seed = *share.seeds.get(which)?;
        Some((Place { seed, block: number % self.blocks() }, which))
    }
}
