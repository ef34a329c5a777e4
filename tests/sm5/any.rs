// SPDX-License-Identifier: MIT OR Apache-2.0
//! What holds of any tokens, any text, and any bytes.

use gpu_lsu::sets::sm5::{
    self, Components, File, Index, Inst, Modifier, Operand, Reference, Register, Scalar, Value, dxbc,
};
use proptest::{prelude::*, sample::select};

fn components() -> impl Strategy<Value = Components> {
    prop_oneof![
        Just(Components::None),
        Just(Components::One),
        (0..16u8).prop_map(Components::Mask),
        [0..4u8, 0..4, 0..4, 0..4].prop_map(Components::Swizzle),
        (0..4u8).prop_map(Components::Select),
    ]
}

/// The first of them that there are.
fn first<T: Clone + std::fmt::Debug>(each: impl Strategy<Value = T>) -> impl Strategy<Value = [Option<T>; 3]> {
    (prop::collection::vec(each, 3), 0..4usize)
        .prop_map(|(all, count)| [0, 1, 2].map(|place| (place < count).then(|| all[place].clone())))
}

fn number() -> impl Strategy<Value = u32> {
    prop_oneof![0..8u32, any::<u32>()]
}

fn scalar() -> impl Strategy<Value = Scalar> {
    (select(File::ALL), first(number()), components()).prop_map(|(file, indices, components)| Scalar {
        file,
        indices,
        components,
    })
}

fn index() -> impl Strategy<Value = Index> {
    prop_oneof![
        4 => number().prop_map(Index::Immediate),
        1 => any::<u64>().prop_map(Index::Wide),
        2 => (prop::option::of(number()), scalar())
            .prop_map(|(offset, register)| Index::Relative { offset, register }),
    ]
}

fn reference() -> impl Strategy<Value = Reference> {
    (select(File::ALL), first(index()), components()).prop_map(|(file, indices, components)| Reference {
        file,
        indices,
        components,
    })
}

fn modifier() -> impl Strategy<Value = Modifier> {
    select(&[Modifier::None, Modifier::Negate, Modifier::Absolute, Modifier::NegateAbsolute][..])
}

fn source() -> impl Strategy<Value = Operand> {
    let value = prop_oneof![
        1 => any::<u32>().prop_map(Value::Scalar),
        1 => any::<[u32; 4]>().prop_map(Value::Vector),
        3 => reference().prop_map(Value::Register),
    ];
    (modifier(), value).prop_map(|(modifier, value)| Operand { modifier, value })
}

fn inst() -> impl Strategy<Value = Inst> {
    (reference(), source(), source(), source()).prop_map(|(destination, address, compare, new)| Inst {
        destination,
        address,
        compare,
        new,
    })
}

/// A text that a line may begin with goes on at will.
fn line() -> impl Strategy<Value = String> {
    let pieces = select(
        &[
            "atomic_cmp_store ",
            "u0",
            "g1",
            ", ",
            "r0.x",
            "l(",
            "-1",
            "4294967296",
            ")",
            "[",
            "]",
            "r1.x + 3",
            ".xyzw",
            "|",
            "-",
            ".",
            "cb0",
            "vThreadID",
            "é",
            "\t",
            "0x",
            "// ",
            "/*",
            ";",
            "090000ac ",
            "u",
        ][..],
    );
    prop_oneof![any::<String>(), prop::collection::vec(pieces, 0..16).prop_map(|pieces| pieces.concat())]
}

proptest! {
    #[test]
    fn tokens_are_read_as_they_were_written(inst in inst()) {
        let dwords = sm5::encode(&inst);
        prop_assert_eq!(dwords[0] >> 24, dwords.len() as u32);
        prop_assert_eq!(sm5::decode(&dwords), Ok(inst));
        prop_assert_eq!(sm5::parse_code(&sm5::code(&inst)), Ok(inst));
        // Cut anywhere, or with the length of something else, it is none.
        for length in 0..dwords.len() {
            prop_assert!(sm5::decode(&dwords[..length]).is_err());
        }
    }

    #[test]
    fn a_text_is_read_as_it_was_printed(inst in inst()) {
        let text = inst.to_string();
        let back = sm5::parse(&text).map_err(|error| TestCaseError::fail(format!("{text}: {error}")))?;
        prop_assert_eq!(back.to_string(), text.clone());
        // From then on, tokens and text stay as they are.
        prop_assert_eq!(sm5::parse(&text), sm5::decode(&sm5::encode(&back)).map_err(|_| unreachable!()));
    }

    #[test]
    fn any_tokens_are_an_instruction_or_none(mut dwords in prop::collection::vec(any::<u32>(), 1..40), kind in 0..4u32) {
        if kind > 0 {
            dwords[0] = sm5::ATOMIC_CMP_STORE | (dwords.len() as u32) << 24;
        }
        for dword in &mut dwords[1..] {
            // Plausible operand tokens: few types, no more than two indices, few components.
            match kind {
                2 => *dword &= 0x0012_1fff,
                3 => *dword &= 0x801a_3ff7,
                _ => {}
            }
        }
        if let Ok(inst) = sm5::decode(&dwords) {
            prop_assert_eq!(sm5::decode(&sm5::encode(&inst)), Ok(inst));
            let text = inst.to_string();
            prop_assert_eq!(sm5::parse(&text).map(|inst| inst.to_string()), Ok(text));
        }
    }

    #[test]
    fn any_line_is_an_instruction_or_an_error(line in line()) {
        for result in [sm5::parse(&line), sm5::parse_code(&line)] {
            if let Err(error) = result {
                prop_assert!(error.column <= line.chars().count() + 1);
            }
        }
        let _ = Register::parse(&line);
    }

    #[test]
    fn any_bytes_are_a_container_or_an_error(mut bytes in prop::collection::vec(any::<u8>(), 0..200), magic: bool) {
        if magic {
            bytes.splice(0..0, *dxbc::MAGIC);
        }
        prop_assert!(dxbc::read(&bytes).is_err());
    }

    /// Every register has a number of its own, and its name is read again.
    #[test]
    fn registers_have_numbers_and_names(slot: u16) {
        if let Some((register, component)) = Register::of_slot(slot) {
            prop_assert_eq!(register.slot(component), slot);
            prop_assert_eq!(Register::parse(&register.to_string()), Some(register));
        }
    }
}
