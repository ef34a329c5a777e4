// SPDX-License-Identifier: MIT OR Apache-2.0
//! Prints a store as normalised text: modifiers in the order of the source's syntax, integers within their type,
//! singles by their bits.

use std::fmt;

use super::{
    inst::{Base, Inst, Value},
    modifier::{Class, Cop, Order, Priority, Scope, Type},
    register::predicate_name,
};
use crate::sets::Guard;

impl Order {
    /// The modifier as it is written.
    pub fn name(self) -> &'static str {
        match self {
            Order::Weak => ".weak",
            Order::Volatile => ".volatile",
            Order::Relaxed => ".relaxed",
            Order::Release => ".release",
        }
    }
}

impl Scope {
    /// The modifier as it is written.
    pub fn name(self) -> &'static str {
        match self {
            Scope::Cta => ".cta",
            Scope::Cluster => ".cluster",
            Scope::Gpu => ".gpu",
            Scope::Sys => ".sys",
        }
    }
}

impl Cop {
    /// The modifier as it is written.
    pub fn name(self) -> &'static str {
        match self {
            Cop::WriteBack => ".wb",
            Cop::Global => ".cg",
            Cop::Streaming => ".cs",
            Cop::WriteThrough => ".wt",
        }
    }
}

impl Priority {
    /// The priority as it is written after its level.
    pub fn name(self) -> &'static str {
        match self {
            Priority::Normal => "evict_normal",
            Priority::Unchanged => "evict_unchanged",
            Priority::First => "evict_first",
            Priority::Last => "evict_last",
            Priority::NoAllocate => "no_allocate",
        }
    }
}

impl fmt::Display for Inst {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.guard != Guard::ALWAYS {
            let not = if self.guard.negated { "!" } else { "" };
            write!(f, "@{not}{} ", predicate_name(self.guard.pred))?;
        }
        f.write_str(if self.mmio { "st.mmio" } else { "st" })?;
        f.write_str(self.order.map_or("", Order::name))?;
        f.write_str(self.scope.map_or("", Scope::name))?;
        f.write_str(self.space.map_or("", |space| space.name()))?;
        f.write_str(self.cop.map_or("", Cop::name))?;
        for (level, priority) in [("L1", self.l1), ("L2", self.l2)] {
            if let Some(priority) = priority {
                write!(f, ".{level}::{}", priority.name())?;
            }
        }
        f.write_str(if self.policy.is_some() { ".L2::cache_hint" } else { "" })?;
        if self.elements > 1 {
            write!(f, ".v{}", self.elements)?;
        }
        let Type { class, bits } = self.element;
        let letter = match class {
            Class::Bits => 'b',
            Class::Integer if self.signed => 's',
            Class::Integer => 'u',
            Class::Float => 'f',
        };
        write!(f, ".{letter}{bits} ")?;

        if let Base::Element(variable, _) = self.base {
            f.write_str(variable.name())?;
        }
        f.write_str("[")?;
        match self.base {
            Base::Zero => write!(f, "{:#x}", self.offset)?,
            Base::Register(register) => write!(f, "{register}{}", Offset(self.offset))?,
            Base::Variable(variable) => write!(f, "{}{}", variable.name(), Offset(self.offset))?,
            Base::Element(_, None) => write!(f, "{}", Integer(self.offset))?,
            Base::Element(_, Some(register)) => write!(f, "{register}{}", Offset(self.offset))?,
        }
        f.write_str("], ")?;
        match self.values() {
            [one] => one.fmt(f)?,
            several => {
                for (value, before) in several.iter().zip(["{"].into_iter().chain(std::iter::repeat(", "))) {
                    write!(f, "{before}{value}")?;
                }
                f.write_str("}")?;
            }
        }
        if let Some(policy) = self.policy {
            write!(f, ", {policy}")?;
        }
        f.write_str(";")
    }
}

/// What an address adds, printed as a signed number; empty if it is 0.
pub struct Offset(pub u64);

impl fmt::Display for Offset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 as i64 {
            0 => Ok(()),
            offset @ 1.. => write!(f, "+{offset:#x}"),
            offset => write!(f, "+-{:#x}", offset.unsigned_abs()),
        }
    }
}

/// Like [`Offset`], but 0 is printed too.
struct Addend(u64);

impl fmt::Display for Addend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0 { f.write_str("+0") } else { Offset(self.0).fmt(f) }
    }
}

/// A signed number without a `+`.
struct Integer(u64);

impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if (self.0 as i64) < 0 { "-" } else { "" };
        write!(f, "{sign}{:#x}", (self.0 as i64).unsigned_abs())
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Register(register) => register.fmt(f),
            Value::Integer(small @ 0..10) => small.fmt(f),
            Value::Integer(integer) => write!(f, "{integer:#x}"),
            Value::Single(bits) => write!(f, "0f{bits:08x}"),
            Value::Double(bits) => match f64::from_bits(*bits) {
                finite if finite.is_finite() => write!(f, "{finite:?}"),
                _ => write!(f, "0d{bits:016x}"),
            },
            Value::Sum(register, add) => write!(f, "{register}{}", Addend(*add)),
            Value::Address(variable, add) => write!(f, "{}{}", variable.name(), Addend(*add)),
            Value::Function(kernel) => f.write_str(kernel.name()),
            Value::Predicate(predicate) => f.write_str(&predicate_name(*predicate)),
            Value::Sink => f.write_str("_"),
        }
    }
}
