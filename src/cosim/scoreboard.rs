// SPDX-License-Identifier: MIT OR Apache-2.0
//! Judges what the unit does, event by event: the model says what each operation asks for and gets, the PORT clauses
//! say what may happen when.
//!
//! Between operations no order is predicted. When the environment applies a request, the model's own request is
//! applied to the reference memory, and a load expects what the model extracts from it at that moment.

use std::collections::VecDeque;

use crate::{
    clause::Clause,
    model::{self, Plan, Register, Request, Scratchpad},
    op::{Attr, Fault, Lanes, MAX_LANES, MAX_REGISTERS, Op, Packed, ReqKind, Shape},
};

use super::{
    case::{Case, Issue},
    diagnose,
    environment::{Environment, Flight, IDS, Offer, Seen},
    mismatch::Mismatch,
};

/// Operations from the oldest that is not done to the youngest that is planned. Warps overtake each other, so the
/// oldest may wait for long; the bench then offers no more.
pub const WINDOW: usize = 64;
const NO_OP: u32 = u32::MAX;

/// One operation on its way.
#[derive(Clone)]
pub struct Progress {
    /// Which of the case's operations; stale entries belong to none.
    pub index: usize,
    pub plan: Plan,
    pub warp: u8,
    pub tag: u8,
    /// Values that the lanes' registers get.
    pub registers: Vec<Register>,
    /// Lanes whose value is settled and may be written back, by register.
    settled: [u32; MAX_REGISTERS],
    /// Lanes that were written back, by register.
    delivered: [u32; MAX_REGISTERS],
    /// Requests made, and first answers to them.
    sent: usize,
    answered: usize,
    /// Bank cycles that its scratchpad part takes (PORT-BANK).
    pub bank_cycles: u32,
    attr: [u32; 3],
    accepted: bool,
    done: bool,
}

/// A write-back beat as the unit's pins show it.
#[derive(Clone, Debug, PartialEq)]
pub struct Beat {
    pub warp: u8,
    pub tag: u8,
    pub register: u8,
    pub mask: u32,
    pub data: [u32; MAX_LANES],
}

/// A completion as the unit's pins show it.
#[derive(Clone, Debug, PartialEq)]
pub struct Done {
    pub warp: u8,
    pub tag: u8,
    pub faults: [u8; MAX_LANES],
}

/// The judge of one case.
pub struct Scoreboard {
    shape: Shape,
    ops: Vec<Progress>,
    by_tag: [u32; 256],
    next_tag: u8,
    /// Operations of each warp whose requests are not all made, in issue order.
    sending: [VecDeque<usize>; 8],
    /// Operations of each warp that are not done, in issue order.
    running: [VecDeque<usize>; 8],
    scratchpad: Scratchpad,
    /// Operations planned, accepted, done.
    pub planned: usize,
    pub accepted: usize,
    pub done: usize,
    /// The first that is not done.
    oldest: usize,
    /// Values compared.
    pub comparisons: u64,
    /// Nothing was issued since reset: what comes out now is left over (PORT-RESET).
    fresh: bool,
}

type Verdict<T = ()> = Result<T, Box<Mismatch>>;

fn broken(clause: Clause, op: Option<usize>, field: &str, expected: &str, actual: impl Into<String>) -> Box<Mismatch> {
    Box::new(Mismatch::new(clause, op, field).values(expected, actual))
}

impl Scoreboard {
    /// Before the first operation.
    pub fn new(shape: Shape) -> Self {
        let progress = Progress {
            index: usize::MAX,
            plan: Plan::default(),
            warp: 0,
            tag: 0,
            registers: vec![[0; MAX_LANES]; MAX_REGISTERS],
            settled: [0; MAX_REGISTERS],
            delivered: [0; MAX_REGISTERS],
            sent: 0,
            answered: 0,
            bank_cycles: 0,
            attr: [0; 3],
            accepted: false,
            done: false,
        };
        Scoreboard {
            shape,
            ops: vec![progress; WINDOW],
            by_tag: [NO_OP; 256],
            next_tag: 0,
            sending: Default::default(),
            running: Default::default(),
            scratchpad: Scratchpad::new(shape.shared_bytes),
            planned: 0,
            accepted: 0,
            done: 0,
            oldest: 0,
            comparisons: 0,
            fresh: true,
        }
    }

