// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where a dword of an R700 buffer is, and whether the buffer has it.

use super::clamp::LAST_FIRST;
use crate::{
    clause::Clause,
    model::{
        address::DWORD,
        buffer::{address, fits},
        window::{EXACT, THREAD_WIDTH},
        word::{Truth, Word},
    },
    op::{ADDR_WIDTH, BufferSlot},
    prove::{
        block::{Block, bit, ports},
        program::Burst,
    },
};

pub struct Buffer;

ports! { Inputs { base: ADDR_WIDTH, stride: 32, size: 32, thread: THREAD_WIDTH, element: DWORD } }
ports! { Outputs { fits: 4, addr: ADDR_WIDTH } }

/// Elements of one dword in the largest array: what a lane of scratch can reach of its item by its index.
const REACHED: u64 = 4096;

impl Block for Buffer {
    const NAME: &'static str = "buffer";
    const CLAUSES: &'static [Clause] = &[Clause::R700Bound, Clause::R700Place];
    const TOP: &'static str = "lsu_buffer_proof";
    const WRAPPER: &'static str = include_str!("../../../../proof/lsu_buffer_proof.sv");

    type Inputs<W: Word> = Inputs<W>;
    type Outputs<W: Word> = Outputs<W>;

    /// Sizes are multiples of 4 bytes, and the dword is one of some burst.
    fn assume<W: Word>(inputs: &Inputs<W>) -> W::Truth {
        let some = inputs.element.less(&W::literal(DWORD, LAST_FIRST + 15 * 4 + 1), DWORD);
        inputs.size.extract(1, 0, 32).is(0, 2).and(&some)
    }

    fn model<W: Word>(inputs: &Inputs<W>) -> Outputs<W> {
        let Inputs { base, stride, size, thread, element } = inputs;
        let [x, y, z, w] = [0, 1, 2, 3].map(|component| bit::<W>(&fits(element, component, size)));
        // A dword that is not there has no address.
        let addr = address(base, stride, thread, element).extract(ADDR_WIDTH - 1, 0, EXACT);
        let addr = W::choose(&x.is(1, 1), &addr, &W::literal(ADDR_WIDTH, 0), ADDR_WIDTH);
        Outputs { fits: w.concat(&z, 1, 1).concat(&y.concat(&x, 1, 1), 2, 2), addr }
    }

    /// The buffer is one that the ports promise, and an index reaches the dword: in scratch, or without a stride in
    /// general export.
    fn shows<W: Word>(inputs: &Inputs<W>, _model: &Outputs<W>, _rtl: &Outputs<W>) -> W::Truth {
        let last = inputs.stride.zero_extend(32, EXACT).mul(&W::literal(EXACT, 255), EXACT);
        let end = inputs.base.zero_extend(ADDR_WIDTH, EXACT).add(&last, EXACT);
        let end = end.add(&inputs.size.zero_extend(32, EXACT), EXACT);
        let kept = end
            .less(&W::literal(EXACT, (1 << ADDR_WIDTH) + 1), EXACT)
            .and(&inputs.base.extract(1, 0, ADDR_WIDTH).is(0, 2))
            .and(&inputs.stride.extract(1, 0, 32).is(0, 2));
        let scratch = inputs.element.less(&W::literal(DWORD, REACHED), DWORD);
        let export = inputs.element.less(&W::literal(DWORD, 1 << 32), DWORD).and(&inputs.stride.is(0, 32));
        kept.and(&scratch.or(&export))
    }

    fn program(inputs: &Inputs<u64>, _model: &Outputs<u64>, _rtl: &Outputs<u64>) -> String {
        let &Inputs { base, stride, size, thread, element } = inputs;
        let slot = if element < REACHED { BufferSlot::Scratch } else { BufferSlot::Export };
        let burst = Burst { slot: slot as u64, size: REACHED, use_index: 1, index: element, ..Burst::default() };
        burst.program_in(base, stride, size, thread)
    }
}
