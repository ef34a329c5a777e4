// SPDX-License-Identifier: MIT OR Apache-2.0
//! Unknown bits: `x` and `z`.

use bitvec::{order::Lsb0, view::BitView};

use super::{
    find::joined,
    sampler::Sampler,
    walk::{Flight, is_read},
};
use crate::{
    clause::Clause,
    judge::{
        Promises,
        log::{Issue, Report, Unknown, sample},
    },
    model::{Plan, legal, plan},
    op::{
        AddrMode, Attr, Bits, BufferSlot, Ctrl, Kind, LaneMask, Lanes, MAX_LINE_BYTES, Op, Packed, Shape, Space, Tgsm,
        Uav,
    },
    ports::{Channel, Direction, PORTS, Port, Wires},
};

/// The report, in the form of an assertion, on a port that is driven with unknown bits.
pub fn report(port: &Port, part: &str, cycle: u64, value: &str) -> Report {
    let clause = match port.channel {
        Channel::Unit if port.name == PORTS.rst_n.name => Clause::PortReset,
        Channel::Unit | Channel::Op => Clause::PortOp,
        Channel::Data => Clause::PortData,
        Channel::WriteBack => Clause::PortWb,
        Channel::Done => Clause::PortDone,
        Channel::Request => Clause::PortReq,
        Channel::Response => Clause::PortRsp,
    };
    let whose = if port.direction == Direction::Input { " (environment)" } else { "" };
    let text = format!("{clause}{whose}: `{part}` is unknown in cycle {cycle}: {value}");
    Report { text, unknown: Some(format!("`{part}`{whose}")), beat: None }
}

/// Clears unknown bits that mean nothing in what was read of a channel: fields, words and lanes that do not take part,
/// bytes that are not enabled, data and errors in answers after the first, and what no promise speaks of. `flight` is the
/// request that a response answers, if its beginning was seen. Data beats are for [`Stored`], once their operation is known.
pub fn forgive(sampler: &mut Sampler, channel: Channel, flight: Option<Flight>, promises: &Promises) {
    if sampler.unknown.payload(channel).all(|(_, words)| words.iter().all(|&word| word == 0)) {
        return;
    }
    let Sampler { now, unknown, shape, .. } = sampler;
    match channel {
        Channel::Op => {
            let (op, lanes) = sample::op(now);
            let executing = executing(&op, &lanes);
            let words = address_words(&op);
            for (lane, unknown) in unknown.op_addr.chunks_mut(3).enumerate() {
                let meant = if executing.contains(lane) { words } else { 0 };
                unknown[meant..].fill(0);
            }
            let helpers = LaneMask::from_bits(unknown.op_helper[0]) | lanes.helper;
            let mut fields = Op::unpack(Bits::from_slice(&unknown.op));
            if op.kind == Kind::CmpStore as u8 || (helpers & lanes.active).is_empty() {
                fields.suppress_helpers = false;
            }
            forgive_fields(&op, &mut fields, promises);
            unknown.op.copy_from_slice(&fields.to_words());
            unknown.op_helper[0] &= if suppresses(&op) { lanes.active.bits() } else { 0 };
            unknown.op_predicate[0] &= if takes_predicate(&op) { executing.bits() } else { 0 };
        }
        Channel::WriteBack => {
            let mask = LaneMask::from_bits(now.wb_mask.value() as u32);
            (0..shape.lanes).filter(|&lane| !mask.contains(lane)).for_each(|lane| unknown.wb_data[lane] = 0);
        }
        Channel::Request => {
            let mut enable = [0; MAX_LINE_BYTES / 8];
            now.req_be.copy_bytes(&mut enable);
            let reads = is_read(now.req_kind.value() as u8);
            keep_bytes(&mut unknown.req_data, if reads { 0 } else { u128::from_le_bytes(enable) });
            if !promises.keeps(Clause::ComAttr) {
                unknown.req_attr.fill(0);
            }
            if !promises.keeps(Clause::PortGroup) {
                unknown.req_group.fill(0);
            }
        }
        Channel::Response => {
            let first = flight.filter(|flight| !flight.answered);
            let exclusive = first.is_some_and(|flight| flight.exclusive);
            if first.is_none() {
                unknown.rsp_error.fill(0);
            }
            if !exclusive {
                unknown.rsp_exclusive_failed.fill(0);
            }
            let fails = now.rsp_error.value() == 1 || exclusive && now.rsp_exclusive_failed.value() == 1;
            let carries = first.filter(|flight| flight.reads && !fails);
            keep_bytes(&mut unknown.rsp_data, carries.map_or(0, |flight| flight.byte_enable));
        }
        Channel::Unit | Channel::Data | Channel::Done => {}
    }
}

