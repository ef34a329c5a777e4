// SPDX-License-Identifier: MIT OR Apache-2.0
//! A memory that answers late and out of order.

use std::collections::HashMap;

use gpu_lsu::op::ReqKind;
use rand::{Rng, RngExt};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::SHAPE;

const LINE_BYTES: usize = SHAPE.line_bytes;

pub struct Answer {
    pub id: u8,
    pub data: [u8; LINE_BYTES],
    pub error: bool,
    pub exclusive_failed: bool,
    pub scope: u8,
    pub last: bool,
    due: usize,
}

impl Answer {
    /// What the port carries while there is none.
    pub fn noise(random: &mut Xoshiro256PlusPlus) -> Self {
        let (id, scope) = (random.random_range(0..64), random.random_range(0..4));
        let (error, exclusive_failed) = (random.random(), random.random());
        Answer { id, data: random.random(), error, exclusive_failed, scope, last: random.random(), due: 0 }
    }
}

/// A request as the port carries it.
pub struct Request<'a> {
    pub id: u8,
    pub kind: ReqKind,
    pub line: u64,
    pub enables: &'a [u8],
    pub data: &'a [u8],
}

#[derive(Default)]
pub struct Memory {
    lines: HashMap<u64, [u8; LINE_BYTES]>,
    answers: Vec<Answer>,
}

impl Memory {
    /// Applies a request and plans its answers; a write may have two.
    pub fn request(&mut self, request: &Request, now: usize, random: &mut Xoshiro256PlusPlus) {
        let line = self.lines.entry(request.line).or_insert_with(|| random.random());
        let error = random.random_ratio(1, 20);
        let mut data = *line;
        let write = matches!(request.kind, ReqKind::Write | ReqKind::WriteExclusive);
        // A line that nobody has written holds few values, so that lanes match.
        if request.kind == ReqKind::ReadExclusive {
            data.iter_mut().enumerate().filter(|(index, _)| index % 4 != 0).for_each(|(_, byte)| *byte = 0);
            data.iter_mut().for_each(|byte| *byte %= 3);
        }
        let exclusive = matches!(request.kind, ReqKind::ReadExclusive | ReqKind::WriteExclusive);
        let exclusive_failed = exclusive && !error && random.random_ratio(1, if write { 3 } else { 20 });
        if write && !exclusive_failed {
            for (index, byte) in line.iter_mut().enumerate() {
                if request.enables[index / 8] >> (index % 8) & 1 == 1 && !error {
                    *byte = request.data[index];
                }
            }
            random.fill_bytes(&mut data);
        }
        let due = now + random.random_range(1..24);
        // A half of a pair that fails has one answer.
        let twice = write && !exclusive_failed && !(exclusive && error) && random.random();
        let scope = if twice { 1 } else { 3 };
        self.answers.push(Answer { id: request.id, data, error, exclusive_failed, scope, last: !twice, due });
        if twice {
            let due = due + random.random_range(1..8);
            self.answers.push(Answer {
                id: request.id,
                data,
                error: false,
                exclusive_failed: false,
                scope: 3,
                last: true,
                due,
            });
        }
    }

    /// One of the answers whose time has come; those of one id stay in order.
    pub fn answer(&mut self, now: usize, random: &mut Xoshiro256PlusPlus) -> Option<Answer> {
        let ready = |&i: &usize| {
            let earlier = &self.answers[..i];
            self.answers[i].due <= now && earlier.iter().all(|earlier| earlier.id != self.answers[i].id)
        };
        let ready: Vec<usize> = (0..self.answers.len()).filter(ready).collect();
        (!ready.is_empty()).then(|| self.answers.remove(ready[random.random_range(0..ready.len())]))
    }

    /// Forgets what is in flight (PORT-RESET).
    pub fn reset(&mut self) {
        self.answers.clear();
    }
}
