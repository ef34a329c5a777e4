// SPDX-License-Identifier: MIT OR Apache-2.0
//! Units that make more requests than the fewest: what their contract allows, what it does not, and its name.

use super::*;

/// PORT-MIN is left out.
fn many() -> Promises {
    contract("not_kept = [\"PORT-MIN\"]")
}

/// A store of `change`, in these requests.
fn stored(change: Value, asked: &[&str]) -> Log {
    let attr = change["attr"].clone();
    let mut log = Log::new().op(1, 0, "Store", "memory", change).data(2);
    for (number, enable) in asked.iter().enumerate() {
        let cycle = 10 + 10 * number as u64;
        let mut asked = request(0, 0, "Write");
        (asked["be"], asked["attr"]) = (json!(enable), if attr.is_null() { json!({}) } else { attr.clone() });
        log = log.add(json!({"cycle": cycle, "req": asked})).rsp(cycle + 2, 0);
    }
    let end = 10 * asked.len() as u64 + 3;
    log.done(end, 0).end(end + 20)
}

/// `st.b32` of four lanes, or of one of them, to the words of a line.
fn ordered(semantics: &str, asked: &[&str]) -> Log {
    let addr: Vec<_> = (0..4).map(|lane| json!([0x1000 + 4 * lane, 0, 0])).collect();
    let attr = json!({"semantics": semantics, "scope": "Sys"});
    let change = json!({"space": "Global", "addr_mode": "Reg64", "addr": addr, "attr": attr});
    stored(change, asked)
}

#[test]
fn strong_elements_come_whole_and_volatile_ones_once() {
    let whole: &[&str] = &["0xffff"];
    let lanes: &[&str] = &["0xf", "0xf0", "0xff00"];
    let parts: &[&str] = &["0x3f", "0xffc0"];
    let again: &[&str] = &["0xffff", "0xf0"];
    let cases = [
        ("Weak", whole, "agrees"),
        ("Weak", lanes, "agrees"),
        ("Weak", parts, "agrees"),
        ("Weak", again, "agrees"),
        ("Relaxed", whole, "agrees"),
        ("Relaxed", lanes, "agrees"),
        ("Relaxed", parts, "PTX-SEM mem_req_be of request 0"),
        ("Relaxed", again, "agrees"),
        ("Volatile", whole, "agrees"),
        ("Volatile", lanes, "agrees"),
        ("Volatile", parts, "PTX-SEM mem_req_be of request 0"),
        ("Volatile", again, "PTX-SEM mem_req_be of request 0, byte 4"),
    ];
    for (semantics, asked, verdict) in cases {
        assert_eq!(ordered(semantics, asked).verdict(many()), verdict, "{semantics} {asked:?}");
        let ordinary = contract("not_kept = [\"PORT-MIN\", \"PTX-SEM\"]");
        assert_eq!(ordered(semantics, asked).verdict(ordinary), "agrees", "{semantics} {asked:?}");
    }
    // A byte that never comes is no matter of elements.
    let lost = ordered("Relaxed", &["0xfffe"]).verdict(many());
    assert!(!lost.starts_with("PTX-SEM") && lost != "agrees", "{lost}");
}

#[test]
fn a_unit_that_does_not_join_lanes_breaks_that_rule() {
    let asked: &[&str] = &["0xf", "0xfff0"];
    check(&[
        ("in one", stored(json!({}), &["0xffff"]), "agrees"),
        ("apart", stored(json!({}), asked), "PORT-GROUP mem_req_be of request 0"),
        ("apart, and strong", ordered("Relaxed", asked), "PORT-GROUP mem_req_be of request 0"),
    ]);
}

