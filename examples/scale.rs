// SPDX-License-Identifier: MIT OR Apache-2.0
//! The cost of a campaign of any size besides its operations: merges the results of any number of shards, in one piece
//! and as a tree, and simulates a farm of any number of cores (docs/scale.md).
//!
//!     gpu-lsu verify --ops 100k --seed 7 --result one.result.json
//!     cargo run --release --no-default-features --example scale -- one.result.json
//!
//! The merge is real: the one result is written as that of every shard, then read and added up as `gpu-lsu merge` does
//! it, each merge in a process of its own. The farm is a discrete-event simulation, which gives the same for the same
//! seed.

use std::{
    cmp::Reverse,
    collections::BinaryHeap,
    env,
    error::Error,
    f64::consts::TAU,
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Instant,
};

use clap::Parser;
use comfy_table::{CellAlignment, Table, presets};
use gpu_lsu::regress::{ENDING, Ended, Head, Merge, Part, Parts, Results, Selection};
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

type Result<T, E = Box<dyn Error>> = std::result::Result<T, E>;

/// What shards cost besides their operations, measured for the merge and played for the farm
#[derive(Parser)]
struct Args {
    /// A result of one shard, or of a campaign in one piece: the pattern of all
    result: PathBuf,
    /// Results that are merged
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=MOST_SHARDS))]
    results: u64,
    /// Files that a merge of the tree takes
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(2..))]
    fan_in: u64,
    /// Leave the results in this folder, under the names that they have in a farm's
    #[arg(long, value_name = "DIR")]
    write: Option<PathBuf>,
    /// Operations of the campaign that is played
    #[arg(long, default_value_t = 1e12)]
    operations: f64,
    /// Cores of the farm
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    cores: u64,
    /// Operations a second on a core, in the middle
    #[arg(long, default_value_t = 20_000.0)]
    rate: f64,
    /// How cores differ: standard deviation of the logarithm of their rates, which is normal
    #[arg(long, default_value_t = 0.1)]
    spread: f64,
    /// Seconds between an element's start and its first operation
    #[arg(long, default_value_t = 2.0)]
    begin: f64,
    /// Elements that the scheduler starts a second
    #[arg(long, default_value_t = 100.0)]
    starts: f64,
    /// Elements that are killed in an hour of a core
    #[arg(long, default_value_t = 0.001)]
    kills: f64,
    /// Seconds for which the controller keeps what has ended among its jobs (MinJobAge)
    #[arg(long, default_value_t = 300.0)]
    kept: f64,
    /// Microseconds that a look costs for each element in the queue
    #[arg(long, default_value_t = 1.5)]
    queued: f64,
    /// Milliseconds that opening a file of the folder costs
    #[arg(long, default_value_t = 0.5)]
    open: f64,
    /// Of the simulation
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Merge the files that the input names, one a line, into this one, and say what it cost
    #[arg(long, value_name = "FILE", hide = true)]
    merge: Option<PathBuf>,
}

// The merge
// ---------

/// The cost of a merge, measured or estimated.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Spent {
    /// Of processor time.
    seconds: f64,
    /// The peak memory of the process, in bytes.
    memory: f64,
}

/// The text of the result as if it were that of one shard.
fn as_shard(result: &Results, shard: u64, of: u64) -> String {
    let ran = result.shards.parts[0].ran.clone();
    let parts = vec![Part { shard, ran, ended: Ended::Complete, digest: None }];
    Results { shards: Parts { of, parts }, ..result.clone() }.to_text()
}

/// Merges files into one result, as `gpu-lsu merge` does.
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

/// The peak memory of this process so far, in bytes; 0 where the system does not say it.
fn memory() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<f64>().ok());
    kibibytes.map_or(0.0, |number| number * 1024.0)
}

/// The processor time of this process so far, in seconds, whoever else used the machine; `None` where the system does
/// not say it.
fn processor() -> Option<f64> {
    let text = fs::read_to_string("/proc/self/schedstat").ok()?;
    Some(text.split(' ').next()?.parse::<f64>().ok()? / 1e9)
}

/// The work of the child process.
fn merge_input(out: &Path) -> Result<()> {
    let files: Vec<PathBuf> = io::stdin().lines().map(|line| Ok(line?.into())).collect::<Result<_>>()?;
    let start = Instant::now();
    fs::write(out, merged(&files)?.to_text())?;
    println!("{} {}", processor().unwrap_or(start.elapsed().as_secs_f64()), memory());
    Ok(())
}

