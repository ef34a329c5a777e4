// SPDX-License-Identifier: MIT OR Apache-2.0
//! A mismatch, reduced to what lines of RTL can have to do with it.

use serde::Serialize;
use serde_json::Value;

use super::value::Known;
use crate::{
    judge::{Mismatch, Site, log::Issue},
    op::Ctrl,
};

/// What is known of a failure.
#[derive(Clone, Debug, Default)]
pub struct Symptom {
    /// The broken rule, then others that it may be, by id.
    pub rules: Vec<String>,
    /// The text of the first rule.
    pub sentence: String,
    /// What differs, what was expected, and what was seen.
    pub says: String,
    /// The port that is wrong, such as `mem_req`; empty if none is.
    pub port: String,
    /// Its signal, such as `attr.scope`; empty for an event.
    pub signal: String,
    /// Parts of the unit that hold what is missing.
    pub held: Vec<String>,
    /// The known values of each operation, with those of the control registers.
    pub known: Vec<Known>,
}

impl Symptom {
    /// The symptom of a case and its mismatch.
    pub fn new(ctrl: &Ctrl, issues: &[Issue], mismatch: &Mismatch) -> Self {
        let rules = [mismatch.clause].into_iter().chain(mismatch.or.iter().copied());
        let field = &mismatch.field;
        let is_port = matches!(field.site, Site::Op | Site::MemReq | Site::Wb | Site::Done);
        // rtl/lsu_holders.sv names the holders, at the end of what was found.
        let held = mismatch.actual.split("held by ").skip(1).filter_map(|held| held.split_once(':'));
        let known = issues.iter().map(|issue| {
            let mut known = Known::new();
            flatten(&mut known, "op_t", &issue.op);
            flatten(&mut known, "ctrl_t", ctrl);
            known
        });
        Symptom {
            rules: rules.map(|clause| clause.id().to_owned()).collect(),
            sentence: mismatch.clause.text().to_owned(),
            says: format!("{field} {} {}", mismatch.expected, mismatch.actual),
            port: if is_port { field.site.name().to_owned() } else { String::new() },
            signal: field.signal.clone(),
            held: held.map(|(part, _)| part.to_owned()).collect(),
            known: known.collect(),
        }
    }
}

/// Adds the numbers of a struct to `known`, by their paths.
fn flatten(known: &mut Known, kind: &str, value: &impl Serialize) {
    let mut left = vec![(String::new(), serde_json::to_value(value).unwrap_or_default())];
    while let Some((path, value)) = left.pop() {
        let number = match value {
            Value::Object(members) => {
                let path = |name: String| if path.is_empty() { name } else { format!("{path}.{name}") };
                left.extend(members.into_iter().map(|(name, value)| (path(name), value)));
                continue;
            }
            Value::Bool(bit) => Some(bit.into()),
            Value::Number(number) => number.as_u64().map(u128::from),
            Value::String(hex) => hex.strip_prefix("0x").and_then(|hex| u128::from_str_radix(hex, 16).ok()),
            // Of an array, the element that is meant is not known.
            _ => None,
        };
        if let Some(number) = number {
            known.insert((kind.to_owned(), path), number);
        }
    }
}