    /// As after reset. The scratchpad keeps what it held; a case begins by storing to all of it that is allocated.
    pub fn reset(&mut self) {
        self.ops.iter_mut().for_each(|progress| progress.accepted = false);
        self.by_tag = [NO_OP; 256];
        self.next_tag = 0;
        self.sending.iter_mut().chain(&mut self.running).for_each(VecDeque::clear);
        (self.comparisons, self.fresh) = (0, true);
        self.restart();
    }

    /// All operations are done: the next ones count from 0.
    pub fn restart(&mut self) {
        (self.planned, self.accepted, self.done, self.oldest) = (0, 0, 0, 0);
    }

    /// The operation's progress; it was planned and is not yet past the window.
    pub fn op(&self, index: usize) -> &Progress {
        &self.ops[index % WINDOW]
    }

    fn op_mut(&mut self, index: usize) -> &mut Progress {
        &mut self.ops[index % WINDOW]
    }

    /// The model's answer to the next operation, before it or its data is offered. Gives no more than fit the window.
    pub fn plan_next(&mut self, case: &Case, issue: &Issue) -> bool {
        if self.planned - self.oldest >= WINDOW || self.by_tag[usize::from(self.next_tag)] != NO_OP {
            return false;
        }
        let (index, tag, shape) = (self.planned, self.next_tag, self.shape);
        let progress = &mut self.ops[index % WINDOW];
        model::plan(&shape, &case.ctrl, &issue.op, &issue.lanes, &issue.data, &mut progress.plan);
        progress.index = index;
        progress.warp = issue.op.warp & 7;
        progress.tag = tag;
        progress.settled = [0; MAX_REGISTERS];
        progress.delivered = [0; MAX_REGISTERS];
        (progress.sent, progress.answered, progress.bank_cycles) = (0, 0, 0);
        (progress.accepted, progress.done) = (false, false);
        progress.attr = [0; 3];
        issue.op.attr.pack(&mut progress.attr, 0, Attr::WIDTH);
        self.by_tag[usize::from(tag)] = index as u32;
        self.next_tag = self.next_tag.wrapping_add(1);
        self.planned += 1;
        true
    }

    /// Data beats that an operation takes.
    pub fn beats(&self, index: usize, op: &Op) -> usize {
        if self.op(index).plan.legal { op.data_beats() as usize } else { 0 }
    }

    /// The unit took the next operation: its part in the scratchpad is made now, in this order (PORT-SPAD).
    pub fn op_accepted(&mut self, issue: &Issue) {
        let index = self.accepted;
        self.accepted += 1;
        self.fresh = false;
        let shape = self.shape;
        let warp = usize::from(issue.op.warp & 7);
        let progress = &mut self.ops[index % WINDOW];
        progress.accepted = true;
        let plan = &progress.plan;
        if plan.shared != 0 {
            progress.bank_cycles =
                self.scratchpad.access(&shape, &issue.op, plan, &issue.data, &mut progress.registers);
        }
        let here = if is_load(&issue.op) { plan.shared | plan.zeros } else { 0 };
        if plan.legal {
            for register in Bits(issue.op.registers()) {
                progress.settled[register] = here;
                zero(&mut progress.registers[register], plan.zeros);
            }
        }
        if !plan.requests.is_empty() {
            self.sending[warp].push_back(index);
        }
        self.running[warp].push_back(index);
    }

    fn owner(&self, warp: u8, tag: u8) -> Option<usize> {
        let index = self.by_tag[usize::from(tag)];
        let index = (index != NO_OP).then_some(index as usize)?;
        let progress = self.op(index);
        (progress.accepted && progress.warp == warp).then_some(index)
    }

    fn unowned(&self, clause: Clause, what: &str, warp: u8, tag: u8) -> Box<Mismatch> {
        let clause = if self.fresh { Clause::PortReset } else { clause };
        broken(clause, None, what, "an operation in flight", format!("warp {warp}, tag {tag:#04x}"))
    }

