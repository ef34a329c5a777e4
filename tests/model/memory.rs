// SPDX-License-Identifier: MIT OR Apache-2.0

use std::collections::BTreeMap;

use gpu_lsu::model::Memory;

use crate::Random;

/// Writes at any alignment, against a map of bytes.
#[test]
fn writes_at_random() {
    let mut random = Random::new(9);
    let (fresh, mut memory) = (Memory::new(4), Memory::new(4));
    let mut bytes: BTreeMap<u64, u8> = BTreeMap::new();
    for _ in 0..3_000 {
        let line = random.below(0x400);
        let enable = [u128::MAX, 0, 0xff00, u128::from(random.word()) << random.below(64)][random.below(4) as usize];
        let data = [(); 128].map(|()| random.word() as u8);
        memory.write(line, enable, &data);
        for (index, byte) in data.iter().enumerate().filter(|(index, _)| enable >> index & 1 == 1) {
            bytes.insert(line + index as u64, *byte);
        }
        let at = random.below(0x500);
        let want: Vec<u8> =
            (at..at + 128).map(|addr| bytes.get(&addr).copied().unwrap_or_else(|| fresh.byte(addr))).collect();
        assert_eq!(memory.read_line(at)[..], want[..]);
    }
}

#[test]
fn what_nobody_wrote_is_not_dull() {
    let memory = Memory::new(1);
    let all: Vec<u8> = (0..64).flat_map(|line| memory.read_line(128 * line)).collect();
    let zeros = all.iter().filter(|byte| **byte == 0).count();
    assert!((8..80).contains(&zeros), "{zeros} zeros in 8192 bytes");
    assert_eq!(memory.lines().count(), 0);
}

/// Benches whose memory begins as zeros need not list them.
#[test]
fn seed_0_is_zeros() {
    assert_eq!(Memory::new(0).read_line(0x1280), [0; 128]);
}

#[test]
fn differences_are_found_from_either_side() {
    let (one, mut other) = (Memory::new(1), Memory::new(1));
    other.poke(0x9000, &[!one.byte(0x9000)]);
    other.poke(0x305, &[one.byte(0x305), !one.byte(0x306)]);
    assert_eq!(one.first_difference(&other), Some(0x306));
    assert_eq!(other.first_difference(&one), Some(0x306));
    // A write of what was there changes nothing.
    let mut same = Memory::new(1);
    same.poke(0x10, &[one.byte(0x10)]);
    assert_eq!(same.first_difference(&one), None);
    assert_eq!(same.lines().count(), 1);
}

#[test]
fn the_top_of_the_address_space_is_no_edge() {
    let mut memory = Memory::new(2);
    memory.write(u64::MAX - 1, 0b1111, &[5; 128]);
    assert_eq!([u64::MAX - 1, u64::MAX, 0, 1].map(|addr| memory.byte(addr)), [5; 4]);
    assert_eq!(memory.read_line(u64::MAX)[..3], [5, 5, 5]);
}
