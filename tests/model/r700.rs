// SPDX-License-Identifier: MIT OR Apache-2.0
//! R700 bursts: worked examples and rules, one by one. `naive` says the rules a second time.

use gpu_lsu::{
    clause::Clause,
    model::{Fate, Filled, Memory, Place, Plan, Register, Trace, delivers, load, plan, r700_trace, trace},
    op::{AddrMode, Buffer, BufferSlot, Ctrl, Fault, Kind, LaneMask, Lanes, Op, Shape, Space},
};

const SHAPE: Shape = Shape::with_lanes(32);

/// `DST_SEL` of destination components X, Y, Z, W.
pub fn select(each: [u16; 4]) -> u16 {
    each.iter().rev().fold(0, |all, select| all << 3 | select)
}

/// A burst of so many GPRs in scratch, all components, without an index.
pub fn burst(kind: Kind, gprs: u32) -> Op {
    Op {
        kind: kind as u8,
        addr_mode: AddrMode::Array as u8,
        space: Space::Buffer as u8,
        element_bytes: 4,
        element_count: 4,
        element_mask: 0xf,
        array_size: 4096,
        elem_size: 3,
        present_gprs: ((1u32 << gprs) - 1) as u16,
        component_select: if kind == Kind::Load { select([0, 1, 2, 3]) } else { 0 },
        ..Op::default()
    }
}

/// Every buffer far from the others and large; scratch items of 4 KiB.
pub fn buffers() -> Ctrl {
    let mut ctrl = Ctrl::default();
    for (slot, buffer) in (0u64..).zip(&mut ctrl.buffer) {
        *buffer = Buffer { base: 0x1_0000_0000 * (slot + 1), stride: 0, size: 0x8000_0000 };
    }
    ctrl.buffer[0] = Buffer { base: 0x10_0000, stride: 0x1000, size: 0x1000 };
    ctrl
}

/// A lane for each index.
pub fn indices(indices: &[u32]) -> Lanes {
    let mut lanes = Lanes { active: LaneMask::lowest(indices.len()), ..Lanes::default() };
    for (lane, index) in indices.iter().enumerate() {
        lanes.addr[lane] = [*index, 0xdead_beef, 0xdead_beef];
    }
    lanes
}

/// Beats that tell themselves and their lanes apart.
pub fn beats() -> [Register; 64] {
    std::array::from_fn(|beat| std::array::from_fn(|lane| 0xb000_0000 + 0x100 * beat as u32 + lane as u32))
}

pub fn planned(shape: &Shape, ctrl: &Ctrl, op: &Op, lanes: &Lanes) -> Plan {
    let mut out = Plan::default();
    plan(shape, ctrl, op, lanes, &beats(), &mut out);
    out
}

/// What a lane moves: GPR, component and dword.
fn moves(ctrl: &Ctrl, op: &Op, index: u32) -> Vec<(u8, u8, u64)> {
    let trace = r700_trace(&SHAPE, ctrl, op, &indices(&[index]), 0).unwrap();
    let moved = trace.dwords.iter().filter(|dword| dword.fate == Fate::Moved);
    moved.map(|dword| (dword.gpr, dword.component, dword.dword)).collect()
}

/// Dwords of whole GPRs, each from its X on.
fn whole(firsts: &[u64]) -> Vec<(u8, u8, u64)> {
    let gprs = (0..).zip(firsts);
    gprs.flat_map(|(gpr, first)| (0..4).map(move |c| (gpr, c, first + u64::from(c)))).collect()
}

