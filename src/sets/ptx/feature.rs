// SPDX-License-Identifier: MIT OR Apache-2.0
//! The targets and versions of PTX that have a feature.

use std::{fmt, str::FromStr};

use super::{
    legal::Refusal,
    modifier::{Modifier, Order, Scope, Space},
    names::{Names, Register, Symbol},
    statement::{At, Element, Statement},
};
use crate::clause::Clause;

mod targets;

use targets::exists;
pub use targets::newest;

/// A version of PTX, such as `8.3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// The number before the point.
    pub major: u16,
    /// The number after the point.
    pub minor: u16,
}

/// A target such as `sm_90` or `sm_100a`. The features that its letter adds do not concern `st`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Target {
    /// The number.
    pub sm: u16,
    letter: Option<char>,
}

/// The defaults: the newest target and the newest version with which the rules were checked.
pub const NEWEST: (Target, Version) = (Target { sm: 120, letter: None }, Version { major: 9, minor: 5 });

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sm_{}{}", self.sm, self.letter.map_or(String::new(), String::from))
    }
}

/// The text is not a target, or not a version.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("write {0}")]
pub struct Malformed(&'static str);

impl FromStr for Version {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Self, Malformed> {
        let parts = text.split_once('.').and_then(|(major, minor)| Some((digits(major)?, digits(minor)?)));
        parts.map(|(major, minor)| Version { major, minor }).ok_or(Malformed("a version such as `8.3`"))
    }
}

impl FromStr for Target {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Self, Malformed> {
        let parse = || {
            let number = text.strip_prefix("sm_")?;
            let letter = number.chars().last().filter(|letter| matches!(letter, 'a' | 'f'));
            let sm = digits(number.strip_suffix(['a', 'f']).unwrap_or(number))?;
            Some(Target { sm, letter })
        };
        parse().ok_or(Malformed("a target such as `sm_90`"))
    }
}

fn digits(text: &str) -> Option<u16> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

/// What a feature requires: the lowest target, and the lowest version.
type Least = (u16, Version);

const fn least(sm: u16, major: u16, minor: u16) -> Least {
    (sm, Version { major, minor })
}

/// Types and registers of 128 bits.
const B128: Least = least(70, 8, 3);
/// `.b128` at system scope. The vendor's assembler requires it; the source does not say so.
const B128_SYS: Least = least(70, 8, 4);
/// Vectors of 256 bits, and the features that come with them.
const WIDE: Least = least(100, 8, 8);

/// The lowest target and version of a modifier.
fn needs(modifier: Modifier, text: &str) -> Option<Least> {
    Some(match (modifier, text) {
        (_, ".weak" | ".relaxed" | ".release") => least(70, 6, 0),
        (_, ".cluster" | ".shared::cluster") => least(90, 7, 8),
        (_, ".shared::cta") => least(0, 7, 8),
        (_, ".param::func") => least(0, 8, 3),
        (_, ".mmio") => least(70, 8, 2),
        (_, ".b128") => B128,
        (Modifier::L1(_), _) => least(70, 7, 4),
        (Modifier::Hint, _) => least(80, 7, 4),
        (Modifier::L2(_), _) => WIDE,
        _ => return None,
    })
}

/// First version with `.volatile` in `.local`.
const VOLATILE_LOCAL: Version = Version { major: 9, minor: 1 };
/// First version with `.mmio.release`.
const MMIO_RELEASE: Version = Version { major: 9, minor: 3 };

/// Refuses the first part of a statement that this target or this version does not know yet.
pub fn known(statement: &Statement<'_>, names: &Names<'_>, target: Target, version: Version) -> Result<(), Refusal> {
    exists(target, version).map_err(|(message, help)| Refusal {
        help: help.into(),
        ..Refusal::new(Clause::PtxTarget, &statement.mnemonic, message)
    })?;
    late(statement, version)?;
    let (wide, is_128) = (statement.is_256(), statement.element().is_some_and(|element| element.bits == 128));
    for at in &statement.modifiers {
        let (least, what) = match at.value {
            Modifier::Vector(_) if wide => (Some(WIDE), " of 256 bits"),
            Modifier::Scope(Scope::Sys) if is_128 => (Some(B128_SYS), " with 128 bits"),
            modifier => (needs(modifier, at.text), ""),
        };
        least.map_or(Ok(()), |least| has(least, at, what, target, version))?;
    }
    for at in &statement.data.value.elements {
        let Element::Name(name, _) = at.value else { continue };
        if matches!(names.find(name), Some(Symbol::Register(Register { bits: 128, .. }))) {
            has(B128, at, " of 128 bits", target, version)?;
        }
    }
    Ok(())
}

/// Refuses what is legal only in later versions, by the clause of legality that refuses it in older ones.
fn late(statement: &Statement<'_>, version: Version) -> Result<(), Refusal> {
    let (order, what, clause, first) = match statement.order() {
        Some(Order::Volatile) if statement.space() == Some(Space::Local) => {
            (Order::Volatile, "in `.local`", Clause::PtxL2, VOLATILE_LOCAL)
        }
        Some(Order::Release) if statement.mmio() => (Order::Release, "with `.mmio`", Clause::PtxL4, MMIO_RELEASE),
        _ => return Ok(()),
    };
    match statement.of(|modifier| (modifier == Modifier::Order(order)).then_some(())).next() {
        Some(at) if version < first => {
            let message = format!("`{}` {what} needs PTX {first}, the version is {version}", at.shown());
            Err(Refusal { help: format!("PTX {first} and newer have it").into(), ..Refusal::new(clause, &at, message) })
        }
        _ => Ok(()),
    }
}

/// Refuses a part that needs a later target or version.
fn has<T>((sm, first): Least, at: &At<'_, T>, what: &str, target: Target, version: Version) -> Result<(), Refusal> {
    let (has, help) = if target.sm < sm {
        (format!("needs sm_{sm}, the target is {target}"), format!("sm_{sm} and newer have it"))
    } else if version < first {
        (format!("needs PTX {first}, the version is {version}"), format!("PTX {first} and newer have it"))
    } else {
        return Ok(());
    };
    Err(Refusal { help: help.into(), ..Refusal::new(Clause::PtxTarget, at, format!("`{}`{what} {has}", at.shown())) })
}
