// SPDX-License-Identifier: MIT OR Apache-2.0
//! Statements of PTX, explained.

use serde_json::{Value, json};

use super::{ALLOC, explain, of};

fn ptx(sets: &[&str], statement: &str) -> String {
    of("ptx", sets, &["--lanes", "4", statement])
}

/// These lines stand in the text.
fn says(text: &str, lines: &[&str]) {
    for line in lines {
        assert!(text.lines().any(|found| found == *line), "{line}\n{text}");
    }
}

#[test]
fn a_statement_in_full() {
    let expected = "\
@%p1 st.global.v2.b16 [%rd1+0x2], {%r2, 0x7fff};

Store 4 bytes per lane, 2 elements of 2 bytes, %r2, 0x7fff, to %rd1 + 0x2,
64-bit. It is the address in global memory. It is weak: lanes may share a
request. Only lanes where %p1 is true execute. Cache operator wb.

  lanes  EA               aligned          memory  outcome
  0..2   0x1002 + 8*lane  0x1000 + 8*lane  global  ok, forced down
  3      -                -                -       inactive

Stored:
  lanes  %r2            0x7fff
  0..2   0x1234 + lane  0x7fff

Memory port, 1 write, lines of 128 bytes:
  lanes  line at  byte enables               memory
  0..2   0x1000   4 of every 8 in 0x0..0x13  global

Clauses:
  PTX-VEC        element i of 1, 2, 4 or 8 goes to a + i * sizeof(type); narrow
                 types take the low bits
  PTX-EA         the address is register or symbol plus offset modulo 2^64; bit
                 40 and above is out of window
  PTX-OFFSET     written out, .local, .shared and .param take offsets in the
                 space and .global an address; .shared::cluster goes out of the
                 memory port
  PTX-ALIGN      the access is made at the address with its low log2(size) bits
                 cleared
  PORT-GROUP     the lowest pending lane leads a request, and every lane with
                 bytes in its line joins
  PORT-MIN       a group touches each line once
  COM-INACTIVE   an inactive lane reads, writes and raises nothing, and keeps
                 its registers
";
    let sets = [ALLOC, "%rd1 = 0x1000 + 8*lane", "%r2 = 0xabcd1234 + lane", "%p1 = lane < 3"];
    assert_eq!(ptx(&sets, "@%p1 st.global.v2.b16 [%rd1 + 2], {%r2, 32767};"), expected);
}

#[test]
fn modifiers_in_words() {
    for (statement, part) in [
        ("st.b8 [%rd1], %r2;", "Store the low byte of %r2 per lane to %rd1, 64-bit. The windows tell where:"),
        ("st.b16 [%r1+-4], %r2;", "Store the low 2 bytes of %r2 per lane to %r1 - 0x4, 32-bit."),
        ("st.b32 [sh+4], 7;", "Store 4 bytes per lane, 7, to sh + 0x4, which is 0x1000004."),
        ("st.local.b32 [0x20], 7;", "7, to 0x20. It is an offset in the thread's local memory."),
        ("st.shared::cluster.b32 [%rd1], 7;", "It is an offset in the cluster's shared memory."),
        ("st.volatile.b32 [%rd1], 7;", "Volatile, it is made as relaxed at scope sys."),
        ("st.relaxed.gpu.b32 [%rd1], 7;", "It is relaxed at scope gpu:"),
        ("st.release.cta.b32 [%rd1], 7;", "It is a release at scope cta: it is sent when every earlier access"),
        ("st.mmio.relaxed.sys.b32 [%rd1], 7;", "As memory-mapped IO each lane has one request of its own"),
        ("st.mmio.release.sys.b32 [%rd1], 7;", "A release too, it is sent when every earlier access of the warp"),
        ("st.volatile.local.b32 [%rd1], 7;", "It is an offset in the thread's local memory. Volatile,"),
        ("st.b32 gbl[3], 7;", "7, to byte 3 of gbl, which is 0x10003."),
        ("st.b32 gbl[%r1+4], 7;", "7, to byte %r1 + 0x4 of gbl, taken modulo 2^32, which begins at 0x10000."),
        ("st.b32 [%rd1], gbl+4;", "Store 4 bytes per lane, gbl+0x4, to %rd1"),
        ("st.b64 [%rd1], %r1+0;", "Store 8 bytes per lane, %r1+0, to %rd1"),
        ("@!%p2 st.b32 [%rd1], 7;", "Only lanes where %p2 is false execute."),
        ("st.cs.b32 [%rd1], 7;", "Cache operator cs."),
        (
            "st.L1::no_allocate.L2::cache_hint.b32 [%rd1], 7, %pol;",
            "Priority in L1: no_allocate. The cache policy is %pol of",
        ),
        ("st.v4.b64 [%rd1], {1, _, 3, _};", "4 elements of 8 bytes, 1, _, 3, _ (the sinks leave memory as it is),"),
    ] {
        let text = ptx(&["alloc 0 0x100"], statement).replace('\n', " ");
        assert!(text.contains(part), "{statement}: {text}");
    }
}