    /// A request was accepted: it must be the next of its operation, and nothing in flight may stand against it.
    pub fn request(
        &mut self,
        case: &Case,
        issues: &[Issue],
        env: &Environment,
        seen: &Seen,
    ) -> Verdict<(usize, usize)> {
        let Some(index) = self.owner(seen.warp, seen.tag) else {
            return Err(self.unowned(Clause::PortReq, "mem_req owner", seen.warp, seen.tag));
        };
        let progress = self.op(index);
        let number = progress.sent;
        let Some(expected) = progress.plan.requests.get(number) else {
            return Err(diagnose::extra_request(case, &issues[index], progress, seen));
        };
        if let Some(oldest) = self.sending[usize::from(seen.warp & 7)].front().filter(|&&oldest| oldest != index) {
            let older = format!("operation {oldest} first: its requests are not all made");
            return Err(broken(Clause::PortOrder, Some(index), "mem_req order", &older, format!("operation {index}")));
        }
        if !agrees(expected, &progress.attr, seen) {
            return Err(diagnose::request(case, &issues[index], progress, number, seen));
        }
        if env.is_busy(seen.id) || usize::from(seen.id) >= self.shape.pending.min(IDS) {
            let free = format!("an id below {} that is not in flight", self.shape.pending);
            return Err(broken(Clause::PortId, Some(index), "mem_req_id", &free, format!("{}", seen.id)));
        }
        let write = expected.kind == ReqKind::Write;
        if let Some(flight) = env.flights.iter().find(|flight| stands_against(flight, write, seen)) {
            let clear = format!("no request in flight for the same bytes of line {:#x}", seen.line);
            let found = format!(
                "operation {}'s {} with id {}",
                flight.op,
                ["read", "write"][usize::from(flight.write)],
                flight.id
            );
            return Err(broken(Clause::PortHazard, Some(index), "mem_req", &clear, found));
        }
        let last = number + 1 == progress.plan.requests.len();
        self.comparisons += 1;
        self.op_mut(index).sent += 1;
        if last {
            self.sending[usize::from(seen.warp & 7)].pop_front();
        }
        Ok((index, number))
    }

    /// Memory applies a request: the unit's to its memory, the model's to the reference.
    pub fn apply(&mut self, issues: &[Issue], env: &mut Environment, place: usize) -> Verdict {
        let shape = self.shape;
        let flight = &env.flights[place];
        let (index, number) = (flight.op, flight.request);
        self.own_stores_first(issues, env, flight)?;
        let progress = &mut self.ops[index % WINDOW];
        let request = &progress.plan.requests[number];
        if flight.error {
            let lanes = request.lanes;
            for registers in &mut progress.registers {
                zero(registers, lanes);
            }
            model::bus_error(&mut progress.plan, lanes);
        } else if flight.write {
            env.unit.write(flight.line, flight.byte_enable, &env.lines[usize::from(flight.id)]);
            env.reference.write(request.line, request.byte_enable, &request.data);
        } else {
            let line = env.reference.read_line(request.line);
            model::load(&shape, &issues[index].op, &progress.plan, number, &line, &mut progress.registers);
        }
        if !env.flights[place].write {
            let Flight { id, line, .. } = env.flights[place];
            env.lines[usize::from(id)] = env.unit.read_line(line);
        }
        env.applied(place);
        Ok(())
    }

    /// COM-OWN: no earlier store of the same lane to a byte that this load reads is still to be applied.
    fn own_stores_first(&self, issues: &[Issue], env: &Environment, load: &Flight) -> Verdict {
        if load.write {
            return Ok(());
        }
        for store in env.flights.iter().filter(|other| other.write && !other.applied && other.op < load.op) {
            let same_bytes = store.line == load.line && store.byte_enable & load.byte_enable != 0;
            if same_bytes && issues[store.op].op.warp == issues[load.op].op.warp {
                let stores = &self.op(store.op).plan;
                let loads = &self.op(load.op).plan;
                let lanes = stores.requests[store.request].lanes & loads.requests[load.request].lanes;
                let own = (0..MAX_LANES).find(|&lane| {
                    lanes >> lane & 1 == 1
                        && overlap(stores.addr[lane], &issues[store.op].op, loads.addr[lane], &issues[load.op].op)
                });
                if let Some(lane) = own {
                    let expected = format!("after the store of operation {}", store.op);
                    return Err(Box::new(
                        broken(Clause::ComOwn, Some(load.op), "load", &expected, "before it").lane(lane),
                    ));
                }
            }
        }
        Ok(())
    }

