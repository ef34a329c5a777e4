// SPDX-License-Identifier: MIT OR Apache-2.0
//! The address rules, bent one at a time, as a faulty unit would bend them.

use crate::{
    clause::Clause,
    judge::{
        diagnose::{
            naming::{Bend, Explains, Naming, plain_bends},
            subject::Subject,
        },
        log::Issue,
    },
    model,
    op::{ADDR_WIDTH, AddrMode, Ctrl, Fault, Kind, LaneMask, Lanes, MAX_LANES, Op, Range},
    sets::{
        bends::{ALLOCATIONS, EVERYWHERE, align, cut_local, halves, is, of_lowest, readdress},
        text::count,
    },
};

impl Naming for super::Rule {
    const BENDS: &'static [&'static [Bend]] = BENDS;
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

    fn last_bends(_: &Issue) -> Vec<Explains> {
        // The predicates of some operations are those of one before.
        let stale = |subject: &Subject<'_>| {
            let issues = subject.log.issues();
            let at = issues.iter().position(|issue| std::ptr::eq(issue, subject.issue)).unwrap_or(0);
            let recent = issues.get(at.saturating_sub(RECENT)..=at).unwrap_or_default();
            recent.iter().rev().any(|before| subject.by_plan(|_, _, lanes| lanes.predicate = before.lanes.predicate))
        };
        vec![(Clause::Spa5Space, Box::new(stale))]
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

/// How many operations before one may have left something of theirs.
const RECENT: usize = 8;

/// Allocates all of every memory.
fn allocate_all(ctrl: &mut Ctrl) {
    const MOST: u32 = u32::MAX - 31;
    ctrl.alloc[0] = EVERYWHERE;
    (ctrl.local_memory.size, ctrl.shared_size) = (MOST, MOST);
}

fn immediate(op: &mut Op, mode: AddrMode, change: impl Fn(u64) -> u64) {
    op.imm = if is(op, mode) { change(op.imm) } else { op.imm };
}

/// Cuts the immediate to the 24 bits that other instructions have, without a sign or with one.
fn narrow(imm: u64, signed: bool) -> u64 {
    if signed { ((imm << 40) as i64 >> 40) as u64 } else { imm & 0xff_ffff }
}

/// The bends, the more specific rules first.
pub const BENDS: &[&[Bend]] = &[ADDRESSES, &align(Clause::Spa5Align), MEMORIES, ALLOCATIONS, NOWHERE];

