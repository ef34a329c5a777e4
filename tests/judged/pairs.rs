// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compare-and-stores: what memory does and says, what a half waits for, and what a unit may do with a resource that it
//! makes undefined.

use super::*;

/// A compare-and-store by lane 0, of 5 where 0 stands; nothing of it is done.
fn begun(change: Value) -> Log {
    let mut log = Log::new();
    log.0[1]["ctrl"]["uav"] = json!([{"base": "0x1000", "size": "0x100", "kind": "Raw"}]);
    log.0[0]["memory"] = json!({"seed": "0x0", "bytes": [{"addr": "0x1000", "bytes": vec![0; 32]}]});
    let mut op = json!({"addr_mode": "Raw", "space": "Uav", "addr": [[0, 0, 0]], "active": 1});
    op.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
    log.op(1, 0, "CmpStore", "memory", op).add(json!({"cycle": 2, "data": [0]})).add(json!({"cycle": 3, "data": [5]}))
}

fn exclusive(kind: &str, data: &str) -> Value {
    let mut request = request(0, 0, kind);
    (request["be"], request["data"], request["space"]) = (json!("0xf"), json!(data), json!("Uav"));
    request
}

impl Log {
    fn asks(self, cycle: u64, request: Value) -> Self {
        self.add(json!({"cycle": cycle, "req": request}))
    }

    fn applied(self, cycle: u64, request: u32, made: bool) -> Self {
        self.add(json!({"cycle": cycle, "applied": {"request": request, "made": made}}))
    }

    fn answers(self, cycle: u64, id: u8, failed: bool) -> Self {
        let mut answer = answer(id);
        (answer["data"], answer["exclusive_failed"]) = (json!("0x0"), json!(failed));
        self.add(json!({"cycle": cycle, "rsp": answer}))
    }

    fn read(self) -> Self {
        self.asks(8, exclusive("ReadExclusive", "0x0")).applied(9, 0, true).answers(10, 0, false)
    }

    fn written(self, cycle: u64) -> Self {
        self.asks(cycle, exclusive("WriteExclusive", "0x5")).applied(cycle + 1, 1, true).answers(cycle + 2, 0, false)
    }
}

/// A memory that keeps a reservation though its line was written; one that loses it for nothing may.
#[test]
fn a_reservation_ends_with_a_write() {
    let log = |between: Option<Value>, made: bool| {
        let log = begun(json!({})).read();
        let log = between.into_iter().fold(log, |log, foreign| log.add(json!({"cycle": 11, "foreign": foreign})));
        log.asks(14, exclusive("WriteExclusive", "0x5")).applied(15, 1, made).answers(16, 0, !made)
    };
    let foreign = |change: Value| {
        let mut access = json!({"addr": "0x1010", "bytes": [0, 0, 0, 0]});
        access.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        Some(access)
    };
    let kept = "PORT-CAS memory exclusive (environment)";
    check(&[
        ("nobody wrote", log(None, true), "unfinished"),
        ("lost for nothing", log(None, false), "unfinished"),
        ("lost with a write", log(foreign(json!({})), false), "unfinished"),
        ("kept in spite of one, of equal bytes", log(foreign(json!({})), true), kept),
        ("of another line", log(foreign(json!({"addr": "0x1020"})), true), "unfinished"),
        ("a compare-and-store that found something else", log(foreign(json!({"compare": 3})), true), "unfinished"),
        ("a compare-and-store that stored", log(foreign(json!({"compare": 0})), true), kept),
    ]);
}

