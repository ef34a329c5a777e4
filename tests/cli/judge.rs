// SPDX-License-Identifier: MIT OR Apache-2.0
//! `judge`, `run --log` and `verify --log`: what a log tells, what it does not, and logs that are none.

use std::fs;

use gpu_lsu::judge::{Judge, log::lines::Reader};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;

use crate::{Place, capsules, example};

const LATE: &str = "- how late a completion comes of a release without requests, or of a store for\n  \
                    which others in the scratchpad are not done (PORT-DONE)\n";
const RATES: &str = "- rates (PORT-RATE, PORT-BANK), for which there are directed streams: `gpu-lsu\n  verify`\n";

/// A folder with the log of an example.
fn logged(name: &str) -> (Place, String) {
    let place = Place::new();
    let ran = place.ran(&["run", &example(name), "--log", "run.jsonl"]);
    assert_eq!((ran.err.as_str(), ran.code), ("log written to run.jsonl\n", 0));
    let text = fs::read_to_string(place.path().join("run.jsonl")).unwrap();
    (place, text)
}

/// Whether a line is such an event.
fn is(line: &str, event: &str) -> bool {
    line.split_once(',').is_some_and(|(_, rest)| rest.starts_with(&format!("\"{event}\":")))
}

/// The lines for which `keep` holds.
fn filtered(text: &str, keep: impl Fn(&str) -> bool) -> String {
    text.lines().filter(|line| keep(line)).map(|line| format!("{line}\n")).collect()
}

#[test]
fn what_was_run_is_judged() {
    for name in ["spa5_saxpy.lsu", "r700_clamp.lsu", "ptx_worked.lsu", "sm5_worked.lsu"] {
        let (place, text) = logged(name);
        let ran = place.ran(&["judge", "run.jsonl"]);
        assert!(ran.out.starts_with("unit and model agree: "), "{}", ran.out);
        assert!(ran.out.ends_with(&format!("\nNot judged:\n{LATE}{RATES}")), "{}", ran.out);
        assert_eq!((ran.err.as_str(), ran.code), ("", 0));
        assert_eq!(place.fed(&["judge", "-"], &text).out, ran.out);
    }
}

/// What is neither says what it is, and what takes it.
#[test]
fn other_files_are_no_logs() {
    let place = Place::new().with("some.txt", "hello\nworld\n").with("a.capsule", &capsules::agreeing().to_text());
    for command in [&["judge"][..], &["wave", "why", "--byte", "0"]] {
        let ran = place.ran(&[command, &["a.capsule"]].concat());
        let expected = "error: `a.capsule` is a capsule, and neither a log nor a wave

hint: `gpu-lsu replay a.capsule` plays it, `gpu-lsu wave report a.capsule` makes
      a page of it\n";
        assert_eq!((&*ran.err, ran.code), (expected, 1));
    }
    for (command, expected) in [
        (&["judge"][..], "neither a log nor a wave: JSON Lines, a VCD or an FST"),
        (&["wave", "why", "--byte", "0"], "neither a log nor a wave: JSON Lines, a VCD or an FST"),
        (
            &["wave", "report"],
            "neither a capsule nor a log nor a wave: what `verify` wrote, JSON Lines, a VCD or an FST",
        ),
    ] {
        let ran = place.ran(&[command, &["some.txt"]].concat());
        let expected = format!("error: `some.txt` is {expected} is expected hint: ");
        assert!(crate::words(&ran.err).starts_with(&expected) && ran.code == 1, "{}", ran.err);
    }
    let (place, _) = logged("spa5_saxpy.lsu");
    place.ran(&["run", &example("spa5_saxpy.lsu"), "--wave", "a.vcd"]);
    let ran = place.ran(&["judge", "a.vcd", "--idle", "--pending", "1"]);
    assert!(ran.err.starts_with("error: PENDING is 2 to 64, not 1\n") && ran.code == 2, "{}", ran.err);
    let wave = fs::read(place.path().join("a.vcd")).unwrap();
    fs::write(place.path().join("cut.vcd"), &wave[..200]).unwrap();
    let ran = place.ran(&["judge", "cut.vcd"]);
    assert!(ran.err.contains("\n\nhint: is the file whole? ") && ran.code == 1, "{}", ran.err);
    // A change of what was never declared, at which the reader of waves panics.
    fs::write(place.path().join("torn.vcd"), [&wave[..], b"1~undeclared\n"].concat()).unwrap();
    for command in [&["judge"][..], &["wave", "report"]] {
        let ran = place.ran(&[command, &["torn.vcd"]].concat());
        assert!(ran.err.starts_with("error: the wave `torn.vcd` is not understood: ") && ran.code == 1, "{}", ran.err);
    }
}

