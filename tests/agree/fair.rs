// SPDX-License-Identifier: MIT OR Apache-2.0
//! PORT-FAIR: a warp's requests, beats and completions come as soon as if it were alone, whatever other warps wait for.

use gpu_lsu::{
    cosim::{
        Bench, Case, Issue,
        case::{Answer, stall},
        play,
        stimulus::{self, BLOCK},
    },
    judge::{log::Event, promises},
    op::{Ctrl, Range, ReqKind, Scope, Semantics, Shape, Space},
    program::Program,
    sets::{Isa, spa5::Opcode},
};

use crate::units::{access, agree, all, built, case, on_bench};

const GLOBAL: u64 = 0x10_0000;
const SHARED: u64 = 0x100_0000;
/// The warp that must not notice the others.
const BYSTANDER: u8 = 1;
/// Lines that the bystander asks for in each of its operations.
const LINES: u64 = 4;
/// Cycles that other warps may cost.
const GRANTED: u64 = 8;

const EAGER: Answer = Answer { apply: 0, answer: 0, scope: 3, last: 0 };

/// A store of warp 0 to offsets from GLOBAL.
fn store(salt: u32, offsets: impl Iterator<Item = u64>) -> Issue {
    access(Opcode::St, 4, salt, &offsets.map(|offset| (GLOBAL + offset, true)).collect::<Vec<_>>())
}

/// Makes a store one of PTX, to global memory.
fn order(issue: &mut Issue, semantics: Semantics, scope: Scope) {
    (issue.op.space, issue.inst) = (Space::Global as u8, None);
    (issue.op.attr.semantics, issue.op.attr.scope) = (semantics as u8, scope as u8);
}

/// A case with the others' operations, then two of the bystander's.
fn beside(shape: Shape, mut ctrl: Ctrl, mut issues: Vec<Issue>) -> Case {
    ctrl.alloc[0] = Range { base: GLOBAL, size: 0x10_0000 };
    issues.extend(bystander(shape, 2, LINES));
    case(shape, ctrl, issues)
}

/// Loads of the bystander, each of so many lines.
fn bystander(shape: Shape, loads: u64, lines: u64) -> impl Iterator<Item = Issue> {
    (0..loads).map(move |number| {
        let line = |lane| GLOBAL + 0x8000 + (number * lines + lane) * shape.line_bytes as u64;
        let mut issue = access(Opcode::Ld, 4, 0, &(0..lines).map(|lane| (line(lane), true)).collect::<Vec<_>>());
        issue.op.warp = BYSTANDER;
        issue
    })
}

/// Plays a case. Returns when each of the bystander's requests comes, in cycles from its first operation on; each of its
/// beats, from its answer on; and each of its completions, from its last answer or beat on. Cycles in which other
/// warps have the port do not count.
fn own_cycles(case: &Case) -> Vec<u64> {
    agree(case);
    on_bench(case.shape, |bench| {
        let log = bench.log();
        let (mut asks, mut comes, mut ends) = (Vec::new(), Vec::new(), Vec::new());
        let (mut from, mut by_id, mut answers, mut last) = (None, [0; 64], Vec::new(), 0);
        // The cycles in which other warps have the ports.
        let [mut requests, mut beats, mut dones] = [const { Vec::new() }; 3];
        let own = |cycle: u64, since: u64, others: &[u64]| {
            cycle - since - others.iter().filter(|&&other| other >= since).count() as u64
        };
        for entry in log.entries() {
            let cycle = entry.cycle;
            match entry.event {
                Event::Op(number) if log.issues()[number as usize].op.warp == BYSTANDER => {
                    from = from.or(Some(cycle));
                }
                Event::Request(number) => {
                    let seen = log.requested(number);
                    by_id[usize::from(seen.id)] = seen.warp;
                    match seen.warp {
                        BYSTANDER => asks.push(own(cycle, from.unwrap(), &requests)),
                        _ => requests.push(cycle),
                    }
                }
                Event::Response(number) if by_id[usize::from(log.responded(number).id)] == BYSTANDER => {
                    answers.push(cycle);
                    last = cycle;
                }
                // Its lines have a word each: one beat an answer.
                Event::Beat(number) if log.written_back(number).warp == BYSTANDER => {
                    comes.push(own(cycle, answers[comes.len()], &beats));
                    last = cycle;
                }
                Event::Beat(_) => beats.push(cycle),
                Event::Done(number) if log.completed(number).warp == BYSTANDER => {
                    ends.push(own(cycle, last, &dones));
                }
                Event::Done(_) => dones.push(cycle),
                _ => {}
            }
        }
        [asks, comes, ends].concat()
    })
}

