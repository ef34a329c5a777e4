// SPDX-License-Identifier: MIT OR Apache-2.0
//! Turns cases into vectors with their expected results: the model executes one operation after the other.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::{Expected, Line, Set, Vector, Written};
use crate::{
    cosim::{case::Case, prologue},
    judge::{log::Issue, scoreboard::is_load},
    model::{self, Memory, Plan, Scratchpad},
    op::{Ctrl, MAX_LANES, ReqKind, Shape},
};

/// The number of tags.
const TAGS: usize = 256;

/// Builds a set, case by case.
pub struct Builder {
    set: Set,
    scratchpad: Scratchpad,
    /// The items of the scratchpad that have been stored.
    filled: BTreeSet<u64>,
}

/// The state of the segment that is being built.
struct Segment {
    ctrl: Ctrl,
    memory: Memory,
    /// By address: the index of the line in the set.
    lines: FxHashMap<u64, usize>,
    /// By line: which warp has read and written which bytes since the last vector that waits.
    open: FxHashMap<u64, Vec<Touch>>,
}

struct Touch {
    warp: u8,
    read: u128,
    written: u128,
}

impl Builder {
    /// Creates a builder without vectors.
    pub fn new(shape: Shape) -> Self {
        let set = Set { shape, segments: Vec::new(), vectors: Vec::new(), lines: Vec::new() };
        Builder { set, scratchpad: Scratchpad::new(shape.shared_bytes), filled: BTreeSet::new() }
    }

    /// Adds a case: its operations, the memory and scratchpad that they use, and waits for its flushes, or throughout
    /// if it is serial. Its schedule is ignored.
    pub fn add(&mut self, case: &Case) {
        self.filled.clear();
        self.go_on(case, case.start());
    }

    /// Adds a case that continues in the scratchpad of the one before it and in `memory`. Returns the memory at its
    /// end.
    pub fn go_on(&mut self, case: &Case, memory: Memory) -> Memory {
        let shape = self.set.shape;
        let mut items = touched(case, &shape);
        items.retain(|&item| self.filled.insert(item));
        if !items.is_empty() {
            let stores = prologue::stores(case, &shape, &items);
            self.segment(prologue::control(&shape), Memory::new(0), &stores, |_| false, |_| false, true);
        }
        let waits = |number: usize| case.serial || case.flushes.contains(&number);
        let end = |line: u64| line + shape.line_bytes as u64;
        let fails = |line: u64| case.bus_errors.iter().any(|r| r.base < end(line) && line < r.base + r.size);
        self.segment(case.ctrl, memory, &case.issues, waits, fails, false)
    }

    /// Returns the set.
    pub fn finish(self) -> Set {
        self.set
    }

    fn segment(
        &mut self,
        ctrl: Ctrl,
        memory: Memory,
        issues: &[Issue],
        waits: impl Fn(usize) -> bool,
        fails: impl Fn(u64) -> bool,
        prepares: bool,
    ) -> Memory {
        let mut here = Segment { ctrl, memory, lines: FxHashMap::default(), open: FxHashMap::default() };
        for (number, issue) in issues.iter().enumerate() {
            let vector = self.vector(&mut here, issue, number == 0 || waits(number), &fails);
            self.set.vectors.push(Vector { prepares, ..vector });
        }
        for &number in here.lines.values() {
            let line = &mut self.set.lines[number];
            line.after = here.memory.read_line(line.addr);
        }
        self.set.segments.push(ctrl);
        here.memory
    }

