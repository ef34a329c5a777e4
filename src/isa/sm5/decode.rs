// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tokens to an instruction and back.
//!
//! Bits of a token that have no meaning for its components are ignored, and 0 in what [`encode`] gives. An extended
//! operand token without a modifier is left out.

use super::{Components, File, Index, Inst, Modifier, Operand, Reference, Scalar, Value};

/// Bits 10:0 of the opcode token.
pub const ATOMIC_CMP_STORE: u32 = 172;
/// Operand type of 32-bit literals.
const IMMEDIATE32: u32 = 4;
/// Bit 31: an extended token follows.
const EXTENDED: u32 = 1 << 31;
/// The type of an extended operand token that holds a modifier.
const MODIFIER: u32 = 1;

/// Why tokens are no `atomic_cmp_store`, and the token at fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{fault}")]
pub struct DecodeError {
    /// Dwords from the opcode token.
    pub at: usize,
    /// The fact.
    pub fault: Fault,
}

/// What is wrong with a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Another instruction.
    #[error("opcode {0} is not 172, atomic_cmp_store")]
    Opcode(u32),
    /// Bits 23:11 of the opcode token.
    #[error("bits 23:11 of the opcode token are {0:#x}, which atomic_cmp_store has as 0")]
    Controls(u32),
    /// Bit 31 of the opcode token.
    #[error("an extended opcode token is for sampling and loading, not for atomic_cmp_store")]
    ExtendedOpcode,
    /// The length is not that of the dwords there are.
    #[error("the opcode token says {says} dwords, and there are {are}")]
    Length {
        /// Bits 30:24 of the opcode token.
        says: usize,
        /// What there is.
        are: usize,
    },
    /// The operands need more.
    #[error("the instruction ends before its operands do")]
    Short,
    /// The operands need less.
    #[error("{0} dwords are left behind the four operands")]
    Long(usize),
    /// Components code 3.
    #[error("an operand has 0, 1 or 4 components (codes 0 to 2), not code 3")]
    Components,
    /// Component mode 3.
    #[error("an operand's components are masked, swizzled or selected (modes 0 to 2), not mode 3")]
    Mode,
    /// A type without a register file.
    #[error("operand type {0} is none that atomic_cmp_store has")]
    Type(u8),
    /// An index representation past 4.
    #[error("index representation {0} is none: 0 imm32, 1 imm64, 2 relative, 3 imm32 and relative")]
    Representation(u32),
    /// A literal with indices, or without components.
    #[error("a literal has one component or four, and no index")]
    Literal,
    /// An extended operand token that holds more than a modifier.
    #[error(
        "the extended operand token {0:#010x} is not a modifier: 0x41 negates, 0x81 takes the absolute value, 0xc1 both"
    )]
    Extended(u32),
    /// A modifier where none can be.
    #[error("a destination and the register of an index have no modifier")]
    Modified,
    /// The register of a relative index has an index like that itself.
    #[error("the register of a relative index has immediate indices")]
    Nested,
}

/// The tokens that are not yet read.
struct Tokens<'a> {
    all: &'a [u32],
    at: usize,
}

