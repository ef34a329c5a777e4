// SPDX-License-Identifier: MIT OR Apache-2.0
//! A divergence between RTL and model: the broken rule, the place, and the expected and actual values.

mod field;

use std::fmt;

pub use field::{Field, Site};

use serde::{Deserialize, Serialize};

use crate::{
    clause::Clause,
    op::{Attr, Bits, Packed},
};

/// The first divergence of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The rule that is broken.
    pub clause: Clause,
    /// Other rules that would explain everything that was seen just as well.
    pub or: Vec<Clause>,
    /// The operation, by its index in the case.
    pub op: Option<usize>,
    /// The lane, if one is concerned.
    pub lane: Option<usize>,
    /// The place of the difference.
    pub field: Field,
    /// The model's value.
    pub expected: String,
    /// The RTL's value.
    pub actual: String,
    /// Clock cycles since the case began.
    pub cycle: u64,
    /// If something is missing: the cycle in which its operation last made progress.
    pub since: Option<u64>,
}

/// A mismatch as it is stored in a capsule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Written {
    clause: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    or: Vec<String>,
    op: Option<usize>,
    lane: Option<usize>,
    field: Field,
    expected: String,
    actual: String,
    cycle: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    since: Option<u64>,
}

impl Mismatch {
    /// A divergence that concerns no particular lane.
    pub fn new(clause: Clause, op: Option<usize>, field: Field) -> Self {
        let (expected, actual) = (String::new(), String::new());
        Mismatch { clause, or: Vec::new(), op, lane: None, field, expected, actual, cycle: 0, since: None }
    }

    /// A request whose attributes are not the operation's; names the first attribute that differs.
    pub fn attributes(clause: Clause, op: usize, expected: &[u32; 3], actual: &[u32; 3]) -> Self {
        let [expected, actual] = [expected, actual].map(|words| Attr::unpack(Bits::from_slice(words)));
        let difference = expected.first_difference(&actual);
        let signal = difference.as_ref().map_or("attr".to_owned(), |found| format!("attr.{}", found.field.path));
        let [expected, actual] = difference.map_or_else(Default::default, |found| found.values());
        Self::new(clause, Some(op), Field::signal(Site::MemReq, signal)).values(expected, actual)
    }

    /// Sets the expected and the actual value.
    pub fn values(mut self, expected: impl Into<String>, actual: impl Into<String>) -> Self {
        self.expected = expected.into();
        self.actual = actual.into();
        self
    }

    /// Sets the lane.
    pub fn lane(mut self, lane: usize) -> Self {
        self.lane = Some(lane);
        self
    }

    /// Adds rules that may be broken instead.
    pub fn or(mut self, clause: impl IntoIterator<Item = Clause>) -> Self {
        self.or.extend(clause);
        self
    }

    /// Sets the cycle since which something has been missing.
    pub fn since(mut self, cycle: u64) -> Self {
        self.since = Some(cycle);
        self
    }

    /// The id of the broken rule or, if several may be broken, `unclear: A or B`.
    pub fn names(&self) -> String {
        let unclear = if self.or.is_empty() { "" } else { "unclear: " };
        let or = self.or.iter().map(|clause| format!(" or {clause}"));
        format!("{unclear}{}{}", self.clause, or.collect::<String>())
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}) in cycle {}: {}", self.names(), self.clause.text(), self.cycle, self.field)?;
        if let Some(op) = self.op {
            write!(f, ", operation {op}")?;
        }
        if let Some(lane) = self.lane {
            write!(f, ", lane {lane}")?;
        }
        write!(f, ": expected {}, found {}", self.expected, self.actual)
    }
}

impl From<&Mismatch> for Written {
    fn from(m: &Mismatch) -> Self {
        let Mismatch { clause, or, op, lane, field, expected, actual, cycle, since } = m.clone();
        let or = or.iter().map(|clause| clause.id().to_owned()).collect();
        Written { clause: clause.id().to_owned(), or, op, lane, field, expected, actual, cycle, since }
    }
}

impl TryFrom<Written> for Mismatch {
    type Error = crate::clause::UnknownClause;

    fn try_from(written: Written) -> Result<Self, Self::Error> {
        let Written { clause, or, op, lane, field, expected, actual, cycle, since } = written;
        let or = or.iter().map(|clause| clause.parse()).collect::<Result<_, _>>()?;
        Ok(Mismatch { clause: clause.parse()?, or, op, lane, field, expected, actual, cycle, since })
    }
}

impl std::error::Error for Mismatch {}
