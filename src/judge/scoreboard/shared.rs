// SPDX-License-Identifier: MIT OR Apache-2.0
//! The words of the scratchpad that compare-and-stores accessed: what a wrong value tells, and which values are right
//! where the sources leave the order of lanes open.

use rustc_hash::FxHashMap;

use super::{Beat, Scoreboard};
use crate::{
    judge::{
        log::Issue,
        trail::{Origin, origin},
    },
    model::{Plan, Scratchpad, allowed::finals, extract, vector},
    op::{Kind, LaneMask, Op},
};

/// The number of compare-and-stores on a word that are remembered. A wrong order may show only after the next one.
const REMEMBERED: usize = 4;

/// A compare-and-store on a word: what it found, and by ascending lane the compared and the new value.
#[derive(Clone, Default)]
pub struct Touch {
    pub initial: u32,
    pub steps: Vec<(u32, u32)>,
}

/// The most values of a word that are followed. A word that may have more may have any.
const MOST: usize = 1 << 12;

/// What is known of the scratchpad besides its contents.
#[derive(Default)]
pub struct Shared {
    /// By offset: the last compare-and-stores on a word that nothing else has changed since.
    touched: FxHashMap<u64, Vec<Touch>>,
    /// By offset: the values that a word may hold, if there are several; empty if it may hold any.
    choices: FxHashMap<u64, Vec<u32>>,
    /// By offset of these words: the number of the operation that changed it last.
    changed: FxHashMap<u64, u64>,
    /// The number of operations so far.
    operations: u64,
}

/// What a load may find in a word that may hold several values.
#[derive(Clone)]
pub struct Choice {
    lane: usize,
    register: usize,
    /// The offset of what the register gets.
    offset: u64,
    /// That of its word, and the operation that had changed it last.
    word: u64,
    changed: u64,
    /// The values of the word; empty if it may hold any.
    values: Vec<u32>,
}

/// What a load has shown of a word: the word is one of those for which this holds. A load of the whole word shows all
/// of it.
struct Shown<F> {
    holds: F,
    all: Option<u32>,
}

impl<F: Fn(u32) -> bool> Shown<F> {
    /// Whether one of the values fits.
    fn fits(&self, values: &[u32]) -> bool {
        values.is_empty() || values.iter().any(|&value| (self.holds)(value))
    }

    /// Keeps the values that fit. One does.
    fn keep(&self, values: &mut Vec<u32>) {
        if values.is_empty() {
            values.extend(self.all);
        } else {
            values.retain(|&value| (self.holds)(value));
        }
    }
}

/// The part of a word that a load of `offset` gets in a register.
fn part(op: &Op, offset: u64, word: u32) -> u32 {
    extract::register::<u64>(&word.into(), &(offset % 4), &op.element_bytes.into(), &op.sign_extend) as u32
}

/// The values of a word that are followed: each once, or none if there are too many.
fn followed(mut values: Vec<u32>) -> Vec<u32> {
    values.sort_unstable();
    values.dedup();
    if values.len() > MOST {
        values.clear();
    }
    values
}

impl Shared {
    /// The last compare-and-stores on the word at an offset, the latest one last, if nothing else has written it since.
    pub fn touches(&self, offset: u64) -> &[Touch] {
        self.touched.get(&offset).map_or(&[], Vec::as_slice)
    }

    /// Whether a word may hold a value, as far as these `bits` tell.
    pub fn may_hold(&self, pad: &Scratchpad, word: u64, value: u32, bits: u32) -> bool {
        let fits = |held: u32| (held ^ value) & bits == 0;
        match self.choices.get(&word) {
            Some(choices) => choices.is_empty() || choices.iter().any(|&held| fits(held)),
            None => fits(pad.word(word)),
        }
    }

