// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares two waves: finds where the signals that both have differ first.
//!
//! Signals are matched by path, and values by meaning: a number is the same in any width, and an unknown bit equals no
//! other. If both waves have the unit's clock, the values before each of its rising edges are compared, so that time
//! scales and changes between the edges do not matter.
//!
//! ```
//! use gpu_lsu::wave::compare::{Options, compare};
//!
//! # let folder = tempfile::tempdir()?;
//! let wave = |name: &str, value: &str| {
//!     let path = folder.path().join(name);
//!     std::fs::write(&path, format!("$scope module top $end $var wire 4 ! data $end $upscope $end\n\
//!                                    $enddefinitions $end\n#0\nb11 !\n#20\nb{value} !\n")).map(|()| path)
//! };
//! let found = compare(&wave("a.vcd", "101")?, &wave("b.vcd", "111")?, &Options::default())?;
//! let first = &found.differences[0];
//! assert_eq!((&*first.signal, &*first.a, &*first.b), ("top.data", "0x5", "0x7"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod file;
mod logs;
mod names;
mod steps;
mod value;

use std::path::Path;

use serde::Serialize;

pub use error::CompareError;
use file::File;
use names::Pair;
pub use names::matches;
use steps::{Clock, Steps};
pub use value::Radix;

/// The number of signals whose changes are held at a time.
const BATCH: usize = 512;

/// What decides that two values stand at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// Rising edges of clk_i, counted from 0
    Cycle,
    /// Time, in each wave's own scale
    Time,
    /// Number of each port's transfers, counted from 0, whenever they are made; for logs, and waves of the unit's
    /// ports
    Transfer,
}

/// How two waves are compared.
#[derive(Clone, Debug)]
pub struct Options {
    /// `None`: by cycle if both have clk_i, or one is a log.
    pub by: Option<By>,
    /// Paths to ignore; `*` stands for any characters, `?` for one.
    pub ignore: Vec<String>,
    /// Paths of signals or scopes in the first wave, and their names in the second.
    pub map: Vec<(String, String)>,
    /// Whether an unknown bit equals any bit.
    pub x_matches: bool,
    /// The number of differences to keep, the first ones.
    pub max: usize,
    pub radix: Radix,
}

impl Default for Options {
    fn default() -> Self {
        let (ignore, map) = Default::default();
        Options { by: None, ignore, map, x_matches: false, max: 10, radix: Radix::Hex }
    }
}

/// The result of a comparison.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// The first differences, by time and then by name.
    pub differences: Vec<Difference>,
    /// The number of all differences, and of signals that have some.
    pub total: u64,
    pub differing: u64,
    pub by: By,
    /// Whether logs were compared: their ports and transfers count as signals and changes.
    pub logs: bool,
    /// The number of signals compared, and of their changes in both waves together.
    pub signals: u64,
    pub changes: u64,
    /// Signals that both waves have, and that have no value in one of them: they are not compared.
    pub without_value: Vec<String>,
    /// The number of signals that end with two values, by changes after the last edge, where nothing is compared.
    pub late: u64,
    /// Signals that only one wave has, and the number of those ignored.
    pub only_a: Vec<String>,
    pub only_b: Vec<String>,
    pub ignored: u64,
    /// Signals whose widths differ.
    pub widths: Vec<Width>,
    /// The end of the shorter wave, if one ends before the other: nothing was compared after it.
    pub end: Option<End>,
}

/// A moment from which on a signal has another value in the second wave, until both agree again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// `None` if compared by time.
    pub cycle: Option<u64>,
    /// In time units of the first wave.
    pub time: u64,
    /// The time with its unit, if the wave states it.
    pub at: String,
    /// Its path in the first wave.
    pub signal: String,
    /// Its path in the second wave, if that differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other: Option<String>,
    pub a: String,
    pub b: String,
}

/// A signal with two widths.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Width {
    pub signal: String,
    pub a: u32,
    pub b: u32,
}

/// The end of the shorter wave.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct End {
    /// `A` or `B`.
    pub of: char,
    /// A cycle, or a time with its unit.
    pub at: String,
}

impl Comparison {
    /// An empty comparison.
    fn new(by: By, logs: bool) -> Self {
        Comparison {
            differences: Vec::new(),
            total: 0,
            differing: 0,
            by,
            logs,
            signals: 0,
            changes: 0,
            without_value: Vec::new(),
            late: 0,
            only_a: Vec::new(),
            only_b: Vec::new(),
            ignored: 0,
            widths: Vec::new(),
            end: None,
        }
    }
}

