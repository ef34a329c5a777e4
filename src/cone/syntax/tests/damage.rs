// SPDX-License-Identifier: MIT OR Apache-2.0
//! Damaged sources are read to their end, and what is whole around the damage is still found.

use std::{fs, path::Path, sync::LazyLock};

use proptest::{collection::vec, prelude::*, sample::select};

use super::{design, drives};
use crate::cone::tokens::tokens;

#[test]
fn damage_ends_with_its_statement_block_or_module() {
    let cases = [
        "assign a = (b;",
        "assign a = b",
        "assign a = ) ] } end endcase;",
        "always_comb begin a = b;",
        "always_comb case (a) 1: b = c; 2 begin end",
        "always_comb if (a begin b = c; end",
        "always_comb if a b = c;",
        "always always @ # : begin end end",
        "function f; return 1;",
        "inner #( u (.a(b), .c",
        "logic [3:0; = ,,",
        "enum { A = B",
        "`define",
        "\"never closed",
        "for (int i = 0; i <",
        "class c; function f; endclass",
        "é ß \u{1F980} \\",
        "(* keep",
    ];
    for damage in cases {
        let text = format!("module m;\n{damage}\nendmodule\nmodule whole;\nassign x = y;\nendmodule\n");
        assert!(drives(&text).contains(&"5: x = y".to_owned()), "{damage}: {:?}", drives(&text));
        assert!(design(&text).module("whole").is_some(), "{damage}");
    }
}

/// Nothing is read again and again, and nothing overflows the stack.
#[test]
fn what_is_deep_or_long_is_read_to_its_end() {
    let nested = [
        "(",
        "a[",
        "{",
        "f(",
        "begin ",
        "if (a) ",
        "do ",
        "always ",
        "fork ",
        "module m; ",
        "case (a) 1: ",
        "a ? ",
        "(* ",
    ];
    let longer = [
        "else ",
        "a : ",
        "`A(b)\n",
        "enum ",
        "assert ",
        "a = b, ",
        "a.",
        "# ",
        "\\ ",
        "/*",
        "\"\n",
        "if (a) b = c; else ",
    ];
    for part in nested.into_iter().chain(longer) {
        for before in ["", "module m; always_comb ", "module m; assign a = ", "module m (", "module m; u i ("] {
            let whole = design(&format!("{before}{}", part.repeat(20_000)));
            assert!(whole.drives.len() <= 20_001, "{before}{part}");
        }
    }
}

/// The words of rtl/.
static WORDS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let words = TEXTS.iter().flat_map(|text| tokens(text, 1)).map(|word| word.text);
    let mut words: Vec<_> = words.collect();
    words.sort();
    words.dedup();
    words
});
static TEXTS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("rtl");
    let paths = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "sv"))
        .map(|path| fs::read_to_string(path).unwrap())
        .collect()
});
const MARKS: [&str; 24] = [
    "begin", "end", "if", "else", "(", ")", "[", "]", "{", "}", "'{", ";", ":", ",", "=", "<=", "@", "#", "`", "\"",
    "//", "/*", "\n", "\\",
];

fn holds_together(text: &str) -> Result<(), TestCaseError> {
    let lines = text.lines().count().max(1);
    let design = design(text);
    for drive in &design.drives {
        prop_assert!(drive.line <= drive.end && (1..=lines).contains(&drive.end));
        prop_assert!(drive.scope < design.scopes.len() && drive.target.0 < design.scopes.len());
        prop_assert!(drive.guards.iter().all(|&(guard, _)| guard < design.guards.len()));
    }
    Ok(())
}

proptest! {
    #[test]
    fn any_words_are_read(words in vec(prop_oneof![select(&WORDS[..]), select(&MARKS[..]).prop_map(str::to_owned)], 0..300)) {
        holds_together(&words.join(" "))?;
    }

    /// A source of rtl/ that is cut up: a part of it is lost, or stands in another place, too.
    #[test]
    fn any_damage_is_read(text in select(&TEXTS[..]), cuts in vec((0.0..1.0, 0.0..1.0, 0_usize..200, select(&MARKS[..])), 1..8)) {
        let mut text: Vec<char> = text.chars().collect();
        for (from, to, length, mark) in cuts {
            let place = |part: f64| (part * text.len() as f64) as usize;
            let (from, to) = (place(from), place(to));
            let taken: Vec<_> = text.drain(from..(from + length).min(text.len())).collect();
            let to = to.min(text.len());
            text.splice(to..to, mark.chars().chain(taken.into_iter().take(length / 2)));
        }
        holds_together(&text.into_iter().collect::<String>())?;
    }
}
