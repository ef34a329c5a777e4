// SPDX-License-Identifier: MIT OR Apache-2.0
//! The programs that the blocks of R700 share.

use crate::{model::{address::DWORD, word::Word}, op::{BufferSlot, Stage}};

/// The largest buffer, in bytes.
const BUFFER_BYTES: u64 = 0xffff_fffc;

/// The fields of an R700 write, a lane's index, and the number of the GPR that matters in the burst.
#[derive(Default)]
pub struct Burst {
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
    /// The write by thread 0 to the largest buffer.
    pub fn program(&self) -> String {
        self.program_in(0x1000_0000, 0, BUFFER_BYTES, 0)
    }

    /// The write of all four components. Its burst ends with the GPR that matters, so that no later one overwrites it.
    pub fn program_in(&self, base: u64, stride: u64, size: u64, thread: u64) -> String {
        const INDEX_GPR: u64 = 1;
        const FIRST_GPR: u64 = 2;
        let cf_inst = match BufferSlot::from_code(self.slot as u8) {
            Some(BufferSlot::Scratch) => 0x24,
            Some(BufferSlot::Reduction) => 0x25,
            Some(BufferSlot::Stream0) => 0x20,
            Some(BufferSlot::Stream1) => 0x21,
            Some(BufferSlot::Stream2) => 0x22,
            Some(BufferSlot::Stream3) => 0x23,
            Some(BufferSlot::Ring) => 0x26,
            _ => 0x3a,
        };
        let (name, scratch) = (BufferSlot::name(self.slot as u8), self.slot % 8 == BufferSlot::Scratch as u64);
        let stage = if self.stage.is_multiple_of(4) { String::new() } else { format!("{} ", Stage::name(self.stage as u8)) };
        let of = if scratch { stage.as_str() } else { "" };
        let stride = if scratch || stride != 0 { format!(" {stride:#x}") } else { String::new() };
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

/// Whether the four dwords from `element` on lie in the largest buffer.
pub fn in_buffer<W: Word>(element: &W) -> W::Truth {
    element.less(&W::literal(DWORD, BUFFER_BYTES / 4 - 3), DWORD)
}
