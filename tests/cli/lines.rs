// SPDX-License-Identifier: MIT OR Apache-2.0
//! `--line-coverage`: how often each line of the RTL ran, as LCOV.

use crate::Place;

#[cfg(not(feature = "line-coverage"))]
#[test]
fn a_build_without_counters_says_which_has_them() {
    let place = Place::new();
    let text = "error: this build counts no lines of the RTL; this one does: `cargo run --release --features \
                line-coverage -- verify --line-coverage lines.info`\n";
    place.ran(&["verify", "--ops", "1", "--line-coverage", "a.info"]).refuses(2, text);
    assert!(place.files().is_empty());
}

#[test]
fn results_without_counts_are_no_lcov() {
    let place = Place::new();
    assert_eq!(place.ran(&["verify", "--seed", "1", "--ops", "300", "--result", "r"]).code, 0);
    let ran = place.ran(&["merge", "r", "--lcov", "a.info"]);
    assert!(ran.code == 1 && ran.err.starts_with("error: these results have no counts of lines\n"), "{}", ran.err);
    assert_eq!(place.files(), ["r"]);
}

/// Each line's counts by file.
#[cfg(feature = "line-coverage")]
fn counts(text: &str) -> std::collections::BTreeMap<String, Vec<(usize, u64)>> {
    let mut files = std::collections::BTreeMap::new();
    for record in text.trim_start_matches("TN:gpu_lsu\n").split_terminator("end_of_record\n") {
        let field = |name: &'static str| record.lines().filter_map(move |line| line.strip_prefix(name));
        let counts: Vec<(usize, u64)> = field("DA:")
            .map(|pair| pair.split_once(',').unwrap())
            .map(|(line, count)| (line.parse().unwrap(), count.parse().unwrap()))
            .collect();
        let number = |name| field(name).next().unwrap().parse::<usize>().unwrap();
        let hit = counts.iter().filter(|(_, count)| *count > 0).count();
        assert_eq!((number("LF:"), number("LH:")), (counts.len(), hit), "{record}");
        assert_eq!(files.insert(field("SF:").next().unwrap().to_owned(), counts), None);
    }
    files
}

/// Of whoever runs which block, in one piece or in shards, and of lines that are there.
#[cfg(feature = "line-coverage")]
#[test]
fn lines_are_counted_whoever_runs_them() {
    let place = Place::new();
    let verify = ["verify", "--seed", "1", "--ops", "4000", "--line-coverage"];
    let text = |name: &str| std::fs::read_to_string(place.path().join(name)).unwrap();
    for jobs in ["1", "2"] {
        let ran = place.ran(&[&verify[..], &[jobs, "--jobs", jobs]].concat());
        assert_eq!((ran.err.as_str(), ran.code), ("", 0));
        assert!(ran.out.contains(" lines of RTL ran\n"), "{}", ran.out);
    }
    assert_eq!(text("1"), text("2"));
    for shard in ["1/3", "2/3", "3/3"] {
        let file = format!("{}.result.json", &shard[..1]);
        let ran = place.ran(&[&verify[..], &["part", "--shard", shard, "--result", &file]].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
    }
    assert_eq!(place.ran(&["merge", ".", "--lcov", "merged"]).code, 0);
    assert_eq!(text("merged"), text("1"));

    let files = counts(&text("1"));
    let rtl = gpu_lsu::rtl::built().path;
    assert!(files.len() > 20, "{:?}", files.keys());
    for (file, counts) in &files {
        let source = std::fs::read_to_string(std::path::Path::new(&rtl).join(file)).unwrap();
        assert!(counts.iter().all(|&(line, _)| (1..=source.lines().count()).contains(&line)), "{file}");
    }
    let all = files.values().flatten();
    let hit = all.clone().filter(|(_, count)| *count > 0).count();
    assert!(hit * 10 > all.count() * 8, "{hit} of {}", files.values().flatten().count());
}
