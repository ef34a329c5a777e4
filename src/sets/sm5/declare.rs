// SPDX-License-Identifier: MIT OR Apache-2.0
//! Declarations of u# and g#, which tell what the slots of a shader are.

use std::fmt;

use super::{DecodeError, Fault, File, Index, Value, decode::Tokens};
use crate::op::{Dimension, Resource};

/// `dcl_uav_typed`, the first opcode of a declaration.
const UAV_TYPED: u32 = 156;
const UAV_RAW: u32 = 157;
const UAV_STRUCTURED: u32 = 158;
const TGSM_RAW: u32 = 159;
const TGSM_STRUCTURED: u32 = 160;

/// The names of the dimensions in the text, by code.
const DIMENSIONS: [&str; 11] = [
    "none",
    "buffer",
    "texture1d",
    "texture2d",
    "texture2dms",
    "texture3d",
    "texturecube",
    "texture1darray",
    "texture2darray",
    "texture2dmsarray",
    "texturecubearray",
];
/// The names of the element types in the text, by code.
const TYPES: [&str; 10] =
    ["none", "unorm", "snorm", "int", "uint", "float", "mixed", "double", "<continued>", "<unused>"];

/// A u# or g#, as a shader declares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// The number by which instructions name the u# or g#.
    pub number: u32,
    /// The kind of resource, with its properties.
    pub what: Declared,
    /// Bits 23:16 of the opcode token: globally coherent, rasterizer ordered, with an order-preserving counter.
    flags: u8,
}

/// What a slot is declared as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Declared {
    /// A u# of elements.
    UavTyped {
        /// The code in the token.
        dimension: u8,
        /// The codes in the token for X, Y, Z and W.
        types: [u8; 4],
    },
    /// A u# of bytes.
    UavRaw,
    /// A u# of structures.
    UavStructured {
        /// Bytes from structure to structure.
        stride: u32,
    },
    /// A g# of bytes.
    TgsmRaw {
        /// How many bytes.
        bytes: u32,
    },
    /// A g# of structures.
    TgsmStructured {
        /// Bytes from structure to structure.
        stride: u32,
        /// How many structures.
        count: u32,
    },
}

/// Whether an opcode declares a u# or g#.
pub fn is_declaration(opcode: u32) -> bool {
    (UAV_TYPED..=TGSM_STRUCTURED).contains(&opcode)
}

impl Declaration {
    /// Decodes the dwords of a declaration.
    ///
    /// ```
    /// use gpu_lsu::sets::sm5::Declaration;
    ///
    /// let declaration = Declaration::decode(&[0x0400009e, 0x0011e000, 7, 28]).unwrap();
    /// assert_eq!(declaration.to_string(), "dcl_uav_structured u7, 28");
    /// assert_eq!(declaration.stride(), Some(28));
    /// ```
    pub fn decode(dwords: &[u32]) -> Result<Self, DecodeError> {
        let mut tokens = Tokens::new(dwords);
        let token = tokens.next()?;
        let opcode = token & 0x7ff;
        let says = (token >> 24 & 0x7f) as usize;
        let fault = match () {
            () if !is_declaration(opcode) => Some(Fault::Undeclaring(opcode)),
            () if says != dwords.len() => Some(Fault::Length { says, are: dwords.len() }),
            () => None,
        };
        if let Some(fault) = fault {
            return Err(DecodeError { at: 0, fault });
        }
        let file = if opcode < TGSM_RAW { File::Uav } else { File::Tgsm };
        let number = match tokens.operand()?.value {
            Value::Register(reference) if reference.file == file => match reference.indices().next() {
                Some(Index::Immediate(number)) => Some(*number),
                _ => None,
            },
            _ => None,
        };
        let number = number.ok_or(DecodeError { at: 1, fault: Fault::Declared })?;
        let what = match opcode {
            UAV_TYPED => {
                let types = tokens.next()?;
                let types = [0, 4, 8, 12].map(|low| (types >> low & 0xf) as u8);
                Declared::UavTyped { dimension: (token >> 11 & 0x1f) as u8, types }
            }
            UAV_RAW => Declared::UavRaw,
            UAV_STRUCTURED => Declared::UavStructured { stride: tokens.next()? },
            TGSM_RAW => Declared::TgsmRaw { bytes: tokens.next()? },
            _ => Declared::TgsmStructured { stride: tokens.next()?, count: tokens.next()? },
        };
        let flags = if file == File::Uav { (token >> 16) as u8 } else { 0 };
        Ok(Declaration { number, what, flags })
    }

