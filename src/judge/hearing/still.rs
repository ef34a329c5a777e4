// SPDX-License-Identifier: MIT OR Apache-2.0
//! PORT-PROGRESS: detects and describes a unit that stands still.

use super::super::{
    Field, Mismatch, Site,
    log::Log,
    scoreboard::{Divergence, Scoreboard},
    wait,
};
use crate::clause::Clause;

/// The mismatch for a unit that stands still: at operation `oldest`, or at operation `next`, which it does not accept.
/// No port has moved since cycle `moved`.
pub fn stands(
    (board, log): (&Scoreboard, &Log),
    (oldest, next): (Option<usize>, Option<usize>),
    moved: u64,
    (what, expected): (&str, String),
) -> Mismatch {
    let issues = log.issues();
    let state = match oldest {
        Some(index) => board.owed(index, &issues[index]),
        None => "the next operation is not accepted".to_owned(),
    };
    // Something is offered to the unit. What others owe they cannot give, then.
    let refuses = next.is_some() && oldest.is_some() && board.awaits_environment(issues).is_some();
    let refused =
        if refuses { "; the unit does not take the operation, data or answer that it is offered" } else { "" };
    let held = log.held_by(oldest.map(|index| issues[index].op.tag));
    Mismatch::new(Clause::PortProgress, oldest.or(next), Field::event(Site::Unit, what))
        .values(expected, format!("none since cycle {moved}; {state}{refused}{held}"))
        .since(oldest.map_or(moved, |index| board.op(index).moved()))
}

/// Judges a unit in which no port has moved since cycle `moved`, for `quiet` cycles: it must not owe a request that
/// nothing holds up.
pub fn idle(
    (board, log, place): (&Scoreboard, &Log, usize),
    (moved, quiet): (u64, u64),
    patience: u64,
) -> Result<(), Box<Divergence>> {
    let first = board.could_send();
    let pair = if first.is_none() { board.due_half() } else { None };
    let Some(op) = first.or(pair.map(|pair| pair.op)) else { return Ok(()) };
    let patience = patience + first.map_or(0, |op| wait::own_cycles(&log.issues()[op].op));
    if quiet <= patience {
        return Ok(());
    }
    let m = Mismatch::new(Clause::PortProgress, Some(op), Field::event(Site::MemReq, ""));
    let expected = format!("its next request, which nothing holds, within {patience} cycles");
    // The parts of the unit report at the end of the log. Their reports hold for this cycle if nothing moved in
    // between.
    let stays = log.is_still(place) || pair.is_some_and(|pair| !log.asks(place, pair.id));
    let held = if stays { log.held_by(Some(log.issues()[op].op.tag)) } else { String::new() };
    let found = format!("none since cycle {moved}, in which a port moved last{held}");
    Err(m.values(expected, found).since(board.op(op).moved()).into())
}
