// SPDX-License-Identifier: MIT OR Apache-2.0
//! PORT-PROGRESS holds while the environment takes what the unit offers: the cycles in which it does.

use crate::judge::log::{Event, Log, Port};

/// The cycle before `cycle` from which on nothing waited to be taken in `patience` cycles; 0 if there are fewer. `lost`
/// are ports at which something may wait unseen, since their last transfer, when entry `place` comes.
#[cold]
pub fn since((log, place, cycle): (&Log, usize, u64), lost: [bool; 3], patience: u64) -> u64 {
    let (times, moved) = unstalled(log, place, cycle);
    let seen = moved.into_iter().zip(lost).filter_map(|(moved, lost)| lost.then_some(moved)).min();
    let mut left = patience;
    for (from, to) in times.into_iter().rev() {
        let to = to.min(seen.unwrap_or(to));
        let cycles = to.saturating_sub(from);
        if cycles > left {
            return to - left;
        }
        left -= cycles;
    }
    0
}

/// The cycle from which on something may wait unseen at the ports `lost`, when entry `place` comes.
#[cold]
pub fn lost((log, place): (&Log, usize), lost: [bool; 3]) -> u64 {
    let moved = if lost.contains(&true) { unstalled(log, place, u64::MAX).1 } else { [u64::MAX; 3] };
    moved.into_iter().zip(lost).filter_map(|(moved, lost)| lost.then_some(moved)).min().unwrap_or(u64::MAX)
}

/// The times before entry `place`, in `cycle`, in which no port offers what is not taken, each from a cycle to before
/// another; and by port, the cycle of its last transfer. What is owed is owed since the last reset, so nothing before it
/// counts.
fn unstalled(log: &Log, place: usize, cycle: u64) -> (Vec<(u64, u64)>, [u64; 3]) {
    let entries = &log.entries()[..place];
    let reset = entries.iter().rposition(|entry| entry.event == Event::Reset);
    let entries = &entries[reset.unwrap_or(0)..];
    let begun = reset.map_or(0, |_| entries[0].cycle);
    let (mut times, mut waits, mut moved, mut from) = (Vec::new(), [false; 3], [begun; 3], Some(begun));
    for entry in entries {
        let free = match entry.event {
            Event::Offer(number) => {
                waits[log.offered(number).port() as usize] = true;
                None
            }
            Event::Request(_) => Some(Port::Request),
            Event::Beat(_) => Some(Port::Beat),
            Event::Done(_) => Some(Port::Done),
            Event::Withdrawn(port) => Some(port),
            _ => None,
        };
        if let Some(port) = free {
            (waits[port as usize], moved[port as usize]) = (false, entry.cycle);
        }
        match (from, waits.contains(&true)) {
            (Some(free), true) => {
                times.push((free, entry.cycle));
                from = None;
            }
            (None, false) => from = Some(entry.cycle),
            _ => {}
        }
    }
    times.extend(from.map(|free| (free, cycle)));
    (times, moved)
}
