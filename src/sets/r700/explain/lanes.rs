// SPDX-License-Identifier: MIT OR Apache-2.0
//! The equation of a burst with its numbers, and the dwords of each register, for lanes that differ evenly.

use super::transfers;
use crate::{
    clause::Clause,
    explain::{
        explanation::{Array, Burst, Explanation, Lane, Transfer},
        group::{self, Item, Progression, Row},
        words::{table, wrap},
    },
    model::Fate,
    op::Fault,
};

/// The equations of R700-FIRST and R700-CLAMP, or of R700-DRIVER.
pub fn form(array: &Array) -> (&'static str, &'static str) {
    match array.driver_form {
        true if array.buffer == "export" => ("use_index*index", "no limit_dw: the buffer's size alone bounds"),
        true => (
            "ARRAY_BASE * U + use_index*index * (ELEM_SIZE + 1)",
            "limit_dw = ARRAY_BASE * U + ARRAY_SIZE * (ELEM_SIZE + 1)",
        ),
        false => (
            "(ARRAY_BASE + use_index*index) * (ELEM_SIZE + 1)",
            "limit_dw = (ARRAY_BASE + ARRAY_SIZE) * (ELEM_SIZE + 1)",
        ),
    }
}

/// The same equations with their numbers.
fn equation(array: &Array, index: &Progression, first: &Progression, limit: Option<u64>) -> String {
    let (base, size, dwords) = (array.array_base, array.array_size, array.element_dwords);
    let unit = if ["scratch", "reduction"].contains(&array.buffer) { 4 } else { 1 };
    let index = match (array.use_index, index.decimal(1)) {
        (false, _) => "0".to_owned(),
        (true, sum) if sum.contains([' ', '*']) => format!("1*({sum})"),
        (true, factor) => format!("1*{factor}"),
    };
    let first = first.decimal(1);
    match limit {
        None => format!("first_dw = {index} = {first}"),
        Some(limit) if array.driver_form => format!(
            "first_dw = {base} * {unit} + {index} * {dwords} = {first}, \
             limit_dw = {base} * {unit} + {size} * {dwords} = {limit}"
        ),
        Some(limit) => format!(
            "first_dw = ({base} + {index}) * {dwords} = {first}, limit_dw = ({base} + {size}) * {dwords} = {limit}"
        ),
    }
}

/// Groups lanes with the same equation and the same fates, and lists where their registers go.
pub fn lanes(explanation: &Explanation, array: &Array, load: bool) -> String {
    let items = explanation.lanes.iter().map(|lane| {
        let fates: Vec<_> =
            transfers(lane).iter().map(|transfer| (transfer.fate, transfer.overwritten_by.clone())).collect();
        let values =
            lane.burst.as_ref().map_or(vec![], |burst| vec![burst.index.into(), burst.first_dw, burst.address]);
        Item { lane: lane.lane, key: (outcome(lane), fates), values }
    });
    let mut text = String::new();
    for Row { lanes, key: (outcome, _), values } in group::exactly(items) {
        let plural = if lanes.len() == 1 { "Lane" } else { "Lanes" };
        text += &format!("\n{plural} {}{outcome}\n", group::lanes(&lanes));
        let first = explanation.lanes.iter().find(|lane| lane.lane == lanes[0]).and_then(|lane| lane.burst.as_ref());
        if let (Some(burst), [index, first_dw, address]) = (first, &values[..]) {
            text += &wrap(&format!("  {}", equation(array, index, first_dw, burst.limit_dw)), 2);
            let rows = runs(burst).into_iter().map(|run| run.cells(burst, first_dw, address, load));
            text += &table(&[], rows);
        }
    }
    text
}

fn outcome(lane: &Lane) -> String {
    match lane.fault {
        _ if lane.clauses.contains(&Clause::ComInactive) => ": inactive".to_owned(),
        _ if !lane.active => ": not a valid pixel, writes nothing".to_owned(),
        Fault::None => String::new(),
        fault => format!(": {}", fault.name()),
    }
}

/// Neighbouring components of one GPR in neighbouring dwords, with the same fate.
struct Run<'a> {
    registers: String,
    first: &'a Transfer,
    count: u64,
}

fn runs(burst: &Burst) -> Vec<Run<'_>> {
    let mut runs: Vec<Run<'_>> = Vec::new();
    for transfer in &burst.transfers {
        let (gpr, component) = transfer.register.split_once('.').unwrap_or((&transfer.register, ""));
        match runs.last_mut() {
            Some(run)
                if run.registers.split('.').next() == Some(gpr)
                    && run.first.dword + run.count == transfer.dword
                    && run.first.fate == transfer.fate
                    && run.first.overwritten_by == transfer.overwritten_by =>
            {
                run.registers += component;
                run.count += 1;
            }
            _ => runs.push(Run { registers: transfer.register.clone(), first: transfer, count: 1 }),
        }
    }
    runs
}

impl Run<'_> {
    /// The cells of a row. `first_dw` and `address` are those of all lanes; `burst` is the part of the first lane.
    fn cells(self, burst: &Burst, first_dw: &Progression, address: &Progression, load: bool) -> Vec<String> {
        let Run { registers, first, count } = self;
        let offset = first.dword - burst.first_dw;
        let dwords = match (first.fate, count) {
            (Fate::Masked, _) => "-".to_owned(),
            (_, 1) => format!("dword {}", first_dw.plus(offset).decimal(1)),
            _ => format!("dwords {}", first_dw.plus(offset).decimal(count)),
        };
        let fate = match (first.fate, load) {
            (Fate::Moved, false) => match &first.overwritten_by {
                Some(later) => format!("written at {}, then overwritten by {later}", address.plus(4 * offset)),
                None => format!("written at {}", address.plus(4 * offset)),
            },
            (Fate::Moved, true) => format!("read at {}", address.plus(4 * offset)),
            (Fate::Clamped, false) => "clamped, not written".to_owned(),
            (Fate::Clamped, true) => "clamped, gives 0".to_owned(),
            (Fate::Outside, false) => "out of allocation, not written".to_owned(),
            (Fate::Outside, true) => "out of allocation, gives 0".to_owned(),
            (Fate::Masked, _) => "not in the format, gives 0".to_owned(),
        };
        vec![registers, dwords, fate]
    }
}
