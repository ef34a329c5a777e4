// SPDX-License-Identifier: MIT OR Apache-2.0
//! A signal as its values from one moment to the next; the moments are those that both waves have.

use wellen::{Signal, SignalValueRef, Time};

use super::file::File;

/// The moments of a wave.
pub enum Clock {
    /// The rising edges; the value before each edge counts.
    Edges(Vec<Time>),
    /// The number of units of the common time scale in one unit of the wave.
    Scale(u128),
}

/// The clocks for comparing by time, on a scale common to both waves; if one does not state its scale, in plain units.
pub fn scales(a: &File, b: &File) -> [Clock; 2] {
    let (Some((factor_a, exponent_a)), Some((factor_b, exponent_b))) = (a.scale(), b.scale()) else {
        return [Clock::Scale(1), Clock::Scale(1)];
    };
    let finest = exponent_a.min(exponent_b);
    let of = |factor: u32, exponent: i8| {
        Clock::Scale(u128::from(factor) * 10u128.pow((i32::from(exponent) - i32::from(finest)) as u32))
    };
    [of(factor_a, exponent_a), of(factor_b, exponent_b)]
}

impl Clock {
    /// The moment at which a change shows; `None` if the wave ends before.
    fn key(&self, time: Time) -> Option<u128> {
        match self {
            Clock::Edges(edges) => {
                let edge = edges.partition_point(|&edge| edge <= time);
                (edge < edges.len()).then_some(edge as u128)
            }
            Clock::Scale(scale) => Some(u128::from(time).saturating_mul(*scale)),
        }
    }

    /// The last moment of a wave.
    pub fn end(&self, file: &File) -> u128 {
        match self {
            Clock::Edges(edges) => edges.len().saturating_sub(1) as u128,
            Clock::Scale(scale) => u128::from(file.end()).saturating_mul(*scale),
        }
    }

    pub fn end_in_words(&self, file: &File) -> String {
        match self {
            Clock::Edges(edges) => format!("cycle {}", edges.len().saturating_sub(1)),
            Clock::Scale(_) => format!("time {}", file.in_words(file.end())),
        }
    }

    /// A moment as a cycle, if it is one, and as a time of the wave.
    pub fn place(&self, key: u128) -> (Option<u64>, Time) {
        match self {
            Clock::Edges(edges) => (Some(key as u64), edges.get(key as usize).copied().unwrap_or(0)),
            Clock::Scale(scale) => (None, (key / scale).min(u128::from(u64::MAX)) as Time),
        }
    }

    /// The values of a signal up to the moment `end`.
    pub fn steps<'a>(&self, file: &File, signal: &'a Signal, end: u128) -> Steps<'a> {
        let mut steps = Steps { signal, steps: Vec::new() };
        for (place, &time) in signal.time_indices().iter().enumerate() {
            let Some(key) = self.key(file.times[time as usize]).filter(|&key| key <= end) else { break };
            match steps.steps.last_mut().filter(|(last, _)| *last == key) {
                // The last change counts.
                Some(last) => last.1 = place,
                None => steps.steps.push((key, place)),
            }
        }
        steps
    }
}

/// Moments, with the indices of the signal's changes, ascending.
pub struct Steps<'a> {
    signal: &'a Signal,
    steps: Vec<(u128, usize)>,
}

impl<'a> Steps<'a> {
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// The moment at which value `number` begins, from 0.
    pub fn key(&self, number: usize) -> Option<u128> {
        self.steps.get(number).map(|(key, _)| *key)
    }

    /// The value in the end, also after the last moment.
    pub fn last(&self) -> Option<SignalValueRef<'a>> {
        let place = self.signal.time_indices().len().checked_sub(1)?;
        Some(self.signal.data().get_value_at(place))
    }

    /// The value after this many steps; `None` before the first.
    pub fn value(&self, number: usize) -> Option<SignalValueRef<'a>> {
        let (_, place) = self.steps.get(number.checked_sub(1)?)?;
        Some(self.signal.data().get_value_at(*place))
    }
}