    /// Notes an operation that is about to be performed in `pad`. With `any_order`, its lanes may act in another order
    /// than there.
    pub fn before(&mut self, issue: &Issue, plan: &Plan, pad: &Scratchpad, any_order: bool) {
        self.operations += 1;
        if issue.op.kind != Kind::CmpStore as u8 {
            return;
        }
        let mut now: Vec<(u64, Touch)> = Vec::new();
        for lane in plan.shared.iter() {
            let offset = plan.addr[lane];
            let [compare, new] = [0, 1].map(|beat| issue.data.get(beat).map_or(0, |register| register[lane]));
            match now.iter_mut().find(|(other, _)| *other == offset) {
                Some((_, touch)) => touch.steps.push((compare, new)),
                None => now.push((offset, Touch { initial: pad.word(offset), steps: vec![(compare, new)] })),
            }
        }
        for (offset, touch) in now {
            if any_order {
                let from = self.choices.remove(&offset).unwrap_or_else(|| vec![touch.initial]);
                let all: Vec<u32> = from.iter().flat_map(|&initial| finals(initial, &touch.steps)).collect();
                self.holds_one_of(offset, all);
            }
            let touches = self.touched.entry(offset).or_default();
            touches.drain(..(touches.len() + 1).saturating_sub(REMEMBERED));
            touches.push(touch);
        }
    }

    /// Notes an operation that was performed in `pad`. Bytes that a store wrote are as they are there; with `any_order`,
    /// another lane may have been the last one.
    pub fn after(&mut self, issue: &Issue, plan: &Plan, pad: &mut Scratchpad, any_order: bool) {
        let op = &issue.op;
        if op.kind == Kind::CmpStore as u8 {
            // If one value is left, it may not be the one that the order in `pad` gave.
            for lane in plan.shared.iter() {
                if let Some([only]) = self.choices.get(&plan.addr[lane]).map(Vec::as_slice) {
                    pad.poke(plan.addr[lane], &only.to_le_bytes());
                    self.choices.remove(&plan.addr[lane]);
                }
            }
        }
        if op.kind != Kind::Store as u8 || self.touched.is_empty() && self.choices.is_empty() && !any_order {
            return;
        }
        let moved = vector::moved(op);
        for lane in plan.shared.iter() {
            for offset in (0..32).filter(|byte| moved >> byte & 1 == 1).map(|byte| plan.addr[lane] + byte) {
                let (start, at) = (offset / 4 * 4, 8 * (offset % 4));
                self.touched.remove(&start);
                if op.element_bytes >= 4 {
                    self.choices.remove(&start);
                }
                if let Some(choices) = self.choices.get_mut(&start) {
                    let byte = u32::from(pad.read(offset)) << at;
                    choices.iter_mut().for_each(|choice| *choice = *choice & !(0xff << at) | byte);
                    self.changed.insert(start, self.operations);
                }
            }
        }
        if any_order && !issue.data.is_empty() {
            self.contest(issue, plan, pad);
        }
    }

    /// Notes where lanes of a store that was performed in `pad` stored several values (COM-SAMEADDR). Each takes the
    /// bytes of its element in a word together.
    fn contest(&mut self, issue: &Issue, plan: &Plan, pad: &Scratchpad) {
        let (moved, size) = (vector::moved(&issue.op), u64::from(issue.op.element_bytes).clamp(1, 4));
        let mut stored: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
        for lane in plan.shared.iter() {
            for first in (0..32).step_by(size as usize).filter(|first| moved >> first & 1 == 1) {
                let byte = |at: u64| origin::value(issue, &origin::within(&issue.op, lane, (first + at) as usize));
                let value = (0..size).rev().fold(0, |value, at| value << 8 | u32::from(byte(at)));
                let values = stored.entry(plan.addr[lane] + first).or_default();
                if !values.contains(&value) {
                    values.push(value);
                }
            }
        }
        for (offset, values) in stored.into_iter().filter(|(_, values)| values.len() > 1) {
            let (start, at) = (offset / 4 * 4, 8 * (offset % 4));
            let mask = (u32::MAX >> (32 - 8 * size)) << at;
            let from = self.choices.remove(&start).unwrap_or_else(|| vec![pad.word(start)]);
            let with = |choice: u32| values.iter().map(move |value| choice & !mask | value << at);
            let all: Vec<u32> = from.into_iter().flat_map(with).collect();
            self.holds_one_of(start, all);
        }
    }

    fn holds_one_of(&mut self, word: u64, values: Vec<u32>) {
        self.choices.insert(word, followed(values));
        self.changed.insert(word, self.operations);
    }
}