    fn vector(&mut self, here: &mut Segment, issue: &Issue, waits: bool, fails: &impl Fn(u64) -> bool) -> Vector {
        let shape = self.set.shape;
        let mut issue = issue.clone();
        issue.op.tag = (self.set.vectors.len() % TAGS) as u8;
        let (op, mut plan) = (issue.op, Plan::default());
        model::plan(&shape, &here.ctrl, &op, &issue.lanes, &issue.data, &mut plan);
        let waits = waits || here.meets(op.warp, &plan);
        if waits {
            here.open.clear();
        }
        here.touch(op.warp, &plan);

        // Before anything is written: `before` is the line as the segment begins.
        let segment = self.set.segments.len();
        let numbers: Vec<usize> = plan
            .requests
            .iter()
            .map(|request| {
                *here.lines.entry(request.line).or_insert_with(|| {
                    let before = here.memory.read_line(request.line);
                    let fails = fails(request.line);
                    self.set.lines.push(Line { segment, addr: request.line, fails, before, after: before });
                    self.set.lines.len() - 1
                })
            })
            .collect();
        let (memory, pad) = (&mut here.memory, &mut self.scratchpad);
        let performed = model::perform(&shape, &op, &mut plan, &issue.data, memory, pad, fails);

        let expected = |kind, request: &model::Request, line, byte_enable, data, lanes| Expected {
            kind,
            space: request.space,
            group: request.group,
            line,
            byte_enable,
            data,
            lanes,
        };
        let each = || plan.requests.iter().zip(&numbers);
        let first = each().map(|(r, &line)| expected(r.kind, r, line, r.byte_enable, r.data, r.lanes)).collect();
        let second = each().zip(&performed.requests).filter_map(|((request, &line), made)| {
            let half = made.half.as_ref().filter(|half| half.byte_enable != 0)?;
            Some(expected(ReqKind::WriteExclusive, request, line, half.byte_enable, half.data, half.matched))
        });
        let seconds = second.collect();
        let (loads, registers) = (is_load(&op) && plan.legal && !plan.active.is_empty(), op.registers());
        let moved = (0..64u8).filter(|register| loads && registers >> register & 1 == 1);
        let written = |register: u8| {
            let mut data = [0; MAX_LANES];
            plan.active.iter().for_each(|lane| data[lane] = performed.loaded[usize::from(register)][lane]);
            Written { register, lanes: plan.active, data }
        };
        Vector {
            segment,
            waits,
            prepares: false,
            requests: first,
            seconds,
            registers: moved.map(written).collect(),
            faults: plan.faults,
            issue,
        }
    }
}

impl Segment {
    /// Whether the operation shares a byte with an access of another warp that nothing orders before it, and one of the
    /// two writes it.
    fn meets(&self, warp: u8, plan: &Plan) -> bool {
        plan.requests.iter().any(|request| {
            let (read, written) = bytes(request);
            let mut others = self.open.get(&request.line).into_iter().flatten().filter(|touch| touch.warp != warp);
            others.any(|touch| (touch.written & (read | written)) | (touch.read & written) != 0)
        })
    }

    fn touch(&mut self, warp: u8, plan: &Plan) {
        for request in &plan.requests {
            let (read, written) = bytes(request);
            let touches = self.open.entry(request.line).or_default();
            match touches.iter_mut().find(|touch| touch.warp == warp) {
                Some(touch) => (touch.read, touch.written) = (touch.read | read, touch.written | written),
                None => touches.push(Touch { warp, read, written }),
            }
        }
    }
}

/// The bytes that a request reads, and those that it or its second half may write.
fn bytes(request: &model::Request) -> (u128, u128) {
    match request.kind {
        ReqKind::Read => (request.byte_enable, 0),
        ReqKind::Write => (0, request.byte_enable),
        ReqKind::ReadExclusive | ReqKind::WriteExclusive => (request.byte_enable, request.byte_enable),
    }
}

/// The part of the scratchpad that the operations of a case access, in items of 16 bytes, ascending.
fn touched(case: &Case, shape: &Shape) -> Vec<u64> {
    let (mut plan, mut items) = (Plan::default(), Vec::new());
    for issue in &case.issues {
        model::plan(shape, &case.ctrl, &issue.op, &issue.lanes, &issue.data, &mut plan);
        let bytes = u64::from(issue.op.access_bytes().max(4));
        let of = |lane: usize| plan.addr[lane] / prologue::ITEM..=(plan.addr[lane] + bytes - 1) / prologue::ITEM;
        items.extend(plan.shared.iter().flat_map(of));
    }
    items.sort_unstable();
    items.dedup();
    items
}
