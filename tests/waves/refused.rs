// SPDX-License-Identifier: MIT OR Apache-2.0
//! What cannot be merged, and that nothing is left of it.

use std::fs;

use gpu_lsu::wave::{Annotations, Expect, WaveError, annotate};

use super::{Bench, TRACE, divergence, everything};

#[test]
fn what_cannot_be_written_leaves_nothing() {
    let mut bench = Bench::new(TRACE);
    bench.out = bench.folder.path().join("no/such/folder.vcd");
    let error = bench.merge(everything()).unwrap_err();
    assert!(matches!(error, WaveError::Write { .. }));
    assert!(error.to_string().starts_with(&format!("cannot write the wave `{}`: ", bench.out.display())), "{error}");
    bench.out = bench.folder.path().to_owned();
    assert!(matches!(bench.merge(everything()), Err(WaveError::Write { .. })));
    bench.trace = bench.folder.path().join("none.vcd");
    assert!(matches!(bench.merge(everything()), Err(WaveError::Read { .. })));
    assert_eq!(bench.files(), 1);
}

#[test]
fn damage_is_named_with_its_line_and_keeps_the_file_that_was_there() {
    let header = TRACE.split("#0").next().unwrap();
    let body = |body: &str| format!("{header}{body}");
    let cases = [
        (String::new(), 1, "the trace ends before `$enddefinitions`"),
        ("hello\nworld $enddefinitions $end\n".into(), 1, "expected a command such as `$scope`"),
        (TRACE.replace(" # data", " \u{e9} data"), 6, "`\u{e9}` is no id of a variable"),
        (TRACE.replacen("$upscope", "$comment", 1), 19, "1 scopes are left open"),
        (TRACE.replace("$scope module top", "$scope module"), 4, "a `$scope` that is not understood"),
        (body("#10\n#5\n"), 23, "time goes back to 5"),
        (body("#ten\n"), 22, "a time that is no number"),
        (body("#99999999999999999999\n"), 22, "a time that is no number"),
        (body("#0\n1?\n"), 23, "a variable that the header does not declare"),
        (body("#0\nb01\n"), 23, "a change without a variable"),
        (body("#0\nb012 #\n"), 23, "a value that is not of bits"),
        (body("#0\n1!\nb0000"), 24, "the trace ends in the middle of a line"),
        (body("#0\nwhat\n"), 23, "neither a time nor a change"),
    ];
    for (trace, at, expected) in cases {
        let bench = Bench::new(&trace);
        fs::write(&bench.out, "as it was").unwrap();
        match bench.merge(everything()) {
            Err(WaveError::Malformed { line, message, path }) => {
                assert!(message.contains(expected), "{message} {expected}");
                assert_eq!((line, &path), (at, &bench.trace), "{message}");
            }
            other => panic!("{other:?} for {expected}"),
        }
        assert_eq!((fs::read_to_string(&bench.out).unwrap().as_str(), bench.files()), ("as it was", 2));
    }
}

#[test]
fn shapes_and_orders_that_make_no_sense_are_refused() {
    let bench = Bench::new(TRACE);
    for (lanes, line_bytes) in [(0, 32), (33, 32), (4, 0), (4, 129)] {
        let error = annotate(&bench.trace, &Annotations { lanes, line_bytes, expects: vec![] }, &bench.out);
        assert!(matches!(error, Err(WaveError::Shape { .. })), "{lanes} {line_bytes}");
    }
    let error = bench.merge(vec![Expect::at(7), Expect::at(6)]).unwrap_err().to_string();
    assert_eq!(error, "the expectation at time 6 comes after the one at 7");
    bench.merge(vec![Expect { mismatch: Some(divergence("")), ..Expect::at(u64::MAX) }]).unwrap();
    // A trace whose run ended before the first dump.
    let bench = Bench::new(TRACE.split_inclusive("$enddefinitions $end\n").next().unwrap());
    bench.merge(vec![]).unwrap();
    assert!(fs::read_to_string(&bench.out).unwrap().contains("\n#0\n"));
}
