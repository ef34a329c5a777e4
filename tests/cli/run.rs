// SPDX-License-Identifier: MIT OR Apache-2.0
//! `run`: programs from files and standard input, waves, and every way to be refused.

use serde_json::Value;

use crate::{Place, example, unit, words};

const STORE: &str = "isa spa5\nalloc 0x1000 0x1000\nactive = 1\nR1 = 0x1003\nR4 = 0x44332211\nR5 = 0x88776655\n\
                     ST.64 [R1+0x18], R4\n";

#[test]
fn a_program_is_explained_and_agrees() {
    let ran = Place::new().with("st.lsu", STORE).ran(&["run", "st.lsu"]);
    assert!(ran.out.starts_with("ST.64 [R1+0x18], R4\nbca0000001870104"), "{}", ran.out);
    assert!(ran.out.contains("0x101b  0x1018   global"), "{}", ran.out);
    let end = "
Memory that was stored to:
  0x0000001010  00 00 00 00 00 00 00 00  11 22 33 44 55 66 77 88

";
    let agree = format!("rtl {} RTL and model agree: 1 operation, 1 request, ", unit(32));
    // How long a path is, is the user's business.
    assert!(ran.out.contains(end) && words(&ran.out).contains(&agree), "{}", ran.out);
    assert!(ran.out.ends_with(" cycles\n"), "{}", ran.out);
    assert_eq!((ran.err.as_str(), ran.code), ("", 0));
}

#[test]
fn a_program_comes_from_standard_input() {
    let place = Place::new().with("st.lsu", STORE);
    let from_file = place.ran(&["run", "st.lsu"]);
    let fed = place.fed(&["run", "-"], STORE);
    assert_eq!((fed.out, fed.err, fed.code), (from_file.out, from_file.err, 0));
}

#[test]
fn the_examples_agree() {
    for name in [
        "spa5_worked.lsu",
        "spa5_saxpy.lsu",
        "spa5_shared.lsu",
        "r700_worked.lsu",
        "r700_clamp.lsu",
        "ptx_worked.lsu",
        "ptx_forms.lsu",
        "sm5_worked.lsu",
        "sm5_forms.lsu",
    ] {
        let place = Place::new();
        let ran = place.ran(&["run", &example(name)]);
        let last = ran.out.lines().last().unwrap_or_default();
        assert!(last.starts_with("RTL and model agree: "), "{name}: {last}");
        assert_eq!((ran.err.as_str(), ran.code), ("", 0), "{name}");
        assert!(place.files().is_empty());
    }
    // What the source's kernel computes: y = 2 * x + y, of x = 0, 1, 2 and so on.
    let saxpy = Place::new().ran(&["run", &example("spa5_saxpy.lsu")]).out;
    assert!(saxpy.contains("  0x0000020000  00 00 80 3f 00 00 40 40  00 00 a0 40 00 00 e0 40\n"), "{saxpy}");
    assert!(saxpy.contains("  0x0000020030  00 00 c8 41 00 00 d8 41  00 00 e8 41 00 00 f8 41\n"), "{saxpy}");
}

/// The X of R8, R9 and R10 after a read.
fn loaded(read: &Value, lane: usize) -> [u64; 3] {
    let registers = read["lanes"][lane]["registers"].as_array().unwrap();
    ["R8.x", "R9.x", "R10.x"].map(|name| {
        let register = registers.iter().find(|register| register["name"] == name).unwrap();
        u64::from_str_radix(register["after"].as_str().unwrap().trim_start_matches("0x"), 16).unwrap()
    })
}

