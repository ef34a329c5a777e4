// SPDX-License-Identifier: MIT OR Apache-2.0
//! The promises of a unit at its ports. This project's unit keeps every clause; another unit may leave some out, or
//! take longer.

use serde::{Deserialize, Serialize};

use crate::{clause::Clause, op::Shape};

/// The number of cycles without a handshake, while something is owed, that counts as a hang (PORT-PROGRESS). It is
/// above the 32 cycles of an access of 32 lanes to one bank, and above every answer latency of the player's memory.
pub const HANG_CYCLES: u64 = 1200;

/// The clauses that a unit may leave out, and what is then not judged. The comparison itself rests on all the others.
pub const OPTIONAL: &[(Clause, &str)] = &[
    (
        Clause::PortMin,
        "how often an operation asks for a line, and for its bytes, and whose an error is where lanes have a byte in common",
    ),
    (
        Clause::PortGroup,
        "in which order an operation makes its requests, which lanes join in one, and the group that they name",
    ),
    (
        Clause::PortOrder,
        "in which order a warp's operations make their requests, and whether mmio ones wait for each other",
    ),
    (Clause::PortHazard, "requests in flight together that share a byte"),
    (Clause::PortHold, "offers that change or go before they are taken"),
    (Clause::PortDone, "how late a completion comes"),
    (Clause::PortFair, "who waits how long for whom at the ports"),
    (Clause::PortRate, "the rate of requests and operations, and how long a warp's requests wait together"),
    (Clause::PortBank, "the cycles of scratchpad accesses"),
    (Clause::ComAttr, "the attributes of requests"),
    (Clause::PtxSem, "what a release of PTX waits for, and whether strong elements are written whole"),
];

/// The promises of a unit. Those that are not stated are this project's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Promises {
    /// Clauses of [`OPTIONAL`] that the unit does not keep.
    #[serde(skip_serializing_if = "LeftOut::is_empty")]
    pub not_kept: LeftOut,
    /// The order of lanes where Direct3D leaves it open.
    pub lane_order: LaneOrder,
    /// The bounds on the unit's latency.
    pub latency: Latency,
}

/// The parameters of a unit that a contract states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stated {
    pub lanes: Option<usize>,
    pub line_bytes: Option<usize>,
    pub warps: Option<usize>,
    pub pending: Option<usize>,
    pub shared_bytes: Option<usize>,
}

impl Stated {
    /// `shape`, with the stated parameters replaced.
    pub fn over(&self, shape: Shape) -> Shape {
        Shape {
            lanes: self.lanes.unwrap_or(shape.lanes),
            line_bytes: self.line_bytes.unwrap_or(shape.line_bytes),
            warps: self.warps.unwrap_or(shape.warps),
            pending: self.pending.unwrap_or(shape.pending),
            shared_bytes: self.shared_bytes.unwrap_or(shape.shared_bytes),
        }
    }
}

/// Reads a contract, TOML (docs/contract.md): the promises of a unit, and the parameters that it states.
///
/// # Errors
///
/// An entry that no contract has, with line and column.
pub fn read(text: &str) -> Result<(Promises, Stated), toml::de::Error> {
    #[derive(Default, Deserialize)]
    #[serde(deny_unknown_fields, default)]
    struct File {
        unit: Stated,
        not_kept: LeftOut,
        lane_order: LaneOrder,
        latency: Latency,
    }

    let File { unit, not_kept, lane_order, latency } = toml::from_str(text)?;
    Ok((Promises { not_kept, lane_order, latency }, unit))
}

/// The order in which the lanes of a compare-and-store act on one dword, which of the lanes that store to one byte is the
/// last, and the fate of a resource that a lane has made undefined (SM5-ORDER, COM-SAMEADDR, SM5-OOB-OFFSET,
/// SM5-OOB-TGSM, SM5-ALIGN).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LaneOrder {
    /// As in this project's unit: lanes act in ascending order, the highest one is the last, and nothing happens to an
    /// undefined resource.
    #[default]
    Ascending,
    /// Any order, any last lane, and any fate, that the sources allow.
    Any,
}

