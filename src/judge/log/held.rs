// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the parts of a unit report about themselves when a log ends in a hang. rtl/lsu_holders.sv prints it; another
//! unit may print the same.

use serde::{Deserialize, Serialize};

use super::Log;

/// The most parts that are named in a report.
const NAMED: usize = 4;

/// An operation that a part of the unit has not passed on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Held {
    /// The name of the part.
    pub by: String,
    /// The operation's tag.
    pub tag: u8,
    /// The reason for which the operation waits.
    pub why: String,
}

impl Held {
    /// Parses a line of the RTL, `held by PART tag TAG: why`; none if it is another line.
    pub fn parse(line: &str) -> Option<Self> {
        let (head, why) = line.strip_prefix("held by ")?.split_once(": ")?;
        let (by, tag) = head.split_once(" tag ")?;
        let tag = u8::from_str_radix(tag, 16).ok()?;
        Some(Held { by: by.to_owned(), tag, why: why.trim_end().to_owned() })
    }
}

impl Log {
    /// Describes which parts of the unit hold the operation with a tag as the log ends, if they report it, each with
    /// its first report. That operation may wait for another one, so parts that hold only others follow.
    pub fn held_by(&self, tag: Option<u8>) -> String {
        let (own, others): (Vec<_>, Vec<_>) = self.held().iter().partition(|held| Some(held.tag) == tag);
        let mut named: Vec<&Held> = Vec::new();
        for held in own.into_iter().chain(others) {
            if named.len() < NAMED && named.iter().all(|named| named.by != held.by) {
                named.push(held);
            }
        }
        let named = named.into_iter().map(|held| match Some(held.tag) == tag {
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

    #[test]
    fn a_part_is_named_once_and_the_operations_own_first() {
        let mut log = Log::default();
        for line in [
            "held by lsu_pending tag 02: the pair with id 3 is not over",
            "held by lsu_pending tag 05: no id is free for its request",
            "held by lsu_order tag 01: its request waits for its turn",
            "held by lsu_order tag 01: its request waits for its turn",
        ] {
            log.holds(Held::parse(line).unwrap());
        }
        let pair = "held by lsu_pending: the pair with id 3 is not over";
        let turn = "held by lsu_order: its request waits for its turn";
        assert_eq!(log.held_by(Some(1)), format!("; {turn}; {pair}, of tag 0x02"));
        assert_eq!(log.held_by(Some(2)), format!("; {pair}; {turn}, of tag 0x01"));
        assert_eq!(log.held_by(None), format!("; {pair}, of tag 0x02; {turn}, of tag 0x01"));
        assert_eq!(Log::default().held_by(Some(1)), "");
    }
}
