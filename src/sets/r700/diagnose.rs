// SPDX-License-Identifier: MIT OR Apache-2.0
//! Finds the clause that a burst breaks if its request, its beat or its fault differs from the model's.

pub mod bends;
pub mod burst;
mod explains;

use crate::{
    sets::text::count,
    clause::Clause,
    judge::{
        contract::Contract,
        diagnose::{
            naming::{Bend, Explains, MISTAKEN, Naming, plain_bends},
            requests::{address_rule, is_told, wrong_value as wrong_plain},
            subject::Subject,
        },
        image::Image,
        log::{Beat, Done, Issue, Seen},
        scoreboard::{Progress, is_load},
    },
    model::{self, Request},
    op::{Fault, LaneMask, MAX_LANES, Op},
};
use bends::{BENDS, of_kind};
use burst::{Burst, Outcome, Rules, dwords};

impl Naming for super::Rule {
    /// For an operation that goes to a buffer but is no burst.
    const BENDS: &'static [&'static [Bend]] = crate::sets::spa5::bends::BENDS;
    const HELPER: Clause = Clause::R700Vpm;
    const OF_DATA: &'static [Clause] = &[Clause::R700Read];

    fn value(op: &Op) -> Clause {
        if is_load(op) { Clause::R700Read } else { Clause::R700Elem }
    }

    fn text(op: &Op) -> String {
        let kind = if is_load(op) { "load" } else { "store" };
        format!("(an r700 burst: a {kind} of {})", count(op.present_gprs.count_ones() as usize, "GPR"))
    }

    fn law(subject: &Subject<'_>) -> bool {
        match is_legal(&subject.issue.op) {
            true => explains::explains(subject, |_| {}),
            false => subject.by_plan(|_, _, _| {}),
        }
    }

    fn bends(issue: &Issue) -> Vec<Explains> {
        if !issue.op.is_burst() {
            return plain_bends::<Self>();
        }
        let explains = |bend: bends::Bent| Box::new(move |subject: &Subject<'_>| explains::explains(subject, bend));
        let mistaken = |active: fn(LaneMask) -> LaneMask| {
            Box::new(move |subject: &Subject<'_>| {
                explains::explains(subject, |burst| burst.lanes.active = active(burst.lanes.active))
            })
        };
        let bends = BENDS.iter().map(|&(clause, bend)| (of_kind(clause, &issue.op), explains(bend) as Box<_>));
        bends.chain(MISTAKEN.iter().map(|&active| (Clause::ComInactive, mistaken(active) as Box<_>))).collect()
    }

    fn misplaced(
        contract: &Contract,
        issue: &Issue,
        progress: &Progress,
        number: usize,
        seen: &Seen,
    ) -> Option<Clause> {
        issue.op.is_burst().then(|| misplaced(contract, issue, progress, number, seen))
    }

    fn extra_request(contract: &Contract, issue: &Issue, progress: &Progress, seen: &Seen) -> Option<Clause> {
        issue.op.is_burst().then(|| extra_request(contract, issue, progress, seen))
    }

    fn missing_requests(
        contract: &Contract,
        issue: &Issue,
        progress: &Progress,
        port: Clause,
        done: Option<&Done>,
    ) -> Option<Clause> {
        issue.op.is_burst().then(|| missing_requests(contract, issue, progress, port, done))
    }

    fn wrong_byte(
        issue: &Issue,
        progress: &Progress,
        number: usize,
        byte: usize,
        got: u8,
        writers: &[usize],
    ) -> Clause {
        match issue.op.is_burst() {
            true => wrong_byte(issue, progress, number, byte, got, writers),
            false => wrong_plain(issue, progress, number, byte, got, writers),
        }
    }

    fn fault(contract: &Contract, issue: &Issue, progress: &Progress, done: &Done, lane: usize) -> Option<Clause> {
        issue.op.is_burst().then(|| fault(contract, issue, progress, done, lane))
    }

    fn no_register(op: &Op, register: usize) -> Clause {
        if op.is_burst() { no_register(op, register) } else { Clause::PortWb }
    }

    fn early(contract: &Contract, issue: &Issue, progress: &Progress, beat: &Beat, lanes: LaneMask) -> Clause {
        if issue.op.is_burst() { early(contract, issue, progress, beat, lanes) } else { Clause::PortWb }
    }

    fn register(
        contract: &Contract,
        issue: &Issue,
        progress: &Progress,
        image: &Image,
        beat: &Beat,
        lane: usize,
    ) -> Option<Clause> {
        issue.op.is_burst().then(|| wrong_value(contract, issue, progress, image, beat, lane))
    }

    fn missing_beat(
        contract: &Contract,
        issue: &Issue,
        progress: &Progress,
        register: usize,
        lane: usize,
    ) -> Option<Clause> {
        issue.op.is_burst().then(|| missing_beat(contract, issue, progress, register, lane))
    }
}

