// SPDX-License-Identifier: MIT OR Apache-2.0
//! The context that an instruction's meaning depends on, and the reason why it may have none.

use super::{States, ptx, sm5};
use crate::{clause::Clause, op::Ctrl};

/// The context that an instruction's meaning depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    /// Registers of a thread; for R700, GPRs.
    pub register_count: u16,
    /// The loop index that R700 adds to relative GPR numbers (RW_REL, DST_REL, SRC_REL).
    pub loop_index: u32,
    /// The places of the variables that PTX names.
    pub places: ptx::Places,
    /// The resources that SM5's u# and g# are bound to.
    pub bindings: sm5::Bindings,
}

impl Context {
    /// The context inside a program, from its control registers and the state left by its directives.
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
    /// What is wrong.
    pub message: String,
    /// The rule that refuses it.
    pub clause: Clause,
    /// The field at fault.
    pub field: &'static str,
    /// What would be legal.
    pub help: &'static str,
}
