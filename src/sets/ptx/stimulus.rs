// SPDX-License-Identifier: MIT OR Apache-2.0
//! Stores of PTX, made as operations, in every form to which some statement lowers, and in forms that no statement has
//! and the op port carries: eight elements of 8 or 16 bits (PTX-L19), 256 bits to .shared (PTX-L12), and rarer ones
//! (`unstated`). Lanes go near the edges of windows and spaces, and warps meet in a few lines.
//!
//! Loads of SPA 5.0 are mixed in, to the same lines and the same scratchpad, because they show where stores went.

mod address;
mod config;
mod rate;

use rand::{Rng, RngExt};

use crate::{
    cosim::case::{Case, Issue},
    cosim::stimulus::{Ground, Maker, Stimulus, Source, mask},
    op::{
        AddrMode, Attr, Cache, Ctrl, Kind, LaneMask, Lanes, MAX_LANES, Op, Priority, Range, Scope, Semantics, Shape,
        Space,
    },
    sets::{Isa, spa5::stimulus as spa5},
};

use address::Places;

/// Makes stores of PTX, and the operations among them.
pub struct Stores {
    shape: Shape,
    places: Places,
    /// Targets of other operations: everywhere, or where the stores meet.
    others: [spa5::Targets; 2],
    /// Mask of a warp's number. With few warps there are long chains of releases.
    warps: u8,
    /// The warp whose next store is a release.
    follow: Option<u8>,
    /// Whether half of the stores have 256 bits for the scratchpad, which no statement makes (PTX-L12). Releases then
    /// find the scratchpad busy, and little else.
    busy: bool,
}

impl Stores {
    /// Prepares the stores of a case.
    pub fn new(rng: &mut Source, ctrl: &Ctrl, shape: &Shape) -> Self {
        let places = Places::new(rng, ctrl);
        let mut near = *ctrl;
        near.alloc = [Range::default(); 8];
        near.alloc[0] = places.meeting();
        let others = [spa5::Targets::new(ctrl), spa5::Targets::new(&near)];
        let busy = places.are_wide(shape) && rng.random();
        let warps = if busy { 7 } else { [7, 7, 1, 0][rng.random_range(0..4)] };
        Stores { shape: *shape, places, others, warps, follow: None, busy }
    }

    /// Makes a load or store of SPA 5.0, near the stores of PTX.
    pub fn neighbour(&mut self, rng: &mut Source) -> Issue {
        let targets = &self.others[usize::from(rng.random::<bool>())];
        let mut issue = spa5::issue(rng, &self.shape, targets);
        issue.op.warp = self.warp(issue.op.warp, false);
        self.follow = rng.random_ratio(1, 4).then_some(issue.op.warp);
        issue
    }

    /// Warps that keep the scratchpad busy have nothing else for which their releases would wait.
    fn warp(&self, warp: u8, busy: bool) -> u8 {
        match (self.busy, busy) {
            (true, true) => warp & 3,
            (true, false) => warp & 3 | 4,
            _ => warp & self.warps,
        }
    }

    /// Makes a store of PTX with its lanes.
    fn store(&mut self, rng: &mut Source) -> Issue {
        let bits = rng.next_u64();
        let follow = self.follow.take();
        let mut op = operation(rng, follow.is_some());
        if bits >> 46 & 31 == 0 {
            unstated(rng, &mut op);
        }
        let busy = self.busy && follow.is_none() && bits >> 42 & 1 == 0;
        op.warp = follow.unwrap_or(self.warp(bits as u8, busy));
        if busy {
            let attr = Attr { cache_op: Cache::Wb as u8, ..Attr::default() };
            // A generic address of 256 bits does not reach the scratchpad (PTX-GLOBAL-ONLY).
            op = Op { space: Space::Shared as u8, attr, ..op };
            (op.element_bytes, op.element_count, op.element_mask) = (4, 8, 0xff);
        }
        self.follow = (busy || bits >> 40 & 3 == 0).then_some(op.warp);
        op.suppress_helpers = bits >> 3 & 7 != 0;
        let mut lanes = Lanes {
            active: mask(rng, &self.shape, bits >> 6 & 7),
            helper: if bits >> 9 & 7 == 0 { mask(rng, &self.shape, bits >> 12 & 7) } else { LaneMask::NONE },
            predicate: LaneMask::from_bits((bits >> 32) as u32) & self.shape.lane_mask(),
            addr: [[0; 3]; MAX_LANES],
        };
        // mmio makes one request a lane, one after the other: with all lanes it would fill most of the campaign.
        if is_mmio(Semantics::from_code(op.attr.semantics)) && bits >> 15 & 3 != 0 {
            lanes.active &= LaneMask::from_bits(rng.next_u64() as u32 & rng.next_u64() as u32);
        }
        self.places.fill(rng, &self.shape, busy, &mut op, &mut lanes);
        let mut data = vec![[0; MAX_LANES]; op.data_beats() as usize];
        for register in &mut data {
            for pair in register[..self.shape.lanes].chunks_exact_mut(2) {
                let value = rng.next_u64();
                (pair[0], pair[1]) = (value as u32, (value >> 32) as u32);
            }
        }
        if bits >> 20 & 63 == 0 {
            spoil(rng, &mut op);
        }
        Issue { op, lanes, data, inst: None }
    }
}

