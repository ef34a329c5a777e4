// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is said of each refusal: where, why, by which clause, at which modifier.

use gpu_lsu::{
    clause::{Clause, Page},
    sets::ptx::{Bare, NEWEST},
};

fn said(statement: &str) -> String {
    match Bare::new(NEWEST.0, NEWEST.1).check(statement) {
        Ok(()) => "accepted".to_owned(),
        Err(refusal) => format!("{} {} {refusal}", refusal.span.start + 1, refusal.clause),
    }
}

/// One for every way in which a clause refuses.
const REASONS: &[(&str, &str)] = &[
    ("st.const.b32 [cst], %r1;", "3 PTX-L1 `.const` is no modifier of `st`"),
    ("st.param::entry.b32 [pe], %r1;", "3 PTX-L1 `.param::entry` is no modifier of `st`"),
    ("st.param.b32 [pe+4], %r1;", "15 PTX-L1 `pe` is an input parameter, which is only read"),
    ("st.b32.local.global [loc], %r1;", "13 PTX-L1 `.global` is a second state space, after `.local`"),
    ("st.volatile.local.b32 [%rd1], %r1;", "12 PTX-L2 `.local` cannot stand with `.volatile`"),
    ("st.param.relaxed.gpu.b32 [prm], %r1;", "9 PTX-L2 `.relaxed` cannot stand with `.param`"),
    ("st.weak.relaxed.gpu.b32 [%rd1], %r1;", "8 PTX-L3 `.relaxed` is a second memory order, after `.weak`"),
    ("st.release.gpu.sys.b32 [%rd1], %r1;", "15 PTX-L3 `.sys` is a second scope, after `.gpu`"),
    ("st.release.b32 [%rd1], %r1;", "3 PTX-L3 `.release` has no scope"),
    ("st.gpu.weak.b32 [%rd1], %r1;", "7 PTX-L3 `.weak` cannot stand with `.gpu`"),
    ("st.global.cta.b32 [%rd1], %r1;", "10 PTX-L3 `.cta` has no memory order"),
    ("st.mmio.mmio.relaxed.sys.b32 [%rd1], %r1;", "8 PTX-L4 `.mmio` is a second `.mmio`, after `.mmio`"),
    ("st.mmio.release.sys.b32 [%rd1], %r1;", "3 PTX-L4 `.mmio` has no `.relaxed`"),
    ("st.mmio.relaxed.gpu.b32 [%rd1], %r1;", "16 PTX-L4 `.gpu` cannot stand with `.mmio`"),
    ("st.mmio.relaxed.sys.shared.b32 [%rd1], %r1;", "20 PTX-L4 `.shared` cannot stand with `.mmio`"),
    ("st.v2.mmio.relaxed.sys.b32 [%rd1], {%r1, %r2};", "6 PTX-L4 `.mmio` cannot stand with `.v2`"),
    ("st.acquire.gpu.b32 [%rd1], %r1;", "3 PTX-L5 `.acquire` is no modifier of `st`"),
    ("st.seq_cst.b32 [%rd1], %r1;", "3 PTX-L5 `.seq_cst` is no modifier of `st`"),
    ("st.nc.b32 [%rd1], %r1;", "3 PTX-L6 `.nc` is no modifier of `st`"),
    ("st.cg.cs.b32 [%rd1], %r1;", "6 PTX-L6 `.cs` is a second cache operator, after `.cg`"),
    ("st.wb.volatile.b32 [%rd1], %r1;", "6 PTX-L6 `.volatile` cannot stand with `.wb`"),
    ("st.wb.L1::evict_last.b32 [%rd1], %r1;", "6 PTX-L7 `.L1::evict_last` cannot stand with `.wb`"),
    ("st.shared.L1::no_allocate.b32 [%rd1], %r1;", "10 PTX-L8 `.L1::no_allocate` cannot stand with `.shared`"),
    ("st.L2::cache_hint.volatile.b32 [%rd1], %r1, 5;", "18 PTX-L8 `.volatile` cannot stand with `.L2::cache_hint`"),
    ("st.L2::no_allocate.b32 [%rd1], %r1;", "3 PTX-L9 `.L2::no_allocate` is no modifier of `st`"),
    ("st.L2::evict_last.b32 [%rd1], %r1;", "3 PTX-L9 `.L2::evict_last` goes with 256 bits only"),
    (
        "st.L1::evict_last.L1::evict_first.b32 [%rd1], %r1;",
        "18 PTX-L9 `.L1::evict_first` is a second priority of L1, after `.L1::evict_last`",
    ),
    ("st.L2::cache_hint.b32 [%rd1], %r1;", "3 PTX-L10 `.L2::cache_hint` has no third operand"),
    ("st.b32 [%rd1], %r1, %pol;", "21 PTX-L10 `%pol` is a third operand, which only a hint has"),
    ("st.L2::cache_hint.b32 [%rd1], %r1, %r2;", "36 PTX-L10 `%r2` is no policy for `.L2::cache_hint`"),
    ("st.v3.b32 [%rd1], {%r1, %r2, %r3};", "3 PTX-VEC `.v3` is no modifier of `st`"),
    ("st.v2.v4.b32 [%rd1], {%r1, %r2};", "6 PTX-VEC `.v4` is a second vector, after `.v2`"),
    ("st.v2.b128 [%rd1], {%q1, %q2};", "3 PTX-L11 `.v2` of `.b128` has 256 bits"),
    ("st.local.v4.b64 [%rd1], {%rd1, %rd1, %rd1, %rd1};", "9 PTX-L12 `.v4` cannot stand with `.local`"),
    ("st.b32 [%rd1], _;", "16 PTX-L13 `_` cannot be the whole value"),
    ("st.v4.b64 [%rd1], {_, _, _, _};", "19 PTX-L13 `{_, _, _, _}` has nothing to store"),
    ("st.v2.b32 [%rd1], {%r1, _};", "25 PTX-L13 `_` stands in a vector of less than 256 bits"),
    ("st.f16x2 [%rd1], %r1;", "3 PTX-L14 `.f16x2` is no modifier of `st`"),
    ("st.b32.u32 [%rd1], %r1;", "7 PTX-L14 `.u32` is a second type, after `.b32`"),
    ("st.global [%rd1], %r1;", "1 PTX-L14 `st.global` has no type"),
    ("@!%p1 st.param.b32 [prm], %r1;", "1 PTX-L15 `@!%p1` cannot guard a store to .param"),
    ("st.global.b32 [100], %r1;", "15 PTX-L16 `[100]` is a number"),
    ("st.b32 [nosuch], %r1;", "9 PTX-L17 `nosuch` is not declared"),
    ("st.b32 [k], %r1;", "9 PTX-L17 `k` is a function"),
    ("st.b32 [%p1], %r1;", "9 PTX-L17 `%p1` is a predicate"),
    ("st.b32 [%f1], %r1;", "9 PTX-L17 `%f1` cannot hold an address"),
    ("st.param.b32 [%rd1], %r1;", "15 PTX-L17 `%rd1` is a register"),
    ("st.shared.b32 [gbl], %r1;", "16 PTX-L17 `gbl` is a variable of .global"),
    ("st.b32 [cst], %r1;", "9 PTX-L17 `cst` is a variable of .const"),
    ("st.b32 [p0], %r1;", "9 PTX-L17 `p0` is a parameter"),
    ("st.b64 [%rd1], %r1;", "16 PTX-L18 `%r1` has 32 bits, the type 64"),
    ("st.u32 [%rd1], %f1;", "16 PTX-L18 `%f1` is a float register"),
    ("st.f32 [%rd1], %d1;", "16 PTX-L18 `%d1` has 64 bits, the type 32"),
    ("st.b32 [%rd1], %p1;", "16 PTX-L18 `%p1` is a predicate"),
    ("st.b32 [%rd1], gbl;", "16 PTX-L18 `gbl` is no register"),
    ("st.b32 [%rd1], 1.5;", "16 PTX-L18 `1.5` is a double, which this type does not take"),
    ("st.v2.b32 [%rd1], %r1;", "19 PTX-L18 `%r1` is not 2 elements"),
    ("st.b32 [%rd1], {%r1, %r2};", "16 PTX-L18 `{%r1, %r2}` has 2 elements, not 1"),
    ("st.v2.b32 [%rd1], {%r1, %rd2};", "25 PTX-L18 `%rd2` has 64 bits and `%r1` has 32"),
    ("st.v2.b32 [%rd1], {5, %f1};", "23 PTX-L18 `%f1` stands in a vector with `5`"),
    ("st.v8.b16 [%rd1], {%h1, %h1, %h1, %h1, %h1, %h1, %h1, %h1};", "3 PTX-L19 `.v8` cannot stand with `.b16`"),
    ("@%r1 st.b32 [%rd1], %r1;", "1 PTX-SYNTAX `@%r1` names no predicate"),
    ("ST.b32 [%rd1], %r1;", "1 PTX-SYNTAX expected `st`, found `ST`"),
    ("st.evict_last.b32 [%rd1], %r1;", "3 PTX-SYNTAX `.evict_last` is no modifier of `st`"),
    ("st.b32 [%rd1-4], %r1;", "13 PTX-SYNTAX `-` cannot be: offsets are added"),
    ("st.b32 [%rd1+%rd2], %r1;", "14 PTX-SYNTAX expected a number, found `%rd2`"),
    ("st.b32 [gbl[4]], %r1;", "12 PTX-SYNTAX expected `+` and an offset, or `]`, found `[`"),
    ("st.b32 [%rd1+1.5], %r1;", "14 PTX-SYNTAX `1.5` is no integer"),
    ("st.b32 [%rd1], 0b2;", "16 PTX-SYNTAX expected a number, found `0b2`"),
    ("st.b32 [%rd1], 5/0;", "16 PTX-SYNTAX `5/0` divides by zero"),
    ("st.b32 [%rd1], -0f3F800000;", "16 PTX-SYNTAX `-0f3F800000` has a sign, which `0f...` does not take"),
];

