// SPDX-License-Identifier: MIT OR Apache-2.0
//! Many results as one. Which of them count is settled first, by their heads; then they are added up, one at a time.

use std::{cmp::Reverse, collections::BTreeMap};

use super::{
    read::Head,
    results::Results,
    shard::{Ended, Part, Parts},
};

/// Results that cannot be merged. Files are called by their places in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MergeError {
    /// They are of two campaigns.
    Mixed {
        /// The file that differs from the first.
        file: usize,
        /// In what.
        what: &'static str,
        /// There.
        theirs: String,
        /// In the first file.
        ours: String,
    },
    /// The campaign was cut into different numbers of shards.
    Cut {
        /// Two files.
        files: [usize; 2],
        /// The number of shards of each.
        of: [u64; 2],
    },
    /// Two results say different things of one shard.
    Different {
        /// Two files.
        files: [usize; 2],
        /// The shard, from 1.
        shard: u64,
    },
    /// One result holds a shard of another one together with further shards: it cannot be counted once.
    Overlap {
        /// The file that holds several, and the other one.
        files: [usize; 2],
        /// A shard that is in both, from 1.
        shard: u64,
    },
}

/// A result that does not count, as all that is in it is in another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// The file.
    pub file: usize,
    /// The one that counts.
    pub by: usize,
    /// Whether they say the same, as far as can be told; if not, the other one has more.
    pub same: bool,
}

/// Which results count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// Files to add up, in the order of their shards.
    pub taken: Vec<usize>,
    /// All others.
    pub skipped: Vec<Skipped>,
}

/// What is known of a shard that counts.
struct Taken<'a> {
    file: usize,
    part: &'a Part,
    digest: Option<&'a str>,
}

impl Selection {
    /// Chooses among results; the order in which they are given makes no difference to what counts. Nothing of nothing.
    ///
    /// # Errors
    ///
    /// When they do not go together.
    pub fn of(heads: &[Head]) -> Result<Self, MergeError> {
        let mut selection = Selection { taken: Vec::new(), skipped: Vec::new() };
        let Some(first) = heads.first() else { return Ok(selection) };
        for (file, head) in heads.iter().enumerate() {
            if let Some((what, ours, theirs)) = first.campaign.difference(&head.campaign) {
                return Err(MergeError::Mixed { file, what, theirs, ours });
            }
        }
        // The fullest first: what another one has as well is then there.
        let mut order: Vec<usize> = (0..heads.len()).collect();
        order.sort_by_key(|&file| {
            let Head { shards, digest, .. } = &heads[file];
            let complete = shards.parts.iter().filter(|part| part.ended == Ended::Complete).count();
            let whole = shards.of == 1 && shards.is_whole();
            (!whole, Reverse((shards.parts.len(), complete, shards.blocks())), digest)
        });
        let whole = order.first().copied().filter(|&file| heads[file].shards.of == 1 && heads[file].shards.is_whole());
        let mut taken: BTreeMap<u64, Taken<'_>> = BTreeMap::new();
        for file in order {
            let Head { shards, digest, .. } = &heads[file];
            match whole {
                Some(by) if by == file => {}
                // Of a whole campaign nobody can tell what its shards said.
                Some(by) => {
                    let same = *digest == heads[by].digest;
                    if shards.of == 1 && shards.is_whole() && !same {
                        return Err(MergeError::Different { files: [by, file], shard: 1 });
                    }
                    selection.skipped.push(Skipped { file, by, same: same || shards.of > 1 });
                    continue;
                }
                None => {}
            }
            if let Some(&other) = selection.taken.first()
                && heads[other].shards.of != shards.of
            {
                let of = [heads[other].shards.of, shards.of];
                return Err(MergeError::Cut { files: [other, file], of });
            }
            if let Some(skipped) = known(&taken, file, shards, digest)? {
                selection.skipped.push(skipped);
                continue;
            }
            selection.taken.push(file);
            for part in &shards.parts {
                taken.insert(part.shard, Taken { file, part, digest: said(part, shards, digest) });
            }
        }
        selection.taken.sort_by_key(|&file| heads[file].shards.parts.first().map(|part| part.shard));
        selection.skipped.sort_by_key(|skipped| skipped.file);
        Ok(selection)
    }
}

