// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which operations the unit executes: COM-ILLEGAL.

use crate::op::{AddrMode, Kind, Op, Space};

/// Whether an instruction set has this operation: SPA 5.0, or for a burst R700. Fields that only others use do not
/// matter.
///
/// ```
/// use gpu_lsu::{model::legal, op::Op};
///
/// let op = Op { element_bytes: 4, element_count: 1, element_mask: 1, ..Op::default() };
/// assert!(legal(&op));
/// assert!(!legal(&Op { element_bytes: 3, ..op }));
/// ```
pub fn legal(op: &Op) -> bool {
    let kind = matches!(Kind::from_code(op.kind), Some(Kind::Load | Kind::Store));
    if op.is_burst() {
        return kind && legal_burst(op);
    }
    let mode = matches!(AddrMode::from_code(op.addr_mode), Some(AddrMode::Abs | AddrMode::Reg32 | AddrMode::Reg64));
    let space = Space::from_code(op.space) == Some(Space::Predicated);
    // SPA5-SIZE
    let size = matches!(op.element_bytes, 1 | 2 | 4 | 8 | 16) && op.element_count == 1 && op.element_mask == 1;
    kind && mode && space && size
}

/// A burst may have no GPR, or move no component: then nothing moves (R700-VPM, R700-GPROOB).
fn legal_burst(op: &Op) -> bool {
    let space = Space::from_code(op.space) == Some(Space::Buffer);
    let gpr = op.element_bytes == 4 && op.element_count == 4 && op.element_mask < 16;
    // R700-SIZE
    let size = (1..=4096).contains(&op.array_size);
    // R700-READ: selection 6 means nothing.
    let select = op.kind != Kind::Load as u8 || (0..4).all(|component| op.select(component) != 6);
    space && gpr && size && select
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn com_illegal_every_raw_code() {
        let good = Op { element_bytes: 4, element_count: 1, element_mask: 1, ..Op::default() };
        for code in 0..=u8::MAX {
            assert_eq!(legal(&Op { kind: code, ..good }), code < 2, "kind {code}");
            assert_eq!(legal(&Op { addr_mode: code, ..good }), code < 3, "addr_mode {code}");
            assert_eq!(legal(&Op { space: code, ..good }), code == 0, "space {code}");
            assert_eq!(legal(&Op { element_count: code, ..good }), code == 1, "element_count {code}");
            assert_eq!(legal(&Op { element_mask: code, ..good }), code == 1, "element_mask {code}");
            let size = [1, 2, 4, 8, 16].contains(&code);
            assert_eq!(legal(&Op { element_bytes: code, ..good }), size, "element_bytes {code}");
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
