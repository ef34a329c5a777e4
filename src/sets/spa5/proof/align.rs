// SPDX-License-Identifier: MIT OR Apache-2.0
//! Forced alignment of SPA 5.0, and whether it changed the address.

use super::program::{ALL_MEMORY, access_size, is_access_size};
use crate::{
    clause::Clause,
    model::{
        align::align,
        word::{Truth, Word},
    },
    prove::{
        block::{Block, bit, ports},
    },
};

pub struct Align;

ports! { Inputs { ea: 64, bytes: 5 } }
ports! { Outputs { aligned: 64, misaligned: 1 } }

impl Block for Align {
    const NAME: &'static str = "align";
    const CLAUSES: &'static [Clause] = &[Clause::Spa5Align];
    const TOP: &'static str = "lsu_align_proof";
    const WRAPPER: &'static str = include_str!("../../../../proof/lsu_align_proof.sv");

    type Inputs<W: Word> = Inputs<W>;
    type Outputs<W: Word> = Outputs<W>;

    fn assume<W: Word>(inputs: &Inputs<W>) -> W::Truth {
        is_access_size(&inputs.bytes)
    }

    fn model<W: Word>(inputs: &Inputs<W>) -> Outputs<W> {
        let aligned = align(&inputs.ea, &inputs.bytes);
        let misaligned = bit(&aligned.equal(&inputs.ea, 64).not());
        Outputs { aligned, misaligned }
    }

    /// At least one of the two addresses lies in memory. The other one then lies outside, in another line, at another
    /// byte of the line, or faults.
    fn shows<W: Word>(_inputs: &Inputs<W>, model: &Outputs<W>, rtl: &Outputs<W>) -> W::Truth {
        let memory = |ea: &W| ea.less(&W::literal(64, ALL_MEMORY), 64);
        memory(&model.aligned).or(&memory(&rtl.aligned))
    }

    fn program(inputs: &Inputs<u64>, _model: &Outputs<u64>, _rtl: &Outputs<u64>) -> String {
        format!(
            "isa spa5\ntrap misaligned\n\n# All memory is global, and allocated.\nwindow local 0 0\n\
             alloc 0 {ALL_MEMORY:#x}\n\nactive = 1\nP0 = lane >= 0\nR2 = {:#x}\nR3 = {:#x}\nR4 = 0xa5\nR5 = 0xb5\n\
             R6 = 0xc5\nR7 = 0xd5\n\nST.E{} [R2], R4, P0\n",
            inputs.ea as u32,
            inputs.ea >> 32,
            access_size(inputs.bytes)
        )
    }
}
