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
        // Nobody is offered it.
        for arguments in [&[command, "--help"][..], &[command, "--isa", "x86", "-"]] {
            let output = Command::cargo_bin("gpu-lsu").unwrap().args(arguments).output().unwrap();
            let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
            assert!(["spa5", "r700", "sm5"].iter().all(|isa| text.contains(isa)), "{text}");
            let values: Vec<&str> = text.lines().filter(|line| line.contains("ptx")).collect();
            assert!(values.is_empty(), "{values:?}");
        }
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

/// However deep a line goes.
#[test]
fn a_line_that_nests_is_refused_and_the_rest_goes_on() {
    let nested = format!("{}r1.x{}", "u[".repeat(100_000), " + 0]".repeat(100_000));
    let input = format!("atomic_cmp_store {nested}, r0.x, l(0), l(1)\natomic_cmp_store u0, r0.x, r1.x, r2.x\n");
    let (words, code) = filter(&["asm", "--isa", "sm5", "-"], input);
    let expected = "\
error: line 1, column 22: expected a plain number, found `u`; the register of an index has plain numbers of 32 bits
090000ac 0011e000 00000000 00100006 00000000 00100006 00000001 00100006 00000002
";
    assert_eq!((words.as_str(), code), (expected, 1));
}

/// A listing has the address in a comment, and the word in another.
#[test]
fn words_in_comments_are_no_comments() {
    let (texts, code) = filter(DISASM, "/*0008*/ /* 0xbc80000001470103 */\n/*0010*/ /* no word */\n");
    assert_eq!((texts.as_str(), code), ("ST [R1+0x14], R3\n\n", 0));
    let (texts, code) = filter(&["disasm", "--isa", "r700", "-"], " /*00000008*/ /* c0018005 9200f000 */ // x\n");
    assert_eq!((texts.as_str(), code), ("MEM_SCRATCH WRITE 5 R3.xyzw ES:3 AS:0\n", 0));
}

#[test]
fn a_file_that_cannot_be_read_is_quoted() {
    for arguments in [&["asm", "--isa", "spa5", "none"][..], &["check", "none"], &["explain", "none.lsu"]] {
        let output = Command::cargo_bin("gpu-lsu").unwrap().args(arguments).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.starts_with("error: cannot read `none"), "{told}");
        assert_eq!(output.status.code(), Some(2));
    }
}

#[test]
fn a_bad_line_gives_an_error_and_the_rest_goes_on() {
    let (words, code) = filter(ASM, b"LD.U R4, [R8]\nLD R1, [R2\xff]\n\xc3\xa9\xff\nMOV\nLD R6, [R8]".as_slice());
    let expected = "\
error: line 1, column 4: `U` goes with `.128` only (SPA5-SIZE); write `.U.128`
error: line 2, column 11: the byte 0xff is not UTF-8; the input is ASCII or UTF-8 text
error: line 3, column 2: the byte 0xff is not UTF-8; the input is ASCII or UTF-8 text
error: line 4, column 1: expected `LD` or `ST`, found `MOV`; write `LD R4, [R1]` or `ST [R1], R4`
9c80000000070806
";
    assert_eq!((words.as_str(), code), (expected, 1));
    let (texts, code) = filter(DISASM, "12\n  001f8000fc0007e0\n9c80000000070806");
    let expected = "\
error: line 1, column 1: expected a word of 16 hexadecimal digits, found `12`; write `bca0000001870104`
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
error: line 1, column 1: 1 dword: a CF word has two, a memory read three, or four with the last 0
error: line 2, column 10: expected a dword of 8 hexadecimal digits, found `0`; a CF word is two dwords, a memory read three, or four with the last 0
error: line 3, column 1: CF_INST 0x29 neither writes memory nor exports: those are 0x20 to 0x28 and 0x3a
";
    assert_eq!((texts.as_str(), code), (expected, 1));
    let (words, code) = filter(&["asm", "--isa", "r700", "-"], "MEM_RING WRITE 8 R4.xyzw ES:4\nMEM_RING type=0\n");
    let expected = "error: line 1, column 29: `4` is out of range; the field has 2 bits: 0 to 3\n00000000 93000fff\n";
    assert_eq!((words.as_str(), code), (expected, 1));
}

