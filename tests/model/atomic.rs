// SPDX-License-Identifier: MIT OR Apache-2.0

use gpu_lsu::model::{
    allowed::{allows, finals},
    atomic::{Event, Step, explain, explain_within, explains},
};

use crate::Random;

/// Every order of `0..count`.
fn orders(count: usize) -> Vec<Vec<usize>> {
    match count {
        0 => vec![vec![]],
        _ => orders(count - 1)
            .into_iter()
            .flat_map(|shorter| {
                (0..count).map(move |place| {
                    let mut order = shorter.clone();
                    order.insert(place, count - 1);
                    order
                })
            })
            .collect(),
    }
}

fn cas(compare: u32, new: u32, returned: Option<u32>) -> Step {
    Step::CompareStore { compare, new, returned }
}

fn at(time: u64, step: Step) -> Event {
    Event { who: 0, from: time, to: time, step }
}

fn between(from: u64, to: u64, step: Step) -> Event {
    Event { who: 0, from, to, step }
}

/// What the steps in this order leave, if the order keeps the intervals and gives what was seen. Steps that are not
/// `told` tell nothing of what they saw.
fn left(initial: u32, events: &[Event], order: &[usize], told: &dyn Fn(usize) -> bool) -> Option<u32> {
    let mut value = initial;
    for (place, &index) in order.iter().enumerate() {
        if order[place + 1..].iter().any(|&later| events[later].to < events[index].from) {
            return None;
        }
        match events[index].step {
            Step::Write(new) => value = new,
            Step::Read(seen) if told(index) && seen != value => return None,
            Step::Read(_) => {}
            Step::CompareStore { compare, new, returned } => {
                if told(index) && returned.is_some_and(|seen| seen != value) {
                    return None;
                }
                value = if value == compare { new } else { value };
            }
        }
    }
    Some(value)
}

fn explained(initial: u32, events: &[Event], all: &[Vec<usize>]) -> bool {
    all.iter().any(|order| left(initial, events, order, &|_| true).is_some())
}

/// Some of the events made, in any order that explains them. Of the others those that changed the dword may be made.
fn part_explained(initial: u32, events: &[Event], made: u32, all: &[Vec<Vec<usize>>]) -> bool {
    let may = |index: usize| match events[index].step {
        Step::Write(_) | Step::CompareStore { returned: None, .. } => true,
        Step::Read(_) => false,
        Step::CompareStore { compare, returned: Some(seen), .. } => seen == compare,
    };
    (0u32..1 << events.len()).filter(|chosen| chosen & made == made).any(|chosen| {
        let chosen: Vec<usize> = (0..events.len()).filter(|index| chosen >> index & 1 == 1).collect();
        if chosen.iter().any(|&index| made >> index & 1 == 0 && !may(index)) {
            return false;
        }
        let part: Vec<Event> = chosen.iter().map(|&index| events[index]).collect();
        explained(initial, &part, &all[part.len()])
    })
}

#[test]
fn sm5_order_allowed_sets_are_those_of_every_order() {
    let all: Vec<_> = (0..=6).map(orders).collect();
    let mut random = Random::new(50);
    let mut sizes = [0; 8];
    for round in 0..3000 {
        let count = round % 7;
        let values = 2 + random.below(4);
        let mut value = || random.below(values) as u32;
        let steps: Vec<(u32, u32)> = (0..count).map(|_| (value(), value())).collect();
        let initial = value();
        let step = |value: u32, &index: &usize| if value == steps[index].0 { steps[index].1 } else { value };
        let mut every: Vec<u32> = all[count].iter().map(|order| order.iter().fold(initial, step)).collect();
        every.sort_unstable();
        every.dedup();
        assert_eq!(finals(initial, &steps), every, "{initial} {steps:?}");
        for outcome in 0..values as u32 {
            assert_eq!(allows(initial, &steps, outcome), every.contains(&outcome));
        }
        sizes[every.len()] += 1;
    }
    assert!(sizes[1] > 100 && sizes[2] > 100 && sizes[3] > 100, "{sizes:?}");
}

/// Lets most of what was seen be what the steps, by the starts of their intervals, see.
fn nearly_true(events: &mut [Event], random: &mut Random) {
    events.sort_by_key(|event| event.from);
    let mut value = 0;
    for event in events {
        let true_one = random.below(6) != 0;
        match &mut event.step {
            Step::Write(new) => value = *new,
            Step::Read(seen) => *seen = if true_one { value } else { *seen },
            Step::CompareStore { compare, new, returned } => {
                if let Some(seen) = returned.as_mut().filter(|_| true_one) {
                    *seen = value;
                }
                value = if value == *compare { *new } else { value };
            }
        }
    }
}

