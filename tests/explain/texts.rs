// SPDX-License-Identifier: MIT OR Apache-2.0
//! The worked examples of the specification, explained in full.

use serde_json::json;

use super::{ALLOC, json_of, spa5};

#[test]
fn worked_store_is_forced_down() {
    let sets = [ALLOC, "R1 = 0x1003", "R4 = 0x44444444", "R5 = 0x55555555", "active = 1"];
    let expected = "\
ST.64 [R1+0x18], R4
bca0000001870104

Store 8 bytes per lane, R4, R5, to generic address R1 + 0x18, 32-bit. Every
lane's address is local or global (PT). Cache operator WB.

  lanes  EA      aligned  memory  outcome
  0      0x101b  0x1018   global  ok, forced down
  1..31  -       -        -       inactive

Stored:
  lanes  R4          R5
  0      0x44444444  0x55555555

Memory port, 1 write, lines of 128 bytes:
  lanes  line at  byte enables  memory
  0      0x1000   0x18..0x1f    global

Clauses:
  SPA5-EA-32     a 32-bit address is register plus signed immediate, modulo 2^32
  SPA5-MULTI     the lower register is at the lower address
  SPA5-ALIGN     the access is made at the address with its low log2(size) bits
                 cleared
  COM-INACTIVE   an inactive lane reads, writes and raises nothing, and keeps
                 its registers
";
    assert_eq!(spa5(&sets, &["ST.64 [R1+0x18], R4"]), expected);
    assert_eq!(spa5(&sets, &["bca0000001870104"]), expected);
    assert_eq!(spa5(&sets, &["st.64 [r1 + 24], r4 // as people write it"]), expected);
}

#[test]
fn worked_address_wraps_at_32_bits() {
    let expected = "\
ST [R6+-0x10], R7
bc8fffffff070607

Store 4 bytes per lane, R7, to generic address R6 - 0x10, 32-bit. Every lane's
address is local or global (PT). Cache operator WB.

  lanes  EA          memory  outcome
  0..3   0xfffffff8  global  ok

Stored:
  lanes  R7
  0..3   16*lane

Memory port, 1 write, lines of 128 bytes:
  lanes  line at     byte enables  memory
  0..3   0xffffff80  0x78..0x7b    global

Clauses:
  SPA5-EA-32     a 32-bit address is register plus signed immediate, modulo 2^32
  PORT-GROUP     the lowest pending lane leads a request, and every lane with
                 bytes in its line joins
  PORT-MIN       a group touches each line once
  COM-SAMEADDR   of two lanes that store to one byte in one group, the higher
                 lane wins
";
    let sets = ["R6 = 8", "R7 = 16*lane", "alloc 0xffffff00 0x100"];
    assert_eq!(spa5(&sets, &["--lanes", "4", "ST [R6+-0x10], R7"]), expected);
}

#[test]
fn worked_predicate_mixes_memories() {
    let sets = [
        "R1 = 0x1000000 + 16*lane",
        "P1 = lane % 2 == 0",
        "alloc 0x1000000 0x100",
        "memory 0x1000020: .word 1, 2, 3, 4",
        "shared 0x10: .word 5, 6, 7, 8",
    ];
    let expected = "\
LD.U.128 R4, [R1], P1
84e0000000070104

Load 16 bytes per lane into R4, R5, R6, R7 from generic address R1, 32-bit. The
hint that all lanes share the address goes with it. Where P1 is true the address
is local or global, where it is false shared. Cache operator CA.

  lanes      EA                   memory                  outcome
  0..6 even  0x1000000 + 16*lane  global                  ok
  1..7 odd   0x1000000 + 16*lane  shared, offset 16*lane  ok

Loaded:
  lanes  R4   R5   R6   R7
  0      0x0  0x0  0x0  0x0
  1      0x5  0x6  0x7  0x8
  2      0x1  0x2  0x3  0x4
  3..7   0x0  0x0  0x0  0x0

Memory port, 1 read, lines of 128 bytes:
  lanes      line at    byte enables                 memory
  0..6 even  0x1000000  16 of every 32 in 0x0..0x6f  global

Shared memory: 4 cycles at the fullest bank.

Clauses:
  SPA5-EA-32     a 32-bit address is register plus signed immediate, modulo 2^32
  SPA5-SIZE      an access moves 1, 2, 4, 8 or 16 bytes; U.128 moves what 128
                 moves
  SPA5-MULTI     the lower register is at the lower address
  SPA5-SPACE     a lane whose predicate is true is local or global, else shared
  SPA5-WINDOW    predicate true: local inside the local window, else global;
                 false: inside the shared window
  PORT-GROUP     the lowest pending lane leads a request, and every lane with
                 bytes in its line joins
  PORT-MIN       a group touches each line once
  PORT-BANK      a scratchpad access costs the largest number of distinct words
                 in one bank
";
    let expected =
        expected.replace("0x10*lane", "16*lane").replace("                    outcome", "                  outcome");
    assert_eq!(spa5(&sets, &["--lanes", "8", "LD.U.128 R4, [R1], P1"]), expected);
}

