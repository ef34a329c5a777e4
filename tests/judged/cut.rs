// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a port offers as a reset or the end of the log cuts it off, and what was owed by then.

use gpu_lsu::{
    clause::Clause,
    judge::{
        self,
        log::{Happened, Report, Unknown},
    },
};

use super::*;

/// What a log says where a reset, its end in good order, or its end in mid-flight comes next.
fn ends(log: &Log) -> [String; 3] {
    let reset = log.clone().add(json!({"cycle": 30, "reset": true})).end(40);
    [reset, log.clone().end(40), log.clone()].map(|log| log.verdict(Promises::OURS))
}

/// PORT-HOLD: what is offered stays as it is, so it is wrong before it is taken.
#[test]
fn what_is_offered_is_judged_though_it_is_never_taken() {
    let asked = || Log::new().load(1, 0);
    let answered = || asked().req(3, 0, "Read").rsp(6, 0);
    let wrong = |mut value: Value, name: &str, to: Value| {
        value[name] = to;
        value
    };
    let offer = |log: Log, name: &str, value: Value| log.add(json!({"cycle": 8, name: value})).not_taken();
    let done = json!({"warp": 0, "tag": 0, "fault": [0, 0, 0, 0]});
    let told = |log: Log, verdict: &str| assert_eq!(ends(&log), [verdict; 3]);
    told(offer(asked(), "req", request(0, 0, "Write")), "PORT-REQ mem_req_kind");
    told(
        offer(asked(), "req", wrong(request(0, 0, "Read"), "attr", json!({"cache_op": "Cv"}))),
        "COM-ATTR mem_req_attr.cache_op",
    );
    told(offer(answered(), "wb", wrong(beat(0, 15), "data", json!([1, 2, 3, 5]))), "PORT-WB wb_data of register 0");
    told(
        offer(answered().wb(7, 0), "done", wrong(done.clone(), "fault", json!([0, 0, 0, "Bus"]))),
        "COM-BUSERR done_fault",
    );
    // What is right is only cut off, and at the end it is the consumer's turn.
    for (name, log) in
        [("mem_req", asked().req(8, 0, "Read")), ("wb", answered().wb(8, 0)), ("done", answered().wb(7, 0).done(8, 0))]
    {
        let consumer = format!("PORT-PROGRESS {name}_ready (environment)");
        assert_eq!(ends(&log.not_taken()), ["cut off", &consumer, "unfinished"]);
    }
}

/// A request that nobody needs, of an operation that is over by the end.
#[test]
fn what_is_offered_too_much_is_told() {
    let log = |log: Log| log.req(5, 0, "Read").not_taken();
    let rest = |log: Log| log.rsp(6, 0).wb(7, 0).done(8, 0);
    assert_eq!(
        rest(log(Log::new().load(1, 0).req(3, 0, "Read"))).end(40).verdict(Promises::OURS),
        "PORT-REQ mem_req owner"
    );
}

/// A reset does not say that a unit would have gone on.
#[test]
fn a_reset_excuses_no_hang() {
    let reset = |cycle: u64| Log::new().load(1, 0).add(json!({"cycle": cycle, "reset": true}));
    check(&[
        ("in time", reset(30), "cut off"),
        ("after a request that nothing holds", reset(60), "PORT-PROGRESS mem_req"),
        (
            "after all patience",
            Log::new().load(1, 0).req(3, 0, "Read").rsp(6, 0).add(json!({"cycle": 1300, "reset": true})),
            "PORT-PROGRESS unit no port moved",
        ),
    ]);
}

