// SPDX-License-Identifier: MIT OR Apache-2.0
//! Conversion between what crosses the ports and the bits of the ports: at a unit's pins, or in a wave.

use super::{Beat, Done, Response, Seen};
use crate::{
    model::Register,
    op::{Attr, Bits, Ctrl, FAULT_WIDTH, LaneMask, Lanes, MAX_LANES, MAX_LINE_BYTES, Op, Packed, Shape},
    ports::{Ports, Wires},
};

/// Drives the control registers.
pub fn drive_control(ports: &mut Ports<impl Wires>, ctrl: &Ctrl) {
    ports.ctrl.set_words(&ctrl.to_words());
}

/// Reads the control registers.
pub fn control(ports: &Ports<impl Wires>) -> Ctrl {
    let mut words = [0; Ctrl::WORDS];
    ports.ctrl.copy_words(&mut words);
    Ctrl::unpack(Bits::from_slice(&words))
}

/// Puts an operation on the op port.
pub fn drive_op(ports: &mut Ports<impl Wires>, shape: &Shape, op: &Op, lanes: &Lanes) {
    ports.op.set_words(&op.to_words());
    let Lanes { active, helper, predicate, addr } = lanes;
    let mask = shape.lane_mask();
    ports.op_active.set_value((*active & mask).bits().into());
    ports.op_helper.set_value((*helper & mask).bits().into());
    ports.op_predicate.set_value((*predicate & mask).bits().into());
    ports.op_addr.set_words(addr.as_flattened());
}

/// Reads the operation on the op port.
pub fn op(ports: &Ports<impl Wires>) -> (Op, Lanes) {
    let mut words = [0; Op::WORDS];
    ports.op.copy_words(&mut words);
    let [active, helper, predicate] =
        [&ports.op_active, &ports.op_helper, &ports.op_predicate].map(|mask| LaneMask::from_bits(mask.value() as u32));
    let mut lanes = Lanes { active, helper, predicate, ..Lanes::default() };
    ports.op_addr.copy_words(lanes.addr.as_flattened_mut());
    (Op::unpack(Bits::from_slice(&words)), lanes)
}

/// Puts a register on the data port.
pub fn drive_data(ports: &mut Ports<impl Wires>, register: &Register) {
    ports.data.set_words(register);
}

/// Reads the register on the data port.
pub fn data(ports: &Ports<impl Wires>) -> Register {
    let mut register = [0; MAX_LANES];
    ports.data.copy_words(&mut register);
    register
}

/// Puts an answer on the response port.
pub fn drive_response(ports: &mut Ports<impl Wires>, response: &Response) {
    let &Response { id, ref data, error, exclusive_failed, scope, last } = response;
    ports.rsp_id.set_value(id.into());
    ports.rsp_data.set_bytes(data);
    ports.rsp_error.set_value(error.into());
    ports.rsp_exclusive_failed.set_value(exclusive_failed.into());
    ports.rsp_scope.set_value(scope.into());
    ports.rsp_last.set_value(last.into());
}

/// Reads the answer on the response port.
pub fn response(ports: &Ports<impl Wires>) -> Response {
    let mut data = [0; MAX_LINE_BYTES];
    ports.rsp_data.copy_bytes(&mut data);
    Response {
        id: ports.rsp_id.value() as u8,
        data,
        error: ports.rsp_error.value() == 1,
        exclusive_failed: ports.rsp_exclusive_failed.value() == 1,
        scope: ports.rsp_scope.value() as u8,
        last: ports.rsp_last.value() == 1,
    }
}

/// Reads the request on the request port. The data of a read mean nothing and are given as 0, unless the `whole` port is
/// wanted.
pub fn request(ports: &Ports<impl Wires>, whole: bool, seen: &mut Seen) {
    seen.id = ports.req_id.value() as u8;
    seen.warp = ports.req_warp.value() as u8;
    seen.tag = ports.req_tag.value() as u8;
    seen.group = ports.req_group.value() as u8;
    seen.kind = ports.req_kind.value() as u8;
    seen.space = ports.req_space.value() as u8;
    seen.attr = [0; Attr::WORDS];
    ports.req_attr.copy_words(&mut seen.attr);
    seen.line = ports.req_addr.value();
    let mut enable = [0; MAX_LINE_BYTES / 8];
    ports.req_be.copy_bytes(&mut enable);
    seen.byte_enable = u128::from_le_bytes(enable);
    if whole || !seen.reads() {
        ports.req_data.copy_bytes(&mut seen.data);
    } else {
        seen.data.fill(0);
    }
}

/// Puts a request on the request port.
pub fn drive_request(ports: &mut Ports<impl Wires>, seen: &Seen) {
    ports.req_id.set_value(seen.id.into());
    ports.req_warp.set_value(seen.warp.into());
    ports.req_tag.set_value(seen.tag.into());
    ports.req_group.set_value(seen.group.into());
    ports.req_kind.set_value(seen.kind.into());
    ports.req_space.set_value(seen.space.into());
    ports.req_attr.set_words(&seen.attr);
    ports.req_addr.set_value(seen.line);
    ports.req_be.set_bytes(&seen.byte_enable.to_le_bytes());
    ports.req_data.set_bytes(&seen.data);
}

/// Puts a beat on the write-back port.
pub fn drive_beat(ports: &mut Ports<impl Wires>, beat: &Beat) {
    ports.wb_warp.set_value(beat.warp.into());
    ports.wb_tag.set_value(beat.tag.into());
    ports.wb_reg.set_value(beat.register.into());
    ports.wb_mask.set_words(&[beat.mask.bits()]);
    ports.wb_data.set_words(&beat.data);
}

