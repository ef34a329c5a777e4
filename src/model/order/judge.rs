// SPDX-License-Identifier: MIT OR Apache-2.0
//! PTX-SEM on an event log: which operations were issued and done, and which requests were sent and answered. The judge
//! knows the rules, but no unit.
//!
//! For each access it keeps only the widest scope of each request's answers. An access is removed when it is done and
//! fully acknowledged at system scope, so that a warp's list grows only with what is in flight.

use std::collections::VecDeque;

use super::{Order, orders, private};
use crate::{
    clause::Clause,
    model::{Plan, vector},
    op::{Op, Scope},
};

/// A broken rule of order. Operations have the numbers that the log gives them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Broken {
    /// A release was sent to memory too early.
    #[error("a release was sent before operation {earlier}, request {request}, was acknowledged at {scope:?} scope")]
    ReleaseSent { earlier: usize, request: usize, scope: Scope },
    /// A release to the scratchpad was made too early. No port shows scratchpad accesses, but a release that is done
    /// has been made.
    #[error("a release was done before operation {earlier}, request {request}, was acknowledged at {scope:?} scope")]
    ReleaseDone { earlier: usize, request: usize, scope: Scope },
    /// Two mmio requests of a warp are in flight together.
    #[error("an mmio request was sent before operation {earlier}'s was answered")]
    MmioSent { earlier: usize },
    /// An mmio request is not the access of the lane whose turn it is: merged, split, widened, or out of order.
    #[error(
        "an mmio request has bytes {byte_enable:#x} of line {line:#x}, not just {bytes:#x} of lane {lane} at {addr:#x}"
    )]
    MmioBytes { lane: usize, addr: u64, bytes: u32, line: u64, byte_enable: u128 },
    /// An operation was done without all of its requests.
    #[error("done after {sent} of {requests} requests")]
    Lost { sent: usize, requests: usize },
    /// An operation sent more requests than it has.
    #[error("a request too many: there are {requests}")]
    Repeated { requests: usize },
}

impl Broken {
    /// The rule that was broken.
    pub fn clause(self) -> Clause {
        match self {
            Broken::MmioSent { .. } => Clause::PortOrder,
            Broken::Lost { .. } => Clause::PortDone,
            Broken::Repeated { .. } => Clause::PortMin,
            _ => Clause::PtxSem,
        }
    }
}

/// Follows every warp's accesses, one event at a time. Events of an operation that was not issued are ignored: other
/// clauses refuse them.
///
/// ```
/// use gpu_lsu::{model::{Plan, order::{Broken, Judge}, plan}, op::*};
///
/// let mut ctrl = Ctrl::default();
/// ctrl.alloc[0] = Range { base: 0x1000, size: 0x1000 };
/// let lanes = Lanes { active: LaneMask::only(0), ..Lanes::default() };
/// // st.global.b32 [0x1000], and after it st.release.cta.global.b32 [0x1080]
/// let store = |imm, semantics| Op {
///     kind: Kind::Store as u8,
///     space: Space::Global as u8,
///     imm,
///     element_bytes: 4,
///     element_count: 1,
///     element_mask: 1,
///     attr: Attr { semantics: semantics as u8, ..Attr::default() },
///     ..Op::default()
/// };
/// let (weak, release) = (store(0x1000, Semantics::Weak), store(0x1080, Semantics::Release));
/// let (mut judge, mut todo) = (Judge::default(), Plan::default());
/// plan(&Shape::with_lanes(4), &ctrl, &weak, &lanes, &[[0; 32]], &mut todo);
/// judge.issued(0, &weak, &todo);
/// judge.sent(0, &weak, &todo, 0x1000, 0xf).unwrap();
/// plan(&Shape::with_lanes(4), &ctrl, &release, &lanes, &[[0; 32]], &mut todo);
/// judge.issued(1, &release, &todo);
///
/// let early = Broken::ReleaseSent { earlier: 0, request: 0, scope: Scope::Cta };
/// assert_eq!(judge.clone().sent(1, &release, &todo, 0x1080, 0xf), Err(early));
/// judge.answered(0, 0, 0, Scope::Cta as u8, false);
/// assert_eq!(judge.sent(1, &release, &todo, 0x1080, 0xf), Ok(()));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Judge {
    /// Each warp's accesses, in issue order.
    warps: [VecDeque<Access>; 8],
    /// Removed accesses, kept to reuse their allocations.
    spare: Vec<Access>,
}

