// SPDX-License-Identifier: MIT OR Apache-2.0
//! Capsules: what is written is what is read, and cuts and damage are reported.

use gpu_lsu::{
    clause::Clause,
    cosim::{
        Case, Mismatch, Schedule,
        capsule::{Capsule, CapsuleError},
        case::{Bytes, Foreign, Rate},
        stimulus,
    },
    judge::{Field, Site},
    op::{Range, Shape},
    sets::Isa,
};
use proptest::prelude::*;

use crate::{any, units};

fn capsule(case: Case) -> Capsule {
    let mismatch =
        Mismatch::new(Clause::PortWb, Some(1), Field::signal(Site::Wb, "data").register(1)).values("1", "2").lane(3);
    Capsule {
        seed: u64::MAX,
        block: 7,
        case,
        mismatch,
        rtl: Some(gpu_lsu::rtl::built()),
        promises: gpu_lsu::judge::Promises::OURS,
    }
}

/// A case of the campaign that is small enough to cut everywhere.
fn small() -> Capsule {
    let mut case = stimulus::block(Some(Isa::Spa5), 1, 1, &Shape::with_lanes(4), 2).case;
    assert!(case.issues.iter().any(|issue| issue.data.len() == 1), "a store of a register");
    case.schedule.stalls = vec![0, 1, 2, 4, 8, 16, 32, 63, 0];
    case.schedule.answers.truncate(2);
    capsule(case)
}

fn read(text: &str) -> Result<Capsule, String> {
    Capsule::from_text(text).map_err(|error| error.to_string())
}

#[test]
fn a_block_comes_back() {
    for shape in units::built() {
        // The last ones are directed streams.
        for number in [0, 1, 2, 3, 4, 5, 35, 36, 37, 38, 39] {
            let capsule = capsule(stimulus::block(None, 9, number, &shape, 20).case);
            assert_eq!(Capsule::from_text(&capsule.to_text()).unwrap(), capsule);
        }
    }
}

#[test]
fn every_cut_is_told() {
    let text = small().to_text();
    assert!(text.is_ascii() && text.lines().count() > 50);
    for at in 0..text.len() {
        let error = read(&text[..at]).expect_err(&text[..at]);
        let checksum = text.find("checksum").unwrap();
        if at > text[checksum..].find('\n').unwrap() + checksum {
            assert!(
                error.starts_with("the capsule was changed or cut after it was written: its checksum is"),
                "{error}"
            );
        }
    }
}

#[test]
fn every_damaged_byte_is_told() {
    let text = small().to_text();
    let body = text.find("\nversion").unwrap() + 1;
    for at in body..text.len() {
        for flip in [1, 0x10, 0x20] {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= flip;
            let damaged = String::from_utf8(bytes).unwrap();
            assert!(matches!(Capsule::from_text(&damaged), Err(CapsuleError::Checksum { .. })), "byte {at}");
        }
    }
    let title = text.replacen("capsule", "capsize", 1);
    assert!(matches!(Capsule::from_text(&title), Err(CapsuleError::Title)));
    assert!(matches!(Capsule::from_text(""), Err(CapsuleError::Title)));
    // The checksum itself.
    let line = text.find("checksum = \"").unwrap();
    for at in line + 12..line + 20 {
        let mut bytes = text.clone().into_bytes();
        bytes[at] = if bytes[at] == b'0' { b'1' } else { b'0' };
        assert!(matches!(Capsule::from_text(&String::from_utf8(bytes).unwrap()), Err(CapsuleError::Checksum { .. })));
    }
}

/// A capsule without its checksum.
fn free() -> String {
    let text = small().to_text();
    text.lines().filter(|line| !line.starts_with("checksum = ")).map(|line| format!("{line}\n")).collect()
}

#[test]
fn without_a_checksum_it_can_be_edited() {
    let text = free();
    assert_eq!(Capsule::from_text(&text).unwrap(), small());
    let edited = Capsule::from_text(&text.replacen("serial = false", "serial = true", 1)).unwrap();
    let mut expected = small();
    expected.case.serial = true;
    assert_eq!(edited, expected);
    units::agree(&edited.case);
}

