// SPDX-License-Identifier: MIT OR Apache-2.0
//! R700 words: short and long texts both ways, the looser syntax, errors and their columns, lowering.

use std::{env, fs, path::Path};

use gpu_lsu::{
    clause::Clause,
    sets::r700::{self, Cf, CfOp, DecodeError, Inst, LowerError, MemOp, Read},
};
use proptest::prelude::*;

fn decoded(dwords: &str) -> Inst {
    r700::parse_code(dwords).unwrap_or_else(|error| panic!("{dwords}: {error}"))
}

fn assembled(text: &str) -> String {
    match r700::parse(text) {
        Ok(inst) => r700::code(&inst),
        Err(error) => error.to_string(),
    }
}

/// The instruction without what a short text leaves out.
fn shortened(inst: Inst) -> Inst {
    match inst {
        Inst::Cf(cf) => Inst::Cf(Cf {
            index_gpr: if cf.indexed() { cf.index_gpr } else { 0 },
            reserved: [0; 2],
            rw_rel: false,
            valid_pixel_mode: false,
            whole_quad_mode: false,
            ..cf
        }),
        Inst::Read(read) => Inst::Read(Read {
            src_rel: false,
            dst_rel: false,
            fetch_whole_quad: false,
            lds_req: false,
            coalesced_read: false,
            endian_swap: 0,
            reserved: [0; 3],
            ..read
        }),
    }
}

#[track_caller]
fn check_short(dwords: &str, text: &str) {
    let inst = decoded(dwords);
    assert_eq!(inst.to_string(), text, "{dwords}");
    assert_eq!(assembled(text), r700::code(&shortened(inst)), "{text}");
}

#[track_caller]
fn check_long(dwords: &str, text: &str) {
    let long = decoded(dwords).long().to_string();
    // Behind what Mesa prints stands what it leaves out, if that is not 0.
    let more = long.strip_prefix(text).unwrap_or_else(|| panic!("{dwords}: {long}"));
    assert!(more.is_empty() || more.starts_with(' '), "{dwords}: {long}");
    let words: Vec<String> = dwords.split(' ').map(|word| word.trim_start_matches("0x").to_lowercase()).collect();
    assert_eq!(assembled(&long), words.join(" "), "{long}");
}

/// `r700.csv` is made by `make_r700.py`, which knows nothing of this crate.
#[test]
fn words_have_their_texts() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/words/r700.csv");
    let text = fs::read_to_string(path).unwrap();
    let mut rows = 0;
    for row in text.lines().skip(1) {
        let (dwords, texts) = row.split_once(",\"").expect(row);
        let (short, long) = texts.trim_end_matches('"').split_once("\",\"").expect(row);
        check_short(dwords, short);
        check_long(dwords, long);
        assert_eq!(r700::code(&decoded(dwords)), dwords);
        rows += 1;
    }
    assert!(rows > 1000, "{rows}");
}

/// `GPU_LSU_CORPUS` may name a directory with more words: Mesa's own.
#[test]
fn further_corpus() {
    let Some(directory) = env::var_os("GPU_LSU_CORPUS") else { return };
    for (name, dwords, check) in [
        ("r700_export_words.csv", 2, check_short as fn(&str, &str)),
        ("r700_read_words.csv", 3, check_short),
        ("r700_cf_fields.csv", 2, check_long),
        ("r700_mem_fields.csv", 3, check_long),
    ] {
        let path = Path::new(&directory).join(name);
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut rows = 0;
        for row in text.lines().skip(1) {
            let mut columns = row.splitn(dwords + 1, ',');
            let words: Vec<_> = columns.by_ref().take(dwords).collect();
            let rest = columns.next().expect(row);
            let text = match rest.strip_prefix('"') {
                Some(quoted) => quoted.split_once('"').expect(row).0,
                None => rest.split_once(',').expect(row).0,
            };
            // Neither is in the bits.
            check(&words.join(" "), &text.replace(" MARK", "").replace(" rw?", ""));
            rows += 1;
        }
        assert!(rows > 0, "{name}");
    }
}