/// By how many cycles each of the bystander's requests, beats and completions comes later than if it were alone; the
/// requests come first.
fn delays(case: &Case) -> Vec<u64> {
    let mut alone = case.clone();
    alone.issues.retain(|issue| issue.op.warp == BYSTANDER);
    alone.schedule.stalls.clear();
    // The others' answers are late, not the bystander's.
    alone.schedule.answers = vec![EAGER];
    let (beside, alone) = (own_cycles(case), own_cycles(&alone));
    assert_eq!(beside.len(), alone.len());
    beside.into_iter().zip(alone).map(|(beside, alone)| beside.saturating_sub(alone)).collect()
}

/// Plays a case. Returns the cycles from each answer to a request of the bystander to its next request, in all.
fn cycles_without_id(case: &Case) -> u64 {
    agree(case);
    on_bench(case.shape, |bench| {
        let log = bench.log();
        let (mut ids, mut answered, mut cycles) = (Vec::new(), None, 0);
        for entry in log.entries() {
            match entry.event {
                Event::Request(number) if log.requested(number).warp == BYSTANDER => {
                    ids.push(log.requested(number).id);
                    cycles += answered.take().map_or(0, |answered| entry.cycle - answered);
                }
                Event::Response(number) if ids.last() == Some(&log.responded(number).id) => {
                    answered = Some(entry.cycle);
                }
                _ => {}
            }
        }
        assert_eq!(ids.len() as u64, 2 * LINES);
        cycles
    })
}

/// Checks that none of the bystander's requests, beats and completions waits for others.
fn nobody_waits(what: &str, case: &Case) {
    let (shape, delays) = (case.shape, delays(case));
    assert!(delays.iter().all(|&delay| delay <= GRANTED), "{shape}: {what}: {delays:?} cycles late, not {GRANTED}");
}

#[test]
fn a_release_that_waits_holds_its_warp_alone() {
    for shape in built() {
        let lanes = shape.lanes as u64;
        let mut issues: Vec<_> =
            (0..4).map(|n| store(n, (0..lanes).map(|lane| 4 * lane + 128 * u64::from(n)))).collect();
        order(&mut issues[1], Semantics::Release, Scope::Gpu);
        let mut case = beside(shape, Ctrl::default(), issues);
        case.schedule.answers = vec![EAGER; 64];
        case.schedule.answers[0].answer = 200;
        nobody_waits("a release", &case);
    }
}

#[test]
fn mmio_one_by_one_holds_its_warp_alone() {
    for shape in built() {
        let mut mmio = store(0, (0..shape.lanes as u64).map(|lane| 4 * lane));
        order(&mut mmio, Semantics::Mmio, Scope::Sys);
        let mut case = beside(shape, Ctrl::default(), vec![mmio.clone(), mmio]);
        case.schedule.answers = vec![Answer { answer: 40, ..EAGER }];
        nobody_waits("mmio", &case);
    }
}

