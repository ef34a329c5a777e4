// SPDX-License-Identifier: MIT OR Apache-2.0
//! Operations that make a resource undefined (SM5-OOB-OFFSET, SM5-OOB-TGSM, SM5-ALIGN), if the unit may choose the
//! effect: whatever they do inside the resource is right, in requests of their own.

use super::{Divergence, Field, Scoreboard, Site, Verdict, broken};
use crate::{
    clause::Clause,
    judge::{
        contract::Contract,
        flight::{WILD, bit},
        log::{Issue, Seen},
        mismatch::Mismatch,
    },
    model::{
        self, Request,
        allowed::{Undefined, undefined},
    },
    op::{ADDR_WIDTH, Fault, Kind, LaneMask, Op, Range, ReqKind},
};

/// The range of a compare-and-store whose data were not seen. It is known where its pairs go, but not what they store.
pub(super) const ANYWHERE: Range = Range { base: 0, size: 1 << ADDR_WIDTH };

impl Scoreboard {
    /// Notes what an accepted operation makes undefined.
    pub(crate) fn note_undefined(&mut self, contract: &Contract, index: usize, issue: &Issue) {
        match undefined(&self.shape, &contract.ctrl, &issue.op, &issue.lanes) {
            Some(Undefined::Shared) => {
                self.known.forget();
                self.unjudged.free += 1;
            }
            Some(Undefined::Uav(range)) => self.set_wild(index, range),
            None => {}
        }
    }

    /// Lets an operation do anything in a range.
    pub(crate) fn set_wild(&mut self, index: usize, range: Range) {
        let warp = usize::from(self.op(index).warp);
        self.sending[warp].retain(|&other| other != index);
        self.unjudged.free += u64::from(self.op_mut(index).wild.replace(range).is_none());
    }

    /// Follows an error for a line of a compare-and-store whose data were not seen: its lanes are known all the same.
    pub(crate) fn wild_fails(&mut self, index: usize, line: u64) {
        let progress = self.op_mut(index);
        if progress.index == index && !progress.done && progress.wild == Some(ANYWHERE) {
            let here = progress.plan.requests.iter().filter(|request| request.line == line);
            let lanes = here.fold(LaneMask::NONE, |lanes, request| lanes | request.lanes);
            model::bus_error(&mut progress.plan, lanes);
        }
    }

    /// Follows a half of a pair of an operation that may do anything.
    pub(super) fn wild_half(&mut self, seen: &Seen, index: usize) {
        self.wild_ids |= bit(seen.id);
        if seen.kind == ReqKind::ReadExclusive as u8 {
            self.wild_begins(index, seen.line, true);
        }
    }

    /// Notes that a pair began on a line, or must begin again.
    pub(super) fn wild_begins(&mut self, index: usize, line: u64, begun: bool) {
        let progress = self.op_mut(index);
        let place = progress.plan.requests.iter().position(|request| request.line == line);
        if let Some(place) = place.filter(|_| progress.index == index && !progress.done) {
            progress.begun = progress.begun & !(1 << (place & 63)) | u64::from(begun) << (place & 63);
        }
    }

    /// Judges a half of a pair whose data are not known: the exclusive read of a line comes once, and again only if the
    /// write was refused.
    fn begins_once(&self, contract: &Contract, (op, request): (usize, &Request), seen: &Seen) -> Verdict {
        let progress = self.op(op);
        let wrong = |clause: Clause, field: Field, expected: &str, found: &str| {
            Err(broken(clause, Some(op), field, expected, found))
        };
        if request.group != seen.group && contract.promises.keeps(Clause::PortGroup) {
            let field = Field::signal(Site::MemReq, "group");
            return wrong(Clause::PortGroup, field, &request.group.to_string(), &seen.group.to_string());
        }
        let place = progress.plan.requests.iter().position(|other| other.line == request.line).unwrap_or_default();
        if seen.kind == ReqKind::ReadExclusive as u8 && progress.begun >> (place & 63) & 1 == 1 {
            let expected = format!("one exclusive read of line {:#x}, until its write is refused", seen.line);
            return wrong(Clause::PortCas, Field::event(Site::MemReq, ""), &expected, "another one");
        }
        Ok(())
    }

    /// Judges the completion of a compare-and-store whose data were not seen: each of its lines was read, and again if the
    /// write was refused.
    pub(super) fn all_begun(&self, index: usize) -> Verdict {
        let progress = self.op(index);
        if progress.wild != Some(ANYWHERE) {
            return Ok(());
        }
        let mut requests = progress.plan.requests.iter().enumerate();
        let Some((number, request)) = requests.find(|(place, _)| progress.begun >> (place & 63) & 1 == 0) else {
            return Ok(());
        };
        let expected =
            format!("after an exclusive read of line {:#x}, and another one if its write is refused", request.line);
        let field = Field::event(Site::Done, "").request(number);
        Err(broken(Clause::PortDone, Some(index), field, &expected, "before that"))
    }