/// What tells what is said of a shard: in a file of its own, the file's digest.
fn said<'a>(part: &'a Part, shards: &Parts, digest: &'a str) -> Option<&'a str> {
    part.digest.as_deref().or((shards.parts.len() == 1).then_some(digest))
}

/// Whether a file is in others already; none, if nothing of it is.
fn known(
    taken: &BTreeMap<u64, Taken<'_>>,
    file: usize,
    shards: &Parts,
    digest: &str,
) -> Result<Option<Skipped>, MergeError> {
    let mut skipped: Option<Skipped> = None;
    for part in &shards.parts {
        let shard = part.shard;
        let Some(other) = taken.get(&shard) else { continue };
        let files = [other.file, file];
        let same = said(part, shards, digest) == other.digest;
        let [mine, theirs] = [part, other.part].map(|part| (part.ended == Ended::Complete, part.blocks()));
        if !same && mine == theirs {
            return Err(MergeError::Different { files, shard });
        }
        // It has more of the shard, and cannot take its place.
        if !same && mine > theirs {
            return Err(MergeError::Overlap { files, shard });
        }
        let so_far = skipped.is_none_or(|skipped| skipped.same);
        skipped = Some(Skipped { file, by: other.file, same: same && so_far });
    }
    let new = shards.parts.iter().any(|part| !taken.contains_key(&part.shard));
    match skipped {
        Some(skipped) if new => {
            let shard = shards.parts.iter().find(|part| taken.contains_key(&part.shard)).map_or(1, |part| part.shard);
            Err(MergeError::Overlap { files: [file, skipped.by], shard })
        }
        skipped => Ok(skipped),
    }
}

/// The sum of results.
pub struct Merge(Option<Results>);

impl Merge {
    /// Of none yet.
    pub fn new() -> Self {
        Merge(None)
    }

    /// Adds what a file holds that counts ([`Selection`]).
    pub fn add(&mut self, mut results: Results, head: &Head) {
        if let [part] = &mut results.shards.parts[..] {
            part.digest = Some(head.digest.clone());
        }
        let Some(sum) = &mut self.0 else {
            self.0 = Some(results);
            return;
        };
        sum.shards.parts.extend(results.shards.parts);
        sum.figures += results.figures;
        sum.coverage.merge(&results.coverage);
        sum.seeds.iter_mut().zip(&results.seeds).for_each(|(mine, theirs)| mine.add(theirs));
        if let (Some(mine), Some(theirs)) = (&mut sum.lines, &results.lines) {
            mine.add(theirs);
        }
        results.groups.into_iter().for_each(|group| {
            sum.groups.add(group);
        });
        sum.seconds += results.seconds;
    }

    /// All of them as one; none of none. What nobody would tell apart is written alike: every shard of a campaign is the
    /// campaign.
    pub fn finish(self) -> Option<Results> {
        let mut sum = self.0?;
        let Parts { of, parts } = &mut sum.shards;
        parts.sort_by_key(|part| part.shard);
        if parts.len() as u64 == *of && parts.iter().all(|part| part.ended == Ended::Complete) {
            let blocks: u64 = parts.iter().map(Part::blocks).sum();
            let ran = if blocks > 0 { vec![(0, blocks - 1)] } else { Vec::new() };
            *of = 1;
            *parts = vec![Part { shard: 1, ran, ended: Ended::Complete, digest: None }];
        }
        if let [part] = &mut parts[..] {
            part.digest = None;
        }
        Some(sum)
    }
}

impl Default for Merge {
    fn default() -> Self {
        Merge::new()
    }
}