    /// The unit took an answer.
    pub fn answered(&mut self, issues: &[Issue], env: &Environment, offer: Offer) {
        if !offer.first {
            return;
        }
        let flight = &env.flights[offer.flight];
        let (index, number, write) = (flight.op, flight.request, flight.write);
        let progress = self.op_mut(index);
        progress.answered += 1;
        if !write {
            let lanes = progress.plan.requests[number].lanes;
            for register in Bits(issues[index].op.registers()) {
                progress.settled[register] |= lanes;
            }
        }
    }

    /// A write-back beat was taken.
    pub fn beat(&mut self, case: &Case, issues: &[Issue], env: &Environment, beat: &Beat) -> Verdict<usize> {
        let Some(index) = self.owner(beat.warp, beat.tag) else {
            return Err(self.unowned(Clause::PortWb, "wb owner", beat.warp, beat.tag));
        };
        let register = usize::from(beat.register);
        let progress = &mut self.ops[index % WINDOW];
        let settled = progress.settled.get(register).copied().unwrap_or(0);
        let fresh = beat.mask & settled & !progress.delivered.get(register).copied().unwrap_or(0);
        if fresh != beat.mask || beat.mask == 0 {
            return Err(diagnose::beat_lanes(case, &issues[index], progress, beat, settled));
        }
        let expected = &progress.registers[register];
        let mut wrong = 0;
        for (lane, (want, got)) in expected.iter().zip(&beat.data).enumerate() {
            wrong |= u32::from(want != got) << lane;
        }
        if wrong & beat.mask != 0 {
            let lane = (wrong & beat.mask).trailing_zeros() as usize;
            return Err(diagnose::beat_data(case, &issues[index], progress, env, beat, lane));
        }
        progress.delivered[register] |= beat.mask;
        self.comparisons += u64::from(beat.mask.count_ones());
        Ok(index)
    }

    /// A completion was taken.
    pub fn completed(&mut self, case: &Case, issues: &[Issue], done: &Done) -> Verdict<usize> {
        let Some(index) = self.owner(done.warp, done.tag) else {
            return Err(self.unowned(Clause::PortDone, "done owner", done.warp, done.tag));
        };
        let warp = usize::from(done.warp & 7);
        let oldest = self.running[warp][0];
        if oldest != index {
            let expected = format!("operation {oldest} first");
            return Err(broken(Clause::PortDone, Some(index), "done order", &expected, format!("operation {index}")));
        }
        let progress = self.op(index);
        let requests = progress.plan.requests.len();
        if progress.sent < requests || progress.answered < requests {
            let expected = format!("after all of {requests} requests were made and answered");
            let found = format!("{} made, {} answered", progress.sent, progress.answered);
            let clause = match progress.answered < progress.sent {
                true => Clause::PortDone,
                false => diagnose::missing_requests(case, &issues[index], progress, Clause::PortDone),
            };
            return Err(broken(clause, Some(index), "done", &expected, found));
        }
        let registers =
            if is_load(&issues[index].op) && progress.plan.legal { issues[index].op.registers() } else { 0 };
        let owed = progress.plan.memory | progress.plan.shared | progress.plan.zeros;
        for register in Bits(registers) {
            let missing = owed & !progress.delivered[register];
            if missing != 0 {
                return Err(diagnose::missing_beat(progress, register, missing));
            }
        }
        let lanes = self.shape.lanes;
        if let Some(lane) = (0..lanes).find(|&lane| progress.plan.faults[lane] as u8 != done.faults[lane]) {
            return Err(diagnose::fault(case, &issues[index], progress, done, lane));
        }
        self.comparisons += lanes as u64;
        self.running[warp].pop_front();
        self.by_tag[usize::from(done.tag)] = NO_OP;
        let progress = self.op_mut(index);
        (progress.accepted, progress.done) = (false, true);
        self.done += 1;
        while self.oldest < self.planned && self.op(self.oldest).done {
            self.oldest += 1;
        }
        Ok(index)
    }

