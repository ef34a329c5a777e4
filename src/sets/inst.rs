// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an instruction means depends on, and why it may mean nothing.

use super::{States, ptx, sm5};
use crate::{clause::Clause, op::Ctrl};

/// What an instruction means depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    /// Registers of a thread; of R700, GPRs.
    pub register_count: u16,
    /// What R700's relative GPR numbers have added (RW_REL, DST_REL, SRC_REL).
    pub loop_index: u32,
    /// Where the variables that PTX names are.
    pub places: ptx::Places,
    /// What SM5's u# and g# are bound as.
    pub bindings: sm5::Bindings,
}

impl Context {
    /// In a program, with the control registers and what its directives left.
    pub(crate) fn of(ctrl: &Ctrl, register_count: u16, loop_index: u32, states: &States) -> Self {
        let places = ptx::Places {
            variables: states.ptx.variables,
            shared_window: ctrl.shared_window.base,
            local_window: ctrl.local_window.base,
        };
        Context { register_count, loop_index, places, bindings: sm5::Bindings::from(ctrl) }
    }
}

/// Why an instruction that assembles is not executed (COM-ILLEGAL).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refused {
    /// The fact.
    pub message: String,
    /// The rule that refuses it.
    pub clause: Clause,
    /// The field at fault.
    pub field: &'static str,
    /// What would be legal.
    pub help: &'static str,
}
