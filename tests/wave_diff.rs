// SPDX-License-Identifier: MIT OR Apache-2.0
//! `wave diff`: the first difference of two waves, by signal and time.

use std::{fmt::Write, fs, path::PathBuf, process};

use assert_cmd::Command;
use gpu_lsu::wave::compare::{By, CompareError, Options, compare, matches};
use proptest::{collection::vec, prelude::*};
use tempfile::TempDir;

/// A clock of four cycles, a number of four bits, and a deeper scope.
const WAVE: &str = "$timescale 1 ns $end
$scope module top $end
$var wire 1 ! clk_i $end
$var wire 4 \" data [3:0] $end
$scope module inner $end
$var wire 1 # valid $end
$var real 64 $ level $end
$var string 1 % text $end
$upscope $end
$upscope $end
$enddefinitions $end
#0\n0!\nb1010 \"\n0#\nr1.5 $\nsidle %
#5\n1!
#10\n0!
#12\nb1100 \"
#15\n1!
#20\n0!\n1#\nsbusy %
#25\n1!
#30\n0!
#35\n1!
";

/// Nothing of what is in both counts.
const IGNORED: &str = "error: nothing was compared: `--ignore` leaves no";

struct Place(TempDir);

struct Ran {
    out: String,
    err: String,
    code: i32,
}

