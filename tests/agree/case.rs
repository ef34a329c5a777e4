// SPDX-License-Identifier: MIT OR Apache-2.0
//! A case that breaks the contract of the ports is refused before it runs, with its reason.

use gpu_lsu::{
    cosim::{
        Case,
        case::{Answer, Bytes, Foreign, stall},
        stimulus,
    },
    op::{Op, Range, Shape},
    sets::Isa,
};

const TOP: u64 = 1 << 40;

fn any_block() -> Case {
    stimulus::block(Some(Isa::Sm5), 1, 0, &Shape::with_lanes(8), 4).case
}

fn refused(change: impl FnOnce(&mut Case)) -> String {
    let mut case = any_block();
    change(&mut case);
    case.check(&Shape::with_lanes(8)).unwrap_err().to_string()
}

#[test]
fn what_the_stimulus_makes_can_be_run() {
    for shape in [4, 8, 16, 32].map(Shape::with_lanes) {
        for isa in Isa::ALL.iter().copied().map(Some).chain([None]) {
            for number in (0..24).chain([31, 35, 36, 37, 38, 39]) {
                let case = stimulus::block(isa, 5, number, &shape, 40).case;
                assert_eq!(case.check(&shape), Ok(()), "{isa:?} {number}");
            }
        }
    }
}

#[test]
fn a_case_is_for_one_unit() {
    let case = any_block();
    assert_eq!(case.check(&Shape::with_lanes(8)), Ok(()));
    let error = case.check(&Shape::with_lanes(32)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a case for LANES=8 LINE_BYTES=128 WARPS=8 PENDING=16 SHARED_BYTES=32768 is not for a unit with LANES=32 LINE_BYTES=128 WARPS=8 \
         PENDING=16 SHARED_BYTES=32768"
    );
    assert_eq!(refused(|case| case.shape.lanes = 7), "there is no such `unit`: LANES is 4, 8, 16 or 32, not 7");
    let narrow = Shape { warps: 1, ..Shape::with_lanes(8) };
    let mut case = any_block();
    case.shape = narrow;
    case.issues[3].op.warp = 1;
    case.issues.iter_mut().take(3).for_each(|issue| issue.op.warp = 0);
    assert_eq!(case.check(&narrow).unwrap_err().to_string(), "operation 3: warp 1 does not exist: the unit has 1");
}

#[test]
fn an_operation_has_its_data() {
    let compare = |case: &Case| case.issues.iter().position(|issue| issue.data.len() == 2).unwrap();
    let at = compare(&any_block());
    for (length, words) in [(0, "it has 0 data registers and needs 2"), (3, "it has 3 data registers and needs 2")] {
        let error = refused(|case| case.issues[at].data.resize(length, [0; 32]));
        assert_eq!(error, format!("operation {at}: {words}"));
    }
    // An operation that no front end lets through takes no data, and may come with any.
    let mut case = any_block();
    case.issues[at].op.element_bytes = 3;
    assert_eq!(case.check(&Shape::with_lanes(8)), Ok(()));
    assert_eq!(
        refused(|case| {
            case.issues[at].op.element_bytes = 3;
            case.issues[at].data.resize(65, [0; 32]);
        }),
        format!("operation {at}: it has 65 data registers and needs 64")
    );
}

/// The port would cut off such bits, and the model would not.
#[test]
fn fields_fit_their_bits() {
    let changes: [fn(&mut Op); 4] =
        [|op| op.kind |= 4, |op| op.element_count |= 16, |op| op.attr.scope = 4, |op| op.slot = 8];
    for change in changes {
        let error = refused(|case| change(&mut case.issues[1].op));
        assert_eq!(error, "operation 1: a field of its `op` has a value that its bits at the port do not hold");
    }
}