/// So many events on a dword, with so many values.
fn any_events(count: usize, values: u64, random: &mut Random) -> Vec<Event> {
    let event = |_| {
        let mut value = || random.below(values) as u32;
        let (a, b, c) = (value(), value(), value());
        let step = match random.below(6) {
            0 => Step::Write(a),
            1 => Step::Read(a),
            2 | 3 => cas(a, b, Some(c)),
            _ => cas(a, b, None),
        };
        let from = random.below(6);
        between(from, from + random.below(4), step)
    };
    (0..count).map(event).collect()
}

/// Moments are an order if each is in its interval and the steps by them see what was seen; and then one is found.
#[test]
fn sm5_cas_moments_are_judged_as_their_order_is() {
    let mut random = Random::new(53);
    let mut seen = [[0; 2]; 2];
    for round in 0..24_000 {
        let count = 1 + round % 8;
        let mut events = any_events(count, 2, &mut random);
        nearly_true(&mut events, &mut random);
        let outside = |random: &mut Random| u64::from(random.below(40) == 0);
        let moment = |event: &Event| {
            let within = event.from + random.below(event.to - event.from + 1);
            (within + 4 * outside(&mut random)).saturating_sub(4 * outside(&mut random))
        };
        let moments: Vec<u64> = events.iter().map(moment).collect();
        let inside = events.iter().zip(&moments).all(|(event, moment)| (event.from..=event.to).contains(moment));
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|&index| moments[index]);
        let right = left(0, &events, &order, &|_| true).is_some();
        assert_eq!(explains(0, &events, &moments), inside && right, "{events:?} at {moments:?}");
        assert!(!(inside && right) || explain(0, &events).is_ok(), "{events:?}");
        seen[usize::from(inside)][usize::from(right)] += 1;
    }
    assert!(seen[0][1] > 300 && seen[1][0] > 3000 && seen[1][1] > 3000, "{seen:?}");
}

/// Any history of up to six events: found where there is an order, and the order is one; refused where there is none,
/// with a part that has none, of which nothing can be left out, and of which there is no smaller one.
#[test]
fn sm5_cas_judged_as_every_order_judges() {
    let all: Vec<_> = (0..=6).map(orders).collect();
    let mut random = Random::new(51);
    let (mut good, mut bad) = (0, [0; 7]);
    for round in 0..24_000 {
        let count = 1 + round % 6;
        let values = 2 + random.below(2);
        let mut events = any_events(count, values, &mut random);
        if round % 2 == 0 {
            nearly_true(&mut events, &mut random);
        }
        match explain(0, &events) {
            Ok(order) => {
                let mut sorted = order.clone();
                sorted.sort_unstable();
                assert_eq!(sorted, (0..count).collect::<Vec<_>>(), "{events:?}");
                assert!(left(0, &events, &order, &|_| true).is_some(), "{events:?} in order {order:?}");
                good += 1;
            }
            Err(error) => {
                assert!(!explained(0, &events, &all[count]), "{events:?}");
                let history = error.history;
                let starts: Vec<u64> = history.iter().map(|&index| events[index].from).collect();
                assert!(starts.is_sorted());
                let made = history.iter().fold(0, |mask, index| mask | 1u32 << index);
                assert_eq!(made.count_ones() as usize, history.len());
                assert!(!part_explained(0, &events, made, &all), "{events:?} {history:?}");
                for index in &history {
                    assert!(part_explained(0, &events, made & !(1 << index), &all), "{events:?} {history:?}");
                }
                if round % 5 == 0 {
                    let smaller = |made: &u32| made.count_ones() < history.len() as u32;
                    let found = (0..1 << count).filter(smaller).find(|&made| !part_explained(0, &events, made, &all));
                    assert_eq!(found, None, "{events:?} {history:?}");
                }
                bad[history.len()] += 1;
            }
        }
    }
    assert!(good > 6000 && bad[1] > 2000 && bad[2] > 400 && bad[3] > 2, "{good} {bad:?}");
}

/// Two masters take 0 to 1, as if each had been alone.
#[test]
fn sm5_cas_a_double_success_is_refused() {
    let events = [
        at(0, Step::Write(0)),
        between(1, 20, cas(0, 1, Some(0))),
        between(5, 25, cas(0, 1, Some(0))),
        between(5, 25, cas(7, 8, None)),
        at(30, Step::Read(1)),
    ];
    assert_eq!(explain(3, &events).unwrap_err().history, [1, 2]);
    // The unit tells nobody whether it stored: then one of them may have failed.
    let mut quiet = events;
    quiet[2].step = cas(0, 1, None);
    assert!(explain(3, &quiet).is_ok());
}

