// SPDX-License-Identifier: MIT OR Apache-2.0
//! An R700 burst end to end: from its fields and a lane's index to the dwords that remain.

use super::clamp::{self, Array, apart, array_size, stays};
use super::program;
use crate::{
    clause::Clause,
    model::{
        address::{DWORD, first_dword},
        word::Word,
    },
    prove::{
        block::{Block, ports},
    },
};

pub struct Burst;

ports! {
    Inputs { driver: 1, slot: 3, base: 13, size: 13, elem_size: 2, use_index: 1, index: 32, gpr: 4 }
}

ports! { Outputs { first: DWORD, limit: DWORD, element: DWORD, below: 4 } }

impl<W: Word> Outputs<W> {
    /// The outputs that the clamp alone computes.
    fn clamp(&self) -> clamp::Outputs<W> {
        let Outputs { limit, element, below, .. } = self;
        clamp::Outputs { limit: limit.clone(), element: element.clone(), below: below.clone() }
    }
}

/// Computes the outputs; with `given`, each from the given ones before it.
fn answer<W: Word>(inputs: &Inputs<W>, given: Option<&Outputs<W>>) -> Outputs<W> {
    let Inputs { driver, slot, base, size, elem_size, use_index, index, gpr } = inputs;
    let first = first_dword(&driver.is(1, 1), slot, base, elem_size, &use_index.is(1, 1), index);
    let from = given.map_or(&first, |given| &given.first);
    let array = Array { driver, slot, base, size, elem_size, gpr };
    let clamp::Outputs { limit, element, below } = stays(&array, from, given.map(Outputs::clamp).as_ref());
    Outputs { first, limit, element, below }
}

impl Block for Burst {
    const NAME: &'static str = "burst";
    const CLAUSES: &'static [Clause] = &[
        Clause::R700First,
        Clause::R700Elem,
        Clause::R700Clamp,
        Clause::R700Size,
        Clause::R700Unit,
        Clause::R700Driver,
    ];
    const TOP: &'static str = "lsu_burst_proof";
    const WRAPPER: &'static str = include_str!("../../../../proof/lsu_burst_proof.sv");

    type Inputs<W: Word> = Inputs<W>;
    type Outputs<W: Word> = Outputs<W>;

    fn assume<W: Word>(inputs: &Inputs<W>) -> W::Truth {
        array_size(&inputs.size)
    }

    fn model<W: Word>(inputs: &Inputs<W>) -> Outputs<W> {
        answer(inputs, None)
    }

    fn steps<W: Word>(inputs: &Inputs<W>, given: &Outputs<W>) -> Outputs<W> {
        answer(inputs, Some(given))
    }

    fn shows<W: Word>(_inputs: &Inputs<W>, model: &Outputs<W>, rtl: &Outputs<W>) -> W::Truth {
        apart(&model.clamp(), &rtl.clamp())
    }

    fn program(inputs: &Inputs<u64>, _model: &Outputs<u64>, _rtl: &Outputs<u64>) -> String {
        let &Inputs { driver, slot, base, size, elem_size, use_index, index, gpr } = inputs;
        program::Burst { driver, slot, stage: 0, base, size, elem_size, use_index, index, gpr }.program()
    }
}