/// Merges in a process of its own, so that its memory is its own.
fn child(pattern: &Path, files: &[PathBuf], out: &Path) -> Result<Spent> {
    let mut command = Command::new(env::current_exe()?);
    command.arg(pattern).arg("--merge").arg(out).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn()?;
    let mut input = child.stdin.take().ok_or("a child without input")?;
    files.iter().try_for_each(|file| writeln!(input, "{}", file.display()))?;
    drop(input);
    let ran = child.wait_with_output()?;
    let said = String::from_utf8(ran.stdout)?;
    let (seconds, memory) = said.trim().split_once(' ').ok_or("a merge failed")?;
    Ok(Spent { seconds: seconds.parse()?, memory: memory.parse()? })
}

/// The cost of merging: of a file, of a shard in a file of several, and of a merge of nothing.
#[derive(Clone, Copy, Debug)]
struct Cost {
    file: Spent,
    shard: Spent,
    nothing: f64,
}

impl Cost {
    /// The cost of a merge of `files` files with `shards` shards each.
    fn of(&self, files: u64, shards: u64) -> Spent {
        let (files, inner) = (files as f64, if shards > 1 { (files * shards) as f64 } else { 0.0 });
        Spent {
            seconds: files * self.file.seconds + inner * self.shard.seconds,
            memory: self.nothing + files * self.file.memory + inner * self.shard.memory,
        }
    }

    /// The cost of a tree whose merges of one level run at the same time.
    fn tree(&self, shards: u64, fan_in: u64) -> Spent {
        let (mut files, mut each) = (shards, 1);
        let mut sum = Spent { seconds: 0.0, memory: 0.0 };
        loop {
            let step = self.of(files.min(fan_in), each);
            sum = Spent { seconds: sum.seconds + step.seconds, memory: sum.memory.max(step.memory) };
            (files, each) = (files.div_ceil(fan_in), each * fan_in);
            if files == 1 {
                return sum;
            }
        }
    }
}

fn measure(args: &Args) -> Result<Cost> {
    let (pattern, _) = Results::read(&fs::read(&args.result)?)?;
    if pattern.shards.parts.len() != 1 {
        return Err("the pattern is to be one shard, or a campaign in one piece".into());
    }
    let folder = tempfile::tempdir()?;
    let dir = args.write.as_deref().unwrap_or(folder.path());
    fs::create_dir_all(dir)?;
    let digits = args.results.to_string().len().max(4);
    let name = |shard: u64| dir.join(format!("shard-{shard:0digits$}{ENDING}"));
    let files: Vec<PathBuf> = (1..=args.results).map(name).collect();
    let mut bytes = 0;
    for (file, shard) in files.iter().zip(1..) {
        let text = as_shard(&pattern, shard, args.results);
        bytes += text.len();
        fs::write(file, text)?;
    }
    let whole = folder.path().join("whole");
    let one = child(&args.result, &files[..1], &folder.path().join("one"))?;
    let flat = child(&args.result, &files, &whole)?;
    println!("{} results of {} bytes each, merged on this machine:", files.len(), bytes / files.len());
    println!("  in one piece         {}", said(flat));

    let (mut level, mut each, mut step) = (files.clone(), 1, 0);
    let mut last = flat;
    while step == 0 || level.len() > 1 {
        let (mut next, mut worst) = (Vec::new(), Spent { seconds: 0.0, memory: 0.0 });
        for (number, group) in level.chunks(args.fan_in as usize).enumerate() {
            let file = folder.path().join(format!("step-{step}-{number}"));
            last = child(&args.result, group, &file)?;
            worst = Spent { seconds: worst.seconds.max(last.seconds), memory: worst.memory.max(last.memory) };
            next.push(file);
        }
        step += 1;
        println!("  tree, step {step}: {:>5} of {:>3} files, at most {}", next.len(), args.fan_in, said(worst));
        if next.len() > 1 {
            each *= args.fan_in;
        }
        level = next;
    }
    if !same(&whole, &level[0])? {
        return Err("a tree of merges and one merge of all say different things".into());
    }
    let count = args.results as f64;
    let each_of = |all: f64, number: f64| (all / number).max(0.0);
    let file = Spent {
        seconds: each_of(flat.seconds, count),
        memory: each_of(flat.memory - one.memory, (count - 1.0).max(1.0)),
    };
    // The time of the tree's last merge beyond reading as many results of one shard.
    let roots = if each > 1 { args.results.div_ceil(each) as f64 } else { 0.0 };
    let shard = Spent {
        seconds: if each > 1 { each_of(last.seconds - roots * file.seconds, count) } else { 0.0 },
        memory: if each > 1 { each_of(last.memory - one.memory - roots * file.memory, count) } else { 0.0 },
    };
    Ok(Cost { file, shard, nothing: one.memory })
}

