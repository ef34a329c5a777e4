// SPDX-License-Identifier: MIT OR Apache-2.0
//! A byte of memory: who wrote it, in the unit and in the model.

use serde::Serialize;

use super::{Author, BLOCK, Bytes, Origin, Part, RequestName, Store, Trail, before, origin};
use crate::op::{LaneMask, ReqKind, hex};

/// A byte of memory, followed up to some cycle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ByteTrail {
    #[serde(with = "hex")]
    pub addr: u64,
    /// The last cycle that counts. Without it all of the log counts, with what is in flight as it ends.
    pub until: Option<u64>,
    /// The value as the log began, if the log has it.
    pub before: Option<u8>,
    /// The value after everything that the unit had memory do, and after everything that it should have; none if it is
    /// not known.
    pub unit: Option<u8>,
    pub model: Option<u8>,
    /// Everything that wrote the byte, or should have, in the order in which memory came to it.
    pub writes: Vec<Write>,
    /// Where unit and model part, if they do.
    pub parts: Option<Part>,
}

/// A write of the byte, on at least one side unless memory refused it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Write {
    /// The cycle in which memory performed it. If the unit never requested it, the cycle in which its operation was
    /// done.
    pub cycle: u64,
    pub by: Author,
    pub unit: Option<UnitWrite>,
    pub model: Option<ModelWrite>,
    /// Whether memory did not perform it: an error, or a lost reservation.
    pub refused: bool,
    /// Whether it is in flight as the log ends.
    pub pending: bool,
    /// Whether a reset cut it off in this cycle, so that it is not known whether memory performed it.
    pub cut: bool,
    /// Where unit and model part in this write, if they do.
    pub parts: Option<Part>,
}

/// What the unit had memory write.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnitWrite {
    /// None for another master's write.
    pub request: Option<RequestName>,
    pub value: u8,
    /// The register that holds this byte, if the byte is not the model's and only one register does.
    pub like: Option<Origin>,
}

/// What the model has memory write.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ModelWrite {
    /// The number of the operation's request.
    pub request: Option<usize>,
    /// None if the log lacks the data.
    pub value: Option<u8>,
    /// The lanes that store this byte. The value of the last one stays (COM-SAMEADDR).
    pub lanes: Vec<usize>,
    /// The register of that lane.
    pub from: Option<Origin>,
}

impl Trail<'_> {
    /// Follows a byte of memory, up to this cycle or to the end.
    pub fn byte(&self, addr: u64, until: Option<u64>) -> ByteTrail {
        let header = &self.record.header;
        let start = header.memory.as_ref().map(|_| self.start.byte(addr));
        let (mut unit, mut model, mut apart) = (start, start, None);
        let mut writes = Vec::new();
        for &number in self.blocks.get(&(addr / BLOCK)).into_iter().flatten() {
            let store = &self.stores[number];
            if !before(store.cycle, until) || store.pending && until.is_some() {
                continue;
            }
            let Some(mut write) = self.write(store, addr) else { continue };
            if store.cut {
                (unit, model, apart) = (None, None, None);
                writes.push(write);
                continue;
            }
            let (wrote, should) = (write.unit.as_ref().map(|unit| unit.value), write.model.as_ref());
            // None within: the model writes what was not seen.
            let should = should.map(|model| model.value);
            unit = wrote.or(unit);
            model = should.unwrap_or(model);
            let same = match (wrote, should) {
                (None, None) => None,
                (Some(_), Some(None)) => Some(true),
                (wrote, should) => Some(wrote.map(Some) == should),
            };
            if same == Some(false) {
                write.parts = Some(self.part_of(store, addr));
            }
            apart = if same == Some(true) { None } else { apart.or_else(|| write.parts.clone()) };
            writes.push(write);
        }
        let parts = apart.filter(|_| unit != model || unit.is_none());
        ByteTrail { addr, until, before: start, unit, model, writes, parts }
    }

    /// The effect of a store on a byte, if there is one.
    fn write(&self, store: &Store, addr: u64) -> Option<Write> {
        let side = |side: &Option<Bytes>| side.as_ref().and_then(|bytes| bytes.at(addr));
        let (wrote, should) = (side(&store.unit), side(&store.model));
        let refused = store.unit.is_none() && store.request.is_some() && wrote.is_none() && should.is_none();
        let seen = store.request.map(|number| self.record.log.requested(number));
        let asks = || {
            seen.is_some_and(|seen| {
                Bytes { line: seen.line, enable: seen.byte_enable, data: seen.data }.at(addr).is_some()
            })
        };
        if wrote.is_none() && should.is_none() && !(refused && asks()) {
            return None;
        }
        let by = match (store.work, seen) {
            (Some(index), _) => Author::Operation(self.name(index)),
            (None, Some(seen)) => Author::Stranger { warp: seen.warp, tag: seen.tag },
            _ => Author::Foreign,
        };
        let model = should.map(|value| {
            let (lanes, from) = self.lanes(store, addr);
            let value = (!store.dataless).then_some(value);
            ModelWrite { request: store.which, value, lanes: lanes.iter().collect(), from }
        });
        let unit = wrote.map(|value| {
            let differs = model.as_ref().is_none_or(|model| model.value != Some(value));
            // A 0 is anybody's.
            let issue = store
                .work
                .filter(|_| differs && !store.dataless && value != 0)
                .map(|index| &self.record.log.issues()[index]);
            let like = issue.and_then(|issue| origin::only(issue, issue.lanes.active, value));
            UnitWrite { request: store.request.map(|number| self.request_name(number)), value, like }
        });
        Some(Write {
            cycle: store.cycle,
            by,
            unit,
            model,
            refused,
            pending: store.pending,
            cut: store.cut,
            parts: None,
        })
    }

    /// The lanes that store a byte by the model, and the register whose value stays.
    pub(super) fn lanes(&self, store: &Store, addr: u64) -> (LaneMask, Option<Origin>) {
        let (Some(index), Some(which)) = (store.work, store.which) else { return (LaneMask::NONE, None) };
        let plan = self.plan(index);
        let issue = &self.record.log.issues()[index];
        let Some(request) = plan.requests.get(which) else { return (LaneMask::NONE, None) };
        let lanes = origin::lanes(&issue.op, &plan, request, addr);
        let last = match request.kind == ReqKind::ReadExclusive {
            false => lanes.iter().last(),
            true => self.last_read(index, which).and_then(|line| origin::last_match(&plan, request, issue, line, addr)),
        };
        (lanes, last.map(|lane| origin::of(&issue.op, &plan, request, lane, addr)))
    }

    /// Memory's last answer to an exclusive read of an operation.
    pub(super) fn last_read(&self, index: usize, which: usize) -> Option<&[u8; BLOCK as usize]> {
        let log = &self.record.log;
        let line = self.plan(index).requests.get(which)?.line;
        let mut requests = self.works[index].requests.iter().rev();
        let read = requests.find(|&&number| {
            let asked = &self.asked[number as usize];
            let seen = log.requested(number);
            let read = seen.kind == ReqKind::ReadExclusive as u8 && seen.line == line;
            read && asked.which == Some(which)
        })?;
        self.asked[*read as usize].answers.first().map(|&(_, answer)| &log.responded(answer).data)
    }
}
