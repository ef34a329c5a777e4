// SPDX-License-Identifier: MIT OR Apache-2.0
//! `replay`: capsules that agree, that diverge, that were cut or changed.

use serde_json::{Value, json};

use crate::{Place, capsules, unit, words};

#[test]
fn a_capsule_that_agrees_now() {
    let place = Place::new().with("a.capsule", &capsules::agreeing().to_text());
    let ran = place.ran(&["replay", "a.capsule"]);
    assert!(ran.out.starts_with("RTL and model agree now: 8 operations, "), "{}", ran.out);
    assert!(ran.out.contains("the capsule was written for: PORT-WB ("), "{}", ran.out);
    assert_eq!((ran.err.as_str(), ran.code), ("", 0));
    let fed = place.fed(&["replay", "-"], &capsules::agreeing().to_text());
    assert_eq!((fed.out, fed.code), (ran.out, 0));

    let object: Value = serde_json::from_str(&place.ran(&["replay", "a.capsule", "--json"]).out).unwrap();
    assert_eq!((&object["agrees"], &object["verdict"]), (&true.into(), &"agrees".into()));
    assert!(object["cycles"].as_u64() > Some(0));
}

#[test]
fn a_capsule_that_diverges() {
    let capsule = capsules::diverging();
    let place = Place::new().with("a.capsule", &capsule.to_text());
    let ran = place.ran(&["replay", "a.capsule", "--vcd", "wave.vcd"]);
    let actual = &capsule.mismatch.actual;
    let expected = format!(
        "RTL and model disagree: PORT-RATE
  rule      without stalls: one request a cycle, and one one-line operation a
            cycle
  field     mem_req cycles from the first to the last of 40, in cycle {}
  expected  39
  actual    {actual}
  rtl       {}
",
        capsule.mismatch.cycle,
        unit(32)
    );
    let told = "error: RTL and model disagree: PORT-RATE\nwave written to wave.vcd; `gtkwave wave.gtkw` opens it\n";
    // How long a path is, is the user's business.
    let (said, look) = ran.out.split_once("  look at   ").unwrap();
    assert_eq!(words(said), words(&expected), "{}", ran.out);
    assert!(look.starts_with("lsu") && words(look).ends_with("before the port)"), "{look}");
    assert_eq!((ran.err.as_str(), ran.code), (told, 1));
    assert_eq!(place.files(), ["a.capsule", "wave.gtkw", "wave.sucl", "wave.vcd"]);

    let ran = place.ran(&["replay", "a.capsule", "--json"]);
    let mut object: Value = serde_json::from_str(&ran.out).unwrap();
    let lines = object["mismatch"].as_object_mut().unwrap().remove("rtl_lines").unwrap();
    assert_eq!(lines.as_array().unwrap().len(), 10);
    let rtl = gpu_lsu::rtl::built();
    let expected = json!({
        "agrees": false,
        "verdict": "mismatch",
        "rtl": { "path": rtl.path, "hash": rtl.hash, "parameters": {
            "LANES": 32, "LINE_BYTES": 128, "WARPS": 8, "PENDING": 16, "SHARED_BYTES": 32768,
        } },
        "mismatch": {
            "clause": "PORT-RATE",
            "rule": "without stalls: one request a cycle, and one one-line operation a cycle",
            "operation": null,
            "text": null,
            "lane": null,
            "field": "mem_req cycles from the first to the last of 40",
            "expected": "39",
            "actual": actual,
            "cycle": capsule.mismatch.cycle,
        },
    });
    assert_eq!((object, ran.code), (expected, 1));
}

/// What was found on one RTL may be gone, or another thing, on the next.
#[test]
fn a_capsule_of_another_rtl_is_noted() {
    let mut capsule = capsules::agreeing();
    let place = |text: &str| Place::new().with("a.capsule", text);
    let rtl = capsule.rtl.as_mut().unwrap();
    (rtl.path, rtl.hash) = ("/far/away".to_owned(), "0123456789abcdef".repeat(4));
    let ran = place(&capsule.to_text()).ran(&["replay", "a.capsule"]);
    let here = gpu_lsu::rtl::built();
    let note = format!("note: the capsule was written for another RTL, `/far/away` (0123456789ab); this is {here}\n");
    assert_eq!((words(&ran.err), ran.code), (words(&note), 0));
    assert!(ran.err.lines().all(|line| line.chars().count() <= 80 || line.contains(&here.path)), "{}", ran.err);
    assert!(ran.err.lines().count() > 1, "{}", ran.err);
    // The same sources elsewhere are the same, and a capsule need not say.
    capsule.rtl.as_mut().unwrap().hash = here.hash;
    assert_eq!(place(&capsule.to_text()).ran(&["replay", "a.capsule"]).err, "");
    capsule.rtl = None;
    assert_eq!(place(&capsule.to_text()).ran(&["replay", "a.capsule"]).err, "");
}

