// SPDX-License-Identifier: MIT OR Apache-2.0
//! Finds the clause that a PTX store breaks, where its rules differ from those of SPA 5.0.

pub mod bends;

use crate::{
    clause::Clause,
    judge::{
        contract::Contract,
        diagnose::{
            bent,
            naming::{Bend, Naming},
            requests::{at_byte, is_anothers},
        },
        log::{Issue, Seen},
        scoreboard::Progress,
    },
    model::{self, Plan, Request, vector},
    op::{AddrMode, Fault, LaneMask, MAX_LANES, Op, Semantics, Space},
};

/// Whether a store has an order in memory that a thread has for itself; only .local may be volatile.
fn is_private_order(op: &Op, space: Option<Space>) -> bool {
    let semantics = Semantics::from_code(op.attr.semantics);
    match space {
        Some(Space::Local) => !matches!(semantics, Some(Semantics::Weak | Semantics::Volatile)),
        Some(Space::Param) => semantics != Some(Semantics::Weak),
        _ => false,
    }
}

impl Naming for super::Rule {
    const BENDS: &'static [&'static [Bend]] = bends::BENDS;
    const ALIGN: Clause = Clause::PtxAlign;
    const OF_DATA: &'static [Clause] = &[Clause::PtxVec, Clause::PtxSink, Clause::PtxSem, Clause::PtxParam];
    const ORDERED: bool = true;

    fn value(_: &Op) -> Clause {
        Clause::PtxVec
    }

    fn text(op: &Op) -> String {
        let space = Space::from_code(op.space);
        match (op.element_count, op.element_bytes) {
            (2, 16) => "(a store of 2 elements of 128 bits, which no statement makes)".to_owned(),
            (8, bytes @ 1..4) => format!("(a store of 8 elements of {} bits, which no statement makes)", 8 * bytes),
            // Statements store 256 bits only where the address may be in global memory (PTX-L12).
            _ if op.access_bytes() == 32 && !matches!(space, Some(Space::Generic | Space::Global)) => {
                "(a store of 256 bits out of global memory, which no statement makes)".to_owned()
            }
            // An mmio store is of one element (PTX-L4), and memory of the thread's own has no order (PTX-L2).
            (2.., _) if is_mmio(op) => "(an mmio store of several elements, which no statement makes)".to_owned(),
            _ if is_private_order(op, space) => "(a store with an order to a thread's own memory, which no statement makes)".to_owned(),
            // Only vectors of 256 bits have sinks (PTX-L13).
            _ if op.access_bytes() < 32 && u32::from(op.element_mask) + 1 != 1 << op.element_count => {
                format!("(a store with sinks in {} bits, which no statement makes)", 8 * op.access_bytes())
            }
            _ => super::text(op),
        }
    }

    fn space(op: &Op) -> Clause {
        space_rule(op)
    }

    fn attribute(want: [u32; 3], seen: &Seen) -> Clause {
        attribute(want, seen)
    }

    fn misplaced(
        contract: &Contract,
        issue: &Issue,
        progress: &Progress,
        number: usize,
        seen: &Seen,
    ) -> Option<Clause> {
        let requests = &progress.plan.requests;
        let is_seen = |request: &Request| request.line == seen.line && request.byte_enable == seen.byte_enable;
        // Lanes that went elsewhere leave the requests of the other lanes as they are.
        let begins = |plan: &Plan| {
            let before = plan.requests.iter().zip(&requests[..number]);
            plan.requests.get(number).is_some_and(is_seen) && before.fold(true, |all, (one, other)| all && one == other)
        };
        mmio(contract, issue, progress, number, seen)
            .or_else(|| wide(contract, issue, progress, seen))
            .or_else(|| bent(contract, issue, begins))
            .or_else(|| sinks(contract, issue, begins))
    }

    fn merges(op: &Op) -> bool {
        !is_mmio(op)
    }

    fn extra_request(contract: &Contract, issue: &Issue, progress: &Progress, seen: &Seen) -> Option<Clause> {
        mmio(contract, issue, progress, progress.plan.requests.len(), seen)
            .or_else(|| wide(contract, issue, progress, seen))
    }

    fn wrong_byte(
        issue: &Issue,
        progress: &Progress,
        number: usize,
        byte: usize,
        got: u8,
        writers: &[usize],
    ) -> Clause {
        let lane = writers.last().copied().unwrap_or_default();
        let stored = |lane: usize| stored(issue, lane, at_byte(progress, number, byte, lane));
        if is_anothers(writers, got, stored) {
            return Clause::ComSameaddr;
        }
        let line = progress.plan.requests[number].line;
        wrong_byte(issue, progress, lane, line + byte as u64, got)
    }

    fn outcome(_: &Contract, issue: &Issue, want: Fault, got: Option<Fault>) -> Option<Clause> {
        fault(issue, want, got)
    }
}

pub fn is_mmio(op: &Op) -> bool {
    matches!(Semantics::from_code(op.attr.semantics), Some(Semantics::Mmio | Semantics::MmioRelease))
}

/// Whether the access has 256 bits at a generic address, which is meant for global memory.
pub fn is_wide(op: &Op) -> bool {
    op.space == Space::Generic as u8 && op.access_bytes() == 32
}

/// The clause by which an address names a memory.
fn space_rule(op: &Op) -> Clause {
    if op.space == Space::Generic as u8 { Clause::PtxSpace } else { Clause::PtxOffset }
}

/// The clause of attributes that differ. Semantics and scope do not concern caches.
fn attribute(want: [u32; 3], seen: &Seen) -> Clause {
    const ORDER: u32 = 0b11_1110;
    let caches = (want[0] ^ seen.attr[0]) & !ORDER != 0 || want[1..] != seen.attr[1..];
    if caches { Clause::ComAttr } else { Clause::PtxSem }
}

