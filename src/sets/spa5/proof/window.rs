// SPDX-License-Identifier: MIT OR Apache-2.0
//! The place of an aligned access of SPA 5.0.

use super::program::{access_size, is_access_size};
use crate::{
    clause::Clause,
    model::{
        window::{EXACT, Interval, Map, THREAD_WIDTH, place, place_by},
        word::{Truth, Word},
    },
    op::{ADDR_WIDTH, Fault},
    program::SHARED_BYTES,
    prove::{
        block::{Block, bit, ports},
    },
};

pub struct Window;

ports! {
    Inputs {
        local_base: ADDR_WIDTH, local_size: ADDR_WIDTH, shared_base: ADDR_WIDTH, shared_size: ADDR_WIDTH,
        item_base: ADDR_WIDTH, item_stride: 32, item_size: 32, allocated: 32,
        alloc0_base: ADDR_WIDTH, alloc0_size: ADDR_WIDTH, alloc1_base: ADDR_WIDTH, alloc1_size: ADDR_WIDTH,
        alloc2_base: ADDR_WIDTH, alloc2_size: ADDR_WIDTH, alloc3_base: ADDR_WIDTH, alloc3_size: ADDR_WIDTH,
        alloc4_base: ADDR_WIDTH, alloc4_size: ADDR_WIDTH, alloc5_base: ADDR_WIDTH, alloc5_size: ADDR_WIDTH,
        alloc6_base: ADDR_WIDTH, alloc6_size: ADDR_WIDTH, alloc7_base: ADDR_WIDTH, alloc7_size: ADDR_WIDTH,
        predicate: 1, ea: 64, thread: THREAD_WIDTH, bytes: 5,
    }
}
// A bit for each allocation range that holds the access, and the product with the stride, are steps to the other
// outputs.
ports! { Outputs { range0: 1, range1: 1, range2: 1, range3: 1, range4: 1, range5: 1, range6: 1, range7: 1, count: 16, product: EXACT, memory: 1, local: 1, shared: 1, fault: 3, addr: ADDR_WIDTH } }

impl<W: Word> Inputs<W> {
    fn alloc(&self) -> [(&W, &W); 8] {
        [
            (&self.alloc0_base, &self.alloc0_size),
            (&self.alloc1_base, &self.alloc1_size),
            (&self.alloc2_base, &self.alloc2_size),
            (&self.alloc3_base, &self.alloc3_size),
            (&self.alloc4_base, &self.alloc4_size),
            (&self.alloc5_base, &self.alloc5_size),
            (&self.alloc6_base, &self.alloc6_size),
            (&self.alloc7_base, &self.alloc7_size),
        ]
    }
}

/// A value of `width` bits in the model's exact arithmetic.
pub(crate) fn exact<W: Word>(value: &W, width: u32) -> W {
    value.zero_extend(width, EXACT)
}

pub(crate) fn interval<W: Word>(base: &W, size: &W) -> Interval<W> {
    let base = exact(base, ADDR_WIDTH);
    let end = base.add(&exact(size, ADDR_WIDTH), EXACT);
    Interval { base, end }
}

/// Whether a value of `width` bits is a multiple of 32.
pub(crate) fn coarse<W: Word>(value: &W, width: u32) -> W::Truth {
    value.extract(4, 0, width).is(0, 5)
}

/// Whether `end`, which is exact, lies within the 40 address bits.
pub(crate) fn reachable<W: Word>(end: &W) -> W::Truth {
    end.less(&W::literal(EXACT, (1 << ADDR_WIDTH) + 1), EXACT)
}

/// Computes the outputs; with `given`, from the product in it.
fn answer<W: Word>(inputs: &Inputs<W>, given: Option<&Outputs<W>>) -> Outputs<W> {
    let map = Map {
        local: interval(&inputs.local_base, &inputs.local_size),
        shared: interval(&inputs.shared_base, &inputs.shared_size),
        base: exact(&inputs.item_base, ADDR_WIDTH),
        stride: exact(&inputs.item_stride, 32),
        size: exact(&inputs.item_size, 32),
        shared_size: exact(&inputs.allocated, 32),
        alloc: inputs.alloc().map(|(base, size)| interval(base, size)),
    };
    let Inputs { ea, bytes, predicate, thread, .. } = inputs;
    let predicate = predicate.is(1, 1);
    let placed = match given {
        None => place(&map, &map.alloc, ea, bytes, &predicate, thread),
        Some(given) => place_by(&map, &map.alloc, ea, bytes, &predicate, &given.product),
    };
    let good = placed.window.or(&placed.allocation).not();
    let shared = placed.shared.and(&good);
    let fault = |fault: Fault| W::literal(3, fault as u64);
    let inside = W::choose(&placed.allocation, &fault(Fault::Allocation), &fault(Fault::None), 3);
    let at = exact(&ea.extract(ADDR_WIDTH - 1, 0, 64), ADDR_WIDTH);
    // For the product, the low address bits alone decide whether the access is private.
    let near = place_by(&map, &[], &at.zero_extend(EXACT, 64), bytes, &predicate, &W::literal(EXACT, 0)).local;
    let count = W::choose(&near, &thread.zero_extend(THREAD_WIDTH, 16), &W::literal(16, 0), 16);
    let by = given.map_or(&count, |given| &given.count);
    let product = by.zero_extend(16, EXACT).mul(&map.stride, EXACT);
    let [range0, range1, range2, range3, range4, range5, range6, range7] =
        map.alloc.each_ref().map(|range| bit::<W>(&range.holds(&at, &exact(&inputs.bytes, 5))));
    // A lane that goes nowhere has no address.
    Outputs {
        range0,
        range1,
        range2,
        range3,
        range4,
        range5,
        range6,
        range7,
        count,
        product,
        memory: bit(&placed.local.or(&placed.global).and(&good)),
        local: bit(&placed.local.and(&good)),
        shared: bit(&shared),
        fault: W::choose(&placed.window, &fault(Fault::Window), &inside, 3),
        addr: W::choose(&good, &placed.addr, &W::literal(ADDR_WIDTH, 0), ADDR_WIDTH),
    }
}

