// SPDX-License-Identifier: MIT OR Apache-2.0
//! Logs that begin in mid-flight: what they show of operations from before them must fit together, and fit the
//! operations of the log. A load of the log has tag and id 0, and is in flight from cycle 10 to 40; the line of
//! another's requests is the same unless said.

use super::*;

fn started(mut log: Log) -> Log {
    log.0[0]["unseen"] = json!(["start"]);
    log
}

/// A load of the log, and what else happens.
fn among(others: &[Value]) -> Log {
    let log = others.iter().fold(Log::new().load(1, 0), |log, other| log.add(other.clone()));
    started(log.req(10, 0, "Read").rsp(30, 0).wb(32, 0).done(40, 0).end(60))
}

/// A request from before the log, of warp `warp` and with tag 9, for other bytes than the load's.
fn asks(cycle: u64, id: u8, warp: u8, kind: &str) -> Value {
    let mut request = request(id, 9, kind);
    request["warp"] = json!(warp);
    request["be"] = json!("0xffff0000");
    json!({"cycle": cycle, "req": request})
}

fn elsewhere(mut asked: Value) -> Value {
    asked["req"]["addr"] = json!("0x1800");
    asked
}

fn rsp(cycle: u64, id: u8) -> Value {
    json!({"cycle": cycle, "rsp": answer(id)})
}

/// An answer to a write that is not the last, with its scope.
fn first(cycle: u64, id: u8, scope: u8) -> Value {
    json!({"cycle": cycle, "rsp": {"id": id, "scope": scope}})
}

fn over(cycle: u64, warp: u8) -> Value {
    json!({"cycle": cycle, "done": {"warp": warp, "tag": 9, "fault": [0, 0, 0, 0]}})
}

fn wrote(cycle: u64, warp: u8) -> Value {
    json!({"cycle": cycle, "wb": {"warp": warp, "tag": 9, "reg": 0, "mask": 15, "data": [0, 0, 0, 0]}})
}

/// PORT-CAS: a pair owns its line as long as a half of it is in flight, whoever has it.
#[test]
fn a_pair_from_before_the_log_owns_its_line() {
    let (read, write) = ("ReadExclusive", "WriteExclusive");
    let refused = json!({"cycle": 9, "rsp": {"id": 1, "exclusive_failed": 1, "scope": 3, "last": 1}});
    let begins = |cycle| {
        let mut pair = asks(cycle, 2, 2, read);
        pair["req"]["tag"] = json!(7);
        elsewhere(pair)
    };
    check(&[
        ("its read is in flight", among(&[asks(8, 1, 1, read), rsp(20, 1)]), "PORT-CAS mem_req"),
        ("its write is", among(&[asks(8, 1, 1, write), rsp(20, 1)]), "PORT-CAS mem_req"),
        ("not for the last time", among(&[asks(6, 1, 1, write), first(8, 1, 0), rsp(20, 1)]), "PORT-CAS mem_req"),
        ("it is over", among(&[asks(6, 1, 1, write), rsp(9, 1)]), "agrees"),
        ("its write is refused, and is to be repeated", among(&[asks(6, 1, 1, write), refused]), "agrees"),
        ("another line", among(&[elsewhere(asks(8, 1, 1, read)), rsp(20, 1)]), "agrees"),
        ("for another from before", among(&[begins(4), elsewhere(asks(5, 1, 1, "Read"))]), "PORT-CAS mem_req"),
        ("begun after another", among(&[elsewhere(asks(4, 1, 1, "Read")), rsp(5, 1), begins(6), rsp(9, 2)]), "agrees"),
    ]);
    // A compare-and-store that may do anything need not have made pairs, but memory answers it all the same.
    let any = contract("lane_order = \"any\"");
    let refused = json!({"cycle": 20, "rsp": {"id": 1, "exclusive_failed": 1, "last": 1}});
    assert_eq!(among(&[asks(8, 1, 1, write), refused]).verdict(any), "agrees");
}

