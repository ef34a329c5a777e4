// SPDX-License-Identifier: MIT OR Apache-2.0
//! Failures, grouped by clause and cause.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    judge::mismatch::{Mismatch, Written},
    op::hex,
};

/// The number of blocks of a group that are named; the others are counted.
pub const MOST_PLACES: usize = 100;

/// A block of a campaign, ordered as one machine would run them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// The seed.
    #[serde(with = "hex")]
    pub seed: u64,
    /// The number of the block among those of its seed.
    pub block: u64,
}

/// Failures of one cause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The mismatch of the first of them.
    pub mismatch: Mismatch,
    /// The number of blocks that failed so.
    pub count: u64,
    /// The first of these blocks, ascending, at most [`MOST_PLACES`].
    pub places: Vec<Place>,
    /// The first of them as the text of a capsule, shrunk as far as it was.
    pub capsule: String,
}

/// A group as a result stores it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenGroup {
    mismatch: Written,
    count: u64,
    places: Vec<Place>,
    capsule: String,
}

/// What failures of one cause have in common: the clause, and where the difference is ([`crate::judge::Field::cause`]).
pub type Key = (String, String);

impl Group {
    /// A group of one failure.
    pub fn new(mismatch: Mismatch, place: Place) -> Self {
        Group { mismatch, count: 1, places: vec![place], capsule: String::new() }
    }

    /// What the failures of the group have in common.
    pub fn key(&self) -> Key {
        key(&self.mismatch)
    }

    /// The first block.
    pub fn first(&self) -> Option<Place> {
        self.places.first().copied()
    }

    /// Adds a group with the same cause.
    pub fn add(&mut self, other: Group) {
        if other.first() < self.first() {
            (self.mismatch, self.capsule) = (other.mismatch, other.capsule);
        }
        self.count += other.count;
        self.places.extend(other.places);
        self.places.sort();
        self.places.truncate(MOST_PLACES);
    }

    pub(super) fn problem(&self) -> Option<&'static str> {
        let fits = !self.places.is_empty()
            && self.places.len() <= MOST_PLACES
            && self.count >= self.places.len() as u64
            && self.places.is_sorted();
        (!fits).then_some("the blocks of a group of failures are not in order")
    }
}

/// The key of a failure.
pub fn key(mismatch: &Mismatch) -> Key {
    (mismatch.clause.to_string(), mismatch.field.cause())
}

impl From<&Group> for WrittenGroup {
    fn from(group: &Group) -> Self {
        let Group { mismatch, count, places, capsule } = group.clone();
        WrittenGroup { mismatch: Written::from(&mismatch), count, places, capsule }
    }
}

impl TryFrom<WrittenGroup> for Group {
    type Error = crate::clause::UnknownClause;

    fn try_from(written: WrittenGroup) -> Result<Self, Self::Error> {
        let WrittenGroup { mismatch, count, places, capsule } = written;
        Ok(Group { mismatch: mismatch.try_into()?, count, places, capsule })
    }
}

/// Groups by the key of their failures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Groups(BTreeMap<Key, Group>);

impl Groups {
    /// Adds a group. Returns whether its cause is new.
    pub fn add(&mut self, group: Group) -> bool {
        match self.0.entry(group.key()) {
            std::collections::btree_map::Entry::Occupied(mut known) => {
                known.get_mut().add(group);
                false
            }
            std::collections::btree_map::Entry::Vacant(place) => {
                place.insert(group);
                true
            }
        }
    }

    /// The groups, those with the earliest blocks first.
    pub fn sorted(&self) -> Vec<&Group> {
        let mut groups: Vec<&Group> = self.0.values().collect();
        groups.sort_by_key(|group| group.first());
        groups
    }

    /// Whether nothing failed.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The number of blocks that failed.
    pub fn failures(&self) -> u64 {
        self.0.values().map(|group| group.count).sum()
    }
}

impl IntoIterator for Groups {
    type Item = Group;
    type IntoIter = std::collections::btree_map::IntoValues<Key, Group>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_values()
    }
}
