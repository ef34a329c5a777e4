// SPDX-License-Identifier: MIT OR Apache-2.0
//! PORT-FAIR: others do not pass a request for ever, whether they conflict with it or not.

use super::*;

/// The cycle of the others' first request; warp 0 has its operations by then.
const FROM: u64 = 10;

/// Warp 1 loads from one line `loads` times, some load being always in flight, before warp 0 stores to it. Of warp 0, a
/// release in the scratchpad came before, which is over after `held` of these loads.
fn passed(loads: u64, held: u64) -> Log {
    let at = |number: u64| FROM + 2 * number;
    let mut events = Vec::new();
    let mut add = |log: Log| events.extend(log.0.into_iter().skip(2));
    let of = |warp: u8, mut event: Value| {
        event["warp"] = json!(warp);
        event
    };
    for number in 0..loads {
        let (cycle, tag, id) = (at(number), 2 + number as u8, number as u8 % 3);
        add(Log::new().op(cycle - 3, tag, "Load", "memory", json!({"warp": 1})));
        add(Log::new().add(json!({"cycle": cycle, "req": of(1, request(id, tag, "Read"))})).rsp(cycle + 4, id));
        add(Log::new().add(json!({"cycle": cycle + 5, "wb": of(1, beat(tag, 15))})));
        let done = json!({"warp": 1, "tag": tag, "fault": [0, 0, 0, 0]});
        add(Log::new().add(json!({"cycle": cycle + 6, "done": done})));
    }
    let release = json!({
        "space": "Shared", "addr_mode": "Reg64", "addr": [[0, 0, 0]], "active": 1,
        "attr": {"semantics": "Release", "scope": "Cta"},
    });
    add(Log::new().op(1, 0, "Store", "scratchpad", release).data(2).store(3, 1).data(4));
    add(Log::new().done(at(held) + 1, 0).add(json!({"cycle": at(loads) + 3, "req": request(3, 1, "Write")})));
    add(Log::new().rsp(at(loads) + 8, 3).done(at(loads) + 9, 1).end(at(loads) + 20));
    events.sort_by_key(|event| event["cycle"].as_u64());
    events.into_iter().fold(Log::new(), Log::add)
}

#[test]
fn a_request_that_others_pass_for_ever_is_told() {
    check(&[
        ("passed by some", passed(40, 0), "agrees"),
        ("by too many", passed(60, 0), "PORT-FAIR mem_req"),
        ("by as many, most of which came before the release was over", passed(60, 30), "agrees"),
    ]);
}

/// Warp 1 loads from one line in every cycle, so that the port is never free, before warp 0 loads from another one.
/// Between these, a store of warp 2 to warp 0's line may be in flight.
fn crowded(loads: u64, held: bool) -> Log {
    let mut log = Log::new();
    if held {
        let other = json!({"warp": 2});
        log = log.op(0, 1, "Store", "memory", other).data(0);
        let mut asked = request(3, 1, "Write");
        asked["warp"] = json!(2);
        log = log.add(json!({"cycle": 5, "req": asked}));
    }
    log = log.load(6, 0);
    let end = 11 + loads;
    for cycle in 7..end + 4 {
        // The load whose event of the kind that is `after` its operation comes in this cycle.
        let number = |after: u64| cycle.checked_sub(7 + after).filter(|number| *number < loads);
        let tag = |number: u64| 2 + number as u8;
        let other = |mut event: Value, number: u64| {
            (event["warp"], event["tag"]) = (json!(1), json!(tag(number)));
            event
        };
        let place = json!([[0x1020, 0, 0], [0x1024, 0, 0], [0x1028, 0, 0], [0x102c, 0, 0]]);
        if let Some(number) = number(0) {
            log = log.op(cycle, tag(number), "Load", "memory", json!({"warp": 1, "addr": place}));
        }
        if let Some(number) = number(4) {
            let mut asked = other(request(number as u8 % 3, 0, "Read"), number);
            asked["addr"] = json!("0x1020");
            log = log.add(json!({"cycle": cycle, "req": asked}));
        }
        if let Some(number) = number(6) {
            log = log.rsp(cycle, number as u8 % 3);
        }
        if let Some(number) = number(7) {
            log = log.add(json!({"cycle": cycle, "wb": other(beat(0, 15), number)}));
        }
        if let Some(number) = number(8) {
            log = log.add(json!({"cycle": cycle, "done": other(json!({"fault": [0, 0, 0, 0]}), number)}));
        }
    }
    if held {
        log = log.rsp(end + 2, 3);
        log = log.add(json!({"cycle": end + 4, "done": {"warp": 2, "tag": 1, "fault": [0, 0, 0, 0]}}));
    }
    log.req(end + 5, 0, "Read").rsp(end + 6, 0).wb(end + 7, 0).done(end + 8, 0).end(end + 20)
}

#[test]
fn a_request_that_is_kept_from_the_port_is_told() {
    check(&[
        ("by 28 groups of one warp", crowded(28, false), "agrees"),
        ("by 29", crowded(29, false), "PORT-FAIR mem_req"),
        ("by 60, but it had to wait", crowded(60, true), "agrees"),
    ]);
}

/// Warp 1 loads of 4 lines each, with a request in every `each` cycles and `between` cycles more between two loads,
/// before warp 0's one is asked for, although it came first.
fn slow(loads: u64, each: u64, between: u64) -> Log {
    let mut log = Log::new();
    log.0[0]["unit"]["pending"] = json!(64);
    log = log.load(1, 0);
    let addr = json!([[0x1100, 0, 0], [0x1120, 0, 0], [0x1140, 0, 0], [0x1160, 0, 0]]);
    for tag in 1..=loads {
        log = log.op(1 + tag, tag as u8, "Load", "memory", json!({"warp": 1, "addr": addr}));
    }
    let mut cycle = 20;
    for number in 0..4 * loads {
        let mut asked = request(number as u8, 1 + number as u8 / 4, "Read");
        asked["warp"] = json!(1);
        (asked["addr"], asked["be"]) = (json!(format!("{:#x}", 0x1100 + number % 4 * 32)), json!("0xf"));
        log = log.add(json!({"cycle": cycle, "req": asked}));
        cycle += if number % 4 == 3 { each + between } else { each };
    }
    log.add(json!({"cycle": cycle, "req": request(63, 0, "Read")}))
}

/// PORT-RATE: a port that pauses after every request lets others wait as well.
#[test]
fn a_port_that_always_pauses_is_slow_and_not_unfair() {
    check(&[
        ("at its rate", slow(12, 1, 0), "unfinished"),
        ("in every second cycle", slow(12, 2, 0), "PORT-RATE mem_req"),
        ("at its rate, with pauses", slow(12, 1, 4), "PORT-FAIR mem_req"),
    ]);
    let any_rate = contract("not_kept = [\"PORT-RATE\"]");
    assert_eq!(slow(12, 2, 0).verdict(any_rate), "PORT-FAIR mem_req");
}
