// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which clause a divergence breaks.
//!
//! A wrong address can come from many rules. The model is asked again with one rule at a time bent, as a faulty unit
//! would bend it: the first bent rule that predicts what was seen is the one that is reported. If none does, the
//! lane's own trace names the most specific rule that mattered to it.

mod bends;
pub mod burst;
mod burst_bends;
mod of_burst;
mod of_ptx;
mod of_sm5;
mod ptx_bends;
mod sm5_bends;

use bends::BENDS;

use crate::{
    clause::Clause,
    isa::Isa,
    model::{self, Plan},
    op::{Fault, Kind, LaneMask, MAX_LANES, Op},
};

use super::{
    contract::Contract,
    image::Image,
    log::{Beat, Done, Issue, Log, Seen, lane_inputs},
    mismatch::{Field, Mismatch, Site},
    scoreboard::{Divergence, Progress, Scoreboard, Touch, is_load},
};

/// What is known when something does not agree.
pub struct Evidence<'a> {
    pub contract: &'a Contract,
    pub log: &'a Log,
    /// Of the log's entries, the one that does not agree.
    pub place: usize,
    pub board: &'a Scoreboard,
    /// Memory as the log began.
    pub image: Image,
}

/// The rule that is broken, and the two values.
pub fn name(divergence: Divergence, evidence: Evidence<'_>) -> Box<Mismatch> {
    let Evidence { contract, log, place, board, mut image } = evidence;
    let issue = |op: usize| &log.issues()[op];
    match divergence {
        Divergence::Told(mismatch) => Box::new(mismatch),
        Divergence::Request { op, number, seen } => request(contract, issue(op), board.op(op), number, &seen),
        Divergence::ExtraRequest { op, seen } => extra_request(contract, issue(op), board.op(op), &seen),
        Divergence::Overtaken { op, oldest } => overtaken(contract, issue(oldest), board.op(oldest), op),
        Divergence::Half { op, pair, seen } => of_sm5::half(issue(op), board.op(op), &pair, &seen),
        Divergence::NoPair { op, over, seen } => of_sm5::no_pair(issue(op), board.op(op), over.as_deref(), &seen),
        Divergence::BeatLanes { op, beat, settled } => beat_lanes(contract, issue(op), board.op(op), &beat, settled),
        Divergence::BeatData { op, beat, lane } => {
            image.advance(log, place);
            let touches = |offset: u64| board.touches(offset);
            beat_data(contract, issue(op), board.op(op), &image, &touches, &beat, lane)
        }
        Divergence::Early { op, done, clause } => early(contract, issue(op), board.op(op), &done, clause),
        Divergence::MissingBeat { op, register, missing } => {
            missing_beat(contract, issue(op), board.op(op), register, missing)
        }
        Divergence::Fault { op, done, lane } => fault(contract, issue(op), board.op(op), &done, lane),
    }
}

/// A request of operation `op` before all of an older one's.
fn overtaken(contract: &Contract, issue: &Issue, oldest: &Progress, op: usize) -> Box<Mismatch> {
    let older = format!("operation {} first: its requests are not all made", oldest.index);
    // An operation that lacks requests tells why, if a rule does.
    let clause = match issue.isa() {
        Isa::Spa5 => Clause::PortOrder,
        Isa::R700 | Isa::Ptx | Isa::Sm5 => missing_requests(contract, issue, oldest, Clause::PortOrder, None),
    };
    Box::new(
        Mismatch::new(clause, Some(op), Field::event(Site::MemReq, "order")).values(older, format!("operation {op}")),
    )
}

/// A completion before its requests.
fn early(
    contract: &Contract,
    issue: &Issue,
    progress: &Progress,
    done: &Done,
    clause: Option<Clause>,
) -> Box<Mismatch> {
    let requests = progress.plan.requests.len();
    let clause = clause.unwrap_or_else(|| missing_requests(contract, issue, progress, Clause::PortDone, Some(done)));
    let expected = format!("after all of {requests} requests were made and answered");
    let found = format!("{} made, {} answered", progress.sent(), progress.answered());
    Box::new(at(clause, progress, Field::event(Site::Done, "")).values(expected, found))
}

