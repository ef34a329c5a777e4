// SPDX-License-Identifier: MIT OR Apache-2.0
//! Short logs, made by hand, of what a unit does too early, too late or not at all, and of what its environment does
//! wrong: each is told, under its clause. Values are right throughout, so that nothing else tells.

mod apart;
mod before;
mod burst;
mod cut;
mod fair;
mod foreign;
mod named;
mod owes;
mod own;
mod pairs;
mod passed;
mod stale;
mod strange;

use std::collections::BTreeMap;

use gpu_lsu::judge::{
    Judge, Promises,
    log::lines::{Reader, Record},
    promises,
};
use serde_json::{Value, json};

/// A log: the cycle of each event.
#[derive(Clone)]
struct Log(Vec<Value>);

/// Four words that are loaded or stored, and the line that holds them.
const WORDS: [u32; 4] = [1, 2, 3, 4];
const LINE: &str = "0x4000000030000000200000001";

impl Log {
    fn new() -> Self {
        let unit = json!({"lanes": 4, "line_bytes": 32, "warps": 4, "pending": 4, "shared_bytes": 1024});
        let ctrl = json!({
            "alloc": [{"base": "0x1000", "size": "0x1000"}],
            "shared_size": 1024,
            "shared_window": {"base": "0x100000", "size": "0x400"},
        });
        Log(vec![json!({"gpu_lsu_log": 1, "unit": unit, "offers": true}), json!({"cycle": 0, "ctrl": ctrl})])
    }

    fn add(mut self, event: Value) -> Self {
        self.0.push(event);
        self
    }

    fn op(self, cycle: u64, tag: u8, kind: &str, space: &str, change: Value) -> Self {
        let base = if space == "memory" { 0x1000 } else { 0x10_0000 };
        let addr: Vec<_> = (0..4).map(|lane| json!([base + 4 * lane, 0, 0])).collect();
        let mut op = json!({
            "kind": kind, "addr_mode": "Reg32", "space": "Predicated", "element_bytes": 4, "element_count": 1,
            "element_mask": 1, "warp": 0, "tag": tag, "active": 15, "helper": 0,
            "predicate": if space == "memory" { 15 } else { 0 }, "addr": addr,
        });
        let fields = change.as_object().unwrap().clone();
        op.as_object_mut().unwrap().extend(fields);
        self.add(json!({"cycle": cycle, "op": op}))
    }

    fn load(self, cycle: u64, tag: u8) -> Self {
        self.op(cycle, tag, "Load", "memory", json!({}))
    }

    fn store(self, cycle: u64, tag: u8) -> Self {
        self.op(cycle, tag, "Store", "memory", json!({}))
    }

    fn data(self, cycle: u64) -> Self {
        self.add(json!({"cycle": cycle, "data": WORDS}))
    }

    /// Of operation `tag`, with id `tag` as well.
    fn req(self, cycle: u64, tag: u8, kind: &str) -> Self {
        self.add(json!({"cycle": cycle, "req": request(tag, tag, kind)}))
    }

    fn rsp(self, cycle: u64, id: u8) -> Self {
        self.add(json!({"cycle": cycle, "rsp": answer(id)}))
    }

    fn wb(self, cycle: u64, tag: u8) -> Self {
        self.add(json!({"cycle": cycle, "wb": beat(tag, 15)}))
    }

    fn done(self, cycle: u64, tag: u8) -> Self {
        self.add(json!({"cycle": cycle, "done": {"warp": 0, "tag": tag, "fault": [0, 0, 0, 0]}}))
    }

    fn end(self, cycle: u64) -> Self {
        self.add(json!({"cycle": cycle, "end": true}))
    }

    /// What the event before waited for since `cycle`, or is offered only.
    fn and(mut self, name: &str, value: Value) -> Self {
        self.0.last_mut().unwrap()[name] = value;
        self
    }

    fn waited(self, cycle: u64) -> Self {
        self.and("waited", json!(cycle))
    }

    fn not_taken(self) -> Self {
        self.and("taken", json!(false))
    }

    fn record(&self) -> Record {
        let text: String = self.0.iter().map(|line| format!("{line}\n")).collect();
        let first = Reader::new(text.as_bytes()).and_then(|mut runs| runs.next().unwrap());
        first.unwrap_or_else(|error| panic!("{error}\n{text}"))
    }