/// What a logic analyser took, clocked by the unit's clock: there is none in it, nor what the design ties.
#[test]
fn a_sample_is_a_cycle() {
    let place = Place::new();
    place.ran(&["run", &example("spa5_saxpy.lsu"), "--wave", "a.vcd"]);
    let wave = fs::read_to_string(place.path().join("a.vcd")).unwrap();
    let id = |port: &str| {
        let declared = wave.lines().find(|line| line.contains(&format!(" {port} "))).unwrap();
        declared.split_whitespace().nth(3).unwrap()
    };
    let gone = ["clk_i", "rst_ni", "op_helper_i"].map(id);
    let stays = |line: &&str| match line.as_bytes() {
        [b'#', .., last] => *last == b'0',
        _ if line.contains("$var") => !gone.contains(&line.split_whitespace().nth(3).unwrap()),
        [b'0' | b'1', ..] => !gone.contains(&&line[1..]),
        [b'b', ..] => !gone.contains(&line.split_once(' ').unwrap().1),
        _ => true,
    };
    let sampled: String = wave.lines().filter(stays).map(|line| format!("{line}\n")).collect();
    fs::write(place.path().join("board.vcd"), sampled).unwrap();
    let judge = |more: &[&str]| {
        let tied = ["--map", "rst_ni=1", "--map", "op_helper_i=0", "--idle"];
        place.ran(&[&["judge", "board.vcd"], &tied[..], more].concat())
    };
    let whole = place.ran(&["judge", "a.vcd", "--idle"]);
    let note = |ran: &crate::Ran| {
        let told = crate::words(&ran.err);
        told.starts_with("note: ")
            && told
                .ends_with(" samples of 10 time steps each, the most that all changes allow; --sampled=STEPS sets it")
    };
    for sampled in ["--sampled", "--sampled=10"] {
        let ran = judge(&[sampled]);
        assert_eq!(ran.code, 0, "{}", ran.out);
        assert!(if sampled == "--sampled" { note(&ran) } else { ran.err.is_empty() }, "{}", ran.err);
        let values = |out: &str| out.split(", ").nth(3).unwrap().to_owned();
        assert!(ran.out.starts_with("unit and model agree: 3 operations, 3 requests, "), "{}", ran.out);
        assert_eq!(values(&ran.out), values(&whole.out));
    }
    let ran = judge(&[]);
    assert!(
        crate::words(&ran.err).contains("lacks clk_i in the scope `top`: --map clk_i=SIGNAL names it"),
        "{}",
        ran.err
    );
    assert_eq!(ran.code, 1);
    let ran = place.ran(&["judge", "a.vcd", "--sampled"]);
    assert!(crate::words(&ran.err).contains("has a clock, clk_i in the scope `top`") && ran.code == 1, "{}", ran.err);
    let ran = judge(&["--sampled=0"]);
    assert_eq!(ran.code, 2, "{}", ran.err);

    for (map, why) in
        [("clk_i=", "a name for `clk_i` is missing"), ("*=x", "a name with a `*`"), ("=x", "`` is no port")]
    {
        let ran = judge(&["--sampled", "--map", map]);
        assert!(ran.err.contains(why) && ran.code == 2, "{}", ran.err);
    }

    // What nobody tells of the unit is assumed, and said.
    let assumed = "the parameters WARPS 8, PENDING 16, SHARED_BYTES 32768, which the wave does not show: `--warps`";
    assert!(crate::words(&judge(&["--sampled=10"]).out).contains(assumed));
    let told = judge(&["--sampled=10", "--warps", "8", "--shared-bytes", "32768"]);
    assert!(
        crate::words(&told.out).contains("the parameters PENDING 16, which the wave does not show"),
        "{}",
        told.out
    );

    // Nobody spends thousands of probes on registers that stand still.
    let program = example("spa5_saxpy.lsu");
    let ran = judge(&["--sampled=10", "--ctrl", &program]);
    assert!(ran.err.starts_with("error: `board.vcd` has `ctrl_i` itself\n") && ran.code == 2, "{}", ran.err);
    let board = fs::read_to_string(place.path().join("board.vcd")).unwrap();
    fs::write(place.path().join("board.vcd"), board.replace("struct ctrl_i ", "struct other ")).unwrap();
    let ran = judge(&["--sampled=10"]);
    let refused = "error: `board.vcd` has no `ctrl_i`\n\nhint: `--ctrl` takes the control registers from a program;";
    assert!(ran.code == 1 && ran.err.starts_with(refused), "{}", ran.err);
    // All 0, nothing is allocated.
    let ran = judge(&["--sampled=10", "--map", "ctrl_i=0"]);
    assert!(ran.code == 1 && ran.out.contains("disagree: COM-GLOBAL"), "{}", ran.out);
    let given = "given rst_ni 1, op_helper_i 0, ctrl_i 0, which the wave does not show";
    assert!(crate::words(&ran.out).contains(given), "{}", ran.out);
    let ran = judge(&["--sampled=10", "--map", "ctrl_i=0", "--ctrl", &program]);
    assert!(ran.err.starts_with("error: `--map` gives `ctrl_i` as well\n") && ran.code == 2, "{}", ran.err);
    // A header alone has control registers, too.
    fs::write(place.path().join("header.lsu"), "isa spa5\n").unwrap();
    let ran = judge(&["--sampled=10", "--ctrl", "header.lsu"]);
    assert!(crate::words(&ran.out).contains("given the control registers of header.lsu, rst_ni 1,"), "{}", ran.out);
    let ran = judge(&["--sampled=3", "--ctrl", &program]);
    assert!(crate::words(&ran.err).starts_with("note: something changes within a sample: "), "{}", ran.err);
    let ran = judge(&["--sampled=10", "--ctrl", &program]);
    assert_eq!((ran.err.as_str(), ran.code), ("", 0), "{}", ran.out);
    assert!(!ran.out.contains("control registers"), "{}", ran.out);
    fs::write(place.path().join("no.lsu"), "isa spa6\n").unwrap();
    let ran = judge(&["--sampled", "--ctrl", "no.lsu"]);
    assert!(ran.err.contains("no.lsu:1:5") && ran.code == 1, "{}", ran.err);
    assert_eq!(judge(&["--sampled", "--ctrl", "away.lsu"]).code, 2);
}

