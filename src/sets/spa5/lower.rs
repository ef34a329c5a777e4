// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lowers an instruction to the operation that the unit takes, and the registers that feed it.

use super::{Inst, NOP, Opcode, RZ, SIZE_7, encode};
use crate::{
    clause::Clause,
    op::{AddrMode, Attr, Cache, Kind, MAX_REGISTERS, Op, Space},
    sets::{Lowered, Source},
};

/// Why `run` refuses an instruction that assembles (COM-ILLEGAL).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LowerError {
    /// The word that prints as NOP.
    #[error("the word {NOP:016x} prints as NOP, though by its fields it loads: it is not executed")]
    Nop,
    /// ST.INVALIDSIZE7.
    #[error("ST has no size 7")]
    StoreSize,
    /// An odd Ra with .E.
    #[error("a 64-bit address cannot start at the odd register R{ra}")]
    OddAddress {
        /// The register.
        ra: u8,
    },
    /// A wide datum in a register that is not a multiple of the number of its registers.
    #[error("a {bits}-bit datum cannot start at R{rd}, which is no multiple of {count}", bits = count * 32)]
    DatumAlign {
        /// The first register.
        rd: u8,
        /// Number of registers that it takes.
        count: u8,
    },
    /// A wide datum whose last register would be RZ.
    #[error("a {bits}-bit datum from R{rd} would run past R254", bits = count * 32)]
    DatumEnd {
        /// The first register.
        rd: u8,
        /// Number of registers that it takes.
        count: u8,
    },
}

impl LowerError {
    /// The rule that refuses it.
    pub fn clause(self) -> Clause {
        match self {
            LowerError::Nop => Clause::ComIllegal,
            LowerError::StoreSize => Clause::Spa5Size,
            _ => Clause::Spa5EaPair,
        }
    }

    /// The field at fault.
    pub fn field(self) -> &'static str {
        match self {
            LowerError::Nop => "word",
            LowerError::StoreSize => "size",
            LowerError::OddAddress { .. } => "Ra",
            LowerError::DatumAlign { .. } | LowerError::DatumEnd { .. } => "Rd",
        }
    }

    /// What would be legal.
    pub fn help(self) -> &'static str {
        match self {
            LowerError::Nop => "leave it out; for a load of a byte take another register or predicate",
            LowerError::StoreSize => "use .U8 .S8 .U16 .S16 .32 .64 or .128",
            LowerError::OddAddress { .. } => "use an even register, or RZ; R254 pairs with RZ, which reads 0",
            LowerError::DatumAlign { count: 2, .. } => "use an even register up to R252, or RZ",
            LowerError::DatumEnd { count: 2, .. } => "use an even register up to R252, or RZ",
            _ => "use R0, R4, R8 and so on up to R248, or RZ",
        }
    }
}

/// Lowers an instruction, in a program of `register_count` registers (at most 255).
///
/// An Ra that is not below `register_count` is no address register (SPA5-EA-ABS). The upper half of a pair that is not
/// below it reads 0.
///
/// ```
/// use gpu_lsu::{
///     clause::Clause,
///     sets::{Source, spa5},
/// };
///
/// let store = spa5::parse("ST.E.64 [R2+0x10], R4").unwrap();
/// let lowered = spa5::lower(&store, 255).unwrap();
/// assert_eq!(lowered.address, [Some(Source::Register(2)), Some(Source::Register(3)), None]);
/// assert_eq!(lowered.registers().collect::<Vec<_>>(), [(0, Some(4)), (1, Some(5))]);
///
/// let odd = spa5::parse("ST.64 [R2], R5").unwrap();
/// assert_eq!(spa5::lower(&odd, 255).unwrap_err().clause(), Clause::Spa5EaPair);
/// ```
#[inline]
pub fn lower(inst: &Inst, register_count: u16) -> Result<Lowered, LowerError> {
    if encode(inst) == NOP {
        return Err(LowerError::Nop);
    }
    let bytes = inst.bytes().ok_or(LowerError::StoreSize)?;
    let exists = |register: u8| (register != RZ && u16::from(register) < register_count).then_some(register.into());
    let (mode, address) = match (exists(inst.ra), inst.e) {
        (None, _) => (AddrMode::Abs, [None; 3]),
        (low, false) => (AddrMode::Reg32, [low, None, None]),
        (Some(_), true) if inst.ra % 2 == 1 => return Err(LowerError::OddAddress { ra: inst.ra }),
        (low, true) => (AddrMode::Reg64, [low, exists(inst.ra.wrapping_add(1)), None]),
    };
    let (kind, cache) = match inst.op {
        Opcode::Ld => (Kind::Load, [Cache::Ca, Cache::Cg, Cache::Ci, Cache::Cv]),
        Opcode::St => (Kind::Store, [Cache::Wb, Cache::Cg, Cache::Cs, Cache::Wt]),
    };
    let op = Op {
        kind: kind as u8,
        addr_mode: mode as u8,
        space: Space::Predicated as u8,
        imm: match mode {
            AddrMode::Abs => u64::from(inst.imm),
            _ => inst.imm as i32 as u64,
        },
        element_bytes: bytes,
        element_count: 1,
        element_mask: 1,
        sign_extend: kind == Kind::Load && matches!(inst.size, 1 | 3),
        suppress_helpers: kind == Kind::Store,
        attr: Attr {
            uniform: inst.size == SIZE_7,
            cache_op: cache[usize::from(inst.cop & 3)] as u8,
            ..Attr::default()
        },
        ..Op::default()
    };
    Ok(Lowered {
        op,
        address: address.map(|register| register.map(Source::Register)),
        data: datum(inst.rd, bytes.div_ceil(4))?,
        guard: inst.guard,
        plg: inst.plg,
        policy: None,
    })
}

