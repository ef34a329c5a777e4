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
    op::{LaneMask, MAX_LINE_BYTES},
    ports::{Channel, Direction, PORTS, Port, Wires},
};

/// The report, in the form of an assertion, on a port that is driven with unknown bits.
pub fn report(port: &Port, part: &str, cycle: u64, value: &str) -> String {
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
    format!("{clause}{whose}: `{part}` is unknown in cycle {cycle}: {value}")
}

/// Clears unknown bits that mean nothing in what was read of a channel: words and lanes that do not take part, bytes
/// that are not enabled, data and errors in answers after the first. `flight` is the request that a response answers,
/// if its beginning was seen.
pub fn forgive(sampler: &mut Sampler, channel: Channel, flight: Option<Flight>) {
    let Sampler { now, unknown, shape, .. } = sampler;
    match channel {
        Channel::Op => {
            let active = LaneMask::from_bits(now.op_active.value() as u32);
            for lane in (0..shape.lanes).filter(|&lane| !active.contains(lane)) {
                unknown.op_addr[3 * lane..][..3].fill(0);
            }
            unknown.op_helper[0] &= active.bits();
            unknown.op_predicate[0] &= active.bits();
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
        }
        Channel::Response => {
            let first = flight.is_some_and(|flight| !flight.answered);
            if flight.is_some() && !first {
                unknown.rsp_error.fill(0);
                unknown.rsp_exclusive_failed.fill(0);
            }
            let fails = now.rsp_error.value() == 1 || now.rsp_exclusive_failed.value() == 1;
            let carries = flight.filter(|flight| first && flight.reads && !fails);
            keep_bytes(&mut unknown.rsp_data, carries.map_or(0, |flight| flight.byte_enable));
        }
        Channel::Unit | Channel::Data | Channel::Done => {}
    }
}

/// The warp and the tag of the beat that was read, and the lanes whose values are unknown.
pub fn beat(sampler: &Sampler) -> (u8, u8, LaneMask) {
    let Sampler { now, unknown, shape, .. } = sampler;
    let lanes = (0..shape.lanes).filter(|&lane| unknown.wb_data[lane] != 0).collect();
    (now.wb_warp.value() as u8, now.wb_tag.value() as u8, lanes)
}

fn keep_bytes(unknown: &mut [u32], bytes: u128) {
    for (byte, bits) in unknown.view_bits_mut::<Lsb0>().chunks_mut(8).enumerate() {
        if bytes >> byte & 1 == 0 {
            bits.fill(false);
        }
    }
}

/// The ports of a channel that were read with unknown bits, each with its first such part and the value of that part.
/// For an operation, the control registers count too, because it depends on them.
pub fn payload(sampler: &Sampler, channel: Channel) -> Vec<(&'static Port, String, String)> {
    let ctrl = Some((&PORTS.ctrl, &sampler.unknown.ctrl)).filter(|_| channel == Channel::Op);
    let ports = sampler.unknown.payload(channel).chain(ctrl);
    let unknown = ports.filter(|(_, words)| words.iter().any(|&word| word != 0));
    unknown.filter_map(|(port, _)| part(sampler, port).map(|(part, value)| (port, part, value))).collect()
}

fn part(sampler: &Sampler, port: &'static Port) -> Option<(String, String)> {
    let (_, unknown) = sampler.unknown.iter().find(|(other, _)| other.name == port.name)?;
    let (_, levels) = sampler.now.iter().find(|(other, _)| other.name == port.name)?;
    let (unknown, levels) = (unknown.view_bits::<Lsb0>(), levels.words().view_bits::<Lsb0>());
    let mut fields = port.fields(&sampler.shape).into_iter();
    let field = fields.find(|field| unknown[field.offset..field.offset + field.width].any())?;
    let bit = |at: usize| match (unknown[at], levels[at]) {
        (true, _) => 'x',
        (false, level) => char::from(b'0' + u8::from(level)),
    };
    let value = (field.offset..field.offset + field.width).rev().map(bit).collect();
    Some((joined(port.name, &field.path), value))
}