#[test]
fn looser_syntax_assembles_to_the_same_words() {
    for (loose, exact) in [
        ("mem_reduction write 2 r7.XY__ es:3 as:0", "MEM_REDUCT WRITE 2 R7.xy__ ES:3 AS:0"),
        (
            " /*0008*/ MEM_SCRATCH  WRITE_IND_ACK 0x0 R2.x___ R3 MARK AS:99 ES:3 ; // x",
            "MEM_SCRATCH WRITE_IND_ACK 0 R2.x___ R3 ES:3 AS:99",
        ),
        ("MEM_RING WRITE 8 - 9 R4 - R5 . xyzw ES : 0 EOP", "MEM_RING WRITE 8-9 R4-5.xyzw ES:0 EOP"),
        ("MEM_RING WRITE 8 R4.xyzw ES:0 AS:4095", "MEM_RING WRITE 8 R4.xyzw ES:0"),
        (
            "READ_SCRATCH R6.xy01, R0.xx ARRAY_SIZE:0 ARRAY_BASE:5 ELEM_SIZE:3 INDEXED:0",
            "READ_SCRATCH R6.xy01, R0.xx, RID:0 ELEM_SIZE:3 ARRAY_BASE:5 ARRAY_SIZE:0 UCF:0 FMT(DTA:34 NUM:1 COMP:0 MODE:0)",
        ),
        (
            "read_mem r6.x?__, r0.wx, fmt(mode:1) elem_size:0 array_base:0 array_size:0",
            "READ_MEM R6.x?__, R0.wx, RID:0 ELEM_SIZE:0 ARRAY_BASE:0 ARRAY_SIZE:0 UCF:0 FMT(DTA:34 NUM:1 COMP:0 MODE:1)",
        ),
        ("MEM_RING comp_mask=0xF array_size=4095 rw_gpr=4", "MEM_RING WRITE 0 R4.xyzw ES:0"),
        ("EXPORT type=2 sel=4,5,7,0 eop=1", "EXPORT PARAM 0 R0.01_x ES:0 EOP"),
        ("EXPORT_DONE type=1", "EXPORT_DONE POS 0 R0.xyzw ES:0"),
        (
            "READ_MEM elem_size=0 rw? dst_gpr=3 indexed=1",
            "READ_MEM R3.xyzw, R0.xx INDEXED:1 ELEM_SIZE:0 ARRAY_BASE:0 ARRAY_SIZE:0",
        ),
    ] {
        assert_eq!(assembled(loose), assembled(exact), "{loose}");
        assert!(assembled(exact).len() == 17 || assembled(exact).len() == 26, "{exact}: {}", assembled(exact));
    }
}