/// A half of a pair may be taken as soon as it is offered, so what it waits for must be there.
#[test]
fn a_half_is_judged_when_it_is_offered() {
    let write = || exclusive("WriteExclusive", "0x5");
    let written = |since: u64| begun(json!({})).read().asks(14, write()).waited(since);
    let refused = || written(12).applied(15, 1, false).answers(16, 0, true);
    let repeated = |since: u64| refused().asks(20, exclusive("ReadExclusive", "0x0")).waited(since);
    let mut late = begun(json!({})).read();
    late.0.retain(|event| event["data"] != json!([5]));
    let late = |since: u64| late.clone().add(json!({"cycle": 18, "data": [5]})).asks(20, write()).waited(since);
    check(&[
        ("a write, after the answer", written(12), "unfinished"),
        ("before it", written(9), "PORT-CAS mem_req"),
        ("after the data", late(19), "unfinished"),
        ("before them", late(14), "PORT-DATA mem_req of request 0"),
        ("a read again, after the refusal", repeated(18), "unfinished"),
        ("before that", repeated(15), "PORT-CAS mem_req"),
    ]);
}

/// A completion before the exclusive write is early if the write comes, and the write is missing if it does not; also
/// if another operation shows that the unit takes the pair for over.
#[test]
fn a_write_that_never_comes_is_missing() {
    let other = |log: Log, id: u8| {
        let log = log.op(11, 1, "Load", "memory", json!({"warp": 1}));
        let mut asked = request(id, 1, "Read");
        asked["warp"] = json!(1);
        log.asks(14, asked)
    };
    check(&[
        ("done before it", begun(json!({})).read().done(12, 0).written(14).end(30), "PORT-DONE done"),
        ("done without it", begun(json!({})).read().done(12, 0).end(30), "SM5-CAS done"),
        ("another one's line", other(begun(json!({})).read(), 1).written(16), "PORT-CAS mem_req"),
        ("another one's line, without it", other(begun(json!({})).read(), 1), "SM5-CAS mem_req"),
        ("another one's id, without it", other(begun(json!({})).read(), 0), "SM5-CAS mem_req"),
    ]);
}

/// Memory says in its answer what it did, and does it once.
#[test]
fn memory_says_what_it_did() {
    let writes = || begun(json!({})).read().asks(14, exclusive("WriteExclusive", "0x5"));
    let says = "PORT-RSP memory answer (environment)";
    check(&[
        ("refused, and answered as made", writes().applied(15, 1, false).answers(16, 0, false), says),
        ("made, and answered as refused", writes().applied(15, 1, true).answers(16, 0, true), says),
        (
            "a read that was not made",
            begun(json!({})).asks(8, exclusive("ReadExclusive", "0x0")).applied(9, 0, false).answers(10, 0, false),
            says,
        ),
        (
            "a read where memory has no exclusives",
            begun(json!({})).asks(8, exclusive("ReadExclusive", "0x0")).applied(9, 0, true).answers(10, 0, true),
            "unfinished",
        ),
        (
            "a read that finds something else",
            {
                let mut answer = answer(0);
                answer["data"] = json!("0x7");
                let log = begun(json!({})).asks(8, exclusive("ReadExclusive", "0x0")).applied(9, 0, true);
                log.add(json!({"cycle": 10, "rsp": answer}))
            },
            says,
        ),
        (
            "an error, though it was made",
            {
                let mut answer = answer(0);
                answer["error"] = json!(1);
                let log = writes().applied(15, 1, true).add(json!({"cycle": 16, "rsp": answer}));
                log.add(json!({"cycle": 18, "done": {"warp": 0, "tag": 0, "fault": ["Bus", 0, 0, 0]}})).end(40)
            },
            "agrees",
        ),
        ("made twice", writes().applied(15, 1, true).applied(16, 1, true), "PORT-RSP memory applied (environment)"),
        ("not said when", writes().answers(16, 0, false), "unfinished"),
        ("answered before it is made", writes().answers(15, 0, false).applied(16, 1, true), says),
        (
            "a store of which it is not said",
            {
                let own = |mut event: Value| {
                    event["warp"] = json!(1);
                    event
                };
                let mut asked = own(request(1, 1, "Write"));
                (asked["be"], asked["data"]) = (json!("0xf"), json!("0x1"));
                let op = json!({"warp": 1, "active": 1});
                let log = begun(json!({})).op(4, 1, "Store", "memory", op).data(5).read().written(14);
                let log = log.asks(20, asked).rsp(22, 1);
                let log = log.add(json!({"cycle": 23, "done": own(json!({"tag": 1, "fault": [0, 0, 0, 0]}))}));
                log.done(24, 0).end(40)
            },
            "agrees",
        ),
    ]);
}

