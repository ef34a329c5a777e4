// SPDX-License-Identifier: MIT OR Apache-2.0
//! Instructions as operations: slots, address modes, components, what is refused.

use gpu_lsu::{
    clause::Clause,
    model::legal,
    op::{AddrMode, Ctrl, Dimension, Kind, Resource, Space, Tgsm, Uav},
    sets::{
        Lowered, Source,
        sm5::{self, Bindings, LowerError, Register},
    },
};

fn ctrl() -> Ctrl {
    let mut ctrl = Ctrl::default();
    let typed =
        |dimension: Dimension| Uav { kind: Resource::Typed as u8, dimension: dimension as u8, ..Uav::default() };
    for (slot, dimension) in Dimension::ALL.iter().enumerate() {
        ctrl.uav[slot] = typed(*dimension);
    }
    ctrl.uav[6] = Uav { kind: Resource::Structured as u8, stride: 4, ..Uav::default() };
    ctrl.tgsm[0] = Tgsm { kind: Resource::Raw as u8, ..Tgsm::default() };
    ctrl.tgsm[1] = Tgsm { kind: Resource::Structured as u8, stride: 4, ..Tgsm::default() };
    ctrl.tgsm[2] = Tgsm { kind: Resource::Typed as u8, ..Tgsm::default() };
    ctrl
}

fn lowered(text: &str) -> Result<Lowered, LowerError> {
    let inst = sm5::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    sm5::lower(&inst, &Bindings::from(&ctrl()))
}

fn register(name: &str, component: u8) -> Option<Source> {
    Some(Source::Register(Register::parse(name).unwrap().slot(component)))
}

#[test]
fn slots_and_address_modes() {
    for (slot, space, number, mode, words) in [
        ("u0", Space::Uav, 0, AddrMode::Typed, 1),
        ("u1", Space::Uav, 1, AddrMode::Typed, 1),
        ("u2", Space::Uav, 2, AddrMode::Typed, 2),
        ("u3", Space::Uav, 3, AddrMode::Typed, 2),
        ("u4", Space::Uav, 4, AddrMode::Typed, 3),
        ("u5", Space::Uav, 5, AddrMode::Typed, 3),
        ("u6", Space::Uav, 6, AddrMode::Struct, 2),
        ("u7", Space::Uav, 7, AddrMode::Raw, 1), // nothing is bound to it
        ("g0", Space::Tgsm, 0, AddrMode::Raw, 1),
        ("g1", Space::Tgsm, 1, AddrMode::Struct, 2),
        ("g7", Space::Tgsm, 7, AddrMode::Raw, 1),
    ] {
        let Lowered { op, address, .. } = lowered(&format!("atomic_cmp_store {slot}, r3.wzyx, r1.x, r2.x")).unwrap();
        assert_eq!((op.kind, op.space, op.slot, op.addr_mode), (Kind::CmpStore as u8, space as u8, number, mode as u8));
        assert!(legal(&op) && op.suppress_helpers, "{slot}");
        let expected = [3, 2, 1].map(|component| register("r3", component));
        assert_eq!(address[..words], expected[..words], "{slot}");
        assert!(address[words..].iter().all(Option::is_none), "{slot}");
    }
}

#[test]
fn operands() {
    for (operand, first, second) in [
        ("r5.x", register("r5", 0), register("r5", 0)),
        ("r5.yzwx", register("r5", 1), register("r5", 2)),
        ("r5.xyzw", register("r5", 0), register("r5", 1)),
        ("x3[7].zwzw", register("x3[7]", 2), register("x3[7]", 3)),
        ("cb13[511].w", register("cb13[511]", 3), register("cb13[511]", 3)),
        ("icb[4].y", register("icb[4]", 1), register("icb[4]", 1)),
        ("v31.xyxx", register("v31", 0), register("v31", 1)),
        (
            "vThreadIDInGroupFlattened",
            register("vThreadIDInGroupFlattened", 0),
            register("vThreadIDInGroupFlattened", 0),
        ),
        ("vThreadGroupID.zyxx", register("vThreadGroupID", 2), register("vThreadGroupID", 1)),
        ("l(-1)", Some(Source::Constant(u32::MAX)), Some(Source::Constant(u32::MAX))),
        ("l(3, 8, 0, 0)", Some(Source::Constant(3)), Some(Source::Constant(8))),
        ("-l(3, 8, 0, 0)", Some(Source::Constant(3u32.wrapping_neg())), Some(Source::Constant(8u32.wrapping_neg()))),
    ] {
        let lowered = lowered(&format!("atomic_cmp_store g1, {operand}, {operand}, l(1)")).unwrap();
        assert_eq!(lowered.address, [first, second, None], "{operand}");
        let data: Vec<_> = lowered.sources().map(|(_, source)| source).collect();
        assert_eq!(data, [first, Some(Source::Constant(1))], "{operand}");
    }
    let negated = lowered("atomic_cmp_store g0, r0.x, -r1.z, r2.x").unwrap();
    assert_eq!(negated.data[0], register("r1", 2).and_then(Source::register).map(Source::Negated));
}

#[test]
fn refusals() {
    for (text, error, clause) in [
        ("atomic_cmp_store r0.x, r0.x, r1.x, r2.x", LowerError::Destination, Clause::Sm5Kind),
        ("atomic_cmp_store u8, r0.x, r1.x, r2.x", LowerError::Slot, Clause::Sm5Kind),
        ("atomic_cmp_store u[r1.x + 3], r0.x, r1.x, r2.x", LowerError::Slot, Clause::Sm5Kind),
        ("atomic_cmp_store u0[8], r0.x, r1.x, r2.x", LowerError::Slot, Clause::Sm5Kind),
        ("atomic_cmp_store g0[1], r0.x, r1.x, r2.x", LowerError::Slot, Clause::Sm5Kind),
        ("atomic_cmp_store u0[r1.x + 0], r0.x, r1.x, r2.x", LowerError::Slot, Clause::Sm5Kind),
        ("atomic_cmp_store g2, r0.x, r1.x, r2.x", LowerError::Typed(2), Clause::Sm5Kind),
        ("atomic_cmp_store u0, |r0.x|, r1.x, r2.x", LowerError::Absolute, Clause::ComIllegal),
        ("atomic_cmp_store u0, r0.x, -|r1.x|, r2.x", LowerError::Absolute, Clause::ComIllegal),
        ("atomic_cmp_store u0, r0.x, r1.x, cb0[r1.x + 4].x", LowerError::Relative, Clause::ComIllegal),
        ("atomic_cmp_store u0, r0.x, r1.x, r4096.x", LowerError::Register, Clause::ComIllegal),
        ("atomic_cmp_store u0, r0.x, r1.x, x0.x", LowerError::Register, Clause::ComIllegal),
        ("atomic_cmp_store u0, r0.x, r1.x, o0.x", LowerError::Register, Clause::ComIllegal),
    ] {
        assert_eq!(lowered(text), Err(error), "{text}");
        assert_eq!(error.clause(), clause, "{text}");
        assert!(!error.help().is_empty() && !error.to_string().is_empty());
    }
}
