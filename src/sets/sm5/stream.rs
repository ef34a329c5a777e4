// SPDX-License-Identifier: MIT OR Apache-2.0
//! A shader's tokens: a version, a length, instructions.

use super::{ATOMIC_CMP_STORE, Declaration, File, Index, Inst, Stage, Version, declare, decode};
use crate::{clause::Clause, op::Resource};

/// Bytes from structure to structure.
const STRIDES: std::ops::RangeInclusive<u32> = 4..=2048;
/// Bytes of all g# together.
const SHARED_BYTES: u64 = 32768;
/// The opcode whose length stands in a dword of its own.
const CUSTOM_DATA: u32 = 53;

/// An `atomic_cmp_store` of a shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Atomic {
    /// Dwords from the version token.
    pub at: usize,
    /// The instruction.
    pub inst: Inst,
    /// The declaration of its destination. `None` for a relative index, which may differ between lanes.
    pub declaration: Option<Declaration>,
}

/// An error in a shader's tokens.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("token {at}: {message}")]
pub struct Flaw {
    /// Dwords from the version token.
    pub at: usize,
    /// What is wrong.
    pub message: String,
    /// The rule of the specification that it breaks, if any.
    pub clause: Option<Clause>,
}

/// What a shader's tokens hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shader {
    /// The version, from the first token.
    pub version: Version,
    /// Every `atomic_cmp_store`, and every error in one or in a declaration, in order. A wrong length is the last
    /// entry.
    pub found: Vec<Result<Atomic, Flaw>>,
}

impl Flaw {
    fn new(at: usize, message: impl Into<String>) -> Self {
        Flaw { at, message: message.into(), clause: None }
    }

    fn by(self, clause: Clause) -> Self {
        Flaw { clause: Some(clause), ..self }
    }
}

impl Shader {
    /// Reads a shader's tokens. `everywhere` says that the shader is known to request unordered access at every stage.
    ///
    /// ```
    /// use gpu_lsu::sets::sm5::Shader;
    ///
    /// let mut tokens = vec![0x00050050, 0, 0x0300009d, 0x0011e000, 0]; // cs_5_0, dcl_uav_raw u0
    /// tokens.extend([0x090000ac, 0x0011e000, 0, 0x00100006, 0, 0x00100006, 1, 0x00100006, 2]);
    /// tokens[1] = tokens.len() as u32;
    /// let shader = Shader::read(&tokens, false).unwrap();
    /// let atomic = shader.found[0].as_ref().unwrap();
    /// assert_eq!((atomic.at, atomic.declaration.unwrap().to_string().as_str()), (5, "dcl_uav_raw u0"));
    ///
    /// tokens[0] = 0x00050040; // cs_4_0
    /// assert!(Shader::read(&tokens, false).unwrap().found[0].is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// If the first two tokens are not a version and a length.
    pub fn read(tokens: &[u32], everywhere: bool) -> Result<Shader, Flaw> {
        let [token, length, ..] = *tokens else {
            return Err(Flaw::new(0, "a shader has a version token and a length"));
        };
        let version = Version::from_token(token)
            .ok_or_else(|| Flaw::new(0, format!("{token:#010x} is no version token of a shader")))?;
        let tokens = usize::try_from(length).ok().and_then(|length| tokens.get(..length)).filter(|all| all.len() >= 2);
        let tokens =
            tokens.ok_or_else(|| Flaw::new(1, format!("the shader's length, {length}, is not that of its tokens")))?;
        let mut walk = Walk { version, everywhere, declarations: Vec::new(), refused: Vec::new(), found: Vec::new() };
        let mut at = 2;
        while at < tokens.len() {
            match extent(tokens, at) {
                Ok(instruction) => {
                    walk.instruction(at, instruction);
                    at += instruction.len();
                }
                Err(flaw) => {
                    walk.found.push(Err(flaw));
                    break;
                }
            }
        }
        Ok(Shader { version, found: walk.found })
    }
}

/// The dwords, at least one, of the instruction that begins at `at`.
fn extent(tokens: &[u32], at: usize) -> Result<&[u32], Flaw> {
    let rest = tokens.get(at..).unwrap_or_default();
    let (length, least) = match *rest {
        [token, length, ..] if token & 0x7ff == CUSTOM_DATA => (length, 2),
        [token, ..] => (token >> 24 & 0x7f, 1),
        [] => (0, 1),
    };
    let instruction = usize::try_from(length).ok().and_then(|length| rest.get(..length));
    instruction.filter(|all| all.len() >= least).ok_or_else(|| {
        let message = format!("the length of the instruction, {length}, is not one of {least} to {}", rest.len());
        Flaw::new(at, message)
    })
}