/// Buffer, array base and size, elements' dwords, mask, GPRs; index, and the dwords in either form.
#[test]
fn r700_worked_examples() {
    let none = vec![];
    let yz = vec![(0, 1, 7), (0, 2, 8)];
    let xyz = vec![(0, 0, 0x234), (0, 1, 0x235), (0, 2, 0x236)];
    for (slot, base, size, dwords, mask, gprs, index, first, driver) in [
        (BufferSlot::Scratch, 5, 1, 4, 0xf, 1, None, whole(&[20]), whole(&[20])),
        (BufferSlot::Scratch, 8, 16, 4, 0xf, 2, Some(3), whole(&[44, 48]), whole(&[44, 48])),
        (BufferSlot::Scratch, 8, 16, 4, 0xf, 2, Some(15), whole(&[92]), whole(&[92])),
        (BufferSlot::Scratch, 8, 16, 4, 0xf, 2, Some(u32::MAX), none.clone(), none),
        (BufferSlot::Reduction, 2, 1, 4, 0x3, 1, None, vec![(0, 0, 8), (0, 1, 9)], vec![(0, 0, 8), (0, 1, 9)]),
        (BufferSlot::Stream0, 6, 4096, 1, 0x6, 1, None, yz.clone(), yz),
        (BufferSlot::Ring, 12, 1, 4, 0xf, 1, None, whole(&[48]), whole(&[12])),
        (BufferSlot::Export, 0, 4096, 1, 0x7, 1, Some(0x234), xyz.clone(), xyz),
    ] {
        let (array_base, array_size, elem_size) = (base, size, dwords - 1);
        let op = Op {
            slot: slot as u8,
            array_base,
            array_size,
            elem_size,
            element_mask: mask,
            use_index: index.is_some(),
            ..burst(Kind::Store, gprs)
        };
        for (r700_driver_form, want) in [(false, first), (true, driver)] {
            let ctrl = Ctrl { r700_driver_form, ..buffers() };
            // Without an index the register does not matter.
            let index = index.unwrap_or(0xffff_fff0);
            assert_eq!(moves(&ctrl, &op, index), want, "{slot:?}, driver {r700_driver_form}");
            let out = planned(&SHAPE, &ctrl, &op, &indices(&[index]));
            let buffer = ctrl.buffer[slot as usize];
            let bytes: Vec<u64> = want.iter().map(|(_, _, dword)| buffer.base + 4 * dword).collect();
            let asked = out.requests.iter().flat_map(|request| {
                (0..128).step_by(4).filter(|byte| request.byte_enable >> byte & 0xf == 0xf).map(|b| request.line + b)
            });
            assert_eq!(asked.collect::<Vec<_>>(), bytes, "{slot:?}");
            assert_eq!(out.faults[0], Fault::None);
        }
    }
}

/// R700-FIRST and R700-CLAMP do not wrap where 32 bits would: nothing is written, and nothing faults.
#[test]
fn r700_first_is_exact() {
    for (base, index, elem_size) in
        [(0, 1 << 30, 3), (0, 1 << 31, 1), (1, u32::MAX, 0), (8191, u32::MAX - 8190, 3), (0, 0x5555_5556, 2)]
    {
        let op = Op { array_base: base, elem_size, use_index: true, slot: 6, ..burst(Kind::Store, 16) };
        for r700_driver_form in [false, true] {
            let ctrl = Ctrl { r700_driver_form, ..buffers() };
            let out = planned(&SHAPE, &ctrl, &op, &indices(&[index]));
            assert_eq!(
                (out.requests.len(), out.memory, out.faults[0]),
                (0, LaneMask::NONE, Fault::None),
                "{base} + {index:#x}"
            );
            // For drivers export has no limit, and so much is past any size.
            let out = planned(&SHAPE, &ctrl, &Op { slot: 7, ..op }, &indices(&[index]));
            let fault = if r700_driver_form { Fault::Allocation } else { Fault::None };
            assert_eq!((out.requests.len(), out.faults[0]), (0, fault), "export {index:#x}");
        }
    }
}