/// Whether two results are equal but for the last line, the seconds, whose sum depends on the order of the additions.
fn same(one: &Path, other: &Path) -> Result<bool> {
    let [one, other] = [fs::read_to_string(one)?, fs::read_to_string(other)?];
    let but_seconds = |text: &str| text.rsplit_once("\"seconds\"").map(|(before, _)| before.to_owned());
    Ok(but_seconds(&one) == but_seconds(&other))
}

fn said(spent: Spent) -> String {
    format!("{:7.3} s, {:6.1} MB", spent.seconds, spent.memory / 1e6)
}

// The farm
// --------

/// The properties of a farm; times in seconds.
#[derive(Clone, Copy)]
struct Farm {
    cores: u64,
    /// Operations per second.
    rate: f64,
    /// Standard deviation of the logarithm of rates.
    spread: f64,
    begin: f64,
    /// Time between two starts.
    between: f64,
    /// Kills per second of a core.
    kills: f64,
    /// Time between two looks; with 0, events are seen at once.
    look: f64,
    /// Elements that the scheduler holds at a time, including those that ended less than `kept` ago.
    jobs: u64,
    kept: f64,
}

/// The result of a simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Played {
    /// Time until the farm sees the last result.
    seconds: f64,
    /// Elements that were killed.
    killed: u64,
    /// Core seconds that went into killed elements.
    lost: f64,
}

/// A time with a total order.
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

impl Farm {
    /// Runs every shard on the core that is free first, until it is complete. A killed one begins anew.
    fn play(&self, shards: u64, operations: f64, random: &mut impl Rng) -> Played {
        let rates: Vec<f64> = (0..self.cores).map(|_| self.rate * (self.spread * normal(random)).exp()).collect();
        let mut free: BinaryHeap<_> = (0..rates.len()).map(|core| Reverse((Time(0.0), core))).collect();
        // The times from which elements may be submitted.
        let mut waiting: BinaryHeap<_> = (0..shards).map(|_| Reverse(Time(0.0))).collect();
        let mut room: BinaryHeap<_> = (0..self.jobs.min(shards)).map(|_| Reverse(Time(0.0))).collect();
        let mut played = Played { seconds: 0.0, killed: 0, lost: 0.0 };
        let mut next_start = 0.0_f64;
        while let Some(Reverse(Time(from))) = waiting.pop() {
            let (Some(Reverse((Time(at), core))), Some(Reverse(Time(taken)))) = (free.pop(), room.pop()) else { break };
            let start = from.max(at).max(self.seen(taken)).max(next_start);
            next_start = start + self.between;
            let long = self.begin + operations / shards as f64 / rates[core];
            let life = -(1.0 - unit(random)).ln() / self.kills;
            let end = start + long.min(life);
            if life < long {
                played.killed += 1;
                played.lost += life;
                // The farm believes that a result is missing only after missing it twice.
                waiting.push(Reverse(Time(self.seen(end) + self.look)));
            } else {
                played.seconds = played.seconds.max(self.seen(end));
            }
            free.push(Reverse((Time(end), core)));
            room.push(Reverse(Time(end + self.kept)));
        }
        played
    }

    /// The time of the farm's next look.
    fn seen(&self, at: f64) -> f64 {
        if self.look > 0.0 { (at / self.look).ceil() * self.look } else { at }
    }
}

/// A random number from 0 on, below 1.
fn unit(random: &mut impl Rng) -> f64 {
    random.random::<f64>()
}

