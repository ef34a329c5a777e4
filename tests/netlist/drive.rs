// SPDX-License-Identifier: MIT OR Apache-2.0
//! Drives the Verilated unit at its pins, with stalls everywhere and a reset in the middle, and records them.

use std::collections::VecDeque;

use gpu_lsu::{
    dut::{Dut, Pin},
    op::{LaneMask, Lanes, ReqKind},
    ports::Ports,
};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{
    SHAPE,
    memory::{Answer, Memory, Request},
    recording::{CLOCK, Recording},
    stimulus::{Issue, LANES, ctrl, mask, operation},
};

/// Cycles without a completion that are too many.
const PATIENCE: usize = 1000;

struct Bench {
    ports: Ports<Pin>,
    random: Xoshiro256PlusPlus,
    memory: Memory,
    next: Issue,
    issued: u32,
    done: u32,
    beats: VecDeque<[u32; LANES]>,
    /// Offered in the last cycle, and not taken.
    op_waits: bool,
    data_waits: bool,
    rsp_waits: bool,
}

/// Runs this many operations and returns what the ports carried.
pub fn run(seed: u64, operations: u32) -> Result<Recording, String> {
    let mut dut = Dut::of(&SHAPE).map_err(|error| error.to_string())?;
    let mut recording = Recording::of(&dut);
    let mut clock = dut.any_pin(CLOCK).ok_or("the unit has no clock")?;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut bench = Bench {
        ports: Ports::make(|port| dut.any_pin(port.name).ok_or(format!("the unit has no port `{}`", port.name)))?,
        next: operation(0, &mut random),
        random,
        memory: Memory::default(),
        issued: 0,
        done: 0,
        beats: VecDeque::new(),
        op_waits: false,
        data_waits: false,
        rsp_waits: false,
    };
    bench.ports.ctrl.set_words(&ctrl().to_words());
    // Reset is asynchronous: it takes an edge.
    bench.ports.rst_n.set(true);
    dut.eval().map_err(|report| report.to_string())?;

    let (mut resets, mut last_done) = (VecDeque::from([0, operations / 2]), 0);
    let mut reset_until = 0;
    while bench.done < operations {
        let now = recording.cycles();
        if resets.front() == Some(&bench.issued) {
            resets.pop_front();
            reset_until = now + 3;
            bench.reset();
        }
        let running = now >= reset_until;
        bench.ports.rst_n.set(running);
        if running {
            bench.offer(operations, now);
        }
        clock.set(false);
        dut.eval().map_err(|report| report.to_string())?;
        recording.take();
        if running && bench.accept(operations, now) {
            last_done = now;
        }
        clock.set(true);
        dut.eval().map_err(|report| report.to_string())?;
        if now > last_done + PATIENCE {
            return Err(format!("cycle {now}: nothing moves, {} of {operations} operations are done", bench.done));
        }
    }
    Ok(recording)
}

impl Bench {
    fn reset(&mut self) {
        (self.op_waits, self.data_waits, self.rsp_waits) = (false, false, false);
        for valid in [&mut self.ports.op_valid, &mut self.ports.data_valid, &mut self.ports.rsp_valid] {
            valid.set(false);
        }
        self.memory.reset();
        self.done = self.issued;
        self.beats = self.next.beats.iter().copied().collect();
    }

    /// Drives the inputs of a cycle: what waits stays, and a payload that is not valid is noise.
    fn offer(&mut self, operations: u32, now: usize) {
        let Bench { ports, random, .. } = self;
        if !self.op_waits {
            let valid = self.issued < operations && random.random_ratio(3, 4);
            ports.op_valid.set(valid);
            ports.op.set_words(&self.next.op.to_words());
            let lanes = if valid { self.next.lanes.clone() } else { noise(random) };
            let masks = [&mut ports.op_active, &mut ports.op_helper, &mut ports.op_predicate];
            for (pin, mask) in masks.into_iter().zip([lanes.active, lanes.helper, lanes.predicate]) {
                pin.set_value((mask & LaneMask::lowest(LANES)).bits().into());
            }
            ports.op_addr.set_words(lanes.addr[..LANES].as_flattened());
        }
        if !self.data_waits {
            let valid = !self.beats.is_empty() && random.random_ratio(4, 5);
            ports.data_valid.set(valid);
            let beat = if valid { self.beats.pop_front() } else { None };
            ports.data.set_words(&beat.unwrap_or_else(|| random.random()));
        }
        if !self.rsp_waits {
            let answer = self.memory.answer(now, random);
            ports.rsp_valid.set(answer.is_some());
            let answer = answer.unwrap_or_else(|| Answer::noise(random));
            ports.rsp_id.set_value(u64::from(answer.id));
            ports.rsp_data.set_bytes(&answer.data);
            ports.rsp_error.set(answer.error);
            ports.rsp_exclusive_failed.set(answer.exclusive_failed);
            ports.rsp_scope.set_value(u64::from(answer.scope));
            ports.rsp_last.set(answer.last);
        }
        // Long stalls and full speed by turns.
        let share = [1, 4, 7, 8][now / 64 % 4];
        for ready in [&mut ports.wb_ready, &mut ports.done_ready, &mut ports.req_ready] {
            ready.set(random.random_ratio(share, 8));
        }
    }

    /// Notes what this cycle's clock edge will hand over; true if an operation is done.
    fn accept(&mut self, operations: u32, now: usize) -> bool {
        let Bench { ports, random, .. } = self;
        self.data_waits = ports.data_valid.is_set() && !ports.data_ready.is_set();
        self.rsp_waits = ports.rsp_valid.is_set() && !ports.rsp_ready.is_set();
        self.op_waits = ports.op_valid.is_set() && !ports.op_ready.is_set();
        if ports.req_valid.is_set() && ports.req_ready.is_set() {
            let [enables, data] = [&ports.req_be, &ports.req_data].map(|pin| pin.bytes().collect::<Vec<_>>());
            let request = Request {
                id: ports.req_id.value() as u8,
                kind: ReqKind::from_code(ports.req_kind.value() as u8).unwrap_or(ReqKind::Read),
                line: ports.req_addr.value(),
                enables: &enables,
                data: &data,
            };
            self.memory.request(&request, now, random);
        }
        if ports.op_valid.is_set() && ports.op_ready.is_set() {
            self.issued += 1;
            self.next = operation(self.issued, random);
            if self.issued < operations {
                self.beats.extend(&self.next.beats);
            }
        }
        let done = ports.done_valid.is_set() && ports.done_ready.is_set();
        self.done += u32::from(done);
        done
    }
}

fn noise(random: &mut Xoshiro256PlusPlus) -> Lanes {
    let mut lanes = Lanes { active: mask(random), helper: mask(random), ..Lanes::default() };
    lanes.predicate = mask(random);
    lanes.addr[..LANES].iter_mut().for_each(|words| *words = random.random());
    lanes
}
