// SPDX-License-Identifier: MIT OR Apache-2.0
//! An operation in flight: what the model says of it, and how far the unit is.

use super::{is_load, known::REGISTERS, loose::Loose, ripe::Ripe, shared::Choice};
use crate::{
    judge::{
        contract::Contract,
        log::{Issue, Seen},
    },
    model::{self, Plan, Register, Request},
    op::{Fault, Kind, LaneMask, MAX_LANES, MAX_REGISTERS, Op, Range, Scope},
};

/// Beats of store data that may wait in a unit for their operation (docs/ports.md).
const DATA_AHEAD: u64 = 16;

/// An operation in flight.
#[derive(Clone)]
pub struct Progress {
    /// The index of the operation in the log. Stale entries belong to no operation.
    pub index: usize,
    pub plan: Plan,
    pub warp: u8,
    pub tag: u8,
    /// The values that the lanes' registers receive, by index in the operation.
    pub registers: Vec<Register>,
    /// By register: the lanes whose value is settled and may be written back.
    pub(crate) settled: [LaneMask; MAX_REGISTERS],
    /// By register: the lanes that were written back.
    pub(crate) delivered: [LaneMask; MAX_REGISTERS],
    /// Its values that are ready to be written back.
    pub(super) from_memory: Ripe,
    pub(super) from_nobody: Ripe,
    /// The numbers of requests made, of first answers to them, and of last answers.
    pub(crate) sent: usize,
    pub(crate) answered: usize,
    pub(crate) finished: usize,
    /// The bank cycles of its part in the scratchpad (PORT-BANK).
    pub bank_cycles: u32,
    /// The cycle in which it was accepted.
    pub(crate) taken: u64,
    /// Whether it waits for others of its warp (PTX-SEM). A release waits before everything it does, until they are
    /// answered for its scope; mmio waits between its own requests.
    pub(crate) release: Option<Scope>,
    pub(crate) mmio: bool,
    /// Whether it is a release, also if it takes no effect. A unit may let it wait all the same.
    pub(crate) releases: bool,
    /// The cycle in which its data were complete.
    pub(crate) last_data: u64,
    /// The cycles of its last request, of the last of its first answers, of the last of its last answers, and of its
    /// last beat.
    pub(crate) last_sent: u64,
    pub(crate) last_answered: u64,
    pub(crate) last_finished: u64,
    pub(crate) last_beat: u64,
    /// Whether its last data beat was taken.
    pub(crate) has_data: bool,
    /// The number of data beats of all operations up to this one, since the log began.
    pub(crate) data_until: usize,
    /// The first cycle in which its part in the scratchpad can be over; 0 before its data are complete (PORT-BANK).
    pub(crate) spad_until: u64,
    /// The last operation of its warp before it that uses the scratchpad.
    pub(crate) spad_before: Option<usize>,
    pub(crate) attr: [u32; 3],
    pub(crate) accepted: bool,
    pub(crate) done: bool,
    /// Whether its data were not seen.
    pub(crate) dataless: bool,
    /// Lanes that load from bytes of the scratchpad to which no store is known.
    pub(crate) uninitialized: LaneMask,
    /// By register, which of them load one into it. Means nothing if there are none.
    pub(super) unknown: [LaneMask; REGISTERS],
    /// Of the registers into which lanes load unknown bytes, the bits that are known: lane, register, bits. Means nothing
    /// if there are none.
    pub(super) partly: Vec<(usize, usize, u32)>,
    /// Values that a load may find in the scratchpad if lanes may act in any order.
    pub(crate) choices: Vec<Choice>,
    /// Whether a line was read for its compare-and-stores.
    pub(crate) compares: bool,
    /// Of a compare-and-store whose data were not seen: a bit for each request of which the exclusive read was sent, since
    /// its write was refused.
    pub(super) begun: u64,
    /// The u# that it makes undefined. Whatever it does there is right.
    pub(crate) wild: Option<Range>,
    /// The state of its requests, if they may differ from the model's.
    pub(crate) loose: Option<Box<Loose>>,
}

impl Progress {
    /// A place without an operation.
    pub(crate) fn none() -> Self {
        Progress {
            index: usize::MAX,
            plan: Plan::default(),
            warp: 0,
            tag: 0,
            registers: vec![[0; MAX_LANES]; MAX_REGISTERS],
            settled: [LaneMask::NONE; MAX_REGISTERS],
            delivered: [LaneMask::NONE; MAX_REGISTERS],
            from_memory: Ripe::default(),
            from_nobody: Ripe::default(),
            sent: 0,
            answered: 0,
            finished: 0,
            bank_cycles: 0,
            taken: 0,
            release: None,
            mmio: false,
            releases: false,
            last_data: 0,
            last_sent: 0,
            last_answered: 0,
            last_finished: 0,
            last_beat: 0,
            has_data: false,
            data_until: 0,
            spad_until: 0,
            spad_before: None,
            attr: [0; 3],
            accepted: false,
            done: false,
            dataless: false,
            uninitialized: LaneMask::NONE,
            unknown: [LaneMask::NONE; REGISTERS],
            partly: Vec::new(),
            choices: Vec::new(),
            compares: false,
            begun: 0,
            wild: None,
            loose: None,
        }
    }