/// A normally distributed random number with mean 0 and standard deviation 1 (Box and Muller).
fn normal(random: &mut impl Rng) -> f64 {
    let (one, other) = (1.0 - unit(random), unit(random));
    (-2.0 * one.ln()).sqrt() * (TAU * other).cos()
}

// What it comes to
// ----------------

/// The most shards of a campaign: `verify --shard` refuses more.
const MOST_SHARDS: u64 = 1_000_000;
/// The default number of jobs that Slurm holds at once (MaxJobCount).
const MOST_JOBS: u64 = 10_000;
/// The default of Slurm's MaxArraySize; indices of an array's elements are below it. The farm makes several arrays.
const ARRAY: u64 = 1001;
/// A common quota of files per user where many share a file system.
const MOST_FILES: u64 = 1_000_000;
/// Files that a shard leaves in a farm's folder: result, out, err, exit.
const FILES: u64 = 4;
/// Seconds that the farm's head may spend on one look before its report is old.
const LONG: f64 = 60.0;

/// Seconds between two looks: the farm's wait (src/cli/farm/slurm.rs), the query to the scheduler, and the opening of
/// what has ended since.
fn look(args: &Args, shards: u64, ideal: f64) -> f64 {
    let wait = 1.0 + shards.min(20_000) as f64 / 1000.0;
    let asked = shards as f64 * args.queued / 1e6;
    let opened = shards as f64 / ideal * args.open / 1e3;
    // Otherwise more files appear than it can open.
    if opened < 1.0 { (wait + asked) / (1.0 - opened) } else { f64::INFINITY }
}

/// The limits that so many shards exceed, a letter each.
fn limits(args: &Args, shards: u64, ideal: f64) -> String {
    let broken = [
        (shards >= ARRAY, 'A'),
        (shards > MOST_JOBS, 'J'),
        (shards * FILES > MOST_FILES, 'F'),
        (shards as f64 / args.starts > ideal, 'S'),
        (look(args, shards, ideal) > LONG, 'L'),
        (shards > MOST_SHARDS, 'N'),
    ];
    broken.iter().filter(|(breaks, _)| *breaks).map(|(_, letter)| letter).collect()
}

fn table(args: &Args, cost: &Cost) -> Table {
    let ideal = args.operations / (args.cores as f64 * args.rate);
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    let header = ["shards", "a core", "run", "best", "as is", "lost", "files", "merge", "MB", "tree", "limits"];
    table.set_header(header);
    for each in [0.1, 0.5, 1.0, 2.0, 4.0, 10.0, 30.0, 100.0] {
        let shards = (args.cores as f64 * each) as u64;
        if shards == 0 {
            continue;
        }
        let look = look(args, shards, ideal);
        let farm = Farm {
            cores: args.cores,
            rate: args.rate,
            spread: args.spread,
            begin: args.begin,
            between: 1.0 / args.starts,
            kills: args.kills / 3600.0,
            look,
            jobs: u64::MAX,
            kept: args.kept,
        };
        let play = |farm: Farm| farm.play(shards, args.operations, &mut Xoshiro256PlusPlus::seed_from_u64(args.seed));
        let Played { seconds, lost, .. } = play(farm);
        let few = play(Farm { jobs: MOST_JOBS, ..farm }).seconds;
        let (flat, tree) = (cost.of(shards, 1), cost.tree(shards, args.fan_in));
        table.add_row([
            shards.to_string(),
            format!("{each}"),
            format!("{seconds:.0}"),
            format!("{:.0} %", 100.0 * ideal / seconds),
            format!("{:.0} %", 100.0 * ideal / few),
            format!("{:.2} %", 100.0 * lost / (ideal * args.cores as f64)),
            format!("{:.0}k", (shards * FILES) as f64 / 1e3),
            format!("{:.1}", flat.seconds),
            format!("{:.0}", flat.memory / 1e6),
            format!("{:.1}", tree.seconds),
            limits(args, shards, ideal),
        ]);
    }
    let last = header.len() - 1;
    for (place, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 1));
        column.set_cell_alignment(if place < last { CellAlignment::Right } else { CellAlignment::Left });
    }
    table
}

