// SPDX-License-Identifier: MIT OR Apache-2.0
//! `asm` and `disasm` as filters: texts, exit codes, pipes.

use std::{
    io::{Read, Write},
    process::{Command as Process, Stdio},
};

use assert_cmd::Command;

fn filter(arguments: &[&str], input: impl Into<Vec<u8>>) -> (String, i32) {
    let output = Command::cargo_bin("gpu-lsu").unwrap().args(arguments).write_stdin(input).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
    (String::from_utf8(output.stdout).unwrap(), output.status.code().unwrap())
}

const ASM: &[&str] = &["asm", "--isa", "spa5", "-"];
const DISASM: &[&str] = &["disasm", "--isa", "spa5", "-"];

#[test]
fn ptx_has_no_words() {
    for command in ["asm", "disasm"] {
        let output = Command::cargo_bin("gpu-lsu").unwrap().args([command, "--isa", "ptx", "-"]).output().unwrap();
        let text = "error: PTX has no machine words; `gpu-lsu check --isa ptx` judges its statements\n";
        assert_eq!((String::from_utf8(output.stderr).unwrap().as_str(), output.status.code()), (text, Some(2)));
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn a_line_gives_a_line() {
    let (words, code) = filter(ASM, "ST [R1+0x14], R3\n\n// nothing\nld.64 r4, [r1 - 20]; {&req_6}\r\n  # end");
    assert_eq!((words.as_str(), code), ("bc80000001470103\n\n\n9caffffffec70104\n\n", 0));
    let (texts, code) = filter(DISASM, words);
    assert_eq!((texts.as_str(), code), ("ST [R1+0x14], R3\n\n\nLD.64 R4, [R1+-0x14]\n\n", 0));
    let (texts, code) = filter(DISASM, "0XBC80000001470103\n/* 0x8000000000000000 */\n/* no word */");
    assert_eq!((texts.as_str(), code), ("ST [R1+0x14], R3\nNOP\n\n", 0));
    assert_eq!(filter(ASM, ""), (String::new(), 0));
}

#[test]
fn a_bad_line_gives_an_error_and_the_rest_goes_on() {
    let (words, code) = filter(ASM, b"LD.U R4, [R8]\nLD R1, [R2\xff]\n\xc3\xa9\xff\nMOV\nLD R6, [R8]".as_slice());
    let expected = "\
error: line 1, column 4: `U` goes with `.128` only (SPA5-SIZE); write `.U.128`
error: line 2, column 11: the byte 0xff is not UTF-8; the input is ASCII or UTF-8 text
error: line 3, column 2: the byte 0xff is not UTF-8; the input is ASCII or UTF-8 text
error: line 4, column 1: expected `LD` or `ST`, found `MOV`
9c80000000070806
";
    assert_eq!((words.as_str(), code), (expected, 1));
    let (texts, code) = filter(DISASM, "12\n  001f8000fc0007e0\n9c80000000070806");
    let expected = "\
error: line 1, column 1: expected a word of 16 hexadecimal digits, found `12`
error: line 2, column 3: 001f8000fc0007e0 is neither LD nor ST: bits 63:61 are 000, LD has 100 and ST has 101
LD R6, [R8]
";
    assert_eq!((texts.as_str(), code), (expected, 1));
}

#[test]
fn json_is_an_object_a_line() {
    let (lines, code) = filter(&["asm", "--isa", "spa5", "--json"], "LD.32 R6, [R8] {&wr1}\n\nLD.U R6, [R8]\n");
    let expected = r#"{"line":1,"word":"9c80000000070806","text":"LD R6, [R8]","annotations":["&wr1"]}
{"line":2}
{"line":3,"column":4,"error":"`U` goes with `.128` only","clause":"SPA5-SIZE","help":"write `.U.128`"}
"#;
    assert_eq!((lines.as_str(), code), (expected, 1));
    let (lines, code) = filter(&["disasm", "--isa", "spa5", "--json", "-"], "9c80000000070806");
    assert_eq!((lines.as_str(), code), ("{\"line\":1,\"word\":\"9c80000000070806\",\"text\":\"LD R6, [R8]\"}\n", 0));
}

/// Two dwords are a CF word, three or four a memory read.
#[test]
fn r700_goes_both_ways() {
    let words = "c0822008 9202f00f\n0x00000862, 0x188D1006, 0x00000005, 0x00000000\n\n";
    let short = "MEM_SCRATCH WRITE_IND 8-9 R4-5.xyzw R1 ES:3 AS:15\n\
                 READ_SCRATCH R6.xyzw, R0.xx, RID:0 UNCACHED ELEM_SIZE:3 ARRAY_BASE:5 ARRAY_SIZE:0 UCF:0 \
                 FMT(DTA:34 NUM:1 COMP:0 MODE:0)\n\n";
    let long = "MEM_SCRATCH type=1 array_base=8 elem_size=3 index_gpr=1 rw_gpr=4 rw_rel=0 burst=1 barrier=1 eop=0 \
                vpm=0 wqm=0 array_size=15 comp_mask=f\n\
                READ_SCRATCH elem_size=3 uncached=1 indexed=0 burst=0 src_gpr=0 src_rel=0 src_sel=0 dst_gpr=6 \
                dst_rel=0 dst_sel=0,1,2,3 array_base=5 array_size=0 fmt=34 nfa=1 fca=0 sma=0\n\n";
    let exact = "c0822008 9202f00f\n00000862 188d1006 00000005\n\n";
    assert_eq!(filter(&["disasm", "--isa", "r700", "-"], words), (short.to_owned(), 0));
    assert_eq!(filter(&["disasm", "--isa", "r700", "--long", "-"], words), (long.to_owned(), 0));
    assert_eq!(filter(&["asm", "--isa", "r700", "-"], short), (exact.to_owned(), 0));
    assert_eq!(filter(&["asm", "--isa", "r700", "-"], long), (exact.to_owned(), 0));
}

#[test]
fn r700_errors_stand_in_their_lines() {
    let (texts, code) = filter(&["disasm", "--isa", "r700", "-"], "c0018005\n00000362 0 0\nc0018005 94800000\n");
    let expected = "\
error: line 1, column 1: 1 dwords: a CF word has two, a memory read three, or four with the last 0
error: line 2, column 10: expected a dword of 8 hexadecimal digits, found `0`; a CF word is two dwords, a memory read three, or four with the last 0
error: line 3, column 1: CF_INST 0x29 neither writes memory nor exports: those are 0x20 to 0x28 and 0x3a
";
    assert_eq!((texts.as_str(), code), (expected, 1));
    let (words, code) = filter(&["asm", "--isa", "r700", "-"], "MEM_RING WRITE 8 R4.xyzw ES:4\nMEM_RING type=0\n");
    let expected = "error: line 1, column 29: `4` is out of range; the field has 2 bits: 0 to 3\n00000000 93000fff\n";
    assert_eq!((words.as_str(), code), (expected, 1));
}

#[test]
fn r700_json_has_the_fields_by_name() {
    let (line, _) = filter(&["disasm", "--isa", "r700", "--json", "-"], "c0018005 9200f000");
    let expected = r#"{"line":1,"word":"c0018005 9200f000","text":"MEM_SCRATCH WRITE 5 R3.xyzw ES:3 AS:0","ARRAY_BASE":5,"TYPE":0,"RW_GPR":3,"RW_REL":0,"INDEX_GPR":0,"ELEM_SIZE":3,"ARRAY_SIZE":0,"COMP_MASK":15,"BURST_COUNT":0,"END_OF_PROGRAM":0,"VALID_PIXEL_MODE":0,"CF_INST":36,"WHOLE_QUAD_MODE":0,"BARRIER":1}
"#;
    assert_eq!(line, expected);
    let (line, _) = filter(&["disasm", "--isa", "r700", "--json", "--long", "-"], "00000000 93800688");
    assert!(line.contains(r#""text":"EXPORT type=0 "#), "{line}");
    assert!(line.contains(r#""SEL_X":0,"SEL_Y":1,"SEL_Z":2,"SEL_W":3,"BURST_COUNT":0"#), "{line}");
    let (line, _) = filter(&["disasm", "--isa", "r700", "--json", "-"], "c0000002 00000200 00030000");
    for field in [
        r#""MEM_INST":2"#,
        r#""LDS_REQ":1"#,
        r#""COALESCED_READ":1"#,
        r#""DST_SEL_X":1"#,
        r#""DST_SEL_W":0"#,
        r#""ENDIAN_SWAP":3"#,
    ] {
        assert!(line.contains(field), "{field}: {line}");
    }
}

#[test]
fn usage_is_code_2() {
    for arguments in [
        &["asm"][..],
        &["asm", "--isa", "avr", "-"],
        &["disasm", "--isa", "spa5", "no such file"],
        &["asm", "--isa", "spa5", "src"],
        &["disasm", "--isa", "spa5", "--long", "-"],
        &["asm", "--isa", "r700", "--long", "-"],
        &["frobnicate"],
        &[],
    ] {
        let output = Command::cargo_bin("gpu-lsu").unwrap().args(arguments).output().unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{arguments:?}");
        assert!(!output.stderr.is_empty(), "{arguments:?}");
    }
    for arguments in [&["--help"][..], &["asm", "--help"], &["disasm", "--help"]] {
        let (text, code) = filter(arguments, "");
        assert!(code == 0 && text.contains("Examples:"), "{arguments:?}");
    }
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let mut child = Process::new(env!("CARGO_BIN_EXE_gpu-lsu"))
        .args(ASM)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    let lines = "LD R6, [R8]\n".repeat(1000);
    while stdin.write_all(lines.as_bytes()).is_ok() {}
    drop(stdin);
    let mut complaints = String::new();
    child.stderr.take().unwrap().read_to_string(&mut complaints).unwrap();
    assert_eq!((child.wait().unwrap().code(), complaints.as_str()), (Some(0), ""));
}

/// An answer comes before the next question is asked.
#[test]
fn a_dialogue_does_not_hang() {
    let mut child = Process::new(env!("CARGO_BIN_EXE_gpu-lsu"))
        .args(DISASM)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    for _ in 0..3 {
        stdin.write_all(b"9c80000000070806\n").unwrap();
        let mut answer = [0; 12];
        stdout.read_exact(&mut answer).unwrap();
        assert_eq!(&answer, b"LD R6, [R8]\n");
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}