impl Place {
    fn new(waves: &[(&str, &str)]) -> Self {
        let place = Place(tempfile::tempdir().unwrap());
        waves.iter().for_each(|(name, text)| fs::write(place.path(name), text).unwrap());
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn ran(&self, arguments: &[&str]) -> Ran {
        let mut command = Command::cargo_bin("gpu-lsu").unwrap();
        let command = command.args(["wave", "diff"]).args(arguments).current_dir(self.0.path()).env("NO_COLOR", "1");
        let output = command.env_remove("GPU_LSU_RTL").output().unwrap();
        let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        Ran { out, err, code: output.status.code().unwrap() }
    }
}

/// What a wave and another one of it, changed, differ in.
fn changed(from: &str, to: &str, arguments: &[&str]) -> Ran {
    assert!(WAVE.contains(from));
    let place = Place::new(&[("a.vcd", WAVE), ("b.vcd", &WAVE.replace(from, to))]);
    place.ran(&[&["a.vcd", "b.vcd"], arguments].concat())
}

#[test]
fn a_wave_is_the_same_as_itself() {
    let place = Place::new(&[("a.vcd", WAVE)]);
    for by in [&["--by", "cycle"][..], &["--by", "time"], &[]] {
        let ran = place.ran(&[&["a.vcd", "a.vcd"], by].concat());
        let changes = if by.contains(&"time") { 15 } else { 11 };
        let by = if by.contains(&"time") { "time" } else { "cycle" };
        let expected = format!("the same: 5 signals compared, {} changes, by {by}\n", 2 * changes);
        assert_eq!((&*ran.out, &*ran.err, ran.code), (&*expected, "", 0));
    }
}

#[test]
fn a_change_is_found_where_it_is() {
    let ran = changed("b1100 \"", "b1101 \"", &[]);
    let expected = "cycle 1, time 15 ns: top.data
  A 0xc
  B 0xd
1 difference in 1 signal: 5 signals compared, 22 changes, by cycle
";
    assert_eq!((&*ran.out, ran.code), (expected, 1));
    assert_eq!(ran.err, "error: they differ, first in cycle 1: top.data\n");
    let ran = changed("b1100 \"", "b1101 \"", &["--by", "time", "--radix", "dec"]);
    assert!(ran.out.starts_with("time 12 ns: top.data\n  A 12\n  B 13\n1 difference"), "{}", ran.out);
    let ran = changed("b1100 \"", "b1101 \"", &["--radix", "bin", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&json["same"], &json["total"], &json["signals"]), (&false.into(), &1.into(), &5.into()));
    let first = &json["differences"][0];
    assert_eq!((&first["cycle"], &first["time"], &first["a"]), (&1.into(), &15.into(), &"0b1100".into()));
    // Reals and texts.
    assert!(
        changed("r1.5 $", "r1.75 $", &[]).out.starts_with("cycle 0, time 5 ns: top.inner.level\n  A 1.5\n  B 1.75\n")
    );
    let ran = changed("sbusy %", "sbuzy %", &[]);
    assert!(ran.out.starts_with("cycle 2, time 25 ns: top.inner.text\n  A \"busy\"\n  B \"buzy\"\n"), "{}", ran.out);
    // Between two edges nothing shows but what is there at the second.
    let glitch = |arguments: &[&str]| changed("#12\nb1100 \"", "#12\nb1 \"\n#13\nb1100 \"", arguments).code;
    assert_eq!((glitch(&[]), glitch(&["--by", "time"])), (0, 1));
}

#[test]
fn the_first_differences_come_first() {
    let mut later = WAVE.replace("b1010 \"", "b1011 \"").replace("1#\n", "0#\n").replace("r1.5 $", "r2.5 $");
    later = later.replace("sbusy %", "sbuzy %");
    let place = Place::new(&[("a.vcd", WAVE), ("b.vcd", &later)]);
    let ran = place.ran(&["a.vcd", "b.vcd", "--max", "2"]);
    let expected = "cycle 0, time 5 ns: top.data
  A 0xa
  B 0xb
cycle 0, time 5 ns: top.inner.level
  A 1.5
  B 2.5
and 2 differences more
4 differences in 4 signals: 5 signals compared, 21 changes, by cycle
";
    assert_eq!(ran.out, expected);
    assert_eq!(place.ran(&["a.vcd", "b.vcd"]).out.matches("  A ").count(), 4);
}

#[test]
fn unknown_bits_are_no_values() {
    let ran = changed("b1100 \"", "b1x00 \"", &[]);
    assert!(ran.out.starts_with("cycle 1, time 15 ns: top.data\n  A 0xc\n  B 0b1x00\n"), "{}", ran.out);
    assert_eq!(changed("b1100 \"", "b1x00 \"", &["--x-matches"]).code, 0);
    assert_eq!(changed("b1100 \"", "b0x00 \"", &["--x-matches"]).code, 1, "a known bit differs");
    // Of one that has not begun nobody knows anything.
    assert_eq!(changed("b1010 \"\n", "", &[]).code, 1);
    assert_eq!(changed("b1010 \"\n", "", &["--x-matches"]).code, 0);
    let place =
        Place::new(&[("a.vcd", &WAVE.replace("b1010 \"\n", "")), ("b.vcd", &WAVE.replace("b1010 \"", "bxxxx \""))]);
    assert_eq!(place.ran(&["a.vcd", "b.vcd"]).code, 0, "unknown at first is unknown");
}

#[test]
fn widths_are_noted_and_values_compared() {
    let wide = WAVE.replace("wire 4 \" data [3:0]", "wire 6 \" data [5:0]");
    let place = Place::new(&[("a.vcd", WAVE), ("b.vcd", &wide), ("c.vcd", &wide.replace("b1100 \"", "b101100 \""))]);
    let ran = place.ran(&["a.vcd", "b.vcd"]);
    let note = "- 1 signal of two widths, compared as numbers: top.data has 4 bits in A and 6 in\n  B\n";
    assert!(ran.out.ends_with(note) && ran.code == 0, "{}", ran.out);
    let ran = place.ran(&["a.vcd", "c.vcd"]);
    assert!(ran.out.starts_with("cycle 1, time 15 ns: top.data\n  A 0xc\n  B 0x2c\n") && ran.code == 1, "{}", ran.out);
}

/// Waves without a value, or without an edge of their clocks, show nothing that could be the same.
#[test]
fn waves_without_a_moment_are_not_the_same() {
    let empty = WAVE.split("#0\n").next().unwrap();
    let place = Place::new(&[("a.vcd", WAVE), ("b.vcd", empty), ("still.vcd", &format!("{empty}#0\n0!\nb1010 \"\n"))]);
    let told = "error: nothing was compared: the waves show no value at any moment that both\nhave\n";
    for file in ["b.vcd", "still.vcd"] {
        let ran = place.ran(&[file, file]);
        assert_eq!((ran.out.as_str(), ran.err.as_str(), ran.code), ("", told, 1), "{file}");
    }
}

#[test]
fn names_are_matched_as_asked() {
    let other = WAVE.replace("module top", "module bench").replace("data [3:0]", "number [3:0]");
    let place = Place::new(&[("a.vcd", WAVE), ("b.vcd", &other)]);
    let ran = place.ran(&["a.vcd", "b.vcd"]);
    assert_eq!((ran.out.as_str(), ran.code), ("", 1));
    let expected = "error: nothing was compared: the waves have no signal in common; the first has
top.clk_i, top.data, top.inner.valid and 2 more, the second bench.clk_i,
bench.number, bench.inner.valid and 2 more

hint: `--map A=B` says what a signal or a scope of the first wave is called in
      the second
";
    assert_eq!(ran.err, expected);
    let ran = place.ran(&["a.vcd", "b.vcd", "--map", "top=bench"]);
    let expected = "the same: 4 signals compared, 18 changes, by cycle
- only A has 1 signal: top.data
- only B has 1 signal: bench.number
";
    assert_eq!((ran.out.as_str(), ran.code), (expected, 0));
    let ran = place.ran(&["a.vcd", "b.vcd", "--map", "top=bench", "--map", "top.data=bench.number"]);
    assert_eq!((ran.out.as_str(), ran.code), ("the same: 5 signals compared, 22 changes, by cycle\n", 0));
    // What is left out does not count.
    let ran = changed("b1100 \"", "b1101 \"", &["--ignore", "*.d?ta"]);
    let expected = "the same: 4 signals compared, 18 changes, by cycle\n- 1 signal left out\n";
    assert_eq!((ran.out.as_str(), ran.code), (expected, 0));
    let ran = changed("b1100 \"", "b1101 \"", &["--ignore", "*"]);
    assert_eq!((&*ran.err, ran.code), (&*format!("{IGNORED} signal that is in both\n"), 1));
    // A name that is in no wave is no other name for anything.
    for (map, which) in
        [("foo=bar", "first"), ("top=bar", "second"), ("to=top", "first"), ("top.data=top.dat", "second")]
    {
        let ran = place.ran(&["a.vcd", "a.vcd", "--map", map]);
        let (from, to) = map.split_once('=').unwrap();
        let name = if which == "first" { from } else { to };
        let expected = format!("error: `--map {map}`: the {which} wave has no signal and no scope {name}\n");
        // Where a long name goes on is not what this is about.
        let said = ran.err.replace("\n  ", " ");
        assert_eq!((&*ran.out, &*said, ran.code), ("", &*expected, 2));
    }
}

#[test]
fn scales_of_time_and_ends_do_not_matter() {
    let mut slow = String::new();
    for line in WAVE.replace("1 ns", "10 ps").lines() {
        match line.strip_prefix('#').map(|time| time.parse::<u64>().unwrap()) {
            Some(time) => writeln!(slow, "#{}", 100 * time).unwrap(),
            None => writeln!(slow, "{line}").unwrap(),
        }
    }
    let early = WAVE.split("#30").next().unwrap();
    let place = Place::new(&[("a.vcd", WAVE), ("slow.vcd", &slow), ("early.vcd", early)]);
    for by in ["cycle", "time"] {
        assert_eq!(place.ran(&["a.vcd", "slow.vcd", "--by", by]).code, 0);
        let ran = place.ran(&["a.vcd", "early.vcd", "--by", by]);
        let end = if by == "cycle" { "cycle 2" } else { "time 25 ns" };
        let note = format!("- B ends first, with {end}: nothing is compared after it\n");
        assert!(ran.out.ends_with(&note) && ran.code == 0, "{}", ran.out);
    }
    let clockless = WAVE.replace("clk_i", "clock");
    let place = Place::new(&[("a.vcd", &clockless)]);
    assert!(place.ran(&["a.vcd", "a.vcd"]).out.ends_with("by time\n"));
    let ran = place.ran(&["a.vcd", "a.vcd", "--by", "cycle"]);
    assert!(ran.err.starts_with("error: no cycles: ") && ran.code == 1, "{}", ran.err);
}

#[test]
fn what_is_no_wave_is_refused() {
    let cut = WAVE.split("100 \"").next().unwrap();
    let (header, _) = WAVE.split_once("$enddefinitions").unwrap();
    let wide = WAVE.replacen("$var wire 1 ", "$var wire 655365536 ", 1);
    assert_ne!(wide, WAVE);
    let place = Place::new(&[
        ("a.vcd", WAVE),
        ("text.vcd", "not a wave\n"),
        ("cut.vcd", cut),
        ("header.vcd", header),
        ("empty.vcd", ""),
        ("wide.vcd", &wide),
        ("back.vcd", "\u{1}\u{7f}\u{7f}\u{7f}\u{7f}\u{7f}\u{7f}\u{7f}\u{7f}\u{7f}"),
    ]);
    let ran = place.ran(&["a.vcd", "wide.vcd"]);
    assert!(ran.err.replace('\n', " ").contains("is declared with 655365536 bits"), "{}", ran.err);
    for name in ["text.vcd", "cut.vcd", "header.vcd", "empty.vcd", "wide.vcd", "back.vcd"] {
        for files in [["a.vcd", name], [name, "a.vcd"]] {
            let ran = place.ran(&files);
            let told = match name {
                "text.vcd" | "empty.vcd" => format!("error: `{name}` is neither a log nor a wave: "),
                _ => format!("error: the wave `{name}` is not understood: "),
            };
            assert!(ran.err.starts_with(&told) && ran.code == 1 && ran.out.is_empty(), "{name}: {}", ran.err);
        }
    }
    let place_of = cut.rfind('\n').unwrap() + 1;
    let told = place.ran(&["a.vcd", "cut.vcd"]).err.replace('\n', " ");
    assert!(told.contains(&format!("it is cut off in its last line, at byte {place_of}: `b1`")), "{told}");
    let ran = place.ran(&["a.vcd", "none.vcd"]);
    assert!(ran.err.starts_with("error: cannot read `none.vcd`: ") && ran.code == 2, "{}", ran.err);
    for arguments in
        [&["a.vcd"][..], &["-", "a.vcd"], &["a.vcd", "a.vcd", "--map", "top"], &["a.vcd", "a.vcd", "--max", "0"]]
    {
        assert_eq!(place.ran(arguments).code, 2);
    }
}

/// A reader that goes away changes no verdict.
#[test]
fn a_closed_pipe_is_no_error() {
    let place = Place::new(&[("a.vcd", WAVE), ("b.vcd", &WAVE.replace("b1100 \"", "b1101 \""))]);
    for (b, code) in [("a.vcd", 0), ("b.vcd", 1)] {
        let mut command = process::Command::new(assert_cmd::cargo::cargo_bin("gpu-lsu"));
        let command = command.args(["wave", "diff", "a.vcd", b]).current_dir(place.0.path());
        let mut child = command.stdout(process::Stdio::piped()).stderr(process::Stdio::null()).spawn().unwrap();
        drop(child.stdout.take());
        assert_eq!(child.wait().unwrap().code(), Some(code));
    }
}

/// Icarus writes both formats of one run, with a clock, `x`, an array and a real.
#[test]
fn a_vcd_and_an_fst_of_one_run_are_the_same() {
    let bench = "module bench;
  reg clk_i, rst_ni; reg [70:0] wide; reg [7:0] count; real level; wire [1:0] pair = count[1:0];
  initial begin clk_i = 0; forever #5 clk_i = ~clk_i; end
  always @(posedge clk_i) if (!rst_ni) begin count <= 0; wide <= 1; end
    else begin count <= count + STEP; wide <= {wide[69:0], wide[70]}; level = count / 2.0; end
  initial begin
    $dumpfile(\"wave.vcd\"); $dumpvars(0, bench);
    #2 rst_ni = 0; #20 rst_ni = 1; #300 $finish;
  end
endmodule
";
    let place = Place::new(&[]);
    let tool = |program: &str, arguments: &[&str]| {
        let output = process::Command::new(program).args(arguments).current_dir(place.0.path()).output();
        let output = output.unwrap_or_else(|error| panic!("{program}: {error}. `scripts/setup test` installs it."));
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    for (step, format, name) in [("1", "-vcd", "one.vcd"), ("1", "-fst", "one.fst"), ("3", "-fst", "three.fst")] {
        fs::write(place.path("bench.v"), bench.replace("STEP", step)).unwrap();
        tool("iverilog", &["-g2012", "-s", "bench", "-o", "bench", "bench.v"]);
        tool("vvp", &["-n", "bench", format]);
        fs::rename(place.path("wave.vcd"), place.path(name)).unwrap();
    }
    for by in ["cycle", "time"] {
        let ran = place.ran(&["one.vcd", "one.fst", "--by", by]);
        assert!(ran.out.starts_with("the same: 6 signals compared, ") && ran.code == 0, "{}{}", ran.out, ran.err);
    }
    // Reset is over before the third edge; what it counts shows at the next.
    let ran = place.ran(&["one.vcd", "three.fst", "--max", "1"]);
    assert!(ran.out.starts_with("cycle 3, time 35 s: bench.count\n  A 0x1\n  B 0x3\n"), "{}", ran.out);

    // A damaged file is refused or read as what it says: it ends nobody's process.
    let whole = fs::read(place.path("one.fst")).unwrap();
    let same = |bytes: &[u8]| {
        fs::write(place.path("damaged.fst"), bytes).unwrap();
        compare(&place.path("one.vcd"), &place.path("damaged.fst"), &Options::default())
    };
    for at in (0..whole.len()).step_by(3) {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x5a;
        let _ = same(&damaged);
        assert!(matches!(same(&whole[..at]), Err(CompareError::Wave(_))), "{at} bytes");
    }
}

/// A log with a store of lane 0 and its completion.
const LOG: &str = r#"{"gpu_lsu_log":1,"unit":{"lanes":4}}
{"cycle":0,"reset":true}
{"cycle":3,"op":{"kind":"Store","element_bytes":4,"element_count":1,"element_mask":1,"imm":"0x100","active":1,"tag":5}}
{"cycle":3,"data":[7,0,0,0]}
{"cycle":6,"req":{"id":2,"tag":5,"kind":"Write","addr":"0x100","be":"0xf","data":"0x7","space":"Global"}}
{"cycle":9,"rsp":{"id":2,"last":1,"scope":"Sys"}}
{"cycle":11,"done":{"tag":5}}
"#;

#[test]
fn logs_are_compared_by_transfer() {
    let late = LOG.replace("\"cycle\":9", "\"cycle\":10").replace("\"cycle\":11", "\"cycle\":13");
    let wrong = LOG.replace("\"data\":\"0x7\"", "\"data\":\"0x1f\"");
    let place = Place::new(&[("a.jsonl", LOG), ("late.jsonl", &late), ("wrong.jsonl", &wrong), ("a.vcd", WAVE)]);
    let ran = place.ran(&["a.jsonl", "a.jsonl"]);
    let same = "the same: 6 ports compared, 10 transfers, by cycle\n";
    assert_eq!((&*ran.out, &*ran.err, ran.code), (same, "", 0));
    let ran = place.ran(&["a.jsonl", "wrong.jsonl", "--radix", "dec"]);
    let expected = "cycle 6: req[0].data
  A 7
  B 31
1 difference in 1 port: 6 ports compared, 10 transfers, by cycle
";
    assert_eq!((&*ran.out, ran.code), (expected, 1));
    assert_eq!(ran.err, "error: they differ, first in cycle 6: req[0].data\n");
    assert_eq!(place.ran(&["a.jsonl", "wrong.jsonl", "--ignore", "req.data"]).code, 0);
    // What a request carries and nobody looks at does not count: bytes that are not enabled, and a read's.
    let unused = LOG.replace("\"data\":\"0x7\"", "\"data\":\"0xff00000007\"");
    let reads = [LOG, &wrong].map(|log| log.replace("\"Write\"", "\"Read\""));
    let more = Place::new(&[("a.jsonl", LOG), ("b.jsonl", &unused), ("c.jsonl", &reads[0]), ("d.jsonl", &reads[1])]);
    assert_eq!(more.ran(&["a.jsonl", "b.jsonl"]).out, same);
    assert_eq!(more.ran(&["c.jsonl", "d.jsonl"]).out, same);
    // Nothing but the cycles differs.
    let ran = place.ran(&["a.jsonl", "late.jsonl"]);
    assert!(ran.out.starts_with("cycle 9: rsp[0]\n  A taken\n  B none\n") && ran.code == 1, "{}", ran.out);
    assert!(ran.out.ends_with("- A ends first, with cycle 11: nothing is compared after it\n"), "{}", ran.out);
    let ran = place.ran(&["a.jsonl", "late.jsonl", "--by", "transfer"]);
    assert_eq!((&*ran.out, ran.code), ("the same: 6 ports compared, 10 transfers, by transfer\n", 0));
    let ran = place.ran(&["a.jsonl", "wrong.jsonl", "--ignore", "*"]);
    assert_eq!((&*ran.err, ran.code), (&*format!("{IGNORED} port that is in both\n"), 1));
    // What is no run of a unit.
    for arguments in [&["--by", "time"][..], &["--map", "a=b"], &["--x-matches"]] {
        assert_eq!(place.ran(&[&["a.jsonl", "late.jsonl"], arguments].concat()).code, 2, "{arguments:?}");
    }
    let ran = place.ran(&["a.jsonl", "a.vcd"]);
    assert!(ran.err.starts_with("error: the wave `a.vcd` lacks ") && ran.code == 1, "{}", ran.err);
    fs::write(place.path("cut.jsonl"), &LOG[..LOG.len() - 20]).unwrap();
    let ran = place.ran(&["cut.jsonl", "a.jsonl"]);
    assert!(ran.err.starts_with("error: cut.jsonl, line 7: cut off") && ran.code == 1, "{}", ran.err);
}

/// The log of a run and the wave of the same run show the same transfers, and another run's do not.
#[cfg(feature = "rtl")]
#[test]
fn a_log_and_a_wave_of_one_run_are_the_same() {
    let place = Place::new(&[]);
    for (example, name) in [("spa5_saxpy", "one"), ("spa5_worked", "two")] {
        let file = format!("{}/examples/{example}.lsu", env!("CARGO_MANIFEST_DIR"));
        let (log, wave) = (format!("{name}.jsonl"), format!("{name}.vcd"));
        let mut command = Command::cargo_bin("gpu-lsu").unwrap();
        let command = command.args(["run", &file, "--log", &log, "--vcd", &wave]).current_dir(place.0.path());
        assert_eq!(command.env_remove("GPU_LSU_RTL").output().unwrap().status.code(), Some(0));
    }
    for files in
        [["one.jsonl", "one.vcd"], ["one.vcd", "one.jsonl"], ["two.jsonl", "two.vcd"], ["one.jsonl", "one.jsonl"]]
    {
        for by in ["cycle", "transfer"] {
            let ran = place.ran(&[&files[..], &["--by", by]].concat());
            assert!(ran.out.starts_with("the same: ") && ran.code == 0, "{files:?}: {}{}", ran.out, ran.err);
        }
    }
    assert_eq!(place.ran(&["one.vcd", "one.vcd", "--by", "transfer"]).code, 0);
    assert_eq!(place.ran(&["one.vcd", "two.vcd", "--by", "transfer"]).code, 1);
    let ran = place.ran(&["one.jsonl", "two.vcd"]);
    assert!(
        ran.err.starts_with("error: nothing was compared: the log has no operation like") && ran.code == 1,
        "{}",
        ran.err
    );
}

proptest! {
    /// The one place at which a value is another is found, and nothing besides.
    #[test]
    fn one_change_is_one_difference(values in vec(0u8..16, 2..40), at in any::<prop::sample::Index>(), flip in 1u8..16) {
        let wave = |values: &[u8]| {
            let mut text = "$scope module top $end $var wire 4 ! data $end $var wire 1 \" clk_i $end $upscope $end\n\
                            $enddefinitions $end\n".to_owned();
            for (cycle, value) in values.iter().enumerate() {
                writeln!(text, "#{}\n0\"\nb{value:b} !\n#{}\n1\"", 10 * cycle, 10 * cycle + 5).unwrap();
            }
            text
        };
        let at = at.index(values.len());
        let mut others = values.clone();
        others[at] ^= flip;
        let place = Place::new(&[("a.vcd", &wave(&values)), ("b.vcd", &wave(&others))]);
        for (by, time) in [(By::Cycle, 10 * at + 5), (By::Time, 10 * at)] {
            let options = Options { by: Some(by), ..Options::default() };
            let found = compare(&place.path("a.vcd"), &place.path("b.vcd"), &options).unwrap();
            let first = &found.differences[0];
            prop_assert_eq!((found.total, first.time, &*first.signal), (1, time as u64, "top.data"));
            prop_assert_eq!((&first.a, &first.b), (&format!("{:#x}", values[at]), &format!("{:#x}", others[at])));
        }
    }

    /// A pattern of stars and letters of a path matches it, and one with a letter too many does not.
    #[test]
    fn a_pattern_that_is_cut_from_a_path_matches(path in "[ab.]{0,12}", holes in vec(any::<(prop::sample::Index, prop::sample::Index)>(), 0..3)) {
        let mut pattern = path.clone();
        for (from, to) in holes {
            let (from, to) = (from.index(pattern.len() + 1), to.index(pattern.len() + 1));
            pattern.replace_range(from.min(to)..from.max(to), "*");
        }
        prop_assert!(matches(&pattern, &path), "{} {}", pattern, path);
        let longer = format!("{}c", pattern);
        prop_assert!(!matches(&longer, &path));
    }
}

/// Two variables of one path are two signals, the first of each wave and the second.
#[test]
fn a_path_that_occurs_twice_is_two_signals() {
    let twice = |second: &str| {
        let text = WAVE.replace("$scope module inner", "$var wire 4 & data [3:0] $end\n$scope module inner");
        text.replace("b1010 \"\n", &format!("b1010 \"\nb{second} &\n"))
    };
    let place = Place::new(&[("a.vcd", &twice("1")), ("b.vcd", &twice("0"))]);
    let ran = place.ran(&["a.vcd", "b.vcd"]);
    assert!(ran.out.starts_with("cycle 0, time 5 ns: top.data[3:0]\n  A 0x1\n  B 0x0\n1 difference"), "{}", ran.out);
    assert_eq!(place.ran(&["a.vcd", "a.vcd"]).out, "the same: 6 signals compared, 24 changes, by cycle\n");
}

/// A signal of which a wave has no value was not compared; where there is no other, nothing was.
#[test]
fn what_has_no_value_is_not_compared() {
    let mute = WAVE.lines().filter(|line| !line.ends_with(" \"") && !line.ends_with('#') && !line.ends_with(" $"));
    let mute: String = mute.filter(|line| !line.ends_with(" %")).map(|line| format!("{line}\n")).collect();
    let mute = mute.replace("$var wire 1 ! clk_i $end", "$var wire 1 ! clk_i $end\n$var wire 4 \" data [3:0] $end");
    let place = Place::new(&[("a.vcd", WAVE), ("mute.vcd", &mute)]);
    let told =
        "error: nothing was compared: of the signals that both waves have, only the clock\nhas a value in both\n";
    for arguments in [&["mute.vcd", "mute.vcd"][..], &["a.vcd", "mute.vcd", "--x-matches"]] {
        let ran = place.ran(arguments);
        assert_eq!((ran.out.as_str(), ran.err.as_str(), ran.code), ("", told, 1), "{arguments:?}");
    }
    // Without --x-matches, no value is none.
    assert_eq!(place.ran(&["a.vcd", "mute.vcd"]).code, 1);
    let half = WAVE.replace("b1010 \"\n", "").replace("b1100 \"\n", "");
    let place = Place::new(&[("a.vcd", WAVE), ("half.vcd", &half)]);
    let ran = place.ran(&["a.vcd", "half.vcd", "--x-matches"]);
    let expected = "the same: 4 signals compared, 18 changes, by cycle\n\
                    - 1 signal without a value in one of the two, not compared: top.data\n";
    assert_eq!((ran.out.as_str(), ran.code), (expected, 0));
}

/// What comes after the last edge is in no cycle, and is said if it is not the same.
#[test]
fn what_follows_the_last_edge_is_told() {
    let late = |value: &str| format!("{WAVE}#40\n0!\nb{value} \"\n");
    let place = Place::new(&[("a.vcd", &late("1")), ("b.vcd", &late("0"))]);
    let same = "the same: 5 signals compared, 22 changes, by cycle\n";
    assert_eq!(place.ran(&["a.vcd", "a.vcd"]).out, same);
    let note = "- 1 signal ends with two values: nothing is compared after the last edge of\n  clk_i\n";
    let ran = place.ran(&["a.vcd", "b.vcd"]);
    assert_eq!((ran.out, ran.code), (format!("{same}{note}"), 0));
}

/// Each file is read twice, which a pipe is not.
#[test]
#[cfg(unix)]
fn a_pipe_is_told() {
    let place = Place::new(&[("a.vcd", WAVE)]);
    let script = format!("cat a.vcd | {} wave diff /dev/stdin a.vcd", env!("CARGO_BIN_EXE_gpu-lsu"));
    let output = process::Command::new("sh").args(["-c", &script]).current_dir(place.0.path()).output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(err.starts_with("error: `/dev/stdin` is a pipe, ") && output.status.code() == Some(2), "{err}");
}
