// SPDX-License-Identifier: MIT OR Apache-2.0
//! The judge of atomicity: whether single atomic steps explain what was seen of a dword (SM5-CAS, PORT-CAS).
//!
//! The judge knows neither the unit nor the memory. For each step it is given the interval of time in which the step
//! must have taken effect, and what was seen of it. Dwords are independent here (linearizability is local), so each has
//! a history of its own.
//!
//! The unit returns nothing to the lane that makes a compare-and-store. Such a step proves nothing by itself: it only
//! needs a time at which it fails, or at which it takes effect for others to see.

mod search;

use search::{Answer, Budget, Role, Search};

/// One step on the dword.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// This value was written to the dword.
    Write(u32),
    /// The dword was read, and held this value.
    Read(u32),
    /// Compare-and-store: writes `new` if the dword holds `compare`.
    CompareStore {
        compare: u32,
        new: u32,
        /// The dword before the step, if it was returned. The unit never returns it.
        returned: Option<u32>,
    },
}

/// A step, and the interval in which it must have taken effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Event {
    /// The caller's own number for whoever made the step. The judge does not read it.
    pub who: u64,
    /// The first and the last cycle in which the step may take effect; they are equal for a step that memory itself
    /// made. An event whose `to` is less than the `from` of another event precedes it. A `to` less than its own `from`
    /// counts as `from`.
    pub from: u64,
    pub to: u64,
    pub step: Step,
}

/// No order of the steps explains what was seen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no order of single steps explains events {history:?}")]
pub struct Unexplained {
    /// Events that cannot all be true, whichever of the others were made, ascending by the start of their intervals.
    /// None can be left out: without any one of them there is an order. If there are few enough sets to try them all,
    /// no smaller set exists.
    pub history: Vec<usize>,
}

/// Whether the order that `moments` gives explains what was seen.
///
/// Each event takes effect at its moment; events with equal moments take effect in the order of the slice. Every moment
/// must lie in its event's interval. A compare-and-store that can store does store.
///
/// ```
/// use gpu_lsu::model::atomic::{Event, Step, explains};
///
/// let take = |compare, new| Event {
///     who: 1,
///     from: 0,
///     to: 9,
///     step: Step::CompareStore { compare, new, returned: None },
/// };
/// let last = Event { who: 3, from: 10, to: 10, step: Step::Read(2) };
/// assert!(explains(0, &[take(0, 1), take(1, 2), last], &[4, 4, 10]));
/// assert!(!explains(0, &[take(0, 1), take(1, 2), last], &[5, 4, 10]));
/// assert!(!explains(0, &[take(0, 1), take(1, 2), last], &[4, 10, 10])); // it ends before
/// ```
pub fn explains(initial: u32, events: &[Event], moments: &[u64]) -> bool {
    let mut all: Vec<(u64, Event)> = moments.iter().copied().zip(events.iter().copied()).collect();
    all.sort_by_key(|&(moment, _)| moment);
    let mut value = initial;
    all.len() == events.len()
        && all.into_iter().all(|(moment, event)| {
            let seen = match event.step {
                Step::Write(_) => None,
                Step::Read(seen) => Some(seen),
                Step::CompareStore { returned, .. } => returned,
            };
            let fits = seen.is_none_or(|seen| seen == value);
            match event.step {
                Step::Write(new) => value = new,
                Step::CompareStore { compare, new, .. } if compare == value => value = new,
                Step::CompareStore { .. } | Step::Read(_) => {}
            }
            fits && (event.from..=event.to.max(event.from)).contains(&moment)
        })
}

/// A contradiction of more events than this is not made shorter: each event costs a search.
const SHORTENED: usize = 128;

/// The most sets of events that are tried to find a smaller history.
const TRIES: usize = 2000;

/// To make a contradiction shorter may cost this many times as much as to find it.
const SHORTENING: usize = 64;