/// The registers of a datum of `count` registers, which is 1, 2 or 4.
fn datum(rd: u8, count: u8) -> Result<[Option<Source>; MAX_REGISTERS], LowerError> {
    let mut data = [None; MAX_REGISTERS];
    if rd == RZ {
        return Ok(data);
    }
    if !rd.is_multiple_of(count) {
        return Err(LowerError::DatumAlign { rd, count });
    }
    if rd > RZ - count {
        return Err(LowerError::DatumEnd { rd, count });
    }
    for (register, index) in data.iter_mut().zip(0..count) {
        *register = Some(Source::Register(u16::from(rd + index)));
    }
    Ok(data)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sets::spa5::parse;

    fn lowered(text: &str) -> Lowered {
        lower(&parse(text).unwrap(), 128).unwrap()
    }

    #[test]
    fn the_address_has_a_mode_and_registers() {
        for (text, mode, imm, registers) in [
            ("LD R4, [R6+-0x10]", AddrMode::Reg32, -16i64 as u64, [Some(6), None]),
            ("LD.E R4, [R6+0x10]", AddrMode::Reg64, 16, [Some(6), Some(7)]),
            ("LD.E R4, [R126]", AddrMode::Reg64, 0, [Some(126), Some(127)]),
            ("LD R4, [0xfffffff0]", AddrMode::Abs, 0xffff_fff0, [None, None]),
            ("LD.E R4, [0xfffffff0]", AddrMode::Abs, 0xffff_fff0, [None, None]),
            ("LD.E R4, [R129+-0x10]", AddrMode::Abs, 0xffff_fff0, [None, None]),
        ] {
            let lowered = lowered(text);
            assert_eq!((lowered.op.addr_mode, lowered.op.imm), (mode as u8, imm), "{text}");
            assert_eq!(lowered.address[..2], registers.map(|number| number.map(Source::Register)), "{text}");
        }
        let last = lower(&parse("LD.E R4, [R254]").unwrap(), 255).unwrap();
        assert_eq!(last.address, [Some(Source::Register(254)), None, None]);
        let half = lower(&parse("LD.E R4, [R2]").unwrap(), 3).unwrap();
        assert_eq!(half.address, [Some(Source::Register(2)), None, None]);
    }

    #[test]
    fn the_datum_has_bytes_and_registers() {
        for (text, bytes, sign_extend, registers) in [
            ("LD.S8 R5, [R0]", 1, true, &[Some(5)][..]),
            ("LD.U8 R5, [R0]", 1, false, &[Some(5)]),
            ("ST.S8 [R0], R5", 1, false, &[Some(5)]),
            ("LD.S16 R5, [R0]", 2, true, &[Some(5)]),
            ("ST.U16 [R0], R254", 2, false, &[Some(254)]),
            ("LD R254, [R0]", 4, false, &[Some(254)]),
            ("ST.64 [R0], R252", 8, false, &[Some(252), Some(253)]),
            ("LD.U.128 R248, [R0]", 16, false, &[Some(248), Some(249), Some(250), Some(251)]),
            ("ST.128 [R0], RZ", 16, false, &[None; 4]),
        ] {
            let lowered = lowered(text);
            let op = lowered.op;
            assert_eq!(
                (
                    op.element_bytes,
                    op.sign_extend,
                    &lowered.registers().map(|(_, register)| register).collect::<Vec<_>>()[..]
                ),
                (bytes, sign_extend, registers),
                "{text}"
            );
            assert_eq!(op.suppress_helpers, text.starts_with("ST"), "{text}");
        }
    }

    /// The word that prints as NOP is never executed as a load, whether it comes from text or from a word.
    #[test]
    fn nop_is_not_executed() {
        for inst in [parse("@P0 LD.U8 R0, [R0], P0").unwrap(), crate::sets::spa5::decode(NOP).unwrap()] {
            let error = lower(&inst, 255).unwrap_err();
            assert_eq!((error, error.clause()), (LowerError::Nop, Clause::ComIllegal));
        }
        assert!(lower(&parse("@P0 LD.U8 R0, [R0+0x1], P0").unwrap(), 255).is_ok());
    }

    /// The hint is the only difference between U.128 and 128.
    #[test]
    fn a_hint_reaches_the_port() {
        let [with, without] = ["LD.U.128 R4, [R0]", "LD.128 R4, [R0]"].map(|text| lowered(text).op);
        assert!(with.attr.uniform && !without.attr.uniform);
        assert_eq!(Op { attr: without.attr, ..with }, without);
    }

    #[test]
    fn cache_operators_reach_the_port() {
        let code = |text: &str| Cache::from_code(lowered(text).op.attr.cache_op);
        let loads = ["CA", "CG", "CI", "CV", "CS", "LU"].map(|cop| code(&format!("LD.{cop} R4, [R0]")));
        assert_eq!(loads, [Cache::Ca, Cache::Cg, Cache::Ci, Cache::Cv, Cache::Ca, Cache::Cg].map(Some));
        let stores = ["WB", "CG", "CS", "WT"].map(|cop| code(&format!("ST.{cop} [R0], R4")));
        assert_eq!(stores, [Cache::Wb, Cache::Cg, Cache::Cs, Cache::Wt].map(Some));
    }
}
