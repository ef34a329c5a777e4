// SPDX-License-Identifier: MIT OR Apache-2.0
//! Waves of the examples, read back: wherever the unit offers a request, the model's stands beside it.

use wellen::simple;

use crate::{Place, changes::changes, example};

/// The value at a time.
fn at(changes: &[(u64, String)], time: u64) -> &str {
    &changes.iter().take_while(|(when, _)| *when <= time).last().unwrap().1
}

/// Of the unit everything but what docs/wave.md names.
#[test]
fn what_is_read_from_memories_is_left_out() {
    let place = Place::new();
    assert_eq!(place.ran(&["run", &example("spa5_worked.lsu"), "--wave", "wave.fst"]).code, 0);
    let wave = simple::read(place.path().join("wave.fst")).unwrap();
    let hierarchy = wave.hierarchy();
    let names: Vec<String> =
        hierarchy.all_vars().map(|var| hierarchy[var].full_name(hierarchy).replace(".[", "[")).collect();
    let out = [
        "memory_block",
        "spad_block",
        "merge_block_o",
        "spad_block_o",
        "block_i",
        "bank_writer",
        "writer",
        "writer_i",
        "writer_o",
        "writer_q",
        "u_cas.compare_i",
        "u_cas.value_i",
    ];
    let is_out = |name: &&String| {
        // Without its indexes, if it has some.
        let path = name.split_once('[').map_or(name.as_str(), |(path, _)| path.trim_end());
        name.contains("unnamedblk") || out.iter().any(|out| path.ends_with(&format!(".{out}")))
    };
    assert_eq!(names.iter().find(is_out), None);
    for name in [
        "top.lsu.u_execute.mem_beat_data",
        "top.lsu.u_execute.u_memory.u_return.line_q",
        "top.lsu.u_execute.u_data.u_beats.data_o",
    ] {
        assert!(names.iter().any(|has| has == name), "{name}");
    }
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
    let aliased = save.lines().filter_map(|line| line.strip_prefix("+{")?.split_once("} "));
    let (aliases, signals): (Vec<&str>, Vec<&str>) = aliased.unzip();
    assert!(aliases.contains(&"ref wb text") && aliases.contains(&"op_i kind") && aliases.contains(&"op_i tag"));
    // The port at which they part is the first.
    assert!(save.find("-wb: PORT-WB").unwrap() < save.find("-op: PORT-OP").unwrap());
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
    // Surfer has no ranges; codes show by name.
    let commands = read("gpu-lsu.sucl");
    let added: Vec<&str> = commands.lines().filter_map(|line| line.strip_prefix("variable_add ")).collect();
    assert!(added.len() > 30 && added.iter().all(|added| names.iter().any(|name| name == added)), "{commands}");
    assert!(commands.ends_with(&format!("\ncursor_set {mismatch}\nmarker_set SPA5-EXT\ngoto_cursor\n")), "{commands}");
    assert!(signals.contains(&"names.op_i.kind") && !signals.iter().any(|name| name.starts_with("top.op_i.kind")));
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

/// Every signal, every change: what a VCD has an FST has, and neither loses a cycle that the other shows.
#[test]
fn a_vcd_and_an_fst_show_the_same() {
    let place = Place::new();
    for name in ["wave.vcd", "wave.fst"] {
        assert_eq!(place.ran(&["run", &example("r700_clamp.lsu"), "--wave", name]).code, 0);
    }
    let [mut vcd, mut fst] = ["wave.vcd", "wave.fst"].map(|name| simple::read(place.path().join(name)).unwrap());
    let names = |wave: &simple::Waveform| -> Vec<String> {
        wave.hierarchy().all_vars().map(|var| wave.hierarchy()[var].full_name(wave.hierarchy())).collect()
    };
    let all = names(&vcd);
    assert_eq!(all, names(&fst));
    assert!(all.len() > 1000, "{}", all.len());
    assert_eq!(vcd.hierarchy().timescale(), fst.hierarchy().timescale());
    let mut compared = 0;
    for name in all {
        let (one, other) = (changes(&mut vcd, &name), changes(&mut fst, &name));
        compared += one.len();
        assert_eq!(one, other, "{name}");
    }
    assert!(compared > 5000, "{compared}");
    // Codes by name, cycles by number.
    let kinds: Vec<String> = changes(&mut fst, "names.op_i.kind").into_iter().map(|(_, name)| name).collect();
    assert!(kinds.contains(&"Store".to_owned()) && kinds.contains(&"Load".to_owned()), "{kinds:?}");
    let cycles = changes(&mut vcd, "axis.cycle");
    for (number, (time, cycle)) in cycles.iter().enumerate() {
        assert_eq!((number as u64 * 10, u64::from_str_radix(cycle, 2).unwrap()), (*time, number as u64));
    }
    let clock = changes(&mut vcd, "top.clk_i");
    assert_eq!(clock.len(), 2 * cycles.len() - 1, "it rises and falls in each cycle");
}

#[test]
fn a_window_has_its_cycles_and_those_as_the_whole_wave_has_them() {
    let place = Place::new();
    let run = |more: &[&str]| {
        let ran = place.ran(&[&["run", &example("spa5_saxpy.lsu"), "--wave", "wave.fst"][..], more].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        let mut wave = simple::read(place.path().join("wave.fst")).unwrap();
        let cycles: Vec<u64> = changes(&mut wave, "axis.cycle").iter().map(|(time, _)| time / 10).collect();
        let addr = changes(&mut wave, "top.mem_req_addr_o");
        (cycles, addr)
    };
    let (whole, addr) = run(&[]);
    let last = *whole.last().unwrap();
    assert!(whole[0] == 0 && last > 40, "{whole:?}");
    let (part, of_part) = run(&["--from", "10", "--to", "20"]);
    // And the edge that ends the last.
    assert_eq!((part[0], *part.last().unwrap(), part.len()), (10, 21, 12));
    let within = |changes: &[(u64, String)]| -> Vec<_> {
        changes.iter().filter(|(time, _)| (101..210).contains(time)).cloned().collect()
    };
    assert_eq!(within(&addr), within(&of_part));
    let (around, _) = run(&["--around", "0"]);
    assert!(around[0] > 0 && around.len() < whole.len(), "{around:?} of {whole:?}");
    place
        .ran(&["run", &example("spa5_saxpy.lsu"), "--wave", "a.vcd", "--from", "9", "--to", "8"])
        .refuses(2, "error: the wave would end at cycle 8, before it begins at cycle 9\n");
    assert_eq!(place.ran(&["run", &example("spa5_saxpy.lsu"), "--around", "1"]).code, 2);
}

/// A campaign that agrees leaves the end of its last block; one that does not that of the block that failed.
#[test]
fn a_campaign_leaves_its_last_cycles() {
    let place = Place::new();
    let arguments = ["verify", "--isa", "ptx", "--ops", "600", "--seed", "5", "--wave", "end.fst", "--last", "50"];
    let ran = place.ran(&arguments);
    assert_eq!((ran.err.as_str(), ran.code), ("wave written to end.fst; `gtkwave end.gtkw` opens it\n", 0));
    let mut wave = simple::read(place.path().join("end.fst")).unwrap();
    let cycles = changes(&mut wave, "axis.cycle");
    assert_eq!(cycles.len(), 51, "{cycles:?}");
    assert!(cycles[0].0 > 4000, "{cycles:?}");
}

/// A pipe is opened once: whoever reads it gets a whole VCD. An FST needs a file, as it comes back to its beginning.
#[test]
#[cfg(unix)]
fn a_pipe_takes_a_vcd_and_no_fst() {
    let place = Place::new();
    for (name, code) in [("pipe.vcd", 0), ("pipe.fst", 2)] {
        let pipe = place.path().join(name);
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let reader = std::thread::spawn(move || std::fs::read(pipe).unwrap());
        let ran = place.ran(&["run", &example("spa5_saxpy.lsu"), "--wave", name]);
        let read = reader.join().unwrap();
        assert_eq!(ran.code, code, "{}", ran.err);
        match code {
            0 => assert!(read.starts_with(b"$version") && read.ends_with(b"\n") && read.len() > 100_000),
            _ => assert!(ran.err.contains("error: cannot write the wave `pipe.fst`: "), "{}", ran.err),
        }
    }
}

/// A name in capitals is the same kind of file.
#[test]
fn an_fst_is_one_in_capitals_too() {
    let place = Place::new();
    for name in ["a.fst", "a.FST"] {
        assert_eq!(place.ran(&["run", &example("spa5_worked.lsu"), "--wave", name]).code, 0);
    }
    let first = |name: &str| std::fs::read(place.path().join(name)).unwrap()[0];
    assert_eq!(first("a.FST"), first("a.fst"));
}
