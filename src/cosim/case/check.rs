// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which cases a unit can be asked to run: those in which the driver of the ports keeps the contract.
//!
//! Any other case could make the unit look wrong, or right, because of its driver.

use super::{Bytes, Case, Issue, Schedule};
use crate::{
    model::legal,
    op::{ADDR_WIDTH, MAX_REGISTERS, Op, Packed, Range, Scope, Shape},
};

/// More than any case has. A longer run before the reset shows nothing new after it.
const MAX_DIRTY_CYCLES: u32 = 10_000;
/// A longer sequence of stalls would look like a hang.
const MAX_STALLS: usize = 1024;
/// The end of memory.
const TOP: u64 = 1 << ADDR_WIDTH;

/// Why a case cannot be run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CaseError {
    /// No unit has these parameters.
    #[error("there is no such `unit`: {0}")]
    NoUnit(String),
    /// The case is for another unit.
    #[error("a case for {case} is not for a unit with {unit}")]
    Other {
        /// The parameters in the case.
        case: Shape,
        /// The parameters of the unit.
        unit: Shape,
    },
    /// The control registers break the ports' contract.
    #[error("{0}")]
    Ctrl(String),
    /// The case has no operations.
    #[error("it holds no operation")]
    Empty,
    /// A flush comes before no operation, or not after the flush before it.
    #[error("`flushes` has {0}: they are numbers of operations, ascending, none twice")]
    Flush(usize),
    /// The run before the reset is too long.
    #[error("`dirty_cycles` is {0}: at most {MAX_DIRTY_CYCLES}")]
    DirtyCycles(u32),
    /// The port cannot carry an operation.
    #[error("operation {0}: {1}")]
    Issue(usize, IssueError),
    /// A range ends past the end of its memory.
    #[error("{what} at {addr:#x} ends past {end:#x}, where {memory} ends")]
    Past {
        /// The field with the range: bytes, or lines with a property.
        what: &'static str,
        /// The beginning of the range.
        addr: u64,
        /// The end of the memory.
        end: u64,
        /// The name of the memory.
        memory: &'static str,
    },
    /// The accesses of other masters are not in order of their cycles.
    #[error("`foreign` {0} comes before the one before it")]
    ForeignOrder(usize),
    /// A compare-and-store of another master does not access one aligned dword.
    #[error("`foreign` {0} compares: it has four bytes, at a multiple of 4")]
    ForeignCompare(usize),
    /// An answer has a scope that does not exist.
    #[error("`answers` {0} has scope {1}: at most {sys}", sys = Scope::Sys as u8)]
    Scope(usize, u8),
    /// There are too many stalls, or a port is never free.
    #[error("`stalls` has {0} entries, at most {MAX_STALLS}, and each port is free in one of them at least")]
    Stalls(usize),
    /// A directed stream has stalls or flushes, or is serial.
    #[error("a stream with a rate has no stalls and no flushes, and is not serial")]
    Rate,
}

/// Why an operation cannot be issued.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IssueError {
    /// The unit has no such warp.
    #[error("warp {warp} does not exist: the unit has {warps}")]
    Warp {
        /// The warp of the operation.
        warp: u8,
        /// The number of warps in the unit.
        warps: usize,
    },
    /// A field has a value that its bits at the port cannot hold, so the port would carry another operation.
    #[error("a field of its `op` has a value that its bits at the port do not hold")]
    Field,
    /// The number of data registers is not the number that the operation stores (PORT-DATA).
    #[error("it has {found} data registers and needs {needed}")]
    Data {
        /// The number in the case.
        found: usize,
        /// The number that the operation needs; for an illegal one, which stores none, the maximum.
        needed: usize,
    },
}