/// The components of a GPR, each a dword.
const GPR_DWORDS: u64 = 4;

fn is_legal(op: &Op) -> bool {
    op.is_burst() && model::legal(op)
}

/// The first rule that, if bent, gives a burst an outcome that `seen` accepts.
fn bent(contract: &Contract, issue: &Issue, seen: impl Fn(&Outcome) -> bool) -> Option<Clause> {
    BENDS.iter().find_map(|&(clause, bend)| {
        let (ctrl, op, lanes) = (contract.ctrl, issue.op, issue.lanes.clone());
        let mut burst = Burst { ctrl, op, lanes, rules: Rules::LAW };
        bend(&mut burst);
        seen(&burst.play(&contract.shape)).then_some(of_kind(clause, &issue.op))
    })
}

/// Whether the outcome begins with the first `count` of the model's requests.
fn begins(outcome: &Outcome, requests: &[Request], count: usize) -> bool {
    let same = |(theirs, ours): (&(u64, u128), &Request)| *theirs == (ours.line, ours.byte_enable);
    outcome.requests.len() >= count && outcome.requests.iter().zip(&requests[..count]).all(same)
}

/// The clause of a request to the wrong line, or with the wrong bytes.
fn misplaced(contract: &Contract, issue: &Issue, progress: &Progress, number: usize, seen: &Seen) -> Clause {
    let requests = &progress.plan.requests;
    let expected = &requests[number];
    if requests[..number].iter().any(|request| request.line == seen.line && request.group == seen.group) {
        // In place of a new GPR comes one that was over before.
        let last = number.checked_sub(1).map(|before| requests[before].group);
        let anew = last != Some(expected.group) && last != Some(seen.group);
        return if anew { Clause::R700Elem } else { Clause::PortMin };
    }
    // A GPR that is not there, before the one that is due.
    if seen.group < expected.group && issue.op.present_gprs >> seen.group & 1 == 0 {
        return Clause::R700Elem;
    }
    let is = (seen.line, seen.byte_enable);
    let later = requests[number + 1..].iter().position(|request| (request.line, request.byte_enable) == is);
    // A request came too early within its group, or only the second lines of lanes that cross a line were left out.
    let halves = |to: usize| (number..to).all(|skipped| is_half(requests, skipped));
    if later.is_some_and(|later| requests[number + 1 + later].group == expected.group || halves(number + 1 + later)) {
        return Clause::PortGroup;
    }
    let rule = bent(contract, issue, |told| begins(told, requests, number) && told.requests.get(number) == Some(&is));
    if let Some(clause) = rule {
        return clause;
    }
    if later.is_some() {
        return Clause::PortGroup;
    }
    if expected.line != seen.line {
        // Where the first line was right, the address was.
        if is_half(requests, number) {
            return Clause::PortReq;
        }
        let lane = expected.lanes.first().unwrap_or_default();
        // Base, stride and thread are those of an earlier GPR, whose request was right.
        let earlier = |before: &Request| before.group < expected.group && before.lanes.contains(lane);
        if requests[..number].iter().any(earlier) {
            return Clause::R700Elem;
        }
        return address_rule(contract, issue, lane, |_| true);
    }
    // Each lane has all of its bytes or none: one did not join, or one joined that should not have.
    let whole = (0..MAX_LANES).all(|lane| {
        let bytes = model::lane_bytes(&issue.op, &progress.plan, expected, lane);
        bytes & seen.byte_enable == bytes || bytes & seen.byte_enable == 0
    });
    let fewer = seen.byte_enable & !expected.byte_enable == 0 && seen.byte_enable != 0;
    match (fewer, whole) {
        (true, true) => Clause::PortGroup,
        (true, false) => clipped(contract, issue, progress, number, seen).unwrap_or(Clause::PortReq),
        (false, _) => Clause::PortReq,
    }
}

