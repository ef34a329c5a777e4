// SPDX-License-Identifier: MIT OR Apache-2.0
//! Units that were right and were blamed: for what memory owed, for data that they did not need, and for what others had
//! left behind. And what a contract, or a port that is not seen, leaves to judge.

use super::*;

/// A log of a unit with four lanes that has these events. Its memory begins at 0x1000, its u#0 at 0x2000.
fn events(unit: &Value, text: &str) -> Log {
    let ctrl = json!({
        "buffer": [{}, {"base": 0x1074, "size": 0x1000}], "alloc": [{"base": "0x1000", "size": "0x1000"}],
        "uav": [{"kind": "Raw", "base": "0x2000", "size": "0x100"}], "tgsm": [{"kind": "Raw", "size": 256}],
        "shared_size": 256, "shared_window": {"size": "0x100"},
    });
    let mut header = json!({"gpu_lsu_log": 1, "unit": {"lanes": 4}, "offers": true});
    header.as_object_mut().unwrap().extend(unit.as_object().unwrap().clone());
    let events = text.lines().map(|line| serde_json::from_str(line).unwrap());
    Log([header, json!({"cycle": 0, "ctrl": ctrl})].into_iter().chain(events).collect())
}

fn ours(unit: Value, text: &str) -> String {
    events(&unit, text).verdict(Promises::OURS)
}

/// PORT-RSP: what waits for a later answer waits for memory.
#[test]
fn later_answers_are_owed_by_memory() {
    let store = |cycle: u64, tag: u8, addr: u64, more: &str| {
        format!(
            r#"{{"cycle": {cycle}, "op": {{"kind": "Store", "element_bytes": 4, "element_count": 1, "element_mask": 1, "imm": {addr}, "tag": {tag}, "active": 1, "predicate": 1{more}}}}}
{{"cycle": {next}, "data": [7]}}
"#,
            next = cycle + 1
        )
    };
    let asked = |cycle: u64, tag: u8, addr: u64| {
        format!(
            r#"{{"cycle": {cycle}, "req": {{"id": {tag}, "tag": {tag}, "kind": "Write", "space": "Global", "addr": {addr}, "be": "0xf", "data": 7}}}}
{{"cycle": {next}, "rsp": {{"id": {tag}, "scope": "Gpu"}}}}
"#,
            next = cycle + 2
        )
    };
    let done = |cycle: u64, tag: u8| format!("{{\"cycle\": {cycle}, \"done\": {{\"tag\": {tag}}}}}\n");
    let end = r#"{"cycle": 200, "end": true}"#;
    // Two ids, of which none comes free for a third store.
    let stores = store(1, 0, 0x1000, "") + &store(3, 1, 0x1080, "") + &store(5, 2, 0x1100, "");
    let two = stores + &asked(12, 0, 0x1000) + &asked(13, 1, 0x1080) + &done(16, 0) + &done(17, 1) + end;
    let unit = json!({"unit": {"lanes": 4, "pending": 2}});
    assert_eq!(ours(unit, &two), "PORT-RSP memory (environment)");
    assert_eq!(ours(json!({}), &two), "PORT-PROGRESS mem_req", "with ids left, it is the unit's");
    // A release at system scope.
    let release = r#", "space": "Global", "addr_mode": "Reg64", "attr": {"semantics": "Release", "scope": "Sys"}"#;
    let released = store(1, 0, 0x1000, "") + &store(3, 1, 0x1080, release) + &asked(12, 0, 0x1000) + &done(15, 0) + end;
    assert_eq!(ours(json!({}), &released), "PORT-RSP memory (environment)");
    // R700-ACK
    let acked = |last: u8| {
        let op = r#"{"cycle": 1, "op": {"kind": "Store", "addr_mode": "Array", "space": "Buffer", "element_bytes": 4, "element_count": 4, "element_mask": 15, "slot": 1, "array_size": 64, "elem_size": 3, "present_gprs": 1, "active": 1, "await_last": 1}}
"#;
        let data: String = (2..6).map(|cycle| format!("{{\"cycle\": {cycle}, \"data\": [1]}}\n")).collect();
        let be = "0xfff";
        let asked = format!(
            r#"{{"cycle": 14, "req": {{"kind": "Write", "space": "Buffer", "addr": "0x1000", "be": "{be}{}", "data": "0x{}{}"}}}}
{{"cycle": 16, "rsp": {{"scope": {}, "last": {last}}}}}
"#,
            "0".repeat(29),
            "000000010000000100000001",
            "0".repeat(232),
            2 + last
        );
        let rest = r#"{"cycle": 15, "req": {"id": 1, "kind": "Write", "space": "Buffer", "addr": "0x1080", "be": "0xf", "data": 1}}
{"cycle": 17, "rsp": {"id": 1, "scope": "Sys", "last": 1}}
"#;
        op.to_owned() + &data + &asked + rest
    };
    assert_eq!(ours(json!({}), &(acked(0) + end)), "PORT-RSP memory (environment)");
    assert_eq!(ours(json!({}), &(acked(1) + end)), "PORT-PROGRESS unit no operation was done");
    assert_eq!(ours(json!({"unseen": ["end"]}), &acked(0)), "unfinished");
}

