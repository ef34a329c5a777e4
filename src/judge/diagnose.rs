// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names the clause that a divergence breaks.
//!
//! Many rules can lead to a wrong address. The model is therefore asked again with one rule at a time bent, as a faulty
//! unit would bend it. Its prediction is compared with everything that the operation did: requests, registers and
//! faults (`deeds`, `subject`). Of the rules that explain all of it, those are named that no other operation of the log
//! contradicts (`rules`); there are several if nothing tells them apart.
//!
//! If no rule explains all of it, store data may be those of another operation (`data`). Else the event that diverged
//! decides: the first bent rule that predicts the event, or the most specific rule that mattered to the lane. If that is
//! no rule of all wrong operations, but they have another one in common, it is that one (`common`).

mod around;
mod beats;
mod common;
mod data;
mod deeds;
mod faults;
mod lanes;
pub(crate) mod naming;
pub(crate) mod requests;
mod rules;
pub(crate) mod subject;

use std::iter;

use around::{is_asked_again, is_of_now, lacks_write, left_behind, lost_beat, of_port, pauses_always, split};
use beats::{beat_data, beat_lanes, missing_beat};
use requests::{extra_request, missing_requests, request};
use subject::Subject;

use crate::{
    clause::Clause,
    model::{self, Plan, Request},
    op::{Fault, LaneMask, MAX_LANES},
};

use super::{
    contract::Contract,
    image::Image,
    log::{Done, Entry, Event, Issue, Log, Report, lane_inputs},
    mismatch::{Field, Mismatch, Site},
    scoreboard::{Divergence, Pair, Progress, Scoreboard, Step},
};

/// Everything that is known when an event does not agree.
pub struct Evidence<'a> {
    pub contract: &'a Contract,
    pub log: &'a Log,
    /// The index of the log entry that does not agree.
    pub place: usize,
    pub board: &'a Scoreboard,
    /// Memory as the log began.
    pub image: Image,
}

/// Names the rule that is broken, with the expected and the actual value.
pub fn name(divergence: Divergence, evidence: Evidence<'_>) -> Box<Mismatch> {
    let Evidence { log, place, board, .. } = evidence;
    let lost = match divergence {
        Divergence::LateBeat { op, .. } => lost_beat(log, place, board.op(op)).map(|lost| (op, lost)),
        _ => None,
    };
    let Some((op, (register, missing, done))) = lost else { return named(divergence, evidence) };
    let mut mismatch = named(Divergence::MissingBeat { op, register, missing }, evidence);
    mismatch.field = Field::event(Site::Wb, "").register(register);
    mismatch.values(format!("lanes {missing:#x} before the done in cycle {done}"), "they are never written back").into()
}

