// SPDX-License-Identifier: MIT OR Apache-2.0
//! Directed streams of stores without stalls, in which the unit must keep its full rate (PORT-RATE, PORT-BANK),
//! whatever the space. In addition, mmio of one warp must not keep other warps from the memory port, and scratchpad
//! accesses of other warps must not hold up a release (PORT-FAIR).

use rand::{Rng, RngExt};

use crate::{
    cosim::{
        case::{Answer, Case, Issue, Rate},
        stimulus::{
            Source,
            directed::{conflict, directed, most_conflicts},
        },
    },
    op::{
        AddrMode, Attr, Cache, Ctrl, Kind, LaneMask, Lanes, MAX_LANES, Op, Range, Scope, Semantics, Shape, Space,
    },
};

const GLOBAL: u64 = 0x10_0000;
const SHARED: u64 = 0x100_0000;

/// The number of kinds, and the two that keep no rate: with mmio, and with releases while other warps occupy the
/// scratchpad.
const KINDS: u64 = 6;
const MMIO: u64 = 4;
const RELEASES: u64 = 5;
/// In these two, one operation in this many is an mmio, or a release, of a warp that has nothing else.
const RARE: u64 = 4;

/// Makes the stream number `which`. The kinds take turns.
pub fn stream(rng: &mut Source, which: u64, shape: &Shape, operations: u64) -> Case {
    let (line, banks) = (shape.line_bytes as u64, shape.lanes as u64);
    let wide = rng.random_range(0..4).min(most_conflicts(shape));
    let (mmio, releases) = (which % KINDS == MMIO, which % KINDS == RELEASES);
    let (rate, space, elements) = match which % KINDS {
        0 | MMIO => (Rate::Operations, Space::Global, 1),
        1 => (Rate::Requests, Space::Generic, 1),
        // Several words of one bank, each for one lane or more.
        2 => (Rate::Banks(1 << rng.random_range(0..=most_conflicts(shape))), Space::Shared, 1),
        RELEASES => (Rate::Banks(1 << most_conflicts(shape)), Space::Shared, 1),
        // A unit stride of 32 to 256 bits, which costs as many cycles as registers.
        _ => (Rate::Banks(1 << wide), Space::Generic, 1u8 << wide),
    };
    let op = Op {
        kind: Kind::Store as u8,
        addr_mode: AddrMode::Reg64 as u8,
        space: space as u8,
        element_bytes: 4,
        element_count: elements,
        element_mask: (u16::MAX >> (16 - elements)) as u8,
        suppress_helpers: true,
        attr: Attr { cache_op: Cache::Wb as u8, ..Attr::default() },
        ..Op::default()
    };
    let bytes = u64::from(op.access_bytes());
    let issues = (0..operations).map(|number| {
        let mut lanes = Lanes { active: shape.lane_mask(), ..Lanes::default() };
        for (lane, words) in (0..).zip(lanes.addr.iter_mut().take(shape.lanes)) {
            words[0] = match rate {
                // A line for each operation.
                Rate::Operations => GLOBAL + number * line + lane * 4 % line,
                // A line for each lane.
                Rate::Requests => GLOBAL + (number * banks + lane) * line,
                Rate::Banks(_) if space == Space::Generic => SHARED + lane * bytes,
                Rate::Banks(cost) => conflict(lane, number, cost, banks) * 4,
            } as u32;
        }
        let mut data = vec![[0; MAX_LANES]; op.data_beats() as usize];
        let words = data.iter_mut().flat_map(|register| &mut register[..shape.lanes]);
        words.for_each(|word| *word = rng.next_u64() as u32);
        let warps = shape.warps as u64;
        if mmio && number % RARE == 0 {
            // Two lanes make one request after the other.
            lanes.active = LaneMask::from_bits(3);
            let attr = Attr { semantics: Semantics::Mmio as u8, scope: Scope::Sys as u8, ..op.attr };
            return Issue { op: Op { attr, ..op }, lanes, data, inst: None };
        }
        if releases && number % RARE == 0 {
            let lane_words = lanes.addr.iter_mut().take(shape.lanes);
            (0..).zip(lane_words).for_each(|(lane, words)| words[0] = (GLOBAL + number * line + lane * 4 % line) as u32);
            let attr = Attr { semantics: Semantics::Release as u8, scope: Scope::Sys as u8, ..op.attr };
            let op = Op { attr, space: Space::Global as u8, ..op };
            return Issue { op, lanes, data, inst: None };
        }
        let warp = match mmio || releases {
            true => 1 + (number % (warps - 1).max(1)) as u8,
            false => (number % warps) as u8 & if (which / KINDS).is_multiple_of(2) { 7 } else { 0 },
        };
        Issue { op: Op { warp, ..op }, lanes, data, inst: None }
    });
    let issues = issues.collect();
    let mut ctrl = Ctrl {
        shared_window: Range { base: SHARED, size: 0x8000 },
        shared_size: (shape.lanes * shape.lanes * 4).max(32 * shape.lanes).min(shape.shared_bytes) as u32,
        ..Ctrl::default()
    };
    ctrl.alloc[0] = Range { base: GLOBAL, size: SHARED - GLOBAL };
    let mut case = directed(rng, shape, ctrl, issues, rate);
    if releases {
        case.rate = None;
    }
    if mmio {
        let slow = Answer { apply: 0, answer: rng.random_range(24..64), scope: Scope::Sys as u8, last: 0 };
        (case.schedule.answers, case.rate) = (vec![slow], None);
    }
    case
}