#[test]
fn mmio_of_all_others_holds_them_alone() {
    for shape in built() {
        let others = (0..2 * shape.warps as u8).filter(|number| number / 2 != BYSTANDER);
        let issues = others.map(|number| {
            let mut mmio =
                store(number.into(), (0..shape.lanes as u64).map(|lane| 4 * lane + 0x400 * u64::from(number)));
            order(&mut mmio, Semantics::Mmio, Scope::Sys);
            mmio.op.warp = number / 2;
            mmio
        });
        let mut case = beside(shape, Ctrl::default(), issues.collect());
        let before = case.issues.len() - 2;
        for answer in [0, 20, 200] {
            case.schedule.answers = vec![Answer { answer, ..EAGER }];
            for pause in 0..40 {
                case.schedule.stalls = [vec![0; before], vec![stall::OP; pause], vec![0; 400]].concat();
                nobody_waits(&format!("{pause} cycles behind mmio that is answered after {answer}"), &case);
            }
        }
    }
}

#[test]
fn stores_to_one_byte_hold_their_warps_alone() {
    for shape in built() {
        let issues = (0..6).map(|number| {
            let mut issue = store(number, std::iter::once(0));
            issue.op.warp = [0, 2][number as usize % 2];
            issue
        });
        let mut case = beside(shape, Ctrl::default(), issues.collect());
        case.schedule.answers = vec![Answer { answer: 60, ..EAGER }];
        nobody_waits("stores to one byte", &case);
    }
}

/// The bystander's mmio requests go one after the other, each as soon as the one before is answered, while what others
/// have prepared waits for an answer.
#[test]
fn mmio_goes_on_beside_stores_that_wait() {
    for shape in built() {
        for each in [1, 2] {
            let others = stores_to_one_line(shape, each);
            let before = others.len();
            let mut ctrl = Ctrl::default();
            ctrl.alloc[0] = Range { base: GLOBAL, size: 0x10_0000 };
            let own = (0..3).map(|number| {
                let line = |lane| 0x8_0000 + (8 * number + lane) * shape.line_bytes as u64;
                let mut mmio = store(number as u32, (0..shape.lanes.min(8) as u64).map(line));
                order(&mut mmio, Semantics::Mmio, Scope::Sys);
                mmio.op.warp = BYSTANDER;
                mmio
            });
            let mut case = case(shape, ctrl, others.into_iter().chain(own).collect());
            case.schedule.answers = vec![EAGER; 2000];
            case.schedule.answers[0].answer = 200;
            for pause in 0..40 {
                case.schedule.stalls = [vec![0; before], vec![stall::OP; pause], vec![0; 400]].concat();
                nobody_waits(&format!("mmio {pause} cycles behind {each} stores a warp"), &case);
            }
        }
    }
}

/// A store of warp 0, and so many of each other warp but the bystander, in one line and in many others.
fn stores_to_one_line(shape: Shape, each: u8) -> Vec<Issue> {
    let Shape { lanes, line_bytes, warps, .. } = shape;
    let first = store(0, std::iter::once(0));
    let others = (0..each * warps as u8).filter(|number| number / each != BYSTANDER).map(|number| {
        let line = |lane: u64| (lane * 2 * warps as u64 + u64::from(number)) * line_bytes as u64;
        let lines = (0..lanes as u64).map(|lane| if lane == 0 { 0 } else { line(lane) });
        let mut issue = store(number.into(), lines);
        issue.op.warp = number / each;
        issue
    });
    std::iter::once(first).chain(others).collect()
}

/// All other warps store to many lines, and to the first one they must wait for an answer: what they could ask for next
/// does not go before what the bystander can have at once, whenever it comes.
#[test]
fn stores_behind_a_late_answer_hold_their_warps_alone() {
    for shape in built() {
        // All operations find room in the store.
        for (each, loads, lines) in [(1, 2, LINES), (1, 8, 1), (1, 4, 3), (2, 2, LINES)] {
            let mut case = beside(shape, Ctrl::default(), stores_to_one_line(shape, each));
            case.issues.truncate(case.issues.len() - 2);
            let before = case.issues.len();
            case.issues.extend(bystander(shape, loads, lines));
            for answer in [3, 200] {
                case.schedule.answers = vec![Answer { answer, ..EAGER }];
                for pause in 0..40 {
                    let stalls = [vec![0; before], vec![stall::OP; pause], vec![0; 400]];
                    case.schedule.stalls = stalls.concat();
                    let what =
                        format!("{loads} loads {pause} cycles behind {each} stores a warp, answered after {answer}");
                    nobody_waits(&what, &case);
                }
            }
        }
    }
}