/// Makes a legal form. Its address is filled in later, with the lanes.
fn operation(rng: &mut Source, release: bool) -> Op {
    use Space::{Cluster, Generic, Global, Local, Param, Shared};
    let bits = rng.next_u64();
    let space = match bits & 15 {
        0..=5 => Generic,
        6..=9 => Global,
        10 => Local,
        11 | 12 => Shared,
        13 => Cluster,
        14 => Param,
        _ => [Local, Param, Cluster, Shared][(bits >> 4) as usize & 3],
    };
    let private = matches!(space, Local | Param);
    let global = matches!(space, Generic | Global);
    let semantics = match bits >> 6 & 31 {
        0..=1 if space == Local => Semantics::Volatile,
        _ if private => Semantics::Weak,
        _ if release && global && bits >> 6 & 31 == 0 => Semantics::MmioRelease,
        _ if release => Semantics::Release,
        0..=13 => Semantics::Weak,
        14..=16 => Semantics::Volatile,
        17..=19 => Semantics::Relaxed,
        20 if global => [Semantics::Mmio, Semantics::MmioRelease][(bits >> 30) as usize & 1],
        _ => Semantics::Release,
    };
    let scope = match semantics {
        Semantics::Weak => 0,
        Semantics::Relaxed | Semantics::Release => (bits >> 11) as u8 & 3,
        Semantics::Volatile | Semantics::Mmio | Semantics::MmioRelease => Scope::Sys as u8,
    };
    let scalar = is_mmio(Some(semantics));
    let (element_bytes, element_count) = match bits >> 13 & 7 {
        0 if (global || space == Shared) && !scalar => [(4, 8), (8, 4)][(bits >> 16) as usize & 1],
        _ => {
            let bytes = 1u8 << ((bits >> 17) % 5);
            let most = if scalar { 1 } else { (16 / bytes).min(8) };
            (bytes, 1 << (bits >> 20 & 3).min(most.ilog2().into()))
        }
    };
    let mut op = Op {
        kind: Kind::Store as u8,
        addr_mode: if bits >> 22 & 15 == 0 { AddrMode::Abs } else { AddrMode::Reg64 } as u8,
        space: space as u8,
        element_bytes,
        element_count,
        element_mask: (u16::MAX >> (16 - element_count)) as u8,
        attr: Attr { cache_op: Cache::Wb as u8, semantics: semantics as u8, scope, ..Attr::default() },
        ..Op::default()
    };
    let wide = op.access_bytes() == 32;
    // No statement has sinks among elements narrower than a word, of which several share one, but the ports allow them.
    let sinks = if wide || !stated(&op) { bits >> 26 & 1 == 0 } else { element_bytes < 4 && bits >> 38 & 3 == 0 };
    if sinks {
        let half = (1 << (op.element_count / 2)) - 1;
        let values = match bits >> 35 & 7 {
            0 => half,
            1 => !half,
            _ => (bits >> 27) as u8,
        };
        op.element_mask = if op.element_mask & values == 0 { 1 } else { op.element_mask & values };
    }
    policy(rng, semantics, global, wide, &mut op.attr);
    op
}

/// Turns an operation into one of the forms that are legal at the ports, though nearly no statement has them: two
/// elements of 16 bytes, 256 bits in any space, several elements of mmio, and an order in memory that a thread has for
/// itself.
fn unstated(rng: &mut Source, op: &mut Op) {
    let semantics = match rng.random_range(0..4) {
        0 => [Semantics::Mmio, Semantics::MmioRelease][rng.random_range(0..2)],
        1 => [Semantics::Volatile, Semantics::Relaxed, Semantics::Release][rng.random_range(0..3)],
        _ => Semantics::Weak,
    };
    let (spaces, sizes): (&[Space], &[(u8, u8)]) = match semantics {
        Semantics::Mmio | Semantics::MmioRelease => (&[Space::Global], &[(16, 2), (4, 8), (4, 2)]),
        Semantics::Weak => {
            (&[Space::Global, Space::Local, Space::Param, Space::Cluster, Space::Shared], &[(16, 2), (8, 4), (4, 8)])
        }
        _ => (&[Space::Local, Space::Param], &[(4, 1), (4, 4), (16, 1)]),
    };
    op.space = spaces[rng.random_range(0..spaces.len())] as u8;
    (op.element_bytes, op.element_count) = sizes[rng.random_range(0..sizes.len())];
    let all = (u16::MAX >> (16 - op.element_count)) as u8;
    let values = if op.access_bytes() == 32 { rng.next_u64() as u8 & all } else { all };
    op.element_mask = if values == 0 { all } else { values };
    let scope = if semantics == Semantics::Weak { 0 } else { Scope::Sys as u8 };
    op.attr = Attr { cache_op: Cache::Wb as u8, semantics: semantics as u8, scope, ..Attr::default() };
}

