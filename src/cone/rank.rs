// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ranking of lines: what speaks for each, and how much that is worth.

mod judge;
mod like;

use super::{
    Line,
    design::Design,
    notes::Notes,
    symptom::Symptom,
    walk::{self, Reached, Start},
};
use judge::Judge;
use like::Likeness;

/// The module that the contract is about.
const TOP: &str = "lsu";

/// What speaks for a line, or against it if its worth is negative; 0 to 1 unless said otherwise.
#[derive(Clone, Copy, Debug)]
enum Sign {
    /// The comment at the line names the rule.
    RuleHere,
    /// The comment of its function names the rule.
    RuleOfFunction,
    /// The comment of a function that it calls names the rule.
    RuleOfCalled,
    /// The header of its file names the rule.
    RuleOfFile,
    /// The nearest comment names only rules of other instruction sets.
    OtherRules,
    /// The cost of the way to the wrong signal, logarithmic.
    Far,
    /// It cannot act in any of the operations.
    Dead,
    /// Its module holds what is missing.
    Holds,
    /// It acts in a reset, and the rule is about that.
    Resets,
    /// It only passes on a value.
    Copies,
    /// It only connects, or passes arguments.
    Binds,
    /// Operators and numbers in it, logarithmic.
    Works,
    /// It acts only in operations like these: the number of such conditions, up to 3.
    Special,
    /// How similar the line is to the rule's sentence.
    LikeRule,
    /// How similar the line is to what was expected and seen.
    LikeFinding,
    /// How similar its function is to the rule's sentence.
    FunctionLikeRule,
    /// How similar the comments on its names are to the rule's sentence.
    NamesLikeRule,
    /// How similar the comments on its names are to what was expected and seen.
    NamesLikeFinding,
    /// How much it mentions what the operations set.
    SpeaksOfOperation,
}

/// The worth of each sign, chosen to name most planted faults early; docs/lines.md has the figures.
const WORTH: [(Sign, f64); 19] = [
    (Sign::RuleHere, 6.7),
    (Sign::RuleOfFunction, 2.7),
    (Sign::RuleOfCalled, 1.0),
    (Sign::RuleOfFile, 3.4),
    (Sign::OtherRules, -0.7),
    (Sign::Far, -0.4),
    (Sign::Dead, -9.0),
    (Sign::Holds, 3.6),
    (Sign::Resets, 6.0),
    (Sign::Copies, -0.1),
    (Sign::Binds, -0.7),
    (Sign::Works, 0.3),
    (Sign::Special, 0.5),
    (Sign::LikeRule, 4.2),
    (Sign::LikeFinding, 3.0),
    (Sign::FunctionLikeRule, 1.4),
    (Sign::NamesLikeRule, 1.2),
    (Sign::NamesLikeFinding, 0.9),
    (Sign::SpeaksOfOperation, 1.2),
];

/// A line with its signs.
pub struct Ranked {
    file: usize,
    line: usize,
    scope: usize,
    reached: Reached,
    signs: [f64; WORTH.len()],
}

impl Ranked {
    fn worth(&self) -> f64 {
        WORTH.iter().map(|&(sign, worth)| worth * self.signs[sign as usize]).sum()
    }

    /// The line as a report names it.
    pub fn of(&self, design: &Design, symptom: &Symptom) -> Line {
        let scope = &design.scopes[self.scope];
        let module = scope.owner.map_or(&scope.name, |owner| &design.scopes[owner].name);
        Line {
            file: design.files[self.file].0.clone(),
            line: self.line,
            module: module.clone(),
            text: Notes::new(design).text(self.file, self.line).to_owned(),
            drives: self.reached.drives.clone(),
            registers: self.reached.registers,
            why: self.why(symptom),
        }
    }

    fn why(&self, symptom: &Symptom) -> String {
        let Reached { drives, registers, guard, .. } = &self.reached;
        let verb = if guard.is_some() { "decides on" } else { "drives" };
        let plural = if *registers == 1 { "" } else { "s" };
        let mut why = format!("{verb} {drives}, {registers} register{plural} before the port");
        let has = |sign: Sign| self.signs[sign as usize] > 0.0;
        let rule = symptom.rules.first().map_or("", |rule| rule);
        let here = has(Sign::RuleHere) || has(Sign::RuleOfFunction) || has(Sign::RuleOfCalled);
        if here {
            why += &format!("; the comment here is about {rule}");
        }
        if has(Sign::Holds) {
            why += "; this part holds what is missing";
        }
        why
    }
}

/// All lines that reach what is wrong, the likeliest first; `None` if there is no top module.
pub fn rank(design: &Design, symptom: &Symptom) -> Option<Vec<Ranked>> {
    let top = design.module(TOP)?;
    let judge = Judge::new(design, symptom);
    let mut like = Likeness::new(symptom);
    let mut ranked = Vec::new();
    for (&(file, line), ways) in &walk::lines(design, &starts(design, top, symptom)) {
        // A way may end in a line that only closes a bracket.
        let text = judge.notes.text(file, line);
        let says = text.chars().any(char::is_alphanumeric) && !["begin", "end", "end else begin"].contains(&text);
        if let Some(best) = ways.iter().min_by_key(|way| way.cost).filter(|_| says) {
            ranked.push(judge.line(file, line, ways, best, &mut like));
        }
    }
    for (line, likeness) in ranked.iter_mut().zip(like.all()) {
        line.signs[Sign::LikeRule as usize] = likeness.line_rule;
        line.signs[Sign::LikeFinding as usize] = likeness.line_finding;
        line.signs[Sign::FunctionLikeRule as usize] = likeness.function_rule;
        line.signs[Sign::NamesLikeRule as usize] = likeness.names_rule;
        line.signs[Sign::NamesLikeFinding as usize] = likeness.names_finding;
        line.signs[Sign::SpeaksOfOperation as usize] = likeness.line_operation;
    }
    ranked.sort_by(|one, other| {
        other.worth().total_cmp(&one.worth()).then((one.file, one.line).cmp(&(other.file, other.line)))
    });
    Some(ranked)
}

/// Where the ways begin: at the wrong signal, and at a higher cost at signals that may make it wrong.
fn starts(design: &Design, top: usize, symptom: &Symptom) -> Vec<Start> {
    let (signal, field) = match symptom.signal.split_once('.') {
        Some((signal, field)) => (signal, Some(field.to_owned())),
        None => (&*symptom.signal, None),
    };
    // The signal of an event is its handshake.
    let wanted = format!("{}_{}", symptom.port, if signal.is_empty() { "valid" } else { signal });
    let start = |output: &String| {
        let bare = output.strip_suffix("_o").unwrap_or(output);
        let near = !symptom.port.is_empty() && bare.starts_with(&symptom.port);
        let cost = match () {
            () if bare == wanted => 0,
            () if near && (signal.is_empty() || bare.ends_with("_valid")) => 6,
            () => 20,
        };
        ((top, output.clone()), field.clone().filter(|_| cost == 0), cost)
    };
    let mut outputs: Vec<_> = design.scopes[top].outputs.iter().collect();
    outputs.sort();
    outputs.into_iter().map(start).collect()
}
