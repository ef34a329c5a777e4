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
        assert_eq!(
            (ran.err.as_str(), ran.code),
            ("wave written to wave.vcd; `gtkwave wave.gtkw` opens it\n", 0),
            "{name}"
        );
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

/// The save file names signals that the wave has, opens the port where unit and model part, and marks when; one that somebody
/// made stays.
#[test]
#[cfg(feature = "planted-faults")]
fn a_wave_opens_at_its_divergence() {
    let place = Place::new();
    let ran = place.ran(&["verify", "--isa", "spa5", "--seed", "1", "--fault", "22", "--lanes", "4"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let read = |name: &str| std::fs::read_to_string(place.path().join(name)).unwrap();
    let save = read("gpu-lsu.gtkw");
    let wave = &mut simple::read(place.path().join("gpu-lsu.vcd")).unwrap();
    let mismatch = changes(wave, "diff.mismatch").into_iter().find(|(_, value)| value == "1").unwrap().0;
    assert!(save.contains(&format!("\n*-6.000000 {mismatch} -1")), "{save}");
    assert!(save.contains("\n@800200\n-diff: SPA5-EXT\n"), "{save}");
    let names: Vec<String> = {
        let hierarchy = wave.hierarchy();
        // It makes scopes of an array's indices.
        hierarchy.all_vars().map(|var| hierarchy[var].full_name(hierarchy).replace(".[", "[")).collect()
    };
    let signals: Vec<&str> =
        save.lines().filter(|line| ["top.", "ref.", "diff."].iter().any(|at| line.starts_with(at))).collect();
    assert!(signals.len() > 300, "{}", signals.len());
    for signal in &signals {
        // GTKWave has the range as a part of the name.
        let bare = signal.rsplit_once('[').filter(|(_, range)| range.contains(':')).map_or(*signal, |(bare, _)| bare);
        assert!(
            names.iter().any(|name| name == bare),
            "{signal}, of {:?}",
            names.iter().find(|name| name.contains("op_addr"))
        );
    }
    // The lane at fault, unit and model side by side.
    let lane = changes(wave, "diff.lane").last().unwrap().1.clone();
    let lane = usize::from_str_radix(&lane, 2).unwrap();
    let [unit, model] = [format!("top.wb_data_o[{lane}][31:0]"), format!("ref.wb.data_lane{lane:02}[31:0]")]
        .map(|name| save.find(&name).unwrap());
    assert!(unit < model && save[unit..model].lines().count() <= 4, "{save}");

    let mine = "[*] GTKWave Analyzer v3.3.118\n";
    std::fs::write(place.path().join("gpu-lsu.gtkw"), mine).unwrap();
    place.ran(&["replay", "gpu-lsu.capsule", "--fault", "22", "--vcd", "gpu-lsu.vcd"]);
    assert_eq!(read("gpu-lsu.gtkw"), mine);
}