#[test]
fn nonsense_is_refused_with_its_reason() {
    let text = free();
    let line =
        |start: &str| text.lines().find(|line| line.starts_with(start)).unwrap_or_else(|| panic!("no `{start}`"));
    for (start, put, reason) in [
        ("lanes = ", "lanes = 7", "there is no such `unit`: LANES is 4, 8, 16 or 32, not 7"),
        ("warps = ", "warps = 9", "there is no such `unit`: WARPS is 1 to 8, not 9"),
        ("lanes = ", "lanes = 8", "operation 0: it needs `addr` of 8 lanes"),
        ("seed = ", "seed = \"12\"", "`12` lacks `0x`"),
        ("seed = ", "seed = \"0xg\"", "`0xg` is no 64-bit hexadecimal number"),
        ("serial = ", "serial = 1", "invalid type: integer `1`, expected a boolean"),
        ("serial = ", "parallel = true", "unknown field `parallel`"),
        ("serial = ", "", "missing field `serial`"),
        ("clause = ", "clause = \"PORT-WINE\"", "unknown clause `PORT-WINE`"),
        ("active = ", "active = \"\"", "operation 0: `` has 0 words where 1 belong"),
        ("active = ", "active = \"123456789\"", "operation 0: `123456789` is no 32-bit hexadecimal number"),
        ("word = ", "word = \"xyz\"", "operation 0: `word` `xyz`: column 1: expected a word of 16 hexadecimal digits"),
        ("addr = [\"", "addr = [\"1 2 3\"]", "operation 0: it needs `addr` of 4 lanes"),
        ("shared_size = ", "shared_size = 65536", "`shared_size` 65536 is more than the scratchpad's 32768"),
        ("data = [\"", "data = []", "it has 0 data registers and needs "),
        ("stalls = ", "stalls = [2]", "`stalls` has 1 entries, at most 1024, and each port is free"),
        ("dirty_cycles = ", "dirty_cycles = 10001", "`dirty_cycles` is 10001: at most 10000"),
        ("shared_size = ", "shared_size = 33", "`shared_size` is a multiple of 32 bytes"),
    ] {
        let error = read(&text.replacen(line(start), put, 1)).expect_err(put);
        assert!(error.contains(reason), "{put}: {error}");
    }
    let operations = text.find("[[issue]]").unwrap();
    assert!(read(&text[..operations]).unwrap_err().contains("missing field `issue`"));
    let none = text[..operations].replacen("serial", "issue = []\nserial", 1);
    assert_eq!(read(&none).unwrap_err(), "it holds no operation");
}

/// The format decides, not the version of the program.
#[test]
fn another_format_is_refused_with_words() {
    let text = free();
    let of = |format: &str, version: &str| {
        let text = text.replacen("format = 3\n", format, 1);
        read(&text.replacen(concat!("version = \"", env!("CARGO_PKG_VERSION")), &format!("version = \"{version}"), 1))
    };
    assert_eq!(of("format = 3\n", "0.0.9"), Ok(small()));
    assert_eq!(of("format = 3\n", "7.0.0"), Ok(small()));
    let refusal = |format: u32, age: &str, version: &str| {
        let this = env!("CARGO_PKG_VERSION");
        Err(format!(
            "the capsule is of format {format}, which {age} version of gpu-lsu wrote, {version}; this is {this}, and \
             reads format 3"
        ))
    };
    // Keys that later formats add are unknown here.
    assert_eq!(of("format = 4\nvoltage = 5\n", "7.0.0"), refusal(4, "a newer", "7.0.0"));
    // The first format had no number.
    assert_eq!(of("", "0.0.1"), refusal(1, "an older", "0.0.1"));
    assert!(of("format = -1\n", "0.1.0").unwrap_err().contains("invalid value"), "{:?}", of("format = -1\n", "0.1.0"));
}

