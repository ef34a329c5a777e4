// SPDX-License-Identifier: MIT OR Apache-2.0
//! The readable program that `gpu-lsu run` plays: what memory and lanes start from, then instructions.
//!
//! A line is a directive, a starting value or an instruction; `#` and `//` start a comment. Header first:
//!
//! | line | meaning | if absent |
//! |---|---|---|
//! | `isa spa5`, and so on | the instruction set | must be there, first |
//! | `lanes 8` | the unit's lanes: 4, 8, 16 or 32 | the runner's choice |
//! | `registers 64` | the program's registers (SPA5-EA-ABS), or GPRs (R700-GPROOB) | 255, r700: 128 |
//! | `memory ADDR: 01 02 ff` | bytes that memory starts with | 0 |
//! | `memory ADDR: .word 1, -2` | the same in 32-bit words | |
//! | `bus_error ADDR SIZE` | lines that touch this range answer with error (COM-BUSERR) | none |
//! | **spa5, ptx:** `window shared BASE SIZE` | the shared window (SPA5-WINDOW, PTX-SPACE) | 0x1000000 0x1000000 |
//! | `window local BASE SIZE` | the local window | 0x2000000 0x1000000 |
//! | `local BASE STRIDE SIZE` | where the threads' local memory lies (COM-PRIVATE) | 0xf000000000 0x1000 0x1000 |
//! | `shared SIZE` | bytes of shared memory that are allocated | 32768 |
//! | `shared ADDR: ...` | bytes or words that shared memory starts with | 0 |
//! | `alloc BASE SIZE` | a range of global memory, up to eight (COM-GLOBAL) | none is allocated |
//! | `trap misaligned` | misaligned lanes fault (SPA5-ALIGN, PTX-ALIGN) | off |
//! | **ptx:** `param BASE STRIDE SIZE` | where the threads' parameter memory lies (PTX-PARAM) | 0xf100000000 0x1000 0x1000 |
//! | `cluster BASE SIZE` | where the cluster's shared memory lies (PTX-OFFSET) | 0xf200000000 0x40000 |
//! | `var gbl ADDR` | where a variable lies in its space: `gbl`, `sh`, `loc`, `prm`; `cst`, `p0`, `pe`, `k`, whose addresses are data | gbl 0x10000, pe 0x20, others 0 |
//! | `target sm_90`, `ptx 8.3` | by which statements are judged | sm_120, the newest that has the target |
//! | **r700:** `buffer scratch BASE STRIDE SIZE` | where the threads' items lie, their size (R700-PLACE), of pixel shaders | size 0 |
//! | `buffer scratch vertex BASE STRIDE SIZE` | the same of another type of program (R700-STAGE): `pixel`, `vertex`, `geometry`, `export` | size 0 |
//! | `buffer ring BASE SIZE`, `buffer ring BASE STRIDE SIZE` | `stream0` to `stream3` or `ring`; with a stride each thread has a record | size 0, stride 0 |
//! | `buffer export BASE SIZE` | `reduction` or `export`, which have no stride | size 0 |
//! | `form driver` | R700-DRIVER instead of R700-FIRST | R700-FIRST |
//! | **sm5:** `uav 0 raw BASE SIZE` | what is bound to a u#, 0 to 7: bytes (SM5-RAW) | nothing (SM5-UNBOUND) |
//! | `uav 1 structured BASE SIZE STRIDE` | structures (SM5-STRUCT) | |
//! | `uav 2 typed buffer BASE SIZE WIDTH`, or `1d` | 32-bit integers (SM5-TYPED) | |
//! | `uav 3 typed 2d BASE SIZE WIDTH HEIGHT row BYTES` | the same in rows; `row` may be left out | rows without a gap |
//! | `uav 4 typed 1darray BASE SIZE WIDTH SLICES slice BYTES` | in slices of one row | slices without a gap |
//! | `uav 5 typed 2darray BASE SIZE WIDTH HEIGHT SLICES row BYTES slice BYTES`, or `3d` | in rows and slices | no gaps |
//! | `tgsm 0 raw BASE SIZE`, `tgsm 1 structured BASE SIZE STRIDE` | what is bound to a g#, in the scratchpad | nothing |
//! | `shared ADDR: ...`, `trap misaligned` | as of spa5; a misaligned lane is one of SM5-ALIGN | 0, off |
//!
//! Then, for each warp, its starting values and its instructions:
//!
//! | line | meaning | if absent |
//! |---|---|---|
//! | `warp 1` | what follows belongs to this warp, 0 to 7 | warp 0 |
//! | `R1 = 0x1000 + 4*lane` | a register, from integers, `lane`, `warp`, `+ - * / %` and parentheses; of r700 all four components | 0 |
//! | `R3 = [1, 2, 3]` | a register, lane by lane; lanes past the list get 0 | 0 |
//! | `active = MASK`, `helpers = lane < 8` | lanes that execute, and helper lanes (r700: no valid pixels): a bit for each lane, or a comparison | all, none |
//! | **spa5:** `P0 = 0xff`, `P1 = lane < 8` | a predicate | false |
//! | `@P0 ST.64 [R2+0x10], R4` | an instruction | |
//! | `bca0000001870104` | the same as a word, maybe after `/*address*/` | |
//! | **r700:** `R1.x = lane` | one component of a GPR | 0 |
//! | `loop = 2` | the warp's loop index, which relative GPR numbers add | 0 |
//! | `stage vertex` | what follows, of any warp, is of this type of program: `pixel`, `vertex`, `geometry`, `export` | pixel |
//! | `flush` | all before it is done, with its last answer, before anything after it starts (R700-FLUSH) | |
//! | `MEM_RING WRITE 12 R5.xyzw ES:3 AS:0` | an instruction, in the short text or the long one | |
//! | `c002800c 9300f000` | the same as dwords: two, of a memory read three or four | |
//! | **ptx:** `%rd1 = 0x1000 + 4*lane` | a register ([`ptx::Reg`](crate::sets::ptx::Reg)), as an integer of its width; floats by their bits | 0 |
//! | `%p1 = lane < 8` | a predicate | false |
//! | `@%p1 st.global.v2.b32 [%rd1+16], {%r2, 7};` | a statement, legal under the declarations of `check` with more registers | |
//!
//! | **sm5:** `r0 = 5`, `r0.x = 4*lane`, `x0[1].y = 1` | a register, all its components or one | 0 |
//! | `cb0[3].x = 7`, `icb[0] = 1`, `v1.x = lane`, `vThreadID.x = lane` | any other register that a source names | 0 |
//! | `atomic_cmp_store u0, r0.x, l(0), r1.x` | an instruction | |
//! | `090000ac 0011e000 ...` | the same as dwords | |
//!
//! Bases, sizes, strides and pitches of spa5 and ptx are multiples of 32, those of r700 and sm5 of 4, and nothing lies past the 40 address bits.
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

