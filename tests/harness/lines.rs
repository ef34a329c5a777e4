// SPDX-License-Identifier: MIT OR Apache-2.0
//! How often the report of a planted fault names the line that the fault is in.

use std::{collections::HashMap, fs, ops::RangeInclusive, path::Path};

use gpu_lsu::{
    clause::Clause,
    cone,
    cosim::{Case, Mismatch},
    rtl::Sources,
};

/// The percentage of faults whose line must be among the named ones: of those that something other than a reset shows,
/// and of registers that a reset leaves as they are, of which any may be the one.
const FLOORS: [usize; 2] = [60, 15];

/// The lines of each fault, and those that were named.
pub struct Tally {
    rtl: Sources,
    /// The file and the lines of rtl/ that a fault changes, by number.
    faults: HashMap<u16, (String, Vec<usize>)>,
    /// For each fault, whether it is of a reset, and the place of the first right line.
    places: Vec<(bool, Option<usize>)>,
    right_file_first: usize,
}

impl Tally {
    pub fn new(list: &str) -> Self {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("rtl");
        let rtl = Sources::of(&dir).unwrap();
        Tally { rtl, faults: places(&dir, list), places: Vec::new(), right_file_first: 0 }
    }

    /// Searches for a fault's line as `verify` does.
    pub fn add(&mut self, number: u16, case: &Case, mismatch: &Mismatch) {
        let (file, right) = &self.faults[&number];
        let lines = cone::look(&self.rtl, &case.ctrl, &case.issues, mismatch).unwrap();
        assert_eq!(lines.len(), cone::NAMED);
        let place = lines.iter().position(|line| line.file == *file && right.contains(&line.line));
        let first = &lines[0];
        println!("    line {place:?} of {file}:{right:?}; the first is {}:{}", first.file, first.line);
        self.right_file_first += usize::from(first.file == *file);
        self.places.push((mismatch.clause == Clause::PortReset, place));
    }

    /// Prints the rates and checks them against the promise of docs/lines.md.
    pub fn judge(&self) {
        let within =
            |most: usize| self.places.iter().filter(|(_, place)| place.is_some_and(|place| place < most)).count();
        let all = self.places.len();
        let [first, three, ten] = [1, 3, cone::NAMED].map(within);
        let file = self.right_file_first;
        println!("of {all} faults the line is named first for {first}, within 3 for {three}, within 10 for {ten}");
        println!("the first line is in the right file for {file}");
        for (floor, of_reset) in FLOORS.into_iter().zip([false, true]) {
            let places: Vec<_> = self.places.iter().filter(|(of, _)| *of == of_reset).map(|(_, place)| place).collect();
            let (all, named) = (places.len(), places.iter().filter(|place| place.is_some()).count());
            println!("of a reset: {of_reset}, named {named} of {all}");
            assert!(100 * named >= floor * all, "of a reset: {of_reset}, {named} of {all}");
        }
    }
}

/// The lines that each fault of a list changes. A fault may change text that another one inserted.
fn places(rtl: &Path, list: &str) -> HashMap<u16, (String, Vec<usize>)> {
    // By file: its text with the faults so far, and for each byte its line in rtl/.
    let mut files: HashMap<String, (String, Vec<usize>)> = HashMap::new();
    let faults = list.split("\n## ").skip(1).map(|fault| {
        let (head, rest) = fault.split_once('\n').unwrap();
        let mut words = head.split_whitespace();
        let (number, file) = (words.next().unwrap().parse().unwrap(), words.nth(1).unwrap().trim_end_matches(':'));
        let (find, put) = rest.split_once("\n----\n").unwrap();
        let (find, put) = (find.trim_end_matches('\n'), put.trim_end_matches('\n'));
        let (text, of) = files.entry(file.to_owned()).or_insert_with(|| {
            let text = fs::read_to_string(rtl.join(file)).unwrap();
            let of = lines(&text, 1..=usize::MAX);
            (text, of)
        });
        let at = text.find(find).unwrap();
        let range = of[at]..=of[at + find.len() - 1];
        of.splice(at..at + find.len(), lines(put, range.clone()));
        text.replace_range(at..at + find.len(), put);

        // Lines that only locate a fault do not change, and a lone `end` says nothing.
        let put: Vec<_> = put.lines().map(str::trim).collect();
        let changes = |line: &str| !put.contains(&line.trim()) && line.trim() != "end";
        let changed: Vec<_> = range.clone().zip(find.lines()).filter(|(_, line)| changes(line)).collect();
        let right = if changed.is_empty() { range.collect() } else { changed.into_iter().map(|(at, _)| at).collect() };
        (number, (file.to_owned(), right))
    });
    faults.collect()
}

/// The line of each byte of a text, none past the last line.
fn lines(text: &str, range: RangeInclusive<usize>) -> Vec<usize> {
    let mut line = *range.start();
    let number = |byte: u8| {
        let at = line.min(*range.end());
        line += usize::from(byte == b'\n');
        at
    };
    text.bytes().map(number).collect()
}
