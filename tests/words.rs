// SPDX-License-Identifier: MIT OR Apache-2.0
//! Encodings: words and texts as NVIDIA's disassembler has them, both ways; the looser syntax; errors and their columns.

use std::{env, fs, path::Path};

use gpu_lsu::sets::spa5::{self, Inst};
use proptest::prelude::*;

/// Every row disassembles to its text and assembles back to its word; the number of rows.
fn check_corpus(path: &Path) -> usize {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut rows = 0;
    for row in text.lines().skip(1) {
        let (word, text) = row.split_once(',').expect("word,text");
        let (word, text) = (u64::from_str_radix(word, 16).expect("hexadecimal"), text.trim_matches('"'));
        assert_eq!(spa5::decode(word).expect(row).to_string(), text, "{row}");
        rows += 1;
        if word == spa5::NOP {
            continue; // no text gives this word by that name
        }
        let inst = spa5::parse(text).unwrap_or_else(|error| panic!("{row}: {error}"));
        assert_eq!(format!("{:016x}", spa5::encode(&inst)), format!("{word:016x}"), "{row}");
    }
    rows
}

#[test]
fn words_and_texts_are_nvdisasms() {
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/words/spa5.csv");
    assert!(check_corpus(&shipped) > 3000);
}

/// `GPU_LSU_CORPUS` may name a directory with more words, in `spa5_ldst_words.csv`.
#[test]
fn further_corpus() {
    if let Some(directory) = env::var_os("GPU_LSU_CORPUS") {
        assert!(check_corpus(&Path::new(&directory).join("spa5_ldst_words.csv")) > 0);
    }
}

fn assembled(text: &str) -> String {
    match spa5::parse(text) {
        Ok(inst) => format!("{:016x}", spa5::encode(&inst)),
        Err(error) => error.to_string(),
    }
}

#[test]
fn looser_syntax_assembles_to_the_same_words() {
    for (loose, exact) in [
        ("LD.32 R3, [R1]", "LD R3, [R1]"),
        ("ST.8 [R1], R4", "ST.U8 [R1], R4"),
        ("ld.16 r4, [r1]", "LD.U16 R4, [R1]"),
        ("ST.S8 [R1], R4", "ST.S8 [R1], R4"),
        ("ST [R1 - 20], R3", "ST [R1+-0x14], R3"),
        ("ST [R1 + -20], R3;", "ST [R1+-0x14], R3"),
        ("ST [R1-0x14],R3 ;", "ST [R1+-0x14], R3"),
        ("  @PT   LD . CA . 32   R0 ,[ R8 + 16 ] , PT  ", "LD R0, [R8+0x10]"),
        ("ST.WB [R1], R3", "ST [R1], R3"),
        ("LD.CS R0, [R8]", "LD R0, [R8]"),
        ("LD.E.LU R0, [R8]", "LD.E.CG R0, [R8]"),
        ("LD.64.CV.E R0, [R8]", "LD.E.CV.64 R0, [R8]"),
        ("LD.128.U R4, [R8]", "LD.U.128 R4, [R8]"),
        ("LD R0, [RZ+0x10]", "LD R0, [0x10]"),
        ("LD R0, [RZ]", "LD R0, [RZ]"),
        ("LD R0, [0]", "LD R0, [RZ]"),
        ("LD R0, [4294967295]", "LD R0, [0xffffffff]"),
        ("LD R0, [R1-2147483648]", "LD R0, [R1+-0x80000000]"),
        ("@!pt st.invalidsize7 [rz+0X10], rz, p0", "@!PT ST.INVALIDSIZE7 [0x10], RZ, P0"),
        ("{&req_6} ST [R1], R3 {&rd2}{ ?sched };", "ST [R1], R3"),
        ("@P0 {&wr1} LD R3, [R1]; {&req_1}", "@P0 LD R3, [R1]"),
        ("/*0070*/ LD.E.64 R4, [R4], P0 } /* 0x80b0000000070404 */", "LD.E.64 R4, [R4], P0"),
        ("/*0008*/ { LD R4, [R2] ; // dual issue", "LD R4, [R2]"),
        ("&req_6 &rd1 ST [R1], R3 &wr2 ?sched;", "ST [R1], R3"),
        ("@P0 &req_6 LD R3, [R1]; ?WAIT13_END_GROUP", "@P0 LD R3, [R1]"),
    ] {
        assert_eq!(assembled(loose), assembled(exact), "{loose}");
        assert_eq!(assembled(exact).len(), 16, "{exact}");
    }
}

