// SPDX-License-Identifier: MIT OR Apache-2.0
//! The place of an aligned access of PTX.

use crate::sets::spa5::proof::window::{coarse, exact, interval, reachable};
use crate::{
    clause::Clause,
    model::{
        align::align_vector,
        space::{Given, Item, Spaces, place_if, stride},
        window::{EXACT, Map, THREAD_WIDTH, item},
        word::{Truth, Word},
    },
    op::{self, ADDR_WIDTH, Fault},
    program::SHARED_BYTES,
    prove::block::{Block, bit, ports},
};

pub struct Space;

ports! {
    Inputs {
        local_base: ADDR_WIDTH, local_size: ADDR_WIDTH, shared_base: ADDR_WIDTH, shared_size: ADDR_WIDTH,
        item_base: ADDR_WIDTH, item_stride: 32, item_size: 32, param_base: ADDR_WIDTH, param_stride: 32, param_size: 32,
        cluster_base: ADDR_WIDTH, cluster_size: ADDR_WIDTH, allocated: 32,
        alloc0_base: ADDR_WIDTH, alloc0_size: ADDR_WIDTH, alloc1_base: ADDR_WIDTH, alloc1_size: ADDR_WIDTH,
        alloc2_base: ADDR_WIDTH, alloc2_size: ADDR_WIDTH, alloc3_base: ADDR_WIDTH, alloc3_size: ADDR_WIDTH,
        alloc4_base: ADDR_WIDTH, alloc4_size: ADDR_WIDTH, alloc5_base: ADDR_WIDTH, alloc5_size: ADDR_WIDTH,
        alloc6_base: ADDR_WIDTH, alloc6_size: ADDR_WIDTH, alloc7_base: ADDR_WIDTH, alloc7_size: ADDR_WIDTH,
        written: 4, ea: 64, thread: THREAD_WIDTH, bytes: 6, mmio: 1,
    }
}
// A bit for each allocation range that holds the access, its private space, and the product with the stride of this
// space, are steps to the other outputs.
ports! { Outputs { range0: 1, range1: 1, range2: 1, range3: 1, range4: 1, range5: 1, range6: 1, range7: 1, private_base: ADDR_WIDTH, private_stride: 32, private_size: 32, count: 16, product: EXACT, memory: 1, shared: 1, space: 4, fault: 3, addr: ADDR_WIDTH } }

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

    fn spaces(&self) -> Spaces<W> {
        Spaces {
            map: Map {
                local: interval(&self.local_base, &self.local_size),
                shared: interval(&self.shared_base, &self.shared_size),
                base: exact(&self.item_base, ADDR_WIDTH),
                stride: exact(&self.item_stride, 32),
                size: exact(&self.item_size, 32),
                shared_size: exact(&self.allocated, 32),
                alloc: self.alloc().map(|(base, size)| interval(base, size)),
            },
            param: Item {
                base: exact(&self.param_base, ADDR_WIDTH),
                stride: exact(&self.param_stride, 32),
                size: exact(&self.param_size, 32),
            },
            cluster_base: exact(&self.cluster_base, ADDR_WIDTH),
            cluster_size: exact(&self.cluster_size, ADDR_WIDTH),
        }
    }
}

impl<W> Outputs<W> {
    fn ranges(&self) -> [&W; 8] {
        let Outputs { range0, range1, range2, range3, range4, range5, range6, range7, .. } = self;
        [range0, range1, range2, range3, range4, range5, range6, range7]
    }
}