/// Memory may come to what a reset cut off long after that, whoever has its id by then.
#[test]
fn memory_may_come_late_to_what_a_reset_cut_off() {
    let log = |late: u64, found: u32| {
        let mut log = begun(json!({})).read().asks(14, exclusive("WriteExclusive", "0x5"));
        log = log.add(json!({"cycle": 20, "reset": true}));
        let again = begun(json!({})).0.split_off(2);
        for (mut event, at) in again.into_iter().zip(21..) {
            event["cycle"] = json!(at);
            if event["data"].is_array() {
                event["data"] = json!([if at == 22 { 5 } else { 6 }]);
            }
            log = log.add(event);
        }
        log = log.asks(28, exclusive("ReadExclusive", "0x0")).applied(32, 2, true);
        let mut answer = answer(0);
        answer["data"] = json!(found);
        log = log.add(json!({"cycle": 33, "rsp": answer}));
        log = if found == 5 {
            log.asks(37, exclusive("WriteExclusive", "0x6"))
                .applied(38, 3, true)
                .answers(39, 0, false)
                .done(41, 0)
                .end(50)
        } else {
            log.done(36, 0).end(50)
        };
        let place = log.0.iter().position(|event| event["cycle"].as_u64() > Some(late)).unwrap();
        log.0.insert(place, json!({"cycle": late, "applied": {"request": 1, "made": true}}));
        log
    };
    check(&[
        ("before the reset", log(18, 5), "cut off"),
        ("after it", log(24, 5), "cut off"),
        ("when another one has its id", log(30, 5), "cut off"),
        ("after its read", log(34, 0), "cut off"),
        ("never", log(45, 0), "cut off"),
    ]);
}

/// PORT-PROGRESS: the line and the id of a half that is due are its own, and nothing can hold it.
#[test]
fn a_half_comes_soon() {
    let second = |cycle: u64| begun(json!({})).read().written(cycle).done(cycle + 3, 0).end(cycle + 10);
    check(&[
        ("in time", second(40), "agrees"),
        ("late", second(60), "PORT-PROGRESS mem_req"),
        ("never", begun(json!({})).read().end(60), "PORT-PROGRESS mem_req"),
    ]);
}

/// What a u# that becomes undefined leaves to a unit is what is in it.
#[test]
fn an_undefined_resource_is_no_licence() {
    let allowed = contract("lane_order = \"any\"");
    let asks = |request: Value| begun(json!({"addr": [[1, 0, 0]]})).asks(8, request).verdict(allowed);
    let with = |name: &str, value: Value| {
        let mut request = exclusive("ReadExclusive", "0x0");
        request[name] = value;
        request
    };
    assert_eq!(asks(exclusive("ReadExclusive", "0x0")), "unfinished");
    assert_eq!(asks(with("id", json!(63))), "PORT-ID mem_req_id");
    assert_eq!(asks(with("space", json!("Local"))), "PORT-REQ mem_req_space");
    assert_eq!(asks(with("attr", json!({"cache_op": "Cv"}))), "COM-ATTR mem_req_attr.cache_op");
    let done = |log: Log, faults: Value| {
        log.add(json!({"cycle": 12, "done": {"warp": 0, "tag": 0, "fault": faults}})).end(20).verdict(allowed)
    };
    let undefined = || begun(json!({"addr": [[1, 0, 0]]}));
    for lane in ["Undefined", "None", "Misaligned"] {
        assert_eq!(done(undefined(), json!([lane, 0, 0, 0])), "agrees");
    }
    assert_eq!(done(undefined(), json!([0, "Undefined", 0, 0])), "COM-INACTIVE done_fault");
    // Alignment is not left open where no compare-and-store is.
    let mut trapping = Log::new();
    trapping.0[1]["ctrl"]["trap_misaligned"] = json!(true);
    let load = trapping.op(1, 0, "Load", "memory", json!({"active": 1, "addr": [[0x1001, 0, 0]]}));
    let mut word = request(0, 0, "Read");
    word["be"] = json!("0xf");
    let load = load.asks(4, word).rsp(6, 0).add(json!({"cycle": 8, "wb": beat(0, 1)}));
    assert_eq!(done(load, json!([0, 0, 0, 0])), "SPA5-ALIGN done_fault");
}

