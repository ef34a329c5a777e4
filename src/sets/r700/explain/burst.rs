// SPDX-License-Identifier: MIT OR Apache-2.0
//! Describes a burst, from the model's trace and the names that the instruction uses.

use crate::explain::explanation::{Array, Burst, Hex, Transfer};
use crate::{
    model::{R700Trace, Dword, Fate, buffer},
    op::{BufferSlot, Ctrl, GROUP_REGISTERS, Kind, Op, Stage},
    sets::{Isa, Lowered, r700::Inst},
};

/// What the lanes have in common, or `None` if the operation is no burst.
pub fn array(ctrl: &Ctrl, op: &Op) -> Option<Array> {
    let buffer = buffer::of(ctrl, op);
    let scratch = op.slot % 8 == BufferSlot::Scratch as u8;
    op.is_burst().then(|| Array {
        buffer: BufferSlot::name(op.slot),
        stage: scratch.then(|| Stage::name(op.stage)),
        base: Hex(buffer.base),
        stride: buffer.stride,
        size: buffer.size,
        driver_form: ctrl.r700_driver_form,
        array_base: op.array_base,
        array_size: op.array_size,
        element_dwords: op.elem_size % 4 + 1,
        use_index: op.use_index,
    })
}

/// The number of GPRs that the instruction names.
pub fn gprs(inst: &Inst) -> u32 {
    let more = match inst {
        Inst::Cf(cf) => cf.burst_count,
        Inst::Read(read) => read.burst_count,
    };
    u32::from(more & 15) + 1
}

/// The name of a GPR, such as `R4`, by its number in the burst.
pub fn gpr(lowered: &Lowered, group: u8) -> Option<String> {
    let mut here = lowered.registers().filter(|(index, _)| index / GROUP_REGISTERS == usize::from(group));
    let number = here.find_map(|(_, number)| number).filter(|_| lowered.op.is_burst())?;
    Isa::R700.register(Some(number)).split('.').next().map(str::to_owned)
}

/// One lane's part of the burst.
pub fn burst(trace: &R700Trace, lowered: &Lowered) -> Burst {
    let op = &lowered.op;
    let transfer = |(index, number): (usize, Option<u16>)| {
        let (gpr, register) = (index / GROUP_REGISTERS, index % GROUP_REGISTERS);
        let component = match op.kind == Kind::Load as u8 {
            true => usize::from(op.select(register as u32)),
            false => register,
        };
        let here = |dword: &&Dword| (dword.gpr.into(), dword.component.into()) == (gpr, component);
        let dword = trace.dwords.iter().find(here)?;
        let register = Isa::R700.register(number);
        Some(Transfer {
            register,
            dword: dword.dword,
            address: Hex(dword.addr),
            fate: dword.fate,
            overwritten_by: None,
        })
    };
    let mut transfers: Vec<Transfer> = lowered.registers().filter_map(transfer).collect();
    if op.kind == Kind::Store as u8 {
        overwrites(&mut transfers);
    }
    Burst { index: trace.index, first_dw: trace.first_dw, limit_dw: trace.limit_dw, transfers, address: trace.addr }
}

/// Marks components that reach into the next element: the later GPR wins (R700-ELEM).
fn overwrites(transfers: &mut [Transfer]) {
    for at in 0..transfers.len() {
        let (before, after) = transfers.split_at_mut(at + 1);
        let Some(transfer) = before.last_mut().filter(|transfer| transfer.fate == Fate::Moved) else { continue };
        let again = after.iter().rfind(|later| later.dword == transfer.dword && later.fate == Fate::Moved);
        transfer.overwritten_by = again.map(|later| later.register.clone());
    }
}
