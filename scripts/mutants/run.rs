// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs mutants of the RTL, which GPU_LSU_MUTANTS named when this was built, and says of each what the bench finds: a
//! line of JSON as soon as it is known. Part of scripts/mutate.

use std::{
    cell::RefCell,
    io::{self, Write},
    num::NonZero,
    panic::{self, AssertUnwindSafe},
    process::ExitCode,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use clap::Parser;
use gpu_lsu::{
    clause::Clause,
    cosim::{
        Bench,
        stimulus::{self, BLOCK},
    },
    dut::DutError,
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

fn judge(mutant: u16, args: &Args) -> Result<Verdict, DutError> {
    let mut bench = Bench::planted(mutant)?;
    let shape = bench.shape();
    let blocks = args.ops.div_ceil(BLOCK);
    for number in 0..blocks {
        let operations = (args.ops - number * BLOCK).min(BLOCK);
        let case = stimulus::block(None, args.seed, number, &shape, operations).case;
        let (outcome, clause, says): (_, Option<Clause>, _) =
            match panic::catch_unwind(AssertUnwindSafe(|| bench.run(&case))) {
                Ok(Ok(_)) => continue,
                Ok(Err(mismatch)) => ("killed", Some(mismatch.clause), mismatch.to_string()),
                Err(_) => ("panicked", None, PANIC.take()),
            };
        return Ok(Verdict { mutant, outcome, clause: clause.map(|clause| clause.id()), block: number, says });
    }
    Ok(Verdict { mutant, outcome: "survived", clause: None, block: blocks, says: String::new() })
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
