// SPDX-License-Identifier: MIT OR Apache-2.0
//! Legal statements as operations: what becomes of each part, and what holds of all of them.

use std::{env, fs, path::Path};

use gpu_lsu::{
    model::legal,
    op::{AddrMode, Cache, Kind, Op, Priority, Scope, Semantics, Space},
    sets::{
        Context, Inst, Isa, Lowered, Source, Sum,
        ptx::{NEWEST, Places, Reg, lower, parse},
        sm5::Bindings,
    },
};
use proptest::{prelude::*, sample::select};

use crate::rows::fields;

const PLACES: Places = Places {
    variables: [0x10000, 0x20, 0x40, 0x60, 0x80, 0xa0, 0xc0, 0xe0],
    shared_window: 0x100_0000,
    local_window: 0x200_0000,
};

fn lowered(statement: &str) -> Lowered {
    lower(&parse(statement, NEWEST.0, NEWEST.1).unwrap_or_else(|error| panic!("{statement}: {error}")), &PLACES)
}

fn op(statement: &str) -> Op {
    lowered(statement).op
}

fn register(name: &str, word: u16) -> Option<Source> {
    Some(Source::Register(Reg::parse(name).unwrap().slot() + word))
}

fn constants<const N: usize>(words: [u32; N]) -> Vec<Option<Source>> {
    words.map(|word| Some(Source::Constant(word))).to_vec()
}

#[test]
fn addresses() {
    for (address, mode, imm, low, high) in [
        ("[%rd7]", AddrMode::Reg64, 0, Some(("%rd7", 0)), Some(("%rd7", 1))),
        ("[%r7+16]", AddrMode::Reg64, 16, Some(("%r7", 0)), None),
        ("[%h7+-16]", AddrMode::Reg64, 16u64.wrapping_neg(), Some(("%h7", 0)), None),
        ("[sh]", AddrMode::Abs, 0x100_0020, None, None),
        ("[loc+4]", AddrMode::Abs, 0x200_0044, None, None),
        ("[gbl+-4]", AddrMode::Abs, 0xfffc, None, None),
    ] {
        let Lowered { op, address: words, .. } = lowered(&format!("st.b8 {address}, %r1;"));
        assert_eq!((op.addr_mode, op.space, op.imm), (mode as u8, Space::Generic as u8, imm), "{address}");
        let slot = |place: Option<(&str, u16)>| place.and_then(|(name, word)| register(name, word));
        assert_eq!(words, [slot(low), slot(high), None], "{address}");
    }
    // With the space written out, the variable's own address; a number is one in .local.
    for (statement, space, imm) in [
        ("st.global.b32 [gbl+8], 1;", Space::Global, 0x10008),
        ("st.shared.b32 [sh+8], 1;", Space::Shared, 0x28),
        ("st.shared::cluster.b32 [sh], 1;", Space::Cluster, 0x20),
        ("st.local.b32 [loc], 1;", Space::Local, 0x40),
        ("st.param.b32 [prm+-0x61], 1;", Space::Param, u64::MAX),
        ("st.local.s32 [100], 1;", Space::Local, 100),
    ] {
        let op = op(statement);
        assert_eq!((op.addr_mode, op.space, op.imm), (AddrMode::Abs as u8, space as u8, imm), "{statement}");
    }
}

/// PTX-LD-INDEX: the index is a sum of 32 bits, and the variable is added to it as a whole.
#[test]
fn elements_of_variables() {
    let sum = |name: &str, add: i64| {
        Some(Source::Sum(Sum { first: Reg::parse(name).unwrap().slot(), bits: 32, add: add as u64, word: 0 }))
    };
    for (statement, mode, imm, low) in [
        ("st.b32 gbl[3], 1;", AddrMode::Abs, 0x10003, None),
        ("st.global.b32 gbl[-1], 1;", AddrMode::Abs, 0xffff, None),
        ("st.b32 sh[%r2], 1;", AddrMode::Reg64, 0x100_0020, sum("%r2", 0)),
        ("st.shared.b32 sh[%rd2+-8], 1;", AddrMode::Reg64, 0x20, sum("%rd2", -8)),
        ("st.local.b32 loc[%h2+4], 1;", AddrMode::Reg64, 0x40, sum("%h2", 4)),
        ("st.param.b32 prm[%r2+4], 1;", AddrMode::Reg64, 0x60, sum("%r2", 4)),
    ] {
        let Lowered { op, address, .. } = lowered(statement);
        assert_eq!((op.addr_mode, op.imm, address), (mode as u8, imm, [low, None, None]), "{statement}");
    }
}