/// A shader being read.
struct Walk {
    version: Version,
    everywhere: bool,
    declarations: Vec<Declaration>,
    /// Declarations that were reported as wrong; instructions that use them are not reported for it.
    refused: Vec<Declaration>,
    found: Vec<Result<Atomic, Flaw>>,
}

impl Walk {
    fn instruction(&mut self, at: usize, dwords: &[u32]) {
        match dwords[0] & 0x7ff {
            ATOMIC_CMP_STORE => {
                let atomic = self.atomic(at, dwords);
                self.found.push(atomic);
            }
            opcode if declare::is_declaration(opcode) => {
                if let Err(flaw) = self.declare(at, dwords) {
                    self.found.push(Err(flaw));
                }
            }
            _ => {}
        }
    }

    fn declare(&mut self, at: usize, dwords: &[u32]) -> Result<(), Flaw> {
        let declaration = Declaration::decode(dwords).map_err(|error| Flaw::new(at + error.at, error.to_string()))?;
        if self.declared(declaration.file(), declaration.number).is_some() {
            let name = declaration.file().name();
            return Err(Flaw::new(at, format!("{name}{} is declared a second time", declaration.number)));
        }
        let limits = self.limits(at, &declaration);
        if limits.is_ok() { &mut self.declarations } else { &mut self.refused }.push(declaration);
        limits
    }

    /// Checks a declaration against the limits of Direct3D (SM5-STAGE).
    fn limits(&self, at: usize, declaration: &Declaration) -> Result<(), Flaw> {
        let refused = |at: usize, message: String| Err(Flaw::new(at, message).by(Clause::Sm5Stage));
        let (name, number) = (declaration.file().name(), declaration.number);
        if declaration.file() == File::Tgsm && self.version.stage != Stage::Compute {
            return refused(at, format!("{} has no {name}{number}: threads of compute shaders share memory", self.version));
        }
        if let Some(stride) = declaration.stride().filter(|stride| !STRIDES.contains(stride) || stride % 4 != 0) {
            let what = format!("the stride of {name}{number}, {stride} bytes, is no multiple of 4 from 4 to 2048");
            return refused(at, what);
        }
        let all = self.declarations.iter().chain([declaration]);
        let bytes: u64 = all.filter_map(Declaration::shared_bytes).sum();
        if declaration.file() == File::Tgsm && bytes > SHARED_BYTES {
            let what = format!("with {name}{number} all g# have {bytes} bytes together, and may have {SHARED_BYTES}");
            return refused(at, what);
        }
        Ok(())
    }

    fn declared(&self, file: File, number: u32) -> Option<Declaration> {
        self.declarations.iter().chain(&self.refused).copied().find(|other| (other.file(), other.number) == (file, number))
    }

    fn atomic(&self, at: usize, dwords: &[u32]) -> Result<Atomic, Flaw> {
        let inst = decode(dwords).map_err(|error| Flaw::new(at + error.at, error.to_string()))?;
        if !self.version.has_atomics(self.everywhere) {
            let message = format!("{} has no atomic_cmp_store", self.version);
            return Err(Flaw::new(at, message).by(Clause::Sm5Stage));
        }
        let kind = |message: String| Flaw::new(at + 1, message).by(Clause::Sm5Kind);
        let destination = inst.destination;
        let name = destination.file.name();
        if !matches!(destination.file, File::Uav | File::Tgsm) {
            return Err(kind(format!("the destination, {name}, is neither u# nor g#")));
        }
        let number = match destination.indices().next() {
            Some(Index::Immediate(number)) => *number,
            Some(Index::Relative { .. }) => return Ok(Atomic { at, inst, declaration: None }),
            _ => return Err(kind("the destination has no number".to_owned())),
        };
        let declaration = self.declared(destination.file, number);
        let declaration = declaration.ok_or_else(|| kind(format!("{name}{number} is not declared")))?;
        if !declaration.is_integer() {
            return Err(kind(format!("the elements of {name}{number} are not 32-bit integers: `{declaration}`")));
        }
        if declaration.kind() == Resource::Typed && declaration.dimension().is_none() {
            return Err(kind(format!("the dimension of {name}{number} is none that a u# has: `{declaration}`")));
        }
        Ok(Atomic { at, inst, declaration: Some(declaration) })
    }
}