#[test]
fn the_environment_keeps_its_contract() {
    let foreign = |cycle, addr, length| Foreign { cycle, addr, bytes: vec![0; length], compare: None };
    let refusals: Vec<(&str, String)> = vec![
        ("it holds no operation", refused(|case| case.issues.clear())),
        (
            "`flushes` has 4: they are numbers of operations, ascending, none twice",
            refused(|case| case.flushes = vec![case.issues.len()]),
        ),
        (
            "`flushes` has 1: they are numbers of operations, ascending, none twice",
            refused(|case| case.flushes = vec![1, 1]),
        ),
        ("`dirty_cycles` is 10001: at most 10000", refused(|case| case.dirty_cycles = 10_001)),
        ("`shared_size` is a multiple of 32 bytes", refused(|case| case.ctrl.shared_size = 33)),
        (
            "`memory` at 0xffffffffff ends past 0x10000000000, where memory ends",
            refused(|case| case.memory.push(Bytes { addr: TOP - 1, bytes: vec![0; 2] })),
        ),
        (
            "`memory` at 0xffffffffffffffff ends past 0x10000000000, where memory ends",
            refused(|case| case.memory.push(Bytes { addr: u64::MAX, bytes: vec![0; 2] })),
        ),
        (
            "`shared` at 0x7ffe ends past 0x8000, where the scratchpad ends",
            refused(|case| case.shared.push(Bytes { addr: 0x7ffe, bytes: vec![0; 3] })),
        ),
        (
            "`bus_errors` at 0x20 ends past 0x10000000000, where memory ends",
            refused(|case| case.bus_errors.push(Range { base: 32, size: u64::MAX })),
        ),
        (
            "`no_exclusives` at 0x10000000000 ends past 0x10000000000, where memory ends",
            refused(|case| case.schedule.no_exclusives.push(Range { base: TOP, size: 1 })),
        ),
        (
            "`write_errors` at 0x0 ends past 0x10000000000, where memory ends",
            refused(|case| case.schedule.write_errors.push(Range { base: 0, size: TOP + 1 })),
        ),
        (
            "`foreign` at 0xffffffffff ends past 0x10000000000, where memory ends",
            refused(|case| case.schedule.foreign = vec![foreign(0, TOP - 1, 2)]),
        ),
        (
            "`foreign` 1 comes before the one before it",
            refused(|case| case.schedule.foreign = vec![foreign(2, 0, 1), foreign(1, 0, 1)]),
        ),
        (
            "`foreign` 0 compares: it has four bytes, at a multiple of 4",
            refused(|case| case.schedule.foreign = vec![Foreign { compare: Some(0), ..foreign(0, 2, 4) }]),
        ),
        (
            "`foreign` 0 compares: it has four bytes, at a multiple of 4",
            refused(|case| case.schedule.foreign = vec![Foreign { compare: Some(0), ..foreign(0, 4, 5) }]),
        ),
        (
            "`answers` 0 has scope 4: at most 3",
            refused(|case| case.schedule.answers = vec![Answer { scope: 4, ..Answer::default() }]),
        ),
        (
            "`stalls` has 2 entries, at most 1024, and each port is free in one of them at least",
            refused(|case| case.schedule.stalls = vec![stall::DONE, stall::DONE | stall::OP]),
        ),
        (
            "`stalls` has 1025 entries, at most 1024, and each port is free in one of them at least",
            refused(|case| case.schedule.stalls = vec![0; 1025]),
        ),
    ];
    for (expected, found) in refusals {
        assert_eq!(found, expected);
    }
}

#[test]
fn a_rate_is_asked_for_where_nothing_holds_the_stream_up() {
    let shape = Shape::with_lanes(8);
    let stream = stimulus::block(Some(Isa::Spa5), 1, 15, &shape, 40).case;
    assert!(stream.rate.is_some());
    assert_eq!(stream.check(&shape), Ok(()));
    let slower: [fn(&mut Case); 3] =
        [|case| case.serial = true, |case| case.schedule.stalls = vec![0, stall::REQ], |case| case.flushes = vec![2]];
    for change in slower {
        let mut case = stream.clone();
        change(&mut case);
        let error = case.check(&shape).unwrap_err().to_string();
        assert_eq!(error, "a stream with a rate has no stalls and no flushes, and is not serial");
    }
}

/// Whatever the seed, a random block is a valid case for the unit.
#[test]
fn every_block_can_be_played() {
    for lanes in [4, 32] {
        let shape = Shape::with_lanes(lanes);
        for isa in Isa::ALL.iter().copied().map(Some).chain([None]) {
            for number in 0..400 {
                let case = stimulus::block(isa, number * 0x9e37_79b9, number, &shape, 24).case;
                assert_eq!(case.check(&shape), Ok(()), "{isa:?}, seed {:#x}, block {number}", number * 0x9e37_79b9);
            }
        }
    }
}
