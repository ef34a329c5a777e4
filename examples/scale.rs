// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a campaign of any size costs besides its operations: results of as many shards as you like are merged, and a farm of as
//! many cores is played through (docs/scale.md).
//!
//!     gpu-lsu verify --ops 100k --seed 7 --result one.result.json
//!     cargo run --release --no-default-features --example scale -- one.result.json
//!
//! The merge is real: the one result is written as that of every shard, and read and added up as `gpu-lsu merge` does it.
//! The farm is a simulation of discrete events, and says the same for the same seed.

use std::{cmp::Reverse, collections::BinaryHeap, error::Error, fs, path::PathBuf, time::Instant};

use clap::Parser;
use comfy_table::{CellAlignment, Table, presets};
use gpu_lsu::regress::{ENDING, Ended, Head, Merge, Part, Parts, Results, Selection};
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

type Result<T, E = Box<dyn Error>> = std::result::Result<T, E>;

/// Shards that a campaign is cut into, at most: `verify --shard` refuses more.
const MOST_SHARDS: u64 = 1_000_000;
/// Jobs that Slurm knows at once, if nobody tells it otherwise (MaxJobCount).
const MOST_JOBS: u64 = 10_000;
/// Files in a folder with which most file systems list and look up at ease.
const MOST_FILES: u64 = 1_000_000;
/// Files that a shard leaves in the folder of a farm: result, out, err, exit.
const FILES: u64 = 4;

/// What shards cost besides their operations, measured for the merge and played for the farm
#[derive(Parser)]
struct Args {
    /// A result of one shard, or of a campaign in one piece: the pattern of all
    result: PathBuf,
    /// Results that are merged
    #[arg(long, default_value_t = 10_000)]
    results: u64,
    /// Leave them in this folder, for `gpu-lsu merge DIR`
    #[arg(long, value_name = "DIR")]
    write: Option<PathBuf>,
    /// Operations of the campaign that is played
    #[arg(long, default_value_t = 1e12)]
    operations: f64,
    /// Cores of the farm
    #[arg(long, default_value_t = 10_000)]
    cores: u64,
    /// Operations a second on a core
    #[arg(long, default_value_t = 15_000.0)]
    rate: f64,
    /// Cores are slower or faster than that by up to this share, all alike
    #[arg(long, default_value_t = 0.2)]
    spread: f64,
    /// Seconds between an element's start and its first operation
    #[arg(long, default_value_t = 2.0)]
    begin: f64,
    /// Elements that the scheduler starts a second
    #[arg(long, default_value_t = 100.0)]
    starts: f64,
    /// Hours after which a core loses what it runs, on average
    #[arg(long, default_value_t = 1000.0)]
    hours: f64,
    /// Seconds until the farm sees that an element is gone, and submits it again
    #[arg(long, default_value_t = 45.0)]
    look: f64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

// The merge
// ---------

/// The result as that of a shard: what its file would say.
fn as_shard(result: &Results, shard: u64, of: u64) -> String {
    let mut result = result.clone();
    let ran = result.shards.parts.first().map_or(Vec::new(), |part| part.ran.clone());
    result.shards = Parts { of, parts: vec![Part { shard, ran, ended: Ended::Complete, digest: None }] };
    result.to_text()
}

/// One result of files, as `gpu-lsu merge` makes it.
fn merged(files: &[PathBuf]) -> Result<Results> {
    let heads = files.iter().map(|file| Ok(Head::read(&fs::read(file)?)?)).collect::<Result<Vec<_>>>()?;
    let selection = Selection::of(&heads).map_err(|error| format!("{error:?}"))?;
    let mut merge = Merge::new();
    for &file in &selection.taken {
        let (results, head) = Results::read(&fs::read(&files[file])?)?;
        merge.add(results, &head);
    }
    Ok(merge.finish().ok_or("nothing was merged")?)
}

fn seconds<T>(work: impl FnOnce() -> Result<T>) -> Result<(T, f64)> {
    let start = Instant::now();
    let done = work()?;
    Ok((done, start.elapsed().as_secs_f64()))
}

/// The most memory that this process has had, in bytes; none where nobody says it.
fn memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}

/// What merging costs.
struct Cost {
    /// Seconds for a result, in one merge of all.
    flat: f64,
    /// Seconds for a result in a merge of merged ones, for each shard that these hold.
    top: f64,
    /// Bytes for a result in one merge of all.
    memory: f64,
}

/// How many results a merge takes that others merge again.
fn branches(shards: u64) -> u64 {
    (shards as f64).sqrt().ceil() as u64
}