    /// The file of the slot: u# or g#.
    pub fn file(&self) -> File {
        match self.what {
            Declared::UavTyped { .. } | Declared::UavRaw | Declared::UavStructured { .. } => File::Uav,
            Declared::TgsmRaw { .. } | Declared::TgsmStructured { .. } => File::Tgsm,
        }
    }

    /// The kind of resource: raw, structured or typed.
    pub fn kind(&self) -> Resource {
        match self.what {
            Declared::UavTyped { .. } => Resource::Typed,
            Declared::UavRaw | Declared::TgsmRaw { .. } => Resource::Raw,
            Declared::UavStructured { .. } | Declared::TgsmStructured { .. } => Resource::Structured,
        }
    }

    /// Bytes from structure to structure, if there are structures.
    pub fn stride(&self) -> Option<u32> {
        match self.what {
            Declared::UavStructured { stride } | Declared::TgsmStructured { stride, .. } => Some(stride),
            _ => None,
        }
    }

    /// The bytes of shared memory that a g# takes; `None` for a u#.
    pub fn shared_bytes(&self) -> Option<u64> {
        match self.what {
            Declared::TgsmRaw { bytes } => Some(bytes.into()),
            Declared::TgsmStructured { stride, count } => Some(u64::from(stride) * u64::from(count)),
            _ => None,
        }
    }

    /// The dimension by which the unit indexes a typed resource. `None` for cubes, multisampling, and untyped
    /// resources.
    pub fn dimension(&self) -> Option<Dimension> {
        let Declared::UavTyped { dimension, .. } = self.what else { return None };
        Some(match dimension {
            1 => Dimension::Buffer,
            2 => Dimension::Texture1d,
            3 => Dimension::Texture2d,
            5 => Dimension::Texture3d,
            7 => Dimension::Texture1dArray,
            8 => Dimension::Texture2dArray,
            _ => return None,
        })
    }

    /// The name of a typed resource's dimension in the text.
    pub fn dimension_name(&self) -> Option<&'static str> {
        let Declared::UavTyped { dimension, .. } = self.what else { return None };
        Some(DIMENSIONS.get(usize::from(dimension)).unwrap_or(&"unknown"))
    }

    /// Whether a typed resource's elements are R32_SINT or R32_UINT, as far as a declaration tells (SM5-KIND). True for
    /// other resources.
    pub fn is_integer(&self) -> bool {
        match self.what {
            Declared::UavTyped { types, .. } => matches!(types[0], 3 | 4),
            _ => true,
        }
    }
}

/// As vkd3d prints it.
impl fmt::Display for Declaration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Declaration { number, what, flags } = *self;
        let flag = |bit: u8, name| if flags >> bit & 1 == 1 { name } else { "" };
        let (coherent, ordered, counter) = (flag(0, "_glc"), flag(1, "_rov"), flag(7, "_opc"));
        let flags = format_args!("{coherent}{ordered}{counter}");
        match what {
            Declared::UavTyped { types, .. } => {
                let dimension = self.dimension_name().unwrap_or_default();
                let [x, y, z, w] = types.map(|code| TYPES.get(usize::from(code)).unwrap_or(&"unknown"));
                write!(f, "dcl_uav_typed_{dimension}{flags} ({x},{y},{z},{w}) u{number}")
            }
            Declared::UavRaw => write!(f, "dcl_uav_raw{flags} u{number}"),
            Declared::UavStructured { stride } => write!(f, "dcl_uav_structured{flags} u{number}, {stride}"),
            Declared::TgsmRaw { bytes } => write!(f, "dcl_tgsm_raw g{number}, {bytes}"),
            Declared::TgsmStructured { stride, count } => write!(f, "dcl_tgsm_structured g{number}, {stride}, {count}"),
        }
    }
}