/// The scratchpad keeps what it held. What a reset cuts off may be there or not, and is not judged until it is stored again.
#[test]
fn the_scratchpad_outlives_a_reset() {
    let access = |log: Log, cycle: u64, tag: u8, kind: &str| log.op(cycle, tag, kind, "scratchpad", json!({}));
    let words = |log: Log, cycle: u64, words: [u32; 4]| log.add(json!({"cycle": cycle, "data": words}));
    let bound = || {
        let mut log = Log::new();
        log.0[1]["ctrl"]["tgsm"] = json!([{"size": 1024, "kind": "Raw"}]);
        log
    };
    let stored = || words(access(bound(), 1, 0, "Store"), 2, WORDS).done(14, 0);
    let reset = |log: Log, cycle: u64| log.add(json!({"cycle": cycle, "reset": true}));
    let loaded = |log: Log, cycle: u64, found: [u32; 4]| {
        let beat = json!({"warp": 0, "tag": 5, "reg": 0, "mask": 15, "data": found});
        access(log, cycle, 5, "Load").add(json!({"cycle": cycle + 14, "wb": beat})).done(cycle + 18, 5).end(cycle + 60)
    };
    let cut = || reset(words(access(stored(), 20, 1, "Store"), 20, [9; 4]), 21);
    let swap = json!({"addr_mode": "Raw", "space": "Tgsm", "addr": [[0, 0, 0], [4, 0, 0], [8, 0, 0], [12, 0, 0]]});
    let swapped = || words(words(stored().op(20, 1, "CmpStore", "scratchpad", swap.clone()), 20, WORDS), 21, [9; 4]);
    let again =
        words(access(reset(words(access(stored(), 20, 1, "Store"), 20, [9; 4]), 21), 22, 2, "Store"), 22, WORDS);
    check(&[
        ("as it was", loaded(reset(stored(), 16), 17, WORDS), "agrees"),
        ("not as it was", loaded(reset(stored(), 16), 17, [1, 2, 3, 5]), "PORT-SPAD wb_data of register 0"),
        ("a store that was not made", loaded(cut(), 22, WORDS), "cut off"),
        ("a store that was", loaded(cut(), 22, [9; 4]), "cut off"),
        ("one that waited for its data", loaded(reset(access(stored(), 20, 1, "Store"), 21), 22, WORDS), "cut off"),
        ("a compare-and-store that was not made", loaded(reset(swapped(), 22), 23, WORDS), "cut off"),
        ("a compare-and-store that was", loaded(reset(swapped(), 22), 23, [9; 4]), "cut off"),
        ("one that was over", loaded(reset(swapped().done(34, 1), 35), 36, [9; 4]), "agrees"),
        (
            "one that was over, and is gone",
            loaded(reset(swapped().done(34, 1), 35), 36, WORDS),
            "SM5-CAS wb_data of register 0",
        ),
        ("stored again", loaded(again.clone().done(40, 2), 41, WORDS), "cut off"),
        ("stored again, and not kept", loaded(again.done(40, 2), 41, [9; 4]), "PORT-SPAD wb_data of register 0"),
    ]);
}

/// To a simulator of four values a word of the scratchpad is unknown until it is stored, and so is what a load of it gives:
/// those bits, and what extends them (SPA5-EXT).
#[test]
fn what_nobody_stored_may_be_unknown() {
    let load = |log: Log| log.op(20, 1, "Load", "scratchpad", json!({})).wb(34, 1).done(38, 1).end(60);
    let stored = Log::new().op(1, 0, "Store", "scratchpad", json!({})).data(2).done(14, 0);
    let half = Log::new().op(1, 0, "Store", "scratchpad", json!({"active": 3})).data(2).done(14, 0);
    let low = Log::new().op(1, 0, "Store", "scratchpad", json!({"element_bytes": 2})).data(2).done(14, 0);
    // The upper register of two.
    let wide = || {
        let two = json!({"element_bytes": 8, "active": 1});
        let mut other = beat(1, 1);
        other["reg"] = json!(1);
        let log = Log::new().op(1, 0, "Store", "scratchpad", json!({"active": 1})).data(2).done(14, 0);
        let log = log.op(20, 1, "Load", "scratchpad", two).add(json!({"cycle": 33, "wb": other}));
        log.add(json!({"cycle": 34, "wb": beat(1, 1)})).done(38, 1).end(60)
    };
    let short = |signed: u8| {
        let op = json!({"element_bytes": 2, "sign_extend": signed});
        Log::new().op(20, 1, "Load", "scratchpad", op).wb(34, 1).done(38, 1).end(60)
    };
    let told = Some(Clause::PortWb);
    for (log, register, unknown, verdict) in [
        (load(Log::new()), 0, vec![(0, 1), (3, 1 << 31)], None),
        (load(stored), 0, vec![(0, 1), (3, 1)], told),
        (load(half.clone()), 0, vec![(2, 1), (3, 1)], None),
        (load(half), 0, vec![(1, 1), (2, 1)], told),
        (load(low.clone()), 0, vec![(1, 1 << 16)], None),
        (load(low), 0, vec![(1, 1 << 16), (2, 1 << 15)], told),
        (wide(), 1, vec![(0, 1)], None),
        (wide(), 0, vec![(0, 1)], told),
        (short(0), 0, vec![(0, 1 << 15)], None),
        (short(0), 0, vec![(0, 1 << 15 | 1 << 20)], told),
        (short(1), 0, vec![(0, 1 << 15 | 1 << 20)], None),
        (short(1), 0, vec![(0, 1 << 20)], told),
    ] {
        let mut record = log.record();
        let mut told = record.log.since(0);
        let is_it = |happened: &Happened| matches!(happened, Happened::Beat(beat) if beat.register == register);
        let place = told.iter().position(|(_, happened)| is_it(happened)).unwrap();
        let text = "PORT-WB: `wb_data_o` is unknown in cycle 34".to_owned();
        let beat = Some(Unknown { warp: 0, tag: 1, register, bits: unknown });
        told.insert(place, (told[place].0, Happened::Report(Report { text, unknown: None, beat })));
        record.log = judge::log::Log::default();
        record.log.extend(told);
        let clause = record.judge(&mut Judge::new(&record.header.unit), Promises::OURS).err().map(|m| m.clause);
        assert_eq!(clause, verdict);
    }
}

