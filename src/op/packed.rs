// SPDX-License-Identifier: MIT OR Apache-2.0
//! Conversion between values and the bits of a port.

use bitvec::{field::BitField, order::Lsb0, slice::BitSlice, view::BitView};
use serde::{Deserialize, Serialize};

use super::{
    AddrMode, Cache, Dimension, Kind, Priority, Resource, Scope, Semantics, Space, Stage, hex,
    layout::{Content, Difference, Member, Struct},
};

/// Bits of a port, the least significant first.
pub type Bits = BitSlice<u32, Lsb0>;

/// A value with a fixed place among the bits of a port.
///
/// ```
/// use gpu_lsu::op::{Attr, Bits, Packed, Scope};
///
/// let attr = Attr { scope: Scope::Sys as u8, uncached: true, ..Attr::default() };
/// assert_eq!(attr.to_words(), [0b111, 0, 0]);
/// let bits = Bits::from_slice(&[0b011, 0, 0]);
/// assert_eq!(Attr::unpack(bits), Attr { scope: Scope::Cluster as u8, ..attr });
/// ```
pub trait Packed {
    /// What the bits hold.
    const CONTENT: Content;

    /// Writes the value's low bits into `bits`; bits past the value's width stay as they are.
    fn pack(&self, bits: &mut Bits);

    /// The value that `bits` hold; missing bits read as 0.
    fn unpack(bits: &Bits) -> Self;

    /// Writes the value's low `width` bits into `words` from bit `at` on; the bits there must be 0. If the place is
    /// known at compile time, this is many times as fast as [`Packed::pack`].
    fn put(&self, words: &mut [u32], at: usize, width: usize);

    /// Whether `width` bits hold the value without loss.
    fn fits(&self, width: usize) -> bool;
}

macro_rules! packed_integers {
    ($($ty:ty),*) => {$(
        impl Packed for $ty {
            const CONTENT: Content = Content::Number(&[]);

            #[inline]
            fn pack(&self, bits: &mut Bits) {
                let width = bits.len().min(<$ty>::BITS as usize);
                if width > 0 {
                    bits[..width].store_le(*self);
                }
            }

            #[inline]
            fn unpack(bits: &Bits) -> Self {
                let width = bits.len().min(<$ty>::BITS as usize);
                if width > 0 { bits[..width].load_le() } else { 0 }
            }

            #[inline(always)]
            fn put(&self, words: &mut [u32], at: usize, width: usize) {
                let width = width.min(<$ty>::BITS as usize);
                let mut rest = u128::from(*self) & ones(width);
                let (mut at, end) = (at, at + width);
                while at < end {
                    let (low, room) = (at % 32, 32 - at % 32);
                    if let Some(word) = words.get_mut(at / 32) {
                        *word |= (rest << low) as u32;
                    }
                    rest >>= room;
                    at += room;
                }
            }

            #[inline(always)]
            fn fits(&self, width: usize) -> bool {
                u128::from(*self) & !ones(width) == 0
            }
        }
    )*};
}
packed_integers!(u8, u16, u32, u64, u128);

#[inline(always)]
fn ones(width: usize) -> u128 {
    u128::MAX.checked_shr(u128::BITS.saturating_sub(width as u32)).unwrap_or(0)
}

impl Packed for bool {
    const CONTENT: Content = Content::Number(&[]);

    #[inline]
    fn pack(&self, bits: &mut Bits) {
        u8::from(*self).pack(bits);
    }

    #[inline]
    fn unpack(bits: &Bits) -> Self {
        u8::unpack(bits) & 1 == 1
    }

    #[inline(always)]
    fn put(&self, words: &mut [u32], at: usize, width: usize) {
        u8::from(*self).put(words, at, width);
    }

    #[inline(always)]
    fn fits(&self, width: usize) -> bool {
        u8::from(*self).fits(width)
    }
}

impl<T: Packed, const N: usize> Packed for [T; N] {
    const CONTENT: Content = Content::Array(N, &T::CONTENT);

    fn pack(&self, bits: &mut Bits) {
        let each = bits.len().checked_div(N).unwrap_or(0);
        for (index, item) in self.iter().enumerate() {
            item.pack(&mut bits[index * each..][..each]);
        }
    }

    fn unpack(bits: &Bits) -> Self {
        let each = bits.len().checked_div(N).unwrap_or(0);
        std::array::from_fn(|index| T::unpack(&bits[index * each..][..each]))
    }