/// R700-CLAMP: limit - 1, limit, limit + 1, for elements of every size, and a burst that crosses the limit.
#[test]
fn r700_clamp_at_the_limit() {
    for elem_size in 0..4u8 {
        let op = Op { array_base: 3, array_size: 5, elem_size, use_index: true, slot: 2, ..burst(Kind::Store, 3) };
        let (dwords, limit) = (u64::from(elem_size) + 1, 8 * (u64::from(elem_size) + 1));
        for index in [3, 4, 5, 6] {
            let want: Vec<_> = (0..3u8)
                .flat_map(|gpr| (0..4u8).map(move |component| (gpr, component)))
                .map(|(gpr, c)| (gpr, c, (3 + u64::from(index) + u64::from(gpr)) * dwords + u64::from(c)))
                .filter(|(_, _, dword)| *dword < limit)
                .collect();
            assert_eq!(moves(&buffers(), &op, index), want, "ELEM_SIZE {elem_size}, index {index}");
            let clauses = trace(&SHAPE, &buffers(), &op, &indices(&[index]), 0).clauses;
            assert!(clauses.contains(&Clause::R700Clamp) && !clauses.contains(&Clause::R700Bound));
        }
    }
}

/// R700-BOUND: a dword fits if its last byte does; the clamp comes before; the other dwords go ahead.
#[test]
fn r700_bound_dword_by_dword() {
    let op = Op { array_size: 2, ..burst(Kind::Store, 3) }; // dwords 0 to 11, limit 8
    for (size, moved, fault) in [
        (0, 0, Fault::Allocation),
        (4, 1, Fault::Allocation),
        (28, 7, Fault::Allocation),
        (32, 8, Fault::None),
        (36, 8, Fault::None),
        (u32::MAX - 3, 8, Fault::None),
    ] {
        let mut ctrl = buffers();
        ctrl.buffer[0].size = size;
        assert_eq!(moves(&ctrl, &op, 0).len(), moved, "size {size}");
        let out = planned(&SHAPE, &ctrl, &op, &indices(&[0]));
        assert_eq!((out.faults[0], out.memory.bits()), (fault, u32::from(moved > 0)), "size {size}");
        let read =
            planned(&SHAPE, &ctrl, &Op { kind: 0, component_select: select([0, 1, 2, 3]), ..op }, &indices(&[0]));
        assert_eq!((read.faults[0], read.zeros, read.filled.len()), (fault, LaneMask::NONE, 12 - moved), "size {size}");
    }
    // Masked and absent components cannot fault.
    let mut ctrl = buffers();
    ctrl.buffer[0].size = 8;
    for op in
        [Op { element_mask: 3, present_gprs: 1, ..op }, Op { element_mask: 0, ..op }, Op { present_gprs: 0, ..op }]
    {
        assert_eq!(planned(&SHAPE, &ctrl, &op, &indices(&[0])).faults[0], Fault::None);
    }
}

/// R700-PLACE: an item of scratch for each thread of each warp; other buffers are everybody's.
#[test]
fn r700_place_threads() {
    let ctrl = buffers();
    for warp in 0..8u8 {
        let op = Op { warp, array_base: 1, ..burst(Kind::Store, 1) };
        let out = planned(&Shape::with_lanes(8), &ctrl, &op, &indices(&[0; 8]));
        for lane in 0..8 {
            assert_eq!(out.addr[lane], 0x10_0000 + 0x1000 * (8 * u64::from(warp) + lane as u64) + 16);
        }
        assert_eq!(out.requests.len(), 8);
        let out = planned(&Shape::with_lanes(8), &ctrl, &Op { slot: 1, ..op }, &indices(&[0; 8]));
        assert_eq!(
            (out.requests.len(), out.requests[0].lanes.bits(), out.requests[0].byte_enable),
            (1, 0xff, 0xffff << 16)
        );
        // COM-SAMEADDR
        assert_eq!(out.requests[0].data[16..20], beats()[0][7].to_le_bytes());
    }
}

