// SPDX-License-Identifier: MIT OR Apache-2.0
//! The requests at the memory port, as a table.

use super::{
    explanation::{Explanation, Request},
    group::{self, Item, Row, group},
    words::{count, table},
};
use crate::op::MAX_LINE_BYTES;

/// Renders the table, or nothing if there are no requests. `what` is the noun for one request. The requests of a burst
/// are listed GPR by GPR, in the order in which they go.
pub fn requests(explanation: &Explanation, what: &str) -> String {
    let requests = &explanation.requests;
    if requests.is_empty() {
        return String::new();
    }
    let burst = explanation.array.is_some();
    let rows = requests
        .chunk_by(|one, next| one.gpr == next.gpr)
        .flat_map(|these| rows(these).into_iter().map(|row| these[0].gpr.clone().into_iter().chain(row).collect()));
    let header = &["GPR", "lanes", "line at", "byte enables", "memory"][usize::from(!burst)..];
    let number = count(requests.len(), what);
    format!("\nMemory port, {number}, lines of {MAX_LINE_BYTES} bytes:\n{}", table(header, rows))
}

fn rows(requests: &[Request]) -> Vec<Vec<String>> {
    // A request of one lane is grouped like a lane's access. A request of several gets a row of its own, placed by its
    // leader.
    let items = requests.iter().map(|request| {
        let leader = request.lanes.first().copied().unwrap_or(0);
        let company = if request.lanes.len() > 1 { request.lanes.clone() } else { Vec::new() };
        let error = if request.error { ", bus error" } else { "" };
        let key = (company, request.byte_enable.0, format!("{}{error}", request.space));
        Item { lane: leader, key, values: vec![request.line.0] }
    });
    let row = |Row { lanes, key: (company, enable, space), values }: Row<(Vec<usize>, u128, String)>| {
        let served = if company.is_empty() { &lanes } else { &company };
        vec![group::lanes(served), values[0].to_string(), group::bytes(enable), space]
    };
    group(items).into_iter().map(row).collect()
}
