// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lowers a legal `st` to the operation that the unit takes, and the slots and constants that feed it.

use super::{
    inst::{Base, ELEMENTS, Inst, Value},
    modifier::{Class, Cop, Order, Priority, Scope, Space, Type},
    register::Variable,
};
use crate::{
    sets::{Lowered, PT, Source, Sum},
    op::{self, AddrMode, Attr, Cache, Kind, MAX_REGISTERS, Op, Semantics},
};

/// The places of a program's variables, and the windows that generic addresses need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Places {
    /// Addresses in the variables' own spaces, indexed as [`Variable::ALL`].
    pub variables: [u64; 8],
    /// The base of the shared window.
    pub shared_window: u64,
    /// The base of the local window.
    pub local_window: u64,
}

impl Places {
    /// The address of a variable: the one in its own space, or, if `generic`, the generic one.
    fn of(&self, variable: Variable, generic: bool) -> u64 {
        let window = match variable {
            Variable::Shared if generic => self.shared_window,
            Variable::Local if generic => self.local_window,
            _ => 0,
        };
        self.variables[variable as usize].wrapping_add(window)
    }

    /// The address of a variable in its own space plus `add`, truncated to the width of addresses in this space.
    fn sum(&self, variable: Variable, add: u64) -> u64 {
        self.variables[variable as usize].wrapping_add(add) & u64::MAX >> (64 - variable.address_bits())
    }
}

/// Lowers a store.
///
/// ```
/// use gpu_lsu::{sets::{Source, ptx::{NEWEST, Places, Reg, lower, parse}}, op::{AddrMode, Semantics}};
///
/// let (target, version) = NEWEST;
/// let places = Places { variables: [0x10000, 0, 0, 0, 0, 0, 0, 0], shared_window: 0, local_window: 0 };
/// let store = parse("st.global.release.gpu.v2.b64 [%rd1+16], {%rd4, 7};", target, version).unwrap();
/// let lowered = lower(&store, &places);
/// let (op, slot) = (lowered.op, Reg::parse("%rd4").unwrap().slot());
/// assert_eq!((op.addr_mode, op.imm, op.element_bytes, op.element_mask), (AddrMode::Reg64 as u8, 16, 8, 0b11));
/// assert_eq!(op.attr.semantics, Semantics::Release as u8);
/// let sources = [Source::Register(slot), Source::Register(slot + 1), Source::Constant(7), Source::Constant(0)];
/// assert_eq!(lowered.data[..4], sources.map(Some));
///
/// let variable = lower(&parse("st.global.b32 [gbl+4], 1;", target, version).unwrap(), &places);
/// assert_eq!((variable.op.addr_mode, variable.op.imm), (AddrMode::Abs as u8, 0x10004));
/// ```
pub fn lower(inst: &Inst, places: &Places) -> Lowered {
    let (addr_mode, start, address) = match inst.base {
        Base::Zero => (AddrMode::Abs, 0, [None; 3]),
        Base::Variable(variable) => (AddrMode::Abs, places.of(variable, inst.space.is_none()), [None; 3]),
        Base::Register(register) => {
            let low = register.slot();
            let high = (register.words() > 1).then_some(Source::Register(low + 1));
            (AddrMode::Reg64, 0, [Some(Source::Register(low)), high, None])
        }
        Base::Element(variable, None) => (AddrMode::Abs, places.of(variable, inst.space.is_none()), [None; 3]),
        // The index counts bytes and has 32 bits. The immediate has the rest of the address.
        Base::Element(variable, Some(register)) => {
            let start = places.of(variable, inst.space.is_none());
            let index = Sum { first: register.slot(), bits: 32, add: inst.offset, word: 0 };
            (AddrMode::Reg64, start, [Some(Source::Sum(index)), None, None])
        }
    };
    let imm = match inst.base {
        Base::Element(_, Some(_)) => start, // The sum already contains the offset.
        _ => start.wrapping_add(inst.offset),
    };
    let element_bytes = inst.element.bits / 8;
    let mut data = [None; MAX_REGISTERS];
    let mut element_mask = 0;
    let words = usize::from(element_bytes.div_ceil(4).clamp(1, 4));
    for (element, (value, sources)) in inst.values().iter().zip(data.chunks_mut(words)).enumerate() {
        element_mask |= u8::from(*value != Value::Sink) << element;
        for (source, word) in sources.iter_mut().zip(0..) {
            *source = value.word(word, inst.element, places);
        }
    }
    let op = Op {
        kind: Kind::Store as u8,
        addr_mode: addr_mode as u8,
        space: space(inst.space) as u8,
        imm,
        element_bytes,
        element_count: inst.elements,
        element_mask,
        suppress_helpers: true,
        attr: attr(inst),
        ..Op::default()
    };
    let policy = match inst.policy {
        Some(Value::Register(register)) => Some(register.slot()),
        _ => None,
    };
    Lowered { op, address, data, guard: inst.guard, plg: PT, policy }
}

