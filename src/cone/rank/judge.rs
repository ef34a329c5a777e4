// SPDX-License-Identifier: MIT OR Apache-2.0
//! The signs of one line.

use super::{
    super::{
        design::{Design, Drive, Kind},
        notes::{Notes, family, names, rules},
        symptom::Symptom,
        tokens::{Token, tokens},
        uses::uses,
        value::Values,
        walk::Reached,
    },
    Ranked, Sign,
    like::{Likeness, Said},
};
use crate::clause::Clause;

/// Operators that compute something rather than pass on a value.
const OPERATORS: [&str; 19] =
    ["&&", "||", "!", "==", "!=", "<", ">", ">=", "<=", "<<", ">>", "+", "-", "*", "&", "|", "~", "?", "inside"];

/// What is the same for every line.
pub struct Judge<'a> {
    design: &'a Design,
    symptom: &'a Symptom,
    pub notes: Notes<'a>,
    /// One for each operation of the case.
    values: Vec<Values<'a>>,
    headers: Vec<String>,
}

impl<'a> Judge<'a> {
    pub fn new(design: &'a Design, symptom: &'a Symptom) -> Self {
        let notes = Notes::new(design);
        let values = symptom.known.iter().map(|known| Values::new(design, known)).collect();
        let headers = (0..design.files.len()).map(|file| notes.header(file)).collect();
        Judge { design, symptom, notes, values, headers }
    }

    pub fn line(&self, file: usize, line: usize, ways: &[Reached], best: &Reached, like: &mut Likeness) -> Ranked {
        let drive = &self.design.drives[best.drive];
        let scope = self.scope(file, best);
        let words = tokens(self.notes.text(file, line), line);
        let (here, function) = (self.notes.here(file, line), self.notes.function(scope));
        let called: Vec<_> = self.called(scope, &words);
        let header = &self.headers[file];
        let wanted = &self.symptom.rules;

        let mut signs = [0.0; super::WORTH.len()];
        let mut put = |sign: Sign, value: f64| signs[sign as usize] = value;
        put(Sign::RuleHere, names(&here, wanted));
        put(Sign::RuleOfFunction, names(&function, wanted));
        put(Sign::RuleOfCalled, called.iter().map(|said| names(said, wanted)).fold(0.0, f64::max));
        put(Sign::RuleOfFile, names(header, wanted));
        let nearest = [&here, &function].into_iter().find(|said| !rules(said).is_empty());
        put(Sign::OtherRules, yes(nearest.is_some_and(|said| !self.has_family(said))));
        put(Sign::Far, f64::from(best.cost + 1).log2());
        put(Sign::Dead, yes(!ways.iter().any(|way| self.may_act(way))));
        let module = &self.design.scopes[self.design.scopes[scope].owner.unwrap_or(scope)].name;
        put(Sign::Holds, yes(self.symptom.held.contains(module)));
        put(Sign::Resets, yes(wanted.first().is_some_and(|rule| rule == Clause::PortReset.id()) && self.resets(best)));
        put(Sign::Copies, yes(best.guard.is_none() && copies(drive)));
        put(Sign::Binds, yes(best.guard.is_none() && drive.kind == Kind::Bind));
        put(Sign::Works, works(&words, best.guard.is_none() && drive.kind == Kind::Register));
        put(Sign::Special, self.special(best));

        let mut names = self.notes.section(file, line);
        let glossary = words.iter().filter(|word| word.is_name()).map(|word| self.notes.name(scope, &word.text));
        names.insert_str(0, &(glossary.collect::<Vec<_>>().join(" ") + " "));
        like.add(&Said {
            line: self.notes.text(file, line),
            here: &here,
            target: &drive.target.1,
            function: &format!("{} {function} {}", self.design.scopes[scope].name, called.join(" ")),
            names: &names,
        });
        Ranked { file, line, scope, reached: best.clone(), signs }
    }

    /// The scope that contains a line. The value of an output is made in the inner module, but its connection stands in
    /// the outer.
    fn scope(&self, file: usize, way: &Reached) -> usize {
        let drive = &self.design.drives[way.drive];
        let scope = way.guard.map_or(drive.scope, |guard| self.design.guards[guard].scope);
        if self.design.scopes[scope].file == file { scope } else { drive.target.0 }
    }

    /// The comments of the functions that a line calls.
    fn called(&self, scope: usize, words: &[Token]) -> Vec<String> {
        let calls = words.windows(2).filter(|pair| pair[0].is_name() && pair[1].text == "(");
        let functions = calls.filter_map(|pair| self.design.function(scope, &pair[0].text));
        functions.map(|function| self.notes.function(function)).collect()
    }

    fn has_family(&self, said: &str) -> bool {
        let wanted = self.symptom.rules.first().map_or("", |rule| family(rule));
        rules(said).iter().any(|rule| family(rule) == wanted)
    }

    /// The conditions that a line stands under, from the outside in.
    fn guards(&self, way: &Reached) -> &[(usize, bool)] {
        let guards = &self.design.drives[way.drive].guards[..];
        let own = way.guard.and_then(|own| guards.iter().position(|&(guard, _)| guard == own));
        &guards[..own.unwrap_or(guards.len())]
    }

    fn may_act(&self, way: &Reached) -> bool {
        self.values.is_empty() || self.values.iter().any(|values| values.may(self.guards(way)))
    }

    /// Whether a line acts in a reset: in `if (!rst_ni)`, not in its `else`.
    fn resets(&self, way: &Reached) -> bool {
        let of_reset = |word: &Token| word.is_name() && ["rst", "reset"].iter().any(|name| word.text.contains(name));
        self.guards(way).iter().any(|&(guard, wanted)| wanted && self.design.guards[guard].asks.iter().any(of_reset))
    }

    /// The number of conditions that only operations like these fulfil, up to 3: the known values rule out the
    /// opposite.
    fn special(&self, way: &Reached) -> f64 {
        let never_else = |&&(guard, wanted): &&(usize, bool)| {
            let values = &self.values;
            !self.design.guards[guard].is_loop
                && !values.is_empty()
                && !values.iter().any(|value| value.may(&[(guard, !wanted)]))
        };
        self.guards(way).iter().filter(never_else).count().min(3) as f64
    }
}

fn yes(is: bool) -> f64 {
    f64::from(u8::from(is))
}

/// Whether the drive passes on one value as it is.
fn copies(drive: &Drive) -> bool {
    let reads = uses(&drive.value);
    let one = reads.first().is_some_and(|read| read.whole) && reads.iter().filter(|read| !read.index).count() == 1;
    drive.value.len() <= 3 || one
}

/// How much a line computes, logarithmic; the `<=` of a clocked assignment does not count.
fn works(words: &[Token], at_clock: bool) -> f64 {
    let number = |text: &str| text.starts_with(|first: char| first.is_ascii_digit());
    let count = words.iter().filter(|word| OPERATORS.contains(&&*word.text) || number(&word.text)).count();
    ((count.saturating_sub(usize::from(at_clock)) + 1) as f64).log2()
}
