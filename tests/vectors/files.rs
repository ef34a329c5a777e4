// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is written is what was meant, and others read it so.

use std::{fs, path::Path, process::Command, sync::atomic::AtomicBool};

use gpu_lsu::{
    cosim::stimulus,
    op::{LaneMask, MAX_LANES, MAX_LINE_BYTES, Shape},
    sets::Isa,
    vectors::{
        Set,
        expect::Builder,
        folder::{self, Plan},
        format::Format,
        judged,
        manifest::{Manifest, Source},
    },
};

use crate::{made, netlist::finish, root};

const FORMATS: [Format; 5] = [Format::Mem, Format::Coe, Format::Mif, Format::Csv, Format::Json];

/// A set of a few cases of a campaign.
fn set(isa: Option<Isa>, shape: &Shape, first: u64) -> Set {
    let mut builder = Builder::new(*shape);
    for number in (first..first + 6).filter(|&number| !stimulus::is_directed(isa, number)) {
        builder.add(&stimulus::block(isa, 5, number, shape, 12).case);
    }
    builder.finish()
}

/// As much of a set as a unit of its shape has: no instructions, no lanes and bytes that are not there, and no data that
/// nobody takes.
fn bare(mut set: Set) -> Set {
    let (lanes, bytes) = (set.shape.lanes, set.shape.line_bytes);
    let cut = |line: &[u8; MAX_LINE_BYTES]| std::array::from_fn(|at| if at < bytes { line[at] } else { 0 });
    let mask = |mask: &mut LaneMask| *mask &= LaneMask::lowest(lanes);
    for vector in &mut set.vectors {
        vector.issue.inst = None;
        let issue = &mut vector.issue;
        issue.data.truncate(gpu_lsu::judge::log::beats(&issue.op));
        [&mut issue.lanes.active, &mut issue.lanes.helper, &mut issue.lanes.predicate].into_iter().for_each(mask);
        issue.lanes.addr[lanes..].fill([0; 3]);
        issue.data.iter_mut().for_each(|register| register[lanes..MAX_LANES].fill(0));
    }
    for line in &mut set.lines {
        (line.before, line.after) = (cut(&line.before), cut(&line.after));
    }
    set
}

#[test]
fn every_format_holds_all_of_a_set() {
    let place = tempfile::tempdir().unwrap();
    let small = Shape { line_bytes: 32, warps: 2, pending: 4, shared_bytes: 1024, ..Shape::with_lanes(4) };
    for (number, shape) in [small, Shape::with_lanes(8), Shape::with_lanes(32)].iter().enumerate() {
        for isa in Isa::ALL.iter().copied().map(Some).chain([None]) {
            let set = set(isa, shape, 10 * number as u64);
            judged::judge(&set).unwrap_or_else(|mismatch| panic!("{isa:?}, {shape}: {mismatch}"));
            for (format, depth) in FORMATS.into_iter().zip([None, Some(7), Some(64), Some(1), Some(5)]) {
                let dir = place.path().join(format!("{isa:?}.{number}.{format:?}"));
                let mut manifest = Manifest::new(&set, Source::default(), &[]);
                let plan = Plan { formats: &[format], depth, bench: false, stop: &AtomicBool::new(false) };
                folder::write(&dir, &set, &mut manifest, &plan).unwrap();
                let (read, again) = folder::read(&dir).unwrap();
                assert_eq!(read, manifest);
                let set = bare(set.clone());
                for (number, (one, other)) in set.vectors.iter().zip(&again.vectors).enumerate() {
                    assert_eq!(one, other, "{isa:?}, {shape}, {format:?}: vector {number}");
                }
                assert_eq!(again.segments, set.segments, "{isa:?}, {shape}, {format:?}");
                for (number, (one, other)) in set.lines.iter().zip(&again.lines).enumerate() {
                    assert_eq!(one, other, "{isa:?}, {shape}, {format:?}: line {number}");
                }
                assert!(again == set, "{isa:?}, {shape}, {format:?}");
            }
        }
    }
}

/// Python with somebody else's reader of .mif and writer of .coe.
fn readers() -> Command {
    let python = root().join("target/vectors/tools/bin/python");
    assert!(python.is_file(), "no readers of memory files: run `scripts/setup test`");
    let mut command = Command::new(python);
    command.arg(root().join("tests/vectors/readers.py"));
    command
}

/// The words of a .mem file.
fn words(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().filter(|line| !line.starts_with("//")).map(str::to_owned).collect()
}

#[test]
fn others_read_the_same_words() {
    let place = tempfile::tempdir().unwrap();
    made(
        place.path(),
        &["vectors", "--ops", "48", "--seed", "4", "--lanes", "4", "--format", "mem,mif,coe", "--out", "v"],
    );
    let dir = place.path().join("v");
    for name in gpu_lsu::vectors::table::NAMES {
        let mem = words(&dir.join(format!("{name}.mem")));
        let read = finish(readers().arg(dir.join(format!("{name}.mif"))));
        assert_eq!(read.lines().collect::<Vec<_>>(), mem, "{name}.mif");
    }

    // It writes words of 2^n bits only.
    let mem = words(&dir.join("data.mem"));
    fs::write(dir.join("words"), mem.join("\n")).unwrap();
    let theirs = finish(readers().arg("128").stdin(fs::File::open(dir.join("words")).unwrap()));
    let ours = fs::read_to_string(dir.join("data.coe")).unwrap();
    let ours = ours.split_once("memory_initialization_vector=\n").unwrap().1.trim_end().trim_end_matches(';');
    assert!(ours.split(",\n").eq(theirs.lines()), "{ours}\n{theirs}");
}

/// `$readmemh` of Yosys; that of simulators is what the benches load their vectors with.
#[test]
fn yosys_loads_the_words() {
    let place = tempfile::Builder::new().tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    made(place.path(), &["vectors", "--isa", "r700", "--ops", "8", "--seed", "4", "--lanes", "4", "--out", "v"]);
    let dir = place.path().join("v");
    let mem = words(&dir.join("data.mem"));
    let top = mem.len() - 1;
    let rom = format!(
        "module rom(input [15:0] addr, output [127:0] out);\n  reg [127:0] m [0:{top}];\n  \
         initial $readmemh(\"data.mem\", m);\n  assign out = m[addr];\nendmodule\n"
    );
    fs::write(dir.join("rom.v"), rom).unwrap();
    let mut script = "read_verilog rom.v; hierarchy -top rom; proc; memory -nomap; memory_map; opt".to_owned();
    (0..=top).for_each(|at| script += &format!("; eval -set addr {at} -show out"));
    let said = finish(
        Command::new(root().join("target/tools/bin/python"))
            .arg(root().join("scripts/yosys.py"))
            .args(["-p", &script])
            .env("YOWASP_CACHE_DIR", root().join("target/tools/cache"))
            .current_dir(&dir),
    );
    let bits = said.lines().filter_map(|line| line.strip_prefix("Eval result: \\out = 128'"));
    let read: Vec<_> = bits.map(|bits| u128::from_str_radix(bits.trim_end_matches('.'), 2).unwrap()).collect();
    let expected: Vec<_> = mem.iter().map(|word| u128::from_str_radix(word, 16).unwrap()).collect();
    assert_eq!(read, expected);
}