#[test]
fn errors_name_the_column_and_what_was_expected() {
    for (text, error) in [
        ("", "column 1: expected a memory write, a memory read or an export, found the end of the line"),
        (" LD R1, [R2]", "column 2: expected a memory write, a memory read or an export, found `LD`"),
        ("MEM_RING 8 R4.xyzw ES:0", "column 10: expected a type of write, found `8`"),
        ("MEM_RING TYPE3 8 R4.xyzw ES:0", "column 10: expected a type of write, found `TYPE3`"),
        ("EXPORT WRITE 8 R4.xyzw ES:0", "column 8: expected a type of export, found `WRITE`"),
        ("MEM_RING WRITE R4.xyzw ES:0", "column 16: expected a number, found `R4`"),
        ("MEM_RING WRITE 8192 R4.xyzw ES:0", "column 16: `8192` is out of range"),
        ("MEM_RING WRITE 8 R128.xyzw ES:0", "column 18: `R128` is out of range"),
        (
            "MEM_RING WRITE 8 R4 ES:0",
            "column 21: expected the components that are written, such as `.xyzw` or `.x__w`, found `ES`",
        ),
        (
            "MEM_RING WRITE 8 R4.xy ES:0",
            "column 21: expected the components that are written, such as `.xyzw` or `.x__w`, found `xy`",
        ),
        (
            "MEM_RING WRITE 8 R4.yx__ ES:0",
            "column 21: expected the components that are written, such as `.xyzw` or `.x__w`, found `yx__`",
        ),
        ("MEM_RING WRITE 8-9 R4.xyzw ES:0", "column 20: `R4` is not as long as the range of elements"),
        ("MEM_RING WRITE 8-24 R4-20.xyzw ES:0", "column 16: `8-24` is more than a burst of 16"),
        ("MEM_RING WRITE 9-8 R5-4.xyzw ES:0", "column 16: `9-8` runs downwards"),
        ("MEM_RING WRITE 8 R4.xyzw R5 ES:0", "column 26: `R5` is an index, which only _IND types have"),
        ("MEM_RING WRITE_IND 8 R4.xyzw ES:0", "column 30: expected the GPR of the index, found `ES`"),
        (
            "MEM_RING WRITE 8 R4.xyzw",
            "column 25: expected `ES:` and an element's dwords - 1, found the end of the line",
        ),
        ("MEM_RING WRITE 8 R4.xyzw ES:4", "column 29: `4` is out of range"),
        ("MEM_RING WRITE 8 R4.xyzw ES:0 ES:0", "column 31: `ES` is given a second time"),
        ("MEM_RING WRITE 8 R4.xyzw ES:0 AS:4096", "column 34: `4096` is out of range"),
        (
            "MEM_RING WRITE 8 R4.xyzw ES:0 RW_REL",
            "column 31: expected `ES:`, `AS:`, `NO_BARRIER` or `EOP`, found `RW_REL`",
        ),
        (
            "EXPORT PIXEL 0 R4.xyz8 ES:0",
            "column 19: expected four selects of `xyzw01?_`, such as `.xyzw`, found `xyz8`",
        ),
        ("EXPORT PIXEL 0 R4.xyzw ES:0 AS:0", "column 29: expected `ES:`, `AS:`, `NO_BARRIER` or `EOP`, found `AS`"),
        ("READ_MEM R4.xyzw R1.xx", "column 18: expected `,` and the GPR of the index, found `R1`"),
        ("READ_MEM R4.xyzw, R1.0x", "column 22: expected the index's component and another, such as `.xx`, found `0x`"),
        ("READ_MEM R4.xyzw, R1.xx, RID:1", "column 30: `1` is out of range"),
        (
            "READ_MEM R4.xyzw, R1.xx, ELEM_SIZE:0 ARRAY_BASE:0",
            "column 50: expected `ARRAY_SIZE:` and a number of elements - 1, found the end of the line",
        ),
        ("READ_MEM R4.xyzw, R1.xx, FMT(DTA:64)", "column 34: `64` is out of range"),
        (
            "READ_MEM R4.xyzw, R1.xx, FMT(DTA:34",
            "column 36: expected `DTA:`, `NUM:`, `COMP:`, `MODE:` or `)`, found the end of the line",
        ),
        ("MEM_RING type=4", "column 15: `4` is out of range"),
        ("MEM_RING type=0 foo=1", "column 17: expected the name of a field, found `foo`"),
        ("MEM_RING type=0 type=1", "column 17: `type` is given a second time"),
        ("MEM_RING type=0 sel=0,1,2,3", "column 17: expected the name of a field, found `sel`"),
        ("MEM_RING type=0 comp_mask=10", "column 27: `10` is out of range"),
        ("EXPORT type=0 sel=0,1,2", "column 24: expected `,` and the next of four selects, found the end of the line"),
        ("EXPORT type=0 sel=0,1,2,8", "column 25: `8` is out of range"),
        ("READ_MEM elem_size=0 src_sel=4", "column 30: `4` is out of range"),
        ("READ_MEM elem_size=0 endian_swap=4", "column 34: `4` is out of range"),
        ("READ_MEM elem_size=0 reserved0=0x18000", "column 32: `0x18000` is out of range"),
        ("MEM_RING type=0 reserved2=1", "column 17: expected the name of a field, found `reserved2`"),
    ] {
        assert_eq!(assembled(text), error, "{text}");
    }
}

/// A field that is none: the help says which there are.
#[test]
fn fields_are_told() {
    for (text, some) in [
        ("MEM_RING type=0 nonsense=1", "a memory write has type, array_base, elem_size,"),
        ("EXPORT type=0 nonsense=1", "an export has type, array_base, elem_size,"),
        ("READ_MEM elem_size=0 nonsense=1", "a memory read has elem_size, uncached, indexed,"),
    ] {
        let error = r700::parse(text).unwrap_err();
        assert!(error.help.starts_with(some), "{text}: {}", error.help);
    }
}

