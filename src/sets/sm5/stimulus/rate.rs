// SPDX-License-Identifier: MIT OR Apache-2.0
//! Directed streams of compare-and-stores without stalls (PORT-RATE, PORT-BANK), and streams that test turns. Lines are
//! disjoint, and a pair in which a lane matches takes two requests.

use rand::{Rng, RngExt};

use super::{Source, raw, turns::turns};
use crate::{
    cosim::{
        case::{Case, Issue, Rate},
        stimulus::directed::{directed, most_conflicts},
    },
    model::Memory,
    op::{Ctrl, Lanes, MAX_LANES, Op, Resource, Shape, Space, Tgsm, Uav},
};

/// The stream with number `which`; the kinds take turns.
pub fn stream(rng: &mut Source, which: u64, shape: &Shape, operations: u64) -> Case {
    // With a single warp, all other operations would wait for the pairs to complete.
    if which % 3 == 2 && shape.warps > 1 {
        return turns(rng, which / 3, shape, operations);
    }
    let which = which / 3 * 2 + which % 3;
    let (line, lanes) = (shape.line_bytes as u64, shape.lanes as u64);
    // An operation takes two data beats, so fewer bank cycles than two would not limit the rate.
    let cost = 2u32 << rng.random_range(0..most_conflicts(shape));
    let (rate, space) = match which & 1 {
        0 => (Rate::Requests, Space::Uav),
        _ => (Rate::Banks(cost), Space::Tgsm),
    };
    let op = raw(space);
    let mut ctrl = Ctrl::default();
    ctrl.uav[0] = Uav { kind: Resource::Raw as u8, base: 0x10_0000, size: 0x1000_0000, ..Uav::default() };
    ctrl.tgsm[0] = Tgsm {
        kind: Resource::Raw as u8,
        size: (shape.lanes * shape.lanes * 4).min(shape.shared_bytes) as u32,
        ..Tgsm::default()
    };
    let issues = (0..operations).map(|number| {
        let mut issue = Issue {
            op: Op { warp: (number % shape.warps as u64) as u8 & if which >> 1 & 1 == 0 { 7 } else { 0 }, ..op },
            lanes: Lanes { active: shape.lane_mask(), ..Lanes::default() },
            data: vec![[0; MAX_LANES]; 2],
            inst: None,
        };
        for word in issue.data.iter_mut().flat_map(|register| &mut register[..shape.lanes]) {
            *word = rng.next_u32();
        }
        for (lane, words) in (0..).zip(issue.lanes.addr.iter_mut().take(shape.lanes)) {
            words[0] = match rate {
                // A line for each lane.
                Rate::Requests => (number * lanes + lane) * line,
                // Lanes meet on a word in groups of `cost`, and take a cycle each.
                _ if which >> 2 & 1 == 1 => lane / u64::from(cost) * 4,
                // Lanes share a bank in groups of `cost`: one bank has that many distinct words.
                _ => (lane % u64::from(cost) * lanes + lane / u64::from(cost)) * 4,
            } as u32;
        }
        issue
    });
    let issues = issues.collect();
    let mut case = directed(rng, shape, ctrl, issues, rate);
    // In half of the streams of memory the lanes find what they compare with, and each pair has a second half.
    let writes = space == Space::Uav && which >> 4 & 1 == 1;
    // A pair keeps its id until its lanes have looked at the line, and one that writes until that is answered; its id
    // comes free a cycle later.
    let most = (shape.pending as u8).saturating_sub(7 + u8::from(writes)) >> u8::from(writes);
    for answer in &mut case.schedule.answers {
        answer.answer = answer.answer.min(most);
    }
    if writes {
        let memory = Memory::new(case.memory_seed);
        for issue in &mut case.issues {
            for (lane, words) in issue.lanes.addr.iter().enumerate().take(shape.lanes) {
                let addr = case.ctrl.uav[0].base + u64::from(words[0]);
                issue.data[0][lane] = memory.word(addr);
            }
        }
    }
    if shape.pending < 7 {
        // Fewer pairs do not cover the way to their lanes and back.
        case.rate = None;
    }
    case
}
