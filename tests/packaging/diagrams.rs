// SPDX-License-Identifier: MIT OR Apache-2.0
//! The timing diagrams of docs/integration.md. Each is what the ports of the unit showed in a run of a program in
//! docs/waves, as WaveJSON, and that rendered; and each sentence of the page about time is asked of one of them.
//!
//! `INSTA_UPDATE=always` writes both anew.

use std::{env, fs, path::Path};

use gpu_lsu::{
    cosim::{
        Schedule,
        case::{Answer, stall},
    },
    op::{Kind, ReqKind},
};
use serde_json::{Value, json};

use crate::{here, ran, read, run::Run, tool};

/// In the next cycle, at system scope.
const AT_ONCE: Answer = Answer { apply: 0, answer: 0, scope: 3, last: 0 };

/// A diagram: its program, what it shows, and how the environment behaves.
fn diagrams() -> [(&'static str, &'static str, Schedule); 3] {
    let late = Answer { apply: 1, scope: 0, last: 5, ..AT_ONCE };
    // The first cycle shows that nothing is offered. Under pressure each port, where it offers something, waits for two.
    let stalls = |ports: [u8; 3]| {
        let stalls = (0..32).map(|cycle| match cycle {
            0 => stall::OP | stall::DATA,
            12 | 13 => ports[0],
            17 | 18 => ports[1],
            22 | 23 => ports[2],
            _ => 0,
        });
        stalls.collect()
    };
    let eager = Schedule { stalls: stalls([0; 3]), ..Schedule::eager() };
    let pressed = stalls([stall::REQ, stall::WB, stall::DONE]);
    [
        (
            "two_registers",
            "A store and a load of two registers: the load of the same bytes waits for the first answer, not the last",
            Schedule { answers: vec![late, AT_ONCE], ..eager.clone() },
        ),
        (
            "pair",
            "A compare-and-store: the pair is repeated after a refused write, under one id",
            Schedule { refusals: vec![1], ..eager.clone() },
        ),
        (
            "pressure",
            "Back-pressure: what is offered stays, unchanged, until it is taken",
            Schedule { stalls: pressed, ..eager },
        ),
    ]
}

/// What a channel carries in a cycle, for people; `None` if its payload is only shown as present.
type Label = fn(&[u64]) -> String;

/// Each channel: who offers, the fields that its label is made of, and the label.
const CHANNELS: [(&str, char, &[&str], Label); 6] = [
    ("op", 'i', &["op_i.kind", "op_i.tag"], |v| format!("{} {}", kind(v[0]), v[1])),
    ("data", 'i', &[], |_| String::new()),
    ("mem_req", 'o', &["mem_req_kind_o", "mem_req_id_o"], |v| format!("{} {}", request(v[0]), v[1])),
    ("mem_rsp", 'i', &["mem_rsp_id_i", "mem_rsp_last_i", "mem_rsp_exclusive_failed_i"], |v| {
        let how = if v[2] == 1 { " failed" } else { ["", " last"][v[1] as usize] };
        format!("{}{how}", v[0])
    }),
    ("wb", 'o', &["wb_tag_o", "wb_reg_o"], |v| format!("{} reg {}", v[0], v[1])),
    ("done", 'o', &["done_tag_o"], |v| v[0].to_string()),
];

fn kind(code: u64) -> String {
    Kind::from_code(code as u8).map_or_else(String::new, |kind| format!("{kind:?}"))
}

fn request(code: u64) -> String {
    let kind = ReqKind::from_code(code as u8).unwrap();
    format!("{kind:?}").replace("Exclusive", "Ex")
}

/// A bit in each cycle as WaveDrom has it.
fn bits(values: &[u64]) -> String {
    let sign = |(at, value): (usize, &u64)| match at > 0 && values[at - 1] == *value {
        true => '.',
        false => char::from(b'0' + *value as u8),
    };
    values.iter().enumerate().map(sign).collect()
}

/// A channel's valid, ready and payload; none, if it never offers anything.
fn channel(run: &mut Run, (name, offers, fields, label): (&str, char, &[&str], Label)) -> Option<Value> {
    let takes = if offers == 'i' { 'o' } else { 'i' };
    let [valid, ready] = [("valid", offers), ("ready", takes)]
        .map(|(what, side)| (format!("{name}_{what}_{side}"), side))
        .map(|(n, _)| n);
    let (valids, readies) = (run.port(&valid), run.port(&ready));
    if !valids.contains(&1) {
        return None;
    }
    let mut rows = vec![
        Value::from(name),
        json!({"name": "valid", "wave": bits(&valids)}),
        json!({"name": "ready", "wave": bits(&readies)}),
    ];
    if !fields.is_empty() {
        let fields: Vec<_> = fields.iter().map(|field| run.port(field)).collect();
        let (mut wave, mut data, mut moved) = (String::new(), Vec::new(), true);
        for cycle in 0..valids.len() {
            let text = label(&fields.iter().map(|field| field[cycle]).collect::<Vec<_>>());
            if valids[cycle] == 0 {
                wave.push(if cycle > 0 && valids[cycle - 1] == 0 { '.' } else { 'x' });
            } else if !moved && data.last() == Some(&text) {
                wave.push('.');
            } else {
                wave.push('=');
                data.push(text);
            }
            moved = valids[cycle] == 0 || readies[cycle] == 1;
        }
        rows.push(json!({"name": "", "wave": wave, "data": data}));
    }
    Some(Value::from(rows))
}

