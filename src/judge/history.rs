// SPDX-License-Identifier: MIT OR Apache-2.0
//! The histories of dwords that compare-and-stores access, for the judge of atomicity (SM5-CAS, PORT-CAS).
//!
//! A dword's history begins with its contents when the first operation on it is accepted, and ends with its contents
//! when the last one is done. In between are the steps of the unit's lanes, each at some time between the acceptance
//! and the completion of its operation, and the events that memory itself did or showed, each at its own moment.
//!
//! A lane's step most likely happened when memory came to the last request that serves the lane. If everything that was
//! seen is right with every step at that moment, this is an order, and no other is searched for.

use rustc_hash::FxHashMap;

use super::{
    image::Image,
    log::{Foreign, Issue, Seen},
    mismatch::{Field, Mismatch, Site},
};
use crate::{
    clause::Clause,
    model::{
        Plan,
        atomic::{Event, Step, explain_within, explains},
    },
    op::{Fault, Kind, LaneMask, MAX_LANES, Range, ReqKind},
};

/// The most states that the search for an order visits; without a limit it might not end.
const STATES: usize = 1 << 11;
/// The number under which the steps of all others are entered.
const OTHERS: u64 = u64::MAX;

/// The histories that are still open.
#[derive(Default)]
pub struct History {
    /// The number of events so far, which serves as the time.
    now: u64,
    /// By byte address.
    dwords: FxHashMap<u64, Dword>,
    /// By operation: the steps of its lanes.
    operations: FxHashMap<usize, Vec<Deed>>,
    /// The number of histories that have an order, and of those for which none was found in time.
    pub explained: u64,
    pub unsettled: u64,
}

/// A lane's step: its dword, and the index of its event there.
struct Deed {
    lane: usize,
    addr: u64,
    place: usize,
    /// Whether memory wrote for it, whatever it answered.
    written: bool,
}

struct Dword {
    initial: u32,
    /// Each with its most likely moment; none for a step that turned out not to be made.
    events: Vec<Option<(Event, u64)>>,
    /// Operations on the dword that are not done.
    open: usize,
    /// Whether somebody may have written anything to the dword, unseen.
    undefined: bool,
}

fn name(who: u64) -> String {
    match who {
        OTHERS => "memory".to_owned(),
        who => format!("operation {} lane {}", who / MAX_LANES as u64, who % MAX_LANES as u64),
    }
}

fn show(event: &Event) -> String {
    let what = match event.step {
        Step::Write(value) => format!("{value:#x} written"),
        Step::Read(value) => format!("{value:#x} seen"),
        Step::CompareStore { compare, new, returned: None } => format!("{compare:#x} -> {new:#x}"),
        Step::CompareStore { compare, new, returned: Some(found) } => {
            format!("{compare:#x} -> {new:#x} by another master, which found {found:#x}")
        }
    };
    match event.to - event.from {
        0 => format!("{}: {what} at moment {}", name(event.who), event.from),
        _ => format!("{}: {what} in moments {} to {}", name(event.who), event.from, event.to),
    }
}

impl History {
    /// Begins before the first operation.
    pub fn restart(&mut self) {
        self.reset();
        (self.explained, self.unsettled) = (0, 0);
    }

    /// Drops the open histories: nothing tells what became of the operations in flight.
    pub fn reset(&mut self) {
        self.now = 0;
        self.dwords.clear();
        self.operations.clear();
    }

    /// Adds the lanes of an operation that the unit took. A dword whose contents are not known then is given up.
    pub fn begin(&mut self, index: usize, issue: &Issue, plan: &Plan, memory: &Image, line_bytes: u64) {
        if issue.op.kind != Kind::CmpStore as u8 || plan.memory.is_empty() {
            return;
        }
        self.now += 1;
        let mut deeds: Vec<Deed> = Vec::with_capacity(plan.memory.count());
        for lane in plan.memory.iter() {
            let addr = plan.addr[lane];
            let unsettled = &mut self.unsettled;
            let new = || {
                let undefined = !memory.is_known(addr - addr % line_bytes);
                *unsettled += u64::from(undefined);
                Dword { initial: memory.word(addr), events: Vec::new(), open: 0, undefined }
            };
            let dword = self.dwords.entry(addr).or_insert_with(new);
            dword.open += usize::from(deeds.iter().all(|other| other.addr != addr));
            deeds.push(Deed { lane, addr, place: dword.events.len(), written: false });
            let [compare, new] = [0, 1].map(|beat| issue.data.get(beat).map_or(0, |register| register[lane]));
            let event = Event {
                who: (index * MAX_LANES + lane) as u64,
                from: self.now,
                to: u64::MAX,
                step: Step::CompareStore { compare, new, returned: None },
            };
            dword.events.push(Some((event, self.now)));
        }
        self.operations.insert(index, deeds);
    }

