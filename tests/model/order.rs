// SPDX-License-Identifier: MIT OR Apache-2.0

use gpu_lsu::{
    clause::Clause,
    model::{
        Plan,
        order::{Broken, Judge},
        orders, plan,
    },
    op::{Attr, LaneMask, Op, Scope, Semantics, Shape, Space},
};

use crate::{
    Random, lanes,
    ptx::{beats, ctrl, store},
};

const CTA: u8 = Scope::Cta as u8;
const GPU: u8 = Scope::Gpu as u8;

/// A planned operation, for a log to speak of by its number.
#[derive(Clone)]
struct Made {
    op: Op,
    plan: Plan,
}

fn made(space: Space, semantics: Semantics, scope: Scope, at: &[u64]) -> Made {
    let attr = Attr { semantics: semantics as u8, scope: scope as u8, ..Attr::default() };
    let op = Op { attr, ..store(space, 4, 1) };
    let mut out = Plan::default();
    plan(&Shape::with_lanes(32), &ctrl(), &op, &lanes(at), &beats(), &mut out);
    Made { op, plan: out }
}

fn weak(at: &[u64]) -> Made {
    made(Space::Generic, Semantics::Weak, Scope::Cta, at)
}

fn release(scope: Scope, at: &[u64]) -> Made {
    made(Space::Generic, Semantics::Release, scope, at)
}

fn mmio(at: &[u64]) -> Made {
    made(Space::Global, Semantics::Mmio, Scope::Sys, at)
}

/// A judge and the operations that it was told of, all of warp 0.
struct Log {
    judge: Judge,
    ops: Vec<Made>,
    sent: Vec<usize>,
}

impl Log {
    fn issued(ops: &[Made]) -> Self {
        let mut judge = Judge::default();
        ops.iter().enumerate().for_each(|(number, made)| judge.issued(number, &made.op, &made.plan));
        Log { judge, ops: ops.to_vec(), sent: vec![0; ops.len()] }
    }

    /// The operation's next request, as it should be.
    fn send(&mut self, operation: usize) -> Result<(), Broken> {
        let Made { op, plan } = &self.ops[operation];
        let request = &plan.requests[self.sent[operation]];
        self.sent[operation] += 1;
        self.judge.sent(operation, op, plan, request.line, request.byte_enable)
    }

    fn answer(&mut self, operation: usize, request: usize, scope: u8) {
        self.judge.answered(0, operation, request, scope, false);
    }

    fn last(&mut self, operation: usize, request: usize) {
        self.judge.answered(0, operation, request, CTA, true);
    }
}

/// One store of two is not acknowledged, or is not even sent.
#[test]
fn a_release_that_passes_one_store_is_found() {
    let ops = [weak(&[0x1000]), weak(&[0x1080, 0x1100]), release(Scope::Cta, &[0x1180])];
    let early = |earlier, request| Err(Broken::ReleaseSent { earlier, request, scope: Scope::Cta });
    for unanswered in 0..2 {
        let mut log = Log::issued(&ops);
        assert_eq!([log.send(0), log.send(1), log.send(1)], [Ok(()); 3]);
        log.answer(0, 0, CTA);
        log.answer(1, 1 - unanswered, CTA);
        assert_eq!(log.send(2), early(1, unanswered));
    }
    let mut log = Log::issued(&ops);
    assert_eq!([log.send(0), log.send(1)], [Ok(()); 2]);
    log.answer(0, 0, CTA);
    log.answer(1, 0, CTA);
    assert_eq!(log.send(2), early(1, 1), "the second request of operation 1 was never sent");
}

/// A narrower acknowledgement does not do, nor many of them; a wider one, or the last, does.
#[test]
fn an_ignored_scope_is_found() {
    for (wanted, given) in Scope::ALL.iter().flat_map(|&wanted| Scope::ALL.iter().map(move |&given| (wanted, given))) {
        let ops = [weak(&[0x1000]), release(wanted, &[0x1080])];
        let mut log = Log::issued(&ops);
        log.send(0).unwrap();
        log.answer(0, 0, given as u8);
        log.answer(0, 0, given as u8);
        log.answer(0, 0, CTA);
        let early = Broken::ReleaseSent { earlier: 0, request: 0, scope: wanted };
        assert_eq!(log.send(1), if given < wanted { Err(early) } else { Ok(()) }, "{wanted:?} {given:?}");
        assert_eq!(early.clause(), Clause::PtxSem);

        let mut log = Log::issued(&ops);
        log.send(0).unwrap();
        log.last(0, 0);
        assert_eq!(log.send(1), Ok(()));
    }
}