/// All other warps load from one line, so that some load of it is always in flight: a store to it, or a pair, must not
/// wait until the last one is over.
#[test]
fn loads_of_one_line_keep_nobody_from_it() {
    let text = format!("isa sm5\nlanes 4\nuav 0 raw {GLOBAL:#x} 0x100\natomic_cmp_store u0, l(0), l(0), l(1)\n");
    let program = Program::parse("pair.lsu", &text).unwrap();
    for shape in built() {
        let whole = || (0..shape.lanes as u64).map(|lane| 4 * lane % shape.line_bytes as u64);
        let pair = play::case(&program, &Shape::with_lanes(4));
        for (what, own) in [("a store", store(0, whole())), ("a pair", pair.issues[0].clone())] {
            let others: Vec<_> = (0..shape.warps as u8).filter(|&warp| warp != BYSTANDER).collect();
            let loads = (0..120).map(|number| {
                let places: Vec<_> = whole().map(|offset| (GLOBAL + offset, true)).collect();
                let mut issue = access(Opcode::Ld, 4, 0, &places);
                issue.op.warp = others[number % others.len()];
                issue
            });
            let mut issues: Vec<_> = loads.collect();
            issues.insert(40, own);
            issues[40].op.warp = BYSTANDER;
            let mut ctrl = pair.ctrl;
            ctrl.alloc[0] = Range { base: GLOBAL, size: 0x10_0000 };
            let mut case = case(shape, ctrl, issues);
            for answer in 0..16 {
                case.schedule.answers = vec![Answer { answer, ..EAGER }];
                let passed = passed(&case, 40);
                // Those on their way before it, those that may pass as long as these are unanswered, and a few more.
                let most = 2 * (u64::from(answer) + 4) + GRANTED;
                assert!(passed <= most, "{shape}: {passed} loads, answered after {answer}, pass {what}, not {most}");
            }
        }
    }
}

/// The number of requests that are made between an operation of the bystander and its first one.
fn passed(case: &Case, operation: u32) -> u64 {
    agree(case);
    on_bench(case.shape, |bench| {
        let log = bench.log();
        let since = log.entries().iter().skip_while(|entry| entry.event != Event::Op(operation));
        let requests = since.filter_map(|entry| match entry.event {
            Event::Request(number) => Some(log.requested(number).warp),
            _ => None,
        });
        requests.take_while(|&warp| warp != BYSTANDER).count() as u64
    })
}

/// All other warps have a release that waits, and the bystander has releases one after the other.
#[test]
fn releases_of_all_others_hold_them_alone() {
    let issue = |warp: u8, number: u64, release: bool| {
        let mut issue = store(number as u32, std::iter::once(0x400 * (32 * u64::from(warp) + number)));
        issue.op.warp = warp;
        if release {
            order(&mut issue, Semantics::Release, Scope::Gpu);
        }
        issue
    };
    for shape in built() {
        let others = || (0..shape.warps as u8).filter(|&warp| warp != BYSTANDER);
        let stores = others().map(|warp| issue(warp, 0, false));
        let releases = others().map(|warp| issue(warp, 1, true));
        let own = (0..8).map(|number| issue(BYSTANDER, number, number % 2 == 1));
        let mut ctrl = Ctrl::default();
        ctrl.alloc[0] = Range { base: GLOBAL, size: 0x10_0000 };
        let mut case = case(shape, ctrl, stores.chain(releases).chain(own).collect());
        let before = 2 * others().count();
        case.schedule.answers = vec![EAGER; 64];
        for late in &mut case.schedule.answers[..before / 2] {
            late.answer = 200;
        }
        for pause in 0..40 {
            case.schedule.stalls = [vec![0; before], vec![stall::OP; pause], vec![0; 400]].concat();
            nobody_waits(&format!("releases {pause} cycles behind those of others"), &case);
        }
    }
}

