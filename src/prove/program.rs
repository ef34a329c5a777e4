// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the programs of several blocks have in common.

use crate::{
    model::{
        address::DWORD,
        uav::Target,
        word::{Truth, Word},
    },
    op::{BufferSlot, Fault},
};

/// Bytes from 0 on that one range of global memory can hold: the end is a multiple of 32 below 2^40.
pub(crate) const ALL_MEMORY: u64 = 0xff_ffff_ffe0;

/// The largest buffer, in bytes.
const BUFFER_BYTES: u64 = 0xffff_fffc;

/// An offset as an address operand has it: hexadecimal, the sign apart.
pub(crate) fn signed(imm: u32) -> String {
    let sign = if (imm as i32) < 0 { "-" } else { "" };
    format!("{sign}{:#x}", (imm as i32).unsigned_abs())
}

/// Bytes (5 bits) that an access of SPA 5.0 can move.
pub(crate) fn is_access_size<W: Word>(bytes: &W) -> W::Truth {
    [1, 2, 4, 8, 16].iter().fold(W::Truth::constant(false), |found, &size| found.or(&bytes.is(size, 5)))
}

/// Each word, of its width, is a multiple of 4.
pub(crate) fn dwords<W: Word>(words: &[(&W, u32)]) -> W::Truth {
    words.iter().fold(W::Truth::constant(true), |kept, (word, width)| kept.and(&word.extract(1, 0, *width).is(0, 2)))
}

/// The fault (3 bits) of a lane whose misalignment does not trap.
pub(crate) fn fault_of<W: Word>(target: &Target<W>) -> W {
    let fault = |fault: Fault| W::literal(3, fault as u64);
    let inside = W::choose(&target.undefined, &fault(Fault::Undefined), &fault(Fault::None), 3);
    W::choose(&target.allocation, &fault(Fault::Allocation), &inside, 3)
}

/// An `atomic_cmp_store` by lane 0, at address words, of compare and new, to what `header` binds.
pub(crate) fn compare_and_store(header: &str, slot: &str, address: [u64; 3], [compare, new]: [u64; 2]) -> String {
    let mut text = format!("isa sm5\nlanes 32\ntrap misaligned\n{header}\n\nactive = 1\n");
    for (value, component) in address.into_iter().zip(["x", "y", "z"]) {
        text += &format!("r0.{component} = {value:#x}\n");
    }
    text + &format!("r1.x = {compare:#x}\nr2.x = {new:#x}\n\natomic_cmp_store {slot}, r0.xyzw, r1.x, r2.x\n")
}

/// The suffix of an access of so many bytes.
pub(crate) fn access_size(bytes: u64) -> &'static str {
    match bytes {
        1 => ".U8",
        2 => ".U16",
        8 => ".64",
        16 => ".128",
        _ => "",
    }
}

/// The four dwords from `element` on lie in the largest buffer.
pub(crate) fn in_buffer<W: Word>(element: &W) -> W::Truth {
    element.less(&W::literal(DWORD, BUFFER_BYTES / 4 - 3), DWORD)
}

/// The fields of a write of R700, a lane's index, and the GPR of the burst that matters.
#[derive(Default)]
pub(crate) struct Burst {
    pub driver: u64,
    pub slot: u64,
    pub stage: u64,
    pub base: u64,
    pub size: u64,
    pub elem_size: u64,
    pub use_index: u64,
    pub index: u64,
    pub gpr: u64,
}

impl Burst {
    /// The write by thread 0, to the largest buffer.
    pub fn program(&self) -> String {
        self.program_in(0x1000_0000, 0, BUFFER_BYTES, 0)
    }

    /// The write, of all four components; its GPRs end at the one that matters, so that none overwrites it.
    pub fn program_in(&self, base: u64, stride: u64, size: u64, thread: u64) -> String {
        const INDEX_GPR: u64 = 1;
        const FIRST_GPR: u64 = 2;
        let (name, cf_inst) = match BufferSlot::from_code(self.slot as u8) {
            Some(BufferSlot::Scratch) => ("scratch", 0x24),
            Some(BufferSlot::Reduction) => ("reduction", 0x25),
            Some(BufferSlot::Stream0) => ("stream0", 0x20),
            Some(BufferSlot::Stream1) => ("stream1", 0x21),
            Some(BufferSlot::Stream2) => ("stream2", 0x22),
            Some(BufferSlot::Stream3) => ("stream3", 0x23),
            Some(BufferSlot::Ring) => ("ring", 0x26),
            _ => ("export", 0x3a),
        };
        let stage = ["", "vertex ", "geometry ", "export "][self.stage as usize % 4];
        let of = if name == "scratch" { stage } else { "" };
        let stride = if name == "scratch" || stride != 0 { format!(" {stride:#x}") } else { String::new() };
        let index = if self.use_index == 1 { INDEX_GPR } else { 0 };
        let low = self.base | self.use_index << 13 | FIRST_GPR << 15 | index << 23 | self.elem_size << 30;
        let high = (self.size - 1) & 0xfff | 0xf << 12 | self.gpr << 17 | cf_inst << 23 | 1 << 31;

        let mut text = "isa r700\n".to_owned();
        if self.driver == 1 {
            text += "form driver\n";
        }
        text += &format!("lanes 32\nbuffer {name} {of}{base:#x}{stride} {size:#x}\n\n");
        if !stage.is_empty() {
            text += &format!("stage {}\n", stage.trim());
        }
        text += &format!("warp {}\nactive = {:#x}\n", thread / 32, 1u64 << (thread % 32));
        text += &format!("R{INDEX_GPR}.x = {:#x}\n", self.index);
        for gpr in 0..=self.gpr {
            text += &format!("R{} = {:#x}\n", FIRST_GPR + gpr, 0xa0 + gpr);
        }
        text + &format!("\n{low:08x} {high:08x}\n")
    }
}
