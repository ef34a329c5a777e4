// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where a lane's compare-and-store is made in a u#, of every kind.

use super::program::{compare_and_store, dwords, fault_of};
use crate::{
    clause::Clause,
    model::{
        uav::{DISTANCE, Scaled, Target, View, pitched, place_by, place_uav},
        word::{Truth, Word},
    },
    op::{ADDR_WIDTH, AddrMode, Dimension, Fault, Resource, Space},
    prove::{
        block::{Block, bit, ports},
    },
};

pub struct Uav;

ports! {
    Inputs {
        mode: 3, kind: 2, dimension: 3, base: ADDR_WIDTH, size: ADDR_WIDTH, stride: 12, width: 32, height: 16, depth: 16,
        row_pitch: 32, slice_pitch: 32, x: 32, y: 32, z: 32,
    }
}
// The products and their operands are outputs too, as steps to the rest.
ports! {
    Outputs {
        count: 16, unit: 32, slice: 16, product: 48, slices: 48, misaligned: 1, memory: 1, shared: 1, space: 4, fault: 3,
        addr: ADDR_WIDTH,
    }
}

/// A product of the RTL: a number of units, times the distance from one unit to the next.
pub fn product<W: Word>(count: &W, unit: &W) -> W {
    count.zero_extend(16, 48).mul(&unit.zero_extend(32, 48), 48)
}

/// The model's answer; with `given`, worked out from its operands and products.
fn answer<W: Word>(inputs: &Inputs<W>, given: Option<&Outputs<W>>) -> Outputs<W> {
    let Inputs { mode, x, y, z, .. } = inputs;
    let view = View {
        kind: inputs.kind.clone(),
        dimension: inputs.dimension.clone(),
        base: inputs.base.clone(),
        size: inputs.size.clone(),
        stride: inputs.stride.clone(),
        width: inputs.width.clone(),
        height: inputs.height.clone(),
        depth: inputs.depth.clone(),
        row_pitch: inputs.row_pitch.clone(),
        slice_pitch: inputs.slice_pitch.clone(),
    };
    let (is_struct, is_typed) = (mode.is(AddrMode::Struct as u64, 3), mode.is(AddrMode::Typed as u64, 3));
    let [row, slice] = pitched(&view.dimension, y, z).map(|index| W::choose(&is_typed, &index, &W::literal(16, 0), 16));
    let count = W::choose(&is_struct, &view.stride.zero_extend(12, 16), &row, 16);
    let unit = W::choose(&is_struct, x, &view.row_pitch, 32);
    let (by, of, slices_by) = given.map_or((&count, &unit, &slice), |given| (&given.count, &given.unit, &given.slice));
    let (products, slices) = (product(by, of), product(slices_by, &view.slice_pitch));
    let target = match given {
        None => place_uav(&view, mode, [x, y, z]),
        Some(given) => {
            let rows = given.product.zero_extend(48, DISTANCE);
            let slices = given.slices.zero_extend(48, DISTANCE);
            place_by(&view, mode, [x, y, z], &Scaled { structures: rows.clone(), rows, slices })
        }
    };
    let Target { misaligned, addr, .. } = &target;
    let fault = fault_of(&target);
    let made = fault.is(Fault::None as u64, 3);
    // A lane without an access has no address.
    Outputs {
        count,
        unit,
        slice,
        product: products,
        slices,
        misaligned: bit(misaligned),
        memory: bit(&made),
        shared: W::literal(1, 0),
        space: W::literal(4, Space::Uav as u64),
        addr: W::choose(&made, addr, &W::literal(ADDR_WIDTH, 0), ADDR_WIDTH),
        fault,
    }
}