impl Inst {
    /// The values, one for each element.
    pub fn values(&self) -> &[Value] {
        &self.data[..usize::from(self.elements).min(ELEMENTS)]
    }
}

impl Value {
    /// The 32 bits from bit 32 * `word` on of the value, for a type of this width.
    ///
    /// As in the vendor's assembler, a literal is zero-extended to the 128 bits of a b128, and the bits of a single to
    /// the 64 of an f64; a double is rounded if the type is an f32. A register narrower than the type, as it may follow
    /// a literal, is zero-extended as well.
    fn word(self, word: u16, element: Type, places: &Places) -> Option<Source> {
        let constant = |bits: u64| Some(Source::Constant(bits.checked_shr(32 * u32::from(word)).unwrap_or(0) as u32));
        match self {
            Value::Register(register) if word >= register.words() => constant(0),
            Value::Register(register) => Some(Source::Register(register.slot() + word)),
            Value::Sum(register, _) if word >= register.words() => constant(0),
            Value::Sum(register, add) => {
                let (first, bits) = (register.slot(), register.bits());
                Some(Source::Sum(Sum { first, bits, add, word: word as u8 }))
            }
            Value::Address(variable, add) => constant(places.sum(variable, add)),
            Value::Function(kernel) => constant(places.sum(kernel, 0)),
            Value::Predicate(predicate) if word == 0 => Some(Source::Predicate(predicate)),
            Value::Predicate(_) => constant(0),
            Value::Integer(integer) => constant(integer),
            Value::Single(single) => constant(single.into()),
            Value::Double(double) if element == Type { class: Class::Float, bits: 32 } => {
                constant((f64::from_bits(double) as f32).to_bits().into())
            }
            Value::Double(double) => constant(double),
            Value::Sink => None,
        }
    }
}

fn space(space: Option<Space>) -> op::Space {
    match space {
        Some(Space::Global) => op::Space::Global,
        Some(Space::Local) => op::Space::Local,
        Some(Space::Shared) => op::Space::Shared,
        Some(Space::Cluster) => op::Space::Cluster,
        Some(Space::Param) => op::Space::Param,
        // No store goes to the constant space.
        Some(Space::Const) | None => op::Space::Generic,
    }
}

fn attr(inst: &Inst) -> Attr {
    let cache_op = match inst.cop {
        None | Some(Cop::WriteBack) => Cache::Wb,
        Some(Cop::Global) => Cache::Cg,
        Some(Cop::Streaming) => Cache::Cs,
        Some(Cop::WriteThrough) => Cache::Wt,
    };
    let written = match inst.scope {
        None | Some(Scope::Cta) => op::Scope::Cta,
        Some(Scope::Cluster) => op::Scope::Cluster,
        Some(Scope::Gpu) => op::Scope::Gpu,
        Some(Scope::Sys) => op::Scope::Sys,
    };
    let (semantics, scope) = match inst.order {
        None | Some(Order::Weak) => (Semantics::Weak, op::Scope::Cta),
        Some(Order::Volatile) => (Semantics::Volatile, op::Scope::Sys),
        Some(Order::Relaxed) if inst.mmio => (Semantics::Mmio, op::Scope::Sys),
        Some(Order::Release) if inst.mmio => (Semantics::MmioRelease, op::Scope::Sys),
        Some(Order::Relaxed) => (Semantics::Relaxed, written),
        Some(Order::Release) => (Semantics::Release, written),
    };
    Attr {
        uniform: false,
        cache_op: cache_op as u8,
        l1_priority: priority(inst.l1) as u8,
        l2_priority: priority(inst.l2) as u8,
        policy_valid: inst.policy.is_some(),
        policy: match inst.policy {
            Some(Value::Integer(policy)) => policy,
            _ => 0,
        },
        semantics: semantics as u8,
        scope: scope as u8,
        uncached: false,
    }
}

fn priority(priority: Option<Priority>) -> op::Priority {
    match priority {
        None | Some(Priority::Normal) => op::Priority::Normal,
        Some(Priority::Unchanged) => op::Priority::Unchanged,
        Some(Priority::First) => op::Priority::First,
        Some(Priority::Last) => op::Priority::Last,
        Some(Priority::NoAllocate) => op::Priority::NoAllocate,
    }
}