/// Clears the fields of an operation that its instruction set does not have, or that no judgement needs. What makes an
/// operation legal always matters.
fn forgive_fields(op: &Op, unknown: &mut Op, promises: &Promises) {
    let (legal, burst, load) = (legal(op), op.is_burst(), op.kind == Kind::Load as u8);
    let pairs = op.kind == Kind::CmpStore as u8;
    let none = Op::default();
    if !legal || burst || pairs {
        unknown.imm = 0;
    } else if op.addr_mode == AddrMode::Reg32 as u8 {
        // The sum is taken modulo 2^32.
        unknown.imm &= u64::from(u32::MAX);
    }
    unknown.sign_extend &= legal && load && !burst && op.element_bytes < 4;
    unknown.await_last &= legal && burst && !load;
    if !legal || !burst && !pairs {
        unknown.slot = 0;
    }
    if !legal || !burst || op.slot != BufferSlot::Scratch as u8 {
        unknown.stage = 0;
    }
    if !burst {
        unknown.array_size = 0;
    }
    if !burst || !load {
        unknown.component_select = 0;
    }
    if !legal || !burst {
        let Op { array_base, elem_size, use_index, present_gprs, .. } = none;
        *unknown = Op { array_base, elem_size, use_index, present_gprs, ..*unknown };
    }
    unknown.one_is_float &= legal && burst && load;
    let Attr { semantics, scope, uncached, .. } = unknown.attr;
    if !legal {
        unknown.attr = Attr { semantics, ..none.attr };
    } else if !promises.keeps(Clause::ComAttr) {
        unknown.attr = Attr { semantics, scope, uncached, ..none.attr };
    }
}

/// The number of address words that each lane has.
fn address_words(op: &Op) -> usize {
    match AddrMode::from_code(op.addr_mode).filter(|_| legal(op)) {
        None | Some(AddrMode::Abs) => 0,
        Some(AddrMode::Array) => usize::from(op.use_index),
        Some(AddrMode::Reg32 | AddrMode::Raw) => 1,
        Some(AddrMode::Reg64 | AddrMode::Struct) => 2,
        Some(AddrMode::Typed) => 3,
    }
}

/// Whether the predicates say where the lanes' accesses go (SPA5-SPACE).
fn takes_predicate(op: &Op) -> bool {
    legal(op) && op.space == Space::Predicated as u8
}

/// Whether helper lanes do not execute.
fn suppresses(op: &Op) -> bool {
    op.suppress_helpers || op.kind == Kind::CmpStore as u8
}

fn executing(op: &Op, lanes: &Lanes) -> LaneMask {
    lanes.active - if suppresses(op) { lanes.helper } else { LaneMask::NONE }
}

/// A data beat with unknown bits, until its operation is known.
pub struct Stored {
    /// Its number in the log.
    pub beat: u32,
    cycle: u64,
    unknown: Vec<u32>,
    levels: Vec<u32>,
}

impl Stored {
    /// The beat that was read, if it has unknown bits.
    pub fn find(sampler: &Sampler, beat: u32, cycle: u64) -> Option<Self> {
        let unknown = sampler.unknown.data.clone();
        let levels = sampler.now.data.words().to_vec();
        unknown.iter().any(|&word| word != 0).then_some(Stored { beat, cycle, unknown, levels })
    }

