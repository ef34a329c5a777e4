// SPDX-License-Identifier: MIT OR Apache-2.0
//! Write-back beats that differ from the model's or never came: the clause, and the two values.

use super::at;
use crate::{
    clause::Clause,
    judge::{
        contract::Contract,
        image::Image,
        log::{Beat, Event, Issue, Log},
        mismatch::{Field, Mismatch, Site},
        scoreboard::{Progress, Touch, is_load},
    },
    model,
    op::{Fault, LaneMask, Rule},
};

/// Names the rule broken by a beat for lanes that must not be written back, or not now.
pub fn beat_lanes(
    contract: &Contract,
    issue: &Issue,
    progress: &Progress,
    beat: &Beat,
    settled: LaneMask,
) -> Box<Mismatch> {
    let register = usize::from(beat.register);
    let moved = issue.op.registers();
    let stray = beat.mask - progress.plan.active;
    let (clause, expected) = if !progress.plan.legal {
        (Clause::ComIllegal, "no beat: the operation is illegal")
    } else if !is_load(&issue.op) || moved >> register.min(63) & 1 == 0 {
        let loads = is_load(&issue.op);
        let clause = if loads { issue.op.rule().no_register(&issue.op, register) } else { Clause::PortWb };
        (clause, "no beat for this register")
    } else if let Some(lane) = stray.first() {
        let helper = issue.op.suppress_helpers && issue.lanes.helper.contains(lane);
        (
            if helper { issue.op.rule().helper() } else { Clause::ComInactive },
            "no beat for a lane that does not execute",
        )
    } else if !(beat.mask & progress.delivered(register)).is_empty() {
        (Clause::PortWb, "each lane once")
    } else {
        let early = beat.mask - settled;
        let clause = issue.op.rule().early(contract, issue, progress, beat, early);
        (clause, "some lanes, after their answer")
    };
    let wrong = if stray.is_empty() { beat.mask - (settled - progress.delivered(register)) } else { stray };
    let m = at(clause, progress, Field::signal(Site::Wb, "mask").register(register));
    let m = if let Some(lane) = wrong.first() { m.lane(lane) } else { m };
    Box::new(m.values(expected, format!("lanes {:#x}", beat.mask)))
}

/// What was seen of memory and of the scratchpad up to a beat.
pub struct Seen<'a> {
    /// Memory at the time of the beat.
    pub image: &'a Image,
    /// A word of the scratchpad, as the operations that were accepted leave it.
    pub held: &'a dyn Fn(u64) -> u32,
    /// The last compare-and-stores on a word of the scratchpad.
    pub touches: &'a dyn Fn(u64) -> &'a [Touch],
    /// Whether a word of the scratchpad that should hold the first value has the second one from lower lanes.
    pub lost: &'a dyn Fn(u64, u32, u32) -> bool,
}

/// Names the rule broken by a register with a wrong value.
pub fn beat_data(
    contract: &Contract,
    issue: &Issue,
    progress: &Progress,
    Seen { image, held, touches, lost }: Seen<'_>,
    beat: &Beat,
    lane: usize,
) -> Box<Mismatch> {
    let register = usize::from(beat.register);
    let (want, got) = (progress.registers[register][lane], beat.data[lane]);
    let bits = issue.op.access_bytes() * 8;
    let rule = issue.op.rule();
    let of_rule = rule.register(contract, issue, progress, image, beat, lane);
    // A word of the scratchpad that compare-and-stores were the last to write tells about them.
    let word = (progress.plan.addr[lane] / 4).wrapping_add(register as u64).wrapping_mul(4);
    let shared = progress.plan.shared.contains(lane) && bits >= 32;
    let by = |rule: &Rule| rule.in_scratchpad(touches(word), got);
    let told = if shared { Rule::ALL.iter().find_map(by) } else { None };
    let clause = if let Some(clause) = of_rule {
        clause
    } else if progress.plan.zeros.contains(lane) {
        rule.zero()
    } else if progress.plan.faults[lane] == Fault::Bus {
        Clause::ComBuserr
    } else if let Some((clause, _)) = told {
        clause
    } else if shared && lost(word, want, got) {
        Clause::ComSameaddr
    } else if bits < 32
        && ((want ^ got) & ((1 << bits) - 1) == 0 || is_neighbour(issue, progress, (image, held), lane, got))
    {
        rule.value(&issue.op)
    } else if bits > 32 && are_unaligned(contract, issue, progress, beat)
        || shared && (overaligned(issue, progress, held, beat) || is_of_overaligned(held, word, got))
    {
        rule.align()
    } else if bits > 32
        && (0..(bits / 32) as usize).any(|other| other != register && progress.registers[other][lane] == got)
    {
        rule.value(&issue.op)
    } else if progress.plan.shared.contains(lane) {
        Clause::PortSpad
    } else {
        Clause::PortWb
    };
    let or = told.and_then(|(told, or)| or.filter(|_| told == clause));
    let m = at(clause, progress, Field::signal(Site::Wb, "data").register(register)).or(or).lane(lane);
    Box::new(m.values(format!("{want:#010x}"), format!("{got:#010x}")))
}

