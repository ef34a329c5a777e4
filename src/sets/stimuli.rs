// SPDX-License-Identifier: MIT OR Apache-2.0
//! What campaigns ask of an instruction set: stimulus, and simpler cases for shrinking.

use super::{
    Isa,
    registry::{dispatch, rules, sets},
};
use crate::{
    cosim::{
        case::{Case, Issue},
        shrink::{Shrinking, Step},
        stimulus::{Forbidden, Ground, Maker, Source, Stimulus},
    },
    op::{Ctrl, Range, Rule, Shape},
};

rules! {
    dispatch Rule Rule
    {
        pub(crate) slots: SLOTS -> &'static [fn(&mut Case, usize)];
    }
    {
        pub(crate) fn shrinking() -> Vec<Step>;
    }
}

sets! {
    dispatch Isa Set
    {
        pub(crate) beside: BESIDE -> &'static [Isa];
        pub(crate) company: COMPANY -> Option<&'static str>;
        pub(crate) scoped: SCOPED -> bool;
        pub(crate) simplifications: SIMPLIFICATIONS -> &'static [fn(&mut Issue)];
    }
    {
        pub(crate) fn stream(rng: &mut Source, which: u64, shape: &Shape, operations: u64) -> Case;
        pub(crate) fn ground(rng: &mut Source, shape: &Shape, ground: &mut Ground) -> ();
        pub(crate) fn bus_errors(rng: &mut Source, ctrl: &Ctrl) -> Vec<Range>;
        pub(crate) fn used(ctrl: &Ctrl) -> Vec<Range>;
        pub(crate) fn prepare(rng: &mut Source, shape: &Shape, case: &mut Case) -> ();
        pub(crate) fn maker(rng: &mut Source, ctrl: &Ctrl, shape: &Shape) -> Box<dyn Maker>;
        pub(crate) fn forbidden(rng: &mut Source) -> Option<Forbidden>;
    }
}