/// The first rule that, bent, makes the model show what `seen` looks for.
fn bent(contract: &Contract, issue: &Issue, seen: impl Fn(&Plan) -> bool) -> Option<Clause> {
    let mut plan = Plan::default();
    let bends = match issue.isa() {
        Isa::Ptx => ptx_bends::BENDS,
        Isa::Sm5 => sm5_bends::BENDS,
        Isa::Spa5 | Isa::R700 => BENDS,
    };
    bends.iter().find_map(|&(clause, bend)| {
        let (mut ctrl, mut op, mut lanes) = (contract.ctrl, issue.op, issue.lanes.clone());
        bend(&mut ctrl, &mut op, &mut lanes);
        // A vector bent to nothing explains nothing.
        if (is_ptx(issue) || is_sm5(issue)) && !model::legal(&op) {
            return None;
        }
        model::plan(&contract.shape, &ctrl, &op, &lanes, &issue.data, &mut plan);
        seen(&plan).then_some(clause)
    })
}

fn is_ptx(issue: &Issue) -> bool {
    issue.isa() == Isa::Ptx
}

fn is_sm5(issue: &Issue) -> bool {
    issue.isa() == Isa::Sm5
}

fn at(clause: Clause, progress: &Progress, field: Field) -> Mismatch {
    Mismatch::new(clause, Some(progress.index), field)
}

fn bytes_of(enable: u128) -> String {
    format!("byte enables {enable:#x}")
}

/// A request that differs from the model's.
fn request(contract: &Contract, issue: &Issue, progress: &Progress, number: usize, seen: &Seen) -> Box<Mismatch> {
    let expected = &progress.plan.requests[number];
    let lane = expected.lanes.first().unwrap_or_default();
    let requests = &progress.plan.requests;
    if expected.line != seen.line || expected.byte_enable != seen.byte_enable {
        let clause = misplaced(contract, issue, progress, number, seen);
        let signal = if expected.line == seen.line { "be" } else { "addr" };
        return Box::new(at(clause, progress, Field::signal(Site::MemReq, signal).request(number)).lane(lane).values(
            format!(
                "line {:#x}, {} ({} of {})",
                expected.line,
                bytes_of(expected.byte_enable),
                number + 1,
                requests.len()
            ),
            format!(
                "line {:#x}, {} (lane {lane}: {})",
                seen.line,
                bytes_of(seen.byte_enable),
                lane_inputs(issue, lane)
            ),
        ));
    }
    if expected.kind as u8 != seen.kind {
        let clause = if is_sm5(issue) { Clause::PortCas } else { Clause::PortReq };
        let m = at(clause, progress, Field::signal(Site::MemReq, "kind"))
            .values(format!("{:?}", expected.kind), seen.kind.to_string());
        return Box::new(m);
    }
    if expected.group != seen.group {
        let m = at(Clause::PortGroup, progress, Field::signal(Site::MemReq, "group"))
            .values(expected.group.to_string(), seen.group.to_string());
        return Box::new(m);
    }
    if expected.space as u8 != seen.space {
        let clause = match issue.isa() {
            Isa::R700 | Isa::Sm5 => Clause::PortReq,
            Isa::Ptx => of_ptx::space_rule(&issue.op),
            Isa::Spa5 => Clause::Spa5Window,
        };
        let m = at(clause, progress, Field::signal(Site::MemReq, "space")).lane(lane);
        return Box::new(m.values(format!("{:?}", expected.space), seen.space.to_string()));
    }
    if *progress.attr() != seen.attr {
        let clause = if is_ptx(issue) { of_ptx::attribute(*progress.attr(), seen) } else { Clause::ComAttr };
        return Box::new(Mismatch::attributes(clause, progress.index, progress.attr(), &seen.attr));
    }
    let byte = (0..expected.data.len())
        .find(|&i| expected.byte_enable >> i & 1 == 1 && expected.data[i] != seen.data[i])
        .unwrap_or_default();
    wrong_byte(issue, progress, number, seen, byte)
}

