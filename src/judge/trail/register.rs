// SPDX-License-Identifier: MIT OR Apache-2.0
//! A value that was written back to a lane's register: its origin, in the unit and in the model.

use serde::Serialize;

use super::{Link, OpName, Part, Source, Trail, before, origin};
use crate::{
    judge::log::Issue,
    model,
    op::{MAX_LINE_BYTES, hex},
};

/// A register of a lane, followed up to some cycle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RegisterTrail {
    pub op: OpName,
    pub lane: usize,
    /// Its index in the operation.
    pub register: usize,
    /// The last cycle that counts; all of the log without it.
    pub until: Option<u64>,
    /// The lane's address, forced to the access size.
    #[serde(with = "hex")]
    pub address: u64,
    /// The rules that applied to the lane's access, the most specific last.
    pub clauses: Vec<&'static str>,
    pub source: Source,
    /// The unit's beats. There should be at most one (PORT-WB).
    pub beats: Vec<BeatSeen>,
    /// The value that was written back last, and the one that should be; none if there is none, or if it is not known.
    pub unit: Option<u32>,
    pub model: Option<u32>,
    /// Where unit and model part, if they do.
    pub parts: Option<Part>,
}

/// A beat with the lane's register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct BeatSeen {
    pub cycle: u64,
    pub value: u32,
}

impl Trail<'_> {
    /// Follows a register of a lane of an operation, up to this cycle or to the end.
    pub fn register(&self, index: usize, lane: usize, register: usize, until: Option<u64>) -> RegisterTrail {
        let (log, work) = (&self.record.log, &self.works[index]);
        let issue = &log.issues()[index];
        let beats = work.beats.iter().filter(|(cycle, _)| before(*cycle, until)).filter_map(|&(cycle, number)| {
            let beat = log.written_back(number);
            let has = usize::from(beat.register) == register && beat.mask.contains(lane);
            has.then(|| BeatSeen { cycle, value: beat.data[lane] })
        });
        let beats: Vec<BeatSeen> = beats.collect();
        let trace = model::trace(&self.record.header.unit, self.ctrl(index), &issue.op, &issue.lanes, lane);
        let (source, model) = self.source(index, lane, register, until);
        let (op, unit) = (self.name(index), beats.last().map(|beat| beat.value));
        let clauses = trace.clauses.iter().map(|clause| clause.id()).collect();
        let address = trace.aligned;
        let mut trail =
            RegisterTrail { op, lane, register, until, address, clauses, source, beats, unit, model, parts: None };
        trail.parts = self.parted(&trail);
        trail
    }

    fn parted(&self, trail: &RegisterTrail) -> Option<Part> {
        let RegisterTrail { lane, register, unit, model, .. } = *trail;
        let index = trail.op.index;
        let part = |link: Link, text: String| Some(self.part(link, Some(index), text));
        let over = self.works[index].done.is_some_and(|cycle| before(cycle, trail.until));
        let blamed = self.verdict.is_some_and(|mismatch| mismatch.op == Some(index));
        match (unit, model, &trail.source) {
            (Some(unit), _, Source::Nothing { why }) => {
                part(Link::Beat, format!("{why}, but the unit writes back {unit:#010x}"))
            }
            (None, _, Source::Nothing { .. }) => None,
            (None, _, _) if self.record.header.unseen().write_back => None,
            (None, model, _) if over || blamed && model.is_some() => {
                let value = model.map_or("a value".to_owned(), |model| format!("{model:#010x}"));
                let text = format!("the model writes back {value}, the unit nothing");
                self.other_request(trail).or_else(|| part(Link::Beat, text))
            }
            (Some(_), _, _) if trail.beats.len() > 1 => {
                let cycles: Vec<_> = trail.beats.iter().map(|beat| beat.cycle.to_string()).collect();
                part(Link::Beat, format!("it is written back {} times, in cycles {}", cycles.len(), cycles.join(", ")))
            }
            (Some(unit), Some(model), _) if unit != model => self.other_request(trail).or_else(|| {
                let like = self.like(index, unit, lane, register);
                part(
                    Link::Value,
                    format!("the model makes {model:#010x} of it, the unit writes back {unit:#010x}{like}"),
                )
            }),
            (Some(_), None, Source::Memory { made, .. }) if made.iter().all(|request| request.answer.is_none()) => self
                .other_request(trail)
                .or_else(|| part(Link::Beat, "it is written back before memory has answered".to_owned())),
            _ => None,
        }
    }

    /// The link for a request that the register needs, if the unit does not make it or makes another.
    fn other_request(&self, trail: &RegisterTrail) -> Option<Part> {
        let Source::Memory { request: which, line, ref made, .. } = trail.source else { return None };
        let (index, lane) = (trail.op.index, trail.lane);
        let plan = self.plan(index);
        let asks = self.asks(&plan, which);
        let part = |link: Link, text: String| Some(self.part(link, Some(index), text));
        let Some(last) = made.last() else {
            return part(Link::Request, format!("the model makes {asks} for lane {lane}, the unit none"));
        };
        if made.iter().all(|request| request.line != line) {
            let text = format!(
                "the model has lane {lane} at {:#x}, in {asks}; in its place the unit makes this: {last}",
                plan.addr[lane]
            );
            return part(Link::Address, text);
        }
        let op = &self.record.log.issues()[index].op;
        let wanted =
            plan.requests.get(which).map_or(0, |request| origin::read_bytes(op, &plan, request, lane, trail.register));
        let enabled = made.iter().filter(|request| request.line == line);
        let enabled = enabled.fold(0, |all, request| all | self.record.log.requested(request.number).byte_enable);
        let lacks = wanted & !enabled;
        let first = (0..MAX_LINE_BYTES).find(|byte| lacks >> byte & 1 == 1)?;
        part(
            Link::Lane,
            format!("lane {lane} needs byte {first} of line {line:#x}; the unit's {last} does not enable it"),
        )
    }

    /// The register that should have this value, if exactly one other of this operation should.
    fn like(&self, index: usize, value: u32, lane: usize, register: usize) -> String {
        // A 0 is anybody's.
        if value == 0 {
            return String::new();
        }
        let Issue { op, lanes, .. } = &self.record.log.issues()[index];
        let registers = (0..64).filter(|register| op.registers() >> register & 1 == 1);
        let all = registers.flat_map(|register| lanes.active.iter().map(move |lane| (lane, register)));
        let others = all.filter(|&other| other != (lane, register));
        let mut same = others.filter(|&(lane, register)| self.source(index, lane, register, None).1 == Some(value));
        match (same.next(), same.next()) {
            (Some((lane, register)), None) => format!(", which is lane {lane}'s register {register}"),
            _ => String::new(),
        }
    }
}