/// Finds an order of all the events that keeps to their intervals and gives every value that was seen.
///
/// # Errors
///
/// If there is no such order, with the smallest part of the history that shows it.
///
/// ```
/// use gpu_lsu::model::atomic::{Event, Step, explain};
///
/// // Both see 0 and store, as if there were no lock: one of the two updates is lost.
/// let take = |who, new| Event {
///     who,
///     from: 0,
///     to: 9,
///     step: Step::CompareStore { compare: 0, new, returned: Some(0) },
/// };
/// let last = Event { who: 3, from: 10, to: 10, step: Step::Read(2) };
/// assert_eq!(explain(0, &[take(1, 1), last]).unwrap_err().history, [1]); // who wrote 2?
/// assert_eq!(explain(0, &[take(1, 2), last]).unwrap(), [0, 1]);
/// assert_eq!(explain(0, &[take(1, 1), take(2, 2), last]).unwrap_err().history, [0, 1]);
/// ```
pub fn explain(initial: u32, events: &[Event]) -> Result<Vec<usize>, Unexplained> {
    // Without a limit on its states, the search always finds an answer.
    explain_within(initial, events, usize::MAX).map(Option::unwrap_or_default)
}

/// Like [`explain`], in bounded time: `None` if it is not known after `states` states of the search whether there is an
/// order. In a long history a state costs more, so fewer are looked at.
///
/// # Errors
///
/// As [`explain`], but the part that shows it may be larger than necessary.
pub fn explain_within(initial: u32, events: &[Event], states: usize) -> Result<Option<Vec<usize>>, Unexplained> {
    let search = Search::new(initial, events);
    let roles = vec![Role::Made; events.len()];
    match search.order(&roles, &Budget::new(states)) {
        Answer::Order(order) => Ok(Some(order)),
        Answer::Unknown => Ok(None),
        Answer::None => {
            let budget = Budget::new(states.saturating_mul(SHORTENING));
            Err(Unexplained { history: shortest(&search, roles, &budget) })
        }
    }
}

/// Reduces a history that has no order to a part that still has none, from which no event can be left out.
///
/// An event that is left out may have been made or not: if its step changes the dword, the search may still use it, so
/// that no read is blamed for a value that such a step wrote. Hence a smaller part is never harder to explain than a
/// larger one. Once the budget is spent, the part stays as long as it is.
fn shortest(search: &Search, mut roles: Vec<Role>, budget: &Budget) -> Vec<usize> {
    let unexplained = |roles: &[Role]| matches!(search.order(roles, budget), Answer::None);
    // First cut off the end, by bisection: everything after the earliest contradiction.
    let order = search.by_end();
    let cut = |length: usize| {
        let mut roles = vec![Role::Made; order.len()];
        order[length..].iter().for_each(|&event| roles[event] = Role::LeftOut);
        roles
    };
    let (mut explained, mut length) = (0, order.len());
    while explained + 1 < length {
        let middle = explained + (length - explained) / 2;
        if unexplained(&cut(middle)) { length = middle } else { explained = middle }
    }
    if length < order.len() {
        roles = cut(length);
    }
    let made = |roles: &[Role]| search.by_start().into_iter().filter(|&event| roles[event] == Role::Made).collect();
    if length > SHORTENED {
        return made(&roles);
    }
    for &event in order[..length].iter().rev() {
        roles[event] = Role::LeftOut;
        if !unexplained(&roles) {
            roles[event] = Role::Made;
        }
    }
    let found = order.iter().filter(|&&event| roles[event] == Role::Made).count();
    let mut tries = TRIES;
    let mut smaller = (1..found).find_map(|size| {
        let mut roles = vec![Role::LeftOut; order.len()];
        choose(&order, size, &mut roles, &mut tries, &unexplained).then_some(roles)
    });
    let roles = smaller.take().unwrap_or(roles);
    made(&roles)
}

/// Tries every set of `size` events until one is good, or no tries are left.
fn choose(
    events: &[usize],
    size: usize,
    roles: &mut [Role],
    tries: &mut usize,
    good: &impl Fn(&[Role]) -> bool,
) -> bool {
    if size == 0 {
        *tries = tries.saturating_sub(1);
        return good(roles);
    }
    for (index, &event) in events.iter().enumerate().take((events.len() + 1).saturating_sub(size)) {
        if *tries == 0 {
            return false;
        }
        roles[event] = Role::Made;
        if choose(&events[index + 1..], size - 1, roles, tries, good) {
            return true;
        }
        roles[event] = Role::LeftOut;
    }
    false
}
