// SPDX-License-Identifier: MIT OR Apache-2.0
//! Requests that differ from the model's: the clause, and the two values.

use super::{at, bent};
use crate::{
    clause::Clause,
    judge::{
        contract::Contract,
        log::{Done, Issue, Seen, lane_inputs},
        mismatch::{Field, Mismatch, Site},
        scoreboard::Progress,
    },
    model::{self, Plan, Request},
    op::{Fault, MAX_LANES, ReqKind, Space, layout::Code},
    sets::text::count,
};

/// Whether a request has the line and the bytes of `seen`.
pub fn is_for(request: &Request, seen: &Seen) -> bool {
    request.line == seen.line && request.byte_enable == seen.byte_enable
}

/// A code by its name, if it has one.
fn code(codes: &[Code], value: u8) -> String {
    codes.iter().find(|code| code.value == value).map_or_else(|| value.to_string(), |code| code.name.to_owned())
}

pub fn bytes_of(enable: u128) -> String {
    format!("byte enables {enable:#x}")
}

/// Names the rule broken by a request that differs from the model's.
pub fn request(contract: &Contract, issue: &Issue, progress: &Progress, number: usize, seen: &Seen) -> Box<Mismatch> {
    let expected = &progress.plan.requests[number];
    let lane = expected.lanes.first().unwrap_or_default();
    let requests = &progress.plan.requests;
    let keeps = |clause| contract.promises.keeps(clause);
    let both = expected.byte_enable & seen.byte_enable;
    let other = |byte: usize| both >> byte & 1 == 1 && expected.data[byte] != seen.data[byte];
    let attribute = expected.space as u8 != seen.space || *progress.attr() != seen.attr && keeps(Clause::ComAttr);
    let is_wrong = attribute || expected.kind as u8 != seen.kind || (0..expected.data.len()).any(other);
    // A part of a line may be asked for, if all else is right.
    let part = !keeps(Clause::PortMin) && both == seen.byte_enable && is_wrong;
    if expected.line != seen.line || expected.byte_enable != seen.byte_enable && !part {
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
        let m = at(issue.op.rule().kind(), progress, Field::signal(Site::MemReq, "kind"))
            .values(format!("{:?}", expected.kind), code(ReqKind::CODES, seen.kind));
        return Box::new(m);
    }
    if expected.group != seen.group && keeps(Clause::PortGroup) {
        let m = at(Clause::PortGroup, progress, Field::signal(Site::MemReq, "group"))
            .values(expected.group.to_string(), seen.group.to_string());
        return Box::new(m);
    }
    if expected.space as u8 != seen.space {
        // If no bent rule leads to this address in this space, the address is not the reason.
        let is_seen = |request: &Request| request.space as u8 == seen.space && is_for(request, seen);
        let leads = bent(contract, issue, |plan| plan.requests.iter().any(is_seen));
        let clause = if leads.is_some() { issue.op.rule().space(&issue.op) } else { Clause::PortReq };
        let m = at(clause, progress, Field::signal(Site::MemReq, "space")).lane(lane);
        return Box::new(m.values(format!("{:?}", expected.space), code(Space::CODES, seen.space)));
    }
    if *progress.attr() != seen.attr && keeps(Clause::ComAttr) {
        let clause = issue.op.rule().attribute(*progress.attr(), seen);
        return Box::new(Mismatch::attributes(clause, progress.index, progress.attr(), &seen.attr));
    }
    let byte = (0..expected.data.len())
        .find(|&i| (expected.byte_enable & seen.byte_enable) >> i & 1 == 1 && expected.data[i] != seen.data[i])
        .unwrap_or_default();
    wrong_byte(issue, progress, number, seen, byte)
}