/// The clause of a request in which some lanes lack the last dwords of a GPR, all of them near the end of what they may
/// move.
fn clipped(contract: &Contract, issue: &Issue, progress: &Progress, number: usize, seen: &Seen) -> Option<Clause> {
    let (ctrl, op, request) = (&contract.ctrl, &issue.op, &progress.plan.requests[number]);
    let [limit, bound] = [Rules::LAW.limit, Rules::LAW.bound].map(|end| end(ctrl, op));
    let ends_early = |lane: usize| {
        let bytes = model::lane_bytes(op, &progress.plan, request, lane);
        let (moved, lost) = (bytes & seen.byte_enable, bytes & !seen.byte_enable);
        let index = if op.use_index { issue.lanes.addr[lane][0].into() } else { 0 };
        let dword = (Rules::LAW.first)(ctrl, op, index) + u64::from(request.group) * dwords(op);
        let left = limit.min(bound).saturating_sub(dword);
        lost == 0 || left <= 2 * GPR_DWORDS && u128::BITS - moved.leading_zeros() <= lost.trailing_zeros()
    };
    let clause = of_kind(if limit <= bound { Clause::R700Clamp } else { Clause::R700Bound }, op);
    (0..MAX_LANES).all(ends_early).then_some(clause)
}

/// The clause of one request more than the model has.
fn extra_request(contract: &Contract, issue: &Issue, progress: &Progress, seen: &Seen) -> Clause {
    let requests = &progress.plan.requests;
    if requests.iter().any(|request| request.line == seen.line && request.group == seen.group) {
        return Clause::PortMin;
    }
    let is = (seen.line, seen.byte_enable);
    let more =
        |told: &Outcome| begins(told, requests, requests.len()) && told.requests.get(requests.len()) == Some(&is);
    bent(contract, issue, more).unwrap_or(Clause::PortReq)
}

/// The rule that, if bent, makes no more requests than were made.
fn missing_requests(
    contract: &Contract,
    issue: &Issue,
    progress: &Progress,
    port: Clause,
    done: Option<&Done>,
) -> Clause {
    let (requests, made) = (&progress.plan.requests, progress.sent());
    let whole = |told: &Outcome| told.requests.len() == made && begins(told, requests, made);
    let rule = bent(contract, issue, |told| whole(told) && is_told(&told.faults, done));
    rule.unwrap_or(if is_half(requests, made) { Clause::PortGroup } else { port })
}

/// Whether all lanes of a request were served before in its group, and lack only their other line.
fn is_half(requests: &[Request], number: usize) -> bool {
    let before = requests[..number].iter().filter(|request| request.group == requests[number].group);
    (requests[number].lanes - before.fold(LaneMask::NONE, |lanes, request| lanes | request.lanes)).is_empty()
}

/// The clause of a wrong written byte, which is `byte` of the line. `writers` are the lanes that write it; the last one
/// wins.
fn wrong_byte(issue: &Issue, progress: &Progress, number: usize, byte: usize, got: u8, writers: &[usize]) -> Clause {
    let request = &progress.plan.requests[number];
    let lane = writers.last().copied().unwrap_or_default();
    let moved = issue.op.registers();
    let rows = (0..64).filter(|register| moved >> register & 1 == 1);
    let held = |row: usize, lane: usize| issue.beat(row, lane).to_le_bytes()[byte % 4];
    // The byte may come from another lane's word at this place, or from another word of the same lane.
    let there = |lane: usize, register: u64| {
        let at = word(&issue.op, progress.plan.addr[lane], register / 4, register % 4);
        at == request.line + byte as u64 / 4 * 4 && register / 4 == u64::from(request.group)
    };
    let mut clause = Clause::PortData;
    let mut joined = 0;
    for (row, register) in rows.enumerate() {
        for &other in writers.iter().filter(|&&other| there(other, register)) {
            if other != lane && held(row, other) == got {
                return Clause::ComSameaddr;
            }
            joined |= held(row, other);
        }
        if held(row, lane) == got && !there(lane, register) {
            clause = Clause::R700Elem;
        }
    }
    // The bytes of several lanes are or-ed.
    if writers.len() > 1 && joined == got { Clause::ComSameaddr } else { clause }
}

/// The byte address of a component of a lane's GPR.
fn word(op: &Op, first: u64, gpr: u64, component: u64) -> u64 {
    first + 4 * (gpr * dwords(op) + component)
}

/// The clause of a beat for a register that the operation does not write.
fn no_register(op: &Op, register: usize) -> Clause {
    let gpr = register as u32 / 4;
    match (op.present_gprs >> gpr & 1 == 1, gpr < op.present_gprs.trailing_zeros()) {
        _ if op.present_gprs == 0 => Clause::R700Gproob,
        (true, _) => Clause::R700Read,
        // A present GPR was taken for one before it.
        (_, true) => Clause::R700Elem,
        // The GPR after the last present one, where the program's GPRs end.
        _ if gpr == u16::BITS - op.present_gprs.leading_zeros() => Clause::R700Gproob,
        _ => Clause::PortWb,
    }
}

