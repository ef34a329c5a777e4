// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the comments of a unit say of its lines, and which rules they name.

use super::design::Design;

/// The comments of a design.
pub struct Notes<'a> {
    design: &'a Design,
    source: Vec<Vec<&'a str>>,
}

impl<'a> Notes<'a> {
    /// The comments of all files.
    pub fn new(design: &'a Design) -> Self {
        Notes { design, source: design.files.iter().map(|(_, text)| text.lines().collect()).collect() }
    }

    /// A line, without the space around it.
    pub fn text(&self, file: usize, line: usize) -> &'a str {
        self.source[file].get(line.wrapping_sub(1)).map_or("", |line| line.trim())
    }

    /// The comments on a line and right above it.
    pub fn here(&self, file: usize, line: usize) -> String {
        let mut said = self.design.comments.get(&(file, line)).cloned().unwrap_or_default();
        let above = (1..line).rev().take_while(|&above| self.text(file, above).starts_with("//"));
        for above in above {
            let more = self.design.comments.get(&(file, above)).map_or("", |said| said);
            said = format!("{more} {said}");
        }
        said
    }

    /// The comment of a function.
    pub fn function(&self, scope: usize) -> String {
        let scope = &self.design.scopes[scope];
        if scope.owner.is_some() { self.here(scope.file, scope.line) } else { String::new() }
    }

    /// The comments that a file begins with.
    pub fn header(&self, file: usize) -> String {
        let lines = self.source[file].iter().take_while(|line| line.starts_with("//") || line.is_empty());
        lines.copied().collect::<Vec<_>>().join(" ")
    }

    /// The comment on the part that a line stands in: the last one above it that has lines of its own.
    pub fn section(&self, file: usize, line: usize) -> String {
        for above in (1..line).rev() {
            let text = self.text(file, above);
            if text.starts_with("//") && !text.starts_with("// --") {
                return self.here(file, above);
            }
            if text.starts_with("endfunction") || text.starts_with("module") {
                break;
            }
        }
        String::new()
    }

    /// The comment on a name at its declaration: on its line, or above the lines around it.
    pub fn name(&self, scope: usize, name: &str) -> String {
        let symbol = self.design.resolve(scope, name);
        let Some(&(file, line)) = self.design.declared_at.get(&symbol) else { return String::new() };
        if let Some(said) = self.design.comments.get(&(file, line)) {
            return said.clone();
        }
        let among = (1..line).rev().take_while(|&above| !self.text(file, above).is_empty());
        let above = among.into_iter().find(|&above| self.text(file, above).starts_with("//"));
        above.map_or_else(String::new, |above| self.here(file, above))
    }
}

/// The rules that a text names: words of capitals and digits with a hyphen in them.
pub fn rules(text: &str) -> Vec<&str> {
    let words = text.split(|c: char| !(c.is_ascii_uppercase() || c.is_ascii_digit() || c == '-'));
    let is_rule = |word: &&str| {
        word.len() > 4
            && word.starts_with(|c: char| c.is_ascii_uppercase())
            && word.split('-').all(|part| !part.is_empty())
            && word.contains('-')
    };
    words.filter(is_rule).collect()
}

/// How much a text is about the wanted rules: 1 if it names the first alone, less if it names others, too.
pub fn names(text: &str, wanted: &[String]) -> f64 {
    let named = rules(text);
    let first = named.iter().filter_map(|rule| wanted.iter().position(|wanted| wanted == rule)).min();
    first.map_or(0.0, |first| if first == 0 { 1.0 } else { 0.7 } / (named.len() as f64).sqrt())
}

/// `R700` of `R700-CLAMP`.
pub fn family(rule: &str) -> &str {
    rule.split('-').next().unwrap_or_default()
}
