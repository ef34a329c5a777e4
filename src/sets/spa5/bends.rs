// SPDX-License-Identifier: MIT OR Apache-2.0
//! The address rules, bent one at a time, as a faulty unit would bend them.

use crate::{
    sets::text::count,
    clause::Clause,
    judge::{
        diagnose::{
            naming::{Bend, Explains, Naming, plain_bends},
            subject::Subject,
        },
        log::Issue,
    },
    op::{ADDR_WIDTH, AddrMode, Ctrl, Fault, Kind, LaneMask, Lanes, MAX_LANES, Op, Range},
};

impl Naming for super::Rule {
    const BENDS: &'static [Bend] = BENDS;
    const LEGAL: bool = false;
    const TELLS: bool = false;
    const ALIGN: Clause = Clause::Spa5Align;
    const ZERO: Clause = Clause::Spa5Oob;
    const OF_DATA: &'static [Clause] = &[Clause::Spa5Ext, Clause::Spa5Multi];

    fn bends(_: &Issue) -> Vec<Explains> {
        let mut bends = plain_bends::<Self>();
        // One lane has a predicate of its own.
        for lane in 0..MAX_LANES {
            for predicate in [false, true] {
                let one = move |subject: &Subject<'_>| {
                    subject.by_plan(|_, _, lanes| {
                        lanes.predicate -= LaneMask::only(lane);
                        lanes.predicate.insert_if(predicate, lane);
                    })
                };
                bends.push((Clause::Spa5Space, Box::new(one)));
            }
        }
        // Loads or stores are made out of bounds, although their lanes fault; those at bit 40 and above as well.
        for (kind, bits) in [(Kind::Load, 64), (Kind::Store, 64), (Kind::Load, ADDR_WIDTH), (Kind::Store, ADDR_WIDTH)] {
            let made = move |subject: &Subject<'_>| {
                let law = subject.law_faults();
                let allocate = |ctrl: &mut Ctrl, op: &mut Op, lanes: &mut Lanes| {
                    if op.kind == kind as u8 {
                        allocate_all(ctrl);
                        readdress(op, lanes, |ea| ea & u64::MAX >> (64 - bits));
                    }
                };
                let refused = |fault: Fault| matches!(fault, Fault::Window | Fault::Allocation);
                subject.by(allocate, |lane, plan| if refused(law[lane]) { law[lane] } else { plan.faults[lane] })
            };
            bends.push((Clause::Spa5Oob, Box::new(made)));
        }
        bends
    }

    fn value(op: &Op) -> Clause {
        let narrow = op.kind == Kind::Load as u8 && op.element_bytes < 4;
        if narrow { Clause::Spa5Ext } else { Clause::Spa5Multi }
    }

    fn text(op: &Op) -> String {
        let kind = if op.kind == Kind::Load as u8 { "load" } else { "store" };
        format!("(an spa5 {kind} of {} a lane)", count(op.access_bytes() as usize, "byte"))
    }

    fn space(_: &Op) -> Clause {
        Clause::Spa5Window
    }
}

pub(crate) const EVERYWHERE: Range = Range { base: 0, size: 0xff_ffff_ffe0 };

/// Allocates all of every memory.
fn allocate_all(ctrl: &mut Ctrl) {
    const MOST: u32 = u32::MAX - 31;
    ctrl.alloc[0] = EVERYWHERE;
    (ctrl.local_memory.size, ctrl.shared_size) = (MOST, MOST);
}

fn each_lane(op: &Op, lanes: &mut Lanes, change: impl Fn(u64) -> u64) {
    for words in &mut lanes.addr {
        let ea = match AddrMode::from_code(op.addr_mode) {
            Some(AddrMode::Abs) => op.imm,
            Some(AddrMode::Reg32) => u64::from(words[0].wrapping_add(op.imm as u32)),
            _ => (u64::from(words[1]) << 32 | u64::from(words[0])).wrapping_add(op.imm),
        };
        let ea = change(ea);
        (words[0], words[1]) = (ea as u32, (ea >> 32) as u32);
    }
}

/// Replaces the address rule: `change` turns the right EA of every lane into the bent one.
pub(crate) fn readdress(op: &mut Op, lanes: &mut Lanes, change: impl Fn(u64) -> u64) {
    each_lane(op, lanes, change);
    op.addr_mode = AddrMode::Reg64 as u8;
    op.imm = 0;
}

/// Drops the carry from the lower to the upper half of a 64-bit sum.
pub(crate) fn halves(op: &mut Op, lanes: &mut Lanes) {
    for words in &mut lanes.addr {
        words[0] = words[0].wrapping_add(op.imm as u32);
        words[1] = words[1].wrapping_add((op.imm >> 32) as u32);
    }
    op.imm = 0;
}

