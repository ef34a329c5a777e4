// SPDX-License-Identifier: MIT OR Apache-2.0
//! The accesses of the lanes as a table: where each one goes, and its outcome.

use super::{
    explanation::{Explanation, Lane},
    group::{self, Item, Row, group},
    words::table,
};
use crate::{clause::Clause, model::Place, op::Fault};

/// Renders the table, with one row for lanes whose addresses differ evenly. `without` says what a lane does that makes
/// no access, such as `gives 0`.
pub fn accesses(explanation: &Explanation, without: &str) -> String {
    let forced = explanation.lanes.iter().any(|lane| lane.ea != lane.aligned);
    let items = explanation.lanes.iter().map(|lane| {
        let [ea, aligned] = [lane.ea, lane.aligned].map(|address| address.map_or(0, |hex| hex.0));
        let mut values = vec![ea, aligned, lane.address.map_or(0, |hex| hex.0)];
        if let Place::Local { offset, .. } | Place::Param { offset, .. } | Place::Cluster { offset, .. } = lane.place {
            values.push(offset);
        }
        Item { lane: lane.lane, key: (lane.active, lane.space, outcome(lane, without), ea - aligned), values }
    });
    let header = if forced {
        &["lanes", "EA", "aligned", "memory", "outcome"][..]
    } else {
        &["lanes", "EA", "memory", "outcome"]
    };
    let rows = group(items).into_iter().map(|Row { lanes, key: (active, space, outcome, _), values }| {
        let shown = |index: usize| values.get(index).map_or(String::new(), ToString::to_string);
        let memory = match space {
            Some("shared") => format!("shared, offset {}", shown(2)),
            Some(space) if values.len() > 3 => format!("{space}, offset {}, at {}", shown(3), shown(2)),
            other => other.unwrap_or("-").to_owned(),
        };
        let address = |index| if active { shown(index) } else { "-".to_owned() };
        let mut cells = vec![group::lanes(&lanes), address(0), address(1), memory, outcome];
        if !forced {
            cells.remove(2);
        }
        cells
    });
    format!("\n{}", table(header, rows))
}

fn outcome(lane: &Lane, without: &str) -> String {
    match lane.fault {
        _ if lane.clauses.contains(&Clause::ComInactive) => "inactive".to_owned(),
        _ if lane.clauses.contains(&Clause::ComHelper) => "helper, suppressed".to_owned(),
        Fault::None if lane.ea != lane.aligned => "ok, forced down".to_owned(),
        Fault::None => "ok".to_owned(),
        Fault::Misaligned => "misaligned, yet made".to_owned(),
        fault => format!("{}, {without}", fault.name()),
    }
}
