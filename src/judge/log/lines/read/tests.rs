// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use crate::op::Op;

const HEADER: &str = "{\"gpu_lsu_log\":1,\"unit\":{\"lanes\":4}}";

/// Reads the run of this header and these lines, or returns the error.
fn read(header: &str, lines: &[&str]) -> Result<Record, String> {
    let text = [&[header], lines].concat().join("\n");
    let mut reader = Reader::new(text.as_bytes()).map_err(|error| error.to_string())?;
    reader.next().unwrap().map_err(|error| error.to_string())
}

fn refused(lines: &[&str]) -> String {
    read(HEADER, lines).err().expect("a refusal")
}

/// A value that no event has counts as 0, which the report of a mismatch says.
#[test]
fn what_no_event_has_is_left_out() {
    let done = "{\"cycle\":1,\"done\":{\"warp\":1,\"tag\":3}}";
    let left_out = |lines: &[&str]| read(HEADER, lines).unwrap().left_out;
    assert_eq!(left_out(&[done]), ["done.fault", "ctrl"]);
    assert_eq!(left_out(&[done, "{\"cycle\":0,\"ctrl\":{}}"]), ["done.fault"]);
}

/// A struct's `bits` exclude its fields, but not the ports beside it.
#[test]
fn bits_stand_beside_ports_and_no_fields() {
    let refused = |op: &str| refused(&[&format!("{{\"cycle\":1,\"op\":{op}}}")]);
    assert!(refused(r#"{"bits":"0x0","wrap":3}"#).starts_with("line 2: `op.wrap`: no field of op_t, which has "));
    let twice = "line 2: `op.kind`: is in `bits` already: give either `bits` or fields";
    assert_eq!(refused(r#"{"bits":"0x0","kind":"Store"}"#), twice);
    assert_eq!(refused(r#"{"active":1,"kind":0,"bits":0}"#), twice);
    assert!(refused(r#"{"bits":"0xg"}"#).starts_with("line 2: `op.bits`: `g` in "));
    let of = |op: &str| {
        let log = read(HEADER, &[&format!("{{\"cycle\":1,\"op\":{op}}}")]).unwrap().log;
        (log.issues()[0].op, log.issues()[0].lanes.clone())
    };
    let ports = r#""active":3,"helper":4,"predicate":"0xf","addr":[[1,2,3],[4]]"#;
    let whole = of(&format!("{{\"bits\":\"0x3\",{ports}}}"));
    assert_eq!(whole.1, of(&format!("{{{ports}}}")).1);
    assert_ne!(whole.0, Op::default());
}

/// An `applied` event of a request that is not in the log is an error.
#[test]
fn what_is_applied_is_a_request_of_the_log() {
    let request = |cycle: u64| format!("{{\"cycle\":{cycle},\"req\":{{\"id\":{cycle},\"kind\":\"Read\"}}}}");
    let (one, other) = (request(3), request(5));
    let applied =
        |cycle: u64, request: u32| format!("{{\"cycle\":{cycle},\"applied\":{{\"request\":{request},\"made\":true}}}}");
    let lines = |applied: &str| read(HEADER, &[applied, &one, &other]).map(|record| record.log.is_timed());
    assert_eq!(lines(&applied(6, 1)), Ok(true));
    let none = "line 2: `applied.request`: no request 77: the log has 2 requests, from 0 on";
    assert_eq!(lines(&applied(9, 77)), Err(none.to_owned()));
    let early =
        "line 2: `applied.request`: request 1 is applied no sooner than in the cycle after the one that takes it";
    assert_eq!(lines(&applied(5, 1)), Err(early.to_owned()));
    assert!(refused(&[&applied(9, 0)]).ends_with("no request 0: the log has 0 requests, from 0 on"));
    // Requests from before the log are not in it.
    let unseen = HEADER.replace("\"unit\"", "\"unseen\":[\"start\"],\"unit\"");
    assert!(read(&unseen, &[&applied(9, 77), &one]).is_ok());
}

/// A port has one handshake a cycle, and nothing can be seen after the end.
#[test]
fn what_cannot_happen_is_refused() {
    let done = |cycle: u64, tag: u8| format!("{{\"cycle\":{cycle},\"done\":{{\"tag\":{tag}}}}}");
    let twice = refused(&[&done(5, 0), &done(7, 1), &done(5, 2)]);
    assert_eq!(twice, "line 4: `done`: a second one in cycle 5 (line 2): a port has one a cycle");
    let after = refused(&[&done(5, 0), "{\"cycle\":6,\"end\":true}", &done(7, 1)]);
    assert_eq!(after, "line 4: cycle 7 comes after the log's `end`, in cycle 6 (line 3)");
    assert!(refused(&["{\"cycle\":6,\"end\":true}", "{\"cycle\":6,\"end\":true}"]).starts_with("line 3: "));
    let offered = done(5, 2).replace("}}", "},\"taken\":false}");
    let beside =
        "line 3: `done`: one is taken in cycle 5, and another is offered and waits (line 2): a port has one a cycle";
    assert_eq!(refused(&[&done(5, 0), &offered, &done(6, 2)]), beside);
    let foreign = |addr: &str| format!("{{\"cycle\":1,\"foreign\":{{\"addr\":\"{addr}\",\"bytes\":[1,2]}}}}");
    assert!(read(HEADER, &[&foreign("0xfffffffffffffffe")]).is_ok());
    assert_eq!(
        refused(&[&foreign("0xffffffffffffffff")]),
        "line 2: `foreign`: not bytes up to the last 64-bit address"
    );
}

#[test]
fn a_number_is_one_in_every_form() {
    let header = |seed: &str, addr: &str| {
        let memory = format!("\"memory\":{{\"seed\":{seed},\"bytes\":[{{\"addr\":{addr},\"bytes\":[7]}}]}}");
        format!("{{\"gpu_lsu_log\":1,\"unit\":{{}},{memory}}}")
    };
    let memory = |seed: &str, addr: &str| {
        let memory = read(&header(seed, addr), &[])?.header.memory.unwrap();
        Ok::<_, String>((memory.seed, memory.bytes[0].addr))
    };
    for (seed, addr) in [("26", "4096"), ("\"0x1a\"", "\"0x1000\""), ("\"26\"", "\"0b1_0000_0000_0000\"")] {
        assert_eq!(memory(seed, addr), Ok((26, 4096)));
    }
    assert_eq!(memory("18446744073709551615", "0").unwrap().0, u64::MAX);
    assert!(memory("-1", "0").unwrap_err().contains("-1 is no number"), "{:?}", memory("-1", "0"));
    assert!(memory("true", "0").unwrap_err().ends_with("true or false, not a number, such as 5 or \"0x1f\""));
    for addr in ["257", "\"0x101\"", "\"257\""] {
        let foreign = format!("{{\"cycle\":1,\"foreign\":{{\"addr\":{addr},\"bytes\":[1]}}}}");
        assert_eq!(read(HEADER, &[&foreign]).unwrap().log.made(0).addr, 257);
        let compare = format!("{{\"cycle\":1,\"foreign\":{{\"addr\":0,\"bytes\":[1,2,3,4],\"compare\":{addr}}}}}");
        assert_eq!(read(HEADER, &[&compare]).unwrap().log.made(0).compare, Some(257));
    }
    let wide = "{\"cycle\":1,\"foreign\":{\"addr\":0,\"bytes\":[1,2,3,4],\"compare\":\"0x100000000\"}}";
    assert!(refused(&[wide]).contains("0x100000000: it has 32 bits"), "{}", refused(&[wide]));
}

#[test]
fn what_is_no_log_is_told_from_line_1() {
    let new = |text: &str| Reader::new(text.as_bytes()).err().unwrap().to_string();
    let header = "the first line of a log is its header, such as {\"gpu_lsu_log\":1,\"unit\":{\"lanes\":32}}";
    assert_eq!(new(""), format!("line 1: nothing is there; {header}"));
    assert!(new("[1]").starts_with("line 1: column 1: an array, not a JSON object such as {"));
    let twice = "line 2: column 20: `cycle` stands twice in one object";
    assert_eq!(refused(&["{\"cycle\":900,\"cycle\":3,\"reset\":true}"]), twice);
    assert!(
        new("{\"gpu_lsu_log\":1,\"gpu_lsu_log\":1,\"unit\":{}}").ends_with("`gpu_lsu_log` stands twice in one object")
    );
}

/// Another master compares one word.
#[test]
fn an_access_that_compares_is_of_a_word() {
    let foreign = |addr: &str, bytes: &str| {
        format!("{{\"cycle\":1,\"foreign\":{{\"addr\":\"{addr}\",\"bytes\":{bytes},\"compare\":7}}}}")
    };
    assert!(read(HEADER, &[&foreign("0x1004", "[1,2,3,4]")]).is_ok());
    for line in [foreign("0x1002", "[1,2,3,4]"), foreign("0x1000", "[1,2,3,4,5,6,7,8]"), foreign("0x1000", "[]")] {
        let why = "line 2: `foreign`: not four bytes at a multiple of 4, which an access that compares has";
        assert_eq!(refused(&[&line]), why);
    }
}
