// SPDX-License-Identifier: MIT OR Apache-2.0
//! How similar a line and its comments are to a mismatch: BM25 over the words of names and sentences.

use std::collections::BTreeMap;

/// Words and their weights.
pub type Words = BTreeMap<String, f64>;

/// The words of a text. `mem_req_addr_o`, `AddrReg32` and `ARRAY_BASE` come apart; a plural becomes its singular.
pub fn words(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for part in text.split(|c: char| !c.is_ascii_alphanumeric()) {
        let mut word = String::new();
        let mut before = ' ';
        for c in part.chars() {
            if c.is_ascii_uppercase() && before.is_ascii_lowercase() {
                found.push(std::mem::take(&mut word));
            }
            word.push(c.to_ascii_lowercase());
            before = c;
        }
        found.push(word);
    }
    found.retain(|word| word.len() > 1 && !COMMON.contains(&&**word));
    for word in &mut found {
        let plural = word.len() > 3 && word.ends_with('s') && !word.ends_with("ss");
        if plural {
            word.pop();
        }
    }
    found
}

/// Words of English and of SystemVerilog that say nothing.
const COMMON: [&str; 46] = [
    "the",
    "of",
    "is",
    "and",
    "in",
    "to",
    "it",
    "its",
    "are",
    "that",
    "or",
    "by",
    "as",
    "be",
    "was",
    "no",
    "not",
    "an",
    "with",
    "at",
    "on",
    "for",
    "from",
    "one",
    "which",
    "what",
    "if",
    "than",
    "all",
    "begin",
    "end",
    "else",
    "logic",
    "assign",
    "automatic",
    "return",
    "int",
    "import",
    "input",
    "output",
    "always",
    "comb",
    "ff",
    "endcase",
    "case",
    "unique",
];

/// Documents, reduced to the weights of their words.
pub struct Corpus {
    weights: Words,
}

impl Corpus {
    /// Weighs each word: the fewer documents have it, the more it counts.
    pub fn new<'a>(documents: impl IntoIterator<Item = &'a Words>) -> Self {
        let (mut counts, mut all) = (Words::new(), 0.0);
        for document in documents {
            all += 1.0;
            document.keys().for_each(|word| *counts.entry(word.clone()).or_default() += 1.0);
        }
        let weight = |count: f64| (1.0 + (all - count + 0.5) / (count + 0.5)).ln();
        Corpus { weights: counts.into_iter().map(|(word, count)| (word, weight(count))).collect() }
    }

    /// How similar a document is to a question: 0 without a common word, 1 if it has each word of the question once.
    pub fn likeness(&self, document: &Words, question: &Words) -> f64 {
        let weight = |word: &String| self.weights.get(word).copied().unwrap_or_default();
        let common: f64 = question
            .iter()
            .filter_map(|(word, asked)| {
                let count = document.get(word)?;
                Some(asked * weight(word) * count * 2.2 / (count + 1.2))
            })
            .sum();
        let most: f64 = question.iter().map(|(word, asked)| asked * weight(word)).sum();
        if most > 0.0 { common / most } else { 0.0 }
    }
}

/// Adds the words of a text to a document.
pub fn add(document: &mut Words, text: &str, weight: f64) {
    for word in words(text) {
        *document.entry(word).or_default() += weight;
    }
}