/// What its comments promise: past the limit a lane reads what was there before, and past the read's own limit 0.
#[test]
fn a_clamp_is_seen_in_what_is_read_back() {
    let out = Place::new().ran(&["run", "--json", &example("r700_clamp.lsu")]).out;
    let read: Value = serde_json::from_str(out.lines().nth(1).unwrap()).unwrap();
    for (lane, expected) in [(3, [0x403, 0x503, 0x603]), (4, [0x404, 0x504, 0xe4]), (5, [0x405, 0xe5, 0xf5])] {
        assert_eq!(loaded(&read, lane), expected, "lane {lane}");
    }
    assert_eq!((loaded(&read, 6), loaded(&read, 7)), ([0xe6, 0xf6, 0], [0xf7, 0, 0]));
}

#[test]
fn json_is_an_object_a_line() {
    let ran = Place::new().with("st.lsu", STORE).ran(&["run", "--json", "st.lsu"]);
    let lines: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [step, verdict] = lines.as_slice() else { panic!("{}", ran.out) };
    assert_eq!((step["text"].as_str(), step["word"].as_str()), (Some("ST.64 [R1+0x18], R4"), Some("bca0000001870104")));
    let fields = ["agrees", "operations", "requests"].map(|name| verdict[name].to_string());
    assert_eq!(fields, ["true", "1", "1"]);
    assert!(verdict["cycles"].as_u64() > Some(0) && verdict["comparisons"].as_u64() > Some(0));
    assert_eq!(ran.code, 0);
}

#[test]
fn every_number_of_lanes_that_is_built() {
    for shape in gpu_lsu::dut::built() {
        let lanes = shape.lanes.to_string();
        assert_eq!(Place::new().with("st.lsu", STORE).ran(&["run", "st.lsu", "--lanes", &lanes]).code, 0);
        // The program's own choice counts, and an argument does not overrule it.
        let program = STORE.replacen("alloc", &format!("lanes {lanes}\nalloc"), 1);
        let place = Place::new().with("st.lsu", &program);
        assert_eq!(place.ran(&["run", "st.lsu"]).code, 0);
        if lanes != "32" {
            let text = format!("error: the program asks for {lanes} lanes, `--lanes` for 32\n");
            place.ran(&["run", "st.lsu", "--lanes", "32"]).refuses(2, &text);
        }
    }
    let ran = Place::new().with("st.lsu", STORE).ran(&["run", "st.lsu", "--lanes", "7"]);
    ran.refuses(2, "error: invalid value '7' for '--lanes <LANES>'\n  [possible values: 4, 8, 16, 32]\n\nFor more information, try '--help'.\n");
}

#[test]
fn a_unit_that_is_not_built_is_told() {
    let missing = [4, 8, 16].into_iter().filter(|&lanes| gpu_lsu::dut::with_lanes(lanes).is_err());
    for lanes in missing {
        let ran = Place::new().with("st.lsu", STORE).ran(&["run", "st.lsu", "--lanes", &lanes.to_string()]);
        let text = format!(
            "error: no unit with {lanes} lanes is in this build, which holds {} hint: the feature `all-lanes` builds 4, 8 \
             and 16 as well: `cargo run --release --features all-lanes -- verify --lanes {lanes}`",
            gpu_lsu::op::Shape::with_lanes(32)
        );
        assert!(ran.err.lines().all(|line| line.chars().count() <= 80) && ran.code == 2, "{}", ran.err);
        assert_eq!(ran.err.split_whitespace().collect::<Vec<_>>().join(" "), text);
    }
}