#[test]
fn every_reason_is_told() {
    for (statement, reason) in REASONS {
        assert_eq!(said(statement), *reason, "{statement}");
    }
    let target = Bare::new("sm_70".parse().unwrap(), "8.3".parse().unwrap());
    for (statement, reason) in [
        ("st.L2::cache_hint.b32 [%rd1], %r1, 5;", "`.L2::cache_hint` needs sm_80, the target is sm_70"),
        ("st.v8.f32 [%rd1], {_, _, _, _, _, _, _, %f1};", "`.v8` of 256 bits needs sm_100, the target is sm_70"),
        ("st.b128.relaxed.sys [%rd1], %q1;", "`.sys` with 128 bits needs PTX 8.4, the version is 8.3"),
    ] {
        let refusal = target.check(statement).unwrap_err();
        assert_eq!((refusal.clause, refusal.to_string().as_str()), (Clause::PtxTarget, reason), "{statement}");
    }
    let old = Bare::new("sm_50".parse().unwrap(), "8.2".parse().unwrap());
    let wide = old.check("st.b32 [%rd1], %q1;").unwrap_err();
    assert_eq!(wide.to_string(), "`%q1` of 128 bits needs sm_70, the target is sm_50");
}

/// The clauses of legality, all of them, refuse something above; and where something is refused, a remedy is told.
#[test]
fn no_clause_is_without_a_reason() {
    let legality = |clause: &&Clause| clause.page() == Page::Ptx && clause.id().starts_with("PTX-L");
    for clause in Clause::ALL.iter().filter(legality) {
        assert!(REASONS.iter().any(|(_, reason)| reason.contains(&format!(" {clause} "))), "{clause}");
    }
    let bare = Bare::new(NEWEST.0, NEWEST.1);
    for (statement, _) in REASONS {
        let refusal = bare.check(statement).unwrap_err();
        assert!(refusal.clause == Clause::PtxSyntax || !refusal.help.is_empty(), "{statement}");
        assert_eq!(statement.get(refusal.span.clone()), Some(refusal.fault.as_str()), "{statement}");
    }
}
