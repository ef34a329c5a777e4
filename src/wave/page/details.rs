// SPDX-License-Identifier: MIT OR Apache-2.0
//! Operations lane by lane: the address of each lane, its outcome, and the clauses that apply. From the model alone.

use std::{collections::BTreeMap, ops::Range};

use serde::Serialize;

use super::memory::{self, Asked};
use crate::{
    clause::Clause,
    judge::{
        log::{Event, Issue, Log},
        trail::Trail,
    },
    model::{self, Fate, Place, Tested},
    op::{BufferSlot, Ctrl, Fault, GROUP_REGISTERS, LaneMask, Shape},
};

/// The number of operations that are shown lane by lane in a long run: those around the one at fault.
const MOST: usize = 64;

/// An operation in detail.
#[derive(Serialize)]
pub(super) struct Detail {
    pub op: usize,
    pub lanes: Vec<Lane>,
    memory: Vec<memory::Run>,
}

/// One lane of an operation.
#[derive(Serialize)]
pub(super) struct Lane {
    /// The address words.
    words: [String; 3],
    /// Whether the lane executes: it is active, and no suppressed helper.
    executes: bool,
    ea: String,
    /// The address that the lane's address is forced to, if it is another one.
    #[serde(skip_serializing_if = "String::is_empty")]
    forced: String,
    place: String,
    /// For a burst.
    #[serde(skip_serializing_if = "Option::is_none")]
    burst: Option<Burst>,
    /// For a compare-and-store: each test of its bounds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tests: Vec<String>,
    /// The outcome before bus errors.
    fault: &'static str,
    pub clauses: Vec<&'static str>,
}

/// A burst in one lane, in the terms of R700-FIRST and R700-CLAMP.
#[derive(Serialize)]
struct Burst {
    index: u32,
    first: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<u64>,
    gprs: Vec<Gpr>,
}

/// A GPR of a burst.
#[derive(Serialize)]
struct Gpr {
    gpr: u8,
    /// The dword of its component X.
    dword: u64,
    addr: String,
    /// A letter for each of X, Y, Z, W: moved, clamped, out of bounds, not in the format.
    fates: String,
}

/// The operation to show first, and the operations to show in detail: around the one at fault, or else from the first
/// on that sends a request. The runs of `verify` and `run` begin with hundreds of operations that only fill the
/// scratchpad.
pub(super) fn of_interest(log: &Log, fault: Option<usize>) -> (usize, Range<usize>) {
    let operations = log.issues().len();
    let fault = fault.filter(|&op| op < operations);
    let chosen = fault.unwrap_or_else(|| first_request(log));
    let first = if fault.is_some() { chosen.saturating_sub(MOST / 2) } else { chosen };
    let first = first.min(operations.saturating_sub(MOST));
    (chosen, first..operations.min(first + MOST))
}

/// The operation that sends the first request.
fn first_request(log: &Log) -> usize {
    let mut by_tag = [0; 256];
    for entry in log.entries() {
        match entry.event {
            Event::Op(number) => by_tag[usize::from(log.issues()[number as usize].op.tag)] = number as usize,
            Event::Request(number) => return by_tag[usize::from(log.requested(number).tag)],
            _ => {}
        }
    }
    0
}

/// The details of some operations of a log.
pub(super) fn details(
    log: &Log,
    shape: &Shape,
    which: Range<usize>,
    trail: &Trail<'_>,
    asked: &BTreeMap<usize, Asked>,
) -> Vec<Detail> {
    let mut now = Ctrl::default();
    let mut details = Vec::with_capacity(which.len());
    for entry in log.entries() {
        match entry.event {
            Event::Control(number) => now = *log.controls(number),
            Event::Op(number) if which.contains(&(number as usize)) => {
                let issue = &log.issues()[number as usize];
                let lanes = (0..shape.lanes).map(|lane| self::lane(shape, &now, issue, lane)).collect();
                let op = number as usize;
                let memory = asked.get(&op).map_or_else(Vec::new, |asked| memory::runs(trail, op, asked));
                details.push(Detail { op, lanes, memory });
            }
            _ => {}
        }
    }
    details
}

