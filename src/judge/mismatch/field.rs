// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where something differs: a signal of a port, or an event there.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A part of the unit, or what stands around it.
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
    /// Memory behind the port.
    Memory,
    /// The unit as a whole.
    Unit,
    /// What makes operations of instructions.
    FrontEnd,
}

impl Site {
    /// The prefix of a port's signals, or the part's name.
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

/// What differs.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// Where.
    pub site: Site,
    /// A signal of the port, less the port's name: `addr`, `attr.scope`. Empty if it is an event that differs.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub signal: String,
    /// What came, or did not: `order`, `owner`. Empty if it is a signal that differs.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub event: String,
    /// Which of the operation's requests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<usize>,
    /// Which byte of its line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub byte: Option<usize>,
    /// Which of the operation's registers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub register: Option<usize>,
}

impl Field {
    /// A signal of a port, less the port's name.
    pub fn signal(site: Site, signal: impl Into<String>) -> Self {
        let (signal, event) = (signal.into(), String::new());
        Field { site, signal, event, request: None, byte: None, register: None }
    }

    /// Something that comes, or does not.
    pub fn event(site: Site, event: impl Into<String>) -> Self {
        let (signal, event) = (String::new(), event.into());
        Field { site, signal, event, request: None, byte: None, register: None }
    }

    /// Where and what, without the numbers that differ from one case to another: what failures of one cause share.
    pub fn cause(&self) -> String {
        let event = self.event.split(|c: char| c.is_ascii_digit() || c == '`').next().unwrap_or_default();
        let gap = if self.signal.is_empty() { " " } else { "_" };
        format!("{}{gap}{}{event}", self.site.name(), self.signal).trim_end().to_owned()
    }

    /// Of which of the operation's requests.
    pub fn request(self, number: usize) -> Self {
        Field { request: Some(number), ..self }
    }

    /// Which byte of the line.
    pub fn byte(self, byte: usize) -> Self {
        Field { byte: Some(byte), ..self }
    }

    /// Of which of the operation's registers.
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
