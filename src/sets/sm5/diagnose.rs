// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which clause a compare-and-store breaks.

pub mod bends;

use crate::{
    clause::Clause,
    judge::{
        contract::Contract,
        diagnose::{
            at, bent,
            naming::{Bend, Naming},
            requests::{bytes_of, is_for},
        },
        log::{Issue, Seen},
        mismatch::{Field, Mismatch, Site},
        scoreboard::{OneStep as Step, Pair, Progress, Touch, same_enabled, steps},
    },
    model::{self, Plan, Request, allowed::finals},
    op::{AddrMode, Ctrl, Fault, MAX_LINE_BYTES, Op, ReqKind, Space},
};
use bends::bound;

impl Naming for super::Rule {
    const BENDS: &'static [&'static [Bend]] = &[bends::BENDS];
    const HELPER: Clause = Clause::Sm5Inactive;
    const KIND: Clause = Clause::PortCas;
    const OF_DATA: &'static [Clause] = &[Clause::Sm5Cas, Clause::Sm5Order];

    fn value(_: &Op) -> Clause {
        Clause::Sm5Cas
    }

    fn text(op: &Op) -> String {
        let file = if op.space == Space::Uav as u8 { 'u' } else { 'g' };
        let address = match AddrMode::from_code(op.addr_mode) {
            Some(AddrMode::Raw) => "x",
            Some(AddrMode::Struct) => "xyxx",
            _ => "xyzx",
        };
        format!("atomic_cmp_store {file}{}, r0.{address}, r1.x, r2.x", op.slot)
    }

    fn misplaced(
        contract: &Contract,
        issue: &Issue,
        progress: &Progress,
        number: usize,
        seen: &Seen,
    ) -> Option<Clause> {
        Some(misplaced(contract, issue, progress, number, seen))
    }

    fn address(op: &Op) -> Option<Clause> {
        Some(address_rule(op))
    }

    fn extra_request(contract: &Contract, issue: &Issue, progress: &Progress, seen: &Seen) -> Option<Clause> {
        Some(extra_request(contract, issue, progress, seen))
    }

    fn outcome(contract: &Contract, issue: &Issue, want: Fault, got: Option<Fault>) -> Option<Clause> {
        fault(&contract.ctrl, &issue.op, want, got)
    }

    fn in_scratchpad(touches: &[Touch], got: u32) -> Option<(Clause, Option<Clause>)> {
        in_scratchpad(touches, got)
    }

    fn half(issue: &Issue, progress: &Progress, pair: &Pair, seen: &Seen) -> Box<Mismatch> {
        half(issue, progress, pair, seen)
    }

    fn no_pair(issue: &Issue, progress: &Progress, over: Option<&Pair>, seen: &Seen) -> Box<Mismatch> {
        no_pair(issue, progress, over, seen)
    }

    /// The reported error may be that of an exclusive read that a memory without exclusives refuses, although this
    /// memory did not.
    fn beside_bus_error() -> Option<Clause> {
        Some(Clause::PortCas)
    }
}

/// The byte enables and the line that the lanes of a request might make of a line.
type Made = (u128, [u8; MAX_LINE_BYTES]);

/// The dword at a byte of a line.
fn word(line: &[u8; MAX_LINE_BYTES], at: usize) -> u32 {
    line.get(at..at + 4).map_or(0, |dword| u32::from_le_bytes(dword.try_into().unwrap_or_default()))
}

/// Makes the steps on a line. `stores` decides whether a step stores, from the dword now, the dword before all steps,
/// and the step.
fn made(line: &[u8; MAX_LINE_BYTES], steps: impl Iterator<Item = Step>, stores: fn(u32, u32, &Step) -> bool) -> Made {
    let (mut now, mut enable) = (*line, 0);
    for step in steps {
        if stores(word(&now, step.at), word(line, step.at), &step) {
            enable |= 0xf << step.at;
            now.iter_mut().skip(step.at).zip(step.new.to_le_bytes()).for_each(|(byte, new)| *byte = new);
        }
    }
    (enable, now)
}