fn lane(shape: &Shape, ctrl: &Ctrl, issue: &Issue, lane: usize) -> Lane {
    let Issue { op, lanes, .. } = issue;
    let model::Trace { ea, aligned, place, clauses, fault } = model::trace(shape, ctrl, op, lanes, lane);
    let silent = [Clause::ComInactive, Clause::ComHelper, Clause::R700Vpm];
    let burst = model::r700_trace(shape, ctrl, op, lanes, lane);
    let tests = model::sm5_trace(shape, ctrl, op, lanes, lane).map(|trace| tests(&trace)).unwrap_or_default();
    let executes = lanes.active.contains(lane)
        && (burst.is_some() || !silent.contains(clauses.first().unwrap_or(&Clause::ComIllegal)));
    let shows = executes && fault != Fault::Illegal;
    Lane {
        words: lanes.addr[lane].map(|word| format!("{word:#x}")),
        executes,
        ea: if shows { format!("{ea:#x}") } else { String::new() },
        forced: if shows && ea != aligned { format!("{aligned:#x}") } else { String::new() },
        place: self::place(place),
        burst: burst.map(|trace| Burst {
            index: trace.index,
            first: trace.first_dw,
            limit: trace.limit_dw,
            gprs: trace.dwords.chunks(GROUP_REGISTERS).map(gpr).collect(),
        }),
        tests,
        fault: fault.name(),
        clauses: clauses.iter().map(|clause| clause.id()).collect(),
    }
}

fn gpr(dwords: &[model::Dword]) -> Gpr {
    let letter = |dword: &model::Dword| match dword.fate {
        Fate::Moved => 'M',
        Fate::Clamped => 'C',
        Fate::Outside => 'O',
        Fate::Masked => '-',
    };
    let [first, ..] = dwords else { return Gpr { gpr: 0, dword: 0, addr: String::new(), fates: String::new() } };
    let fates = dwords.iter().map(letter).collect();
    Gpr { gpr: first.gpr, dword: first.dword, addr: format!("{:#x}", first.addr), fates }
}

fn tests(trace: &model::Sm5Trace) -> Vec<String> {
    let test = |test: &model::Test| {
        let (what, relation) = match test.of {
            Tested::Width => ("x is below the width", "<"),
            Tested::Height => ("y is below the height", "<"),
            Tested::Depth => ("the slice is below the depth", "<"),
            Tested::Structure => ("the structure ends within the size", "<="),
            Tested::Stride => ("the offset is below the stride", "<"),
            Tested::Size => ("the dword ends within the size", "<="),
        };
        let verdict = if test.passed { "holds" } else { "fails" };
        format!("{what}: {} {relation} {} {verdict}", test.value, test.limit)
    };
    match trace.bound {
        true => trace.tests.iter().map(test).collect(),
        false => vec!["nothing is bound to the slot".to_owned()],
    }
}

/// Describes the place that an address names.
pub(super) fn place(place: Place) -> String {
    match place {
        Place::Nowhere => String::new(),
        Place::Global(addr) => format!("global {addr:#x}"),
        Place::Local { thread, offset, addr } => {
            format!("local window, thread {thread}, offset {offset:#x}: {addr:#x}")
        }
        Place::Shared(offset) => format!("shared window, scratchpad {offset:#x}"),
        Place::Param { thread, offset, addr } => {
            format!("parameters of thread {thread}, offset {offset:#x}: {addr:#x}")
        }
        Place::Cluster { offset, addr } => format!("cluster, offset {offset:#x}: {addr:#x}"),
        Place::Buffer { slot, dword, addr } => format!("{} buffer, dword {dword}: {addr:#x}", BufferSlot::name(slot)),
        Place::Uav { slot, offset, addr } => format!("u{slot}, offset {offset:#x}: {addr:#x}"),
        Place::Tgsm { slot, offset, addr } => format!("g{slot}, offset {offset:#x}: scratchpad {addr:#x}"),
    }
}

/// The lanes of a mask, as `0..3, 8`.
pub(super) fn lanes(mask: LaneMask) -> String {
    crate::explain::group::lanes(&mask.iter().collect::<Vec<_>>())
}
