// SPDX-License-Identifier: MIT OR Apache-2.0
//! Chooses the operations of a campaign that become vectors: those that together have the most bins.

use std::{
    cmp::Reverse,
    collections::BinaryHeap,
    sync::atomic::{AtomicBool, Ordering},
};

use super::{expect::Builder, judged};
use crate::{
    cosim::{case::Case, stimulus},
    judge::{Mismatch, coverage::Bits},
    op::Shape,
    sets::Isa,
};

/// The number of operations in a candidate, which has control registers of its own.
const OPERATIONS: u64 = 8;
/// The number of candidates examined for each one that is wanted.
const CHOICE: u64 = 6;
/// The least and the largest number of candidates.
const CANDIDATES: std::ops::RangeInclusive<u64> = 96..=8192;

/// A part of a campaign, and the bins that it hits.
struct Candidate {
    case: Case,
    bins: Bits,
}

/// Chooses cases with `operations` operations together from the campaign `seed`: of the candidates, those that add the
/// most bins, each in view of those before it.
///
/// Once `stop` is set, chooses among the candidates examined so far.
///
/// # Errors
///
/// The first contradiction between an expectation and a clause, which is a defect of this program.
pub fn cases(
    isa: Option<Isa>,
    seed: u64,
    operations: u64,
    shape: &Shape,
    stop: &AtomicBool,
) -> Result<Vec<Case>, Box<Mismatch>> {
    let wanted = operations.div_ceil(OPERATIONS);
    let count = (CHOICE * wanted).clamp(*CANDIDATES.start(), *CANDIDATES.end()).max(wanted);
    let mut candidates = Vec::new();
    for number in (0..).filter(|number| !stimulus::is_directed(isa, *number)).take(count as usize) {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let case = stimulus::block(isa, seed, number, shape, OPERATIONS).case;
        let mut builder = Builder::new(*shape);
        builder.add(&case);
        let bins = judged::judge(&builder.finish())?.bits();
        candidates.push(Candidate { case, bins });
    }
    let order = order(&candidates, wanted as usize);
    let mut chosen: Vec<Option<Case>> = candidates.into_iter().map(|candidate| Some(candidate.case)).collect();
    let mut left = operations as usize;
    let cases = order.into_iter().filter_map(|number| chosen[number].take()).map(|mut case| {
        case.leave_out(left.min(case.issues.len())..case.issues.len());
        left -= case.issues.len();
        case
    });
    Ok(cases.filter(|case| !case.issues.is_empty()).collect())
}

/// Orders the candidates greedily by the number of bins that they add. The gain of a candidate never grows, so one
/// whose last known gain is not the best need not be evaluated again.
fn order(candidates: &[Candidate], wanted: usize) -> Vec<usize> {
    let Some(first) = candidates.first() else { return Vec::new() };
    let mut covered = first.bins.none();
    let gain = |number: usize, covered: &Bits| candidates[number].bins.beyond(covered);
    let mut heap: BinaryHeap<_> =
        (0..candidates.len()).map(|number| (gain(number, &covered), Reverse(number))).collect();
    let mut order = Vec::new();
    while let Some((known, Reverse(number))) = heap.pop().filter(|_| order.len() < wanted) {
        let now = gain(number, &covered);
        if now < known {
            heap.push((now, Reverse(number)));
            continue;
        }
        covered.add(&candidates[number].bins);
        order.push(number);
    }
    order
}
