// SPDX-License-Identifier: MIT OR Apache-2.0
//! Finds instructions for which the two forms of R700's equation mean different dwords, judged by their words alone
//! (R700-HINT).

use crate::{
    clause::Clause,
    explain::explanation::Forms,
    model::{address::first_dword, clamp},
    op::{BufferSlot, Kind, Op},
    sets::r700::{self, explain::notes::DRIVER},
};

/// One form of the equation: first_dw at index 0, the increment for each index, and limit_dw if there is one.
#[derive(PartialEq)]
struct Form {
    first: u64,
    scale: u64,
    limit: Option<u64>,
}

impl Form {
    fn of(op: &Op, driver: bool) -> Form {
        let [slot, base, size, elem] =
            [op.slot.into(), op.array_base.into(), op.array_size.into(), op.elem_size.into()];
        let first = |index| first_dword::<u64>(&driver, &slot, &base, &elem, &op.use_index, &index);
        let bounded = !(driver && op.slot == BufferSlot::Export as u8);
        let limit = bounded.then(|| clamp::limit(&driver, &slot, &base, &size, &elem));
        Form { first: first(0), scale: first(1) - first(0), limit }
    }

    fn text(&self) -> String {
        match self.scale {
            0 => self.first.to_string(),
            1 => format!("{} + index", self.first),
            scale => format!("{} + {scale}*index", self.first),
        }
    }

    /// The dwords below the limit, for an instruction without an index.
    fn dwords(&self, op: &Op, components: u8) -> Vec<u64> {
        let gprs = (0..16).filter(|gpr| op.present_gprs >> gpr & 1 == 1);
        let all = gprs.flat_map(|gpr| {
            let here = (0..4u64).filter(move |component| components >> component & 1 == 1);
            here.map(move |component| self.first + gpr * (u64::from(op.elem_size) + 1) + component)
        });
        all.filter(|dword| self.limit.is_none_or(|limit| *dword < limit)).collect()
    }
}

/// The forms of an instruction if they move different dwords; with an index, for some index within its array.
pub fn of(inst: &r700::Inst) -> Option<Forms> {
    let op = r700::lower(inst, r700::GPRS, 0).ok()?.op;
    let taken = match op.kind == Kind::Load as u8 {
        true => (0..4).map(|component| 1u8 << op.select(component)).fold(0, |all, one| all | one),
        false => u8::MAX,
    };
    let components = taken & op.element_mask & 0xf;
    if components == 0 || op.present_gprs == 0 {
        return None;
    }
    let (ours, drivers) = (Form::of(&op, false), Form::of(&op, true));
    // Drivers write the largest array if there is none.
    let whole = op.array_size == 4096 && drivers.limit.is_none();
    let same = match op.use_index {
        false => ours.dwords(&op, components) == drivers.dwords(&op, components),
        true => (ours.first, ours.scale) == (drivers.first, drivers.scale) && (whole || ours.limit == drivers.limit),
    };
    (!same).then(|| Forms {
        clause: Clause::R700Hint,
        first_dw: ours.text(),
        limit_dw: ours.limit,
        driver_first_dw: drivers.text(),
        driver_limit_dw: drivers.limit,
        line: DRIVER,
    })
}
