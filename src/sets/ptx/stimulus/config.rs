// SPDX-License-Identifier: MIT OR Apache-2.0
//! Control registers of PTX: overlapping windows, parameter memory, and the cluster's shared memory.

use rand::{RngExt, SeedableRng};

use super::Source;
use crate::op::{ADDR_WIDTH, Ctrl, Private, Range, Shape};

/// All bases and sizes are multiples of this many bytes.
const UNIT: u64 = 32;
const TOP: u64 = 1 << ADDR_WIDTH;

fn multiple(rng: &mut Source, end: u64) -> u64 {
    rng.random_range(0..end.div_ceil(UNIT)) * UNIT
}

/// Sets what SPA 5.0 does not have. In half of the cases the windows overlap (PTX-SPACE).
pub fn control(rng: &mut Source, shape: &Shape, ctrl: &mut Ctrl) {
    if rng.random() {
        overlap(rng, ctrl);
    }
    // Some global memory ends where a window begins.
    let window = if rng.random() { ctrl.shared_window } else { ctrl.local_window };
    if window.base >= 0x1000 && rng.random_ratio(1, 4) {
        let size = multiple(rng, 0x1000) + UNIT;
        ctrl.alloc[1] = Range { base: window.base - size, size };
    }
    let size = multiple(rng, 0x200) + UNIT;
    let stride = size + if rng.random() { 0 } else { multiple(rng, 0x100) };
    let room = stride * (shape.warps * shape.lanes) as u64;
    // Parameter memory lies beside local memory, so that mistaking one for the other shows; or anywhere, or at the end.
    let base = match rng.random_range(0..3) {
        0 => ctrl.local_memory.base + multiple(rng, 0x400),
        1 => multiple(rng, TOP / 2) + TOP / 4,
        _ => TOP - room,
    };
    ctrl.param_memory = Private { base: base.min(TOP - room), stride: stride as u32, size: size as u32 };
    let size = if rng.random_ratio(1, 8) { 0 } else { multiple(rng, 0x800) + UNIT };
    let base = match rng.random_range(0..4) {
        0 => 0,
        1 => TOP - size,
        2 => multiple(rng, TOP - 0x1000),
        // The base need not be the start of a line.
        _ => multiple(rng, 0x1_0000) + UNIT,
    };
    ctrl.cluster = Range { base, size };
    // A random source of their own keeps what a seed makes of everything else unchanged.
    let mut own = Source::seed_from_u64(base ^ ctrl.param_memory.base);
    if own.random_ratio(1, 8) {
        enlarge(&mut own, shape, ctrl);
    }
}

/// Gives parameter memory a size and a stride, and the cluster a size, of which the upper bits count.
fn enlarge(own: &mut Source, shape: &Shape, ctrl: &mut Ctrl) {
    let exponent = own.random_range(12..=25);
    let size = multiple(own, 1 << exponent) + UNIT;
    let stride = size + multiple(own, 1 << 25);
    let room = stride * (shape.warps * shape.lanes) as u64;
    ctrl.param_memory =
        Private { base: ctrl.param_memory.base.min(TOP - room), stride: stride as u32, size: size as u32 };
    let cluster = &mut ctrl.cluster;
    if cluster.size > 0 {
        cluster.size = multiple(own, (TOP - cluster.base).min(1 << exponent)) + UNIT;
    }
}

/// Lays one window over an end of the other, inside it, or around it.
fn overlap(rng: &mut Source, ctrl: &mut Ctrl) {
    let (shared, local) = (ctrl.shared_window, &mut ctrl.local_window);
    let half = shared.size / 2 / UNIT * UNIT;
    (local.base, local.size) = match rng.random_range(0..5) {
        0 => (shared.base, local.size),
        1 => (shared.base + half, local.size),
        2 => (shared.base + half, (shared.size - half).min(UNIT)),
        3 => (shared.base.saturating_sub(local.size / 2 / UNIT * UNIT), local.size),
        _ => (shared.base.saturating_sub(UNIT), shared.size + 2 * UNIT),
    };
    local.base = local.base.min(TOP - local.size);
}

/// The ranges of spaces that SPA 5.0 does not have, where other masters write too.
pub fn used(ctrl: &Ctrl) -> Vec<Range> {
    let Private { base, size, .. } = ctrl.param_memory;
    vec![ctrl.cluster, Range { base, size: size.into() }]
}

/// A few lines of these spaces that answer with an error (COM-BUSERR).
pub fn bus_errors(rng: &mut Source, ctrl: &Ctrl) -> Vec<Range> {
    let mut ranges = Vec::new();
    for Range { base, size } in used(ctrl) {
        if size > 0 && rng.random_ratio(1, 6) {
            ranges.push(Range { base: base + multiple(rng, size), size: UNIT });
        }
    }
    ranges
}
