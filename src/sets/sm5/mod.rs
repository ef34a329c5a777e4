// SPDX-License-Identifier: MIT OR Apache-2.0
//! Direct3D shader model 5: `atomic_cmp_store`.
//!
//! ```text
//!   text --parse--> Inst --lower--> Lowered (an Op, and what feeds it)
//! tokens --decode->  |
//!        <--encode-- | --Display--> the text that vkd3d prints
//! ```
//!
//! ```
//! use gpu_lsu::sets::sm5;
//!
//! let line = "0b0000ac 0011e000 00000000 00100046 00000000 00208556 00000000 00000000 00208006 00000000 00000000";
//! let inst = sm5::parse_code(line).unwrap();
//! assert_eq!(inst.to_string(), "atomic_cmp_store u0, r0.xyxx, cb0[0].y, cb0[0].x");
//! assert_eq!(sm5::code(&inst), line);
//! ```

pub(crate) mod bins;
mod code;
mod declare;
mod decode;
pub(crate) mod diagnose;
pub mod dxbc;
mod encode;
pub(crate) mod explain;
mod front;
pub(crate) mod lines;
mod fault;
mod file;
mod lower;
mod operand;
mod parse;
mod print;
pub(crate) mod program;
pub(crate) mod proof;
mod register;
#[cfg(feature = "rtl")]
pub(crate) mod shrink;
#[cfg(feature = "rtl")]
pub(crate) mod stimulus;
mod stream;
mod version;

pub use code::{code, is_dword, parse_code, parse_dwords};
pub use declare::{Declaration, Declared};
pub use decode::{ATOMIC_CMP_STORE, decode};
pub use dxbc::{Contained, DxbcError};
pub use encode::encode;
pub use fault::{DecodeError, Fault};
pub use file::File;
pub use lower::{Binding, Bindings, LowerError, lower};
pub use operand::{Components, Index, Modifier, Operand, Reference, Scalar, Value};
pub use parse::{NAME, is_name, parse};
pub use register::{Register, slot_name};
pub use stream::{Atomic, Flaw, Shader};
pub use version::{Stage, Version};

/// `atomic_cmp_store`: four operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Inst {
    /// The u# or g#.
    pub destination: Reference,
    /// dstAddress.
    pub address: Operand,
    /// src0.
    pub compare: Operand,
    /// src1.
    pub new: Operand,
}

/// The front end.
pub(crate) struct Set;
/// The address rule of its operations.
pub(crate) struct Rule;
