// SPDX-License-Identifier: MIT OR Apache-2.0
//! What holds of any text, and of any legal statement however it is written.

use gpu_lsu::sets::ptx::{Access, Bare, Module, NEWEST, judge};
use proptest::{collection::vec, prelude::*, sample::subsequence};

use crate::check;

/// Pieces of statements and of modules, in any order.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[ \\n\\t;,:{}()\\[\\]<>@!+*/%&|^=?.\"'_$-]",
        "\\.[a-zA-Z0-9:]{0,8}",
        "0[xXbBdDfF]?[0-9a-fA-FU]{0,17}",
        "[0-9.]{1,20}[eE]?[+-]?[0-9]{0,3}",
        proptest::sample::select(vec![
            "st",
            "ld",
            ".global",
            ".v4",
            ".b32",
            ".relaxed",
            ".gpu",
            "[%rd1",
            "+",
            "]",
            "%r1",
            "%p1",
            "@",
            "_",
            "WARP_SZ",
            ".reg .b32 %x<",
            ">",
            ".entry k(",
            ".func (",
            ".param .b32 a",
            ")",
            "{",
            "}",
            ";",
            "/*",
            "*/",
            "//",
            "\"",
            ".section x {",
            ".loc 1 2",
            ".version 8.0",
            ".target sm_90",
            "(.u64)",
            "::",
            "é",
            "\u{2028}",
        ])
        .prop_map(str::to_owned),
    ];
    vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// Everything that a module hands out; the number of accesses.
fn read(source: &str) -> usize {
    let mut module = Module::new(source);
    let mut accesses = 0;
    while let Some(access) = module.next_access() {
        accesses += 1;
        if let Access::Store(statement) = access
            && let Err(refusal) = judge(&statement, module.names(), NEWEST.0, NEWEST.1)
        {
            assert!(source.get(refusal.span.clone()).is_some(), "{refusal:?}");
        }
    }
    accesses
}

proptest! {
    #[test]
    fn no_text_panics(text in prop_oneof!["\\PC*", pieces(), any::<String>()]) {
        prop_assert!(read(&text) <= text.len());
        if let Err(refusal) = Bare::new(NEWEST.0, NEWEST.1).check(&text) {
            prop_assert!(text.get(refusal.span).is_some());
        }
    }

    #[test]
    fn a_kernel_with_a_hole_is_read(from in 0usize..3000, length in 0usize..300) {
        let source = include_str!("kernel.ptx");
        let mut bytes = source.as_bytes().to_vec();
        let from = from.min(bytes.len());
        bytes.drain(from..(from + length).min(bytes.len()));
        read(&String::from_utf8(bytes).unwrap());
    }

    /// Modifiers may stand in any order, and blanks and comments between any two tokens.
    #[test]
    fn order_and_blanks_do_not_matter(
        modifiers in subsequence(vec![".weak", ".global", ".L1::evict_last", ".L2::cache_hint", ".b32"], 5).prop_shuffle(),
        blanks in vec(proptest::sample::select(vec!["", " ", "\t", "/* x */", " /**/ "]), 16),
    ) {
        let tokens = ["[", "%rd1", "+", "-", "4", "]", ",", "%r1", ",", "%pol", ";"];
        let mut text = "@%p1 st".to_owned();
        for (token, blank) in modifiers.into_iter().chain(tokens).zip(blanks) {
            text = text + blank + token;
        }
        prop_assert_eq!(Bare::new(NEWEST.0, NEWEST.1).check(&text), Ok(()), "{}", text);
    }

    #[test]
    fn deep_expressions_are_refused(depth in 65usize..5000, sign in proptest::sample::select(vec!["(", "-", "1?", "1+("])) {
        let text = format!("st.b32 [%rd1], {}1;", sign.repeat(depth));
        prop_assert!(Bare::new(NEWEST.0, NEWEST.1).check(&text).is_err());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// One line in, one line out, beginning as promised.
    #[test]
    fn a_line_for_a_line(lines in vec(prop_oneof![
        vec(any::<u8>(), 0..30),
        pieces().prop_map(String::into_bytes),
        Just(b"st.b32 [%rd1], %r1;".to_vec()),
    ], 0..200)) {
        let input: Vec<u8> = lines.iter().flat_map(|line| line.iter().copied().chain(*b"\n")).collect();
        let wanted = input.iter().filter(|&&byte| byte == b'\n').count();
        let (output, code) = check(&["-"], input);
        prop_assert_eq!(output.split('\n').count(), wanted + 1);
        let refused = output.lines().filter(|line| line.starts_with("refused: line ")).count();
        let accepted = output.lines().filter(|line| *line == "accepted").count();
        prop_assert_eq!((refused + accepted, code), (wanted, i32::from(refused > 0)));
    }
}
