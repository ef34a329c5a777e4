// SPDX-License-Identifier: MIT OR Apache-2.0
//! The clause under which a wrong value is told, where another one is near.

use gpu_lsu::{
    clause::Clause,
    judge::{
        Judge,
        log::{Happened, Report},
    },
};
use serde_json::json;

use crate::{Log, answer, contract, load, request};

/// What the report of a mismatch says.
fn told(log: &Log, promises: &str) -> (String, String) {
    let record = log.record();
    let mismatch = record.judge(&mut Judge::new(&record.header.unit), contract(promises)).unwrap_err();
    (format!("{} {}", mismatch.clause, mismatch.field), format!("{}, not {}", mismatch.expected, mismatch.actual))
}

/// A store whose line is requested in two parts, each changed in this way.
fn parted(change: impl Fn(&mut serde_json::Value)) -> Log {
    let mut log = Log::new().store(1, 0).data(2);
    for (cycle, be) in [(4, "0xff"), (8, "0xff00")] {
        let mut part = request(0, 0, "Write");
        part["be"] = json!(be);
        change(&mut part);
        log = log.add(json!({"cycle": cycle, "req": part})).rsp(cycle + 2, 0);
    }
    log.done(12, 0)
}

/// Parts are no error without PORT-MIN, so something else is.
#[test]
fn what_is_wrong_in_a_part_is_told() {
    const NEITHER: &str = "not_kept = [\"PORT-MIN\", \"PORT-GROUP\"]";
    const GROUPS: &str = "not_kept = [\"PORT-MIN\"]";
    let attributes = parted(|part| part["attr"] = json!({"cache_op": "Cg"}));
    let data = parted(|part| part["data"] = json!("0x4000000030000000200000007"));
    for promises in [NEITHER, GROUPS] {
        assert_eq!(parted(|_| {}).verdict(contract(promises)), "agrees", "{promises}");
        assert_eq!(attributes.verdict(contract(promises)), "COM-ATTR mem_req_attr.cache_op", "{promises}");
        assert!(data.verdict(contract(promises)).starts_with("PORT-DATA mem_req_data"), "{promises}");
    }
    let right = parted(|_| {});
    assert_eq!(right.verdict(contract("not_kept = [\"PORT-GROUP\"]")), "PORT-MIN mem_req_be of request 0");
    assert_eq!(right.verdict(contract("")), "PORT-GROUP mem_req_be of request 0");
}

/// A load of 128 bits from an address that is not aligned, and the four values that lane 0 gets.
fn wide(values: [u32; 4]) -> Log {
    let op = json!({"element_bytes": 16, "active": 1, "addr": [[0x1004, 0, 0]]});
    let mut log = Log::new().op(1, 0, "Load", "memory", op).req(3, 0, "Read").rsp(6, 0);
    for (register, value) in (0..).zip(values) {
        let beat = json!({"warp": 0, "tag": 0, "reg": register, "mask": 1, "data": [value]});
        log = log.add(json!({"cycle": 8 + register, "wb": beat}));
    }
    log.done(14, 0)
}

/// Alignment moves all registers of a lane.
#[test]
fn a_lost_register_is_no_matter_of_alignment() {
    let verdict = |values| wide(values).verdict(contract(""));
    assert_eq!(verdict([1, 2, 3, 4]), "agrees");
    assert_eq!(verdict([2, 3, 4, 9]), "SPA5-ALIGN wb_data of register 0");
    assert_eq!(verdict([1, 2, 3, 0]), "PORT-WB wb_data of register 3");
    assert_eq!(verdict([1, 3, 3, 4]), "SPA5-MULTI wb_data of register 1");
}

/// A line that no alignment of the access reaches.
#[test]
fn a_far_line_is_no_matter_of_alignment() {
    let asks = |line: &str| {
        let op = json!({"addr_mode": "Abs", "imm": "0x1019", "active": 1});
        let mut asked = request(0, 0, "Read");
        (asked["addr"], asked["be"]) = (json!(line), json!("0xf"));
        Log::new().op(1, 0, "Load", "memory", op).add(json!({"cycle": 3, "req": asked})).verdict(contract(""))
    };
    assert_eq!(asks("0x1020"), "SPA5-EA-ABS mem_req_addr of request 0");
}

/// As a write, a read is answered for system scope.
#[test]
fn a_read_is_answered_for_all() {
    let mut near = answer(0);
    near["scope"] = json!("Cta");
    let log =
        |answer| Log::new().load(1, 0).req(3, 0, "Read").add(json!({"cycle": 6, "rsp": answer})).wb(8, 0).done(9, 0);
    assert_eq!(log(near.clone()).verdict(contract("")), "PORT-RSP memory answer (environment)");
    // Nothing was read.
    near["error"] = json!(1);
    let faults = json!({"warp": 0, "tag": 0, "fault": [5, 5, 5, 5]});
    let zeros = json!({"warp": 0, "tag": 0, "reg": 0, "mask": 15, "data": [0, 0, 0, 0]});
    let failed = Log::new().load(1, 0).req(3, 0, "Read").add(json!({"cycle": 6, "rsp": near}));
    let failed = failed.add(json!({"cycle": 8, "wb": zeros})).add(json!({"cycle": 9, "done": faults}));
    assert_eq!(failed.verdict(contract("")), "agrees");
}

/// Whoever is offered what is owed owes the rest.
#[test]
fn a_unit_that_refuses_is_to_blame() {
    let hangs = |end| told(&Log::new().load(1, 0).req(3, 0, "Read").add(json!({"cycle": 3000, "end": end})), "").1;
    let refused = "; the unit does not take the operation, data or answer that it is offered";
    assert!(hangs(json!({"offered": true})).ends_with(refused), "{}", hangs(json!({"offered": true})));
    assert!(!hangs(json!(true)).contains("offered"));
}

#[test]
fn codes_have_their_names() {
    let mut asked = request(0, 0, "Read");
    asked["space"] = json!("Local");
    let log = Log::new().load(1, 0).add(json!({"cycle": 3, "req": asked}));
    assert_eq!(told(&log, ""), ("PORT-REQ mem_req_space".to_owned(), "Global, not Local".to_owned()));
}

/// No assertion failed where bits are unknown, and the report does not say that one did.
#[test]
fn unknown_bits_are_told_as_such() {
    let mut record = load(3, 6, 8, 9).record();
    let (text, part) = ("PORT-OP (environment): `op_i.imm` is unknown in cycle 1: x", "`op_i.imm` (environment)");
    let report = Report { text: text.to_owned(), unknown: Some(part.to_owned()), beat: None };
    record.log.extend([(9, Happened::Report(report))]);
    let mismatch = record.judge(&mut Judge::new(&record.header.unit), contract("")).unwrap_err();
    assert_eq!((mismatch.clause, mismatch.field.to_string()), (Clause::PortOp, format!("unit {part}")));
    assert_eq!((&*mismatch.expected, &*mismatch.actual), ("bits that are known", text));
}