/// A page counts cycles as the judge does, in its head and in its sentence.
#[test]
fn a_page_has_one_number_of_cycles() {
    let (place, text) = logged("spa5_saxpy.lsu");
    let open = filtered(&text, |line| !is(line, "end"));
    fs::write(place.path().join("open.jsonl"), open).unwrap();
    for name in ["run.jsonl", "open.jsonl"] {
        assert_eq!(place.ran(&["wave", "report", name, "-o", "page.html"]).code, 0);
        let page = fs::read_to_string(place.path().join("page.html")).unwrap();
        let (_, rest) = page.split_once("\"cycles\":").unwrap();
        let head = rest.split(|c: char| !c.is_ascii_digit()).next().unwrap();
        assert!(page.contains(&format!(", {head} cycles, ")), "{name}: {head}");
        let judged = place.ran(&["judge", name]).out;
        assert!(name == "open.jsonl" || judged.contains(&format!(" {head} cycles,")), "{head}: {judged}");
    }
}

/// The same values are compared as while it was played, whatever the number of jobs.
#[test]
fn a_campaign_is_judged_again() {
    let place = Place::new();
    for jobs in ["1", "3"] {
        let log = format!("{jobs}.jsonl");
        let arguments = ["verify", "--ops", "4000", "--seed", "7", "--json", "--jobs", jobs, "--log", &log];
        let ran = place.ran(&arguments);
        assert_eq!((ran.err.as_str(), ran.code), (&*format!("log written to {log}\n"), 0));
        let judged: Value = serde_json::from_str(&place.ran(&["judge", "--json", &log]).out).unwrap();
        let verified: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!((&judged["agrees"], &judged["runs"]), (&true.into(), &16.into()));
        assert_eq!(judged["requests"], verified["requests"]);
        assert!(judged["histories"].as_u64() >= verified["histories"].as_u64(), "of every case");
        assert!(judged["comparisons"].as_u64() > verified["comparisons"].as_u64(), "what prepares the cases as well");
    }
    assert_eq!(fs::read(place.path().join("1.jsonl")).unwrap(), fs::read(place.path().join("3.jsonl")).unwrap());
}

