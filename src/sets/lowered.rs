// SPDX-License-Identifier: MIT OR Apache-2.0
//! What every instruction set turns its instructions into.

use crate::op::{Kind, MAX_REGISTERS, Op};

/// The predicate that is always true.
pub const PT: u8 = 7;

/// The predicate in front of an instruction: `@P2`, `@!P2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Guard {
    /// 0 to 6, or [`PT`].
    pub pred: u8,
    /// Lanes where it is false execute.
    pub negated: bool,
}

impl Guard {
    /// No guard: every lane executes.
    pub const ALWAYS: Guard = Guard { pred: PT, negated: false };
}

/// Where a word that an operation moves comes from, or goes to.
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
    /// The register's lowest word, by its number; the others follow.
    pub first: u16,
    /// The register's bits.
    pub bits: u8,
    /// Sign-extended to these bits.
    pub add: u64,
    /// Which word of the sum, 0 the lowest; below `bits` / 32.
    pub word: u8,
}

impl Source {
    /// The register, if it is one.
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
/// Registers go by number: SPA 5.0's Rn is number n, component c of R700's Rn is number 4n + c, those of PTX have slots
/// ([`ptx::Reg`](super::ptx::Reg)), and so have those of SM5 ([`sm5::Register`](super::sm5::Register)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lowered {
    /// The operation; warp and tag are 0, for the issuer to set.
    pub op: Op,
    /// What the address words come from; `None` reads 0.
    pub address: [Option<Source>; 3],
    /// Sources of a store, destinations of a load, by index in the operation ([`Op::registers`]); of a compare-and-store
    /// what is compared, then what is stored. `None` reads 0 or drops the value.
    pub data: [Option<Source>; MAX_REGISTERS],
    /// Which lanes execute.
    pub guard: Guard,
    /// Each lane's space predicate, 0 to 7 (SPA5-SPACE).
    pub plg: u8,
    /// The register of the cache policy's low half, where a register has it; the high half is the next one.
    pub policy: Option<u16>,
}

impl Lowered {
    /// The registers that the operation moves, ascending: index in the operation, and number.
    pub fn registers(&self) -> impl Iterator<Item = (usize, Option<u16>)> + '_ {
        self.sources().map(|(index, source)| (index, source.and_then(Source::register)))
    }

    /// The same with a store's constants.
    pub fn sources(&self) -> impl Iterator<Item = (usize, Option<Source>)> + '_ {
        let moved = if self.op.kind == Kind::CmpStore as u8 { 0b11 } else { self.op.registers() };
        self.data.iter().copied().enumerate().filter(move |(index, _)| moved >> index & 1 == 1)
    }
}
