// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is refused, where, and by which words.

use gpu_lsu::sets::sm5;

#[test]
fn texts_that_are_none() {
    for (text, column, message) in [
        ("atomic_cmp_exch u0, r0.x, r1.x, r2.x", 1, "expected `atomic_cmp_store`, found `atomic_cmp_exch`"),
        ("atomic_cmp_store", 17, "expected an operand, found the end of the line"),
        ("atomic_cmp_store q0, r0.x, r1.x, r2.x", 18, "expected an operand, found `q0`"),
        ("atomic_cmp_store u0 r0.x, r1.x, r2.x", 21, "expected `,` and an operand, found `r0`"),
        ("atomic_cmp_store u0, r0.x, r1.x", 32, "expected `,` and an operand, found the end of the line"),
        ("atomic_cmp_store u0, r0.x, r1.x, r2.x, r3.x", 38, "expected the end of the line, found `,`"),
        (
            "atomic_cmp_store u0.yx, r0.x, r1.x, r2.x",
            21,
            "expected components in their order, such as `.xyz`, found `yx`",
        ),
        ("atomic_cmp_store u0, r0.xy, r1.x, r2.x", 25, "`xy` is neither one component nor four"),
        ("atomic_cmp_store u0, r0.q, r1.x, r2.x", 25, "expected components, of `xyzw`, found `q`"),
        ("atomic_cmp_store u0, |r0.x, r1.x, r2.x", 27, "expected `|`, as there is one in front, found `,`"),
        ("atomic_cmp_store -u0, r0.x, r1.x, r2.x", 18, "expected an operand, found `-`"),
        ("atomic_cmp_store u0, l(1, 2), r1.x, r2.x", 23, "`(1, 2)` has neither one component nor four"),
        ("atomic_cmp_store u0, l(4294967296), r1.x, r2.x", 24, "`4294967296` does not fit in 32 bits"),
        ("atomic_cmp_store u0, l(-2147483649), r1.x, r2.x", 24, "`-2147483649` does not fit in 32 bits"),
        ("atomic_cmp_store u0, cb0[r1.x], r1.x, r2.x", 30, "expected `+` and a number, found `]`"),
        ("atomic_cmp_store u0, cb0[r[r1.x + 1].x + 1], r1.x, r2.x", 28, "expected a plain number, found `r1`"),
        (
            "atomic_cmp_store u0, cb0[r4294967296.x + 1], r1.x, r2.x",
            26,
            "`r4294967296` has a number that does not fit in 32 bits",
        ),
        (
            "atomic_cmp_store u0, cb0[x0[4294967296].x + 1], r1.x, r2.x",
            29,
            "`4294967296` has a number that does not fit in 32 bits",
        ),
        ("atomic_cmp_store u0[1][2][3], r0.x, r1.x, r2.x", 26, "`[3]` is a fourth index"),
        (
            "atomic_cmp_store u99999999999999999999, r0.x, r1.x, r2.x",
            18,
            "`u99999999999999999999` has a number that does not fit in 64 bits",
        ),
    ] {
        let error = sm5::parse(text).expect_err(text);
        assert_eq!((error.column, error.message.as_str()), (column, message), "{text}");
    }
}

/// However deep a text goes, it is refused where the second register stands.
#[test]
fn nested_indices() {
    let (open, close) = ("u[".repeat(100_000), " + 0]".repeat(100_000));
    let error = sm5::parse(&format!("atomic_cmp_store {open}r1.x{close}, r0.x, l(0), l(1)")).unwrap_err();
    assert_eq!((error.column, error.message.as_str()), (22, "expected a plain number, found `u`"));
}

#[test]
fn tokens_that_are_none() {
    const LINE: &str = "090000ac 0011e000 00000000 00100006 00000000 00100006 00000001 00100006 00000002";
    assert!(sm5::parse_code(LINE).is_ok());
    // Which dwords are changed, to what, and where that is told.
    for (edits, told, message) in [
        (&[(0, "090000ad")][..], 0, "opcode 173 is not 172, atomic_cmp_store"),
        (&[(0, "0a0000ac")], 0, "the opcode token says 10 dwords, and there are 9"),
        (&[(0, "090020ac")], 0, "bits 23:11 of the opcode token are 0x4, which atomic_cmp_store has as 0"),
        (&[(0, "890000ac")], 0, "an extended opcode token is for sampling and loading, not for atomic_cmp_store"),
        (&[(1, "0031e000")], 8, "the instruction ends before its operands do"),
        (&[(1, "0001e000")], 7, "2 dwords are left behind the four operands"),
        (&[(1, "8011e000"), (2, "00000041")], 1, "a destination and the register of an index have no modifier"),
        (&[(1, "00004001")], 1, "a destination is no literal"),
        (&[(3, "0010000e")], 3, "an operand's components are masked, swizzled or selected (modes 0 to 2), not mode 3"),
        (&[(3, "00100003")], 3, "an operand has 0, 1 or 4 components (codes 0 to 2), not code 3"),
        (&[(3, "00112006")], 3, "operand type 18 is none that atomic_cmp_store has"),
        (&[(3, "01500006")], 3, "index representation 5 is none: 0 imm32, 1 imm64, 2 relative, 3 imm32 and relative"),
        (&[(3, "00104001")], 3, "a literal has one component or four, and no index"),
        (&[(3, "80100006"), (4, "00000002")], 4, "the extended operand token 0x00000002 is not a modifier"),
        (&[(3, "00900006"), (4, "00900006")], 4, "the register of a relative index has immediate indices"),
        (&[(3, "00900006"), (4, "80100006")], 4, "a destination and the register of an index have no modifier"),
    ] {
        let mut dwords: Vec<&str> = LINE.split(' ').collect();
        edits.iter().for_each(|(at, dword)| dwords[*at] = dword);
        let line = dwords.join(" ");
        let error = sm5::parse_code(&line).expect_err(&line);
        assert!(error.message.starts_with(message), "{line}: {error}");
        assert_eq!(error.column, 9 * told + 1, "{line}: {error}");
    }
    for (line, column) in [("", 1), ("12345", 1), ("090000ac nothing", 10), ("/* none */", 11)] {
        assert_eq!(sm5::parse_code(line).unwrap_err().column, column, "{line}");
    }
}

#[test]
fn looser_syntax_gives_the_same_tokens() {
    for (loose, exact) in [
        ("ATOMIC_CMP_STORE U0 , R0.X , L( 0x10 ) , VTHREADID.Y ;", "atomic_cmp_store u0, r0.x, l(16), vThreadID.y"),
        ("/*0008*/ atomic_cmp_store u[ r1.x+3 ], r0.xxxx, -1.x // x", ""),
        (
            "atomic_cmp_store u[ r1.x+3 ], r0.xxxx, - r1.x, | r2.y | // x",
            "atomic_cmp_store u[r1.x + 3], r0.x, -r1.x, |r2.y|",
        ),
        ("atomic_cmp_store u0, l(4294967295), l(-1), l(0)", "atomic_cmp_store u0, l(-1), l(4294967295), l(0)"),
    ] {
        let code = |text: &str| sm5::parse(text).map(|inst| sm5::code(&inst)).map_err(|error| error.message);
        match exact {
            "" => assert!(code(loose).is_err(), "{loose}"),
            _ => assert_eq!(code(loose), code(exact), "{loose}"),
        }
    }
}