fn named(divergence: Divergence, evidence: Evidence<'_>) -> Box<Mismatch> {
    let time = of_time(&divergence, &evidence);
    // An offer that is never taken is not one of its operation's deeds, so the deeds tell nothing about it.
    let taken = |event: Event| !matches!(event, Event::Reset | Event::End(_));
    let is_deed = evidence.log.entries().get(evidence.place).is_some_and(|entry| taken(entry.event));
    let explained = || divergence.of().filter(|_| is_deed).map(|op| explained(op, &evidence)).unwrap_or_default();
    let clauses = time.map_or_else(explained, |(clause, or)| iter::once(clause).chain(or).collect());
    let of_rule = || is_deed && clauses.is_empty() && is_of_rule(&divergence);
    let doubtful = divergence.of().filter(|_| of_rule());
    let Evidence { contract, log, place, board, .. } = evidence;
    // Who overtakes shows it; who lacks requests is to blame.
    let blamed = if let Divergence::Overtaken { oldest, .. } = divergence { Some(oldest) } else { None };
    let silent = matches!(divergence, Divergence::MissingBeat { .. }) && beats::none_shown(log);
    let mut mismatch = by_event(divergence, evidence);
    if silent {
        mismatch.actual += "; no beat of any operation is in the log: `\"unseen\":[\"wb\"]` says that it has none";
    }
    mismatch.clause = match mismatch.clause {
        Clause::PortReset if is_of_now(log, place) => of_port(mismatch.field.site),
        Clause::ComSameaddr if is_asked_again(log, place) => {
            if contract.promises.keeps(Clause::PortGroup) {
                Clause::PortGroup
            } else {
                Clause::PortMin
            }
        }
        Clause::PortFair
            if mismatch.field.site == Site::MemReq
                && contract.promises.keeps(Clause::PortRate)
                && pauses_always(log) =>
        {
            Clause::PortRate
        }
        clause => clause,
    };
    if let Some(pair) = left_behind(board, log, place).filter(|_| mismatch.clause == Clause::PortCas) {
        let rule = log.issues()[pair.op].op.rule();
        (mismatch.clause, mismatch.op) = (rule.value(&log.issues()[pair.op].op), Some(pair.op));
    }
    if let Some((&clause, or)) = clauses.split_first() {
        (mismatch.clause, mismatch.or) = (clause, or.to_vec());
        if clause != Clause::PortOrder {
            mismatch.op = blamed.or(mismatch.op);
        }
    } else if mismatch.field.is_data()
        && let Some(clause) = mismatch.op.and_then(|op| data::shifted(contract, log, place, op))
    {
        mismatch.clause = clause;
    } else if let Some(clause) = doubtful.and_then(|op| common::in_common(contract, log, place, op, &mismatch)) {
        mismatch.clause = clause;
    }
    mismatch
}

/// Whether the rule of an address may be the reason: not if something is written back too late, or if a fault is told
/// that the lane has not.
fn is_of_rule(divergence: &Divergence) -> bool {
    match divergence {
        Divergence::MissingBeat { .. } => false,
        Divergence::Fault { done, lane, .. } => done.faults[*lane] == Fault::None as u8,
        _ => true,
    }
}