fn measure(args: &Args) -> Result<Cost> {
    let (pattern, _) = Results::read(&fs::read(&args.result)?)?;
    if !pattern.groups.is_empty() || pattern.shards.parts.len() != 1 {
        return Err("the pattern is to be one shard without failures".into());
    }
    let folder = tempfile::tempdir()?;
    let dir = args.write.as_deref().unwrap_or(folder.path());
    fs::create_dir_all(dir)?;
    let name = |number: u64| dir.join(format!("shard-{number:07}{ENDING}"));
    let files: Vec<PathBuf> = (1..=args.results).map(name).collect();
    let mut bytes = 0;
    for (file, shard) in files.iter().zip(1..) {
        let text = as_shard(&pattern, shard, args.results);
        bytes += text.len();
        fs::write(file, text)?;
    }
    let before = memory();
    let (whole, flat) = seconds(|| merged(&files))?;
    let grown = memory().zip(before).map_or(0, |(after, before)| after - before);

    let leaves = folder.path().join("leaves");
    fs::create_dir(&leaves)?;
    let (mut roots, mut slowest) = (Vec::new(), 0.0_f64);
    for (number, group) in files.chunks(branches(args.results) as usize).enumerate() {
        let file = leaves.join(format!("{number}{ENDING}"));
        let ((), took) = seconds(|| Ok(fs::write(&file, merged(group)?.to_text())?))?;
        slowest = slowest.max(took);
        roots.push(file);
    }
    let (tree, top) = seconds(|| merged(&roots))?;
    let text = |results: &Results| Results { seconds: 0.0, ..results.clone() }.to_text();
    if text(&tree) != text(&whole) {
        return Err("a tree of merges and one merge of all say different things".into());
    }
    let count = args.results as f64;
    println!("Merging {count} results of {} bytes each, on this machine:", bytes / files.len());
    println!("  one merge of all   {flat:8.2} s, {:.0} results/s, {:.1} MB", count / flat, mega(grown as f64));
    println!(
        "  a tree of two steps{:8.2} s: the slowest of {} at once {slowest:.2} s, the last {top:.2} s",
        slowest + top,
        roots.len()
    );
    Ok(Cost { flat: flat / count, top: top / count, memory: grown as f64 / count })
}

fn mega(bytes: f64) -> f64 {
    bytes / 1e6
}

// The farm
// --------

/// A time in seconds, that can be put in order.
#[derive(Clone, Copy)]
struct Time(f64);