/// Of one whose data nobody saw, what follows from the operation alone is judged.
#[test]
fn without_data_a_pair_is_judged_as_far_as_it_goes() {
    let log = |request: Value| {
        let mut log = begun(json!({}));
        log.0.retain(|line| line.get("data").is_none());
        log.0[0]["unseen"] = json!(["data"]);
        log.asks(8, request)
    };
    let mut other = exclusive("ReadExclusive", "0x0");
    other["space"] = json!("Global");
    check(&[
        ("as it should be", log(exclusive("ReadExclusive", "0x0")), "unfinished"),
        ("in another space", log(other), "PORT-REQ mem_req_space"),
    ]);
}

/// Bytes of no lane are no rule's about alignment, where all is aligned.
#[test]
fn bytes_of_nobody_are_the_ports() {
    let mut more = exclusive("ReadExclusive", "0x0");
    more["be"] = json!("0x10000f");
    check(&[("a byte more", begun(json!({})).asks(8, more), "PORT-REQ mem_req_be of request 0")]);
}

/// PORT-PROGRESS: pairs that have no id yet go before no request that has one.
#[test]
fn pairs_without_an_id_take_no_cycles() {
    // Of five pairs of warp 1 three have ids, of four that there are; the load of warp 0 came first, and has the last one.
    let loads = |cycle: u64, pairs: u8| {
        let mut log = Log::new();
        log.0[1]["ctrl"]["uav"] = json!([{"base": "0x2000", "size": "0x100", "kind": "Raw"}]);
        log = log.load(1, 9);
        for pair in 0..pairs {
            let at = 2 + 2 * u64::from(pair);
            let (x, warp) = (32 * u64::from(pair), 1);
            let op = json!({"addr_mode": "Raw", "space": "Uav", "addr": [[x, 0, 0]], "active": 1, "warp": warp});
            log = log.op(at, pair, "CmpStore", "memory", op);
            log = log.add(json!({"cycle": at, "data": [0]})).add(json!({"cycle": at + 1, "data": [5]}));
        }
        for pair in 0..3u8 {
            let mut request = exclusive("ReadExclusive", "0x0");
            for (name, value) in [("id", json!(pair)), ("tag", json!(pair)), ("warp", json!(1))] {
                request[name] = value;
            }
            request["addr"] = json!(0x2000 + 32 * u64::from(pair));
            log = log.asks(20 + u64::from(pair), request);
        }
        let mut request = request(3, 9, "Read");
        request["warp"] = json!(0);
        log.asks(cycle, request).verdict(contract("not_kept = [\"PORT-FAIR\"]"))
    };
    let late = "PORT-PROGRESS mem_req";
    for pairs in [3, 5] {
        assert_eq!([loads(54, pairs), loads(55, pairs), loads(56, pairs)], ["unfinished", late, late]);
    }
}