#[test]
fn annotations_are_kept() {
    let statement = spa5::parse_statement("{&req_6} ST [R1], R3 {&rd2} {?sched};").unwrap();
    assert_eq!(statement.annotations, ["&req_6", "&rd2", "?sched"]);
    let statement = spa5::parse_statement("&req_6 &rd1 {&x} @P0 LD R1, [R3] &wr2 ?sched; &last").unwrap();
    assert_eq!(statement.annotations, ["&req_6", "&rd1", "&x", "&wr2", "?sched", "&last"]);
    let word = spa5::parse("@P0 LD.U8 R0, [R0], P0").unwrap();
    assert_eq!((spa5::encode(&word), word.to_string().as_str()), (spa5::NOP, "NOP"));
}

#[test]
fn errors_name_the_column_and_what_was_expected() {
    for (text, error) in [
        ("", "column 1: expected `LD` or `ST`, found the end of the line"),
        ("MOV R1, R2", "column 1: expected `LD` or `ST`, found `MOV`"),
        ("  LDG R1, [R2]", "column 3: expected `LD` or `ST`, found `LDG`"),
        ("@P7 LD R1, [R2]", "column 2: expected a predicate, found `P7`"),
        ("@P0 NOP", "column 5: `NOP` is neither LD nor ST"),
        ("nop;", "column 1: `nop` is neither LD nor ST"),
        ("LD R1, [R2] & ;", "column 13: `&` has no name"),
        ("LD R255, [R2]", "column 4: expected a register, found `R255`"),
        ("LD [R2], R1", "column 4: expected a register, found `[`"),
        ("ST R1, [R2]", "column 4: expected an address such as `[R1+0x14]`, found `R1`"),
        ("LD R1 [R2]", "column 7: expected `,` and the address, found `[`"),
        ("LD R1, [R2*4]", "column 11: expected `+`, `-` or `]`, found `*`"),
        ("LD R1, [R2+x]", "column 12: expected a number, found `x`"),
        ("LD R1, [R2+]", "column 12: expected a number, found `]`"),
        ("LD R1, []", "column 9: expected a register or a number, found `]`"),
        ("LD R1, [0x]", "column 9: expected a number, found `0x`"),
        ("LD R1, [R2", "column 11: expected `+`, `-` or `]`, found the end of the line"),
        ("LD R1, [R2+0x80000000]", "column 12: `0x80000000` is out of range"),
        ("LD R1, [R2-0x80000001]", "column 11: `-0x80000001` is out of range"),
        ("LD R1, [R2+-0x80000001]", "column 12: `-0x80000001` is out of range"),
        ("LD R1, [R2 - 0x80000001]", "column 12: `- 0x80000001` is out of range"),
        ("LD R1, [0x100000000]", "column 9: `0x100000000` is out of range"),
        ("LD R1, [-16]", "column 9: `-16` is out of range"),
        ("LD R1, [99999999999999999999]", "column 9: `99999999999999999999` does not fit in 64 bits"),
        ("LD.65 R1, [R2]", "column 4: `65` is no suffix of LD"),
        ("LD.INVALIDSIZE7 R1, [R2]", "column 4: `INVALIDSIZE7` is no suffix of LD"),
        ("ST.CA [R2], R1", "column 4: `CA` is no suffix of ST"),
        ("ST.U.128 [R2], R4", "column 4: `U` is no suffix of ST"),
        ("LD.U R1, [R2]", "column 4: `U` goes with `.128` only"),
        ("LD.CA.CG R1, [R2]", "column 7: `CG` is the second suffix of its kind"),
        ("LD.32.64 R1, [R2]", "column 7: `64` is the second suffix of its kind"),
        ("LD.E.E R1, [R2]", "column 6: `E` is the second suffix of its kind"),
        ("LD R1, [R2], !P0", "column 14: `!` cannot be: the space predicate has no negation"),
        ("LD R1, [R2], P0, P1", "column 16: expected the end of the line, found `,`"),
        ("LD R1, [R2]; LD R2, [R2]", "column 14: expected the end of the line, found `LD`"),
        ("LD R1, [R2] {&req_6", "column 13: `{` is never closed"),
        ("LD R1, [R2] /* x", "column 13: `/*` is never closed"),
        ("LD R1, [µ2]", "column 9: expected a register or a number, found `µ`"),
        ("/*µ*/ LD R1; [R2]", "column 12: expected `,` and the address, found `;`"),
    ] {
        assert_eq!(assembled(text), error, "{text}");
    }
}

