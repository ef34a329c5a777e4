// SPDX-License-Identifier: MIT OR Apache-2.0
//! The clause behind each value that a bench compares, as far as the bench itself can tell. The judge, given the
//! bench's wave, knows for certain.

use super::{Set, Vector};
use crate::{
    clause::{Clause, Page},
    model,
};

/// A clause for each value that is compared.
pub struct Fields(pub [Clause; 9]);

impl Fields {
    /// The values that are compared, in the order of the clauses.
    pub const NAMES: [&str; 9] =
        ["request", "address", "enable", "data", "attribute", "register", "lanes", "fault", "after"];

    /// The clauses of a vector.
    pub fn of(set: &Set, vector: &Vector) -> Fields {
        let op = &vector.issue.op;
        if !model::legal(op) {
            return Fields([Clause::ComIllegal; 9]);
        }
        let value = op.rule().value(op);
        let of_rule = |clause: &Clause| ![Page::Common, Page::Ports].contains(&clause.page());
        let address = lane_clauses(set, vector).into_iter().find(of_rule).unwrap_or(Clause::PortReq);
        let [request, attribute, lanes, fault] =
            [Clause::PortGroup, Clause::ComAttr, Clause::ComInactive, Clause::ComFault];
        Fields([request, address, address, value, attribute, value, lanes, fault, value])
    }
}

/// The clauses of all vectors without repetition; tables refer to them by their indices here.
pub fn used(set: &Set) -> Vec<Clause> {
    let mut used: Vec<Clause> = set.vectors.iter().flat_map(|vector| Fields::of(set, vector).0).collect();
    used.sort_unstable();
    used.dedup();
    used
}

/// The clauses that apply to the lanes of a vector, without repetition.
pub fn lane_clauses(set: &Set, vector: &Vector) -> Vec<Clause> {
    let crate::judge::log::Issue { op, lanes, .. } = &vector.issue;
    let ctrl = &set.segments[vector.segment];
    let mut all: Vec<Clause> = Vec::new();
    for lane in (lanes.active & set.shape.lane_mask()).iter() {
        for clause in model::trace(&set.shape, ctrl, op, lanes, lane).clauses {
            if !all.contains(&clause) {
                all.push(clause);
            }
        }
    }
    all
}
