// SPDX-License-Identifier: MIT OR Apache-2.0
//! Logs that a reader accepts, with what no unit and no program has: they are judged all the same.

use gpu_lsu::{
    clause::Clause,
    judge::{Contract, Trial},
    op::{Ctrl, Rule},
};

use super::*;

/// Judges for coverage, too. Returns the bins of a clause that PTX stores hit.
fn counted(log: &Log, clause: Clause) -> usize {
    let record = log.record();
    let mut judge = Judge::new(&record.header.unit);
    let contract = Contract::new(record.header.unit, Ctrl::default());
    let memory = || record.header.start();
    let trial = Trial { contract: &contract, memory: &memory, counts: true, histories: false };
    judge.judge(&trial, &record.log, None).unwrap();
    let rows = judge.coverage().rows(Some(Rule::Ptx));
    rows.iter().find(|row| row.clause == clause.id()).map_or(0, |row| row.hit)
}

#[test]
fn codes_that_no_instruction_has_are_in_no_bin() {
    let stored = |l2: u8| {
        let attr = json!({"cache_op": "Wb", "l2_priority": l2});
        let op = json!({"space": "Global", "addr_mode": "Reg64", "attr": attr.clone()});
        let mut write = request(0, 0, "Write");
        write["attr"] = attr;
        let log = Log::new().op(1, 0, "Store", "memory", op).data(2);
        log.add(json!({"cycle": 6, "req": write})).rsp(8, 0).done(10, 0).end(20)
    };
    // The cache operator has its bin; L2 has those of two priorities, evict_first and evict_last.
    let hit: Vec<usize> = (0..8).map(|l2| counted(&stored(l2), Clause::ComAttr)).collect();
    assert_eq!(hit, [1, 1, 2, 2, 1, 1, 1, 1]);
}

#[test]
fn time_may_come_to_its_end() {
    let end = u64::MAX;
    let log = Log::new().load(end - 30, 0).req(end - 20, 0, "Read").rsp(end - 10, 0).wb(end - 4, 0).done(end, 0);
    assert_eq!(log.verdict(Promises::OURS), "agrees");
    let nothing = Log::new().op(end - 1, 0, "Load", "memory", json!({"active": 0})).done(end, 0);
    assert_eq!(nothing.verdict(Promises::OURS), "agrees");
    // Nor does what is counted run over.
    counted(&nothing, Clause::ComAttr);
}
