// SPDX-License-Identifier: MIT OR Apache-2.0
//! Any text, and any times.

use std::fs;

use gpu_lsu::{
    op::LaneMask,
    wave::{Expect, ExpectBeat, PERIOD},
};
use proptest::{collection::vec, prelude::*};
use wellen::simple;

use super::{Bench, TRACE, changes};

proptest! {
    #[test]
    fn any_text_reads_back(text in any::<String>(), ascii in "[ -~]*") {
        let bench = Bench::new(TRACE);
        let expects = [&text, &ascii].into_iter().zip([10, 20]);
        let beat = |text: &String| ExpectBeat { text: text.clone(), register: 0, mask: LaneMask::NONE, data: [0; 32] };
        bench.merge(expects.map(|(text, time)| Expect { beat: Some(beat(text)), ..Expect::at(time) }).collect()).unwrap();
        let mut wave = simple::read(&bench.out).unwrap();
        // Beyond ASCII the viewers disagree: it is spelled out.
        let spelled = |symbol: char| match symbol {
            ' '..='~' => symbol.to_string(),
            _ => symbol.escape_default().to_string(),
        };
        let mut expected = vec![(0, String::new()), (10, text.chars().map(spelled).collect()), (20, ascii)];
        expected.dedup_by(|later, earlier| later.1 == earlier.1);
        prop_assert_eq!(changes(&mut wave, "ref.wb.text"), expected);
    }

    #[test]
    fn time_only_goes_on(steps in vec(0u64..25, 0..20), gaps in vec((0u64..25, any::<bool>()), 0..20)) {
        let mut trace = TRACE.split("#0").next().unwrap().to_owned();
        let mut time = 0;
        for step in steps {
            time += step;
            trace += &format!("#{time}\n{}!\n", time % 2);
        }
        let mut expects: Vec<Expect> = Vec::new();
        for (gap, beat) in gaps {
            let text = "LD".to_owned();
            let beat = beat.then_some(ExpectBeat { text, register: 0, mask: LaneMask::NONE, data: [0; 32] });
            let before = expects.last().map_or(0, |expect| expect.time);
            expects.push(Expect { beat, ..Expect::at(before + gap) });
        }
        let bench = Bench::new(&trace);
        bench.merge(expects.clone()).unwrap();

        let text = fs::read_to_string(&bench.out).unwrap();
        let times: Vec<u64> = text.lines().filter_map(|line| line.strip_prefix('#')?.parse().ok()).collect();
        prop_assert!(!times.is_empty() && times.is_sorted_by(|one, next| one < next));
        let (mut before, mut after) = (simple::read(&bench.trace).unwrap(), simple::read(&bench.out).unwrap());
        if trace.contains('#') {
            prop_assert_eq!(changes(&mut before, "top.clk_i"), changes(&mut after, "top.clk_i"));
        }
        let valid = changes(&mut after, "ref.wb.valid");
        for time in times {
            let held = valid.iter().take_while(|change| change.0 <= time).last().map(|change| change.1 == "1");
            let beats = expects.iter().filter(|expect| expect.beat.is_some());
            let expected = beats.map(|expect| expect.time).any(|at| (at..at + PERIOD).contains(&time));
            prop_assert_eq!(held, Some(expected), "at {}", time);
        }
    }
}
