// SPDX-License-Identifier: MIT OR Apache-2.0
//! Coordinates of lanes: in one word, in a few, side by side, or at every edge of the resource.

use rand::{Rng, RngExt};

use super::{Source, config::WIDE_BYTES};
use crate::op::{AddrMode, Ctrl, Dimension, Op, Shape, Space, Uav};

/// A slot in the terms that u# and g# share.
#[derive(Clone, Copy)]
struct Slot {
    mode: AddrMode,
    size: u64,
    stride: u64,
    texture: Uav,
}

/// Fills the address words of every lane.
pub fn fill(rng: &mut Source, shape: &Shape, ctrl: &Ctrl, op: &Op, addr: &mut [[u32; 3]]) {
    let slot = match op.space == Space::Uav as u8 {
        true => {
            let uav = ctrl.uav[usize::from(op.slot & 7)];
            Slot { mode: mode(op), size: uav.size, stride: u64::from(uav.stride), texture: uav }
        }
        false => {
            let tgsm = ctrl.tgsm[usize::from(op.slot & 7)];
            let (size, stride) = (u64::from(tgsm.size), u64::from(tgsm.stride));
            Slot { mode: mode(op), size, stride, texture: Uav::default() }
        }
    };
    let bits = rng.next_u64();
    let few: [[u32; 3]; 4] = std::array::from_fn(|_| slot.inside(rng));
    let start = rng.random_range(0..slot.size.clamp(1, 1 << 40)) / 4;
    for (lane, words) in addr.iter_mut().enumerate().take(shape.lanes) {
        *words = match bits & 15 {
            0..=3 => few[0],
            4..=6 => few[rng.random_range(0..2)],
            7 | 8 => few[rng.random_range(0..4)],
            9 | 10 => slot.at((start + lane as u64) * 4 % slot.size.max(4)),
            // In thread-group memory, another row of one bank.
            11 => slot.at((start + (lane * shape.lanes) as u64) * 4 % slot.size.max(4)),
            12 => slot.edge(rng),
            _ => slot.inside(rng),
        };
        if bits >> 4 & 3 == 0 && rng.random_ratio(1, 4) {
            *words = slot.edge(rng);
        }
        let odd = [0, 0, 0, rng.random_range(1..4)][(bits >> 6) as usize & 3];
        match slot.mode {
            AddrMode::Raw => words[0] |= odd,
            AddrMode::Struct => words[1] |= odd,
            _ => {}
        }
        slot.garbage(rng, words);
    }
}

/// A word of the wide u# for each lane, mostly in a line of its own.
pub fn apart(rng: &mut Source, shape: &Shape, addr: &mut [[u32; 3]]) {
    for words in addr.iter_mut().take(shape.lanes) {
        *words = [4 * rng.random_range(0..WIDE_BYTES as u32 / 4), rng.next_u32(), rng.next_u32()];
    }
}

fn mode(op: &Op) -> AddrMode {
    AddrMode::from_code(op.addr_mode).unwrap_or(AddrMode::Raw)
}

impl Slot {
    fn indices(&self) -> (bool, bool) {
        match Dimension::from_code(self.texture.dimension) {
            Some(Dimension::Buffer | Dimension::Texture1d) => (false, false),
            Some(Dimension::Texture1dArray | Dimension::Texture2d) => (true, false),
            _ => (true, true),
        }
    }

    /// The limit of the second index.
    fn second(&self) -> u32 {
        let Uav { dimension, height, depth, .. } = self.texture;
        u32::from(if dimension == Dimension::Texture1dArray as u8 { depth } else { height })
    }

    /// The coordinates of a byte offset.
    fn at(&self, offset: u64) -> [u32; 3] {
        match self.mode {
            AddrMode::Struct => [(offset / self.stride.max(4)) as u32, (offset % self.stride.max(4)) as u32 & !3, 0],
            AddrMode::Typed => {
                let (width, second) = (u64::from(self.texture.width.max(1)), u64::from(self.second().max(1)));
                let element = offset / 4;
                let depth = u64::from(self.texture.depth.max(1));
                [element % width, element / width % second, element / width / second % depth].map(|word| word as u32)
            }
            _ => [offset as u32 & !3, 0, 0],
        }
    }

    /// Some element that is in bounds, if there is one.
    fn inside(&self, rng: &mut Source) -> [u32; 3] {
        let most = if rng.random_ratio(1, 8) { self.size } else { self.size.min(0x80) };
        match self.mode {
            AddrMode::Typed => {
                let Uav { width, depth, .. } = self.texture;
                [width, self.second(), depth.into()].map(|limit| rng.random_range(0..limit.max(1)))
            }
            AddrMode::Struct => {
                let elements = (most / self.stride.max(4)).max(1);
                [rng.random_range(0..elements) as u32, 4 * rng.random_range(0..self.stride.max(4) / 4) as u32, 0]
            }
            _ => [(4 * rng.random_range(0..most.max(4) / 4)) as u32, 0, 0],
        }
    }

    /// An edge of some rule: the first, the last or just past it; or a product that would wrap.
    fn edge(&self, rng: &mut Source) -> [u32; 3] {
        let Uav { width, depth, .. } = self.texture;
        let near = |rng: &mut Source, limit: u64| {
            let limit = limit as u32;
            let choices = [0, limit.wrapping_sub(1), limit, limit.wrapping_add(1), u32::MAX, 1 << 31, rng.next_u32()];
            choices[rng.random_range(0..choices.len())]
        };
        match self.mode {
            AddrMode::Typed => {
                let mut words = self.inside(rng);
                let limits = [width, self.second(), depth.into()];
                // One index, or all of them.
                let which = rng.random_range(0..4);
                for (place, (word, limit)) in words.iter_mut().zip(limits).enumerate() {
                    if which == place || which == 3 {
                        *word = if which == 3 { limit.wrapping_sub(1) } else { near(rng, limit.into()) };
                    }
                }
                words
            }
            AddrMode::Struct => {
                let stride = self.stride.max(4);
                let elements = self.size / stride;
                // x with x * stride just past 2^32: a product of 32 bits finds it in bounds.
                let wraps = (1u64 << 32).div_ceil(stride) + rng.random_range(0..elements.clamp(1, 4));
                let x = if rng.random_ratio(1, 4) { wraps as u32 } else { near(rng, elements) };
                let y = [0, stride - 4, stride, stride + 4, u64::from(rng.next_u32()), 0xffff_fffc];
                let both = rng.random_range(0..3);
                let [inside_x, inside_y, _] = self.inside(rng);
                let y = y[rng.random_range(0..y.len())] as u32;
                [if both != 1 { x } else { inside_x }, if both != 0 { y } else { inside_y }, 0]
            }
            _ => {
                let limit = self.size;
                let choices = [0, limit.wrapping_sub(4), limit, limit + 4, 0xffff_fffc, 0xffff_ffff, 1 << 31];
                [choices[rng.random_range(0..choices.len())] as u32, 0, 0]
            }
        }
    }

    /// Gives words that the resource does not index arbitrary values.
    fn garbage(&self, rng: &mut Source, words: &mut [u32; 3]) {
        let (second, third) = match self.mode {
            AddrMode::Raw => (false, false),
            AddrMode::Struct => (true, false),
            _ => self.indices(),
        };
        if !second {
            words[1] = rng.next_u32();
        }
        if !third {
            words[2] = rng.next_u32();
        }
    }
}
