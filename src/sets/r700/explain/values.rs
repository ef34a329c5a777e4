// SPDX-License-Identifier: MIT OR Apache-2.0
//! The values in the registers of a burst: what is stored, or what a read leaves in them.

use std::ops::Range;

use super::transfers;
use crate::{
    explain::{
        explanation::{Change, Explanation, Lane, Transfer},
        group::{self, Item, Progression, group},
        words::table,
    },
    model::Fate,
};

/// The stored values, or those that a load leaves in its registers, with a table for each GPR.
pub fn values(explanation: &Explanation, load: bool) -> String {
    let Some(lane) = explanation.lanes.first() else { return String::new() };
    let gpr = |register: &Change| register.name.split('.').next().map(str::to_owned);
    let (mut text, mut first) = (String::new(), 0);
    for registers in lane.registers.chunk_by(|one, next| gpr(one) == gpr(next)) {
        text += &of_gpr(explanation, first..first + registers.len(), load);
        first += registers.len();
    }
    match (text.is_empty(), load) {
        (true, _) => text,
        (_, true) => format!("\nLoaded:\n{text}"),
        (_, false) => format!("\nStored:\n{text}"),
    }
}

/// The lanes in which some of these registers move. A component that is not written is left out.
fn of_gpr(explanation: &Explanation, registers: Range<usize>, load: bool) -> String {
    let moves = |lane: &Lane, register: &Change| {
        let written = |transfer: &Transfer| {
            let stays = transfer.fate == Fate::Moved && transfer.overwritten_by.is_none();
            transfer.register == register.name && stays
        };
        load || transfers(lane).iter().any(written)
    };
    let items = explanation.lanes.iter().filter(|lane| lane.active).map(|lane| {
        let here = &lane.registers[registers.clone()];
        let key: Vec<bool> = here.iter().map(|register| moves(lane, register)).collect();
        let values = here.iter().zip(&key).map(|(register, moved)| if *moved { register.after.0.into() } else { 0 });
        Item { lane: lane.lane, values: values.collect(), key }
    });
    let rows = group(items.filter(|item| item.key.contains(&true)));
    if rows.is_empty() {
        return String::new();
    }
    let names = explanation.lanes.iter().take(1).flat_map(|lane| &lane.registers[registers.clone()]);
    let header: Vec<&str> = ["lanes"].into_iter().chain(names.map(|register| register.name.as_str())).collect();
    let rows = rows.into_iter().map(|row| {
        let value = |(value, moved): (&Progression, &bool)| if *moved { value.to_string() } else { "-".to_owned() };
        let values = row.values.iter().zip(&row.key).map(value);
        [group::lanes(&row.lanes)].into_iter().chain(values).collect()
    });
    table(&header, rows)
}