/// What is data beside registers and literals, and what becomes of other widths behind a literal.
#[test]
fn sums_names_and_mixed_vectors() {
    let sum = |name: &str, add: i64, word| {
        let register = Reg::parse(name).unwrap();
        let (first, bits) = (register.slot(), register.bits());
        Some(Source::Sum(Sum { first, bits, add: add as u64, word }))
    };
    let constant = |value| Some(Source::Constant(value));
    for (statement, data) in [
        ("st.b32 [gbl], %r1+4;", vec![sum("%r1", 4, 0)]),
        ("st.b64 [gbl], %r1+-1;", vec![sum("%r1", -1, 0), constant(0)]),
        ("st.u64 [gbl], %rd1+1;", vec![sum("%rd1", 1, 0), sum("%rd1", 1, 1)]),
        ("st.b8 [gbl], %rd1+1;", vec![sum("%rd1", 1, 0)]),
        ("st.f64 [gbl], %f1+1;", vec![sum("%f1", 1, 0), constant(0)]),
        ("st.b64 [gbl], gbl+4;", constants([0x10004, 0])),
        ("st.b64 [gbl], gbl+-0x10001;", constants([!0, !0])),
        ("st.u64 [gbl], sh+-0x21;", constants([!0, 0])), // an address of 32 bits
        ("st.u16 [gbl], cst+2;", constants([0x82])),
        ("st.b128 [gbl], pe+1;", constants([0xc1, 0, 0, 0])),
        ("st.u64 [gbl], k;", constants([0xe0, 0])),
        ("st.f32 [gbl], k;", constants([0xe0])),
        ("st.v2.u64 [gbl], {5, %r2};", [constants([5, 0]), vec![register("%r2", 0), constant(0)]].concat()),
        ("st.v2.b32 [gbl], {5, %rd2};", vec![constant(5), register("%rd2", 0)]),
        ("st.v2.f32 [gbl], {5, %r2};", vec![constant(5), register("%r2", 0)]),
        ("st.v2.u32 [gbl], {%r1, 1.5};", vec![register("%r1", 0), constant(0)]), // the low half of its bits
        (
            "st.v2.u64 [gbl], {%rd1, 1.5};",
            [vec![register("%rd1", 0), register("%rd1", 1)], constants([0, 0x3ff8_0000])].concat(),
        ),
        ("st.v2.f32 [gbl], {%r1, 1.5};", vec![register("%r1", 0), constant(0x3fc0_0000)]),
        ("st.v2.u32 [gbl], {%r1, %p2};", vec![register("%r1", 0), Some(Source::Predicate(10))]),
    ] {
        assert_eq!(lowered(statement).data[..data.len()], data, "{statement}");
    }
}

/// PTX's rules for signs: `%` and `~` make unsigned ones, shifts count modulo 64.
#[test]
fn constant_expressions() {
    for (expression, value) in [
        ("-5 % 3", 2),
        ("-6/4", u64::MAX),
        ("-6/4U", 0x3fff_ffff_ffff_fffe),
        ("~0 > 0", 1),
        ("-1 > 0", 0),
        ("1 << 65", 2),
        ("1 << -1", 1 << 63),
        ("~0 >> 1", u64::MAX >> 1),
        ("-5 >> 1", -3i64 as u64),
        ("-(5U) / 2", 0x7fff_ffff_ffff_fffd),
        ("(5 % 3) - 3 < 0", 0),
        ("(5U > 3) - 2 < 0", 1),
        ("(1U << 3) - 9 < 0", 0),
        ("(1 << 3U) - 9 < 0", 1),
        ("(0 ? 1 : 5U) - 9 < 0", 0),
        ("(1 ? 1 : 5U) - 9 < 0", 1),
        ("(.s64)(5U) - 9 < 0", 1),
        ("(8 / 2U) - 9 < 0", 0),
        ("-9223372036854775808 < 0", 0),
    ] {
        let data = lowered(&format!("st.u64 [gbl], {expression};")).data;
        assert_eq!(data[..2], constants([value as u32, (value >> 32) as u32]), "{expression}");
    }
    for expression in ["5 % 0", "5 / 0", "5U / (1 - 1)"] {
        assert!(parse(&format!("st.u64 [gbl], {expression};"), NEWEST.0, NEWEST.1).is_err(), "{expression}");
    }
}