/// The clause of a request in the wrong line, or with the wrong bytes.
fn misplaced(contract: &Contract, issue: &Issue, progress: &Progress, number: usize, seen: &Seen) -> Clause {
    if issue.op.is_burst() {
        return of_burst::misplaced(contract, issue, progress, number, seen);
    }
    if is_sm5(issue) {
        return of_sm5::misplaced(contract, issue, progress, number, seen);
    }
    let requests = &progress.plan.requests;
    let expected = &requests[number];
    let is_seen = |request: &model::Request| request.line == seen.line && request.byte_enable == seen.byte_enable;
    if let Some(clause) = of_ptx::mmio(contract, issue, progress, number, seen).filter(|_| is_ptx(issue)) {
        return clause;
    }
    // Lanes that went elsewhere leave the requests of others.
    let begins = |plan: &Plan| {
        let before = plan.requests.iter().zip(&requests[..number]);
        plan.requests.get(number).is_some_and(is_seen) && before.fold(true, |all, (one, other)| all && one == other)
    };
    if let Some(clause) = is_ptx(issue).then(|| bent(contract, issue, begins)).flatten() {
        return clause;
    }
    let mmio = is_ptx(issue) && of_ptx::is_mmio(&issue.op);
    if !mmio && requests[..number].iter().any(|request| request.line == seen.line) {
        return Clause::PortMin;
    }
    if !mmio && requests[number + 1..].iter().any(is_seen) {
        return Clause::PortGroup;
    }
    if let Some(clause) = bent(contract, issue, |plan| plan.requests.get(number).is_some_and(is_seen)) {
        return clause;
    }
    if expected.line == seen.line {
        let lanes = || expected.lanes.iter();
        let bytes = |lane| lane_bytes(issue, progress, number, lane);
        // Some of the lanes are there and others are not: one did not join, or one that should not did.
        let whole = lanes().map(bytes).filter(|bytes| bytes & !seen.byte_enable == 0).fold(0, |all, one| all | one);
        if whole == seen.byte_enable && whole != 0 {
            return Clause::PortGroup;
        }
        let trace = |lane| model::trace(&contract.shape, &contract.ctrl, &issue.op, &issue.lanes, lane);
        // Alignment was forced to less than the size, or not at all.
        let span = u128::from(model::vector::moved(&issue.op));
        let less = |step: u64, around: bool| {
            let moved = lanes().map(|lane| {
                let trace = trace(lane);
                let forced = (trace.ea - trace.aligned) / step * step;
                let offset = progress.plan.addr[lane].wrapping_add(forced).wrapping_sub(expected.line);
                // Past the end of the line there is nothing, or its beginning.
                if around { span.rotate_left(offset as u32) } else { span.checked_shl(offset as u32).unwrap_or(0) }
            });
            moved.fold(0, |all, one| all | one) == seen.byte_enable
        };
        // Only lanes that alignment moves are cut.
        let cut = lanes().filter(|&lane| bytes(lane) & !seen.byte_enable != 0 && bytes(lane) & seen.byte_enable != 0);
        let mut moved = cut.map(trace).map(|trace| trace.ea != trace.aligned).peekable();
        let less = [1, 2, 4, 8, 16].into_iter().any(|step| less(step, false) || less(step, true));
        if less || moved.peek().is_some() && moved.all(|moved| moved) {
            return if is_ptx(issue) { Clause::PtxAlign } else { Clause::Spa5Align };
        }
        return Clause::PortReq;
    }
    let lane = expected.lanes.first().unwrap_or_default();
    address_rule(contract, issue, lane)
}

fn lane_bytes(issue: &Issue, progress: &Progress, number: usize, lane: usize) -> u128 {
    model::lane_bytes(&issue.op, &progress.plan, &progress.plan.requests[number], lane)
}

/// The most specific rule that mattered to a lane's address.
fn address_rule(contract: &Contract, issue: &Issue, lane: usize) -> Clause {
    if is_sm5(issue) {
        return of_sm5::address_rule(&issue.op);
    }
    let value_rules =
        [Clause::Spa5Ext, Clause::Spa5Multi, Clause::PtxVec, Clause::PtxSink, Clause::PtxSem, Clause::PtxParam];
    let trace = model::trace(&contract.shape, &contract.ctrl, &issue.op, &issue.lanes, lane);
    trace.clauses.iter().rev().copied().find(|clause| !value_rules.contains(clause)).unwrap_or(Clause::PortReq)
}

