// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where a lane's compare-and-store is made in a g#.

use super::program::{compare_and_store, dwords, fault_of};
use super::uav::product;
use crate::{
    clause::Clause,
    model::{
        uav::{DISTANCE, Group, place_tgsm, place_tgsm_by},
        word::{Truth, Word},
    },
    op::{ADDR_WIDTH, AddrMode, Fault, Resource, Space},
    program::SHARED_BYTES,
    prove::{
        block::{Block, bit, ports},
    },
};

pub struct Tgsm;

ports! { Inputs { mode: 3, kind: 2, base: 32, size: 32, stride: 12, x: 32, y: 32 } }
// The product and its operand `count` are outputs too, as steps to the rest.
ports! {
    Outputs { misaligned: 1, count: 16, product: 48, memory: 1, shared: 1, space: 4, fault: 3, addr: ADDR_WIDTH }
}

/// The model's answer; with `given`, worked out from its operand and product.
fn answer<W: Word>(inputs: &Inputs<W>, given: Option<&Outputs<W>>) -> Outputs<W> {
    let Inputs { mode, kind, base, size, stride, x, y } = inputs;
    let group = Group { kind: kind.clone(), base: base.clone(), size: size.clone(), stride: stride.clone() };
    let is_struct = mode.is(AddrMode::Struct as u64, 3);
    let count = W::choose(&is_struct, &stride.zero_extend(12, 16), &W::literal(16, 0), 16);
    let by = given.map_or(&count, |given| &given.count);
    let products = product(by, &W::choose(&is_struct, x, &W::literal(32, 0), 32));
    let target = match given {
        None => place_tgsm(&group, mode, x, y),
        Some(given) => place_tgsm_by(&group, mode, x, y, &given.product.zero_extend(48, DISTANCE)),
    };
    let fault = fault_of(&target);
    let made = fault.is(Fault::None as u64, 3);
    // A lane without an access has no address.
    Outputs {
        misaligned: bit(&target.misaligned),
        count,
        product: products,
        shared: bit(&made),
        memory: W::literal(1, 0),
        space: W::literal(4, Space::Tgsm as u64),
        addr: W::choose(&made, &target.addr, &W::literal(ADDR_WIDTH, 0), ADDR_WIDTH),
        fault,
    }
}

impl Block for Tgsm {
    const NAME: &'static str = "tgsm";
    const CLAUSES: &'static [Clause] =
        &[Clause::Sm5Kind, Clause::Sm5Raw, Clause::Sm5Struct, Clause::Sm5OobTgsm, Clause::Sm5Align];
    const TOP: &'static str = "lsu_tgsm_proof";
    const WRAPPER: &'static str = include_str!("../../../../proof/lsu_tgsm_proof.sv");

    type Inputs<W: Word> = Inputs<W>;
    type Outputs<W: Word> = Outputs<W>;

    /// What the ports promise of a g# in a scratchpad of any size, and a mode that a g# has.
    fn assume<W: Word>(inputs: &Inputs<W>) -> W::Truth {
        let Inputs { mode, kind, base, size, stride, .. } = inputs;
        let modes = mode.is(AddrMode::Raw as u64, 3).or(&mode.is(AddrMode::Struct as u64, 3));
        modes
            .and(&dwords(&[(base, 32), (size, 32), (stride, 12)]))
            .and(&kind.is(Resource::Structured as u64, 2).and(&stride.is(0, 12)).not())
    }

    fn model<W: Word>(inputs: &Inputs<W>) -> Outputs<W> {
        answer(inputs, None)
    }

    fn steps<W: Word>(inputs: &Inputs<W>, given: &Outputs<W>) -> Outputs<W> {
        answer(inputs, Some(given))
    }

    /// As for a u#, except that nobody sees where in the scratchpad something was stored as long as nothing reads it.
    fn shows<W: Word>(inputs: &Inputs<W>, model: &Outputs<W>, rtl: &Outputs<W>) -> W::Truth {
        let Inputs { mode, kind, base, size, stride, .. } = inputs;
        // What a program may declare (SM5-STAGE).
        let declared = stride.less(&W::literal(12, 2049), 12);
        let bound = mode.extract(1, 0, 3).add(&W::literal(2, 1), 2).equal(kind, 2);
        let end = base.zero_extend(32, 33).add(&size.zero_extend(32, 33), 33);
        let room = end.less(&W::literal(33, SHARED_BYTES + 1), 33);
        let faults = model.fault.equal(&rtl.fault, 3).not();
        let forced = model.shared.is(1, 1).and(&model.misaligned.equal(&rtl.misaligned, 1).not());
        bound.and(&declared).and(&room).and(&faults.or(&forced))
    }

    fn program(inputs: &Inputs<u64>, _model: &Outputs<u64>, _rtl: &Outputs<u64>) -> String {
        let &Inputs { mode, base, size, stride, x, y, .. } = inputs;
        let slot = match AddrMode::from_code(mode as u8) {
            Some(AddrMode::Raw) => format!("raw {base:#x} {size:#x}"),
            _ => format!("structured {base:#x} {size:#x} {stride:#x}"),
        };
        compare_and_store(&format!("tgsm 0 {slot}"), "g0", [x, y, 0], [0, 1])
    }
}
