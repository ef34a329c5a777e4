// SPDX-License-Identifier: MIT OR Apache-2.0
//! One of our variables: its declaration and its value.

use std::io;

use super::{
    header::Var,
    ink::{Id, Ink, Kind},
    value::{Value, number},
};

/// A variable of a wave, for the layout in a viewer.
#[cfg_attr(not(feature = "rtl"), allow(dead_code))] // without RTL there is no layout
pub(crate) struct Listed {
    /// With its scopes and its range, as viewers name it.
    pub(crate) path: String,
    pub(crate) bits: u32,
    pub(crate) is_text: bool,
}

impl Listed {
    pub(super) fn of(var: &Var) -> Self {
        let path = format!("{}.{}{}", var.scope, var.name, var.range);
        Listed { path, bits: var.width, is_text: *var.kind == *"string" }
    }
}

/// Declares our variables, and lists them.
pub(super) struct Declarer<'a> {
    ink: &'a mut dyn Ink,
    scopes: Vec<String>,
    listed: &'a mut Vec<Listed>,
}

impl<'a> Declarer<'a> {
    pub(super) fn new(ink: &'a mut dyn Ink, listed: &'a mut Vec<Listed>) -> Self {
        Declarer { ink, scopes: Vec::new(), listed }
    }

    /// Runs `declare` inside this scope.
    pub(super) fn scope<T>(&mut self, name: &str, declare: impl FnOnce(&mut Self) -> io::Result<T>) -> io::Result<T> {
        self.ink.scope(name)?;
        self.scopes.push(name.to_owned());
        let declared = declare(self)?;
        self.scopes.pop();
        self.ink.upscope()?;
        Ok(declared)
    }

    /// Declares a variable in the open scope.
    pub(super) fn signal(&mut self, kind: Kind, name: &str) -> io::Result<Signal> {
        let signal = Signal::declare(self.ink, kind, name)?;
        let (bits, range) = match kind {
            Kind::Flag | Kind::Text => (1, String::new()),
            Kind::Number => (32, String::new()),
            Kind::Bits(1) => (1, String::new()),
            Kind::Bits(bits) => (bits, format!("[{}:0]", bits - 1)),
        };
        let path = format!("{}.{name}{range}", self.scopes.join("."));
        self.listed.push(Listed { path, bits, is_text: matches!(kind, Kind::Text) });
        Ok(signal)
    }
}

/// A variable and its value.
pub(super) struct Signal {
    kind: Kind,
    id: Id,
    value: Value,
}

impl Signal {
    fn declare(ink: &mut dyn Ink, kind: Kind, name: &str) -> io::Result<Self> {
        let id = ink.variable(kind, name)?;
        let value = match kind {
            Kind::Flag => number(0),
            Kind::Bits(_) | Kind::Number => number(None),
            Kind::Text => "".into(),
        };
        Ok(Signal { kind, id, value })
    }

    /// Whether a flag is up.
    pub(super) fn is_set(&self) -> bool {
        self.value == Value::Number(1)
    }

    /// The value, as it was set.
    pub(super) fn value(&self) -> &Value {
        &self.value
    }

    /// Writes the value.
    pub(super) fn write(&self, ink: &mut dyn Ink) -> io::Result<()> {
        match &self.value {
            Value::Text(text) => ink.text(self.id, text),
            bits => ink.bits(self.id, self.kind, bits),
        }
    }

    /// Writes `value` if it differs from the present one.
    pub(super) fn set(&mut self, ink: &mut dyn Ink, value: Value) -> io::Result<()> {
        if self.value == value {
            return Ok(());
        }
        self.value = value;
        self.write(ink)
    }
}
