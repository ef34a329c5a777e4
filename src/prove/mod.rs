// SPDX-License-Identifier: MIT OR Apache-2.0
//! Proofs that RTL and model agree for every input, block by block, and that parts with a clock keep their promises in
//! every cycle.
//!
//! ```text
//!  rtl/*_pkg.sv + proof/<block>.sv -> Yosys -> SMT-LIB ------+
//!                                                            +--> a solver: can they differ?
//!  src/model/*.rs, read as terms -----------------> SMT-LIB --+
//! ```
//!
//! The pure parts of the model are generic over [`Word`](crate::model::word::Word). On `u64` they compute an answer; on
//! [`term::Term`] the same text becomes the formula of all answers. Yosys makes the other formula from the RTL's
//! functions. If a solver finds no input for which the two differ, the block is proved; if it finds one, the input is
//! turned into a program that `gpu-lsu run` plays.
//!
//! | file | what it holds |
//! |---|---|
//! | `term` | the model's arithmetic as SMT-LIB |
//! | `block` | what a block is, and the questions about it |
//! | `check` | one block through Yosys and the solver |
//! | `part` | a part with a clock as Yosys wrote it, and the questions about it |
//! | `parts` | the parts that are proved |
//! | `unroll` | Yosys's text, written out cycle by cycle |
//! | `sources` | the RTL as Yosys gets it |
//! | `tools` | Yosys and the solvers |

pub(crate) mod block;
mod check;
mod part;
mod parts;
mod sources;
pub mod term;
mod tools;
mod unroll;

use std::{
    env, io,
    num::NonZero,
    path::PathBuf,
    sync::{
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

pub use check::reading;
pub use part::{Signal, Trace};
pub use sources::of_hardware_alone;
pub use tools::{Tools, default_rtl};

use crate::clause::Clause;
use crate::sets::blocks;
use block::Obligation;
use parts::{PARTS, Part};

/// What to prove, and how.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The directory of the RTL's packages.
    pub rtl: PathBuf,
    /// The blocks to prove, by name; all if empty.
    pub blocks: Vec<String>,
    /// The number of blocks that are proved at the same time.
    pub jobs: NonZero<usize>,
    /// The time that a solver may take for one question.
    pub limit: Duration,
}

/// The result of a block.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The block's name.
    pub block: &'static str,
    /// The rules that its model states.
    pub clauses: &'static [Clause],
    /// The time that Yosys and the solver took together.
    pub seconds: f64,
    /// Proved, or why not.
    pub outcome: Outcome,
}

/// Proved, or why not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// RTL and model are equal for every input.
    Proved,
    /// RTL and model differ for some input.
    Differs(Counterexample),
    /// A part with a clock breaks a promise: a run from reset that shows it.
    Fails(Trace),
    /// A part with a clock may break a promise: a step that breaks it, from a state that may be unreachable.
    NotKept(Trace),
    /// The solver does not know; the reason in words.
    Undecided(String),
    /// Yosys does not read the RTL; the reason in its words.
    Refused(String),
}

impl Outcome {
    /// Whether the RTL is shown to be wrong.
    pub fn is_counterexample(&self) -> bool {
        matches!(self, Outcome::Differs(_) | Outcome::Fails(_))
    }
}

/// An input for which RTL and model differ. Values are named like the wrapper's ports, without `_i` and `_o`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    pub inputs: Vec<(&'static str, u64)>,
    /// The outputs that the model computes.
    pub model: Vec<(&'static str, u64)>,
    /// The outputs of the RTL.
    pub rtl: Vec<(&'static str, u64)>,
    /// A program for `gpu-lsu run` that shows it, if one instruction can.
    pub program: Option<String>,
}

/// Why nothing could be proved at all.
#[derive(Debug, thiserror::Error)]
pub enum ProveError {
    /// There is no Yosys with read_slang.
    #[error("no Yosys: neither in `target/tools` of the checkout nor by GPU_LSU_YOSYS")]
    NoYosys,
    /// There is no solver.
    #[error("no solver: neither in `target/tools` of the checkout nor by GPU_LSU_SOLVER")]
    NoSolver,
    /// A variable names a program that is not there.
    #[error("{variable} names `{program}`, which is not there")]
    NotThere {
        /// The variable.
        variable: &'static str,
        /// The program, as it is named.
        program: String,
    },
    /// A variable holds no text.
    #[error("{variable} is no UTF-8 text")]
    NoText {
        /// The variable.
        variable: &'static str,
    },
    /// The directory holds no RTL.
    #[error("`{}` holds no `lsu_pkg.sv`", .0.display())]
    NoRtl(PathBuf),
    /// Files in two folders have one name, and not the same text.
    #[error("two files of the RTL are called `{name}`, and they are not the same: which one is meant?")]
    Twice {
        /// The name, without a folder.
        name: String,
    },
    /// A macro of a list cannot be given to Yosys.
    #[error("`+define+{0}` cannot be given to Yosys: a value is letters, digits and signs of numbers here")]
    Define(String),
    /// A file depends on what another one defines.
    #[error("`{user}` reads the macro {name} of `{definer}`, and each file is read by itself here")]
    Macro {
        /// The macro.
        name: String,
        /// The file that defines it.
        definer: String,
        /// The file that uses it.
        user: String,
    },
    /// No block has this name.
    #[error("unknown block `{name}`; blocks: {}", names().collect::<Vec<_>>().join(", "))]
    UnknownBlock {
        /// The name.
        name: String,
    },
    /// The caller asked to stop.
    #[error("interrupted")]
    Interrupted,
    /// A file or program cannot be used.
    #[error("{what}: {error}")]
    Io {
        /// What was tried.
        what: String,
        /// The system's error.
        error: io::Error,
    },
}

/// What can be proved.
#[derive(Clone, Copy)]
enum Subject {
    Block(&'static dyn Obligation),
    Part(&'static Part),
}

impl Subject {
    fn all() -> impl Iterator<Item = Subject> {
        blocks().map(Subject::Block).chain(PARTS.iter().map(Subject::Part))
    }

    fn name(self) -> &'static str {
        match self {
            Subject::Block(block) => block.name(),
            Subject::Part(part) => part.name,
        }
    }
}

/// The names of the blocks, in order: functions first, then parts with a clock.
pub fn names() -> impl Iterator<Item = &'static str> {
    Subject::all().map(Subject::name)
}

/// The names of the blocks whose functions the model has as well.
pub fn functions() -> impl Iterator<Item = &'static str> {
    blocks().map(|block| block.name())
}