/// One request more than the model has.
fn extra_request(contract: &Contract, issue: &Issue, progress: &Progress, seen: &Seen) -> Box<Mismatch> {
    let requests = &progress.plan.requests;
    let is_seen = |request: &model::Request| request.line == seen.line && request.byte_enable == seen.byte_enable;
    let clause = if !progress.plan.legal {
        Clause::ComIllegal
    } else if issue.op.is_burst() {
        of_burst::extra_request(contract, issue, progress, seen)
    } else if is_sm5(issue) {
        of_sm5::extra_request(contract, issue, progress, seen)
    } else if let Some(clause) = of_ptx::mmio(contract, issue, progress, requests.len(), seen).filter(|_| is_ptx(issue))
    {
        clause
    } else if requests.iter().any(|request| request.line == seen.line) {
        Clause::PortMin
    } else {
        bent(contract, issue, |plan| plan.requests.iter().any(is_seen)).unwrap_or(Clause::PortMin)
    };
    Box::new(at(clause, progress, Field::event(Site::MemReq, "too many")).values(
        format!("{} requests", requests.len()),
        format!("one more, line {:#x}, {}", seen.line, bytes_of(seen.byte_enable)),
    ))
}

fn wrong_byte(issue: &Issue, progress: &Progress, number: usize, seen: &Seen, byte: usize) -> Box<Mismatch> {
    let expected = &progress.plan.requests[number];
    let writes = |lane: &usize| lane_bytes(issue, progress, number, *lane) >> byte & 1 == 1;
    let writers: Vec<usize> = expected.lanes.iter().filter(writes).collect();
    let lane = writers.last().copied().unwrap_or_default();
    let got = seen.data[byte];
    let stored = |lane: usize, swap: usize| {
        let at = (expected.line + byte as u64).wrapping_sub(progress.plan.addr[lane]) as usize;
        match is_ptx(issue) {
            true => of_ptx::stored(issue, lane, at),
            // A store of one or two registers has no others to take for its own.
            false => issue.data.get(((at / 4) ^ swap) & 3).map_or(!got, |words| words[lane].to_le_bytes()[at % 4]),
        }
    };
    let clause = if issue.op.is_burst() {
        of_burst::wrong_byte(issue, progress, number, byte, got, &writers)
    } else if writers.iter().any(|&other| other != lane && stored(other, 0) == got) {
        Clause::ComSameaddr
    } else if is_ptx(issue) {
        of_ptx::wrong_byte(issue, progress, lane, expected.line + byte as u64, got)
    } else if issue.op.access_bytes() > 4 && (1..4).any(|swap| stored(lane, swap) == got) {
        Clause::Spa5Multi
    } else {
        Clause::PortData
    };
    let m = at(clause, progress, Field::signal(Site::MemReq, "data").request(number).byte(byte)).lane(lane);
    Box::new(m.values(format!("{:#04x}", expected.data[byte]), format!("{got:#04x}")))
}

/// A beat for lanes that are not to be written back, or not now.
fn beat_lanes(
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
        let burst = is_load(&issue.op) && issue.op.is_burst();
        let clause = if burst { of_burst::no_register(&issue.op, register) } else { Clause::PortWb };
        (clause, "no beat for this register")
    } else if let Some(lane) = stray.first() {
        let helper = issue.op.suppress_helpers && issue.lanes.helper.contains(lane);
        (if helper { helper_rule(&issue.op) } else { Clause::ComInactive }, "no beat for a lane that does not execute")
    } else if !(beat.mask & progress.delivered(register)).is_empty() {
        (Clause::PortWb, "each lane once")
    } else {
        let early = beat.mask - settled;
        // A lane that memory owes an answer may have been sent elsewhere by a wrong address.
        let clause = if issue.op.is_burst() {
            of_burst::early(contract, issue, progress, beat, early)
        } else {
            bent(contract, issue, |plan| beat.mask == plan.shared | plan.zeros).unwrap_or(Clause::PortWb)
        };
        (clause, "some lanes, after their answer")
    };
    let wrong = if stray.is_empty() { beat.mask - (settled - progress.delivered(register)) } else { stray };
    let m = at(clause, progress, Field::signal(Site::Wb, "mask").register(register));
    let m = if let Some(lane) = wrong.first() { m.lane(lane) } else { m };
    Box::new(m.values(expected, format!("lanes {:#x}", beat.mask)))
}