/// Puts a completion on the done port.
pub fn drive_done(ports: &mut Ports<impl Wires>, done: &Done) {
    let mut words = [0; MAX_LANES * FAULT_WIDTH / 32];
    done.faults.pack(Bits::from_slice_mut(&mut words));
    ports.done_warp.set_value(done.warp.into());
    ports.done_tag.set_value(done.tag.into());
    ports.done_fault.set_words(&words);
}

/// Reads the beat on the write-back port.
pub fn beat(ports: &Ports<impl Wires>) -> Beat {
    let mut data = [0; MAX_LANES];
    ports.wb_data.copy_words(&mut data);
    Beat {
        warp: ports.wb_warp.value() as u8,
        tag: ports.wb_tag.value() as u8,
        register: ports.wb_reg.value() as u8,
        mask: LaneMask::from_bits(ports.wb_mask.value() as u32),
        data,
    }
}

/// Reads the completion on the done port.
pub fn done(ports: &Ports<impl Wires>) -> Done {
    let mut words = [0; MAX_LANES * FAULT_WIDTH / 32];
    ports.done_fault.copy_words(&mut words);
    let mut rest = words.iter().rev().fold(0, |all, &word| all << 32 | u128::from(word));
    let mut faults = [0; MAX_LANES];
    // Most operations have no fault.
    if rest != 0 {
        for fault in &mut faults {
            *fault = rest as u8 & ((1 << FAULT_WIDTH) - 1);
            rest >>= FAULT_WIDTH;
        }
    }
    Done { warp: ports.done_warp.value() as u8, tag: ports.done_tag.value() as u8, faults }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use proptest::{collection::vec, prelude::*};

    use super::*;
    use crate::ports::{Direction, Levels, PORTS, Port, Role};

    fn shapes() -> impl Strategy<Value = Shape> {
        (prop::sample::select(vec![4, 8, 16, 32]), prop::sample::select(vec![32, 64, 128]))
            .prop_map(|(lanes, line_bytes)| Shape { line_bytes, ..Shape::with_lanes(lanes) })
    }

    /// Every port, with bits from `noise`.
    fn ports(shape: &Shape, noise: &[u32]) -> Ports<Levels> {
        let mut at = 0;
        let made: Result<_, Infallible> = Ports::make(|port| {
            let mut levels = Levels::new(port.width(shape));
            let words = levels.words().len();
            levels.set_words(&noise[at..at + words]);
            at += words;
            Ok(levels)
        });
        made.unwrap_or_else(|never| match never {})
    }

    /// The number in a port, by the port's description.
    fn number(shape: &Shape, levels: &Levels, port: &Port, path: &str) -> u128 {
        let field = port.fields(shape).into_iter().find(|field| field.path == path).unwrap();
        u128::unpack(&Bits::from_slice(levels.words())[field.offset..][..field.width])
    }

    proptest! {
        /// Inputs that are read and driven again are the same on every wire.
        #[test]
        fn inputs_round_trip(shape in shapes(), noise in vec(any::<u32>(), 600)) {
            let from = ports(&shape, &noise);
            let mut to = ports(&shape, &[0; 600]);
            let (op, lanes) = op(&from);
            drive_op(&mut to, &shape, &op, &lanes);
            drive_data(&mut to, &data(&from));
            drive_response(&mut to, &response(&from));
            drive_control(&mut to, &control(&from));
            for ((port, one), (_, other)) in from.iter().zip(to.iter()) {
                if port.direction == Direction::Input && [Role::Payload, Role::Level].contains(&port.role) && port.width(&shape) > 1 {
                    prop_assert_eq!(one, other, "{}", port.name);
                }
            }
            let bits = |ports: &Ports<Levels>| [&ports.rsp_error, &ports.rsp_exclusive_failed, &ports.rsp_last].map(Wires::value);
            prop_assert_eq!(bits(&from), bits(&to));
        }

        /// The values read from the outputs are those of their bits in the description.
        #[test]
        fn outputs_are_as_described(shape in shapes(), noise in vec(any::<u32>(), 600)) {
            let from = ports(&shape, &noise);
            let at = |levels, port, path: &str| number(&shape, levels, port, path);
            let mut seen = Seen::default();
            request(&from, true, &mut seen);
            let attr = Attr::unpack(Bits::from_slice(&seen.attr));
            prop_assert_eq!(u128::from(seen.space), at(&from.req_space, &PORTS.req_space, ""));
            prop_assert_eq!(u128::from(attr.policy), at(&from.req_attr, &PORTS.req_attr, "policy"));
            prop_assert_eq!(u128::from(seen.line), at(&from.req_addr, &PORTS.req_addr, ""));
            prop_assert_eq!(seen.byte_enable, at(&from.req_be, &PORTS.req_be, ""));
            for (byte, index) in seen.data.iter().zip(0..shape.line_bytes) {
                prop_assert_eq!(u128::from(*byte), at(&from.req_data, &PORTS.req_data, &format!("[{index}]")));
            }
            let (beat, done) = (beat(&from), done(&from));
            prop_assert_eq!(u128::from(beat.mask.bits()), at(&from.wb_mask, &PORTS.wb_mask, ""));
            prop_assert_eq!(u128::from(beat.register), at(&from.wb_reg, &PORTS.wb_reg, ""));
            for lane in 0..shape.lanes {
                let path = format!("[{lane}]");
                prop_assert_eq!(u128::from(beat.data[lane]), at(&from.wb_data, &PORTS.wb_data, &path));
                prop_assert_eq!(u128::from(done.faults[lane]), at(&from.done_fault, &PORTS.done_fault, &path));
            }
            prop_assert!(beat.data[shape.lanes..].iter().all(|&word| word == 0));
            prop_assert!(done.faults[shape.lanes..].iter().all(|&fault| fault == 0));
        }
    }
}