    /// The clause, and what is said of it; `agrees` if all does.
    fn verdict(&self, promises: Promises) -> String {
        let record = self.record();
        match record.judge(&mut Judge::new(&record.header.unit), promises) {
            Ok(figures) if figures.unjudged.lost > 0 => "cut off".to_owned(),
            Ok(figures) if figures.unjudged.unfinished > 0 => "unfinished".to_owned(),
            Ok(_) => "agrees".to_owned(),
            Err(mismatch) => format!("{} {}", mismatch.clause, mismatch.field),
        }
    }
}

fn request(id: u8, tag: u8, kind: &str) -> Value {
    let data = if kind == "Write" { LINE } else { "0x0" };
    let owner = json!({"id": id, "warp": 0, "tag": tag, "group": 0, "kind": kind, "space": "Global", "attr": {}});
    let mut request = owner.as_object().unwrap().clone();
    request.extend([("addr", "0x1000"), ("be", "0xffff"), ("data", data)].map(|(k, v)| (k.to_owned(), json!(v))));
    Value::Object(request)
}

fn answer(id: u8) -> Value {
    json!({"id": id, "data": LINE, "error": 0, "exclusive_failed": 0, "scope": 3, "last": 1})
}

fn beat(tag: u8, mask: u8) -> Value {
    let data: Vec<u32> = (0..4).map(|lane| if mask >> lane & 1 == 1 { WORDS[lane] } else { 0 }).collect();
    json!({"warp": 0, "tag": tag, "reg": 0, "mask": mask, "data": data})
}

/// A load as it should be, with the cycles of its request, answer, beat and completion.
fn load(req: u64, rsp: u64, wb: u64, done: u64) -> Log {
    Log::new().load(1, 0).req(req, 0, "Read").rsp(rsp, 0).wb(wb, 0).done(done, 0)
}

fn contract(text: &str) -> Promises {
    promises::read(text).unwrap().0
}

fn check(cases: &[(&str, Log, &str)]) {
    let told: BTreeMap<_, _> = cases.iter().map(|(name, log, _)| (*name, log.verdict(Promises::OURS))).collect();
    let right: BTreeMap<_, _> = cases.iter().map(|(name, _, verdict)| (*name, (*verdict).to_owned())).collect();
    assert_eq!(told, right);
}

#[test]
fn what_is_right_agrees() {
    let store = Log::new().store(1, 0).data(2).req(4, 0, "Write").rsp(8, 0).done(9, 0).end(20);
    check(&[
        ("a load", load(3, 6, 7, 8).end(20), "agrees"),
        ("one whose completion waits", load(3, 6, 7, 90).waited(8).end(99), "agrees"),
        ("a store", store, "agrees"),
    ]);
}

/// PORT-DATA, PORT-SPAD: nothing is stored before it is there.
#[test]
fn a_store_needs_its_data() {
    let spad = || Log::new().op(1, 0, "Store", "scratchpad", json!({}));
    check(&[
        (
            "a request before them",
            Log::new().store(1, 0).req(4, 0, "Write").data(9).end(20),
            "PORT-DATA mem_req of request 0",
        ),
        (
            "a request without",
            Log::new().store(1, 0).req(4, 0, "Write").end(20),
            "PORT-DATA mem_req_data of request 0, byte 0",
        ),
        (
            "one that waits to be taken",
            Log::new().store(1, 0).data(6).req(9, 0, "Write").waited(5).end(20),
            "PORT-DATA mem_req of request 0",
        ),
        (
            "one whose place was another's, which was done without its own",
            Log::new()
                .op(1, 0, "Store", "memory", json!({"addr": vec![[0; 3]; 4]}))
                .add(json!({"cycle": 8, "done": {"warp": 0, "tag": 0, "fault": [3, 3, 3, 3]}}))
                .store(9, 1)
                .data(12)
                .req(16, 1, "Write")
                .data(20)
                .end(30),
            "PORT-DATA mem_req of request 0",
        ),
        ("done before them, in the scratchpad", spad().done(9, 0).data(12).end(20), "PORT-SPAD done order"),
        (
            "a load of what another still stores",
            spad().op(3, 1, "Load", "scratchpad", json!({"warp": 0})).wb(9, 1).data(12).done(13, 0).done(14, 1).end(20),
            "PORT-SPAD wb order",
        ),
    ]);
}