/// Done ends nothing: a store is done with its first answer, and a release may want a wider one.
#[test]
fn a_store_that_is_done_still_counts() {
    let ops = [weak(&[0x1000]), release(Scope::Gpu, &[0x1080])];
    let mut log = Log::issued(&ops);
    log.send(0).unwrap();
    log.answer(0, 0, CTA);
    log.judge.done(0, 0).unwrap();
    assert_eq!(log.send(1), Err(Broken::ReleaseSent { earlier: 0, request: 0, scope: Scope::Gpu }));

    let mut log = Log::issued(&ops);
    log.send(0).unwrap();
    log.answer(0, 0, CTA);
    log.judge.done(0, 0).unwrap();
    log.answer(0, 0, GPU);
    assert_eq!(log.send(1), Ok(()));
}

/// Only earlier accesses count, of the same warp, and only for a release.
#[test]
fn nobody_else_waits() {
    let mut log = Log::issued(&[release(Scope::Sys, &[0x1000, 0x1080]), weak(&[0x1100])]);
    assert_eq!([log.send(0), log.send(0), log.send(1)], [Ok(()); 3]);

    let (first, other) = (weak(&[0x1000]), release(Scope::Sys, &[0x1080]));
    let (mut judge, other) = (Judge::default(), Made { op: Op { warp: 5, ..other.op }, ..other });
    judge.issued(0, &first.op, &first.plan);
    judge.issued(1, &other.op, &other.plan);
    assert_eq!(judge.sent(1, &other.op, &other.plan, 0x1080, 0xf), Ok(()));

    for semantics in [Semantics::Volatile, Semantics::Relaxed] {
        let mut log = Log::issued(&[weak(&[0x1000]), made(Space::Generic, semantics, Scope::Sys, &[0x1080])]);
        assert_eq!(log.send(1), Ok(()));
    }
}

/// In local memory a release is weak; beside a lane in global memory its own request still is, that lane's is not.
#[test]
fn private_requests_of_a_release_are_weak() {
    let (local, global) = (0x10_0000, 0x1000);
    let mut log = Log::issued(&[weak(&[0x1080]), release(Scope::Cta, &[local]), release(Scope::Cta, &[local, global])]);
    assert_eq!([log.send(1), log.send(2)], [Ok(()); 2]);
    log.answer(1, 0, CTA);
    assert_eq!(log.send(2), Err(Broken::ReleaseSent { earlier: 0, request: 0, scope: Scope::Cta }));
}

/// No port shows the scratchpad, but done does.
#[test]
fn a_release_in_the_scratchpad_waits_too() {
    let ops = [weak(&[0x1000]), release(Scope::Gpu, &[0x20_0000])];
    assert_eq!((ops[1].plan.requests.len(), ops[1].plan.shared), (0, LaneMask::only(0)));
    let mut log = Log::issued(&ops);
    log.send(0).unwrap();
    log.answer(0, 0, CTA);
    let mut early = log.judge.clone();
    assert_eq!(early.done(0, 1), Err(Broken::ReleaseDone { earlier: 0, request: 0, scope: Scope::Gpu }));
    log.answer(0, 0, GPU);
    assert_eq!((log.judge.done(0, 0), log.judge.done(0, 1)), (Ok(()), Ok(())));
}

