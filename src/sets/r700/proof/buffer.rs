// SPDX-License-Identifier: MIT OR Apache-2.0
//! The R700 buffer of an operation, the address of a dword in it, and whether the buffer contains the dword.

use super::clamp::LAST_FIRST;
use super::program::Burst;
use crate::{
    clause::Clause,
    model::{
        address::DWORD,
        buffer::{address, address_by, fits, number},
        window::{EXACT, THREAD_WIDTH, item},
        word::{Truth, Word},
    },
    op::{ADDR_WIDTH, BufferSlot},
    prove::{
        block::{Block, bit, ports},
    },
};

pub struct Buffer;

ports! { Inputs { slot: 3, stage: 2, base: ADDR_WIDTH, stride: 32, size: 32, thread: THREAD_WIDTH, element: DWORD } }
// The product is a step to the address.
ports! { Outputs { number: 4, fits: 4, product: EXACT, addr: ADDR_WIDTH } }

/// Computes the outputs; with `given`, from the product in it.
fn answer<W: Word>(inputs: &Inputs<W>, given: Option<&Outputs<W>>) -> Outputs<W> {
    let Inputs { slot, stage, base, stride, size, thread, element } = inputs;
    let [x, y, z, w] = [0, 1, 2, 3].map(|component| bit::<W>(&fits(element, component, size)));
    let addr = match given {
        None => address(base, stride, thread, element),
        Some(given) => address_by(base, &given.product, element),
    };
    // A dword outside the buffer has no address.
    let addr = addr.extract(ADDR_WIDTH - 1, 0, EXACT);
    let addr = W::choose(&x.is(1, 1), &addr, &W::literal(ADDR_WIDTH, 0), ADDR_WIDTH);
    Outputs {
        number: number(slot, stage),
        fits: w.concat(&z, 1, 1).concat(&y.concat(&x, 1, 1), 2, 2),
        product: item(thread, &stride.zero_extend(32, EXACT)),
        addr,
    }
}

/// Number of elements of one dword in the largest array: those of its scratch item that a lane can reach by its index.
const REACHED: u64 = 4096;

impl Block for Buffer {
    const NAME: &'static str = "buffer";
    const CLAUSES: &'static [Clause] = &[Clause::R700Bound, Clause::R700Place, Clause::R700Stage];
    const TOP: &'static str = "lsu_buffer_proof";
    const WRAPPER: &'static str = include_str!("../../../../proof/lsu_buffer_proof.sv");

    type Inputs<W: Word> = Inputs<W>;
    type Outputs<W: Word> = Outputs<W>;

    /// Sizes are multiples of 4 bytes, and the dword belongs to some burst.
    fn assume<W: Word>(inputs: &Inputs<W>) -> W::Truth {
        let some = inputs.element.less(&W::literal(DWORD, LAST_FIRST + 15 * 4 + 1), DWORD);
        inputs.size.extract(1, 0, 32).is(0, 2).and(&some)
    }

    fn model<W: Word>(inputs: &Inputs<W>) -> Outputs<W> {
        answer(inputs, None)
    }

    fn steps<W: Word>(inputs: &Inputs<W>, given: &Outputs<W>) -> Outputs<W> {
        answer(inputs, Some(given))
    }

    /// The buffer obeys the contract of the ports, and an index reaches the dword: in scratch, or, without a stride, in
    /// general export in the drivers' form. A wrong buffer shows if the right one contains the dword.
    fn shows<W: Word>(inputs: &Inputs<W>, model: &Outputs<W>, rtl: &Outputs<W>) -> W::Truth {
        let last = inputs.stride.zero_extend(32, EXACT).mul(&W::literal(EXACT, 255), EXACT);
        let end = inputs.base.zero_extend(ADDR_WIDTH, EXACT).add(&last, EXACT);
        let end = end.add(&inputs.size.zero_extend(32, EXACT), EXACT);
        let kept = end
            .less(&W::literal(EXACT, (1 << ADDR_WIDTH) + 1), EXACT)
            .and(&inputs.base.extract(1, 0, ADDR_WIDTH).is(0, 2))
            .and(&inputs.stride.extract(1, 0, 32).is(0, 2));
        let scratch = inputs.element.less(&W::literal(DWORD, REACHED), DWORD);
        let export = inputs.element.less(&W::literal(DWORD, 1 << 32), DWORD).and(&inputs.stride.is(0, 32));
        let there = scratch.and(&inputs.stride.is(0, 32)).and(&model.fits.extract(0, 0, 4).is(1, 1));
        let same = model.number.equal(&rtl.number, 4);
        kept.and(&same.and(&scratch.or(&export)).or(&same.not().and(&there)))
    }

    fn program(inputs: &Inputs<u64>, model: &Outputs<u64>, rtl: &Outputs<u64>) -> String {
        let &Inputs { slot, stage, base, stride, size, thread, element } = inputs;
        let (slot, stage) = match model.number == rtl.number {
            false => (slot, stage),
            true if element < REACHED => (BufferSlot::Scratch as u64, 0),
            true => (BufferSlot::Export as u64, 0),
        };
        // General export in the drivers' form has neither base nor limit.
        let driver = u64::from(slot == BufferSlot::Export as u64);
        let burst = Burst { driver, slot, stage, size: REACHED, use_index: 1, index: element, ..Burst::default() };
        burst.program_in(base, stride, size, thread)
    }
}
