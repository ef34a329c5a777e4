// SPDX-License-Identifier: MIT OR Apache-2.0
//! Explains LD and ST in sentences and tables.

use crate::explain::{
    access::accesses,
    explanation::{Explanation, Lane},
    group::{self, Item, group},
    port,
    words::{count, table, wrap},
};
use crate::{
    clause::Clause,
    op::AddrMode,
    program::{Program, Step},
    sets::{
        Guard, PT,
        spa5::{Inst, Opcode, RZ},
    },
};

/// Explains everything but the instruction itself and the clauses.
pub fn text(explanation: &Explanation, step: &Step, inst: &Inst, program: &Program) -> String {
    let mut text = wrap(&sentences(step, inst, program.register_count), 0);
    text += &accesses(explanation, if inst.op == Opcode::Ld { "gives 0" } else { "writes nothing" });
    text += &datum(explanation, inst.op);
    text += &port::requests(explanation, if inst.op == Opcode::Ld { "read" } else { "write" });
    if explanation.bank_cycles > 0 {
        let cycles = count(explanation.bank_cycles as usize, "cycle");
        text += &format!("\nShared memory: {cycles} at the fullest bank.\n");
    }
    text
}

/// The instruction's fields in words.
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
    if op.attr.uniform {
        text += " The hint that all lanes share the address goes with it.";
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

/// The stored values, or those that a load leaves in its registers.
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

/// Clauses that depend on the instruction's fields, each with whether it matters.
pub fn clauses(inst: &Inst, explanation: &Explanation, step: &Step) -> Vec<(bool, Clause)> {
    let executes = explanation.lanes.iter().any(|lane| lane.active);
    let half = matches!(step.lowered.address, [Some(_), None, _]);
    vec![
        (executes && inst.size_name() == "U.128", Clause::Spa5Size),
        (executes && inst.e && half, Clause::Spa5EaPair),
        (executes && inst.rd == RZ, Clause::Spa5Rz),
        (inst.cop != 0 && !explanation.requests.is_empty(), Clause::ComAttr),
    ]
}