#[test]
fn every_space_has_its_name_and_place() {
    let sets = ["param 0x10000 0x40 0x40", "cluster 0x20000 0x20", "var prm 0x20", "%rd1 = 4*lane"];
    let text = ptx(&sets, "st.param.b64 [prm+8], %rd1;");
    assert!(text.contains("param, offset 0x28, at") && text.contains("0x10000"), "{text}");
    let text = ptx(&sets, "st.shared::cluster.b32 [%rd1+20], %rd1;");
    assert!(text.contains("at 0x20014 + 4*lane") && text.contains("at     out of allocation"), "{text}");
    let text = ptx(&["%rd1 = 0x2000000 + 4*lane"], "st.b32 [%rd1], 1;");
    assert!(text.contains("local, offset 4*lane, at") && text.contains("0xf000000000"), "{text}");
}

/// An address at a line's end is the whole address.
#[test]
fn cells_break_at_blanks_alone() {
    let value = "%rd1 = [1, 1, 1, 1, 0xfffffffffffffff9, 0xfffffffffffffff5, 0xfffffffffffffff1, 0xffffffffffffffed]";
    let sets = [ALLOC, "lanes 8", value];
    let text = of("ptx", &sets, &["st.b16 [%rd1], %h1;"]);
    for whole in ["0xfffffffffffffff9", "0xfffffffffffffff8"] {
        assert!(text.split_whitespace().any(|word| word == whole), "{whole}\n{text}");
    }
}

#[test]
fn wide_values_are_told_whole() {
    let sets = ["alloc 0 0x1000", "%q1 = 0x100000000000000000000000000000000"];
    assert!(
        explain(&["--isa", "ptx", "--set", sets[1], "st.b128 [%rd1], %q1;"]).1.contains("does not fit in 128 bits")
    );
    let sets = ["alloc 0 0x1000", "%q1 = 0x100000000 * 0x500000000 + lane", "%rd1 = 16*lane", "%d1 = -1"];
    says(&ptx(&sets, "st.b128 [%rd1], %q1;"), &["  lanes  %q1, low  %q1, high", "  0..3   lane      0x5"]);
    says(
        &ptx(&sets, "st.v2.f64 [%rd1], {%d1, -0.5};"),
        &["  lanes  %d1                 -0.5", "  0..3   0xffffffffffffffff  0xbfe0000000000000"],
    );
    // Eight words take two tables.
    let text = ptx(&["alloc 0 0x1000", "%rd1 = 32*lane"], "st.v8.b32 [%rd1], {1, 2, 3, 4, _, 6, 7, 8};");
    says(&text, &["  lanes  1    2    3    4", "  lanes  6    7    8", "  0..3   0x6  0x7  0x8"]);
}

#[test]
fn mmio_has_its_order() {
    let sets = ["alloc 0x1000 0x100", "%rd1 = [0x1000, 0x1000, 0x2000000, 0x1004]"];
    let text = ptx(&sets, "st.mmio.relaxed.sys.b32 [%rd1], 5;");
    says(&text, &["Memory port, 3 writes, lines of 128 bytes:"]);
    assert!(text.contains("illegal, writes nothing") && text.contains("\n  PTX-SEM "), "{text}");
    assert!(text.contains("\n  PORT-ORDER ") && !text.contains("PORT-MIN") && !text.contains("PORT-GROUP"), "{text}");
}

