// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which operations the unit executes: COM-ILLEGAL.

use super::order::semantics;
use crate::op::{AddrMode, Kind, Op, Semantics, Space};

/// Whether an instruction set has this operation.
///
/// A burst belongs to R700, a compare-and-store to SM5, an operation in a space that is generic or written out to PTX
/// (`st`), and every other one to SPA 5.0. Fields that only other instruction sets use do not matter.
///
/// ```
/// use gpu_lsu::{model::legal, op::Op};
///
/// let op = Op { element_bytes: 4, element_count: 1, element_mask: 1, ..Op::default() };
/// assert!(legal(&op));
/// assert!(!legal(&Op { element_bytes: 3, ..op }));
/// ```
pub fn legal(op: &Op) -> bool {
    if op.kind == Kind::CmpStore as u8 {
        return legal_cmp_store(op);
    }
    let kind = matches!(Kind::from_code(op.kind), Some(Kind::Load | Kind::Store));
    if op.is_burst() {
        return kind && legal_burst(op);
    }
    if let Some(space) = ptx_space(op) {
        return op.kind == Kind::Store as u8 && legal_ptx(op, space);
    }
    let mode = matches!(AddrMode::from_code(op.addr_mode), Some(AddrMode::Abs | AddrMode::Reg32 | AddrMode::Reg64));
    let space = Space::from_code(op.space) == Some(Space::Predicated);
    // SPA5-SIZE
    let size = matches!(op.element_bytes, 1 | 2 | 4 | 8 | 16) && op.element_count == 1 && op.element_mask == 1;
    kind && mode && space && size
}

/// A burst may have no GPR, or no component to move: it is legal and moves nothing (R700-VPM, R700-GPROOB).
fn legal_burst(op: &Op) -> bool {
    let space = Space::from_code(op.space) == Some(Space::Buffer);
    let gpr = op.element_bytes == 4 && op.element_count == 4 && op.element_mask < 16;
    // R700-SIZE
    let size = (1..=4096).contains(&op.array_size);
    // R700-READ: selection 6 is reserved.
    let select = op.kind != Kind::Load as u8 || (0..4).all(|component| op.select(component) != 6);
    space && gpr && size && select
}

/// SM5-KIND: u# raw, structured or typed, g# raw or structured; one dword.
fn legal_cmp_store(op: &Op) -> bool {
    let mode = AddrMode::from_code(op.addr_mode);
    let resource = match Space::from_code(op.space) {
        Some(Space::Uav) => matches!(mode, Some(AddrMode::Raw | AddrMode::Struct | AddrMode::Typed)),
        Some(Space::Tgsm) => matches!(mode, Some(AddrMode::Raw | AddrMode::Struct)),
        _ => false,
    };
    resource && op.element_bytes == 4 && op.element_count == 1 && op.element_mask == 1
}

/// The space of a PTX operation, or `None` if the code is not one of PTX's.
#[inline(always)]
pub(super) fn ptx_space(op: &Op) -> Option<Space> {
    // PTX's codes lie between the predicated space of SPA 5.0 and R700's buffers.
    Space::from_code(op.space).filter(|&space| Space::Predicated < space && space < Space::Buffer)
}