/// A register with a wrong value.
fn beat_data<'a>(
    contract: &Contract,
    issue: &Issue,
    progress: &Progress,
    image: &Image,
    touches: &dyn Fn(u64) -> &'a [Touch],
    beat: &Beat,
    lane: usize,
) -> Box<Mismatch> {
    let register = usize::from(beat.register);
    let (want, got) = (progress.registers[register][lane], beat.data[lane]);
    let bits = issue.op.access_bytes() * 8;
    let zeroed = if issue.op.is_burst() {
        Some(of_burst::wrong_value(contract, issue, progress, image, beat, lane))
    } else if got == 0 {
        bent(contract, issue, |plan| plan.zeros.contains(lane) && beat.mask == plan.shared | plan.zeros)
    } else {
        None
    };
    // A word of the scratchpad that nothing has written since compare-and-stores tells of those.
    let word = (progress.plan.addr[lane] / 4).wrapping_add(register as u64).wrapping_mul(4);
    let shared = progress.plan.shared.contains(lane) && bits >= 32;
    let told = if shared { of_sm5::in_scratchpad(touches(word), got) } else { None };
    let clause = if let Some(clause) = zeroed {
        clause
    } else if progress.plan.zeros.contains(lane) {
        Clause::Spa5Oob
    } else if progress.plan.faults[lane] == Fault::Bus {
        Clause::ComBuserr
    } else if let Some(clause) = told {
        clause
    } else if bits < 32 && (want ^ got) & ((1 << bits) - 1) == 0 {
        Clause::Spa5Ext
    } else if bits > 32 && unaligned(contract, issue, progress, register, lane, got) {
        Clause::Spa5Align
    } else if bits > 32
        && (0..(bits / 32) as usize).any(|other| other != register && progress.registers[other][lane] == got)
    {
        Clause::Spa5Multi
    } else if progress.plan.shared.contains(lane) {
        Clause::PortSpad
    } else {
        let stale = progress.plan.addr[lane].wrapping_add(4 * register as u64);
        let now = std::array::from_fn(|i| image.byte(stale.wrapping_add(i as u64)));
        if bits >= 32 && u32::from_le_bytes(now) == got && now != want.to_le_bytes() {
            Clause::PortHazard
        } else {
            Clause::PortWb
        }
    };
    let m = at(clause, progress, Field::signal(Site::Wb, "data").register(register)).lane(lane);
    Box::new(m.values(format!("{want:#010x}"), format!("{got:#010x}")))
}

/// Whether `got` is what register `register` would hold if the access were made at EA, or at EA aligned to less than
/// its size, where that is within the aligned bytes.
fn unaligned(contract: &Contract, issue: &Issue, progress: &Progress, register: usize, lane: usize, got: u32) -> bool {
    let trace = model::trace(&contract.shape, &contract.ctrl, &issue.op, &issue.lanes, lane);
    let words = (trace.ea - trace.aligned) as usize / 4;
    let held = |shift: usize| progress.registers.get(register + shift).map(|lanes| lanes[lane]);
    [words, words & 2].into_iter().any(|shift| shift > 0 && held(shift) == Some(got))
}

/// Requests that should have come before something else: the rule that, bent, asks for no more than were made, or else
/// the rule of the port. `done` is what the operation was completed with, if it was.
fn missing_requests(
    contract: &Contract,
    issue: &Issue,
    progress: &Progress,
    port: Clause,
    done: Option<&Done>,
) -> Clause {
    if issue.op.is_burst() {
        return of_burst::missing_requests(contract, issue, progress, port);
    }
    if is_ptx(issue) {
        return of_ptx::missing_requests(contract, issue, progress, port, done);
    }
    if is_sm5(issue) {
        return of_sm5::missing_requests(contract, issue, progress, port, done);
    }
    bent(contract, issue, |plan| {
        let made = progress.sent();
        plan.requests.len() == made && plan.requests[..] == progress.plan.requests[..made]
    })
    .unwrap_or(port)
}

