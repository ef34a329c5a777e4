// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which target and which version of PTX know what.

use std::{fmt, str::FromStr};

use super::{
    legal::Refusal,
    modifier::{Modifier, Scope},
    names::{Names, Register, Symbol},
    statement::{At, Element, Statement},
};
use crate::clause::Clause;

/// A version of PTX: `8.3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// Before the point.
    pub major: u16,
    /// Behind it.
    pub minor: u16,
}

/// A target: `sm_90`, `sm_100a`. What a letter adds concerns no `st`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Target {
    /// The number.
    pub sm: u16,
    letter: Option<char>,
}

/// What is assumed where nothing is said: the newest of both that the rules were checked with.
pub const NEWEST: (Target, Version) = (Target { sm: 120, letter: None }, Version { major: 8, minor: 8 });

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

/// No target, or no version, is written so.
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

/// From which version on a target exists. Of those that are not here nothing is known.
const TARGETS: &[(u16, u16, u16)] = &[
    (50, 4, 0),
    (52, 4, 1),
    (53, 4, 2),
    (60, 5, 0),
    (61, 5, 0),
    (62, 5, 0),
    (70, 5, 1), // the source says 6.0, the vendor's assembler takes this
    (72, 6, 1),
    (75, 6, 3),
    (80, 7, 0),
    (86, 7, 1),
    (87, 7, 4),
    (89, 7, 8),
    (90, 7, 8),
    (100, 8, 6),
    (101, 8, 6),
    (103, 8, 8),
    (120, 8, 7),
    (121, 8, 8),
];

/// Says whether this version has this target, and if not, which one is the first.
fn exists(target: Target, version: Version) -> Result<(), Version> {
    let first = TARGETS.iter().find(|row| row.0 == target.sm).map(|&(_, major, minor)| Version { major, minor });
    first.filter(|&first| version < first).map_or(Ok(()), Err)
}

/// What a feature needs: the least target, and the least version.
type Least = (u16, Version);

const fn least(sm: u16, major: u16, minor: u16) -> Least {
    (sm, Version { major, minor })
}

/// Types and registers of 128 bits.
const B128: Least = least(70, 8, 3);
/// `.b128` at system scope. The source does not say so; the vendor's assembler does.
const B128_SYS: Least = least(70, 8, 4);
/// Vectors of 256 bits, and what goes with them.
const WIDE: Least = least(100, 8, 8);

/// The least target and version of a modifier.
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

/// The first thing of a statement that this target or this version does not know yet.
pub fn known(statement: &Statement<'_>, names: &Names<'_>, target: Target, version: Version) -> Result<(), Refusal> {
    if let Err(first) = exists(target, version) {
        let message = format!("PTX {version} does not know {target}");
        let help = format!("PTX {first} and newer know it").into();
        return Err(Refusal { help, ..Refusal::new(Clause::PtxTarget, &statement.mnemonic, message) });
    }
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

/// Refuses a part that comes with a later target or version.
fn has<T>((sm, first): Least, at: &At<'_, T>, what: &str, target: Target, version: Version) -> Result<(), Refusal> {
    let (has, help) = if target.sm < sm {
        (format!("needs sm_{sm}, the target is {target}"), format!("sm_{sm} and newer have it"))
    } else if version < first {
        (format!("needs PTX {first}, the version is {version}"), format!("PTX {first} and newer have it"))
    } else {
        return Ok(());
    };
    Err(Refusal { help: help.into(), ..Refusal::new(Clause::PtxTarget, at, format!("`{}`{what} {has}", at.text)) })
}