/// Compares two waves (VCD or FST), two logs, or a log and a wave of the unit's ports.
///
/// # Errors
///
/// When a file cannot be read, or the two have no signal or no moment in common.
pub fn compare(a: &Path, b: &Path, options: &Options) -> Result<Comparison, CompareError> {
    if options.by == Some(By::Transfer) || logs::is_log(a)? || logs::is_log(b)? {
        return logs::compare(a, b, options);
    }
    let (mut a, mut b) = (File::open(a)?, File::open(b)?);
    let matched = names::matched(&a, &b, options)?;
    let clock = matched.clock();
    let clocks = match (options.by, clock) {
        (Some(By::Cycle), None) => return Err(CompareError::NoClock),
        (Some(By::Time), _) | (_, None) => None,
        (_, Some((one, other))) => {
            let edges = [a.edges(one)?, b.edges(other)?];
            if edges[0].is_empty() != edges[1].is_empty() {
                return Err(CompareError::NoEdge);
            }
            Some(edges)
        }
    };
    let by = if clocks.is_some() { By::Cycle } else { By::Time };
    if by == By::Cycle && matched.pairs.len() == 1 {
        return Err(CompareError::ClockAlone { only_a: matched.only_a.len(), only_b: matched.only_b.len() });
    }
    let [clock_a, clock_b] = match clocks {
        Some(edges) => edges.map(Clock::Edges),
        None => steps::scales(&a, &b),
    };
    let (end_a, end_b) = (clock_a.end(&a), clock_b.end(&b));
    let end = end_a.min(end_b);
    let said = |of: char, file: &File, clock: &Clock| Some(End { of, at: clock.end_in_words(file) });
    let mut found = Comparison {
        only_a: matched.only_a,
        only_b: matched.only_b,
        ignored: matched.ignored,
        widths: matched.widths,
        end: match end_a.cmp(&end_b) {
            std::cmp::Ordering::Less => said('A', &a, &clock_a),
            std::cmp::Ordering::Greater => said('B', &b, &clock_b),
            std::cmp::Ordering::Equal => None,
        },
        ..Comparison::new(by, false)
    };
    // The clock that tells the cycles is the same in them, whatever it is.
    let counts = |pair: &Pair| by == By::Time || clock != Some((pair.a, pair.b));
    let mut compared = false;
    let mut first: Vec<(u128, Difference)> = Vec::new();
    for pairs in matched.pairs.chunks(BATCH) {
        let loaded_a = a.load(pairs.iter().map(|pair| pair.a))?;
        let loaded_b = b.load(pairs.iter().map(|pair| pair.b))?;
        for pair in pairs {
            let (Some(one), Some(other)) = (loaded_a.get(&pair.a), loaded_b.get(&pair.b)) else { continue };
            let (one, other) = (clock_a.steps(&a, one, end), clock_b.steps(&b, other, end));
            let before = found.total;
            differences(&one, &other, options, |key, in_a, in_b| {
                found.total += 1;
                first.push((key, difference(pair, key, &clock_a, &a, [in_a, in_b])));
            });
            let differs = found.total > before;
            found.differing += u64::from(differs);
            if differs || one.len() > 0 && other.len() > 0 {
                found.signals += pair.names;
                found.changes += (one.len() + other.len()) as u64;
                compared |= differs || counts(pair);
            } else {
                found.without_value.push(pair.name.clone());
            }
            if by == By::Cycle && found.end.is_none() && !differs && counts(pair) {
                let same = value::same(one.last(), other.last(), options.x_matches);
                found.late += if same { 0 } else { pair.names };
            }
            // Only the first ones need to be held.
            if first.len() > 16 * options.max.max(BATCH) {
                keep(&mut first, options.max);
            }
        }
    }
    if found.changes == 0 {
        return Err(CompareError::NoMoment);
    }
    if !compared {
        return Err(CompareError::ClockSpeaks);
    }
    keep(&mut first, options.max);
    found.differences = first.into_iter().map(|(_, difference)| difference).collect();
    Ok(found)
}

/// Keeps the first `most` differences.
fn keep(all: &mut Vec<(u128, Difference)>, most: usize) {
    all.sort_by(|(one, first), (other, second)| one.cmp(other).then_with(|| first.signal.cmp(&second.signal)));
    all.truncate(most);
}

fn difference(pair: &Pair, key: u128, clock: &Clock, file: &File, [a, b]: [String; 2]) -> Difference {
    let (cycle, time) = clock.place(key);
    let other = (pair.name != pair.other).then(|| pair.other.clone());
    Difference { cycle, time, at: file.in_words(time), signal: pair.name.clone(), other, a, b }
}

/// Reports each moment from which on two signals differ.
fn differences(a: &Steps<'_>, b: &Steps<'_>, options: &Options, mut tell: impl FnMut(u128, String, String)) {
    let (mut at_a, mut at_b, mut apart) = (0, 0, false);
    while let Some(key) = [a.key(at_a), b.key(at_b)].into_iter().flatten().min() {
        at_a += usize::from(a.key(at_a) == Some(key));
        at_b += usize::from(b.key(at_b) == Some(key));
        let (one, other) = (a.value(at_a), b.value(at_b));
        let same = value::same(one, other, options.x_matches);
        if !same && !apart {
            tell(key, value::text(one, options.radix), value::text(other, options.radix));
        }
        apart = !same;
    }
}