impl PartialEq for Time {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Time {}

impl PartialOrd for Time {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Time {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// What a farm is made of; times in seconds.
#[derive(Clone, Copy)]
struct Farm {
    cores: u64,
    /// Operations a second.
    rate: f64,
    spread: f64,
    begin: f64,
    /// Between two starts.
    between: f64,
    /// Until a core loses what it runs, on average.
    between_deaths: f64,
    look: f64,
}

/// What came of it.
#[derive(Debug)]
struct Played {
    /// Until the last result is there.
    seconds: f64,
    /// Elements that died.
    died: u64,
    /// Core seconds that went into them.
    lost: f64,
}

impl Farm {
    /// Has every shard run on the core that is free first, until it has come to its end.
    fn play(&self, shards: u64, operations: f64, random: &mut impl Rng) -> Played {
        let unit = |random: &mut dyn Rng| (random.random::<u64>() >> 11) as f64 / (1_u64 << 53) as f64;
        let rates: Vec<f64> =
            (0..self.cores).map(|_| self.rate * (1.0 + self.spread * (2.0 * unit(random) - 1.0))).collect();
        let mut free: BinaryHeap<_> = (0..self.cores as usize).map(|core| Reverse((Time(0.0), core))).collect();
        // When an element may start; the first time all may.
        let mut waiting: BinaryHeap<_> = (0..shards).map(|_| Reverse(Time(0.0))).collect();
        let mut played = Played { seconds: 0.0, died: 0, lost: 0.0 };
        let mut slot = 0.0_f64;
        while let Some(Reverse(Time(from))) = waiting.pop() {
            let Some(Reverse((Time(at), core))) = free.pop() else { break };
            let start = from.max(at).max(slot);
            slot = start + self.between;
            let long = self.begin + operations / shards as f64 / rates[core];
            let life = -self.between_deaths * (1.0 - unit(random)).ln();
            let end = start + long.min(life);
            if life < long {
                played.died += 1;
                played.lost += life;
                waiting.push(Reverse(Time(end + self.look)));
            } else {
                played.seconds = played.seconds.max(end);
            }
            free.push(Reverse((Time(end), core)));
        }
        played
    }
}

/// What does not bear so many shards as it is.
fn breaks(shards: u64) -> &'static str {
    match shards {
        _ if shards > MOST_SHARDS => "--shard",
        _ if shards * FILES > MOST_FILES => "folder",
        _ if shards > MOST_JOBS => "MaxJobCount",
        _ => "",
    }
}

fn table(args: &Args, cost: &Cost) -> Table {
    let farm = Farm {
        cores: args.cores,
        rate: args.rate,
        spread: args.spread,
        begin: args.begin,
        between: 1.0 / args.starts,
        between_deaths: args.hours * 3600.0,
        look: args.look,
    };
    let ideal = args.operations / (args.cores as f64 * args.rate);
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header([
        "shards", "a core", "s each", "run s", "of best", "died", "lost", "merge s", "tree", "MB", "breaks",
    ]);
    for each in [0.1, 0.3, 1.0, 2.0, 4.0, 10.0, 30.0, 100.0] {
        let shards = (args.cores as f64 * each) as u64;
        if shards == 0 {
            continue;
        }
        let mut random = Xoshiro256PlusPlus::seed_from_u64(args.seed);
        let Played { seconds, died, lost } = farm.play(shards, args.operations, &mut random);
        let branches = branches(shards) as f64;
        table.add_row([
            shards.to_string(),
            format!("{each}"),
            format!("{:.0}", args.operations / shards as f64 / args.rate),
            format!("{seconds:.0}"),
            format!("{:.0} %", 100.0 * ideal / seconds),
            died.to_string(),
            format!("{:.1} %", 100.0 * lost / (ideal * args.cores as f64)),
            format!("{:.1}", cost.flat * shards as f64),
            format!("{:.1}", cost.flat * branches + cost.top * shards as f64),
            format!("{:.0}", mega(cost.memory * shards as f64)),
            breaks(shards).to_owned(),
        ]);
    }
    let columns = table.column_iter_mut();
    columns.take(10).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    table
}

fn main() -> Result<()> {
    let args = Args::parse();
    let cost = measure(&args)?;
    println!(
        "\nA farm of {} cores for {:.0e} operations, {:.0} s at best; seed {}:\n",
        args.cores,
        args.operations,
        args.operations / (args.cores as f64 * args.rate),
        args.seed
    );
    println!("{}", table(&args, &cost).trim_fmt());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FARM: Farm = Farm {
        cores: 10,
        rate: 1000.0,
        spread: 0.0,
        begin: 0.0,
        between: 0.0,
        between_deaths: f64::INFINITY,
        look: 5.0,
    };

    fn played(farm: Farm, shards: u64) -> Played {
        farm.play(shards, 1e6, &mut Xoshiro256PlusPlus::seed_from_u64(3))
    }

    fn near(seconds: f64, wanted: f64) -> bool {
        (seconds - wanted).abs() < 1e-6 * wanted
    }

    #[test]
    fn cores_that_are_alike_run_in_rounds() {
        for (shards, wanted) in [(1, 1000.0), (5, 200.0), (10, 100.0), (11, 2000.0 / 11.0), (1000, 100.0)] {
            let Played { seconds, died, lost } = played(FARM, shards);
            assert!(near(seconds, wanted) && died == 0 && lost == 0.0, "{shards}: {seconds}");
        }
    }

    #[test]
    fn beginnings_add_up_and_starts_follow_each_other() {
        assert!(near(played(Farm { begin: 7.0, ..FARM }, 20).seconds, 114.0));
        // The last of ten starts nine steps late.
        assert!(near(played(Farm { between: 2.0, ..FARM }, 10).seconds, 118.0));
    }

    #[test]
    fn what_dies_costs_time_and_nothing_else() {
        let farm = Farm { between_deaths: 200.0, ..FARM };
        let Played { seconds, died, lost } = played(farm, 100);
        assert!(died > 0 && lost > 0.0);
        // All work, and what was lost, and what was waited for, was done by ten cores.
        assert!(seconds >= (1000.0 + lost) / 10.0 - 1e-6, "{seconds} {lost}");
        assert!(seconds <= 1000.0 + lost + farm.look * died as f64, "{seconds} {lost}");
    }

    #[test]
    fn a_spread_helps_nobody_that_has_one_shard_for_each_core() {
        let farm = Farm { spread: 0.5, ..FARM };
        let [one, many] = [10, 1000].map(|shards| played(farm, shards).seconds);
        assert!(one > many && many > 90.0, "{one} {many}");
    }
}