/// Bounds, in clock cycles unless said otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Latency {
    /// From the last event that a completion waits for to its offer, while the done port is free (PORT-DONE).
    pub done: u64,
    /// Without any handshake, until a request that nothing holds up is made (PORT-PROGRESS): one for each of 32 lanes,
    /// which the stages on its way may take one by one.
    pub idle: u64,
    /// Without any handshake, while something is owed, until the silence counts as a hang (PORT-PROGRESS).
    pub hang: u64,
    /// The number of others that may go before what is due (PORT-FAIR): completions before a completion, requests
    /// before a half of a pair, and groups of one other warp before a request, if that is more than `waits` and 8. If
    /// absent, it is 2 * PENDING + 8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passed: Option<u32>,
    /// From the last event that a request waits for to its offer, while the memory port is free: 8 cycles for others,
    /// 12 for the stages on its way; also for all requests of a warp together, until the next answer (PORT-FAIR).
    pub waits: u64,
    /// From the value of a beat to its offer, in cycles in which the port is free or carries values that came later
    /// (PORT-FAIR).
    pub beats: u64,
}

/// A set of clauses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut(u16);

impl Default for Promises {
    fn default() -> Self {
        Promises::OURS
    }
}

impl Default for Latency {
    fn default() -> Self {
        Promises::OURS.latency
    }
}

impl Promises {
    /// The promises of this project's unit.
    pub const OURS: Promises = Promises {
        not_kept: LeftOut(0),
        lane_order: LaneOrder::Ascending,
        latency: Latency { done: 8, idle: 32, hang: HANG_CYCLES, passed: None, waits: 20, beats: 20 },
    };

    /// Whether the promises are those of this project's unit.
    pub fn are_ours(&self) -> bool {
        *self == Promises::OURS
    }

    /// Whether the unit keeps a clause.
    #[inline]
    pub fn keeps(&self, clause: Clause) -> bool {
        self.not_kept == LeftOut(0) || !self.not_kept.contains(clause)
    }

    /// Whether an operation may make more requests than the fewest, or make them in another order.
    #[inline]
    pub fn loose(&self) -> bool {
        self.not_kept != LeftOut(0) && !(self.keeps(Clause::PortMin) && self.keeps(Clause::PortGroup))
    }

    /// Whether the unit may choose where Direct3D leaves a choice.
    #[inline]
    pub fn any_lane_order(&self) -> bool {
        self.lane_order == LaneOrder::Any
    }

    /// The number of requests or completions of others that may go before one that is due. Every id that may hold a
    /// pair goes first once, and the queue of requests goes first as often; a few more are for the way there.
    pub fn passed(&self, shape: &Shape) -> u32 {
        self.latency.passed.unwrap_or(2 * shape.pending as u32 + 8)
    }