/// PORT-DONE, PORT-OP: what asks or writes back is not done.
#[test]
fn an_operation_from_before_the_log_is_done_after_what_it_does() {
    let read = |warp| elsewhere(asks(8, 1, warp, "Read"));
    let early = "PORT-DONE done order";
    check(&[
        ("asked, answered later", among(&[read(0), rsp(45, 1)]), early),
        ("asked and answered", among(&[read(0), rsp(12, 1)]), early),
        ("written back", among(&[wrote(8, 0)]), early),
        ("and done", among(&[read(0), rsp(12, 1), wrote(14, 0), over(20, 0)]), "agrees"),
        ("answered only", among(&[rsp(12, 1)]), "agrees"),
        ("in another warp", among(&[read(1), rsp(12, 1), wrote(14, 1), over(50, 1)]), "agrees"),
    ]);
    let waits = among(&[read(0), rsp(12, 1), over(41, 0)]);
    let offers = |log: Log| Log(log.0.into_iter().filter(|line| line["cycle"] != 40).collect()).done(44, 0).waited(40);
    assert_eq!(offers(waits).verdict(Promises::OURS), early);

    let taken = |others: &[Value]| {
        let log = others.iter().fold(Log::new().load(5, 9), |log, other| log.add(other.clone()));
        let log = log.add(json!({"cycle": 10, "req": request(0, 9, "Read")})).rsp(30, 0);
        started(log.wb(32, 9).done(40, 9).end(60))
    };
    let asked = |warp| elsewhere(asks(3, 1, warp, "Read"));
    let tag = "PORT-OP op_tag (environment)";
    check(&[
        ("one that asked has the tag", taken(&[asked(0), rsp(4, 1)]), tag),
        ("in another warp", taken(&[asked(1), rsp(4, 1)]), tag),
        ("one that wrote back", taken(&[wrote(3, 0)]), tag),
        ("done in the same cycle", taken(&[asked(0), rsp(4, 1), over(5, 0)]), "agrees"),
    ]);
}

/// PORT-RSP: once a request was seen, or its last answer, its answers are known.
#[test]
fn memory_answers_what_is_from_before_the_log_as_well() {
    let (read, write) = (|| elsewhere(asks(8, 1, 1, "Read")), || elsewhere(asks(8, 1, 1, "Write")));
    let error = json!({"cycle": 14, "rsp": {"id": 1, "scope": 3, "error": 1, "last": 1}});
    let wrong = "PORT-RSP memory answer (environment)";
    check(&[
        ("twice after a request", among(&[read(), rsp(12, 1), rsp(14, 1)]), wrong),
        ("twice without one", among(&[rsp(12, 1), rsp(14, 1)]), wrong),
        ("several times, then the last", among(&[first(2, 1, 0), first(4, 1, 1), rsp(12, 1)]), "agrees"),
        ("and then another request", among(&[rsp(6, 1), read(), rsp(14, 1)]), "agrees"),
        ("a read in parts", among(&[read(), first(12, 1, 0), rsp(14, 1)]), wrong),
        ("a write for wider scopes", among(&[write(), first(12, 1, 0), first(13, 1, 2), rsp(14, 1)]), "agrees"),
        ("a write for a narrower one", among(&[write(), first(12, 1, 2), first(13, 1, 0), rsp(14, 1)]), wrong),
        ("an error too late", among(&[write(), first(12, 1, 0), error]), wrong),
    ]);
}

/// PORT-RSP: memory performs a request once.
#[test]
fn a_request_is_applied_once() {
    let applied = |cycle: u64| json!({"cycle": cycle, "applied": {"request": 0, "made": true}});
    let log = |times: &[u64]| {
        let log = Log::new().load(1, 0).req(10, 0, "Read");
        let log = times.iter().fold(log, |log, cycle| log.add(applied(*cycle)));
        log.rsp(30, 0).wb(32, 0).done(40, 0).end(60)
    };
    check(&[("once", log(&[12]), "agrees"), ("twice", log(&[12, 13]), "PORT-RSP memory applied (environment)")]);
}

/// PORT-WB: what memory holds by now is no better than another value.
#[test]
fn a_value_that_memory_did_not_answer_is_wrong() {
    let mut old = answer(0);
    old["data"] = json!("0x4000000030000000200000009");
    let log = Log::new().op(1, 1, "Store", "memory", json!({"warp": 1})).data(2).load(3, 0);
    let mut write = request(1, 1, "Write");
    write["warp"] = json!(1);
    let log = log.add(json!({"cycle": 6, "req": write})).rsp(8, 1);
    let log = log.add(json!({"cycle": 10, "done": {"warp": 1, "tag": 1, "fault": [0, 0, 0, 0]}}));
    let log = log.req(12, 0, "Read").add(json!({"cycle": 14, "rsp": old})).wb(16, 0).done(18, 0).end(40);
    for promises in [Promises::OURS, contract("not_kept = [\"PORT-HAZARD\"]")] {
        assert_eq!(log.verdict(promises), "PORT-WB wb_data of register 0");
    }
}