    /// Warps with an operation that is not done.
    pub fn warps(&self) -> usize {
        self.running.iter().filter(|ops| !ops.is_empty()).count()
    }

    /// Whether the oldest operation of the scratchpad or memory waits for the environment, for the hang report.
    pub fn oldest_running(&self) -> Option<usize> {
        self.running.iter().filter_map(|ops| ops.front().copied()).min()
    }

    /// Registers of an operation that has been answered but not wholly written back, for the hang report.
    pub fn describe(&self, index: usize, issue: &Issue) -> String {
        let progress = self.op(index);
        let delivered: u32 = progress.delivered.iter().map(|lanes| lanes.count_ones()).sum();
        let owed = if is_load(&issue.op) && progress.plan.legal {
            (progress.plan.memory | progress.plan.shared | progress.plan.zeros).count_ones()
                * issue.op.registers().count_ones()
        } else {
            0
        };
        format!(
            "{} of {} requests made, {} answered, {delivered} of {owed} registers written back",
            progress.sent,
            progress.plan.requests.len(),
            progress.answered
        )
    }
}

impl Progress {
    /// What the model wants at the done port.
    pub fn faults(&self) -> &[Fault; MAX_LANES] {
        &self.plan.faults
    }

    /// Lanes of a register that were written back.
    pub fn delivered(&self, register: usize) -> u32 {
        self.delivered[register]
    }

    /// The packed attributes.
    pub fn attr(&self) -> &[u32; 3] {
        &self.attr
    }

    /// Requests made so far.
    pub fn sent(&self) -> usize {
        self.sent
    }
}

/// Whether the operation writes registers back.
pub fn is_load(op: &Op) -> bool {
    op.kind == crate::op::Kind::Load as u8
}

/// The places of the bits that are set, ascending.
struct Bits(u64);

impl Iterator for Bits {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let place = self.0.trailing_zeros() as usize;
        self.0 &= self.0.wrapping_sub(1);
        (place < 64).then_some(place)
    }
}

fn zero(registers: &mut [u32; MAX_LANES], lanes: u32) {
    if lanes != 0 {
        for (lane, register) in registers.iter_mut().enumerate() {
            *register &= (lanes >> lane & 1).wrapping_sub(1);
        }
    }
}

fn overlap(a: u64, a_op: &Op, b: u64, b_op: &Op) -> bool {
    a < b + u64::from(b_op.access_bytes()) && b < a + u64::from(a_op.access_bytes())
}

fn agrees(expected: &Request, attr: &[u32; 3], seen: &Seen) -> bool {
    expected.kind as u8 == seen.kind
        && expected.line == seen.line
        && expected.byte_enable == seen.byte_enable
        && expected.space as u8 == seen.space
        && expected.group == seen.group
        && *attr == seen.attr
        && (expected.kind == ReqKind::Read || expected.data == seen.data || same_enabled(expected, seen))
}

/// Bytes that are not enabled may hold anything.
fn same_enabled(expected: &Request, seen: &Seen) -> bool {
    let bytes = expected.data.iter().zip(&seen.data).enumerate();
    bytes.fold(true, |same, (i, (want, got))| same && (want == got || expected.byte_enable >> i & 1 == 0))
}

/// PORT-HAZARD: the memory may apply requests in any order until it answers.
fn stands_against(flight: &Flight, write: bool, seen: &Seen) -> bool {
    !flight.answered
        && (flight.write || write)
        && flight.line == seen.line
        && flight.byte_enable & seen.byte_enable != 0
}

/// Lanes that the port knows of, for messages.
pub fn lane_inputs(lanes: &Lanes, lane: usize) -> String {
    let [low, high, _] = lanes.addr[lane];
    format!("address words {low:#010x} {high:#010x}")
}
