// SPDX-License-Identifier: MIT OR Apache-2.0
//! `atomic_cmp_store` of SM5: where each lane's dword is, and what the lane finds there.

use crate::explain::{
    explanation::{Explanation, Lane},
    group::{self, Item, group},
    port,
    words::{count, table, wrap},
};
use crate::{
    clause::Clause,
    model::Tested,
    op::{Ctrl, Dimension, Fault, Resource, Space},
    program::{Program, Step},
    sets::{Isa, Source, sm5::Inst},
};

/// All of the text but the instruction and the clauses.
pub fn text(explanation: &Explanation, step: &Step, _: &Inst, program: &Program) -> String {
    let mut text = wrap(&sentences(step, &program.ctrl), 0);
    text += &addresses(explanation, step);
    text += &steps(explanation);
    text += &undefined(explanation);
    text += &port::requests(explanation, "read-exclusive");
    text += &writes(explanation);
    if explanation.bank_cycles > 0 {
        let cycles = count(explanation.bank_cycles as usize, "cycle");
        text += &format!("\nShared memory: {cycles} at the fullest bank.\n");
    }
    text
}

/// The instruction in words.
fn sentences(step: &Step, ctrl: &Ctrl) -> String {
    let slot = usize::from(step.lowered.op.slot % 8);
    let tgsm = step.lowered.op.space == Space::Tgsm as u8;
    let (name, uav, group) = (format!("{}{slot}", if tgsm { 'g' } else { 'u' }), ctrl.uav[slot], ctrl.tgsm[slot]);
    let (kind, base, size, stride) = match tgsm {
        true => (group.kind, u64::from(group.base), u64::from(group.size), group.stride),
        false => (uav.kind, uav.base, uav.size, uav.stride),
    };
    let place = format!("{size:#x} bytes at {base:#x}{}", if tgsm { " of the scratchpad" } else { "" });
    let resource = match Resource::from_code(kind) {
        Some(Resource::Raw) => format!("{name} is raw, {place}: offset = x."),
        Some(Resource::Structured) => {
            format!("{name} has structures of {stride} bytes, {place}: offset = {stride}*x + y.")
        }
        Some(Resource::Typed) => {
            let (lengths, sum) = match Dimension::from_code(uav.dimension) {
                Some(Dimension::Texture1dArray) => {
                    (format!("{} x {} slices", uav.width, uav.depth), format!("4*x + {}*y", uav.slice_pitch))
                }
                Some(Dimension::Texture2d) => {
                    (format!("{} x {}", uav.width, uav.height), format!("4*x + {}*y", uav.row_pitch))
                }
                Some(Dimension::Texture2dArray | Dimension::Texture3d) => (
                    format!("{} x {} x {}", uav.width, uav.height, uav.depth),
                    format!("4*x + {}*y + {}*z", uav.row_pitch, uav.slice_pitch),
                ),
                _ => (format!("{}", uav.width), "4*x".to_owned()),
            };
            format!("{name} is typed, {lengths} elements of 4 bytes, {place}: offset = {sum}.")
        }
        _ => format!("Nothing is bound to {name}."),
    };
    let operand = |at: usize| source(step.lowered.data[at]);
    format!(
        "Where the dword of {name} at {} equals {}, it becomes {}, in one atomic step. {resource}",
        address(step),
        operand(0),
        operand(1)
    )
}

/// `(r0.x, r0.y)`, or one component alone.
fn address(step: &Step) -> String {
    let words: Vec<String> = step.lowered.address.iter().flatten().map(|word| source(Some(*word))).collect();
    if let [one] = &words[..] { one.clone() } else { format!("({})", words.join(", ")) }
}

fn source(source: Option<Source>) -> String {
    match source {
        Some(Source::Constant(value)) => format!("{value:#x}"),
        Some(Source::Negated(number)) => format!("-{}", Isa::Sm5.register(Some(number))),
        source => Isa::Sm5.register(source.and_then(Source::register)),
    }
}

