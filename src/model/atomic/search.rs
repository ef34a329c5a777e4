// SPDX-License-Identifier: MIT OR Apache-2.0
//! The search for an order, event by event from the beginning.
//!
//! A state is the set of open events and the value of the dword. A step is not tried in every place if that changes
//! nothing:
//!
//! - A read that fits is made at once, because it hinders no other step.
//! - A compare-and-store without a returned value is *released* as soon as it can be made and would fail. From then on
//!   it may store, but need not. If it does not store, it is given up when events that must come after it have their
//!   turn, and its place is where it was released.
//! - Of equal steps, the one whose interval ends first goes first: any order remains valid if equal steps are exchanged
//!   in this way.

use std::cell::Cell;

use rustc_hash::FxHashSet;

use super::{Event, Step};

/// A state costs as much as this many looks at an event. What a state really takes grows with the history.
const LOOKS: u64 = 1 << 15;

/// What searches may still do.
pub(super) struct Budget {
    states: Cell<u64>,
    looks: Cell<u64>,
}

impl Budget {
    /// As much as this many states of a short history.
    pub fn new(states: usize) -> Self {
        let states = states as u64;
        Budget { states: Cell::new(states), looks: Cell::new(states.saturating_mul(LOOKS)) }
    }

    /// Takes what one state of a search has cost. Returns whether it was there.
    fn pay(&self, new: bool, looks: usize) -> bool {
        let (states, looks) =
            (self.states.get().checked_sub(new.into()), self.looks.get().checked_sub(looks as u64 + 1));
        self.states.set(states.unwrap_or_default());
        self.looks.set(looks.unwrap_or_default());
        states.is_some() && looks.is_some()
    }
}

/// What a history demands of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Made,
    /// What it saw is ignored, and if its step changes the dword, it may be made or not.
    LeftOut,
}

/// The result of a search.
pub(super) enum Answer<Order> {
    Order(Order),
    /// There is no order.
    None,
    /// The search gave up, because its budget was spent.
    Unknown,
}

/// A set of event numbers, one bit each. Most histories have at most 64 events, so that `high` is empty and allocates
/// nothing.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Set {
    low: u64,
    high: Box<[u64]>,
}

impl Set {
    /// An empty set with room for `events` numbers.
    fn empty(events: usize) -> Self {
        Set { low: 0, high: vec![0; (events.div_ceil(64)).saturating_sub(1)].into() }
    }
    fn word(&mut self, index: usize) -> &mut u64 {
        if index < 64 { &mut self.low } else { &mut self.high[index / 64 - 1] }
    }
    fn has(&self, index: usize) -> bool {
        let word = if index < 64 { self.low } else { self.high[index / 64 - 1] };
        word >> (index % 64) & 1 == 1
    }
    fn add(&mut self, index: usize) {
        *self.word(index) |= 1 << (index % 64);
    }
    fn remove(&mut self, index: usize) {
        *self.word(index) &= !(1 << (index % 64));
    }
    /// The numbers in the set from `start` on, ascending.
    fn from(&self, start: usize) -> impl Iterator<Item = usize> + '_ {
        let mut at = start;
        std::iter::from_fn(move || {
            loop {
                let word = if at < 64 { self.low } else { *self.high.get(at / 64 - 1)? };
                let left = word >> (at % 64);
                if left != 0 {
                    at += left.trailing_zeros() as usize + 1;
                    return Some(at - 1);
                }
                at = (at / 64 + 1) * 64;
            }
        })
    }
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    /// The events that are neither made nor given up.
    open: Set,
    /// Those of the open events that need not be made any more.
    released: Set,
    value: u32,
    /// No event before this one is open.
    start: usize,
}

#[derive(Clone, Copy)]
enum Move {
    Make(usize),
    /// The step fails here, unless it is made later.
    Release(usize),
    GiveUp(usize),
}

struct Frame {
    state: State,
    choices: Vec<Move>,
    /// The length of the trail in this state.
    mark: usize,
}

/// The events, sorted by the start of their intervals.
pub(super) struct Search {
    initial: u32,
    /// In each of them, `to` is at least `from`.
    events: Vec<Event>,
    /// The caller's number of each event.
    numbers: Vec<usize>,
}

