// SPDX-License-Identifier: MIT OR Apache-2.0
//! The values of the ports at a given time.

use std::num::NonZero;

use bitvec::{field::BitField, order::Lsb0, view::BitView};
use wellen::{Signal, SignalValueRef, Time, TimeTableIdx};

use super::find::{Found, Part, Source};
use crate::{
    op::Shape,
    ports::{Channel, Levels, Port, Ports, Role, Wires},
};

/// The most samples. No logic analyser takes more, and a wave with a sample for each picosecond was not sampled.
pub const MOST: u64 = 1 << 24;

/// The ports, each with its value at the time at which it was last read.
pub struct Sampler {
    signals: Vec<Signal>,
    pub parts: Ports<Vec<Part>>,
    pub shape: Shape,
    /// The values; unknown bits are 0.
    pub now: Ports<Levels>,
    /// A bit for each unknown one.
    pub unknown: Ports<Vec<u32>>,
    words: Vec<u32>,
}

impl Sampler {
    /// A sampler of a unit's ports. `signals` are in the order of [`Found::signals`].
    pub fn new(found: Found, signals: Vec<Signal>) -> Self {
        let Found { shape, parts, .. } = found;
        let (mut now, mut unknown) = (Ports::<Levels>::default(), Ports::<Vec<u32>>::default());
        now.iter_mut().for_each(|(port, levels)| *levels = Levels::new(port.width(&shape)));
        unknown.iter_mut().for_each(|(port, words)| *words = vec![0; port.width(&shape).div_ceil(32)]);
        Sampler { signals, parts, shape, now, unknown, words: Vec::new() }
    }

    /// The times just before the rising edges of the clock: an edge takes the values that are there before it. A clock
    /// that is unknown between two edges is an error, the times from and to which it is: nobody knows how many it had.
    pub fn edges(&self) -> Result<Vec<TimeTableIdx>, (TimeTableIdx, TimeTableIdx)> {
        let Some(Part { source: Source::Signal(clk), .. }) = self.parts.clk.first() else { return Ok(Vec::new()) };
        let signal = &self.signals[*clk];
        let times = signal.time_indices();
        let mut edges = Vec::new();
        let (mut before, mut lost, mut gap) = (None, None, None);
        for (place, &time) in times.iter().enumerate().filter(|(place, _)| stays(signal, *place)) {
            let now = bit_of(signal, place);
            match (before, now) {
                (Some(false), Some(true)) => {
                    if let Some(gap) = gap {
                        return Err(gap);
                    }
                    edges.push(time - 1);
                }
                (Some(_), None) if !edges.is_empty() => lost = Some(time),
                (None, Some(_)) => gap = gap.or(lost.map(|lost| (lost, time))),
                _ => {}
            }
            before = now;
        }
        Ok(edges)
    }

    /// The times at which a port changes, in order.
    pub fn changes(&self, parts: &[Part]) -> Vec<TimeTableIdx> {
        let signals = parts.iter().filter_map(|part| match part.source {
            Source::Signal(signal) => Some(&self.signals[signal]),
            Source::Tied(_) => None,
        });
        let mut times: Vec<_> = signals.flat_map(Signal::time_indices).copied().collect();
        times.sort_unstable();
        times.dedup();
        times
    }

    /// Whether a one-bit port was low at some time after `after`, up to `until`.
    pub fn low(&self, parts: &[Part], after: Option<TimeTableIdx>, until: TimeTableIdx) -> bool {
        match parts.first().map(|part| part.source) {
            None => false,
            Some(Source::Tied(value)) => value & 1 == 0,
            Some(Source::Signal(signal)) => {
                let signal = &self.signals[signal];
                let Some(last) = place(signal, until) else { return false };
                let first = after.and_then(|after| place(signal, after)).unwrap_or(0);
                (first..=last).any(|place| stays(signal, place) && bit_of(signal, place) == Some(false))
            }
        }
    }