    /// What is not judged of a unit with these promises, in sentences.
    pub fn unjudged(&self) -> Vec<String> {
        let left_out = OPTIONAL.iter().filter(|(clause, _)| !self.keeps(*clause));
        let mut list: Vec<_> = left_out.map(|(clause, what)| format!("{what} ({clause}): the contract")).collect();
        if self.any_lane_order() {
            list.push(
                "in which order lanes of a compare-and-store come, or lanes that store to one byte, and what becomes of \
                 a resource that a compare-and-store makes undefined (SM5-ORDER, COM-SAMEADDR, SM5-ALIGN, \
                 SM5-OOB-OFFSET, SM5-OOB-TGSM): all that the sources allow agrees"
                    .to_owned(),
            );
        }
        if !self.keeps(Clause::PortHazard) {
            list.push(
                "which of a thread's own stores and loads, and of a burst's GPRs, in flight together memory comes to \
                 first (COM-OWN, R700-ELEM)"
                    .to_owned(),
            );
        }
        let apart = [Clause::PortOrder, Clause::PortHazard, Clause::PortMin, Clause::PortGroup];
        if apart.iter().any(|&clause| !self.keeps(clause)) {
            list.push(
                "in which order the bursts of a thread come to memory where they access one byte (COM-OWN, R700-RAW)"
                    .to_owned(),
            );
        }
        if self.loose() {
            list.push(
                "how late requests come (PORT-FAIR, PORT-PROGRESS), which needs the requests one by one".to_owned(),
            );
            list.push("whether lanes that lie in one line are written back together (PORT-WB)".to_owned());
        }
        if self.loose() && self.keeps(Clause::PtxSem) {
            list.push(
                "what releases of PTX wait for in the scratchpad (PTX-SEM), which needs the requests one by one"
                    .to_owned(),
            );
        }
        list
    }
}

impl LeftOut {
    fn place(clause: Clause) -> Option<usize> {
        OPTIONAL.iter().position(|&(optional, _)| optional == clause)
    }

    /// Whether the set contains a clause.
    pub fn contains(self, clause: Clause) -> bool {
        Self::place(clause).is_some_and(|place| self.0 >> place & 1 == 1)
    }

    /// Adds a clause.
    ///
    /// # Errors
    ///
    /// A clause that no unit may leave out; the message lists those that one may.
    pub fn insert(&mut self, clause: Clause) -> Result<(), String> {
        let Some(place) = Self::place(clause) else {
            return Err(format!("{clause} cannot be left out: what is compared rests on it; {}", Self::can()));
        };
        self.0 |= 1 << place;
        Ok(())
    }

    /// The clauses that may be left out, for messages.
    fn can() -> String {
        let can: Vec<_> = OPTIONAL.iter().map(|(clause, _)| clause.id()).collect();
        format!("these can be left out: {}", can.join(", "))
    }

    fn is_empty(&self) -> bool {
        self.0 == 0
    }

    fn iter(self) -> impl Iterator<Item = Clause> {
        OPTIONAL.iter().map(|&(clause, _)| clause).filter(move |&clause| self.contains(clause))
    }
}

impl Serialize for LeftOut {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(Clause::id))
    }
}

impl<'de> Deserialize<'de> for LeftOut {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut set = LeftOut::default();
        for id in Vec::<String>::deserialize(deserializer)? {
            let unknown = |error| serde::de::Error::custom(format!("{error}; {}", Self::can()));
            let clause: Clause = id.parse().map_err(unknown)?;
            set.insert(clause).map_err(serde::de::Error::custom)?;
        }
        Ok(set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_said_is_ours() {
        let read = |text: &str| toml::from_str::<Promises>(text);
        assert_eq!(read(""), Ok(Promises::OURS));
        let other = read("not_kept = [\"PORT-RATE\", \"PORT-MIN\"]\n[latency]\ndone = 20\n").unwrap();
        assert_eq!(other.latency, Latency { done: 20, ..Latency::default() });
        assert!(!other.keeps(Clause::PortMin) && !other.keeps(Clause::PortRate) && other.keeps(Clause::PortBank));
        assert!(other.loose() && other.keeps(Clause::PortWb));
        let text = toml::to_string(&other).unwrap();
        assert_eq!(read(&text), Ok(other));
        for (text, why) in [
            (
                "not_kept = [\"PORT-WB\"]",
                "PORT-WB cannot be left out: what is compared rests on it; these can be left out: PORT-MIN, ",
            ),
            ("not_kept = [\"PORT-XY\"]", "unknown clause `PORT-XY`; these can be left out: PORT-MIN, "),
            ("lane_order = \"none\"", "unknown variant `none`, expected `ascending` or `any`"),
            ("[latency]\ndoen = 3", "unknown field `doen`"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
    }
}
