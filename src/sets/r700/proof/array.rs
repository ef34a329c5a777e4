// SPDX-License-Identifier: MIT OR Apache-2.0
//! The first dword of an R700 burst, from its fields and a lane's index.

use super::program::{Burst, in_buffer};
use crate::{
    clause::Clause,
    model::{
        address::{DWORD, first_dword},
        clamp::{below, limit},
        word::{Truth, Word},
    },
    prove::{
        block::{Block, ports},
    },
};

pub struct Array;

ports! { Inputs { driver: 1, slot: 3, base: 13, elem_size: 2, use_index: 1, index: 32 } }
ports! { Outputs { first: DWORD } }

impl Block for Array {
    const NAME: &'static str = "array";
    const CLAUSES: &'static [Clause] = &[Clause::R700First, Clause::R700Unit, Clause::R700Driver];
    const TOP: &'static str = "lsu_array_proof";
    const WRAPPER: &'static str = include_str!("../../../../proof/lsu_array_proof.sv");

    type Inputs<W: Word> = Inputs<W>;
    type Outputs<W: Word> = Outputs<W>;

    /// Any fields of any instruction.
    fn assume<W: Word>(_inputs: &Inputs<W>) -> W::Truth {
        W::Truth::constant(true)
    }

    fn model<W: Word>(inputs: &Inputs<W>) -> Outputs<W> {
        let (driver, use_index) = (inputs.driver.is(1, 1), inputs.use_index.is(1, 1));
        Outputs {
            first: first_dword(&driver, &inputs.slot, &inputs.base, &inputs.elem_size, &use_index, &inputs.index),
        }
    }

    /// In the largest array and buffer, at least one of the two dwords exists. The other one then does not, or differs.
    fn shows<W: Word>(inputs: &Inputs<W>, model: &Outputs<W>, rtl: &Outputs<W>) -> W::Truth {
        let size = W::literal(13, 4096);
        let driver = inputs.driver.is(1, 1);
        let past = limit(&driver, &inputs.slot, &inputs.base, &size, &inputs.elem_size);
        let there = |first: &W| below(&driver, &inputs.slot, first, 0, &past).and(&in_buffer(first));
        there(&model.first).or(&there(&rtl.first))
    }

    fn program(inputs: &Inputs<u64>, _model: &Outputs<u64>, _rtl: &Outputs<u64>) -> String {
        let &Inputs { driver, slot, base, elem_size, use_index, index } = inputs;
        Burst { driver, slot, stage: 0, base, size: 4096, elem_size, use_index, index, gpr: 0 }.program()
    }
}