/// PORT-RSP: a refusal is the only answer, and the bit means nothing in answers to others.
#[test]
fn a_refusal_is_the_last_answer() {
    let refused = |last: bool| {
        let mut answer = answer(0);
        (answer["data"], answer["exclusive_failed"]) = (json!("0x0"), json!(true));
        (answer["last"], answer["scope"]) = (json!(last), json!(if last { 3 } else { 0 }));
        let log = begun(json!({})).read().asks(14, exclusive("WriteExclusive", "0x5")).applied(15, 1, false);
        log.add(json!({"cycle": 16, "rsp": answer}))
    };
    let failed = |log: Log, cycle: u64, scope: u8| {
        let mut answer = answer(0);
        answer["exclusive_failed"] = json!(true);
        (answer["last"], answer["scope"]) = (json!(scope == 3), json!(scope));
        log.add(json!({"cycle": cycle, "rsp": answer}))
    };
    let load = failed(Log::new().load(1, 0).req(3, 0, "Read"), 6, 3).wb(7, 0).done(8, 0).end(20);
    let store = Log::new().store(1, 0).data(2).req(4, 0, "Write");
    let store = failed(failed(store, 8, 0).done(9, 0), 10, 3).end(20);
    check(&[
        ("one that is", refused(true), "unfinished"),
        ("one that is not", refused(false), "PORT-RSP memory answer (environment)"),
        ("the bit in an answer to a load", load, "agrees"),
        ("the bit in each answer to a store", store, "agrees"),
    ]);
}

/// SM5-ORDER: lanes may have acted in an order that is neither theirs nor the reverse.
#[test]
fn a_value_of_another_order_may_be_one() {
    let written = |value: &str| {
        let mut log = begun(json!({"addr": [[0, 0, 0], [0, 0, 0], [0, 0, 0]], "active": 7}));
        log.0[3]["data"] = json!([0, 1, 2]);
        log.0[4]["data"] = json!([1, 2, 3]);
        log.read().asks(14, exclusive("WriteExclusive", value)).record()
    };
    let told = |value: &str| {
        let record = written(value);
        let mismatch = record.judge(&mut Judge::new(&record.header.unit), Promises::OURS).unwrap_err();
        (mismatch.clause.to_string(), mismatch.or.iter().map(ToString::to_string).collect::<Vec<_>>())
    };
    // Lanes 2, 0, 1.
    assert_eq!(told("0x2"), ("SM5-CAS".to_owned(), vec!["SM5-ORDER".to_owned()]));
    assert_eq!(told("0x1"), ("SM5-ORDER".to_owned(), vec![]));
    assert_eq!(told("0x9"), ("SM5-CAS".to_owned(), vec![]));
}

/// A unit that plays one pair at a time, for all warps: another warp's waits for the answers to the first one's. One of the
/// same warp may wait for these.
#[test]
fn a_pair_waits_for_no_other_warp() {
    let other = |warp: u8, cycle: u64| {
        let change = json!({"addr_mode": "Raw", "space": "Uav", "addr": [[0x40, 0, 0]], "active": 1, "warp": warp});
        let log = begun(json!({})).op(3, 1, "CmpStore", "memory", change);
        let log = log.add(json!({"cycle": 4, "data": [0]})).add(json!({"cycle": 5, "data": [5]}));
        let mut asked = exclusive("ReadExclusive", "0x0");
        for (name, value) in [("id", json!(1)), ("warp", json!(warp)), ("tag", json!(1)), ("addr", json!("0x1040"))] {
            asked[name] = value;
        }
        let log = log.asks(8, exclusive("ReadExclusive", "0x0"));
        let first = |log: Log| log.applied(39, 0, true).answers(40, 0, false);
        if cycle < 40 { first(log.asks(cycle, asked)) } else { first(log).written(44).asks(cycle, asked) }
    };
    check(&[
        ("at once", other(1, 9), "unfinished"),
        ("in time", other(1, 26), "unfinished"),
        ("after the other warp's", other(1, 50), "PORT-FAIR mem_req"),
        ("after its own warp's", other(0, 50), "unfinished"),
    ]);
}