/// Half of what a lane loads was stored: that half is judged.
#[test]
fn what_was_stored_is_known_register_by_register() {
    let wide = |bytes: u32| {
        let addr: Vec<_> = (0..4).map(|lane| json!([0x10_0000 + 16 * lane, 0, 0])).collect();
        json!({"element_bytes": bytes, "addr": addr})
    };
    let log = |known: [u32; 4], other: [u32; 4]| {
        let log = Log::new().op(1, 0, "Store", "scratchpad", wide(8)).data(2).data(3).done(14, 0);
        let log = log.op(20, 1, "Load", "scratchpad", wide(16));
        let beats = (0..).zip([WORDS, known, other, other]);
        let log = beats.fold(log, |log, (register, data)| {
            let mut beat = beat(1, 15);
            (beat["reg"], beat["data"]) = (json!(register), json!(data));
            log.add(json!({"cycle": 30 + register, "wb": beat}))
        });
        log.done(40, 1).end(60)
    };
    assert_eq!(log(WORDS, [7; 4]).verdict(Promises::OURS), "agrees");
    assert_ne!(log([7; 4], [7; 4]).verdict(Promises::OURS), "agrees");
}

/// PORT-RESET, also once something new is on its way.
#[test]
fn nothing_old_is_answered() {
    let old = |log: Log| log.add(json!({"cycle": 9, "reset": true})).op(10, 1, "Load", "memory", json!({"warp": 1}));
    let late = || old(Log::new().load(1, 0).req(3, 0, "Read").rsp(6, 0));
    check(&[
        ("a beat", late().wb(12, 0), "PORT-RESET wb owner"),
        ("a completion", late().done(12, 0), "PORT-RESET done owner"),
        ("a request", late().req(12, 0, "Read"), "PORT-RESET mem_req owner"),
        ("of one that was never there", late().done(12, 2), "PORT-DONE done owner"),
        ("of one that was over", old(load(3, 6, 7, 8)).done(12, 0), "PORT-DONE done owner"),
    ]);
}