/// The instruction of these dwords, all of them.
///
/// ```
/// use gpu_lsu::isa::sm5::{self, Fault};
///
/// let dwords = [0x090000ac, 0x0011f000, 1, 0x00100046, 0, 0x0010002a, 3, 0x0010003a, 3];
/// let inst = sm5::decode(&dwords).unwrap();
/// assert_eq!(inst.to_string(), "atomic_cmp_store g1, r0.xyxx, r3.z, r3.w");
/// assert_eq!(sm5::encode(&inst), dwords);
/// assert_eq!(sm5::decode(&dwords[..8]).unwrap_err().fault, Fault::Length { says: 9, are: 8 });
/// ```
pub fn decode(dwords: &[u32]) -> Result<Inst, DecodeError> {
    let mut tokens = Tokens { all: dwords, at: 0 };
    let opcode = tokens.next()?;
    let says = (opcode >> 24 & 0x7f) as usize;
    let fault = match opcode & 0x7ff {
        ATOMIC_CMP_STORE if opcode & EXTENDED != 0 => Some(Fault::ExtendedOpcode),
        ATOMIC_CMP_STORE if opcode >> 11 & 0x1fff != 0 => Some(Fault::Controls(opcode >> 11 & 0x1fff)),
        ATOMIC_CMP_STORE if says != dwords.len() => Some(Fault::Length { says, are: dwords.len() }),
        ATOMIC_CMP_STORE => None,
        other => Some(Fault::Opcode(other)),
    };
    if let Some(fault) = fault {
        return Err(DecodeError { at: 0, fault });
    }
    let (at, destination) = (tokens.at, tokens.operand()?);
    if destination.modifier != Modifier::None {
        return Err(DecodeError { at, fault: Fault::Modified });
    }
    let inst = Inst { destination, address: tokens.operand()?, compare: tokens.operand()?, new: tokens.operand()? };
    match dwords.len() - tokens.at {
        0 => Ok(inst),
        left => Err(DecodeError { at: tokens.at, fault: Fault::Long(left) }),
    }
}

impl Tokens<'_> {
    fn next(&mut self) -> Result<u32, DecodeError> {
        let token = self.all.get(self.at).copied().ok_or(DecodeError { at: self.at, fault: Fault::Short })?;
        self.at += 1;
        Ok(token)
    }

    /// Any operand of an instruction or a declaration.
    fn operand(&mut self) -> Result<Operand, DecodeError> {
        let at = self.at;
        let token = self.next()?;
        let fail = |fault| DecodeError { at, fault };
        let modifier = if token & EXTENDED != 0 { self.modifier()? } else { Modifier::None };
        let components = components(token).map_err(fail)?;
        let dimensions = (token >> 20 & 3) as usize;
        if token >> 12 & 0xff == IMMEDIATE32 {
            let value = match components {
                Components::None => return Err(fail(Fault::Literal)),
                _ if dimensions != 0 => return Err(fail(Fault::Literal)),
                Components::One => Value::Scalar(self.next()?),
                _ => Value::Vector([self.next()?, self.next()?, self.next()?, self.next()?]),
            };
            return Ok(Operand { modifier, value });
        }
        let file = file(token).map_err(fail)?;
        let mut indices = [None; 3];
        for (place, index) in indices.iter_mut().enumerate().take(dimensions) {
            *index = Some(self.index(token >> (22 + 3 * place) & 7, at)?);
        }
        Ok(Operand { modifier, value: Value::Register(Reference { file, indices, components }) })
    }

    fn modifier(&mut self) -> Result<Modifier, DecodeError> {
        let at = self.at;
        match self.next()? {
            0 | MODIFIER => Ok(Modifier::None),
            0x41 => Ok(Modifier::Negate),
            0x81 => Ok(Modifier::Absolute),
            0xc1 => Ok(Modifier::NegateAbsolute),
            token => Err(DecodeError { at, fault: Fault::Extended(token) }),
        }
    }

    /// `at`: the operand token that has the representation.
    fn index(&mut self, representation: u32, at: usize) -> Result<Index, DecodeError> {
        Ok(match representation {
            0 => Index::Immediate(self.next()?),
            1 => Index::Wide(u64::from(self.next()?) << 32 | u64::from(self.next()?)),
            2 => Index::Relative { offset: None, register: self.scalar()? },
            3 => Index::Relative { offset: Some(self.next()?), register: self.scalar()? },
            other => return Err(DecodeError { at, fault: Fault::Representation(other) }),
        })
    }

    /// The register of a relative index.
    fn scalar(&mut self) -> Result<Scalar, DecodeError> {
        let at = self.at;
        let token = self.next()?;
        let fail = |fault| DecodeError { at, fault };
        if token & EXTENDED != 0 {
            return Err(fail(Fault::Modified));
        }
        let components = components(token).map_err(fail)?;
        let file = file(token).map_err(fail)?;
        let mut indices = [None; 3];
        for (place, index) in indices.iter_mut().enumerate().take((token >> 20 & 3) as usize) {
            if token >> (22 + 3 * place) & 7 != 0 {
                return Err(fail(Fault::Nested));
            }
            *index = Some(self.next()?);
        }
        Ok(Scalar { file, indices, components })
    }
}

