// SPDX-License-Identifier: MIT OR Apache-2.0
//! PORT-FAIR: a request is not passed for ever by others that conflict with it.
//!
//! ```text
//!   last    due      first answered      second answered
//!  --+-------+--------------+--------------------+-------------[request]-->  cycles
//!    | bound | may pass; these are the second    | hardly any may pass
//!    | these are the first  |
//! ```
//!
//! A unit may let others pass as long as those are unanswered that stood against the request as it was due. Those that
//! passed must then be answered. It may have been due behind another one that waited likewise.

use super::super::{
    flight::bit,
    log::{Done, Event, Issue, Log, Seen},
    mismatch::{Field, Mismatch, Site},
    scoreboard::{Divergence, Scoreboard},
};
use super::GRANTED;
use crate::{
    clause::Clause,
    op::{MAX_PENDING, ReqKind, Semantics},
};

/// Judges the request at entry `place`, which is request `number` of the log and one of operation `op`. Nothing of its
/// warp moved since cycle `last`, and it is due when others have made `bound` requests.
#[cold]
pub fn judge(
    (log, place, number): (&Log, usize, u32),
    board: &Scoreboard,
    (op, last): (usize, u64),
    bound: u64,
) -> Result<(), Box<Divergence>> {
    // Such an operation waits for more than what is in flight.
    if board.op(op).mmio || board.op(op).release.is_some() {
        return Ok(());
    }
    let seen = log.requested(number);
    // A release waits for what its warp has in the scratchpad, which the log does not show, and so does what comes after
    // it, until it is over (`Scoreboard::is_timed`).
    let since = log.entries()[..place].iter().rev().take_while(|entry| entry.cycle > last);
    let held = since.filter_map(|entry| match entry.event {
        Event::Done(number) => Some((entry.cycle, log.completed(number))),
        _ => None,
    });
    let last = held.into_iter().find(|(_, done)| is_release(log, op, done)).map_or(last, |(cycle, _)| cycle);
    // By id: the next answer, and the next last one.
    let mut next = [(u64::MAX, u64::MAX); MAX_PENDING];
    let mut open = 0u64;
    // Of the requests that conflict, back from the last one: the cycle in which each was made, and until when it
    // conflicts. And the cycles in which others made any requests.
    let (mut meets, mut made) = (Vec::new(), Vec::new());
    for entry in log.entries()[..place].iter().rev() {
        if entry.cycle <= last && open == 0 {
            break;
        }
        match entry.event {
            Event::Response(number) => {
                let response = log.responded(number);
                let (first, freed) = &mut next[usize::from(response.id) % MAX_PENDING];
                *first = entry.cycle;
                *freed = if response.last { entry.cycle } else { *freed };
                open |= if entry.cycle > last { bit(response.id) } else { 0 };
            }
            Event::Request(number) => {
                let asked = log.requested(number);
                open &= !bit(asked.id);
                let (first, freed) = next[usize::from(asked.id) % MAX_PENDING];
                if entry.cycle > last {
                    made.push(entry.cycle);
                }
                // A pair conflicts in each of its halves, and may be the last that is allowed.
                if asked.is_pair() {
                    return Ok(());
                }
                if conflict(asked, seen) {
                    meets.push((entry.cycle, if seen.is_pair() { freed } else { first }));
                }
            }
            Event::Reset | Event::Withdrawn(_) => return Ok(()),
            _ => {}
        }
    }
    let Some(&due) = made.iter().rev().nth(bound as usize) else { return Ok(()) };
    let answered = |since: u64| meets.iter().filter(|meet| meet.0 <= since).map(|meet| meet.1).fold(since, u64::max);
    let over = answered(answered(due));
    let passes = meets.iter().filter(|meet| meet.0 > over).count() as u64;
    // What is left is for the unit's stages: as many requests may be on their way, and pass, when no more may.
    let most = bound.saturating_sub(GRANTED);
    if passes <= most {
        return Ok(());
    }
    let m = Mismatch::new(Clause::PortFair, Some(op), Field::event(Site::MemReq, ""));
    let expected = format!("at most {most} requests that conflict with it before it since cycle {over}");
    Err(m.values(expected, format!("after {passes}")).into())
}

/// Whether a completion is that of a release of the warp of operation `op`, and came before it.
fn is_release(log: &Log, op: usize, done: &Done) -> bool {
    let issues = log.issues();
    let of = |issue: &&Issue| (issue.op.warp, issue.op.tag) == (done.warp, done.tag);
    let release = |issue: &Issue| {
        matches!(Semantics::from_code(issue.op.attr.semantics), Some(Semantics::Release | Semantics::MmioRelease))
    };
    issues[op].op.warp == done.warp && issues[..op].iter().rev().find(of).is_some_and(release)
}

/// Whether one of two requests must wait until the other one is answered (PORT-HAZARD, PORT-CAS).
fn conflict(one: &Seen, other: &Seen) -> bool {
    let writes = |seen: &Seen| seen.kind != ReqKind::Read as u8;
    let shares = one.byte_enable & other.byte_enable != 0 && (writes(one) || writes(other));
    one.line == other.line && (shares || one.is_pair() || other.is_pair())
}
