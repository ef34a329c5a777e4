// SPDX-License-Identifier: MIT OR Apache-2.0

use std::collections::{BTreeMap, BTreeSet};

use gpu_lsu::{
    model::{Plan, Scratchpad},
    op::{Kind, LaneMask, Lanes, Shape},
};

use crate::{Random, ctrl, data, lanes, op, planned};

/// Lanes at these offsets of the shared window.
fn shared(offsets: &[u64]) -> Lanes {
    let addresses: Vec<u64> = offsets.iter().map(|offset| 0x20_0000 + offset).collect();
    Lanes { predicate: LaneMask::NONE, ..lanes(&addresses) }
}

fn cycles(shape: &Shape, bytes: u8, offsets: &[u64]) -> u32 {
    let ctrl = gpu_lsu::op::Ctrl { shared_size: 0x400, ..ctrl() };
    let op = op(Kind::Load, bytes);
    let plan = planned(shape, &ctrl, &op, &shared(offsets));
    Scratchpad::new(0x400).access(shape, &op, &plan, &data(), &mut data())
}

#[test]
fn port_bank_worked_costs() {
    let shape = Shape::with_lanes(32);
    let stride = |step: u64| (0..32).map(|lane| lane * step % 0x400).collect::<Vec<_>>();
    assert_eq!(cycles(&shape, 16, &stride(16)), 4);
    assert_eq!(cycles(&shape, 4, &stride(4)), 1);
    assert_eq!(cycles(&shape, 4, &stride(8)), 2);
    assert_eq!(cycles(&shape, 4, &stride(0)), 1);
    assert_eq!(cycles(&shape, 1, &stride(1)), 1);
    assert_eq!(cycles(&shape, 4, &stride(128)), 8); // eight words are left in 0x400 bytes, all of bank 0
    assert_eq!(cycles(&shape, 8, &[0]), 1);
    assert_eq!(cycles(&Shape::with_lanes(4), 4, &[0, 16, 32, 48]), 4);
    assert_eq!(cycles(&Shape::with_lanes(4), 16, &[0]), 1);
    assert_eq!(cycles(&shape, 4, &[]), 0);
}

/// Loads and stores, their bytes against a map, their cost against sets of words.
#[test]
fn port_spad_at_random() {
    let mut random = Random::new(5);
    for lane_count in [4, 8, 16, 32] {
        let shape = Shape::with_lanes(lane_count);
        let mut pad = Scratchpad::new(shape.shared_bytes);
        let mut bytes: BTreeMap<u64, u8> = BTreeMap::new();
        for _ in 0..2_000 {
            let op = op([Kind::Load, Kind::Store][random.below(2) as usize], 1 << random.below(5));
            let size = u64::from(op.element_bytes);
            let offsets: Vec<u64> = (0..lane_count).map(|_| random.below(0x200) / size * size).collect();
            let plan = planned(&shape, &ctrl(), &op, &shared(&offsets));
            assert_eq!(plan.shared, shape.lane_mask());

            let mut out = [[0xaaaa_aaaa; 32]; 4];
            let mut banks: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
            let got = pad.access(&shape, &op, &plan, &data(), &mut out);
            for (lane, offset) in offsets.iter().enumerate() {
                for index in 0..size {
                    let (at, register, part) = (offset + index, index as usize / 4, index as usize % 4);
                    let word = at / 4;
                    banks.entry(word % lane_count as u64).or_default().insert(word);
                    if op.kind == Kind::Store as u8 {
                        bytes.insert(at, data()[register][lane].to_le_bytes()[part]);
                    } else {
                        let want = bytes.get(&at).copied().unwrap_or(0);
                        assert_eq!(out[register][lane].to_le_bytes()[part], want);
                    }
                }
                let filled = if op.kind == Kind::Load as u8 { size.div_ceil(4) as usize } else { 0 };
                assert!(out[filled..].iter().all(|register| register[lane] == 0xaaaa_aaaa));
            }
            let want = banks.values().map(BTreeSet::len).max().unwrap();
            assert_eq!(got as usize, want, "PORT-BANK of {size} bytes at {offsets:x?}");
        }
        assert!(bytes.iter().all(|(at, byte)| pad.read(*at) == *byte));
    }
}

/// Control registers that promise more than there is: no bytes, but no panic either.
#[test]
fn past_the_end_there_is_nothing() {
    let (shape, mut out) = (Shape::with_lanes(4), [[7; 32]; 4]);
    let plan = Plan { shared: LaneMask::lowest(2), addr: [1 << 39; 32], ..Plan::default() };
    let mut pad = Scratchpad::new(30);
    for kind in [Kind::Store, Kind::Load] {
        assert_eq!(pad.access(&shape, &op(kind, 16), &plan, &data(), &mut out), 0);
    }
    assert_eq!(out.map(|register| register[0]), [0; 4]);
    pad.poke(28, &[1, 2, 3, 4]);
    pad.poke(u64::MAX, &[9]);
    assert_eq!(pad.bytes()[28..], [1, 2]);
    assert_eq!(pad.read(u64::MAX), 0);
}