fn components(token: u32) -> Result<Components, Fault> {
    let bits = (token >> 4 & 0xff) as u8;
    match (token & 3, token >> 2 & 3) {
        (0, _) => Ok(Components::None),
        (1, _) => Ok(Components::One),
        (2, 0) => Ok(Components::Mask(bits & 0xf)),
        (2, 1) => Ok(Components::Swizzle([0, 2, 4, 6].map(|low| bits >> low & 3))),
        (2, 2) => Ok(Components::Select(bits & 3)),
        (2, _) => Err(Fault::Mode),
        _ => Err(Fault::Components),
    }
}

fn file(token: u32) -> Result<File, Fault> {
    let code = (token >> 12 & 0xff) as u8;
    File::from_code(code).ok_or(Fault::Type(code))
}

/// The tokens of an instruction. Bits of a field past its width are dropped.
pub fn encode(inst: &Inst) -> Vec<u32> {
    let mut dwords = vec![0];
    for operand in [&inst.destination, &inst.address, &inst.compare, &inst.new] {
        put_operand(&mut dwords, operand);
    }
    // Four operands of at most 17 dwords: the length has seven bits.
    dwords[0] = ATOMIC_CMP_STORE | (dwords.len() as u32) << 24;
    dwords
}

fn put_operand(dwords: &mut Vec<u32>, operand: &Operand) {
    let modifier = match operand.modifier {
        Modifier::None => None,
        Modifier::Negate => Some(0x41),
        Modifier::Absolute => Some(0x81),
        Modifier::NegateAbsolute => Some(0xc1),
    };
    let extended = if modifier.is_some() { EXTENDED } else { 0 };
    match operand.value {
        Value::Scalar(value) => {
            dwords.push(1 | IMMEDIATE32 << 12 | extended);
            dwords.extend(modifier.into_iter().chain([value]));
        }
        Value::Vector(values) => {
            dwords.push(2 | IMMEDIATE32 << 12 | extended);
            dwords.extend(modifier.into_iter().chain(values));
        }
        Value::Register(reference) => {
            let representations =
                reference.indices().zip([22, 25, 28]).map(|(index, low)| index.representation() << low);
            let token = head(reference.file, reference.indices().count(), reference.components);
            dwords.push(token | representations.sum::<u32>() | extended);
            dwords.extend(modifier);
            reference.indices().for_each(|index| put_index(dwords, index));
        }
    }
}

impl Index {
    fn representation(&self) -> u32 {
        match self {
            Index::Immediate(_) => 0,
            Index::Wide(_) => 1,
            Index::Relative { offset: None, .. } => 2,
            Index::Relative { .. } => 3,
        }
    }
}

fn put_index(dwords: &mut Vec<u32>, index: &Index) {
    match *index {
        Index::Immediate(number) => dwords.push(number),
        Index::Wide(number) => dwords.extend([(number >> 32) as u32, number as u32]),
        Index::Relative { offset, register } => {
            dwords.extend(offset);
            dwords.push(head(register.file, register.indices().count(), register.components));
            dwords.extend(register.indices());
        }
    }
}

/// An operand token without representations.
fn head(file: File, dimensions: usize, components: Components) -> u32 {
    let components = match components {
        Components::None => 0,
        Components::One => 1,
        Components::Mask(mask) => 2 | u32::from(mask & 0xf) << 4,
        Components::Swizzle(taken) => {
            let bits = taken.iter().rev().fold(0, |all, component| all << 2 | u32::from(component & 3));
            2 | 1 << 2 | bits << 4
        }
        Components::Select(component) => 2 | 2 << 2 | u32::from(component & 3) << 4,
    };
    components | (file as u32) << 12 | (dimensions as u32) << 20
}