impl Scoreboard {
    /// Notes the values that a load of the scratchpad may find besides the model's, before later operations change
    /// them.
    pub(crate) fn note_choices(&mut self, index: usize, op: &Op) {
        let progress = &mut self.ops[self.places[index] as usize];
        progress.choices.clear();
        if self.shared.choices.is_empty() || op.kind != Kind::Load as u8 {
            return;
        }
        let moved = vector::moved(op);
        for lane in progress.plan.shared.iter() {
            for byte in (0..32).filter(|byte| moved >> byte & 1 == 1) {
                let Origin { register, byte: 0, .. } = origin::within(op, lane, byte) else { continue };
                let offset = progress.plan.addr[lane] + byte as u64;
                let word = offset / 4 * 4;
                if let Some(choices) = self.shared.choices.get(&word) {
                    let changed = self.shared.changed.get(&word).copied().unwrap_or(0);
                    progress.choices.push(Choice { lane, register, offset, word, changed, values: choices.clone() });
                }
            }
        }
    }

    /// The lanes of a beat with a wrong value, where `wrong` differ from the model: a word that may hold several values
    /// holds one of them, and what a load has shown of it stays true until it changes (SM5-ORDER, COM-SAMEADDR).
    pub(crate) fn choose(
        &mut self,
        index: usize,
        op: &Op,
        beat: &Beat,
        lanes: LaneMask,
        mut wrong: LaneMask,
    ) -> LaneMask {
        let place = self.places[index] as usize;
        for at in 0..self.ops[place].choices.len() {
            let progress = &self.ops[place];
            let Choice { lane, register, offset, word, changed, ref values } = progress.choices[at];
            if register != usize::from(beat.register) || !lanes.contains(lane) {
                continue;
            }
            let bits = progress.known_bits(lane, register);
            let holds = |word: u32| (part(op, offset, word) ^ beat.data[lane]) & bits == 0;
            let all = (op.element_bytes >= 4 && bits == u32::MAX).then_some(beat.data[lane]);
            let shown = Shown { holds, all };
            let agrees = shown.fits(values);
            let tells =
                agrees && if values.is_empty() { all.is_some() } else { !values.iter().all(|&value| holds(value)) };
            wrong -= LaneMask::only(lane);
            wrong.insert_if(!agrees, lane);
            if tells {
                self.remember((word, changed), &shown);
            }
        }
        wrong
    }

    /// Remembers what a load has shown of a word, until it changes, and for other loads of what it held.
    fn remember<F: Fn(u32) -> bool>(&mut self, (word, changed): (u64, u64), shown: &Shown<F>) {
        if self.shared.changed.get(&word) == Some(&changed) {
            self.shared.choices.get_mut(&word).into_iter().for_each(|values| shown.keep(values));
        }
        for &index in self.running.iter().flatten() {
            let choices = self.ops[self.places[index] as usize].choices.iter_mut();
            let same = choices.filter(|choice| (choice.word, choice.changed) == (word, changed));
            same.for_each(|choice| shown.keep(&mut choice.values));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::op::{Lanes, MAX_LANES};

    /// All lanes store different bytes to one byte of a word, then to the next one. What the word may hold is soon too
    /// much to follow; it is open then, and no other word is, until it is stored again.
    #[test]
    fn a_word_of_too_many_values_is_open_alone() {
        let (mut shared, mut pad, mut plan) = (Shared::default(), Scratchpad::new(64), Plan::default());
        plan.shared = LaneMask::ALL;
        let mut store = |shared: &mut Shared, offset: u64, element_bytes: u8| {
            let op = Op { kind: Kind::Store as u8, element_bytes, element_count: 1, element_mask: 1, ..Op::default() };
            let words = std::array::from_fn(|lane| lane as u32);
            let issue = Issue { op, lanes: Lanes::default(), data: vec![words], inst: None };
            plan.addr = [offset; MAX_LANES];
            shared.after(&issue, &plan, &mut pad, true);
            shared.choices.get(&(offset / 4 * 4)).map(Vec::len)
        };
        assert_eq!(store(&mut shared, 8, 1), Some(32));
        let of_word = [store(&mut shared, 4, 1), store(&mut shared, 5, 1), store(&mut shared, 6, 1)];
        assert_eq!(of_word, [Some(32), Some(1024), Some(0)]);
        assert_eq!(shared.choices[&8].len(), 32);
        assert_eq!(store(&mut shared, 4, 4), Some(32));
    }
}
