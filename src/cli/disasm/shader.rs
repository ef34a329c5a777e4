// SPDX-License-Identifier: MIT OR Apache-2.0
//! A whole shader of SM5: every `atomic_cmp_store` in it, with its resource. What is printed `asm` reads again.

use std::{
    io::{Read, Write},
    process::ExitCode,
};

use serde::Serialize;

use crate::{
    cli::{Error, Stdout, filter, json_line, note},
    op::Resource,
    sets::{
        sm5::{self, Atomic, Contained, Declaration, Flaw, Shader, Version, dxbc},
        text::is_blank,
    },
};

/// What an input holds, by its first line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A container.
    Dxbc,
    /// A shader's tokens, four bytes each.
    Tokens,
    /// The same as hexadecimal text.
    Text,
}

impl Form {
    /// None where each line is an instruction.
    pub fn of(first: &[u8]) -> Option<Form> {
        if first.starts_with(dxbc::MAGIC) {
            return Some(Form::Dxbc);
        }
        let token = first.get(..4).and_then(|four| four.try_into().ok()).map(u32::from_le_bytes);
        if token.is_some_and(|token| Version::from_token(token).is_some()) {
            return Some(Form::Tokens);
        }
        let dwords = sm5::parse_dwords(std::str::from_utf8(first).ok()?).ok()?;
        dwords.first().is_some_and(|token| Version::from_token(*token).is_some()).then_some(Form::Text)
    }
}

/// One instruction of `--json`.
#[derive(Serialize)]
struct Row {
    /// Dwords from the version token.
    token: usize,
    /// Of the input, where it is bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    byte: Option<usize>,
    /// Such as `cs_5_0`.
    version: String,
    word: String,
    text: String,
    /// None where lanes decide.
    resource: Option<Slot>,
}

/// What a shader declares.
#[derive(Serialize)]
struct Slot {
    name: String,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    dimension: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stride: Option<u32>,
    declaration: String,
}

#[derive(Serialize)]
struct Complaint {
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<usize>,
    error: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    clause: Option<&'static str>,
}

/// Prints what a shader holds; `first` is what was read of it already.
pub fn run(form: Form, first: Vec<u8>, mut source: filter::Source, json: bool) -> Result<ExitCode, Error> {
    let mut bytes = first;
    let read = source.input.read_to_end(&mut bytes);
    read.map_err(|error| Error::Read { name: source.name, error })?;
    let mut output = Stdout::new();
    let code = match shader(form, &bytes) {
        Ok(contained) => list(&contained, form, json, &mut output)?,
        Err(error) => complain(Complaint { token: None, error, clause: None }, json, &mut output)?,
    };
    output.finish(code)
}

fn shader(form: Form, bytes: &[u8]) -> Result<Contained, String> {
    let tokens = match form {
        Form::Dxbc => return dxbc::read(bytes).map_err(|error| error.to_string()),
        Form::Tokens => dxbc::dwords(bytes).ok_or_else(|| format!("the {} bytes are no whole dwords", bytes.len()))?,
        Form::Text => text(bytes)?,
    };
    // Without a container nobody knows which stages have unordered access.
    let shader = Shader::read(&tokens, true).map_err(|flaw| flaw.to_string())?;
    Ok(Contained { shader, chunk: "", offset: 0 })
}

/// The dwords of all lines.
fn text(bytes: &[u8]) -> Result<Vec<u32>, String> {
    let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
    let mut tokens = Vec::new();
    for (line, number) in text.lines().zip(1..).filter(|(line, _)| !is_blank(line)) {
        let dwords = sm5::parse_dwords(line).map_err(|error| format!("line {number}, {error}"))?;
        tokens.extend(dwords);
    }
    Ok(tokens)
}

fn list(contained: &Contained, form: Form, json: bool, output: &mut impl Write) -> Result<u8, Error> {
    let Contained { shader, chunk, offset } = contained;
    if shader.found.is_empty() {
        note(&format!("note: the shader, {}, has no atomic_cmp_store\n", shader.version));
        return Ok(0);
    }
    if !json {
        let place = if form == Form::Dxbc { format!(", {chunk} at byte {offset:#x}") } else { String::new() };
        writeln!(output, "// {}{place}", shader.version)?;
    }
    let mut code = 0;
    for found in &shader.found {
        match found {
            Ok(atomic) if json => {
                let byte = (form != Form::Text).then_some(offset + 4 * atomic.at);
                json_line(output, &row(atomic, byte, shader.version))?;
            }
            Ok(Atomic { at, inst, declaration }) => {
                let resource = declaration.map_or("which one, lanes decide".to_owned(), |it| it.to_string());
                writeln!(output, "{inst}  // token {at}: {resource}")?;
            }
            Err(Flaw { at, message, clause }) => {
                let clause = clause.map(|clause| clause.id());
                code = complain(Complaint { token: Some(*at), error: message.clone(), clause }, json, output)?;
            }
        }
    }
    Ok(code)
}

fn row(atomic: &Atomic, byte: Option<usize>, version: Version) -> Row {
    let slot = |declaration: Declaration| Slot {
        name: format!("{}{}", declaration.file().name(), declaration.number),
        kind: match declaration.kind() {
            Resource::None => "none",
            Resource::Raw => "raw",
            Resource::Structured => "structured",
            Resource::Typed => "typed",
        },
        dimension: declaration.dimension_name(),
        stride: declaration.stride(),
        declaration: declaration.to_string(),
    };
    Row {
        token: atomic.at,
        byte,
        version: version.to_string(),
        word: sm5::code(&atomic.inst),
        text: atomic.inst.to_string(),
        resource: atomic.declaration.map(slot),
    }
}

fn complain(complaint: Complaint, json: bool, output: &mut impl Write) -> Result<u8, Error> {
    let Complaint { token, error, clause } = &complaint;
    if json {
        json_line(output, &complaint)?;
    } else {
        let place = token.map_or(String::new(), |at| format!("token {at}: "));
        let clause = clause.map_or(String::new(), |clause| format!(" ({clause})"));
        writeln!(output, "error: {place}{error}{clause}")?;
    }
    Ok(1)
}