#[test]
fn a_file_that_cannot_be_read() {
    let hint = "\n\nhint: give the name of a readable file, or `-` for standard input\n";
    let place = Place::new();
    let text = format!("error: cannot read `none.lsu`: No such file or directory (os error 2){hint}");
    place.ran(&["run", "none.lsu"]).refuses(2, &text);
    place.ran(&["run", "."]).refuses(2, &format!("error: cannot read `.`: Is a directory (os error 21){hint}"));
    #[cfg(unix)]
    {
        let name = <std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(b"no\xffne.lsu");
        let output = assert_cmd::Command::cargo_bin("gpu-lsu").unwrap().arg("run").arg(name).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    }
    for (text, place_of_it, what) in [
        ("", "1:1", "expected `isa` and an instruction set, found nothing"),
        ("isa spa5\n# nothing\n", "2:10", "expected an instruction, found the end of the program"),
    ] {
        std::fs::write(place.path().join("empty.lsu"), text).unwrap();
        let ran = place.ran(&["run", "empty.lsu"]);
        let told = format!("error: {what}\n --> empty.lsu:{place_of_it}\n");
        assert!(ran.err.starts_with(&told) && ran.code == 1, "{}", ran.err);
    }
    std::fs::write(place.path().join("bytes"), [b'i', 0xff]).unwrap();
    place.ran(&["run", "bytes"]).refuses(
        1,
        "error: `bytes` is not UTF-8 text: line 1 is none from column 2\n\nhint: a text is read here: `--help` says which; waves are \
         for `gpu-lsu judge`\n",
    );
}

/// Place, clause and text of each refusal stand on standard error; nothing is written.
#[test]
fn a_program_that_is_refused() {
    for (line, place, clause, text) in [
        ("FROB R1", "2:1", None, "expected a directive, a value or an instruction, found"),
        ("LD R300, [R1]", "2:4", None, "expected a register, found `R300`"),
        ("LD R1, [Q1]", "2:9", None, "found `Q1`"),
        ("LD.64 R5, [R2]", "2:1", Some("SPA5-EA-PAIR"), "a 64-bit datum cannot start at R5"),
        ("LD.128 R6, [R2]", "2:1", Some("SPA5-EA-PAIR"), "a 128-bit datum cannot start at R6"),
        ("LD.E R4, [R3]", "2:1", Some("SPA5-EA-PAIR"), "a 64-bit address cannot start at the odd"),
        ("ST.64 [R2], R254", "2:1", Some("SPA5-EA-PAIR"), "a 64-bit datum from R254 would run past R254"),
        ("ST.INVALIDSIZE7 [R2], R4", "2:1", Some("SPA5-SIZE"), "ST has no size 7"),
        ("memory 2: .word 1", "2:8", None, "`2` is no multiple of 4"),
        ("alloc 0x1010 0x20", "2:7", Some("SPA5-STRADDLE"), "`0x1010` is no multiple of 32"),
        ("lanes 7", "2:7", None, "expected 4, 8, 16 or 32 lanes, found `7`"),
        ("001f8000fc0007e0", "2:1", None, "`001f8000fc0007e0` is neither LD nor ST"),
    ] {
        let folder = Place::new().with("bad.lsu", &format!("isa spa5\n{line}\n"));
        let ran = folder.ran(&["run", "bad.lsu", "--vcd", "wave.vcd"]);
        assert_eq!((ran.out.as_str(), ran.code), ("", 1), "{line}");
        let head = clause.map_or("error: ".to_owned(), |clause| format!("error[{clause}]: "));
        let (title, rest) = ran.err.split_once("\n --> ").unwrap();
        // Long messages are folded.
        let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(title.starts_with(&head) && title.contains(text), "{line}: {}", ran.err);
        assert!(rest.starts_with(&format!("bad.lsu:{place}\n")) && rest.contains(line), "{line}: {}", ran.err);
        // One place, and no other number that could be taken for it.
        assert_eq!(ran.err.matches("bad.lsu").count(), 1, "{line}: {}", ran.err);
        assert!(!ran.err.contains("column"), "{line}: {}", ran.err);
        assert!(ran.err.lines().all(|line| line.chars().count() <= 80), "{}", ran.err);
        assert_eq!(folder.files(), ["bad.lsu"]);
    }
}