/// The clause of a beat for lanes whose answer is still to come.
fn early(contract: &Contract, issue: &Issue, progress: &Progress, beat: &Beat, early: LaneMask) -> Clause {
    let register = usize::from(beat.register);
    let (requests, made) = (&progress.plan.requests, progress.sent());
    let whole = |told: &Outcome| told.filled[register] == beat.mask && begins(told, requests, made);
    // The registers were filled: by the bent rule, memory holds nothing for these lanes.
    let some = |told: &Outcome| (early - told.filled[register]).is_empty();
    bent(contract, issue, whole).or_else(|| bent(contract, issue, some)).unwrap_or(Clause::PortWb)
}

/// The clause by which a register of a lane is filled without memory.
fn filled_by(contract: &Contract, issue: &Issue, register: usize, lane: usize) -> Clause {
    let op = &issue.op;
    let select = op.select(register as u32 % 4);
    if select > 3 || op.element_mask >> select & 1 == 0 {
        return Clause::R700Read;
    }
    let index = if op.use_index { issue.lanes.addr[lane][0].into() } else { 0 };
    let first = (Rules::LAW.first)(&contract.ctrl, op, index);
    let dword = first + register as u64 / 4 * dwords(op) + u64::from(select);
    if dword >= (Rules::LAW.limit)(&contract.ctrl, op) { Clause::R700Readoob } else { Clause::R700Bound }
}

/// The clause of a register with a wrong value.
fn wrong_value(
    contract: &Contract,
    issue: &Issue,
    progress: &Progress,
    image: &Image,
    beat: &Beat,
    lane: usize,
) -> Clause {
    let register = usize::from(beat.register);
    let (plan, op) = (&progress.plan, &issue.op);
    let (want, got) = (progress.registers[register][lane], beat.data[lane]);
    let is_filled = |one: &model::Filled| usize::from(one.index) == register && one.lanes.contains(lane);
    if plan.filled.iter().any(is_filled) {
        let is_one = op.select(register as u32 % 4) != 5 && [1, 1f32.to_bits()].contains(&got);
        return if is_one { Clause::R700Read } else { filled_by(contract, issue, register, lane) };
    }
    if plan.faults[lane] == Fault::Bus && want == 0 {
        return Clause::ComBuserr;
    }
    let memory = |gpr: u64, component: u64| image.word(word(op, plan.addr[lane], gpr, component));
    let (gpr, select) = (register as u64 / 4, u64::from(op.select(register as u32 % 4)));
    if (0..4).any(|other| other != select && memory(gpr, other) == got) {
        return Clause::R700Read;
    }
    if (0..16).any(|other| other != gpr && memory(other, select) == got) {
        return Clause::R700Elem;
    }
    if got == 0 {
        let rule = bent(contract, issue, |told| told.filled[register].contains(lane));
        return rule.unwrap_or(Clause::PortWb);
    }
    Clause::PortWb
}

/// The clause of a register of a lane that was never written back.
fn missing_beat(contract: &Contract, issue: &Issue, progress: &Progress, register: usize, lane: usize) -> Clause {
    let is_filled = |one: &model::Filled| usize::from(one.index) == register && one.lanes.contains(lane);
    if progress.plan.filled.iter().any(is_filled) {
        return filled_by(contract, issue, register, lane);
    }
    // A register of the GPR that has the same component was written back.
    let gpr = register / 4 * 4;
    let select = |register: usize| issue.op.select(register as u32 % 4);
    let has = |other: usize| select(other) == select(register) && progress.delivered(other).contains(lane);
    if (gpr..gpr + 4).any(has) { Clause::R700Read } else { Clause::PortDone }
}

/// The clause of a wrong outcome of a lane that executes; if several lanes are wrong, the one that explains them all.
fn fault(contract: &Contract, issue: &Issue, progress: &Progress, done: &Done, lane: usize) -> Clause {
    let plan = &progress.plan;
    let got = Fault::from_code(done.faults[lane]);
    if plan.faults[lane] == Fault::Allocation && got == Some(Fault::Bus) {
        return Clause::ComFault;
    }
    // Bus errors come from memory. A bent rule explains only the other faults.
    let same = |told: &Outcome, lane: usize| {
        told.faults[lane] as u8 == done.faults[lane]
            || plan.faults[lane] == Fault::Bus && told.faults[lane] == Fault::None && got == Some(Fault::Bus)
    };
    let all = |told: &Outcome| (0..MAX_LANES).all(|lane| same(told, lane));
    // Whether a bent rule makes the model's requests.
    let asked = |told: &Outcome| {
        told.requests.len() == plan.requests.len() && begins(told, &plan.requests, told.requests.len())
    };
    // The requests were right, or they would have been reported first. A rule that, if bent, makes others explains
    // nothing.
    bent(contract, issue, |told| asked(told) && all(told)).unwrap_or(Clause::ComFault)
}
