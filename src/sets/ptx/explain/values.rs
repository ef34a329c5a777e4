// SPDX-License-Identifier: MIT OR Apache-2.0
//! The values that a vector stores, element by element.

use crate::{
    explain::{
        explanation::{Explanation, Lane},
        group::{self, Item, group},
        words::table,
    },
    program::Step,
    sets::ptx::{Inst, Value},
};

/// Largest number of bits in the columns of one table: four words, or two values of 64 bits.
const TABLE_BITS: u32 = 128;

/// A column: its name, the index of its lowest register among those of the lane, and its width in bits.
struct Column {
    name: String,
    first: usize,
    bits: u32,
}

/// The values of the lanes that store, in tables with few columns.
pub fn stored(explanation: &Explanation, step: &Step, inst: &Inst) -> String {
    let columns = columns(step, inst);
    let wide = columns.first().map_or(32, |column| column.bits.max(32));
    let tables = columns.chunks((TABLE_BITS / wide) as usize).map(|columns| {
        let items = explanation.lanes.iter().filter(|lane| lane.bytes > 0).map(|lane| {
            let values = columns.iter().map(|column| column.value(lane)).collect();
            Item { lane: lane.lane, key: (), values }
        });
        let rows = group(items).into_iter().map(|row| {
            let values = row.values.iter().map(ToString::to_string);
            [group::lanes(&row.lanes)].into_iter().chain(values).collect()
        });
        let header: Vec<&str> =
            ["lanes"].into_iter().chain(columns.iter().map(|column| column.name.as_str())).collect();
        table(&header, rows)
    });
    match explanation.lanes.iter().any(|lane| lane.bytes > 0) {
        true => format!("\nStored:\n{}", tables.collect::<String>()),
        false => String::new(),
    }
}

/// Makes a column for each element that is not a sink, and two for an element of 128 bits.
fn columns(step: &Step, inst: &Inst) -> Vec<Column> {
    let bits = u32::from(inst.element.bits);
    let words = bits.div_ceil(32) as usize;
    let moved = inst.values().iter().enumerate().filter(|(_, value)| **value != Value::Sink);
    let places = moved.enumerate().map(|(place, (_, value))| (place * words, value));
    let columns = places.flat_map(|(first, value)| match bits {
        128 => vec![
            Column { name: format!("{value}, low"), first, bits: 64 },
            Column { name: format!("{value}, high"), first: first + 2, bits: 64 },
        ],
        _ => vec![Column { name: value.to_string(), first, bits }],
    });
    columns.filter(|column| column.first < step.lowered.op.data_beats() as usize).collect()
}

impl Column {
    fn value(&self, lane: &Lane) -> u64 {
        let word = |index: usize| lane.registers.get(index).map_or(0, |register| u64::from(register.after.0));
        let high = if self.bits > 32 { word(self.first + 1) << 32 } else { 0 };
        (word(self.first) | high) & u64::MAX >> (64 - self.bits.clamp(1, 64))
    }
}