/// PORT-DATA, PORT-SPAD: a unit may do what it has all data for.
#[test]
fn data_that_are_not_needed_are_not_awaited() {
    // Of components z and w, the first goes to a line of its own.
    let zw = |data: u64| {
        format!(
            r#"{{"cycle": 4, "op": {{"kind": "Store", "addr_mode": "Array", "space": "Buffer", "element_bytes": 4, "element_count": 4, "element_mask": 12, "slot": 1, "array_size": 64, "elem_size": 3, "present_gprs": 1, "active": 1}}}}
{{"cycle": 5, "data": [1]}}
{{"cycle": 18, "req": {{"kind": "Write", "space": "Buffer", "addr": "0x1000", "be": "0xf{}", "data": "0x1{}"}}}}
{{"cycle": 20, "rsp": {{"scope": "Sys", "last": 1}}}}
{{"cycle": {data}, "data": [1]}}
{{"cycle": 24, "req": {{"id": 1, "kind": "Write", "space": "Buffer", "addr": "0x1080", "be": "0xf", "data": 1}}}}
{{"cycle": 26, "rsp": {{"id": 1, "scope": "Sys", "last": 1}}}}
{{"cycle": 28, "done": {{}}}}
{{"cycle": 60, "end": true}}"#,
            "0".repeat(31),
            "0".repeat(248)
        )
    };
    assert_eq!(ours(json!({}), &zw(21)), "agrees");
    assert_eq!(ours(json!({}), &zw(25)), "PORT-DATA mem_req of request 1");
    // The first half of an element of 8 bytes, by a unit that asks in parts.
    let half = |first: &str, second: &str| {
        format!(
            r#"{{"cycle": 4, "op": {{"kind": "Store", "imm": 4096, "element_bytes": 8, "element_count": 1, "element_mask": 1, "active": 1, "predicate": 1}}}}
{{"cycle": 5, "data": [1]}}
{{"cycle": 10, "req": {{"kind": "Write", "space": "Global", "addr": 4096, "be": "{first}", "data": "0x100000001"}}}}
{{"cycle": 12, "rsp": {{"scope": "Sys", "last": 1}}}}
{{"cycle": 14, "data": [1]}}
{{"cycle": 18, "req": {{"kind": "Write", "space": "Global", "addr": 4096, "be": "{second}", "data": "0x100000001"}}}}
{{"cycle": 20, "rsp": {{"scope": "Sys", "last": 1}}}}
{{"cycle": 24, "done": {{}}}}
{{"cycle": 60, "end": true}}"#
        )
    };
    let parts = || contract("not_kept = [\"PORT-MIN\"]");
    assert_eq!(events(&json!({}), &half("0xf", "0xf0")).verdict(parts()), "agrees");
    assert_eq!(events(&json!({}), &half("0xf0", "0xf")).verdict(parts()), "PORT-DATA mem_req of request 0");
    // A store of no lane is done before its data come. They are no load's of the scratchpad.
    let none = r#"{"cycle": 1, "data": [7]}
{"cycle": 2, "op": {"kind": "Store", "element_bytes": 4, "element_count": 1, "element_mask": 1, "imm": 16, "tag": 9, "active": 1}}
{"cycle": 10, "done": {"tag": 9}}
{"cycle": 12, "op": {"kind": "Store", "element_bytes": 4, "element_count": 1, "element_mask": 1, "imm": 4096, "warp": 1, "tag": 1, "predicate": 1}}
{"cycle": 15, "done": {"warp": 1, "tag": 1}}
{"cycle": 18, "op": {"kind": "Load", "element_bytes": 4, "element_count": 1, "element_mask": 1, "imm": 16, "tag": 2, "active": 1}}
{"cycle": 24, "wb": {"tag": 2, "mask": 1, "data": [7]}}
{"cycle": 26, "done": {"tag": 2}}
{"cycle": 28, "data": [5]}
{"cycle": 60, "end": true}"#;
    assert_eq!(ours(json!({}), none), "agrees");
}

