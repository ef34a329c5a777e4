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
            // 13.5.37 dies of some statements that 12.9.86 takes.
            Ok(()) if fields.last().is_some_and(|error| error.contains("stack smashing")) => {}
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

/// `GPU_LSU_CORPUS` may name a directory with more rows, in `ptx_st_cases.csv`, `ptx_st_versions.csv` and
/// `ptx_st_newer.csv`.
#[test]
fn further_corpus() {
    if let Some(directory) = env::var_os("GPU_LSU_CORPUS") {
        for name in ["ptx_st_cases.csv", "ptx_st_versions.csv", "ptx_st_newer.csv"] {
            assert!(check(&Path::new(&directory).join(name)).0 > 0);
        }
    }
}

/// The assembler takes all of these. It stores one element, or what no name says.
#[test]
fn holes_of_the_assembler_are_closed() {
    let bare = Bare::new(NEWEST.0, NEWEST.1);
    for (statement, clause) in [
        ("st.v8.b8 [%rd1], {%h2, %h3, %h4, %h5, %h6, %h7, %h8, %h9};", Clause::PtxL19),
        ("st.v8.u16 [%rd1], {%h2, %h3, %h4, %h5, %h6, %h7, %h8, %h9};", Clause::PtxL19),
        ("st.b32 [%rd1], %laneid+1;", Clause::PtxL18),
        ("st.b32 gbl[gbl], %r1;", Clause::PtxLdIndex),
        ("st.b32 gbl[%laneid], %r1;", Clause::PtxLdIndex),
        ("st.v2.b32 [%rd1], {%laneid, %r1};", Clause::PtxL18),
        ("st.async.b32 [%rd1], %r1;", Clause::PtxSyntax),
    ] {
        assert_eq!(bare.check(statement).map_err(|refusal| refusal.clause), Err(clause), "{statement}");
    }
    // It crashes on these, or takes and refuses them without a rule.
    assert_eq!(bare.check("st.v2.b32 [%rd1], {%p1, %r1};").map_err(|refusal| refusal.clause), Err(Clause::PtxL18));
    assert_eq!(bare.check("st.v2.b32 [%rd1], {%r1, %p1};").map_err(|refusal| refusal.clause), Err(Clause::PtxL18));
    assert_eq!(
        bare.check("st.v4.b32 [%rd1], {1.5, %r1, %r1, %rd1};").map_err(|refusal| refusal.clause),
        Err(Clause::PtxL18)
    );
    assert_eq!(bare.check("st.param.b32 [%rd1], %r1;").map_err(|refusal| refusal.clause), Err(Clause::PtxL17));
    assert_eq!(bare.check("st.v4.f64 [%rd1], {%q1, %q2, %q3, %q4};"), Ok(()));
}

/// Forms of which neither corpus has many, each with the verdict of 13.5.37 at PTX 9.5.
#[test]
fn data_and_addresses_by_the_newer_assembler() {
    let bare = Bare::new("sm_100".parse().unwrap(), "9.5".parse().unwrap());
    for row in include_str!("judged_newer.txt").lines().filter(|row| !row.starts_with("//")) {
        let (verdict, statement) = row.split_once(' ').unwrap();
        match (bare.check(statement), verdict) {
            (Ok(()), "1") => {}
            (Err(_), "0") => {}
            (found, _) => panic!("{row}\n{found:?}"),
        }
    }
}