impl Case {
    /// Checks that a unit of this shape can be asked to run the case.
    ///
    /// # Errors
    ///
    /// The first violation of the ports' contract.
    pub fn check(&self, shape: &Shape) -> Result<(), CaseError> {
        if let Some(problem) = self.shape.problem() {
            return Err(CaseError::NoUnit(problem));
        }
        if self.shape != *shape {
            return Err(CaseError::Other { case: self.shape, unit: *shape });
        }
        self.ctrl.check(shape).map_err(CaseError::Ctrl)?;
        if self.dirty_cycles > MAX_DIRTY_CYCLES {
            return Err(CaseError::DirtyCycles(self.dirty_cycles));
        }
        if self.issues.is_empty() {
            return Err(CaseError::Empty);
        }
        for (index, issue) in self.issues.iter().enumerate() {
            issue.check(shape).map_err(|error| CaseError::Issue(index, error))?;
        }
        let mut next = 0;
        for &flush in &self.flushes {
            if flush < next || flush >= self.issues.len() {
                return Err(CaseError::Flush(flush));
            }
            next = flush + 1;
        }
        for bytes in &self.memory {
            in_memory("`memory`", bytes)?;
        }
        for Bytes { addr, bytes } in &self.shared {
            within("`shared`", *addr, bytes.len() as u64, shape.shared_bytes as u64, "the scratchpad")?;
        }
        lines("`bus_errors`", &self.bus_errors)?;
        self.schedule.check()?;
        // PORT-RATE and PORT-BANK apply to streams without stalls. The latency of memory is not checked: one that
        // exceeds what the unit's ids can cover breaks the rate, just as a slow unit does.
        match self.rate {
            Some(_) if self.serial || !self.schedule.stalls.is_empty() || !self.flushes.is_empty() => {
                Err(CaseError::Rate)
            }
            _ => Ok(()),
        }
    }
}

impl Issue {
    fn check(&self, shape: &Shape) -> Result<(), IssueError> {
        if usize::from(self.op.warp) >= shape.warps {
            return Err(IssueError::Warp { warp: self.op.warp, warps: shape.warps });
        }
        if !self.op.fits(Op::WIDTH as usize) {
            return Err(IssueError::Field);
        }
        let found = self.data.len();
        let needed = if legal(&self.op) { self.op.data_beats() as usize } else { found.min(MAX_REGISTERS) };
        if found != needed {
            return Err(IssueError::Data { found, needed });
        }
        Ok(())
    }
}

impl Schedule {
    fn check(&self) -> Result<(), CaseError> {
        let forever = self.stalls.iter().fold(u8::MAX, |all, stalls| all & stalls);
        if self.stalls.len() > MAX_STALLS || (!self.stalls.is_empty() && forever & 0x3f != 0) {
            return Err(CaseError::Stalls(self.stalls.len()));
        }
        for (index, answer) in self.answers.iter().enumerate() {
            if answer.scope > Scope::Sys as u8 {
                return Err(CaseError::Scope(index, answer.scope));
            }
        }
        let mut cycle = 0;
        for (index, access) in self.foreign.iter().enumerate() {
            if access.cycle < cycle {
                return Err(CaseError::ForeignOrder(index));
            }
            cycle = access.cycle;
            within("`foreign`", access.addr, access.bytes.len() as u64, TOP, "memory")?;
            if access.compare.is_some() && (access.bytes.len() != 4 || access.addr % 4 != 0) {
                return Err(CaseError::ForeignCompare(index));
            }
        }
        lines("`no_exclusives`", &self.no_exclusives)?;
        lines("`write_errors`", &self.write_errors)
    }
}

fn in_memory(what: &'static str, bytes: &Bytes) -> Result<(), CaseError> {
    within(what, bytes.addr, bytes.bytes.len() as u64, TOP, "memory")
}

fn lines(what: &'static str, ranges: &[Range]) -> Result<(), CaseError> {
    ranges.iter().try_for_each(|range| within(what, range.base, range.size, TOP, "memory"))
}

fn within(what: &'static str, addr: u64, size: u64, end: u64, memory: &'static str) -> Result<(), CaseError> {
    match addr.checked_add(size) {
        Some(last) if last <= end => Ok(()),
        _ => Err(CaseError::Past { what, addr, end, memory }),
    }
}
