// SPDX-License-Identifier: MIT OR Apache-2.0
//! After a mismatch: the lines of RTL to look at first.
//!
//! The unit is the copy with planted faults.

use std::{fs, path::Path};

use serde_json::Value;

use super::Place;

/// Of tests/harness/faults.txt: LD.S16 zero-extends, in rtl/lsu_extract_pkg.sv.
const VERIFY: [&str; 8] = ["verify", "--isa", "spa5", "--seed", "1", "--fault", "22", "--lanes"];

#[test]
fn a_mismatch_says_where_to_look() {
    let place = Place::new();
    let ran = place.ran(&[&VERIFY[..], &["4"]].concat());
    assert_eq!(ran.code, 1);
    let (before, look) = ran.out.split_once("\n  look at   ").unwrap_or_else(|| panic!("{}", ran.out));
    // The verdict stands before it, whole.
    assert!(before.contains("SPA5-EXT") && before.contains("  actual "), "{before}");
    assert!(look.contains("lsu_extract_pkg.sv:"), "{look}");

    let ran = place.ran(&["replay", "gpu-lsu.capsule", "--fault", "22"]);
    assert_eq!(ran.code, 1);
    let (_, look) = ran.out.split_once("\n  look at   ").unwrap_or_else(|| panic!("{}", ran.out));
    assert!(look.contains("lsu_extract_pkg.sv:"), "{look}");

    let ran = place.ran(&["replay", "gpu-lsu.capsule", "--fault", "22", "--json"]);
    assert_eq!(ran.code, 1);
    let verdict: Value = serde_json::from_str(&ran.out).unwrap();
    let lines = verdict["mismatch"]["rtl_lines"].as_array().unwrap();
    assert_eq!(lines.len(), 10);
    for line in lines {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("rtl").join(line["file"].as_str().unwrap());
        let text = fs::read_to_string(file).unwrap();
        let number = line["line"].as_u64().unwrap() as usize;
        assert_eq!(text.lines().nth(number - 1).unwrap().trim(), line["text"], "{line}");
        assert!(line["why"].as_str().is_some_and(|why| !why.is_empty()), "{line}");
    }

    let ran = place.ran(&["replay", "gpu-lsu.capsule", "--fault", "0"]);
    assert_eq!(ran.code, 0);
    assert!(!ran.out.contains("look at"), "{}", ran.out);
}
