// SPDX-License-Identifier: MIT OR Apache-2.0
//! Prints text exactly as nvdisasm does.
//!
//! CA, WB, 32, `@PT`, a space predicate of PT and an offset of 0 are not printed.

use std::fmt::{self, Display};

use super::{Guard, Inst, NOP, Opcode, PT, RZ, SIZE_32, encode};

struct Register(u8);

impl Display for Register {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == RZ { f.write_str("RZ") } else { write!(f, "R{}", self.0) }
    }
}

struct Predicate(u8);

impl Display for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 >= PT { f.write_str("PT") } else { write!(f, "P{}", self.0) }
    }
}

impl Display for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "@{}{}", if self.negated { "!" } else { "" }, Predicate(self.pred))
    }
}

/// The address operand: `[R1+0x14]`, `[0xfffffff0]`, `[RZ]`.
#[derive(Clone, Copy, Debug)]
pub struct Address {
    ra: u8,
    imm: u32,
}

impl Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.ra, self.imm as i32) {
            (ra, 0) => write!(f, "[{}]", Register(ra)),
            (RZ, _) => write!(f, "[{:#x}]", self.imm),
            (ra, imm) => {
                let sign = if imm < 0 { "-" } else { "" };
                write!(f, "[{}+{sign}{:#x}]", Register(ra), imm.unsigned_abs())
            }
        }
    }
}

impl Inst {
    /// The address operand, for printing.
    pub fn address(&self) -> Address {
        Address { ra: self.ra, imm: self.imm }
    }

    /// The register of the datum, for printing.
    pub fn datum(&self) -> impl Display {
        Register(self.rd)
    }
}

impl Display for Inst {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if encode(self) == NOP {
            return f.write_str("NOP");
        }
        if self.guard != Guard::ALWAYS {
            write!(f, "{} ", self.guard)?;
        }
        f.write_str(match self.op {
            Opcode::Ld => "LD",
            Opcode::St => "ST",
        })?;
        if self.e {
            f.write_str(".E")?;
        }
        if self.cop != 0 {
            write!(f, ".{}", self.cop_name())?;
        }
        if self.size != SIZE_32 {
            write!(f, ".{}", self.size_name())?;
        }
        match self.op {
            Opcode::Ld => write!(f, " {}, {}", self.datum(), self.address())?,
            Opcode::St => write!(f, " {}, {}", self.address(), self.datum())?,
        }
        if self.plg != PT { write!(f, ", {}", Predicate(self.plg)) } else { Ok(()) }
    }
}