/// Every place that an operation can have is a release's that waits: they go on when the stores before are answered.
#[test]
fn nothing_but_releases_that_wait_goes_on() {
    for shape in built() {
        let warps = shape.warps as u8;
        let issues = (0..warps + 32).map(|number| {
            let mut issue = store(number.into(), std::iter::once(0x400 * u64::from(number)));
            issue.op.warp = number % warps;
            if number >= warps {
                order(&mut issue, Semantics::Release, Scope::Gpu);
            }
            issue
        });
        let mut ctrl = Ctrl::default();
        ctrl.alloc[0] = Range { base: GLOBAL, size: 0x10_0000 };
        let mut case = case(shape, ctrl, issues.collect());
        case.schedule.answers = [vec![Answer { answer: 200, ..EAGER }; shape.warps], vec![EAGER; 64]].concat();
        agree(&case);
    }
}

#[test]
fn a_busy_scratchpad_holds_nobody_who_does_not_need_it() {
    for shape in built() {
        let ctrl = Ctrl { shared_window: Range { base: SHARED, size: 0x8000 }, shared_size: 0x8000, ..Ctrl::default() };
        let lanes = shape.lanes as u64;
        // All words in one bank.
        let places: Vec<_> = (0..lanes).map(|lane| (SHARED + 16 * lanes * lane, false)).collect();
        let issues = (0..6).map(|number| access([Opcode::Ld, Opcode::St][number % 2], 6, number as u32, &places));
        nobody_waits("the scratchpad", &beside(shape, ctrl, issues.collect()));
    }
}

#[test]
fn missing_store_data_hold_their_warp_alone() {
    for shape in built() {
        let issues = (0..3).map(|number| store(number, std::iter::once(0))).collect();
        let mut case = beside(shape, Ctrl::default(), issues);
        case.schedule.stalls = vec![stall::DATA; 150];
        case.schedule.stalls.extend([0; 50]);
        nobody_waits("missing data", &case);
    }
}

#[test]
fn a_pair_that_is_refused_holds_its_line_alone() {
    let text = "isa sm5\nlanes 4\nuav 0 structured 0x1000 0x60 24\nmemory 0x1000: .word 0\nactive = 1\n\
                r0.y = 0\natomic_cmp_store u0, r0.xyxx, l(0), l(1)\n";
    let program = Program::parse("refused.lsu", text).unwrap();
    for shape in built() {
        let pair = play::case(&program, &Shape::with_lanes(4));
        let issues = [0, 2, 3].map(|warp| {
            let mut issue = pair.issues[0].clone();
            issue.op.warp = warp;
            issue
        });
        let mut case = beside(shape, pair.ctrl, issues.to_vec());
        case.memory = pair.memory;
        case.schedule.refusals = vec![200, 0, 0];
        nobody_waits("a refused pair", &case);
    }
}

