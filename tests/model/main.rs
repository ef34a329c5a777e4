// SPDX-License-Identifier: MIT OR Apache-2.0
//! The golden model against the words of its clauses, each said a second time and as naively as possible.

/// SM5-ORDER, SM5-CAS for checkers: allowed sets and the judge of atomicity, against every order.
mod atomic;
/// R700: worked examples and rules of bursts.
/// Worked examples and rules of one lane or operation.
mod clauses;
/// PORT-GROUP, PORT-MIN, PORT-REQ, COM-SAMEADDR against sets of bytes.
mod group;
/// Sparse memory against a plain map of bytes.
mod memory;
/// R700 bursts against integers that cannot overflow and sets of bytes: three bits exhaustively, edges at random.
mod naive;
/// PTX-SEM on event logs, with faults of order planted.
mod order;
/// PORT-SPAD, PORT-BANK against sets of words.
mod pad;
/// SPA5-WINDOW, SPA5-OOB, COM-PRIVATE, COM-GLOBAL around every boundary.
mod place;
/// PTX: worked examples and rules of stores.
mod ptx;
/// PTX stores against sets of bytes: every size, count and mask, and edges at random.
mod ptx_naive;
/// SM5: worked examples and rules of compare-and-stores.
mod r700;
mod sm5;
/// SM5 a second time, in integers that cannot overflow and maps of dwords.
mod sm5_naive;
/// SM5 against that: small resources exhaustively, edges at random.
mod sm5_places;

use rand::{Rng, SeedableRng};
use rand_xoshiro::SplitMix64;

use gpu_lsu::{
    model::{Plan, Register, plan},
    op::{AddrMode, Ctrl, Kind, LaneMask, Lanes, Op, Private, Range, Shape},
};

/// An `LD [Ra]` or `ST [Ra]` of so many bytes.
fn op(kind: Kind, bytes: u8) -> Op {
    Op {
        kind: kind as u8,
        addr_mode: AddrMode::Reg64 as u8,
        element_bytes: bytes,
        element_count: 1,
        element_mask: 1,
        ..Op::default()
    }
}

/// One lane after another at these addresses, all with a true predicate.
fn lanes(addresses: &[u64]) -> Lanes {
    let mut lanes = Lanes { predicate: LaneMask::ALL, ..Lanes::default() };
    for (lane, addr) in addresses.iter().enumerate() {
        lanes.active.insert(lane);
        lanes.addr[lane] = [*addr as u32, (addr >> 32) as u32, 0xdead_beef];
    }
    lanes
}

/// Windows, private memory and allocations with room between them, and one range at the top of the address space.
fn ctrl() -> Ctrl {
    let mut ctrl = Ctrl {
        local_window: Range { base: 0x10_0000, size: 0x400 },
        shared_window: Range { base: 0x20_0000, size: 0x400 },
        local_memory: Private { base: 0x80_0000, stride: 0x240, size: 0x220 },
        shared_size: 0x200,
        ..Ctrl::default()
    };
    ctrl.alloc[0] = Range { base: 0x1000, size: 0x1000 };
    ctrl.alloc[3] = Range { base: 0x2000, size: 0x40 };
    // Either end of the local window lies in a range of global memory: the window comes first.
    ctrl.alloc[4] = Range { base: 0xf_ff80, size: 0x100 };
    ctrl.alloc[5] = Range { base: 0x10_0200, size: 0x400 };
    ctrl.alloc[7] = Range { base: (1 << 40) - 0x100, size: 0x100 };
    ctrl
}

/// Registers that tell lane, register and byte apart.
fn data() -> [Register; 4] {
    std::array::from_fn(|register| {
        std::array::from_fn(|lane| {
            u32::from_le_bytes(std::array::from_fn(|byte| (1 + byte + 4 * register + 16 * (lane % 15)) as u8))
        })
    })
}

fn planned(shape: &Shape, ctrl: &Ctrl, op: &Op, lanes: &Lanes) -> Plan {
    let mut out = Plan::default();
    plan(shape, ctrl, op, lanes, &data(), &mut out);
    out
}

struct Random(SplitMix64);

impl Random {
    fn new(seed: u64) -> Self {
        Random(SplitMix64::seed_from_u64(seed))
    }

    fn word(&mut self) -> u64 {
        self.0.next_u64()
    }

    fn lanes(&mut self) -> LaneMask {
        LaneMask::from_bits(self.word() as u32)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.word() % limit
    }
}
