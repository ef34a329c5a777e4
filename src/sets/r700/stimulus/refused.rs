// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the front end must refuse, and what the unit must refuse if it receives it nevertheless (COM-ILLEGAL).

use rand::RngExt;

use super::{FORMATS, Source, read, write};
use crate::{
    clause::Clause,
    cosim::stimulus::Forbidden,
    op::{Kind, Op},
    sets::r700::bins::REFUSED,
    sets::{
        self,
        r700::{self, CfOp, Inst},
    },
};

/// Makes an encoding that assembles but must be refused for execution.
pub fn forbidden(rng: &mut Source) -> Forbidden {
    let (mut cf, mut read) = (write(rng), read(rng));
    let which = rng.random_range(0..5);
    match which {
        0 => cf.op = CfOp::Export,
        1 => cf.op = CfOp::ExportDone,
        2 => {
            while FORMATS.contains(&read.data_format) {
                read.data_format = rng.random_range(0..64);
            }
        }
        3 => read.endian_swap = rng.random_range(1..4),
        _ => {
            let mut selects = read.selects();
            selects[rng.random_range(0..4)] = 6;
            read.set_selects(selects);
        }
    }
    let (inst, expected) = match which {
        0 | 1 => (Inst::Cf(cf), Clause::ComIllegal),
        _ => (Inst::Read(read), Clause::R700Read),
    };
    let found = r700::lower(&inst, r700::GPRS, 0).err().map(|error| error.clause());
    Forbidden { inst: sets::Inst::R700(inst), expected, clause: Clause::ComIllegal, which: REFUSED + which, found }
}

/// Turns an operation into one that no front end lets through.
pub fn spoil(rng: &mut Source, op: &mut Op) {
    match rng.random_range(0..8) {
        0 => op.kind = rng.random_range(2..4),
        1 => op.addr_mode = [0, 1, 2, 4, 5, 6, 7][rng.random_range(0..7)],
        2 => op.space = [0, 1, 2, 3, 4, 6, 10, 15][rng.random_range(0..8)],
        3 => op.element_bytes = [0, 1, 2, 3, 5, 8, 16, 20][rng.random_range(0..8)],
        4 => op.element_count = [0, 1, 2, 8, 5, 12][rng.random_range(0..6)],
        5 => op.element_mask |= 16 << rng.random_range(0..4),
        6 => op.array_size = [0, 4097, 0x1fff, 0x1800][rng.random_range(0..4)],
        _ => {
            op.kind = Kind::Load as u8;
            let component = 3 * rng.random_range(0..4);
            op.component_select = op.component_select & !(7 << component) | 6 << component;
        }
    }
}