/// PORT-PROGRESS: also between events, not only at the end.
#[test]
fn a_silence_is_a_hang() {
    let nobody = Log::new().op(1, 0, "Load", "memory", json!({"active": 0}));
    check(&[
        ("before a beat", load(3, 6, 4000, 4001).end(4010), "PORT-PROGRESS unit no port moved"),
        ("before a completion of nothing", nobody.done(1400, 0).end(1410), "PORT-PROGRESS unit no port moved"),
        ("memory's", load(3, 4000, 4001, 4002).end(4010), "agrees"),
        (
            "the consumer's",
            load(3, 6, 4000, 4001).end(4010).0.into_iter().fold(Log(vec![]), |log, event| {
                let waits = event.get("wb").is_some();
                let log = log.add(event);
                if waits { log.waited(7) } else { log }
            }),
            "agrees",
        ),
    ]);
    assert_eq!(
        load(3, 6, 80, 81).end(90).verdict(contract("[latency]\nhang = 50\n")),
        "PORT-PROGRESS unit no port moved"
    );
}

/// What is offered may be taken at once.
#[test]
fn an_offer_is_judged_when_it_comes() {
    let waits = |log: Log, since: u64| log.waited(since);
    let wb = Log::new().load(1, 0).req(3, 0, "Read").rsp(10, 0).wb(14, 0).waited(6).done(15, 0).end(20);
    let again = load(3, 6, 7, 8).load(4, 1);
    let busy = again.add(json!({"cycle": 9, "req": request(0, 1, "Read"), "waited": 5})).end(20);
    check(&[
        ("a completion, before the answer", waits(load(3, 10, 13, 14), 5).end(20), "PORT-DONE done"),
        (
            "before the beat",
            waits(load(3, 6, 13, 14), 8).end(20),
            "PORT-DONE done before all was written back of register 0",
        ),
        ("before the request", waits(load(6, 10, 13, 14), 3).end(20), "PORT-DONE done"),
        ("a beat, before the answer", wb, "PORT-WB wb_mask of register 0"),
        ("an id in use", busy, "PORT-ID mem_req_id"),
        (
            "a request of nobody, never taken",
            load(3, 6, 7, 8).req(12, 9, "Read").not_taken().end(20),
            "PORT-REQ mem_req owner",
        ),
        ("a beat", load(3, 6, 7, 8).wb(12, 9).not_taken().end(20), "PORT-WB wb owner"),
        ("a completion", load(3, 6, 7, 8).done(12, 9).not_taken().end(20), "PORT-DONE done owner"),
    ]);
}

/// PTX-SEM too: a release is right to take at once only after what it waits for.
#[test]
fn an_order_is_judged_when_it_is_offered() {
    let attr = json!({"semantics": "Release", "scope": "Gpu"});
    let release = json!({"space": "Global", "addr_mode": "Reg64", "addr": [[0x1020, 0, 0]], "active": 1, "attr": attr});
    let offered = |since: u64| {
        let log = Log::new().store(1, 0).data(2).op(3, 1, "Store", "memory", release.clone()).data(4);
        let mut asked = request(1, 1, "Write");
        (asked["addr"], asked["be"], asked["data"]) = (json!("0x1020"), json!("0xf"), json!("0x1"));
        asked["attr"] = attr.clone();
        let log = log.req(5, 0, "Write").rsp(20, 0).done(21, 0);
        let log = log.add(json!({"cycle": 26, "req": asked})).waited(since).rsp(30, 1);
        log.add(json!({"cycle": 31, "done": {"warp": 0, "tag": 1, "fault": [0, 0, 0, 0]}})).end(40)
    };
    // The completion shows the scratchpad's part.
    let shared = |since: u64| {
        let release =
            json!({"space": "Shared", "addr_mode": "Reg64", "addr": [[0x20, 0, 0]], "active": 1, "attr": attr});
        let log = Log::new().store(1, 0).data(2).op(3, 1, "Store", "shared", release).data(4);
        let mut narrow = answer(0);
        (narrow["scope"], narrow["last"]) = (json!("Cta"), json!(0));
        let log = log.req(5, 0, "Write").add(json!({"cycle": 8, "rsp": narrow})).done(9, 0);
        log.rsp(20, 0).done(26, 1).waited(since).end(40)
    };
    check(&[
        ("after the answer", offered(22), "agrees"),
        ("before it", offered(12), "PTX-SEM mem_req order"),
        ("a completion, after the answer", shared(22), "agrees"),
        ("a completion, before it", shared(12), "PTX-SEM done order"),
    ]);
}

