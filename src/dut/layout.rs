// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether the RTL's lsu_pkg.sv is the one that this program packs values for.

use std::sync::OnceLock;

use super::{DutError, layout};
use crate::op::{Attr, Buffer, Ctrl, Op, Private, Range, Tgsm, Uav, layout::Struct};

/// Compares every field of every struct, once.
///
/// # Errors
///
/// [`DutError::Package`] with the first one that has other bits.
pub fn check() -> Result<(), DutError> {
    static DIFFERS: OnceLock<Option<String>> = OnceLock::new();
    match DIFFERS.get_or_init(|| differs(&layout())) {
        Some(text) => Err(DutError::Package(text.clone())),
        None => Ok(()),
    }
}

/// The first struct or field that differs from what the RTL states.
fn differs(stated: &str) -> Option<String> {
    let stated = |name: &str| stated.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    let structs: [&Struct; 8] = [
        Attr::LAYOUT,
        Op::LAYOUT,
        Range::LAYOUT,
        Private::LAYOUT,
        Buffer::LAYOUT,
        Uav::LAYOUT,
        Tgsm::LAYOUT,
        Ctrl::LAYOUT,
    ];
    structs.into_iter().find_map(|one| {
        let width = stated(one.name).unwrap_or("no");
        if width != one.width.to_string() {
            return Some(format!("`{}` has {width} bits, and {} here", one.name, one.width));
        }
        one.members.iter().find_map(|member| {
            let bits = |low: usize, width: usize| format!("bits {}:{low}", low + width - 1);
            let found = stated(&format!("{}.{}", one.name, member.name)).and_then(run);
            let (expected, found) = (bits(member.offset, member.width), found.map(|(low, width)| bits(low, width)));
            let found = found.unwrap_or_else(|| "no bits in a row".to_owned());
            (found != expected).then(|| format!("`{}.{}` has {found}, and {expected} here", one.name, member.name))
        })
    })
}

/// The lowest bit and the width of a run of ones in a hexadecimal number; `None` if it is not one run.
fn run(digits: &str) -> Option<(usize, usize)> {
    let bits: Vec<bool> = digits
        .chars()
        .rev()
        .map(|digit| digit.to_digit(16))
        .collect::<Option<Vec<_>>>()?
        .into_iter()
        .flat_map(|digit| (0..4).map(move |bit| digit >> bit & 1 == 1))
        .collect();
    let low = bits.iter().position(|&bit| bit)?;
    let width = bits[low..].iter().take_while(|&&bit| bit).count();
    let none_above = bits[low + width..].iter().all(|&bit| !bit);
    none_above.then_some((low, width))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_package_is_told() {
        let ours = layout();
        assert_eq!(differs(&ours), None);
        // Two fields of a bit that change places.
        let mask = |name: &str| {
            let line = ours.lines().find(|line| line.split(' ').next() == Some(name)).unwrap();
            line.split(' ').nth(1).unwrap().to_owned()
        };
        let (one, other) = (mask("op_t.sign_extend"), mask("op_t.suppress_helpers"));
        let swapped: String = ours
            .lines()
            .map(|line| match line.split(' ').next() {
                Some("op_t.sign_extend") => format!("op_t.sign_extend {other}\n"),
                Some("op_t.suppress_helpers") => format!("op_t.suppress_helpers {one}\n"),
                _ => format!("{line}\n"),
            })
            .collect();
        let text = differs(&swapped).unwrap();
        assert!(text.starts_with("`op_t.s") && text.ends_with(" here"), "{text}");
        let wider = ours.replacen("op_t ", "op_t 1", 1);
        assert!(differs(&wider).unwrap().starts_with("`op_t` has 1"));
        assert_eq!((run("0f0"), run("0f1"), run("000"), run("8")), (Some((4, 4)), None, None, Some((3, 1))));
    }
}
