// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files that no page can be made of, and places where none can go: one error, and nothing is written.

use std::fs;

use crate::{Place, data};

fn files(place: &Place) -> Vec<String> {
    let entries = fs::read_dir(place.path("")).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[track_caller]
fn refuses(place: &Place, arguments: &[&str], code: i32, says: &str) {
    let before = files(place);
    let ran = place.ran(&[&["wave", "report"], arguments].concat());
    assert!(ran.err.starts_with("error: ") && ran.err.contains(says), "{arguments:?}: {}", ran.err);
    assert_eq!((ran.out.as_str(), ran.code), ("", code), "{arguments:?}: {}", ran.err);
    assert_eq!(files(place), before, "{arguments:?}");
}

#[test]
fn what_is_no_run() {
    let place = Place::new();
    let log =
        "{\"gpu_lsu_log\":1,\"unit\":{\"lanes\":4}}\n{\"cycle\":0,\"reset\":true}\n{\"cycle\":1,\"nonsense\":1}\n";
    fs::write(place.path("bad.jsonl"), log).unwrap();
    refuses(&place, &["bad.jsonl"], 1, "line 3");
    fs::write(place.path("cut.capsule"), "# gpu-lsu capsule\nformat = 3\n").unwrap();
    refuses(&place, &["cut.capsule"], 1, "cut.capsule");
    fs::write(place.path("wave.vcd"), "$enddefinitions $end\n").unwrap();
    refuses(&place, &["wave.vcd"], 1, "wave.vcd");
    refuses(&place, &["missing.jsonl"], 2, "cannot read `missing.jsonl`");
}

#[test]
fn no_place_to_go() {
    let place = Place::new();
    let log = "{\"gpu_lsu_log\":1,\"unit\":{\"lanes\":4}}\n{\"cycle\":0,\"reset\":true}\n";
    fs::write(place.path("run.jsonl"), log).unwrap();
    refuses(&place, &["run.jsonl", "-o", "no/such/folder.html"], 2, "cannot write `no/such/folder.html`");
    refuses(&place, &["run.jsonl", "-o", "run.jsonl"], 2, "is what is read");
    refuses(&place, &["-"], 2, "say with `-o` where the page goes");
    refuses(&place, &["run.jsonl", "--run", "2"], 2, "has 1 run");
}

/// A run that shows nothing to its end still is a page, and 1.
#[test]
fn nothing_was_compared() {
    let place = Place::new();
    let log = "{\"gpu_lsu_log\":1,\"unit\":{\"lanes\":4}}\n{\"cycle\":0,\"reset\":true}\n";
    fs::write(place.path("run.jsonl"), log).unwrap();
    let ran = place.ran(&["wave", "report", "run.jsonl"]);
    assert!(ran.err.starts_with("error: nothing was compared: "), "{}", ran.err);
    assert_eq!(ran.code, 1);
    let data = data(&fs::read_to_string(place.path("run.html")).unwrap());
    assert_eq!(data["agrees"], false);
}

/// Of several runs the one that fails, or the one that is asked for; texts of the log are no markup.
#[test]
fn the_run_that_is_asked_for() {
    let place = Place::new();
    let header = |about: &str| format!("{{\"gpu_lsu_log\":1,\"unit\":{{\"lanes\":4}},\"about\":\"{about}\"}}\n");
    // A completion of no operation.
    let wrong = "{\"cycle\":5,\"done\":{\"warp\":1,\"tag\":2}}\n";
    let hostile = "</script><script>document.title='taken'</script><!--";
    fs::write(place.path("run.jsonl"), format!("{}{}{wrong}", header("first"), header(hostile))).unwrap();
    let ran = place.ran(&["wave", "report", "run.jsonl"]);
    assert!(
        ran.err.contains("error: unit and model disagree: PORT-") && ran.err.contains(", run 2 (line 2)"),
        "{}",
        ran.err
    );
    assert_eq!(ran.code, 1);
    let page = fs::read_to_string(place.path("run.html")).unwrap();
    assert_eq!(data(&page)["about"], hostile);
    assert!(!page.contains(hostile));
    let ran = place.ran(&["wave", "report", "run.jsonl", "--run", "1", "-o", "first.html"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.err.contains("run 1 of 2: `--run` chooses another one\n"), "{}", ran.err);
    let page = fs::read_to_string(place.path("first.html")).unwrap();
    assert_eq!(data(&page)["about"], "first");
    assert!(page.contains("<title>nothing was compared: run.jsonl, run 1 of 2</title>"));
}