#[test]
fn elements_and_their_words() {
    for (statement, bytes, count, mask, data) in [
        ("st.s8 [%rd1], %h2;", 1, 1, 1, vec![register("%h2", 0)]),
        ("st.u16 [%rd1], %rd2;", 2, 1, 1, vec![register("%rd2", 0)]),
        ("st.v2.b16 [%rd1], {%r2, 0x12345};", 2, 2, 3, vec![register("%r2", 0), Some(Source::Constant(0x2345))]),
        ("st.b32 [%rd1], -1;", 4, 1, 1, constants([u32::MAX])),
        ("st.f64 [%rd1], %d3;", 8, 1, 1, vec![register("%d3", 0), register("%d3", 1)]),
        ("st.b64 [%rd1], -2;", 8, 1, 1, constants([u32::MAX - 1, u32::MAX])),
        ("st.b64 [%rd1], %q2;", 8, 1, 1, vec![register("%q2", 0), register("%q2", 1)]),
        ("st.b128 [%rd1], %q2;", 16, 1, 1, (0..4).map(|word| register("%q2", word)).collect()),
        // What ptxas stores: a literal has 64 bits.
        ("st.b128 [%rd1], -1;", 16, 1, 1, constants([u32::MAX, u32::MAX, 0, 0])),
        ("st.f32 [%rd1], 1.1;", 4, 1, 1, constants([0x3f8c_cccd])),
        ("st.f32 [%rd1], 0d3FF199999999999A;", 4, 1, 1, constants([0x3f8c_cccd])),
        ("st.b32 [%rd1], 0f3F800000;", 4, 1, 1, constants([0x3f80_0000])),
        ("st.f64 [%rd1], 1.5;", 8, 1, 1, constants([0, 0x3ff8_0000])),
        ("st.f64 [%rd1], 0f3F800000;", 8, 1, 1, constants([0x3f80_0000, 0])),
        (
            "st.v4.b64 [%rd1], {_, 1, _, %rd2};",
            8,
            4,
            0b1010,
            [vec![None; 2], constants([1, 0]), vec![None; 2], vec![register("%rd2", 0), register("%rd2", 1)]].concat(),
        ),
        (
            "st.v8.b32 [%rd1], {%r1, _, 3, _, _, _, _, 8};",
            4,
            8,
            0b1000_0101,
            [vec![register("%r1", 0), None], constants([3]), vec![None; 4], constants([8])].concat(),
        ),
    ] {
        let Lowered { op, data: found, .. } = lowered(statement);
        assert_eq!((op.element_bytes, op.element_count, op.element_mask), (bytes, count, mask), "{statement}");
        assert_eq!(found[..data.len()], data, "{statement}");
        assert!(found[data.len()..].iter().all(Option::is_none), "{statement}");
        assert!(op.kind == Kind::Store as u8 && op.suppress_helpers, "{statement}");
    }
}

