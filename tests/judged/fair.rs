// SPDX-License-Identifier: MIT OR Apache-2.0
//! PORT-FAIR: what keeps no request from the port: others that go first for ever, a stall at another port, and what other
//! warps wait for.

use super::*;

/// Operations of warp 3 of which only completions show, one in 20 cycles, until a cycle. The first waits to be taken for so
/// many cycles.
fn others(log: Log, until: u64, waits: u64) -> Log {
    (0..until.div_ceil(20)).fold(log, |log, number| {
        let (cycle, waits) = (5 + 20 * number, if number == 0 { waits } else { 0 });
        let op = json!({"warp": 3, "active": 0});
        let done = json!({"warp": 3, "tag": 9, "fault": [0, 0, 0, 0]});
        let log = log.op(cycle, 9, "Load", "memory", op).add(json!({"cycle": cycle + 6 + waits, "done": done}));
        if waits > 0 { log.waited(cycle + 6) } else { log }
    })
}

/// A load that requests, after a completion of another warp has waited for nine cycles. These do not count, nor do the 17
/// after them; those before do.
#[test]
fn a_stall_elsewhere_leaves_out_its_own_cycles() {
    let asked = |cycle: u64| others(load(cycle, cycle + 3, cycle + 4, cycle + 5), cycle, 9).end(cycle + 10);
    check(&[
        ("in time", asked(49), "agrees"),
        ("late", asked(50), "PORT-FAIR mem_req"),
        ("very late", asked(400), "PORT-FAIR mem_req"),
    ]);
}

/// Warp 3 loads from four lines, so many times and without a pause, before warp 0 loads.
fn starved(loads: u64) -> Log {
    let base = |lane: u64| json!([0x1400 + 0x20 * lane, 0, 0]);
    let mut log = Log::new().load(1, 200);
    for number in 0..loads {
        let (tag, cycle) = (number % 100, 12 + 4 * number);
        let lanes = json!({"warp": 3, "addr": (0..4).map(base).collect::<Vec<_>>()});
        log = log.op(cycle - 10, tag as u8, "Load", "memory", lanes);
        for lane in 0..4 {
            let mut asked = request(lane as u8, tag as u8, "Read");
            asked["warp"] = json!(3);
            (asked["addr"], asked["be"]) = (base(lane)[0].clone(), json!("0xf"));
            let mut data = [0; 4];
            data[lane as usize] = 1;
            let beat = json!({"warp": 3, "tag": tag, "reg": 0, "mask": 1 << lane, "data": data});
            log = log.add(json!({"cycle": cycle + lane, "req": asked})).rsp(cycle + lane + 1, lane as u8);
            log = log.add(json!({"cycle": cycle + lane + 2, "wb": beat}));
        }
        log = log.add(json!({"cycle": cycle + 7, "done": {"warp": 3, "tag": tag, "fault": [0, 0, 0, 0]}}));
    }
    log
}

#[test]
fn groups_that_go_first_are_counted_however_many_requests_they_have() {
    let patient = contract("[latency]\npassed = 300\n");
    let over = |loads: u64| 12 + 4 * loads;
    let ends = |loads: u64| {
        let cycle = over(loads);
        let log = starved(loads).add(json!({"cycle": cycle, "req": request(0, 200, "Read")})).rsp(cycle + 3, 0);
        log.wb(cycle + 4, 200).done(cycle + 5, 200).end(cycle + 10)
    };
    assert_eq!(ends(300).verdict(patient), "agrees");
    assert_eq!(ends(301).verdict(patient), "PORT-FAIR mem_req");
    let reset = |loads: u64| starved(loads).add(json!({"cycle": over(loads) + 5, "reset": true})).end(over(loads) + 10);
    assert_eq!(reset(300).verdict(patient), "cut off");
    assert_eq!(reset(301).verdict(patient), "PORT-FAIR mem_req");
}

/// A request that never comes while another warp works, and then a reset: it was owed if nothing of its own warp held it.
#[test]
fn what_other_warps_wait_for_excuses_no_request() {
    let never = |log: Log| others(log, 1400, 0).add(json!({"cycle": 1410, "reset": true})).end(1420);
    let lacks = |warp: u8, space: &str| Log::new().op(0, 1, "Store", space, json!({"warp": warp}));
    let release = json!({
        "space": "Global", "addr_mode": "Reg64", "attr": {"semantics": "Release", "scope": "Sys"},
    });
    let released = |warp: u8, answered: bool| {
        let mut write = request(1, 1, "Write");
        write["warp"] = json!(warp);
        let log = lacks(warp, "memory").data(1).add(json!({"cycle": 10, "req": write}));
        let log = if answered { log.rsp(14, 1).done(16, 1) } else { log };
        log.op(2, 2, "Store", "memory", release.clone()).data(3)
    };
    let elsewhere = json!({"addr": [[0x1800, 0, 0]], "active": 1});
    check(&[
        ("another warp's data", never(lacks(2, "memory").op(1, 0, "Load", "memory", elsewhere)), "PORT-FAIR mem_req"),
        ("another warp's scratchpad", never(lacks(2, "scratchpad").load(1, 0)), "PORT-FAIR mem_req"),
        ("its own warp's scratchpad", never(lacks(0, "scratchpad").load(1, 0)), "cut off"),
        ("a release after all was answered", never(released(0, true)), "PORT-FAIR mem_req"),
        ("a release before", never(released(0, false)), "cut off"),
    ]);
}