/// R700-FIRST holds for general export too; what drivers mean there is the index, without base, scale and limit.
#[test]
fn r700_driver_general_export() {
    let [ours, drivers] = [false, true].map(|r700_driver_form| Ctrl { r700_driver_form, ..buffers() });
    for kind in [Kind::Store, Kind::Load] {
        let op = Op { slot: 7, array_base: 8, array_size: 16, use_index: true, ..burst(kind, 2) };
        assert_eq!(moves(&ours, &op, 5), whole(&[52, 56]));
        assert_eq!(moves(&drivers, &op, 5), whole(&[5, 9]), "the GPRs are ELEM_SIZE + 1 apart all the same");
        // The limit is (8 + 16) * 4.
        assert_eq!(moves(&ours, &op, 15), whole(&[92]));
        assert_eq!(moves(&drivers, &op, 1000), whole(&[1000, 1004]));
        let fixed = Op { use_index: false, ..op };
        assert_eq!((moves(&ours, &fixed, 5), moves(&drivers, &fixed, 5)), (whole(&[32, 36]), whole(&[0, 4])));
    }
}

/// R700-PLACE: with a stride each thread of a stream or a ring writes a record of its own.
#[test]
fn r700_place_records() {
    let mut ctrl = buffers();
    (ctrl.buffer[2].stride, ctrl.buffer[6].stride) = (0x30, 0x40);
    assert_eq!(ctrl.check(&SHAPE), Ok(()));
    for (slot, stride) in [(2u8, 0x30), (6, 0x40)] {
        let op = Op { slot, warp: 3, elem_size: 0, ..burst(Kind::Store, 1) };
        let out = planned(&Shape::with_lanes(8), &ctrl, &op, &indices(&[0; 8]));
        for lane in 0..8 {
            let thread = 8 * 3 + lane as u64;
            assert_eq!(out.addr[lane], 0x1_0000_0000 * (u64::from(slot) + 1) + stride * thread, "slot {slot}");
        }
    }
    for slot in [1, 7] {
        let mut ctrl = buffers();
        ctrl.buffer[slot].stride = 4;
        let refused = format!("`buffer` {slot}: reduction (1) and export (7) have no stride (R700-PLACE)");
        assert_eq!(ctrl.check(&SHAPE), Err(refused));
    }
}

/// R700-STAGE: four scratch buffers, each with base, stride and size of its own; everything else is shared.
#[test]
fn r700_stage_has_its_own_scratch() {
    let mut ctrl = buffers();
    let own = |stage: u64| Buffer { base: 0x40_0000 * stage, stride: 0x100 * stage as u32, size: 0x20 * stage as u32 };
    ctrl.stage_scratch = [1, 2, 3].map(own);
    let bases = [0x10_0000, 0x40_0000, 0x80_0000, 0xc0_0000];
    for (stage, (base, stride)) in (0u8..).zip(bases.into_iter().zip([0x1000, 0x100, 0x200, 0x300])) {
        let op = Op { stage, warp: 1, ..burst(Kind::Store, 1) };
        let out = planned(&Shape::with_lanes(8), &ctrl, &op, &indices(&[0; 8]));
        assert_eq!((out.addr[0], out.addr[7]), (base + 8 * stride, base + 15 * stride), "stage {stage}");
        let ring = planned(&SHAPE, &ctrl, &Op { slot: 6, ..op }, &indices(&[0]));
        assert_eq!(ring.addr[0], 0x7_0000_0000);
    }
    // R700-BOUND: the vertex shaders' items have two elements.
    let op = Op { stage: 1, ..burst(Kind::Store, 3) };
    assert_eq!(moves(&ctrl, &op, 0), whole(&[0, 4]));
}