/// The unit reads 0, somebody stores 5 and is told so, and the unit's store of 1 for 0 goes ahead all the same.
#[test]
fn sm5_cas_a_lost_update_is_refused() {
    let lost = [between(0, 20, cas(0, 1, None)), at(10, Step::Write(5)), at(11, Step::Read(5)), at(30, Step::Read(1))];
    assert_eq!(explain(0, &lost).unwrap_err().history, [1, 3]);
    let mut kept = lost;
    kept[3].step = Step::Read(5);
    assert!(explain(0, &kept).is_ok());
}

/// Between the halves of a pair somebody saw the dword with its half that is not there yet, or not any more.
#[test]
fn sm5_cas_a_torn_pair_is_refused() {
    let torn =
        [between(0, 20, cas(0, 0x0001_0001, None)), at(10, Step::Read(0x0000_0001)), at(21, Step::Read(0x0001_0001))];
    assert_eq!(explain(0, &torn).unwrap_err().history, [1]);
    // Stored, undone, and stored again: only one of the two reads of 0 can be before it.
    let twice = [between(0, 20, cas(0, 1, None)), at(5, Step::Read(1)), at(10, Step::Read(0)), at(15, Step::Read(1))];
    assert_eq!(explain(0, &twice).unwrap_err().history, [1, 2]);
}

/// A whole operation on one dword, and of another one beside it, with nothing to tell when each lane had its turn.
#[test]
fn sm5_order_many_lanes_are_judged_at_once() {
    let lanes = |step: &dyn Fn(u32) -> Step| (0..32).map(|lane| between(0, 1000, step(lane))).collect::<Vec<_>>();
    // A ladder, a heap of equal ones, and a tangle.
    let ladder = lanes(&|lane| cas(31 - lane, 32 - lane, None));
    let equal = lanes(&|_| cas(7, 17, None));
    let mut random = Random::new(52);
    let tangle: Vec<(u32, u32)> = (0..32).map(|_| (random.below(6) as u32, random.below(6) as u32)).collect();
    let tangled = lanes(&|lane| cas(tangle[lane as usize].0, tangle[lane as usize].1, None));
    for (initial, events, allowed) in
        [(0, ladder, (1..=32).collect::<Vec<u32>>()), (7, equal, vec![17]), (0, tangled, finals(0, &tangle))]
    {
        for value in 0..=33 {
            let mut seen = events.clone();
            seen.push(at(2000, Step::Read(value)));
            assert_eq!(explain(initial, &seen).is_ok(), allowed.contains(&value), "{value} of {initial}");
        }
    }
}

#[test]
fn strange_intervals_and_no_events_are_no_trouble() {
    assert_eq!(explain(3, &[]).unwrap(), [0usize; 0]);
    let backwards = [between(9, 0, Step::Write(1)), between(u64::MAX, 0, Step::Read(1))];
    assert_eq!(explain(3, &backwards).unwrap(), [0, 1]);
    let long: Vec<Event> = (0..5000).map(|time| at(time, cas(time as u32, time as u32 + 1, None))).collect();
    assert!(explain(0, &long).is_ok());
}

/// Others write a dword all the time, as two lanes find 0 there in the end. A search that looked at all that is left, for
/// each value that is reached, in each state, would not come to an end.
#[test]
fn sm5_cas_a_long_history_takes_no_longer_than_its_bound() {
    let history = |writes: u64| {
        let write = |time| at(time, Step::Write(if time < writes { time as u32 + 2 } else { 0 }));
        let lanes = [1, 2].map(|new| between(0, writes + 1, cas(0, new, None)));
        let last = at(writes + 2, Step::Read(2));
        lanes.into_iter().chain((1..=writes).map(write)).chain([last]).collect::<Vec<_>>()
    };
    assert!(matches!(explain_within(9, &history(500), 2048), Ok(Some(_))));
    assert_eq!(explain_within(9, &history(50_000), 2048), Ok(None));
    // Without an order, and too long to be made shorter.
    let mut wrong = history(500);
    wrong.push(at(503, Step::Read(3)));
    assert_eq!(explain_within(9, &wrong, 2048).map_err(|none| none.history.contains(&503)), Err(true));
}

/// Whether ten steps that pass a dword on in any order can leave it as it was is no matter of few states.
#[test]
fn sm5_cas_a_bounded_search_says_when_it_does_not_know() {
    let step = |who: u64| {
        let (compare, new) = ((who % 4) as u32, (who * 7 % 5) as u32);
        Event { who, from: 0, to: 9, step: Step::CompareStore { compare, new, returned: None } }
    };
    let mut events: Vec<Event> = (0..10).map(step).collect();
    let read = |value| Event { who: 10, from: 10, to: 10, step: Step::Read(value) };
    events.push(read(0));
    let known = explain(0, &events);
    assert_eq!(explain_within(0, &events, 0), Ok(None));
    assert_eq!(explain_within(0, &events, usize::MAX), known.clone().map(Some));
    assert!(known.is_ok());
}
