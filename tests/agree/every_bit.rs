// SPDX-License-Identifier: MIT OR Apache-2.0
//! No bit of what the unit says counts for nothing: a log in which one bit of one output is another does not agree, nor
//! one that lacks a handshake.

use gpu_lsu::{
    cosim::stimulus,
    judge::{
        Judge, Trial,
        log::{Beat, Done, Happened, Log, Offer, Seen},
    },
    op::{Attr, LaneMask, Shape},
    sets::Isa,
};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus as Source;

use crate::units;

/// Changed logs for each set and each number of lanes.
const LOGS: usize = 1000;

/// One of the bits that are set.
fn one_of(rng: &mut Source, bits: u128) -> Option<u32> {
    let set: Vec<u32> = (0..u128::BITS).filter(|bit| bits >> bit & 1 == 1).collect();
    (!set.is_empty()).then(|| set[rng.random_range(0..set.len())])
}

/// Changes one bit of a request. Data count where a byte of a write is enabled.
fn of_request(rng: &mut Source, shape: &Shape, seen: &mut Seen) -> &'static str {
    let enabled = one_of(rng, if seen.writes() { seen.byte_enable } else { 0 });
    match (rng.random_range(0..10), enabled) {
        (0, Some(byte)) => (seen.data[byte as usize] ^= 1 << rng.random_range(0..8), "data").1,
        (0 | 1, _) => (seen.id ^= 1 << rng.random_range(0..4), "id").1,
        (2, _) => (seen.warp ^= 1 << rng.random_range(0..3), "warp").1,
        (3, _) => (seen.tag ^= 1 << rng.random_range(0..8), "tag").1,
        (4, _) => (seen.group ^= 1 << rng.random_range(0..4), "group").1,
        (5, _) => (seen.kind ^= 1 << rng.random_range(0..2), "kind").1,
        (6, _) => (seen.space ^= 1 << rng.random_range(0..4), "space").1,
        (7, _) => (seen.line ^= 1 << rng.random_range(0..40), "addr").1,
        (8, _) => (seen.byte_enable ^= 1 << rng.random_range(0..shape.line_bytes), "be").1,
        _ => {
            let bit = rng.random_range(0..Attr::WIDTH as usize);
            (seen.attr[bit / 32] ^= 1 << (bit % 32), "attr").1
        }
    }
}

fn of_beat(rng: &mut Source, shape: &Shape, beat: &mut Beat) -> Option<&'static str> {
    Some(match rng.random_range(0..5) {
        0 => (beat.warp ^= 1 << rng.random_range(0..3), "warp").1,
        1 => (beat.tag ^= 1 << rng.random_range(0..8), "tag").1,
        2 => (beat.register ^= 1 << rng.random_range(0..6), "reg").1,
        3 => (beat.mask ^= LaneMask::only(rng.random_range(0..shape.lanes)), "mask").1,
        _ => {
            let lane = one_of(rng, beat.mask.bits().into())? as usize;
            (beat.data[lane] ^= 1 << rng.random_range(0..32), "data").1
        }
    })
}

fn of_done(rng: &mut Source, shape: &Shape, done: &mut Done) -> &'static str {
    match rng.random_range(0..3) {
        0 => (done.warp ^= 1 << rng.random_range(0..3), "warp").1,
        1 => (done.tag ^= 1 << rng.random_range(0..8), "tag").1,
        _ => (done.faults[rng.random_range(0..shape.lanes)] ^= 1 << rng.random_range(0..3), "fault").1,
    }
}

/// Changes one bit of an output, and says which field it is in. Inputs are left as they are.
fn change(rng: &mut Source, shape: &Shape, happened: &mut Happened) -> Option<&'static str> {
    let field = match happened {
        Happened::Request(seen) => of_request(rng, shape, seen),
        Happened::Offer(Offer::Request(seen)) => of_request(rng, shape, seen),
        Happened::Beat(beat) => return of_beat(rng, shape, beat),
        Happened::Offer(Offer::Beat(beat)) => return of_beat(rng, shape, beat),
        Happened::Done(done) => of_done(rng, shape, done),
        Happened::Offer(Offer::Done(done)) => of_done(rng, shape, done),
        _ => return None,
    };
    Some(field)
}

#[test]
fn no_bit_of_an_output_counts_for_nothing() {
    for shape in [32, 4].map(Shape::with_lanes).into_iter().filter(|shape| gpu_lsu::dut::built().contains(shape)) {
        let mut judge = Judge::new(&shape);
        for &isa in Isa::ALL {
            let case = stimulus::block(Some(isa), 5, 2, &shape, 150).case;
            let log = units::on_bench(shape, |bench| {
                bench.run(&case).unwrap_or_else(|mismatch| panic!("{mismatch}"));
                bench.log().clone()
            });
            let (contract, memory) = (case.contract(), || case.start());
            let trial = Trial { contract: &contract, memory: &memory, counts: false, histories: true };
            let all = log.since(0);
            let mut rng = Source::seed_from_u64(isa as u64);
            let mut made = 0;
            while made < LOGS {
                let place = rng.random_range(0..all.len());
                let mut events = all.clone();
                let handshake = matches!(events[place].1, Happened::Request(_) | Happened::Beat(_) | Happened::Done(_));
                let what = if handshake && rng.random_ratio(1, 10) {
                    events.remove(place);
                    "all of it"
                } else {
                    let Some(what) = change(&mut rng, &shape, &mut events[place].1) else { continue };
                    what
                };
                made += 1;
                let mut other = Log::default();
                other.extend(events);
                let (cycle, was) = &all[place];
                let verdict = judge.judge(&trial, &other, None);
                assert!(verdict.is_err(), "{isa:?}: nobody misses {what} in cycle {cycle}: {was:?}");
            }
        }
    }
}