fn is_mmio(semantics: Option<Semantics>) -> bool {
    matches!(semantics, Some(Semantics::Mmio | Semantics::MmioRelease))
}

/// Whether some statement stores this number of elements of this size (PTX-L19).
fn stated(op: &Op) -> bool {
    op.element_count < 8 || op.element_bytes >= 4
}

/// Sets cache operator, priorities and hint, where PTX allows them (PTX-L6 to PTX-L9).
fn policy(rng: &mut Source, semantics: Semantics, global: bool, wide: bool, attr: &mut Attr) {
    let bits = rng.next_u64();
    if is_mmio(Some(semantics)) {
        return;
    }
    if semantics == Semantics::Weak && bits & 3 == 0 {
        attr.cache_op = [Cache::Wb, Cache::Cg, Cache::Cs, Cache::Wt][(bits >> 2) as usize & 3] as u8;
    } else if global && semantics != Semantics::Volatile && bits >> 4 & 3 == 0 {
        attr.l1_priority = Priority::ALL[(bits >> 6) as usize % Priority::ALL.len()] as u8;
    }
    if wide && bits >> 12 & 1 == 0 {
        attr.l2_priority = [Priority::Normal, Priority::First, Priority::Last][(bits >> 13) as usize % 3] as u8;
    }
    if global && semantics != Semantics::Volatile && bits >> 20 & 7 == 0 {
        (attr.policy_valid, attr.policy) = (true, rng.next_u64());
    }
}

/// Turns an operation into one that no front end lets through (COM-ILLEGAL).
fn spoil(rng: &mut Source, op: &mut Op) {
    match rng.random_range(0..8) {
        7 => {
            (op.element_bytes, op.element_count) = [(16, 4), (16, 8), (8, 8)][rng.random_range(0..3)];
            op.element_mask = 1 << rng.random_range(0..op.element_count);
        }
        0 => op.kind = [0, 2, 3][rng.random_range(0..3)],
        1 => op.addr_mode = [1, 4, 5, 6, 7][rng.random_range(0..5)],
        2 => op.element_bytes = [0, 3, 5, 6, 7, 9, 12, 15, 17, 20, 24, 31][rng.random_range(0..12)],
        3 => op.element_count = [0, 3, 5, 6, 7, 9, 12, 15][rng.random_range(0..8)],
        4 => {
            op.element_mask = match rng.random() {
                true => 0,
                false => (1u16 << op.element_count.min(7)) as u8 | if op.element_bytes < 4 { op.element_mask } else { 0 },
            };
            // With eight elements no mask bit can be one too many, so that the access gets too many bytes.
            (op.element_count == 8).then(|| op.element_bytes = 8);
        }
        5 => op.attr.semantics = rng.random_range(6..8),
        _ => {
            let elsewhere = [Space::Local, Space::Shared, Space::Cluster, Space::Param];
            op.attr.semantics = [Semantics::Mmio, Semantics::MmioRelease][rng.random_range(0..2)] as u8;
            op.space = elsewhere[rng.random_range(0..4)] as u8;
        }
    }
}

impl Stimulus for super::Set {
    const BESIDE: &'static [Isa] = &[Isa::Spa5];
    const COMPANY: Option<&'static str> = Some("with loads and stores of spa5 among those of ptx, one in 4");
    const SCOPED: bool = true;

    fn stream(rng: &mut Source, which: u64, shape: &Shape, operations: u64) -> Case {
        rate::stream(rng, which, shape, operations)
    }

    fn ground(rng: &mut Source, shape: &Shape, ground: &mut Ground) {
        config::control(rng, shape, &mut ground.ctrl);
        ground.bus_errors = config::bus_errors(rng, &ground.ctrl);
    }

    fn used(ctrl: &Ctrl) -> Vec<Range> {
        config::used(ctrl)
    }

    fn maker(rng: &mut Source, ctrl: &Ctrl, shape: &Shape) -> Box<dyn Maker> {
        Box::new(Stores::new(rng, ctrl, shape))
    }
}

/// One operation in four is not a store of PTX.
impl Maker for Stores {
    fn issue(&mut self, rng: &mut Source, _: &[Issue]) -> Issue {
        if rng.random_ratio(3, 4) { self.store(rng) } else { self.neighbour(rng) }
    }
}
