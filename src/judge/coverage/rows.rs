// SPDX-License-Identifier: MIT OR Apache-2.0
//! Coverage in reports: a row for each clause, and the set of bins that were hit at all.

use super::{Axis, Bits, Coverage};
use crate::{clause::Page, op::Rule};

/// One clause in a report.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Row {
    /// The address rule.
    #[serde(rename = "isa")]
    pub rule: Rule,
    /// The id of the clause.
    pub clause: String,
    /// Bins that can be hit.
    pub bins: usize,
    /// Bins that were hit.
    pub hit: usize,
    /// The sum of all hits.
    pub hits: u64,
    /// The bins that were not hit.
    pub empty: Vec<String>,
    /// Every bin that can be hit, and its hits.
    #[serde(skip)]
    pub each: Vec<(String, u64)>,
}

impl Coverage {
    /// The bins that were hit.
    pub fn all_bits(&self) -> Bits {
        let mut bits = Bits::new(self.hits.len());
        (0..self.hits.len()).filter(|&bin| self.hits[bin] > 0).for_each(|bin| bits.insert(bin));
        bits
    }

    /// The bins that were hit, of clauses about operations. Bins of clauses about ports depend on the player.
    pub fn bits(&self) -> Bits {
        let mut bits = Bits::new(self.hits.len());
        for axis in self.axes.iter().filter(|axis| axis.clause.page() != Page::Ports) {
            let count: usize = axis.dimensions.iter().map(|dimension| dimension.len()).product();
            (axis.first..axis.first + count).filter(|&bin| self.hits[bin] > 0).for_each(|bin| bits.insert(bin));
        }
        bits
    }

    /// A row for each clause of `rule`, or of all rules.
    pub fn rows(&self, rule: Option<Rule>) -> Vec<Row> {
        let row = |axis: &Axis| {
            let count = axis.dimensions.iter().map(|dimension| dimension.len()).product();
            let mut row = Row {
                rule: axis.rule,
                clause: axis.clause.id().to_owned(),
                bins: 0,
                hit: 0,
                hits: 0,
                empty: Vec::new(),
                each: Vec::new(),
            };
            for bin in 0..count {
                let at = axis.at(bin);
                if axis.is_unreachable(&self.shape, &at) {
                    continue;
                }
                let hits = self.hits[axis.first + bin];
                row.bins += 1;
                row.hits += hits;
                let names: Vec<&str> =
                    at.iter().zip(axis.dimensions).map(|(&index, dimension)| dimension[index]).collect();
                let name = names.join(", ");
                if hits > 0 {
                    row.hit += 1;
                } else {
                    row.empty.push(name.clone());
                }
                row.each.push((name, hits));
            }
            row
        };
        self.axes.iter().filter(|axis| rule.is_none_or(|rule| rule == axis.rule)).map(row).collect()
    }
}
