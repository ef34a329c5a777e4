// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lane addresses of PTX: generic ones near the windows, offsets in the spaces that are written out, and one place
//! where all warps meet.

use rand::{Rng, RngExt};

use super::{Source, spa5::Targets};
use crate::op::{AddrMode, Ctrl, Lanes, MAX_LANES, Op, Range, Shape, Space};

/// Size in bytes of the place where all warps meet: large enough for lines of their own, small enough to meet.
const MEETING: u64 = 0x200;

/// The targets of addresses, by the space that is written out.
pub struct Places {
    generic: Targets,
    /// The shared window, for generic addresses.
    scratchpad: Targets,
    /// The allocated part of the shared window.
    allocated: Range,
    local: Targets,
    shared: Targets,
    cluster: Targets,
    param: Targets,
    meeting: Range,
}

impl Places {
    /// The places of a case, for its control registers.
    pub fn new(rng: &mut Source, ctrl: &Ctrl) -> Self {
        let global: Vec<Range> = ctrl.alloc.iter().copied().filter(|range| range.size > 0).collect();
        let mut meeting = match global.is_empty() {
            true => Range { base: 0, size: 0x20 },
            false => global[rng.random_range(0..global.len())],
        };
        meeting.size = meeting.size.min(MEETING);
        Places {
            generic: Targets::new(ctrl),
            scratchpad: Targets::new(&Ctrl {
                shared_window: ctrl.shared_window,
                shared_size: ctrl.shared_size,
                ..Ctrl::default()
            }),
            allocated: Range {
                base: ctrl.shared_window.base,
                size: ctrl.shared_window.size.min(ctrl.shared_size.into()),
            },
            local: Targets::offsets(ctrl.local_memory.size.into(), ctrl.local_window),
            shared: Targets::offsets(ctrl.shared_size.into(), ctrl.shared_window),
            cluster: Targets::offsets(ctrl.cluster.size, ctrl.cluster),
            param: Targets::offsets(ctrl.param_memory.size.into(), ctrl.local_window),
            meeting,
        }
    }

    /// Whether the allocated scratchpad has 256 bits for each lane.
    pub fn are_wide(&self, shape: &Shape) -> bool {
        self.allocated.size >= 32 * shape.lanes as u64
    }

    /// Gives every lane different words: the longer the banks take, the more there is to wait for.
    fn spread(&self, rng: &mut Source, shape: &Shape, bytes: u64, lanes: &mut Lanes, ea: &mut [u64; MAX_LANES]) {
        let size = self.allocated.size;
        let room = size.saturating_sub(bytes * shape.lanes as u64);
        let start = rng.random_range(0..=room) / bytes * bytes;
        (0..).zip(&mut ea[..shape.lanes]).for_each(|(lane, ea)| *ea = start + lane * bytes);
        lanes.active = shape.lane_mask();
    }

    /// The place where all warps meet.
    pub fn meeting(&self) -> Range {
        self.meeting
    }

    fn of(&self, space: u8) -> &Targets {
        match Space::from_code(space) {
            Some(Space::Local) => &self.local,
            Some(Space::Shared) => &self.shared,
            Some(Space::Cluster) => &self.cluster,
            Some(Space::Param) => &self.param,
            _ => &self.generic,
        }
    }

    /// Gives every lane an address, or an offset in the scratchpad if `scratchpad`, and the operation an offset that
    /// produces it.
    pub fn fill(&self, rng: &mut Source, shape: &Shape, scratchpad: bool, op: &mut Op, lanes: &mut Lanes) {
        let bytes = u64::from(op.access_bytes());
        let mut ea = [0; MAX_LANES];
        let bits = rng.next_u64();
        let global = [Space::Generic as u8, Space::Global as u8].contains(&op.space);
        let targets = match bits & 15 {
            _ if scratchpad => Some(&self.shared),
            0..=1 if op.space == Space::Generic as u8 => Some(&self.scratchpad),
            0..=11 if global => None,
            _ => Some(self.of(op.space)),
        };
        match targets {
            None => self.meet(rng, shape, bytes, &mut ea),
            Some(targets) => {
                let predicate = lanes.predicate;
                targets.pattern(rng, shape, bytes, lanes, &mut ea);
                lanes.predicate = predicate;
                if scratchpad && rng.random() {
                    self.spread(rng, shape, bytes, lanes, &mut ea);
                }
            }
        }
        let bits = bits >> 2;
        if bits >> 2 & 3 == 0 {
            let off = rng.next_u64();
            for (lane, ea) in ea[..shape.lanes].iter_mut().enumerate() {
                *ea = ea.wrapping_add(off.rotate_left(lane as u32) & 31);
            }
        }
        let garbage = (bits >> 32) as u32;
        if op.addr_mode == AddrMode::Abs as u8 {
            // All lanes share the address, and their address words do not matter.
            op.imm = ea[0];
            for (lane, words) in lanes.addr.iter_mut().enumerate().take(shape.lanes) {
                *words = [garbage ^ lane as u32, garbage.rotate_left(lane as u32), 0];
            }
            return;
        }
        // The offset is absent, small, of 32 bits, or of 64 bits.
        op.imm = match bits >> 4 & 7 {
            0 | 1 => 0,
            2..=4 => (((bits >> 8) as i32) >> 20) as u64,
            5 | 6 => (bits >> 8) as i32 as u64,
            _ => rng.next_u64(),
        };
        for (words, ea) in lanes.addr.iter_mut().zip(&ea).take(shape.lanes) {
            let base = ea.wrapping_sub(op.imm);
            *words = [base as u32, (base >> 32) as u32, 0];
        }
    }

    /// Gives the lanes a few bytes or lines in which all warps meet.
    fn meet(&self, rng: &mut Source, shape: &Shape, bytes: u64, ea: &mut [u64; MAX_LANES]) {
        let bits = rng.next_u64();
        let Range { base, size } = self.meeting;
        let start = (bits >> 8) % size.max(1) / bytes * bytes;
        // One place for all lanes, a unit stride, or a random place for each lane.
        for (lane, ea) in (0..).zip(ea[..shape.lanes].iter_mut()) {
            let offset = match bits & 7 {
                0 => start,
                1..=4 => start + lane * bytes,
                _ => rng.next_u64() % size.max(1) / bytes * bytes,
            };
            *ea = base + offset % size.max(1);
        }
    }
}