    /// Marks the bytes of a range as undefined. Their histories need no explanation.
    pub fn forget(&mut self, range: Range) {
        for (addr, dword) in &mut self.dwords {
            dword.undefined |= *addr >= range.base && addr - range.base < range.size;
        }
    }

    /// Gives up the histories in a range: it is not known when memory came to a request there.
    pub fn lose(&mut self, range: Range) {
        let lost = |addr: &u64| *addr >= range.base && addr - range.base < range.size;
        for (_, dword) in self.dwords.iter_mut().filter(|(addr, dword)| lost(addr) && !dword.undefined) {
            dword.undefined = true;
            self.unsettled += 1;
        }
    }

    /// Adds what memory did to a dword, or showed of it.
    fn point(&mut self, addr: u64, step: Step) {
        if let Some(dword) = self.dwords.get_mut(&addr) {
            self.now += 1;
            dword.events.push(Some((Event { who: OTHERS, from: self.now, to: self.now, step }, self.now)));
        }
    }

    /// Adds the effect of a request that memory performed; `image` is memory afterwards. The steps of the unit's lanes
    /// are known from their operations and not from their exclusive requests, unless these are free to do anything.
    pub fn memory(&mut self, seen: &Seen, free: bool, image: &Image) {
        match ReqKind::from_code(seen.kind) {
            Some(ReqKind::Read) => self.bytes(seen.line, seen.byte_enable, false, image),
            Some(ReqKind::Write) => self.bytes(seen.line, seen.byte_enable, true, image),
            Some(ReqKind::WriteExclusive) if free => self.bytes(seen.line, seen.byte_enable, true, image),
            _ => {}
        }
    }

    /// Records that memory performed a request that serves these lanes of an operation, and what it wrote.
    pub fn served(&mut self, index: usize, lanes: LaneMask, seen: &Seen) {
        self.now += 1;
        let write = seen.kind == ReqKind::WriteExclusive as u8;
        for deed in self.operations.get_mut(&index).into_iter().flatten().filter(|deed| lanes.contains(deed.lane)) {
            let byte = deed.addr.wrapping_sub(seen.line);
            deed.written |= write && byte < 128 && seen.byte_enable >> byte & 1 == 1;
            let event = self.dwords.get_mut(&deed.addr).and_then(|dword| dword.events[deed.place].as_mut());
            if let Some((_, moment)) = event {
                *moment = self.now;
            }
        }
    }

    /// Adds another master's access. `found` is what its compare-and-store found.
    pub fn foreign(&mut self, access: &Foreign, found: Option<u32>, image: &Image) {
        if self.is_empty() {
            return;
        }
        match (access.compare, found) {
            (Some(compare), Some(_)) => {
                let new = access.bytes.iter().rev().fold(0, |value, byte| value << 8 | u32::from(*byte));
                self.point(access.addr, Step::CompareStore { compare, new, returned: found });
            }
            _ => {
                let end = access.addr.saturating_add(access.bytes.len() as u64);
                for addr in (access.addr / 4 * 4..end).step_by(4) {
                    self.point(addr, Step::Write(image.word(addr)));
                }
            }
        }
    }

