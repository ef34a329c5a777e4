// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the parts of a unit say of themselves where a log ends in a hang: rtl/lsu_holders.sv prints it, and who knows
//! another unit's insides may write the same.

use serde::{Deserialize, Serialize};

use super::Log;

/// Parts that are named in a report.
const NAMED: usize = 3;

/// A part of the unit that has not passed on an operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Held {
    /// The part.
    pub by: String,
    /// The operation's tag.
    pub tag: u8,
    /// What it waits for.
    pub why: String,
}

impl Held {
    /// A line of the RTL, `held by PART tag TAG: why`, if it is one.
    pub fn parse(line: &str) -> Option<Self> {
        let (head, why) = line.strip_prefix("held by ")?.split_once(": ")?;
        let (by, tag) = head.split_once(" tag ")?;
        let tag = u8::from_str_radix(tag, 16).ok()?;
        Some(Held { by: by.to_owned(), tag, why: why.trim_end().to_owned() })
    }
}

impl Log {
    /// Which parts of the unit hold the operation with a tag as the log ends, if they say so; if none holds this one, which
    /// hold others.
    pub fn held_by(&self, tag: Option<u8>) -> String {
        let mut held: Vec<_> = self.held().iter().filter(|held| Some(held.tag) == tag).collect();
        if held.is_empty() {
            held.extend(self.held());
        }
        let named = held.iter().take(NAMED).map(|held| match Some(held.tag) == tag {
            true => format!("; held by {}: {}", held.by, held.why),
            false => format!("; held by {}: {}, of tag {:#04x}", held.by, held.why, held.tag),
        });
        named.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_names_part_tag_and_reason() {
        let held = |by: &str, tag, why: &str| Some(Held { by: by.to_owned(), tag, why: why.to_owned() });
        assert_eq!(Held::parse("held by lsu_order tag 1f: it waits: 3\n"), held("lsu_order", 0x1f, "it waits: 3"));
        for other in ["", "held by lsu_order", "held by lsu_order: why", "held by lsu_order tag 1g: why", "coverage: 3"]
        {
            assert_eq!(Held::parse(other), None, "{other}");
        }
    }
}