/// R700-ELEM: where the transfers of one thread overlap, the later GPR wins, whatever the lane.
#[test]
fn r700_elem_the_later_gpr_wins() {
    let op = Op { elem_size: 0, slot: 1, ..burst(Kind::Store, 3) };
    let out = planned(&SHAPE, &buffers(), &op, &indices(&[0, 0]));
    let mut memory = Memory::new(0);
    out.requests.iter().for_each(|request| memory.write(request.line, request.byte_enable, &request.data));
    let line = memory.read_line(buffers().buffer[1].base);
    let dwords: Vec<u32> = line.chunks(4).map(|bytes| u32::from_le_bytes(bytes.try_into().unwrap())).collect();
    // X of the three GPRs, then Y, Z, W of the last, from lane 1.
    assert_eq!(dwords[..6], [0, 4, 8, 9, 10, 11].map(|beat: usize| beats()[beat][1]));
    assert_eq!(out.requests.iter().map(|request| request.group).collect::<Vec<_>>(), [0, 1, 2]);
}

/// R700-ELEM: masked components do not close up, and the data beats are those of the others (PORT-DATA).
#[test]
fn r700_elem_every_mask() {
    for mask in 0..16u8 {
        let op = Op { element_mask: mask, present_gprs: 0b101, slot: 1, ..burst(Kind::Store, 3) };
        let out = planned(&SHAPE, &buffers(), &op, &indices(&[0]));
        let mut want = Vec::new();
        for gpr in [0, 2u8] {
            want.extend((0..4).filter(|c| mask >> c & 1 == 1).map(|c| 16 * usize::from(gpr) + 4 * c));
        }
        assert_eq!(want.len() as u32, op.data_beats());
        let got = out.requests.iter().flat_map(|request| {
            let at = (0..128).step_by(4).filter(|byte| request.byte_enable >> byte & 1 == 1);
            at.map(|byte| (byte, u32::from_le_bytes(request.data[byte..byte + 4].try_into().unwrap())))
        });
        let want: Vec<_> = want.into_iter().enumerate().map(|(beat, byte)| (byte, beats()[beat][0])).collect();
        assert_eq!(got.collect::<Vec<_>>(), want, "mask {mask:#b}");
        let clauses = trace(&SHAPE, &buffers(), &op, &indices(&[0]), 0).clauses;
        assert_eq!(clauses.contains(&Clause::R700Vpm), mask == 0);
    }
}

/// PORT-GROUP: an element of three dwords that crosses a line costs one more, its lower part first.
#[test]
fn port_group_a_lane_in_two_lines() {
    let shape = Shape { line_bytes: 32, ..Shape::with_lanes(4) };
    let op = Op { elem_size: 2, element_mask: 7, slot: 1, use_index: true, ..burst(Kind::Store, 1) };
    let base = buffers().buffer[1].base;
    // Lane 0: dwords 6, 7 | 8. Lane 1: 0, 1, 2. Lane 2: 15 | 16, 17.
    let out = planned(&shape, &buffers(), &op, &indices(&[2, 0, 5]));
    let got: Vec<_> = out
        .requests
        .iter()
        .map(|r| (r.line - base, r.lanes.bits(), r.served.map(LaneMask::bits), r.byte_enable))
        .collect();
    let want = [
        (0, 0b011, [0b011, 0b011, 0b010, 0], 0xff00_0fff),
        (32, 0b101, [0b100, 0, 0b001, 0], 0xf000_000f),
        (64, 0b100, [0, 0b100, 0b100, 0], 0xff),
    ];
    assert_eq!(got, want);
}

/// R700-VPM, COM-HELPER: a pixel that is not valid writes nothing only if the operation asks for it; reads go ahead.
#[test]
fn r700_vpm_suppresses_helpers() {
    let mut lanes = indices(&[0, 0, 0]);
    (lanes.active, lanes.helper) = (LaneMask::from_bits(0b110), LaneMask::from_bits(0b011));
    for suppress_helpers in [false, true] {
        let op = Op { suppress_helpers, ..burst(Kind::Store, 1) };
        let out = planned(&SHAPE, &buffers(), &op, &lanes);
        let writes = LaneMask::from_bits(if suppress_helpers { 0b100 } else { 0b110 });
        assert_eq!((out.active, out.memory), (writes, writes));
        let clauses = |lane| trace(&SHAPE, &buffers(), &op, &lanes, lane).clauses;
        assert_eq!(clauses(0), [Clause::ComInactive]);
        assert_eq!(clauses(1) == [Clause::R700Vpm], suppress_helpers);
    }
    assert_eq!(planned(&SHAPE, &buffers(), &burst(Kind::Load, 1), &lanes).memory, lanes.active);
}

