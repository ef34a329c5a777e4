// SPDX-License-Identifier: MIT OR Apache-2.0
//! R700 bursts: the last dwords of a GPR.

use super::*;

/// The dwords that a lane stores.
const DWORDS: [u32; 4] = [1, 2, 3, 4];

/// A GPR is stored to a buffer of `size` dwords in an array of `limit` dwords, from dword 0 on, with these byte enables.
fn burst(limit: u32, size: u32, enable: &str) -> Log {
    let op = json!({
        "kind": "Store", "space": "Buffer", "addr_mode": "Array", "slot": 2, "element_bytes": 4, "element_count": 4,
        "element_mask": 15, "component_select": 0o3210, "present_gprs": 1, "array_size": limit, "elem_size": 0,
        "active": 1, "addr": [],
    });
    let mut log = Log::new();
    log.0[1]["ctrl"]["buffer"] = json!([{}, {}, {"base": "0x1000", "size": 4 * size}]);
    let mut log = log.op(1, 0, "Store", "memory", op);
    for (cycle, word) in (2..).zip(DWORDS) {
        log = log.add(json!({"cycle": cycle, "data": [word]}));
    }
    let mut asked = request(0, 0, "Write");
    (asked["space"], asked["be"]) = (json!("Buffer"), json!(enable));
    let fault = if size < limit.min(4) { "Allocation" } else { "None" };
    let done = json!({"warp": 0, "tag": 0, "fault": [fault]});
    log.add(json!({"cycle": 12, "req": asked})).rsp(15, 0).add(json!({"cycle": 16, "done": done})).end(40)
}

#[test]
fn a_burst_ends_with_its_array_or_its_buffer() {
    check(&[
        ("whole", burst(4, 8, "0xffff"), "agrees"),
        ("cut by the array", burst(3, 8, "0xfff"), "agrees"),
        ("cut by the buffer", burst(8, 3, "0xfff"), "agrees"),
        ("cut too early, before the array's end", burst(6, 9, "0xff"), "R700-CLAMP mem_req_be of request 0"),
        ("cut too early, before the buffer's end", burst(9, 6, "0xff"), "R700-BOUND mem_req_be of request 0"),
        ("cut far from any end", burst(90, 90, "0xff"), "PORT-REQ mem_req_be of request 0"),
    ]);
}

/// Components X, Y and Z end a line, and W begins the next one: the first request waits for three data beats.
#[test]
fn a_part_of_a_gpr_needs_its_components() {
    let asked = |cycle: u64| {
        let op = json!({
            "kind": "Store", "space": "Buffer", "addr_mode": "Array", "slot": 2, "element_bytes": 4, "element_count": 4,
            "element_mask": 15, "component_select": 0o3210, "present_gprs": 1, "array_base": 5, "array_size": 16,
            "elem_size": 0, "active": 1, "addr": [],
        });
        let mut log = Log::new();
        log.0[1]["ctrl"]["buffer"] = json!([{}, {}, {"base": "0x1000", "size": 256}]);
        let log = (2..).zip(DWORDS).fold(log.op(1, 0, "Store", "memory", op), |log, (beat, word)| {
            log.add(json!({"cycle": 2 * beat, "data": [word]}))
        });
        let line = |id: u8, addr: &str, enable: &str, data: &str| {
            let mut asked = request(id, 0, "Write");
            (asked["space"], asked["addr"], asked["be"]) = (json!("Buffer"), json!(addr), json!(enable));
            asked["data"] = json!(data);
            asked
        };
        let first = line(0, "0x1000", "0xfff00000", &format!("0x{:x}{:08x}{:08x}{:040x}", 3, 2, 1, 0));
        let log = log
            .add(json!({"cycle": cycle, "req": first}))
            .add(json!({"cycle": 12, "req": line(1, "0x1020", "0xf", "0x4")}));
        log.rsp(15, 0).rsp(16, 1).done(18, 0).end(40)
    };
    check(&[
        ("after X, Y and Z", asked(9), "agrees"),
        ("after X and Y", asked(7), "PORT-DATA mem_req of request 0"),
        ("after X", asked(5), "PORT-DATA mem_req of request 0"),
    ]);
}