#[derive(Clone, Debug, Default)]
struct Access {
    operation: usize,
    order: Order,
    /// For a release: bit k is set if request k serves memory that other threads see. A PTX operation has at most 32
    /// requests.
    seen: u32,
    sent: usize,
    done: bool,
    /// For each request: 0 without an answer, otherwise the code of the widest scope plus 1.
    reached: Vec<u8>,
    /// For each scope, the requests, sent or not, without an answer of at least this scope.
    waiting: [usize; 4],
}

impl Judge {
    /// Forgets all accesses, as after a reset.
    pub fn reset(&mut self) {
        for warp in &mut self.warps {
            self.spare.extend(warp.drain(..));
        }
    }

    /// The unit took an operation. `operation` must be larger than that of every earlier one of its warp.
    pub fn issued(&mut self, operation: usize, op: &Op, plan: &Plan) {
        let mut access = self.spare.pop().unwrap_or_default();
        let (order, mut seen) = (orders(op, plan), 0);
        if order.release.is_some() {
            let private = private(op, plan);
            let requests = plan.requests.iter().take(32).enumerate();
            seen = requests.fold(0, |all, (k, request)| all | u32::from(!(request.lanes - private).is_empty()) << k);
        }
        let requests = plan.requests.len();
        access.reached.clear();
        access.reached.resize(requests, 0);
        let reached = access.reached;
        access = Access { operation, order, seen, sent: 0, done: false, reached, waiting: [requests; 4] };
        self.warps[usize::from(op.warp % 8)].push_back(access);
    }

    /// The memory accepted the operation's next request, for the bytes `byte_enable` of the line at byte address
    /// `line`.
    ///
    /// # Errors
    ///
    /// If the request came too early, or is none of the operation's.
    pub fn sent(&mut self, operation: usize, op: &Op, plan: &Plan, line: u64, byte_enable: u128) -> Result<(), Broken> {
        let verdict = self.may_send(operation, op).and_then(|number| match number {
            Some(number) if orders(op, plan).mmio => mmio_bytes(op, plan, number, line, byte_enable),
            _ => Ok(()),
        });
        let warp = &mut self.warps[usize::from(op.warp % 8)];
        if let Some(place) = find(warp, operation) {
            warp[place].sent += 1;
        }
        verdict
    }

    /// Checks whether the operation's next request may go now, whatever its bytes are. Returns its number, or `None` if
    /// the operation was not issued.
    ///
    /// # Errors
    ///
    /// If it is too early, or no request is left.
    pub fn may_send(&self, operation: usize, op: &Op) -> Result<Option<usize>, Broken> {
        let warp = &self.warps[usize::from(op.warp % 8)];
        let Some(place) = find(warp, operation) else { return Ok(None) };
        let access = &warp[place];
        let (number, requests, order) = (access.sent, access.reached.len(), access.order);
        if number >= requests {
            return Err(Broken::Repeated { requests });
        }
        let seen = access.seen.checked_shr(number as u32).unwrap_or(0) & 1 == 1;
        if let Some(scope) = order.release.filter(|_| seen)
            && let Some((earlier, request)) = behind(warp, place, scope)
        {
            return Err(Broken::ReleaseSent { earlier, request, scope });
        }
        if !order.mmio {
            return Ok(Some(number));
        }
        if warp[place].reached[..number].contains(&0) {
            return Err(Broken::MmioSent { earlier: operation });
        }
        let mut earlier = warp.iter().take(place);
        if let Some(access) = earlier.find(|access| access.order.mmio && access.waiting[0] != 0) {
            return Err(Broken::MmioSent { earlier: access.operation });
        }
        Ok(Some(number))
    }

