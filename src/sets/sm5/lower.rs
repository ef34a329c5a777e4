// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lowers an instruction to the operation that the unit takes, and the sources of its values.
//!
//! **Choices.** A `-` negates the integer modulo 2^32. `||`, which shader model 5 has for floats only, is refused. So
//! is a relative index: the values of lanes decide where it leads, and an operation has only one slot. A slot that
//! nothing is bound to counts as raw: nothing is written, whatever its kind would be (SM5-UNBOUND).

use super::{Components, File, Index, Inst, Modifier, Operand, Reference, Register, Value};
use crate::{
    clause::Clause,
    op::{AddrMode, Ctrl, Dimension, Kind, MAX_REGISTERS, Op, Resource, Space},
    sets::{Guard, Lowered, PT, Source},
};

/// What a slot is bound as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Binding {
    /// `None` if the slot is unbound.
    pub kind: Option<Resource>,
    /// The dimension of a typed resource.
    pub dimension: Option<Dimension>,
}

/// What u# and g# are bound as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bindings {
    /// By slot.
    pub uav: [Binding; 8],
    /// By slot.
    pub tgsm: [Binding; 8],
}

impl From<&Ctrl> for Bindings {
    fn from(ctrl: &Ctrl) -> Self {
        let kind = |code| Resource::from_code(code).filter(|kind| *kind != Resource::None);
        Bindings {
            uav: ctrl.uav.map(|uav| Binding { kind: kind(uav.kind), dimension: Dimension::from_code(uav.dimension) }),
            tgsm: ctrl.tgsm.map(|tgsm| Binding { kind: kind(tgsm.kind), dimension: None }),
        }
    }
}

/// Why `run` refuses an instruction that assembles (COM-ILLEGAL).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LowerError {
    /// The destination is neither u# nor g#.
    #[error("the destination is neither u# nor g#")]
    Destination,
    /// The number of u# or g# is not one immediate number below 8.
    #[error("the unit has u0 to u7 and g0 to g7, each by its number")]
    Slot,
    /// A typed g#.
    #[error("g{0} is typed, which no g# is")]
    Typed(u8),
    /// `|r0.x|`.
    #[error("an integer has no absolute value as a modifier")]
    Absolute,
    /// A relative index.
    #[error("a relative index differs between lanes, which registers of a program do not")]
    Relative,
    /// A register that a program does not have.
    #[error("a program has no register of that name and number")]
    Register,
}

impl LowerError {
    /// The rule that refuses it.
    pub fn clause(self) -> Clause {
        match self {
            LowerError::Destination | LowerError::Slot | LowerError::Typed(_) => Clause::Sm5Kind,
            _ => Clause::ComIllegal,
        }
    }

    /// The operand at fault.
    pub fn field(self) -> &'static str {
        match self {
            LowerError::Destination | LowerError::Slot | LowerError::Typed(_) => "dst",
            _ => "src",
        }
    }

    /// What would be legal.
    pub fn help(self) -> &'static str {
        match self {
            LowerError::Destination => "write to a u# or a g#",
            LowerError::Slot => "write `u0` to `u7` or `g0` to `g7`",
            LowerError::Typed(_) => "bind it as raw or structured",
            LowerError::Absolute => "give the register the value itself",
            LowerError::Relative => "write the number that the index comes to",
            LowerError::Register => {
                "r0 to r4095, v0 to v31, x0[0] to x15[255], cb0[0] to cb13[511], icb[0] to icb[511], the thread ids and \
                 the numbers of the stages are registers of a program"
            }
        }
    }
}

