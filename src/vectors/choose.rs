// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which operations of a campaign become vectors: those that together have the most bins.

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

/// Operations of a candidate: it has control registers of its own.
const OPERATIONS: u64 = 8;
/// So many times what is asked for is looked at.
const CHOICE: u64 = 6;
/// But at least so many candidates, and at most.
const CANDIDATES: std::ops::RangeInclusive<u64> = 96..=8192;

/// A part of a campaign, and the bins that it has.
struct Candidate {
    case: Case,
    bins: Bits,
}

/// The cases that have so many operations of the campaign `seed`: of those that were looked at the ones that add most, each
/// in view of those before it.
///
/// Those that were found until `stop` was set.
///
/// # Errors
///
/// What is expected of an operation contradicts a clause: a defect of this program.
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

/// The candidates that together have the most bins, as far as taking the best next one finds them. What a candidate adds
/// never grows, so that one whose last known gain is not the best need not be looked at again.
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