    /// The unit took an answer to a request, whose number counts from 0 in its operation. `scope` is a [`Scope`] code;
    /// the last answer has system scope, whatever its code (PORT-RSP).
    pub fn answered(&mut self, warp: u8, operation: usize, request: usize, scope: u8, last: bool) {
        let warp = usize::from(warp % 8);
        let Some(place) = find(&self.warps[warp], operation) else { return };
        let access = &mut self.warps[warp][place];
        let Some(reached) = access.reached.get_mut(request) else { return };
        let scopes = 1 + if last { Scope::Sys as u8 } else { scope % 4 };
        for waiting in access.waiting.iter_mut().take(scopes.into()).skip((*reached).into()) {
            *waiting -= 1;
        }
        *reached = scopes.max(*reached);
        self.retire(warp, place);
    }

    /// Checks whether an operation may complete now.
    ///
    /// # Errors
    ///
    /// If a request of the operation, or an acknowledgement that it has to wait for, is missing.
    pub fn may_complete(&self, warp: u8, operation: usize) -> Result<(), Broken> {
        let warp = &self.warps[usize::from(warp % 8)];
        let Some(place) = find(warp, operation) else { return Ok(()) };
        let access = &warp[place];
        let (sent, requests) = (access.sent, access.reached.len());
        if sent < requests {
            return Err(Broken::Lost { sent, requests });
        }
        let behind = access.order.release.and_then(|scope| Some((scope, behind(warp, place, scope)?)));
        behind.map_or(Ok(()), |(scope, (earlier, request))| Err(Broken::ReleaseDone { earlier, request, scope }))
    }

    /// The unit completed an operation.
    ///
    /// # Errors
    ///
    /// If [it may not](Self::may_complete).
    pub fn done(&mut self, warp: u8, operation: usize) -> Result<(), Broken> {
        let verdict = self.may_complete(warp, operation);
        let warp = usize::from(warp % 8);
        if let Some(place) = find(&self.warps[warp], operation) {
            self.warps[warp][place].done = true;
            self.retire(warp, place);
        }
        verdict
    }

    /// Removes an access of a warp if no operation can still wait for it.
    fn retire(&mut self, warp: usize, place: usize) {
        let over = |access: &Access| access.done && access.waiting[Scope::Sys as usize] == 0;
        if self.warps[warp].get(place).is_some_and(over) {
            self.spare.extend(self.warps[warp].remove(place));
        }
    }
}

/// The place of an operation in its warp's list, in which the numbers ascend.
fn find(warp: &VecDeque<Access>, operation: usize) -> Option<usize> {
    warp.binary_search_by_key(&operation, |access| access.operation).ok()
}

/// The first access before `place` that is not acknowledged at `scope`, and the first of its requests that is not.
fn behind(warp: &VecDeque<Access>, place: usize, scope: Scope) -> Option<(usize, usize)> {
    let access = warp.iter().take(place).find(|access| access.waiting[scope as usize] != 0)?;
    let request = access.reached.iter().position(|&scopes| scopes <= scope as u8)?;
    Some((access.operation, request))
}

/// Checks that the k-th request of an mmio store is that of the k-th lane that accesses memory, and has exactly its
/// bytes.
fn mmio_bytes(op: &Op, plan: &Plan, number: usize, line: u64, byte_enable: u128) -> Result<(), Broken> {
    let Some(lane) = plan.memory.iter().nth(number) else {
        return Err(Broken::Repeated { requests: plan.memory.count() });
    };
    let (addr, bytes) = (plan.addr[lane], vector::moved(op));
    let offset = addr.checked_sub(line).and_then(|offset| u32::try_from(offset).ok());
    match offset.and_then(|offset| u128::from(bytes).checked_shl(offset)) == Some(byte_enable) {
        true => Ok(()),
        false => Err(Broken::MmioBytes { lane, addr, bytes, line, byte_enable }),
    }
}
