// SPDX-License-Identifier: MIT OR Apache-2.0
//! A file's words with every bracket and block closed, so that its readers always find an end.

use std::collections::HashMap;

use super::super::tokens::Token;

/// The depth of nested brackets; what is deeper is dropped.
const DEEPEST: usize = 64;

/// The words that open something, each with the word that closes it.
const PAIRS: [(&str, &str); 28] = [
    ("(", ")"),
    ("[", "]"),
    ("{", "}"),
    ("'{", "}"),
    ("begin", "end"),
    ("case", "endcase"),
    ("casex", "endcase"),
    ("casez", "endcase"),
    ("randcase", "endcase"),
    ("fork", "join"),
    ("module", "endmodule"),
    ("macromodule", "endmodule"),
    ("package", "endpackage"),
    ("interface", "endinterface"),
    ("program", "endprogram"),
    ("class", "endclass"),
    ("function", "endfunction"),
    ("task", "endtask"),
    ("generate", "endgenerate"),
    ("covergroup", "endgroup"),
    ("property", "endproperty"),
    ("sequence", "endsequence"),
    ("randsequence", "endsequence"),
    ("clocking", "endclocking"),
    ("checker", "endchecker"),
    ("specify", "endspecify"),
    ("primitive", "endprimitive"),
    ("config", "endconfig"),
];

/// Words that stand in no bracket, besides those that close a block: an expression has ended there, whatever is
/// missing.
pub(super) const OUTSIDE: [&str; 14] = [
    "begin",
    "case",
    "casex",
    "casez",
    "randcase",
    "fork",
    "module",
    "macromodule",
    "package",
    "always_comb",
    "always_ff",
    "always_latch",
    "initial",
    "assign",
];

/// Closes whatever is open as soon as a word shows that it has ended, and drops words that close nothing. Returns the
/// words, and by word the place of its partner: what closes it, what opens it, or itself if it does neither.
pub(super) fn balance(words: Vec<Token>) -> (Vec<Token>, Vec<usize>) {
    let mut balance = Balance::default();
    let mut line = 1;
    for word in words {
        line = word.line;
        balance.word(word);
    }
    balance.close_while(|_| true, line);
    (balance.words, balance.pairs)
}

#[derive(Default)]
struct Balance {
    words: Vec<Token>,
    pairs: Vec<usize>,
    /// The places of open words, each with the word that closes it.
    open: Vec<(usize, &'static str)>,
    /// By closing word: how many open words it would close.
    awaited: HashMap<&'static str, usize>,
    /// The number of open brackets.
    brackets: usize,
}

impl Balance {
    fn word(&mut self, word: Token) {
        let text = if ["join_any", "join_none"].contains(&&*word.text) { "join" } else { &*word.text };
        let opens = PAIRS.iter().find(|(opener, _)| *opener == text).map(|&(_, closer)| closer);
        let closes = PAIRS.iter().map(|&(_, closer)| closer).find(|closer| *closer == text);
        if OUTSIDE.contains(&text) || closes.is_some_and(|closer| !is_bracket(closer)) {
            self.close_while(is_bracket, word.line);
        }
        if let Some(closer) = closes {
            if self.awaited.get(closer).is_some_and(|&count| count > 0) {
                self.close_while(|open| open != closer, word.line);
                self.close(word);
            }
        } else if let Some(closer) = opens.filter(|closer| self.brackets == 0 || is_bracket(closer)) {
            self.open.push((self.words.len(), closer));
            self.brackets += usize::from(is_bracket(closer));
            *self.awaited.entry(closer).or_default() += 1;
            self.put(word);
        } else {
            self.put(word);
        }
    }

    fn put(&mut self, word: Token) {
        if self.brackets <= DEEPEST {
            self.pairs.push(self.words.len());
            self.words.push(word);
        }
    }

    /// Closes the innermost open word.
    fn close(&mut self, word: Token) {
        let Some((opener, closer)) = self.open.pop() else { return };
        let place = self.words.len();
        self.put(word);
        if place < self.words.len() {
            self.pairs[opener] = place;
            self.pairs[place] = opener;
        }
        self.brackets -= usize::from(is_bracket(closer));
        *self.awaited.entry(closer).or_default() -= 1;
    }

    /// Closes the innermost open word for as long as `is` holds for it.
    fn close_while(&mut self, is: impl Fn(&'static str) -> bool, line: usize) {
        while let Some(&(_, closer)) = self.open.last().filter(|(_, closer)| is(closer)) {
            self.close(Token { text: closer.to_owned(), line });
        }
    }
}

fn is_bracket(closer: &str) -> bool {
    closer.len() == 1
}
