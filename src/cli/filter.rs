// SPDX-License-Identifier: MIT OR Apache-2.0
//! A filter: a line out for each line in. A bad line gives an error in its place, and the rest goes on.

use std::{
    fmt::Write as _,
    io::{self, BufRead, BufReader, Cursor, Read, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::{
    ValueEnum,
    builder::{PossibleValuesParser, TypedValueParser},
};
use serde::{Serialize, Serializer};

use super::{Error, Stdout, shared, tell};
use crate::explain::explanation::Forms;
use crate::sets::{
    Isa,
    text::{ParseError, unmarked},
};

/// What `asm` and `disasm` are told.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub struct Args {
    /// Instruction set
    #[arg(long, value_parser = with_words())]
    pub isa: Isa,
    /// Print one JSON object per line
    #[arg(long)]
    pub json: bool,
    /// File to read, `-` for standard input
    #[arg(default_value = "-")]
    file: PathBuf,
}

/// The sets that have words. One that has none is not offered, and taken: [`Source::open`] says what to do about it.
fn with_words() -> impl TypedValueParser<Value = Isa> {
    let named = Isa::ALL.iter().filter_map(|isa| Some(isa.to_possible_value()?.hide(isa.wordless().is_some())));
    PossibleValuesParser::new(named).try_map(|name| Isa::from_str(&name, false))
}

/// One instruction, as a filter prints it.
#[derive(Debug, Default, Serialize)]
pub struct Row {
    /// Lower-case hexadecimal digits: 16, or 8 a dword with blanks between.
    pub word: String,
    /// As the vendor's disassembler prints it; of R700 the vendor's driver, of SM5 vkd3d.
    pub text: String,
    /// Without their braces.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub annotations: Vec<String>,
    /// Of R700, the fields by their names in the manual.
    #[serde(flatten)]
    pub fields: Fields,
    /// Of R700 with `--json`: the two forms of its equation, where they differ (R700-HINT).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<Forms>,
}

/// Names and raw values.
#[derive(Debug, Default)]
pub struct Fields(pub Vec<(&'static str, u32)>);

impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}

#[derive(Serialize)]
struct BadLine<'a> {
    column: usize,
    error: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    clause: Option<&'static str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    help: &'a str,
}

/// A line of `--json`; a blank one has its number alone.
#[derive(Serialize)]
struct Line<T> {
    line: usize,
    #[serde(flatten)]
    content: T,
}

/// An open input.
pub struct Source {
    /// What errors call it.
    pub name: String,
    pub input: BufReader<Box<dyn Read>>,
}

impl Source {
    /// Opens what the arguments name.
    pub fn open(args: &Args) -> Result<Self, Error> {
        if let Some(text) = args.isa.wordless() {
            return Err(Error::Usage(text.to_owned()));
        }
        let name = format!("`{}`", args.file.display());
        let input: Box<dyn Read> = match name.as_str() {
            "`-`" => Box::new(io::stdin().lock()),
            _ => match shared::open(&args.file) {
                Ok(file) => Box::new(file),
                Err(error) => return Err(Error::Read { name, error }),
            },
        };
        Ok(Source { name, input: BufReader::with_capacity(1 << 16, input) })
    }

    /// Takes the first line, as it is.
    pub fn first_line(&mut self) -> Result<Vec<u8>, Error> {
        let mut line = Vec::new();
        match self.input.read_until(b'\n', &mut line) {
            Ok(_) => Ok(line),
            Err(error) => Err(Error::Read { name: self.name.clone(), error }),
        }
    }

    /// The same with a line in front that was taken of it.
    pub fn after(self, line: Vec<u8>) -> Self {
        let input: Box<dyn Read> = Box::new(Cursor::new(line).chain(self.input));
        Source { name: self.name, input: BufReader::with_capacity(1 << 16, input) }
    }
}

/// Filters the input. `translate` takes a line: `Ok(false)` leaves it blank, `Ok(true)` has filled the row, of which
/// `shown` picks what is printed without `--json`.
pub fn run(
    args: &Args,
    translate: impl Fn(&str, &mut Row) -> Result<bool, ParseError>,
    shown: fn(&Row) -> &str,
) -> Result<ExitCode, Error> {
    lines(args, Source::open(args)?, translate, shown)
}

/// The same, of an input that is open already.
pub fn lines(
    args: &Args,
    source: Source,
    translate: impl Fn(&str, &mut Row) -> Result<bool, ParseError>,
    shown: fn(&Row) -> &str,
) -> Result<ExitCode, Error> {
    let Source { name, mut input } = source;
    let unreadable = |error| Error::Read { name: name.clone(), error };
    let mut output = Stdout::new();
    let (mut bytes, mut row, mut refused) = (Vec::new(), Row::default(), false);
    for line in 1.. {
        if !output.is_open() {
            break; // the lines were for somebody who is gone
        }
        if input.buffer().is_empty() {
            output.flush()?; // the next read may wait, and somebody may wait for this
        }
        bytes.clear();
        if input.read_until(b'\n', &mut bytes).map_err(unreadable)? == 0 {
            // Standard input may be a pipe with nothing to say.
            if line == 1 && args.file != Path::new("-") {
                tell(&nothing(&args.file));
                refused = true;
            }
            break;
        }
        let text = if line == 1 { unmarked(&bytes) } else { &bytes };
        let result = utf8(text).and_then(|text| translate(text, &mut row));
        refused |= result.is_err();
        match (result, args.json) {
            (Ok(true), false) => writeln!(output, "{}", shown(&row))?,
            (Ok(false), false) => writeln!(output)?,
            (Err(error), false) => writeln!(output, "{}", sentence(line, &error))?,
            (Ok(true), true) => object(&mut output, line, &row)?,
            (Ok(false), true) => object(&mut output, line, ())?,
            (Err(error), true) => object(&mut output, line, bad_line(&error))?,
        }
    }
    output.finish(refused.into())
}

/// A file in which there is nothing to look at: who gives it expects another.
pub fn nothing(file: &Path) -> String {
    format!("error: `{}` is empty\n", file.display())
}

fn utf8(bytes: &[u8]) -> Result<&str, ParseError> {
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|error| {
        let (good, bad) = bytes.split_at(error.valid_up_to());
        ParseError {
            column: String::from_utf8_lossy(good).chars().count() + 1,
            span: good.len()..good.len() + 1,
            message: format!("the byte 0x{:02x} is not UTF-8", bad.first().copied().unwrap_or(0)),
            clause: None,
            help: "the input is ASCII or UTF-8 text",
        }
    })
}

fn sentence(line: usize, error: &ParseError) -> String {
    let mut text = format!("error: line {line}, {error}");
    if let Some(clause) = error.clause {
        let _ = write!(text, " ({clause})"); // a String takes everything
    }
    if !error.help.is_empty() {
        let _ = write!(text, "; {}", error.help);
    }
    text
}

fn bad_line(error: &ParseError) -> BadLine<'_> {
    BadLine {
        column: error.column,
        error: &error.message,
        clause: error.clause.map(|clause| clause.id()),
        help: error.help,
    }
}

fn object(output: &mut impl Write, line: usize, content: impl Serialize) -> Result<(), Error> {
    serde_json::to_writer(&mut *output, &Line { line, content }).map_err(io::Error::from)?;
    Ok(output.write_all(b"\n")?)
}
