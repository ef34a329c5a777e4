// SPDX-License-Identifier: MIT OR Apache-2.0
//! A flush (R700-FLUSH): nothing after it starts at the ports before everything before it is over, last answers
//! included.

use gpu_lsu::{
    cosim::{Case, case::Answer},
    op::Shape,
    program::Program,
};
use serde_json::Value;

use crate::units::{agree, on_bench};

/// A write that memory acknowledges late, and a read of it by another thread.
fn program(between: &str) -> Case {
    let text = format!(
        "isa r700\nlanes 4\nbuffer export 0x1000 0x100\nR1.x = lane\nR2.x = 3 - lane\nR3 = 7 + lane\n\
         MEM_EXPORT WRITE_IND 0 R3.x___ R1 ES:0\n{between}\n\
         READ_MEM R4.x___, R2.xx, RID:0 INDEXED:1 ELEM_SIZE:0 ARRAY_BASE:0 ARRAY_SIZE:4095 UCF:0 \
         FMT(DTA:13 NUM:1 COMP:0 MODE:0)\n"
    );
    let program = Program::parse("flush.lsu", &text).unwrap();
    let mut case = gpu_lsu::cosim::play::case(&program, &Shape::with_lanes(4));
    case.schedule.answers = vec![Answer { scope: 0, last: 60, ..Answer::default() }];
    case
}

/// The cycles of the operations, and those of the last answers.
fn cycles(case: &Case) -> (Vec<u64>, Vec<u64>) {
    agree(case);
    let mut text = Vec::new();
    on_bench(case.shape, |bench| bench.write_log(case, None, String::new(), &mut text)).unwrap();
    let text = String::from_utf8(text).unwrap();
    let (mut operations, mut answers) = (Vec::new(), Vec::new());
    for event in text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        let cycle = event["cycle"].as_u64().unwrap_or(0);
        if event.get("op").is_some() {
            operations.push(cycle);
        }
        if event.get("rsp").is_some_and(|answer| answer["last"] == true || answer["last"] == 1) {
            answers.push(cycle);
        }
    }
    (operations, answers)
}

#[test]
fn the_unit_is_asked_nothing_before_the_flush_is_over() {
    for serial in [false, true] {
        let flushed = Case { serial, ..program("flush") };
        assert_eq!(flushed.flushes, [1]);
        let (operations, answers) = cycles(&flushed);
        assert!(operations[1] > answers[0] && answers[0] > 60, "{operations:?} {answers:?}");
        let (operations, answers) = cycles(&Case { serial, ..program("") });
        assert!(operations[1] < answers[0], "without it the read goes ahead: {operations:?} {answers:?}");
    }
}

#[test]
fn leaving_operations_out_moves_the_flushes() {
    let whole = program("flush");
    let issues = [&whole.issues[..]; 4].concat();
    let mut many = Case { issues, flushes: vec![1, 3, 4, 7], ..whole };
    many.leave_out(3..5);
    assert_eq!((many.issues.len(), &many.flushes[..]), (6, &[1, 3, 5][..]));
    many.leave_out(5..6);
    assert_eq!((many.issues.len(), &many.flushes[..]), (5, &[1, 3][..]));
    many.leave_out(0..2);
    assert_eq!((many.check(&many.shape), &many.flushes[..]), (Ok(()), &[0, 1][..]));
    agree(&many);
}
