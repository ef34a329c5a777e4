// SPDX-License-Identifier: MIT OR Apache-2.0
//! Campaigns in shards, lists of seeds, and what `merge` makes of the results.

use std::fs;

use gpu_lsu::{cosim::stimulus::BLOCK, regress::Results};
use serde_json::Value;

use crate::{Place, Ran};

/// Blocks of a campaign that is cut here; the last one is short.
const BLOCKS: u64 = 26;

impl Place {
    /// Runs a shard of a campaign, and leaves its result in `NAME.result.json`.
    pub fn shard(&self, name: &str, more: &[&str]) {
        let (operations, file) = ((BLOCKS * BLOCK - 5).to_string(), format!("{name}.result.json"));
        let ran = self.ran(&[&["verify", "--ops", &operations, "--result", &file, "--json"], more].concat());
        assert_eq!((ran.err.as_str(), ran.code), ("", 0), "{}", ran.out);
    }

    pub fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap()
    }

    /// A result but for the seconds.
    fn lasting(&self, name: &str) -> String {
        self.text(name).lines().filter(|line| !line.starts_with("\"seconds\":")).collect::<Vec<_>>().join("\n")
    }
}

/// Every shard of a campaign in `of`, in `K.result.json`.
fn shards(place: &Place, of: u64, more: &[&str]) -> Vec<String> {
    let number = |number: u64| {
        let (shard, jobs) = (format!("{number}/{of}"), (1 + number % 2).to_string());
        let name = format!("{number}");
        place.shard(&name, &[&["--shard", &shard, "--jobs", &jobs], more].concat());
        format!("{name}.result.json")
    };
    (1..=of).map(number).collect()
}

fn merge(place: &Place, files: &[String], more: &[&str]) -> Ran {
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    place.ran(&[&["merge"], &files[..], more].concat())
}

#[test]
fn shards_in_any_order_are_the_campaign() {
    let place = Place::new();
    place.shard("whole", &["--seed", "7", "--jobs", "2"]);
    let whole = place.lasting("whole.result.json");
    for of in [1, 3, 4] {
        let folder = Place::new();
        let mut files = shards(&folder, of, &["--seed", "7"]);
        for turn in 0..files.len() {
            let ran = merge(&folder, &files, &["--out", "all.result.json", "-q"]);
            assert_eq!((ran.err.as_str(), ran.code), ("", 0), "{}", ran.out);
            assert_eq!(folder.lasting("all.result.json"), whole, "{of} shards, turn {turn}");
            fs::remove_file(folder.path().join("all.result.json")).unwrap();
            files.rotate_left(1);
        }
    }
    let ran = place.ran(&["merge", "whole.result.json"]);
    assert!(ran.out.contains(&format!("RTL and model agree: {} operations, ", BLOCKS * BLOCK - 5)), "{}", ran.out);
    assert!(ran.out.contains("\nspa5\n") && ran.out.contains(" bins hit\n"), "{}", ran.out);
}

