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
    ("st.volatile.param.b32 [prm], %r1;", "12 PTX-L2 `.param` cannot stand with `.volatile`"),
    ("st.relaxed.cta.local.b32 [%rd1], %r1;", "15 PTX-L2 `.local` cannot stand with `.relaxed`"),
    ("st.param.relaxed.gpu.b32 [prm], %r1;", "9 PTX-L2 `.relaxed` cannot stand with `.param`"),
    ("st.weak.relaxed.gpu.b32 [%rd1], %r1;", "8 PTX-L3 `.relaxed` is a second memory order, after `.weak`"),
    ("st.release.gpu.sys.b32 [%rd1], %r1;", "15 PTX-L3 `.sys` is a second scope, after `.gpu`"),
    ("st.release.b32 [%rd1], %r1;", "3 PTX-L3 `.release` has no scope"),
    ("st.gpu.weak.b32 [%rd1], %r1;", "7 PTX-L3 `.weak` cannot stand with `.gpu`"),
    ("st.global.cta.b32 [%rd1], %r1;", "10 PTX-L3 `.cta` has no memory order"),
    ("st.mmio.mmio.relaxed.sys.b32 [%rd1], %r1;", "8 PTX-L4 `.mmio` is a second `.mmio`, after `.mmio`"),
    ("st.mmio.b32 [%rd1], %r1;", "3 PTX-L4 `.mmio` has no `.relaxed` or `.release`"),
    ("st.mmio.release.gpu.b32 [%rd1], %r1;", "16 PTX-L4 `.gpu` cannot stand with `.mmio`"),
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
    ("@!%p1 st.param.b32 [prm], %r1;", "1 PTX-L15 `@!%p1` cannot guard a store to a parameter of a call"),
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
    ("st.v2.b32 [%rd1], {5, %f1};", "23 PTX-L18 `%f1` stands beside `5`"),
    ("st.v2.u32 [%rd1], {%p1, %r1};", "20 PTX-L18 `%p1` is a predicate"),
    ("st.v2.b32 [%rd1], {%r1, %p1};", "25 PTX-L18 `%p1` is a predicate"),
    ("st.v2.f32 [%rd1], {%r1, 5};", "25 PTX-L18 `5` is an integer, which this type does not take"),
    (
        "st.v2.b32 [%rd1], {1.5, %rd1};",
        "25 PTX-L18 `%rd1` ends a vector that begins with a float, and is not of 32 bits",
    ),
    ("st.f32 [%rd1], gbl+4;", "16 PTX-L18 `gbl+4` is an address"),
    ("st.u32 [%rd1], %f1+4;", "16 PTX-L18 `%f1+4` adds to a float register"),
    ("st.u32 [%rd1], %p1+4;", "16 PTX-L18 `%p1+4` adds to a predicate"),
    ("st.u32 [%rd1], nosuch+4;", "16 PTX-L18 `nosuch+4` adds to a name that is not declared"),
    ("st.u32 [%rd1], k+4;", "16 PTX-L18 `k+4` adds to a function"),
    ("st.b8 [%rd1], k;", "15 PTX-L18 `k` is a function, whose address has 32 or 64 bits"),
    ("st.b32 [%rd1], {k};", "17 PTX-L18 `k` is a function in braces"),
    ("st.param.b32 p0[0], %r1;", "14 PTX-L1 `p0` is an input parameter, which is only read"),
    ("st.b32 %rd1[0], %r1;", "8 PTX-LD-INDEX `%rd1` is no array, and has no elements"),
    ("st.b32 gbl[%f1], %r1;", "12 PTX-LD-INDEX `%f1` cannot be an index"),
    ("st.b32 gbl[%q1+4], %r1;", "12 PTX-LD-INDEX `%q1` cannot be an index"),
    ("st.b32 gbl[%r50], %r1;", "12 PTX-LD-INDEX `%r50` is not declared"),
    ("st.b32 gbl[sh], %r1;", "12 PTX-LD-INDEX `sh` is no register"),
    ("st.b32 nosuch[1], %r1;", "8 PTX-L17 `nosuch` is not declared"),
    ("st.shared.b32 gbl[1], %r1;", "15 PTX-L17 `gbl` is a variable of .global"),
    ("st.b32 gbl[%r1-4], %r1;", "15 PTX-SYNTAX `-` cannot be: offsets are added"),
    ("st.b32 [%rd1], gbl-4;", "19 PTX-SYNTAX `-` cannot be: offsets are added"),
    ("st.b32 [%rd1], {gbl+4};", "20 PTX-SYNTAX expected `,` and an element, or `}`, found `+`"),
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
    for (version, statement, clause, reason) in [
        (
            "9.0",
            "st.local.volatile.v2.b32 [%rd1], {%r1, %r2};",
            Clause::PtxL2,
            "`.volatile` in `.local` needs PTX 9.1, the version is 9.0",
        ),
        (
            "9.2",
            "st.mmio.release.sys.b128 [%rd1], %q1;",
            Clause::PtxL4,
            "`.release` with `.mmio` needs PTX 9.3, the version is 9.2",
        ),
    ] {
        let refusal = Bare::new(NEWEST.0, version.parse().unwrap()).check(statement).unwrap_err();
        assert_eq!((refusal.clause, refusal.to_string().as_str()), (clause, reason));
        assert_eq!(Bare::new(NEWEST.0, NEWEST.1).check(statement), Ok(()));
    }
}