/// PORT-FAIR: a release waits until what was before it is answered for its scope, and for nothing wider.
#[test]
fn a_release_waits_for_its_scope_alone() {
    let attr = |scope: &str| json!({"semantics": "Release", "scope": scope});
    let release = |scope: &str| {
        let (addr, attr) = (json!([[0x1020, 0, 0]]), attr(scope));
        let op = json!({"space": "Global", "addr_mode": "Reg64", "addr": addr, "active": 1, "attr": attr});
        let log = Log::new().store(1, 0).data(2).op(3, 1, "Store", "memory", op).data(4).req(5, 0, "Write");
        let answer = |scope: &str, last: u8| {
            let mut answer = answer(0);
            (answer["scope"], answer["last"]) = (json!(scope), json!(last));
            answer
        };
        let log = log.add(json!({"cycle": 8, "rsp": answer("Cta", 0)})).done(9, 0);
        let log = log.add(json!({"cycle": 20, "rsp": answer("Gpu", 0)}));
        let log = log.add(json!({"cycle": 44, "rsp": answer("Sys", 1)}));
        let mut asked = request(1, 1, "Write");
        (asked["addr"], asked["be"], asked["data"]) = (json!("0x1020"), json!("0xf"), json!("0x1"));
        asked["attr"] = attr;
        let log = log.add(json!({"cycle": 47, "req": asked})).rsp(50, 1);
        log.add(json!({"cycle": 51, "done": {"warp": 0, "tag": 1, "fault": [0, 0, 0, 0]}})).end(60)
    };
    check(&[
        ("for the system, at the last answer", release("Sys"), "agrees"),
        ("for the GPU, at the last answer", release("Gpu"), "PORT-FAIR mem_req"),
        ("for the block, at the last answer", release("Cta"), "PORT-FAIR mem_req"),
    ]);
}

/// A unit that takes each warp's operations one by one may wait for what its warp has for the scratchpad.
#[test]
fn a_warp_may_wait_for_itself() {
    let log = Log::new().op(1, 0, "Store", "scratchpad", json!({})).load(2, 1);
    let log = log.data(60).req(95, 1, "Read").rsp(98, 1).wb(99, 1);
    let log = log.done(100, 0).waited(63).done(101, 1).end(120);
    assert_eq!(log.verdict(Promises::OURS), "agrees");
}

/// What the unit makes of control registers that no unit must take is not its fault.
#[test]
fn control_registers_out_of_their_limits_are_the_environments() {
    for ctrl in [json!({"alloc": [{"base": "0x1000", "size": "0x401"}]}), json!({"shared_size": "0x100000"})] {
        let log = Log::new().add(json!({"cycle": 1, "ctrl": ctrl})).load(2, 0);
        assert_eq!(log.verdict(Promises::OURS), "PORT-OP unit ctrl_i (environment)");
    }
}

/// What a reset cuts off is nobody's fault, and said.
#[test]
fn what_a_reset_cuts_off_is_counted() {
    let log = load(3, 6, 7, 8).load(10, 1).add(json!({"cycle": 12, "reset": true}));
    assert_eq!(log.clone().verdict(Promises::OURS), "cut off");
}

/// A unit that need not hold its offers is judged from the one that it makes in the end, and may hang all the same.
#[test]
fn what_is_withdrawn_is_forgotten() {
    let loose = contract("not_kept = [\"PORT-HOLD\"]");
    let asked = || Log::new().load(1, 0).req(3, 0, "Read").rsp(6, 0).wb(8, 0).not_taken();
    let gone = || asked().add(json!({"cycle": 9, "withdrawn": "wb"}));
    assert_eq!(gone().verdict(Promises::OURS), "PORT-HOLD wb_valid");
    assert_eq!(gone().end(4000).verdict(loose), "PORT-PROGRESS unit no port moved");
    assert_eq!(gone().wb(12, 0).done(13, 0).end(20).verdict(loose), "agrees");
    let patient = contract("[latency]\nidle = 5000");
    assert_eq!(
        Log::new().load(1, 0).req(3, 0, "Read").rsp(6, 0).wb(4000, 0).end(4000).verdict(patient),
        "PORT-PROGRESS unit no port moved"
    );
}

/// What is right but for its time, or for coming in halves, is no wrong address.
#[test]
fn a_time_is_not_named_after_an_address() {
    let halves = Log::new().load(1, 0).req(3, 0, "Read").rsp(6, 0);
    let halves = halves.add(json!({"cycle": 7, "wb": beat(0, 3)})).add(json!({"cycle": 8, "wb": beat(0, 12)}));
    check(&[
        (
            "a beat after its completion",
            load(3, 6, 9, 8).end(20),
            "PORT-DONE done before all was written back of register 0",
        ),
        ("a beat before its answer", load(3, 10, 7, 12).end(20), "PORT-WB wb_mask of register 0"),
        ("a beat in halves", halves.done(9, 0).end(20), "PORT-WB wb_mask of register 0"),
    ]);
}