#[test]
fn attributes_reach_the_operation() {
    for (modifiers, semantics, scope) in [
        ("", Semantics::Weak, Scope::Cta),
        (".weak", Semantics::Weak, Scope::Cta),
        (".volatile", Semantics::Volatile, Scope::Sys),
        (".relaxed.cta", Semantics::Relaxed, Scope::Cta),
        (".relaxed.cluster", Semantics::Relaxed, Scope::Cluster),
        (".release.gpu", Semantics::Release, Scope::Gpu),
        (".sys.release", Semantics::Release, Scope::Sys),
        (".mmio.relaxed.sys", Semantics::Mmio, Scope::Sys),
        (".mmio.release.sys", Semantics::MmioRelease, Scope::Sys),
    ] {
        let attr = op(&format!("st{modifiers}.b32 [%rd1], %r1;")).attr;
        assert_eq!((attr.semantics, attr.scope), (semantics as u8, scope as u8), "{modifiers}");
        assert_eq!((attr.cache_op, attr.policy_valid), (Cache::Wb as u8, false));
    }
    for (cop, cache) in
        [("", Cache::Wb), (".wb", Cache::Wb), (".cg", Cache::Cg), (".cs", Cache::Cs), (".wt", Cache::Wt)]
    {
        assert_eq!(op(&format!("st{cop}.b32 [%rd1], %r1;")).attr.cache_op, cache as u8);
    }
    for (name, priority) in [
        ("evict_normal", Priority::Normal),
        ("evict_unchanged", Priority::Unchanged),
        ("evict_first", Priority::First),
        ("evict_last", Priority::Last),
        ("no_allocate", Priority::NoAllocate),
    ] {
        let attr = op(&format!("st.L1::{name}.b32 [%rd1], %r1;")).attr;
        assert_eq!((attr.l1_priority, attr.l2_priority), (priority as u8, 0));
        if matches!(priority, Priority::Normal | Priority::First | Priority::Last) {
            let attr = op(&format!("st.L2::{name}.v4.b64 [%rd1], {{1,2,3,4}};")).attr;
            assert_eq!((attr.l1_priority, attr.l2_priority), (0, priority as u8));
        }
    }
    let hint = lowered("st.L2::cache_hint.b32 [%rd1], %r1, -5;");
    assert_eq!((hint.op.attr.policy_valid, hint.op.attr.policy, hint.policy), (true, 5u64.wrapping_neg(), None));
    let hint = lowered("st.L2::cache_hint.b32 [%rd1], %r1, %pol;");
    assert_eq!((hint.op.attr.policy_valid, hint.policy), (true, Some(Reg::parse("%pol").unwrap().slot())));
}

#[test]
fn a_statement_is_printed_in_one_form() {
    for (written, printed) in [
        ("st.b32 [%rd1+16], %r2;", "st.b32 [%rd1+0x10], %r2;"),
        ("@!%p1 st . b32", ""),
        ("@ ! %p1 st.s32.weak.shared::cta [ sh+-4 ],{ -1 };", "@!%p1 st.weak.shared.s32 [sh+-0x4], 0xffffffff;"),
        ("label: st.local.u8 [4*25], 9;", "st.local.u8 [0x64], 9;"),
        ("st.f32.sys.relaxed.mmio [%r01], 1e-3;", "st.mmio.relaxed.sys.f32 [%r1], 0.001;"),
        ("st.v2.f64 [%rd1], {0d7ff0000000000000, 0f3F800000};", "st.v2.f64 [%rd1], {0d7ff0000000000000, 0f3f800000};"),
        ("st.cs.param::func.b64 [prm], 5U; # why", "st.param.cs.b64 [prm], 5;"),
        (
            "st.L2::cache_hint.L2::evict_last.v8.L1::no_allocate.b32 [%rd1], {1,_,_,_,_,_,_,_}, 5;",
            "st.L1::no_allocate.L2::evict_last.L2::cache_hint.v8.b32 [%rd1], {1, _, _, _, _, _, _, _}, 5;",
        ),
        ("st.b32 sh [ 3 ], %r1+ 0;", "st.b32 sh[0x3], %r1+0;"),
        ("st.b32 gbl[%h2+-1], gbl+1+1;", "st.b32 gbl[%h2+-0x1], gbl+0x2;"),
        ("st.local.volatile.u64 loc[-1], k;", "st.volatile.local.u64 loc[-0x1], k;"),
        ("st.sys.release.mmio.u32 [gbl], p0+~0;", "st.mmio.release.sys.u32 [gbl], p0+-0x1;"),
        ("st.v2.u32 [gbl], {%r1, %p1};", "st.v2.u32 [gbl], {%r1, %p1};"),
    ] {
        match parse(written, NEWEST.0, NEWEST.1) {
            Ok(inst) => assert_eq!(inst.to_string(), printed),
            Err(error) => assert_eq!(printed, "", "{error}"),
        }
    }
}

