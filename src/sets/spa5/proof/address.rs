// SPDX-License-Identifier: MIT OR Apache-2.0
//! The effective address of SPA 5.0.

use super::program::{ALL_MEMORY, signed};
use crate::{
    clause::Clause,
    model::{
        address::effective,
        word::{Truth, Word},
    },
    op::AddrMode,
    prove::{
        block::{Block, ports},
    },
};

pub struct Address;

ports! { Inputs { mode: 3, imm: 64, word0: 32, word1: 32 } }
ports! { Outputs { ea: 64 } }

impl Block for Address {
    const NAME: &'static str = "address";
    const CLAUSES: &'static [Clause] = &[Clause::Spa5EaAbs, Clause::Spa5Ea32, Clause::Spa5Ea64];
    const TOP: &'static str = "lsu_address_proof";
    const WRAPPER: &'static str = include_str!("../../../../proof/lsu_address_proof.sv");

    type Inputs<W: Word> = Inputs<W>;
    type Outputs<W: Word> = Outputs<W>;

    /// The mode is one of SPA 5.0. The immediate has any 64 bits, whether an instruction can hold them or not.
    fn assume<W: Word>(inputs: &Inputs<W>) -> W::Truth {
        inputs.mode.less(&W::literal(3, AddrMode::Array as u64), 3)
    }

    fn model<W: Word>(inputs: &Inputs<W>) -> Outputs<W> {
        Outputs { ea: effective(&inputs.mode, &inputs.word0, &inputs.word1, &inputs.imm) }
    }

    /// The immediate is one that `lower` makes of 32 bits, and at least one of the two addresses lies in memory. The
    /// other one then lies outside, or is another byte.
    fn shows<W: Word>(inputs: &Inputs<W>, model: &Outputs<W>, rtl: &Outputs<W>) -> W::Truth {
        let low = inputs.imm.extract(31, 0, 64);
        let zeros = inputs.imm.equal(&low.zero_extend(32, 64), 64);
        let signs = inputs.imm.equal(&low.sign_extend(32, 64), 64);
        let absolute = inputs.mode.is(AddrMode::Abs as u64, 3);
        let reached = absolute.and(&zeros).or(&absolute.not().and(&signs));
        let memory = |ea: &W| ea.less(&W::literal(64, ALL_MEMORY), 64);
        reached.and(&memory(&model.ea).or(&memory(&rtl.ea)))
    }

    fn program(inputs: &Inputs<u64>, _model: &Outputs<u64>, _rtl: &Outputs<u64>) -> String {
        let imm = inputs.imm as u32;
        let store = match AddrMode::from_code(inputs.mode as u8) {
            Some(AddrMode::Reg32) => format!("ST.U8 [R2+{}], R4, P0", signed(imm)),
            Some(AddrMode::Reg64) => format!("ST.E.U8 [R2+{}], R4, P0", signed(imm)),
            _ => format!("ST.U8 [{imm:#x}], R4, P0"),
        };
        format!(
            "isa spa5\n\n# All memory is global, and allocated.\nwindow local 0 0\nalloc 0 {ALL_MEMORY:#x}\n\n\
             active = 1\nP0 = lane >= 0\nR2 = {:#x}\nR3 = {:#x}\nR4 = 0xa5\n\n{store}\n",
            inputs.word0, inputs.word1
        )
    }
}