#[test]
fn dwords_in_any_dress() {
    for good in [
        "00000862 188d1006 00000005",
        "0x00000862,0x188D1006,0x00000005,0x00000000",
        "0x862 0x188d1006 0x5 0x0 ;",
        "/* 00000862 188d1006 00000005 */",
        "/*0008*/ 00000862, 188d1006, 00000005 // READ",
    ] {
        assert_eq!(r700::code(&decoded(good)), "00000862 188d1006 00000005", "{good}");
    }
    for (bad, message) in [
        ("", "column 1: expected a dword of 8 hexadecimal digits, found the end of the line"),
        ("  862 188d1006 00000005", "column 3: expected a dword of 8 hexadecimal digits, found `862`"),
        ("c0018005 MEM", "column 10: expected a dword of 8 hexadecimal digits, found `MEM`"),
        (" c0018005", "column 2: 1 dword: a CF word has two, a memory read three, or four with the last 0"),
        ("00000862 188d1006 00000005 00000001", "column 1: the fourth dword of a memory read is 0, not 0x00000001"),
        (
            "00000863 188d1006 00000005",
            "column 1: MEM_INST 3 is no memory read: bits 4:0 of the first dword are 2 (MEM_RD)",
        ),
        (
            "00000b62 188d1006 00000005",
            "column 1: MEM_OP 3 is none that R700 has: 0 READ_SCRATCH, 1 READ_REDUCTION, 2 READ_MEM",
        ),
        (
            "c0018005 9f80f000",
            "column 1: CF_INST 0x3f neither writes memory nor exports: those are 0x20 to 0x28 and 0x3a",
        ),
    ] {
        assert_eq!(r700::parse_code(bad).unwrap_err().to_string(), message, "{bad}");
    }
}

#[test]
fn the_worked_examples_of_the_equation() {
    for (dwords, text) in [
        ("c0018005 9200f000", "MEM_SCRATCH WRITE 5 R3.xyzw ES:3 AS:0"),
        ("c0822008 9202f00f", "MEM_SCRATCH WRITE_IND 8-9 R4-5.xyzw R1 ES:3 AS:15"),
        ("c0038002 92803000", "MEM_REDUCT WRITE 2 R7.xy__ ES:3 AS:0"),
        ("00010006 90006fff", "MEM_STREAM0 WRITE 6 R2._yz_ ES:0"),
        ("c002800c 9300f000", "MEM_RING WRITE 12 R5.xyzw ES:3 AS:0"),
        ("04852000 9d007fff", "MEM_EXPORT WRITE_IND 0 R10.xyz_ R9 ES:0"),
        (
            "00000862 188d1006 00000005",
            "READ_SCRATCH R6.xyzw, R0.xx, RID:0 UNCACHED ELEM_SIZE:3 ARRAY_BASE:5 ARRAY_SIZE:0 UCF:0 FMT(DTA:34 NUM:1 COMP:0 MODE:0)",
        ),
    ] {
        check_short(dwords, text);
    }
}

#[test]
fn what_does_not_go_to_memory_unchanged_is_refused() {
    let lower = |text: &str| r700::lower(&r700::parse(text).unwrap(), 128, 0).unwrap_err();
    let read = "READ_MEM elem_size=0 ";
    for (text, error, clause, field) in [
        ("EXPORT type=2", LowerError::Export(CfOp::Export), Clause::ComIllegal, "CF_INST"),
        ("EXPORT_DONE type=2", LowerError::Export(CfOp::ExportDone), Clause::ComIllegal, "CF_INST"),
        (&format!("{read}fmt=35"), LowerError::Format(35), Clause::R700Read, "DATA_FORMAT"),
        (&format!("{read}dst_sel=0,1,6,6"), LowerError::Select(2), Clause::R700Read, "DST_SEL_Z"),
    ] {
        let refused = lower(text);
        assert_eq!((refused, refused.clause(), refused.field()), (error, clause, field), "{text}");
        assert!(!refused.help().is_empty());
    }
    let swapped = r700::lower(&decoded("00000862 188d1006 00020005"), 128, 0).unwrap_err();
    assert_eq!((swapped, swapped.field()), (LowerError::Swap(2), "ENDIAN_SWAP"));
    assert_eq!(swapped.to_string(), "ENDIAN_SWAP 2 does not move dwords unchanged");
}

fn any_cf() -> impl Strategy<Value = [u32; 2]> {
    let op = prop::sample::select(&CfOp::ALL[..]);
    (any::<[u32; 2]>(), op).prop_map(|([a, b], op)| [a, b & !(0x7f << 23) | (op as u32) << 23])
}

fn any_read() -> impl Strategy<Value = [u32; 3]> {
    let op = prop::sample::select(&MemOp::ALL[..]);
    (any::<[u32; 3]>(), op).prop_map(|([a, b, c], op)| [a & !0x71f | 2 | (op as u32) << 8, b, c])
}

