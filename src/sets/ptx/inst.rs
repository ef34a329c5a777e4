// SPDX-License-Identifier: MIT OR Apache-2.0
//! A legal `st` without its text, as programs, cases and explanations carry it.

use super::{
    constant::Constant,
    modifier::{Class, Cop, Modifier, Order, Priority, Scope, Space, Type},
    register::{Reg, Variable, predicate},
    statement::{At, Element, Statement},
};
use crate::sets::Guard;

/// Number of elements in the longest vector.
pub const ELEMENTS: usize = 8;

/// A legal `st`, which [`parse`](super::parse()) makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Inst {
    /// The guard that selects the lanes that execute.
    pub guard: Guard,
    /// Whether `.mmio` is given.
    pub mmio: bool,
    /// Memory order; none means weak.
    pub order: Option<Order>,
    /// Scope of a relaxed or release store.
    pub scope: Option<Scope>,
    /// State space; none means generic.
    pub space: Option<Space>,
    /// Cache operator; none means write-back.
    pub cop: Option<Cop>,
    /// Eviction priority in L1.
    pub l1: Option<Priority>,
    /// Eviction priority in L2.
    pub l2: Option<Priority>,
    /// The cache policy of a hint: a register, or an integer.
    pub policy: Option<Value>,
    /// Number of elements: 1, 2, 4 or 8.
    pub elements: u8,
    /// The type of an element.
    pub element: Type,
    /// Whether it is an `s` type, which stores the same bits as the `u` type.
    pub signed: bool,
    /// The base of the address.
    pub base: Base,
    /// The offset, modulo 2^64.
    pub offset: u64,
    /// The values, the lowest address first, with sinks after the last element.
    pub data: [Value; ELEMENTS],
}

/// The base to which an offset is added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Base {
    /// No base: `[100]`.
    Zero,
    /// A register, zero-extended.
    Register(Reg),
    /// The address of a variable.
    Variable(Variable),
    /// The address of an element, which is a byte, because a program's variables consist of bytes (PTX-LD-INDEX). A
    /// register is added to the number, modulo 2^32.
    Element(Variable, Option<Reg>),
}

/// One value to store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// The low bits of a register, as many as the type has.
    Register(Reg),
    /// An integer modulo 2^width of the type, but at most modulo 2^64.
    Integer(u64),
    /// The bits of a single.
    Single(u32),
    /// The bits of a double.
    Double(u64),
    /// A register plus an integer, modulo 2 to the power of the register's width.
    Sum(Reg, u64),
    /// A variable's address plus an integer.
    Address(Variable, u64),
    /// The address of a kernel.
    Function(Variable),
    /// 1 where the predicate of a [`Guard`] is true, else 0.
    Predicate(u8),
    /// No value: the bytes in memory stay as they are.
    Sink,
}

impl Inst {
    /// Makes the instruction of a statement that [`judge`](super::judge) accepts under the declarations of programs.
    /// Other statements may give `None`.
    pub(crate) fn new(statement: &Statement<'_>) -> Option<Inst> {
        let element = statement.element()?;
        let mut data = [Value::Sink; ELEMENTS];
        let values = &statement.data.value.elements;
        for (slot, at) in data.get_mut(..values.len())?.iter_mut().zip(values) {
            *slot = value(at, element)?;
        }
        let address = &statement.address.value;
        Some(Inst {
            guard: match &statement.guard {
                Some(At { value, .. }) => Guard { pred: predicate(value.name)?, negated: value.negated },
                None => Guard::ALWAYS,
            },
            mmio: statement.mmio(),
            order: statement.order(),
            scope: statement.scope(),
            space: statement.space(),
            cop: statement.cop(),
            l1: statement.l1(),
            l2: statement.l2(),
            policy: match &statement.policy {
                Some(At { value: operand, .. }) => {
                    Some(value(operand.elements.first()?, Type { class: Class::Bits, bits: 64 })?)
                }
                None => None,
            },
            elements: statement.elements(),
            element,
            signed: statement
                .modifiers
                .iter()
                .any(|at| matches!(at.value, Modifier::Type(_)) && at.text.starts_with(".s")),
            base: match (&address.base, &address.index) {
                (None, _) => Base::Zero,
                (Some(At { value: name, .. }), None) => match Variable::parse(name) {
                    Some(variable) => Base::Variable(variable),
                    None => Base::Register(Reg::parse(name)?),
                },
                (Some(At { value: name, .. }), Some(index)) => {
                    let register = match &index.register {
                        Some(at) => Some(Reg::parse(at.value)?),
                        None => None,
                    };
                    Base::Element(Variable::parse(name)?, register)
                }
            },
            offset: address.offset,
            data,
        })
    }
}

fn value(at: &At<'_, Element<'_>>, element: Type) -> Option<Value> {
    Some(match at.value {
        Element::Sink => Value::Sink,
        Element::Name(name, None) => match (Variable::parse(name), predicate(name)) {
            (Some(kernel), _) => Value::Function(kernel),
            (None, Some(predicate)) => Value::Predicate(predicate),
            (None, None) => Value::Register(Reg::parse(name)?),
        },
        Element::Name(_, Some(_)) => return None,
        Element::Sum(name, add) => match Variable::parse(name) {
            Some(variable) => Value::Address(variable, add),
            None => Value::Sum(Reg::parse(name)?, add),
        },
        Element::Constant(Constant::Integer { bits, .. }) => {
            Value::Integer(bits & u64::MAX >> (64 - u32::from(element.bits.clamp(1, 64))))
        }
        Element::Constant(Constant::Single(bits)) => Value::Single(bits),
        Element::Constant(Constant::Double(value)) => Value::Double(value.to_bits()),
    })
}
