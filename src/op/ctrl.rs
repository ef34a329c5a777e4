// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports' contract on the control registers.

use super::{ADDR_WIDTH, Bits, Buffer, BufferSlot, Ctrl, Packed, Private, Range, Resource, Shape};

impl Ctrl {
    /// The registers after a round trip through their packed bits: the base of an empty range at 2^40 becomes 0.
    pub fn as_held(&self) -> Self {
        Ctrl::unpack(Bits::from_slice(&self.to_words()))
    }

    /// Checks the registers against the ports' contract on a unit of this shape: aligned bases and sizes, nothing past
    /// address 2^40, no more shared memory than the scratchpad has.
    ///
    /// # Errors
    ///
    /// A message that says what is wrong.
    pub fn check(&self, shape: &Shape) -> Result<(), String> {
        let end = 1u64 << ADDR_WIDTH;
        let windows =
            [("local_window", self.local_window), ("shared_window", self.shared_window), ("cluster", self.cluster)];
        for (name, Range { base, size }) in windows.into_iter().chain(self.alloc.map(|range| ("alloc", range))) {
            if base % 32 != 0 || size % 32 != 0 {
                return Err(format!("`{name}` {base:#x} {size:#x}: base and size are multiples of 32 bytes"));
            }
            if base.checked_add(size).is_none_or(|last| last > end) {
                return Err(format!("`{name}` {base:#x} {size:#x} ends past the 40 address bits"));
            }
        }
        let threads = (shape.warps * shape.lanes) as u64;
        for (name, Private { base, stride, size }) in
            [("local_memory", self.local_memory), ("param_memory", self.param_memory)]
        {
            if base % 32 != 0 || stride % 32 != 0 || size % 32 != 0 {
                return Err(format!("`{name}`: base, stride and size are multiples of 32 bytes"));
            }
            if base.saturating_add((threads - 1) * u64::from(stride)).saturating_add(size.into()) > end {
                return Err(format!("`{name}` ends past the 40 address bits"));
            }
        }
        if !self.shared_size.is_multiple_of(32) {
            return Err("`shared_size` is a multiple of 32 bytes".to_owned());
        }
        let named = |name: &'static str| move |(slot, buffer)| (name, slot, buffer);
        let scratches = self.stage_scratch.iter().enumerate().map(named("stage_scratch"));
        for (name, slot, &Buffer { base, stride, size }) in
            self.buffer.iter().enumerate().map(named("buffer")).chain(scratches)
        {
            if base % 4 != 0 || stride % 4 != 0 || size % 4 != 0 {
                return Err(format!("`{name}` {slot}: base, stride and size are multiples of 4 bytes"));
            }
            let whole = [BufferSlot::Reduction as usize, BufferSlot::Export as usize].contains(&slot);
            if name == "buffer" && whole && stride != 0 {
                return Err(format!("`buffer` {slot}: reduction (1) and export (7) have no stride (R700-PLACE)"));
            }
            if base.saturating_add((threads - 1) * u64::from(stride)).saturating_add(size.into()) > end {
                return Err(format!("`{name}` {slot} ends past the 40 address bits"));
            }
        }
        for (slot, uav) in self.uav.iter().enumerate() {
            let words = uav.base | uav.size | u64::from(uav.stride) | u64::from(uav.row_pitch | uav.slice_pitch);
            if words % 4 != 0 {
                return Err(format!("`uav` {slot}: base, size, stride and pitches are multiples of 4 bytes"));
            }
            if uav.kind == Resource::Structured as u8 && uav.stride == 0 {
                return Err(format!("`uav` {slot}: a structure has a stride"));
            }
            if uav.base.saturating_add(uav.size) > end {
                return Err(format!("`uav` {slot} ends past the 40 address bits"));
            }
        }
        for (slot, tgsm) in self.tgsm.iter().enumerate() {
            if (tgsm.base | tgsm.size | u32::from(tgsm.stride)) % 4 != 0 {
                return Err(format!("`tgsm` {slot}: base, size and stride are multiples of 4 bytes"));
            }
            if tgsm.kind == Resource::Structured as u8 && tgsm.stride == 0 {
                return Err(format!("`tgsm` {slot}: a structure has a stride"));
            }
            if tgsm.kind == Resource::Typed as u8 {
                return Err(format!("`tgsm` {slot} is raw or structured (SM5-KIND)"));
            }
            if u64::from(tgsm.base) + u64::from(tgsm.size) > shape.shared_bytes as u64 {
                return Err(format!("`tgsm` {slot} ends past the scratchpad's {} bytes", shape.shared_bytes));
            }
        }
        if self.shared_size as usize > shape.shared_bytes {
            return Err(format!(
                "`shared_size` {} is more than the scratchpad's {}",
                self.shared_size, shape.shared_bytes
            ));
        }
        Ok(())
    }
}
