// SPDX-License-Identifier: MIT OR Apache-2.0
//! LD and ST in sentences and tables.

use super::{
    explanation::{Explanation, Lane},
    group::{self, Item, Row, group},
    port,
    words::{count, table, wrap},
};
use crate::{
    clause::Clause,
    isa::{
        Guard, PT,
        spa5::{Inst, NOP, Opcode, RZ, encode},
    },
    model::Place,
    op::{AddrMode, Fault},
    program::Step,
};

/// All but the instruction and the clauses. `registers`: how many the program has.
pub fn text(explanation: &Explanation, step: &Step, inst: &Inst, registers: u16) -> String {
    let mut text = wrap(&sentences(step, inst, registers), 0);
    text += &accesses(explanation, inst.op);
    text += &datum(explanation, inst.op);
    text += &port::requests(explanation, inst.op == Opcode::Ld);
    if explanation.bank_cycles > 0 {
        let cycles = count(explanation.bank_cycles as usize, "cycle");
        text += &format!("\nShared memory: {cycles} at the fullest bank.\n");
    }
    text
}

/// The fields in words.
fn sentences(step: &Step, inst: &Inst, registers: u16) -> String {
    let op = &step.lowered.op;
    let names: Vec<_> =
        step.lowered.registers().filter_map(|(_, register)| register).map(|register| format!("R{register}")).collect();
    let bytes = count(op.access_bytes() as usize, "byte");
    let datum = match (inst.op, &names[..], inst.bytes()) {
        (Opcode::Ld, [], _) => format!("Load {bytes} per lane and drop them (RZ), from"),
        (Opcode::Ld, _, Some(1 | 2)) => {
            let extended = if op.sign_extend { "sign-extended" } else { "zero-extended" };
            format!("Load {bytes} per lane, {extended}, into {} from", names.join(", "))
        }
        (Opcode::Ld, ..) => format!("Load {bytes} per lane into {} from", names.join(", ")),
        (Opcode::St, [], _) => format!("Store {bytes} of zeros (RZ) per lane to"),
        (Opcode::St, _, Some(1 | 2)) => {
            let low = if op.access_bytes() == 1 { "byte" } else { &bytes };
            format!("Store the low {low} of {} per lane to", names.join(", "))
        }
        (Opcode::St, ..) => format!("Store {bytes} per lane, {}, to", names.join(", ")),
    };
    let mut text = format!("{datum} {}.", address(step, inst, registers));
    if encode(inst) == NOP {
        text = format!("The disassembler prints this word as NOP; by its fields it loads. {text}");
    }
    text += &match inst.plg {
        PT => " Every lane's address is local or global (PT).".to_owned(),
        plg => format!(" Where P{plg} is true the address is local or global, where it is false shared."),
    };
    text += &match inst.guard {
        Guard::ALWAYS => String::new(),
        Guard { pred: PT, .. } => " The guard @!PT lets no lane execute.".to_owned(),
        Guard { pred, negated } => format!(" Only lanes where P{pred} is {} execute.", !negated),
    };
    text += &format!(" Cache operator {}.", inst.cop_name());
    text
}

fn address(step: &Step, inst: &Inst, registers: u16) -> String {
    let Inst { ra, imm, .. } = *inst;
    let offset = match imm as i32 {
        0 => String::new(),
        offset @ 1.. => format!(" + {offset:#x}"),
        offset => format!(" - {:#x}", offset.unsigned_abs()),
    };
    match AddrMode::from_code(step.lowered.op.addr_mode) {
        Some(AddrMode::Reg32) => format!("generic address R{ra}{offset}, 32-bit"),
        Some(AddrMode::Reg64) if ra == RZ - 1 => format!("generic address {{RZ,R{ra}}}{offset}, 64-bit"),
        Some(AddrMode::Reg64) => format!("generic address {{R{},R{ra}}}{offset}, 64-bit", ra + 1),
        _ if ra == RZ => format!("the absolute generic address {imm:#x}"),
        _ => format!("the absolute generic address {imm:#x}, for R{ra} is not among the {registers} registers"),
    }
}

fn accesses(explanation: &Explanation, opcode: Opcode) -> String {
    let forced = explanation.lanes.iter().any(|lane| lane.ea != lane.aligned);
    let items = explanation.lanes.iter().map(|lane| {
        let [ea, aligned] = [lane.ea, lane.aligned].map(|address| address.map_or(0, |hex| hex.0));
        let mut values = vec![ea, aligned, lane.address.map_or(0, |hex| hex.0)];
        if let Place::Local { offset, .. } = lane.place {
            values.push(offset);
        }
        Item { lane: lane.lane, key: (lane.active, lane.space, outcome(lane, opcode), ea - aligned), values }
    });
    let header = if forced {
        &["lanes", "EA", "aligned", "memory", "outcome"][..]
    } else {
        &["lanes", "EA", "memory", "outcome"]
    };
    let rows = group(items).into_iter().map(|Row { lanes, key: (active, space, outcome, _), values }| {
        let shown = |index: usize| values.get(index).map_or(String::new(), ToString::to_string);
        let memory = match space {
            Some("shared") => format!("shared, offset {}", shown(2)),
            Some("local") => format!("local, offset {}, at {}", shown(3), shown(2)),
            other => other.unwrap_or("-").to_owned(),
        };
        let address = |index| if active { shown(index) } else { "-".to_owned() };
        let mut cells = vec![group::lanes(&lanes), address(0), address(1), memory, outcome];
        if !forced {
            cells.remove(2);
        }
        cells
    });
    format!("\n{}", table(header, rows))
}

fn outcome(lane: &Lane, opcode: Opcode) -> String {
    let without = match opcode {
        Opcode::Ld => "gives 0",
        Opcode::St => "writes nothing",
    };
    match lane.fault {
        _ if lane.clauses.contains(&Clause::ComInactive) => "inactive".to_owned(),
        _ if lane.clauses.contains(&Clause::ComHelper) => "helper, suppressed".to_owned(),
        Fault::None if lane.ea != lane.aligned => "ok, forced down".to_owned(),
        Fault::None => "ok".to_owned(),
        Fault::Misaligned => "misaligned, yet made".to_owned(),
        fault => format!("{}, {without}", fault.name()),
    }
}

/// What is stored, or what a load leaves in its registers.
fn datum(explanation: &Explanation, opcode: Opcode) -> String {
    let names: Vec<_> =
        explanation.lanes.iter().take(1).flat_map(|lane| &lane.registers).map(|r| r.name.as_str()).collect();
    let tells = |lane: &&Lane| lane.active && (opcode == Opcode::Ld || lane.bytes > 0);
    let items = explanation.lanes.iter().filter(tells).map(|lane| {
        let values = lane.registers.iter().map(|register| register.after.0.into()).collect();
        Item { lane: lane.lane, key: (), values }
    });
    let rows = group(items);
    if rows.is_empty() || names.contains(&"RZ") {
        return String::new();
    }
    let title = if opcode == Opcode::Ld { "Loaded" } else { "Stored" };
    let header: Vec<_> = ["lanes"].into_iter().chain(names).collect();
    let rows = rows.into_iter().map(|row| {
        let values = row.values.iter().map(ToString::to_string);
        [group::lanes(&row.lanes)].into_iter().chain(values).collect()
    });
    format!("\n{title}:\n{}", table(&header, rows))
}