    /// The value of a one-bit port, if it is known.
    pub fn bit(&self, part: &Part, at: TimeTableIdx) -> Option<bool> {
        match part.source {
            Source::Tied(value) => Some(value & 1 == 1),
            Source::Signal(signal) => bit_of(&self.signals[signal], place(&self.signals[signal], at)?),
        }
    }

    /// Reads the payload of a channel at this time.
    pub fn read_payload(&mut self, channel: Channel, at: TimeTableIdx) {
        self.read(at, |port| port.channel == channel && port.role == Role::Payload);
    }

    /// Reads the chosen ports.
    pub fn read(&mut self, at: TimeTableIdx, chosen: impl Fn(&Port) -> bool) {
        let Sampler { signals, parts, now, unknown, words, .. } = self;
        let all = parts.iter().zip(now.iter_mut()).zip(unknown.iter_mut());
        for (((port, parts), (_, levels)), (_, unknown)) in all {
            if !chosen(port) {
                continue;
            }
            words.clear();
            words.resize(unknown.len(), 0);
            unknown.fill(0);
            for part in parts {
                match part.source {
                    Source::Signal(signal) => copy(&signals[signal], part, at, words, unknown),
                    Source::Tied(value) => words.iter_mut().zip(halves(value)).for_each(|(word, half)| *word = half),
                }
            }
            levels.set_words(words);
        }
    }
}

/// The times of the values of each sample, of this many time steps; none if there are more samples than anyone takes.
pub fn samples(times: &[Time], steps: NonZero<u64>) -> Option<Vec<TimeTableIdx>> {
    let (Some(first), Some(last)) = (times.first(), times.last()) else { return Some(Vec::new()) };
    let sample = |time: &Time| time.saturating_sub(*first) / steps;
    // The values of a sample hold to its end.
    let at = |number| times.partition_point(|time| sample(time) <= number).saturating_sub(1) as TimeTableIdx;
    (sample(last) < MOST).then(|| (0..=sample(last)).map(at).collect())
}

fn halves(value: u64) -> [u32; 2] {
    [value as u32, (value >> 32) as u32]
}

/// Whether a value of a signal is the last one at its time.
fn stays(signal: &Signal, place: usize) -> bool {
    let times = signal.time_indices();
    times.get(place + 1) != times.get(place)
}

/// The index of a signal's value at this time.
fn place(signal: &Signal, at: TimeTableIdx) -> Option<usize> {
    signal.time_indices().partition_point(|&time| time <= at).checked_sub(1)
}

fn bit_of(signal: &Signal, place: usize) -> Option<bool> {
    match signal.data().get_value_at(place) {
        SignalValueRef::BitVec(bits) => level(bits.get_bit(0).into()),
        _ => None,
    }
}

/// The value of a bit in a wave. Weakly driven bits of VHDL have the value to which they are driven.
fn level(state: u8) -> Option<bool> {
    match state {
        0 | 7 => Some(false),
        1 | 4 => Some(true),
        _ => None,
    }
}

/// Copies a signal's value at a time to its place in a port.
fn copy(signal: &Signal, part: &Part, at: TimeTableIdx, words: &mut [u32], unknown: &mut [u32]) {
    let to = part.offset..part.offset + part.width;
    let value = place(signal, at).map(|place| signal.data().get_value_at(place));
    match value {
        Some(SignalValueRef::BitVec(bits)) if bits.width() as usize == part.width => {
            let to = &mut words.view_bits_mut::<Lsb0>()[to];
            // Bits above the width are the reader's own.
            if let Some(bytes) = bits.be_bytes() {
                to.chunks_mut(8).zip(bytes.iter().rev()).for_each(|(to, byte)| to.store_le(*byte));
                return;
            }
            let unknown = &mut unknown.view_bits_mut::<Lsb0>()[part.offset..];
            for (index, mut to) in to.iter_mut().enumerate() {
                let level = level(bits.get_bit(index as u32).into());
                *to = level == Some(true);
                unknown.set(index, level.is_none());
            }
        }
        // Before its first value a signal is unknown.
        _ => unknown.view_bits_mut::<Lsb0>()[to].fill(true),
    }
}
