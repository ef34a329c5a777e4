// SPDX-License-Identifier: MIT OR Apache-2.0
//! Encodes an instruction to tokens.

use super::{
    ATOMIC_CMP_STORE, Components, File, Index, Inst, Modifier, Operand, Reference, Value,
    decode::{EXTENDED, IMMEDIATE32},
};

/// The tokens of an instruction. Bits of a field past its width are dropped.
pub fn encode(inst: &Inst) -> Vec<u32> {
    let mut dwords = vec![0];
    put_reference(&mut dwords, &inst.destination, None);
    for operand in [&inst.address, &inst.compare, &inst.new] {
        put_operand(&mut dwords, operand);
    }
    // Four operands have at most 17 dwords each, so the length fits its seven bits.
    dwords[0] = ATOMIC_CMP_STORE | (dwords.len() as u32) << 24;
    dwords
}

fn put_operand(dwords: &mut Vec<u32>, operand: &Operand) {
    let modifier = match operand.modifier {
        Modifier::None => None,
        Modifier::Negate => Some(0x41),
        Modifier::Absolute => Some(0x81),
        Modifier::NegateAbsolute => Some(0xc1),
    };
    let extended = if modifier.is_some() { EXTENDED } else { 0 };
    match operand.value {
        Value::Scalar(value) => {
            dwords.push(1 | IMMEDIATE32 << 12 | extended);
            dwords.extend(modifier.into_iter().chain([value]));
        }
        Value::Vector(values) => {
            dwords.push(2 | IMMEDIATE32 << 12 | extended);
            dwords.extend(modifier.into_iter().chain(values));
        }
        Value::Register(reference) => put_reference(dwords, &reference, modifier),
    }
}

fn put_reference(dwords: &mut Vec<u32>, reference: &Reference, modifier: Option<u32>) {
    let representations = reference.indices().zip([22, 25, 28]).map(|(index, low)| index.representation() << low);
    let token = head(reference.file, reference.indices().count(), reference.components);
    dwords.push(token | representations.sum::<u32>() | if modifier.is_some() { EXTENDED } else { 0 });
    dwords.extend(modifier);
    reference.indices().for_each(|index| put_index(dwords, index));
}

impl Index {
    fn representation(&self) -> u32 {
        match self {
            Index::Immediate(_) => 0,
            Index::Wide(_) => 1,
            Index::Relative { offset: None, .. } => 2,
            Index::Relative { .. } => 3,
        }
    }
}

fn put_index(dwords: &mut Vec<u32>, index: &Index) {
    match *index {
        Index::Immediate(number) => dwords.push(number),
        Index::Wide(number) => dwords.extend([(number >> 32) as u32, number as u32]),
        Index::Relative { offset, register } => {
            dwords.extend(offset);
            dwords.push(head(register.file, register.indices().count(), register.components));
            dwords.extend(register.indices());
        }
    }
}

/// An operand token without its index representations.
fn head(file: File, dimensions: usize, components: Components) -> u32 {
    let components = match components {
        Components::None => 0,
        Components::One => 1,
        Components::Mask(mask) => 2 | u32::from(mask & 0xf) << 4,
        Components::Swizzle(taken) => {
            let bits = taken.iter().rev().fold(0, |all, component| all << 2 | u32::from(component & 3));
            2 | 1 << 2 | bits << 4
        }
        Components::Select(component) => 2 | 2 << 2 | u32::from(component & 3) << 4,
    };
    components | (file as u32) << 12 | (dimensions as u32) << 20
}
