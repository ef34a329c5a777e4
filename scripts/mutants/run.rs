// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs mutants of the RTL, which GPU_LSU_MUTANTS named when this was built, and says of each what the bench finds: a
//! line of JSON as soon as it is known. Part of scripts/mutate.

use std::{
    cell::{Cell, RefCell},
    io::{self, Write},
    num::NonZero,
    panic::{self, AssertUnwindSafe},
    process::ExitCode,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    thread,
};

use clap::Parser;
use gpu_lsu::{
    cosim::{
        Bench,
        campaign::{Budget, Campaign, Failure},
        stimulus::BLOCK,
    },
    dut::DutError,
    judge::Promises,
};
use serde::Serialize;

#[derive(Parser)]
struct Args {
    /// Operations that a mutant must survive.
    #[arg(long)]
    ops: u64,
    /// Of the operations.
    #[arg(long)]
    seed: u64,
    /// Mutants that run side by side.
    #[arg(long)]
    jobs: NonZero<usize>,
    /// Their numbers; 0 is the unit without a fault.
    mutants: Vec<u16>,
}

#[derive(Serialize)]
struct Verdict {
    mutant: u16,
    /// `survived`, `killed` or `panicked`.
    outcome: &'static str,
    clause: Option<&'static str>,
    /// Of the case in which it was found; of a survivor, how many there were.
    block: u64,
    says: String,
}

thread_local! {
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// The failure that `verify` reports, if there is one. `reached` is the block that is played.
fn find(mutant: u16, args: &Args, reached: &Cell<u64>) -> Result<Option<Failure>, DutError> {
    let make = || Bench::planted(mutant);
    let mut bench = make()?;
    let campaign = Campaign {
        isa: None,
        seed: args.seed,
        shape: bench.shape(),
        budget: Budget::Operations(args.ops),
        jobs: NonZero::<usize>::MIN,
        promises: Promises::default(),
    };
    for number in 0..campaign.blocks() {
        reached.set(number);
        let case = campaign.case(number);
        if let Err(mismatch) = bench.run(&case) {
            let first = Failure { seed: args.seed, block: number, case, mismatch: *mismatch };
            return campaign.best_witness(&make, first, &AtomicBool::new(false)).map(Some);
        }
    }
    Ok(None)
}

fn judge(mutant: u16, args: &Args) -> Result<Verdict, DutError> {
    let reached = Cell::new(0);
    let found = panic::catch_unwind(AssertUnwindSafe(|| find(mutant, args, &reached)));
    let (outcome, clause, says) = match found {
        Ok(Ok(Some(Failure { mismatch, .. }))) => ("killed", Some(mismatch.clause.id()), mismatch.to_string()),
        Ok(Ok(None)) => ("survived", None, String::new()),
        Ok(Err(error)) => return Err(error),
        Err(_) => ("panicked", None, PANIC.take()),
    };
    let block = if outcome == "survived" { args.ops.div_ceil(BLOCK) } else { reached.get() };
    Ok(Verdict { mutant, outcome, clause, block, says })
}

fn main() -> ExitCode {
    let args = Args::parse();
    panic::set_hook(Box::new(|info| PANIC.set(info.to_string())));
    let next = AtomicUsize::new(0);
    let job = || -> Result<(), DutError> {
        while let Some(&mutant) = args.mutants.get(next.fetch_add(1, Ordering::Relaxed)) {
            let verdict = judge(mutant, &args)?;
            let line = serde_json::to_string(&verdict).unwrap_or_default();
            // Nobody listens any more: there is nothing left to do.
            if writeln!(io::stdout(), "{line}").is_err() {
                break;
            }
        }
        Ok(())
    };
    let outcomes: Vec<_> = thread::scope(|scope| {
        let jobs: Vec<_> = (0..args.jobs.get()).map(|_| scope.spawn(job)).collect();
        jobs.into_iter().map(|job| job.join()).collect()
    });
    for outcome in outcomes {
        match outcome {
            Ok(Ok(())) => {}
            Ok(Err(error)) => {
                eprintln!("error: {error}");
                return ExitCode::from(2);
            }
            Err(_) => {
                eprintln!("error: {}", PANIC.take());
                return ExitCode::from(2);
            }
        }
    }
    ExitCode::SUCCESS
}
