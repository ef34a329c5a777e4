// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random `atomic_cmp_store` operations: every form that some instruction lowers to, on words that all warps and other
//! masters want, with lanes at the edges of every resource.
//!
//! Loads and stores of SPA 5.0 are mixed in, to the same lines and the same scratchpad: the values that they find show
//! what was stored.

mod address;
mod config;
mod rate;
mod turns;
mod values;

use rand::{Rng, RngExt};

use crate::{
    cosim::case::{Bytes, Case, Issue},
    cosim::stimulus::{Ground, Maker, Stimulus, Source, irrelevant::irrelevant, mask},
    op::{AddrMode, Attr, Cache, Ctrl, Kind, LaneMask, Lanes, MAX_LANES, Op, Range, Resource, Shape, Space},
    sets::{Isa, spa5::stimulus as spa5},
};


/// Words of a resource that start with small values.
const WORDS: u64 = 32;

/// Makes compare-and-stores, and the loads and stores among them.
pub struct Stores {
    shape: Shape,
    ctrl: Ctrl,
    /// Where loads and stores find what was stored.
    others: spa5::Targets,
    /// The bits of a warp's number that are used.
    warps: u8,
    /// The bits of a slot's number that are used: mostly all, or few, so that operations meet.
    slots: u8,
    /// All operations go to the wide u#, and each lane to a line of its own: many pairs wait at once.
    apart: bool,
}

impl Stores {
    /// The operations of a case.
    pub fn new(rng: &mut Source, ctrl: &Ctrl, shape: &Shape) -> Self {
        let mut near = *ctrl;
        near.alloc = [Range::default(); 8];
        let lines = |uav: &crate::op::Uav| {
            let base = uav.base / 32 * 32;
            Range { base, size: (4 * WORDS).min((1 << 40) - base) }
        };
        for (range, uav) in near.alloc.iter_mut().zip(&ctrl.uav) {
            *range = lines(uav);
        }
        Stores {
            shape: *shape,
            ctrl: *ctrl,
            others: spa5::Targets::new(&near),
            warps: [7, 7, 7, 1, 0][rng.random_range(0..5)],
            slots: [7, 7, 3, 0][rng.random_range(0..4)],
            apart: config::is_wide(ctrl) && rng.random(),
        }
    }

    /// A load or store of SPA 5.0, in the same places. Later compare-and-stores compare with what it stores.
    pub fn neighbour(&mut self, rng: &mut Source) -> Issue {
        let mut issue = spa5::issue(rng, &self.shape, &self.others);
        issue.op.warp &= self.warps;
        for word in issue.data.iter_mut().flat_map(|register| &mut register[..self.shape.lanes]) {
            *word = values::small(rng);
        }
        issue
    }

    /// A compare-and-store with its lanes.
    fn compare(&mut self, rng: &mut Source) -> Issue {
        let bits = rng.next_u64();
        let group = bits >> 60 & 7 < 3 && !self.apart;
        let slot = if self.apart { config::WIDE as u8 } else { (bits >> 2) as u8 & self.slots };
        let kind = match group {
            true => self.ctrl.tgsm[usize::from(slot)].kind,
            false => self.ctrl.uav[usize::from(slot)].kind,
        };
        let mode = match Resource::from_code(kind) {
            // Now and then the mode is not that of the slot.
            _ if bits >> 5 & 31 == 0 => (bits >> 10) as u8 % if group { 2 } else { 3 } + AddrMode::Raw as u8,
            Some(Resource::Structured) => AddrMode::Struct as u8,
            Some(Resource::Typed) => AddrMode::Typed as u8,
            Some(Resource::Raw) => AddrMode::Raw as u8,
            _ => (bits >> 10) as u8 % if group { 2 } else { 3 } + AddrMode::Raw as u8,
        };
        let mut op = Op {
            kind: Kind::CmpStore as u8,
            addr_mode: mode,
            space: if group { Space::Tgsm } else { Space::Uav } as u8,
            warp: (bits >> 14) as u8 & self.warps,
            element_bytes: 4,
            element_count: 1,
            element_mask: 1,
            slot,
            suppress_helpers: bits >> 17 & 7 != 0,
            attr: attributes(rng),
            ..Op::default()
        };
        if bits >> 20 & 7 == 0 {
            irrelevant(rng, &mut op);
        }
        let mut lanes = Lanes {
            active: mask(rng, &self.shape, bits >> 24 & 7),
            helper: if bits >> 27 & 3 == 0 { mask(rng, &self.shape, bits >> 29 & 7) } else { LaneMask::NONE },
            predicate: LaneMask::from_bits((bits >> 32) as u32) & self.shape.lane_mask(),
            addr: [[0; 3]; MAX_LANES],
        };
        if self.apart {
            address::apart(rng, &self.shape, &mut lanes.addr);
        } else {
            address::fill(rng, &self.shape, &self.ctrl, &op, &mut lanes.addr);
        }
        let data = values::registers(rng, &self.shape);
        if rng.random_ratio(1, 48) {
            spoil(rng, &mut op);
        }
        Issue { op, lanes, data, inst: None }
    }
}