impl Block for Window {
    const NAME: &'static str = "window";
    const CLAUSES: &'static [Clause] = &[
        Clause::Spa5Space,
        Clause::Spa5Window,
        Clause::Spa5Oob,
        Clause::Spa5Straddle,
        Clause::ComPrivate,
        Clause::ComGlobal,
    ];
    const TOP: &'static str = "lsu_window_proof";
    const WRAPPER: &'static str = include_str!("../../../../proof/lsu_window_proof.sv");
    const FREE: &'static [&'static str] = &["bytes"];

    type Inputs<W: Word> = Inputs<W>;
    type Outputs<W: Word> = Outputs<W>;

    /// The control registers obey the contract of the ports, and the access is aligned.
    fn assume<W: Word>(inputs: &Inputs<W>) -> W::Truth {
        let mut ranges = inputs.alloc().to_vec();
        ranges.push((&inputs.local_base, &inputs.local_size));
        ranges.push((&inputs.shared_base, &inputs.shared_size));
        let ranges = ranges.into_iter().fold(W::Truth::constant(true), |kept, (base, size)| {
            let coarse = coarse(base, ADDR_WIDTH).and(&coarse(size, ADDR_WIDTH));
            kept.and(&coarse).and(&reachable(&interval(base, size).end))
        });
        let items = coarse(&inputs.item_base, ADDR_WIDTH)
            .and(&coarse(&inputs.item_stride, 32))
            .and(&coarse(&inputs.item_size, 32))
            .and(&coarse(&inputs.allocated, 32));
        // The model's own alignment must not change the address.
        let aligned = crate::model::align::align(&inputs.ea, &inputs.bytes).equal(&inputs.ea, 64);
        ranges.and(&items).and(&is_access_size(&inputs.bytes)).and(&aligned)
    }

    fn model<W: Word>(inputs: &Inputs<W>) -> Outputs<W> {
        answer(inputs, None)
    }

    fn steps<W: Word>(inputs: &Inputs<W>, given: &Outputs<W>) -> Outputs<W> {
        answer(inputs, Some(given))
    }

    /// Every thread's item ends within the address bits, the scratchpad has room for what is allocated, and either an
    /// access is made or the faults differ.
    fn shows<W: Word>(inputs: &Inputs<W>, model: &Outputs<W>, rtl: &Outputs<W>) -> W::Truth {
        let last = exact(&inputs.item_stride, 32).mul(&W::literal(EXACT, 255), EXACT);
        let end = exact(&inputs.item_base, ADDR_WIDTH).add(&last, EXACT).add(&exact(&inputs.item_size, 32), EXACT);
        let room = inputs.allocated.less(&W::literal(32, SHARED_BYTES + 1), 32);
        let goes = |answer: &Outputs<W>| answer.memory.is(1, 1).or(&answer.shared.is(1, 1));
        room.and(&reachable(&end)).and(&goes(model).or(&goes(rtl)).or(&model.fault.equal(&rtl.fault, 3).not()))
    }

    fn program(inputs: &Inputs<u64>, model: &Outputs<u64>, rtl: &Outputs<u64>) -> String {
        let mut text = format!(
            "isa spa5\nlanes 32\n\nwindow local {:#x} {:#x}\nwindow shared {:#x} {:#x}\nlocal {:#x} {:#x} {:#x}\n\
             shared {:#x}\n",
            inputs.local_base,
            inputs.local_size,
            inputs.shared_base,
            inputs.shared_size,
            inputs.item_base,
            inputs.item_stride,
            inputs.item_size,
            inputs.allocated
        );
        for (base, size) in inputs.alloc().into_iter().filter(|(_, size)| **size != 0) {
            text += &format!("alloc {base:#x} {size:#x}\n");
        }
        // The two answers find different bytes in the scratchpad, so that a wrong place shows.
        for (answer, byte) in [(model, 0xa0), (rtl, 0xb0)] {
            if answer.shared == 1 && answer.addr + inputs.bytes <= SHARED_BYTES {
                let bytes: Vec<_> = (0..inputs.bytes).map(|index| format!("{:02x}", byte + index)).collect();
                text += &format!("shared {:#x}: {}\n", answer.addr, bytes.join(" "));
            }
        }
        let (warp, lane) = (inputs.thread / 32, inputs.thread % 32);
        let predicate = if inputs.predicate == 1 { "lane >= 0" } else { "lane < 0" };
        text + &format!(
            "\nwarp {warp}\nactive = {:#x}\nP0 = {predicate}\nR2 = {:#x}\nR3 = {:#x}\n\nLD.E{} R4, [R2], P0\n",
            1u64 << lane,
            inputs.ea as u32,
            inputs.ea >> 32,
            access_size(inputs.bytes)
        )
    }
}
