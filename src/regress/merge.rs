// SPDX-License-Identifier: MIT OR Apache-2.0
//! Merges many results into one. Their heads decide which of them count; those are then added up, one at a time.

use std::{cmp::Reverse, collections::BTreeMap};

use super::{
    read::Head,
    results::Results,
    shard::{Ended, Part, Parts},
};

/// Why results cannot be merged. Files are identified by their indices in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MergeError {
    /// The results belong to different campaigns.
    Mixed {
        /// The file that differs from the first.
        file: usize,
        /// What differs.
        what: &'static str,
        /// The value in that file.
        theirs: String,
        /// The value in the first file.
        ours: String,
    },
    /// The campaign was cut into different numbers of shards.
    Cut {
        /// The two files.
        files: [usize; 2],
        /// The number of shards in each.
        of: [u64; 2],
    },
    /// Two results for one shard differ.
    Different {
        /// The two files.
        files: [usize; 2],
        /// The shard, from 1.
        shard: u64,
    },
    /// One result holds a shard of another one together with further shards, so that the shard would count twice.
    Overlap {
        /// The file that holds several shards, and the other one.
        files: [usize; 2],
        /// A shard that both hold, from 1.
        shard: u64,
    },
}

/// A result that does not count, as another one contains all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// The file that does not count.
    pub file: usize,
    /// The file that counts instead.
    pub by: usize,
    /// Whether both say the same, as far as can be told; if not, the other one has more.
    pub same: bool,
}

/// The results that count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// The files to add up, in the order of their shards.
    pub taken: Vec<usize>,
    /// All other files.
    pub skipped: Vec<Skipped>,
}

/// A shard that counts.
struct Taken<'a> {
    file: usize,
    part: &'a Part,
    digest: Option<&'a str>,
}

impl Selection {
    /// Chooses among results; their order makes no difference to what counts. Without results, the selection is empty.
    ///
    /// # Errors
    ///
    /// When the results do not belong together.
    pub fn of(heads: &[Head]) -> Result<Self, MergeError> {
        let mut selection = Selection { taken: Vec::new(), skipped: Vec::new() };
        let Some(first) = heads.first() else { return Ok(selection) };
        for (file, head) in heads.iter().enumerate() {
            if let Some((what, ours, theirs)) = first.campaign.difference(&head.campaign) {
                return Err(MergeError::Mixed { file, what, theirs, ours });
            }
        }
        // The fullest first, so that a file whose contents are in another one comes after it.
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
                // A whole campaign no longer tells what its shards said.
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

/// The digest of what is said of a shard: if the shard is alone in a file, that of the file.
fn said<'a>(part: &'a Part, shards: &Parts, digest: &'a str) -> Option<&'a str> {
    part.digest.as_deref().or((shards.parts.len() == 1).then_some(digest))
}

/// Whether other files contain a file already; `None` if they contain nothing of it.
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
        // This file has more of the shard, and cannot replace the other one.
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
    /// Creates an empty sum.
    pub fn new() -> Self {
        Merge(None)
    }

    /// Adds the results of a file that counts ([`Selection`]).
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

    /// Returns the sum, or `None` if there were no results. Equivalent sums are written alike: all complete shards of a
    /// campaign become the whole campaign.
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