/// Versions and targets of which nothing is known are said, and not taken for the nearest.
#[test]
fn what_is_not_known_is_said() {
    let said = |target: &str, version: &str| {
        let bare = Bare::new(target.parse().unwrap(), version.parse().unwrap());
        bare.check("st.b32 [%rd1], %r1;").map_err(|refusal| format!("{} {refusal}; {}", refusal.clause, refusal.help))
    };
    const VERSIONS: &str = "known are PTX 4.0 to 4.3, 5.0 to 5.1, 6.0 to 6.5, 7.0 to 7.8, 8.0 to 8.8, 9.0 to 9.5";
    for version in ["3.2", "4.4", "5.2", "6.6", "7.9", "8.9", "9.6", "10.0"] {
        assert_eq!(said("sm_90", version), Err(format!("PTX-TARGET nothing is known of PTX {version}; {VERSIONS}")));
    }
    for target in ["sm_99", "sm_80a", "sm_90f", "sm_88a", "sm_130", "sm_0"] {
        let said = said(target, "9.5").unwrap_err();
        assert!(said.starts_with(&format!("PTX-TARGET nothing is known of the target {target}; known are sm_50, ")));
    }
    for (target, first, last) in [
        ("sm_75", "6.3", "9.5"),
        ("sm_50", "4.0", "8.8"),
        ("sm_72", "6.1", "8.8"),
        ("sm_88", "9.0", "9.5"),
        ("sm_90a", "8.0", "9.5"),
        ("sm_100a", "8.6", "9.5"),
        ("sm_100f", "8.8", "9.5"),
        ("sm_101", "8.6", "8.8"),
        ("sm_101f", "8.8", "8.8"),
        ("sm_103", "8.8", "9.5"),
        ("sm_110", "9.0", "9.5"),
        ("sm_120a", "8.7", "9.5"),
        ("sm_120f", "8.8", "9.5"),
        ("sm_121", "8.8", "9.5"),
    ] {
        let known = ["4.0", "6.1", "6.3", "8.0", "8.6", "8.7", "8.8", "9.0", "9.5"]
            .into_iter()
            .filter(|version| said(target, version).is_ok());
        let known: Vec<_> = known.collect();
        assert_eq!((known.first(), known.last()), (Some(&first), Some(&last)), "{target}");
    }
    assert_eq!(
        said("sm_70", "9.0"),
        Err("PTX-TARGET PTX 9.0 does not know sm_70; PTX 5.1 to 8.8 know it; of the newer ones only sm_75 and up are known"
            .to_owned())
    );
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