impl Block for Uav {
    const NAME: &'static str = "uav";
    const CLAUSES: &'static [Clause] = &[
        Clause::Sm5Kind,
        Clause::Sm5Raw,
        Clause::Sm5Struct,
        Clause::Sm5Typed,
        Clause::Sm5OobUav,
        Clause::Sm5OobOffset,
        Clause::Sm5Align,
        Clause::Sm5Unbound,
    ];
    const TOP: &'static str = "lsu_uav_proof";
    const WRAPPER: &'static str = include_str!("../../../../proof/lsu_uav_proof.sv");

    type Inputs<W: Word> = Inputs<W>;
    type Outputs<W: Word> = Outputs<W>;

    /// What the ports promise of a u#, and a mode of SM5.
    fn assume<W: Word>(inputs: &Inputs<W>) -> W::Truth {
        let Inputs { mode, kind, base, size, stride, row_pitch, slice_pitch, .. } = inputs;
        let end = base.zero_extend(ADDR_WIDTH, 41).add(&size.zero_extend(ADDR_WIDTH, 41), 41);
        [AddrMode::Raw, AddrMode::Struct, AddrMode::Typed]
            .into_iter()
            .fold(W::Truth::constant(false), |found, is| found.or(&mode.is(is as u64, 3)))
            .and(&dwords(&[(base, ADDR_WIDTH), (size, ADDR_WIDTH), (stride, 12), (row_pitch, 32), (slice_pitch, 32)]))
            .and(&kind.is(Resource::Structured as u64, 2).and(&stride.is(0, 12)).not())
            .and(&W::literal(41, 1 << ADDR_WIDTH).less(&end, 41).not())
    }

    fn model<W: Word>(inputs: &Inputs<W>) -> Outputs<W> {
        answer(inputs, None)
    }

    fn steps<W: Word>(inputs: &Inputs<W>, given: &Outputs<W>) -> Outputs<W> {
        answer(inputs, Some(given))
    }

    /// The slot is bound as the instruction expects, because an instruction in a program gets the mode of its slot. For
    /// a lane without an access, nobody sees whether it is misaligned.
    fn shows<W: Word>(inputs: &Inputs<W>, model: &Outputs<W>, rtl: &Outputs<W>) -> W::Truth {
        let Inputs { mode, kind, dimension, stride, .. } = inputs;
        // What a program may declare (SM5-STAGE).
        let declared = stride.less(&W::literal(12, 2049), 12);
        let bound = mode.extract(1, 0, 3).add(&W::literal(2, 1), 2).equal(kind, 2);
        let some = dimension.less(&W::literal(3, Dimension::Texture3d as u64 + 1), 3);
        let made = |answer: &Outputs<W>| answer.memory.is(1, 1);
        bound.and(&declared).and(&some).and(&made(model).or(&made(rtl)).or(&model.fault.equal(&rtl.fault, 3).not()))
    }

    fn program(inputs: &Inputs<u64>, _model: &Outputs<u64>, _rtl: &Outputs<u64>) -> String {
        let &Inputs { mode, dimension, base, size, stride, width, height, depth, row_pitch, slice_pitch, .. } = inputs;
        let slot = match AddrMode::from_code(mode as u8) {
            Some(AddrMode::Raw) => format!("raw {base:#x} {size:#x}"),
            Some(AddrMode::Struct) => format!("structured {base:#x} {size:#x} {stride:#x}"),
            _ => {
                let lengths = |name: &str| format!("typed {name} {base:#x} {size:#x} {width:#x}");
                let (row, slice) = (format!("row {row_pitch:#x}"), format!("slice {slice_pitch:#x}"));
                match Dimension::from_code(dimension as u8) {
                    Some(Dimension::Texture1dArray) => format!("{} {depth:#x} {slice}", lengths("1darray")),
                    Some(Dimension::Texture2d) => format!("{} {height:#x} {row}", lengths("2d")),
                    Some(Dimension::Texture2dArray) => {
                        format!("{} {height:#x} {depth:#x} {row} {slice}", lengths("2darray"))
                    }
                    Some(Dimension::Texture3d) => format!("{} {height:#x} {depth:#x} {row} {slice}", lengths("3d")),
                    Some(Dimension::Texture1d) => lengths("1d"),
                    _ => lengths("buffer"),
                }
            }
        };
        compare_and_store(&format!("uav 0 {slot}"), "u0", [inputs.x, inputs.y, inputs.z], [0, 1])
    }
}
