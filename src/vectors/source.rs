// SPDX-License-Identifier: MIT OR Apache-2.0
//! Makes cases for vectors from capsules and logs.

use crate::{
    cosim::{
        capsule::Capsule,
        case::{Case, Schedule},
    },
    judge::log::{Event, lines::Record},
    op::{Ctrl, Range},
};

/// The case of a capsule for vectors, which do not have its schedule.
pub fn of_capsule(capsule: &Capsule) -> Case {
    Case { schedule: Schedule::eager(), dirty_cycles: 0, rate: None, ..capsule.case.clone() }
}

/// The operations of a log: one case for each setting of its control registers, each continuing where the one before it
/// ended. Memory begins as the header says; a line that answered with error does so from the beginning of its case.
pub fn of_log(record: &Record) -> Vec<Case> {
    let log = &record.log;
    let given = record.header.memory.clone().unwrap_or_default();
    let empty = |ctrl: Ctrl| Case {
        shape: record.header.unit,
        ctrl,
        memory_seed: given.seed,
        memory: given.bytes.clone(),
        shared: Vec::new(),
        bus_errors: Vec::new(),
        issues: Vec::new(),
        schedule: Schedule::eager(),
        serial: false,
        flushes: Vec::new(),
        dirty_cycles: 0,
        rate: None,
    };
    let mut cases = vec![empty(Ctrl::default())];
    let mut lines = [0; 64];
    for entry in log.entries() {
        let Some(case) = cases.last_mut() else { continue };
        match entry.event {
            Event::Control(number) => cases.push(empty(*log.controls(number))),
            Event::Op(number) => case.issues.extend(log.issues().get(number as usize).cloned()),
            Event::Request(number) => {
                let seen = log.requested(number);
                lines[usize::from(seen.id % 64)] = seen.line;
            }
            Event::Response(number) if log.responded(number).error => {
                let base = lines[usize::from(log.responded(number).id % 64)];
                let range = Range { base, size: case.shape.line_bytes as u64 };
                if !case.bus_errors.contains(&range) {
                    case.bus_errors.push(range);
                }
            }
            _ => {}
        }
    }
    cases.retain(|case| !case.issues.is_empty());
    cases
}