    /// The report, if the operation stores one of the bits. Without the control registers, every lane that executes counts
    /// as one that stores.
    pub fn report(mut self, shape: &Shape, ctrl: Option<&Ctrl>, issue: &Issue) -> Option<Report> {
        let mut made = Plan::default();
        plan(shape, ctrl.unwrap_or(&Ctrl::default()), &issue.op, &issue.lanes, &issue.data, &mut made);
        let storing = if ctrl.is_some() { made.memory | made.shared } else { made.active };
        let bits = 8 * u32::from(issue.op.element_bytes);
        let low = if bits < 32 { (1 << bits) - 1 } else { u32::MAX };
        for (lane, unknown) in self.unknown.iter_mut().enumerate() {
            *unknown &= if storing.contains(lane) { low } else { 0 };
        }
        let (part, value) = part(shape, &PORTS.data, &self.unknown, &self.levels)?;
        Some(report(&PORTS.data, &part, self.cycle, &value))
    }
}

/// The unknown bits of the beat that was read.
pub fn beat(sampler: &Sampler) -> Unknown {
    let Sampler { now, unknown, shape, .. } = sampler;
    let bits = (0..shape.lanes).map(|lane| (lane, unknown.wb_data[lane])).filter(|&(_, bits)| bits != 0).collect();
    let (warp, tag, register) = (now.wb_warp.value() as u8, now.wb_tag.value() as u8, now.wb_reg.value() as u8);
    Unknown { warp, tag, register, bits }
}

fn keep_bytes(unknown: &mut [u32], bytes: u128) {
    for (byte, bits) in unknown.view_bits_mut::<Lsb0>().chunks_mut(8).enumerate() {
        if bytes >> byte & 1 == 0 {
            bits.fill(false);
        }
    }
}

/// The ports of a channel that were read with unknown bits, each with its first such part and the value of that part.
/// For an operation, the control registers that it uses count too, because it depends on them.
pub fn payload(sampler: &Sampler, channel: Channel) -> Vec<(&'static Port, String, String)> {
    let ctrl = if channel == Channel::Op { of_registers(sampler) } else { Vec::new() };
    let ctrl = Some((&PORTS.ctrl, &ctrl));
    let ports = sampler.unknown.payload(channel).chain(ctrl);
    let unknown = ports.filter(|(_, words)| words.iter().any(|&word| word != 0));
    let part = |(port, words): (&'static Port, &Vec<u32>)| {
        let (_, levels) = sampler.now.iter().find(|(other, _)| other.name == port.name)?;
        let (part, value) = part(&sampler.shape, port, words, levels.words())?;
        Some((port, part, value))
    };
    unknown.filter_map(part).collect()
}

/// The unknown bits of the control registers, but for buffers and resources that the operation that was read cannot use.
fn of_registers(sampler: &Sampler) -> Vec<u32> {
    let unknown = &sampler.unknown.ctrl;
    if unknown.iter().all(|&word| word == 0) {
        return Vec::new();
    }
    let (op, _) = sample::op(&sampler.now);
    let mut ctrl = Ctrl::unpack(Bits::from_slice(unknown));
    let is_used = |slot: usize| op.kind == Kind::CmpStore as u8 && slot == usize::from(op.slot);
    (0..ctrl.uav.len()).filter(|&slot| !is_used(slot)).for_each(|slot| ctrl.uav[slot] = Uav::default());
    (0..ctrl.tgsm.len()).filter(|&slot| !is_used(slot)).for_each(|slot| ctrl.tgsm[slot] = Tgsm::default());
    if !op.is_burst() {
        let none = Ctrl::default();
        (ctrl.buffer, ctrl.stage_scratch) = (none.buffer, none.stage_scratch);
    }
    ctrl.to_words().to_vec()
}

/// The first number of a port that has unknown bits, and its value.
fn part(shape: &Shape, port: &'static Port, unknown: &[u32], levels: &[u32]) -> Option<(String, String)> {
    let (unknown, levels) = (unknown.view_bits::<Lsb0>(), levels.view_bits::<Lsb0>());
    let mut fields = port.fields(shape).into_iter();
    let field = fields.find(|field| unknown[field.offset..field.offset + field.width].any())?;
    let bit = |at: usize| match (unknown[at], levels[at]) {
        (true, _) => 'x',
        (false, level) => char::from(b'0' + u8::from(level)),
    };
    let value = (field.offset..field.offset + field.width).rev().map(bit).collect();
    Some((joined(port.name, &field.path), value))
}
