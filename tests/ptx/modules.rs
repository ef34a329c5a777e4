// SPDX-License-Identifier: MIT OR Apache-2.0
//! `check FILE`: declarations, scopes, directives, and other instructions in between.

use std::{fs, path::Path};

use assert_cmd::Command;

use crate::check;

const KERNEL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ptx/kernel.ptx");

const EXPECTED: &str = "\
accepted: line 40, column 2: st.local.u32
accepted: line 41, column 2: st.param.b32
refused: line 42, column 17: `helper_param_0` is an input parameter, which is only read (PTX-L1); declare a `.param` of the call being made
accepted: line 43, column 2: st.v4.f32
accepted: line 44, column 2: st.v2.f32
refused: line 45, column 16: `%v.q` has no such component (PTX-L18); a value is a register or a number
accepted: line 46, column 2: st.u32
accepted: line 47, column 2: st.b32
accepted: line 49, column 6: st.shared.b32
load: line 67, column 2: ld.param.u64; loads are not judged
accepted: line 71, column 2: st.param.b32
load: line 79, column 2: ld.param.b32; loads are not judged
refused: line 81, column 17: `param0` is not declared (PTX-L17); declare it before it is used
accepted: line 83, column 57: st.global.cg.b32
refused: line 85, column 25: `%r12` is no declared register (PTX-L18); a value is a register or a number
accepted: line 86, column 2: st.global.v4.f32
refused: line 87, column 12: `.cluster` needs sm_90, the target is sm_80 (PTX-TARGET); sm_90 and newer have it
refused: line 88, column 22: `-` cannot be: offsets are added (PTX-SYNTAX); write `+-4`
accepted: line 89, column 2: st.volatile.global.u32
refused: line 89, column 47: `tab` is a variable of .const (PTX-L17); a generic store names variables of .global, .shared and .local only
refused: line 93, column 11: `helper` is a function (PTX-L17); name a variable or a register
accepted: line 103, column 25: st.global.u8
";

#[test]
fn a_module_is_read() {
    assert_eq!(check(&[KERNEL], ""), (EXPECTED.to_owned(), 1));
}

#[test]
fn options_come_before_directives() {
    let (text, code) = check(&["--target", "sm_50", "--ptx", "8.8", KERNEL], "");
    let cluster = "`.relaxed` needs sm_70, the target is sm_50";
    assert!(text.contains(cluster) && code == 1, "{text}");
    let (text, _) = check(&["--target", "sm_90", KERNEL], "");
    assert!(text.contains("accepted: line 87, column 2: st.relaxed.cluster.global.b32"), "{text}");
}

#[test]
fn json_says_the_same() {
    let (text, code) = check(&["--json", KERNEL], "");
    let places = |line: &str, of: &str| {
        let at = line.find(of).unwrap() + of.len();
        line[at..].chars().take_while(char::is_ascii_digit).collect::<String>()
    };
    for (json, line) in text.lines().zip(EXPECTED.lines()) {
        assert_eq!(places(json, "\"line\":"), places(line, "line "), "{json}");
        assert_eq!(places(json, "\"column\":"), places(line, "column "), "{json}");
        assert!(json.contains(&format!("\"verdict\":\"{}\"", line.split(':').next().unwrap())), "{json}");
    }
    assert_eq!((text.lines().count(), code), (EXPECTED.lines().count(), 1));
}

#[test]
fn a_module_without_stores_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("none.ptx");
    fs::write(&path, ".version 8.3\n.target sm_90\n.address_size 64\n").unwrap();
    let output = Command::cargo_bin("gpu-lsu").unwrap().arg("check").arg(&path).output().unwrap();
    let told = format!("note: the module, `{}`, has no st\n", path.display());
    assert_eq!((String::from_utf8(output.stderr).unwrap(), output.status.code()), (told, Some(0)));
}

/// A file, and what `check` says of it.
fn file(name: &str, content: &[u8]) -> (String, i32) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, content).unwrap();
    check(&[path.to_str().unwrap()], "")
}

#[test]
fn a_file_without_directives_is_bare_statements() {
    let (text, code) = file("statements.txt", b"// two\nst.b32 [%rd1], %r1;\nst.b32 [%rd1], %f1;\n");
    assert_eq!((text.as_str(), code), ("accepted\naccepted\naccepted\n", 0));
}

/// PTX-L15, PTX-LD-INDEX: a parameter of a call has no guard, the function's own result may; only arrays have elements.
#[test]
fn parameters_and_arrays_are_known_by_their_declarations() {
    let source = b"\xef\xbb\xbf.version 9.5\n.target sm_100\n.address_size 64\n\
        .global .f32 floats[8], one;\n\
        .func (.param .b32 out, .param .b8 outs[8]) f(.param .b32 in, .param .b8 ins[8]) {\n\
        .reg .pred %p1; .reg .b32 %r<4>; .param .b32 arg; .param .b8 args[4];\n\
        @%p1 st.param.b32 [out], %r1;\n\
        @!%p1 st.param.b32 outs[%r1+4], %r1;\n\
        @%p1 st.param.b32 [arg], %r1;\n\
        @%p1 st.param.b32 args[0], %r1;\n\
        st.param.b32 [in], %r1;\n\
        st.param.b32 ins[0], %r1;\n\
        st.param.b32 out[0], %r1;\n\
        st.f32 floats[%r1], one+4;\n\
        st.b32 floats[2], one+4;\n\
        st.b32 one[0], f;\n\
        st.b64 [one], f;\n\
        ret; }\n";
    let (text, code) = file("calls.ptx", source);
    let verdicts: Vec<_> = text
        .lines()
        .map(|line| (line.split(':').next().unwrap(), line.split(['(', ')']).nth(1).unwrap_or_default()))
        .collect();
    let expected = [
        ("accepted", ""),
        ("accepted", ""),
        ("refused", "PTX-L15"),
        ("refused", "PTX-L15"),
        ("refused", "PTX-L1"),
        ("refused", "PTX-L1"),
        ("refused", "PTX-LD-INDEX"),
        ("refused", "PTX-L18"),
        ("accepted", ""),
        ("refused", "PTX-LD-INDEX"),
        ("accepted", ""),
    ];
    assert_eq!((verdicts.as_slice(), code), (&expected[..], 1), "{text}");
}

#[test]
fn broken_modules_are_told_where() {
    for (content, said) in [
        (
            &b".version 8.0\n.entry k() { st.b32 [\xff], 5; }"[..],
            "refused: line 2, column 22: the byte 0xff is no text",
        ),
        (b".version 8.0\n /* ", "refused: line 2, column 2: `/*` is never closed"),
        (b".version 8.0\n.global .b32 a;\n.entry k() { st.b32 [a], 5", "refused: line 3, column 27: expected `;`"),
        (
            b".entry k() { st.b32 [a\n\n; st.b8 [b], 5; }",
            "refused: line 3, column 1: expected `+` and an offset, or `]`",
        ),
    ] {
        let (text, code) = file("broken.ptx", content);
        assert!(text.starts_with(said) && code == 1, "{text}");
    }
}

#[test]
fn every_access_is_found() {
    let source = fs::read_to_string(Path::new(KERNEL)).unwrap();
    let accesses = source.lines().filter(|line| line.contains("st.") || line.contains("ld.")).count();
    // `st.async` and the text in the debug section are no accesses; one line has two.
    assert_eq!(EXPECTED.lines().count(), accesses - 2 + 1);
}