/// PORT-WB: one full beat a register, also where nobody answers for another register, or another GPR lies in the same line.
#[test]
fn a_beat_of_lanes_in_one_line_is_whole() {
    let burst = |fields: Value, gprs: u8| {
        let mut log = Log::new();
        log.0[0]["unit"]["line_bytes"] = json!(128);
        log.0[1]["ctrl"]["buffer"] = json!([{}, {"base": "0x2000", "size": 4096}]);
        let mut op = json!({
            "addr_mode": "Array", "space": "Buffer", "slot": 1, "array_size": 64, "elem_size": 3, "use_index": 1,
            "present_gprs": gprs, "element_count": 4, "predicate": 0, "addr": [[0, 0, 0]],
        });
        op.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        log.op(2, 0, "Load", "memory", op)
    };
    let asks = |log: Log, id: u8, enable: &str| {
        let mut request = request(id, 0, "Read");
        request.as_object_mut().unwrap().extend([
            ("group".to_owned(), json!(id)),
            ("space".to_owned(), json!("Buffer")),
            ("addr".to_owned(), json!("0x2000")),
            ("be".to_owned(), json!(enable)),
        ]);
        log.add(json!({"cycle": 14 + id, "req": request}))
    };
    let answered = |log: Log, id: u8| {
        let data = "0x8888888877777777666666665555555544444444333333332222222211111111";
        let rsp = json!({"id": id, "data": data, "error": 0, "exclusive_failed": 0, "scope": "Sys", "last": 1});
        log.add(json!({"cycle": 20 + id, "rsp": rsp}))
    };
    let beats = |log: Log, cycle: u64, beats: &[(u8, u8, u64)]| {
        beats.iter().zip(cycle..).fold(log, |log, (&(register, mask, word), cycle)| {
            let wb = json!({"warp": 0, "tag": 0, "reg": register, "mask": mask, "data": [word, word, word, word]});
            log.add(json!({"cycle": cycle, "wb": wb}))
        })
    };
    let [x, y] = [0x1111_1111, 0x2222_2222];
    // X, Y, and what DST_SEL puts beside them: 0 and 1.
    let constants = |wb: &[(u8, u8, u64)]| {
        let log = burst(json!({"component_select": 0o5410, "element_mask": 3}), 1);
        let log = beats(log, 8, &[(2, 15, 0), (3, 15, 1)]);
        beats(answered(asks(log, 0, "0xff"), 0), 23, wb).done(27, 0).end(60)
    };
    let two = |wb: &[(u8, u8, u64)]| {
        let log = burst(json!({"component_select": 0o3210, "element_mask": 15}), 3);
        let log = answered(answered(asks(asks(log, 0, "0xffff"), 1, "0xffff0000"), 0), 1);
        let rest: Vec<_> = (1..8).map(|register| (register, 15, 0x1111_1111 * (u64::from(register) + 1))).collect();
        beats(beats(log, 23, &rest), 30, wb).done(33, 0).end(60)
    };
    check(&[
        ("beside constants", constants(&[(0, 15, x), (1, 15, y)]), "agrees"),
        ("in two beats", constants(&[(0, 3, x), (1, 15, y), (0, 12, x)]), "PORT-WB wb_mask of register 0"),
        ("of two GPRs", two(&[(0, 15, x)]), "agrees"),
        ("of two GPRs, in two beats", two(&[(0, 3, x), (0, 12, x)]), "PORT-WB wb_mask of register 0"),
    ]);
}

/// A log that begins in mid-flight tells what was before it, up to the first operation with the same tag, or the first
/// request with the same id: neither is in use twice. Completions keep the order of a warp, so after one of the log
/// nothing of that warp is left.
#[test]
fn what_was_before_a_log_has_no_tag_or_id_of_the_log() {
    let log = |change: &dyn Fn(Log) -> Log| {
        let mut log = change(load(3, 6, 7, 8));
        log.0[0]["unseen"] = json!(["start"]);
        log.end(40)
    };
    let of = |warp: u8, mut value: Value| {
        value["warp"] = json!(warp);
        value
    };
    let beat_of =
        |warp: u8, tag: u8| move |log: Log, cycle: u64| log.add(json!({"cycle": cycle, "wb": of(warp, beat(tag, 15))}));
    let done_of = |warp: u8, tag: u8| {
        let done = json!({"warp": warp, "tag": tag, "fault": [0, 0, 0, 0]});
        move |log: Log, cycle: u64| log.add(json!({"cycle": cycle, "done": done}))
    };
    let request_of = |warp: u8, tag: u8, id: u8| {
        move |log: Log| log.add(json!({"cycle": 20, "req": of(warp, request(id, tag, "Read"))}))
    };
    let twice = |log: Log| done_of(1, 9)(done_of(1, 9)(log, 20), 22);
    let after = |log: Log| beat_of(1, 9)(done_of(1, 9)(log, 20), 22);
    check(&[
        ("a beat of what was before", log(&|log| beat_of(1, 9)(log, 20)), "agrees"),
        ("a beat of what is over", log(&|log| log.wb(20, 0)), "PORT-WB wb owner"),
        ("a beat of a warp of which nothing is left", log(&|log| log.wb(20, 9)), "PORT-WB wb owner"),
        ("a completion of what was before", log(&|log| done_of(1, 9)(log, 20)), "agrees"),
        ("a completion of what is over", log(&|log| log.done(20, 0)), "PORT-DONE done owner"),
        ("a completion of a warp of which nothing is left", log(&|log| log.done(20, 9)), "PORT-DONE done owner"),
        ("two of what was before", log(&twice), "PORT-DONE done owner"),
        ("a beat behind one", log(&after), "PORT-WB wb owner"),
        ("a request of what was before", log(&|log| request_of(1, 9, 3)(log).rsp(22, 3)), "agrees"),
        ("a request of what is over", log(&|log| log.req(20, 0, "Read")), "PORT-REQ mem_req owner"),
        ("a request of a warp of which nothing is left", log(&|log| log.req(20, 9, "Read")), "PORT-REQ mem_req owner"),
        ("an answer to what was before", log(&|log| log.rsp(20, 3)), "agrees"),
        ("an answer to what is over", log(&|log| log.rsp(20, 0)), "PORT-RSP memory answer (environment)"),
        (
            "an answer to what was before, with the id of what is over",
            log(&|log| request_of(1, 9, 0)(log).rsp(22, 0)),
            "agrees",
        ),
    ]);
}