/// The clause of a request to the wrong line, or with the wrong bytes.
pub fn misplaced(contract: &Contract, issue: &Issue, progress: &Progress, number: usize, seen: &Seen) -> Clause {
    let rule = issue.op.rule();
    if let Some(clause) = rule.misplaced(contract, issue, progress, number, seen) {
        return clause;
    }
    let requests = &progress.plan.requests;
    let expected = &requests[number];
    let is_seen = |request: &Request| is_for(request, seen);
    let merges = rule.merges(&issue.op);
    if merges && requests[..number].iter().any(|request| request.line == seen.line) {
        return Clause::PortMin;
    }
    if merges && requests[number + 1..].iter().any(is_seen) {
        return Clause::PortGroup;
    }
    if let Some(clause) = bent(contract, issue, |plan| plan.requests.get(number).is_some_and(is_seen)) {
        return clause;
    }
    if expected.line == seen.line {
        let lanes = || expected.lanes.iter();
        let bytes = |lane| lane_bytes(issue, progress, number, lane);
        // Some lanes are there as a whole and others are not: a lane did not join, or one joined that should not have.
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
                // Bytes past the end of the line are lost, or wrap around to its beginning.
                if around { span.rotate_left(offset as u32) } else { span.checked_shl(offset as u32).unwrap_or(0) }
            });
            moved.fold(0, |all, one| all | one) == seen.byte_enable
        };
        // All lanes that are cut are lanes that alignment moves.
        let cut = lanes().filter(|&lane| bytes(lane) & !seen.byte_enable != 0 && bytes(lane) & seen.byte_enable != 0);
        let is_moved = |trace: model::Trace| trace.ea != trace.aligned;
        let mut moved = cut.map(trace).map(is_moved).peekable();
        let less = || [1, 2, 4, 8, 16].into_iter().any(|step| less(step, false) || less(step, true));
        if lanes().map(trace).any(is_moved) && less() || moved.peek().is_some() && moved.all(|moved| moved) {
            return rule.align();
        }
        return Clause::PortReq;
    }
    let lane = expected.lanes.first().unwrap_or_default();
    let clause = address_rule(contract, issue, lane, |_| true);
    let aligned = clause != rule.align() || may_be_aligned(contract, issue, progress, lane, seen);
    if aligned { clause } else { address_rule(contract, issue, lane, |other| other != clause) }
}

/// The most bytes to which an address may be forced by mistake.
const FORCED: u64 = 64;

/// Whether a lane's access may reach the line of `seen` if its address is forced to more than its size, or to less.
fn may_be_aligned(contract: &Contract, issue: &Issue, progress: &Progress, lane: usize, seen: &Seen) -> bool {
    let trace = model::trace(&contract.shape, &contract.ctrl, &issue.op, &issue.lanes, lane);
    let addr = progress.plan.addr[lane];
    let end = addr.saturating_add(trace.ea.wrapping_sub(trace.aligned)).saturating_add(issue.op.access_bytes().into());
    let line = seen.line..seen.line.saturating_add(contract.shape.line_bytes as u64);
    addr / FORCED * FORCED < line.end && line.start < end
}

pub fn lane_bytes(issue: &Issue, progress: &Progress, number: usize, lane: usize) -> u128 {
    model::lane_bytes(&issue.op, &progress.plan, &progress.plan.requests[number], lane)
}

/// The most specific of these rules that mattered to a lane's address.
pub fn address_rule(contract: &Contract, issue: &Issue, lane: usize, of: impl Fn(Clause) -> bool) -> Clause {
    let rule = issue.op.rule();
    if let Some(clause) = rule.address(&issue.op) {
        return clause;
    }
    let trace = model::trace(&contract.shape, &contract.ctrl, &issue.op, &issue.lanes, lane);
    let mut mattered = trace.clauses.iter().rev().copied();
    mattered.find(|clause| !rule.of_data().contains(clause) && of(*clause)).unwrap_or(Clause::PortReq)
}

/// Names the rule broken by one request more than the model has.
pub fn extra_request(contract: &Contract, issue: &Issue, progress: &Progress, seen: &Seen) -> Box<Mismatch> {
    let requests = &progress.plan.requests;
    let is_seen = |request: &Request| is_for(request, seen);
    let clause = if !progress.plan.legal {
        Clause::ComIllegal
    } else if let Some(clause) = issue.op.rule().extra_request(contract, issue, progress, seen) {
        clause
    } else if requests.iter().any(|request| request.line == seen.line) {
        Clause::PortMin
    } else {
        bent(contract, issue, |plan| plan.requests.iter().any(is_seen)).unwrap_or(Clause::PortReq)
    };
    Box::new(at(clause, progress, Field::event(Site::MemReq, "too many")).values(
        count(requests.len(), "request"),
        format!("one more, line {:#x}, {}", seen.line, bytes_of(seen.byte_enable)),
    ))
}

