// SPDX-License-Identifier: MIT OR Apache-2.0
//! The registers of one warp, and their way into an operation and out of its write-back.

use crate::{
    isa::{Guard, Lowered, PT},
    model::Register,
    op::{Kind, Lanes, MAX_LANES},
};

/// Registers by number: SPA 5.0's R0 to R254, or the four components of R700's R0 to R127.
const REGISTERS: usize = 512;

/// What a warp holds: registers, predicates, and which of its lanes run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WarpState {
    registers: Vec<Register>,
    /// P0 to P6, a bit for each lane.
    pub predicates: [u32; 7],
    /// Lanes that execute.
    pub active: u32,
    /// Helper or killed pixel lanes (COM-HELPER, R700-VPM).
    pub helpers: u32,
    /// What R700's relative GPR numbers have added.
    pub loop_index: u32,
}

impl Default for WarpState {
    /// Registers 0, predicates false, all lanes active, no helpers.
    fn default() -> Self {
        WarpState {
            registers: vec![[0; MAX_LANES]; REGISTERS],
            predicates: [0; 7],
            active: u32::MAX,
            helpers: 0,
            loop_index: 0,
        }
    }
}

impl WarpState {
    /// A register of every lane; `None` and RZ read 0 (SPA5-RZ).
    pub fn read(&self, register: Option<u16>) -> Register {
        register.and_then(|register| self.registers.get(usize::from(register))).copied().unwrap_or_default()
    }

    /// Sets a register in `lanes`; `None` and RZ drop the value (SPA5-RZ).
    pub fn write(&mut self, register: Option<u16>, lanes: u32, values: &Register) {
        let Some(row) = register.and_then(|register| self.registers.get_mut(usize::from(register))) else { return };
        for (lane, (word, value)) in row.iter_mut().zip(values).enumerate() {
            if lanes >> lane & 1 == 1 {
                *word = *value;
            }
        }
    }

    /// The lanes where a predicate, or PT, is true.
    pub fn predicate(&self, predicate: u8) -> u32 {
        if predicate == PT { u32::MAX } else { self.predicates.get(usize::from(predicate)).copied().unwrap_or(0) }
    }

    /// The active lanes that a guard lets execute (COM-INACTIVE).
    pub fn executing(&self, guard: Guard) -> u32 {
        let guard_true = self.predicate(guard.pred);
        self.active & if guard.negated { !guard_true } else { guard_true }
    }

    /// What the unit is handed with an operation: its lanes, and a store's data beats in order (PORT-OP, PORT-DATA).
    pub fn operands(&self, lowered: &Lowered) -> (Lanes, Vec<Register>) {
        let [first, second, third] = lowered.address.map(|register| self.read(register));
        let mut lanes = Lanes {
            active: self.executing(lowered.guard),
            helper: self.helpers,
            predicate: self.predicate(lowered.plg),
            addr: [[0; 3]; MAX_LANES],
        };
        for (lane, words) in lanes.addr.iter_mut().enumerate() {
            *words = [first[lane], second[lane], third[lane]];
        }
        let store = lowered.op.kind == Kind::Store as u8;
        let sources = lowered.registers().filter(|_| store);
        (lanes, sources.map(|(_, register)| self.read(register)).collect())
    }

    /// Takes one write-back beat of a load: `index` is the register's number inside the operation (PORT-WB).
    pub fn write_back(&mut self, lowered: &Lowered, index: usize, lanes: u32, values: &Register) {
        self.write(lowered.data.get(index).copied().flatten(), lanes, values);
    }
}