/// Computes the outputs; with `given`, from the ranges and the product in it.
fn answer<W: Word>(inputs: &Inputs<W>, given: Option<&Outputs<W>>) -> Outputs<W> {
    let spaces = inputs.spaces();
    let Inputs { written, ea, bytes, thread, .. } = inputs;
    let at = exact(&ea.extract(ADDR_WIDTH - 1, 0, 64), ADDR_WIDTH);
    let [range0, range1, range2, range3, range4, range5, range6, range7] =
        spaces.map.alloc.each_ref().map(|range| bit::<W>(&range.holds(&at, &exact(bytes, 6))));
    let ranges = [&range0, &range1, &range2, &range3, &range4, &range5, &range6, &range7];
    let ranges = given.map_or(ranges, |given| given.ranges());
    let allocated = ranges.into_iter().fold(W::Truth::constant(false), |found, range| found.or(&range.is(1, 1)));
    let param = written.is(op::Space::Param as u64, 4);
    let private_base = W::choose(&param, &inputs.param_base, &inputs.item_base, ADDR_WIDTH);
    let private_stride = stride(&spaces, written).extract(31, 0, EXACT);
    let private_size = W::choose(&param, &inputs.param_size, &inputs.item_size, 32);
    let mmio = inputs.mmio.is(1, 1);
    let own = item(thread, &stride(&spaces, written));
    let given_item = given.map_or(&own, |given| &given.product).clone();
    let site = place_if(&spaces, &Given { allocated, item: given_item }, written, &mmio, ea, bytes);
    // For the product, the low address bits alone decide whether the access is private.
    let low = at.zero_extend(EXACT, 64);
    let known = Given { allocated: W::Truth::constant(false), item: W::literal(EXACT, 0) };
    let near = place_if(&spaces, &known, written, &mmio, &low, bytes);
    let own = near.local.or(&near.param);
    let count = W::choose(&own, &thread.zero_extend(THREAD_WIDTH, 16), &W::literal(16, 0), 16);
    let (by, from) = given.map_or((&count, &private_stride), |given| (&given.count, &given.private_stride));
    let product = by.zero_extend(16, EXACT).mul(&exact(from, 32), EXACT);
    let good = site.illegal.or(&site.window).or(&site.allocation).not();
    let fault = |fault: Fault| W::literal(3, fault as u64);
    let inside = W::choose(&site.allocation, &fault(Fault::Allocation), &fault(Fault::None), 3);
    let refused = W::choose(&site.illegal, &fault(Fault::Illegal), &inside, 3);
    let space = [
        (&site.local, op::Space::Local),
        (&site.shared, op::Space::Shared),
        (&site.cluster, op::Space::Cluster),
        (&site.param, op::Space::Param),
        (&site.global, op::Space::Global),
    ]
    .into_iter()
    .fold(W::literal(4, 0), |other, (is, space)| W::choose(is, &W::literal(4, space as u64), &other, 4));
    // A lane that goes nowhere has no space and no address.
    Outputs {
        range0,
        range1,
        range2,
        range3,
        range4,
        range5,
        range6,
        range7,
        private_base,
        private_stride,
        private_size,
        count,
        product,
        memory: bit(&site.shared.not().and(&good)),
        shared: bit(&site.shared.and(&good)),
        space: W::choose(&good, &space, &W::literal(4, 0), 4),
        fault: W::choose(&site.window, &fault(Fault::Window), &refused, 3),
        addr: W::choose(&good, &site.addr, &W::literal(ADDR_WIDTH, 0), ADDR_WIDTH),
    }
}

