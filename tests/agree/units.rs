// SPDX-License-Identifier: MIT OR Apache-2.0
//! Units to run cases on, and the parts of a case that most tests do not care about.

use std::{cell::RefCell, collections::HashMap};

use gpu_lsu::{
    cosim::{Bench, Case, Figures, Issue, Mismatch, Schedule},
    dut,
    op::{Ctrl, Lanes, MAX_LANES, Shape},
    sets::{
        self,
        spa5::{self, Guard, Inst, Opcode},
    },
};

thread_local! {
    /// A bench for each unit. They are leaked: C++ must not outlive its thread's own objects.
    static BENCHES: RefCell<HashMap<Shape, &'static mut Bench>> = RefCell::default();
}

/// The units at the corners of their parameters (build/rtl.rs).
#[cfg(feature = "corners")]
pub const NARROW: Shape = Shape { lanes: 8, line_bytes: 32, warps: 1, pending: 2, shared_bytes: 1024 };
#[cfg(feature = "corners")]
pub const FEW: Shape = Shape { lanes: 4, line_bytes: 128, warps: 5, pending: 3, shared_bytes: 1024 };
#[cfg(feature = "corners")]
pub const DEEP: Shape = Shape { lanes: 16, line_bytes: 64, warps: 8, pending: 64, shared_bytes: 65536 };
/// The unit that scripts/fpga places, and tests/netlist plays as gates.
#[cfg(feature = "corners")]
pub const BOARD: Shape = Shape { lanes: 4, line_bytes: 32, warps: 2, pending: 8, shared_bytes: 1024 };

/// The units of this build that have the default parameters, except for the lanes.
pub fn built() -> impl Iterator<Item = Shape> {
    all().filter(|shape| *shape == Shape::with_lanes(shape.lanes))
}

/// Every unit of this build.
pub fn all() -> impl Iterator<Item = Shape> {
    dut::built().into_iter()
}

/// Calls `with` with this thread's bench around the unit with these parameters.
pub fn on_bench<T>(shape: Shape, with: impl FnOnce(&mut Bench) -> T) -> T {
    let new = || &mut *Box::leak(Box::new(Bench::of(&shape).unwrap()));
    BENCHES.with_borrow_mut(|benches| with(benches.entry(shape).or_insert_with(new)))
}

/// Runs a case on its unit.
pub fn run(case: &Case) -> Result<Figures, Box<Mismatch>> {
    on_bench(case.shape, |bench| bench.run(case))
}

/// Runs a case, which must agree to its last operation.
#[track_caller]
pub fn agree(case: &Case) -> Figures {
    let figures = run(case).unwrap_or_else(|mismatch| {
        let issue = mismatch.op.and_then(|op| case.issues.get(op));
        panic!("{}: {mismatch}\n{issue:?}", case.shape)
    });
    assert_eq!(figures.operations, case.issues.len() as u64);
    figures
}

/// A case in an environment that never stalls.
pub fn case(shape: Shape, ctrl: Ctrl, issues: Vec<Issue>) -> Case {
    assert_eq!(ctrl.check(&shape), Ok(()));
    Case {
        shape,
        ctrl,
        memory_seed: 1,
        memory: Vec::new(),
        shared: Vec::new(),
        bus_errors: Vec::new(),
        issues,
        schedule: Schedule::eager(),
        serial: false,
        flushes: Vec::new(),
        dirty_cycles: 0,
        rate: None,
    }
}

/// Every size that an instruction has, by its code.
pub fn sizes() -> impl Iterator<Item = (Opcode, u8)> {
    let loads = (0..8).map(|size| (Opcode::Ld, size));
    loads.chain((0..7).map(|size| (Opcode::St, size)))
}

/// `LD.E.size R4, [R2]` or `ST.E.size [R2], R4`, with an address and a predicate for its space for each active lane.
/// The data encodes lane, register and `salt`.
pub fn access(op: Opcode, size: u8, salt: u32, places: &[(u64, bool)]) -> Issue {
    let inst = Inst { op, guard: Guard::ALWAYS, ra: 2, imm: 0, e: true, size, cop: 0, plg: 0, rd: 4 };
    let lowered = spa5::lower(&inst, 255).unwrap();
    let mut lanes = Lanes::default();
    for (lane, &(ea, predicate)) in places.iter().enumerate() {
        lanes.active.insert(lane);
        lanes.predicate.insert_if(predicate, lane);
        lanes.addr[lane] = [ea as u32, (ea >> 32) as u32, 0];
    }
    let mut data = vec![[0; MAX_LANES]; lowered.op.data_beats() as usize];
    for (register, lanes) in data.iter_mut().enumerate() {
        for (lane, word) in lanes.iter_mut().enumerate().take(places.len()) {
            *word = (salt ^ (lane as u32) << 8 ^ (register as u32) << 16).wrapping_mul(0x9e37_79b1);
        }
    }
    Issue { op: lowered.op, lanes, data, inst: Some(sets::Inst::Spa5(inst)) }
}