/// The diagram of a run, as WaveJSON.
fn wavejson(run: &mut Run, title: &str) -> String {
    let cycles = (run.cycles.end - run.cycles.start) as usize;
    let mut signal = vec![json!({"name": "clk_i", "wave": format!("p{}", ".".repeat(cycles - 1))})];
    for row in CHANNELS {
        signal.extend(channel(run, row));
    }
    let diagram = json!({"signal": signal, "head": {"text": title, "tick": 0}, "config": {"hscale": 2}});
    serde_json::to_string_pretty(&diagram).unwrap() + "\n"
}

/// Says that a file of docs/waves is what was made, or, if that is asked for, makes it so.
#[track_caller]
fn is_current(path: &Path, made: &str) {
    if env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        fs::write(path, made).unwrap();
    }
    let found = fs::read_to_string(path).unwrap_or_default();
    let remedy = "INSTA_UPDATE=always cargo test --release --test packaging diagrams";
    assert!(found == made, "{} is stale: `{remedy}` writes it anew", path.display());
}

#[test]
fn pictures_are_what_the_ports_showed() {
    for (name, title, schedule) in diagrams() {
        let [source, picture] = ["json", "svg"].map(|kind| here(format!("docs/waves/{name}.{kind}")));
        is_current(&source, &wavejson(&mut Run::of(name, schedule), title));
        let folder = tempfile::tempdir().unwrap();
        let made = folder.path().join("made.svg");
        let source = source.to_str().unwrap();
        ran(folder.path(), tool("wavedrompy"), &["--input", source, "--svg", made.to_str().unwrap()]);
        is_current(&picture, &fs::read_to_string(made).unwrap());
    }
    let page = read("docs/integration.md");
    for (name, ..) in diagrams() {
        assert!(page.contains(&format!("(waves/{name}.svg)")), "the page does not show {name}");
    }
}

/// docs/integration.md, "Timing".
#[test]
fn what_the_page_says_of_time_is_so() {
    let [two, pair, pressure] = diagrams().map(|(name, _, schedule)| Run::of(name, schedule));
    let mut run = two;
    let (ops, requests) = (run.moves("op", 'i'), run.moves("mem_req", 'o'));
    let (answers, beats, dones) = (run.moves("mem_rsp", 'i'), run.moves("wb", 'o'), run.moves("done", 'o'));
    assert_eq!((ops.len(), run.moves("data", 'i').len(), beats.len(), dones.len()), (2, 2, 2, 2));
    // Eleven cycles to the first request, and two for the second register.
    assert_eq!(requests[0], ops[0] + 13);
    // Of the same bytes, after the first of the store's two answers and before the last.
    let last = run.port("mem_rsp_last_i");
    let lasts: Vec<_> = answers.iter().map(|&cycle| last[cycle]).collect();
    assert_eq!(lasts.iter().sum::<u64>(), 2);
    assert_eq!(lasts[0], 0);
    assert!(requests[1] > answers[0] && dones[0] > answers[0]);
    let ids = run.port("mem_rsp_id_i");
    let freed = *answers.iter().find(|&&cycle| last[cycle] == 1 && ids[cycle] == ids[answers[0]]).unwrap();
    assert!(requests[1] < freed && dones[0] < freed, "{requests:?} {answers:?} {dones:?}");

    let mut run = pair;
    let kinds = run.port("mem_req_kind_o");
    let requests = run.moves("mem_req", 'o');
    let exclusive = [ReqKind::ReadExclusive, ReqKind::WriteExclusive].map(|kind| kind as u64);
    assert_eq!(requests.iter().map(|&cycle| kinds[cycle]).collect::<Vec<_>>(), [exclusive, exclusive].concat());
    let ids = run.port("mem_req_id_o");
    assert!(requests.iter().all(|&cycle| ids[cycle] == ids[requests[0]]));
    let failed = run.port("mem_rsp_exclusive_failed_i");
    let answers = run.moves("mem_rsp", 'i');
    assert_eq!(answers.iter().map(|&cycle| failed[cycle]).collect::<Vec<_>>(), [0, 1, 0, 0]);

    let mut run = pressure;
    for (channel, fields) in [("mem_req", "mem_req_addr_o"), ("wb", "wb_tag_o"), ("done", "done_tag_o")] {
        let (valid, ready) = (run.port(&format!("{channel}_valid_o")), run.port(&format!("{channel}_ready_i")));
        let values = run.port(fields);
        let waits: Vec<_> = (0..valid.len() - 1).filter(|&at| valid[at] == 1 && ready[at] == 0).collect();
        assert!(!waits.is_empty(), "{channel} never waits");
        assert!(waits.iter().all(|&at| valid[at + 1] == 1 && values[at + 1] == values[at]), "{channel} {waits:?}");
    }
}
