// SPDX-License-Identifier: MIT OR Apache-2.0
//! The form to which every instruction set lowers its instructions.

use crate::op::{Kind, MAX_REGISTERS, Op};

/// The number of the predicate that is always true.
pub const PT: u8 = 7;

/// The predicate that precedes an instruction: `@P2`, `@!P2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Guard {
    /// 0 to 6, or [`PT`].
    pub pred: u8,
    /// Whether the lanes where the predicate is false execute, instead of those where it is true.
    pub negated: bool,
}

impl Guard {
    /// The guard of an unguarded instruction: every lane executes.
    pub const ALWAYS: Guard = Guard { pred: PT, negated: false };
}

/// Source or destination of a word that an operation moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// A register, by its number.
    Register(u16),
    /// A store's constant, the same in every lane.
    Constant(u32),
    /// A register's negative, modulo 2^32 (SM5's `-`).
    Negated(u16),
    /// A word of a register plus an integer (`%r1+4` of PTX).
    Sum(Sum),
    /// 1 where a predicate is true, else 0.
    Predicate(u8),
}

/// A register of one or more words plus an integer, modulo 2^`bits`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sum {
    /// The number of the register's lowest word; the other words follow.
    pub first: u16,
    /// Width of the register.
    pub bits: u8,
    /// The integer, sign-extended to `bits`.
    pub add: u64,
    /// The word of the sum, 0 for the lowest; below `bits` / 32.
    pub word: u8,
}

impl Source {
    /// The number of the register, if the source is one.
    pub fn register(self) -> Option<u16> {
        match self {
            Source::Register(number) | Source::Negated(number) => Some(number),
            Source::Sum(sum) => Some(sum.first + u16::from(sum.word)),
            Source::Constant(_) | Source::Predicate(_) => None,
        }
    }
}

/// A legal instruction, ready for the unit once the lanes' values are filled in.
///
/// Registers have numbers: Rn of SPA 5.0 has number n, component c of R700's Rn has number 4n + c. Those of PTX have
/// slots ([`ptx::Reg`](super::ptx::Reg)), and so have those of SM5 ([`sm5::Register`](super::sm5::Register)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lowered {
    /// The operation. Its warp and tag are 0; the issuer sets them.
    pub op: Op,
    /// Sources of the address words; `None` reads 0.
    pub address: [Option<Source>; 3],
    /// Sources of a store, destinations of a load, by index in the operation ([`Op::registers`]). A compare-and-store
    /// has the comparison value first, then the new one. `None` reads 0 or drops the value.
    pub data: [Option<Source>; MAX_REGISTERS],
    /// The guard that selects the lanes that execute.
    pub guard: Guard,
    /// The predicate that gives each lane's space, 0 to 7 (SPA5-SPACE).
    pub plg: u8,
    /// The register with the low half of the cache policy, if a register holds it; the next register has the high half.
    pub policy: Option<u16>,
}

impl Lowered {
    /// The registers that the operation moves, by ascending index in the operation.
    pub fn registers(&self) -> impl Iterator<Item = (usize, Option<u16>)> + '_ {
        self.sources().map(|(index, source)| (index, source.and_then(Source::register)))
    }

    /// The same with the sources that are not registers.
    pub fn sources(&self) -> impl Iterator<Item = (usize, Option<Source>)> + '_ {
        let moved = if self.op.kind == Kind::CmpStore as u8 { 0b11 } else { self.op.registers() };
        self.data.iter().copied().enumerate().filter(move |(index, _)| moved >> index & 1 == 1)
    }
}