fn main() -> Result<()> {
    let args = Args::parse();
    if let Some(out) = &args.merge {
        return merge_input(out);
    }
    let cost = measure(&args)?;
    let ideal = args.operations / (args.cores as f64 * args.rate);
    println!(
        "\n{} cores, {:.0e} operations, {ideal:.0} s at best; merged by {} in a tree:\n",
        args.cores, args.operations, args.fan_in
    );
    println!("{}", table(&args, &cost).trim_fmt());
    println!(
        "\nrun, merge and tree in seconds; as is: with MaxJobCount as it comes; limits:\n\
         A MaxArraySize {ARRAY}, J MaxJobCount {MOST_JOBS}, F {MOST_FILES} files,\n\
         S the scheduler's starts, L {LONG} s between looks, N {MOST_SHARDS} shards"
    );
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
        kills: 0.0,
        look: 0.0,
        jobs: u64::MAX,
        kept: 0.0,
    };

    fn played(farm: Farm, shards: u64) -> Played {
        farm.play(shards, 1e6, &mut Xoshiro256PlusPlus::seed_from_u64(3))
    }

    fn near(seconds: f64, wanted: f64) -> bool {
        (seconds - wanted).abs() < 1e-6 * wanted
    }

    #[test]
    fn cores_that_are_alike_run_in_rounds() {
        for shards in [1, 5, 10, 11, 99, 1000] {
            let Played { seconds, killed, lost } = played(FARM, shards);
            let wanted = shards.div_ceil(FARM.cores) as f64 * 1000.0 / shards as f64;
            assert!(near(seconds, wanted) && killed == 0 && lost == 0.0, "{shards}: {seconds}");
        }
    }

    #[test]
    fn beginnings_add_up_and_starts_follow_each_other() {
        assert!(near(played(Farm { begin: 7.0, ..FARM }, 20).seconds, 114.0));
        // The last of ten starts nine intervals late.
        assert!(near(played(Farm { between: 2.0, ..FARM }, 10).seconds, 118.0));
        // The scheduler starts fewer elements than the cores could run.
        assert!(near(played(Farm { between: 5.0, ..FARM }, 1000).seconds, 999.0 * 5.0 + 1.0));
        // The end is seen at the next look.
        assert!(near(played(Farm { look: 30.0, ..FARM }, 10).seconds, 120.0));
    }

    #[test]
    fn cores_wait_where_the_scheduler_takes_no_more() {
        // Five at a time keep five cores busy; and an ended element keeps its place for as long as it ran.
        assert!(near(played(Farm { jobs: 5, ..FARM }, 100).seconds, 200.0));
        assert!(near(played(Farm { jobs: 5, kept: 10.0, ..FARM }, 100).seconds, 390.0));
    }

    #[test]
    fn what_is_killed_costs_time_and_nothing_else() {
        let farm = Farm { kills: 1.0 / 200.0, look: 5.0, ..FARM };
        let Played { seconds, killed, lost } = played(farm, 100);
        assert!(killed > 0 && lost > 0.0);
        // Ten cores did all the work, including what was lost and the waiting.
        assert!(seconds >= (1000.0 + lost) / 10.0 - 1e-6, "{seconds} {lost}");
        assert!(seconds <= 1000.0 + lost + 2.0 * farm.look * (killed + 1) as f64, "{seconds} {lost}");
        assert_eq!(played(farm, 100), Played { seconds, killed, lost });
    }

    #[test]
    fn small_shards_help_where_cores_differ() {
        let farm = Farm { spread: 0.3, ..FARM };
        let [one, many] = [10, 1000].map(|shards| played(farm, shards).seconds);
        // Many shards use the sum of all cores' rates.
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        let rates: f64 = (0..10).map(|_| 1000.0 * (0.3 * normal(&mut random)).exp()).sum();
        assert!(one > 1.2 * many && many >= 1e6 / rates && many < 1.02 * 1e6 / rates, "{one} {many}");
    }

    #[test]
    fn a_tree_of_one_step_is_one_merge() {
        let spent = |seconds, memory| Spent { seconds, memory };
        let cost = Cost { file: spent(1.0, 10.0), shard: spent(0.25, 2.0), nothing: 100.0 };
        assert_eq!(cost.tree(8, 10), cost.of(8, 1));
        // Ten merges of ten files at once, then one of their results: ten files with ten shards each, a hundred in all.
        assert_eq!(cost.tree(100, 10), spent(10.0 + 10.0 + 25.0, 100.0 + 100.0 + 200.0));
    }
}
