// SPDX-License-Identifier: MIT OR Apache-2.0
//! Writes a set as the log of a unit that does what is expected, operation by operation, and has it judged: nothing in
//! it may contradict a clause, and its bins are counted.

use rustc_hash::FxHashMap;

use super::{Expected, Line, Set, Vector};
use crate::{
    judge::{
        Contract, Judge, Mismatch, Trial,
        coverage::Coverage,
        log::{Beat, Done, Log, Response, Seen, Unseen, beats},
    },
    model::Memory,
    op::{MAX_LANES, MAX_LINE_BYTES, ReqKind, Scope},
};

/// Judges the expectations of every segment, as far as they can be wrong.
///
/// # Errors
///
/// The first vector that contradicts a clause, by its index in its segment, which is a defect of this program.
pub fn judge(set: &Set) -> Result<Coverage, Box<Mismatch>> {
    let mut judge = Judge::new(&set.shape);
    let mut log = Log::default();
    let mut vectors: Vec<Vec<&Vector>> = vec![Vec::new(); set.segments.len()];
    set.vectors.iter().for_each(|vector| vectors[vector.segment].push(vector));
    for ((ctrl, vectors), lines) in set.segments.iter().zip(&vectors).zip(set.lines_of_segments()) {
        play(set, vectors, &mut log);
        let contract = Contract::new(set.shape, *ctrl);
        let memory = || start(set, &lines);
        let counts = vectors.iter().any(|vector| !vector.prepares);
        let trial = Trial { contract: &contract, memory: &memory, counts, histories: true };
        judge.judge(&trial, &log, None)?;
    }
    Ok(judge.coverage().clone())
}

/// Memory at the beginning of a segment that has these lines.
pub fn start(set: &Set, lines: &[&Line]) -> Memory {
    let mut memory = Memory::new(0);
    for line in lines {
        memory.poke(line.addr, &line.before[..set.shape.line_bytes]);
    }
    memory
}

/// Writes the log of a unit that executes one vector at a time.
fn play(set: &Set, vectors: &[&Vector], log: &mut Log) {
    log.clear();
    log.set_unseen(Unseen { offers: true, ..Unseen::default() });
    // By line: the contents of memory.
    let mut memory: FxHashMap<usize, [u8; MAX_LINE_BYTES]> = FxHashMap::default();
    let mut cycle = 0;
    for vector in vectors {
        let op = &vector.issue.op;
        log.op(cycle, op, &vector.issue.lanes, vector.issue.inst);
        for register in vector.issue.data.iter().take(beats(op)) {
            cycle += 1;
            log.data(cycle, register);
        }
        for request in &vector.requests {
            cycle += 1;
            let line = &set.lines[request.line];
            let held = memory.entry(request.line).or_insert(line.before);
            step(log, &mut cycle, vector, request, line, held, false);
            let second = vector.seconds.iter().find(|second| second.line == request.line);
            if let Some(second) = second.filter(|_| request.kind == ReqKind::ReadExclusive) {
                step(log, &mut cycle, vector, second, line, held, true);
            }
        }
        for written in &vector.registers {
            cycle += 1;
            let (warp, tag, mask, data) = (op.warp, op.tag, written.lanes, written.data);
            log.beat(cycle, Beat { warp, tag, register: written.register, mask, data });
        }
        cycle += 1;
        let faults = std::array::from_fn(|lane: usize| if lane < MAX_LANES { vector.faults[lane] as u8 } else { 0 });
        log.done(cycle, Done { warp: op.warp, tag: op.tag, faults });
        cycle += 1;
    }
    log.end(cycle, false);
}

/// Logs a request and its answer.
fn step(
    log: &mut Log,
    cycle: &mut u64,
    vector: &Vector,
    request: &Expected,
    line: &Line,
    held: &mut [u8; MAX_LINE_BYTES],
    second: bool,
) {
    let op = &vector.issue.op;
    let number = log.next_request();
    log.request(
        *cycle,
        Seen {
            id: 0,
            warp: op.warp,
            tag: op.tag,
            group: request.group,
            kind: request.kind as u8,
            space: request.space as u8,
            attr: op.attr.to_words(),
            line: line.addr,
            byte_enable: request.byte_enable,
            data: request.data,
        },
    );
    *cycle += 1;
    log.applied(*cycle, number, !line.fails);
    let reads = matches!(request.kind, ReqKind::Read | ReqKind::ReadExclusive);
    let data = if reads { *held } else { [0; MAX_LINE_BYTES] };
    if !reads && !line.fails {
        let enabled = (0..MAX_LINE_BYTES).filter(|at| request.byte_enable >> at & 1 == 1);
        enabled.for_each(|at| held[at] = request.data[at]);
    }
    // A pair that will write keeps its id, but its read still has a single answer, the last one.
    debug_assert!(!second || !reads);
    *cycle += 1;
    log.response(
        *cycle,
        Response { id: 0, data, error: line.fails, exclusive_failed: false, scope: Scope::Sys as u8, last: true },
    );
    *cycle += 1;
}