#[test]
fn words_have_sixteen_digits() {
    for good in [
        "bc80000001470103",
        "0xBC80000001470103",
        "/* 0xbc80000001470103 */",
        "/*bc80000001470103*/",
        "/*0008*/ bc80000001470103 // ST",
        "/*0008*/ /* 0xbc80000001470103 */",
        "/*0000000000000008*/ /*bc80000001470103*/ // ST",
    ] {
        assert_eq!(spa5::parse_word(good), Ok(0xbc80000001470103), "{good}");
    }
    for bad in
        ["", "bc8000000147010", "bc800000014701030", "0x", "bc80000001470103 1", "gc80000001470103", "/**/", "/*/"]
    {
        assert!(spa5::parse_word(bad).is_err(), "{bad}");
    }
    let other = spa5::decode(0x001f8000fc0007e0).unwrap_err().to_string();
    assert_eq!(other, "001f8000fc0007e0 is neither LD nor ST: bits 63:61 are 000, LD has 100 and ST has 101");
}

/// Any word with the opcode of LD or ST.
fn ld_or_st() -> impl Strategy<Value = u64> {
    (any::<bool>(), any::<u64>()).prop_map(|(store, bits)| if store { 5 << 61 } else { 4 << 61 } | bits >> 3)
}

proptest! {
    #[test]
    fn every_word_goes_round(word in ld_or_st()) {
        let inst = spa5::decode(word).unwrap();
        prop_assert_eq!(spa5::encode(&inst), word);
        prop_assert_eq!(spa5::parse(&inst.to_string()), Ok(inst));
        prop_assert_eq!(spa5::parse(&inst.to_string().to_lowercase()), Ok(inst));
    }

    #[test]
    fn other_words_are_refused(word in any::<u64>().prop_filter("LD or ST", |word| !matches!(word >> 61, 4 | 5))) {
        prop_assert!(spa5::decode(word).is_err());
    }

    #[test]
    fn no_text_panics(text in "\\PC*", line in "[@!PRTZLDSE.U0-9x,;{}&+/* \\[\\]#-]*") {
        for text in [text, line] {
            let column = spa5::parse(&text).map_or_else(|error| error.column, |_| 1);
            prop_assert!((1..=text.chars().count() + 1).contains(&column));
            let _ = spa5::parse_word(&text);
        }
    }

    #[test]
    fn lowering_refuses_or_stays_in_the_file(word in ld_or_st(), count in 0u16..300) {
        let inst: Inst = spa5::decode(word).unwrap();
        if let Ok(lowered) = spa5::lower(&inst, count) {
            let registers: Vec<_> = lowered.registers().collect();
            prop_assert!(registers.iter().all(|(_, register)| register.is_none_or(|number| number < spa5::RZ.into())));
            prop_assert_eq!(registers.len(), usize::from(lowered.op.element_bytes).div_ceil(4));
            prop_assert!(lowered.address.iter().flatten().all(|source| source.register().is_some_and(|number| number < count)));
        }
    }
}