/// Merged results are results: a tree of merges ends in the same bytes, and a folder may hold both.
#[test]
fn what_is_merged_can_be_merged_again() {
    let place = Place::new();
    let files = shards(&place, 4, &["--seed", "1"]);
    merge(&place, &files, &["--out", "at-once.json", "-q"]);
    let halves = [[0, 2], [3, 1]].map(|half| half.map(|file| files[file].clone()));
    for (name, half) in ["a.json", "b.json"].iter().zip(&halves) {
        let ran = merge(&place, half, &["--out", name]);
        assert!(ran.code == 1 && ran.err.contains("error: incomplete: missing are 2 of 4 shards: "), "{}", ran.err);
        assert!(ran.out.contains("\nshards: 2 of 4\n"), "{}", ran.out);
    }
    let ran = place.ran(&["merge", "b.json", "a.json", "--out", "tree.json", "-q"]);
    assert_eq!((ran.err.as_str(), ran.code), ("", 0));
    assert_eq!(place.lasting("tree.json"), place.lasting("at-once.json"));
    // Whatever is in a larger one as well is counted once.
    for inputs in [["a.json", "tree.json", "1.result.json"], ["1.result.json", "1.result.json", "tree.json"]] {
        let ran = place.ran(&[&["merge"], &inputs[..], &["--out", "again.json"]].concat());
        assert!(
            ran.code == 0 && ran.err.matches(" is not counted: all of it is in tree.json").count() == 2,
            "{}",
            ran.err
        );
        assert_eq!(place.lasting("again.json"), place.lasting("at-once.json"));
    }
    let ran = place.ran(&["merge", ".", "--json"]);
    let object: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&object["verdict"], &object["agrees"], ran.code), (&"agrees".into(), &true.into(), 0));
    assert_eq!((&object["operations"], &object["shards"]), (&(BLOCKS * BLOCK - 5).into(), &4.into()));
    // A part that holds a shard together with others cannot give it back.
    let ran = place.ran(&["merge", "a.json", "2.result.json", "b.json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    merge(&place, &[files[0].clone(), files[1].clone()], &["--out", "c.json", "-q"]);
    let ran = place.ran(&["merge", "a.json", "c.json"]);
    assert!(ran.code == 1 && ran.err.contains("shard 1 together with others"), "{}", ran.err);
}

#[test]
fn a_shard_that_is_missing_is_no_verdict() {
    let place = Place::new();
    let files = shards(&place, 3, &["--seed", "1", "--isa", "spa5"]);
    let ran = merge(&place, &files[1..], &["--json"]);
    let object: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&object["verdict"], &object["agrees"], ran.code), (&"incomplete".into(), &false.into(), 1));
    assert_eq!((&object["missing"], &object["shards"]), (&serde_json::json!([[1, 1]]), &3.into()));
    assert_eq!(ran.err, "error: incomplete: missing are 1 of 3 shards: 1\n");
    let empty = Place::new();
    let ran = empty.ran(&["merge", "."]);
    let text = "note: there is no *.result.json in .\nerror: there is nothing to merge\n";
    ran.refuses(1, text);
}

/// What was interrupted is no verdict either, and gives way to the same shard that came to its end.
#[test]
fn a_shard_that_was_interrupted() {
    let place = Place::new();
    shards(&place, 2, &["--seed", "1", "--isa", "spa5"]);
    let text = place.text("1.result.json");
    let cut = text[..text.find("\"digest\"").unwrap()].replace("\"complete\"", "\"interrupted\"");
    let cut = cut.replace("\"ran\":[[0,12]]", "\"ran\":[[0,4],[6,7]]");
    assert!(cut.contains("[6,7]") && cut.contains("interrupted"), "{cut}");
    fs::write(place.path().join("part"), signed(&cut)).unwrap();
    let ran = place.ran(&["merge", "part", "2.result.json", "--json"]);
    let object: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&object["verdict"], ran.code), (&"incomplete".into(), 1));
    assert_eq!(ran.err, "error: incomplete: interrupted before their end: shards 1\n");
    for files in [["part", "1.result.json", "2.result.json"], ["2.result.json", "1.result.json", "part"]] {
        let ran = place.ran(&[&["merge"], &files[..]].concat());
        assert_eq!((ran.err.as_str(), ran.code), ("note: part is not counted: more of it is in 1.result.json\n", 0));
    }
}

