// SPDX-License-Identifier: MIT OR Apache-2.0
//! A failing case as one readable file: everything that a replay needs, and the divergence.

use std::{
    io::{self, Write},
    path::Path,
};

use serde::{Deserialize, Serialize};

use crate::{
    judge::{
        Promises,
        mismatch::{Mismatch, Written},
    },
    op::{Ctrl, LaneMask, Lanes, MAX_LANES, Op, Range, Shape, hex},
    output::Output,
    rtl::Sources,
    sets::{Inst, Isa},
};

use super::{
    case::{Bytes, Case, CaseError, Issue, Rate, Schedule},
    waves::text,
};

/// The first line of a capsule.
const TITLE: &str = "# gpu-lsu capsule";
const CHECKSUM: &str = "checksum = ";
/// The version of the text format. It grows with every change that a reader of the last version would reject or
/// misread.
///
/// Version 1, which files do not state, had addresses in decimal; version 2 had the unit's lanes, but no other
/// parameter.
const FORMAT: u32 = 3;
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A case, its origin, and how it failed.
#[derive(Clone, Debug, PartialEq)]
pub struct Capsule {
    /// The seed of the campaign; 0 if there was none.
    pub seed: u64,
    /// The number of the block in the campaign.
    pub block: u64,
    /// The case, shrunk.
    pub case: Case,
    /// The divergence.
    pub mismatch: Mismatch,
    /// The RTL that diverged, if it is known.
    pub rtl: Option<Sources>,
    /// What the unit promises.
    pub promises: Promises,
}