    /// Judges a request of an operation that may do anything in its resource; none for other operations.
    pub(crate) fn wild_request(
        &self,
        contract: &Contract,
        issues: &[Issue],
        seen: &Seen,
        index: usize,
    ) -> Option<Verdict<(usize, usize)>> {
        let range = self.op(index).wild?;
        let requests = &self.op(index).plan.requests;
        let planned = |request: &&Request| request.line == seen.line && seen.byte_enable & !request.byte_enable == 0;
        if range == ANYWHERE {
            let Some(request) = requests.iter().find(planned).filter(|_| seen.is_pair()) else {
                return Some(Err(Box::new(Divergence::ExtraRequest { op: index, seen: Box::new(seen.clone()) })));
            };
            if let Err(wrong) =
                whole(index, request, seen).and_then(|()| self.begins_once(contract, (index, request), seen))
            {
                return Some(Err(wrong));
            }
        }
        let (end, line_bytes) = (range.base.saturating_add(range.size), self.shape.line_bytes as u64);
        let apart = !seen.line.is_multiple_of(line_bytes)
            || seen.line >= end
            || range.base >= seen.line.saturating_add(line_bytes);
        let outside = apart
            || (0..128).filter(|byte| seen.byte_enable >> byte & 1 == 1).any(|byte| {
                let addr = seen.line + byte;
                addr < range.base || addr - range.base >= range.size
            });
        if outside {
            let expected = format!("bytes of the resource, {:#x} to before {end:#x}", range.base);
            let found = format!("line {:#x}, byte enables {:#x}", seen.line, seen.byte_enable);
            return Some(Err(broken(
                Clause::Sm5OobOffset,
                Some(index),
                Field::signal(Site::MemReq, "be"),
                &expected,
                found,
            )));
        }
        if let Err(wrong) = self.id_is_free(seen, index) {
            return Some(Err(wrong));
        }
        let space = issues[index].op.space;
        if seen.space != space {
            let field = Field::signal(Site::MemReq, "space");
            let found = seen.space.to_string();
            return Some(Err(broken(Clause::PortReq, Some(index), field, &space.to_string(), found)));
        }
        let attr = self.op(index).attr();
        if *attr != seen.attr && contract.promises.keeps(Clause::ComAttr) {
            return Some(Err(Mismatch::attributes(Clause::ComAttr, index, attr, &seen.attr).into()));
        }
        // Memory refuses an exclusive write without its read, however often it comes.
        if seen.kind == ReqKind::WriteExclusive as u8 && !self.flights.was_asked(seen.id, seen.line) {
            let expected = "an exclusive write after the exclusive read of its line";
            let found = format!("one to line {:#x}, with id {}", seen.line, seen.id);
            return Some(Err(broken(
                Clause::PortCas,
                Some(index),
                Field::signal(Site::MemReq, "kind"),
                expected,
                found,
            )));
        }
        Some(Ok((index, WILD)))
    }

    /// Whether a lane of an operation may have another fault than the model's: an executing lane of a
    /// compare-and-store, if it or another lane of the operation makes something undefined.
    pub(crate) fn may_fault(&self, index: usize, op: &Op, lane: usize, allowed_sets: bool) -> bool {
        let progress = self.op(index);
        let undefined = matches!(progress.plan.faults[lane], Fault::Undefined | Fault::Misaligned);
        let free = progress.wild.is_some_and(|range| range != ANYWHERE)
            || allowed_sets && undefined && op.kind == Kind::CmpStore as u8;
        free && progress.plan.active.contains(lane)
    }
}

/// Judges the bytes of a half of a pair whose data are not known: the read asks for all that is compared, and whole dwords
/// are written.
fn whole(op: usize, request: &Request, seen: &Seen) -> Verdict {
    let read = seen.kind == ReqKind::ReadExclusive as u8;
    let dwords = (0..32).all(|dword| matches!(seen.byte_enable >> (4 * dword) & 0xf, 0 | 0xf));
    let (clause, expected) = match read {
        true if seen.byte_enable != request.byte_enable => (Clause::PortReq, "all bytes that are compared"),
        false if !dwords => (Clause::PortCas, "whole dwords"),
        _ => return Ok(()),
    };
    let found = format!("{:#x} of {:#x}", seen.byte_enable, request.byte_enable);
    Err(broken(clause, Some(op), Field::signal(Site::MemReq, "be"), expected, found))
}
