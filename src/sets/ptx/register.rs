// SPDX-License-Identifier: MIT OR Apache-2.0
//! The registers that a program may use, and the slots of 32 bits that hold them.
//!
//! PTX declares its registers. A program has those whose kind shows in the name, so that the name alone gives the width
//! and the slots: `%h` 16 bits, `%r` 32, `%rd` 64, `%q` 128, `%f` and `%d` floats of 32 and 64, `%pol` a policy.

use std::fmt;

use super::{
    modifier::{Class, Space},
    names::{Extent, Names, Register, Symbol},
};

/// Number of registers of each kind: `%r0` to `%r4095`.
const NUMBERS: u16 = 4096;
/// Number of predicates: `%p0` to `%p247`.
const PREDICATES: u8 = 248;
/// The number of `%p0` in a [`Guard`](crate::sets::Guard). Other instruction sets have the numbers below.
const FIRST_PREDICATE: u8 = 8;

/// The kinds of registers, by the letters in their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Bank {
    H,
    R,
    F,
    Rd,
    D,
    Q,
    Pol,
}

impl Bank {
    /// The kinds, in the order of their slots.
    const ALL: [Bank; 7] = [Bank::H, Bank::R, Bank::F, Bank::Rd, Bank::D, Bank::Q, Bank::Pol];

    fn prefix(self) -> &'static str {
        match self {
            Bank::H => "%h",
            Bank::R => "%r",
            Bank::F => "%f",
            Bank::Rd => "%rd",
            Bank::D => "%d",
            Bank::Q => "%q",
            Bank::Pol => "%pol",
        }
    }

    fn register(self) -> Register {
        let (class, bits) = match self {
            Bank::H => (Class::Bits, 16),
            Bank::R => (Class::Bits, 32),
            Bank::F => (Class::Float, 32),
            Bank::Rd | Bank::Pol => (Class::Bits, 64),
            Bank::D => (Class::Float, 64),
            Bank::Q => (Class::Bits, 128),
        };
        Register { class, bits, lanes: 1 }
    }

    fn words(self) -> u16 {
        u16::from(self.register().bits).div_ceil(32)
    }

    /// The slot of the register with number 0.
    fn first(self) -> u16 {
        let before = Bank::ALL.into_iter().take_while(|bank| *bank != self);
        before.map(|bank| NUMBERS * bank.words()).sum()
    }
}

/// A register of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reg {
    bank: Bank,
    number: u16,
}

impl Reg {
    /// The register of this name, if a program has it.
    ///
    /// ```
    /// use gpu_lsu::sets::{Isa, ptx::Reg};
    ///
    /// let register = Reg::parse("%rd2").unwrap();
    /// assert_eq!((register.bits(), register.to_string()), (64, "%rd2".to_owned()));
    /// assert_eq!(Isa::Ptx.register(Some(register.slot() + 1)), "%rd2.hi");
    /// assert_eq!(Reg::parse("%x2"), None);
    /// ```
    pub fn parse(name: &str) -> Option<Reg> {
        if name == Bank::Pol.prefix() {
            return Some(Reg { bank: Bank::Pol, number: 0 });
        }
        Bank::ALL.into_iter().filter(|bank| *bank != Bank::Pol).find_map(|bank| {
            let digits = name.strip_prefix(bank.prefix())?;
            let number = digits.bytes().all(|digit| digit.is_ascii_digit()).then(|| digits.parse().ok())??;
            (number < NUMBERS).then_some(Reg { bank, number })
        })
    }

    /// Width in bits.
    pub fn bits(self) -> u8 {
        self.bank.register().bits
    }

    /// Number of 32-bit slots that it takes. A register of 16 bits has the low half of its slot.
    pub fn words(self) -> u16 {
        self.bank.words()
    }

    /// The slot of its lowest bits. The other slots follow.
    pub fn slot(self) -> u16 {
        self.bank.first() + self.number * self.words()
    }
}

impl fmt::Display for Reg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.bank {
            Bank::Pol => f.write_str(Bank::Pol.prefix()),
            bank => write!(f, "{}{}", bank.prefix(), self.number),
        }
    }
}