/// Two lanes load the same word, each by a request of its own, one of which fails.
fn shared(fails: usize, faults: [u8; 4], values: [u32; 2]) -> Log {
    let addr = json!([[0x1000, 0, 0], [0x1000, 0, 0], [0x1008, 0, 0], [0x100c, 0, 0]]);
    let mut log = Log::new().op(1, 0, "Load", "memory", json!({"active": 3, "addr": addr}));
    for number in 0..2 {
        let cycle = 10 + 10 * number as u64;
        let (mut asked, mut failed) = (request(0, 0, "Read"), answer(0));
        (asked["be"], failed["error"]) = (json!("0xf"), json!(u8::from(number == fails)));
        log = log.add(json!({"cycle": cycle, "req": asked})).add(json!({"cycle": cycle + 2, "rsp": failed}));
        let mut data = [0; 4];
        data[number] = values[number];
        let beat = json!({"warp": 0, "tag": 0, "reg": 0, "mask": 1 << number, "data": data});
        log = log.add(json!({"cycle": cycle + 4, "wb": beat}));
    }
    log.add(json!({"cycle": 30, "done": {"warp": 0, "tag": 0, "fault": faults}})).end(60)
}

#[test]
fn an_error_may_be_for_one_of_those_that_have_the_bytes() {
    let (ok, bus) = (0, 5);
    for (fails, faults, values, verdict) in [
        (0, [bus, ok, 0, 0], [0, 1], "agrees"),
        (1, [ok, bus, 0, 0], [1, 0], "agrees"),
        (1, [bus, bus, 0, 0], [1, 0], "agrees"),
        (1, [ok, ok, 0, 0], [1, 1], "COM-BUSERR done_fault"),
        // Nobody else can fail, or in another way.
        (1, [ok, bus, bus, 0], [1, 0], "COM-BUSERR done_fault"),
        (1, [ok, 3, 0, 0], [1, 0], "COM-GLOBAL done_fault"),
    ] {
        assert_eq!(shared(fails, faults, values).verdict(many()), verdict, "{fails} {faults:?}");
    }
}

/// Two stores of `st.b32`, the first in two requests. The second one's is made, or it is done without any, in cycle
/// `then`; the answers to the first one's are taken in cycles 20 and 30, and are of this scope.
fn after(semantics: [&str; 2], space: &str, scope: u8, then: u64) -> Log {
    let at = |semantics: &str, base: u64| {
        let addr: Vec<_> = (0..4).map(|lane| json!([base + 4 * lane, 0, 0])).collect();
        let attr = json!({"semantics": semantics, "scope": "Gpu"});
        json!({"space": "Global", "addr_mode": "Reg64", "addr": addr, "attr": attr})
    };
    let asked = |id: u8, tag: u8, line: &str, enable: &str| {
        let mut asked = request(id, tag, "Write");
        (asked["addr"], asked["be"]) = (json!(line), json!(enable));
        asked["attr"] = json!({"semantics": semantics[usize::from(tag)], "scope": "Gpu"});
        json!({"cycle": 10 + u64::from(id), "req": asked})
    };
    let mut second = at(semantics[1], if space == "memory" { 0x1020 } else { 0 });
    second["space"] = json!(if space == "memory" { "Global" } else { "Shared" });
    let log = Log::new().op(1, 0, "Store", "memory", at(semantics[0], 0x1000)).data(2);
    let log = log.add(asked(0, 0, "0x1000", "0xff")).add(asked(1, 0, "0x1000", "0xff00"));
    let answered = |id: u8, scope: u8| json!({"id": id, "data": LINE, "scope": scope, "last": u8::from(scope == 3)});
    let mut log = log.op(3, 1, "Store", space, second).data(4);
    for (cycle, id) in [(20, 0), (30, 1)] {
        log = log.add(json!({"cycle": cycle, "rsp": answered(id, scope)}));
        log = log.add(json!({"cycle": cycle + 30, "rsp": answered(id, 3)}));
    }
    let done = |log: Log, cycle: u64| log.done(31, 0).done(cycle.max(32), 1).end(100);
    if space != "memory" {
        return done(log, then);
    }
    let mut last = asked(2, 1, "0x1020", "0xffff");
    last["cycle"] = json!(then);
    done(log.add(last).rsp(then + 2, 2), then + 3)
}