/// All other warps have pairs, more than there are ids: they must wait where they are in nobody's way. The one id that
/// pairs leave to the bystander is in use from its first request on.
#[test]
fn pairs_without_an_id_hold_their_warps_alone() {
    for shape in built() {
        let Shape { lanes, line_bytes, warps, .. } = shape;
        let mut text = format!("isa sm5\nlanes {lanes}\nuav 0 raw 0x10000 0x10000\n");
        for warp in (0..warps).filter(|&warp| warp != usize::from(BYSTANDER)) {
            let first = 0x1000 * warp;
            text +=
                &format!("warp {warp}\nr0.x = {first} + {line_bytes}*lane\natomic_cmp_store u0, r0.x, l(0), l(1)\n");
        }
        let pairs = play::case(&Program::parse("pairs.lsu", &text).unwrap(), &shape);
        let mut case = beside(shape, pairs.ctrl, pairs.issues);
        case.schedule.refusals = vec![20];
        case.schedule.answers = vec![Answer { answer: 60, ..EAGER }];
        let late = delays(&case)[0];
        assert!(late <= GRANTED, "{shape}: the first request comes {late} cycles late");
        // Its one id comes free again and again while the pairs wait for their answers.
        let late = Answer { answer: 200, ..EAGER };
        case.schedule.answers = [vec![late; shape.pending - 1], vec![EAGER; 2 * LINES as usize]].concat();
        case.schedule.stalls = [vec![0; case.issues.len() - 2], vec![stall::OP; 40], vec![0; 400]].concat();
        let waited = cycles_without_id(&case);
        let most = 2 * LINES - 1 + GRANTED;
        assert!(waited <= most, "{shape}: {waited} cycles from an answer to the next request in all, not {most}");
    }
}

/// Pairs have all ids but one that they may have, and are refused. The others take turns with the last one, whenever
/// they come: those that were there first go first. Loads of the line of one that waits do not make it wait longer.
#[test]
fn pairs_take_turns_with_the_last_id() {
    for shape in built() {
        let Shape { line_bytes, warps, pending, .. } = shape;
        let line = line_bytes as u64;
        let pairs = pairs(line);
        let pair = |number: usize, warp: u8| of_warp(&pairs.issues[number], warp);
        let refused = pending - 2;
        let loads = warps as u8 - 1;
        let own = refused + 3;
        for (answer, pause, loaded) in [0, 3, 20].into_iter().flat_map(|answer| {
            [1, 2, 5, 20, 50].into_iter().flat_map(move |pause| [(answer, pause, false), (answer, pause, true)])
        }) {
            let mut issues: Vec<_> = (0..refused).map(|number| pair(number, 0)).collect();
            issues.extend([pair(refused, 0), pair(refused + 1, 0), pair(refused + 2, BYSTANDER), pair(own, BYSTANDER)]);
            let first = issues.len();
            let mut stalls = vec![0; first];
            for number in 0..14 {
                issues.push(pair(first + number, 0));
                if loaded && loads != BYSTANDER {
                    let mut load = access(Opcode::Ld, 4, 0, &[(GLOBAL + own as u64 * line, true)]);
                    load.op.warp = loads;
                    issues.extend([load.clone(), load]);
                    stalls.extend([0, 0]);
                }
                stalls.extend(vec![stall::OP; pause]);
                stalls.push(0);
            }
            let mut ctrl = pairs.ctrl;
            ctrl.alloc[0] = Range { base: GLOBAL, size: 0x10_0000 };
            let mut case = case(shape, ctrl, issues);
            case.memory = pairs.memory.clone();
            case.schedule.answers = vec![Answer { answer, ..EAGER }];
            case.schedule.refusals = [vec![100; refused], vec![0; 64]].concat();
            case.schedule.stalls = stalls;
            let passed = pairs_before(&case, own as u32);
            assert!(
                passed <= 2,
                "{shape}: {passed} later pairs, one in {pause} cycles, answered after {answer}, go first; loads: {loaded}"
            );
        }
    }
}

/// Compare-and-stores, each to a line of its own.
fn pairs(line: u64) -> Case {
    let offsets = || (0..64).map(|number| number * line);
    let memory = offsets().map(|offset| format!("memory {:#x}: .word 0\n", GLOBAL + offset));
    let ops = offsets().map(|offset| format!("atomic_cmp_store u0, l({offset}), l(0), l(1)\n"));
    let text: String = std::iter::once(format!("isa sm5\nlanes 4\nuav 0 raw {GLOBAL:#x} 0x10000\n"))
        .chain(memory)
        .chain(std::iter::once("active = 1\n".to_owned()))
        .chain(ops)
        .collect();
    play::case(&Program::parse("pairs.lsu", &text).unwrap(), &Shape::with_lanes(4))
}

