// SPDX-License-Identifier: MIT OR Apache-2.0
//! Requests that come late, one by one and together.

use super::*;
use crate::{
    judge::{
        Judge, Mismatch, Trial,
        log::{Beat, Done, Response, Seen},
    },
    model::Memory,
    op::{AddrMode, Ctrl, LaneMask, Lanes, MAX_LANES, MAX_LINE_BYTES, Op, Range, Shape, Space},
};

const BASE: u64 = 0x1000;

/// A load of four bytes by lane 0, with a line of its own for each tag.
fn load(tag: u8) -> Op {
    let imm = BASE + 0x80 * u64::from(tag);
    let op = Op { imm, tag, warp: tag.min(1), element_bytes: 4, ..Op::default() };
    Op { element_count: 1, element_mask: 1, ..op }
}

/// Warp 0 loads; its request is taken in cycle `asked`, after it was offered for `offered` cycles. Meanwhile warp 1
/// makes a load every ten cycles.
fn judge(asked: u64, offered: u64) -> Result<(), Box<Mismatch>> {
    let mut events: Vec<(u64, usize, u8)> = vec![(0, 5, 0)];
    events.extend((0..4).map(|step| (asked + step, 1 + step as usize, 0)));
    events.extend((offered > 0).then_some((asked - offered, 0, 0)));
    for (tag, cycle) in (1..8).zip((10..).step_by(10)) {
        events.push((cycle - 5, 5, tag));
        events.extend((0..4).map(|step| (cycle + step, 1 + step as usize, tag)));
    }
    events.sort_unstable();
    let mut log = Log::default();
    let mut lanes = Lanes::default();
    lanes.active.insert(0);
    lanes.predicate.insert(0);
    for (cycle, what, tag) in events {
        let (op, warp, id) = (load(tag), tag.min(1), tag);
        let seen = Seen {
            id,
            warp,
            tag,
            space: Space::Global as u8,
            attr: op.attr.to_words(),
            line: op.imm,
            byte_enable: 15,
            ..Seen::default()
        };
        match what {
            0 => log.offer(cycle, crate::judge::log::Offer::Request(Box::new(seen))),
            1 => log.request(cycle, seen),
            2 => {
                let data = [0; MAX_LINE_BYTES];
                let answer = Response { id, data, error: false, exclusive_failed: false, scope: 3, last: true };
                log.response(cycle, answer);
            }
            3 => log.beat(cycle, Beat { warp, tag, register: 0, mask: lanes.active, data: [0; MAX_LANES] }),
            4 => log.done(cycle, Done { warp, tag, faults: [0; MAX_LANES] }),
            _ => log.op(cycle, &op, &lanes, None),
        }
    }
    log.end(100, false);
    verdict(&log)
}

/// The verdict on a log of a unit with four lanes.
fn verdict(log: &Log) -> Result<(), Box<Mismatch>> {
    let shape = Shape::with_lanes(4);
    let mut ctrl = Ctrl::default();
    ctrl.alloc[0] = Range { base: BASE, size: 0x1000 };
    let contract = Contract::new(shape, ctrl);
    let memory = || Memory::new(1);
    let trial = Trial { contract: &contract, memory: &memory, counts: false, histories: false };
    Judge::new(&shape).judge(&trial, log, None).map(|_| ())
}

/// Warp 0 loads from four lines. Its first request is taken in cycle 20, and each after so many free cycles; the
/// first answer comes before the last of them, or after it.
fn trickle(free: u64, answered: bool) -> Result<(), Box<Mismatch>> {
    let mut log = Log::default();
    let op = load(0);
    let mut lanes = Lanes { predicate: LaneMask::ALL, ..Lanes::default() };
    for lane in 0..4 {
        lanes.active.insert(lane);
        lanes.addr[lane][0] = 0x80 * lane as u32;
    }
    let op = Op { addr_mode: AddrMode::Reg32 as u8, ..op };
    log.op(0, &op, &lanes, None);
    let respond = |log: &mut Log, cycle: u64, id: u8| {
        let data = [0; MAX_LINE_BYTES];
        log.response(cycle, Response { id, data, error: false, exclusive_failed: false, scope: 3, last: true });
        let mask = LaneMask::only(usize::from(id));
        log.beat(cycle + 1, Beat { warp: 0, tag: 0, register: 0, mask, data: [0; MAX_LANES] });
    };
    for id in 0..4 {
        let cycle = 20 + u64::from(id) * (free + 1);
        if answered && id == 3 {
            respond(&mut log, cycle - 3, 0);
        }
        let line = op.imm + 0x80 * u64::from(id);
        let space = Space::Global as u8;
        log.request(cycle, Seen { id, space, attr: op.attr.to_words(), line, byte_enable: 15, ..Seen::default() });
    }
    for id in u8::from(answered)..4 {
        respond(&mut log, 80 + 2 * u64::from(id), id);
    }
    log.done(90, Done { warp: 0, tag: 0, faults: [0; MAX_LANES] });
    log.end(100, false);
    verdict(&log)
}

#[test]
fn requests_that_wait_too_long_together_are_told() {
    for (free, answered) in [(0, false), (6, false), (7, true)] {
        assert_eq!(trickle(free, answered).map_err(|mismatch| mismatch.to_string()), Ok(()), "{free} {answered}");
    }
    let mismatch = trickle(7, false).unwrap_err();
    assert_eq!((mismatch.clause, mismatch.op), (Clause::PortFair, Some(0)));
    assert_eq!(mismatch.actual, "for 21");
}

/// Other requests use the port in two cycles before.
#[test]
fn a_request_that_comes_late_is_told() {
    for (asked, offered) in [(3, 0), (22, 0), (23, 0), (29, 6)] {
        assert_eq!(judge(asked, offered).map_err(|mismatch| mismatch.to_string()), Ok(()), "{asked} {offered}");
    }
    for (asked, offered) in [(24, 0), (29, 5), (40, 0)] {
        let mismatch = judge(asked, offered).unwrap_err();
        assert_eq!((mismatch.clause, mismatch.op), (Clause::PortFair, Some(0)));
        assert!(mismatch.expected.starts_with("within 20 cycles"), "{mismatch}");
        let after = mismatch.actual.strip_prefix("after ").unwrap();
        assert!(after.parse::<u64>().unwrap() > 20, "{mismatch}");
    }
}
