// SPDX-License-Identifier: MIT OR Apache-2.0
//! The registers of one warp, as sources of an operation and destinations of its write-back.

use rustc_hash::FxHashMap;

use crate::{
    model::Register,
    op::{Kind, LaneMask, Lanes, MAX_LANES, Op},
    sets::{Guard, Lowered, PT, Source, Sum},
};

/// Size of the predicates' number space: SPA 5.0 has P0 to P6, PTX has those from 8 on.
const PREDICATES: usize = 256;

/// The state of a warp: registers, predicates, and the lanes that run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WarpState {
    /// By register number; a missing one holds 0.
    registers: FxHashMap<u16, Register>,
    /// By predicate number: the lanes where it is true.
    pub predicates: [LaneMask; PREDICATES],
    /// Lanes that execute.
    pub active: LaneMask,
    /// Helper or killed pixel lanes (COM-HELPER, R700-VPM, SM5-INACTIVE).
    pub helpers: LaneMask,
    /// The loop index that R700 adds to relative GPR numbers.
    pub loop_index: u32,
}

impl Default for WarpState {
    /// All registers 0, all predicates false, all lanes active, no helpers.
    fn default() -> Self {
        WarpState {
            registers: FxHashMap::default(),
            predicates: [LaneMask::NONE; PREDICATES],
            active: LaneMask::ALL,
            helpers: LaneMask::NONE,
            loop_index: 0,
        }
    }
}

impl WarpState {
    /// The value of a register in every lane. `None` and RZ read 0 (SPA5-RZ).
    pub fn read(&self, register: Option<u16>) -> Register {
        register.and_then(|register| self.registers.get(&register)).copied().unwrap_or_default()
    }

    /// The value of a source in every lane.
    pub fn source(&self, source: Option<Source>) -> Register {
        match source {
            Some(Source::Constant(value)) => [value; MAX_LANES],
            Some(Source::Negated(register)) => self.read(Some(register)).map(u32::wrapping_neg),
            Some(Source::Sum(sum)) => self.sum(sum),
            Some(Source::Predicate(predicate)) => {
                let lanes = self.predicate(predicate);
                std::array::from_fn(|lane| lanes.contains(lane).into())
            }
            source => self.read(source.and_then(Source::register)),
        }
    }

    /// One word of the sum of a register and an integer.
    fn sum(&self, sum: Sum) -> Register {
        let words: Vec<Register> =
            (0..u16::from(sum.bits).div_ceil(32)).map(|word| self.read(Some(sum.first + word))).collect();
        let ones = u128::MAX >> (128 - u32::from(sum.bits.clamp(1, 128)));
        std::array::from_fn(|lane| {
            let value = words.iter().rev().fold(0, |value, word| value << 32 | u128::from(word[lane]));
            let total = value.wrapping_add(sum.add as i64 as u128) & ones;
            (total >> (32 * u32::from(sum.word & 3))) as u32
        })
    }

    /// Writes a register in `lanes`. `None` and RZ drop the value (SPA5-RZ).
    pub fn write(&mut self, register: Option<u16>, lanes: LaneMask, values: &Register) {
        let Some(register) = register else { return };
        let row = self.registers.entry(register).or_default();
        for lane in lanes.iter() {
            row[lane] = values[lane];
        }
    }

    /// The lanes where a predicate, or PT, is true.
    pub fn predicate(&self, predicate: u8) -> LaneMask {
        if predicate == PT { LaneMask::ALL } else { self.predicates[usize::from(predicate)] }
    }

    /// The active lanes that a guard lets execute (COM-INACTIVE).
    pub fn executing(&self, guard: Guard) -> LaneMask {
        let guard_true = self.predicate(guard.pred);
        self.active & if guard.negated { !guard_true } else { guard_true }
    }

    /// The operation, completed with the value that it takes from registers once for all lanes: the cache policy of the
    /// lowest lane that executes.
    pub fn operation(&self, lowered: &Lowered) -> Op {
        let mut op = lowered.op;
        if let Some(low) = lowered.policy {
            let suppressed = if op.suppress_helpers { self.helpers } else { LaneMask::NONE };
            let lane = (self.executing(lowered.guard) - suppressed).first();
            let word = |register| u64::from(lane.map_or(0, |lane| self.read(Some(register))[lane]));
            op.attr.policy = word(low) | word(low + 1) << 32;
        }
        op
    }

    /// What the unit receives with an operation: its lanes, and the data beats of a store or compare-and-store in order
    /// (PORT-OP, PORT-DATA).
    pub fn operands(&self, lowered: &Lowered) -> (Lanes, Vec<Register>) {
        let [first, second, third] = lowered.address.map(|source| self.source(source));
        let mut lanes = Lanes {
            active: self.executing(lowered.guard),
            helper: self.helpers,
            predicate: self.predicate(lowered.plg),
            addr: [[0; 3]; MAX_LANES],
        };
        for (lane, words) in lanes.addr.iter_mut().enumerate() {
            *words = [first[lane], second[lane], third[lane]];
        }
        let load = lowered.op.kind == Kind::Load as u8;
        let sources = lowered.sources().filter(|_| !load);
        (lanes, sources.map(|(_, source)| self.source(source)).collect())
    }

    /// Writes back one beat of a load. `index` is the register's index in the operation (PORT-WB).
    pub fn write_back(&mut self, lowered: &Lowered, index: usize, lanes: LaneMask, values: &Register) {
        self.write(lowered.data.get(index).copied().flatten().and_then(Source::register), lanes, values);
    }
}
