// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a unit promises at its ports. This project's keeps every clause; somebody else's may leave some out, or take its
//! time.

use serde::{Deserialize, Serialize};

use crate::{clause::Clause, op::Shape};

/// Cycles without any handshake, while something is owed, that count as a hang (PORT-PROGRESS): more than the 32 that an
/// access of 32 lanes to one bank takes, and longer than any answer of the player's memory waits.
pub const HANG_CYCLES: u64 = 1200;

/// Clauses that a unit may leave out, and what is then not judged. All others are what the rest is compared by.
pub const OPTIONAL: &[(Clause, &str)] = &[
    (Clause::PortMin, "how often an operation asks for a line, and for its bytes"),
    (Clause::PortGroup, "in which order and groups an operation makes its requests"),
    (Clause::PortOrder, "in which order a warp's operations make their requests"),
    (Clause::PortHazard, "requests in flight together that share a byte"),
    (Clause::PortHold, "offers that change or go before they are taken"),
    (Clause::PortDone, "how late a completion comes"),
    (Clause::PortFair, "who waits how long for whom at the ports"),
    (Clause::PortRate, "the rate of requests and operations"),
    (Clause::PortBank, "the cycles of scratchpad accesses"),
    (Clause::ComAttr, "the attributes of requests"),
    (Clause::PtxSem, "what a release, relaxed and mmio accesses of PTX wait for"),
];

/// The promises of a unit; those that are not said are this project's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Promises {
    /// Clauses that it does not keep, of [`OPTIONAL`].
    #[serde(skip_serializing_if = "LeftOut::is_empty")]
    pub not_kept: LeftOut,
    /// Who acts first where Direct3D leaves it open.
    pub lane_order: LaneOrder,
    /// How long it may take.
    pub latency: Latency,
}

/// Parameters of a unit, as far as a contract states them.
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
    /// The shape with what is stated in place of what is not known.
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

/// Reads a contract, TOML (docs/contract.md): what a unit promises, and what is said of its parameters.
///
/// # Errors
///
/// When it says what no contract says; with line and column.
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

/// In which order the lanes of a compare-and-store act on one dword, and what becomes of a resource that one of them has
/// made undefined (SM5-ORDER, SM5-OOB-OFFSET, SM5-OOB-TGSM, SM5-ALIGN).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LaneOrder {
    /// As this project's unit: ascending, and nothing happens.
    #[default]
    Ascending,
    /// Any that Direct3D allows.
    Any,
}

/// Bounds, in clock cycles unless said otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Latency {
    /// From the last thing that a completion waits for to its offer, the done port being free (PORT-DONE).
    pub done: u64,
    /// Without any handshake, until a request is made that nothing holds (PORT-PROGRESS): as many as the lanes, that the
    /// stages on its way may take one by one.
    pub idle: u64,
    /// Without any handshake, while something is owed, until that counts as a hang (PORT-PROGRESS).
    pub hang: u64,
    /// Requests or completions of others that may go before one that is due (PORT-FAIR); without a number
    /// 2 * PENDING + 8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passed: Option<u32>,
    /// From the last thing that a request waits for to its offer, the memory port being free (PORT-FAIR); without a
    /// number 20 + WARPS.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waits: Option<u64>,
    /// From the value of what is written back to its offer, the port being free or used for what is there later
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
    /// Of this project's unit.
    pub const OURS: Promises = Promises {
        not_kept: LeftOut(0),
        lane_order: LaneOrder::Ascending,
        latency: Latency { done: 8, idle: 32, hang: HANG_CYCLES, passed: None, waits: None, beats: 20 },
    };

    /// Whether they are this project's.
    pub fn are_ours(&self) -> bool {
        *self == Promises::OURS
    }

    /// Whether the unit keeps a clause.
    #[inline]
    pub fn keeps(&self, clause: Clause) -> bool {
        self.not_kept == LeftOut(0) || !self.not_kept.contains(clause)
    }

    /// Whether an operation's requests may be others than the fewest, or come in another order.
    #[inline]
    pub fn loose(&self) -> bool {
        self.not_kept != LeftOut(0) && !(self.keeps(Clause::PortMin) && self.keeps(Clause::PortGroup))
    }

    /// Whether the unit may choose where Direct3D leaves a choice.
    #[inline]
    pub fn any_lane_order(&self) -> bool {
        self.lane_order == LaneOrder::Any
    }

    /// Requests or completions of others that may go before one that is due: every id that may hold a pair goes first
    /// once, and so does as often the queue of requests; a few for the way there.
    pub fn passed(&self, shape: &Shape) -> u32 {
        self.latency.passed.unwrap_or(2 * shape.pending as u32 + 8)
    }

    /// Free cycles from the last thing that a request waits for to its offer: those that others may take, the stages
    /// on its way, and one to look at what each other warp would send.
    #[inline]
    pub fn waits(&self, shape: &Shape) -> u64 {
        self.latency.waits.unwrap_or(20 + shape.warps as u64)
    }

    /// What is not judged of such a unit, in sentences.
    pub fn unjudged(&self) -> Vec<String> {
        let left_out = OPTIONAL.iter().filter(|(clause, _)| !self.keeps(*clause));
        let mut list: Vec<_> = left_out.map(|(clause, what)| format!("{what} ({clause}): the contract")).collect();
        if !self.keeps(Clause::PortHazard) {
            list.push(
                "which of a thread's own stores and loads in flight together memory comes to first (COM-OWN)"
                    .to_owned(),
            );
        }
        if self.loose() {
            list.push(
                "how late requests, and the beats and completions behind them, come (PORT-FAIR, PORT-PROGRESS), which \
                 needs the requests one by one"
                    .to_owned(),
            );
        }
        if self.loose() && self.keeps(Clause::PtxSem) {
            list.push(
                "what releases and mmio accesses of PTX wait for (PTX-SEM), which needs the requests one by one"
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

    /// Whether a clause is in it.
    pub fn contains(self, clause: Clause) -> bool {
        Self::place(clause).is_some_and(|place| self.0 >> place & 1 == 1)
    }

    /// Adds a clause.
    ///
    /// # Errors
    ///
    /// When no unit may leave it out: what would be right instead.
    pub fn insert(&mut self, clause: Clause) -> Result<(), String> {
        let Some(place) = Self::place(clause) else {
            let can: Vec<_> = OPTIONAL.iter().map(|(clause, _)| clause.id()).collect();
            return Err(format!(
                "{clause} cannot be left out: what is compared rests on it; these can: {}",
                can.join(", ")
            ));
        };
        self.0 |= 1 << place;
        Ok(())
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
            let clause: Clause = id.parse().map_err(serde::de::Error::custom)?;
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
                "PORT-WB cannot be left out: what is compared rests on it; these can: PORT-MIN, ",
            ),
            ("not_kept = [\"PORT-XY\"]", "unknown clause `PORT-XY`"),
            ("lane_order = \"none\"", "unknown variant `none`, expected `ascending` or `any`"),
            ("[latency]\ndoen = 3", "unknown field `doen`"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
    }
}
