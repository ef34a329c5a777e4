// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which seeds are worth keeping: a small set that hits every bin that all of them hit.
//!
//! The seeds that alone hit a bin are in every such set. What they leave goes to whichever seed hits most of it, seed by
//! seed; then those are dropped whose bins others hit as well. Sets that are smaller still may exist, but none smaller
//! than [`Ranking::least`].

use super::{identity::Seed, results::Results};
use crate::judge::coverage::Bits;

/// Seeds worth keeping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranking {
    /// The seeds in the order of what they add: each, and how many bins it hits that none before it hits.
    pub kept: Vec<(Seed, usize)>,
    /// Bins that all seeds hit together, and the kept ones.
    pub bins: usize,
    /// No set of seeds with the same bins is smaller than this.
    pub least: usize,
}

impl Ranking {
    /// Of the seeds of a campaign; of one seed, that one.
    pub fn of(results: &Results) -> Self {
        let wanted = results.bins();
        let seeds = &results.campaign.seeds;
        let alone = [results.coverage.all_bits()];
        let each = if results.seeds.len() == seeds.len() { &results.seeds[..] } else { &alone[..] };
        let each: Vec<Bits> = each.iter().map(|bits| bits.among(&wanted)).collect();
        let chosen = chosen(&each);
        let least = least(&each, &chosen);
        let mut hit = wanted.none();
        let mut left = chosen;
        let mut kept = Vec::new();
        // Those that add most come first: whoever has less time keeps the beginning.
        while let Some(place) = most(&each, &left, &hit) {
            let which = left.remove(place);
            kept.push((seeds[which], each[which].beyond(&hit)));
            hit.add(&each[which]);
        }
        Ranking { kept, bins: hit.count(), least }
    }
}

/// The place in `among` of the set that adds most to `hit`; of equal ones the first.
fn most(each: &[Bits], among: &[usize], hit: &Bits) -> Option<usize> {
    (0..among.len()).max_by_key(|&place| (each[among[place]].beyond(hit), std::cmp::Reverse(place)))
}

/// Sets that together have the bins of all, without one that could go.
fn chosen(each: &[Bits]) -> Vec<usize> {
    let Some(first) = each.first() else { return Vec::new() };
    let mut chosen = alone(each);
    let mut hit = first.none();
    chosen.iter().for_each(|&which| hit.add(&each[which]));
    let mut others: Vec<usize> = (0..each.len()).filter(|which| !chosen.contains(which)).collect();
    while let Some(place) = most(each, &others, &hit) {
        let which = others.remove(place);
        if each[which].beyond(&hit) == 0 {
            break;
        }
        hit.add(&each[which]);
        chosen.push(which);
    }
    // What was taken early may be in what was taken late.
    for place in (0..chosen.len()).rev() {
        let mut rest = first.none();
        (0..chosen.len()).filter(|&other| other != place).for_each(|other| rest.add(&each[chosen[other]]));
        if each[chosen[place]].beyond(&rest) == 0 {
            chosen.remove(place);
        }
    }
    chosen
}

/// The sets that have a bin that no other has.
fn alone(each: &[Bits]) -> Vec<usize> {
    let Some(first) = each.first() else { return Vec::new() };
    let (mut once, mut twice) = (first.none(), first.none());
    for bits in each {
        let mut again = bits.clone();
        again.keep(&once);
        twice.add(&again);
        once.add(bits);
    }
    (0..each.len()).filter(|&which| each[which].minus(&twice).count() > 0).collect()
}

/// A number of sets that no choice goes below: those that are alone with a bin, and what the largest of the others would
/// need at least for what is left.
fn least(each: &[Bits], chosen: &[usize]) -> usize {
    let Some(first) = each.first() else { return 0 };
    let must = alone(each);
    let (mut hit, mut all) = (first.none(), first.none());
    must.iter().for_each(|&which| hit.add(&each[which]));
    each.iter().for_each(|bits| all.add(bits));
    let left = all.beyond(&hit);
    let largest = each.iter().map(|bits| bits.beyond(&hit)).max().unwrap_or(0);
    let more = if largest == 0 { 0 } else { left.div_ceil(largest) };
    (must.len() + more).min(chosen.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sets(bins: usize, sets: &[&[usize]]) -> Vec<Bits> {
        let word = |set: &&[usize]| set.iter().fold(0u64, |word, bin| word | 1 << bin);
        sets.iter().map(|set| Bits::from_hex(&format!("{:016x}", word(set)), bins).unwrap()).collect()
    }

    #[test]
    fn every_bin_is_kept_and_nothing_is_left_over() {
        // Greedy takes the first, of which the two others leave nothing.
        let each = sets(6, &[&[1, 2, 3, 4], &[0, 1, 2], &[3, 4, 5]]);
        assert_eq!(chosen(&each), [1, 2]);
        assert_eq!(least(&each, &chosen(&each)), 2);
        let each = sets(3, &[&[0], &[0, 1], &[1, 2], &[0, 2]]);
        assert_eq!((chosen(&each).len(), least(&each, &chosen(&each))), (2, 2));
        assert_eq!(chosen(&sets(2, &[&[], &[]])), [0usize; 0]);
    }

    /// Against every choice of up to ten sets: all bins, no smaller set than the bound says, and none left that could go.
    #[test]
    fn small_cases_are_looked_at_exhaustively() {
        let mut word = 0x9e37_79b9_7f4a_7c15u64;
        for _ in 0..200 {
            let each: Vec<Bits> = (0..8)
                .map(|_| {
                    word ^= word << 13;
                    word ^= word >> 7;
                    word ^= word << 17;
                    Bits::from_hex(&format!("{:016x}", word & word >> 20 & 0xfff), 12).unwrap()
                })
                .collect();
            let union = |which: u32| {
                let mut all = each[0].none();
                (0..8).filter(|place| which >> place & 1 == 1).for_each(|place| all.add(&each[place]));
                all
            };
            let best = (0..256u32).filter(|&which| union(which) == union(255)).map(u32::count_ones).min().unwrap();
            let chosen = chosen(&each);
            let mask = chosen.iter().fold(0, |mask, which| mask | 1 << which);
            assert_eq!(union(mask), union(255));
            assert!(chosen.iter().all(|which| union(mask & !(1 << which)) != union(255)));
            assert!(least(&each, &chosen) <= best as usize && best as usize <= chosen.len());
        }
    }
}
