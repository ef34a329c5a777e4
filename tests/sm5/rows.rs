// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tokens and their texts, row by row, both ways.

use std::{env, fs, path::Path};

use gpu_lsu::sets::sm5;

/// The tokens' text, and the tokens that the text gives.
fn both(tokens: &str, text: &str) -> (String, String) {
    let inst = sm5::parse_code(tokens).unwrap_or_else(|error| panic!("{tokens}: {error}"));
    let back = sm5::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    (inst.to_string(), sm5::code(&back))
}

/// `tests/words/sm5.csv` is made by `make_sm5.py`, which knows nothing of this crate.
#[test]
fn words_have_their_texts() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/words/sm5.csv");
    let rows = fs::read_to_string(path).unwrap();
    let mut count = 0;
    for row in rows.lines().skip(1) {
        let (tokens, rest) = row.split_once(",\"").expect(row);
        let (text, back) = rest.split_once("\",").expect(row);
        assert_eq!(both(tokens, text), (text.to_owned(), back.to_owned()), "{tokens}");
        count += 1;
    }
    assert!(count > 1000, "{count}");
}

/// What the tokens of the specification say; their text gives a swizzle where they select.
#[test]
fn the_specification_s_rows() {
    for (tokens, text) in [
        (
            "090000ac 0011e000 00000000 0010000a 00000000 0010000a 00000001 0010000a 00000002",
            "atomic_cmp_store u0, r0.x, r1.x, r2.x",
        ),
        (
            "090000ac 0011f000 00000001 00100046 00000000 0010002a 00000003 0010003a 00000003",
            "atomic_cmp_store g1, r0.xyxx, r3.z, r3.w",
        ),
    ] {
        let inst = sm5::parse_code(tokens).unwrap();
        assert_eq!((inst.to_string().as_str(), sm5::code(&inst).as_str()), (text, tokens));
        assert_eq!(sm5::parse(text).unwrap().to_string(), text);
    }
}

/// `GPU_LSU_CORPUS` may name a directory with more words: vkd3d's own.
#[test]
fn further_corpus() {
    let Some(directory) = env::var_os("GPU_LSU_CORPUS") else { return };
    let path = Path::new(&directory).join("sm5_cmp_store.csv");
    let rows = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut count = 0;
    for row in rows.lines().skip(1) {
        let (tokens, rest) = row.split_once(",\"").expect(row);
        let (text, _) = rest.split_once("\",").expect(row);
        assert_eq!(both(tokens, text), (text.to_owned(), tokens.to_owned()), "{tokens}");
        count += 1;
    }
    assert!(count > 0);
}
