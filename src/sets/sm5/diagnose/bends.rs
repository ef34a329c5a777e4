// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rules of compare-and-store, bent one at a time.

use crate::{
    clause::Clause,
    judge::diagnose::naming::Bend,
    op::{AddrMode, Ctrl, Dimension, Kind, LaneMask, Lanes, Op, Resource, Space, Tgsm, Uav},
    sets::bends::{is, of_lowest},
};

fn uav<'a>(ctrl: &'a mut Ctrl, op: &Op) -> &'a mut Uav {
    &mut ctrl.uav[usize::from(op.slot & 7)]
}

fn tgsm<'a>(ctrl: &'a mut Ctrl, op: &Op) -> &'a mut Tgsm {
    &mut ctrl.tgsm[usize::from(op.slot & 7)]
}

fn is_group(op: &Op) -> bool {
    op.space == Space::Tgsm as u8
}

/// Changes the operation's slot if it is a g#.
fn group(ctrl: &mut Ctrl, op: &Op, change: impl Fn(&mut Tgsm)) {
    if is_group(op) {
        change(tgsm(ctrl, op));
    }
}

/// Changes the operation's slot if it is a u# and `mode` is its address mode.
fn view(ctrl: &mut Ctrl, op: &Op, mode: AddrMode, change: impl Fn(&mut Uav)) {
    if !is_group(op) && is(op, mode) {
        change(uav(ctrl, op));
    }
}

/// Changes every lane's offset in bytes, which a typed access has not.
fn offsets(op: &Op, lanes: &mut Lanes, change: impl Fn(u32) -> u32) {
    let word = match AddrMode::from_code(op.addr_mode) {
        Some(AddrMode::Raw) => 0,
        Some(AddrMode::Struct) => 1,
        _ => return,
    };
    lanes.addr.iter_mut().for_each(|words| words[word] = change(words[word]));
}

pub fn bound(op: &Op) -> u8 {
    match AddrMode::from_code(op.addr_mode) {
        Some(AddrMode::Raw) => Resource::Raw as u8,
        Some(AddrMode::Struct) => Resource::Structured as u8,
        _ => Resource::Typed as u8,
    }
}

/// Whether the operation's slot holds what the operation is made for.
fn is_bound(ctrl: &mut Ctrl, op: &Op) -> bool {
    let kind = if is_group(op) { tgsm(ctrl, op).kind } else { uav(ctrl, op).kind };
    kind == bound(op)
}

/// Turns a structured access into a raw one, at the address that `address` makes of x, y, stride and size, or out of
/// bounds if it makes none. The resource gets at least `size` bytes.
fn flat(
    ctrl: &mut Ctrl,
    op: &mut Op,
    lanes: &mut Lanes,
    size: u64,
    address: impl Fn(u64, u64, u64, u64) -> Option<u64>,
) {
    if !is(op, AddrMode::Struct) || !is_bound(ctrl, op) {
        return;
    }
    let (stride, own) = match is_group(op) {
        true => (tgsm(ctrl, op).stride, tgsm(ctrl, op).size.into()),
        false => (uav(ctrl, op).stride, uav(ctrl, op).size),
    };
    for words in &mut lanes.addr {
        let at = address(words[0].into(), u64::from(words[1] & !3), stride.into(), own);
        let at = at.and_then(|at| u32::try_from(at).ok());
        words[0] = at.map_or(u32::MAX, |at| at | words[1] & 3);
    }
    match is_group(op) {
        true => {
            let tgsm = tgsm(ctrl, op);
            (tgsm.kind, tgsm.size) = (Resource::Raw as u8, tgsm.size.max(size.try_into().unwrap_or(u32::MAX - 3)));
        }
        false => {
            let uav = uav(ctrl, op);
            (uav.kind, uav.size) = (Resource::Raw as u8, uav.size.max(size));
        }
    }
    op.addr_mode = AddrMode::Raw as u8;
}

