// SPDX-License-Identifier: MIT OR Apache-2.0
//! Plays an R700 burst by rules that can be bent one by one: the requests, fills and faults of a faulty unit.
//!
//! With unbent rules the outcome is the model's, which a test checks.

use crate::op::{
    ADDR_WIDTH, Buffer, BufferSlot, Ctrl, Fault, Kind, LaneMask, Lanes, MAX_LANES, MAX_REGISTERS, Op, Shape,
};

/// How much is dropped along with a dword past a limit.
#[derive(Clone, Copy, PartialEq)]
pub enum Cut {
    /// Only the dword itself (R700-CLAMP).
    Dword,
    /// The GPR of the dword.
    Element,
    /// The thread's whole burst.
    Burst,
}

/// The rules of a burst. Dwords are numbered within the buffer.
#[derive(Clone, Copy)]
pub struct Rules {
    /// R700-FIRST: the first dword for an index.
    pub first: fn(&Ctrl, &Op, u64) -> u64,
    /// R700-CLAMP: the first dword that is not moved.
    pub limit: fn(&Ctrl, &Op) -> u64,
    /// What is compared with the limit, from the number of a dword.
    pub compared: fn(u64) -> u64,
    pub cut: Cut,
    pub clamp_faults: bool,
    /// R700-ELEM: distance in dwords from one GPR to the next, and to a component.
    pub step: fn(&Op) -> u64,
    pub component: fn(&Op, u64) -> u64,
    /// R700-BOUND: the size of the buffer in dwords.
    pub bound: fn(&Ctrl, &Op) -> u64,
    pub bound_cut: Cut,
    pub bound_faults: bool,
    /// R700-PLACE: the byte address of a dword of a thread.
    pub place: fn(&Ctrl, &Op, u64, u64) -> u64,
    /// The number of the thread, from shape, warp and lane.
    pub thread: fn(&Shape, u64, u64) -> u64,
    /// Whether the last GPR goes first.
    pub backwards: bool,
}

/// A burst, and the rules that it follows.
pub struct Burst {
    pub ctrl: Ctrl,
    pub op: Op,
    pub lanes: Lanes,
    pub rules: Rules,
}

/// The outcome of a burst.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// Line and byte enables of each request, in order.
    pub requests: Vec<(u64, u128)>,
    pub faults: [Fault; MAX_LANES],
    /// The lanes of a read that no memory answers, by register.
    pub filled: [LaneMask; MAX_REGISTERS],
}

pub fn dwords(op: &Op) -> u64 {
    u64::from(op.elem_size & 3) + 1
}

pub fn is_export(op: &Op) -> bool {
    op.slot == BufferSlot::Export as u8
}

/// The number of dwords in a unit of ARRAY_BASE, in the drivers' form.
pub fn unit(op: &Op) -> u64 {
    if op.slot < BufferSlot::Stream0 as u8 { 4 } else { 1 }
}

pub fn base(op: &Op) -> u64 {
    op.array_base.into()
}

/// The control register of an operation's buffer (R700-STAGE).
pub fn buffer_mut<'a>(ctrl: &'a mut Ctrl, op: &Op) -> &'a mut Buffer {
    match (op.slot & 7, op.stage & 3) {
        (0, stage @ 1..) => &mut ctrl.stage_scratch[usize::from(stage) - 1],
        (slot, _) => &mut ctrl.buffer[usize::from(slot)],
    }
}

pub fn buffer(ctrl: &Ctrl, op: &Op) -> Buffer {
    *buffer_mut(&mut ctrl.clone(), op)
}

impl Rules {
    /// The unbent rules.
    pub const LAW: Rules = Rules {
        first: |ctrl, op, index| match ctrl.r700_driver_form {
            false => (base(op) + index) * dwords(op),
            true if is_export(op) => index,
            true => base(op) * unit(op) + index * dwords(op),
        },
        limit: |ctrl, op| match (is_export(op), ctrl.r700_driver_form) {
            (true, true) => u64::MAX,
            (_, false) => (base(op) + u64::from(op.array_size)) * dwords(op),
            (_, true) => base(op) * unit(op) + u64::from(op.array_size) * dwords(op),
        },
        compared: |dword| dword,
        cut: Cut::Dword,
        clamp_faults: false,
        step: dwords,
        component: |_, component| component,
        bound: |ctrl, op| u64::from(buffer(ctrl, op).size) / 4,
        bound_cut: Cut::Dword,
        bound_faults: true,
        place: |ctrl, op, thread, dword| {
            let buffer = buffer(ctrl, op);
            buffer.base + thread * u64::from(buffer.stride) + 4 * dword
        },
        thread: |shape, warp, lane| warp * shape.lanes as u64 + lane,
        backwards: false,
    };
}

impl Burst {
    /// The components that memory is asked for, or given.
    pub fn wanted(op: &Op) -> u8 {
        let taken = match op.kind == Kind::Load as u8 {
            true => (0..4)
                .map(|component| op.select(component))
                .filter(|&select| select < 4)
                .fold(0u8, |all, one| all | 1 << one),
            false => 0xf,
        };
        taken & op.element_mask & 0xf
    }