fn immediate(op: &mut Op, mode: AddrMode, change: impl Fn(u64) -> u64) {
    op.imm = if is(op, mode) { change(op.imm) } else { op.imm };
}

/// Cuts the immediate to the 24 bits that other instructions have, without a sign or with one.
fn narrow(imm: u64, signed: bool) -> u64 {
    if signed { ((imm << 40) as i64 >> 40) as u64 } else { imm & 0xff_ffff }
}

/// Lets no access trap whose address is a multiple of `enough`.
pub(crate) fn trap_less(ctrl: &Ctrl, op: &mut Op, lanes: &mut Lanes, enough: u64) {
    let low = u64::from(op.access_bytes()).saturating_sub(1);
    if ctrl.trap_misaligned {
        readdress(op, lanes, |ea| if ea.is_multiple_of(enough) { ea & !low } else { ea });
    }
}

/// Cuts the first `bytes` bytes off the local window. The rest keeps its offsets.
pub(crate) fn cut_local(ctrl: &mut Ctrl, bytes: u64) {
    ctrl.local_window.base += bytes;
    ctrl.local_window.size = ctrl.local_window.size.saturating_sub(bytes);
    ctrl.local_memory.base += bytes;
    ctrl.local_memory.size = ctrl.local_memory.size.saturating_sub(bytes as u32);
}

/// Cuts the first 32 bytes off every allocation.
pub(crate) fn cut_alloc(ctrl: &mut Ctrl) {
    for range in ctrl.alloc.iter_mut().filter(|range| range.size >= 32) {
        (range.base, range.size) = (range.base + 32, range.size - 32);
    }
}

/// Leaves the even allocations, or the odd ones.
pub(crate) fn leave_ranges(ctrl: &mut Ctrl, odd: usize) {
    ctrl.alloc.iter_mut().skip(1 - odd).step_by(2).for_each(|range| range.size = 0);
}

/// Leaves the lower bits of every allocation's size.
pub(crate) fn cut_sizes(ctrl: &mut Ctrl, bits: u32) {
    ctrl.alloc.iter_mut().for_each(|range| range.size %= 1 << bits);
}

/// Enlarges every allocation by `bytes`.
pub(crate) fn grow(ctrl: &mut Ctrl, bytes: u32) {
    ctrl.alloc.iter_mut().for_each(|range| range.size = range.size.saturating_add(bytes.into()));
}

/// Drops an allocation whose end needs one bit more than an address has.
pub(crate) fn wrap(ctrl: &mut Ctrl) {
    let past = |range: &Range| range.base.saturating_add(range.size);
    ctrl.alloc.iter_mut().filter(|range| past(range) >= 1 << ADDR_WIDTH).for_each(|range| range.size = 0);
}

pub(crate) fn is(op: &Op, mode: AddrMode) -> bool {
    op.addr_mode == mode as u8
}

