// SPDX-License-Identifier: MIT OR Apache-2.0
//! Judges statements that stand outside a module.

use super::{
    feature::{Target, Version},
    legal::{Refusal, judge},
    lex::{Kind, Tokens},
    module::Module,
    names::Names,
    parse::{guard, store},
    statement::Statement,
};
use crate::sets::text::{Failure, Parsed};

/// The declarations for a bare statement, with names of every kind.
pub const DECLARATIONS: &str = "\
.global .align 32 .b8 gbl[4096];
.const  .align 32 .b8 cst[256];
.shared .align 32 .b8 sh[4096];
.entry k(.param .u64 p0, .param .align 32 .b8 pe[64])
{
    .local .align 32 .b8 loc[256];
    .param .align 32 .b8 prm[64];
    .reg .b16 %h<20>;
    .reg .b32 %r<20>;
    .reg .b64 %rd<20>, %pol;
    .reg .b128 %q<20>;
    .reg .f32 %f<20>;
    .reg .f64 %d<20>;
    .reg .pred %p<3>;
";

/// Judges lines of statements under [`DECLARATIONS`].
#[derive(Clone, Debug)]
pub struct Bare {
    names: Names<'static>,
    target: Target,
    version: Version,
}

impl Bare {
    /// Judges for one target and one version of PTX.
    pub fn new(target: Target, version: Version) -> Self {
        let mut module = Module::new(DECLARATIONS);
        while module.next_access().is_some() {}
        Bare { names: module.into_names(), target, version }
    }

    /// Judges a line of any number of labels and statements. Reports the first statement that is refused.
    pub fn check(&self, line: &str) -> Result<(), Refusal> {
        let mut tokens = Tokens::new(line);
        while tokens.peek().kind != Kind::End {
            let statement = bare(&mut tokens).map_err(|failure| Refusal::unreadable(failure, line))?;
            let Some(statement) = statement else { continue };
            judge(&statement, &self.names, self.target, self.version)?;
        }
        Ok(())
    }
}

/// Reads a label (`None`), or an `st`.
pub(crate) fn bare<'a>(tokens: &mut Tokens<'a>) -> Parsed<Option<Statement<'a>>> {
    let guard = guard(tokens)?;
    if tokens.peek().kind != Kind::Name || tokens.peek().text == "_" {
        return Err(tokens.expected("`st`").or_help("write a statement of `st`, to its `;`"));
    }
    let word = tokens.take();
    if guard.is_none() && tokens.eat(":") {
        return Ok(None);
    }
    if word.text == "st" {
        return store(tokens, guard, &word).map(Some);
    }
    let help = match word.text {
        "ld" => "only stores are judged: the rules say nothing about loads",
        text if text.eq_ignore_ascii_case("st") => "the mnemonic is lower case",
        _ => "only stores are judged",
    };
    Err(Failure::expected(word.span, "`st`").help(help))
}