/// Where the lanes' dwords are, and what becomes of the lanes that have none.
fn addresses(explanation: &Explanation, step: &Step) -> String {
    let words = step.lowered.address.iter().flatten().count();
    let items = explanation.lanes.iter().map(|lane| {
        let indices = lane.indices.iter().take(words).map(|index| u64::from(*index));
        let offset = lane.offset.map_or(0, |hex| hex.0);
        let values = indices.chain([offset, lane.address.map_or(0, |hex| hex.0)]).collect();
        Item { lane: lane.lane, key: (lane.active, outcome(lane)), values }
    });
    let header: Vec<&str> = ["lanes"]
        .into_iter()
        .chain(["x", "y", "z"].into_iter().take(words))
        .chain(["offset", "at", "outcome"])
        .collect();
    let rows = group(items).into_iter().map(|row| {
        let (active, outcome) = row.key;
        let shown = row.values.iter().map(|value| if active { value.to_string() } else { "-".to_owned() });
        [group::lanes(&row.lanes)].into_iter().chain(shown).chain([outcome]).collect()
    });
    format!("\n{}", table(&header, rows))
}

fn outcome(lane: &Lane) -> String {
    let failed = lane.failed.map(|test| match test {
        Tested::Width => "x past the width",
        Tested::Height => "y past the height",
        Tested::Depth => "slice past the depth",
        Tested::Structure => "structure past the size",
        Tested::Stride => "y past the stride",
        Tested::Size => "past the size",
    });
    match (lane.fault, failed) {
        _ if lane.clauses.contains(&Clause::ComInactive) => "inactive".to_owned(),
        _ if lane.clauses.contains(&Clause::Sm5Inactive) => "helper, does nothing".to_owned(),
        (Fault::None, _) if lane.ea != lane.aligned => "ok, forced down".to_owned(),
        (Fault::None, _) => "ok".to_owned(),
        (Fault::Misaligned, _) => "misaligned, yet made".to_owned(),
        (fault, Some(failed)) => format!("{}: {failed}", fault.name()),
        (fault, None) if lane.clauses.contains(&Clause::Sm5Kind) => format!("{}: unbound", fault.name()),
        (fault, None) => fault.name().to_owned(),
    }
}

/// What each lane finds, in the order in which the lanes act.
fn steps(explanation: &Explanation) -> String {
    let items = explanation.lanes.iter().filter_map(|lane| {
        let pair = lane.pair.as_ref()?;
        let values = [lane.address.map_or(0, |hex| hex.0)]
            .into_iter()
            .chain([pair.held.0, pair.compare.0, pair.new.0].map(u64::from));
        Some(Item { lane: lane.lane, key: (pair.stored, pair.undefined), values: values.collect() })
    });
    let rows = group(items);
    if rows.is_empty() {
        return String::new();
    }
    let rows = rows.into_iter().map(|row| {
        let values = row.values.iter().map(ToString::to_string);
        let (stored, undefined) = row.key;
        let then = if stored { "stored" } else { "left as it is" };
        let then = format!("{then}{}", if undefined { ", it was undefined" } else { "" });
        [group::lanes(&row.lanes)].into_iter().chain(values).chain([then]).collect()
    });
    let header = ["lanes", "at", "holds", "compare", "new", ""];
    format!("\nOne lane after the other, in ascending order:\n{}", table(&header, rows))
}

/// What was undefined before, and what is undefined from now on (SM5-WILD).
fn undefined(explanation: &Explanation) -> String {
    let mut text = String::new();
    if explanation.lanes.iter().filter_map(|lane| lane.pair.as_ref()).any(|pair| pair.undefined) {
        let what = "What was undefined holds what this unit chose: by its source any value would do, and any outcome.";
        text += &format!("\n{}", wrap(what, 0));
    }
    if let Some(what) = &explanation.undefined {
        let what = format!("From here on all of {what} is undefined by the source: what it holds is this unit's choice.");
        text += &format!("\n{}", wrap(&what, 0));
    }
    text
}

/// The second halves of the pairs.
fn writes(explanation: &Explanation) -> String {
    let count = count(explanation.writes.len(), "write-exclusive");
    let items = explanation.writes.iter().map(|write| format!("{:#x}", write.line.0)).collect::<Vec<_>>();
    match items.is_empty() {
        true if explanation.requests.is_empty() => String::new(),
        true => "No lane stores: no write-exclusive follows.\n".to_owned(),
        false => wrap(&format!("Then {count}, of the lines at {}.", items.join(", ")), 0),
    }
}

/// SM5-WILD, if something is undefined from now on or was before.
pub fn clauses(_: &Inst, explanation: &Explanation, _: &Step) -> Vec<(bool, Clause)> {
    let wild = explanation.undefined.is_some() || explanation.lanes.iter().any(meets_undefined);
    vec![(wild, Clause::Sm5Wild)]
}

fn meets_undefined(lane: &Lane) -> bool {
    lane.pair.as_ref().is_some_and(|pair| pair.undefined)
}
