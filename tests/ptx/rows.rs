// SPDX-License-Identifier: MIT OR Apache-2.0
//! Statements that NVIDIA's assembler judged, and those where it is not followed.

use std::{env, fs, path::Path};

use gpu_lsu::{
    clause::Clause,
    sets::ptx::{Bare, NEWEST},
};

/// The fields of a row; those with commas stand in quotes.
pub fn fields(row: &str) -> Vec<String> {
    let (mut fields, mut quoted) = (vec![String::new()], false);
    for c in row.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            _ => fields.last_mut().unwrap().push(c),
        }
    }
    fields
}

/// Every row is judged as the assembler judged it, but for PTX-L19; the number of rows, and of those accepted.
fn check(path: &Path) -> (usize, usize) {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut lines = text.lines();
    let header = fields(lines.next().expect("a header"));
    let place = |names: &[&str]| header.iter().position(|name| names.contains(&name.as_str())).expect("a column");
    let (target, version) = (place(&["target"]), place(&["ptx", "ptx_version"]));
    let (statement, accepted) = (place(&["statement", "instruction"]), place(&["accepted"]));

    let (mut rows, mut legal) = (0, 0);
    for row in lines {
        let fields = fields(row);
        let bare = Bare::new(fields[target].parse().unwrap(), fields[version].parse().unwrap());
        match bare.check(&fields[statement]) {
            Ok(()) => assert_eq!(fields[accepted], "1", "{row}"),
            Err(refusal) if refusal.clause == Clause::PtxL19 => {}
            Err(refusal) => assert_eq!(fields[accepted], "0", "{row}\n{refusal:?}"),
        }
        rows += 1;
        legal += usize::from(fields[accepted] == "1");
    }
    (rows, legal)
}

#[test]
fn verdicts_are_the_assemblers() {
    let (rows, legal) = check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ptx/judged.csv"));
    assert!(rows > 1500 && legal > 300, "{legal} of {rows}");
}

/// `GPU_LSU_CORPUS` may name a directory with more rows, in `ptx_st_cases.csv` and `ptx_st_versions.csv`.
#[test]
fn further_corpus() {
    if let Some(directory) = env::var_os("GPU_LSU_CORPUS") {
        for name in ["ptx_st_cases.csv", "ptx_st_versions.csv"] {
            assert!(check(&Path::new(&directory).join(name)).0 > 0);
        }
    }
}

/// The assembler (12.9.86) takes all of these. It stores one element, converts nothing, or names what cannot be stored.
#[test]
fn holes_of_the_assembler_are_closed() {
    let bare = Bare::new(NEWEST.0, NEWEST.1);
    for (statement, clause) in [
        ("st.v8.b8 [%rd1], {%h2, %h3, %h4, %h5, %h6, %h7, %h8, %h9};", Clause::PtxL19),
        ("st.v8.u16 [%rd1], {%h2, %h3, %h4, %h5, %h6, %h7, %h8, %h9};", Clause::PtxL19),
        ("st.b32 [%rd1], k;", Clause::PtxL18),
        ("st.b32 [%rd1], gbl+4;", Clause::PtxSyntax),
        ("st.b32 [%rd1], %r1+1;", Clause::PtxSyntax),
        ("st.v2.b32 [%rd1], {%laneid, %r1};", Clause::PtxL18),
        ("st.v2.b32 [%rd1], {%p1, %r1};", Clause::PtxL18),
        ("st.v2.b32 [%rd1], {5, %h1};", Clause::PtxL18),
        ("st.v2.u32 [%rd1], {%f1, %r1};", Clause::PtxL18),
        ("st.v2.b32 [%rd1], {1.5, %r1};", Clause::PtxL18),
        ("st.v2.f32 [%rd1], {5, %r1};", Clause::PtxL18),
        ("st.v2.f64 [%rd1], {5, 6};", Clause::PtxL18),
        ("st.async.b32 [%rd1], %r1;", Clause::PtxSyntax),
    ] {
        assert_eq!(bare.check(statement).map_err(|refusal| refusal.clause), Err(clause), "{statement}");
    }
    // It crashes on these.
    assert_eq!(bare.check("st.param.b32 [%rd1], %r1;").map_err(|refusal| refusal.clause), Err(Clause::PtxL17));
    assert_eq!(bare.check("st.v4.f64 [%rd1], {%q1, %q2, %q3, %q4};"), Ok(()));
}