/// Makes the steps as if each lane saw the dword before all steps, and wrote it back if it does not store.
fn forgetful(line: &[u8; MAX_LINE_BYTES], steps: impl Iterator<Item = Step>) -> Made {
    let (mut now, mut enable) = (*line, 0);
    for step in steps {
        let Some(was) = line.get(step.at..step.at + 4) else { continue };
        let stores = was == step.compare.to_le_bytes();
        enable |= if stores { 0xf << step.at } else { 0 };
        let left = if stores { step.new.to_le_bytes() } else { was.try_into().unwrap_or_default() };
        now.iter_mut().skip(step.at).zip(left).for_each(|(byte, left)| *byte = left);
    }
    (enable, now)
}

/// An exclusive write, or the read of a repeat, with other bytes than those of the pair.
fn half(issue: &Issue, progress: &Progress, pair: &Pair, seen: &Seen) -> Box<Mismatch> {
    let request = &progress.plan.requests[pair.request];
    let write = seen.kind == ReqKind::WriteExclusive as u8;
    let want = if write { pair.half.byte_enable } else { request.byte_enable };
    let (clause, or) = if write { written(issue, progress, pair, seen) } else { (Clause::PortCas, None) };
    if want != seen.byte_enable {
        let m = at(clause, progress, Field::signal(Site::MemReq, "be").request(pair.request)).or(or);
        return Box::new(m.values(bytes_of(want), bytes_of(seen.byte_enable)));
    }
    let differs = |byte: &usize| want >> byte & 1 == 1 && pair.half.data[*byte] != seen.data[*byte];
    let byte = (0..MAX_LINE_BYTES).find(differs).unwrap_or_default();
    let first = byte / 4 * 4;
    let here = |step: &Step| step.at == first;
    let list: Vec<String> = steps(issue, &progress.plan, request.lanes, pair.line)
        .iter()
        .filter(|step| here(step))
        .map(|step| format!("{:#x}->{:#x}", step.compare, step.new))
        .collect();
    let m = at(clause, progress, Field::signal(Site::MemReq, "data").request(pair.request).byte(byte)).or(or);
    let lane = request.lanes.iter().find(|&lane| progress.plan.addr[lane] == pair.line + first as u64);
    let m = if let Some(lane) = lane { m.lane(lane) } else { m };
    Box::new(m.values(
        format!("{:#x}", word(&pair.half.data, first)),
        format!("{:#x}, where {:#x} stood and the lanes had {}", word(&seen.data, first), word(&pair.read, first), list.join(", ")),
    ))
}

/// An exclusive write that belongs to no pair.
fn no_pair(issue: &Issue, progress: &Progress, over: Option<&Pair>, seen: &Seen) -> Box<Mismatch> {
    // If lanes match where they should not, a rule of its own explains the write; a write of nothing has no such rule.
    let over = over.filter(|_| seen.byte_enable != 0);
    let (clause, or) = over.map_or((Clause::PortCas, None), |pair| written(issue, progress, pair, seen));
    let expected = "no exclusive write but that of a compare-and-store in which a lane matched";
    let found = format!("one to line {:#x}, with id {}", seen.line, seen.id);
    Box::new(at(clause, progress, Field::signal(Site::MemReq, "kind")).or(or).values(expected, found))
}

/// Whether every dword that is written has the value of some order of its steps.
fn is_of_some_order(line: &[u8; MAX_LINE_BYTES], steps: &[Step], seen: &Seen) -> bool {
    let mut written = (0..MAX_LINE_BYTES).step_by(4).filter(|at| seen.byte_enable >> at & 1 == 1);
    written.all(|at| {
        let here = steps.iter().filter(|step| step.at == at).map(|step| (step.compare, step.new));
        finals(word(line, at), &here.collect::<Vec<_>>()).contains(&word(&seen.data, at))
    })
}

