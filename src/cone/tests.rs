// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lines of unknown sources: without comments, under other names, and of no unit at all.

use std::{fs, path::Path};

use super::*;
use crate::{
    clause::Clause,
    judge::{Field, Site},
};

/// Another designer's unit: the address of a request goes through an instance, a function and a register.
const OTHER: &str = "\
module adder import p::*; (input logic clk, input logic [39:0] a, b, output logic [39:0] sum_o);
  always_ff @(posedge clk) sum_o <= scaled(a) + b;
  function automatic logic [39:0] scaled(logic [39:0] x);
    return x << 2;
  endfunction
endmodule
module lsu (input logic clk_i, input op_t op_i, output logic [39:0] mem_req_addr_o, output logic wb_valid_o);
  logic [39:0] base;
  always_comb begin
    if (op_i.kind == 2'd0)
      base = 40'd7;
    else
      base = 40'd9;
  end
  adder u_adder (.clk(clk_i), .a(op_i.imm[39:0]), .b(base), .sum_o(mem_req_addr_o));
  assign wb_valid_o = op_i.kind == 2'd1;
endmodule
";

fn rtl(text: &str) -> (tempfile::TempDir, Sources) {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("other.sv"), text).unwrap();
    let sources = Sources::of(dir.path()).unwrap();
    (dir, sources)
}

fn wrong_address() -> Mismatch {
    Mismatch::new(Clause::PortReq, Some(0), Field::signal(Site::MemReq, "addr")).values("0x10", "0x20")
}

#[test]
fn a_unit_without_a_comment_has_its_cone() {
    let (_dir, rtl) = rtl(OTHER);
    let lines = look(&rtl, &Ctrl::default(), &[], &wrong_address()).unwrap();
    let at = |line: usize| lines.iter().find(|found| found.line == line);
    // The register, the function, its argument, and both values of the other operand.
    for line in [2, 4, 11, 13, 15] {
        assert!(at(line).is_some(), "line {line} of {lines:#?}");
    }
    assert_eq!((at(2).unwrap().registers, at(11).unwrap().registers), (0, 1));
    assert_eq!((&*at(4).unwrap().module, &*at(4).unwrap().drives), ("adder", "scaled"));
    assert_eq!(at(4).unwrap().text, "return x << 2;");
    // Another port's line is not on the way, and no `end` is named.
    let place = |line: usize| lines.iter().position(|found| found.line == line).unwrap_or(NAMED);
    assert!(place(2) < place(16), "{lines:#?}");
    assert!(at(3).is_none() && at(5).is_none(), "{lines:#?}");
}

#[test]
fn what_the_operation_rules_out_comes_last() {
    let (_dir, rtl) = rtl(OTHER);
    // A load's kind is 1.
    let issue = |kind: u8| Issue {
        op: crate::op::Op { kind, ..Default::default() },
        lanes: Default::default(),
        data: Vec::new(),
        inst: None,
    };
    for (kind, first, then) in [(0, 11, 13), (1, 13, 11)] {
        let lines = look(&rtl, &Ctrl::default(), &[issue(kind)], &wrong_address()).unwrap();
        let place = |line: usize| lines.iter().position(|found| found.line == line).unwrap();
        assert!(place(first) < place(then), "kind {kind}: {lines:#?}");
    }
}

#[test]
fn this_unit_is_read_without_its_comments_too() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("rtl");
    let dir = tempfile::tempdir().unwrap();
    let folders = [own.join("cells"), own];
    let files = folders.iter().flat_map(|dir| fs::read_dir(dir).unwrap()).map(|entry| entry.unwrap().path());
    for path in files.filter(|path| path.is_file()) {
        let text = fs::read_to_string(&path).unwrap();
        let bare: Vec<_> = text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
        fs::write(dir.path().join(path.file_name().unwrap()), bare.join("\n")).unwrap();
    }
    let rtl = Sources::of(dir.path()).unwrap();
    let lines = look(&rtl, &Ctrl::default(), &[], &wrong_address()).unwrap();
    assert_eq!(lines.len(), NAMED);
    assert!(lines.iter().all(|line| !line.text.is_empty() && line.file.ends_with(".sv")), "{lines:#?}");
}

#[test]
fn sources_that_are_gone_or_changed_or_none_are_told() {
    let look = |rtl: &Sources| look(rtl, &Ctrl::default(), &[], &wrong_address());
    let (dir, rtl) = rtl("module other; endmodule\n");
    assert!(matches!(look(&rtl), Err(Unread::NoTop)));
    fs::write(dir.path().join("other.sv"), "module lsu; endmodule\n").unwrap();
    assert!(matches!(look(&rtl), Err(Unread::Changed)));
    drop(dir);
    assert!(matches!(look(&rtl), Err(Unread::Sources(_))));
}

/// No source causes a panic.
#[test]
fn broken_sources_are_read_as_far_as_they_go() {
    let own = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("rtl/lsu_window.sv")).unwrap();
    let own = own.replace("module lsu_window", "module lsu");
    for cut in (0..own.len()).step_by(211).filter(|&cut| own.is_char_boundary(cut)) {
        let (_dir, rtl) = rtl(&format!("{} {}", &own[..cut], &own[own.len() - cut / 2..]));
        let _ = look(&rtl, &Ctrl::default(), &[], &wrong_address());
    }
}