/// Tests the offset of a structured access to a g# if `group`, otherwise to a u#, by `inside` of y and stride alone.
fn past(ctrl: &mut Ctrl, op: &mut Op, lanes: &mut Lanes, group: bool, inside: impl Fn(u64, u64) -> bool) {
    if is_group(op) == group {
        flat(ctrl, op, lanes, 1 << 39, |x, y, stride, size| {
            ((x + 1) * stride <= size && inside(y, stride)).then_some(x * stride + y)
        });
    }
}

/// Turns a typed access into a raw one, with the sum of rows and slices cut to `bits` bits.
fn wrapped(ctrl: &mut Ctrl, op: &mut Op, lanes: &mut Lanes, bits: u32) {
    const NOWHERE: u32 = u32::MAX - 3;
    let view = *uav(ctrl, op);
    if is_group(op) || !is(op, AddrMode::Typed) || !is_bound(ctrl, op) || view.size > NOWHERE.into() {
        return;
    }
    let (height, depth) = (u32::from(view.height), u32::from(view.depth));
    for words in &mut lanes.addr {
        let [x, y, z] = *words;
        let (row, slice, inside) = match Dimension::from_code(view.dimension) {
            Some(Dimension::Buffer | Dimension::Texture1d) => (0, 0, true),
            Some(Dimension::Texture1dArray) => (0, y, y < depth),
            Some(Dimension::Texture2d) => (y, 0, y < height),
            _ => (y, z, y < height && z < depth),
        };
        let [rows, slices] =
            [(row, view.row_pitch), (slice, view.slice_pitch)].map(|(count, pitch)| u64::from(count) * u64::from(pitch));
        let sum = (u128::from(rows) + u128::from(slices)) & ((1 << bits) - 1);
        let at = u32::try_from(sum + 4 * u128::from(x)).ok().filter(|_| inside && x < view.width);
        words[0] = at.unwrap_or(NOWHERE);
    }
    uav(ctrl, op).kind = Resource::Raw as u8;
    op.addr_mode = AddrMode::Raw as u8;
}