/// The operation of an instruction, with u# and g# bound as `bindings` says.
///
/// ```
/// use gpu_lsu::{
///     sets::{Source, sm5::{self, Bindings, Register}},
///     op::{AddrMode, Ctrl, Resource},
/// };
///
/// let inst = sm5::parse("atomic_cmp_store g1, r0.xyxx, l(0), -r3.w").unwrap();
/// let mut ctrl = Ctrl::default();
/// (ctrl.tgsm[1].kind, ctrl.tgsm[1].stride) = (Resource::Structured as u8, 16);
/// let lowered = sm5::lower(&inst, &Bindings::from(&ctrl)).unwrap();
/// let slot = |name: &str, component| Register::parse(name).unwrap().slot(component);
/// assert_eq!((lowered.op.slot, lowered.op.addr_mode), (1, AddrMode::Struct as u8));
/// assert_eq!(lowered.address, [Some(Source::Register(slot("r0", 0))), Some(Source::Register(slot("r0", 1))), None]);
/// assert_eq!(lowered.data[..2], [Some(Source::Constant(0)), Some(Source::Negated(slot("r3", 3)))]);
/// ```
pub fn lower(inst: &Inst, bindings: &Bindings) -> Result<Lowered, LowerError> {
    let (space, bound) = match inst.destination.file {
        File::Uav => (Space::Uav, &bindings.uav),
        File::Tgsm => (Space::Tgsm, &bindings.tgsm),
        _ => return Err(LowerError::Destination),
    };
    let slot = slot(&inst.destination)?;
    let Binding { kind, dimension } = bound[usize::from(slot)];
    let (addr_mode, indices) = match kind {
        Some(Resource::Structured) => (AddrMode::Struct, 2),
        Some(Resource::Typed) if space == Space::Tgsm => return Err(LowerError::Typed(slot)),
        Some(Resource::Typed) => (AddrMode::Typed, indices(dimension)),
        Some(Resource::Raw | Resource::None) | None => (AddrMode::Raw, 1),
    };
    let op = Op {
        kind: Kind::CmpStore as u8,
        addr_mode: addr_mode as u8,
        space: space as u8,
        slot,
        element_bytes: 4,
        element_count: 1,
        element_mask: 1,
        suppress_helpers: true, // SM5-INACTIVE
        ..Op::default()
    };
    let mut address = [None; 3];
    for (component, word) in address.iter_mut().enumerate().take(indices) {
        *word = Some(source(&inst.address, component)?);
    }
    let mut data = [None; MAX_REGISTERS];
    (data[0], data[1]) = (Some(source(&inst.compare, 0)?), Some(source(&inst.new, 0)?));
    Ok(Lowered { op, address, data, guard: Guard::ALWAYS, plg: PT, policy: None })
}

/// The number of a u# or g#. From shader model 5.1 on, the first of two indices belongs to the declaration alone.
fn slot(destination: &Reference) -> Result<u8, LowerError> {
    let uav = destination.file == File::Uav;
    let numbers: Vec<&Index> = destination.indices().collect();
    match numbers[..] {
        [Index::Immediate(number)] if *number < 8 => Ok(*number as u8),
        // Shader model 5.1: a range of registers, and the register. The range's number is known only to its
        // declaration, not to a slot.
        [Index::Immediate(_), Index::Immediate(number)] if uav && *number < 8 => Ok(*number as u8),
        _ => Err(LowerError::Slot),
    }
}

/// Address components that a typed resource has (SM5-TYPED).
fn indices(dimension: Option<Dimension>) -> usize {
    match dimension {
        Some(Dimension::Buffer | Dimension::Texture1d) | None => 1,
        Some(Dimension::Texture1dArray | Dimension::Texture2d) => 2,
        Some(Dimension::Texture2dArray | Dimension::Texture3d) => 3,
    }
}

/// The source of component `component` of an operand.
fn source(operand: &Operand, component: usize) -> Result<Source, LowerError> {
    let negate = match operand.modifier {
        Modifier::None => false,
        Modifier::Negate => true,
        Modifier::Absolute | Modifier::NegateAbsolute => return Err(LowerError::Absolute),
    };
    let constant = |value: u32| Source::Constant(if negate { value.wrapping_neg() } else { value });
    match operand.value {
        Value::Scalar(value) => Ok(constant(value)),
        Value::Vector(values) => Ok(constant(values[component % 4])),
        Value::Register(reference) => {
            let taken = reference.components.taken()[component % 4];
            let slot = register(&reference)?.slot(if reference.components == Components::One { 0 } else { taken });
            Ok(if negate { Source::Negated(slot) } else { Source::Register(slot) })
        }
    }
}

fn register(reference: &Reference) -> Result<Register, LowerError> {
    let mut numbers = [None; 3];
    for (number, index) in numbers.iter_mut().zip(reference.indices()) {
        *number = Some(match *index {
            Index::Immediate(value) => value,
            Index::Wide(value) => u32::try_from(value).map_err(|_| LowerError::Register)?,
            Index::Relative { .. } => return Err(LowerError::Relative),
        });
    }
    Register::new(reference.file, numbers).ok_or(LowerError::Register)
}