#[test]
fn a_capsule_that_diverges_otherwise() {
    let mut capsule = capsules::diverging();
    capsule.mismatch.cycle += 1;
    let ran = Place::new().with("a.capsule", &capsule.to_text()).ran(&["replay", "a.capsule"]);
    assert!(ran.out.contains("\n\nthis is not what the capsule was written for: PORT-RATE ("), "{}", ran.out);
    assert_eq!(ran.code, 1);
}

#[test]
fn a_capsule_that_was_cut_or_changed() {
    let text = capsules::agreeing().to_text();
    let cut = &text[..text.len() - 100];
    let hint = "\n\nhint: to replay it as it is now, delete the line that begins with `checksum`\n";
    for bad in [cut.to_owned(), text.replacen("serial = false", "serial = true", 1)] {
        let place = Place::new().with("bad.capsule", &bad);
        let ran = place.ran(&["replay", "bad.capsule", "--vcd", "wave.vcd"]);
        let start = "error: bad.capsule: the capsule was changed or cut after it was written: its checksum is ";
        assert!(words(&ran.err).starts_with(start) && ran.err.ends_with(hint), "{}", ran.err);
        assert_eq!((ran.out.as_str(), ran.code), ("", 1));
        assert_eq!(place.files(), ["bad.capsule"]);
        // As the hint says: without that line the change is the user's own, and the cut is still none.
        let lines = bad.lines().filter(|line| !line.starts_with("checksum"));
        let free: String = lines.map(|line| format!("{line}\n")).collect();
        let ran = Place::new().with("free.capsule", &free).ran(&["replay", "free.capsule"]);
        assert_eq!(ran.code, if bad == cut { 1 } else { 0 }, "{}", ran.err);
    }
}

#[test]
fn what_is_no_capsule() {
    let hint = "\n\nhint: `gpu-lsu verify` writes a capsule when RTL and model disagree\n";
    for text in ["", "isa spa5\n", "\n# gpu-lsu capsule\n"] {
        let place = Place::new().with("x", text);
        let error = format!("error: x: this is no capsule: its first line is not `# gpu-lsu capsule`{hint}");
        place.ran(&["replay", "x"]).refuses(1, &error);
    }
    let hint = "\n\nhint: compare it with a capsule that this version wrote\n";
    let text =
        "error: x: TOML parse error at line 1, column 1\n  |\n1 | # gpu-lsu capsule\n  | ^\nmissing field `version`";
    Place::new().with("x", "# gpu-lsu capsule\n").ran(&["replay", "x"]).refuses(1, &format!("{text}{hint}"));
    let hint = "\n\nhint: give the name of a readable file, or `-` for standard input\n";
    Place::new()
        .ran(&["replay", "none"])
        .refuses(2, &format!("error: cannot read `none`: No such file or directory (os error 2){hint}"));
}

/// The way to the unit that a capsule is of has that unit's parameters.
#[test]
fn a_capsule_of_another_unit() {
    let mut capsule = capsules::agreeing();
    capsule.case.shape.shared_bytes /= 2;
    let ran = Place::new().with("a.capsule", &capsule.to_text()).ran(&["replay", "a.capsule"]);
    let told = format!("hint: GPU_LSU_PARAMETERS=\"{}\" while it is built makes that unit", capsule.case.shape);
    assert!(words(&ran.err).ends_with(&told) && ran.code == 2, "{}", ran.err);
}

#[test]
fn a_wave_that_cannot_be_written() {
    let place = Place::new().with("a.capsule", &capsules::agreeing().to_text());
    place
        .ran(&["replay", "a.capsule", "--vcd", "none/wave.vcd"])
        .refuses(2, "error: cannot write the wave `none/wave.vcd`: No such file or directory (os error 2)\n");
    assert_eq!(place.files(), ["a.capsule"]);
}