/// What an offer waits for must be there, also where the model does not know the requests one by one.
#[test]
fn an_offer_is_judged_when_it_comes() {
    let stored = |since: u64| {
        let log = Log::new().store(1, 0).data(6).req(9, 0, "Write").waited(since);
        log.rsp(12, 0).done(13, 0).end(30).verdict(many())
    };
    assert_eq!([stored(7), stored(4)], ["agrees", "PORT-DATA mem_req of request 0"]);
    // Another warp's store to the same bytes, with an id of its own or with the first one's.
    let second = |id: u8, since: u64| {
        let mut asked = request(id, 1, "Write");
        asked["warp"] = json!(1);
        let log = Log::new().store(1, 0).data(2).op(3, 1, "Store", "memory", json!({"warp": 1})).data(4);
        let log = log.req(6, 0, "Write").rsp(12, 0).done(13, 0);
        let log = log.add(json!({"cycle": 16, "req": asked})).waited(since).rsp(18, id);
        log.add(json!({"cycle": 19, "done": {"warp": 1, "tag": 1, "fault": [0, 0, 0, 0]}})).end(30).verdict(many())
    };
    assert_eq!([second(1, 14), second(0, 14)], ["agrees"; 2]);
    assert_eq!([second(1, 9), second(0, 9)], ["PORT-HAZARD mem_req", "PORT-ID mem_req_id"]);
}

/// Lanes 0 and 1 store 1 and 2 to one word, and lane 0 loads it: what memory gets or the load finds.
fn same(space: &str, value: u32) -> Log {
    let base = if space == "memory" { 0x1000 } else { 0x10_0000 };
    let op = json!({"active": 3, "addr": [[base, 0, 0], [base, 0, 0]]});
    let log = Log::new().op(1, 0, "Store", space, op).data(2);
    if space == "memory" {
        let mut asked = request(0, 0, "Write");
        (asked["be"], asked["data"]) = (json!("0xf"), json!(format!("{value:#x}")));
        return log.add(json!({"cycle": 5, "req": asked})).rsp(8, 0).done(9, 0).end(20);
    }
    let mut found = beat(1, 1);
    found["data"] = json!([value, 0, 0, 0]);
    let log = log.op(3, 1, "Load", space, json!({"active": 1, "addr": [[base, 0, 0]]})).done(8, 0);
    log.add(json!({"cycle": 10, "wb": found})).done(11, 1).end(20)
}

#[test]
fn any_of_the_lanes_may_be_the_last_one() {
    let any = || contract("lane_order = \"any\"");
    let parts = || contract("lane_order = \"any\"\nnot_kept = [\"PORT-MIN\"]");
    let ours = || Promises::OURS;
    let in_memory = |value: u32| [ours(), any(), parts()].map(|promises| same("memory", value).verdict(promises));
    assert_eq!(in_memory(2), ["agrees"; 3]);
    assert_eq!(in_memory(1)[1..], ["agrees"; 2]);
    assert_ne!(in_memory(1)[0], "agrees");
    // Nobody stores 3. For a while, only what somebody stores may be there.
    assert!(in_memory(3).iter().all(|verdict| verdict != "agrees"), "{:?}", in_memory(3));
    let again = |first: u32| {
        let asked = |cycle: u64, id: u8, value: u32| {
            let mut asked = request(id, 0, "Write");
            (asked["be"], asked["data"]) = (json!("0xf"), json!(format!("{value:#x}")));
            json!({"cycle": cycle, "req": asked})
        };
        let op = json!({"active": 3, "addr": [[0x1000, 0, 0], [0x1000, 0, 0]]});
        let log = Log::new().op(1, 0, "Store", "memory", op).data(2).add(asked(4, 0, first)).rsp(5, 0);
        log.add(asked(6, 1, 2)).rsp(8, 1).done(9, 0).end(20).verdict(contract("not_kept = [\"PORT-MIN\"]"))
    };
    assert_eq!(again(1), "agrees");
    assert_ne!(again(3), "agrees");
    let in_scratchpad = |value: u32| [ours(), any()].map(|promises| same("shared", value).verdict(promises));
    assert_eq!(in_scratchpad(2), ["agrees"; 2]);
    assert!(in_scratchpad(1)[0] != "agrees" && in_scratchpad(1)[1] == "agrees", "{:?}", in_scratchpad(1));
    assert!(in_scratchpad(3).iter().all(|verdict| verdict != "agrees"), "{:?}", in_scratchpad(3));
}