/// Merged, split, widened, in another order, one too many, one too few, two in flight.
#[test]
fn every_fault_of_mmio_is_found() {
    let crowd = mmio(&[0x1004, 0x1004, 0x1008]);
    let Made { op, plan } = &crowd;
    let start = || Log::issued(&[crowd.clone(), mmio(&[0x1000])]);
    let bytes = |log: &mut Log, line, byte_enable| {
        let broken = log.judge.sent(0, op, plan, line, byte_enable).unwrap_err();
        assert!(matches!(broken, Broken::MmioBytes { lane: 0, addr: 0x1004, bytes: 0xf, .. }), "{broken}");
        assert_eq!(broken.clause(), Clause::PtxSem);
    };
    bytes(&mut start(), 0x1000, 0xff0); // lanes 0 and 2 in one
    bytes(&mut start(), 0x1000, 0x30); // half of it
    bytes(&mut start(), 0x1000, 0xff); // and what lies before
    bytes(&mut start(), 0x1000, 0xf00); // lane 2 first
    bytes(&mut start(), 0x1080, 0xf0); // another line
    bytes(&mut start(), u64::MAX, 0);

    // Lanes 0 and 1 are at one place, and must not count as one.
    let mut log = start();
    assert_eq!(log.send(0), Ok(()));
    assert_eq!(log.judge.clone().sent(0, op, plan, 0x1000, 0xf0), Err(Broken::MmioSent { earlier: 0 }));
    log.answer(0, 0, CTA);
    assert_eq!(log.judge.clone().done(0, 0), Err(Broken::Lost { sent: 1, requests: 3 }));
    let third = log.judge.clone().sent(0, op, plan, 0x1000, 0xf00).unwrap_err();
    assert!(matches!(third, Broken::MmioBytes { lane: 1, .. }), "lane 1 was left out: {third}");
    assert_eq!(log.send(0), Ok(()));
    log.answer(0, 1, CTA);
    assert_eq!(log.send(0), Ok(()));
    assert_eq!(log.judge.clone().sent(0, op, plan, 0x1000, 0xf00), Err(Broken::Repeated { requests: 3 }));
    // The next operation's waits for this one's last, not for what other stores do.
    let sent = log.send(1);
    assert_eq!((sent, sent.unwrap_err().clause()), (Err(Broken::MmioSent { earlier: 0 }), Clause::PortOrder));

    let mut log = start();
    for request in 0..3 {
        assert_eq!(log.send(0), Ok(()));
        log.answer(0, request, CTA);
    }
    assert_eq!(log.send(1), Ok(()));
}

/// What was not issued, or was before reset, is not the judge's business; numbers out of range are nobody's.
#[test]
fn strangers_are_left_alone() {
    let store = weak(&[0x1000]);
    let mut judge = Judge::default();
    judge.issued(3, &store.op, &store.plan);
    judge.answered(0, 3, 7, 9, true);
    judge.answered(255, 9, 0, 0, true);
    assert_eq!(judge.done(200, 4), Ok(()));
    assert_eq!(judge.sent(2, &store.op, &store.plan, 0, 0), Ok(()));
    judge.reset();
    assert_eq!((judge.done(0, 3), judge.sent(3, &store.op, &store.plan, 0, 0)), (Ok(()), Ok(())));
    judge.issued(0, &store.op, &store.plan);
    assert_eq!(judge.done(0, 0), Err(Broken::Lost { sent: 0, requests: 1 }));
}

/// Random logs, right and wrong, against the rule asked of the whole log each time.
#[test]
fn random_logs_against_the_whole_history() {
    let mut random = Random::new(61);
    let (mut right, mut wrong) = (0, 0);
    for _ in 0..2_000 {
        let ops: Vec<Made> = (0..8)
            .map(|_| {
                let at: Vec<u64> = (0..1 + random.below(3)).map(|_| 0x1000 + 0x80 * random.below(8)).collect();
                let scope = Scope::ALL[random.below(4) as usize];
                let semantics = Semantics::ALL[random.below(4) as usize];
                made([Space::Generic, Space::Global][random.below(2) as usize], semantics, scope, &at)
            })
            .collect();
        let mut log = Log::issued(&ops);
        // By operation and request: sent, and the widest scope.
        let mut reached: Vec<Vec<Option<u8>>> = ops.iter().map(|made| vec![None; made.plan.requests.len()]).collect();
        for _ in 0..60 {
            let operation = random.below(8) as usize;
            if random.below(3) == 0 && log.sent[operation] < reached[operation].len() {
                let scope = orders(&ops[operation].op, &ops[operation].plan).release;
                let waits = |scope: Scope| {
                    reached[..operation].iter().flatten().any(|reached| reached.is_none_or(|got| got < scope as u8))
                };
                let early = scope.is_some_and(waits);
                let got = log.send(operation);
                assert_eq!(matches!(got, Err(Broken::ReleaseSent { .. })), early, "{got:?}");
                (right, wrong) = (right + u32::from(scope.is_some() && !early), wrong + u32::from(early));
            } else if log.sent[operation] > 0 {
                let request = random.below(log.sent[operation] as u64) as usize;
                let (scope, last) = (random.below(4) as u8, random.below(4) == 0);
                log.judge.answered(0, operation, request, scope, last);
                let wide = if last { Scope::Sys as u8 } else { scope };
                reached[operation][request] = reached[operation][request].max(Some(wide));
                if log.sent[operation] == reached[operation].len() && random.below(2) == 0 {
                    // A release that went early is done early; of the others nothing is amiss.
                    let done = log.judge.done(0, operation);
                    assert!(matches!(done, Ok(()) | Err(Broken::ReleaseDone { .. })), "{done:?}");
                }
            }
        }
    }
    assert!(right > 400 && wrong > 2_000, "{right} releases in time, {wrong} early");
}
