// SPDX-License-Identifier: MIT OR Apache-2.0
//! The links of a trail, by the names that reports give them.

use std::fmt;

use serde::Serialize;

use super::Trail;
use crate::{
    judge::log::text,
    op::{ReqKind, hex},
};

/// An operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OpName {
    /// Its index in the log, from 0.
    pub index: usize,
    pub warp: u8,
    pub tag: u8,
    /// The cycle in which the unit took it.
    pub accepted: u64,
    /// What it does, in the words of its instruction set.
    pub text: String,
}

/// The author of a write.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Author {
    Operation(OpName),
    /// Another master.
    Foreign,
    /// The unit, for no operation in flight.
    Stranger {
        warp: u8,
        tag: u8,
    },
}

/// The origin of a lane's byte.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Origin {
    pub lane: usize,
    /// The register's index in the operation; for a compare-and-store 1, its new value.
    pub register: usize,
    /// The number of the data beat that brought it (PORT-DATA).
    pub beat: usize,
    /// The byte of the register; 0 is the lowest.
    pub byte: usize,
}

/// A request of the unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RequestName {
    /// Its index among the log's requests, from 0.
    pub number: u32,
    pub id: u8,
    /// The cycle in which memory took it.
    pub cycle: u64,
    pub kind: String,
    #[serde(with = "hex")]
    pub line: u64,
    /// Its first answer, if there is one.
    pub answer: Option<Answer>,
}

/// The first answer to a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Answer {
    pub cycle: u64,
    pub error: bool,
    pub exclusive_failed: bool,
}

impl Trail<'_> {
    /// The name of an operation of the log.
    pub fn name(&self, index: usize) -> OpName {
        let issue = &self.record.log.issues()[index];
        let accepted = self.works[index].accepted;
        OpName { index, warp: issue.op.warp & 7, tag: issue.op.tag, accepted, text: text(issue) }
    }

    pub(super) fn request_name(&self, number: u32) -> RequestName {
        let (seen, asked) = (self.record.log.requested(number), &self.asked[number as usize]);
        let answer = asked.answers.first().map(|&(cycle, response)| {
            let response = self.record.log.responded(response);
            Answer { cycle, error: response.error, exclusive_failed: response.exclusive_failed && seen.is_pair() }
        });
        let kind = kind(seen.kind);
        RequestName { number, id: seen.id, cycle: asked.cycle, kind, line: seen.line, answer }
    }
}

/// A request of a kind, in words with an article.
pub(super) fn one(code: u8) -> String {
    let article = if [ReqKind::Read as u8, ReqKind::Write as u8].contains(&code) { "a" } else { "an" };
    match ReqKind::from_code(code) {
        Some(_) => format!("{article} {}", kind(code)),
        None => format!("a {}", kind(code)),
    }
}

/// The kind of a request, in words.
pub(super) fn kind(code: u8) -> String {
    match ReqKind::from_code(code) {
        Some(ReqKind::Read) => "read".to_owned(),
        Some(ReqKind::Write) => "write".to_owned(),
        Some(ReqKind::ReadExclusive) => "exclusive read".to_owned(),
        Some(ReqKind::WriteExclusive) => "exclusive write".to_owned(),
        None => format!("request of kind {code}"),
    }
}

impl fmt::Display for OpName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OpName { index, warp, tag, accepted, text } = self;
        write!(f, "operation {index} (warp {warp}, tag {tag:#04x}, taken in cycle {accepted}): {text}")
    }
}

impl fmt::Display for Author {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Author::Operation(name) => name.fmt(f),
            Author::Foreign => f.write_str("another master"),
            Author::Stranger { warp, tag } => {
                write!(f, "the unit, for warp {warp}, tag {tag:#04x}, which is no operation in flight")
            }
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Origin { lane, register, beat, byte } = self;
        write!(f, "lane {lane}, register {register} (data beat {beat}), byte {byte}")
    }
}

impl fmt::Display for RequestName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RequestName { id, cycle, kind, line, answer, .. } = self;
        write!(f, "{kind} of line {line:#x} with id {id} in cycle {cycle}, ")?;
        match answer {
            None => f.write_str("not answered"),
            Some(answer) => {
                let how = match (answer.error, answer.exclusive_failed) {
                    (true, _) => " with an error",
                    (_, true) => ": the reservation was lost",
                    _ => "",
                };
                write!(f, "answered in cycle {}{how}", answer.cycle)
            }
        }
    }
}
