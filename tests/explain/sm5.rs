// SPDX-License-Identifier: MIT OR Apache-2.0
//! atomic_cmp_store, explained.

use serde_json::{Value, json};

use super::{explain, of};

fn sm5(sets: &[&str], instruction: &str) -> String {
    of("sm5", sets, &["--lanes", "4", instruction])
}

/// These lines stand in the text.
fn says(text: &str, lines: &[&str]) {
    for line in lines {
        assert!(text.lines().any(|found| found.trim() == *line), "{line}\n{text}");
    }
}

/// An address at a line's end is the whole address.
#[test]
fn cells_break_at_blanks_alone() {
    let sets = [
        "uav 5 typed 3d 0x6000 0x180 4 4 3",
        "r0.x = [4, 5, 0xffffffff, 0]",
        "r0.y = [4, 0xffffffff, 1, 0]",
        "r0.z = [0x40000000, 0xffffffff, 1, 0]",
        "helpers = 8",
    ];
    let text = sm5(&sets, "atomic_cmp_store u5, r0.xyzx, l(0), l(1)");
    for whole in ["0x40000000", "0xffffffff", "0x1000000050", "0x1000006050", "allocation:"] {
        assert!(text.split_whitespace().any(|word| word == whole), "{whole}\n{text}");
    }
    // There is no room for them side by side.
    says(&text, &["at       0x1000006050", "outcome  out of allocation: x past the width"]);
}

#[test]
fn an_instruction_in_full() {
    let expected = "\
atomic_cmp_store g0, r0.xyxx, r1.x, r2.x
090000ac 0011f000 00000000 00100046 00000000 00100006 00000001 00100006 00000002

Where the dword of g0 at (r0.x, r0.y) equals r1.x, it becomes r2.x, in one
atomic step. g0 has structures of 16 bytes, 0x100 bytes at 0x400 of the
scratchpad: offset = 16*x + y.

  lanes  x     y     offset  at     outcome
  0      0x3   0x8   0x38    0x438  ok
  1      0x10  0x0   0x100   0x500  undefined: structure past the size
  2      0x3   0x10  0x40    0x440  undefined: y past the stride
  3      0x3   0x9   0x38    0x438  ok, forced down

One lane after the other, in ascending order:
  lanes  at     holds  compare  new
  0      0x438  0x7    0x7      0x9  stored
  3      0x438  0x9    0x9      0xc  stored

From here on all of shared memory is undefined by the source: what it holds is
this unit's choice.

Shared memory: 2 cycles at the fullest bank.

Clauses:
  SM5-CAS        if the dword equals src0, bit for bit, it becomes src1, in one
                 atomic step; nothing is returned
  SM5-ORDER      lanes of one instruction on one dword take effect one after the
                 other, in ascending order
  SM5-STRUCT     structured: byte address = a.x * stride + a.y, exact
  SM5-OOB-TGSM   g# out of its own bounds: nothing is written, and the lane's
                 fault is undefined
  SM5-ALIGN      the address is forced to a multiple of 4; the lane is
                 misaligned if that traps
  SM5-WILD       a resource that a lane makes undefined is named, and what is
                 read of it later is this unit's choice
  PORT-BANK      a scratchpad access costs the largest number of distinct words
                 in one bank
  COM-FAULT      a lane reports its first applicable fault, and no fault stops
                 another lane
";
    let sets = [
        "tgsm 0 structured 0x400 0x100 16",
        "shared 0x438: .word 7",
        "r0.x = [3, 16, 3, 3]",
        "r0.y = [8, 0, 16, 9]",
        "r1.x = [7, 0, 0, 9]",
        "r2.x = 9 + lane",
    ];
    assert_eq!(sm5(&sets, "atomic_cmp_store g0, r0.xyxx, r1.x, r2.x"), expected);
    // Its tokens do as well, in any form.
    let tokens = "0x090000ac 0x0011f000 0x0 0x00100046 0x0 0x0010000a 0x1 0x0010000a 0x2";
    let rest = |text: &str| text.lines().skip(2).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(rest(&sm5(&sets, tokens)), rest(expected));
}

/// SM5-ORDER.
#[test]
fn one_lane_wins() {
    let sets = ["uav 0 raw 0x1000 0x40", "memory 0x1000: .word 5"];
    let text = of("sm5", &sets, &["atomic_cmp_store u0, l(0), l(5), l(15)"]);
    says(
        &text,
        &[
            "0      0x1000  0x5    0x5      0xf  stored",
            "1..31  0x1000  0xf    0x5      0xf  left as it is",
            "Memory port, 1 read-exclusive, lines of 128 bytes:",
            "0..31  0x1000   0x0..0x3      uav",
            "Then 1 write-exclusive, of the lines at 0x1000.",
        ],
    );
}