/// PTX-GLOBAL-ONLY: 256 bits are for global memory.
#[test]
fn a_wide_store_to_a_window_is_illegal() {
    let sets = ["alloc 0x1000 0x100", "%rd1 = [0x1000, 0x2000000, 0x1000000, 0x1020]"];
    let text = ptx(&sets, "st.v8.b32 [%rd1], {1, 2, 3, 4, 5, 6, 7, 8};");
    assert!(text.matches("illegal, writes nothing").count() >= 1 && text.contains("\n  PTX-GLOBAL-ONLY "), "{text}");
    let text = ptx(&sets, "st.v4.b32 [%rd1], {1, 2, 3, 4};");
    assert!(!text.contains("illegal") && !text.contains("PTX-GLOBAL-ONLY"), "{text}");
}

#[test]
fn sums_are_told_by_lane() {
    let sets = ["alloc 0x10000 0x100", "%r1 = 8*lane", "%r2 = 0xffffffff"];
    let text = ptx(&sets, "st.b64 gbl[%r1+16], %r2+2;");
    says(&text, &["  lanes  %r2+0x2", "  0..3   0x1"]);
    assert!(text.contains("0x10010 + 8*lane"), "{text}");
}

/// The policy is one for the operation: the lowest lane's that executes.
#[test]
fn json_has_no_word() {
    let sets = [ALLOC, "%rd1 = 0x1000 + 4*lane", "%r2 = lane", "active = 0xe"];
    let sets = sets.iter().flat_map(|line| ["--set", line]);
    let statement = "st.L2::cache_hint.v2.b16 [%rd1], {%r2, 7}, %rd1;";
    let arguments: Vec<_> =
        ["--isa", "ptx", "--lanes", "4", "--lane", "2", "--json", statement].into_iter().chain(sets).collect();
    let (out, err, code) = explain(&arguments);
    assert_eq!((err.as_str(), code), ("", 0));
    let object: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&object["text"], &object["word"]), (&json!(statement), &Value::Null));
    let lane = &object["lanes"][0];
    assert_eq!((&lane["ea"], &lane["bytes"], &lane["space"]), (&json!("0x1008"), &json!(4), &json!("global")));
    let values = json!([
        { "name": "%r2", "before": "0x2", "after": "0x2" },
        { "name": "0x7", "before": "0x7", "after": "0x7" },
    ]);
    assert_eq!(lane["registers"], values);
    assert_eq!(object["requests"][0]["lanes"], json!([1, 2, 3]));
    assert!(object["clauses"].as_array().unwrap().contains(&json!("COM-ATTR")));
}

#[test]
fn refusals_point_into_the_statement() {
    for (statement, parts) in [
        ("st.global.release.b32 [%rd1], %r2;", &["PTX-L3", "--> instruction:1:10", "`.release` has no scope"][..]),
        ("st.b32 [%rd1], %r4096;", &["PTX-L18", "--> instruction:1:16"]),
        ("st.b32 [cst], %r1;", &["PTX-L17", "is a variable of .const"]),
        ("st.b32 [%rd1], %r1", &["expected `;`"]),
        ("st.b32 [%rd1], 1; st.b32 [%rd1], 1;", &["expected the end of the line", "--> instruction:1:19"]),
        ("ld.b32 %r1, [%rd1];", &["only stores are judged"]),
        ("mov.b32 %r1, 1;", &["expected a directive, a value or an instruction"]),
    ] {
        let (out, err, code) = explain(&["--isa", "ptx", statement]);
        assert_eq!((out.as_str(), code), ("", 1), "{statement}");
        let flat = err.replace("\n  │", "").replace('\n', " ");
        parts.iter().for_each(|part| assert!(flat.contains(part), "{statement}: {part}\n{err}"));
    }
}
