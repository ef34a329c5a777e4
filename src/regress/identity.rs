// SPDX-License-Identifier: MIT OR Apache-2.0
//! Identifies the campaign that a result belongs to. Results of different campaigns do not add up.

use serde::{Deserialize, Serialize};

use crate::{
    judge::{Promises, coverage::Coverage},
    op::{Shape, hex},
    sets::Isa,
};

/// The version of this program, which determines the operations.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Everything that the outcome of a campaign depends on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    /// The version of the program that ran it.
    pub version: String,
    /// The instruction set; `None` for all of them, in turn and together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub isa: Option<Isa>,
    /// The parameters of the unit.
    pub unit: Shape,
    /// The hash of the RTL's sources ([`crate::rtl::Sources`]).
    pub rtl: String,
    /// The active fault, for the copy with planted faults.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<u16>,
    /// What the unit promises.
    pub contract: Promises,
    /// The operations for each seed; `None` for as many as there was time for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operations: Option<u64>,
    /// Whether lines of the RTL are counted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lines: bool,
    /// The fingerprint of the table of bins ([`Coverage::fingerprint`]).
    pub bins: String,
    /// The seeds, ascending.
    pub seeds: Vec<Seed>,
}

/// A seed, written as people write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seed(#[serde(with = "hex")] pub u64);

impl Identity {
    /// The identity of a campaign of this program; `seeds` may be in any order.
    pub fn new(isa: Option<Isa>, unit: Shape, rtl: String, contract: Promises, seeds: &[u64]) -> Self {
        let mut seeds: Vec<Seed> = seeds.iter().copied().map(Seed).collect();
        seeds.sort();
        seeds.dedup();
        let bins = Coverage::new(&unit).fingerprint();
        let version = VERSION.to_owned();
        Identity { version, isa, unit, rtl, fault: None, contract, operations: None, lines: false, bins, seeds }
    }

    /// The unit, for people: its parameters, and the planted fault.
    pub fn unit_name(&self) -> String {
        unit_name(&self.unit, self.fault)
    }

    /// The first difference from another campaign: its name, and the values here and there.
    pub fn difference(&self, other: &Identity) -> Option<(&'static str, String, String)> {
        let isa = |identity: &Identity| identity.isa.map_or("all", Isa::name).to_owned();
        let number = |number: Option<u64>| number.map_or("by time".to_owned(), |number| number.to_string());
        let fault = |fault: Option<u16>| fault.map_or("none".to_owned(), |fault| fault.to_string());
        let contract = |identity: &Identity| serde_json::to_string(&identity.contract).unwrap_or_default();
        let rows = [
            ("version of gpu-lsu", self.version.clone(), other.version.clone()),
            ("instruction set", isa(self), isa(other)),
            ("unit", self.unit.to_string(), other.unit.to_string()),
            ("RTL", short(&self.rtl), short(&other.rtl)),
            ("planted fault", fault(self.fault), fault(other.fault)),
            ("contract", contract(self), contract(other)),
            ("seed", self.seeds_in_words(), other.seeds_in_words()),
            ("number of operations", number(self.operations), number(other.operations)),
            ("line coverage", self.lines.to_string(), other.lines.to_string()),
            ("table of bins", self.bins.clone(), other.bins.clone()),
        ];
        // Shortened values may look the same though they differ.
        let whole = || match self.rtl == other.rtl {
            true => ("list of seeds", self.seeds_in_words(), other.seeds_in_words()),
            false => ("RTL", self.rtl.clone(), other.rtl.clone()),
        };
        rows.into_iter().find(|(_, mine, theirs)| mine != theirs).or_else(|| (self != other).then(whole))
    }

    fn seeds_in_words(&self) -> String {
        match &self.seeds[..] {
            [seed] => format!("{:#x}", seed.0),
            seeds => format!("{} seeds", seeds.len()),
        }
    }

    /// An inconsistency, if there is one: a file may contain anything.
    pub(super) fn problem(&self) -> Option<String> {
        if self.seeds.is_empty() || self.seeds.windows(2).any(|pair| pair[0] >= pair[1]) {
            return Some("the seeds of a campaign are at least one, in ascending order".to_owned());
        }
        self.unit.problem()
    }
}

/// A unit, for people: its parameters, and the planted fault, if it is the copy that has some.
pub fn unit_name(unit: &Shape, fault: Option<u16>) -> String {
    unit.to_string() + &fault.map_or(String::new(), |fault| format!(", planted fault {fault}"))
}

/// The beginning of a hash, as reports show it.
fn short(hash: &str) -> String {
    hash.get(..16).unwrap_or(hash).to_owned()
}