#[test]
fn every_test_is_named() {
    let typed =
        ["uav 4 typed 2darray 0x1000 0x180 8 4 3", "r0.x = [7, 8, 0, 0]", "r0.y = [3, 0, 4, 0]", "r0.z = [2, 0, 0, 3]"];
    says(
        &sm5(&typed, "atomic_cmp_store u4, r0.xyzx, -r1.x, vThreadIDInGroupFlattened"),
        &[
            "vThreadIDInGroupFlattened.x, in one atomic step. u4 is typed, 8 x 4 x 3 elements",
            "0      0x7  0x3  0x2  0x17c   0x117c  ok",
            "1      0x8  0x0  0x0  0x20    0x1020  out of allocation: x past the width",
            "2      0x0  0x4  0x0  0x80    0x1080  out of allocation: y past the height",
            "3      0x0  0x0  0x3  0x180   0x1180  out of allocation: slice past the depth",
        ],
    );
    let structured =
        ["uav 0 structured 0x1000 0x40 16", "trap misaligned", "r0.x = [0, 4, 0, 3]", "r0.y = [4, 0, 16, 13]"];
    says(
        &sm5(&structured, "atomic_cmp_store u0, r0.xyxx, l(0), l(1)"),
        &[
            "0      0x0  0x4   0x4     0x1004  ok",
            "1      0x4  0x0   0x40    0x1040  out of allocation: structure past the size",
            "2      0x0  0x10  0x10    0x1010  undefined: y past the stride",
            "3      0x3  0xd   0x3c    0x103c  misaligned, yet made",
        ],
    );
    // The size of a typed resource may be less than its dimensions have.
    let short = ["uav 0 typed buffer 0x1000 8 64", "r0.x = lane", "active = lane > 0", "helpers = lane == 3"];
    says(
        &sm5(&short, "atomic_cmp_store u0, r0.x, l(0), l(1)"),
        &[
            "0      -    -       -       inactive",
            "1      0x1  0x4     0x1004  ok",
            "2      0x2  0x8     0x1008  out of allocation: past the size",
            "3      -    -       -       helper, does nothing",
        ],
    );
}

/// SM5-UNBOUND.
#[test]
fn nothing_is_bound() {
    let (out, err, code) = explain(&["--isa", "sm5", "--lanes", "4", "atomic_cmp_store u0, r0.x, r1.x, r2.x"]);
    says(&out, &["Nothing is bound to u0.", "0..3   0x0  0x0     0x0  out of allocation: unbound"]);
    assert!(err.contains("hint: nothing is bound to the slots that are used"), "{err}");
    assert_eq!(code, 0);
    // Tables with the largest numbers stay within 80 columns, which `explain` asserts.
    let wide = ["uav 0 structured 0xfffffff000 0x1000 2048", "r0 = [-1, 0x80000000, 1, 0]"];
    assert!(sm5(&wide, "atomic_cmp_store u0, r0.xyxx, r0.x, r0.y").contains("structure past"));
}

#[test]
fn json() {
    let sets = ["uav 1 raw 0x1000 0x40", "memory 0x1004: .word 3"];
    let arguments = ["--lanes", "4", "--lane", "1", "--json", "atomic_cmp_store u1, l(4), l(3), -r1.y"];
    let object: Value = serde_json::from_str(&of("sm5", &[&sets[..], &["r1.y = lane"]].concat(), &arguments)).unwrap();
    let lane = &object["lanes"][0];
    assert_eq!(lane["pair"], json!({ "held": "0x0", "compare": "0x3", "new": "0xffffffff", "stored": false }));
    assert_eq!(lane["address"], "0x1004");
    assert_eq!((&lane["space"], &lane["offset"], &lane["bytes"]), (&json!("uav"), &json!("0x4"), &json!(4)));
    assert_eq!(lane["registers"][1], json!({ "name": "-r1.y", "before": "0xffffffff", "after": "0xffffffff" }));
    assert_eq!(lane["clauses"], json!(["SM5-RAW", "SM5-CAS", "SM5-ORDER"]));
    assert_eq!(object["requests"][0]["byte_enable"], "0xf0");
}