/// The blocks that take longest; they begin first, and the others are proved beside them.
const LONGEST: [&str; 2] = ["tree-data", "tree-merge"];

/// Proves blocks, and calls `told` for each as soon as its verdict is known: at once if it has a counterexample, else in
/// order. What is known when an error ends it is told as well.
///
/// # Errors
///
/// Only if a verdict would mean nothing: a missing tool, an unknown block, unreadable RTL, `stop`.
pub fn prove(
    settings: &Settings,
    tools: &Tools,
    stop: &AtomicBool,
    mut told: impl FnMut(&Verdict),
) -> Result<Vec<Verdict>, ProveError> {
    let blocks = chosen(&settings.blocks)?;
    let room = tempfile::tempdir().map_err(|error| failed(no_room(), error))?;
    let rtl = sources::copy(&settings.rtl, room.path())?;

    let mut order: Vec<usize> = (0..blocks.len()).collect();
    order.sort_by_key(|&place| !LONGEST.contains(&blocks[place].name()));
    let next = AtomicUsize::new(0);
    let halt = AtomicBool::new(false);
    let (send, receive) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..settings.jobs.get().min(blocks.len()) {
            let (send, blocks, order, next, halt) = (send.clone(), &blocks, &order, &next, &halt);
            let check = check::Check { dir: room.path(), rtl: &rtl, limit: settings.limit, tools, stop };
            scope.spawn(move || {
                while let Some(&place) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if halt.load(Ordering::Relaxed) {
                        break;
                    }
                    let result = match blocks[place] {
                        Subject::Block(block) => check.block(block),
                        Subject::Part(part) => check.part(part),
                    };
                    halt.fetch_or(result.is_err(), Ordering::Relaxed);
                    // The receiver outlives every sender.
                    let _ = send.send((place, result));
                }
            });
        }
        drop(send);
        let mut over: Vec<Option<Verdict>> = blocks.iter().map(|_| None).collect();
        // Those before this one are over.
        let mut first = 0;
        let mut failure = None;
        let mut tell = |verdict: &Verdict, of_counterexample: bool| {
            if verdict.outcome.is_counterexample() == of_counterexample {
                told(verdict);
            }
        };
        for (place, result) in receive {
            match result {
                Ok(verdict) => {
                    tell(&verdict, true);
                    over[place] = Some(verdict);
                }
                Err(error) => failure = Some(error),
            }
            while let Some(verdict) = over.get(first).and_then(Option::as_ref) {
                tell(verdict, false);
                first += 1;
            }
        }
        // After an error some before them never come.
        over.iter().skip(first).flatten().for_each(|verdict| tell(verdict, false));
        match failure {
            Some(error) => Err(error),
            None => Ok(over.into_iter().flatten().collect()),
        }
    })
}

/// The blocks of these names, each once; all if `names` is empty.
fn chosen(names: &[String]) -> Result<Vec<Subject>, ProveError> {
    if let Some(name) = names.iter().find(|&name| !self::names().any(|block| block == *name)) {
        return Err(ProveError::UnknownBlock { name: name.clone() });
    }
    let wanted = |subject: &Subject| names.is_empty() || names.iter().any(|name| name == subject.name());
    Ok(Subject::all().filter(wanted).collect())
}

/// What is said of a temporary file that cannot be written.
fn no_room() -> String {
    format!("cannot write below `{}`, which TMPDIR names", env::temp_dir().display())
}

fn failed(what: impl Into<String>, error: io::Error) -> ProveError {
    ProveError::Io { what: what.into(), error }
}