/// The clause of an event that is right but for its time, or that amounts to nothing, and another one that may be meant.
/// No rule about addresses or values explains such an event.
fn of_time(divergence: &Divergence, evidence: &Evidence<'_>) -> Option<(Clause, Option<Clause>)> {
    let Evidence { contract, log, place, board, .. } = evidence;
    let later = |op: usize| deeds::later(log, *place, log.issues()[op].op.tag);
    let clause = match divergence {
        Divergence::Early { op, clause: None, .. } => {
            let progress = board.op(*op);
            let still = progress.plan.requests.len().saturating_sub(progress.sent());
            let asks = later(*op).filter(|event| matches!(event, Event::Request(_))).count();
            (still > 0 && asks == still).then_some(Clause::PortDone)
        }
        Divergence::MissingBeat { op, register, missing } => {
            let comes = || deeds::writes_later(log, *place, *op, (*register, *missing));
            if beats::none_shown(log) { Some(Clause::PortWb) } else { comes().then_some(Clause::PortDone) }
        }
        // All requests that the older operation lacks come later: it was overtaken. Or they never come, although the
        // unit waits for them: they were lost. By a bent rule, the operation would not have them, and would complete.
        Divergence::Overtaken { oldest, .. } => {
            let progress = board.op(*oldest);
            let lacks = progress.plan.requests.get(progress.sent()..).unwrap_or_default();
            let comes = |request: &Request| {
                later(*oldest).any(|event| match event {
                    Event::Request(number) => requests::is_for(request, log.requested(number)),
                    _ => false,
                })
            };
            let rest = log.entries().get(*place..).unwrap_or_default();
            let tag = log.issues()[*oldest].op.tag;
            let done = |event: Event| matches!(event, Event::Done(number) if log.completed(number).tag == tag);
            // A log may also end before the unit had the time.
            let still = match rest {
                [.., moved, Entry { cycle, event: Event::End(_) }] => cycle.saturating_sub(moved.cycle),
                _ => 0,
            };
            let lost = still > contract.promises.latency.idle && !rest.iter().any(|entry| done(entry.event));
            if lost {
                return Some((Clause::PortOrder, Some(Clause::PortProgress)));
            }
            (!lacks.is_empty() && lacks.iter().all(comes)).then_some(Clause::PortOrder)
        }
        Divergence::Request { op, number, seen } if deeds::is_early((log, *place), board.op(*op), *number, seen) => {
            Some(Clause::PortGroup)
        }
        Divergence::BeatLanes { beat, .. } if beat.mask.is_empty() => Some(Clause::PortWb),
        // The lanes were requested, and wait for the answer.
        Divergence::BeatLanes { op, beat, settled } => {
            let progress = board.op(*op);
            let made = progress.plan.requests.iter().take(progress.sent());
            let asked = made.fold(LaneMask::NONE, |lanes, request| lanes | request.lanes);
            let register = usize::from(beat.register);
            let loads = progress.owed(&log.issues()[*op].op).0 >> register.min(63) & 1 == 1;
            let early = beat.mask - *settled;
            let once = (beat.mask & progress.delivered(register)).is_empty();
            (loads && once && !early.is_empty() && (early - asked).is_empty()).then_some(Clause::PortWb)
        }
        // The request enables no byte, or its address is not that of a line. Or its bytes come in several requests,
        // which without PORT-MIN is no error.
        Divergence::Request { op, seen, .. } | Divergence::ExtraRequest { op, seen } => {
            let line_bytes = contract.shape.line_bytes as u64;
            let legal = board.op(*op).plan.legal;
            let wrong = seen.byte_enable == 0 || !seen.line.is_multiple_of(line_bytes);
            let split = || match divergence {
                Divergence::Request { number, .. } => {
                    let plan = &board.op(*op).plan;
                    split(log, *place, &log.issues()[*op].op, (plan, &plan.requests[*number]), seen)
                }
                _ => None,
            };
            let keeps = |clause| contract.promises.keeps(clause);
            match if legal && wrong { Some(Clause::PortReq) } else { split() } {
                Some(Clause::PortGroup) if !keeps(Clause::PortMin) => None,
                Some(Clause::PortGroup) if !keeps(Clause::PortGroup) => Some(Clause::PortMin),
                clause => clause,
            }
        }
        _ => None,
    };
    clause.map(|clause| (clause, None))
}

/// The rules that explain everything that an operation did.
fn explained(op: usize, evidence: &Evidence<'_>) -> Vec<Clause> {
    let Evidence { contract, log, place, board, .. } = evidence;
    let all = deeds::gather(log, *place);
    let Some((_, deeds)) = all.iter().find(|(index, _)| *index == op) else { return Vec::new() };
    let subject = Subject { contract, log, issue: &log.issues()[op], deeds, progress: Some(board.op(op)) };
    rules::that_explain(&subject, &all)
}

