// SPDX-License-Identifier: MIT OR Apache-2.0
//! Faults of another operation than the one that reports them.

use super::*;

/// A load of which the lanes of `outside` lie in no allocation, and one that is all right, but reports `faults`.
fn loads(outside: &[usize], faults: [&str; 4]) -> Log {
    let mut addr: Vec<_> = (0..4).map(|lane| json!([0x1000 + 4 * lane, 0, 0])).collect();
    let (mut own, mut enable, mut mask, mut words) = (["None"; 4], 0xffffu64, 15, WORDS);
    for &lane in outside {
        addr[lane] = json!([0x8000, 0, 0]);
        own[lane] = "Allocation";
        enable &= !(0xf << (4 * lane));
        mask &= !(1 << lane);
        words[lane] = 0;
    }
    let mut asked = request(0, 0, "Read");
    asked["be"] = json!(format!("{enable:#x}"));
    let log = Log::new().op(1, 0, "Load", "memory", json!({"addr": addr})).load(2, 1);
    let log =
        log.add(json!({"cycle": 8, "wb": {"warp": 0, "tag": 0, "reg": 0, "mask": 15 & !mask, "data": [0, 0, 0, 0]}}));
    let log = log.add(json!({"cycle": 10, "req": asked})).rsp(12, 0);
    let log = log.add(json!({"cycle": 14, "wb": {"warp": 0, "tag": 0, "reg": 0, "mask": mask, "data": words}}));
    let log = log.req(15, 1, "Read").add(json!({"cycle": 16, "done": {"warp": 0, "tag": 0, "fault": own}}));
    let log = log.rsp(17, 1).wb(18, 1);
    log.add(json!({"cycle": 20, "done": {"warp": 0, "tag": 1, "fault": faults}})).end(40)
}

#[test]
fn faults_of_the_operation_before_are_told_from_others() {
    let (none, out) = ("None", "Allocation");
    check(&[
        ("own", loads(&[1, 2], [none; 4]), "agrees"),
        ("those of the one before", loads(&[1, 2], [none, out, out, none]), "COM-FAULT done_fault"),
        ("others", loads(&[1, 2], [out, none, none, out]), "COM-GLOBAL done_fault"),
        ("those of one lane, which may be chance", loads(&[1], [none, out, none, none]), "COM-GLOBAL done_fault"),
    ]);
}
