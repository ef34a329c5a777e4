// SPDX-License-Identifier: MIT OR Apache-2.0
//! Logs of other units, each with the contract of its header: what is wrong in them is told, and what is right is not.

use std::{fs, path::Path};

use gpu_lsu::{
    judge::{
        Contract, Figures, Judge, Mismatch, Trial,
        log::{
            Log,
            lines::{Reader, Record},
        },
    },
    op::Ctrl,
};

fn record(name: &str) -> Record {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/judged/foreign").join(name).with_extension("jsonl");
    let text = fs::read(path).unwrap();
    Reader::new(text.as_slice()).and_then(|mut runs| runs.next().unwrap()).unwrap()
}

/// The log's file, and the clause that is told.
const LOGS: [(&str, &str); 117] = [
    ("alone_beat_late", "PORT-PROGRESS"),
    ("any_order_known_half", "PORT-SPAD"),
    ("any_order_known_half_right", "agrees"),
    ("any_order_one_word_right", "agrees"),
    ("any_order_one_word_two_values", "COM-SAMEADDR"),
    ("any_order_open_word", "PORT-SPAD"),
    ("applied_late", "PORT-RSP"),
    ("applied_left_out_of_a_read", "agrees"),
    ("applied_left_out_of_a_write", "agrees"),
    ("applied_right", "agrees"),
    ("beat_behind_an_answer", "agrees"),
    ("before_log_beat_twice", "PORT-WB"),
    ("before_log_done_early", "PORT-DONE"),
    ("before_log_hazard", "PORT-HAZARD"),
    ("before_log_id_of_own", "PORT-ID"),
    ("before_log_id_taken", "PORT-ID"),
    ("before_log_id_too_high", "PORT-ID"),
    ("before_log_id_twice", "PORT-ID"),
    ("before_log_order", "PORT-ORDER"),
    ("before_log_release", "PTX-SEM"),
    ("before_log_release_right", "agrees"),
    ("before_log_right", "agrees"),
    ("before_read_again_unlogged", "agrees"),
    ("buserr_late", "agrees"),
    ("cas_lines_nogroup", "agrees"),
    ("common_error_apart_of_all_answers", "COM-BUSERR"),
    ("common_error_fault_nozero", "COM-BUSERR"),
    ("common_error_of_a_burst", "agrees"),
    ("common_error_of_a_part", "agrees"),
    ("common_error_of_all_answers", "COM-BUSERR"),
    ("common_error_one_faults", "agrees"),
    ("done_before_beats_of_a_reused_tag", "PORT-DONE"),
    ("done_offered_then_reset", "PORT-RESET"),
    ("done_with_bus_before_request", "PORT-DONE"),
    ("elem_hazard_together", "agrees"),
    ("elem_right", "agrees"),
    ("elem_wrong_group", "R700-ELEM"),
    ("elem_wrong_group_hazard", "R700-ELEM"),
    ("err_then_ok_right", "agrees"),
    ("err_then_ok_wrong", "PORT-WB"),
    ("error_of_a_part", "agrees"),
    ("error_write_unlogged", "agrees"),
    ("foreign_of_no_bytes", "agrees"),
    ("half_among_others_late", "PORT-FAIR"),
    ("half_among_others_right", "agrees"),
    ("inactive_done_late_min", "PORT-DONE"),
    ("late_behind_idle", "PORT-PROGRESS"),
    ("late_lane", "PORT-PROGRESS"),
    ("late_write_foreign_compare", "agrees"),
    ("late_write_unlogged", "agrees"),
    ("line_written_twice", "PORT-MIN"),
    ("lines_out_of_order", "PORT-GROUP"),
    ("midstart_prelog_write", "agrees"),
    ("mmio_lanes_together", "PORT-ORDER"),
    ("mmio_one_by_one", "agrees"),
    ("mmio_together", "PORT-ORDER"),
    ("no_bytes_asked", "PORT-REQ"),
    ("nodata_cas_done_before_answer", "PORT-DONE"),
    ("nodata_cas_error_no_fault", "COM-BUSERR"),
    ("nodata_cas_half_a_dword", "PORT-REQ"),
    ("nodata_cas_no_request", "PORT-DONE"),
    ("nodata_cas_one_of_two", "PORT-DONE"),
    ("nodata_cas_read_twice", "PORT-CAS"),
    ("nodata_cas_refused", "PORT-DONE"),
    ("nodata_cas_right", "agrees"),
    ("nodata_cas_wrong_group", "PORT-GROUP"),
    ("owed_beat_among_stalls", "PORT-PROGRESS"),
    ("owed_behind_an_older_one", "agrees"),
    ("owed_by_illegal", "PORT-PROGRESS"),
    ("owed_by_no_lane", "PORT-PROGRESS"),
    ("owed_done_among_stalls", "PORT-PROGRESS"),
    ("owed_done_beside_an_offer", "PORT-PROGRESS"),
    ("own_apart_all_alike", "COM-OWN"),
    ("own_apart_any_order", "agrees"),
    ("own_apart_right", "agrees"),
    ("own_apart_wrong", "COM-OWN"),
    ("own_cas_cas", "COM-OWN"),
    ("own_cas_ld", "COM-OWN"),
    ("own_later_store_loaded", "COM-OWN"),
    ("own_later_store_right", "agrees"),
    ("own_load_lanes", "agrees"),
    ("own_other_lane", "agrees"),
    ("pairs_hog_beside_missing_data", "PORT-FAIR"),
    ("release_before_a_store_oob", "agrees"),
    ("release_before_bank_cycles", "PTX-SEM"),
    ("release_early", "PTX-SEM"),
    ("release_inactive_sem5", "agrees"),
    ("release_oob_sem3", "agrees"),
    ("release_right", "agrees"),
    ("release_shared_oob_sem3", "agrees"),
    ("release_without_port_bank", "agrees"),
    ("rep_after_cas_port_min", "COM-OWN"),
    ("report_two_clauses", "PORT-HOLD"),
    ("request_of_a_later_gpr", "PORT-GROUP"),
    ("spad_changes_by_itself", "COM-SAMEADDR"),
    ("spad_compared_half_right", "agrees"),
    ("spad_compared_half_wrong", "SM5-CAS"),
    ("spad_known_half_right", "agrees"),
    ("spad_known_half_u16", "SPA5-EXT"),
    ("spad_known_half_wrong", "PORT-SPAD"),
    ("spad_unknown_s8", "SPA5-EXT"),
    ("spad_unknown_s8_right", "agrees"),
    ("spad_unknown_u8", "SPA5-EXT"),
    ("stops_before_an_offer_is_taken", "agrees"),
    ("torn_other_gpr", "PORT-WB"),
    ("torn_other_register", "PORT-WB"),
    ("torn_right", "agrees"),
    ("torn_u8", "SPA5-EXT"),
    ("undefined_done_before_answer", "PORT-DONE"),
    ("undefined_elsewhere_late", "PORT-PROGRESS"),
    ("undefined_elsewhere_right", "agrees"),
    ("undefined_elsewhere_without_bytes", "SM5-OOB-OFFSET"),
    ("undefined_right", "agrees"),
    ("volatile_byte_of_a_local_lane", "agrees"),
    ("volatile_byte_of_a_local_lane_last", "COM-SAMEADDR"),
    ("waits_at_once_then_late", "PORT-DONE"),
    ("wb_late_group", "PORT-PROGRESS"),
];