/// Names the rule by the event that diverged.
fn by_event(divergence: Divergence, evidence: Evidence<'_>) -> Box<Mismatch> {
    let Evidence { contract, log, place, board, mut image } = evidence;
    let issue = |op: usize| &log.issues()[op];
    match divergence {
        Divergence::Told(told) | Divergence::LateBeat { told, .. } => told,
        Divergence::Request { op, number, seen } => request(contract, issue(op), board.op(op), number, &seen),
        Divergence::ExtraRequest { op, seen } => extra_request(contract, issue(op), board.op(op), &seen),
        Divergence::Overtaken { op, oldest } => overtaken(contract, issue(oldest), board.op(oldest), op),
        Divergence::Half { op, pair, seen } => issue(op).op.rule().half(issue(op), board.op(op), &pair, &seen),
        Divergence::NoPair { op, over, seen } => {
            issue(op).op.rule().no_pair(issue(op), board.op(op), over.as_deref(), &seen)
        }
        Divergence::BeatLanes { op, beat, settled } => beat_lanes(contract, issue(op), board.op(op), &beat, settled),
        Divergence::BeatData { op, beat, lane } => {
            image.advance(log, place);
            let touches = |offset: u64| board.touches(offset);
            let lost = |at: u64, want: u32, got: u32| {
                lanes::lost(contract, log.issues().get(..op).unwrap_or_default(), at, want, got)
            };
            let held = |offset: u64| board.held(offset);
            let seen = beats::Seen { image: &image, held: &held, touches: &touches, lost: &lost };
            beat_data(contract, issue(op), board.op(op), seen, &beat, lane)
        }
        Divergence::Early { op, done, clause } => {
            let half = board.pairs().iter().find(|pair| pair.op == op && pair.step != Step::Reading);
            let lacks = half.is_some_and(|pair| lacks_write(pair, log, place));
            let lacks = lacks && clause == Some((Clause::PortDone, None));
            let clause = if lacks { Some((issue(op).op.rule().value(&issue(op).op), None)) } else { clause };
            early(contract, issue(op), board.op(op), half, &done, clause)
        }
        Divergence::MissingBeat { op, register, missing } => {
            missing_beat(contract, issue(op), board.op(op), register, missing)
        }
        Divergence::Fault { op, done, lane } => {
            let mut m = fault(contract, issue(op), board.op(op), &done, lane);
            if faults::are_stale(contract, log, op, board.op(op), &done) {
                m.clause = Clause::ComFault;
            }
            let line = board.op(op).plan.addr[lane] & !(contract.shape.line_bytes as u64 - 1);
            let is_refused = |(index, deeds): &(usize, deeds::Deeds)| *index == op && deeds.is_refused(log, line);
            let lost = m.clause == Clause::ComBuserr && board.op(op).plan.faults[lane] == Fault::Bus;
            if lost && deeds::gather(log, place).iter().any(is_refused) {
                m.clause = Clause::PortCas;
            }
            m
        }
    }
}

/// Names the rule broken by a request that operation `op` made before an older operation had made all of its own.
fn overtaken(contract: &Contract, issue: &Issue, oldest: &Progress, op: usize) -> Box<Mismatch> {
    let older = format!("operation {} first: its requests are not all made", oldest.index);
    // The requests that the overtaken operation lacks may show which rule is broken.
    let tells = issue.op.rule().tells();
    let clause =
        if tells { missing_requests(contract, issue, oldest, Clause::PortOrder, None) } else { Clause::PortOrder };
    Box::new(
        Mismatch::new(clause, Some(op), Field::event(Site::MemReq, "order")).values(older, format!("operation {op}")),
    )
}

/// Names the rule broken by a completion that came before the operation's requests.
fn early(
    contract: &Contract,
    issue: &Issue,
    progress: &Progress,
    half: Option<&Pair>,
    done: &Done,
    clause: Option<(Clause, Option<Clause>)>,
) -> Box<Mismatch> {
    let requests = progress.plan.requests.len();
    let missing = || (missing_requests(contract, issue, progress, Clause::PortDone, Some(done)), None);
    let (clause, or) = clause.unwrap_or_else(missing);
    let expected = format!("after all of {requests} requests were made and answered");
    let found = match half {
        Some(pair) if pair.step == Step::ToWrite => format!("before the exclusive write to line {:#x}", pair.line),
        Some(pair) if pair.step == Step::ToRepeat => format!("before the read of line {:#x} was repeated", pair.line),
        Some(pair) => format!("before the answer to the exclusive write to line {:#x}", pair.line),
        None => format!("{} made, {} answered", progress.sent(), progress.answered()),
    };
    Box::new(at(clause, progress, Field::event(Site::Done, "")).or(or).values(expected, found).since(progress.moved()))
}

/// The first rule that, bent, makes the model show what `seen` accepts.
pub(crate) fn bent(contract: &Contract, issue: &Issue, seen: impl Fn(&Plan) -> bool) -> Option<Clause> {
    let mut plan = Plan::default();
    let rule = issue.op.rule();
    rule.lane_bends().iter().copied().flatten().find_map(|&(clause, bend)| {
        let (mut ctrl, mut op, mut lanes) = (contract.ctrl, issue.op, issue.lanes.clone());
        bend(&mut ctrl, &mut op, &mut lanes);
        // A vector that the bent rule makes illegal explains nothing.
        if rule.legal() && !model::legal(&op) {
            return None;
        }
        model::plan(&contract.shape, &ctrl, &op, &lanes, &issue.data, &mut plan);
        seen(&plan).then_some(clause)
    })
}

