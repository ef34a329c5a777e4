// SPDX-License-Identifier: MIT OR Apache-2.0
//! A run as one self-contained page of HTML: the wave of the ports with the model's values, the operations lane by
//! lane, requests, memory, coverage, and the divergence in sentences.
//!
//! ```text
//!  Log --> judge --> Watched --+--> transfers  (rows by channel)
//!                 \-> verdict -+--> story, details, coverage  --> Page as JSON, in web/*.html, *.css, *.js
//! ```
//!
//! The page is a function of the log and its verdict: no RTL, no time of day, no network. Texts of the run are embedded
//! only as JSON, and the script shows them as text, never as markup.

mod column;
mod details;
mod group;
mod memory;
mod offer;
mod page_json;
mod story;
mod transfers;
mod watched;

use std::io::{self, Write};

pub use watched::Watched;

use crate::judge::{Figures, Mismatch, coverage::Row, log::lines::Record};

/// A run that was judged.
pub struct Run<'a> {
    /// The name of the file or case that the page is about.
    pub name: &'a str,
    /// The events, and the unit.
    pub record: &'a Record,
    /// The judge's verdict.
    pub verdict: &'a Result<Figures, Box<Mismatch>>,
    /// The coverage of the run.
    pub coverage: &'a [Row],
    /// What was not judged, in sentences.
    pub not_judged: &'a [String],
    /// Lines of RTL to look at first, the likeliest first.
    pub look: &'a [String],
}

const HTML: &str = include_str!("web/index.html");
const STYLE: &str = include_str!("web/style.css");
/// Ordered, as each uses those before it.
const SCRIPTS: [&str; 15] = [
    include_str!("web/model.js"),
    include_str!("web/format.js"),
    include_str!("web/palette.js"),
    include_str!("web/rows.js"),
    include_str!("web/draw.js"),
    include_str!("web/wave.js"),
    include_str!("web/input.js"),
    include_str!("web/search.js"),
    include_str!("web/events.js"),
    include_str!("web/operation.js"),
    include_str!("web/lanes.js"),
    include_str!("web/requests.js"),
    include_str!("web/memory.js"),
    include_str!("web/operations.js"),
    include_str!("web/main.js"),
];

/// How every page begins.
pub(crate) fn beginning() -> &'static str {
    HTML.split_once("<!--{").map_or(HTML, |(before, _)| before)
}

/// Writes the page. `watched` has observed the judgement of the log.
///
/// # Errors
///
/// I/O errors of `out`.
pub fn write(run: &Run<'_>, watched: &Watched<'_>, out: &mut impl Write) -> io::Result<()> {
    let page = page_json::page(run, watched);
    let mut rest = HTML;
    while let Some((before, after)) = rest.split_once("<!--{") {
        out.write_all(before.as_bytes())?;
        let Some((name, after)) = after.split_once("}-->") else { break };
        match name {
            "title" => write_text(out, &format!("{}: {}", page.title(), run.name))?,
            "style" => out.write_all(STYLE.as_bytes())?,
            "script" => SCRIPTS.iter().try_for_each(|script| out.write_all(script.as_bytes()))?,
            "data" => {
                let mut json = Embedded(&mut *out);
                serde_json::to_writer(&mut json, &page)?;
            }
            _ => {}
        }
        rest = after;
    }
    out.write_all(rest.as_bytes())?;
    out.flush()
}

/// Writes text between tags.
fn write_text(out: &mut impl Write, text: &str) -> io::Result<()> {
    out.write_all(text.replace('&', "&amp;").replace('<', "&lt;").as_bytes())
}

/// Writes JSON within a `script` element, where no `<` may end the element or begin a comment. JSON contains `<` only
/// in strings, where it may be written by its number.
struct Embedded<W>(W);

impl<W: Write> Write for Embedded<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.split_inclusive(|&byte| byte == b'<') {
            match part.split_last() {
                Some((b'<', before)) => {
                    self.0.write_all(before)?;
                    self.0.write_all(b"\\u003c")?;
                }
                _ => self.0.write_all(part)?,
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_the_script() {
        let mut out = Vec::new();
        serde_json::to_writer(Embedded(&mut out), &["</script><!--", "a<b"]).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), r#"["\u003c/script>\u003c!--","a\u003cb"]"#);
    }
}
