// SPDX-License-Identifier: MIT OR Apache-2.0
//! One lane's compare-and-store.

use super::program::compare_and_store;
use crate::{
    clause::Clause,
    model::{
        cas,
        word::{Truth, Word},
    },
    prove::{
        block::{Block, bit, ports},
    },
};

pub struct Cas;

ports! { Inputs { memory: 32, compare: 32, value: 32 } }
ports! { Outputs { stores: 1, after: 32 } }

impl Block for Cas {
    const NAME: &'static str = "cas";
    const CLAUSES: &'static [Clause] = &[Clause::Sm5Cas];
    const TOP: &'static str = "lsu_cas_proof";
    const WRAPPER: &'static str = include_str!("../../../../proof/lsu_cas_proof.sv");

    type Inputs<W: Word> = Inputs<W>;
    type Outputs<W: Word> = Outputs<W>;

    fn assume<W: Word>(_inputs: &Inputs<W>) -> W::Truth {
        W::Truth::constant(true)
    }

    fn model<W: Word>(inputs: &Inputs<W>) -> Outputs<W> {
        let Inputs { memory, compare, value } = inputs;
        let stored = cas::compare_and_store(memory, compare, value);
        Outputs { stores: bit(&stored.matched), after: stored.value }
    }

    /// One of the two sends a write-exclusive, and the other sends none or writes something else.
    fn shows<W: Word>(_inputs: &Inputs<W>, model: &Outputs<W>, rtl: &Outputs<W>) -> W::Truth {
        model.stores.is(1, 1).or(&rtl.stores.is(1, 1))
    }

    fn program(inputs: &Inputs<u64>, _model: &Outputs<u64>, _rtl: &Outputs<u64>) -> String {
        let &Inputs { memory, compare, value } = inputs;
        let slot = format!("uav 0 raw 0x1000 4\nmemory 0x1000: .word {memory:#x}");
        compare_and_store(&slot, "u0", [0; 3], [compare, value])
    }
}
