// SPDX-License-Identifier: MIT OR Apache-2.0
//! One operation, performed as a whole before the next one begins: what it reads, what it writes, and its outcome.

use super::{
    Memory, Plan, Register, Scratchpad,
    cas::{SecondHalf, second_half},
    load::{bus_error, load},
};
use crate::op::{Kind, LaneMask, MAX_LANES, MAX_LINE_BYTES, Op, ReqKind, Shape};

/// The result of an operation.
#[derive(Clone, Debug)]
pub struct Performed {
    /// The lanes that a bus error hit.
    pub failed: LaneMask,
    /// The registers of a load, by index in the operation; 0 in lanes that faulted.
    pub loaded: Vec<Register>,
    /// The cycles that the banks need (PORT-BANK).
    pub bank_cycles: u32,
    /// The result of each request of the plan.
    pub requests: Vec<Made>,
}

/// The result of a request.
#[derive(Clone, Debug)]
pub struct Made {
    /// The line before the request.
    pub answer: [u8; MAX_LINE_BYTES],
    /// Memory answers with an error.
    pub failed: bool,
    /// For a read-exclusive that does not fail: what the write-exclusive carries, if any byte is enabled.
    pub half: Option<SecondHalf>,
}

impl Made {
    /// The bytes of the line that were written, by this request or by its second half.
    pub fn written(&self, request: &super::Request) -> u128 {
        match (&self.half, request.kind) {
            _ if self.failed => 0,
            (Some(half), _) => half.byte_enable,
            (None, ReqKind::Write) => request.byte_enable,
            (None, _) => 0,
        }
    }
}

/// Performs `op`, as `plan` says, on memory and scratchpad.
///
/// `data` holds the operation's registers. Lines for which `fails` returns true answer with an error, which then shows
/// in the plan's faults (COM-BUSERR).
///
/// ```
/// use gpu_lsu::{model::{Memory, Plan, Scratchpad, perform, plan}, op::{Ctrl, LaneMask, Lanes, Op, Range, Shape}};
///
/// // LD [0x100]
/// let op = Op { imm: 0x100, element_bytes: 4, element_count: 1, element_mask: 1, ..Op::default() };
/// let mut ctrl = Ctrl::default();
/// ctrl.alloc[0] = Range { base: 0x100, size: 0x20 };
/// let lanes = Lanes { active: LaneMask::only(0), predicate: LaneMask::only(0), ..Lanes::default() };
/// let (shape, mut todo, mut memory, mut pad) =
///     (Shape::with_lanes(4), Plan::default(), Memory::new(0), Scratchpad::new(1024));
/// memory.poke(0x100, &[1, 2, 3, 4]);
/// plan(&shape, &ctrl, &op, &lanes, &[], &mut todo);
/// let performed = perform(&shape, &op, &mut todo, &[], &mut memory, &mut pad, |_| false);
/// assert_eq!(performed.loaded[0][0], 0x0403_0201);
/// ```
pub fn perform(
    shape: &Shape,
    op: &Op,
    plan: &mut Plan,
    data: &[Register],
    memory: &mut Memory,
    scratchpad: &mut Scratchpad,
    fails: impl Fn(u64) -> bool,
) -> Performed {
    let count = 64 - op.registers().leading_zeros() as usize;
    let mut loaded = vec![[0; MAX_LANES]; count]; // lanes that fault keep the 0 (SPA5-OOB, COM-BUSERR)
    let bank_cycles = scratchpad.access(shape, op, plan, data, &mut loaded);
    for filled in &plan.filled {
        if let Some(row) = loaded.get_mut(usize::from(filled.index)) {
            filled.lanes.iter().for_each(|lane| row[lane] = filled.value);
        }
    }
    let (mut requests, mut lanes) = (Vec::with_capacity(plan.requests.len()), LaneMask::NONE);
    for (index, request) in plan.requests.iter().enumerate() {
        let mut made = Made { answer: memory.read_line(request.line), failed: fails(request.line), half: None };
        match request.kind {
            _ if made.failed => lanes |= request.lanes,
            ReqKind::Write => memory.write(request.line, request.byte_enable, &request.data),
            ReqKind::ReadExclusive => {
                let half = second_half(plan, request, data, &made.answer);
                memory.write(request.line, half.byte_enable, &half.data);
                made.half = Some(half);
            }
            _ => load(op, plan, index, &made.answer, &mut loaded),
        }
        requests.push(made);
    }
    bus_error(plan, lanes);
    debug_assert!(op.kind == Kind::Load as u8 || plan.filled.is_empty());
    Performed { failed: lanes, loaded, bank_cycles, requests }
}
