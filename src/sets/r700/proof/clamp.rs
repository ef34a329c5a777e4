// SPDX-License-Identifier: MIT OR Apache-2.0
//! The dwords of a GPR that remain in an R700 burst, from its fields and its first dword.

use super::program::{Burst, in_buffer};
use crate::{
    clause::Clause,
    model::{
        address::{DWORD, first_dword},
        clamp::{below, element, limit},
        word::{Truth, Word},
    },
    op::BufferSlot,
    prove::{
        block::{Block, bit, ports},
    },
};

pub struct Clamp;

ports! {
    Inputs {
        driver: 1, slot: 3, base: 13, size: 13, elem_size: 2, first: DWORD, gpr: 4,
        use_index: 1, index: 32,
    }
}
ports! { Outputs { limit: DWORD, element: DWORD, below: 4 } }

/// The largest possible first_dw: the last element that a base and an index can name, of four dwords.
pub const LAST_FIRST: u64 = ((1 << 13) - 1 + (1 << 32) - 1) * 4;

impl Block for Clamp {
    const NAME: &'static str = "clamp";
    const CLAUSES: &'static [Clause] = &[Clause::R700Elem, Clause::R700Clamp, Clause::R700Size, Clause::R700Driver];
    const TOP: &'static str = "lsu_clamp_proof";
    const WRAPPER: &'static str = include_str!("../../../../proof/lsu_clamp_proof.sv");
    const FREE: &'static [&'static str] = &["use_index", "index"];

    type Inputs<W: Word> = Inputs<W>;
    type Outputs<W: Word> = Outputs<W>;

    fn assume<W: Word>(inputs: &Inputs<W>) -> W::Truth {
        array_size(&inputs.size).and(&inputs.first.less(&W::literal(DWORD, LAST_FIRST + 1), DWORD))
    }

    fn model<W: Word>(inputs: &Inputs<W>) -> Outputs<W> {
        stays(&inputs.array(), &inputs.first, None)
    }

    fn steps<W: Word>(inputs: &Inputs<W>, given: &Outputs<W>) -> Outputs<W> {
        stays(&inputs.array(), &inputs.first, Some(given))
    }

    /// The first dword belongs to some index, and the differing dwords can be told apart in the largest buffer.
    fn shows<W: Word>(inputs: &Inputs<W>, model: &Outputs<W>, rtl: &Outputs<W>) -> W::Truth {
        let (driver, use_index) = (inputs.driver.is(1, 1), inputs.use_index.is(1, 1));
        let first = first_dword(&driver, &inputs.slot, &inputs.base, &inputs.elem_size, &use_index, &inputs.index);
        first.equal(&inputs.first, DWORD).and(&apart(model, rtl))
    }

    fn program(inputs: &Inputs<u64>, _model: &Outputs<u64>, _rtl: &Outputs<u64>) -> String {
        let &Inputs { driver, slot, base, size, elem_size, first: _, gpr, use_index, index } = inputs;
        Burst { driver, slot, stage: 0, base, size, elem_size, use_index, index, gpr }.program()
    }
}

/// Whether an operation can hold this number of elements (R700-SIZE).
pub fn array_size<W: Word>(size: &W) -> W::Truth {
    size.is(0, 13).not().and(&size.less(&W::literal(13, 4097), 13))
}

/// The fields that determine which dwords of a GPR remain.
pub struct Array<'a, W> {
    pub driver: &'a W,
    pub slot: &'a W,
    pub base: &'a W,
    pub size: &'a W,
    pub elem_size: &'a W,
    pub gpr: &'a W,
}

impl<W: Word> Inputs<W> {
    fn array(&self) -> Array<'_, W> {
        let Inputs { driver, slot, base, size, elem_size, gpr, .. } = self;
        Array { driver, slot, base, size, elem_size, gpr }
    }
}

/// Computes the limit (0 if there is none), the dword of component X, and a bit for each component that remains; the
/// bits come from the other two in `given`, if there is one.
pub fn stays<W: Word>(array: &Array<'_, W>, first: &W, given: Option<&Outputs<W>>) -> Outputs<W> {
    let &Array { driver, slot, base, size, elem_size, gpr } = array;
    let driver = driver.is(1, 1);
    let none = driver.and(&slot.is(BufferSlot::Export as u64, 3));
    let limit = limit(&driver, slot, base, size, elem_size);
    let limit = W::choose(&none, &W::literal(DWORD, 0), &limit, DWORD);
    let element = element(first, gpr, elem_size);
    let (from, past) = given.map_or((&element, &limit), |given| (&given.element, &given.limit));
    let [x, y, z, w] = [0, 1, 2, 3].map(|component| bit::<W>(&below(&driver, slot, from, component, past)));
    let below = w.concat(&z, 1, 1).concat(&y.concat(&x, 1, 1), 2, 2);
    Outputs { limit, element, below }
}

/// Whether different components remain, or remain elsewhere, and at least one of the two lies in a buffer.
pub fn apart<W: Word>(model: &Outputs<W>, rtl: &Outputs<W>) -> W::Truth {
    let same = model.element.equal(&rtl.element, DWORD).and(&model.below.equal(&rtl.below, 4));
    let stays = |answer: &Outputs<W>| answer.below.is(0, 4).not().and(&in_buffer(&answer.element));
    same.not().and(&stays(model).or(&stays(rtl)))
}
