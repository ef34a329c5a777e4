// SPDX-License-Identifier: MIT OR Apache-2.0
//! Waves of the examples, read back: wherever the unit offers a request, the model's stands beside it.

use wellen::simple;

use crate::{Place, changes::changes, example};

/// The value at a time.
fn at(changes: &[(u64, String)], time: u64) -> &str {
    &changes.iter().take_while(|(when, _)| *when <= time).last().unwrap().1
}

#[test]
fn the_examples_show_the_model_beside_the_unit() {
    for name in ["spa5_worked.lsu", "r700_worked.lsu", "ptx_worked.lsu", "sm5_worked.lsu"] {
        let place = Place::new();
        let ran = place.ran(&["run", &example(name), "--vcd", "wave.vcd"]);
        assert_eq!((ran.err.as_str(), ran.code), ("wave written to wave.vcd\n", 0), "{name}");
        let wave = &mut simple::read(place.path().join("wave.vcd")).unwrap();

        let valid = changes(wave, "ref.req.valid");
        let [handshake, line, enable, kind, data] =
            ["valid", "addr", "be", "kind", "data"].map(|port| changes(wave, &format!("top.mem_req_{port}_o")));
        let ready = changes(wave, "top.mem_req_ready_i");
        let [addr, be, write, stored, text] =
            ["addr", "be", "write", "data", "text"].map(|field| changes(wave, &format!("ref.req.{field}")));
        // A request a clock period, back to back ones as well.
        let times: Vec<u64> =
            (0..=valid.last().unwrap().0).step_by(10).filter(|&time| at(&valid, time) == "1").collect();
        assert!(ran.out.contains(&format!(", {} requests, ", times.len())), "{name}: {}", times.len());
        let mut writes = 0;
        for time in times {
            assert_eq!((at(&handshake, time), at(&ready, time)), ("1", "1"), "{name} at {time}");
            assert_eq!((at(&line, time), at(&enable, time)), (at(&addr, time), at(&be, time)), "{name} at {time}");
            // Read and write, plain or exclusive.
            let is_write = at(&kind, time).ends_with('1');
            assert_eq!(at(&write, time) == "1", is_write, "{name} at {time}");
            if is_write {
                assert_eq!(at(&data, time), at(&stored, time), "{name} at {time}");
                writes += 1;
            }
            assert!(!at(&text, time).is_empty());
        }
        assert!(writes > 0, "{name}");
        assert_eq!(changes(wave, "diff.mismatch").iter().filter(|(_, value)| value == "1").count(), 0, "{name}");
    }
}
