// SPDX-License-Identifier: MIT OR Apache-2.0
//! `gpu-lsu verify`: a campaign of random operations, its coverage, and the smallest case if something diverges.

use std::{
    io::{self, BufWriter, IsTerminal, Write},
    num::NonZero,
    path::PathBuf,
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rand::RngExt;
use serde::Serialize;

use super::{Error, report, units};
use crate::{
    cosim::{
        Bench,
        campaign::{Budget, Campaign, Failure, Outcome},
        capsule::Capsule,
        coverage::Row,
        shrink, waves,
    },
    isa::Isa,
    output::Output,
};

const EXAMPLES: &str = "\
Examples:
  gpu-lsu verify
  gpu-lsu verify --isa r700 --ops 50_000_000 --seed 0x2a
  gpu-lsu verify --time 10m --lanes 8 --jobs 1
  gpu-lsu verify --isa sm5 --allowed-sets                 # any order of lanes is right
  GPU_LSU_RTL=my-unit/rtl cargo run --release -- verify   # another unit, same ports

Exit codes: 0 RTL and model agree, 1 they do not, 2 usage, 130 interrupted";

/// Random operations on RTL and model, every answer compared, every clause counted
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[group(skip)]
pub struct Args {
    /// The instruction set; without it, all of them, in turn and together
    #[arg(long)]
    isa: Option<Isa>,
    /// Operations to run; without `--time`, 1000000
    #[arg(long, value_name = "N", value_parser = units::operations, conflicts_with = "time")]
    ops: Option<u64>,
    /// How long to run instead, such as 90s or 10m
    #[arg(long, value_name = "T", value_parser = units::duration)]
    time: Option<Duration>,
    /// What everything random comes from; without it, a new one
    #[arg(long, value_name = "SEED", value_parser = units::seed)]
    seed: Option<u64>,
    /// Units that run side by side; without it, one for each core
    #[arg(long, value_name = "N")]
    jobs: Option<NonZero<usize>>,
    /// The unit's lanes
    #[arg(long, default_value = "32", value_parser = units::lanes())]
    lanes: usize,
    /// Where a failing case goes; its wave goes beside it
    #[arg(long, value_name = "FILE", default_value = "gpu-lsu.capsule")]
    capsule: PathBuf,
    /// For a unit that chooses otherwise than this one where Direct3D leaves a choice: the order of lanes, and the contents
    /// of what became undefined
    #[arg(long)]
    allowed_sets: bool,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Summary<'a> {
    seed: String,
    isa: &'a [Isa],
    lanes: usize,
    agrees: bool,
    operations: u64,
    cycles: u64,
    requests: u64,
    comparisons: u64,
    histories: u64,
    histories_unsettled: u64,
    seconds: f64,
    coverage: &'a [Row],
    #[serde(skip_serializing_if = "Option::is_none")]
    mismatch: Option<report::Json<'a>>,
}

pub fn run(args: &Args) -> Result<ExitCode, Error> {
    if !crate::dut::built().contains(&args.lanes) {
        return Err(crate::dut::DutError::NotBuilt { lanes: args.lanes }.into());
    }
    room_for(args)?;
    let seed = args.seed.unwrap_or_else(|| rand::rng().random());
    let jobs = args.jobs.or_else(|| std::thread::available_parallelism().ok()).unwrap_or(NonZero::<usize>::MIN);
    let budget = args.time.map_or(Budget::Operations(args.ops.unwrap_or(1_000_000)), Budget::Time);
    let (isa, lanes, allowed_sets) = (args.isa, args.lanes, args.allowed_sets);
    let campaign = Campaign { isa, seed, lanes, budget, jobs, allowed_sets };
    let stop = Arc::new(AtomicBool::new(false));
    let handler = Arc::clone(&stop);
    // Without a handler an interrupt ends the run without its figures: no reason to refuse to run.
    let _ = ctrlc::set_handler(move || {
        if handler.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });

    if !args.json {
        writeln!(io::stdout(), "seed {seed:#018x}, {} lanes", args.lanes)?;
    }
    let bar = progress(budget);
    let start = Instant::now();
    let outcome = campaign.run(&|operations| bar.inc(operations), &stop)?;
    let seconds = start.elapsed().as_secs_f64();
    bar.finish_and_clear();
    let interrupted = stop.load(Ordering::Relaxed);
    if interrupted && outcome.failure.is_none() && outcome.figures.comparisons == 0 {
        super::tell("interrupted before anything was compared\n");
        return Ok(ExitCode::from(130));
    }
    let code = tell(args, seed, &outcome, seconds)?;
    if interrupted && code == ExitCode::SUCCESS {
        super::tell("interrupted: the figures are those of what ran until then\n");
        return Ok(ExitCode::from(130));
    }
    Ok(code)
}

/// A failure that cannot be written is told before anything runs, not when there is one.
fn room_for(args: &Args) -> Result<(), Error> {
    if args.capsule.extension().is_some_and(|extension| extension == "vcd") {
        let what = "the capsule's wave would take its place: `--capsule` needs another extension than `.vcd`";
        return Err(Error::Usage(what.to_owned()));
    }
    Output::create(&args.capsule)
        .map(drop)
        .map_err(|error| Error::Output { name: args.capsule.display().to_string(), error })
}

fn tell(args: &Args, seed: u64, outcome: &Outcome, seconds: f64) -> Result<ExitCode, Error> {
    let figures = outcome.figures;
    let rows = outcome.coverage.rows(args.isa);
    let failed = match &outcome.failure {
        Some(failure) => Some(minimize(args, seed, failure)?),
        None => None,
    };
    let mut output = BufWriter::new(io::stdout().lock());
    if args.json {
        let summary = Summary {
            seed: format!("{seed:#x}"),
            isa: args.isa.as_ref().map_or(Isa::ALL, std::slice::from_ref),
            lanes: args.lanes,
            agrees: failed.is_none() && figures.comparisons > 0,
            operations: figures.operations,
            cycles: figures.cycles,
            requests: figures.requests,
            comparisons: figures.comparisons,
            histories: figures.histories,
            histories_unsettled: figures.histories_unsettled,
            seconds,
            coverage: &rows,
            mismatch: failed.as_ref().map(|capsule| report::json(&capsule.case, &capsule.mismatch)),
        };
        super::json_line(&mut output, &summary)?;
        output.flush()?;
    } else {
        match &failed {
            None => tables(&rows, &mut output)?,
            Some(capsule) => write!(output, "{}", report::paragraph(&capsule.case, &capsule.mismatch))?,
        }
        output.flush()?;
    }
    if let Some(capsule) = &failed {
        let wave = args.capsule.with_extension("vcd");
        let path = args.capsule.display();
        let count = match capsule.case.issues.len() {
            1 => "one operation".to_owned(),
            count => format!("{count} operations"),
        };
        super::tell(&format!(
            "\nshrunk to {count}: `{path}`, wave `{}`\n\nhint: replay it with `gpu-lsu replay {path} --vcd {}`\n",
            wave.display(),
            wave.display()
        ));
        if !args.json {
            writeln!(io::stdout(), "seed {seed:#018x}, block {}", capsule.block)?;
        }
        return Ok(ExitCode::FAILURE);
    }
    if figures.comparisons == 0 {
        super::tell("error: nothing was compared\n");
        return Ok(ExitCode::FAILURE);
    }
    if !args.json {
        writeln!(
            output,
            "\nRTL and model agree: {} operations, {} cycles, {} values compared",
            figures.operations, figures.cycles, figures.comparisons
        )?;
        if figures.histories_unsettled > 0 {
            let (count, all) = (figures.histories_unsettled, figures.histories_unsettled + figures.histories);
            writeln!(output, "not judged, for a history that is too long: {count} of {all} dwords (SM5-CAS)")?;
        }
        let rate = figures.operations as f64 / seconds;
        let cycles = figures.cycles as f64 / seconds;
        writeln!(output, "in {seconds:.1} s: {rate:.0} operations/s, {cycles:.0} cycles/s\nseed {seed:#018x}")?;
        output.flush()?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The smallest case that fails as this one does, written as capsule and wave.
fn minimize(args: &Args, seed: u64, failure: &Failure) -> Result<Capsule, Error> {
    let mut bench = Bench::new(args.lanes)?;
    bench.allow_sets(args.allowed_sets);
    let (case, mismatch) = shrink::shrink(&mut bench, failure.case.clone(), failure.mismatch.clone());
    let capsule = Capsule { seed, block: failure.block, case, mismatch, rtl: Some(crate::rtl::built()) };
    capsule.write(&args.capsule).map_err(|error| Error::Output { name: args.capsule.display().to_string(), error })?;
    // The front end's own errors run clean: what is in the wave is then what the unit does.
    let _ = waves::run(&mut bench, &capsule.case, &args.capsule.with_extension("vcd"))?;
    Ok(capsule)
}

fn progress(budget: Budget) -> ProgressBar {
    let bar = match budget {
        Budget::Operations(count) => ProgressBar::new(count),
        Budget::Time(_) => ProgressBar::no_length(),
    };
    let template = "{elapsed_precise} {wide_bar} {human_pos}/{human_len} operations, {per_sec}, {eta} left";
    let open = "{elapsed_precise} {spinner} {human_pos} operations, {per_sec}";
    let style = ProgressStyle::with_template(if bar.length().is_some() { template } else { open });
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    if !io::stderr().is_terminal() {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    bar
}

/// The coverage of each instruction set, and of all together.
fn tables(rows: &[Row], output: &mut impl Write) -> Result<(), Error> {
    for rows in rows.chunk_by(|one, next| one.isa == next.isa) {
        writeln!(output, "\n{}", rows[0].isa)?;
        table(rows, output)?;
    }
    let (hit, bins) = rows.iter().fold((0, 0), |(hit, bins), row| (hit + row.hit, bins + row.bins));
    let empty = rows.iter().filter(|row| !row.empty.is_empty()).count();
    writeln!(output, "\n{hit} of {bins} bins hit")?;
    if empty > 0 {
        writeln!(output, "clauses with bins that nothing hit: {empty}; run longer, or with another seed")?;
    }
    Ok(())
}

/// At most 80 columns.
fn table(rows: &[Row], output: &mut impl Write) -> Result<(), Error> {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_content_arrangement(ContentArrangement::Dynamic).set_width(80);
    table.set_header(["clause", "bins hit", "hits", "not hit"]);
    for row in rows {
        let mut empty = row.empty.iter().take(3).cloned().collect::<Vec<_>>().join("; ");
        if row.empty.len() > 3 {
            empty += &format!("; and {} more", row.empty.len() - 3);
        }
        table.add_row([row.clause.clone(), format!("{}/{}", row.hit, row.bins), row.hits.to_string(), empty]);
    }
    for column in [1, 2] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    writeln!(output, "{}", table.trim_fmt())?;
    Ok(())
}
