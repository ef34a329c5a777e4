// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memory around an operation: each byte that it requested, before and after, and who wrote it.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::judge::trail::{Author, Trail, Write};

/// The number of lines shown for an operation; a burst has hundreds.
const LINES: usize = 32;

/// Adjacent bytes with the same writers.
#[derive(Serialize)]
pub(super) struct Run {
    /// The address of the first byte.
    addr: String,
    /// Two digits per byte, `??` for an unknown one.
    before: String,
    unit: String,
    /// The model's bytes, if they differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    /// Who wrote the bytes, and who wrote them before.
    by: String,
    was: String,
}

/// The bytes that an operation requested, by line, and the cycle of its last request.
#[derive(Default)]
pub(super) struct Asked {
    pub lines: BTreeMap<u64, u128>,
    pub until: u64,
}

impl Asked {
    pub fn add(&mut self, line: u64, enable: u128, cycle: u64) {
        *self.lines.entry(line).or_default() |= enable;
        self.until = self.until.max(cycle);
    }
}

/// A byte before and after an operation.
struct Byte {
    addr: u64,
    before: Option<u8>,
    unit: Option<u8>,
    model: Option<u8>,
    by: String,
    was: String,
}

/// The requested bytes of an operation, as runs.
pub(super) fn runs(trail: &Trail<'_>, op: usize, asked: &Asked) -> Vec<Run> {
    let mut runs: Vec<(u64, Run)> = Vec::new();
    let bits = |enable: u128| (0..u128::BITS).filter(move |bit| enable >> bit & 1 == 1);
    let bytes =
        asked.lines.iter().take(LINES).flat_map(|(line, enable)| bits(*enable).map(move |bit| line + u64::from(bit)));
    for addr in bytes {
        let byte = byte(trail, op, asked.until, addr);
        match runs.last_mut() {
            Some((end, run)) if *end == addr && (&run.by, &run.was) == (&byte.by, &byte.was) => {
                run.push(&byte);
                *end += 1;
            }
            _ => {
                let empty = String::new;
                let (addr, model) = (format!("{:#x}", byte.addr), Some(empty()));
                let (by, was) = (byte.by.clone(), byte.was.clone());
                let mut run = Run { addr, before: empty(), unit: empty(), model, by, was };
                run.push(&byte);
                runs.push((byte.addr + 1, run));
            }
        }
    }
    let lean = |(_, mut run): (u64, Run)| {
        run.model.take_if(|model| *model == run.unit);
        run
    };
    runs.into_iter().map(lean).collect()
}

impl Run {
    fn push(&mut self, byte: &Byte) {
        let hex = |value: Option<u8>| value.map_or_else(|| "??".to_owned(), |value| format!("{value:02x}"));
        self.before += &hex(byte.before);
        self.unit += &hex(byte.unit);
        if let Some(model) = &mut self.model {
            *model += &hex(byte.model);
        }
    }
}

fn byte(trail: &Trail<'_>, op: usize, until: u64, addr: u64) -> Byte {
    let whole = trail.byte(addr, None);
    let own = |write: &Write| matches!(&write.by, Author::Operation(name) if name.index == op);
    // An operation that did not write a byte reads it: as it was at the last request.
    let last = whole.writes.iter().rposition(own);
    let end = last.map_or_else(|| whole.writes.partition_point(|write| write.cycle <= until), |last| last + 1);
    let start = whole.writes.iter().position(own).unwrap_or(end);
    let (mut unit, mut model) = (whole.before, whole.before);
    let mut before = whole.before;
    for (place, write) in whole.writes[..end].iter().enumerate() {
        if place == start {
            before = unit;
        }
        if write.refused {
            continue;
        }
        if let Some(made) = &write.unit {
            unit = Some(made.value);
        }
        if let Some(made) = &write.model {
            model = made.value;
        }
    }
    if start == end {
        before = unit;
    }
    let who = |writes: &[Write]| writes.last().map_or_else(|| "nobody in this run".to_owned(), author);
    let by = if start < end { who(&whole.writes[start..end]) } else { "this operation reads".to_owned() };
    Byte { addr, before, unit, model, by, was: who(&whole.writes[..start]) }
}

/// Describes who made a write, and from which register of which lane.
fn author(write: &Write) -> String {
    let by = match &write.by {
        Author::Operation(name) => format!("operation {}", name.index),
        Author::Foreign => "another master".to_owned(),
        Author::Stranger { warp, tag } => format!("nobody in flight (warp {warp}, tag {tag:#04x})"),
    };
    let from = write.model.as_ref().and_then(|model| model.from.as_ref());
    let from = from.map_or(String::new(), |from| format!(", lane {}, register {}", from.lane, from.register));
    let sides = match (&write.unit, &write.model) {
        _ if write.refused => ", refused by memory",
        (Some(_), None) if write.by != Author::Foreign => ", which the model does not write",
        (None, Some(_)) => ", which the unit does not write",
        _ if write.pending => ", on its way at the end",
        _ => "",
    };
    format!("{by}{from}, cycle {}{sides}", write.cycle)
}