/// The name of a slot: `%r1`, `%rd2.lo`, `%q3.2`.
pub fn slot_name(slot: u16) -> String {
    let bank = Bank::ALL.into_iter().rfind(|bank| bank.first() <= slot).unwrap_or(Bank::H);
    let (offset, words) = (slot - bank.first(), bank.words());
    let register = Reg { bank, number: offset / words };
    match (words, offset % words) {
        (1, _) => register.to_string(),
        (2, 0) => format!("{register}.lo"),
        (2, _) => format!("{register}.hi"),
        (_, word) => format!("{register}.{word}"),
    }
}

/// The number of a predicate in a guard, by its name.
pub fn predicate(name: &str) -> Option<u8> {
    let number = name.strip_prefix("%p")?.parse().ok().filter(|number: &u8| *number < PREDICATES)?;
    Some(number + FIRST_PREDICATE)
}

/// The name of a guard's predicate, by its number.
pub fn predicate_name(predicate: u8) -> String {
    format!("%p{}", predicate.saturating_sub(FIRST_PREDICATE))
}

/// A variable of a program, which an address or a sum may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variable {
    /// `gbl` in `.global`.
    Global,
    /// `sh` in `.shared`.
    Shared,
    /// `loc` in `.local`.
    Local,
    /// `prm` in `.param`: a parameter of a call that is being made.
    Param,
    /// `cst` in `.const`: only its address can be stored.
    Const,
    /// `p0`, a scalar parameter of the kernel: only its address can be stored.
    Input,
    /// `pe`, an array parameter of the kernel: only its address can be stored.
    Inputs,
    /// `k`, the kernel: only its address can be stored.
    Kernel,
}

impl Variable {
    /// Every variable.
    pub const ALL: [Variable; 8] = [
        Variable::Global,
        Variable::Shared,
        Variable::Local,
        Variable::Param,
        Variable::Const,
        Variable::Input,
        Variable::Inputs,
        Variable::Kernel,
    ];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Variable::Global => "gbl",
            Variable::Shared => "sh",
            Variable::Local => "loc",
            Variable::Param => "prm",
            Variable::Const => "cst",
            Variable::Input => "p0",
            Variable::Inputs => "pe",
            Variable::Kernel => "k",
        }
    }

    fn symbol(self) -> Symbol {
        match self {
            Variable::Global => Symbol::Variable(Space::Global, Extent::Array),
            Variable::Shared => Symbol::Variable(Space::Shared, Extent::Array),
            Variable::Local => Symbol::Variable(Space::Local, Extent::Array),
            Variable::Param => Symbol::Variable(Space::Param, Extent::Array),
            Variable::Const => Symbol::Variable(Space::Const, Extent::Array),
            Variable::Input => Symbol::Input(Extent::Scalar),
            Variable::Inputs => Symbol::Input(Extent::Array),
            Variable::Kernel => Symbol::Function,
        }
    }

    /// Width of its address in bits: 64 in global memory and for code, 32 in the small spaces.
    pub fn address_bits(self) -> u8 {
        if matches!(self, Variable::Global | Variable::Kernel) { 64 } else { 32 }
    }

    /// The variable of this name, if a program has it.
    pub(crate) fn parse(name: &str) -> Option<Variable> {
        Variable::ALL.into_iter().find(|variable| variable.name() == name)
    }
}

/// The declarations of every program: those of bare statements, with more registers.
pub(crate) fn declared() -> Names<'static> {
    let mut names = Names::default();
    for bank in Bank::ALL {
        let symbol = Symbol::Register(bank.register());
        match bank {
            Bank::Pol => names.declare(bank.prefix(), symbol),
            _ => names.declare_numbered(bank.prefix(), NUMBERS.into(), symbol),
        }
    }
    names.declare_numbered("%p", PREDICATES.into(), Symbol::Predicate);
    for variable in Variable::ALL {
        names.declare(variable.name(), variable.symbol());
    }
    names
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_two_registers_share_a_slot_or_a_name() {
        let (mut slots, mut names) = (HashSet::new(), HashSet::new());
        for bank in Bank::ALL {
            for number in 0..if bank == Bank::Pol { 1 } else { NUMBERS } {
                let register = Reg { bank, number };
                assert_eq!(Reg::parse(&register.to_string()), Some(register));
                for slot in register.slot()..register.slot() + register.words() {
                    assert!(slots.insert(slot) && names.insert(slot_name(slot)), "{register}");
                    assert!(slot_name(slot).starts_with(&register.to_string()));
                }
            }
        }
    }
}
