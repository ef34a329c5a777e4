// SPDX-License-Identifier: MIT OR Apache-2.0
//! How similar lines are to a mismatch, each weighed against all others.

use super::super::{
    symptom::Symptom,
    text::{Corpus, Words, add},
};

/// A line's text, and the comments on it and on what it contains.
pub struct Said<'a> {
    pub line: &'a str,
    pub here: &'a str,
    pub target: &'a str,
    pub function: &'a str,
    pub names: &'a str,
}

/// How similar a line is to the parts of a mismatch.
pub struct Common {
    pub line_rule: f64,
    pub line_finding: f64,
    pub line_operation: f64,
    pub function_rule: f64,
    pub names_rule: f64,
    pub names_finding: f64,
}

/// The words of every line, and those of a mismatch.
pub struct Likeness {
    lines: Vec<Words>,
    functions: Vec<Words>,
    names: Vec<Words>,
    rule: Words,
    finding: Words,
    operation: Words,
}

impl Likeness {
    pub fn new(symptom: &Symptom) -> Self {
        let [mut rule, mut finding, mut operation] = [(); 3].map(|()| Words::new());
        add(&mut rule, &symptom.sentence, 1.0);
        symptom.rules.first().into_iter().for_each(|id| add(&mut rule, id, 1.0));
        add(&mut finding, &symptom.says, 1.0);
        // What the operations set, once each; as the case is as small as it can be, it matters.
        for ((kind, path), _) in symptom.known.iter().flatten().filter(|(_, value)| **value != 0) {
            let mut words = Words::new();
            add(&mut words, path, if kind == "op_t" { 1.0 } else { 0.5 });
            for (word, weight) in words {
                let known = operation.entry(word).or_default();
                *known = known.max(weight);
            }
        }
        let [lines, functions, names] = [(); 3].map(|()| Vec::new());
        Likeness { lines, functions, names, rule, finding, operation }
    }

    pub fn add(&mut self, said: &Said) {
        let [mut line, mut function, mut names] = [(); 3].map(|()| Words::new());
        add(&mut line, said.line, 1.0);
        add(&mut line, said.here, 0.7);
        add(&mut line, said.target, 0.5);
        add(&mut function, said.function, 1.0);
        add(&mut names, said.names, 0.5);
        self.lines.push(line);
        self.functions.push(function);
        self.names.push(names);
    }

    /// The similarity of each line, in the order in which they were added.
    pub fn all(&self) -> Vec<Common> {
        let [lines, functions, names] = [&self.lines, &self.functions, &self.names].map(Corpus::new);
        let common = self.lines.iter().zip(&self.functions).zip(&self.names).map(|((line, function), name)| Common {
            line_rule: lines.likeness(line, &self.rule),
            line_finding: lines.likeness(line, &self.finding),
            line_operation: lines.likeness(line, &self.operation),
            function_rule: functions.likeness(function, &self.rule),
            names_rule: names.likeness(name, &self.rule),
            names_finding: names.likeness(name, &self.finding),
        });
        common.collect()
    }
}
