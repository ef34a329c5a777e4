// SPDX-License-Identifier: MIT OR Apache-2.0
//! Problems of a program, in the one dialect of errors: the fact, its place, the line, and what to do about it.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

use super::{manners, tell as tell_text};
use crate::explain::words::wrap;
use crate::program::{Problem, ProgramError};

/// Columns of what is shown.
const WIDTH: usize = 80;

/// Says every problem of a program.
pub fn tell(error: &ProgramError) {
    let styled = manners::is_styled();
    for (number, problem) in error.problems.iter().enumerate() {
        let gap = if number == 0 { "" } else { "\n" };
        tell_text(&format!("{gap}{}", render(&error.name, &error.text, problem, styled)));
    }
}

/// One problem of the text that errors call `name`.
pub fn render(name: &str, text: &str, problem: &Problem, styled: bool) -> String {
    let line = text.lines().nth(problem.line.saturating_sub(1)).unwrap_or_default();
    let place = line.char_indices().nth(problem.column.saturating_sub(1));
    let start = place.map_or(line.len(), |(at, _)| at);
    let mut end = (start + problem.span.len()).min(line.len());
    while !line.is_char_boundary(end) {
        end += 1;
    }
    let head = problem.clause.map_or("error: ".to_owned(), |clause| format!("error[{clause}]: "));
    let folded = wrap(&format!("{head}{}", problem.message), 0);
    let mut title = Level::ERROR.primary_title(folded.trim_end().strip_prefix(&head).unwrap_or(&folded));
    if let Some(clause) = problem.clause {
        title = title.id(clause.id());
    }
    let mark = AnnotationKind::Primary.span(start..end);
    let snippet = Snippet::source(line).line_start(problem.line).path(name).annotation(mark);
    let renderer = if styled { Renderer::styled() } else { Renderer::plain() };
    let shown = renderer.term_width(WIDTH).render(&[title.element(snippet)]);
    let hint = if problem.help.is_empty() || manners::quiet() {
        String::new()
    } else {
        wrap(&format!("\nhint: {}", problem.help), 6)
    };
    format!("{shown}\n{hint}")
}
