// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether two values of a wave are the same, and how they are written.

use wellen::SignalValueRef;

/// In which base numbers are written
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Radix {
    /// 0x2a
    #[default]
    Hex,
    /// 42
    Dec,
    /// 0b101010
    Bin,
}

/// A bit as a letter; a weakly driven bit counts as driven.
fn letter(state: u8) -> u8 {
    match state {
        0 | 7 => b'0',
        1 | 4 => b'1',
        3 => b'z',
        _ => b'x',
    }
}

/// The bits of a value, lowest first; `None` if it is not a number.
fn bits(value: SignalValueRef<'_>) -> Option<Vec<u8>> {
    match value {
        SignalValueRef::BitVec(bits) => Some(bits.iter_lsb_to_msb().map(|bit| letter(bit.into())).collect()),
        SignalValueRef::Event => Some(vec![b'1']),
        SignalValueRef::String(_) | SignalValueRef::Real(_) => None,
    }
}

/// The value of a single bit, if it is known.
pub fn bit(value: SignalValueRef<'_>) -> Option<bool> {
    match bits(value)?.first() {
        Some(b'0') => Some(false),
        Some(b'1') => Some(true),
        _ => None,
    }
}

/// Whether two values are the same. A signal without a value is like one whose bits are unknown.
pub fn same(a: Option<SignalValueRef<'_>>, b: Option<SignalValueRef<'_>>, x_matches: bool) -> bool {
    match (a, b) {
        (None, None) => true,
        (Some(value), None) | (None, Some(value)) => {
            x_matches || bits(value).is_some_and(|bits| bits.iter().all(|&bit| bit == b'x'))
        }
        (Some(SignalValueRef::Real(a)), Some(SignalValueRef::Real(b))) => a == b || a.is_nan() && b.is_nan(),
        (Some(SignalValueRef::String(a)), Some(SignalValueRef::String(b))) => a == b,
        (Some(a), Some(b)) => {
            // Most values have the same width and known bits.
            if let (SignalValueRef::BitVec(a), SignalValueRef::BitVec(b)) = (a, b)
                && let (Some(one), Some(other)) = (a.be_bytes(), b.be_bytes())
                && a.width() == b.width()
                && one == other
            {
                return true;
            }
            let (Some(a), Some(b)) = (bits(a), bits(b)) else { return false };
            let known = |bit: u8| bit == b'0' || bit == b'1';
            (0..a.len().max(b.len())).all(|at| {
                let [one, other] = [&a, &b].map(|bits| bits.get(at).copied().unwrap_or(b'0'));
                one == other || x_matches && !(known(one) && known(other))
            })
        }
    }
}

/// A value as text.
pub fn text(value: Option<SignalValueRef<'_>>, radix: Radix) -> String {
    match value {
        None => "no value".to_owned(),
        Some(SignalValueRef::Real(value)) => value.to_string(),
        Some(SignalValueRef::String(text)) => format!("\"{}\"", text.escape_default()),
        Some(value) => number(&bits(value).unwrap_or_default(), radix),
    }
}

/// A number of a log, `0x...`, in another base; any other text is returned as it is.
pub fn again(text: &str, radix: Radix) -> String {
    let digits = text.strip_prefix("0x").filter(|_| radix != Radix::Hex);
    let nibbles: Option<Vec<u32>> =
        digits.map(|digits| digits.chars().map(|digit| digit.to_digit(16)).collect()).unwrap_or(None);
    let Some(nibbles) = nibbles else { return text.to_owned() };
    let bit = |nibble: u32, at: u32| if nibble >> at & 1 == 1 { b'1' } else { b'0' };
    let bits: Vec<u8> = nibbles.iter().rev().flat_map(|&nibble| (0..4).map(move |at| bit(nibble, at))).collect();
    number(&bits, radix)
}

/// A number, given lowest bit first; in binary if the bits of some digit are only partly known.
fn number(bits: &[u8], radix: Radix) -> String {
    let known = bits.iter().all(|bit| matches!(bit, b'0' | b'1'));
    if bits.len() == 1 {
        return char::from(bits[0]).to_string();
    }
    let digit = |digit: &[u8]| match digit {
        [first @ (b'x' | b'z'), rest @ ..] if rest.iter().all(|bit| bit == first) => Some(char::from(*first)),
        _ if digit.iter().any(|bit| matches!(bit, b'x' | b'z')) => None,
        _ => char::from_digit(digit.iter().rev().fold(0, |all, bit| 2 * all + u32::from(*bit == b'1')), 16),
    };
    let binary = || format!("0b{}", bits.iter().rev().map(|&bit| char::from(bit)).collect::<String>());
    match radix {
        Radix::Dec if known && bits.len() <= 128 => {
            bits.iter().rev().fold(0u128, |all, bit| 2 * all + u128::from(*bit == b'1')).to_string()
        }
        Radix::Dec | Radix::Hex => {
            let digits: Option<String> = bits.chunks(4).rev().map(digit).collect();
            digits.map_or_else(binary, |digits| {
                let short = digits.trim_start_matches('0');
                format!("0x{}", if short.is_empty() { "0" } else { short })
            })
        }
        Radix::Bin => binary(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_in_each_base() {
        let bits = |text: &str| text.bytes().rev().collect::<Vec<_>>();
        let of = |text: &str| [Radix::Hex, Radix::Dec, Radix::Bin].map(|radix| number(&bits(text), radix));
        assert_eq!(of("101010"), ["0x2a", "42", "0b101010"]);
        assert_eq!(of("0000"), ["0x0", "0", "0b0000"]);
        assert_eq!(of("xxxx0001"), ["0xx1", "0xx1", "0bxxxx0001"]);
        assert_eq!(of("1x000001"), ["0b1x000001"; 3]);
        assert_eq!(of("zz"), ["0xz", "0xz", "0bzz"]);
        assert_eq!(of("1"), ["1"; 3]);
        assert_eq!(
            [Radix::Hex, Radix::Dec, Radix::Bin].map(|radix| again("0x1f", radix)),
            ["0x1f", "31", "0b00011111"]
        );
        assert_eq!(again("Store", Radix::Dec), "Store");
        assert_eq!(number(&[b'1'; 160], Radix::Dec), format!("0x{}", "f".repeat(40)));
    }
}
