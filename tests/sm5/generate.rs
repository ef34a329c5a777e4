// SPDX-License-Identifier: MIT OR Apache-2.0
//! DXBC containers, whole and broken: what `tests/sm5` and `fuzz/fuzz_targets/dxbc.rs` both read.
//!
//! The writer here is the format a second time, apart from the reader: it knows where every instruction begins.

use rand::{Rng, SeedableRng};
use rand_xoshiro::SplitMix64;

use gpu_lsu::sets::sm5::{self, Contained, DxbcError, dxbc};

/// Numbers at will.
pub struct Random(SplitMix64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(SplitMix64::seed_from_u64(seed))
    }

    pub fn next(&mut self) -> u64 {
        self.0.next_u64()
    }

    pub fn below(&mut self, end: u64) -> u64 {
        self.next() % end.max(1)
    }

    pub fn one_in(&mut self, number: u64) -> bool {
        self.below(number) == 0
    }
}

/// Of an atomic_cmp_store the token at which it begins, its dwords, and the text of its resource's declaration.
pub type Planted = (usize, Vec<u32>, String);

/// A container with nothing wrong, and what it holds.
pub struct Whole {
    pub bytes: Vec<u8>,
    pub atomics: Vec<Planted>,
    /// Bytes before the version token.
    pub offset: usize,
}

/// A container of a shader whose every instruction is as it should be.
pub fn whole(random: &mut Random) -> Whole {
    let (tokens, atomics) = shader(random);
    let mut chunks: Vec<(&[u8; 4], Vec<u8>)> = Vec::new();
    for name in [b"RDEF", b"ISGN", b"OSGN"] {
        if random.one_in(2) {
            chunks.push((name, bytes(&filling(random))));
        }
    }
    let shader = chunks.len();
    chunks.push((if random.one_in(4) { b"SHDR" } else { b"SHEX" }, bytes(&tokens)));
    if random.one_in(2) {
        chunks.push((b"STAT", bytes(&filling(random))));
    }
    if random.one_in(4) {
        chunks.push((b"SFI0", bytes(&[random.below(8) as u32, 0])));
    }
    let (mut offsets, mut contents) = (Vec::new(), Vec::new());
    let start = 32 + 4 * chunks.len();
    for (name, data) in &chunks {
        offsets.push((start + contents.len()) as u32);
        contents.extend_from_slice(*name);
        contents.extend((data.len() as u32).to_le_bytes());
        contents.extend(data);
    }
    let offset = offsets[shader] as usize + 8;
    let mut file = b"DXBC".to_vec();
    file.extend((0..16).map(|_| random.next() as u8));
    file.extend(bytes(&[1, (start + contents.len()) as u32, chunks.len() as u32]));
    file.extend(bytes(&offsets));
    file.extend(contents);
    Whole { bytes: file, atomics, offset }
}

/// A container with a few things wrong.
pub fn broken(random: &mut Random) -> Vec<u8> {
    let Whole { mut bytes, offset, .. } = whole(random);
    for _ in 0..1 + random.below(4) {
        let dwords = (bytes.len() / 4) as u64;
        // The header and the shader's first tokens decide most.
        let at = match random.below(4) {
            0 => random.below(12),
            1 => (offset as u64 / 4 + random.below(12)).min(dwords.saturating_sub(1)),
            _ => random.below(dwords),
        };
        let at = 4 * at as usize;
        match random.below(6) {
            0 => bytes.truncate(random.below(bytes.len() as u64 + 1) as usize),
            1 => set(&mut bytes, at, random.next() as u32),
            2 => {
                let interesting =
                    [0, 1, 7, 8, 0x7f, 0xff, 0x7fff_ffff, 0x8000_0000, u32::MAX - 7, u32::MAX, dwords as u32];
                set(&mut bytes, at, interesting[random.below(interesting.len() as u64) as usize]);
            }
            3 => {
                let bit = random.below(8 * bytes.len() as u64) as usize;
                if let Some(byte) = bytes.get_mut(bit / 8) {
                    *byte ^= 1 << (bit % 8);
                }
            }
            4 => {
                let value = bytes.get(at..at + 4).map(|four| u32::from_le_bytes(four.try_into().unwrap_or_default()));
                set(&mut bytes, at, value.unwrap_or(0).wrapping_add(random.below(9) as u32).wrapping_sub(4));
            }
            _ => bytes.extend((0..random.below(64)).map(|_| random.next() as u8)),
        }
    }
    bytes
}

/// An input of a fuzzer: a container by its first eight bytes, then edits, six bytes each: where, and a dword.
pub fn edited(data: &[u8]) -> Vec<u8> {
    let (seed, edits) = data.split_at(data.len().min(8));
    let seed = seed.iter().fold(0, |all, byte| all << 8 | u64::from(*byte));
    let mut bytes = whole(&mut Random::new(seed)).bytes;
    for edit in edits.chunks_exact(6) {
        let at = usize::from(u16::from_le_bytes([edit[0], edit[1]])) % bytes.len().max(1);
        set(&mut bytes, at, u32::from_le_bytes([edit[2], edit[3], edit[4], edit[5]]));
    }
    bytes
}

