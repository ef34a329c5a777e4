// SPDX-License-Identifier: MIT OR Apache-2.0
//! What may follow `st.`, class by class, and what is allowed there in other instructions only.

use crate::clause::Clause;

/// A modifier that some `st` takes, or that a clause refuses by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Modifier {
    /// `.global`, `.shared::cluster`.
    Space(Space),
    /// `.weak`, `.release`.
    Order(Order),
    /// `.mmio`.
    Mmio,
    /// `.cta`, `.sys`.
    Scope(Scope),
    /// `.cg`.
    Cop(Cop),
    /// `.L1::evict_first`.
    L1(Priority),
    /// `.L2::evict_last`.
    L2(Priority),
    /// `.L2::cache_hint`.
    Hint,
    /// `.v2`, `.v4`, `.v8`.
    Vector(u8),
    /// `.b32`.
    Type(Type),
    /// A modifier that only other instructions take, or none; this clause refuses it.
    Never(Clause),
}

/// A state space that is written out. Without one the address is generic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    /// `.global`.
    Global,
    /// `.local`.
    Local,
    /// `.shared`, `.shared::cta`.
    Shared,
    /// `.shared::cluster`.
    Cluster,
    /// `.param`, `.param::func`.
    Param,
    /// `.const`, for variables only.
    Const,
}

impl Space {
    /// The name, as it is declared and written.
    pub fn name(self) -> &'static str {
        match self {
            Space::Global => ".global",
            Space::Local => ".local",
            Space::Shared => ".shared",
            Space::Cluster => ".shared::cluster",
            Space::Param => ".param",
            Space::Const => ".const",
        }
    }
}

/// Memory order. Without one the store is weak.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// `.weak`.
    Weak,
    /// `.volatile`.
    Volatile,
    /// `.relaxed`.
    Relaxed,
    /// `.release`.
    Release,
}

/// The threads among which an order holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// `.cta`.
    Cta,
    /// `.cluster`.
    Cluster,
    /// `.gpu`.
    Gpu,
    /// `.sys`.
    Sys,
}

/// Cache operator. Without one it is write-back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cop {
    /// `.wb`.
    WriteBack,
    /// `.cg`.
    Global,
    /// `.cs`.
    Streaming,
    /// `.wt`.
    WriteThrough,
}

/// Eviction priority in a cache level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Priority {
    /// `evict_normal`.
    Normal,
    /// `evict_unchanged`, in L1 only.
    Unchanged,
    /// `evict_first`.
    First,
    /// `evict_last`.
    Last,
    /// `no_allocate`, in L1 only.
    NoAllocate,
}

/// The kind of value that a type or a register holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// `b`: any value.
    Bits,
    /// `u`, `s`, and pairs of halves in one register.
    Integer,
    /// `f`.
    Float,
}

/// The type of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Type {
    /// The kind of value.
    pub class: Class,
    /// Width in bits: 8 to 128.
    pub bits: u8,
}

impl Modifier {
    /// Parses a modifier with its point. Returns `None` if PTX does not know it.
    pub fn parse(text: &str) -> Option<Self> {
        use Modifier::{Cop as C, Order as O, Scope as Sc, Space as Sp, Type as T};
        let typed = |class, bits| T(Type { class, bits });
        Some(match text {
            ".global" => Sp(Space::Global),
            ".local" => Sp(Space::Local),
            ".shared" | ".shared::cta" => Sp(Space::Shared),
            ".shared::cluster" => Sp(Space::Cluster),
            ".param" | ".param::func" => Sp(Space::Param),
            ".weak" => O(Order::Weak),
            ".volatile" => O(Order::Volatile),
            ".relaxed" => O(Order::Relaxed),
            ".release" => O(Order::Release),
            ".mmio" => Modifier::Mmio,
            ".cta" => Sc(Scope::Cta),
            ".cluster" => Sc(Scope::Cluster),
            ".gpu" => Sc(Scope::Gpu),
            ".sys" => Sc(Scope::Sys),
            ".wb" => C(Cop::WriteBack),
            ".cg" => C(Cop::Global),
            ".cs" => C(Cop::Streaming),
            ".wt" => C(Cop::WriteThrough),
            ".L2::cache_hint" => Modifier::Hint,
            ".L2::evict_unchanged" | ".L2::no_allocate" => Modifier::Never(Clause::PtxL9),
            ".v2" => Modifier::Vector(2),
            ".v4" => Modifier::Vector(4),
            ".v8" => Modifier::Vector(8),
            ".b8" => typed(Class::Bits, 8),
            ".b16" => typed(Class::Bits, 16),
            ".b32" => typed(Class::Bits, 32),
            ".b64" => typed(Class::Bits, 64),
            ".b128" => typed(Class::Bits, 128),
            ".u8" | ".s8" => typed(Class::Integer, 8),
            ".u16" | ".s16" => typed(Class::Integer, 16),
            ".u32" | ".s32" => typed(Class::Integer, 32),
            ".u64" | ".s64" => typed(Class::Integer, 64),
            ".f32" => typed(Class::Float, 32),
            ".f64" => typed(Class::Float, 64),
            ".const" | ".param::entry" | ".tex" | ".reg" | ".sreg" => Modifier::Never(Clause::PtxL1),
            ".acquire" | ".acq_rel" | ".seq_cst" | ".sc" => Modifier::Never(Clause::PtxL5),
            ".ca" | ".cv" | ".lu" | ".nc" => Modifier::Never(Clause::PtxL6),
            _ => {
                if let Some(priority) = text.strip_prefix(".L1::") {
                    return Priority::parse(priority).map(Modifier::L1);
                }
                if let Some(priority) = text.strip_prefix(".L2::") {
                    return Priority::parse(priority).map(Modifier::L2);
                }
                return never(text);
            }
        })
    }
}

impl Priority {
    fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "evict_normal" => Priority::Normal,
            "evict_unchanged" => Priority::Unchanged,
            "evict_first" => Priority::First,
            "evict_last" => Priority::Last,
            "no_allocate" => Priority::NoAllocate,
            _ => return None,
        })
    }
}

/// Recognises vector sizes that do not exist, and types of other instructions (`.f16`, `.e4m3x2`, `.u128`, `.pred`).
fn never(text: &str) -> Option<Modifier> {
    let name = text.strip_prefix('.')?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let kinds = ["bf", "tf", "ue", "b", "u", "s", "f", "e"];
    let typed = |kind: &str| {
        name.strip_prefix(kind).is_some_and(|rest| digits(rest.split(['x', 'm']).next().unwrap_or_default()))
    };
    if name.strip_prefix('v').is_some_and(digits) {
        Some(Modifier::Never(Clause::PtxVec))
    } else if name == "pred" || kinds.into_iter().any(typed) {
        Some(Modifier::Never(Clause::PtxL14))
    } else {
        None
    }
}