/// The found value is any text, and also stands in a comment.
#[test]
fn any_value_comes_back() {
    for found in ["0x0\u{0}1", "two\r\nlines", "\u{7f}\u{1b}[1m", "checksum = \"00000000\"", "\"\"\" \\ #"] {
        let mut capsule = small();
        capsule.mismatch.actual = found.to_owned();
        assert_eq!(Capsule::from_text(&capsule.to_text()).unwrap(), capsule, "{found:?}");
    }
}

/// Addresses are read in hexadecimal everywhere.
#[test]
fn addresses_are_hexadecimal() {
    let mut capsule = small();
    capsule.case.memory = vec![Bytes { addr: 0x12_3456_789a, bytes: vec![1, 2] }];
    capsule.case.shared = vec![Bytes { addr: 0x7ff0, bytes: vec![3] }];
    capsule.case.bus_errors = vec![Range { base: 0xab_cdef_0120, size: 0x1_0000 }];
    capsule.case.schedule.foreign = vec![Foreign { cycle: 9, addr: 0xfe_dcba_9876, bytes: vec![4], compare: None }];
    let text = capsule.to_text();
    for line in ["addr = \"0x123456789a\"", "addr = \"0x7ff0\"", "addr = \"0xfedcba9876\"", "base = \"0xabcdef0120\""] {
        assert!(text.lines().any(|found| found == line), "no `{line}` in\n{text}");
    }
    assert_eq!(Capsule::from_text(&text).unwrap(), capsule);
}

fn any_case() -> impl Strategy<Value = any::Shown> {
    prop_oneof![
        any::case(Shape::with_lanes(4)),
        any::case(Shape::with_lanes(8)),
        any::case(Shape::with_lanes(16)),
        any::case(Shape::with_lanes(32))
    ]
}

fn any_mismatch() -> impl Strategy<Value = Mismatch> {
    let places = (proptest::option::of(0..99usize), proptest::option::of(0..32usize), 0..1u64 << 40);
    // On one line, as no report has more.
    let text = || prop_oneof!["\\PC*", "(\"|'|\\\\|#|=|\\[issue\\]| ){0,8}"];
    let numbers = [(); 3].map(|()| proptest::option::of(0..200usize));
    let field = (text(), text(), numbers).prop_map(|(signal, event, [request, byte, register])| Field {
        site: Site::MemReq,
        signal,
        event,
        request,
        byte,
        register,
    });
    let or = proptest::collection::vec(proptest::sample::select(Clause::ALL), 0..3);
    (proptest::sample::select(Clause::ALL), or, places, field, text(), text()).prop_map(
        |(clause, or, (op, lane, cycle), field, expected, actual)| Mismatch {
            or,
            op,
            lane,
            cycle,
            ..Mismatch::new(clause, None, field).values(expected, actual)
        },
    )
}

proptest! {
    #[test]
    fn any_capsule_comes_back(
        case in any_case(),
        mismatch in any_mismatch(),
        (seed, block) in (any::<u64>(), 0..1u64 << 40),
        rate in proptest::option::of(prop_oneof![Just(Rate::Requests), Just(Rate::Operations), (0..99u32).prop_map(Rate::Banks)]),
    ) {
        let mut case = Case { rate, ..case.0 };
        if rate.is_some() {
            (case.schedule, case.serial, case.flushes) = (Schedule::eager(), false, Vec::new());
        }
        let capsule = Capsule { seed, block, case, mismatch, rtl: None, promises: gpu_lsu::judge::Promises::OURS };
        prop_assert_eq!(read(&capsule.to_text()), Ok(capsule));
    }

    #[test]
    fn no_text_panics(
        at in any::<prop::sample::Index>(),
        length in 0..40usize,
        put in prop_oneof!["\\PC{0,9}", "[0-9a-fx\"\\[\\]=,. \n-]{0,9}"],
    ) {
        let mut text = free();
        let start = at.index(text.len());
        text.replace_range(start..(start + length).min(text.len()), &put);
        // Whatever is accepted is a case that a unit can run, and that can be written again.
        if let Ok(capsule) = Capsule::from_text(&text) {
            if capsule.case.dirty_cycles < 1000 {
                let _ = units::run(&capsule.case);
            }
            prop_assert_eq!(read(&capsule.to_text()), Ok(capsule));
        }
    }
}
