// SPDX-License-Identifier: MIT OR Apache-2.0
//! src/op/table.rs and rtl/lsu_pkg.sv give every field of every struct the same bits.

use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

use gpu_lsu::{
    dut::{self, Dut, Piece},
    op,
    ports::{Holds, PORTS},
};
use op::{Attr, Bits, Buffer, Private, Range, Tgsm, Uav};

/// A value with all bits of a field set, whatever its type.
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

/// The output of the RTL's module, by name: the width of a struct, the bits of a field.
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
                // The place that the description states is where packing puts the field.
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

/// The packed value in as many hexadecimal digits as its width needs.
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
    assert_eq!((rtl["ctrl_t"].as_str(), rtl["range_t.base"].as_str()), ("4690", "ffffffffff0000000000"));
}

/// Every variable with its width, in the top scope of a trace's header, which has a scope for each struct.
fn variables(header: &str) -> BTreeMap<String, usize> {
    // Scopes of other modules have no name here.
    let mut scopes: Vec<Option<&str>> = Vec::new();
    let mut found = BTreeMap::new();
    for line in header.lines() {
        match line.split_whitespace().collect::<Vec<_>>().as_slice() {
            ["$scope", "struct", name, "$end"] => scopes.push(Some(name)),
            ["$scope", "module", "top", "$end"] => scopes.push(Some("top")),
            ["$scope", ..] => scopes.push(None),
            ["$upscope", "$end"] => drop(scopes.pop()),
            ["$var", _, width, _, name, ..] => {
                let path: Option<Vec<&str>> = scopes.iter().skip(1).copied().chain([Some(*name)]).collect();
                found.extend(path.map(|path| (path.join("."), width.parse().unwrap())));
            }
            _ => {}
        }
    }
    found
}

#[test]
fn every_port_and_every_field_is_one_of_the_verilated_unit() {
    for shape in dut::built() {
        let mut unit = Dut::of(&shape).unwrap();
        let trace = Rc::new(RefCell::new(Vec::new()));
        let sink = Rc::clone(&trace);
        unit.open_trace(move |piece| {
            if let Piece::Text(text) = piece {
                sink.borrow_mut().extend_from_slice(text);
            }
        });
        unit.eval().unwrap();
        unit.dump(0);
        unit.close_trace();
        let text = String::from_utf8(trace.take()).unwrap();
        let rtl = variables(text.split("$enddefinitions").next().unwrap());

        let mut ours = BTreeMap::new();
        for (port, _) in PORTS.iter() {
            assert_eq!(port.fields(&shape).iter().map(|field| field.width).sum::<usize>(), port.width(&shape));
            if let Holds::Line = port.holds {
                // To the RTL a line is one number.
                ours.insert(port.name.to_owned(), port.width(&shape));
                continue;
            }
            for field in port.fields(&shape) {
                let dot = if field.path.is_empty() || field.path.starts_with('[') { "" } else { "." };
                ours.insert(format!("{}{dot}{}", port.name, field.path), field.width);
            }
        }
        assert_eq!(ours, rtl, "{shape}");
        let names: Vec<_> = PORTS.iter().map(|(port, _)| port.name).collect();
        assert_eq!(unit.port_names().collect::<Vec<_>>(), names);
        assert!(PORTS.iter().all(|(port, _)| unit.pin(port.name, port.width(&shape)).is_ok()));
    }
}
