// SPDX-License-Identifier: MIT OR Apache-2.0
//! A wave as FST has what the same wave has as VCD, however many blocks it takes.

use std::fmt::Write as _;

use gpu_lsu::wave::{Annotations, Expect, annotate};
use wellen::simple;

use super::{Bench, TRACE, changes, divergence, everything, names};

/// What nothing of ours does: bits that are unknown, values that leave out what comes before them.
const UNKNOWN: &str = "#25\nx!\nbx01z $\nb1 #\n#30\nz!\nbz #\nb0 BS\n#35\n0!\nr-1e300 &\n";

fn same(trace: &str, expects: Vec<Expect>) -> usize {
    let bench = Bench::new(trace);
    let annotations = Annotations { lanes: 4, line_bytes: 32, expects };
    let outs = ["out.vcd", "out.fst"].map(|name| bench.folder.path().join(name));
    let [mut vcd, mut fst] = outs.map(|out| {
        annotate(&bench.trace, &annotations, &out).unwrap();
        simple::read(&out).unwrap()
    });
    assert_eq!(vcd.time_table(), fst.time_table());
    let all = names(&vcd);
    assert_eq!(names(&fst), all);
    let mut count = 0;
    for name in all {
        let (one, other) = (changes(&mut vcd, &name), changes(&mut fst, &name));
        assert!(one == other, "{name} differs");
        count += one.len();
    }
    count
}

#[test]
fn it_has_what_the_vcd_has() {
    let mut expects = everything();
    expects.push(Expect { mismatch: Some(divergence("at the end")), ..Expect::at(50) });
    same(&(TRACE.to_owned() + UNKNOWN), expects);
}

/// What a variable holds where a block begins, and what it does after it, must not depend on where that is.
#[test]
fn blocks_join() {
    let (header, _) = TRACE.split_once(" $upscope $end\n$enddefinitions").unwrap();
    let mut trace = format!("{header}  $var string 1 ' note $end\n $upscope $end\n$enddefinitions $end\n");
    trace += &TRACE[TRACE.find("#0").unwrap()..];
    // Texts alone fill a block of 16 MiB: three of them.
    for number in 0..40u64 {
        let text = "abcdefgh".repeat(1 << 17);
        write!(trace, "#{}\n{}!\ns{text}{number} '\n", 25 + 5 * number, number % 2).unwrap();
        if number % 7 == 0 {
            write!(trace, "b{number:b} #\nr{number} &\nb{number:b} BS\n").unwrap();
        }
    }
    assert!(same(&trace, everything()) > 40);
}
