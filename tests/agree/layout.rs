// SPDX-License-Identifier: MIT OR Apache-2.0
//! src/op/table.rs and rtl/lsu_pkg.sv give every field of every struct the same bits.

use std::collections::BTreeMap;

use gpu_lsu::{dut, op};
use op::{Attr, Bits, Buffer, Private, Range, Tgsm, Uav};

/// All bits of a field, however many its type has.
trait Ones {
    fn ones() -> Self;
}

macro_rules! ones {
    ($($ty:ty = $value:expr),*) => {$(
        impl Ones for $ty {
            fn ones() -> Self {
                $value
            }
        }
    )*};
}
ones!(bool = true, u8 = u8::MAX, u16 = u16::MAX, u32 = u32::MAX, u64 = u64::MAX);

impl<T: Ones, const N: usize> Ones for [T; N] {
    fn ones() -> Self {
        std::array::from_fn(|_| T::ones())
    }
}

/// By the names that the RTL's module prints: the width of a struct, the bits of a field.
type Layout = BTreeMap<String, String>;

macro_rules! packed {
    ($(#[$doc:meta])* $name:ident as $sv:ident {
        $($(#[$fdoc:meta])* $field:ident: $ty:ty $(as $codes:ident)? = $width:expr,)*
    }) => {
        impl Ones for op::$name {
            fn ones() -> Self {
                op::$name { $($field: <$ty>::ones()),* }
            }
        }

        fn $sv(layout: &mut Layout) {
            let whole = op::$name::LAYOUT;
            layout.insert(whole.name.to_owned(), whole.width.to_string());
            let mut members = whole.members.iter();
            $({
                let alone = op::$name { $field: <$ty>::ones(), ..Default::default() }.to_words();
                // What the description says of the field's place is what packing does.
                let member = members.next().unwrap();
                let mut said = [0; op::$name::WORDS];
                Bits::from_slice_mut(&mut said)[member.offset..member.offset + member.width].fill(true);
                assert_eq!((member.name, said), (stringify!($field), alone));
                layout.insert(format!("{}.{}", whole.name, member.name), digits(&alone, whole.width));
            })*
            assert!(members.next().is_none());
        }
    };
}

include!("../../src/op/table.rs");

/// The packed value, as many hexadecimal digits as its width needs.
fn digits(words: &[u32], width: usize) -> String {
    let digits: String = words.iter().rev().map(|word| format!("{word:08x}")).collect();
    let (above, digits) = digits.split_at(digits.len() - width.div_ceil(4));
    assert!(above.bytes().all(|digit| digit == b'0'), "{above} {digits} is wider than {width} bits");
    digits.to_owned()
}

#[test]
fn every_field_has_the_bits_that_the_package_gives_it() {
    let mut model = Layout::new();
    for fields in [attr_t, op_t, range_t, private_t, buffer_t, uav_t, tgsm_t, ctrl_t] {
        fields(&mut model);
    }
    let text = dut::layout();
    let line = |line: &str| line.split_once(' ').map(|(name, bits)| (name.to_owned(), bits.to_owned())).unwrap();
    let rtl: Layout = text.lines().map(line).collect();
    assert_eq!(model, rtl);
    assert_eq!((rtl["ctrl_t"].as_str(), rtl["range_t.base"].as_str()), ("4378", "ffffffffff0000000000"));
}