pub fn wrong_byte(issue: &Issue, progress: &Progress, number: usize, seen: &Seen, byte: usize) -> Box<Mismatch> {
    let expected = &progress.plan.requests[number];
    let writes = |lane: &usize| lane_bytes(issue, progress, number, *lane) >> byte & 1 == 1;
    let writers: Vec<usize> = expected.lanes.iter().filter(writes).collect();
    let lane = writers.last().copied().unwrap_or_default();
    let got = seen.data[byte];
    // Nothing of the lane's data came: no rule about its places explains that.
    let of_lane = lane_bytes(issue, progress, number, lane);
    let lost = of_lane.count_ones() > 1 && (0..seen.data.len()).all(|at| of_lane >> at & 1 == 0 || seen.data[at] == 0);
    let clause = match lost {
        true => Clause::PortData,
        false => issue.op.rule().wrong_byte(issue, progress, number, byte, got, &writers),
    };
    let m = at(clause, progress, Field::signal(Site::MemReq, "data").request(number).byte(byte)).lane(lane);
    Box::new(m.values(format!("{:#04x}", expected.data[byte]), format!("{got:#04x}")))
}

/// Whether a wrong byte is that of another lane than the last writer, or those of several or-ed. A lane's byte is what
/// `stored` says.
pub fn is_anothers(writers: &[usize], got: u8, stored: impl Fn(usize) -> u8) -> bool {
    let Some((_, others)) = writers.split_last() else { return false };
    let joined = || !others.is_empty() && writers.iter().fold(0, |all, &lane| all | stored(lane)) == got;
    others.iter().any(|&other| stored(other) == got) || joined()
}

/// The clause of a wrong byte that lanes store from their registers.
pub fn wrong_value(
    issue: &Issue,
    progress: &Progress,
    number: usize,
    byte: usize,
    got: u8,
    writers: &[usize],
) -> Clause {
    let lane = writers.last().copied().unwrap_or_default();
    let stored = |lane: usize, swap: usize| {
        let at = at_byte(progress, number, byte, lane);
        // A store of one or two registers lacks the others, so no byte can be theirs.
        issue.data.get(((at / 4) ^ swap) & 3).map_or(!got, |words| words[lane].to_le_bytes()[at % 4])
    };
    if is_anothers(writers, got, |lane| stored(lane, 0)) {
        Clause::ComSameaddr
    } else if issue.op.access_bytes() > 4 && (1..4).any(|swap| stored(lane, swap) == got) {
        issue.op.rule().value(&issue.op)
    } else {
        Clause::PortData
    }
}

/// The index within a lane's access of byte `byte` of a request's line.
pub fn at_byte(progress: &Progress, number: usize, byte: usize, lane: usize) -> usize {
    (progress.plan.requests[number].line + byte as u64).wrapping_sub(progress.plan.addr[lane]) as usize
}

/// The clause of requests that should have come before something else: the rule that, bent, requests no more than were
/// made, or else `port`. `done` is the operation's completion, if it came.
pub fn missing_requests(
    contract: &Contract,
    issue: &Issue,
    progress: &Progress,
    port: Clause,
    done: Option<&Done>,
) -> Clause {
    // A wrong address gives no bus error, which only memory's answer does.
    let bus = |done: &Done| done.faults.contains(&(Fault::Bus as u8));
    if progress.sent() == 0 && done.is_some_and(bus) {
        return port;
    }
    if let Some(clause) = issue.op.rule().missing_requests(contract, issue, progress, port, done) {
        return clause;
    }
    let (requests, made) = (&progress.plan.requests, progress.sent());
    let same = |(one, other): (&Request, &Request)| (one.line, one.byte_enable) == (other.line, other.byte_enable);
    let whole = |plan: &Plan| plan.requests.len() == made && plan.requests.iter().zip(requests).all(same);
    let told =
        |plan: &Plan| done.is_none_or(|done| (0..MAX_LANES).all(|lane| plan.faults[lane] as u8 == done.faults[lane]));
    let rule = bent(contract, issue, |plan| whole(plan) && told(plan));
    rule.or_else(|| bent(contract, issue, |plan| whole(plan) && is_told(&plan.faults, done))).unwrap_or(port)
}

/// Whether the completion, if it came, reports a fault of some kind for those lanes that have one.
pub fn is_told(faults: &[Fault; MAX_LANES], done: Option<&Done>) -> bool {
    let faulty = |fault: u8| fault != Fault::None as u8;
    done.is_none_or(|done| (0..MAX_LANES).all(|lane| faulty(faults[lane] as u8) == faulty(done.faults[lane])))
}
