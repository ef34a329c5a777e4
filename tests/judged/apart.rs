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