#[test]
fn out_of_window() {
    let expected = "\
ST.E.CS.U8 [R2], R5, P0
a210000000070205

Store the low byte of R5 per lane to generic address {R3,R2}, 64-bit. Where P0
is true the address is local or global, where it is false shared. Cache operator
CS.

  lanes  EA                     memory  outcome
  0..3   0x100000fff000 + lane  -       out of window, writes nothing

Clauses:
  SPA5-EA-64     a 64-bit address is the register pair plus signed immediate,
                 modulo 2^64; bit 40 and above is out of window
  SPA5-SPACE     a lane whose predicate is true is local or global, else shared
  SPA5-WINDOW    predicate true: local inside the local window, else global;
                 false: inside the shared window
  SPA5-OOB       out of window or allocation: the lane faults, LD writes 0, ST
                 writes nothing
  COM-FAULT      a lane reports its first applicable fault, and no fault stops
                 another lane
";
    let sets = ["R2 = 0xfff000 + lane", "R3 = 0x1000", "P0 = lane < 2"];
    assert_eq!(spa5(&sets, &["--lanes", "4", "ST.E.CS.U8 [R2], R5, P0"]), expected);
    // A load's registers become 0.
    let lanes = json_of(&["R1 = 0x10", "R2 = 5", "P0 = 0"], &["--lanes", "4", "LD R2, [R1], P0"])["lanes"].clone();
    assert_eq!((&lanes[0]["fault"], &lanes[0]["bytes"]), (&json!("out of window"), &json!(0)));
    assert_eq!(lanes[0]["registers"][0], json!({ "name": "R2", "before": "0x5", "after": "0x0" }));
}

#[test]
fn misaligned_with_trap() {
    let sets = [ALLOC, "trap misaligned", "R1 = 0x1003 + 4*lane", "R4 = 100 - lane"];
    let text = spa5(&sets, &["ST.64 [R1+0x18], R4"]);
    let lanes = "
  lanes       EA               aligned          memory  outcome
  0..30 even  0x101b + 4*lane  0x1018 + 4*lane  global  misaligned, yet made
  1..31 odd   0x101b + 4*lane  0x1014 + 4*lane  global  misaligned, yet made

Stored:
  lanes  R4           R5
  0..31  0x64 - lane  0x0

Memory port, 2 writes, lines of 128 bytes:
  lanes   line at  byte enables  memory
  0..25   0x1000   0x18..0x7f    global
  26..31  0x1080   0x0..0x17     global
";
    assert!(text.contains(lanes), "{text}");
    let clauses: Vec<_> = text.lines().skip_while(|line| *line != "Clauses:").skip(1).collect();
    let ids: Vec<_> = clauses.iter().filter(|line| !line.starts_with("   ")).map(|line| &line[2..16]).collect();
    let expected = ["SPA5-EA-32", "SPA5-MULTI", "SPA5-ALIGN", "PORT-GROUP", "PORT-MIN", "COM-SAMEADDR", "COM-FAULT"];
    assert_eq!(ids.iter().map(|id| id.trim_end()).collect::<Vec<_>>(), expected);
}

#[test]
fn fields_in_words() {
    let words = |sets: &[&str], text: &str| {
        let text = spa5(sets, &[text, "--lanes", "4"]);
        text.split("\n\n").nth(1).unwrap().replace('\n', " ")
    };
    let shared = "P0 = 0";
    for (text, part) in [
        ("LD.S8 R2, [R1], P0", "Load 1 byte per lane, sign-extended, into R2 from generic address R1, 32-bit."),
        ("LD.U16 R2, [R1], P0", "Load 2 bytes per lane, zero-extended, into R2 from"),
        ("LD.E.64 RZ, [R254], P0", "Load 8 bytes per lane and drop them (RZ), from generic address {RZ,R254}, 64-bit."),
        (
            "ST.64 [0xfffffff0], RZ, P0",
            "Store 8 bytes of zeros (RZ) per lane to the absolute generic address 0xfffffff0.",
        ),
        ("ST.U8 [RZ], R3, P0", "Store the low byte of R3 per lane to the absolute generic address 0x0."),
        ("@!P2 LD.CV R2, [R1], P0", "Only lanes where P2 is false execute. Cache operator CV."),
        ("@!PT LD R2, [R1], P0", "The guard @!PT lets no lane execute."),
        ("LD.U.128 R4, [R1], P0", "The hint that all lanes share the address goes with it."),
    ] {
        let found = words(&[shared], text);
        assert!(found.contains(part), "{text}: {found}");
    }
    let found = words(&["registers 8", shared], "LD R2, [R9+0x10], P0");
    assert!(found.contains("the absolute generic address 0x10, for R9 is not among the 8 registers."), "{found}");
}