    /// Lanes that execute.
    pub fn active(&self, shape: &Shape) -> LaneMask {
        let suppressed = if self.op.suppress_helpers { self.lanes.helper } else { LaneMask::NONE };
        (self.lanes.active & shape.lane_mask()) - suppressed
    }

    /// Computes the outcome of the burst by its rules.
    pub fn play(&self, shape: &Shape) -> Outcome {
        let Burst { ctrl, op, lanes, rules } = self;
        let mut out =
            Outcome { requests: Vec::new(), faults: [Fault::None; MAX_LANES], filled: [LaneMask::NONE; MAX_REGISTERS] };
        let active = self.active(shape);
        let wanted = Burst::wanted(op);
        // By lane: the dwords that move, with bit 4k + c for component c of the burst's k-th GPR, and the first dword.
        let mut moved = [0u64; MAX_LANES];
        let mut first = [0u64; MAX_LANES];
        for lane in active.iter() {
            let index = if op.use_index { lanes.addr[lane][0].into() } else { 0 };
            first[lane] = (rules.first)(ctrl, op, index);
            let mut bits = 0u64;
            let each =
                |gpr: u64, component: u64| first[lane] + gpr * (rules.step)(op) + (rules.component)(op, component);
            for bit in 0..64 {
                let (gpr, component) = (bit / 4, bit % 4);
                if op.present_gprs >> gpr & 1 == 1 && wanted >> component & 1 == 1 {
                    bits |= 1 << bit;
                }
            }
            let past = |bits: u64, end: u64, compared: fn(u64) -> u64| {
                (0..64)
                    .filter(|bit| bits >> bit & 1 == 1 && compared(each(bit / 4, bit % 4)) >= end)
                    .fold(0, |all, bit| all | 1 << bit)
            };
            let cut = |bits: u64, past: u64, how: Cut| match how {
                Cut::Dword => bits & !past,
                Cut::Element => (0..16)
                    .filter(|gpr| past >> (4 * gpr) & 0xf != 0)
                    .fold(bits, |bits, gpr| bits & !(0xf << (4 * gpr))),
                Cut::Burst if past != 0 => 0,
                Cut::Burst => bits,
            };
            let clamped = past(bits, (rules.limit)(ctrl, op), rules.compared);
            bits = cut(bits, clamped, rules.cut);
            let outside = past(bits, (rules.bound)(ctrl, op), |dword| dword);
            bits = cut(bits, outside, rules.bound_cut);
            if outside != 0 && rules.bound_faults || clamped != 0 && rules.clamp_faults {
                out.faults[lane] = Fault::Allocation;
            }
            moved[lane] = bits;
        }
        let gprs: Vec<u64> = if rules.backwards { (0..16).rev().collect() } else { (0..16).collect() };
        for gpr in gprs {
            let group = out.requests.len();
            for lane in 0..shape.lanes {
                for component in (0..4).filter(|component| moved[lane] >> (4 * gpr + component) & 1 == 1) {
                    let dword = first[lane] + gpr * (rules.step)(op) + (rules.component)(op, component);
                    let thread = (rules.thread)(shape, (op.warp & 7).into(), lane as u64);
                    let at = (rules.place)(ctrl, op, thread, dword) % (1 << ADDR_WIDTH) / 4 * 4;
                    let line = at & !(shape.line_bytes as u64 - 1);
                    let enable = 0xf << (at - line);
                    match out.requests[group..].iter_mut().find(|request| request.0 == line) {
                        Some(request) => request.1 |= enable,
                        None => out.requests.push((line, enable)),
                    }
                }
            }
        }
        if op.kind == Kind::Load as u8 {
            for register in (0..64).filter(|register| op.registers() >> register & 1 == 1) {
                let select = u64::from(op.select(register as u32 % 4));
                let here = |lane: &usize| select > 3 || moved[*lane] >> (register / 4 * 4 + select) & 1 == 0;
                out.filled[register as usize] = active.iter().filter(here).collect();
            }
        }
        out
    }
}

#[cfg(all(test, feature = "rtl"))]
mod tests {
    use super::*;
    use crate::{
        cosim::stimulus,
        model::{self, Plan},
        sets::Isa,
    };

    /// The unbent rules agree with the model.
    #[test]
    fn the_law_is_the_models() {
        let mut plan = Plan::default();
        for shape in [4, 32].map(Shape::with_lanes) {
            for number in 0..12 {
                let case = stimulus::block(Some(Isa::R700), 11, number, &shape, 256).case;
                for issue in &case.issues {
                    model::plan(&shape, &case.ctrl, &issue.op, &issue.lanes, &issue.data, &mut plan);
                    if !plan.legal {
                        continue;
                    }
                    let (ctrl, op, lanes) = (case.ctrl, issue.op, issue.lanes.clone());
                    let got = Burst { ctrl, op, lanes, rules: Rules::LAW }.play(&shape);
                    let requests: Vec<_> =
                        plan.requests.iter().map(|request| (request.line, request.byte_enable)).collect();
                    let mut filled = [LaneMask::NONE; MAX_REGISTERS];
                    for one in &plan.filled {
                        filled[usize::from(one.index)] |= one.lanes;
                    }
                    assert_eq!(got, Outcome { requests, faults: plan.faults, filled }, "{issue:?}");
                }
            }
        }
    }
}