#[test]
fn every_problem_is_shown_with_its_hint() {
    let ran = Place::new().fed(&["run", "-"], "isa spa5\n\tST.INVALIDSIZE7 [R2], R4\nLD R300, [é\n");
    let shown = "\
error[SPA5-SIZE]: illegal instruction: ST has no size 7
 --> -:2:2
  |
2 |     ST.INVALIDSIZE7 [R2], R4
  |     ^^^^^^^^^^^^^^^^^^^^^^^^

hint: use .U8 .S8 .U16 .S16 .32 .64 or .128

error: expected a register, found `R300`
 --> -:3:4
  |
3 | LD R300, [é
  |    ^^^^

hint: registers are R0 to R254, and RZ
";
    ran.refuses(1, shown);
}

#[test]
fn without_global_memory_a_hint() {
    let ran = Place::new().fed(&["run", "-"], "isa spa5\nST [0x1000], R1\n");
    let hint = "\nhint: no global memory is allocated: add `alloc BASE SIZE`, or every global\n      access is out of \
                allocation\n";
    assert_eq!((ran.err.as_str(), ran.code), (hint, 0));
    assert!(ran.out.contains("out of allocation"), "{}", ran.out);
    assert!(!ran.out.contains("Memory that was stored to"), "{}", ran.out);
}

#[test]
fn a_wave_is_written_or_nothing_is() {
    let place = Place::new().with("st.lsu", STORE);
    let ran = place.ran(&["run", "st.lsu", "--vcd", "wave.vcd"]);
    assert_eq!((ran.err.as_str(), ran.code), ("wave written to wave.vcd; `gtkwave wave.gtkw` opens it\n", 0));
    assert_eq!(place.files(), ["st.lsu", "wave.gtkw", "wave.sucl", "wave.vcd"]);
    let wave = std::fs::read(place.path().join("wave.vcd")).unwrap();
    place
        .ran(&["run", "st.lsu", "--vcd", "none/wave.vcd"])
        .refuses(2, "error: cannot write the wave `none/wave.vcd`: No such file or directory (os error 2)\n");
    let text = "error: a wave is a file: `--wave` takes a path, and not `-`\n";
    place.ran(&["run", "st.lsu", "--vcd", "-"]).refuses(2, text);
    place.ran(&["run", "st.lsu", "--vcd", "."]).refuses(2, "error: cannot write the wave `.`: is a directory\n");
    // An earlier wave stays whole when another run is refused.
    let bad = place.fed(&["run", "-", "--vcd", "wave.vcd"], "isa spa5\nfrob\n");
    assert_eq!(bad.code, 1);
    assert_eq!(std::fs::read(place.path().join("wave.vcd")).unwrap(), wave);
    assert_eq!(place.files(), ["st.lsu", "wave.gtkw", "wave.sucl", "wave.vcd"]);
}

/// A layout that somebody saved stays, and is not what is said to open the wave.
#[test]
fn a_layout_of_somebodys_own_opens_nothing() {
    let place = Place::new().with("st.lsu", STORE).with("wave.gtkw", "[*] GTKWave's own\n");
    let ran = place.ran(&["run", "st.lsu", "--wave", "wave.vcd"]);
    let told =
        "wave written to wave.vcd; `gtkwave wave.vcd` opens it, without a layout:\n`wave.gtkw` is somebody's own\n";
    assert_eq!((ran.err.as_str(), ran.code), (told, 0));
}

#[test]
fn a_wave_that_begins_behind_the_run_is_told() {
    let place = Place::new().with("st.lsu", STORE);
    let ran = place.ran(&["run", "st.lsu", "--wave", "wave.vcd", "--from", "100000"]);
    assert!(ran.err.contains("note: the wave is empty: the run has ") && ran.code == 0, "{}", ran.err);
    let ran = place.ran(&["run", "st.lsu", "--wave", "wave.vcd", "--from", "1"]);
    assert!(!ran.err.contains("note: ") && ran.code == 0, "{}", ran.err);
}

const SHARED: &str = "isa spa5\nlanes 4\nshared 0x10: .word -1\nP0 = 0\nactive = 1\nR1 = 0x1000010\nR4 = 0x44332211\nST.U8 [R1+0x1], R4, P0\n";

#[test]
fn what_the_scratchpad_holds_in_the_end_is_shown() {
    let place = Place::new().with("shared.lsu", SHARED);
    let ran = place.ran(&["run", "shared.lsu"]);
    let end = "\nShared memory that was stored to:\n  0x0000000010  ff 11 ff ff 00 00 00 00  00 00 00 00 00 00 00 00\n";
    assert!(ran.out.contains(end), "{}", ran.out);
    let json = place.ran(&["run", "shared.lsu", "--json"]);
    let verdict: Value = serde_json::from_str(json.out.lines().last().unwrap()).unwrap();
    let bytes = "ff 11 ff ff 00 00 00 00 00 00 00 00 00 00 00 00";
    assert_eq!(verdict["shared"], serde_json::json!([{ "address": "0x10", "bytes": bytes }]));
    assert_eq!(verdict["memory"], serde_json::json!([]));
    // All 32 KiB are compared, not only the fault of each lane.
    assert!(verdict["comparisons"].as_u64() >= Some(32768 / 4), "{verdict}");
}

/// Nothing loads what the program stores, and yet the store is wrong.
#[cfg(feature = "planted-faults")]
#[test]
fn what_the_scratchpad_holds_in_the_end_is_compared() {
    let place = Place::new().with("shared.lsu", SHARED);
    let ran = place.ran(&["run", "shared.lsu", "--fault", "49", "--log", "run.jsonl"]);
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("read back after the program's last operation"), "{}", ran.err);
    assert!(ran.out.contains("PORT-SPAD") && !ran.out.contains("RTL and model agree"), "{}", ran.out);
    let judged = place.ran(&["judge", "run.jsonl"]);
    assert!(judged.code == 1 && judged.out.contains("PORT-SPAD"), "{}{}", judged.out, judged.err);
    assert_eq!(place.ran(&["run", "shared.lsu", "--fault", "0"]).code, 0);
}

