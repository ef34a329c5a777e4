// SPDX-License-Identifier: MIT OR Apache-2.0
//! Decodes tokens to an instruction.
//!
//! Bits of a token that have no meaning for its components are ignored, and so is an extended operand token without a
//! modifier: [`encode`](super::encode) writes neither.

use super::{Components, DecodeError, Fault, File, Index, Inst, Modifier, Operand, Reference, Scalar, Value};

/// Bits 10:0 of the opcode token.
pub const ATOMIC_CMP_STORE: u32 = 172;
/// Operand type of 32-bit literals.
pub(crate) const IMMEDIATE32: u32 = 4;
/// Bit 31: an extended token follows.
pub(crate) const EXTENDED: u32 = 1 << 31;
/// The type of an extended operand token that holds a modifier.
const MODIFIER: u32 = 1;

/// The tokens that are not yet read.
pub(crate) struct Tokens<'a> {
    all: &'a [u32],
    at: usize,
}

/// Decodes an instruction, which must take all of the dwords.
///
/// ```
/// use gpu_lsu::sets::sm5::{self, Fault};
///
/// let dwords = [0x090000ac, 0x0011f000, 1, 0x00100046, 0, 0x0010002a, 3, 0x0010003a, 3];
/// let inst = sm5::decode(&dwords).unwrap();
/// assert_eq!(inst.to_string(), "atomic_cmp_store g1, r0.xyxx, r3.z, r3.w");
/// assert_eq!(sm5::encode(&inst), dwords);
/// assert_eq!(sm5::decode(&dwords[..8]).unwrap_err().fault, Fault::Length { says: 9, are: 8 });
/// ```
pub fn decode(dwords: &[u32]) -> Result<Inst, DecodeError> {
    let mut tokens = Tokens::new(dwords);
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
    let destination = match tokens.operand()? {
        Operand { modifier: Modifier::None, value: Value::Register(reference) } => reference,
        Operand { modifier: Modifier::None, .. } => return Err(DecodeError { at: 1, fault: Fault::Destination }),
        _ => return Err(DecodeError { at: 1, fault: Fault::Modified }),
    };
    let inst = Inst { destination, address: tokens.operand()?, compare: tokens.operand()?, new: tokens.operand()? };
    match dwords.len() - tokens.at {
        0 => Ok(inst),
        left => Err(DecodeError { at: tokens.at, fault: Fault::Long(left) }),
    }
}

impl<'a> Tokens<'a> {
    pub(crate) fn new(all: &'a [u32]) -> Self {
        Tokens { all, at: 0 }
    }

    pub(crate) fn next(&mut self) -> Result<u32, DecodeError> {
        let token = self.all.get(self.at).copied().ok_or(DecodeError { at: self.at, fault: Fault::Short })?;
        self.at += 1;
        Ok(token)
    }

    /// Reads any operand of an instruction or a declaration.
    pub(crate) fn operand(&mut self) -> Result<Operand, DecodeError> {
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

    /// Reads an index. `at` is the place of the operand token that holds the representation.
    fn index(&mut self, representation: u32, at: usize) -> Result<Index, DecodeError> {
        Ok(match representation {
            0 => Index::Immediate(self.next()?),
            1 => Index::Wide(u64::from(self.next()?) << 32 | u64::from(self.next()?)),
            2 => Index::Relative { offset: None, register: self.scalar()? },
            3 => Index::Relative { offset: Some(self.next()?), register: self.scalar()? },
            other => return Err(DecodeError { at, fault: Fault::Representation(other) }),
        })
    }

    /// Reads the register of a relative index.
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