/// R700-HINT: no value is at hand, so an index stays in the formula.
#[test]
fn r700_json_says_where_the_forms_differ() {
    let hint = |words: &str| {
        let (line, _) = filter(&["disasm", "--isa", "r700", "--json", "-"], words);
        serde_json::from_str::<serde_json::Value>(&line).unwrap().get("hint").cloned()
    };
    let both = |first: &str, limit: u64, driver_first: &str, driver_limit: Option<u64>| {
        let mut hint = serde_json::json!({
            "clause": "R700-HINT", "first_dw": first, "limit_dw": limit, "driver_first_dw": driver_first, "line": "form driver",
        });
        if let Some(limit) = driver_limit {
            hint["driver_limit_dw"] = limit.into();
        }
        Some(hint)
    };
    // MEM_RING WRITE 12 R5.xyzw ES:3 AS:0
    assert_eq!(hint("c002800c 9300f000"), both("48", 52, "12", Some(16)));
    // The same by an index.
    assert_eq!(hint("c002a00c 9300f000"), both("48 + 4*index", 52, "12 + 4*index", Some(16)));
    // MEM_EXPORT WRITE_IND 0 R10.xyz_ R9 with ES:0, ES:3, and an array of 16 elements.
    assert_eq!(hint("04852000 9d007fff"), None);
    assert_eq!(hint("c4852000 9d007fff"), both("0 + 4*index", 16384, "0 + index", None));
    assert_eq!(hint("04852000 9d00700f"), both("0 + index", 16, "0 + index", None));
    // The worked examples, of which only the ring differs; nothing moves; and what is no memory access.
    for same in [
        "c0018005 9200f000",
        "c0822008 9202f00f",
        "c0038002 92803000",
        "00010006 90006fff",
        "00000862 188d1006 00000005",
        "c002800c 93000000",
        "00000000 93800688",
    ] {
        assert_eq!(hint(same), None, "{same}");
    }
    // READ_MEM, without an index: in the drivers' form dword 0.
    assert_eq!(hint("00000262 188d1006 00000005"), both("20", 24, "0", None));
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
fn sm5_goes_both_ways() {
    let words = "0c0000ac 0011f000 00000000 00004002 00000007 0000000c 00000000 00000000 00100006 00000000 00004001 80000000\n\n\
                 // nothing\n080000ac, 0x11e000, 3, 00020556 00208AA6 0x0 0x0 0x20006\n";
    let texts = "atomic_cmp_store g0, l(7, 12, 0, 0), r0.x, l(2147483648)\n\n\nerror: line 4, column 21: expected a dword of 8 \
                 hexadecimal digits, found `3`; an instruction is as many dwords as bits 30:24 of its first one say\n";
    assert_eq!(filter(&["disasm", "--isa", "sm5", "-"], words), (texts.to_owned(), 1));
    let texts = "atomic_cmp_store g0, l(7, 12, 0, 0), r0.x, l(2147483648)\natomic_cmp_store u3, r0.xy, l(0), l(0)\n\
                 atomic_cmp_store u3, vThreadID.y, cb0[0].z, vThreadID.x\n";
    let words = "0c0000ac 0011f000 00000000 00004002 00000007 0000000c 00000000 00000000 00100006 00000000 00004001 80000000\n\
                 error: line 2, column 25: `xy` is neither one component nor four; write `.x` or `.xyzw`, in any order\n\
                 080000ac 0011e000 00000003 00020556 00208aa6 00000000 00000000 00020006\n";
    assert_eq!(filter(&["asm", "--isa", "sm5", "-"], texts), (words.to_owned(), 1));
    let line = filter(&["asm", "--isa", "sm5", "--json"], "atomic_cmp_store u0, l(1), l(2), l(3)").0;
    let expected = r#"{"line":1,"word":"090000ac 0011e000 00000000 00004001 00000001 00004001 00000002 00004001 00000003","text":"atomic_cmp_store u0, l(1), l(2), l(3)"}
"#;
    assert_eq!(line, expected);
}

/// cs_5_0 with u0 raw, u1 structured, u2 of floats, and an atomic_cmp_store to each.
fn shader() -> Vec<u32> {
    let atomic = |number| [0x0900_00ac, 0x0011_e000, number, 0x0010_0006, 0, 0x0010_0006, 1, 0x0010_0006, 2];
    let mut tokens = vec![0x0005_0050, 0, 0x0300_009d, 0x0011_e000, 0, 0x0400_009e, 0x0011_e000, 1, 28];
    tokens.extend([0x0400_089c, 0x0011_e000, 2, 0x5555]);
    tokens.extend([atomic(0), atomic(1), atomic(2)].concat());
    tokens[1] = tokens.len() as u32;
    tokens
}

fn bytes(dwords: &[u32]) -> Vec<u8> {
    dwords.iter().flat_map(|dword| dword.to_le_bytes()).collect()
}

fn container() -> Vec<u8> {
    let tokens = bytes(&shader());
    let size = 36 + 8 + tokens.len() as u32;
    let header = [&b"DXBC"[..], &[0; 16], &bytes(&[1, size, 1, 36])].concat();
    [&header[..], b"SHEX", &bytes(&[tokens.len() as u32]), &tokens].concat()
}

#[test]
fn sm5_shaders_are_listed() {
    let list = "\
atomic_cmp_store u0, r0.x, r1.x, r2.x  // token 13: dcl_uav_raw u0
atomic_cmp_store u1, r0.x, r1.x, r2.x  // token 22: dcl_uav_structured u1, 28
error: token 32: the elements of u2 are not 32-bit integers: `dcl_uav_typed_buffer (float,float,float,float) u2` (SM5-KIND)
";
    let text: String = shader()
        .chunks(8)
        .map(|row| row.iter().map(|dword| format!("{dword:08x} ")).collect::<String>() + "\n")
        .collect();
    for (input, head) in [
        (container(), "// cs_5_0, SHEX at byte 0x2c\n"),
        (bytes(&shader()), "// cs_5_0\n"),
        (text.into_bytes(), "// cs_5_0\n"),
    ] {
        assert_eq!(filter(&["disasm", "--isa", "sm5"], input), (format!("{head}{list}"), 1));
    }
    // Without the last one nothing is wrong, and what is printed is read again.
    let mut tokens = shader();
    tokens.truncate(31);
    tokens[1] = 31;
    let (texts, code) = filter(&["disasm", "--isa", "sm5"], bytes(&tokens));
    assert_eq!((texts.lines().count(), code), (3, 0));
    let (words, code) = filter(&["asm", "--isa", "sm5"], texts);
    assert_eq!((words.lines().count(), code), (3, 0));
    assert_eq!(
        words.lines().nth(1),
        Some("090000ac 0011e000 00000000 00100006 00000000 00100006 00000001 00100006 00000002")
    );
}

#[test]
fn sm5_shaders_in_json() {
    let (lines, code) = filter(&["disasm", "--isa", "sm5", "--json"], container());
    let expected = r#"{"token":22,"byte":132,"version":"cs_5_0","word":"090000ac 0011e000 00000001 00100006 00000000 00100006 00000001 00100006 00000002","text":"atomic_cmp_store u1, r0.x, r1.x, r2.x","resource":{"name":"u1","kind":"structured","stride":28,"declaration":"dcl_uav_structured u1, 28"}}"#;
    assert_eq!((lines.lines().nth(1), code), (Some(expected), 1));
    let expected = r#"{"token":32,"error":"the elements of u2 are not 32-bit integers: `dcl_uav_typed_buffer (float,float,float,float) u2`","clause":"SM5-KIND"}"#;
    assert_eq!(lines.lines().nth(2), Some(expected));
}

#[test]
fn sm5_containers_that_are_none() {
    let edit = |at: usize, value: u32| {
        let mut file = container();
        file[at..at + 4].copy_from_slice(&value.to_le_bytes());
        file
    };
    for (file, message) in [
        (container()[..60].to_vec(), "the container's size is 204 bytes, and the file has 60"),
        (b"DXBC".to_vec(), "the file has 4 bytes, and a container at least 32"),
        (edit(20, 2), "container version 2 is not 1"),
        (edit(24, 31), "the container's size is 31 bytes, and the file has 204"),
        (edit(28, u32::MAX), "4294967295 chunks do not fit in the container"),
        (edit(32, 200), "chunk 0, at byte 0xc8, does not fit in the container"),
        (edit(32, 4), "chunk 0, at byte 0x4, does not fit in the container"),
        (edit(36, u32::from_le_bytes(*b"RDEF")), "no chunk is SHEX or SHDR, a shader's tokens"),
        (edit(36, u32::from_le_bytes(*b"DXIL")), "the shader is DXIL, of shader model 6, which has no tokens"),
        (edit(40, 159), "the shader's 159 bytes are no whole dwords"),
        (edit(44, 0x0006_0050), "token 0: 0x00060050 is no version token of a shader"),
        (edit(48, 41), "token 1: the shader's length, 41, is not that of its tokens"),
    ] {
        assert_eq!(filter(&["disasm", "--isa", "sm5"], file), (format!("error: {message}\n"), 1));
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
    let sm5 = "090000ac 0011e000 00000000 00100006 00000000 00100006 00000001 00100006 00000002\n";
    for (isa, question, expected) in
        [("spa5", "9c80000000070806\n", "LD R6, [R8]\n"), ("sm5", sm5, "atomic_cmp_store u0, r0.x, r1.x, r2.x\n")]
    {
        let mut child = Process::new(env!("CARGO_BIN_EXE_gpu-lsu"))
            .args(["disasm", "--isa", isa, "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        for _ in 0..3 {
            stdin.write_all(question.as_bytes()).unwrap();
            let mut answer = vec![0; expected.len()];
            stdout.read_exact(&mut answer).unwrap();
            assert_eq!(answer, expected.as_bytes());
        }
        drop(stdin);
        assert!(child.wait().unwrap().success());
    }
}

/// What is repeated of a line is its beginning, however long it is.
#[test]
fn a_long_line_gives_a_short_error() {
    let long = "x".repeat(10_000_000);
    for (arguments, line) in [
        (ASM, format!("LD R0, {long}")),
        (ASM, long.to_string()),
        (&["asm", "--isa", "r700", "-"], format!("MEM_SCRATCH {long}")),
        (&["asm", "--isa", "sm5", "-"], format!("atomic_cmp_store u0, {long}")),
        (DISASM, format!("bca0000001870104 {long}")),
        (&["disasm", "--isa", "r700", "-"], "zz ".repeat(3_000_000)),
    ] {
        let (text, code) = filter(arguments, line);
        assert!(text.starts_with("error: line 1, column ") && text.len() < 250 && code == 1, "{}", text.len());
    }
}

#[test]
fn a_byte_order_mark_is_passed() {
    let (words, code) = filter(ASM, "\u{feff}ST [R1+0x14], R3\n\u{feff}ST [R1], R3");
    assert!(words.starts_with("bc80000001470103\nerror: line 2, column 1: ") && code == 1, "{words}");
    assert_eq!(filter(DISASM, "\u{feff}bc80000001470103"), ("ST [R1+0x14], R3\n".to_owned(), 0));
    let (error, _) = filter(ASM, "\u{feff}LD R1, [R2+x]");
    assert!(error.starts_with("error: line 1, column 12: "), "{error}");
}

#[test]
fn nop_is_no_text() {
    let (text, code) = filter(ASM, "NOP");
    let expected = "error: line 1, column 1: `NOP` is neither LD nor ST; leave it out; the one word that is printed so, \
                    8000000000000000, is by its fields `@P0 LD.U8 R0, [R0], P0`, and is not executed\n";
    assert_eq!((text.as_str(), code), (expected, 1));
}

/// A terminal has 80 columns: so wide is what every command says of itself.
#[test]
fn help_fits_a_terminal() {
    let mut commands = vec![Vec::new()];
    while let Some(command) = commands.pop() {
        let output = Command::cargo_bin("gpu-lsu").unwrap().args(&command).arg("--help").env("COLUMNS", "80").output();
        let help = String::from_utf8(output.unwrap().stdout).unwrap();
        for line in help.lines().take_while(|line| *line != "Examples:") {
            assert!(line.chars().count() <= 80, "{command:?}: {line}");
        }
        let listed = help.split_once("\nCommands:\n").map_or("", |(_, rest)| rest.split("\n\n").next().unwrap());
        let names = listed.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
        let names = names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
        commands.extend(names.map(|name| [&command[..], &[name.to_owned()]].concat()));
    }
}

/// A file without a line is another one than was meant; a pipe may have nothing to say.
#[test]
fn an_empty_file_is_told() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("empty"), "").unwrap();
    for command in [&["asm", "--isa", "spa5"][..], &["disasm", "--isa", "sm5"], &["check", "--isa", "ptx"]] {
        let mut given = Command::cargo_bin("gpu-lsu").unwrap();
        let output = given.args(command).arg("empty").current_dir(folder.path()).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!((err.as_str(), output.status.code()), ("error: `empty` is empty\n", Some(1)), "{command:?}");
        assert_eq!(filter(&[command, &["-"]].concat(), ""), (String::new(), 0));
    }
}
