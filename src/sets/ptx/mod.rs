// SPDX-License-Identifier: MIT OR Apache-2.0
//! PTX: every form of `st`, and the rules of its legality.
//!
//! PTX has no machine words. A statement is read as it was written. [`judge`] then applies the clauses to it, with the
//! declarations at its place and the features of its target and version of PTX. In a program, the statement becomes an
//! [`Inst`], which [`lower()`] lowers to an operation.
//!
//! ```text
//!   text --lex, parse--> Statement --judge--> accepted, or a Refusal    (check)
//!   line --parse-------> Inst --lower--> Lowered                        (run, explain)
//!                         +-----Display--> the normalised text
//! ```
//!
//! ```
//! use gpu_lsu::{clause::Clause, sets::ptx::{Bare, NEWEST}};
//!
//! let (target, version) = NEWEST;
//! let bare = Bare::new(target, version);
//! assert_eq!(bare.check("st.global.release.gpu.b32 [%rd1+4], %r2;"), Ok(()));
//! let refusal = bare.check("st.global.release.b32 [%rd1], %r2;").unwrap_err();
//! assert_eq!((refusal.clause, refusal.fault.as_str()), (Clause::PtxL3, ".release"));
//! assert_eq!(refusal.to_string(), "`.release` has no scope");
//! ```

mod bare;
pub(crate) mod bins;
mod constant;
mod declare;
pub(crate) mod diagnose;
pub(crate) mod explain;
mod front;
pub(crate) mod lines;
mod feature;
mod inst;
mod legal;
mod lex;
mod literal;
mod lower;
mod modifier;
mod module;
mod names;
mod parse;
mod print;
pub(crate) mod program;
pub(crate) mod proof;
mod read;
mod register;
#[cfg(feature = "rtl")]
pub(crate) mod shrink;
mod statement;
#[cfg(feature = "rtl")]
pub(crate) mod stimulus;
mod text;

pub use bare::{Bare, DECLARATIONS};
pub use constant::Constant;
pub use feature::{Malformed, NEWEST, Target, Version, newest};
pub use inst::{Base, Inst, Value};
pub use legal::{Refusal, judge};
pub use lower::{Places, lower};
pub use modifier::{Class, Cop, Modifier, Order, Priority, Scope, Space, Type};
pub use module::{Access, Module, is_module};
pub use names::{Extent, Names, Register, Symbol};
pub use print::Offset;
pub use read::parse;
pub use register::{Reg, Variable, predicate, predicate_name, slot_name};
pub use statement::{Address, At, Element, Guard, Operand, Statement};
pub use text::text;

/// The front end.
pub(crate) struct Set;
/// The address rule of its operations.
pub(crate) struct Rule;