/// Warps that a program may have.
pub const MAX_WARPS: usize = 8;
/// Bytes of the scratchpad.
pub const SHARED_BYTES: u64 = 32768;

/// A program, legal throughout.
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
    /// The warps' starting values, by number; at least one.
    pub warps: Vec<WarpState>,
    /// The instructions, in the order of the file.
    pub steps: Vec<Step>,
    /// Steps before which there is a flush (R700-FLUSH), ascending.
    pub flushes: Vec<usize>,
    /// What global memory starts with.
    pub memory: Vec<Poke>,
    /// What shared memory starts with.
    pub shared: Vec<Poke>,
    /// Ranges whose lines answer with error.
    pub bus_errors: Vec<Range>,
}

/// One instruction of a program.
#[derive(Clone, Debug)]
pub struct Step {
    /// The warp that issues it.
    pub warp: usize,
    /// Its line, from 1.
    pub line: usize,
    /// The line as written, without blanks around.
    pub text: String,
    /// The instruction.
    pub inst: Inst,
    /// The operation, with this warp; the tag is for the runner to set.
    pub lowered: Lowered,
    /// Annotations, without their braces.
    pub annotations: Vec<String>,
}

/// Bytes that memory starts with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Poke {
    /// Address of the first byte.
    pub address: u64,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// Control registers with the windows and the memory behind them that programs start with.
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
    /// Reads a program; `name` is what its errors call it. All problems are reported at once.
    pub fn parse(name: &str, text: &str) -> Result<Program, ProgramError> {
        let text = text.strip_prefix(MARK).unwrap_or(text);
        reader::read(text).map_err(|problems| ProgramError::new(name, text, problems))
    }

    /// What a reader of a surprising result should look at first.
    pub fn hints(&self) -> Vec<&'static str> {
        self.isa.hint(self).into_iter().collect()
    }

    /// Before its first line.
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