#[test]
fn what_is_undefined_is_said() {
    let program = "isa sm5\nlanes 4\nactive = 3\nuav 0 structured 0x1000 0x40 16\nmemory 0x1000: .word 0\nr0.x = 0\n\
                   r0.y = [0, 16]\natomic_cmp_store u0, r0.xyxx, l(0), l(1)\natomic_cmp_store u0, r0.xxxx, l(1), l(2)\n";
    let place = Place::new().with("wild.lsu", program);
    let ran = place.ran(&["run", "wild.lsu"]);
    let text = &ran.out;
    assert!(text.contains("From here on all of u0 is undefined by the source"), "{text}");
    assert!(text.contains("stored, it was undefined") && text.contains("SM5-WILD"), "{text}");
    assert!(text.contains("02 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  undefined\n"), "{text}");
    assert!(text.contains("\nu0 is undefined since line 8: its bytes are this unit's choice (SM5-WILD)\n"), "{text}");
    assert!(text.contains("Then 1 write-exclusive, of the lines at 0x1000."), "{text}");
    assert_eq!((ran.err.as_str(), ran.code), ("", 0));
    let json = place.ran(&["run", "wild.lsu", "--json"]).out;
    let lines: Vec<Value> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&lines[0]["undefined"], &lines[1]["undefined"]), (&"u0".into(), &Value::Null));
    assert_eq!(
        (&lines[0]["lanes"][0]["pair"]["undefined"], &lines[1]["lanes"][0]["pair"]["undefined"]),
        (&Value::Null, &true.into())
    );
    assert_eq!(lines[2]["memory"][0]["undefined"], "u0 since line 8");
}

/// A program may come by a pipe that has a name.
#[test]
#[cfg(unix)]
fn a_pipe_is_a_program_to_explain() {
    let script = format!("cat {} | {} explain /dev/stdin", example("spa5_worked.lsu"), env!("CARGO_BIN_EXE_gpu-lsu"));
    let output = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}