impl Block for Space {
    const NAME: &'static str = "space";
    const CLAUSES: &'static [Clause] = &[
        Clause::PtxSpace,
        Clause::PtxEa,
        Clause::PtxOffset,
        Clause::PtxSem,
        Clause::PtxGlobalOnly,
        Clause::PtxParam,
        Clause::ComPrivate,
        Clause::ComGlobal,
    ];
    const TOP: &'static str = "lsu_space_proof";
    const WRAPPER: &'static str = include_str!("../../../../proof/lsu_space_proof.sv");

    type Inputs<W: Word> = Inputs<W>;
    type Outputs<W: Word> = Outputs<W>;

    /// The control registers obey the contract of the ports, the space is one of PTX, and the access is aligned.
    fn assume<W: Word>(inputs: &Inputs<W>) -> W::Truth {
        let mut ranges = inputs.alloc().to_vec();
        ranges.push((&inputs.local_base, &inputs.local_size));
        ranges.push((&inputs.shared_base, &inputs.shared_size));
        ranges.push((&inputs.cluster_base, &inputs.cluster_size));
        let ranges = ranges.into_iter().fold(W::Truth::constant(true), |kept, (base, size)| {
            let coarse = coarse(base, ADDR_WIDTH).and(&coarse(size, ADDR_WIDTH));
            kept.and(&coarse).and(&reachable(&interval(base, size).end))
        });
        let Inputs { item_base, item_stride, item_size, param_base, param_stride, param_size, allocated, .. } = inputs;
        let words = [item_stride, item_size, param_stride, param_size, allocated];
        let items = words.into_iter().fold(W::Truth::constant(true), |kept, word| kept.and(&coarse(word, 32)));
        let items = items.and(&coarse(item_base, ADDR_WIDTH)).and(&coarse(param_base, ADDR_WIDTH));
        let ptx = inputs.written.is(0, 4).not().and(&inputs.written.less(&W::literal(4, op::Space::Buffer as u64), 4));
        let sizes = [1, 2, 4, 8, 16, 32];
        let size = sizes.iter().fold(W::Truth::constant(false), |found, &size| found.or(&inputs.bytes.is(size, 6)));
        // The model's own alignment must not change the address.
        let aligned = align_vector(&inputs.ea, &inputs.bytes).equal(&inputs.ea, 64);
        ranges.and(&items).and(&ptx).and(&size).and(&aligned)
    }

    fn model<W: Word>(inputs: &Inputs<W>) -> Outputs<W> {
        answer(inputs, None)
    }

    fn steps<W: Word>(inputs: &Inputs<W>, given: &Outputs<W>) -> Outputs<W> {
        answer(inputs, Some(given))
    }

    /// Every thread's item ends within the address bits, and the scratchpad has room for what is allocated. Where a
    /// store went in the scratchpad does not show as long as nothing reads it, and a parameter's address does not come
    /// from a register. The access is a dword, or 256 bits at a generic address; mmio only where a statement can have
    /// it.
    fn shows<W: Word>(inputs: &Inputs<W>, model: &Outputs<W>, rtl: &Outputs<W>) -> W::Truth {
        let fits = |base: &W, stride: &W, size: &W| {
            let last = exact(stride, 32).mul(&W::literal(EXACT, 255), EXACT);
            reachable(&exact(base, ADDR_WIDTH).add(&last, EXACT).add(&exact(size, 32), EXACT))
        };
        let room = inputs.allocated.less(&W::literal(32, SHARED_BYTES + 1), 32);
        let items = fits(&inputs.item_base, &inputs.item_stride, &inputs.item_size).and(&fits(
            &inputs.param_base,
            &inputs.param_stride,
            &inputs.param_size,
        ));
        let is = |space: op::Space| inputs.written.is(space as u64, 4);
        let mmio = inputs.mmio.is(1, 1);
        let dword = inputs.bytes.is(4, 6).and(&is(op::Space::Param).not());
        let dword = dword.and(&mmio.not().or(&is(op::Space::Generic)).or(&is(op::Space::Global)));
        let wide = inputs.bytes.is(32, 6).and(&is(op::Space::Generic)).and(&mmio.not());
        let stated = dword.or(&wide);
        let seen = |answer: &Outputs<W>| answer.memory.is(1, 1);
        let differs = seen(model).or(&seen(rtl)).or(&model.fault.equal(&rtl.fault, 3).not());
        room.and(&items).and(&stated).and(&differs)
    }

    fn program(inputs: &Inputs<u64>, _model: &Outputs<u64>, _rtl: &Outputs<u64>) -> String {
        let mut text = "isa ptx\nlanes 32\ntarget sm_100\nptx 8.8\n\n".to_owned();
        for (name, base, size) in [
            ("window local", inputs.local_base, inputs.local_size),
            ("window shared", inputs.shared_base, inputs.shared_size),
            ("cluster", inputs.cluster_base, inputs.cluster_size),
        ] {
            text += &format!("{name} {base:#x} {size:#x}\n");
        }
        for (name, base, stride, size) in [
            ("local", inputs.item_base, inputs.item_stride, inputs.item_size),
            ("param", inputs.param_base, inputs.param_stride, inputs.param_size),
        ] {
            text += &format!("{name} {base:#x} {stride:#x} {size:#x}\n");
        }
        text += &format!("shared {:#x}\n", inputs.allocated);
        for (base, size) in inputs.alloc().into_iter().filter(|(_, size)| **size != 0) {
            text += &format!("alloc {base:#x} {size:#x}\n");
        }
        let space = match op::Space::from_code(inputs.written as u8) {
            Some(op::Space::Global) => ".global",
            Some(op::Space::Local) => ".local",
            Some(op::Space::Shared) => ".shared",
            Some(op::Space::Cluster) => ".shared::cluster",
            _ => "",
        };
        let order = if inputs.mmio == 1 { ".mmio.relaxed.sys" } else { "" };
        let (shape, value) = match inputs.bytes {
            32 => (".v8", "{%r1, %r1, %r1, %r1, %r1, %r1, %r1, %r1}"),
            _ => ("", "%r1"),
        };
        let (warp, lane) = (inputs.thread / 32, inputs.thread % 32);
        text + &format!(
            "\nwarp {warp}\nactive = {:#x}\n%rd1 = {:#x}\n%r1 = 0xa5b5c5d5\n\nst{order}{space}{shape}.b32 [%rd1], {value};\n",
            1u64 << lane,
            inputs.ea
        )
    }
}
