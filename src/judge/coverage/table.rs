// SPDX-License-Identifier: MIT OR Apache-2.0
//! The bins as a table that another program can read, if it has the same table.

use hmac_sha256::Hash;

use super::{Bits, Coverage};
use crate::{clause::Clause, op::Rule};

impl Coverage {
    /// Identifies the table of bins: rules, clauses and dimensions in their order. Hits of another table have another
    /// meaning.
    pub fn fingerprint(&self) -> String {
        let mut hash = Hash::new();
        for axis in &self.axes {
            hash.update(format!("{} {} {:?}\n", axis.rule, axis.clause, axis.dimensions));
        }
        hash.finalize()[..8].iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The hits of each clause that has any, bin by bin in table order.
    pub fn hits(&self) -> impl Iterator<Item = (Rule, Clause, &[u64])> {
        let rows = self.axes.iter().map(|axis| {
            let count: usize = axis.dimensions.iter().map(|dimension| dimension.len()).product();
            (axis.rule, axis.clause, &self.hits[axis.first..axis.first + count])
        });
        rows.filter(|(_, _, hits)| hits.iter().any(|&count| count > 0))
    }

    /// Adds hits of a clause. Returns whether the table has such a row.
    pub fn add(&mut self, rule: Rule, clause: Clause, hits: &[u64]) -> bool {
        let Some(axis) = self.axes.iter().find(|axis| axis.rule == rule && axis.clause == clause) else { return false };
        let count: usize = axis.dimensions.iter().map(|dimension| dimension.len()).product();
        if hits.len() != count {
            return false;
        }
        let mine = &mut self.hits[axis.first..axis.first + count];
        mine.iter_mut().zip(hits).for_each(|(mine, theirs)| *mine = mine.saturating_add(*theirs));
        true
    }

    /// The bins that can be hit: those that [`Coverage::rows`] of `rule` has, of clauses that `kept` accepts.
    pub fn reachable(&self, rule: Option<Rule>, kept: impl Fn(Clause) -> bool) -> Bits {
        let mut bits = Bits::new(self.hits.len());
        for axis in self.axes.iter().filter(|axis| rule.is_none_or(|rule| rule == axis.rule) && kept(axis.clause)) {
            let count: usize = axis.dimensions.iter().map(|dimension| dimension.len()).product();
            for bin in 0..count {
                if !axis.is_unreachable(&self.shape, &axis.at(bin)) {
                    bits.insert(axis.first + bin);
                }
            }
        }
        bits
    }
}
