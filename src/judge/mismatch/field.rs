// SPDX-License-Identifier: MIT OR Apache-2.0
//! The place of a difference: a signal of a port, or an event there.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A part of the unit, or of its surroundings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Site {
    /// The op port.
    Op,
    /// The request port.
    MemReq,
    /// The write-back port.
    Wb,
    /// The done port.
    Done,
    /// The scratchpad, which has no port.
    Scratchpad,
    /// The memory behind the request port.
    Memory,
    /// The unit as a whole.
    Unit,
    /// The front end, which turns instructions into operations.
    FrontEnd,
}

impl Site {
    /// The prefix of the port's signals, or the name of the part.
    pub fn name(self) -> &'static str {
        match self {
            Site::Op => "op",
            Site::MemReq => "mem_req",
            Site::Wb => "wb",
            Site::Done => "done",
            Site::Scratchpad => "scratchpad",
            Site::Memory => "memory",
            Site::Unit => "unit",
            Site::FrontEnd => "front end",
        }
    }
}

/// The place of a difference.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// The port or part.
    pub site: Site,
    /// The signal of the port, without the port's name: `addr`, `attr.scope`. Empty if an event differs.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub signal: String,
    /// The event that came, or failed to come: `order`, `owner`. Empty if a signal differs.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub event: String,
    /// The number of the operation's request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<usize>,
    /// The byte within the request's line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub byte: Option<usize>,
    /// The number of the operation's register.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub register: Option<usize>,
}

impl Field {
    /// A signal of a port, without the port's name.
    pub fn signal(site: Site, signal: impl Into<String>) -> Self {
        let (signal, event) = (signal.into(), String::new());
        Field { site, signal, event, request: None, byte: None, register: None }
    }

    /// An event that came, or failed to come.
    pub fn event(site: Site, event: impl Into<String>) -> Self {
        let (signal, event) = (String::new(), event.into());
        Field { site, signal, event, request: None, byte: None, register: None }
    }

    /// Whether a request's data differ.
    pub fn is_data(&self) -> bool {
        self.site == Site::MemReq && self.signal == "data"
    }

    /// The place without the numbers that differ from case to case: the same text for all failures with one cause.
    pub fn cause(&self) -> String {
        let event = self.event.split(|c: char| c.is_ascii_digit() || c == '`').next().unwrap_or_default();
        let gap = if self.signal.is_empty() { " " } else { "_" };
        format!("{}{gap}{}{event}", self.site.name(), self.signal).trim_end().to_owned()
    }

    /// Sets the number of the operation's request.
    pub fn request(self, number: usize) -> Self {
        Field { request: Some(number), ..self }
    }

    /// Sets the byte within the line.
    pub fn byte(self, byte: usize) -> Self {
        Field { byte: Some(byte), ..self }
    }

    /// Sets the number of the operation's register.
    pub fn register(self, register: usize) -> Self {
        Field { register: Some(register), ..self }
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.site.name())?;
        if !self.signal.is_empty() {
            write!(f, "_{}", self.signal)?;
        }
        if !self.event.is_empty() {
            write!(f, " {}", self.event)?;
        }
        if let Some(number) = self.request {
            write!(f, " of request {number}")?;
        }
        if let Some(byte) = self.byte {
            write!(f, ", byte {byte}")?;
        }
        if let Some(register) = self.register {
            write!(f, " of register {register}")?;
        }
        Ok(())
    }
}
