// SPDX-License-Identifier: MIT OR Apache-2.0
//! Logs of other units, each with the contract of its header: what is wrong in them is told, and what is right is not.

use std::{fs, path::Path};

use gpu_lsu::judge::{Judge, log::lines::Reader};

/// The log's file, and the clause that is told.
const LOGS: [(&str, &str); 20] = [
    ("cas_lines_nogroup", "agrees"),
    ("common_error_fault_nozero", "COM-BUSERR"),
    ("common_error_one_faults", "agrees"),
    ("elem_right", "agrees"),
    ("elem_wrong_group", "R700-ELEM"),
    ("error_of_a_part", "agrees"),
    ("inactive_done_late_min", "PORT-DONE"),
    ("late_lane", "PORT-PROGRESS"),
    ("midstart_prelog_write", "agrees"),
    ("nodata_cas_done_before_answer", "PORT-DONE"),
    ("nodata_cas_error_no_fault", "COM-BUSERR"),
    ("nodata_cas_right", "agrees"),
    ("own_cas_cas", "COM-OWN"),
    ("own_cas_ld", "COM-OWN"),
    ("own_other_lane", "agrees"),
    ("rep_after_cas_port_min", "COM-OWN"),
    ("spad_changes_by_itself", "COM-SAMEADDR"),
    ("spad_known_half_right", "agrees"),
    ("spad_known_half_wrong", "PORT-SPAD"),
    ("wb_late_group", "PORT-PROGRESS"),
];

#[test]
fn logs_of_other_units_are_judged_by_their_contracts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/judged/foreign");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), LOGS.len());
    for (name, clause) in LOGS {
        let text = fs::read(folder.join(name).with_extension("jsonl")).unwrap();
        let record = Reader::new(text.as_slice()).and_then(|mut runs| runs.next().unwrap()).unwrap();
        let verdict = record.judge(&mut Judge::new(&record.header.unit), record.header.contract);
        let told = verdict.map_or_else(|mismatch| mismatch.clause.to_string(), |_| "agrees".to_owned());
        assert_eq!(told, clause, "{name}");
    }
}
