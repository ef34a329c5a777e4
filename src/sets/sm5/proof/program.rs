// SPDX-License-Identifier: MIT OR Apache-2.0
//! The common parts of the blocks of resources.

use crate::{model::{uav::Target, word::{Truth, Word}}, op::Fault};

/// The fault (3 bits) of a lane whose misalignment does not trap.
pub fn fault_of<W: Word>(target: &Target<W>) -> W {
    let fault = |fault: Fault| W::literal(3, fault as u64);
    let inside = W::choose(&target.undefined, &fault(Fault::Undefined), &fault(Fault::None), 3);
    W::choose(&target.allocation, &fault(Fault::Allocation), &inside, 3)
}

/// The program of one `atomic_cmp_store` by lane 0, at the address words `address`, of compare and new, to the slot
/// that `header` binds.
pub fn compare_and_store(header: &str, slot: &str, address: [u64; 3], [compare, new]: [u64; 2]) -> String {
    let mut text = format!("isa sm5\nlanes 32\ntrap misaligned\n{header}\n\nactive = 1\n");
    for (value, component) in address.into_iter().zip(["x", "y", "z"]) {
        text += &format!("r0.{component} = {value:#x}\n");
    }
    text + &format!("r1.x = {compare:#x}\nr2.x = {new:#x}\n\natomic_cmp_store {slot}, r0.xyzw, r1.x, r2.x\n")
}

/// Whether each word, given with its width, is a multiple of 4.
pub fn dwords<W: Word>(words: &[(&W, u32)]) -> W::Truth {
    words.iter().fold(W::Truth::constant(true), |kept, (word, width)| kept.and(&word.extract(1, 0, *width).is(0, 2)))
}