/// The attributes for the memory port; none of them changes a value.
fn attributes(rng: &mut Source) -> Attr {
    let bits = rng.next_u64();
    if bits & 3 != 0 {
        return Attr { cache_op: Cache::Wb as u8, ..Attr::default() };
    }
    Attr {
        uniform: bits >> 25 & 1 == 1,
        cache_op: (bits >> 2) as u8 % 7,
        l1_priority: (bits >> 8) as u8 % 5,
        l2_priority: (bits >> 12) as u8 % 5,
        policy_valid: bits >> 16 & 1 == 1,
        policy: rng.next_u64(),
        semantics: (bits >> 17) as u8 % 5,
        scope: (bits >> 22) as u8 & 3,
        uncached: bits >> 24 & 1 == 1,
    }
}

/// Makes an operation that no front end lets through (COM-ILLEGAL).
fn spoil(rng: &mut Source, op: &mut Op) {
    match rng.random_range(0..6) {
        0 => op.kind = [0, 1, 3][rng.random_range(0..3)],
        1 => op.addr_mode = [0, 1, 2, 7][rng.random_range(0..4)],
        2 => (op.space, op.addr_mode) = (Space::Tgsm as u8, AddrMode::Typed as u8),
        3 => op.element_bytes = [0, 1, 2, 3, 5, 8, 16, 20][rng.random_range(0..8)],
        4 => op.element_count = [0, 2, 3, 4, 8][rng.random_range(0..5)],
        _ => op.element_mask = [0, 2, 3, 0xff][rng.random_range(0..4)],
    }
}

/// Binds the slots of a case, puts small values in the first words of every resource, and gives the memory exclusives
/// that fail in every way.
pub fn prepare(rng: &mut Source, shape: &Shape, case: &mut Case) {
    config::control(rng, shape, &mut case.ctrl);
    let used = config::used(&case.ctrl);
    for &range in &used {
        case.memory.push(values::contents(rng, range));
    }
    for tgsm in case.ctrl.tgsm {
        let Bytes { bytes, .. } = values::contents(rng, Range { base: 0, size: u64::from(tgsm.size).min(4 * WORDS) });
        case.shared.push(Bytes { addr: tgsm.base.into(), bytes });
    }
    let [errors, write_errors, no_exclusives] = config::bad_lines(rng, &case.ctrl);
    case.bus_errors.extend(errors);
    (case.schedule.write_errors, case.schedule.no_exclusives) = (write_errors, no_exclusives);
    case.schedule.foreign.extend(values::foreign(rng, &used));
    case.schedule.foreign.sort_by_key(|access| access.cycle);
    case.schedule.refusals = match rng.random() {
        true => Vec::new(),
        // Some pairs are refused once, a few many times.
        false => (0..61).map(|_| [0, 0, 0, 1, 1, 2, 3, 9][rng.random_range(0..8)]).collect(),
    };
}

/// A compare-and-store of one dword, by a raw address.
fn raw(space: Space) -> Op {
    Op {
        kind: Kind::CmpStore as u8,
        addr_mode: AddrMode::Raw as u8,
        space: space as u8,
        element_bytes: 4,
        element_count: 1,
        element_mask: 1,
        suppress_helpers: true,
        attr: Attr { cache_op: Cache::Wb as u8, ..Attr::default() },
        ..Op::default()
    }
}

impl Stimulus for super::Set {
    const BESIDE: &'static [Isa] = &[Isa::Spa5];
    const COMPANY: Option<&'static str> = Some("with loads and stores of spa5 among those of sm5, one in 8");

    fn stream(rng: &mut Source, which: u64, shape: &Shape, operations: u64) -> Case {
        rate::stream(rng, which, shape, operations)
    }

    /// The slots are bound later, in `prepare`.
    fn ground(_: &mut Source, _: &Shape, _: &mut Ground) {}

    fn used(_: &Ctrl) -> Vec<Range> {
        Vec::new()
    }

    fn prepare(rng: &mut Source, shape: &Shape, case: &mut Case) {
        prepare(rng, shape, case);
    }

    fn maker(rng: &mut Source, ctrl: &Ctrl, shape: &Shape) -> Box<dyn Maker> {
        Box::new(Stores::new(rng, ctrl, shape))
    }
}

/// One in eight is no compare-and-store.
impl Maker for Stores {
    fn issue(&mut self, rng: &mut Source, _: &[Issue]) -> Issue {
        if rng.random_ratio(7, 8) { self.compare(rng) } else { self.neighbour(rng) }
    }
}