/// Done came although a lane's register was not written back.
fn missing_beat(
    contract: &Contract,
    issue: &Issue,
    progress: &Progress,
    register: usize,
    missing: LaneMask,
) -> Box<Mismatch> {
    let lane = missing.first().unwrap_or_default();
    let clause = if issue.op.is_burst() {
        of_burst::missing_beat(contract, issue, progress, register, lane)
    } else if progress.plan.zeros.contains(lane) {
        Clause::Spa5Oob
    } else {
        Clause::PortDone
    };
    let m = at(clause, progress, Field::event(Site::Done, "before all was written back").register(register)).lane(lane);
    Box::new(m.values(format!("lanes {missing:#x} written back first"), "they were not"))
}

/// A lane with a wrong outcome.
fn fault(contract: &Contract, issue: &Issue, progress: &Progress, done: &Done, lane: usize) -> Box<Mismatch> {
    let want = progress.plan.faults[lane];
    let code = done.faults[lane];
    let got = Fault::from_code(code);
    let told = match issue.isa() {
        Isa::Ptx => of_ptx::fault(issue, want, got),
        Isa::Sm5 => of_sm5::fault(&issue.op, want, got),
        Isa::Spa5 | Isa::R700 => None,
    };
    let clause = if let Some(clause) = told.filter(|_| progress.plan.legal) {
        clause
    } else if !progress.plan.legal || got == Some(Fault::Illegal) {
        Clause::ComIllegal
    } else if got == Some(Fault::Bus) && want != Fault::Allocation || (want == Fault::Bus && got == Some(Fault::None)) {
        Clause::ComBuserr
    } else if !issue.lanes.active.contains(lane) {
        Clause::ComInactive
    } else if !progress.plan.active.contains(lane) {
        helper_rule(&issue.op)
    } else if issue.op.is_burst() {
        of_burst::fault(contract, issue, progress, done, lane)
    } else {
        // The access has two faults and the later one is told; misaligned comes last of all, and a bent rule that
        // explains it would have shown at another port before.
        let later = want != Fault::None && got.is_some_and(|got| got > want);
        let all = |plan: &Plan| (0..MAX_LANES).all(|lane| plan.faults[lane] as u8 == done.faults[lane]);
        let rule =
            || bent(contract, issue, all).or_else(|| bent(contract, issue, |plan| plan.faults[lane] as u8 == code));
        match got {
            Some(Fault::Misaligned) if later => Clause::ComFault,
            _ => rule().unwrap_or_else(|| if later { Clause::ComFault } else { address_rule(contract, issue, lane) }),
        }
    };
    let got = got.map_or(format!("code {code}"), |fault| format!("`{}`", fault.name()));
    let inputs = lane_inputs(issue, lane);
    let m = at(clause, progress, Field::signal(Site::Done, "fault")).lane(lane);
    Box::new(m.values(format!("`{}`", want.name()), format!("{got} ({inputs})")))
}

/// The rule by which a helper lane does nothing.
fn helper_rule(op: &Op) -> Clause {
    match op.kind == Kind::CmpStore as u8 {
        true => Clause::Sm5Inactive,
        false if op.is_burst() => Clause::R700Vpm,
        false => Clause::ComHelper,
    }
}

/// What an assertion of the RTL says; its text begins with the clause.
pub fn assertion(report: &str) -> Mismatch {
    let names = |clause: &Clause| [":", " (environment)"].iter().any(|end| report.contains(&format!("{clause}{end}")));
    let clause = Clause::ALL.iter().copied().find(names);
    let text = report.lines().next().unwrap_or("an assertion failed");
    let m = Mismatch::new(clause.unwrap_or(Clause::PortProgress), None, Field::event(Site::Unit, "assertion"));
    m.values("it holds", text.trim())
}