/// Reads bytes, and holds whatever comes out to what is true of every shader.
pub fn read(bytes: &[u8]) -> Result<Contained, DxbcError> {
    let contained = dxbc::read(bytes)?;
    for atomic in contained.shader.found.iter().filter_map(|found| found.as_ref().ok()) {
        let dwords = sm5::encode(&atomic.inst);
        let end = contained.offset + 4 * (atomic.at + dwords.len());
        assert!(end <= bytes.len(), "{atomic:?} is past the file's end");
        assert_eq!(sm5::decode(&dwords), Ok(atomic.inst));
        let text = atomic.inst.to_string();
        assert_eq!(sm5::parse(&text).map(|inst| inst.to_string()), Ok(text));
    }
    Ok(contained)
}

fn set(bytes: &mut [u8], at: usize, value: u32) {
    bytes.iter_mut().skip(at).zip(value.to_le_bytes()).for_each(|(byte, new)| *byte = new);
}

fn bytes(dwords: &[u32]) -> Vec<u8> {
    dwords.iter().flat_map(|dword| dword.to_le_bytes()).collect()
}

fn filling(random: &mut Random) -> Vec<u32> {
    (0..random.below(8)).map(|_| random.next() as u32).collect()
}

/// The tokens of a shader, and its atomics.
fn shader(random: &mut Random) -> (Vec<u32>, Vec<Planted>) {
    let version = [0x0005_0050, 0x0000_0050, 0x0005_0051, 0x0001_0051][random.below(4) as usize];
    let mut tokens = vec![version, 0];
    let declarations: Vec<(u32, u32, String)> = (0..1 + random.below(6) as u32)
        .map(|number| {
            let (dwords, file, text) = declaration(random, number, version >> 16 == 5);
            tokens.extend(dwords);
            (file, number, text)
        })
        .collect();
    let mut atomics = Vec::new();
    for _ in 0..random.below(12) {
        match random.below(4) {
            0 => tokens.extend([0x0100_003e]), // ret
            1 => {
                let data = filling(random);
                tokens.extend([0x35, 2 + data.len() as u32]);
                tokens.extend(data);
            }
            _ => {
                let (file, number, text) = &declarations[random.below(declarations.len() as u64) as usize];
                let mut dwords = vec![0, 0x0010_0000 | file << 12, *number];
                (0..3).for_each(|_| dwords.extend(source(random)));
                dwords[0] = 172 | (dwords.len() as u32) << 24;
                atomics.push((tokens.len(), dwords.clone(), text.clone()));
                tokens.extend(dwords);
            }
        }
    }
    tokens[1] = tokens.len() as u32;
    (tokens, atomics)
}

/// A declaration's dwords, the file of what it declares, and its text.
fn declaration(random: &mut Random, number: u32, compute: bool) -> (Vec<u32>, u32, String) {
    const DIMENSIONS: [(u32, &str); 6] = [
        (1, "buffer"),
        (2, "texture1d"),
        (3, "texture2d"),
        (5, "texture3d"),
        (7, "texture1darray"),
        (8, "texture2darray"),
    ];
    let (stride, count) = (4 * (1 + random.below(512) as u32), random.below(3) as u32);
    // Only compute shaders share memory (SM5-STAGE).
    match random.below(if compute { 5 } else { 3 }) {
        0 => {
            let (code, name) = DIMENSIONS[random.below(6) as usize];
            let (kind, word) = if random.one_in(2) { (0x3333, "int") } else { (0x4444, "uint") };
            let text = format!("dcl_uav_typed_{name} ({word},{word},{word},{word}) u{number}");
            (vec![0x0400_009c | code << 11, 0x0011_e000, number, kind], 30, text)
        }
        1 => (vec![0x0300_009d, 0x0011_e000, number], 30, format!("dcl_uav_raw u{number}")),
        2 => {
            let text = format!("dcl_uav_structured u{number}, {stride}");
            (vec![0x0400_009e, 0x0011_e000, number, stride], 30, text)
        }
        3 => {
            let text = format!("dcl_tgsm_raw g{number}, {count}");
            (vec![0x0400_009f, 0x0011_f000, number, count], 31, text)
        }
        _ => {
            let text = format!("dcl_tgsm_structured g{number}, {stride}, {count}");
            (vec![0x0500_00a0, 0x0011_f000, number, stride, count], 31, text)
        }
    }
}

/// A source operand.
fn source(random: &mut Random) -> Vec<u32> {
    let value = random.next() as u32;
    let small = random.below(32) as u32;
    match random.below(9) {
        0 => vec![0x0000_4001, value],
        1 => vec![0x0000_4002, value, small, 0, 1],
        2 => vec![0x0020_8006, small, value >> 20],
        3 => vec![0x0620_8556, small, value >> 24, 0x0010_000a, small],
        4 => vec![0x0420_8556, small, 0x0010_003a, small],
        5 => vec![0x8010_0246, [0x41, 0x81, 0xc1][small as usize % 3], small],
        6 => vec![0x0002_0046],
        7 => vec![0x0020_3aa6, small, value >> 28],
        _ => vec![0x0010_0006 | (value & 0xff) << 4, small],
    }
}
