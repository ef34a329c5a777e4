// SPDX-License-Identifier: MIT OR Apache-2.0
//! The writes that memory performs, on both sides at the same moment.

use super::{Asked, BLOCK, Bytes, Store, Trail, walk::Walk};
use crate::{judge::log::Foreign, model::Memory, op::ReqKind};

impl Walk<'_> {
    /// Memory came to a request of the unit, and performed it if `made`.
    pub fn make(&mut self, cycle: u64, number: u32, made: bool) {
        self.request_made(cycle, number, made, false);
    }

    /// A reset cuts off requests to which memory has not come. Memory may perform them all the same; a log that shows
    /// what memory does will show it.
    pub fn requests_cut_off(&mut self, cycle: u64) {
        if !self.trail.record.log.is_timed() {
            self.waiting().into_iter().for_each(|number| self.request_made(cycle, number, true, true));
        }
    }

    /// The requests to which memory has not come.
    fn waiting(&self) -> Vec<u32> {
        let mut waiting: Vec<u32> =
            self.flights.values().filter(|(_, over)| !over).map(|&(number, _)| number).collect();
        waiting.sort_unstable();
        waiting
    }

    fn request_made(&mut self, cycle: u64, number: u32, made: bool, cut: bool) {
        let seen = self.trail.record.log.requested(number);
        let Asked { work, which, .. } = self.trail.asked[number as usize];
        let unit =
            (seen.writes() && made).then_some(Bytes { line: seen.line, enable: seen.byte_enable, data: seen.data });
        let model = match (work, which) {
            // Nothing is known of an operation from before the log, so the model follows the unit.
            (None, _) if self.before => unit.clone(),
            (Some(index), Some(which)) => match self.running.get_mut(&index) {
                // A refused pair begins again. If any other write is refused, the model's is refused too (COM-BUSERR).
                Some(running) => running.due(which, seen).filter(|_| made),
                None => self.trail.forgotten(index, which).or_else(|| unit.clone()).filter(|_| made),
            },
            _ => None,
        };
        let dataless = work.is_some_and(|index| self.trail.works[index].dataless);
        let store = Store {
            cycle,
            work,
            which,
            request: Some(number),
            foreign: None,
            unit,
            model,
            dataless,
            pending: self.over,
            cut,
        };
        if seen.writes() || store.model.is_some() {
            self.push(store);
        }
    }

    /// An operation is done. The unit will never make what it has not requested by now.
    pub fn done(&mut self, cycle: u64, index: usize) {
        self.trail.works[index].done = Some(cycle);
        let dataless = self.trail.works[index].dataless;
        let Some(running) = self.running.get_mut(&index) else { return };
        let mut left = Vec::new();
        for (which, (request, &asked)) in running.plan.requests.iter().zip(&running.asked).enumerate() {
            let missing = request.byte_enable & !asked;
            if request.kind == ReqKind::Write && missing != 0 {
                left.push((which, Bytes { line: request.line, enable: missing, data: request.data }));
            }
        }
        for (which, half) in running.halves.drain() {
            let line = running.plan.requests[which].line;
            left.push((which, Bytes { line, enable: half.byte_enable, data: half.data }));
        }
        left.sort_by_key(|(which, _)| *which);
        running.asked.fill(u128::MAX);
        for (which, bytes) in left {
            let (unit, model) = (None, Some(bytes));
            let (work, which, pending, cut) = (Some(index), Some(which), self.over, false);
            self.push(Store { cycle, work, which, request: None, foreign: None, unit, model, dataless, pending, cut });
        }
        if !self
            .flights
            .values()
            .any(|&(request, over)| !over && self.trail.asked[request as usize].work == Some(index))
        {
            self.running.remove(&index);
        }
    }

    /// The log ends. Requests in flight count as performed. What the diverging operation has not requested counts as
    /// missing; other operations may still make their requests.
    pub fn end(&mut self, cycle: u64) {
        self.over = true;
        self.waiting().into_iter().for_each(|number| self.make(cycle, number, true));
        let diverges = self.trail.verdict.and_then(|mismatch| mismatch.op);
        if let Some(index) = diverges.filter(|index| self.running.contains_key(index)) {
            let done = self.trail.works[index].done;
            self.done(cycle, index);
            self.trail.works[index].done = done;
        }
    }

    pub fn foreign(&mut self, cycle: u64, number: u32, access: &Foreign) {
        let makes = |memory: &Memory| access.compare.is_none_or(|compare| compare == memory.word(access.addr));
        let (unit, model) = (makes(&self.unit), makes(&self.model));
        for (bytes, block) in access.bytes.chunks(BLOCK as usize).zip(0..) {
            let addr = access.addr.wrapping_add(block * BLOCK);
            let mut data = [0; BLOCK as usize];
            data[..bytes.len()].copy_from_slice(bytes);
            let bytes = Bytes { line: addr, enable: u128::MAX >> (BLOCK as usize - bytes.len()), data };
            let (unit, model) = (unit.then(|| bytes.clone()), model.then_some(bytes));
            let (work, which, foreign) = (None, None, Some(number));
            let (request, dataless, pending, cut) = (None, false, false, false);
            self.push(Store { cycle, work, which, request, foreign, unit, model, dataless, pending, cut });
        }
    }

    fn push(&mut self, store: Store) {
        for (side, memory) in [(&store.unit, &mut self.unit), (&store.model, &mut self.model)] {
            if let (Some(bytes), false) = (side, store.cut) {
                memory.write(bytes.line, bytes.enable, &bytes.data);
            }
        }
        let number = self.trail.stores.len();
        let mut blocks: Vec<u64> = [&store.unit, &store.model]
            .into_iter()
            .flatten()
            .flat_map(|bytes| [bytes.line / BLOCK, bytes.line.saturating_add(BLOCK - 1) / BLOCK])
            .collect();
        // A refused write would have gone to this block.
        let refused = store.request.map(|request| self.trail.record.log.requested(request).line / BLOCK);
        blocks.extend(refused);
        blocks.sort_unstable();
        blocks.dedup();
        for block in blocks {
            self.trail.blocks.entry(block).or_default().push(number);
        }
        self.trail.stores.push(store);
    }
}

impl Trail<'_> {
    /// The model's write for an operation that a reset has ended since.
    fn forgotten(&self, index: usize, which: usize) -> Option<Bytes> {
        let plan = self.plan(index);
        let request = plan.requests.get(which).filter(|request| request.kind == ReqKind::Write)?;
        Some(Bytes { line: request.line, enable: request.byte_enable, data: request.data })
    }
}
