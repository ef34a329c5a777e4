// SPDX-License-Identifier: MIT OR Apache-2.0
//! Leads from a byte of a line to the lanes that access it, and to the register that it comes from or goes to.

use super::{BLOCK, names::Origin};
use crate::{
    judge::log::Issue,
    model::{self, Plan, Request, cas},
    op::{GROUP_REGISTERS, Kind, LaneMask, MAX_LINE_BYTES, Op},
};

/// Whether bit `at` of a line's bytes is set. `at` may be past the line.
fn has(bytes: u128, at: u64) -> bool {
    at < MAX_LINE_BYTES as u64 && bytes >> at & 1 == 1
}

/// The lanes of a request that move the byte at an address, ascending.
pub fn lanes(op: &Op, plan: &Plan, request: &Request, addr: u64) -> LaneMask {
    let mut lanes = LaneMask::NONE;
    let moves = |&lane: &usize| has(model::lane_bytes(op, plan, request, lane), addr.wrapping_sub(request.line));
    request.lanes.iter().filter(moves).for_each(|lane| lanes.insert(lane));
    lanes
}

/// The bytes of the line that belong to component `component` of a burst, for a lane.
fn component_bytes(op: &Op, plan: &Plan, request: &Request, component: usize, lane: usize) -> u128 {
    let mut one = Request { served: [LaneMask::NONE; GROUP_REGISTERS], ..request.clone() };
    one.served[component] = request.served[component];
    model::lane_bytes(op, plan, &one, lane)
}

/// The register from which a store's lane takes its byte at an address.
pub fn of(op: &Op, plan: &Plan, request: &Request, lane: usize, addr: u64) -> Origin {
    if op.is_burst() && op.kind == Kind::Store as u8 {
        let at = addr.wrapping_sub(request.line);
        let here = |&component: &usize| has(component_bytes(op, plan, request, component, lane), at);
        let component = (0..GROUP_REGISTERS).find(here).unwrap_or_default();
        return at_register(op, lane, GROUP_REGISTERS * usize::from(request.group) + component, addr as usize % 4);
    }
    within(op, lane, addr.wrapping_sub(plan.addr[lane]) as usize)
}

/// The register of the byte at an offset of the lane's access. Not for bursts.
pub fn within(op: &Op, lane: usize, offset: usize) -> Origin {
    if op.kind == Kind::CmpStore as u8 {
        return Origin { lane, register: 1, beat: 1, byte: offset % 4 };
    }
    let bytes = usize::from(op.element_bytes).max(1);
    let (element, rest) = (offset / bytes, offset % bytes);
    at_register(op, lane, element * bytes.div_ceil(4) + rest / 4, rest % 4)
}

fn at_register(op: &Op, lane: usize, register: usize, byte: usize) -> Origin {
    let below = (1u64 << (register % 64)) - 1;
    Origin { lane, register, beat: (op.registers() & below).count_ones() as usize, byte }
}

/// The value of the byte that a store's lane brought.
pub fn value(issue: &Issue, origin: &Origin) -> u8 {
    issue.beat(origin.beat, origin.lane).to_le_bytes()[origin.byte % 4]
}

/// The place among a store's lanes and registers that holds a byte, if there is exactly one.
pub fn only(issue: &Issue, lanes: LaneMask, value: u8) -> Option<Origin> {
    let mut registers = (0..64).filter(|register| issue.op.registers() >> register & 1 == 1);
    let beats: Vec<_> = match issue.op.kind == Kind::CmpStore as u8 {
        true => vec![0, 1],
        false => registers.by_ref().collect(),
    };
    let all = beats.iter().enumerate().flat_map(|(beat, &register)| {
        lanes.iter().flat_map(move |lane| (0..4).map(move |byte| Origin { lane, register, beat, byte }))
    });
    let mut found = all.filter(|origin| self::value(issue, origin) == value);
    found.next().filter(|_| found.next().is_none())
}

/// The bytes of a read's line that a register of a lane takes, lowest first; 0 if the answer does not fill the
/// register.
pub fn read_bytes(op: &Op, plan: &Plan, request: &Request, lane: usize, register: usize) -> u128 {
    let mut filled = model::delivers(op, request);
    if !filled.any(|(index, lanes)| index == register && lanes.contains(lane)) {
        return 0;
    }
    if op.is_burst() {
        let from = usize::from(op.select((register % GROUP_REGISTERS) as u32));
        return if from < GROUP_REGISTERS { component_bytes(op, plan, request, from, lane) } else { 0 };
    }
    let all = model::lane_bytes(op, plan, request, lane);
    let first = plan.addr[lane].wrapping_sub(request.line).wrapping_add(4 * register as u64);
    all & 0xf_u128.checked_shl(first.min(BLOCK) as u32).unwrap_or(0)
}

/// The last of a pair's lanes that stores to the byte at an address, if the read was answered with `line`.
pub fn last_match(
    plan: &Plan,
    request: &Request,
    issue: &Issue,
    line: &[u8; MAX_LINE_BYTES],
    addr: u64,
) -> Option<usize> {
    let here = lanes(&issue.op, plan, request, addr);
    here.iter()
        .filter(|&lane| {
            // Only the lanes up to this one act: this one stores if it is among those that match.
            let mut upto = LaneMask::NONE;
            request.lanes.iter().filter(|&other| other <= lane).for_each(|other| upto.insert(other));
            let part = Request { lanes: upto, ..request.clone() };
            cas::second_half(plan, &part, &issue.data, line).matched.contains(lane)
        })
        .last()
}
