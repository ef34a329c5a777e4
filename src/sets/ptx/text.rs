// SPDX-License-Identifier: MIT OR Apache-2.0
//! Writes an operation as an `st` that lowers to it, as reports and waves name operations that come from no statement.

use super::{inst::Value, print::Offset};
use crate::op::{AddrMode, Cache, Op, Priority, Scope, Semantics, Space};

/// A statement in normal form that lowers to `op`, which must be a legal operation of PTX. Register names fit their
/// types, but have no meaning. An address without a register is written as a number, although PTX has that in `.local`
/// only (PTX-L16), and a parameter may be addressed through a register, which PTX does not allow (PTX-L17).
///
/// ```
/// use gpu_lsu::{sets::ptx, op::{AddrMode, Attr, Cache, Op, Scope, Semantics, Space}};
///
/// let (semantics, scope) = (Semantics::Release as u8, Scope::Gpu as u8);
/// let op = Op {
///     addr_mode: AddrMode::Reg64 as u8,
///     space: Space::Global as u8,
///     imm: 8u64.wrapping_neg(),
///     element_bytes: 8,
///     element_count: 4,
///     element_mask: 0b1101,
///     attr: Attr { cache_op: Cache::Wb as u8, semantics, scope, ..Attr::default() },
///     ..Op::default()
/// };
/// assert_eq!(ptx::text(&op), "st.release.gpu.global.v4.b64 [%rd1+-0x8], {%rd2, _, %rd4, %rd5};");
/// ```
pub fn text(op: &Op) -> String {
    let attr = &op.attr;
    let mut text = String::from("st");
    let scope = Scope::from_code(attr.scope).map_or("", |scope| match scope {
        Scope::Cta => ".cta",
        Scope::Cluster => ".cluster",
        Scope::Gpu => ".gpu",
        Scope::Sys => ".sys",
    });
    text += &match Semantics::from_code(attr.semantics) {
        Some(Semantics::Volatile) => ".volatile".to_owned(),
        Some(Semantics::Relaxed) => format!(".relaxed{scope}"),
        Some(Semantics::Release) => format!(".release{scope}"),
        Some(Semantics::Mmio) => format!(".mmio.relaxed{scope}"),
        Some(Semantics::MmioRelease) => format!(".mmio.release{scope}"),
        Some(Semantics::Weak) | None => String::new(),
    };
    text += match Space::from_code(op.space) {
        Some(Space::Global) => ".global",
        Some(Space::Local) => ".local",
        Some(Space::Shared) => ".shared",
        Some(Space::Cluster) => ".shared::cluster",
        Some(Space::Param) => ".param",
        _ => "",
    };
    text += match Cache::from_code(attr.cache_op) {
        Some(Cache::Cg) => ".cg",
        Some(Cache::Cs) => ".cs",
        Some(Cache::Wt) => ".wt",
        _ => "",
    };
    for (level, code) in [(1, attr.l1_priority), (2, attr.l2_priority)] {
        let priority = match Priority::from_code(code) {
            Some(Priority::Unchanged) => "evict_unchanged",
            Some(Priority::First) => "evict_first",
            Some(Priority::Last) => "evict_last",
            Some(Priority::NoAllocate) => "no_allocate",
            Some(Priority::Normal) | None => continue,
        };
        text += &format!(".L{level}::{priority}");
    }
    if attr.policy_valid {
        text += ".L2::cache_hint";
    }
    if op.element_count > 1 {
        text += &format!(".v{}", op.element_count);
    }
    text += &format!(".b{} [{}], {}", 8 * u32::from(op.element_bytes), address(op), values(op));
    if attr.policy_valid {
        text += &format!(", {}", Value::Integer(attr.policy));
    }
    text + ";"
}

fn address(op: &Op) -> String {
    match op.addr_mode == AddrMode::Abs as u8 {
        true => format!("{:#x}", op.imm),
        false => format!("%rd1{}", Offset(op.imm)),
    }
}

fn values(op: &Op) -> String {
    let class = match op.element_bytes {
        1 | 2 => "%h",
        4 => "%r",
        8 => "%rd",
        _ => "%q",
    };
    let value = |element: u8| match u32::from(op.element_mask) >> element & 1 {
        0 => "_".to_owned(),
        // `%rd1` is the address.
        _ => format!("{class}{}", element + 2),
    };
    match op.element_count {
        0 | 1 => value(0),
        count => format!("{{{}}}", (0..count.min(8)).map(value).collect::<Vec<_>>().join(", ")),
    }
}