#[test]
fn results_that_do_not_go_together() {
    let place = Place::new();
    place.shard("a", &["--seed", "1", "--isa", "spa5", "--shard", "1/2"]);
    for (name, more, what) in [
        ("seed", &["--seed", "2", "--isa", "spa5", "--shard", "2/2"][..], "its seed is 0x2, and not 0x1"),
        ("isa", &["--seed", "1", "--shard", "2/2"], "its instruction set is all, and not spa5"),
        ("cut", &["--seed", "1", "--isa", "spa5", "--shard", "2/3"], "they do not add up"),
        (
            "ops",
            &["--seed", "1", "--isa", "spa5", "--shard", "2/2", "--ops", "9999"],
            "its number of operations is 9999, and not 6651",
        ),
    ] {
        let (file, operations) = (format!("{name}.result.json"), (BLOCKS * BLOCK - 5).to_string());
        let given = if more.contains(&"--ops") { vec![] } else { vec!["--ops", &operations] };
        let ran = place.ran(&[&["verify", "--result", &file], more, &given].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        let ran = place.ran(&["merge", "a.result.json", &file]);
        assert_eq!((ran.out.as_str(), ran.code), ("", 1), "{}", ran.err);
        let said = crate::words(&ran.err);
        assert!(said.starts_with("error: ") && said.contains(&file) && said.contains(what), "{said}");
    }
    // The same shard of the same campaign that says something else.
    let text = place.text("a.result.json");
    let cut = text.find("\"digest\"").unwrap();
    let changed = text[..cut].replacen("\"cycles\":", "\"cycles\":1", 1);
    fs::write(place.path().join("b.json"), signed(&changed)).unwrap();
    for files in [["a.result.json", "b.json"], ["b.json", "a.result.json"]] {
        let ran = place.ran(&[&["merge"], &files[..]].concat());
        assert!(ran.code == 1 && crate::words(&ran.err).contains("say different things of shard 1"), "{}", ran.err);
    }
    // Of another table of bins.
    let object: Value = serde_json::from_str(&text).unwrap();
    let bins = object["campaign"]["bins"].as_str().unwrap();
    fs::write(place.path().join("c.json"), signed(&text[..cut].replace(bins, "0123456789abcdef"))).unwrap();
    let ran = place.ran(&["merge", "c.json"]);
    assert!(ran.code == 1 && crate::words(&ran.err).contains("counts bins of another table"), "{}", ran.err);
}

/// A result whose digest is of what it says.
fn signed(text: &str) -> String {
    let digits: String =
        hmac_sha256::Hash::hash(text.as_bytes())[..16].iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{text}\"digest\":\"{digits}\",\n\"seconds\":1.000\n}}\n")
}

#[test]
fn files_that_are_no_results() {
    let place = Place::new();
    place.shard("a", &["--seed", "1"]);
    let text = place.text("a.result.json");
    let half = text.len() / 2;
    let lines = text[..half].lines().count();
    for (name, content, what, at) in [
        ("cut", text[..half].to_owned(), "this is no result of gpu-lsu: EOF while parsing", format!("cut:{lines}:")),
        (
            "changed",
            text.replacen("\"cycles\":", "\"cycles\":1", 1),
            "was changed after it was written",
            "changed:".to_owned(),
        ),
        ("empty", String::new(), "EOF while parsing", "empty:1:1".to_owned()),
        ("log", "{}\n{}\n".to_owned(), "this is no result of gpu-lsu: trailing characters", "log:2:1".to_owned()),
        ("other", "{\"a\":\n  [1]}".to_owned(), "this is no result of gpu-lsu", "other:1:1".to_owned()),
        ("list", "[1, 2]".to_owned(), "it is no JSON object", "list:1:1".to_owned()),
        ("words", "hello".to_owned(), "it is no JSON object", "words:1:1".to_owned()),
        ("newer", text.replacen("_result\":1", "_result\":9", 1), "it is of format 9", "newer:2:1".to_owned()),
    ] {
        fs::write(place.path().join(name), content).unwrap();
        let ran = place.ran(&["merge", "a.result.json", name]);
        assert_eq!((ran.out.as_str(), ran.code), ("", 1), "{name}: {}", ran.err);
        assert!(crate::words(&ran.err).contains(what) && ran.err.contains(&at), "{name}: {}", ran.err);
    }
    let ran = place.ran(&["merge", "none.json"]);
    assert!(ran.code == 2 && ran.err.starts_with("error: cannot read `none.json`: "), "{}", ran.err);
    let ran = place.ran(&["merge", "a.result.json", "--out", "none/x"]);
    assert!(ran.code == 2 && ran.err.starts_with("error: cannot write `none/x`: "), "{}", ran.err);
    place.ran(&["merge", "-"]).refuses(2, "error: `merge` takes no standard input: give results, or folders of them\n");
    let text = "error: `words` is a file: give a folder, or one that is not there yet\n";
    place.ran(&["merge", "a.result.json", "--capsules", "words"]).refuses(2, text);
}

