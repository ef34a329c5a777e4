// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether what happened to a dword can have happened in single atomic steps (SM5-CAS, PORT-CAS): the judge of atomicity.
//!
//! It knows no unit and no memory. Of each step it is told in which interval of time the step must have taken effect and
//! what was seen of it. Dwords do not depend on each other here (linearizability is local), so each has a history of
//! its own.
//!
//! Whoever made a step gets nothing back from the unit. Such a compare-and-store says nothing by itself; it needs a time
//! at which it fails, or takes effect for others to see.

mod search;

use search::{Answer, Role, Search};

/// One step on the dword.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// The dword was written.
    Write(u32),
    /// The dword was read, and was this.
    Read(u32),
    /// Compare-and-store: new if the dword was `compare`.
    CompareStore {
        compare: u32,
        new: u32,
        /// The dword before it, if the one who made it was told. The unit tells nobody.
        returned: Option<u32>,
    },
}

/// A step, and when it must have taken effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Event {
    /// Who made it: the caller's own number, which the judge does not read.
    pub who: u64,
    /// The first and the last cycle in which it may take effect: one and the same of what memory itself did. An event
    /// whose `to` is before the `from` of another one is before that one. A `to` before its own `from` counts as `from`.
    pub from: u64,
    pub to: u64,
    pub step: Step,
}

/// No order of the steps explains what was seen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no order of single steps explains events {history:?}")]
pub struct Unexplained {
    /// The events, ascending by when they may begin, that cannot all be true, whatever of the others was made or not.
    /// Nothing can be left out: without any one of them there is an order. Among the smallest if
    /// there are few enough to try them all.
    pub history: Vec<usize>,
}

/// Whether an order is one that explains what was seen: that of the moments, at which each event took effect, and of their
/// places where moments are equal. It keeps their intervals then. A compare-and-store that can store does.
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

/// More tries than this for a smaller history are not made.
const TRIES: usize = 2000;

/// Finds an order of all the events that keeps their intervals and gives every value that was seen.
///
/// # Errors
///
/// There is none; and the smallest part of the history that shows it.
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
    // There is no end to the search but its own.
    explain_within(initial, events, usize::MAX).map(Option::unwrap_or_default)
}

/// The same in bounded time: after that many states of the search it is not known whether there is an order.
///
/// # Errors
///
/// As [`explain`]; the part that shows it may be larger than it need be.
pub fn explain_within(initial: u32, events: &[Event], states: usize) -> Result<Option<Vec<usize>>, Unexplained> {
    let search = Search::new(initial, events, states);
    let roles = vec![Role::Made; events.len()];
    match search.order(&roles) {
        Answer::Order(order) => Ok(Some(order)),
        Answer::Unknown => Ok(None),
        Answer::None => Err(Unexplained { history: shortest(&search, roles) }),
    }
}

/// Leaves out of a history without an order what it can be left without.
///
/// What is left out may have been made or not: a step that changes the dword stays at hand, so that nobody blames a
/// read for a value that such a step wrote. Hence less is never harder to explain than more.
fn shortest(search: &Search, mut roles: Vec<Role>) -> Vec<usize> {
    let unexplained = |roles: &[Role]| matches!(search.order(roles), Answer::None);
    // The end first, by halves: only what is after the earliest contradiction.
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
    search.by_start().into_iter().filter(|&event| roles[event] == Role::Made).collect()
}

/// Tries every `size` of the events, until one is good.
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
