// SPDX-License-Identifier: MIT OR Apache-2.0
//! The values of all variables at the beginning of a block: one character per bit, the bytes of a real, nothing for a
//! text.

use super::blocks::{Chain, Holds};

pub(super) struct Frame(Vec<u8>);

impl Frame {
    pub(super) fn new(variables: &[Holds]) -> Self {
        let mut bytes = Vec::new();
        for variable in variables {
            match variable {
                Holds::Bits(width) => bytes.resize(bytes.len() + *width as usize, b'x'),
                Holds::Real => bytes.extend(f64::NAN.to_ne_bytes()),
                Holds::Text => {}
            }
        }
        Frame(bytes)
    }

    pub(super) fn bytes(&self) -> &Vec<u8> {
        &self.0
    }

    /// Updates the values to the last changes of these chains, for the next block.
    pub(super) fn follow(&mut self, chains: &[Chain]) {
        let mut rest = &mut self.0[..];
        for chain in chains {
            let length = match chain.holds {
                Holds::Bits(width) => width as usize,
                Holds::Real => size_of::<f64>(),
                Holds::Text => 0,
            };
            let (value, after) = rest.split_at_mut(length);
            rest = after;
            if !chain.bytes.is_empty() && length > 0 {
                last(&chain.bytes[chain.begin..], chain.holds, value);
            }
        }
    }
}

/// Decodes the value of a change.
fn last(change: &[u8], holds: Holds, value: &mut [u8]) {
    // The lowest bits of the number that begins the change tell its form.
    let (first, rest) = (change[0], &change[1 + change.iter().take_while(|&&byte| byte >= 0x80).count()..]);
    match holds {
        Holds::Bits(1) if first & 1 == 0 => value[0] = b'0' + (first >> 1 & 1),
        Holds::Bits(1) => value[0] = if first & 0xf == 3 { b'z' } else { b'x' },
        Holds::Bits(_) if first & 1 == 0 => {
            for (place, bit) in value.iter_mut().enumerate() {
                *bit = b'0' + (rest[place / 8] >> (7 - place % 8) & 1);
            }
        }
        _ => value.copy_from_slice(rest),
    }
}