/// A debt is none the smaller for what others do meanwhile, nor for a reset or an end that cuts it off.
#[test]
fn what_is_long_overdue_is_told_when_it_is_cut_off() {
    let of_warp_1 = |log: Log, cycle: u64| {
        let own = |name: &str, mut value: Value| {
            value["warp"] = json!(1);
            json!({"cycle": cycle + 9, name: value})
        };
        let log = log.op(cycle, 1, "Load", "memory", json!({"warp": 1}));
        let log = log.add(own("req", request(1, 1, "Read"))).rsp(cycle + 9, 1).add(own("wb", beat(1, 15)));
        log.add(own("done", json!({"tag": 1, "fault": [0, 0, 0, 0]})))
    };
    let busy = |log: Log| (0..60).fold(log, |log, turn| of_warp_1(log, 20 + 30 * turn));
    let asked = || Log::new().load(1, 0).req(3, 0, "Read");
    let hangs = "PORT-PROGRESS unit an operation stands still";
    let stops = |log: Log| log.clone().verdict(Promises::OURS);
    let reset = |log: Log| log.add(json!({"cycle": 1830, "reset": true})).verdict(Promises::OURS);
    assert_eq!([stops(busy(asked().rsp(6, 0))), reset(busy(asked().rsp(6, 0)))], [hangs; 2], "a beat");
    let back = || asked().rsp(6, 0).wb(7, 0);
    assert_eq!([stops(busy(back())), reset(busy(back()))], [hangs; 2], "a completion");
    assert_eq!([stops(busy(asked())), reset(busy(asked()))], ["unfinished", "cut off"], "memory's answer");
    // Another operation's data that are missing excuse it no more.
    let lacks = |log: Log| log.op(9, 2, "Store", "memory", json!({"warp": 2})).end(1830);
    assert_eq!(lacks(asked().rsp(6, 0)).verdict(Promises::OURS), hangs, "a beat");
    // What may wait for others may do so here, too; and a unit may promise less.
    for promised in ["not_kept = [\"PORT-FAIR\"]", "[latency]\nhang = 5000", "[latency]\nbeats = 5000"] {
        assert_eq!(busy(asked().rsp(6, 0)).verdict(contract(promised)), "unfinished", "{promised}");
    }
    // Control registers that are written again are no handshake.
    let log = asked().rsp(6, 0);
    let control = log.0[1]["ctrl"].clone();
    let again = (1..9).fold(log, |log, turn| log.add(json!({"cycle": 500 * turn, "ctrl": control})));
    assert_eq!(stops(again), "PORT-PROGRESS unit no port moved");
}