/// Compare-and-stores whose line was never read need no data; and without the data port, their addresses are judged.
#[test]
fn pairs_need_data_for_what_they_read() {
    let cas = r#"{"cycle": 3, "op": {"kind": "CmpStore", "addr_mode": "Raw", "space": "Uav", "element_bytes": 4, "element_count": 1, "element_mask": 1, "active": 1}}
{"cycle": 8, "req": {"kind": "ReadExclusive", "space": "Uav", "addr": 8192, "be": "0xf"}}
"#;
    let failed = r#"{"cycle": 12, "rsp": {"error": 1, "scope": "Sys", "last": 1}}
{"cycle": 14, "done": {"fault": ["Bus"]}}
{"cycle": 20, "data": [1]}
{"cycle": 21, "data": [2]}
{"cycle": 40, "end": true}"#;
    let read = r#"{"cycle": 12, "rsp": {"scope": "Sys", "data": 5, "last": 1}}
{"cycle": 14, "done": {}}
{"cycle": 20, "data": [1]}
{"cycle": 21, "data": [2]}
{"cycle": 40, "end": true}"#;
    assert_eq!(ours(json!({}), &(cas.to_owned() + failed)), "agrees");
    assert_eq!(ours(json!({}), &(cas.to_owned() + read)), "PORT-DATA done");
    let blind = || json!({"unseen": ["data"]});
    let without = |text: &str| text.lines().filter(|line| !line.contains("data\": [")).collect::<Vec<_>>().join("\n");
    assert_eq!(ours(blind(), &without(&(cas.to_owned() + failed))), "agrees");
    let elsewhere = cas.replace("8192", "32768") + failed;
    assert_eq!(ours(blind(), &without(&elsewhere)), "PORT-REQ mem_req too many");
    // Off a dword boundary it may do anything in its u#, if the unit may choose.
    let off = cas.replace("\"active\": 1", "\"active\": 1, \"addr\": [[1]]").replace("8192", "8320") + failed;
    let any = contract("lane_order = \"any\"");
    assert_eq!(events(&blind(), &without(&off)).verdict(any), "agrees");
    let plain = cas.replace("ReadExclusive", "Write") + failed;
    assert_eq!(ours(blind(), &without(&plain)), "PORT-CAS mem_req too many");
}

/// A resource that became undefined is so until it is stored again (SM5-OOB-TGSM).
#[test]
fn what_is_undefined_is_so_until_a_store() {
    let log = |found: u32| {
        format!(
            r#"{{"cycle": 1, "data": [5]}}
{{"cycle": 1, "op": {{"kind": "CmpStore", "addr_mode": "Raw", "space": "Tgsm", "element_bytes": 4, "element_count": 1, "element_mask": 1, "active": 1, "addr": [[512]]}}}}
{{"cycle": 2, "data": [6]}}
{{"cycle": 9, "done": {{"fault": ["Undefined"]}}}}
{{"cycle": 10, "op": {{"kind": "Store", "element_bytes": 4, "element_count": 1, "element_mask": 1, "imm": 16, "tag": 1, "active": 1}}}}
{{"cycle": 11, "data": [7]}}
{{"cycle": 18, "done": {{"tag": 1}}}}
{{"cycle": 20, "op": {{"kind": "Load", "element_bytes": 4, "element_count": 1, "element_mask": 1, "imm": 16, "tag": 2, "active": 1}}}}
{{"cycle": 26, "wb": {{"tag": 2, "mask": 1, "data": [{found}]}}}}
{{"cycle": 28, "done": {{"tag": 2}}}}
{{"cycle": 60, "end": true}}"#
        )
    };
    let any = || contract("lane_order = \"any\"");
    assert_eq!(events(&json!({}), &log(7)).verdict(any()), "agrees");
    assert_ne!(events(&json!({}), &log(8)).verdict(any()), "agrees");
    let other = log(8).replace("\"imm\": 16, \"tag\": 2", "\"imm\": 32, \"tag\": 2");
    assert_eq!(events(&json!({}), &other).verdict(any()), "agrees");
}

/// Under any contract, what came before the log is over once its warp completed an operation of the log (PORT-DONE).
#[test]
fn a_completion_ends_what_came_before() {
    let log = r#"{"cycle": 1, "op": {"kind": "Load", "element_bytes": 4, "element_count": 1, "element_mask": 1, "tag": 1, "active": 0}}
{"cycle": 9, "done": {"tag": 1}}
{"cycle": 12, "wb": {"tag": 7, "mask": 1, "data": [1]}}"#;
    let loose = contract("not_kept = [\"PORT-DONE\"]");
    assert_eq!(events(&json!({"unseen": ["start", "end"]}), log).verdict(loose), "PORT-WB wb owner");
}
