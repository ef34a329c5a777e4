// SPDX-License-Identifier: MIT OR Apache-2.0
//! The readable program that `gpu-lsu run` plays: the initial state of memory and lanes, then instructions.
//!
#![doc = include_str!("../../docs/program.md")]
//!
//! ```
//! use gpu_lsu::program::Program;
//!
//! let program = Program::parse("store.lsu", "isa spa5\nalloc 0x1000 0x1000\nR1 = 0x1000 + 4*lane\nST [R1], R1\n").unwrap();
//! let step = &program.steps[0];
//! let (lanes, data) = program.warps[0].operands(&step.lowered);
//! assert_eq!((lanes.addr[2][0], data[0][2]), (0x1008, 0x1008));
//! ```

pub(crate) mod directive;
mod error;
pub(crate) mod expr;
pub(crate) mod instruction;
pub(crate) mod lines;
pub(crate) mod number;
mod pair;
pub(crate) mod reader;
mod session;
pub(crate) mod value;
mod warp;

pub use error::{Problem, ProgramError};
pub use pair::Pair;
pub use session::{Executed, Session, Undefined};
pub use warp::WarpState;

use crate::{
    op::{Ctrl, Private, Range},
    sets::{Inst, Isa, Lowered, text::MARK},
};

/// Largest number of warps in a program.
pub const MAX_WARPS: usize = 8;
/// Size of the scratchpad in bytes.
pub const SHARED_BYTES: u64 = 32768;

/// A program whose every line is legal.
#[derive(Clone, Debug)]
pub struct Program {
    /// The instruction set.
    pub isa: Isa,
    /// The unit's lanes, if the program asks for a number.
    pub lanes: Option<usize>,
    /// The control registers.
    pub ctrl: Ctrl,
    /// Registers of a thread.
    pub register_count: u16,
    /// Starting values of the warps, by warp number; at least one warp.
    pub warps: Vec<WarpState>,
    /// The instructions, in the order of the file.
    pub steps: Vec<Step>,
    /// Numbers of the steps with a flush before them (R700-FLUSH), ascending.
    pub flushes: Vec<usize>,
    /// Initial contents of global memory.
    pub memory: Vec<Poke>,
    /// Initial contents of shared memory.
    pub shared: Vec<Poke>,
    /// Ranges whose lines answer with an error.
    pub bus_errors: Vec<Range>,
}

/// One instruction of a program.
#[derive(Clone, Debug)]
pub struct Step {
    /// The warp that issues it.
    pub warp: usize,
    /// Line number, from 1.
    pub line: usize,
    /// The line as written, without surrounding blanks.
    pub text: String,
    /// The instruction.
    pub inst: Inst,
    /// The operation, with its warp set; the runner sets the tag.
    pub lowered: Lowered,
    /// Annotations, without their braces.
    pub annotations: Vec<String>,
}

/// Initial bytes at one place of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Poke {
    /// Address of the first byte.
    pub address: u64,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// The default control registers, with the windows and the memory behind them.
pub(crate) fn windows() -> Ctrl {
    Ctrl {
        shared_window: Range { base: 0x100_0000, size: 0x100_0000 },
        local_window: Range { base: 0x200_0000, size: 0x100_0000 },
        local_memory: Private { base: 0xf0_0000_0000, stride: 0x1000, size: 0x1000 },
        shared_size: SHARED_BYTES as u32,
        ..Ctrl::default()
    }
}

impl Program {
    /// Parses a program and reports all problems at once. Errors call the program `name`.
    pub fn parse(name: &str, text: &str) -> Result<Program, ProgramError> {
        let text = text.strip_prefix(MARK).unwrap_or(text);
        reader::read(text, false).map_err(|problems| ProgramError::new(name, text, problems))
    }

    /// Like [`Program::parse`], for what stands before the instructions: there may be none.
    pub fn header(name: &str, text: &str) -> Result<Program, ProgramError> {
        let text = text.strip_prefix(MARK).unwrap_or(text);
        reader::read(text, true).map_err(|problems| ProgramError::new(name, text, problems))
    }

    /// What to look at first if the result is surprising.
    pub fn hints(&self) -> Vec<&'static str> {
        self.isa.hint(self).into_iter().collect()
    }

    /// The state of a program before its first line.
    fn empty(isa: Isa) -> Program {
        Program {
            isa,
            lanes: None,
            ctrl: isa.control(),
            register_count: isa.registers().0,
            warps: vec![WarpState::default()],
            steps: Vec::new(),
            flushes: Vec::new(),
            memory: Vec::new(),
            shared: Vec::new(),
            bus_errors: Vec::new(),
        }
    }
}