/// R700-READ: every selection in every destination, for every set of components that the format has.
#[test]
fn r700_read_every_selection() {
    let memory = Memory::new(3);
    let base = buffers().buffer[0].base;
    let word = |component: u64| {
        u32::from_le_bytes(std::array::from_fn(|byte| memory.byte(base + 4 * component + byte as u64)))
    };
    for component_select in (0..1u16 << 12).filter(|all| (0..4).all(|at| all >> (3 * at) & 7 != 6)) {
        for element_mask in [0, 1, 3, 7, 15] {
            let one_is_float = component_select % 2 == 0;
            let op = Op { component_select, element_mask, one_is_float, ..burst(Kind::Load, 1) };
            let out = planned(&SHAPE, &buffers(), &op, &indices(&[0]));
            let mut got = [[0x5555_5555; 32]; 4];
            let mut times = [0; 4];
            for (index, request) in out.requests.iter().enumerate() {
                load(&op, &out, index, &memory.read_line(request.line), &mut got);
                delivers(&op, request).for_each(|(register, _)| times[register] += 1);
            }
            for &Filled { index, lanes, value } in &out.filled {
                assert_eq!(lanes, LaneMask::only(0));
                got[usize::from(index)][0] = value;
                times[usize::from(index)] += 1;
            }
            let mut needed = 0u32;
            for register in 0..4 {
                let want = match op.select(register as u32) {
                    c @ 0..=3 if element_mask >> c & 1 == 1 => {
                        needed |= 1 << c;
                        word(c.into())
                    }
                    5 if one_is_float => 0x3f80_0000,
                    5 => 1,
                    7 => 0x5555_5555,
                    _ => 0,
                };
                assert_eq!(got[register][0], want, "{component_select:#o}, format {element_mask:#b}");
                assert_eq!(times[register], u32::from(op.select(register as u32) != 7));
            }
            // A component that nobody takes is not read; constants alone ask for nothing.
            assert_eq!(out.requests.len(), usize::from(needed != 0));
            let bytes = out.requests.first().map_or(0, |request| request.byte_enable);
            assert_eq!(bytes.count_ones(), 4 * needed.count_ones());
        }
    }
}

/// R700-READOOB: what is past the limit reads 0 without a fault, beside what is not.
#[test]
fn r700_readoob_reads_zero() {
    let op = Op { array_size: 1, elem_size: 1, ..burst(Kind::Load, 2) }; // dwords 0 to 3 and 2 to 5, limit 2
    let out = planned(&SHAPE, &buffers(), &op, &indices(&[0]));
    assert_eq!((out.requests.len(), out.requests[0].byte_enable, out.faults[0]), (1, 0xff, Fault::None));
    let zero = |index| Filled { index, lanes: LaneMask::only(0), value: 0 };
    assert_eq!(out.filled, [2, 3, 4, 5, 6, 7].map(zero));
    let Trace { clauses, place, ea, .. } = trace(&SHAPE, &buffers(), &op, &indices(&[0]), 0);
    use Clause::*;
    assert_eq!(clauses, [R700First, R700Read, R700Elem, R700Clamp, R700Readoob, R700Place, ComPrivate]);
    assert_eq!(place, Place::Buffer { slot: 0, dword: 0, addr: 0x10_0000 });
    assert_eq!(ea, 0x10_0000);
}
