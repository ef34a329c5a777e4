// SPDX-License-Identifier: MIT OR Apache-2.0
//! PORT-FAIR: others that conflict with a request do not pass it for ever.

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
    let attr = json!({"semantics": "Release", "scope": "Cta"});
    add(Log::new().op(1, 0, "Store", "scratchpad", json!({"attr": attr})).data(2).store(3, 1).data(4));
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