/// The bent rules: the more specific a rule, the earlier it stands.
pub const BENDS: &[Bend] = &[
    (Clause::Sm5Inactive, |_, _, lanes| lanes.helper = LaneMask::NONE),
    (Clause::ComInactive, |_, _, lanes| lanes.active = LaneMask::ALL),
    (Clause::ComIllegal, |_, op, _| {
        op.kind = Kind::CmpStore as u8;
        op.addr_mode = op.addr_mode.clamp(AddrMode::Raw as u8, AddrMode::Typed as u8 - u8::from(is_group(op)));
        (op.element_bytes, op.element_count, op.element_mask) = (4, 1, 1);
    }),
    (Clause::Sm5Unbound, |ctrl, op, _| {
        if uav(ctrl, op).kind == Resource::None as u8 {
            uav(ctrl, op).kind = bound(op);
        }
        if tgsm(ctrl, op).kind == Resource::None as u8 {
            tgsm(ctrl, op).kind = bound(op);
        }
    }),
    // A slot is taken for what the instruction says, or the instruction for what the slot is.
    (Clause::Sm5Unbound, |ctrl, op, _| (uav(ctrl, op).kind, tgsm(ctrl, op).kind) = (bound(op), bound(op))),
    (Clause::Sm5Unbound, |ctrl, op, _| {
        let kind = if is_group(op) { tgsm(ctrl, op).kind } else { uav(ctrl, op).kind };
        op.addr_mode = match Resource::from_code(kind) {
            Some(Resource::Structured) => AddrMode::Struct,
            Some(Resource::Typed) => AddrMode::Typed,
            _ => AddrMode::Raw,
        } as u8;
    }),
    // Where nothing of the kind is bound, no lane faults.
    (Clause::Sm5Unbound, |ctrl, op, lanes| {
        if !is_bound(ctrl, op) {
            lanes.active = LaneMask::NONE;
        }
    }),
    // A dimension that does not exist counts as 3D.
    (Clause::Sm5Unbound, |ctrl, op, _| {
        let uav = uav(ctrl, op);
        uav.dimension = uav.dimension.min(Dimension::Texture3d as u8);
    }),
    (Clause::Sm5Align, |ctrl, _, _| ctrl.trap_misaligned = !ctrl.trap_misaligned),
    // No access counts as aligned.
    (Clause::Sm5Align, |ctrl, op, lanes| {
        if ctrl.trap_misaligned {
            offsets(op, lanes, |offset| offset | 1);
        }
    }),
    // Rounded up, or to a multiple of more than four.
    (Clause::Sm5Align, |_, op, lanes| offsets(op, lanes, |offset| offset.wrapping_add(3))),
    (Clause::Sm5Align, |_, op, lanes| offsets(op, lanes, |offset| offset & !7)),
    // a.y is not tested against the stride, nor the sum against the size; or a.y may equal the stride.
    (Clause::Sm5OobOffset, |ctrl, op, lanes| past(ctrl, op, lanes, false, |_, _| true)),
    (Clause::Sm5OobOffset, |ctrl, op, lanes| past(ctrl, op, lanes, false, |y, stride| y <= stride)),
    (Clause::Sm5OobTgsm, |ctrl, op, lanes| past(ctrl, op, lanes, true, |_, _| true)),
    (Clause::Sm5OobTgsm, |ctrl, op, lanes| past(ctrl, op, lanes, true, |y, stride| y <= stride)),
    // The bounds of a g#.
    (Clause::Sm5OobTgsm, |ctrl, op, _| group(ctrl, op, |tgsm| tgsm.size += 4)),
    (Clause::Sm5OobTgsm, |ctrl, op, _| group(ctrl, op, |tgsm| tgsm.size = tgsm.size.saturating_sub(4))),
    (Clause::Sm5OobTgsm, |ctrl, op, _| group(ctrl, op, |tgsm| tgsm.size = 32768 - tgsm.base.min(32768))),
    (Clause::Sm5OobTgsm, |ctrl, op, _| group(ctrl, op, |tgsm| tgsm.size = u32::MAX - 3)),
    (Clause::Sm5OobTgsm, |ctrl, op, _| {
        let size = ctrl.shared_size;
        group(ctrl, op, |tgsm| tgsm.size = size.saturating_sub(tgsm.base));
    }),
    (Clause::Sm5OobTgsm, |ctrl, op, _| {
        let size = ctrl.shared_size;
        group(ctrl, op, |tgsm| tgsm.size = tgsm.size.min(size.saturating_sub(tgsm.base)));
    }),
    (Clause::Sm5OobTgsm, |ctrl, op, _| group(ctrl, op, |tgsm| tgsm.size = 0)),
    // The product or the sum has 32 bits.
    (Clause::Sm5Struct, |ctrl, op, lanes| {
        flat(ctrl, op, lanes, 0, |x, y, stride, size| {
            let first = (x * stride) & 0xffff_ffff;
            (first + stride <= size && y < stride).then_some(first + y)
        });
    }),
    (Clause::Sm5Struct, |ctrl, op, lanes| {
        flat(ctrl, op, lanes, 0, |x, y, stride, size| {
            ((x + 1) * stride <= size && y < stride).then_some((x * stride + y) & 0xffff_ffff)
        });
    }),
    // The stride counts dwords, or is taken for a number of them.
    (Clause::Sm5Struct, |ctrl, op, lanes| {
        flat(ctrl, op, lanes, 0, |x, y, stride, size| {
            let first = x * (stride / 4);
            (first + stride <= size && y < stride).then_some(first + y)
        });
    }),
    (Clause::Sm5Struct, |ctrl, op, lanes| {
        flat(ctrl, op, lanes, 0, |x, y, stride, size| {
            let first = x * stride * 4;
            (first + stride <= size && y < stride).then_some(first + y)
        });
    }),
    // The stride has fewer bits, or the product is missing.
    (Clause::Sm5Struct, |ctrl, op, _| {
        uav(ctrl, op).stride &= 0x7ff;
        tgsm(ctrl, op).stride &= 0x7ff;
    }),
    (Clause::Sm5Struct, |ctrl, op, _| {
        uav(ctrl, op).stride &= 0xff;
        tgsm(ctrl, op).stride &= 0xff;
    }),
    (Clause::Sm5Struct, |_, op, lanes| {
        if is(op, AddrMode::Struct) {
            lanes.addr.iter_mut().for_each(|words| words[1] = 0);
        }
    }),
    (Clause::Sm5Struct, |_, op, lanes| {
        if is(op, AddrMode::Struct) {
            lanes.addr.iter_mut().for_each(|words| words.swap(0, 1));
        }
    }),
    (Clause::Sm5Typed, |_, op, lanes| {
        if is(op, AddrMode::Typed) {
            lanes.addr.iter_mut().for_each(|words| words.swap(0, 1));
        }
    }),
    // Every lane has an index of the lowest.
    (Clause::Sm5Typed, |_, op, lanes| if is(op, AddrMode::Typed) { of_lowest(lanes, 2) }),
    (Clause::Sm5Typed, |_, op, lanes| if is(op, AddrMode::Typed) { of_lowest(lanes, 1) }),
    (Clause::Sm5Typed, |_, op, lanes| if is(op, AddrMode::Typed) { of_lowest(lanes, 0) }),
    (Clause::Sm5Struct, |_, op, lanes| if is(op, AddrMode::Struct) { of_lowest(lanes, 1) }),
    (Clause::Sm5Struct, |_, op, lanes| if is(op, AddrMode::Struct) { of_lowest(lanes, 0) }),
    (Clause::Sm5Raw, |_, op, lanes| if is(op, AddrMode::Raw) { of_lowest(lanes, 0) }),
    // Only the lower half of the indices of rows and slices counts.
    (Clause::Sm5Typed, |_, op, lanes| {
        if is(op, AddrMode::Typed) {
            lanes.addr.iter_mut().flat_map(|words| &mut words[1..]).for_each(|index| *index &= 0xffff);
        }
    }),
    (Clause::Sm5Typed, |ctrl, op, lanes| wrapped(ctrl, op, lanes, 48)),
    (Clause::Sm5Typed, |ctrl, op, lanes| wrapped(ctrl, op, lanes, 40)),
    (Clause::Sm5Typed, |ctrl, op, lanes| wrapped(ctrl, op, lanes, 32)),
    (Clause::Sm5Typed, |ctrl, op, _| view(ctrl, op, AddrMode::Typed, |uav| uav.row_pitch = uav.slice_pitch)),
    (Clause::Sm5Typed, |ctrl, op, _| view(ctrl, op, AddrMode::Typed, |uav| uav.slice_pitch = uav.row_pitch)),
    (Clause::Sm5Typed, |ctrl, op, _| {
        view(ctrl, op, AddrMode::Typed, |uav| std::mem::swap(&mut uav.slice_pitch, &mut uav.row_pitch));
    }),
    (Clause::Sm5Typed, |ctrl, op, _| view(ctrl, op, AddrMode::Typed, |uav| uav.width = u32::MAX)),
    (Clause::Sm5Typed, |ctrl, op, _| view(ctrl, op, AddrMode::Typed, |uav| uav.height = u16::MAX)),
    (Clause::Sm5Typed, |ctrl, op, _| view(ctrl, op, AddrMode::Typed, |uav| uav.depth = u16::MAX)),
    (Clause::Sm5Typed, |ctrl, op, _| view(ctrl, op, AddrMode::Typed, |uav| uav.width = uav.width.saturating_add(1))),
    (Clause::Sm5Typed, |ctrl, op, _| view(ctrl, op, AddrMode::Typed, |uav| uav.height = uav.height.saturating_add(1))),
    (Clause::Sm5Typed, |ctrl, op, _| view(ctrl, op, AddrMode::Typed, |uav| uav.depth = uav.depth.saturating_add(1))),
    (Clause::Sm5Typed, |ctrl, op, _| {
        view(ctrl, op, AddrMode::Typed, |uav| (uav.width, uav.height, uav.depth) = (u32::MAX, u16::MAX, u16::MAX));
    }),
    (Clause::Sm5Typed, |ctrl, op, _| {
        // A 1D array is tested against the height.
        view(ctrl, op, AddrMode::Typed, |uav| {
            if uav.dimension == Dimension::Texture1dArray as u8 {
                uav.depth = uav.height;
            }
        });
    }),
    (Clause::Sm5Typed, |ctrl, op, _| view(ctrl, op, AddrMode::Typed, |uav| uav.row_pitch &= 0xffff)),
    (Clause::Sm5Typed, |ctrl, op, _| view(ctrl, op, AddrMode::Typed, |uav| uav.slice_pitch &= 0xffff)),
    (Clause::Sm5Typed, |ctrl, op, _| view(ctrl, op, AddrMode::Typed, |uav| uav.row_pitch &= 0xff)),
    (Clause::Sm5Typed, |ctrl, op, _| view(ctrl, op, AddrMode::Typed, |uav| uav.slice_pitch &= 0xff)),
    (Clause::Sm5Typed, |ctrl, op, _| retake(ctrl, op, Dimension::Buffer)),
    (Clause::Sm5Typed, |ctrl, op, _| retake(ctrl, op, Dimension::Texture1dArray)),
    (Clause::Sm5Typed, |ctrl, op, _| retake(ctrl, op, Dimension::Texture2d)),
    (Clause::Sm5Typed, |ctrl, op, _| retake(ctrl, op, Dimension::Texture3d)),
    (Clause::Sm5Typed, |_, op, lanes| {
        if is(op, AddrMode::Typed) {
            lanes.addr.iter_mut().for_each(|words| words.swap(1, 2));
        }
    }),
    // The size or the base, for every kind of resource.
    (Clause::Sm5OobUav, |ctrl, op, _| uav(ctrl, op).size += 4),
    (Clause::Sm5OobUav, |ctrl, op, _| uav(ctrl, op).size = uav(ctrl, op).size.saturating_sub(4)),
    (Clause::Sm5OobUav, |ctrl, op, _| {
        // The first byte of a structure is tested, not its last.
        view(ctrl, op, AddrMode::Struct, |uav| uav.size += u64::from(uav.stride) - 1);
    }),
    (Clause::Sm5OobUav, |ctrl, op, _| uav(ctrl, op).size = (1 << 40) - 1),
    (Clause::Sm5OobUav, |ctrl, op, _| view(ctrl, op, AddrMode::Raw, |uav| uav.size = (1 << 40) - 1)),
    (Clause::Sm5OobUav, |ctrl, op, _| view(ctrl, op, AddrMode::Struct, |uav| uav.size = (1 << 40) - 1)),
    (Clause::Sm5OobUav, |ctrl, op, _| uav(ctrl, op).size &= 0xffff_ffff),
    (Clause::Sm5Raw, |ctrl, op, _| view(ctrl, op, AddrMode::Raw, |uav| uav.base = 0)),
    // The base has 32 bits.
    (Clause::Sm5Raw, |ctrl, op, _| view(ctrl, op, AddrMode::Raw, |uav| uav.base &= 0xffff_ffff)),
    (Clause::Sm5Struct, |ctrl, op, _| view(ctrl, op, AddrMode::Struct, |uav| uav.base &= 0xffff_ffff)),
    (Clause::Sm5Typed, |ctrl, op, _| view(ctrl, op, AddrMode::Typed, |uav| uav.base &= 0xffff_ffff)),
    (Clause::Sm5Raw, |_, op, lanes| {
        if is(op, AddrMode::Raw) {
            lanes.addr.iter_mut().for_each(|words| words[0] <<= 2);
        }
    }),
    // The address, or the structure's index, has 16 bits.
    (Clause::Sm5Raw, |_, op, lanes| {
        if is(op, AddrMode::Raw) {
            lanes.addr.iter_mut().for_each(|words| words[0] &= 0xffff);
        }
    }),
    (Clause::Sm5Struct, |_, op, lanes| {
        if is(op, AddrMode::Struct) {
            lanes.addr.iter_mut().for_each(|words| words[0] &= 0xffff);
        }
    }),
    (Clause::Sm5Struct, |ctrl, op, _| view(ctrl, op, AddrMode::Struct, |uav| uav.base = 0)),
    (Clause::Sm5Typed, |ctrl, op, _| view(ctrl, op, AddrMode::Typed, |uav| uav.base = 0)),
    (Clause::Sm5Typed, |_, op, lanes| {
        if is(op, AddrMode::Typed) {
            lanes.addr.iter_mut().for_each(|words| words[0] /= 4);
        }
    }),
    (Clause::Sm5Raw, |ctrl, op, _| group(ctrl, op, |tgsm| tgsm.base = 0)),
    // Another slot is another resource, and explains much by chance, so it is tried late.
    (Clause::Sm5Kind, |_, op, _| reslot(op, false, |slot| slot & 3)),
    (Clause::Sm5Kind, |_, op, _| reslot(op, true, |slot| slot & 3)),
    (Clause::Sm5Kind, |_, op, _| op.slot = 0),
    (Clause::Sm5Kind, |_, op, _| op.slot &= 3),
    (Clause::Sm5Kind, |_, op, _| op.slot ^= 1),
    (Clause::Sm5Kind, |_, op, _| {
        op.space = if is_group(op) { Space::Uav } else { Space::Tgsm } as u8;
    }),
    // No view of a kind exists, or none holds anything.
    (Clause::Sm5Typed, |ctrl, op, _| view(ctrl, op, AddrMode::Typed, |uav| uav.width = 0)),
    (Clause::Sm5OobUav, |ctrl, op, _| view(ctrl, op, AddrMode::Raw, |uav| uav.size = 0)),
    (Clause::Sm5Unbound, |ctrl, op, _| view(ctrl, op, AddrMode::Raw, |uav| uav.kind = Resource::None as u8)),
    (Clause::Sm5Unbound, |ctrl, op, _| group(ctrl, op, |tgsm| tgsm.kind = Resource::None as u8)),
    (Clause::Sm5OobUav, |ctrl, op, _| view(ctrl, op, AddrMode::Struct, |uav| uav.size = 0)),
    (Clause::Sm5Unbound, |ctrl, op, _| view(ctrl, op, AddrMode::Struct, |uav| uav.kind = Resource::None as u8)),
    (Clause::Sm5OobUav, |ctrl, op, _| uav(ctrl, op).size = 0),
    (Clause::Sm5Raw, |_, op, lanes| {
        if is(op, AddrMode::Raw) {
            lanes.addr.iter_mut().for_each(|words| words[0] = 0);
        }
    }),
];

/// Changes the slot number of an operation on a g# if `group`, otherwise on a u#.
fn reslot(op: &mut Op, group: bool, slot: fn(u8) -> u8) {
    if is_group(op) == group {
        op.slot = slot(op.slot);
    }
}

fn retake(ctrl: &mut Ctrl, op: &Op, dimension: Dimension) {
    view(ctrl, op, AddrMode::Typed, |uav| uav.dimension = dimension as u8);
}