/// Whether `got` is another part of the aligned 8 bytes that hold what a lane loads from memory, or of the word in the
/// scratchpad.
fn is_neighbour(
    issue: &Issue,
    progress: &Progress,
    (image, held): (&Image, &dyn Fn(u64) -> u32),
    lane: usize,
    got: u32,
) -> bool {
    let (size, at) = (u64::from(issue.op.access_bytes()), progress.plan.addr[lane]);
    let shared = progress.plan.shared.contains(lane);
    let byte = |at: u64| if shared { held(at & !3).to_le_bytes()[at as usize & 3] } else { image.byte(at) };
    let value = |from: u64| (0..size).fold(0, |all, i| all | u32::from(byte(from + i)) << (8 * i));
    let low = got & ((1 << (8 * size)) - 1);
    let together = if shared { 4 } else { 8 };
    let first = at / together * together;
    let mut parts = (first..first + together).step_by(size as usize).filter(|from| *from != at);
    // Memory holds many zeros.
    low != 0 && parts.any(|from| value(from) == low)
}

/// Whether `got` is the value that register `register` would hold if the access were made at EA, or at EA aligned to
/// less than the access size, and the registers before it what they were. Only values within the aligned bytes are known.
fn unaligned(contract: &Contract, issue: &Issue, progress: &Progress, register: usize, lane: usize, got: u32) -> bool {
    let trace = model::trace(&contract.shape, &contract.ctrl, &issue.op, &issue.lanes, lane);
    let words = (trace.ea - trace.aligned) as usize / 4;
    let count = (issue.op.access_bytes() / 4) as usize;
    let held = |register: usize| (register < count).then(|| progress.registers[register][lane]);
    // Registers that were written back were right.
    let before = |other: &usize| *other != register && progress.delivered(*other).contains(lane);
    let stays = |shift: usize| {
        let moved = |other: usize| held(other + shift).is_none_or(|value| Some(value) == held(other));
        (0..count).filter(before).all(moved)
    };
    [words, words & 2].into_iter().any(|shift| shift > 0 && held(register + shift) == Some(got) && stays(shift))
}

/// Whether alignment that is not forced, or to less than the access size, explains all wrong lanes of a beat.
fn are_unaligned(contract: &Contract, issue: &Issue, progress: &Progress, beat: &Beat) -> bool {
    let register = usize::from(beat.register);
    beat.mask.iter().all(|lane| {
        let got = beat.data[lane];
        got == progress.registers[register][lane] || unaligned(contract, issue, progress, register, lane, got)
    })
}

/// Whether a beat has what the scratchpad holds where its lanes' accesses are if aligned to more than their size.
fn overaligned(issue: &Issue, progress: &Progress, held: &dyn Fn(u64) -> u32, beat: &Beat) -> bool {
    let size = u64::from(issue.op.access_bytes());
    [8, 16, 32, 64].into_iter().filter(|step| *step > size).any(|step| {
        let place = |lane: usize| progress.plan.addr[lane] / step * step + 4 * u64::from(beat.register);
        (beat.mask & progress.plan.shared).iter().all(|lane| held(place(lane)) == beat.data[lane])
    })
}

/// Whether a word of the scratchpad has what a store of 128 bits would leave there if aligned to more than its size.
fn is_of_overaligned(held: &dyn Fn(u64) -> u32, word: u64, got: u32) -> bool {
    const SIZE: u64 = 16;
    let in_first = |step: &u64| word % step < SIZE;
    got != 0
        && [32, 64]
            .iter()
            .filter(|step| in_first(step))
            .any(|step| (SIZE..*step).step_by(SIZE as usize).any(|at| held(word.saturating_add(at)) == got))
}

/// Names the rule broken by a completion that came before lanes of a register were written back.
pub fn missing_beat(
    contract: &Contract,
    issue: &Issue,
    progress: &Progress,
    register: usize,
    missing: LaneMask,
) -> Box<Mismatch> {
    let lane = missing.first().unwrap_or_default();
    let rule = issue.op.rule();
    let of_rule = rule.missing_beat(contract, issue, progress, register, lane);
    let clause = if let Some(clause) = of_rule {
        clause
    } else if progress.plan.zeros.contains(lane) {
        rule.zero()
    } else {
        Clause::PortDone
    };
    let m = at(clause, progress, Field::event(Site::Done, "before all was written back").register(register)).lane(lane);
    Box::new(m.values(format!("lanes {missing:#x} written back first"), "they were not").since(progress.moved()))
}

/// Completions in a log that has no beat, from which on no operation's own rule explains that one is missing.
const MANY: usize = 16;

/// Whether many operations complete in a log, and none writes back: nothing of one of them explains that.
pub fn none_shown(log: &Log) -> bool {
    let of = |kind: fn(&Event) -> bool| log.entries().iter().filter(move |entry| kind(&entry.event)).count();
    of(|event| matches!(event, Event::Done(_))) > MANY && of(|event| matches!(event, Event::Beat(_))) == 0
}
