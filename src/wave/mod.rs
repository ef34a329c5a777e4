// SPDX-License-Identifier: MIT OR Apache-2.0
//! Annotated waves: Verilator's trace of the RTL, and in the same file what the model expects.
//!
//! ```text
//!   top.*      as Verilator wrote it, byte for byte
//!   ref.op     an operation is accepted: valid, index, text, clauses, active, ea_lane00 ...
//!   ref.req    a request is accepted:    valid, write, addr, be, data, lanes, text, attr_* by name
//!   ref.wb     a beat is taken:          valid, reg, mask, data_lane00 ..., text
//!   ref.done   a completion is taken:    valid, faults, fault_lane00 ..., text
//!   diff       the first divergence:     mismatch, clause, rule, text, field, lane
//!              what never comes is owed: owed, owed_text
//! ```
//!
//! A `valid` of `ref` is high for one clock period from its time; the other variables hold their values until the next
//! one. `x` stands where nothing is expected: in inactive lanes, in lanes without a register, for the data of a read.
//! `mismatch` rises once and stays up. So does `owed`, from the time at which something was due that never came; from
//! then on `ref` shows it at its port, with `valid` up, wherever nothing else is expected. Texts are string variables
//! with their spaces written as octal escapes, as GTKWave, Surfer and libfst read them.
//!
//! ```
//! use gpu_lsu::{clause::Clause, wave::{Annotations, Divergence, Expect, annotate}};
//!
//! # let folder = tempfile::tempdir()?;
//! # let (trace, out) = (folder.path().join("trace.vcd"), folder.path().join("out.vcd"));
//! std::fs::write(&trace, "$scope module top $end $var wire 1 ! clk_i $end $upscope $end\n\
//!                         $enddefinitions $end\n#0\n0!\n#10\n1!\n")?;
//! let mismatch = Divergence {
//!     clause: Clause::PortWb,
//!     text: "lane 3 of R4 is 7, expected 8".into(),
//!     lane: Some(3),
//!     field: "wb_data_o".into(),
//! };
//! let expects = vec![Expect { mismatch: Some(mismatch), ..Expect::at(10) }];
//! annotate(&trace, &Annotations { lanes: 32, line_bytes: 128, expects }, &out)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod axis;
pub mod compare;
mod error;
mod fst;
mod header;
mod ink;
#[cfg(feature = "rtl")]
mod layout;
mod merge;
mod names;
pub mod page;
mod recorder;
#[cfg(feature = "rtl")]
mod save;
mod sheet;
mod signal;
mod trace;
mod value;
mod vcd;

pub use error::WaveError;
#[cfg(feature = "rtl")]
pub(crate) use layout::Opens;
pub use merge::annotate;
#[cfg(feature = "rtl")]
pub(crate) use merge::{Beside, Clock, merge};
pub use recorder::Recorder;
#[cfg(feature = "rtl")]
pub(crate) use save::save;
#[cfg(feature = "rtl")]
pub use save::{commands as surfer_file, ours as own_save_file, path as save_file};
#[cfg(feature = "rtl")]
pub(crate) use signal::Listed;

use std::ops::Range;

use crate::{
    clause::Clause,
    op::{Attr, Fault, GROUP_REGISTERS, LaneMask, MAX_LANES, MAX_LINE_BYTES},
};

/// The clock period in the trace's time units: how long a `valid` of `ref` is high.
pub const PERIOD: u64 = 10;

/// The annotations of a trace.
#[derive(Clone, Debug, PartialEq)]
pub struct Annotations {
    /// The number of lanes: 1 to 32.
    pub lanes: usize,
    /// The line size of the memory port in bytes: 1 to 128.
    pub line_bytes: usize,
    /// In ascending order of time. Several at one time add up.
    pub expects: Vec<Expect>,
}

impl Annotations {
    /// Keeps only the annotations at these times. Something that has been owed since before them is owed from their
    /// beginning.
    pub fn keep(&mut self, times: Range<u64>) {
        for expect in self.expects.iter_mut().filter(|expect| expect.owed.is_some()) {
            expect.time = expect.time.max(times.start);
        }
        self.expects.retain(|expect| times.contains(&expect.time));
        self.expects.sort_by_key(|expect| expect.time);
    }
}

/// What the model expects in one clock cycle; `None` where nothing is expected at a port in this cycle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expect {
    /// The clock edge that begins the cycle, in the trace's time units. A transfer at an edge shows at the RTL's ports
    /// in the cycle that the edge ends; so annotations at the beginning of that cycle stand beside it.
    pub time: u64,
    /// The operation that is accepted.
    pub op: Option<ExpectOp>,
    /// The request that is accepted.
    pub request: Option<ExpectRequest>,
    /// The write-back beat that is taken.
    pub beat: Option<ExpectBeat>,
    /// The completion that is taken.
    pub done: Option<ExpectDone>,
    /// What is expected at a port here never comes and is owed from now on: a description of it.
    pub owed: Option<String>,
    /// A divergence. Only the first of all counts.
    pub mismatch: Option<Divergence>,
}

impl Expect {
    /// Creates an annotation at this time that expects nothing.
    pub fn at(time: u64) -> Self {
        Expect { time, ..Expect::default() }
    }
}

/// An operation at the op port.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpectOp {
    /// Its index in the program.
    pub index: u32,
    /// The instruction.
    pub text: String,
    /// The ids of the clauses that apply.
    pub clauses: String,
    /// The effective address of each lane in `active`.
    pub ea: [u64; MAX_LANES],
    /// The lanes that execute.
    pub active: LaneMask,
    /// The dwords that an R700 burst moves.
    pub burst: Option<Box<ExpectBurst>>,
}

/// A burst, lane by lane, within the limit of its array.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpectBurst {
    /// limit_dw; `None` for general export.
    pub limit: Option<u64>,
    /// first_dw of each active lane.
    pub first: [u64; MAX_LANES],
    /// Bit 4k + c: component c of the k-th GPR is moved, so it is not clamped, out of bounds or masked.
    pub moved: [u64; MAX_LANES],
}

/// A request at the memory port.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpectRequest {
    /// The operation that owns it.
    pub text: String,
    /// The byte address of the line.
    pub line: u64,
    /// Bit i: byte i is read or written.
    pub byte_enable: u128,
    /// The bytes to write, zero where not enabled.
    pub data: [u8; MAX_LINE_BYTES],
    /// Whether it is a write; the data of a read shows as `x`.
    pub write: bool,
    /// The lanes that it serves.
    pub lanes: LaneMask,
    /// Its group; for a burst, the GPR.
    pub group: u8,
    /// The packed attributes.
    pub attr: [u32; Attr::WORDS],
    /// By word of the group: the lanes that it serves.
    pub served: [LaneMask; GROUP_REGISTERS],
}

/// A beat at the write-back port.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpectBeat {
    /// The operation that owns it.
    pub text: String,
    /// The register of the operation, from 0.
    pub register: u8,
    /// The lanes that are written back.
    pub mask: LaneMask,
    /// The value for each lane in `mask`.
    pub data: [u32; MAX_LANES],
}

/// A completion at the done port.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpectDone {
    /// The operation that is done.
    pub text: String,
    /// The outcome of each lane.
    pub faults: [Fault; MAX_LANES],
}

/// A divergence of RTL and model.
#[derive(Clone, Debug, PartialEq)]
pub struct Divergence {
    /// The broken rule.
    pub clause: Clause,
    /// What happened, in one line.
    pub text: String,
    /// The lane, if it concerns one.
    pub lane: Option<u8>,
    /// The signal or field that differs.
    pub field: String,
}
