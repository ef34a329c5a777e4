// SPDX-License-Identifier: MIT OR Apache-2.0
//! What small faults of this unit showed: the broken rule and where it differed, line by line. mutants.txt is made by
//! machine, from mutants that nobody chose: `scripts/mutate --lines` writes it.
//!
//! A line that is no longer as it was says nothing any more. Of other RTL there are no lines here; it has its cone.

use std::sync::LazyLock;

const TEXT: &str = include_str!("mutants.txt");

/// What a mutant of a line showed.
#[derive(Debug, PartialEq, Eq)]
pub struct Shown {
    /// The file's name.
    pub file: &'static str,
    /// The line, without the space around it.
    pub line: &'static str,
    /// The rule that was named, and others that it might be.
    pub rules: Vec<&'static str>,
    /// As [`place`](super::symptom::place) says it.
    pub place: &'static str,
}

/// All of them: `FILE RULE[|RULE] PLACE LINE`, with tabs between.
pub fn known() -> &'static [Shown] {
    static KNOWN: LazyLock<Vec<Shown>> = LazyLock::new(|| {
        let lines = TEXT.lines().filter(|line| !line.starts_with('#'));
        let shown = lines.filter_map(|line| {
            let [file, rules, place, line] = line.splitn(4, '\t').collect::<Vec<_>>().try_into().ok()?;
            Some(Shown { file, line, rules: rules.split('|').collect(), place })
        });
        shown.collect()
    });
    &KNOWN
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clause::Clause;
    use std::{fs, path::Path};

    /// When most of it speaks of lines that are gone, it is time to make it again.
    #[test]
    fn what_mutants_showed_is_of_the_unit_as_it_is() {
        let known = known();
        assert_eq!(known.len(), TEXT.lines().filter(|line| !line.starts_with('#')).count(), "every row has four parts");
        assert!(known.len() > 300);
        let rtl = Path::new(env!("CARGO_MANIFEST_DIR")).join("rtl");
        let stands = |shown: &&Shown| {
            let text = fs::read_to_string(rtl.join(shown.file)).unwrap_or_default();
            text.lines().any(|line| line.trim() == shown.line)
        };
        let standing = known.iter().filter(stands).count();
        assert!(10 * standing >= 8 * known.len(), "{standing} of {}: run `scripts/mutate --lines`", known.len());
        for shown in known {
            assert!(shown.rules.iter().all(|rule| rule.parse::<Clause>().is_ok()), "{shown:?}");
        }
    }
}
