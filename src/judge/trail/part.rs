// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where unit and model part: the first link of the chain that differs.

use std::fmt;

use serde::Serialize;

/// A link of the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Link {
    /// The operation to which the access belongs.
    Operation,
    /// The line of a lane's access.
    Address,
    /// Whether a lane has the byte: byte enables, clamps, faults, lanes of one address.
    Lane,
    /// Whether the request is made, and its kind.
    Request,
    /// What is stored, and from which register.
    Data,
    /// What a compare-and-store finds.
    Compare,
    /// What is made of memory's answer.
    Value,
    /// Whether and when it is written back.
    Beat,
}

impl Link {
    /// The link in words.
    pub fn name(self) -> &'static str {
        match self {
            Link::Operation => "operation",
            Link::Address => "address",
            Link::Lane => "lane",
            Link::Request => "request",
            Link::Data => "store data",
            Link::Compare => "comparison",
            Link::Value => "value",
            Link::Beat => "write-back",
        }
    }
}

/// The link at which unit and model part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Part {
    pub link: Link,
    /// The operation whose link it is, by its index in the log.
    pub operation: Option<usize>,
    /// What the model has there, and what the unit has.
    pub text: String,
    /// The broken rule, if the judge finds this operation at fault.
    pub clause: Option<String>,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.link.name(), self.text)?;
        match &self.clause {
            Some(clause) => write!(f, " ({clause})"),
            None => Ok(()),
        }
    }
}

impl super::Trail<'_> {
    pub(super) fn part(&self, link: Link, operation: Option<usize>, text: impl Into<String>) -> Part {
        let verdict = self.verdict.filter(|mismatch| operation.is_some() && mismatch.op == operation);
        Part { link, operation, text: text.into(), clause: verdict.map(|mismatch| mismatch.names()) }
    }
}
