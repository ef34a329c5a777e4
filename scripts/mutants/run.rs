// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs mutants of the RTL, which GPU_LSU_MUTANTS named when this was built, and says of each what the bench finds: a
//! line of JSON as soon as it is known. Part of scripts/mutate.

use std::{
    cell::RefCell,
    io::{self, Write},
    num::NonZero,
    panic::{self, AssertUnwindSafe},
    process::ExitCode,
    sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    thread,
};

use clap::Parser;
use gpu_lsu::{
    cosim::{
        Bench,
        campaign::{Budget, Campaign},
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
    /// How many agreed.
    block: u64,
    says: String,
}

thread_local! {
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

fn judge(mutant: u16, args: &Args) -> Result<Verdict, DutError> {
    let agreed = AtomicU64::new(0);
    let run = || {
        let campaign = Campaign {
            isa: None,
            seed: args.seed,
            shape: Bench::planted(mutant)?.shape(),
            budget: Budget::Operations(args.ops),
            jobs: NonZero::<usize>::MIN,
            promises: Promises::default(),
        };
        let progress = |operations| {
            agreed.fetch_add(operations, Ordering::Relaxed);
        };
        campaign.run_on(&|| Bench::planted(mutant), &progress, &AtomicBool::new(false))
    };
    let (outcome, clause, says) = match panic::catch_unwind(AssertUnwindSafe(run)) {
        Ok(outcome) => match outcome?.failure {
            Some(failure) => ("killed", Some(failure.mismatch.clause.id()), failure.mismatch.to_string()),
            None => ("survived", None, String::new()),
        },
        Err(_) => ("panicked", None, PANIC.take()),
    };
    Ok(Verdict { mutant, outcome, clause, block: agreed.into_inner().div_ceil(BLOCK), says })
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
