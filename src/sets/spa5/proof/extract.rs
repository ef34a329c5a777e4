// SPDX-License-Identifier: MIT OR Apache-2.0
//! Extracts one register of a load from the aligned 8 bytes that hold it.

use crate::{
    clause::Clause,
    model::{
        extract::register,
        word::{Truth, Word},
    },
    prove::block::{Block, ports},
};

pub struct Extract;

ports! { Inputs { word: 64, at: 3, bytes: 3, sign: 1 } }
ports! { Outputs { value: 32 } }

impl Block for Extract {
    const NAME: &'static str = "extract";
    const CLAUSES: &'static [Clause] = &[Clause::Spa5Ext, Clause::Spa5Multi];
    const TOP: &'static str = "lsu_extract_proof";
    const WRAPPER: &'static str = include_str!("../../../../proof/lsu_extract_proof.sv");

    type Inputs<W: Word> = Inputs<W>;
    type Outputs<W: Word> = Outputs<W>;

    /// A register has 1, 2 or 4 bytes, and is aligned to its size.
    fn assume<W: Word>(inputs: &Inputs<W>) -> W::Truth {
        let one = inputs.bytes.is(1, 3);
        let two = inputs.bytes.is(2, 3).and(&inputs.at.extract(0, 0, 3).is(0, 1));
        let four = inputs.bytes.is(4, 3).and(&inputs.at.extract(1, 0, 3).is(0, 2));
        one.or(&two).or(&four)
    }

    fn model<W: Word>(inputs: &Inputs<W>) -> Outputs<W> {
        let upper = inputs.at.extract(2, 2, 3).is(1, 1);
        let dword = W::choose(&upper, &inputs.word.extract(63, 32, 64), &inputs.word.extract(31, 0, 64), 32);
        let offset = inputs.at.extract(1, 0, 3);
        let bytes = inputs.bytes.zero_extend(3, 5);
        Outputs { value: register(&dword, &offset, &bytes, &inputs.sign.is(1, 1)) }
    }

    /// A load of a dword does not extend.
    fn shows<W: Word>(inputs: &Inputs<W>, _model: &Outputs<W>, _rtl: &Outputs<W>) -> W::Truth {
        inputs.bytes.is(4, 3).and(&inputs.sign.is(1, 1)).not()
    }

    fn program(inputs: &Inputs<u64>, _model: &Outputs<u64>, _rtl: &Outputs<u64>) -> String {
        let size = match (inputs.bytes, inputs.sign) {
            (1, 0) => ".U8",
            (1, _) => ".S8",
            (2, 0) => ".U16",
            (2, _) => ".S16",
            _ => "",
        };
        format!(
            "isa spa5\n\nalloc 0x1000 0x20\nmemory 0x1000: .word {:#x}, {:#x}\n\nactive = 1\nP0 = lane >= 0\n\
             R2 = {:#x}\nR4 = 0xdeadbeef\n\nLD{size} R4, [R2], P0\n",
            inputs.word as u32,
            inputs.word >> 32,
            0x1000 + inputs.at
        )
    }
}
