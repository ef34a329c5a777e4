// SPDX-License-Identifier: MIT OR Apache-2.0
//! COM-OWN, of units whose contract leaves the order or the number of their requests open.

use super::*;

/// COM-OWN, of a unit whose warps may ask for things in another order.
#[test]
fn a_load_finds_its_threads_own_stores() {
    let log = Log::new().store(1, 0).data(2).load(3, 1);
    let log = log.req(6, 1, "Read").rsp(8, 1).wb(9, 1).req(10, 0, "Write").rsp(12, 0).done(13, 0).done(14, 1).end(20);
    let unordered = || contract("not_kept = [\"PORT-ORDER\"]");
    assert_eq!(log.verdict(unordered()), "COM-OWN mem_req order of request 0");
    // Of a vector of two the store has the second element, and of the line the first part was written before.
    let part = |id: u8, tag: u8, kind: &str, enable: &str, data: &str| {
        let mut part = request(id, tag, kind);
        (part["be"], part["data"]) = (json!(enable), json!(data));
        part
    };
    let one = json!({"active": 1});
    let second = json!({"element_count": 2, "element_mask": 2, "space": "Global", "addr_mode": "Reg64", "active": 1});
    let read = json!({"cycle": 6, "req": part(1, 1, "Read", "0xf", "0x0")});
    let log = Log::new().op(1, 0, "Store", "memory", second).data(2).op(3, 1, "Load", "memory", one.clone());
    let log = log.add(read.clone()).rsp(8, 1).add(json!({"cycle": 9, "wb": beat(1, 1)}));
    let log = log.add(json!({"cycle": 10, "req": part(0, 0, "Write", "0xf0", "0x100000000")}));
    assert_eq!(log.rsp(12, 0).done(13, 0).done(14, 1).end(20).verdict(unordered()), "agrees");
    let two = json!({"active": 3});
    let log = Log::new().op(1, 0, "Store", "memory", two).data(2).op(3, 1, "Load", "memory", one);
    let log = log.add(json!({"cycle": 4, "req": part(0, 0, "Write", "0xf", "0x1")})).rsp(5, 0).add(read).rsp(8, 1);
    let log = log.add(json!({"cycle": 9, "wb": beat(1, 1)}));
    let log = log.add(json!({"cycle": 10, "req": part(2, 0, "Write", "0xf0", "0x200000000")}));
    let parts = contract("not_kept = [\"PORT-ORDER\", \"PORT-MIN\", \"PORT-GROUP\"]");
    assert_eq!(log.rsp(12, 2).done(13, 0).done(14, 1).end(20).verdict(parts), "agrees");
}

/// COM-OWN: what a thread does to a byte comes to memory in the order of its operations, whatever a contract leaves out.
#[test]
fn what_a_thread_does_to_a_byte_comes_in_order() {
    let two = |first: &str, one: Value, other: Value| {
        let log = Log::new().op(1, 0, first, "memory", one);
        let log = if first == "Store" { log.data(2) } else { log };
        log.op(3, 1, "Store", "memory", other).data(4)
    };
    let over = |log: Log| log.done(14, 0).done(15, 1).end(30);
    let write = |log: Log, at: u64, tag: u8| log.req(at, tag, "Write").rsp(at + 1, tag);
    let unordered = "not_kept = [\"PORT-ORDER\"]";
    let stores = write(write(two("Store", json!({}), json!({})), 6, 1), 8, 0);
    assert_eq!(over(stores).verdict(contract(unordered)), "COM-OWN mem_req order of request 0");
    let load = write(two("Load", json!({}), json!({})), 6, 1).req(8, 0, "Read").rsp(9, 0).wb(10, 0);
    assert_eq!(over(load).verdict(contract(unordered)), "COM-OWN mem_req order of request 0");
    // Lanes of their own may go in any order.
    let (low, high) = (json!({"active": 1}), json!({"active": 2}));
    let bytes = |log: Log, at: u64, tag: u8, enable: &str| {
        let mut write = request(tag, tag, "Write");
        write["be"] = json!(enable);
        log.add(json!({"cycle": at, "req": write})).rsp(at + 1, tag)
    };
    let apart = bytes(bytes(two("Store", low, high), 6, 1, "0xf0"), 8, 0, "0xf");
    assert_eq!(over(apart).verdict(contract(unordered)), "agrees");
    // A store that is repeated undoes a later one, and what a release has made visible.
    let many = "not_kept = [\"PORT-MIN\"]";
    let again = write(write(write(two("Store", json!({}), json!({})), 6, 0), 8, 1), 10, 0);
    assert_eq!(over(again).verdict(contract(many)), "COM-OWN mem_req order of request 0");
    let twice = write(write(write(two("Store", json!({}), json!({})), 6, 0), 8, 0), 10, 1);
    assert_eq!(over(twice).verdict(contract(many)), "agrees");
    let global = json!({"space": "Global", "addr_mode": "Reg64"});
    let mut release = global.clone();
    (release["attr"], release["addr"]) = (json!({"semantics": "Release", "scope": "Gpu"}), json!([[0x1040, 0, 0]]));
    release["active"] = json!(1);
    let released = |log: Log, at: u64| {
        let mut write = request(1, 1, "Write");
        (write["attr"], write["addr"], write["be"]) =
            (json!({"semantics": "Release", "scope": "Gpu"}), json!("0x1040"), json!("0xf"));
        log.add(json!({"cycle": at, "req": write})).rsp(at + 1, 1)
    };
    let begun = || write(two("Store", global.clone(), release.clone()), 6, 0);
    assert_eq!(over(released(begun(), 8)).verdict(contract(many)), "agrees");
    let undone = write(released(begun(), 8), 10, 0);
    assert_eq!(over(undone).verdict(contract(many)), "PTX-SEM mem_req order of request 0");
}
