// SPDX-License-Identifier: MIT OR Apache-2.0
//! If something never comes, the report names the part of the unit that holds it, and the wave shows what is owed from
//! the cycle in which it was due.

use gpu_lsu::{
    cosim::{
        Bench, Case, Mismatch,
        waves::{self, Window},
    },
    judge::{
        Judge, Promises,
        log::lines::Reader,
        promises::{HANG_CYCLES, Latency},
    },
    sets::Isa,
};
use wellen::simple::Waveform;

use super::{campaign, changes::changes, planted};

/// A contract with any latency for beats, so that a hanging unit is found to hang.
const PATIENT: Promises =
    Promises { latency: Latency { beats: 2 * HANG_CYCLES, ..Promises::OURS.latency }, ..Promises::OURS };

fn bench(fault: u16) -> Bench {
    let mut bench = Bench::planted(fault).unwrap();
    bench.promise(PATIENT);
    bench
}

/// The first failure of the fault with this text in its title.
fn failure(isa: Isa, title: &str) -> (u16, Case, Mismatch) {
    let fault = planted().find(|fault| fault.title.contains(title)).unwrap_or_else(|| panic!("no fault `{title}`"));
    let failure = campaign(Some(isa), fault.number, PATIENT).unwrap().failure.unwrap();
    (fault.number, failure.case, failure.mismatch)
}

#[test]
fn a_hang_is_held_by_somebody() {
    let faults = [
        (Isa::Spa5, "a full queue of store data is never emptied", "lsu_store: its store data are not there"),
        (
            Isa::Spa5,
            "a load that needs a second cycle waits for its own buffer",
            "lsu_scratchpad: its words are not all",
        ),
        (Isa::Spa5, "nothing completes once every slot is taken", "lsu_inflight: "),
        (Isa::Sm5, "a refusal is lost when a line is looked at", "lsu_pending: the pair with id"),
        (Isa::Spa5, "a beat waits for its ready before it is offered", "lsu_return: lsu_writeback does not take "),
    ];
    for (isa, title, holder) in faults {
        let (fault, case, mismatch) = failure(isa, title);
        println!("{title}\n    {mismatch}");
        assert!(mismatch.since.is_some_and(|since| since < mismatch.cycle), "{title}: {mismatch}");
        // A log of the failure says so as well.
        for mismatch in [mismatch, told(fault, &case)] {
            assert!(mismatch.actual.contains(&format!("held by {holder}")), "{title}: {mismatch}");
        }
    }
}

/// The mismatch that a log of the case shows.
fn told(fault: u16, case: &Case) -> Mismatch {
    let mut bench = bench(fault);
    assert!(bench.run(case).is_err());
    let mut text = Vec::new();
    bench.write_log(case, None, String::new(), &mut text).unwrap();
    let record = Reader::new(&text[..]).unwrap().next().unwrap().unwrap();
    *record.judge(&mut Judge::new(&bench.shape()), record.header.contract).unwrap_err()
}

/// The value of a variable in a cycle.
fn at(wave: &mut Waveform, path: &str, cycle: u64) -> String {
    let changes = changes(wave, path);
    changes
        .iter()
        .take_while(|(time, _)| *time <= 10 * cycle)
        .last()
        .map(|(_, value)| value.clone())
        .unwrap_or_default()
}

/// The wave of a failure. `diff.owed` rises in the cycle after the one in which the operation last got on, and stays.
fn owed(fault: u16, case: &Case, mismatch: &Mismatch) -> Waveform {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wave.vcd");
    let again = waves::run(&mut bench(fault), case, Window::default(), &path).unwrap().unwrap_err();
    assert_eq!(*again, *mismatch);
    let mut wave = wellen::simple::read(&path).unwrap();
    let due = 10 * (mismatch.since.unwrap() + 1);
    assert_eq!(changes(&mut wave, "diff.owed")[1..], [(due, "1".to_owned())]);
    assert!(at(&mut wave, "diff.owed_text", mismatch.cycle).contains("is owed"));
    wave
}

#[test]
fn a_wave_shows_the_beat_that_hangs() {
    let (fault, case, mismatch) = failure(Isa::Spa5, "a beat waits for its ready before it is offered");
    let mut wave = owed(fault, &case, &mismatch);
    // From there on, until the judge's patience ends.
    for cycle in [mismatch.cycle - 500, mismatch.cycle] {
        assert_eq!(at(&mut wave, "ref.wb.valid", cycle), "1");
        assert_eq!(at(&mut wave, "top.wb_valid_o", cycle), "0");
    }
    assert_ne!(at(&mut wave, "ref.wb.mask", mismatch.cycle), "0000");
    assert_eq!(at(&mut wave, "diff.mismatch", mismatch.cycle - 1), "0");
}

#[test]
fn a_wave_shows_the_beat_that_is_lost() {
    let title = "done comes although the third register of LD.128 was not written back";
    let (fault, case, mismatch) = failure(Isa::Spa5, title);
    let mut wave = owed(fault, &case, &mismatch);
    // Until a beat of another operation comes.
    let due = mismatch.since.unwrap() + 1;
    let shown = ["ref.wb.valid", "ref.wb.reg"].map(|path| at(&mut wave, path, due));
    assert_eq!(shown, ["1", "000010"]);
    let lanes = at(&mut wave, "ref.wb.mask", due);
    let data = (0..4).filter(|lane| lanes.as_bytes()[3 - lane] == b'1');
    for lane in data {
        assert!(!at(&mut wave, &format!("ref.wb.data_lane{lane:02}"), due).contains('x'), "lane {lane}");
    }
}
