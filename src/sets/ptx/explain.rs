// SPDX-License-Identifier: MIT OR Apache-2.0
//! Explains `st` of PTX in sentences and tables.

use crate::explain::{
    access::accesses,
    explanation::Explanation,
    port,
    words::{count, wrap},
};
use crate::{
    clause::Clause,
    op::Cache,
    program::{Program, Step},
    sets::{
        Guard,
        ptx::{Base, Inst, Offset, Order, Space, Value, predicate_name},
    },
};

mod values;

/// Explains everything but the instruction itself and the clauses.
pub fn text(explanation: &Explanation, step: &Step, inst: &Inst, _: &Program) -> String {
    let mut text = wrap(&sentences(step, inst), 0);
    text += &accesses(explanation, "writes nothing");
    text += &values::stored(explanation, step, inst);
    text += &port::requests(explanation, "write");
    if explanation.bank_cycles > 0 {
        let cycles = count(explanation.bank_cycles as usize, "cycle");
        text += &format!("\nShared memory: {cycles} at the fullest bank.\n");
    }
    text
}

/// The statement in words.
fn sentences(step: &Step, inst: &Inst) -> String {
    let mut text = format!("Store {} to {}.", datum(inst), address(step, inst));
    text += match inst.space {
        None => " The windows tell where: local, then shared, else global.",
        Some(Space::Local) => " It is an offset in the thread's local memory.",
        Some(Space::Shared) => " It is an offset in shared memory.",
        Some(Space::Cluster) => " It is an offset in the cluster's shared memory.",
        Some(Space::Param) => " It is an offset in the thread's parameter memory.",
        Some(_) => " It is the address in global memory.",
    };
    text += &order(inst);
    text += &match inst.guard {
        Guard::ALWAYS => String::new(),
        Guard { pred, negated } => format!(" Only lanes where {} is {} execute.", predicate_name(pred), !negated),
    };
    text + &attributes(inst)
}

/// The stored value, as in `4 bytes per lane, %r2,`, or the elements of a vector.
fn datum(inst: &Inst) -> String {
    let size = u32::from(inst.element.bits / 8);
    let values: Vec<String> = inst.values().iter().map(Value::to_string).collect();
    let bytes = |number: u32| count(number as usize, "byte");
    match (&values[..], inst.values()) {
        ([one], [Value::Register(register)]) if register.bits() > inst.element.bits => {
            format!("the low {} of {one} per lane", if size == 1 { "byte".to_owned() } else { bytes(size) })
        }
        ([one], _) => format!("{} per lane, {one},", bytes(size)),
        _ => {
            let moved = inst.values().iter().filter(|value| **value != Value::Sink).count();
            let sinks = match inst.values().len() - moved {
                0 => String::new(),
                1 => " (the sink leaves memory as it is)".to_owned(),
                _ => " (the sinks leave memory as it is)".to_owned(),
            };
            let all = bytes(size * inst.values().len() as u32);
            format!(
                "{all} per lane, {} of {}, {}{sinks},",
                count(values.len(), "element"),
                bytes(size),
                values.join(", ")
            )
        }
    }
}

fn address(step: &Step, inst: &Inst) -> String {
    let Offset(offset) = Offset(inst.offset);
    let plus = match offset as i64 {
        0 => String::new(),
        offset @ 1.. => format!(" + {offset:#x}"),
        offset => format!(" - {:#x}", offset.unsigned_abs()),
    };
    match inst.base {
        Base::Zero => format!("{offset:#x}"),
        Base::Register(register) => format!("{register}{plus}, {}-bit", register.bits()),
        Base::Variable(variable) => format!("{}{plus}, which is {:#x}", variable.name(), step.lowered.op.imm),
        Base::Element(variable, None) => {
            format!("byte {} of {}, which is {:#x}", offset as i64, variable.name(), step.lowered.op.imm)
        }
        Base::Element(variable, Some(register)) => format!(
            "byte {register}{plus} of {}, taken modulo 2^32, which begins at {:#x}",
            variable.name(),
            step.lowered.op.imm
        ),
    }
}

/// The memory order and scope (PTX-SEM).
fn order(inst: &Inst) -> String {
    let scope = inst.scope.map_or("", |scope| &scope.name()[1..]);
    match inst.order {
        _ if inst.mmio => {
            let mut text = " As memory-mapped IO each lane has one request of its own, in lane order.".to_owned();
            if inst.order == Some(Order::Release) {
                text += " A release too, it is sent when every earlier access of the warp has been acknowledged at scope sys.";
            }
            text
        }
        None | Some(Order::Weak) => " It is weak: lanes may share a request.".to_owned(),
        Some(Order::Volatile) => " Volatile, it is made as relaxed at scope sys.".to_owned(),
        Some(Order::Relaxed) => format!(" It is relaxed at scope {scope}: each element is written as a whole."),
        Some(Order::Release) => format!(
            " It is a release at scope {scope}: it is sent when every earlier access of the warp has been acknowledged \
             at that scope."
        ),
    }
}

/// What the store requests from the caches.
fn attributes(inst: &Inst) -> String {
    let mut text = format!(" Cache operator {}.", inst.cop.map_or("wb", |cop| &cop.name()[1..]));
    for (level, priority) in [("L1", inst.l1), ("L2", inst.l2)] {
        if let Some(priority) = priority {
            text += &format!(" Priority in {level}: {}.", priority.name());
        }
    }
    match inst.policy {
        None => text,
        Some(Value::Register(register)) => text + &format!(" The cache policy is {register} of the lowest lane."),
        Some(policy) => text + &format!(" The cache policy is {policy}."),
    }
}

/// Clauses that depend on the attributes, each with whether it matters.
pub fn clauses(_: &Inst, explanation: &Explanation, step: &Step) -> Vec<(bool, Clause)> {
    let attr = step.lowered.op.attr;
    let cached = attr.cache_op != Cache::Wb as u8 || attr.l1_priority | attr.l2_priority != 0 || attr.policy_valid;
    vec![(cached && !explanation.requests.is_empty(), Clause::ComAttr)]
}
