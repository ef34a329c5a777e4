// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which seeds are worth keeping: a small set of seeds that hits every bin that all of them hit.
//!
//! A seed that alone hits a bin is in every such set. Of the other bins, the seed that hits the most is added, again
//! and again; then the seeds are dropped whose bins others hit as well. A smaller set may exist, but none smaller than
//! [`Ranking::least`].

use super::{identity::Seed, results::Results};
use crate::judge::coverage::Bits;

/// Seeds worth keeping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranking {
    /// The seeds in the order of what they add, each with the number of bins that no seed before it hits.
    pub kept: Vec<(Seed, usize)>,
    /// The number of bins that all seeds hit together, as do the kept ones.
    pub bins: usize,
    /// No set of seeds with the same bins is smaller than this.
    pub least: usize,
}

impl Ranking {
    /// Ranks the seeds of a campaign; a single seed is always kept.
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
        // Those that add most come first, so that whoever has less time keeps the beginning.
        while let Some(place) = most(&each, &left, &hit) {
            let which = left.remove(place);
            kept.push((seeds[which], each[which].beyond(&hit)));
            hit.add(&each[which]);
        }
        Ranking { kept, bins: hit.count(), least }
    }
}

/// The index in `among` of the set that adds most to `hit`; of equal ones, the first.
fn most(each: &[Bits], among: &[usize], hit: &Bits) -> Option<usize> {
    (0..among.len()).max_by_key(|&place| (each[among[place]].beyond(hit), std::cmp::Reverse(place)))
}

/// Sets that together have all bins, and of which none can be dropped.
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
    // Sets taken later may contain all that an earlier one added.
    for place in (0..chosen.len()).rev() {
        let mut rest = first.none();
        (0..chosen.len()).filter(|&other| other != place).for_each(|other| rest.add(&each[chosen[other]]));
        if each[chosen[place]].beyond(&rest) == 0 {
            chosen.remove(place);
        }
    }
    chosen
}

/// The sets with a bin that no other set has.
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

/// A lower bound on the number of sets: those that alone have some bin, and as many as would be needed for the
/// remaining bins if each had as many as the largest set.
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
        // Greedy takes the first set, which adds nothing to the two others.
        let each = sets(6, &[&[1, 2, 3, 4], &[0, 1, 2], &[3, 4, 5]]);
        assert_eq!(chosen(&each), [1, 2]);
        assert_eq!(least(&each, &chosen(&each)), 2);
        let each = sets(3, &[&[0], &[0, 1], &[1, 2], &[0, 2]]);
        assert_eq!((chosen(&each).len(), least(&each, &chosen(&each))), (2, 2));
        assert_eq!(chosen(&sets(2, &[&[], &[]])), [0usize; 0]);
    }

    /// Checks random groups of eight sets against every choice: all bins are kept, the bound holds, and no set could be
    /// dropped.
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
