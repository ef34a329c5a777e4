// SPDX-License-Identifier: MIT OR Apache-2.0
//! Trails: whatever a right run leaves in memory and in registers is explained, and explained rightly.
#![cfg(feature = "rtl")]

use std::{collections::BTreeMap, fs, io::Cursor};

use assert_cmd::Command;
use gpu_lsu::judge::{
    Judge,
    log::{
        Event,
        lines::{Reader, Record},
    },
    trail::{Author, Source, Trail},
};

/// What `gpu-lsu` writes with `--log`, whatever its verdict.
fn records(arguments: &[&str]) -> Vec<Record> {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::cargo_bin("gpu-lsu").unwrap();
    let command = command.args(arguments).args(["--log", "run.jsonl"]).current_dir(folder.path());
    command.env_remove("GPU_LSU_RTL").output().unwrap();
    let text = fs::read(folder.path().join("run.jsonl")).unwrap();
    Reader::new(Cursor::new(text)).unwrap().map(Result::unwrap).collect()
}

/// What the unit had memory hold in the end, by the bytes that were written.
fn written(record: &Record) -> BTreeMap<u64, u8> {
    let (log, mut bytes, mut start) = (&record.log, BTreeMap::new(), record.header.start());
    for entry in log.entries() {
        match entry.event {
            Event::Applied(number, true) => {
                let seen = log.requested(number);
                if seen.writes() {
                    start.write(seen.line, seen.byte_enable, &seen.data);
                    for at in (0..128).filter(|at| seen.byte_enable >> at & 1 == 1) {
                        bytes.insert(seen.line + at, seen.data[at as usize]);
                    }
                }
            }
            Event::Foreign(number) => {
                let access = log.made(number);
                let found = u32::from_le_bytes(std::array::from_fn(|byte| start.byte(access.addr + byte as u64)));
                if access.compare.is_none_or(|compare| compare == found) {
                    start.poke(access.addr, &access.bytes);
                    bytes.extend((access.addr..).zip(access.bytes.iter().copied()));
                }
            }
            _ => {}
        }
    }
    bytes
}

/// Every byte that was written has an author and a register on both sides, and every value that was written back a
/// source.
fn all_is_explained(record: &Record) {
    let log = &record.log;
    record.judge(&mut Judge::new(&record.header.unit), record.header.contract).unwrap();
    let trail = Trail::new(record, None);
    let bytes = written(record);
    let touched: Vec<u64> = trail.touched().into_iter().flat_map(|(first, end)| first..end).collect();
    assert_eq!(touched.iter().find(|addr| !bytes.contains_key(addr)), None);
    assert_eq!(touched.len(), bytes.len());
    for (&addr, &value) in &bytes {
        let byte = trail.byte(addr, None);
        assert_eq!((byte.unit, byte.model, &byte.parts), (Some(value), Some(value), &None), "{byte}");
        for write in byte.writes.iter().filter(|write| !write.refused) {
            let Author::Operation(op) = &write.by else {
                assert_eq!(write.by, Author::Foreign);
                continue;
            };
            let (unit, model) = (write.unit.as_ref().unwrap(), write.model.as_ref().unwrap());
            let from = model.from.as_ref().unwrap_or_else(|| panic!("{byte}"));
            let stored = log.issues()[op.index].beat(from.beat, from.lane).to_le_bytes()[from.byte];
            assert_eq!((Some(unit.value), model.lanes.contains(&from.lane)), (model.value, true), "{byte}");
            assert_eq!((stored, &write.parts), (unit.value, &None), "{byte}");
        }
    }
    let mut op = log.issues().iter().map(|_| [0u64; 32]).collect::<Vec<_>>();
    let mut values = 0;
    for (index, given) in op.iter_mut().enumerate() {
        for (lane, given) in given.iter_mut().enumerate().take(record.header.unit.lanes) {
            for register in 0..64 {
                let found = trail.register(index, lane, register, None);
                assert!(found.parts.is_none() && found.beats.len() <= 1, "{found}");
                let unknown = matches!(found.source, Source::Scratchpad { unknown: true, .. });
                assert!(found.unit == found.model || unknown && found.model.is_none(), "{found}");
                *given |= u64::from(found.unit.is_some()) << register;
                values += u64::from(found.unit.is_some());
            }
        }
    }
    let beats = log.entries().iter().filter_map(|entry| match entry.event {
        Event::Beat(number) => Some(log.written_back(number).mask.count() as u64),
        _ => None,
    });
    assert_eq!(values, beats.sum::<u64>());
}

/// What no memory has, at the end of all addresses, ends nobody's process.
#[test]
fn the_last_addresses_are_bytes_like_others() {
    let log = r#"{"gpu_lsu_log":1,"unit":{"lanes":4}}
        {"cycle":3,"foreign":{"addr":"0xfffffffffffffffe","bytes":[7,8]}}"#;
    let record = Reader::new(log.as_bytes()).unwrap().next().unwrap().unwrap();
    let trail = Trail::new(&record, None);
    let last = trail.byte(u64::MAX, None);
    assert_eq!((last.unit, last.model, last.before), (Some(8), Some(8), None));
    assert!(trail.touched().iter().any(|&(first, _)| first == u64::MAX - 1), "{:x?}", trail.touched());
}