fn of_warp(issue: &Issue, warp: u8) -> Issue {
    let mut issue = issue.clone();
    issue.op.warp = warp;
    issue
}

/// The last id that pairs may have is not kept for one whose line waits for a late answer.
#[test]
fn a_pair_behind_a_late_answer_leaves_the_last_id() {
    for shape in all().filter(|shape| shape.warps > 3) {
        let refused = shape.pending - 2;
        let pairs = pairs(shape.line_bytes as u64);
        let pair = |number: usize, warp: u8| of_warp(&pairs.issues[number], warp);
        let mut load = access(Opcode::Ld, 4, 0, &[(GLOBAL + refused as u64 * shape.line_bytes as u64, true)]);
        load.op.warp = 2;
        let mut issues = vec![load];
        issues.extend((0..refused).map(|number| pair(number, 0)));
        issues.extend([pair(refused, 3), pair(refused + 1, BYSTANDER)]);
        let mut ctrl = pairs.ctrl;
        ctrl.alloc[0] = Range { base: GLOBAL, size: 0x10_0000 };
        ctrl.shared_size = shape.shared_bytes as u32;
        let mut case = case(shape, ctrl, issues);
        case.memory = pairs.memory.clone();
        case.schedule.answers = vec![Answer { answer: 20, ..EAGER }; 1000];
        case.schedule.answers[0].answer = 250;
        case.schedule.refusals = [vec![40; refused], vec![0; 64]].concat();
        case.schedule.stalls = [vec![0; refused + 2], vec![stall::OP; 40], vec![0; 400]].concat();
        agree(&case);
        let first = on_bench(shape, |bench| {
            let log = bench.log();
            log.entries().iter().find_map(|entry| match entry.event {
                Event::Request(number) if log.requested(number).warp == BYSTANDER => Some("its request"),
                Event::Response(number) if log.responded(number).id == log.requested(0).id => Some("the late answer"),
                _ => None,
            })
        });
        assert_eq!(first, Some("its request"), "{shape}");
    }
}

/// The number of pairs that begin before an operation does, and came later.
fn pairs_before(case: &Case, operation: u32) -> usize {
    agree(case);
    on_bench(case.shape, |bench| {
        let log = bench.log();
        let key = |number: u32| (log.issues()[number as usize].op.warp, log.issues()[number as usize].op.tag);
        let later: Vec<_> = (operation + 1..case.issues.len() as u32).map(key).collect();
        let asked = log.entries().iter().filter_map(|entry| match entry.event {
            Event::Request(number) => Some(log.requested(number)),
            _ => None,
        });
        let before = asked.map(|seen| ((seen.warp, seen.tag), seen.kind)).take_while(|asked| asked.0 != key(operation));
        let mut pairs: Vec<_> =
            before.filter(|asked| asked.1 == ReqKind::ReadExclusive as u8).map(|asked| asked.0).collect();
        pairs.sort_unstable();
        pairs.dedup();
        pairs.into_iter().filter(|key| later.contains(key)).count()
    })
}

/// All ids are in use while the lanes of a pair act: it keeps its id, which the log does not show, until they are over.
#[test]
fn a_pair_whose_lanes_act_keeps_its_id() {
    let case = stimulus::block(None, 22, 59, &Shape::with_lanes(32), BLOCK).case;
    agree(&case);
}

/// An mmio store whose turn has come waits for a store that is not judged request by request, and that has its bytes.
#[test]
fn what_may_come_in_parts_may_hold_up_others() {
    let shape = Shape::with_lanes(32);
    let case = stimulus::block(Some(Isa::Ptx), 93, 304, &shape, BLOCK).case;
    let mut bench = Bench::of(&shape).unwrap();
    bench.promise(promises::read("not_kept = [\"PORT-MIN\", \"PORT-GROUP\"]").unwrap().0);
    bench.run(&case).unwrap_or_else(|mismatch| panic!("{mismatch}"));
}