fn legal_ptx(op: &Op, space: Space) -> bool {
    let mode = matches!(AddrMode::from_code(op.addr_mode), Some(AddrMode::Abs | AddrMode::Reg64));
    // PTX-VEC, PTX-SINK: at most 256 bits, and at least one element that is not a sink.
    let element = matches!(op.element_bytes, 1 | 2 | 4 | 8 | 16) && matches!(op.element_count, 1 | 2 | 4 | 8);
    let mask = op.element_mask != 0 && u32::from(op.element_mask) >> op.element_count.min(8) == 0;
    // PTX-SEM: an mmio store is to global memory, or to a generic address, which may lie there.
    let order = match semantics(op) {
        Some(Semantics::Mmio | Semantics::MmioRelease) => matches!(space, Space::Generic | Space::Global),
        known => known.is_some(),
    };
    mode && element && op.access_bytes() <= 32 && mask && order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::op::Attr;

    #[test]
    fn com_illegal_every_raw_code() {
        let good = Op { element_bytes: 4, element_count: 1, element_mask: 1, ..Op::default() };
        for code in 0..=u8::MAX {
            assert_eq!(legal(&Op { kind: code, ..good }), code < 2, "kind {code}");
            assert_eq!(legal(&Op { addr_mode: code, ..good }), code < 3, "addr_mode {code}");
            assert_eq!(legal(&Op { space: code, ..good }), code == 0, "space {code}");
            assert!(legal(&Op { attr: Attr { semantics: code, scope: code, ..good.attr }, ..good }));
            assert_eq!(legal(&Op { element_count: code, ..good }), code == 1, "element_count {code}");
            assert_eq!(legal(&Op { element_mask: code, ..good }), code == 1, "element_mask {code}");
            let size = [1, 2, 4, 8, 16].contains(&code);
            assert_eq!(legal(&Op { element_bytes: code, ..good }), size, "element_bytes {code}");
        }
    }

    #[test]
    fn com_illegal_every_raw_code_of_a_compare_and_store() {
        for (space, modes) in [(Space::Uav, 4..=6), (Space::Tgsm, 4..=5)] {
            for addr_mode in modes.clone() {
                let good = Op {
                    kind: Kind::CmpStore as u8,
                    addr_mode,
                    space: space as u8,
                    element_bytes: 4,
                    element_count: 1,
                    element_mask: 1,
                    ..Op::default()
                };
                assert!(legal(&good));
                for code in 0..=u8::MAX {
                    assert_eq!(legal(&Op { kind: code, ..good }), code == 2, "kind {code}");
                    assert_eq!(legal(&Op { addr_mode: code, ..good }), modes.contains(&code), "addr_mode {code}");
                    let fits = code == 8 || code == 9 && addr_mode != AddrMode::Typed as u8;
                    assert_eq!(legal(&Op { space: code, ..good }), fits, "space {code}");
                    assert_eq!(legal(&Op { element_bytes: code, ..good }), code == 4, "element_bytes {code}");
                    assert_eq!(legal(&Op { element_count: code, ..good }), code == 1, "element_count {code}");
                    assert_eq!(legal(&Op { element_mask: code, ..good }), code == 1, "element_mask {code}");
                    assert!(legal(&Op { attr: Attr { semantics: code, cache_op: code, ..good.attr }, ..good }));
                }
                let others =
                    Op { imm: u64::MAX, sign_extend: true, await_last: true, slot: 7, array_size: 0x1fff, ..good };
                assert!(legal(&others));
            }
        }
    }

    #[test]
    fn com_illegal_every_raw_code_of_a_burst() {
        let store = Op {
            kind: Kind::Store as u8,
            addr_mode: AddrMode::Array as u8,
            space: Space::Buffer as u8,
            element_bytes: 4,
            element_count: 4,
            array_size: 1,
            ..Op::default()
        };
        let load = Op { kind: Kind::Load as u8, ..store };
        for good in [store, load] {
            assert!(legal(&good));
            for code in 0..=u8::MAX {
                assert_eq!(legal(&Op { kind: code, ..good }), code < 2, "kind {code}");
                assert_eq!(legal(&Op { addr_mode: code, ..good }), code == 3, "addr_mode {code}");
                assert_eq!(legal(&Op { space: code, ..good }), code == 7, "space {code}");
                assert_eq!(legal(&Op { element_bytes: code, ..good }), code == 4, "element_bytes {code}");
                assert_eq!(legal(&Op { element_count: code, ..good }), code == 4, "element_count {code}");
                assert_eq!(legal(&Op { element_mask: code, ..good }), code < 16, "element_mask {code}");
            }
            for array_size in 0..=u16::MAX {
                assert_eq!(legal(&Op { array_size, ..good }), (1..=4096).contains(&array_size), "{array_size}");
            }
            let others =
                Op { present_gprs: 0xffff, imm: u64::MAX, sign_extend: true, slot: 7, await_last: true, ..good };
            assert!(legal(&others));
        }
        for component_select in 0..1 << 12 {
            let reserved = (0..4).any(|component| component_select >> (3 * component) & 7 == 6);
            assert!(legal(&Op { component_select, ..store }));
            assert_eq!(legal(&Op { component_select, ..load }), !reserved, "{component_select:#o}");
        }
    }

    /// Every code of kind, mode, mask and semantics, in each space.
    #[test]
    fn com_illegal_every_raw_code_of_a_ptx_store() {
        for space in 1..=6 {
            let good = Op {
                kind: Kind::Store as u8,
                space,
                element_bytes: 4,
                element_count: 4,
                element_mask: 0b0101,
                ..Op::default()
            };
            assert!(legal(&good));
            for code in 0..=u8::MAX {
                assert_eq!(legal(&Op { kind: code, ..good }), code == 1, "kind {code}");
                assert_eq!(legal(&Op { addr_mode: code, ..good }), [0, 2].contains(&code), "addr_mode {code}");
                assert_eq!(legal(&Op { element_mask: code, ..good }), (1..16).contains(&code), "mask {code}");
                let known = code < 4 || matches!(code, 4 | 5) && space < 3;
                let attr = Attr { semantics: code, scope: code, ..good.attr };
                assert_eq!(legal(&Op { attr, ..good }), known, "semantics {code} in {space}");
            }
        }
    }

    #[test]
    fn com_illegal_every_size_count_and_mask_of_a_ptx_store() {
        let good = Op { kind: Kind::Store as u8, space: Space::Global as u8, ..Op::default() };
        for element_bytes in 0..=u8::MAX {
            for element_count in 0..=u8::MAX {
                let bytes = [1, 2, 4, 8, 16].contains(&element_bytes);
                let count = [1, 2, 4, 8].contains(&element_count);
                let fits = bytes && count && u32::from(element_bytes) * u32::from(element_count) <= 32;
                for element_mask in [0, 1, 0x80, 0xff, 1u8.checked_shl(u32::from(element_count)).unwrap_or(0)] {
                    let inside = element_mask != 0 && u32::from(element_mask) < 1 << element_count.min(8);
                    let op = Op { element_bytes, element_count, element_mask, ..good };
                    assert_eq!(legal(&op), fits && inside, "{element_bytes} x {element_count}, {element_mask:#x}");
                }
            }
        }
    }

    #[test]
    fn fields_of_other_instruction_sets_do_not_matter() {
        let op = Op {
            element_bytes: 16,
            element_count: 1,
            element_mask: 1,
            slot: 7,
            array_base: 0x1fff,
            array_size: 0x1fff,
            elem_size: 3,
            use_index: true,
            present_gprs: 0xffff,
            component_select: 0xfff,
            one_is_float: true,
            await_last: true,
            ..Op::default()
        };
        assert!(legal(&op));
    }
}