/// The rule that, if bent, explains what was written; and another one, if it does so as well.
fn written(issue: &Issue, progress: &Progress, pair: &Pair, seen: &Seen) -> (Clause, Option<Clause>) {
    let request = &progress.plan.requests[pair.request];
    let steps = || steps(issue, &progress.plan, request.lanes, pair.line).into_iter();
    let line = &pair.read;
    let same = |(enable, data): Made| enable == seen.byte_enable && same_enabled(enable, &data, &seen.data);
    let swap = |step: Step| Step { compare: step.new, new: step.compare, ..step };
    if pair.before.byte_enable != 0 && same((pair.before.byte_enable, pair.before.data)) {
        return (Clause::PortCas, None);
    }
    let order = [
        made(line, steps().rev(), |now, _, step| now == step.compare),
        // No lane sees what a lower lane wrote; the higher lane's value remains, or the lower lane's.
        made(line, steps(), |_, was, step| was == step.compare),
        made(line, steps().rev(), |_, was, step| was == step.compare),
        forgetful(line, steps()),
    ];
    let values = [
        made(line, steps(), |_, _, _| true),
        made(line, steps(), |now, _, step| now != step.compare),
        made(line, steps(), |now, _, step| now as u16 == step.compare as u16),
        made(line, steps(), |now, _, step| now & 0x7fff_ffff == step.compare & 0x7fff_ffff),
        made(line, steps(), |now, _, step| now & !1 == step.compare & !1),
        made(line, steps(), |now, _, step| now as u8 == step.compare as u8),
        made(line, steps().map(swap), |now, _, step| now == step.compare),
        made(line, steps().map(|step| Step { new: step.compare, ..step }), |now, _, step| now == step.compare),
    ];
    let value = values.into_iter().any(same);
    if order.into_iter().any(same) {
        return (Clause::Sm5Order, value.then_some(Clause::Sm5Cas));
    }
    // PORT-CAS: the write has only the dwords that change, or bytes that no lane has.
    let right = (pair.half.byte_enable, pair.half.data);
    let changed = (0..MAX_LINE_BYTES).filter(|&i| right.0 >> i & 1 == 1 && right.1[i] != line[i]);
    let changed = changed.fold(0u128, |all, i| all | 0xf << (i / 4 * 4));
    if seen.byte_enable == changed && changed != right.0 || seen.byte_enable & !request.byte_enable != 0 {
        return (Clause::PortCas, None);
    }
    if value || seen.byte_enable == right.0 {
        let reordered = seen.byte_enable == right.0 && is_of_some_order(line, &steps().collect::<Vec<_>>(), seen);
        return (Clause::Sm5Cas, reordered.then_some(Clause::Sm5Order));
    }
    // If every byte that is written holds its right value, only the byte enables are wrong.
    let whole = (0..MAX_LINE_BYTES).all(|i| {
        let want = if right.0 >> i & 1 == 1 { right.1[i] } else { line[i] };
        seen.byte_enable >> i & 1 == 0 || seen.data[i] == want
    });
    (if whole { Clause::PortCas } else { Clause::Sm5Cas }, None)
}

/// The clause of the address mode.
fn address_rule(op: &Op) -> Clause {
    match AddrMode::from_code(op.addr_mode) {
        Some(AddrMode::Raw) => Clause::Sm5Raw,
        Some(AddrMode::Struct) => Clause::Sm5Struct,
        _ => Clause::Sm5Typed,
    }
}

fn is_seen(seen: &Seen) -> impl Fn(&Request) -> bool + '_ {
    |request| is_for(request, seen)
}

/// A request in the wrong line, or with the wrong bytes.
fn misplaced(contract: &Contract, issue: &Issue, progress: &Progress, number: usize, seen: &Seen) -> Clause {
    let requests = &progress.plan.requests;
    let expected = &requests[number];
    let is_seen = is_seen(seen);
    if let Some(clause) = again(requests, number, seen) {
        return clause;
    }
    let begins = |plan: &Plan| {
        let before = plan.requests.iter().zip(&requests[..number]);
        plan.requests.get(number).is_some_and(&is_seen)
            && before
                .fold(true, |all, (one, other)| all && one.line == other.line && one.byte_enable == other.byte_enable)
    };
    if let Some(clause) = bent(contract, issue, begins) {
        return clause;
    }
    // No lane accesses a part of a dword.
    let dwords = (0..MAX_LINE_BYTES / 4).all(|word| matches!(seen.byte_enable >> (4 * word) & 0xf, 0 | 0xf));
    if !dwords {
        let ea = |lane| model::trace(&contract.shape, &contract.ctrl, &issue.op, &issue.lanes, lane).ea;
        let aligned = progress.plan.active.iter().all(|lane| ea(lane).is_multiple_of(4));
        return if aligned { Clause::PortReq } else { Clause::Sm5Align };
    }
    if requests[number + 1..].iter().any(&is_seen) {
        return Clause::PortGroup;
    }
    if let Some(clause) = bent(contract, issue, |plan| plan.requests.get(number).is_some_and(&is_seen)) {
        return clause;
    }
    if expected.line == seen.line {
        let less = seen.byte_enable & !expected.byte_enable == 0;
        return if less { Clause::PortGroup } else { Clause::PortReq };
    }
    address_rule(&issue.op)
}

