// SPDX-License-Identifier: MIT OR Apache-2.0
//! Plays a program on the model, step by step, so that later steps see what earlier ones loaded and stored.

use std::{collections::BTreeSet, fmt};

use super::{Pair, Program, Step, WarpState, pair};
use crate::{
    model::{self, Memory, Plan, Register, Scratchpad, Wild},
    op::{Kind, LaneMask, Lanes, MAX_LANES, MAX_LINE_BYTES, Op, ReqKind, Shape},
};

/// A program in execution.
pub struct Session<'a> {
    program: &'a Program,
    shape: Shape,
    /// Global, local and parameter memory, by addresses at the memory port. All bytes start as 0.
    pub memory: Memory,
    /// Addresses of the blocks of `memory` that have been touched.
    touched: BTreeSet<u64>,
    pub scratchpad: Scratchpad,
    pub warps: Vec<WarpState>,
    /// The resources that are undefined so far (SM5-WILD), in the order in which they became so.
    undefined: Vec<Undefined>,
}

/// A resource whose contents are undefined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undefined {
    /// The resource.
    pub what: Wild,
    /// The line of the program that made it undefined.
    pub line: usize,
}

impl fmt::Display for Wild {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wild::Uav(slot) => write!(f, "u{slot}"),
            Wild::Shared => f.write_str("shared memory"),
        }
    }
}

/// The effects of one step.
pub struct Executed {
    pub op: Op,
    pub lanes: Lanes,
    /// The data beats of a store or compare-and-store, in order.
    pub data: Vec<Register>,
    /// The plan, including the bus errors that occurred.
    pub plan: Plan,
    /// Lanes that a bus error hit.
    pub failed: LaneMask,
    /// The registers that a load returned, by index in the operation; 0 in lanes that faulted.
    pub loaded: Vec<Register>,
    /// Scratchpad cycles by PORT-BANK.
    pub bank_cycles: u32,
    /// Lines of memory that were written, with a mask of the bytes.
    pub written: Vec<(u64, u128)>,
    /// For a compare-and-store, what each lane that made it found.
    pub pairs: [Option<Pair>; MAX_LANES],
    /// The resource that a lane made undefined (SM5-WILD).
    pub undefined: Option<Wild>,
    /// Lanes that found a value that was undefined before.
    pub met_undefined: LaneMask,
}

impl<'a> Session<'a> {
    /// Prepares the program for its first step, on a unit of this shape.
    pub fn new(program: &'a Program, shape: Shape) -> Self {
        let mut session = Session {
            program,
            shape,
            memory: Memory::new(0),
            touched: BTreeSet::new(),
            scratchpad: Scratchpad::new(shape.shared_bytes),
            warps: program.warps.clone(),
            undefined: Vec::new(),
        };
        for poke in &program.memory {
            for (byte, address) in poke.bytes.iter().zip(poke.address..) {
                session.touch(address);
                session.memory.poke(address, &[*byte]);
            }
        }
        for poke in &program.shared {
            session.scratchpad.poke(poke.address, &poke.bytes);
        }
        session
    }

    /// Zeroes a block at its first touch: a program's memory starts as 0, but the model's does not.
    fn touch(&mut self, address: u64) {
        let block = address & !(MAX_LINE_BYTES as u64 - 1);
        if self.touched.insert(block) {
            self.memory.poke(block, &[0; MAX_LINE_BYTES]);
        }
    }

    /// Addresses of the 128-byte blocks of memory that the initial contents or the steps touched, ascending.
    pub fn touched(&self) -> impl Iterator<Item = u64> + '_ {
        self.touched.iter().copied()
    }

    /// Whether a line answers with an error.
    pub fn fails(&self, line: u64) -> bool {
        fails(self.program, line, self.shape.line_bytes as u64)
    }

    /// The resources that are undefined so far, each once.
    pub fn undefined(&self) -> &[Undefined] {
        &self.undefined
    }

    /// The undefined resource that contains a byte of the scratchpad or of memory, if there is one.
    pub fn undefined_at(&self, shared: bool, address: u64) -> Option<Undefined> {
        let holds = |undefined: &&Undefined| match undefined.what {
            Wild::Shared => shared,
            Wild::Uav(slot) => {
                let uav = &self.program.ctrl.uav[usize::from(slot % 8)];
                !shared && (uav.base..uav.base + uav.size).contains(&address)
            }
        };
        self.undefined.iter().find(holds).copied()
    }

    /// Executes one step.
    pub fn step(&mut self, step: &Step) -> Executed {
        let (shape, lowered) = (self.shape, &step.lowered);
        let op = self.warps[step.warp].operation(lowered);
        let (lanes, data) = self.warps[step.warp].operands(lowered);
        let mut plan = Plan::default();
        model::plan(&shape, &self.program.ctrl, &op, &lanes, &data, &mut plan);

        plan.requests.iter().for_each(|request| self.touch(request.line));
        let failing = plan.requests.iter().filter(|request| self.fails(request.line));
        let failed = failing.fold(LaneMask::NONE, |lanes, request| lanes | request.lanes);
        let steps = op.kind == Kind::CmpStore as u8;
        let made = if steps { plan.shared | (plan.memory - failed) } else { LaneMask::NONE };
        let met = |lane: &usize| self.undefined_at(plan.shared.contains(*lane), plan.addr[*lane]).is_some();
        let met_undefined = made.iter().filter(met).collect();
        let pairs = pair::pairs(&plan, &data, made, |shared, at| match shared {
            true => self.scratchpad.read(at),
            false => self.memory.byte(at),
        });
        let (program, bytes) = (self.program, shape.line_bytes as u64);
        let fails = |line: u64| fails(program, line, bytes);
        let model::Performed { loaded, bank_cycles, requests, .. } =
            model::perform(&shape, &op, &mut plan, &data, &mut self.memory, &mut self.scratchpad, fails);
        let each = plan.requests.iter().zip(&requests);
        let writes = |request: &model::Request| [ReqKind::Write, ReqKind::ReadExclusive].contains(&request.kind);
        let written = each.filter(|(request, made)| writes(request) && !made.failed);
        let written = written.map(|(request, made)| (request.line, made.written(request))).collect();
        if op.kind == Kind::Load as u8 {
            for (index, _) in lowered.registers() {
                self.warps[step.warp].write_back(lowered, index, plan.active, &loaded[index]);
            }
        }
        let undefined = model::wild(&shape, &self.program.ctrl, &op, &lanes);
        if let Some(what) = undefined.filter(|what| self.undefined.iter().all(|known| known.what != *what)) {
            self.undefined.push(Undefined { what, line: step.line });
        }
        Executed { op, lanes, data, plan, failed, loaded, bank_cycles, written, pairs, undefined, met_undefined }
    }
}

/// Whether a line of `bytes` bytes answers with an error.
fn fails(program: &Program, line: u64, bytes: u64) -> bool {
    program.bus_errors.iter().any(|range| range.base < line + bytes && line < range.base + range.size)
}
