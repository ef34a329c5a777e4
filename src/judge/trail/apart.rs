// SPDX-License-Identifier: MIT OR Apache-2.0
//! Finds the link at which unit and model part in what they store to a byte.

use super::{Bytes, Link, Part, Store, Trail, names::one, origin, requests};
use crate::{model::Plan, op::ReqKind};

impl Trail<'_> {
    /// The link at which unit and model part in a store.
    pub(super) fn part_of(&self, store: &Store, addr: u64) -> Part {
        let Some(index) = store.work else {
            let text = match store.foreign {
                Some(_) => "another master's compare-and-store finds other values in the two memories",
                None => "the unit writes for an operation that is not in flight",
            };
            return self.part(Link::Operation, None, text);
        };
        let plan = self.plan(index);
        let side = |side: &Option<Bytes>| side.as_ref().and_then(|bytes| bytes.at(addr));
        match (side(&store.unit), side(&store.model)) {
            (Some(wrote), Some(should)) => self.other_value(store, index, &plan, addr, wrote, should),
            (None, _) => self.not_written(store, index, &plan, addr),
            (_, None) => self.not_to_write(store, index, &plan, addr),
        }
    }

    fn other_value(&self, store: &Store, index: usize, plan: &Plan, addr: u64, wrote: u8, should: u8) -> Part {
        let issue = &self.record.log.issues()[index];
        let (lanes, from) = self.lanes(store, addr);
        let from = from.map_or_else(|| "the model".to_owned(), |origin| origin.to_string());
        let request = store.which.and_then(|which| plan.requests.get(which));
        let loser = request.and_then(|request| {
            let of = |lane: usize| origin::of(&issue.op, plan, request, lane, addr);
            lanes.iter().map(of).find(|origin| origin::value(issue, origin) == wrote && lanes.count() > 1)
        });
        let (link, other) = match (loser, origin::only(issue, issue.lanes.active, wrote)) {
            (Some(loser), _) => (Link::Lane, format!(", which is of {loser}, though the highest lane's stays")),
            (None, Some(like)) => (Link::Data, format!(", which is what {like} holds")),
            _ => (Link::Data, String::new()),
        };
        self.part(link, Some(index), format!("{from} gives {should:#04x}, the unit writes {wrote:#04x}{other}"))
    }

    /// The link for a byte that the model writes and the unit does not.
    fn not_written(&self, store: &Store, index: usize, plan: &Plan, addr: u64) -> Part {
        let which = store.which.unwrap_or_default();
        let Some(request) = plan.requests.get(which) else {
            return self.part(Link::Request, Some(index), "the unit does not make the model's request");
        };
        let (lanes, from) = self.lanes(store, addr);
        let lane = from.as_ref().map(|origin| origin.lane).or(lanes.iter().last());
        let whose = lane.map_or(String::new(), |lane| format!("lane {lane} at {addr:#x}, "));
        let line = request.line;
        let in_place = |&&number: &&u32| self.asked[number as usize].which == Some(which);
        let made = store.request.or_else(|| self.works[index].requests.iter().rev().find(in_place).copied());
        let Some(number) = made else {
            let text =
                format!("the model has {whose}{} of line {line:#x}; the unit never makes it", one(request.kind as u8));
            return self.part(Link::Request, Some(index), text);
        };
        let (seen, name) = (self.record.log.requested(number), self.request_name(number));
        if seen.line != line {
            let text = format!("the model has {whose}line {line:#x}; in its place the unit makes this: {name}");
            return self.part(Link::Address, Some(index), text);
        }
        if request.kind == ReqKind::ReadExclusive {
            let text = format!("{}; the unit does not store it", self.compared(index, plan, which, addr));
            return self.part(Link::Compare, Some(index), text);
        }
        if seen.kind != request.kind as u8 {
            let text = format!("the model has {whose}{}; the unit makes this: {name}", one(request.kind as u8));
            return self.part(Link::Request, Some(index), text);
        }
        let text =
            format!("the model has {whose}byte {} of its line; the unit's {name} does not enable it", addr - line);
        self.part(Link::Lane, Some(index), text)
    }

    /// The link for a byte that the unit writes and the model does not.
    fn not_to_write(&self, store: &Store, index: usize, plan: &Plan, addr: u64) -> Part {
        let name = store.request.map_or_else(String::new, |number| self.request_name(number).to_string());
        let Some((which, request)) = store.which.and_then(|which| Some((which, plan.requests.get(which)?))) else {
            let text = format!("the model makes {} of this operation, and no {name}", requests(plan.requests.len()));
            return self.part(Link::Request, Some(index), text);
        };
        if addr.wrapping_sub(request.line) >= self.record.header.unit.line_bytes as u64 {
            let lanes: Vec<_> =
                request.lanes.iter().map(|lane| format!("lane {lane} at {:#x}", plan.addr[lane])).collect();
            let text =
                format!("the model has line {:#x} ({}); the unit makes this: {name}", request.line, lanes.join(", "));
            return self.part(Link::Address, Some(index), text);
        }
        if request.kind == ReqKind::ReadExclusive {
            let text = format!("{}; the unit makes this: {name}", self.compared(index, plan, which, addr));
            return self.part(Link::Compare, Some(index), text);
        }
        if request.kind != ReqKind::Write {
            let text = format!("the model has {}; the unit makes this: {name}", one(request.kind as u8));
            return self.part(Link::Request, Some(index), text);
        }
        let kept: Vec<_> =
            self.kept_of(index, addr).iter().map(|kept| format!("lane {} {}", kept.lane, kept.why)).collect();
        let why = if kept.is_empty() { "no lane of it stores this byte".to_owned() } else { kept.join("; ") };
        self.part(Link::Lane, Some(index), format!("{why}; the unit's {name} enables it"))
    }
}