    /// Starts anew with an operation, and with the model's plan for it.
    pub(crate) fn begin(&mut self, contract: &Contract, index: usize, issue: &Issue, cycle: u64) {
        model::plan(&contract.shape, &contract.ctrl, &issue.op, &issue.lanes, &issue.data, &mut self.plan);
        (self.index, self.warp, self.tag) = (index, issue.op.warp & 7, issue.op.tag);
        (self.settled, self.delivered) = ([LaneMask::NONE; MAX_REGISTERS], [LaneMask::NONE; MAX_REGISTERS]);
        self.from_memory.clear();
        self.from_nobody.clear();
        (self.sent, self.answered, self.finished, self.bank_cycles) = (0, 0, 0, 0);
        (self.accepted, self.done, self.taken) = (true, false, cycle);
        let order = model::orders(&issue.op, &self.plan);
        (self.release, self.mmio, self.releases) = (order.release, order.mmio, model::is_release(&issue.op));
        (self.last_sent, self.last_answered, self.last_finished) = (0, 0, 0);
        (self.last_beat, self.last_data) = (0, cycle);
        (self.wild, self.compares, self.begun) = (None, false, 0);
        self.choices.clear();
        (self.spad_until, self.spad_before) = (0, None);
        self.attr = issue.op.attr.to_words();
        let loose = contract.promises.loose() && !order.mmio && issue.op.kind != Kind::CmpStore as u8;
        self.loose = loose.then(|| {
            Box::new(Loose::new(self.plan.requests.len(), !contract.promises.keeps(crate::clause::Clause::PortMin)))
        });
    }

    /// The outcomes that the model expects at the done port.
    pub fn faults(&self) -> &[Fault; MAX_LANES] {
        &self.plan.faults
    }

    /// The lanes of a register that were written back.
    pub fn delivered(&self, register: usize) -> LaneMask {
        self.delivered.get(register).copied().unwrap_or_default()
    }

    /// One of the model's requests as the port would show it, without an id.
    pub(crate) fn asks(&self, request: &Request) -> Seen {
        Seen {
            warp: self.warp,
            tag: self.tag,
            group: request.group,
            kind: request.kind as u8,
            space: request.space as u8,
            attr: self.attr,
            line: request.line,
            byte_enable: request.byte_enable,
            data: request.data,
            ..Seen::default()
        }
    }

    /// The registers that the operation writes back, and the lanes: all that execute, whether the value comes from
    /// memory, from the scratchpad, or from neither (PORT-WB).
    pub fn owed(&self, op: &Op) -> (u64, LaneMask) {
        if is_load(op) && self.plan.legal { (op.registers(), self.plan.active) } else { (0, LaneMask::NONE) }
    }

    /// The packed attributes.
    pub fn attr(&self) -> &[u32; 3] {
        &self.attr
    }

    /// The u# that it makes undefined, if the unit may choose the effect.
    pub fn wild(&self) -> Option<Range> {
        self.wild
    }

    /// The lanes that load unknown bytes into a register.
    pub fn unknown(&self, register: usize) -> LaneMask {
        if self.uninitialized.is_empty() { LaneMask::NONE } else { self.unknown[register % REGISTERS] }
    }

    /// The lanes that load into a register a byte that was read several times, with different values.
    pub(super) fn torn(&self, register: usize) -> LaneMask {
        self.loose.as_ref().map_or(LaneMask::NONE, |loose| loose.torn(register))
    }

    /// The bits of a lane's register that are known, whatever the scratchpad held before the log.
    pub fn known_bits(&self, lane: usize, register: usize) -> u32 {
        if !self.unknown(register).contains(lane) {
            return u32::MAX;
        }
        let mine = self.partly.iter().filter(|(of, at, _)| (*of, *at) == (lane, register));
        mine.fold(0, |all, (.., bits)| all | bits)
    }

    /// Whether a lane loads from bytes of the scratchpad to which no store is known.
    pub fn is_uninitialized(&self, lane: usize) -> bool {
        self.uninitialized.contains(lane)
    }

    /// The number of requests answered so far.
    pub fn answered(&self) -> usize {
        self.answered
    }

    /// The number of requests made so far.
    pub fn sent(&self) -> usize {
        self.sent
    }

    /// The GPRs of a burst after the last one for which memory is requested. Each takes a cycle on its way.
    pub fn groups_behind(&self, op: &Op) -> u64 {
        let asked = self.plan.requests.last().map_or(0, |request| u32::from(request.group) + 1);
        let behind = u32::from(op.present_gprs).checked_shr(asked).unwrap_or(0);
        if op.is_burst() { u64::from(u32::BITS - behind.leading_zeros()) } else { 0 }
    }

    /// Whether it was accepted long enough before a cycle to have a request on offer.
    pub(crate) fn sent_before(&self, cycle: u64) -> bool {
        cycle > self.taken + 8
    }

    /// The cycle in which it last made progress.
    pub fn moved(&self) -> u64 {
        let answered = self.last_answered.max(self.last_finished);
        self.taken.max(self.last_data).max(self.last_sent).max(answered).max(self.last_beat)
    }

    /// The cycle of the last event that its completion waits for, besides older completions. There is none if the log
    /// cannot tell: the operation stores to the scratchpad, nothing of it shows at a port, or the data that it waits
    /// for were not seen.
    pub fn last_event(&self, op: &Op) -> Option<u64> {
        let stores = !is_load(op) && !self.plan.shared.is_empty();
        let shows = !self.plan.requests.is_empty() || self.last_beat > 0;
        let answered = if awaits_last(op) { self.last_finished } else { 0 };
        // Data that ran ahead are put in their places one beat a cycle, even those that no request follows.
        let placed = self.last_data.saturating_add(if self.groups_behind(op) > 0 { DATA_AHEAD } else { 0 });
        let seen = !self.dataless || self.groups_behind(op) == 0;
        (self.plan.legal && shows && seen && !stores && self.wild.is_none())
            .then(|| placed.max(self.last_answered).max(self.last_beat).max(answered))
    }
}

/// Whether a completion waits for the last answers, and not for the first (R700-ACK).
pub fn awaits_last(op: &Op) -> bool {
    op.is_burst() && op.await_last && !is_load(op)
}