/// Bits that the manual names, by dword.
fn named(inst: &Inst) -> Vec<u32> {
    match inst {
        Inst::Cf(cf) if cf.op.is_memory() => vec![u32::MAX, 0xfffe_ffff],
        Inst::Cf(_) => vec![u32::MAX, 0xfffe_0fff],
        Inst::Read(_) => vec![0xffff_7fff, 0xffdf_feff, 0xfff3_1fff],
    }
}

/// What the fields say of the reserved bits.
fn reserved(inst: &Inst) -> Vec<u32> {
    let fields = inst.fields();
    let of = |name: &str| fields.iter().find(|(field, _)| *field == name).map_or(0, |(_, bits)| *bits);
    ["RESERVED0", "RESERVED1", "RESERVED2"].map(of)[..named(inst).len()].to_vec()
}

proptest! {
    #[test]
    fn every_word_goes_round(cf in any_cf(), read in any_read()) {
        for dwords in [&cf[..], &read[..]] {
            let inst = r700::decode(dwords).unwrap();
            let rest: Vec<u32> = dwords.iter().zip(named(&inst)).map(|(dword, bits)| dword & !bits).collect();
            prop_assert_eq!(r700::encode(&inst), dwords);
            prop_assert_eq!(reserved(&inst), rest, "no field has these bits");
            prop_assert_eq!(r700::parse_code(&r700::code(&inst)), Ok(inst));
            for text in [inst.to_string(), inst.to_string().to_lowercase()] {
                prop_assert_eq!(r700::parse(&text), Ok(shortened(inst)));
            }
            prop_assert_eq!(r700::parse(&inst.long().to_string()), Ok(inst));
        }
    }

    #[test]
    fn other_words_are_refused(first in any::<u32>(), second in any::<u32>(), third in any::<u32>()) {
        let code = (second >> 23 & 0x7f) as u8;
        match r700::decode(&[first, second]) {
            Ok(_) => prop_assert!(matches!(code, 0x20..=0x28 | 0x3a)),
            Err(error) => prop_assert_eq!(error, DecodeError::CfInst(code)),
        }
        prop_assert_eq!(r700::decode(&[first, second, third]).is_ok(), first & 0x1f == 2 && first >> 8 & 7 < 3);
    }

    #[test]
    fn no_text_panics(
        text in "\\PC*",
        line in "((MEM_RING|READ_MEM|EXPORT|WRITE_IND|R1|R127|\\.xyzw|\\.xx|ES|AS|FMT|:|=|\\(|\\)|,|-|type|sel|0|16|0x|;| ){1,3}){0,12}",
    ) {
        for text in [text, line] {
            let column = r700::parse(&text).map_or_else(|error| error.column, |_| 1);
            prop_assert!((1..=text.chars().count() + 1).contains(&column));
            let _ = r700::parse_code(&text);
        }
    }

    /// Each GPR that exists moves, each that does not is left out, and nothing else differs (R700-GPROOB).
    #[test]
    fn lowering_refuses_or_stays_in_the_file(
        cf in any_cf(), read in any_read(), count in 1u16..=128, loop_index in prop_oneof![Just(0), 0u32..140, any::<u32>()],
    ) {
        for dwords in [&cf[..], &read[..]] {
            let inst = r700::decode(dwords).unwrap();
            let Ok(lowered) = r700::lower(&inst, count, loop_index) else { continue };
            let (first, relative, burst) = match inst {
                Inst::Cf(cf) => (cf.rw_gpr, cf.rw_rel, cf.burst_count),
                Inst::Read(read) => (read.dst_gpr, read.dst_rel, read.burst_count),
            };
            let first = u64::from(first) + if relative { u64::from(loop_index) } else { 0 };
            for gpr in 0..16u64 {
                let there = gpr <= u64::from(burst) && first + gpr < u64::from(count);
                prop_assert_eq!(lowered.op.present_gprs >> gpr & 1 == 1, there);
            }
            for (index, register) in lowered.registers() {
                prop_assert_eq!(register.map(u64::from), Some(4 * (first + index as u64 / 4) + index as u64 % 4));
            }
            prop_assert!(lowered.address.iter().flatten().all(|source| source.register().is_some_and(|number| number < 4 * count)));
            let moved = lowered.data.iter().flatten().count();
            prop_assert_eq!(moved, lowered.op.registers().count_ones() as usize);
        }
    }
}