#[test]
fn releases_and_mmio_wait_for_the_requests_in_flight() {
    let release = ["Weak", "Release"];
    let told = |log: Log| log.verdict(many());
    let early = "PTX-SEM mem_req order";
    assert_eq!(told(after(release, "memory", 2, 35)), "agrees");
    assert_eq!(told(after(release, "memory", 2, 25)), early, "one is not answered");
    assert_eq!(told(after(release, "memory", 1, 35)), early, "at a smaller scope");
    assert_eq!(told(after(release, "memory", 1, 65)), "agrees", "with the last answers");
    assert_eq!(told(after(["Weak", "Weak"], "memory", 1, 25)), "agrees", "no release");
    let ordinary = contract("not_kept = [\"PORT-MIN\", \"PTX-SEM\"]");
    assert_eq!(after(release, "memory", 2, 25).verdict(ordinary), "agrees", "not promised");
    assert_eq!(told(after(release, "scratchpad", 2, 35)), "agrees");
    assert_eq!(told(after(release, "scratchpad", 1, 35)), "PTX-SEM done order", "made where nobody sees it");
    // Two mmio accesses of a lane each.
    let mmio = |then: u64| {
        let op = json!({
            "space": "Global", "addr_mode": "Reg64", "active": 1, "addr": [[0x1000, 0, 0]],
            "attr": {"semantics": "Mmio", "scope": "Sys"},
        });
        let asked = |cycle: u64, id: u8| {
            let mut asked = request(id, id, "Write");
            (asked["be"], asked["attr"]) = (json!("0xf"), op["attr"].clone());
            json!({"cycle": cycle, "req": asked})
        };
        let log = Log::new().op(1, 0, "Store", "memory", op.clone()).op(2, 1, "Store", "memory", op.clone());
        let log = log.data(3).data(4).add(asked(10, 0)).rsp(20, 0).add(asked(then, 1)).rsp(then + 15, 1);
        log.done(21, 0).done(then + 16, 1).end(100)
    };
    assert_eq!(told(mmio(25)), "agrees");
    assert_eq!(told(mmio(15)), "PORT-ORDER mem_req order");
}

/// With lanes in any order, the last one stores its element whole, if it is not weak (PTX-SEM).
#[test]
fn an_element_is_of_one_lane() {
    let stored = |data: u32, not_kept: &str| {
        let change = json!({
            "space": "Global", "addr_mode": "Reg64", "addr": [[0x1000, 0, 0], [0x1000, 0, 0]], "active": 3,
            "attr": {"semantics": "Relaxed", "scope": "Sys"},
        });
        let mut asked = request(0, 0, "Write");
        (asked["be"], asked["data"]) = (json!("0xf"), json!(data));
        asked["attr"] = change["attr"].clone();
        let log = Log::new().op(1, 0, "Store", "memory", change);
        let log = log.add(json!({"cycle": 2, "data": [0x1111_1111, 0x2222_2222]}));
        let log = log.add(json!({"cycle": 10, "req": asked})).rsp(12, 0).done(14, 0).end(30);
        log.verdict(contract(&format!("not_kept = [{not_kept}]\nlane_order = \"any\"")))
    };
    assert_eq!(stored(0x2222_2222, ""), "agrees");
    assert_eq!(stored(0x1111_1111, ""), "agrees");
    assert_ne!(stored(0x1111_2222, ""), "agrees");
    assert_eq!(stored(0x1111_2222, "\"PTX-SEM\""), "agrees");
    assert_ne!(stored(0x1111_3333, "\"PTX-SEM\""), "agrees");
}