/// A line that the operation already had, again: the whole pair, or only some of its lanes.
fn again(requests: &[Request], number: usize, seen: &Seen) -> Option<Clause> {
    let before = requests[..number].iter().find(|request| request.line == seen.line)?;
    Some(if before.byte_enable == seen.byte_enable { Clause::PortCas } else { Clause::PortMin })
}

/// A request more than the operation has.
fn extra_request(contract: &Contract, issue: &Issue, progress: &Progress, seen: &Seen) -> Clause {
    let requests = &progress.plan.requests;
    let any = |plan: &Plan| plan.requests.iter().any(is_seen(seen));
    again(requests, requests.len(), seen).or_else(|| bent(contract, issue, any)).unwrap_or(Clause::PortReq)
}

/// The clause of a lane's wrong outcome, where no bent rule is needed: the outcome is that of another test of the
/// resource.
fn fault(ctrl: &Ctrl, op: &Op, want: Fault, got: Option<Fault>) -> Option<Clause> {
    let group = op.space == Space::Tgsm as u8;
    match (want, got) {
        (Fault::Undefined, Some(Fault::Allocation)) if group => Some(Clause::Sm5OobTgsm),
        (Fault::Undefined, Some(Fault::Allocation)) => Some(Clause::Sm5OobOffset),
        (Fault::Allocation, Some(Fault::Undefined)) if ctrl.uav[usize::from(op.slot & 7)].kind != bound(op) => {
            Some(Clause::Sm5Unbound)
        }
        (Fault::Allocation, Some(Fault::Undefined)) => Some(Clause::Sm5OobUav),
        // An index of a typed resource has no alignment.
        (Fault::None, Some(Fault::Misaligned)) => Some(Clause::Sm5Align),
        _ => None,
    }
}

/// The rule that a word of the scratchpad shows to be broken: if bent, it might have left `got`, given the values that
/// the last compare-and-stores found there and those of their lanes. Also another rule, if nothing tells the two apart.
fn in_scratchpad(touches: &[Touch], got: u32) -> Option<(Clause, Option<Clause>)> {
    let Touch { initial, ref steps } = *touches.last()?;
    let mut line = [0; MAX_LINE_BYTES];
    line[..4].copy_from_slice(&initial.to_le_bytes());
    let steps = || steps.iter().map(|&(compare, new)| Step { at: 0, compare, new });
    let left = |(_, line): Made| u32::from_le_bytes([line[0], line[1], line[2], line[3]]) == got;
    let order = [
        made(&line, steps().rev(), |now, _, step| now == step.compare),
        made(&line, steps(), |_, was, step| was == step.compare),
        made(&line, steps().rev(), |_, was, step| was == step.compare),
        forgetful(&line, steps()),
    ];
    if steps().count() > 1 && order.into_iter().any(left) {
        return Some((Clause::Sm5Order, None));
    }
    let new = steps().any(|step| step.new == got || step.compare == got) || got == initial;
    // The order was wrong in an earlier compare-and-store, and the later ones went on from its result.
    let mut left = vec![touches.first()?.initial];
    for touch in touches {
        left = left.iter().flat_map(|&initial| finals(initial, &touch.steps)).collect();
        left.sort_unstable();
        left.dedup();
    }
    let several = touches.iter().any(|touch| touch.steps.len() > 1);
    match (new, several && left.contains(&got)) {
        (true, true) => Some((Clause::Sm5Cas, Some(Clause::Sm5Order))),
        (true, false) => Some((Clause::Sm5Cas, None)),
        (false, true) => Some((Clause::Sm5Order, None)),
        // The error may be older than what is remembered.
        (false, false) => several.then_some((Clause::Sm5Order, Some(Clause::Sm5Cas))),
    }
}
