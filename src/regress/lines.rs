// SPDX-License-Identifier: MIT OR Apache-2.0
//! How often each line of the RTL ran: read from Verilator's counts, added up, written as LCOV.

use std::{collections::BTreeMap, fmt::Write};

use serde::{Deserialize, Serialize};

/// Counts by file and line. Files are named relative to the root of the RTL.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Lines(BTreeMap<String, BTreeMap<u32, u64>>);

impl Lines {
    /// Reads a coverage file of Verilator, which has a line for each point: `C '`, its keys, `' `, its count. Each key
    /// follows an 0x01, and its value an 0x02: `f` is the file, `l` the first line, `S` all lines, `t` the kind. The
    /// count of a line is the largest count of its points. Files outside `root` do not belong to the RTL.
    pub fn of_points(text: &str, root: &str) -> Self {
        let mut lines = Lines::default();
        for point in text.lines().filter_map(|line| line.strip_prefix("C '")) {
            let Some((keys, count)) = point.rsplit_once("' ") else { continue };
            let value = |key: &str| {
                let pair = keys.split('\u{1}').filter_map(|pair| pair.split_once('\u{2}'));
                pair.into_iter().find(|(name, _)| *name == key).map(|(_, value)| value)
            };
            let file = value("f").and_then(|file| file.strip_prefix(root)).map(|file| file.trim_start_matches('/'));
            let (Some(file), Ok(count)) = (file, count.trim().parse::<u64>()) else { continue };
            let of = value("S").filter(|of| !of.is_empty()).or(value("l")).unwrap_or_default();
            let counts = lines.0.entry(file.to_owned()).or_default();
            for line in of.split(',').flat_map(range) {
                let most = counts.entry(line).or_default();
                *most = count.max(*most);
            }
        }
        lines
    }

    /// Adds the counts of `others`.
    pub fn add(&mut self, others: &Lines) {
        for (file, theirs) in &others.0 {
            let mine = self.0.entry(file.clone()).or_default();
            for (&line, count) in theirs {
                let sum = mine.entry(line).or_default();
                *sum = sum.saturating_add(*count);
            }
        }
    }

    /// The number of lines that ran, and of all lines.
    pub fn totals(&self) -> (usize, usize) {
        let counts = || self.0.values().flat_map(BTreeMap::values);
        (counts().filter(|&&count| count > 0).count(), counts().count())
    }

    /// Returns the counts in LCOV, the format that `genhtml` and editors read.
    pub fn to_lcov(&self) -> String {
        let mut text = String::from("TN:gpu_lsu\n");
        for (file, counts) in &self.0 {
            let _ = writeln!(text, "SF:{file}"); // writing to a String does not fail
            for (line, count) in counts {
                let _ = writeln!(text, "DA:{line},{count}");
            }
            let hit = counts.values().filter(|&&count| count > 0).count();
            let _ = writeln!(text, "LF:{}\nLH:{hit}\nend_of_record", counts.len());
        }
        text
    }
}

/// Parses `7` or `7-9`; empty beyond the number of lines that a file may have.
fn range(text: &str) -> std::ops::Range<u32> {
    const MOST: u32 = 1_000_000;
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    match (from.parse::<u32>(), to.parse::<u32>()) {
        (Ok(from), Ok(to)) if from > 0 && to <= MOST => from..to + 1,
        _ => 0..0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_become_lines() {
        let point = |keys: &[(&str, &str)], count: u64| {
            let keys: String = keys.iter().map(|(key, value)| format!("\u{1}{key}\u{2}{value}")).collect();
            format!("C '{keys}' {count}\n")
        };
        let text = "# SystemC::Coverage-3\n".to_owned()
            + &point(&[("f", "/x/rtl/a.sv"), ("l", "3"), ("S", "3-4,7"), ("t", "line")], 5)
            + &point(&[("f", "/x/rtl/a.sv"), ("l", "4"), ("t", "branch")], 9)
            + &point(&[("f", "/x/rtl/b.sv"), ("l", "1")], 0)
            + &point(&[("f", "/y/out.sv"), ("l", "1")], 8)
            + "C 'odd\n";
        let mut lines = Lines::of_points(&text, "/x/rtl");
        assert_eq!(lines.totals(), (3, 4));
        lines.add(&lines.clone());
        let lcov = "TN:gpu_lsu\nSF:a.sv\nDA:3,10\nDA:4,18\nDA:7,10\nLF:3\nLH:3\nend_of_record\n\
                    SF:b.sv\nDA:1,0\nLF:1\nLH:0\nend_of_record\n";
        assert_eq!(lines.to_lcov(), lcov);
        let json = serde_json::to_string(&lines).unwrap();
        assert_eq!(json, r#"{"a.sv":{"3":10,"4":18,"7":10},"b.sv":{"1":0}}"#);
        assert_eq!(serde_json::from_str::<Lines>(&json).unwrap(), lines);
    }
}