/// The scratchpad's part is owed like all else, once nothing is before it there; a completion only if the contract says so.
/// A request that cannot be offered excuses nothing.
#[test]
fn what_is_owed_by_the_scratchpad_is_told_too() {
    // Loads out of all allocations, so that no request is made.
    let busy = |log: Log| {
        (0..60).fold(log, |log, turn| {
            let (cycle, nowhere) = (20 + 30 * turn, json!({"warp": 3, "addr": vec![[0x8000, 0, 0]; 4]}));
            let log = log.op(cycle, 9, "Load", "memory", nowhere);
            let log =
                log.add(json!({"cycle": cycle + 9, "wb": {"warp": 3, "tag": 9, "reg": 0, "mask": 15, "data": []}}));
            let fault = vec!["Allocation"; 4];
            log.add(json!({"cycle": cycle + 10, "done": {"warp": 3, "tag": 9, "fault": fault}}))
        })
    };
    let of_warp_1 = || json!({"warp": 1});
    let spad =
        |log: Log, cycle: u64, tag: u8, kind: &str, change: Value| log.op(cycle, tag, kind, "scratchpad", change);
    let loads = || spad(Log::new(), 1, 0, "Load", json!({}));
    let stores = || spad(Log::new(), 1, 0, "Store", json!({})).data(2);
    let mixed = |log: Log| {
        log.op(
            1,
            0,
            "Load",
            "memory",
            json!({"predicate": 7, "addr": [
        [0x1000, 0, 0], [0x1004, 0, 0], [0x1008, 0, 0], [0x10_0000, 0, 0]]}),
        )
    };
    let asked = |log: Log| {
        let mut request = request(0, 0, "Read");
        request["be"] = json!("0xfff");
        log.add(json!({"cycle": 9, "req": request})).rsp(14, 0)
    };
    let lane_3 = |log: Log| log.add(json!({"cycle": 11, "wb": {"reg": 0, "mask": 8, "data": [0, 0, 0, 4]}}));
    let waits = || spad(Log::new(), 0, 1, "Store", of_warp_1());
    let hangs = "PORT-PROGRESS unit an operation stands still";
    let verdicts = |log: Log| {
        let reset = log.clone().add(json!({"cycle": 1830, "reset": true}));
        [log, reset].map(|log| log.verdict(Promises::OURS))
    };
    let told = |log: Log| assert_eq!(verdicts(busy(log)), [hangs; 2]);
    told(loads());
    told(loads().add(json!({"cycle": 12, "wb": beat(0, 3)})));
    told(stores());
    told(asked(mixed(Log::new())));
    told(lane_3(asked(mixed(Log::new()))));
    // Behind a store that lacks its data, it waits.
    let right = |log: Log| assert_eq!(verdicts(busy(log)), ["unfinished", "cut off"]);
    right(spad(waits(), 1, 0, "Load", json!({})));
    right(spad(waits(), 1, 0, "Store", json!({})));
    right(asked(mixed(waits())));
    // A completion may come at any time, and what waits for others may wait.
    let loose = |clause: &str, log: Log| busy(log).verdict(contract(&format!("not_kept = [\"{clause}\"]")));
    assert_eq!(loose("PORT-DONE", stores()), "unfinished");
    assert_eq!(loose("PORT-DONE", loads()), hangs);
    assert_eq!(loose("PORT-FAIR", loads()), "unfinished");
    // A request that cannot be offered waits nowhere.
    let owed = || Log::new().load(1, 0).req(3, 0, "Read").rsp(6, 0);
    told(owed().op(7, 2, "Store", "memory", of_warp_1()));
    let cas = json!({"warp": 1, "addr_mode": "Raw", "space": "Uav"});
    let mut paired = owed().op(7, 2, "CmpStore", "memory", cas).data(8).data(9);
    paired.0[1]["ctrl"]["uav"] = json!([{"kind": "Raw", "base": "0x2000", "size": 1024}]);
    let mut read = request(2, 2, "ReadExclusive");
    for (name, value) in [("warp", json!(1)), ("space", json!("Uav")), ("addr", json!("0x3000"))] {
        read[name] = value;
    }
    paired.0[1]["ctrl"]["uav"][0]["size"] = json!(8192);
    told(paired.clone().add(json!({"cycle": 16, "req": read})));
    // Nor does PORT-HAZARD excuse a request that never comes.
    assert_eq!(loose("PORT-HAZARD", Log::new().load(1, 0)), "PORT-FAIR mem_req");
}