/// The bends, the more specific rules first.
pub const BENDS: &[Bend] = &[
    (Clause::ComHelper, |_, op, _| op.suppress_helpers = !op.suppress_helpers),
    // They are suppressed, or execute, in every operation.
    (Clause::ComHelper, |_, op, _| op.suppress_helpers = true),
    (Clause::ComHelper, |_, op, _| op.suppress_helpers = false),
    (Clause::ComInactive, |_, _, lanes| lanes.active = LaneMask::ALL),
    (Clause::ComIllegal, |_, op, _| {
        op.kind &= 1;
        op.addr_mode = op.addr_mode.min(2);
        op.space = 0;
        (op.element_count, op.element_mask) = (1, 1);
        op.element_bytes = op.element_bytes.next_power_of_two().min(16);
    }),
    // The 32-bit sum keeps its carry.
    (Clause::Spa5Ea32, |_, op, lanes| {
        if is(op, AddrMode::Reg32) {
            op.addr_mode = AddrMode::Reg64 as u8;
            lanes.addr.iter_mut().for_each(|words| words[1] = 0);
        }
    }),
    // The same with an unsigned immediate.
    (Clause::Spa5Ea32, |_, op, lanes| {
        if is(op, AddrMode::Reg32) {
            op.addr_mode = AddrMode::Reg64 as u8;
            op.imm &= 0xffff_ffff;
            lanes.addr.iter_mut().for_each(|words| words[1] = 0);
        }
    }),
    (Clause::Spa5Ea32, |_, op, _| {
        if is(op, AddrMode::Reg32) {
            op.addr_mode = AddrMode::Reg64 as u8;
        }
    }),
    (Clause::Spa5Ea64, |_, op, lanes| {
        if is(op, AddrMode::Reg64) {
            readdress(op, lanes, |ea| ea & 0xff_ffff_ffff);
        }
    }),
    (Clause::Spa5Ea64, |_, op, _| {
        if is(op, AddrMode::Reg64) {
            op.addr_mode = AddrMode::Reg32 as u8;
        }
    }),
    (Clause::Spa5Ea64, |_, op, _| {
        if is(op, AddrMode::Reg64) {
            op.imm &= 0xffff_ffff;
        }
    }),
    (Clause::Spa5Ea64, |_, op, lanes| {
        if is(op, AddrMode::Reg64) {
            halves(op, lanes);
        }
    }),
    // The immediate is left out, or subtracted.
    (Clause::Spa5Ea32, |_, op, _| immediate(op, AddrMode::Reg32, |_| 0)),
    (Clause::Spa5Ea32, |_, op, _| immediate(op, AddrMode::Reg32, u64::wrapping_neg)),
    (Clause::Spa5Ea64, |_, op, _| immediate(op, AddrMode::Reg64, |_| 0)),
    (Clause::Spa5Ea64, |_, op, _| immediate(op, AddrMode::Reg64, u64::wrapping_neg)),
    (Clause::Spa5Ea32, |_, op, _| immediate(op, AddrMode::Reg32, |imm| narrow(imm, false))),
    (Clause::Spa5Ea32, |_, op, _| immediate(op, AddrMode::Reg32, |imm| narrow(imm, true))),
    (Clause::Spa5Ea64, |_, op, _| immediate(op, AddrMode::Reg64, |imm| narrow(imm, false))),
    (Clause::Spa5Ea64, |_, op, _| immediate(op, AddrMode::Reg64, |imm| narrow(imm, true))),
    (Clause::Spa5EaAbs, |_, op, _| immediate(op, AddrMode::Abs, |imm| narrow(imm, false))),
    (Clause::Spa5EaAbs, |_, op, _| immediate(op, AddrMode::Abs, |imm| narrow(imm, true))),
    (Clause::Spa5EaAbs, |_, op, _| immediate(op, AddrMode::Abs, |imm| imm as i32 as u64)),
    (Clause::Spa5EaAbs, |_, op, _| {
        if is(op, AddrMode::Abs) {
            op.addr_mode = AddrMode::Reg32 as u8;
        }
    }),
    (Clause::Spa5EaAbs, |_, op, _| {
        if is(op, AddrMode::Abs) {
            op.addr_mode = AddrMode::Reg64 as u8;
        }
    }),
    (Clause::Spa5Align, |_, op, lanes| readdress(op, lanes, |ea| ea & !31)),
    (Clause::Spa5Align, |_, op, lanes| readdress(op, lanes, |ea| ea & !15)),
    (Clause::Spa5Align, |_, op, lanes| readdress(op, lanes, |ea| ea & !7)),
    (Clause::Spa5Align, |_, op, lanes| readdress(op, lanes, |ea| ea & !3)),
    (Clause::Spa5Align, |_, op, lanes| readdress(op, lanes, |ea| ea & !1)),
    (Clause::Spa5Align, |ctrl, _, _| ctrl.trap_misaligned = !ctrl.trap_misaligned),
    // No access of more than a byte counts as aligned.
    (Clause::Spa5Align, |ctrl, op, lanes| {
        if ctrl.trap_misaligned {
            readdress(op, lanes, |ea| ea | 1);
        }
    }),
    // Only what is not a multiple of 2, 4 or 8 counts as misaligned.
    (Clause::Spa5Align, |ctrl, op, lanes| trap_less(ctrl, op, lanes, 2)),
    (Clause::Spa5Align, |ctrl, op, lanes| trap_less(ctrl, op, lanes, 4)),
    (Clause::Spa5Align, |ctrl, op, lanes| trap_less(ctrl, op, lanes, 8)),
    (Clause::Spa5Space, |_, _, lanes| lanes.predicate = !lanes.predicate),
    (Clause::Spa5Space, |_, _, lanes| lanes.predicate = LaneMask::ALL),
    (Clause::Spa5Space, |_, _, lanes| lanes.predicate = LaneMask::NONE),
    // Every lane has the predicate of the lowest.
    (Clause::Spa5Space, |_, _, lanes| {
        lanes.predicate = if lanes.predicate.contains(0) { LaneMask::ALL } else { LaneMask::NONE };
    }),
    (Clause::Spa5Window, |ctrl, _, _| ctrl.local_window.size = 0),
    (Clause::Spa5Window, |ctrl, _, _| ctrl.local_window.size += 1),
    (Clause::Spa5Window, |ctrl, _, _| ctrl.shared_window.size += 1),
    (Clause::Spa5Window, |ctrl, _, _| ctrl.local_window.size += 32),
    (Clause::Spa5Window, |ctrl, _, _| ctrl.local_window.size = ctrl.local_window.size.saturating_sub(32)),
    (Clause::Spa5Window, |ctrl, _, _| ctrl.shared_window.size += 32),
    (Clause::Spa5Window, |ctrl, _, _| ctrl.shared_window.size = ctrl.shared_window.size.saturating_sub(32)),
    (Clause::Spa5Window, |ctrl, _, _| ctrl.shared_window = EVERYWHERE),
    (Clause::Spa5Window, |ctrl, _, _| cut_local(ctrl, 32)),
    // The window's base is not subtracted.
    (Clause::Spa5Window, |ctrl, _, _| {
        ctrl.local_memory.base = (ctrl.local_memory.base + ctrl.local_window.base) % (1 << ADDR_WIDTH);
    }),
    (Clause::ComPrivate, |ctrl, _, _| ctrl.local_memory.stride = 0),
    (Clause::ComPrivate, |ctrl, _, _| ctrl.local_memory.stride &= 0xff),
    (Clause::ComPrivate, |ctrl, _, _| ctrl.local_memory.stride &= 0xffff),
    (Clause::ComPrivate, |ctrl, _, _| ctrl.local_memory.size &= 0xffff),
    (Clause::ComPrivate, |ctrl, _, _| ctrl.local_memory.base = 0),
    (Clause::ComPrivate, |_, op, _| op.warp = 0),
    (Clause::ComPrivate, |ctrl, _, _| ctrl.local_memory.size = u32::MAX - 31),
    (Clause::ComPrivate, |ctrl, op, _| {
        ctrl.local_memory.size = ctrl.local_memory.size.saturating_add(op.access_bytes())
    }),
    (Clause::ComPrivate, |ctrl, _, _| ctrl.local_memory.size += 32),
    (Clause::ComPrivate, |ctrl, _, _| ctrl.local_memory.size = ctrl.local_memory.size.saturating_sub(32)),
    (Clause::ComGlobal, |ctrl, _, _| ctrl.alloc[0] = EVERYWHERE),
    (Clause::ComGlobal, |ctrl, op, _| grow(ctrl, op.access_bytes())),
    (Clause::ComGlobal, |ctrl, _, _| grow(ctrl, 32)),
    (Clause::ComGlobal, |ctrl, _, _| wrap(ctrl)),
    (Clause::ComGlobal, |ctrl, _, _| cut_alloc(ctrl)),
    // A range is not looked at.
    (Clause::ComGlobal, |ctrl, _, _| ctrl.alloc[0].size = 0),
    (Clause::ComGlobal, |ctrl, _, _| ctrl.alloc[7].size = 0),
    (Clause::ComGlobal, |ctrl, _, _| ctrl.alloc[1..].fill(Range::default())),
    (Clause::ComGlobal, |ctrl, _, _| leave_ranges(ctrl, 0)),
    (Clause::ComGlobal, |ctrl, _, _| leave_ranges(ctrl, 1)),
    (Clause::ComGlobal, |ctrl, _, _| cut_sizes(ctrl, 16)),
    (Clause::ComGlobal, |ctrl, _, _| cut_sizes(ctrl, 24)),
    (Clause::ComGlobal, |ctrl, _, _| cut_sizes(ctrl, 32)),
    (Clause::ComGlobal, |ctrl, _, _| {
        ctrl.alloc.iter_mut().for_each(|range| range.size = range.size.saturating_sub(32))
    }),
    (Clause::Spa5Oob, |ctrl, _, _| ctrl.shared_size = u32::MAX - 31),
    (Clause::Spa5Oob, |ctrl, _, _| ctrl.shared_size += 32),
    (Clause::Spa5Oob, |ctrl, _, _| ctrl.shared_size = ctrl.shared_size.saturating_add(1)),
    (Clause::Spa5Window, |ctrl, _, _| ctrl.shared_window.size = 0),
    (Clause::ComPrivate, |ctrl, _, _| ctrl.local_memory.size = 0),
    (Clause::ComGlobal, |ctrl, _, _| ctrl.alloc = Default::default()),
    (Clause::Spa5Oob, |ctrl, _, _| ctrl.shared_size = 0),
    // The registers of the pair change places, which leads nearly every address out of every window.
    (Clause::Spa5Ea64, |_, op, lanes| {
        if is(op, AddrMode::Reg64) {
            lanes.addr.iter_mut().for_each(|words| words.swap(0, 1));
        }
    }),
];