#[test]
fn seeds_of_a_file() {
    let place = Place::new().with("seeds", "# a night\n0x2a  # the old one\n\n  7\n1000\n");
    let more = ["--seeds", "seeds", "--isa", "ptx", "--ops", "1000", "--jobs", "2"];
    let ran = place.ran(&[&["verify", "--result", "all.result.json"], &more[..]].concat());
    assert_eq!((ran.err.as_str(), ran.code), ("", 0));
    assert!(
        ran.out.starts_with("3 seeds, 32 lanes\n") && ran.out.ends_with("\n3 seeds, 0x7 to 0x3e8\n"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("agree: 3000 operations, "), "{}", ran.out);
    for shard in ["1/5", "2/5", "3/5", "4/5", "5/5"] {
        let file = format!("{}.json", &shard[..1]);
        let ran = place.ran(&[&["verify", "--result", &file, "--shard", shard], &more[..]].concat());
        assert_eq!((ran.err.as_str(), ran.code), ("", 0));
    }
    let ran = place.ran(&["merge", "4.json", "1.json", "5.json", "2.json", "3.json", "--out", "merged", "-q"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(place.lasting("merged"), place.lasting("all.result.json"));
    // What one seed covers is what it covers alone.
    let (all, _) = Results::read(place.text("all.result.json").as_bytes()).unwrap();
    let alone = place.ran(&["verify", "--seed", "42", "--isa", "ptx", "--ops", "1000", "--result", "one"]);
    assert_eq!(alone.code, 0);
    let (one, _) = Results::read(place.text("one").as_bytes()).unwrap();
    assert_eq!(all.seeds.len(), 3);
    assert_eq!(all.seeds[1], one.coverage.all_bits());

    for (name, text, what) in [
        ("bad", "1\n  0xzz # no\n", "a seed is a 64-bit number, decimal or 0x..."),
        ("twice", "1\n2\n0x1\n", "the seed 0x1 is in line 1 already"),
        ("none", "# nothing\n", "there is no seed in the file"),
    ] {
        let place = Place::new().with(name, text);
        let ran = place.ran(&["verify", "--seeds", name]);
        assert!(ran.code == 1 && ran.out.is_empty() && ran.err.contains(what), "{}", ran.err);
    }
    let ran = Place::new().with("bad", "1\n  0xzz # no\n").ran(&["verify", "--seeds", "bad"]);
    assert!(ran.err.contains("bad:2:3"), "{}", ran.err);
}

#[test]
fn coverage_that_is_required() {
    let place = Place::new();
    let little = ["verify", "--seed", "1", "--isa", "spa5", "--ops", "300", "--require-coverage", "99.5"];
    let ran = place.ran(&[&little[..], &["--result", "r.result.json"]].concat());
    assert_eq!(ran.code, 1);
    let said = crate::words(&ran.err);
    assert!(
        said.starts_with("error: ") && said.contains(" % of the bins are hit, and 99.5 % are required: "),
        "{said}"
    );
    assert!(said.contains("not hit are bins of spa5 ") && ran.out.contains("RTL and model agree"), "{said}");
    let ran = place.ran(&[&little[..], &["--json"]].concat());
    let object: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&object["verdict"], &object["agrees"], ran.code), (&"too little covered".into(), &true.into(), 1));
    assert_eq!(place.ran(&["merge", "r.result.json", "--require-coverage", "100"]).code, 1);
    let ran = place.ran(&["merge", "r.result.json", "--require-coverage", "1%"]);
    assert_eq!((ran.err.as_str(), ran.code), ("", 0));
}

#[test]
fn shards_that_make_no_sense() {
    let place = Place::new();
    let help = "\n\nFor more information, try '--help'.\n";
    let range = "shard K of N, K from 1 to N, N up to 1000000, such as 3/8";
    let form = "a shard is K/N, such as 3/8: the third of eight";
    for (text, why) in [("0/4", range), ("5/4", range), ("a/b", form), ("3", form), ("-1/2", form)] {
        let text = format!("error: invalid value '{text}' for '--shard <K/N>': {why}{help}");
        let shard = text.split('\'').nth(1).unwrap().to_owned();
        place.ran(&["verify", "--seed", "1", "--shard", &shard]).refuses(2, &text);
    }
    let text = "error: shards of one campaign have its seed: `--shard` needs `--seed` or `--seeds`\n";
    place.ran(&["verify", "--shard", "1/2"]).refuses(2, text);
    let text = "error: a campaign of 2 blocks is cut into 2 shards at most, not 3: give more `--ops`\n";
    place.ran(&["verify", "--seed", "1", "--ops", "512", "--shard", "1/3"]).refuses(2, text);
    let ran = place.ran(&["verify", "--seed", "1", "--time", "1s", "--shard", "1/3"]);
    assert!(ran.code == 2 && ran.err.contains("cannot be used with"), "{}", ran.err);
    let folder = ["farm", "--out", "farm", "--script", "--ops", "256", "--shards"];
    let text = "error: a campaign of 1 block is cut into 1 shard at most, not 4: give more `--ops`\n";
    place.ran(&[&folder[..], &["4"]].concat()).refuses(2, text);
    // A comment is no seed.
    let seeds = Place::new().with("seeds", "# one\n1\n");
    let text = text.replace("not 4", "not 2");
    seeds.ran(&[&folder[..], &["2", "--seeds", "seeds"]].concat()).refuses(2, &text);
    assert_eq!(seeds.files(), ["seeds"]);
    for arguments in [&["verify", "--ops", "1", "--result", "-"][..], &["merge", ".", "--junit", "-"]] {
        let option = arguments[arguments.len() - 2];
        let told = format!("error: a report is a file: `{option}` takes a path, and not `-`\n");
        place.ran(arguments).refuses(2, &told);
    }
    let ran = place.ran(&["verify", "--ops", "1", "--result", "none/x"]);
    assert!(ran.code == 2 && ran.err.starts_with("error: cannot write `none/x`: "), "{}", ran.err);
    assert!(place.files().is_empty());
}

/// A result of the copy with planted faults says so, wherever it is shown.
#[test]
#[cfg(feature = "planted-faults")]
fn a_planted_fault_is_named() {
    let place = Place::new();
    // Nothing of it shows in so few operations.
    let verify = ["verify", "--isa", "sm5", "--ops", "20", "--seed", "3", "--fault", "3", "--result", "a.result.json"];
    assert_eq!(place.ran(&[&verify[..], &["--junit", "a.xml"]].concat()).code, 0);
    let ran = place.ran(&["merge", "a.result.json", "--junit", "b.xml", "--ucis", "c.xml"]);
    assert!(crate::words(&ran.out).contains("SHARED_BYTES=32768, planted fault 3 "), "{}", ran.out);
    for name in ["a.xml", "b.xml", "c.xml"] {
        assert!(place.text(name).contains(", planted fault 3\""), "{name}: {}", place.text(name));
    }
    let json: Value = serde_json::from_str(&place.ran(&["merge", "a.result.json", "--json"]).out).unwrap();
    assert_eq!(json["planted_fault"], 3);
}