/// Who has an access, and the effective addresses.
const ADDRESSES: &[Bend] = &[
    (Clause::ComHelper, |_, op, _| op.suppress_helpers = !op.suppress_helpers),
    // They are suppressed, or execute, in every operation.
    (Clause::ComHelper, |_, op, _| op.suppress_helpers = true),
    (Clause::ComHelper, |_, op, _| op.suppress_helpers = false),
    (Clause::ComInactive, |_, _, lanes| lanes.active = LaneMask::ALL),
    (Clause::ComIllegal, |_, op, _| {
        if model::legal(op) {
            return;
        }
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
    // Some of the bits above an address are not looked at.
    (Clause::Spa5Ea64, |_, op, lanes| {
        if is(op, AddrMode::Reg64) {
            readdress(op, lanes, |ea| ea & 0xffff_ffff_ffff);
        }
    }),
    (Clause::Spa5Ea64, |_, op, lanes| {
        if is(op, AddrMode::Reg64) {
            readdress(op, lanes, |ea| ea & 0xff_ffff_ffff_ffff);
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
    // Every lane has a register of the lowest.
    (Clause::Spa5Ea64, |_, op, lanes| if is(op, AddrMode::Reg64) { of_lowest(lanes, 1) }),
    (Clause::Spa5Ea64, |_, op, lanes| if is(op, AddrMode::Reg64) { of_lowest(lanes, 0) }),
    (Clause::Spa5Ea32, |_, op, lanes| if is(op, AddrMode::Reg32) { of_lowest(lanes, 0) }),
    // A 32-bit sum past the last address stays there.
    (Clause::Spa5Ea32, |_, op, lanes| {
        if is(op, AddrMode::Reg32) && op.imm as i32 >= 0 {
            lanes.addr.iter_mut().for_each(|words| words[0] = words[0].saturating_add(op.imm as u32));
            op.imm = 0;
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
];

/// The memory of an address, and its bounds.
const MEMORIES: &[Bend] = &[
    (Clause::Spa5Space, |_, _, lanes| lanes.predicate = !lanes.predicate),
    (Clause::Spa5Space, |_, _, lanes| lanes.predicate = LaneMask::ALL),
    (Clause::Spa5Space, |_, _, lanes| lanes.predicate = LaneMask::NONE),
    // Every lane has the predicate of the lowest.
    (Clause::Spa5Space, |_, _, lanes| {
        lanes.predicate = if lanes.predicate.contains(0) { LaneMask::ALL } else { LaneMask::NONE };
    }),
    // An address in the shared window is shared, whatever the predicate says.
    (Clause::Spa5Window, |ctrl, op, lanes| {
        let Range { base, size } = ctrl.shared_window;
        let mut place = 0;
        let mut inside = LaneMask::NONE;
        readdress(op, lanes, |ea| {
            inside.insert_if(ea >= base && ea - base < size, place);
            place += 1;
            ea
        });
        lanes.predicate -= inside;
    }),
    (Clause::Spa5Window, |ctrl, _, _| ctrl.local_window.size = 0),
    (Clause::Spa5Window, |ctrl, _, _| ctrl.local_window.size += 1),
    (Clause::Spa5Window, |ctrl, _, _| ctrl.shared_window.size += 1),
    (Clause::Spa5Window, |ctrl, _, _| ctrl.local_window.size += 32),
    (Clause::Spa5Window, |ctrl, _, _| ctrl.local_window.size = ctrl.local_window.size.saturating_sub(32)),
    (Clause::Spa5Window, |ctrl, _, _| ctrl.shared_window.size += 32),
    (Clause::Spa5Window, |ctrl, _, _| ctrl.shared_window.size = ctrl.shared_window.size.saturating_sub(32)),
    (Clause::Spa5Window, |ctrl, _, _| ctrl.shared_window = EVERYWHERE),
    // A window is as large as what is allocated in it.
    (Clause::Spa5Window, |ctrl, _, _| ctrl.shared_window.size = ctrl.shared_size.into()),
    (Clause::Spa5Window, |ctrl, _, _| ctrl.local_window.size = ctrl.local_memory.size.into()),
    // Upper bits of a window's place or size are not looked at.
    (Clause::Spa5Window, |ctrl, _, _| ctrl.shared_window.base &= 0xffff_ffff),
    (Clause::Spa5Window, |ctrl, _, _| ctrl.local_window.base &= 0xffff_ffff),
    (Clause::Spa5Window, |ctrl, _, _| ctrl.local_window.size &= 0xffff),
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
    (Clause::ComPrivate, |ctrl, _, _| ctrl.local_memory.base &= 0xffff_ffff),
    (Clause::ComPrivate, |_, op, _| op.warp = 0),
    (Clause::ComPrivate, |ctrl, _, _| ctrl.local_memory.size = u32::MAX - 31),
    (Clause::ComPrivate, |ctrl, op, _| {
        ctrl.local_memory.size = ctrl.local_memory.size.saturating_add(op.access_bytes())
    }),
    (Clause::ComPrivate, |ctrl, _, _| ctrl.local_memory.size += 32),
    (Clause::ComPrivate, |ctrl, _, _| ctrl.local_memory.size = ctrl.local_memory.size.saturating_sub(32)),
];

/// What makes many addresses out of bounds.
const NOWHERE: &[Bend] = &[
    (Clause::Spa5Oob, |ctrl, _, _| ctrl.shared_size = u32::MAX - 31),
    (Clause::Spa5Oob, |ctrl, _, _| ctrl.shared_size += 32),
    (Clause::Spa5Oob, |ctrl, _, _| ctrl.shared_size = ctrl.shared_size.saturating_add(1)),
    (Clause::Spa5Window, |ctrl, _, _| ctrl.shared_window.size = 0),
    (Clause::ComPrivate, |ctrl, _, _| ctrl.local_memory.size = 0),
    (Clause::Spa5Oob, |ctrl, _, _| ctrl.shared_size = 0),
    // The registers of the pair change places, which leads nearly every address out of every window.
    (Clause::Spa5Ea64, |_, op, lanes| {
        if is(op, AddrMode::Reg64) {
            lanes.addr.iter_mut().for_each(|words| words.swap(0, 1));
        }
    }),
];