#[test]
fn what_a_right_run_does_is_explained() {
    for (isa, ops) in [("spa5", "400"), ("r700", "300"), ("ptx", "400"), ("sm5", "400")] {
        for seed in ["1", "2"] {
            let records = records(&["verify", "--isa", isa, "--ops", ops, "--seed", seed, "--lanes", "4"]);
            assert!(!records.is_empty());
            records.iter().for_each(all_is_explained);
        }
    }
}

/// The examples of docs/why.md say what the commands say.
#[cfg(feature = "planted-faults")]
#[test]
fn the_page_shows_what_is_said() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/why.md");
    let page = fs::read_to_string(path).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let run = |line: &str| {
        let mut command = Command::cargo_bin("gpu-lsu").unwrap();
        let command = command.args(line.split(' ').skip(1)).current_dir(folder.path()).env("COLUMNS", "80");
        let output = command.env_remove("GPU_LSU_RTL").output().unwrap();
        // Of the campaign itself nothing is shown.
        let said = if line.starts_with("gpu-lsu verify ") { vec![] } else { [output.stderr, output.stdout].concat() };
        format!("$ {line}\n{}", String::from_utf8(said).unwrap())
    };
    let mut shown = 0;
    let blocks = page.split("\n\n").map(|block| {
        if !block.starts_with("    $ gpu-lsu verify ") {
            return block.to_owned();
        }
        shown += 1;
        let said: String = block.lines().filter_map(|line| line.strip_prefix("    $ ")).map(run).collect();
        said.lines().map(|line| format!("    {line}")).collect::<Vec<_>>().join("\n")
    });
    let made = blocks.collect::<Vec<_>>().join("\n\n");
    if std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        fs::write(path, &made).unwrap();
    }
    let remedy = "INSTA_UPDATE=always cargo test --release --features planted-faults --test why the_page";
    assert!(
        fs::read_to_string(path).unwrap() == made,
        "docs/why.md is stale: `{remedy}` writes it anew; look whether it still tells its story"
    );
    assert_eq!(shown, 2);
    assert_eq!(made.matches("  they part at the ").count(), 2);
}

/// The operation that the judge finds at fault is the one that the trail names, at the link where the fault is planted.
#[cfg(feature = "planted-faults")]
#[test]
fn a_fault_parts_where_it_is_planted() {
    use gpu_lsu::judge::trail::{Link, Part};
    // Each with a seed; with 1 memory refuses the wrong write of 112, and no byte parts.
    let faults = [
        (54, "1", "spa5", Link::Data, "store data: a store takes the beat after its own"),
        (101, "1", "ptx", Link::Data, "store data: two elements change places"),
        (25, "1", "spa5", Link::Lane, "lane: the lower of two wins"),
        (67, "1", "r700", Link::Lane, "lane: the dword at the limit is written"),
        (100, "1", "ptx", Link::Lane, "lane: a sink is written"),
        (74, "1", "r700", Link::Address, "address: every warp has the scratch of warp 0"),
        (97, "1", "ptx", Link::Address, "address: the base of the cluster is missing"),
        (64, "1", "r700", Link::Request, "request: base and index are scaled twice"),
        (111, "1", "sm5", Link::Compare, "comparison: a lane stores whatever it finds"),
        (112, "2", "sm5", Link::Compare, "comparison: the top bit is not compared"),
        (113, "1", "sm5", Link::Data, "store data: the comparison value is stored"),
        (3, "1", "spa5", Link::Request, "request: an address that should wrap is refused"),
        (22, "1", "spa5", Link::Value, "value: zero-extended"),
        (24, "1", "spa5", Link::Value, "value: two registers are swapped"),
        (77, "1", "r700", Link::Value, "value: W reads X"),
        (17, "1", "spa5", Link::Beat, "write-back: an access out of bounds gives none"),
    ];
    let mut missed = Vec::new();
    for (fault, seed, isa, link, what) in faults {
        let fault = fault.to_string();
        let arguments = ["verify", "--fault", &fault, "--isa", isa, "--ops", "20000", "--seed", seed, "--lanes", "4"];
        let record = records(&arguments).pop().unwrap();
        let verdict = record.judge(&mut Judge::new(&record.header.unit), record.header.contract).unwrap_err();
        let trail = Trail::new(&record, Some(&verdict));
        let blamed = |part: &Part| part.operation == verdict.op && part.clause == Some(verdict.names());
        let touched = trail.touched().into_iter().flat_map(|(first, end)| first..end);
        let writes = touched.flat_map(|addr| trail.byte(addr, None).writes);
        let mut parts: Vec<Part> = writes.filter_map(|write| write.parts).filter(blamed).collect();
        let index = verdict.op.unwrap();
        let places = (0..record.header.unit.lanes).flat_map(|lane| (0..64).map(move |register| (lane, register)));
        parts.extend(places.filter_map(|(lane, register)| trail.register(index, lane, register, None).parts));
        if !parts.iter().any(|part| part.link == link) {
            missed.push(format!("fault {fault}, {what}: {verdict}\n{:?}", parts.first()));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n\n"));
}
