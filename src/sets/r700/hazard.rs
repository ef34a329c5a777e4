// SPDX-License-Identifier: MIT OR Apache-2.0
//! Finds what an R700 program may not rely on without a flush: a thread that reads what another one wrote (R700-FLUSH),
//! and programs of two types that use the reduction buffer (R700-STAGE).

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use crate::{
    program::{Executed, Program, Step},
    clause::Clause,
    model::lane_bytes,
    op::{BufferSlot, MAX_LANES, ReqKind, Shape},
};

/// A pair of steps that needs a flush between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hazard {
    /// R700-FLUSH or R700-STAGE.
    pub clause: Clause,
    /// Number of the earlier step in the program.
    pub earlier: usize,
    /// Lanes of the later step.
    pub lanes: Vec<usize>,
    /// The bytes concerned, as the first and last of each run, ascending.
    pub bytes: Vec<(u64, u64)>,
}

/// The accesses since the last flush.
#[derive(Default)]
pub struct Hazards {
    /// By dword number: the step that wrote the dword last, and the thread.
    written: FxHashMap<u64, (usize, usize)>,
    /// The last step that used the reduction buffer, and its program type.
    reduction: Option<(usize, u8)>,
}

impl Hazards {
    /// Records that step `number` of a program was executed, and returns its hazards.
    pub fn step(
        &mut self,
        program: &Program,
        number: usize,
        step: &Step,
        shape: &Shape,
        done: &Executed,
    ) -> Vec<Hazard> {
        if program.flushes.binary_search(&number).is_ok() {
            *self = Hazards::default();
        }
        let op = &done.op;
        if !op.is_burst() || done.plan.requests.is_empty() {
            return Vec::new();
        }
        let mut found = Vec::new();
        if op.slot == BufferSlot::Reduction as u8 {
            let before = self.reduction.replace((number, op.stage)).filter(|(_, stage)| *stage != op.stage);
            found.extend(before.map(|(earlier, _)| {
                let bytes = done.plan.requests.iter().flat_map(|request| dwords(request.line, request.byte_enable));
                let (lanes, bytes) = (done.plan.memory.iter().collect(), runs(&bytes.collect()));
                Hazard { clause: Clause::R700Stage, earlier, lanes, bytes }
            }));
        }
        let mut read: BTreeMap<usize, (BTreeSet<usize>, BTreeSet<u64>)> = BTreeMap::new();
        for request in &done.plan.requests {
            // Lanes ascend, so that the higher of two lanes that write a dword is its writer (COM-SAMEADDR).
            for lane in (0..MAX_LANES).filter(|&lane| request.lanes.contains(lane)) {
                let thread = step.warp * shape.lanes + lane;
                for dword in dwords(request.line, lane_bytes(op, &done.plan, request, lane)) {
                    if request.kind == ReqKind::Write {
                        self.written.insert(dword, (number, thread));
                    } else if let Some((earlier, _)) = self.written.get(&dword).filter(|(_, by)| *by != thread) {
                        let (lanes, bytes) = read.entry(*earlier).or_default();
                        lanes.insert(lane);
                        bytes.insert(dword);
                    }
                }
            }
        }
        found.extend(read.into_iter().map(|(earlier, (lanes, bytes))| Hazard {
            clause: Clause::R700Flush,
            earlier,
            lanes: lanes.into_iter().collect(),
            bytes: runs(&bytes),
        }));
        found
    }
}

/// The numbers of the enabled dwords of a line.
fn dwords(line: u64, byte_enable: u128) -> impl Iterator<Item = u64> {
    (0..32).filter(move |dword| byte_enable >> (4 * dword) & 1 == 1).map(move |dword| line / 4 + dword)
}

/// The first and last byte of each run of dwords.
fn runs(dwords: &BTreeSet<u64>) -> Vec<(u64, u64)> {
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for &dword in dwords {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == 4 * dword => *last += 4,
            _ => runs.push((4 * dword, 4 * dword + 3)),
        }
    }
    runs
}