/// A clause is named for what an operation did, not for what would explain an operation of another kind.
#[test]
fn few_operations_are_named_right() {
    let mmio = json!({
        "space": "Global", "addr_mode": "Reg64", "active": 3, "attr": {"semantics": "Mmio", "scope": "Sys"},
    });
    let mut both = request(0, 0, "Write");
    (both["be"], both["attr"]) = (json!("0xff"), json!({"semantics": "Mmio", "scope": "Sys"}));
    let meet = json!({"addr": vec![[0x10_0000, 0, 0]; 4], "active": 3});
    let spad = |found: u32| {
        let mut beat = beat(1, 3);
        beat["data"] = json!([found, found, 0, 0]);
        let log = Log::new().op(1, 0, "Store", "scratchpad", meet.clone()).data(2).done(5, 0);
        log.op(6, 1, "Load", "scratchpad", meet.clone()).add(json!({"cycle": 10, "wb": beat})).done(12, 1).end(20)
    };
    check(&[
        ("a request as its operation comes", Log::new().load(1, 0).req(1, 0, "Read"), "PORT-REQ mem_req owner"),
        (
            "lanes of mmio together",
            Log::new().op(1, 0, "Store", "memory", mmio).data(2).add(json!({"cycle": 5, "req": both})),
            "PTX-SEM mem_req_be of request 0",
        ),
        ("the higher lane's word", spad(WORDS[1]), "agrees"),
        ("the lower lane's word", spad(WORDS[0]), "COM-SAMEADDR wb_data of register 0"),
        ("nobody's word", spad(77), "PORT-SPAD wb_data of register 0"),
    ]);
}

/// A completion comes soon, also of what does not show, and while memory owes others an answer (PORT-DONE).
#[test]
fn a_completion_of_what_does_not_show_is_timed() {
    let begun = |kind: &str, space: &str, change: Value| {
        let log = Log::new().op(1, 1, "Load", "memory", json!({"warp": 1}));
        let mut asked = request(1, 1, "Read");
        asked["warp"] = json!(1);
        let log = log.add(json!({"cycle": 5, "req": asked})).op(6, 0, kind, space, change);
        if kind == "Store" { log.data(7) } else { log }
    };
    let over = |log: Log, done: u64, fault: u8| {
        let log = log.add(json!({"cycle": done, "done": {"warp": 0, "tag": 0, "fault": vec![fault; 4]}}));
        let log = log.rsp(done + 1, 1);
        let mut beat = beat(1, 15);
        beat["warp"] = json!(1);
        let log = log.add(json!({"cycle": done + 2, "wb": beat}));
        log.add(json!({"cycle": done + 3, "done": {"warp": 1, "tag": 1, "fault": [0, 0, 0, 0]}})).end(done + 20)
    };
    let inactive = |done| over(begun("Load", "memory", json!({"active": 0})), done, 0);
    let outside = |done| over(begun("Store", "memory", json!({"addr": vec![[0; 3]; 4]})), done, 3);
    let spad = |done| over(begun("Store", "scratchpad", json!({})), done, 0);
    check(&[
        ("of no lane", inactive(34), "agrees"),
        ("of no lane, late", inactive(35), "PORT-DONE done_valid"),
        ("of a store out of bounds", outside(36), "agrees"),
        ("of a store out of bounds, late", outside(37), "PORT-DONE done_valid"),
        ("of a store to the scratchpad", spad(37), "agrees"),
        ("of a store to the scratchpad, late", spad(38), "PORT-DONE done_valid"),
    ]);
}