impl Search {
    pub fn new(initial: u32, events: &[Event]) -> Self {
        let mut numbers: Vec<usize> = (0..events.len()).collect();
        numbers.sort_by_key(|&number| (events[number].from, events[number].to));
        let sorted = numbers.iter().map(|&number| events[number]);
        let events = sorted.map(|event| Event { to: event.to.max(event.from), ..event }).collect();
        Search { initial, events, numbers }
    }

    /// The caller's numbers, sorted by the start of the intervals.
    pub fn by_start(&self) -> Vec<usize> {
        self.numbers.clone()
    }

    /// The caller's numbers, sorted by the end of the intervals.
    pub fn by_end(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.events.len()).collect();
        order.sort_by_key(|&index| self.events[index].to);
        order.into_iter().map(|index| self.numbers[index]).collect()
    }

    /// Finds an order of the events that are made, together with events left out that help. The order and `roles` both
    /// use the caller's numbers.
    pub fn order(&self, roles: &[Role], budget: &Budget) -> Answer<Vec<usize>> {
        let empty = Set::empty(self.events.len());
        let mut state = State { open: empty.clone(), released: empty, value: self.initial, start: 0 };
        for (index, event) in self.events.iter().enumerate() {
            let made = roles[self.numbers[index]] == Role::Made;
            if made || changes(event.step) {
                state.open.add(index);
            }
            if !made && changes(event.step) {
                state.released.add(index);
            }
        }
        let trail = match self.walk(state, budget) {
            Answer::Order(trail) => trail,
            Answer::None => return Answer::None,
            Answer::Unknown => return Answer::Unknown,
        };
        let mut made = vec![false; self.events.len()];
        for step in &trail {
            if let Move::Make(index) = *step {
                made[index] = true;
            }
        }
        let place = |step: Move| match step {
            Move::Make(index) => Some(index),
            Move::Release(index) if !made[index] => Some(index),
            _ => None,
        };
        Answer::Order(trail.into_iter().filter_map(place).map(|index| self.numbers[index]).collect())
    }

    /// Searches depth first, and remembers the states that it has seen, so that none is searched twice.
    fn walk(&self, mut state: State, budget: &Budget) -> Answer<Vec<Move>> {
        let (mut trail, mut seen, mut frames) = (Vec::new(), FxHashSet::default(), Vec::<Frame>::new());
        loop {
            let (before, left) = (trail.len(), self.events.len() - state.start);
            let enabled = self.settle(&mut state, &mut trail);
            if state.open.from(state.start).all(|index| state.released.has(index)) {
                return Answer::Order(trail);
            }
            // Whether there is hope may take a look at all that is left; each step that is made, at all that may be next.
            let looks = left + (trail.len() - before) * enabled.len();
            let new = self.hopeful(&state) && seen.insert(state.clone());
            if !budget.pay(new, looks) {
                return Answer::Unknown;
            }
            if new {
                let choices = self.choices(&state, &enabled);
                frames.push(Frame { state, choices, mark: trail.len() });
            }
            let next = loop {
                let Some(frame) = frames.last_mut() else { return Answer::None };
                match frame.choices.pop() {
                    Some(choice) => break (frame.state.clone(), choice, frame.mark),
                    None => frames.pop(),
                };
            };
            let (before, choice, mark) = next;
            state = before;
            trail.truncate(mark);
            trail.push(choice);
            let (Move::Make(index) | Move::Release(index) | Move::GiveUp(index)) = choice;
            state.open.remove(index);
            if let (Move::Make(_), Some(value)) = (choice, stores(self.events[index].step)) {
                state.value = value;
            }
        }
    }

    /// The open events that no other open event must precede.
    fn enabled(&self, state: &State) -> Vec<usize> {
        let mut enabled = Vec::new();
        let mut horizon = u64::MAX;
        for index in state.open.from(state.start) {
            // Later events begin, and so end, even later.
            if self.events[index].from > horizon {
                break;
            }
            horizon = horizon.min(self.events[index].to);
            enabled.push(index);
        }
        enabled.retain(|&index| self.events[index].from <= horizon);
        enabled
    }

    /// Makes and releases the events that need no choice. Returns the events that are enabled then.
    fn settle(&self, state: &mut State, trail: &mut Vec<Move>) -> Vec<usize> {
        loop {
            state.start = state.open.from(state.start).next().unwrap_or(self.events.len());
            let enabled = self.enabled(state);
            let mut moved = false;
            for &index in &enabled {
                let step = self.events[index].step;
                let made = match step {
                    Step::Write(_) => false,
                    Step::Read(seen) => seen == state.value,
                    Step::CompareStore { compare, new, returned: None } => compare == new,
                    Step::CompareStore { returned: Some(seen), .. } => !changes(step) && seen == state.value,
                };
                if made {
                    state.open.remove(index);
                    trail.push(Move::Make(index));
                    moved = true;
                } else if matches!(step, Step::CompareStore { compare, returned: None, .. } if compare != state.value)
                    && !state.released.has(index)
                {
                    state.released.add(index);
                    trail.push(Move::Release(index));
                }
            }
            if !moved {
                return enabled;
            }
        }
    }

    /// The possible next moves, the likeliest last.
    fn choices(&self, state: &State, enabled: &[usize]) -> Vec<Move> {
        let mut choices = Vec::new();
        // No later event can be made before the event that ends first is made or given up.
        let first = enabled.iter().map(|&index| self.events[index].to).min();
        let due = |index: usize| Some(self.events[index].to) == first && state.released.has(index);
        choices.extend(enabled.iter().copied().find(|&index| due(index)).map(Move::GiveUp));

        let mut makes: Vec<usize> = enabled.iter().copied().filter(|&index| self.fits(state, index)).collect();
        makes.sort_by_key(|&index| self.events[index].to);
        let mut tried = FxHashSet::default();
        makes.retain(|&index| tried.insert((self.events[index].step, state.released.has(index))));
        choices.extend(makes.into_iter().rev().map(Move::Make));
        choices
    }

    /// Whether the event can be made now and changes the dword.
    fn fits(&self, state: &State, index: usize) -> bool {
        match self.events[index].step {
            Step::Write(_) => true,
            Step::CompareStore { compare, .. } => changes(self.events[index].step) && compare == state.value,
            Step::Read(_) => false,
        }
    }

    /// Whether the value that must be seen first can still appear, if every step at hand could be made any number of
    /// times.
    fn hopeful(&self, state: &State) -> bool {
        let seen = |index: usize| match self.events[index].step {
            Step::Read(seen) | Step::CompareStore { returned: Some(seen), .. } => Some((self.events[index].to, seen)),
            _ => None,
        };
        let mut first: Option<(u64, u32)> = None;
        for index in state.open.from(state.start) {
            // Later events begin, and so end, even later.
            if first.is_some_and(|(last, _)| self.events[index].from > last) {
                break;
            }
            if let Some(found) = seen(index).filter(|_| !state.released.has(index)) {
                first = Some(first.map_or(found, |first| first.min(found)));
            }
        }
        let Some((last, wanted)) = first else { return true };
        if state.value == wanted {
            return true;
        }
        // What each step leaves, by the value that it must find. A write finds any.
        let mut reached = vec![state.value];
        let mut next: Vec<(u32, u32)> = Vec::new();
        for index in state.open.from(state.start).take_while(|&index| self.events[index].from <= last) {
            let step = self.events[index].step;
            let Some(value) = stores(step) else { continue };
            match step {
                Step::CompareStore { compare, .. } => next.push((compare, value)),
                _ if value == wanted => return true,
                _ => reached.push(value),
            }
        }
        next.sort_unstable();
        next.dedup();
        let mut looked = vec![false; next.len()];
        while let Some(value) = reached.pop() {
            let first = next.partition_point(|&(compare, _)| compare < value);
            let end = next.partition_point(|&(compare, _)| compare <= value);
            // From a value that was reached before, nothing new is.
            if first == end || std::mem::replace(&mut looked[first], true) {
                continue;
            }
            for &(_, value) in &next[first..end] {
                if value == wanted {
                    return true;
                }
                reached.push(value);
            }
        }
        false
    }
}

/// The value that a step leaves in the dword if it takes effect and may change it.
fn stores(step: Step) -> Option<u32> {
    match step {
        Step::Write(value) => Some(value),
        Step::CompareStore { new, .. } if changes(step) => Some(new),
        _ => None,
    }
}

/// Whether a step may change the dword, as far as is known.
fn changes(step: Step) -> bool {
    match step {
        Step::Write(_) => true,
        Step::Read(_) => false,
        Step::CompareStore { compare, new, returned } => compare != new && returned.is_none_or(|seen| seen == compare),
    }
}