#[cfg(feature = "planted-faults")]
#[test]
fn a_fault_is_found_in_its_log() {
    let place = Place::new();
    let verify =
        ["verify", "--lanes", "4", "--fault", "28", "--seed", "1", "--ops", "2000", "--log", "f.jsonl", "--json"];
    let ran = place.ran(&verify);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let found: Value = serde_json::from_str(&ran.out).unwrap();
    let ran = place.ran(&["judge", "f.jsonl"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.starts_with("error: unit and model disagree: COM-ATTR, operation "), "{}", ran.err);
    assert!(crate::words(&ran.err).contains("gpu-lsu verify --fault 28 --seed 0x1"), "{}", ran.err);
    let text = "error: `--fault` is for capsules: what was recorded is not played again\n";
    place.ran(&["wave", "report", "f.jsonl", "--fault", "28"]).refuses(2, text);
    assert!(ran.out.starts_with("unit and model disagree: COM-ATTR\n  rule      "), "{}", ran.out);
    let judged: Value = serde_json::from_str(&place.ran(&["judge", "f.jsonl", "--json"]).out).unwrap();
    assert_eq!((&judged["verdict"], &judged["agrees"]), (&"mismatch".into(), &false.into()));
    assert_eq!(judged["mismatch"]["clause"], found["mismatch"]["clause"]);
}

#[test]
fn what_is_not_there_is_not_judged() {
    let (place, text) = logged("spa5_worked.lsu");
    let gaps = |text: &str| {
        let ran = place.fed(&["judge", "-"], text);
        assert_eq!((ran.err.as_str(), ran.code), ("", 0), "{}", ran.out);
        let gaps = ran.out.split_once("\nNot judged:\n").unwrap().1;
        gaps.strip_suffix(RATES).unwrap().to_owned()
    };
    let unseen =
        |what: &str| text.replacen("{\"gpu_lsu_log\":1,", &format!("{{\"gpu_lsu_log\":1,\"unseen\":[\"{what}\"],"), 1);
    let no = |event: &'static str| move |line: &str| !is(line, event);

    // It stops in the middle.
    let requests: Vec<_> = text.match_indices(",\"req\":").collect();
    let cut = &text[..text[..requests[requests.len() / 2].0].rfind('\n').unwrap() + 1];
    let cut = gaps(cut);
    assert!(cut.contains(" not over at the end of the log\n"), "{cut}");

    insta::assert_snapshot!(
        [
            gaps(&filtered(&unseen("data"), no("data"))),
            gaps(&filtered(&unseen("wb"), no("wb"))),
            // The reset and what prepares the scratchpad are gone; what is in flight there, nobody knows.
            gaps(&filtered(&unseen("start"), no("reset"))),
        ]
        .join("\n")
    );
}

/// A log whose ports lack something, and does not say so, does not agree.
#[test]
fn nothing_is_claimed_that_was_not_seen() {
    let (place, text) = logged("spa5_worked.lsu");
    let clause = |text: String| {
        let ran = place.fed(&["judge", "-", "--json"], &text);
        let judged: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!((&judged["agrees"], ran.code), (&false.into(), 1), "{}", ran.err);
        judged["mismatch"]["clause"].as_str().unwrap_or(judged["verdict"].as_str().unwrap()).to_owned()
    };
    let without = |event: &str| filtered(&text, |line| !is(line, event));
    assert_eq!(clause(without("wb")), "PORT-DONE");
    assert_eq!(clause(without("rsp")), "PORT-DONE");
    assert_eq!(clause(without("op")), "PORT-RESET");
    // The control registers change while, for all that was seen, operations are in flight.
    assert_eq!(clause(without("done")), "PORT-OP");
    assert_eq!(clause(text.lines().next().unwrap().to_owned()), "nothing compared");
    assert_eq!(
        clause(filtered(&text, |line| line.contains("gpu_lsu_log") || line.contains("reset"))),
        "nothing compared"
    );
}

/// Who forgets to print something is told, where the judge must take it for something else.
#[test]
fn what_a_log_forgets_is_told() {
    let (place, _) = logged("ptx_worked.lsu");
    let ran = place.ran(&["verify", "--isa", "ptx", "--ops", "2000", "--seed", "3", "--log", "v.jsonl"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let text = fs::read_to_string(place.path().join("v.jsonl")).unwrap();
    let judged = |text: &str| {
        let ran = place.fed(&["judge", "-"], text);
        assert_eq!(ran.code, 1, "{}", ran.out);
        crate::words(&(ran.out + &ran.err))
    };
    let mut bare = String::new();
    for line in text.lines() {
        let mut line: Value = serde_json::from_str(line).unwrap();
        line.get_mut("req").map(|request| request.as_object_mut().unwrap().remove("attr"));
        bare += &format!("{line}\n");
    }
    let told = judged(&bare);
    assert!(told.contains("disagree: COM-ATTR") && told.contains("left out req.attr: in no event"), "{told}");
    let told = judged(&filtered(&text, |line| !is(line, "wb")));
    assert!(told.contains("disagree: PORT-WB") && told.contains("no beat of any operation is in the log"), "{told}");
    // In mid-flight nobody knows the control registers.
    let header = text.lines().next().unwrap().replacen('{', "{\"unseen\":[\"start\"],", 1);
    let events = text.lines().skip(1).take_while(|line| !line.contains("gpu_lsu_log"));
    let rest: String = events.filter(|line| !is(line, "ctrl")).map(|line| format!("{line}\n")).collect();
    let told = judged(&format!("{header}\n{rest}"));
    assert!(told.contains("the control registers are not known"), "{told}");
}

/// What was offered before a reset may come otherwise after it, or not at all, and nothing that was in flight is late.
#[test]
fn a_reset_forgets_what_was_offered() {
    let load = |tag: u32| {
        format!(
            "{{\"op\":{{\"addr_mode\":\"Reg32\",\"tag\":{tag},\"element_bytes\":4,\"element_count\":1,\"element_mask\":1,\
             \"active\":1,\"predicate\":\"0xf\",\"addr\":\"0x10000\"}}"
        )
    };
    let request = |tag: u32| {
        format!(
            "{{\"req\":{{\"tag\":{tag},\"space\":\"Global\",\"kind\":\"Read\",\"addr\":\"0x10000\",\"be\":\"0xf\"}}"
        )
    };
    let events = [
        (0, "{\"ctrl\":{\"alloc\":[{\"base\":\"0x10000\",\"size\":\"0x1000\"}]}".to_owned()),
        (0, "{\"reset\":true".to_owned()),
        (1, load(1)),
        (6, request(1) + ",\"taken\":false"),
        (80, "{\"reset\":true".to_owned()),
        (81, load(2)),
        (86, request(2)),
        (87, "{\"rsp\":{\"data\":\"0x2a\",\"scope\":\"Sys\",\"last\":true}".to_owned()),
        (89, "{\"wb\":{\"tag\":2,\"mask\":1,\"data\":\"0x2a\"}".to_owned()),
        (90, "{\"done\":{\"tag\":2,\"fault\":\"0x0\"}".to_owned()),
        (99, "{\"end\":true".to_owned()),
    ];
    let lines = events.map(|(cycle, event)| format!("{event},\"cycle\":{cycle}}}\n"));
    let ran = Place::new()
        .fed(&["judge", "-"], &format!("{{\"gpu_lsu_log\":1,\"unit\":{{\"lanes\":4}}}}\n{}", lines.concat()));
    assert!(ran.out.starts_with("unit and model agree: 1 operation, 1 request, "), "{}{}", ran.out, ran.err);
    assert_eq!(ran.code, 0);
}

/// A bench that is not ready for long and does not say so: the unit is not to blame. If it says so, or says that nothing
/// waited, it is known who was late.
#[test]
fn who_was_late_is_told_by_what_waited() {
    let (place, text) = logged("spa5_worked.lsu");
    let cycle = |line: &str| -> Option<u64> { serde_json::from_str::<Value>(line).unwrap()["cycle"].as_u64() };
    // Of the first operation that memory has answered.
    let answered = text.lines().skip_while(|line| !is(line, "rsp"));
    let first = answered.filter(|line| is(line, "done")).find_map(cycle).unwrap();
    let later = |line: &str| {
        let Some(at) = cycle(line).filter(|&at| at >= first) else { return format!("{line}\n") };
        format!("{}\n", line.replacen(&format!("{{\"cycle\":{at},"), &format!("{{\"cycle\":{},", at + 50), 1))
    };
    let told: String = text.lines().map(later).collect();
    let ran = place.fed(&["judge", "-"], &told);
    assert!(ran.err.starts_with("error: unit and model disagree: PORT-DONE, operation "), "{}{}", ran.err, ran.out);
    let ran = place.fed(&["judge", "-"], &told.replacen("\"offers\":true,", "", 1).replacen(",\"offers\":true", "", 1));
    assert_eq!((ran.err.as_str(), ran.code), ("", 0), "{}", ran.out);
    assert!(ran.out.contains("- lateness (PORT-DONE, PORT-FAIR, PORT-PROGRESS) and PORT-HOLD: "), "{}", ran.out);
}

#[test]
fn logs_that_are_none() {
    let (place, text) = logged("spa5_worked.lsu");
    let place = place.with("wrong.jsonl", "").with("wave.txt", "$date today $end\n");
    let told = |line: usize, with: &str| {
        let mut lines: Vec<&str> = text.lines().collect();
        lines[line - 1] = with;
        fs::write(place.path().join("wrong.jsonl"), lines.join("\n")).unwrap();
        let ran = place.ran(&["judge", "wrong.jsonl"]);
        assert_eq!((ran.out.as_str(), ran.code), ("", 1));
        ran.err.split("\nhint: ").next().unwrap().to_owned()
    };
    insta::assert_snapshot!(
        [
            told(1, "{\"cycle\":1}"),
            told(1, "{\"gpu_lsu_log\":9}"),
            told(1, "{\"gpu_lsu_log\":1,\"unit\":{\"lanes\":5}}"),
            told(1, "{\"gpu_lsu_log\":1,\"unit\":{\"lanse\":4}}"),
            told(3, "{\"cycle\":1"),
            told(3, "[1]"),
            told(3, "{\"cycle\":900,\"cycle\":3,\"reset\":true}"),
            told(3, "{\"cycle\":1,\"op\":{\"bits\":\"0x0\",\"kind\":\"Store\"}}"),
            told(3, "{\"cycle\":1,\"applied\":{\"request\":7777,\"made\":true}}")
                .split(": the")
                .next()
                .unwrap()
                .to_owned(),
            told(3, "{\"op\":{}}"),
            told(3, "{\"cycle\":-1,\"reset\":true}"),
            told(3, "{\"cycle\":1}"),
            told(3, "{\"cycle\":1,\"req\":{},\"rsp\":{}}"),
            told(3, "{\"cycle\":1,\"request\":{}}"),
            told(3, "{\"cycle\":1,\"req\":{\"adr\":1}}"),
            told(3, "{\"cycle\":1,\"op\":{\"knid\":1}}").split(", which").next().unwrap().to_owned(),
            told(3, "{\"cycle\":1,\"wb\":{\"data\":[1,2,\"x\"]}}"),
            told(3, "{\"cycle\":1,\"taken\":false,\"op\":{}}"),
            told(3, "{\"cycle\":1,\"waited\":2,\"wb\":{}}"),
            told(3, "{\"cycle\":1,\"withdrawn\":\"rsp\"}"),
        ]
        .join("\n")
    );
    assert_eq!(place.ran(&["judge", "wave.txt"]).code, 1);
    let ran = place.with("empty.jsonl", "").ran(&["judge", "empty.jsonl"]);
    assert!(ran.err.starts_with("error: empty.jsonl, line 1: nothing is there; ") && ran.code == 1, "{}", ran.err);
    let place = Place::new();
    let ran = place.ran(&["judge", "nowhere.jsonl"]);
    assert!(ran.err.starts_with("error: cannot read `nowhere.jsonl`: "), "{}", ran.err);
    assert_eq!(ran.code, 2);
}

/// Logs with bytes changed at random: judged, or refused.
#[test]
fn no_log_makes_it_panic() {
    let (_place, text) = logged("sm5_worked.lsu");
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    for _ in 0..300 {
        let mut bytes = text.clone().into_bytes();
        for _ in 0..random.random_range(1..6) {
            let at = random.random_range(0..bytes.len());
            match random.random_range(0..3) {
                0 => bytes[at] = random.random_range(b' '..b'~'),
                1 => drop(bytes.drain(at..(at + random.random_range(1..200)).min(bytes.len()))),
                _ if bytes[at].is_ascii_digit() => bytes[at] = random.random_range(b'0'..=b'9'),
                _ => {}
            }
        }
        if let Ok(reader) = Reader::new(&bytes[..]) {
            for record in reader.map_while(Result::ok) {
                let _ = record.judge(&mut Judge::new(&record.header.unit), record.header.contract);
            }
        }
    }
}

/// A run of which nothing was compared is no agreement, whatever stands beside it.
#[test]
fn every_run_is_compared() {
    let (place, text) = logged("spa5_worked.lsu");
    let header = text.lines().next().unwrap();
    let ran = place.fed(&["judge", "-"], &format!("{text}{header}\n"));
    let line = text.lines().count() + 1;
    let told = format!("error: nothing was compared: run 2 (from line {line}) shows no operation to its end\n");
    assert_eq!((ran.err.as_str(), ran.code), (told.as_str(), 1));
    assert!(!ran.out.contains("agree"), "{}", ran.out);
    let ran = place.fed(&["judge", "--json", "-"], &format!("{text}{header}\n"));
    assert_eq!(serde_json::from_str::<Value>(&ran.out).unwrap()["agrees"], false);
}

/// What a log says itself nobody else says, and a wave is no log.
#[test]
fn what_is_for_waves_is_not_for_logs() {
    let (place, _) = logged("spa5_worked.lsu");
    let of_waves: [&[_]; 7] = [
        &["--pending", "3"],
        &["--warps", "2"],
        &["--scope", "top"],
        &["--idle"],
        &["--map", "clk_i=c"],
        &["--sampled"],
        &["--ctrl", "p.lsu"],
    ];
    for option in of_waves {
        let ran = place.ran(&[&["judge", "run.jsonl"], option].concat());
        let told = format!("error: `{}` is for waves: ", option[0]);
        assert!(ran.err.starts_with(&told) && ran.out.is_empty() && ran.code == 2, "{}", ran.err);
    }
    // Nor does a capsule leave open of which unit it is, or of how many runs.
    let place = place.with("a.capsule", &capsules::agreeing().to_text());
    for (arguments, told) in [
        (&["wave", "report", "a.capsule", "--scope", "top"][..], "error: `--scope` is for waves: "),
        (&["wave", "report", "a.capsule", "--run", "1"], "error: `--run` is for logs: "),
        (
            &["vectors", "a.capsule", "--pending", "4", "--out", "v"],
            "error: `--pending` is for programs and campaigns: ",
        ),
        (&["vectors", "run.jsonl", "--lanes", "32", "--out", "v"], "error: `--lanes` is for programs and campaigns: "),
    ] {
        let ran = place.ran(arguments);
        assert!(ran.err.starts_with(told) && ran.out.is_empty() && ran.code == 2, "{}", ran.err);
        assert!(ran.err.lines().all(|line| line.chars().count() <= 80), "{}", ran.err);
    }
    let help = crate::words(&place.ran(&["wave", "report", "--help"]).out);
    assert!(help.contains("A capsule, a log (`-` for standard input), or"), "{help}");
    let told = "error: standard input is read as a log, and this is a wave\n\nhint: give the name of its file\n";
    for wave in ["$date today $end\n", "\0\0\0\0\0\0\0\u{1}I"] {
        place.fed(&["judge", "-"], wave).refuses(1, told);
    }
}

/// Whose reader of waves gives up, and how, is nobody's business.
#[test]
fn a_damaged_wave_is_told_in_plain_words() {
    let wave = "$scope module top $end\n$var wire 4 ! data $end\n$upscope $end\n$enddefinitions $end\n#0\nb01q1 !\n";
    let place = Place::new().with("a.vcd", wave);
    let ran = place.ran(&["wave", "diff", "a.vcd", "a.vcd"]);
    let told = "it is damaged: it holds a value that is no number, or a name that is no text; ";
    assert!(crate::words(&ran.err).contains(told) && ran.code == 1, "{}", ran.err);
}

/// The page of a log with several runs is of one; a run that compares nothing is no success, whichever it is.
#[test]
fn a_page_of_several_runs_says_of_which_it_is() {
    let place = Place::new();
    assert_eq!(place.ran(&["run", &example("spa5_worked.lsu"), "--log", "one.jsonl"]).code, 0);
    let one = fs::read_to_string(place.path().join("one.jsonl")).unwrap();
    let header = one.lines().next().unwrap();
    let place = place.with("two.jsonl", &format!("{one}{one}")).with("idle.jsonl", &format!("{one}{header}\n"));
    let note = "run 1 of 2: `--run` chooses another one\n";
    let ran = place.ran(&["wave", "report", "two.jsonl"]);
    assert_eq!((ran.err, ran.code), (format!("{note}page written to two.html\n"), 0));
    let ran = place.ran(&["wave", "report", "idle.jsonl"]);
    let error = "error: nothing was compared in run 2, which shows no operation to its end\n";
    assert_eq!((ran.err, ran.code), (format!("{error}{note}page written to idle.html\n"), 1));
    assert_eq!(place.ran(&["judge", "idle.jsonl"]).code, 1);
}