/// The clause of a request that leaves out other elements than the sinks.
fn sinks(contract: &Contract, issue: &Issue, begins: impl Fn(&Plan) -> bool) -> Option<Clause> {
    let all = bends::elements(&issue.op);
    let mut plan = Plan::default();
    let mut leaves = (1..=all).filter(|_| issue.op.element_mask != all).map(|mask| {
        let op = Op { element_mask: mask, ..issue.op };
        model::plan(&contract.shape, &contract.ctrl, &op, &issue.lanes, &issue.data, &mut plan);
        begins(&plan)
    });
    leaves.any(|begins| begins).then_some(Clause::PtxSink)
}

/// The clause of a request by a lane whose 256 bits are illegal where its address lies (PTX-GLOBAL-ONLY).
pub fn wide(contract: &Contract, issue: &Issue, progress: &Progress, seen: &Seen) -> Option<Clause> {
    let ctrl = &contract.ctrl;
    let mut illegal = (0..MAX_LANES).filter(|&lane| progress.plan.faults[lane] == Fault::Illegal);
    let elsewhere = illegal.any(|lane| {
        let (mut op, mut lanes, mut plan) = (issue.op, issue.lanes.clone(), Plan::default());
        lanes.active = LaneMask::only(lane);
        op.space = Space::Local as u8;
        let [low, high, _] = lanes.addr[lane];
        let base = if op.addr_mode == AddrMode::Abs as u8 { 0 } else { u64::from(high) << 32 | u64::from(low) };
        op.imm = base.wrapping_add(op.imm).wrapping_sub(ctrl.local_window.base);
        op.addr_mode = AddrMode::Abs as u8;
        model::plan(&contract.shape, ctrl, &op, &lanes, &issue.data, &mut plan);
        let meets = |request: &Request| request.line == seen.line && request.byte_enable & seen.byte_enable != 0;
        plan.requests.iter().any(meets)
    });
    (is_wide(&issue.op) && elsewhere).then_some(Clause::PtxGlobalOnly)
}

/// The clause of an mmio request that is not the next lane's: it is repeated, out of order, merged, or comes from a
/// lane whose memory has no mmio (PTX-SEM). Any other wrong request has another reason.
fn mmio(contract: &Contract, issue: &Issue, progress: &Progress, number: usize, seen: &Seen) -> Option<Clause> {
    if !is_mmio(&issue.op) {
        return None;
    }
    let requests = &progress.plan.requests;
    let is_seen = |request: &Request| request.line == seen.line && request.byte_enable == seen.byte_enable;
    let another = requests.iter().any(is_seen);
    // The request has the bytes of several lanes, and no others.
    let joined = requests.iter().skip(number).filter(|request| request.line == seen.line);
    let joined = joined.fold(0, |all, request| all | request.byte_enable);
    let merged = requests.get(number).is_some_and(|expected| {
        let inside = expected.byte_enable & !seen.byte_enable == 0 && seen.byte_enable & !joined == 0;
        expected.line == seen.line && inside
    });
    let mut illegal = (0..MAX_LANES).filter(|&lane| progress.plan.faults[lane] == Fault::Illegal);
    let elsewhere = illegal.any(|lane| {
        let (mut op, mut lanes, mut plan) = (issue.op, issue.lanes.clone(), Plan::default());
        (op.attr.semantics, lanes.active) = (Semantics::Weak as u8, LaneMask::only(lane));
        model::plan(&contract.shape, &contract.ctrl, &op, &lanes, &issue.data, &mut plan);
        plan.requests.iter().any(is_seen)
    });
    (another || merged || elsewhere).then_some(Clause::PtxSem)
}

/// The clause of a wrong written byte that none of the writing lanes holds at this place. If the lane's vector has
/// several elements or registers, it may be a byte of another place in the vector. For mmio, it may be another lane's.
fn wrong_byte(issue: &Issue, progress: &Progress, lane: usize, addr: u64, got: u8) -> Clause {
    let held = |other: usize| {
        let at = addr.wrapping_sub(progress.plan.addr[other]);
        at < issue.op.access_bytes().into() && stored(issue, other, at as usize) == got
    };
    if is_mmio(&issue.op) && progress.plan.memory.iter().any(held) {
        return Clause::PtxSem;
    }
    let several = issue.op.element_count > 1 || issue.op.element_bytes > 4;
    let own = issue.data.iter().any(|register| register[lane].to_le_bytes().contains(&got));
    if several && (own || got == 0) { Clause::PtxVec } else { Clause::PortData }
}

/// The byte that a lane stores at byte `at` of its access.
fn stored(issue: &Issue, lane: usize, at: usize) -> u8 {
    vector::words(&issue.op, &issue.data)[at / 4 % vector::WORDS][lane].to_le_bytes()[at % 4]
}

/// The clause of a lane's outcome that can be told without bending a rule.
fn fault(issue: &Issue, want: Fault, got: Option<Fault>) -> Option<Clause> {
    match (want, got) {
        // Only bits 40 and above take an address out of every window, and these belong to PTX-EA.
        (Fault::None | Fault::Allocation | Fault::Misaligned | Fault::Bus, Some(Fault::Window)) => {
            (issue.op.space != Space::Generic as u8).then_some(Clause::PtxOffset)
        }
        (Fault::Illegal, Some(Fault::Misaligned)) => None,
        (Fault::Illegal, _) | (_, Some(Fault::Illegal)) if is_mmio(&issue.op) => Some(Clause::PtxSem),
        (Fault::Illegal, _) | (_, Some(Fault::Illegal)) if is_wide(&issue.op) => Some(Clause::PtxGlobalOnly),
        (_, Some(Fault::Illegal)) => Some(Clause::ComIllegal),
        _ => None,
    }
}