/// A beat whose value is there comes soon, whatever others have (PORT-FAIR).
#[test]
fn a_beat_has_its_share() {
    // Between its answer and its beat others load what is out of bounds: `beats` of them, from cycle 8 on.
    let among = |beats: u64| {
        let mut log = Log::new().load(1, 0).req(3, 0, "Read").rsp(6, 0);
        let nowhere = [[0; 3]; 4];
        let op = |log: Log, number: u64| {
            log.op(7 + number, 1 + number as u8, "Load", "memory", json!({"warp": 1, "addr": nowhere}))
        };
        for number in 0..beats {
            let (cycle, tag) = (8 + number, 1 + number as u8);
            if number == 0 {
                log = op(log, 0);
            }
            let zeros = json!({"warp": 1, "tag": tag, "reg": 0, "mask": 15, "data": [0, 0, 0, 0]});
            let done = json!({"warp": 1, "tag": tag, "fault": [3, 3, 3, 3]});
            log = log.add(json!({"cycle": cycle, "wb": zeros})).add(json!({"cycle": cycle, "done": done}));
            if number + 1 < beats {
                log = op(log, number + 1);
            }
        }
        log.wb(8 + beats, 0).done(9 + beats, 0)
    };
    // Of two registers one is written back late; the other one after it, or never.
    let two = |all: bool| {
        let pairs = json!({"element_bytes": 8, "active": 3, "addr": [[0x1000, 0, 0], [0x1008, 0, 0]]});
        let part = |cycle, register: usize| {
            let data = [WORDS[register], WORDS[2 + register]];
            json!({"cycle": cycle, "wb": {"warp": 0, "tag": 0, "reg": register, "mask": 3, "data": data}})
        };
        let log = Log::new().op(1, 0, "Load", "memory", pairs).req(3, 0, "Read").rsp(6, 0).add(part(40, 1));
        if all { log.add(part(41, 0)).done(42, 0) } else { log.done(42, 0) }
    };
    let late = "PORT-FAIR wb";
    check(&[
        ("a beat soon after its answer", load(3, 6, 27, 28).end(30), "agrees"),
        ("a beat late after its answer", load(3, 6, 28, 29).end(30), "PORT-PROGRESS wb"),
        ("a late beat of two", two(true).end(60), "PORT-PROGRESS wb"),
        ("a late beat, and the other one never", two(false).end(60), "PORT-DONE wb of register 0"),
        ("a beat that others' go before", among(19).end(60), "agrees"),
        ("a beat that too many others' go before", among(20).end(60), late),
    ]);
}

/// What memory and the bench do wrong is not the unit's doing, and is said.
#[test]
fn the_environment_is_judged_too() {
    let stored = || Log::new().store(1, 0).data(2).req(4, 0, "Write");
    let asked = || Log::new().load(1, 0).req(3, 0, "Read");
    let with = |name: &str, value: Value| {
        let mut answer = answer(0);
        answer[name] = value;
        answer
    };
    let narrow = with("last", json!(0));
    let late = with("error", json!(1));
    let mut refused = late.clone();
    refused["scope"] = json!("Cta");
    let failed = json!({"warp": 0, "tag": 0, "fault": ["Bus", "Bus", "Bus", "Bus"]});
    let mut near = narrow.clone();
    near["scope"] = json!("Cluster");
    check(&[
        ("an answer to nobody", load(3, 6, 7, 8).rsp(12, 3).end(20), "PORT-RSP memory answer (environment)"),
        (
            "a read that is answered twice",
            asked().add(json!({"cycle": 6, "rsp": narrow})).end(20),
            "PORT-RSP memory answer (environment)",
        ),
        (
            "an error after the first answer",
            stored().add(json!({"cycle": 6, "rsp": narrow})).add(json!({"cycle": 8, "rsp": late})).end(20),
            "PORT-RSP memory answer (environment)",
        ),
        (
            "an answer that tells what was told",
            stored().add(json!({"cycle": 6, "rsp": near})).add(json!({"cycle": 8, "rsp": near})).end(20),
            "PORT-RSP memory answer (environment)",
        ),
        (
            "a last answer that is not for all",
            stored().add(json!({"cycle": 6, "rsp": with("scope", json!("Gpu"))})).end(20),
            "PORT-RSP memory answer (environment)",
        ),
        (
            "an error that is for nobody",
            stored().add(json!({"cycle": 6, "rsp": refused})).add(json!({"cycle": 7, "done": failed})).end(20),
            "agrees",
        ),
        (
            "a warp too many",
            Log::new().op(1, 0, "Load", "memory", json!({"warp": 5})).end(20),
            "PORT-OP op_warp (environment)",
        ),
        ("an answer that never comes", asked().end(20), "PORT-RSP memory (environment)"),
        (
            "a completion that is never taken",
            Log::new().load(1, 0).req(3, 0, "Read").rsp(6, 0).wb(7, 0).done(8, 0).not_taken().end(3000),
            "PORT-PROGRESS done_ready (environment)",
        ),
        ("data that never come", Log::new().store(1, 0).end(20), "PORT-DATA op (environment)"),
        ("a log that just stops", asked(), "unfinished"),
    ]);
}