/// Why a capsule cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum CapsuleError {
    /// The file is not a capsule.
    #[error("this is no capsule: its first line is not `{TITLE}`")]
    Title,
    /// The text is not the one that was written.
    #[error("the capsule was changed or cut after it was written: its checksum is {found:08x}, not {written}")]
    Checksum {
        /// The checksum in the file.
        written: String,
        /// The checksum of its text.
        found: u32,
    },
    /// The file has a format that this version of the program does not read.
    #[error(
        "the capsule is of format {format}, which {age} version of gpu-lsu wrote, {version}; this is {VERSION}, and reads \
         format {FORMAT}",
        age = if *format < FORMAT { "an older" } else { "a newer" }
    )]
    Format {
        /// The file's format.
        format: u32,
        /// The version of the program that wrote the file.
        version: String,
    },
    /// The text is not well-formed.
    #[error("{0}")]
    Syntax(#[from] toml::de::Error),
    /// No unit can be asked to run the case.
    #[error("{0}")]
    Case(#[from] CaseError),
    /// A value is not possible.
    #[error("{0}")]
    Value(String),
}

/// The part of a file that is read before its format is known.
#[derive(Deserialize)]
struct Head {
    #[serde(default = "unnumbered")]
    format: u32,
    version: String,
}

fn unnumbered() -> u32 {
    1
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: u32,
    version: String,
    #[serde(with = "hex")]
    seed: u64,
    block: u64,
    #[serde(with = "hex")]
    memory_seed: u64,
    serial: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    flushes: Vec<usize>,
    dirty_cycles: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rate: Option<Rate>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rtl: Option<Sources>,
    unit: Shape,
    #[serde(default, skip_serializing_if = "Promises::are_ours")]
    contract: Promises,
    mismatch: Written,
    #[serde(default)]
    memory: Vec<Bytes>,
    #[serde(default)]
    shared: Vec<Bytes>,
    #[serde(default)]
    bus_errors: Vec<Range>,
    ctrl: Ctrl,
    schedule: Schedule,
    issue: Vec<WrittenIssue>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenIssue {
    /// For human readers; `word` is what counts.
    text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    isa: Option<Isa>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    word: Option<String>,
    /// The masks in hexadecimal, lane 0 lowest.
    active: String,
    helper: String,
    predicate: String,
    /// By lane: its address words, lowest first.
    addr: Vec<String>,
    /// By register: the words of its lanes.
    data: Vec<String>,
    op: Op,
}

impl Capsule {
    /// Whether a text claims to be a capsule.
    pub fn is(text: &str) -> bool {
        text.starts_with(TITLE)
    }

    /// Returns the text of the file.
    pub fn to_text(&self) -> String {
        let Case {
            shape,
            ctrl,
            memory_seed,
            memory,
            shared,
            bus_errors,
            issues,
            schedule,
            serial,
            flushes,
            dirty_cycles,
            rate,
        } = self.case.clone();
        let file = File {
            format: FORMAT,
            version: VERSION.to_owned(),
            seed: self.seed,
            block: self.block,
            memory_seed,
            serial,
            flushes,
            dirty_cycles,
            rate,
            rtl: self.rtl.clone(),
            unit: shape,
            contract: self.promises,
            mismatch: Written::from(&self.mismatch),
            memory,
            shared,
            bus_errors,
            ctrl,
            schedule,
            issue: issues.iter().map(|issue| WrittenIssue::new(issue, shape.lanes)).collect(),
        };
        let body = toml::to_string(&file).unwrap_or_else(|error| unreachable!("a capsule is plain data: {error}"));
        format!(
            "{TITLE}\n# {}\n# Replay it with `gpu-lsu replay THIS_FILE --wave wave.vcd`. To replay it with changes, delete \
             the next line.\n{CHECKSUM}\"{:08x}\"\n{body}",
            // A comment has one line, and no control characters.
            self.mismatch.to_string().replace(char::is_control, " "),
            crc32fast::hash(body.as_bytes())
        )
    }

    /// Writes the file whole, or not at all.
    ///
    /// # Errors
    ///
    /// Any I/O error.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let mut file = Output::create(path)?;
        file.write_all(self.to_text().as_bytes())?;
        file.finish()
    }

    /// Parses the text of a file.
    ///
    /// # Errors
    ///
    /// When the text is not a capsule, has been cut or changed, or describes a case that no unit can run.
    pub fn from_text(text: &str) -> Result<Self, CapsuleError> {
        if !Capsule::is(text) {
            return Err(CapsuleError::Title);
        }
        let mut toml_text = text.to_owned();
        // Only at the beginning of a line: in the title's line it may be part of a value.
        if let Some(at) = text.match_indices(CHECKSUM).map(|(at, _)| at).find(|&at| text[..at].ends_with('\n')) {
            let (line, body) = text[at..].split_once('\n').unwrap_or((&text[at..], ""));
            let written = line[CHECKSUM.len()..].trim_end().trim_matches('"').to_owned();
            let found = crc32fast::hash(body.as_bytes());
            if format!("{found:08x}") != written {
                return Err(CapsuleError::Checksum { written, found });
            }
            // Replaced by as many bytes, so that positions in error messages stay right.
            toml_text.replace_range(at..at + line.len(), &format!("#{}", " ".repeat(line.len() - 1)));
        }
        let Head { format, version } = toml::from_str(&toml_text)?;
        if format != FORMAT {
            return Err(CapsuleError::Format { format, version });
        }
        let file: File = toml::from_str(&toml_text)?;
        file.check()
    }
}

impl File {
    fn check(self) -> Result<Capsule, CapsuleError> {
        let wrong = |what: String| Err(CapsuleError::Value(what));
        let shape = self.unit;
        if let Some(problem) = shape.problem() {
            return Err(CaseError::NoUnit(problem).into());
        }
        let mismatch = match Mismatch::try_from(self.mismatch) {
            Ok(mismatch) => mismatch,
            Err(error) => return wrong(error.to_string()),
        };
        let mut issues = Vec::new();
        for (number, issue) in self.issue.into_iter().enumerate() {
            match issue.read(shape.lanes) {
                Ok(issue) => issues.push(issue),
                Err(what) => return wrong(format!("operation {number}: {what}")),
            }
        }
        let case = Case {
            shape,
            ctrl: self.ctrl,
            memory_seed: self.memory_seed,
            memory: self.memory,
            shared: self.shared,
            bus_errors: self.bus_errors,
            issues,
            schedule: self.schedule,
            serial: self.serial,
            flushes: self.flushes,
            dirty_cycles: self.dirty_cycles,
            rate: self.rate,
        };
        case.check(&shape)?;
        Ok(Capsule { seed: self.seed, block: self.block, case, mismatch, rtl: self.rtl, promises: self.contract })
    }
}

fn words(words: &[u32]) -> String {
    words.iter().map(|word| format!("{word:08x}")).collect::<Vec<_>>().join(" ")
}

fn read_words<const N: usize>(text: &str, count: usize) -> Result<[u32; N], String> {
    let mut words = [0; N];
    let found: Vec<&str> = text.split_whitespace().collect();
    if found.len() != count {
        return Err(format!("`{text}` has {} words where {count} belong", found.len()));
    }
    for (word, digits) in words.iter_mut().zip(found) {
        *word = u32::from_str_radix(digits, 16).map_err(|_| format!("`{digits}` is no 32-bit hexadecimal number"))?;
    }
    Ok(words)
}

impl WrittenIssue {
    fn new(issue: &Issue, lanes: usize) -> Self {
        let mask = |mask: LaneMask| format!("{mask:08x}");
        WrittenIssue {
            text: text(issue),
            isa: issue.inst.map(|inst| inst.isa()),
            word: issue.inst.map(|inst| inst.code()),
            active: mask(issue.lanes.active),
            helper: mask(issue.lanes.helper),
            predicate: mask(issue.lanes.predicate),
            addr: issue.lanes.addr[..lanes].iter().map(|lane| words(lane)).collect(),
            data: issue.data.iter().map(|register| words(&register[..lanes])).collect(),
            op: issue.op,
        }
    }

    fn read(self, lanes: usize) -> Result<Issue, String> {
        let mask = |text: &str| read_words::<1>(text, 1).map(|[mask]| LaneMask::from_bits(mask));
        if self.addr.len() != lanes {
            return Err(format!("it needs `addr` of {lanes} lanes"));
        }
        let mut addr = [[0; 3]; MAX_LANES];
        for (lane, text) in addr.iter_mut().zip(&self.addr) {
            *lane = read_words(text, 3)?;
        }
        let mut data = vec![[0; MAX_LANES]; self.data.len()];
        for (register, text) in data.iter_mut().zip(&self.data) {
            *register = read_words(text, lanes)?;
        }
        let inst = match (self.isa, &self.word) {
            (Some(isa), Some(word)) => {
                Some(Inst::from_code(isa, word).map_err(|error| format!("`word` `{word}`: {error}"))?)
            }
            (None, None) => None,
            _ => return Err("it needs both `isa` and `word`, or neither".to_owned()),
        };
        let lanes =
            Lanes { active: mask(&self.active)?, helper: mask(&self.helper)?, predicate: mask(&self.predicate)?, addr };
        Ok(Issue { op: self.op, lanes, data, inst })
    }
}