    #[inline(always)]
    fn put(&self, words: &mut [u32], at: usize, width: usize) {
        let each = width.checked_div(N).unwrap_or(0);
        for (index, item) in self.iter().enumerate() {
            item.put(words, at + index * each, each);
        }
    }

    #[inline]
    fn fits(&self, width: usize) -> bool {
        self.iter().all(|item| item.fits(width.checked_div(N).unwrap_or(0)))
    }
}

macro_rules! content {
    ($ty:ty) => {
        <$ty as Packed>::CONTENT
    };
    ($ty:ty, $codes:ident) => {
        Content::Number($codes::CODES)
    };
}

macro_rules! packed {
    ($(#[$doc:meta])* $name:ident as $sv:ident {
        $($(#[$fdoc:meta])* $field:ident: $ty:ty $(as $codes:ident)? = $width:expr,)*
    }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            $($(#[doc = concat!("One of [`", stringify!($codes), "`].")])? $(#[$fdoc])* pub $field: $ty,)*
        }

        impl $name {
            /// Bits in the packed form.
            pub const WIDTH: u32 = 0 $(+ $width)*;
            /// 32-bit words that the packed form takes.
            pub const WORDS: usize = Self::WIDTH.div_ceil(32) as usize;
            /// The packed form, field by field.
            pub const LAYOUT: &'static Struct = {
                const MEMBERS: &[Member] = {
                    let top = $name::WIDTH as usize;
                    $(
                        let top = top - $width;
                        let $field = Member {
                            name: stringify!($field),
                            offset: top,
                            width: $width,
                            content: content!($ty $(, $codes)?),
                        };
                    )*
                    let _ = top;
                    &[$($field),*]
                };
                &Struct { name: stringify!($sv), width: Self::WIDTH as usize, members: MEMBERS }
            };

            /// The packed form, least significant word first.
            #[inline]
            pub fn to_words(&self) -> [u32; Self::WORDS] {
                let mut words = [0; Self::WORDS];
                self.put(&mut words, 0, Self::WIDTH as usize);
                words
            }

            /// The first field whose packed form differs in `actual`.
            pub fn first_difference(&self, actual: &Self) -> Option<Difference> {
                let (expected, actual) = (self.to_words(), actual.to_words());
                Self::CONTENT.first_difference(Self::WIDTH as usize, expected.view_bits(), actual.view_bits())
            }
        }

        impl Packed for $name {
            const CONTENT: Content = Content::Struct(Self::LAYOUT);

            #[inline]
            fn pack(&self, bits: &mut Bits) {
                let mut top = Self::WIDTH as usize;
                $(
                    top -= $width;
                    if let Some(bits) = bits.get_mut(top..top + $width) {
                        self.$field.pack(bits);
                    }
                )*
                debug_assert_eq!(top, 0);
            }

            #[inline]
            fn unpack(bits: &Bits) -> Self {
                let mut top = Self::WIDTH as usize;
                let mut part = |width| {
                    top -= width;
                    bits.get(top..top + width).unwrap_or_default()
                };
                $name { $($field: Packed::unpack(part($width)),)* }
            }

            #[inline(always)]
            fn put(&self, words: &mut [u32], at: usize, width: usize) {
                let mut top = at + width;
                $(
                    top -= $width;
                    self.$field.put(words, top, $width);
                )*
                debug_assert_eq!(top, at);
            }

            #[inline]
            fn fits(&self, _width: usize) -> bool {
                $(self.$field.fits($width))&&*
            }
        }
    };
}

include!("table.rs");

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};

    use super::*;

    #[test]
    fn fields_land_where_a_packed_struct_puts_them() {
        let words = Range { base: 0x12_3456_7890, size: 0xff_0000_0001 }.to_words();
        let all = words.iter().rev().fold(0u128, |acc, &word| acc << 32 | u128::from(word));
        assert_eq!(all, 0x12_3456_7890 << 40 | 0xff_0000_0001);
    }

    #[test]
    fn nested_widths_add_up() {
        assert_eq!(Attr::WIDTH, 81);
        assert_eq!(Ctrl::WIDTH, 312 + 1 + 80 + 80 + 104 + 32 + 640 + 1 + 832 + 104 + 80 + 1800 + 624);
    }

    /// Neither bits without room nor missing bits cause a panic.
    #[test]
    fn too_few_and_too_many_bits() {
        let mut words = [0; 4];
        let bits = Bits::from_slice_mut(&mut words);
        u8::MAX.pack(&mut bits[3..15]);
        true.pack(&mut bits[20..20]);
        [0xffu8; 3].pack(&mut bits[32..41]);
        Range { base: 0, size: u64::MAX }.pack(&mut bits[64..125]);
        assert_eq!(words, [0xff << 3, 0x1ff, 0xffff_ffff, 0xff]);
        let bits = Bits::from_slice(&words);
        assert_eq!((u8::unpack(&bits[0..0]), u8::unpack(&bits[3..5]), u8::unpack(&bits[3..30])), (0, 3, 0xff));
        assert_eq!(Range::unpack(&bits[64..125]), Range { base: 0, size: 0xff_ffff_ffff });
        assert_eq!(<[bool; 0]>::unpack(bits), [true; 0]);
    }

    /// A value fits if packing it loses nothing.
    #[test]
    fn what_fits() {
        assert!(0xfu8.fits(4) && !0x10u8.fits(4) && u8::MAX.fits(8) && 0u8.fits(0) && !1u8.fits(0));
        assert!(u128::MAX.fits(128) && !u128::MAX.fits(127) && true.fits(1) && [3u8, 3].fits(4) && ![3u8, 4].fits(4));
        let fits = |op: Op| (op.fits(Op::WIDTH as usize), Op::unpack(op.to_words().view_bits()) == op);
        assert_eq!(fits(Op { warp: 7, array_base: 0x1fff, ..Op::default() }), (true, true));
        assert_eq!(fits(Op { warp: 8, ..Op::default() }), (false, false));
        assert_eq!(fits(Op { attr: Attr { scope: 4, ..Attr::default() }, ..Op::default() }), (false, false));
    }

    #[test]
    fn differences_are_named_in_the_order_of_the_declaration() {
        let mut one = Ctrl::default();
        let mut other = one;
        assert_eq!(one.first_difference(&other), None);
        other.tgsm[1].base = 0x40;
        (one.uav[3].kind, other.uav[3].kind) = (Resource::Typed as u8, Resource::Raw as u8);
        let found = one.first_difference(&other).map(|difference| difference.to_string());
        assert_eq!(found.as_deref(), Some("uav[3].kind: expected 3 (Typed), found 1 (Raw)"));
        one.uav[3] = other.uav[3];
        let found = one.first_difference(&other).map(|difference| difference.to_string());
        assert_eq!(found.as_deref(), Some("tgsm[1].base: expected 0, found 0x40"));
        let (attr, policy) = (Attr::default(), Attr { policy: 1 << 63, ..Attr::default() });
        let found = Op { attr, ..Op::default() }.first_difference(&Op { attr: policy, ..Op::default() });
        assert_eq!(found.map(|difference| difference.field.path).as_deref(), Some("attr.policy"));
    }

    macro_rules! round_trips {
        ($($test:ident $ty:ident;)*) => {
            proptest! {$(
                /// Any bits unpack to a value that packs to the same bits, and a flipped bit belongs to the field that
                /// is named.
                #[test]
                fn $test(words in vec(any::<u32>(), $ty::WORDS), bit in 0..$ty::WIDTH as usize) {
                    const WIDTH: usize = $ty::WIDTH as usize;
                    let value = $ty::unpack(Bits::from_slice(&words));
                    let mut again = [0; $ty::WORDS];
                    let bits = Bits::from_slice_mut(&mut again);
                    value.pack(bits);
                    prop_assert_eq!(&bits[..WIDTH], &Bits::from_slice(&words)[..WIDTH]);
                    prop_assert!(bits[WIDTH..].not_any());
                    prop_assert_eq!(value.to_words(), again);
                    prop_assert!(value.fits(WIDTH));

                    let bits = Bits::from_slice_mut(&mut again);
                    bits.set(bit, !bits[bit]);
                    let changed = $ty::unpack(bits);
                    prop_assert_ne!(changed, value);
                    let difference = value.first_difference(&changed);
                    let Some(Difference { field, expected, actual }) = difference else {
                        return Err(TestCaseError::fail("no difference"));
                    };
                    prop_assert!((field.offset..field.offset + field.width).contains(&bit), "{:?}", field);
                    prop_assert_eq!(expected ^ actual, 1 << (bit - field.offset));
                    let widths: usize = $ty::CONTENT.fields(WIDTH).iter().map(|field| field.width).sum();
                    prop_assert_eq!(widths, WIDTH);
                }
            )*}
        };
    }
    round_trips! {
        attr_round_trips Attr;
        op_round_trips Op;
        range_round_trips Range;
        private_round_trips Private;
        buffer_round_trips Buffer;
        uav_round_trips Uav;
        tgsm_round_trips Tgsm;
        ctrl_round_trips Ctrl;
    }
}
