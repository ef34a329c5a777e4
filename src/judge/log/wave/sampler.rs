// SPDX-License-Identifier: MIT OR Apache-2.0
//! The values of the ports at a time.

use std::num::NonZero;

use bitvec::{field::BitField, order::Lsb0, view::BitView};
use wellen::{Signal, SignalValueRef, Time, TimeTableIdx};

use super::find::{Found, Part, Source};
use crate::{
    op::Shape,
    ports::{Channel, Levels, Port, Ports, Role, Wires},
};

/// Samples at most: no logic analyser takes more, and a wave of which each picosecond would be one was not sampled.
pub const MOST: u64 = 1 << 24;

/// What the ports are at the time at which each was read last.
pub struct Sampler {
    signals: Vec<Signal>,
    pub parts: Ports<Vec<Part>>,
    pub shape: Shape,
    /// Bits that nobody knows are 0.
    pub now: Ports<Levels>,
    /// A bit for each that nobody knows.
    pub unknown: Ports<Vec<u32>>,
    words: Vec<u32>,
}

impl Sampler {
    /// Of a unit's ports, and their signals in the order of [`Found::signals`].
    pub fn new(found: Found, signals: Vec<Signal>) -> Self {
        let Found { shape, parts, .. } = found;
        let (mut now, mut unknown) = (Ports::<Levels>::default(), Ports::<Vec<u32>>::default());
        now.iter_mut().for_each(|(port, levels)| *levels = Levels::new(port.width(&shape)));
        unknown.iter_mut().for_each(|(port, words)| *words = vec![0; port.width(&shape).div_ceil(32)]);
        Sampler { signals, parts, shape, now, unknown, words: Vec::new() }
    }

    /// The times before those at which the clock has risen: what stands before an edge is what it takes.
    pub fn edges(&self) -> Vec<TimeTableIdx> {
        let Some(Part { source: Source::Signal(clk), .. }) = self.parts.clk.first() else { return Vec::new() };
        let signal = &self.signals[*clk];
        let times = signal.time_indices();
        let mut edges = Vec::new();
        let mut before = None;
        for (place, &time) in times.iter().enumerate().filter(|(place, _)| stays(signal, *place)) {
            let now = bit_of(signal, place);
            if (before, now) == (Some(false), Some(true)) {
                edges.push(time - 1);
            }
            before = now;
        }
        edges
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

    /// Whether a port of one bit was low at some time after the first, up to the second.
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

    /// A port of one bit, if anybody knows it.
    pub fn bit(&self, part: &Part, at: TimeTableIdx) -> Option<bool> {
        match part.source {
            Source::Tied(value) => Some(value & 1 == 1),
            Source::Signal(signal) => bit_of(&self.signals[signal], place(&self.signals[signal], at)?),
        }
    }

    /// Reads what a channel carries at this time.
    pub fn read_payload(&mut self, channel: Channel, at: TimeTableIdx) {
        self.read(at, |port| port.channel == channel && port.role == Role::Payload);
    }

    /// Reads the ports that are chosen.
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

/// When the values of each sample of so many time steps stand; nothing if they are more than anybody sampled.
pub fn samples(times: &[Time], steps: NonZero<u64>) -> Option<Vec<TimeTableIdx>> {
    let (Some(first), Some(last)) = (times.first(), times.last()) else { return Some(Vec::new()) };
    let sample = |time: &Time| time.saturating_sub(*first) / steps;
    // A sample's values stand to its end.
    let at = |number| times.partition_point(|time| sample(time) <= number).saturating_sub(1) as TimeTableIdx;
    (sample(last) < MOST).then(|| (0..=sample(last)).map(at).collect())
}

fn halves(value: u64) -> [u32; 2] {
    [value as u32, (value >> 32) as u32]
}

/// Whether a signal's value is the last that it has at its time.
fn stays(signal: &Signal, place: usize) -> bool {
    let times = signal.time_indices();
    times.get(place + 1) != times.get(place)
}

/// Which of a signal's values it has at this time.
fn place(signal: &Signal, at: TimeTableIdx) -> Option<usize> {
    signal.time_indices().partition_point(|&time| time <= at).checked_sub(1)
}

fn bit_of(signal: &Signal, place: usize) -> Option<bool> {
    match signal.data().get_value_at(place) {
        SignalValueRef::BitVec(bits) => level(bits.get_bit(0).into()),
        _ => None,
    }
}

/// A bit of a wave; those of VHDL that are driven weakly are what they are driven to.
fn level(state: u8) -> Option<bool> {
    match state {
        0 | 7 => Some(false),
        1 | 4 => Some(true),
        _ => None,
    }
}

/// A signal's value at a time, into its place in a port.
fn copy(signal: &Signal, part: &Part, at: TimeTableIdx, words: &mut [u32], unknown: &mut [u32]) {
    let to = part.offset..part.offset + part.width;
    let value = place(signal, at).map(|place| signal.data().get_value_at(place));
    match value {
        Some(SignalValueRef::BitVec(bits)) if bits.width() as usize == part.width => {
            let to = &mut words.view_bits_mut::<Lsb0>()[to];
            // Bits above the width are the reader's.
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
        // Before its first value a signal is anything.
        _ => unknown.view_bits_mut::<Lsb0>()[to].fill(true),
    }
}