    /// Whether no dword is followed.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.dwords.is_empty()
    }

    /// Adds a read or a write to the followed dwords among the bytes. `memory` holds the values.
    fn bytes(&mut self, line: u64, enable: u128, write: bool, memory: &Image) {
        for place in (0..128).step_by(4).filter(|place| enable >> place & 0xf != 0) {
            let addr = line + place;
            if self.dwords.contains_key(&addr) {
                let value = memory.word(addr);
                self.point(addr, if write { Step::Write(value) } else { Step::Read(value) });
            }
        }
    }

    /// Ends an operation. Lanes with a bus error have made no step, unless memory wrote for them.
    ///
    /// # Errors
    ///
    /// The shortest part of a dword's history that no order of single steps explains.
    pub fn end(&mut self, index: usize, plan: &Plan, memory: &Image) -> Result<(), Box<Mismatch>> {
        let Some(deeds) = self.operations.remove(&index) else { return Ok(()) };
        self.now += 1;
        let mut closed: Vec<u64> = Vec::new();
        for Deed { lane, addr, place, written } in deeds {
            let Some(dword) = self.dwords.get_mut(&addr) else { continue };
            let event = &mut dword.events[place];
            match plan.faults[lane] == Fault::Bus && !written {
                true => *event = None,
                false => event.iter_mut().for_each(|(event, _)| event.to = self.now),
            }
            if !closed.contains(&addr) {
                closed.push(addr);
                dword.open -= 1;
            }
        }
        for addr in closed {
            if self.dwords.get(&addr).is_some_and(|dword| dword.open == 0) {
                self.judge(index, addr, memory)?;
            }
        }
        Ok(())
    }

    fn judge(&mut self, index: usize, addr: u64, memory: &Image) -> Result<(), Box<Mismatch>> {
        self.now += 1;
        let Some(dword) = self.dwords.remove(&addr) else { return Ok(()) };
        if dword.undefined {
            return Ok(());
        }
        let last = Event { who: OTHERS, from: self.now, to: self.now, step: Step::Read(memory.word(addr)) };
        let all = dword.events.into_iter().flatten().chain([(last, self.now)]);
        let (events, moments): (Vec<Event>, Vec<u64>) = all.unzip();
        if explains(dword.initial, &events, &moments) {
            self.explained += 1;
            return Ok(());
        }
        let none = match explain_within(dword.initial, &events, STATES) {
            Ok(order) => {
                *if order.is_some() { &mut self.explained } else { &mut self.unsettled } += 1;
                return Ok(());
            }
            Err(none) => none,
        };
        let steps: Vec<String> = none.history.iter().map(|&event| show(&events[event])).collect();
        let m = Mismatch::new(
            Clause::Sm5Cas,
            Some(index),
            Field::event(Site::Memory, format!("history of the dword at {addr:#x}")),
        );
        let found = format!("from {:#x}: {}", dword.initial, steps.join("; "));
        Err(Box::new(m.values(
            "an order of single atomic steps that explains it (moments are events in their order, not cycles)",
            found,
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        model::Memory,
        op::{LaneMask, Lanes, Op},
    };

    const ADDR: u64 = 0x40;

    /// The verdict on two lanes, 0 -> 1 and 1 -> 2, on a dword that is 0 first and `last` at the end.
    fn outcome(last: u32, between: impl Fn(&mut History)) -> Result<(), Box<Mismatch>> {
        let holds = |value: u32| {
            let mut memory = Memory::new(0);
            memory.poke(ADDR, &value.to_le_bytes());
            Image::new(memory)
        };
        let op = Op { kind: Kind::CmpStore as u8, ..Op::default() };
        let mut data = vec![[0; MAX_LANES]; 2];
        (data[0][1], data[1][0], data[1][1]) = (1, 1, 2);
        let issue = Issue { op, lanes: Lanes::default(), data, inst: None };
        let mut plan = Plan { memory: LaneMask::lowest(2), ..Plan::default() };
        plan.addr[..2].fill(ADDR);
        let mut history = History::default();
        history.begin(7, &issue, &plan, &holds(0), 128);
        between(&mut history);
        let result = history.end(7, &plan, &holds(last));
        assert!(history.is_empty() && history.explained == u64::from(result.is_ok()) && history.unsettled == 0);
        result
    }

    #[test]
    fn a_history_with_an_order_is_explained() {
        assert_eq!(outcome(2, |_| ()), Ok(()));
        assert_eq!(outcome(1, |_| ()), Ok(()));
        // Another master finds what a lane wrote, and puts the old value back.
        let take = |found| Step::CompareStore { compare: 2, new: 0, returned: Some(found) };
        assert_eq!(outcome(0, |history| history.point(ADDR, take(2))), Ok(()));
    }

    #[test]
    fn a_history_without_one_is_told_in_short() {
        let mismatch = outcome(0, |history| history.point(ADDR, Step::Read(0))).unwrap_err();
        assert_eq!((mismatch.clause, mismatch.op), (Clause::Sm5Cas, Some(7)));
        assert_eq!(
            mismatch.actual,
            "from 0x0: operation 7 lane 0: 0x0 -> 0x1 in moments 1 to 3; memory: 0x0 seen at moment 4"
        );
        let write = |history: &mut History| history.point(ADDR, Step::Write(5));
        assert!(outcome(2, write).unwrap_err().actual.contains("0x5 written at moment 2"));
    }
}