#[test]
fn logs_of_other_units_are_judged_by_their_contracts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/judged/foreign");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), LOGS.len());
    for (name, clause) in LOGS {
        let record = record(name);
        let verdict = record.judge(&mut Judge::new(&record.header.unit), record.header.contract);
        let told = verdict.map_or_else(|mismatch| mismatch.clause.to_string(), |_| "agrees".to_owned());
        assert_eq!(told, clause, "{name}");
    }
}

/// Judges a log event by event, before it is known which operations it will have.
fn growing(record: &Record) -> Result<Figures, Box<Mismatch>> {
    let mut contract = Contract::new(record.header.unit, Ctrl::default());
    contract.promises = record.header.contract;
    let memory = || record.header.start();
    let histories = record.tells_histories() && record.log.is_timed();
    let trial = Trial { contract: &contract, memory: &memory, counts: false, histories };
    let (mut judge, mut log) = (Judge::new(&record.header.unit), Log::default());
    log.set_unseen(record.log.unseen());
    let mut hearing = judge.hear(&trial, None, record.log.unseen());
    for event in record.log.since(0) {
        log.extend([event]);
        hearing.go_on(&log, None)?;
    }
    hearing.end(&log, None)
}

#[test]
fn a_log_that_grows_is_judged_like_the_whole_log() {
    for (name, _) in LOGS {
        let record = record(name);
        let whole = record.judge(&mut Judge::new(&record.header.unit), record.header.contract);
        match (whole, growing(&record)) {
            (Ok(figures), Ok(same)) => assert_eq!(figures, same, "{name}"),
            // The name of the mismatch may depend on what comes later.
            (Err(mismatch), Err(same)) => assert_eq!((mismatch.cycle, mismatch.op), (same.cycle, same.op), "{name}"),
            (whole, grown) => panic!("{name}: {whole:?} of the whole, {grown:?} as it grows"),
        }
    }
    // A history that the whole log has as well.
    assert_eq!(growing(&record("applied_right")).unwrap().histories, 1);
}

#[test]
fn another_log_in_between_is_told() {
    let record = record("own_later_store_right");
    let contract = Contract::new(record.header.unit, Ctrl::default());
    let memory = || record.header.start();
    let trial = Trial { contract: &contract, memory: &memory, counts: false, histories: false };
    let mut judge = Judge::new(&record.header.unit);
    let mut hearing = judge.hear(&trial, None, record.log.unseen());
    let mut log = Log::default();
    log.extend(record.log.since(0).into_iter().take(6));
    hearing.go_on(&log, None).unwrap();
    assert_eq!(hearing.end(&Log::default(), None).unwrap_err().field.to_string(), "unit log (environment)");
}