/// What holds of every legal statement.
fn holds(statement: &str) {
    let (target, version) = NEWEST;
    let inst = parse(statement, target, version).unwrap_or_else(|error| panic!("{statement}: {error}"));
    let again = parse(&inst.to_string(), target, version).unwrap_or_else(|error| panic!("{inst}: {error}"));
    assert_eq!(again, inst, "{statement}");
    let inst = Inst::Ptx(inst);
    assert_eq!(Inst::from_code(Isa::Ptx, &inst.code()).unwrap(), inst, "{statement}");

    let context = Context { register_count: 0, loop_index: 0, places: PLACES, bindings: Bindings::default() };
    let lowered = inst.lower(context).unwrap_or_else(|error| panic!("{statement}: {error}"));
    assert!(legal(&lowered.op), "{statement}: {:?}", lowered.op);
    let text = inst.to_string();
    let named = |slot: u16| {
        let register = Isa::Ptx.register(Some(slot));
        let mut names = text.split(|c: char| c != '%' && !c.is_ascii_alphanumeric());
        names.any(|name| Some(name) == register.split('.').next())
    };
    let sources = lowered.sources().map(|(_, source)| source.unwrap_or_else(|| panic!("{statement}: no source")));
    let address = lowered.address.into_iter().flatten().filter_map(Source::register);
    let slots = sources.filter_map(Source::register).chain(lowered.policy).chain(address);
    slots.for_each(|slot| assert!(named(slot), "{statement}: {}", Isa::Ptx.register(Some(slot))));
}

/// What NVIDIA's assembler accepts is executed.
#[test]
fn accepted_statements_become_operations() {
    let mut paths = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ptx/judged.csv")];
    if let Some(directory) = env::var_os("GPU_LSU_CORPUS") {
        paths.extend(
            ["ptx_st_cases.csv", "ptx_st_versions.csv", "ptx_st_newer.csv"]
                .map(|name| Path::new(&directory).join(name)),
        );
    }
    let mut count = 0;
    for path in paths {
        let text = fs::read_to_string(&path).unwrap();
        let header = fields(text.lines().next().unwrap());
        let place = |names: &[&str]| header.iter().position(|name| names.contains(&name.as_str())).unwrap();
        let (statement, accepted) = (place(&["statement", "instruction"]), place(&["accepted"]));
        for fields in text.lines().skip(1).map(fields) {
            let one = &fields[statement];
            if fields[accepted] == "1" && one.matches(';').count() == 1 && !vector_of_narrow(one) {
                holds(one);
                count += 1;
            }
        }
    }
    assert!(count > 300, "{count}");
}

/// PTX-L19.
fn vector_of_narrow(statement: &str) -> bool {
    statement.contains(".v8")
        && ["b8", "u8", "s8", "b16", "u16", "s16"].iter().any(|name| statement.contains(&format!(".{name}")))
}

prop_compose! {
    /// Mostly legal statements: modifiers, address and values chosen apart from each other.
    fn statements()(
        guard in select(vec!["", "", "@%p0 ", "@!%p247 "]),
        space in select(vec!["", "", ".global", ".local", ".shared", ".shared::cluster", ".param"]),
        order in select(vec!["", "", ".weak", ".volatile", ".relaxed.gpu", ".release.cluster", ".mmio.relaxed.sys"]),
        cache in select(vec!["", "", ".cs", ".L1::evict_first", ".L2::evict_last", ".L2::cache_hint"]),
        (vector, count) in select(vec![("", 1), ("", 1), (".v2", 2), (".v4", 4), (".v8", 8)]),
        ty in select(vec!["b8", "u16", "b32", "s32", "f32", "b64", "u64", "f64", "b128"]),
        base in select(vec!["%rd1", "%rd4095", "%r2", "%h3", "gbl", "sh", "loc", "prm"]),
        offset in any::<i64>(),
        values in proptest::collection::vec((0..4096u16, any::<u64>(), 0..6u8), 8),
    ) -> String {
        let values = values.iter().take(count).map(|(number, bits, kind)| match (kind, ty) {
            (0, _) => "_".to_owned(),
            (1, "f32") => format!("0f{:08x}", *bits as u32),
            (1, "f64") => format!("0d{bits:016x}"),
            (1, _) => format!("{bits:#x}"),
            (_, "b8" | "u16" | "b32" | "s32") => format!("%r{number}"),
            (_, "f32") => format!("%f{number}"),
            (_, "f64") => format!("%d{number}"),
            (_, "b128") => format!("%q{number}"),
            _ => format!("%rd{number}"),
        });
        let values = values.collect::<Vec<_>>().join(", ");
        let policy = if cache == ".L2::cache_hint" { ", %rd9" } else { "" };
        format!("{guard}st{order}{space}{cache}{vector}.{ty} [{base}+{offset}], {{{values}}}{policy};")
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]
    #[test]
    fn a_legal_statement_lowers(statement in statements()) {
        if parse(&statement, NEWEST.0, NEWEST.1).is_ok() {
            holds(&statement);
        }
    }
}
