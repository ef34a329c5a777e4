// SPDX-License-Identifier: MIT OR Apache-2.0
//! What crosses the ports of a unit, cycle by cycle: the interface between whatever plays the unit and the judge.
//!
//! ```text
//!  player, another bench, a wave, a board --> Log --> judge
//! ```
//!
//! A log is a sequence of events, whose contents are in flat arrays by kind, so that writing a log costs a simulated
//! unit next to nothing. It assigns data beats to their operations (PORT-DATA), so that readers get each operation as a
//! whole.

mod event;
mod happened;
mod held;
mod issue;
pub mod lines;
pub mod sample;
pub mod wave;

use std::collections::VecDeque;

pub use event::{Beat, Done, Event, Foreign, Offer, Port, Report, Response, Seen, Unknown};
pub use happened::Happened;
pub use held::Held;
pub use issue::{Issue, lane_inputs, text};

use crate::{
    model::{Register, legal},
    op::{Ctrl, Lanes, MAX_LANES, Op},
    sets::Inst,
};

/// The owner of a data beat whose operation never came.
const NOBODY: u32 = u32::MAX;

/// An event and its cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Clock cycles since the log began.
    pub cycle: u64,
    /// The event, at the edge that ends this cycle.
    pub event: Event,
}

/// Every event, in order. Within a cycle, the actions of memory and of other masters come first, then data, requests,
/// answers, beats, completions, and last the operation that goes in: what comes out in that cycle cannot be its own.
#[derive(Clone, Debug, Default)]
pub struct Log {
    entries: Vec<Entry>,
    issues: Vec<Issue>,
    /// The number of operations among `issues`; the rest is room from earlier logs.
    used: usize,
    /// Data beats that came before their operation.
    ahead: VecDeque<Register>,
    /// The first operation that lacks data beats, and the number of beats that it has.
    filling: usize,
    filled: usize,
    /// By data beat: its operation. Beats whose operation never came have none.
    owners: Vec<u32>,
    /// The data of beats that no operation has, each with its number, ascending.
    strays: Vec<(usize, Register)>,
    offers: Vec<Offer>,
    requests: Vec<Seen>,
    responses: Vec<Response>,
    beats: Vec<Beat>,
    dones: Vec<Done>,
    foreign: Vec<Foreign>,
    controls: Vec<Ctrl>,
    reports: Vec<Report>,
    held: Vec<Held>,
    beats_taken: u32,
    timed: bool,
    unseen: Unseen,
    /// Whether the owners of data beats are unknown.
    blind: bool,
}

/// What the writer of a log could not see. Whatever depends on it is not judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unseen {
    /// The start: operations may be in flight when the log begins.
    pub start: bool,
    /// The end: operations may be in flight when the log ends.
    pub end: bool,
    /// The data port.
    pub data: bool,
    /// The write-back port.
    pub write_back: bool,
    /// Offers before they were taken: it is not known whether the unit was late, or made to wait.
    pub offers: bool,
}

