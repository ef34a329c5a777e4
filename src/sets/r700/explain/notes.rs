// SPDX-License-Identifier: MIT OR Apache-2.0
//! Hints and warnings for the reader of an R700 program: dwords that differ in the other form of the equation, a
//! missing index GPR, and accesses that need a flush.

use super::burst;
use crate::{
    clause::Clause,
    explain::{explanation::{Explanation, Hex, Lane, Note, OtherForm, Transfer}, group, play::Told, words::wrap},
    model::{Fate, r700_trace},
    op::{Ctrl, Kind, Lanes, Op, Shape, Stage},
    program::{Executed, Step},
    sets::r700::{self, hazard::{Hazard, Hazards}},
};

/// The line of a program that selects R700-DRIVER.
pub const DRIVER: &str = "form driver";

/// All notes of a step. `shown` are the lanes to report.
pub fn all(inst: &r700::Inst, hazards: &mut Hazards, told: &Told<'_>, shown: &[Lane]) -> Vec<Note> {
    let Told { program, shape, number, step, loop_index, executed } = *told;
    let Executed { op, lanes, .. } = executed;
    let index = index_gpr(step, inst, loop_index);
    let form = forms(shape, &program.ctrl, step, op, lanes, shown);
    let found = hazards.step(program, number, step, shape, executed);
    let found = found.iter().map(|found| hazard(found, &program.steps, step));
    index.into_iter().chain(form).chain(found).collect()
}

/// R700-GPROOB: the missing GPR that the index would come from.
fn index_gpr(step: &Step, inst: &r700::Inst, loop_index: u32) -> Option<Note> {
    let missing = step.lowered.op.use_index && step.lowered.address[0].is_none();
    let gpr = r700::index_gpr(inst, loop_index).filter(|_| missing)?;
    let text = format!("index GPR R{gpr} is past the program's registers: reads as 0");
    Some(Note::new(Clause::R700Gproob, text))
}

/// R700-HINT: the first lane in which the other form would move different dwords.
fn forms(shape: &Shape, ctrl: &Ctrl, step: &Step, op: &Op, lanes: &Lanes, shown: &[Lane]) -> Option<Note> {
    let driver = ctrl.r700_driver_form;
    let other = Ctrl { r700_driver_form: !driver, ..*ctrl };
    let differs = |lane: &Lane| {
        let ours = lane.burst.as_ref()?;
        let theirs = burst::burst(&r700_trace(shape, &other, op, lanes, lane.lane)?, &step.lowered);
        let differ = |(one, two): &(&Transfer, &Transfer)| (one.dword, goes(one)) != (two.dword, goes(two));
        let pairs = ours.transfers.iter().zip(&theirs.transfers).filter(|(one, two)| goes(one) || goes(two));
        let (one, two) = pairs.filter(|(one, _)| one.fate != Fate::Masked).find(differ)?;
        Some((lane.lane, one.clone(), two.clone()))
    };
    let all: Vec<_> = shown.iter().filter_map(differs).collect();
    let (lane, one, two) = all.first()?;
    let numbers: Vec<usize> = all.iter().map(|(lane, ..)| *lane).collect();
    let many = if all.len() == 1 { String::new() } else { format!("lanes {}: ", group::lanes(&numbers)) };
    let load = op.kind == Kind::Load as u8;
    let (said, line) = match driver {
        false => ("drivers mean", format!("the line `{DRIVER}` selects their form")),
        true => ("by the manual's equation it is", format!("without the line `{DRIVER}` that one holds")),
    };
    let text = format!(
        "{many}in lane {lane} {} {} {}; {said} {}: {line}",
        one.register,
        if load { "comes from" } else { "goes to" },
        place(one),
        place(two),
    );
    let other = OtherForm {
        register: one.register.clone(),
        dword: one.dword,
        address: one.address,
        other_dword: two.dword,
        other_address: two.address,
        line: DRIVER,
    };
    Some(Note { lanes: numbers, other_form: Some(other), ..Note::new(Clause::R700Hint, text) })
}

/// Whether the dword is below the limit.
fn goes(transfer: &Transfer) -> bool {
    matches!(transfer.fate, Fate::Moved | Fate::Outside)
}

fn place(transfer: &Transfer) -> String {
    let Transfer { dword, address: Hex(address), .. } = transfer;
    match transfer.fate {
        Fate::Moved => format!("dword {dword} at {address:#x}"),
        Fate::Outside => format!("dword {dword}, out of allocation at {address:#x}"),
        _ => format!("dword {dword}, which is clamped"),
    }
}

/// R700-FLUSH and R700-STAGE. `steps` are those of the program.
fn hazard(hazard: &Hazard, steps: &[Step], step: &Step) -> Note {
    let Hazard { clause, earlier, ref lanes, ref bytes } = *hazard;
    let ranges: Vec<String> = bytes.iter().map(|(first, last)| format!("{first:#x}..{last:#x}")).collect();
    let named = |step: &Step| {
        let text = step.inst.to_string();
        format!("{} in line {}", text.split(' ').next().unwrap_or_default(), step.line)
    };
    let before = steps.get(earlier);
    let [this, that] = [named(step), before.map(named).unwrap_or_default()];
    let of = |step: &Step| Stage::name(step.lowered.op.stage);
    let shown = if ranges.len() > 8 { format!("{}, ...", ranges[..8].join(", ")) } else { ranges.join(", ") };
    let text = match clause {
        Clause::R700Stage => format!(
            "the reduction buffer is one program's at a time: {this}, of a {} shader, uses bytes {shown} after {that}, of a \
             {} shader, without a `flush` between",
            of(step),
            before.map(of).unwrap_or_default(),
        ),
        _ => format!(
            "{this}, warp {}, reads in {} {} bytes {shown} that {that}, warp {}, wrote in another thread, without a `flush` \
             between: other hardware may give what was there before",
            step.warp,
            if lanes.len() == 1 { "lane" } else { "lanes" },
            group::lanes(lanes),
            before.map_or(0, |step| step.warp),
        ),
    };
    Note { lanes: lanes.clone(), bytes: ranges, earlier_line: before.map(|step| step.line), ..Note::new(clause, text) }
}

impl Note {
    fn new(clause: Clause, text: String) -> Note {
        Note { clause, text, lanes: Vec::new(), bytes: Vec::new(), earlier_line: None, other_form: None }
    }

    /// The word that begins the note: a hint at another meaning, a plain note, or a warning.
    fn head(&self) -> &'static str {
        match self.clause {
            Clause::R700Hint => "Hint",
            Clause::R700Gproob => "Note",
            _ => "Warning",
        }
    }
}

/// The notes in words, with a paragraph for each.
pub fn text(explanation: &Explanation) -> String {
    let note = |note: &Note| {
        let text = format!("{}: {} ({}).", note.head(), note.text, note.clause.id());
        format!("\n{}", wrap(&text, 2))
    };
    explanation.notes.iter().map(note).collect()
}