pub(crate) fn at(clause: Clause, progress: &Progress, field: Field) -> Mismatch {
    Mismatch::new(clause, Some(progress.index), field)
}

/// Names the rule broken by a lane's wrong outcome.
fn fault(contract: &Contract, issue: &Issue, progress: &Progress, done: &Done, lane: usize) -> Box<Mismatch> {
    let want = progress.plan.faults[lane];
    let code = done.faults[lane];
    let got = Fault::from_code(code);
    let rule = issue.op.rule();
    let told = if progress.plan.legal { rule.outcome(contract, issue, want, got) } else { None };
    let clause = if let Some(clause) = told {
        clause
    } else if !progress.plan.legal || got == Some(Fault::Illegal) {
        Clause::ComIllegal
    } else if got == Some(Fault::Bus) && want != Fault::Allocation || (want == Fault::Bus && got == Some(Fault::None)) {
        Clause::ComBuserr
    } else if !issue.lanes.active.contains(lane) {
        Clause::ComInactive
    } else if !progress.plan.active.contains(lane) {
        rule.helper()
    } else if let Some(clause) = rule.fault(contract, issue, progress, done, lane) {
        clause
    } else {
        // A bent rule that leads to misaligned instead of an earlier fault would have shown at another port before.
        let later = want != Fault::None && got == Some(Fault::Misaligned);
        // All requests were right.
        let requests = &progress.plan.requests;
        let all = |plan: &Plan| {
            plan.requests == *requests && (0..MAX_LANES).all(|lane| plan.faults[lane] as u8 == done.faults[lane])
        };
        match bent(contract, issue, all).filter(|_| !later) {
            Some(clause) => clause,
            // The lane has a fault, and reports another one or none.
            None if want != Fault::None => Clause::ComFault,
            None => {
                // All requests were made, so the address was right.
                let align =
                    Some(rule.align()).filter(|align| got == Some(Fault::Misaligned) && *align != Clause::PortReq);
                align
                    .or_else(|| bent(contract, issue, |plan| plan.faults[lane] as u8 == code))
                    .unwrap_or(Clause::ComFault)
            }
        }
    };
    let got = got.map_or(format!("code {code}"), |fault| format!("`{}`", fault.name()));
    let inputs = lane_inputs(issue, lane);
    // The error may be the refusal of an exclusive read by a memory without exclusives, although there was no refusal.
    let beside = rule.beside_bus_error().filter(|_| want == Fault::None && clause == Clause::ComBuserr);
    let m = at(clause, progress, Field::signal(Site::Done, "fault")).or(beside).lane(lane);
    Box::new(m.values(format!("`{}`", want.name()), format!("{got} ({inputs})")))
}

/// The mismatch of an RTL assertion that failed, or of unknown bits. Its text begins with the clause.
pub fn assertion(report: &Report) -> Mismatch {
    let Report { text: report, unknown, .. } = report;
    // A text may go on to name others.
    let ends = [":", " (environment)"];
    let at = |clause: &Clause| ends.iter().filter_map(|end| report.find(&format!("{clause}{end}"))).min();
    let named = Clause::ALL.iter().filter_map(|clause| Some((at(clause)?, *clause)));
    let clause = named.min_by_key(|&(at, _)| at).map(|(_, clause)| clause);
    let text = report.lines().next().unwrap_or("an assertion failed");
    let (event, expected) = unknown.as_deref().map_or(("assertion", "it holds"), |part| (part, "bits that are known"));
    let m = Mismatch::new(clause.unwrap_or(Clause::PortProgress), None, Field::event(Site::Unit, event));
    m.values(expected, text.trim())
}