macro_rules! arrays {
    ($($(#[$doc:meta])* $name:ident, $get:ident: $ty:ty = $array:ident as $variant:ident;)*) => {
        $(
            $(#[$doc])*
            #[inline]
            pub fn $name(&mut self, cycle: u64, what: $ty) {
                self.push(cycle, Event::$variant(self.$array.len() as u32));
                self.$array.push(what);
            }

            /// The event of this number among its kind.
            #[inline]
            pub fn $get(&self, number: u32) -> &$ty {
                &self.$array[number as usize]
            }
        )*
    };
}

impl Log {
    /// Forgets everything, but keeps the room.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.ahead.clear();
        self.owners.clear();
        self.strays.clear();
        self.offers.clear();
        self.requests.clear();
        self.responses.clear();
        self.beats.clear();
        self.dones.clear();
        self.foreign.clear();
        self.controls.clear();
        self.reports.clear();
        self.held.clear();
        (self.used, self.filling, self.filled, self.beats_taken, self.timed) = (0, 0, 0, 0, false);
        self.set_unseen(Unseen::default());
    }

    /// What crossed the ports and is not in the log.
    pub fn unseen(&self) -> Unseen {
        self.unseen
    }

    /// Sets what is not in the log. To be called before the first event.
    pub fn set_unseen(&mut self, unseen: Unseen) {
        self.unseen = unseen;
        self.blind = unseen.start || unseen.data;
    }

    /// Every event, in order.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Every operation that the unit took, in order. It has the data beats that came for it, and zeros for the others.
    pub fn issues(&self) -> &[Issue] {
        &self.issues[..self.used]
    }

    #[inline]
    fn push(&mut self, cycle: u64, event: Event) {
        self.entries.push(Entry { cycle, event });
    }

    arrays! {
        /// A port offered something that was not taken in this cycle: for the first time, or changed since.
        offer, offered: Offer = offers as Offer;
        /// The unit's request was taken.
        request, requested: Seen = requests as Request;
        /// The unit took an answer.
        response, responded: Response = responses as Response;
        /// The unit's write-back beat was taken.
        beat, written_back: Beat = beats as Beat;
        /// The unit's completion was taken.
        done, completed: Done = dones as Done;
        /// Another master's access was made.
        foreign, made: Foreign = foreign as Foreign;
        /// The control registers changed.
        control, controls: Ctrl = controls as Control;
        /// The unit itself, or the reader of its ports, reported something.
        report, reported: Report = reports as Report;
    }

    /// Puts the control registers before the first event, for a log that was written without them.
    pub fn begins_with(&mut self, ctrl: Ctrl) {
        let event = Event::Control(self.controls.len() as u32);
        self.entries.insert(0, Entry { cycle: 0, event });
        self.controls.push(ctrl);
    }

    /// The unit took an operation.
    pub fn op(&mut self, cycle: u64, op: &Op, lanes: &Lanes, inst: Option<Inst>) {
        self.push(cycle, Event::Op(self.used as u32));
        match self.issues.get_mut(self.used) {
            Some(room) => {
                (room.op, room.inst) = (*op, inst);
                room.lanes.clone_from(lanes);
                room.data.clear();
            }
            None => self.issues.push(Issue { op: *op, lanes: lanes.clone(), data: Vec::new(), inst }),
        }
        // Beats that never come count as zeros.
        self.issues[self.used].data.resize(beats(op), [0; MAX_LANES]);
        self.used += 1;
        self.pass_whole();
        while let Some(register) = self.ahead.pop_front() {
            if !self.fill(&register) {
                self.ahead.push_front(register);
                break;
            }
        }
    }

    /// The unit took a data beat.
    pub fn data(&mut self, cycle: u64, register: &Register) {
        self.push(cycle, Event::Data(self.beats_taken));
        self.beats_taken += 1;
        if !self.fill(register) {
            self.ahead.push_back(*register);
        }
    }

    /// Gives a beat to the first operation that lacks one. Returns whether there is such an operation.
    fn fill(&mut self, register: &Register) -> bool {
        if self.blind {
            self.stray(register);
            return true;
        }
        let Some(issue) = self.issues[..self.used].get_mut(self.filling) else { return false };
        issue.data[self.filled] = *register; // it lacks one
        self.filled += 1;
        self.owners.push(self.filling as u32);
        self.pass_whole();
        true
    }

    /// Keeps a beat of no operation.
    fn stray(&mut self, register: &Register) {
        self.strays.push((self.owners.len(), *register));
        self.owners.push(NOBODY);
    }

    /// Moves on to the first operation that lacks data beats.
    fn pass_whole(&mut self) {
        while self.issues[..self.used].get(self.filling).is_some_and(|issue| issue.data.len() <= self.filled) {
            (self.filling, self.filled) = (self.filling + 1, 0);
        }
    }

    /// Whether the log has everything that belongs to an event: an operation's data, or a data beat's operation.
    pub fn tells(&self, event: &Event) -> bool {
        match *event {
            Event::Op(number) => self.blind || (number as usize) < self.filling,
            Event::Data(number) => (number as usize) < self.owners.len(),
            _ => true,
        }
    }

    /// The operation of a data beat. After its last beat the operation is complete.
    pub fn owner(&self, beat: u32) -> Option<usize> {
        self.owners.get(beat as usize).filter(|&&op| op != NOBODY).map(|&op| op as usize)
    }

    /// The data of a beat; zeros if they are not known.
    pub fn beat_data(&self, beat: u32) -> &Register {
        const ZEROS: Register = [0; MAX_LANES];
        let beat = beat as usize;
        let Some(&owner) = self.owners.get(beat) else {
            return self.ahead.get(beat - self.owners.len()).unwrap_or(&ZEROS);
        };
        if owner == NOBODY {
            let place = self.strays.binary_search_by_key(&beat, |&(number, _)| number);
            return place.map_or(&ZEROS, |place| &self.strays[place].1);
        }
        let before = self.owners[..beat].iter().rev().take_while(|&&other| other == owner).count();
        let issue = self.issues.get(owner as usize);
        issue.and_then(|issue| issue.data.get(before)).unwrap_or(&ZEROS)
    }

    /// Memory came to a request, given by its number in this log. `made` is whether memory performed it. The log keeps
    /// nothing of a request that was never taken.
    pub fn applied(&mut self, cycle: u64, request: u32, made: bool) {
        if request < self.next_request() {
            self.timed = true;
            self.push(cycle, Event::Applied(request, made));
        }
    }

    /// Whether the log shows when memory performed requests.
    pub fn is_timed(&self) -> bool {
        self.timed
    }

    /// The number that the next request will have.
    pub fn next_request(&self) -> u32 {
        self.requests.len() as u32
    }

    /// A port no longer offers what it had offered, although it was not taken.
    pub fn withdrawn(&mut self, cycle: u64, port: Port) {
        self.push(cycle, Event::Withdrawn(port));
    }

    /// The unit was in reset: data that it took are gone.
    pub fn reset(&mut self, cycle: u64) {
        while let Some(register) = self.ahead.pop_front() {
            self.stray(&register);
        }
        (self.filling, self.filled) = (self.used, 0);
        self.blind = self.unseen.data;
        self.push(cycle, Event::Reset);
    }

    /// A part of the unit reports what it holds as the log ends.
    pub fn holds(&mut self, held: Held) {
        self.held.push(held);
    }

    /// What the parts of the unit hold as the log ends, if they report it.
    pub fn held(&self) -> &[Held] {
        &self.held
    }

    /// Whether no port moves from the entry at `place` on.
    pub fn is_still(&self, place: usize) -> bool {
        let rests = |event: &Event| {
            use Event::{Applied, Control, End, Foreign, Offer, Report, Withdrawn};
            matches!(event, Applied(..) | Control(_) | End(_) | Foreign(_) | Offer(_) | Report(_) | Withdrawn(_))
        };
        self.entries.get(place..).unwrap_or_default().iter().all(|entry| rests(&entry.event))
    }

    /// Whether a request with this id is taken from the entry at `place` on.
    pub fn asks(&self, place: usize, id: u8) -> bool {
        let mut rest = self.entries.get(place..).unwrap_or_default().iter();
        rest.any(|entry| matches!(entry.event, Event::Request(number) if self.requested(number).id == id))
    }

    /// The log ends after this cycle. `offered` is whether something still waited for the unit to take it.
    pub fn end(&mut self, cycle: u64, offered: bool) {
        self.push(cycle, Event::End(offered));
    }
}

/// The number of data beats that an operation takes; an illegal one takes none (COM-ILLEGAL).
pub fn beats(op: &Op) -> usize {
    if legal(op) { op.data_beats() as usize } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::op::{Kind, Space};

    /// Data before, with and after their operations go to them in order. An illegal operation takes none.
    #[test]
    fn data_find_their_operations() {
        let store = |bytes| Op {
            kind: Kind::Store as u8,
            space: Space::Global as u8,
            element_bytes: bytes,
            element_count: 1,
            element_mask: 1,
            ..Op::default()
        };
        let mut log = Log::default();
        for _ in 0..2 {
            log.clear();
            let beat = |value| [value; MAX_LANES];
            log.data(0, &beat(1));
            log.op(1, &store(8), &Lanes::default(), None);
            log.op(2, &store(3), &Lanes::default(), None);
            log.data(2, &beat(2));
            log.data(3, &beat(3));
            log.data(4, &beat(4));
            log.op(5, &store(4), &Lanes::default(), None);
            let data: Vec<Vec<u32>> =
                log.issues().iter().map(|issue| issue.data.iter().map(|register| register[0]).collect()).collect();
            assert_eq!(data, [vec![1, 2], vec![], vec![3]]);
            let owners: Vec<_> = (0..4).map(|beat| log.owner(beat)).collect();
            assert_eq!(owners, [Some(0), Some(0), Some(2), None]);
            assert_eq!(log.entries().len(), 7);
        }
    }
}
