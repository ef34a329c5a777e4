// SPDX-License-Identifier: MIT OR Apache-2.0
//! `wave why` as its users meet it: texts, exit codes, files.

use std::{fs, process};

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

/// Lanes 0 and 1 store, lane 2 out of what is allocated; then lanes 0 and 1 load that.
const LOG: &str = r#"{"gpu_lsu_log":1,"unit":{"lanes":4},"memory":{"seed":"0x0","bytes":[{"addr":"0x100","bytes":[1,2,3,4]}]}}
{"cycle":0,"reset":true}
{"cycle":1,"ctrl":{"alloc":[{"base":"0x0","size":"0x1000"}]}}
{"cycle":3,"op":{"kind":"Store","addr_mode":"Reg32","element_bytes":4,"element_count":1,"element_mask":1,"active":"0x7","predicate":"0xf","addr":[[256,0,0],[260,0,0],[8192,0,0],[0,0,0]],"tag":5}}
{"cycle":3,"data":["0x11223344","0x55667788",9,0]}
{"cycle":6,"req":{"id":2,"tag":5,"kind":"Write","addr":"0x100","be":"0xff","data":"0x5566778811223344","space":"Global"}}
{"cycle":9,"rsp":{"id":2,"last":1,"scope":"Sys"}}
{"cycle":11,"done":{"tag":5,"fault":["None","None","Allocation","None"]}}
{"cycle":12,"op":{"kind":"Load","addr_mode":"Reg32","element_bytes":4,"element_count":1,"element_mask":1,"active":"0x3","predicate":"0xf","addr":[[256,0,0],[260,0,0],[0,0,0],[0,0,0]],"tag":6}}
{"cycle":15,"req":{"id":3,"tag":6,"kind":"Read","addr":"0x100","be":"0xff","space":"Global"}}
{"cycle":18,"rsp":{"id":3,"last":1,"scope":"Sys","data":"0x5566778811223344"}}
{"cycle":19,"wb":{"tag":6,"reg":0,"mask":"0x3","data":["0x11223344","0x55667788",0,0]}}
{"cycle":20,"done":{"tag":6}}
{"cycle":30,"end":true}
"#;

struct Place(TempDir);

struct Ran {
    out: String,
    err: String,
    code: i32,
}

impl Place {
    /// With a file of these runs.
    fn new(log: &str) -> Self {
        let place = Place(tempfile::tempdir().unwrap());
        fs::write(place.0.path().join("run.jsonl"), log).unwrap();
        place
    }

    fn ran(&self, arguments: &[&str]) -> Ran {
        let mut command = Command::cargo_bin("gpu-lsu").unwrap();
        let command = command.args(["wave", "why"]).args(arguments).current_dir(self.0.path()).env("NO_COLOR", "1");
        let output = command.env_remove("GPU_LSU_RTL").output().unwrap();
        let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        Ran { out, err, code: output.status.code().unwrap() }
    }
}

fn asked(log: &str, arguments: &[&str]) -> Ran {
    Place::new(log).ran(&[&["run.jsonl"], arguments].concat())
}

#[test]
fn a_byte_tells_its_chain() {
    let ran = asked(LOG, &["--byte", "0x101"]);
    let expected = "\
byte 0x101 at the end: 0x33 in unit and model
as the log begins: 0x02
cycle 9: operation 0 (warp 0, tag 0x05, taken in cycle 3): (an spa5 store of 4
    bytes a lane)
  unit:  0x33, by the write of line 0x100 with id 2 in cycle 6, answered in
      cycle 9
  model: 0x33, from lane 0, register 0 (data beat 0), byte 1, in request 0 of
      the operation
";
    assert_eq!((&*ran.out, &*ran.err, ran.code), (expected, "", 0));
    let json = asked(LOG, &["--byte", "257", "--json"]);
    let json: Value = serde_json::from_str(&json.out).unwrap();
    let from = &json["byte"]["writes"][0]["model"]["from"];
    assert_eq!((&json["agrees"], &from["lane"], &from["byte"]), (&true.into(), &0.into(), &1.into()));
    assert_eq!((&json["byte"]["addr"], &json["byte"]["before"]), (&"0x101".into(), &2.into()));
    // Nobody had written it then, and nobody ever writes the other.
    for (arguments, which) in
        [(&["--byte", "0x101", "--cycle", "8"][..], "the whole run writes"), (&["--byte", "0x300"], "written are")]
    {
        let ran = asked(LOG, arguments);
        assert!(ran.err.starts_with("error: nobody wrote byte 0x") && ran.code == 1, "{}", ran.err);
        assert!(ran.err.replace('\n', " ").contains(&format!("; {which} 0x100 to 0x107")), "{}", ran.err);
    }
}

/// A write that a reset cuts off may be made or not; what is written later is known again.
#[test]
fn a_reset_leaves_a_write_open() {
    let (begun, _) = LOG.split_once("{\"cycle\":9,").unwrap();
    let cut = format!("{begun}{{\"cycle\":8,\"reset\":true}}\n{{\"cycle\":30,\"end\":true}}\n");
    let ran = asked(&cut, &["--byte", "0x101"]);
    let expected = "\
byte 0x101 at the end: not known in unit and model
as the log begins: 0x02
cycle 8: operation 0 (warp 0, tag 0x05, taken in cycle 3): (an spa5 store of 4
    bytes a lane)
  unit:  0x33, by the write of line 0x100 with id 2 in cycle 6, not answered
  model: 0x33, from lane 0, register 0 (data beat 0), byte 1, in request 0 of
      the operation
  a reset cuts it off: memory may have done it or not, and the log does not say
";
    assert_eq!((&*ran.out, &*ran.err, ran.code), (expected, "", 0));
    let with = |event: &str| cut.replace("{\"cycle\":30,", &format!("{event}\n{{\"cycle\":30,"));
    let written = "{\"cycle\":20,\"foreign\":{\"addr\":257,\"bytes\":[9]}}";
    let ran = asked(&with(written), &["--byte", "0x101"]);
    assert!(ran.out.starts_with("byte 0x101 at the end: 0x09 in unit and model\n"), "{}", ran.out);
    assert!(ran.out.contains("\n  a reset cuts it off: "), "{}", ran.out);
    // Without its data, the model has no value; the unit's is not taken for it.
    let (header, rest) = LOG.split_once('\n').unwrap();
    let rest: String =
        rest.lines().filter(|line| !line.contains("\"data\":[")).map(|line| format!("{line}\n")).collect();
    let blind = format!("{}\n{rest}", header.replacen('{', "{\"unseen\":[\"data\"],", 1));
    let ran = asked(&blind, &["--byte", "0x101"]);
    assert!(
        ran.out.starts_with("byte 0x101 at the end: 0x33 in the unit, not known in the model\n"),
        "{}{}",
        ran.out,
        ran.err
    );
    assert!(ran.out.contains("the log does not show whose data the store has") && ran.code == 1, "{}", ran.out);
    let ran = asked(&blind, &["--byte", "0x101", "--json"]);
    assert!(ran.out.contains("\"agrees\":null") && ran.code == 1, "{}", ran.out);
    // A log that says when memory does what, does so.
    let ran = asked(&with("{\"cycle\":9,\"applied\":{\"request\":0,\"made\":true}}"), &["--byte", "0x101"]);
    assert!(ran.out.starts_with("byte 0x101 at the end: 0x33 in unit and model\n"), "{}", ran.out);
    assert!(!ran.out.contains("a reset"), "{}", ran.out);
}

#[test]
fn a_lane_that_faults_is_named() {
    let ran = asked(LOG, &["--byte", "0x2002"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.starts_with("byte 0x2002 at the end: nobody wrote it, value 0x"), "{}", ran.out);
    let why = "\nlanes that come here and do not store:\noperation 0 (warp 0, tag 0x05, taken in cycle 3): (an spa5 \
               store of 4 bytes a\n    lane)\n  lane 2 does not store: its access faults (Allocation, SPA5-OOB)\n";
    assert!(ran.out.ends_with(why), "{}", ran.out);
}

#[test]
fn a_value_tells_its_chain() {
    for name in ["0x06.1.0", "6.1.0"] {
        let ran = asked(LOG, &["--wb", name]);
        let expected = "\
register 0 of lane 1 at the end: 0x55667788 in unit and model
operation 1 (warp 0, tag 0x06, taken in cycle 12): (an spa5 load of 4 bytes a
    lane)
  lane 1: address 0x104 (SPA5-EA-32)
from memory: 4 bytes at 0x104, in request 0 of the operation, line 0x100
  unit:  read of line 0x100 with id 3 in cycle 15, answered in cycle 18
  answered: 0x88, 0x77, 0x66, 0x55
cycle 19: written back as 0x55667788
4 bytes at 0x104: stored in cycle 9 by operation 0 (warp 0, tag 0x05, taken in
    cycle 3): (an spa5 store of 4 bytes a lane)
";
        assert_eq!((&*ran.out, &*ran.err, ran.code), (expected, "", 0));
    }
}

#[test]
fn what_differs_is_told_with_its_link() {
    let wrong = LOG.replacen("0x5566778811223344", "0x5566998811223344", 1);
    let ran = asked(&wrong, &["--byte", "0x105"]);
    let told = "error: unit and model part at the store data: lane 1, register 0 (data beat 0),\nbyte 1 gives 0x77, the \
                unit writes 0x99 (PORT-DATA)\n";
    assert_eq!((&*ran.err, ran.code), (told, 1));
    assert!(ran.out.starts_with("byte 0x105 at the end: 0x99 in the unit, 0x77 in the model\n"), "{}", ran.out);
    assert!(ran.out.contains("\nthe run's first divergence: PORT-DATA ("), "{}", ran.out);
    assert_eq!(asked(&wrong, &["--byte", "0x104"]).code, 0, "another byte is right");

    // A lane is lost, a line is another, a request is none.
    let of = |from: &str, to: &str, byte: &str| {
        assert!(LOG.contains(from));
        let ran = asked(&LOG.replacen(from, to, 1), &["--byte", byte]);
        assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
        ran.err.replace('\n', " ")
    };
    let told = of("\"be\":\"0xff\"", "\"be\":\"0xf\"", "0x104");
    assert!(told.starts_with("error: unit and model part at the lane: the model has lane 1 at 0x104"), "{told}");
    let other = ("\"Write\",\"addr\":\"0x100\"", "\"Write\",\"addr\":\"0x180\"");
    for byte in ["0x100", "0x180"] {
        let told = of(other.0, other.1, byte);
        assert!(told.starts_with("error: unit and model part at the address: the model has "), "{told}");
    }
    let request = LOG.lines().find(|line| line.contains("\"Write\"")).unwrap();
    let answer = LOG.lines().find(|line| line.contains("\"id\":2,\"last\"")).unwrap();
    let told = of(&format!("{request}\n{answer}\n"), "", "0x100");
    assert!(told.contains("a write of line 0x100; the unit never makes it"), "{told}");

    let ran = asked(
        &LOG.replace("\"0x11223344\",\"0x55667788\",0,0", "\"0x55667788\",\"0x55667788\",0,0"),
        &["--wb", "6.0.0"],
    );
    let told = ran.err.replace('\n', " ");
    assert!(
        told.contains("part at the value: the model makes 0x11223344 of it, the unit writes back 0x55667788"),
        "{told}"
    );
    assert!(told.contains(", which is lane 1's register 0") && ran.code == 1, "{told}");
    let beat = LOG.lines().find(|line| line.contains("\"wb\"")).unwrap();
    let ran = asked(&LOG.replace(&format!("{beat}\n"), ""), &["--wb", "6.0.0"]);
    let told = ran.err.replace('\n', " ");
    assert!(
        told.contains("at the write-back: the model writes back 0x11223344, the unit nothing") && ran.code == 1,
        "{told}"
    );
}

#[test]
fn a_run_is_chosen() {
    let wrong = LOG.replacen("0x5566778811223344", "0x5566998811223344", 1);
    let both = format!("{LOG}{wrong}");
    for (arguments, run, code) in [(&[][..], 2, 1), (&["--run", "1"], 1, 0), (&["--run", "2"], 2, 1)] {
        let ran = asked(&both, &[&["--byte", "0x105"], arguments].concat());
        let note = format!("run {run} of 2: `--run` chooses another one\n");
        assert!(ran.err.starts_with(&note) && ran.code == code, "{}", ran.err);
    }
    let ran = asked(&both, &["--byte", "0x300", "--run", "1"]);
    assert!(ran.err.starts_with("run 1 of 2: `--run` chooses another one\nerror: nobody wrote"), "{}", ran.err);
    // What follows it may be damaged.
    let ran = asked(&format!("{LOG}{LOG}{{"), &["--byte", "0x105", "--run", "1"]);
    assert!(ran.err.starts_with("run 1 of 2: ") && ran.code == 0, "{}", ran.err);
    let ran = asked(&both, &["--byte", "0x105", "--run", "3"]);
    assert_eq!(
        (&*ran.err, ran.code),
        ("error: there is no such run: run.jsonl has 2 runs\n\nhint: `--run` counts from 1\n", 2)
    );
}

/// Lanes 0 and 1 compare and store in one dword, and both match; the unit let lane 1 come first.
const MET: &str = r#"{"gpu_lsu_log":1,"unit":{"lanes":4},"memory":{"seed":"0x0","bytes":[{"addr":"0x100","bytes":[0,0,0,0]}]}}
{"cycle":0,"reset":true}
{"cycle":3,"ctrl":{"uav":[{"base":"0x100","kind":"Typed","size":"0x80","width":8},{},{},{},{},{},{},{}]}}
{"cycle":4,"op":{"active":"0x3","addr":[[0,0,0],[0,0,0],[0,0,0],[0,0,0]],"addr_mode":"Typed","element_bytes":4,"element_count":1,"element_mask":1,"kind":"CmpStore","predicate":"0xf","space":"Uav","suppress_helpers":1}}
{"cycle":4,"data":[0,0,0,0]}
{"cycle":5,"data":["0x11111111","0x22222222",0,0]}
{"cycle":9,"req":{"addr":"0x100","be":"0xf","data":"0x0","kind":"ReadExclusive","space":"Uav"}}
{"cycle":10,"rsp":{"data":"0x0","last":1,"scope":"Sys"}}
{"cycle":13,"req":{"addr":"0x100","be":"0xf","data":"0x22222222","kind":"WriteExclusive","space":"Uav"}}
{"cycle":14,"rsp":{"data":"0x0","last":1,"scope":"Sys"}}
{"cycle":16,"done":{}}
{"cycle":30,"end":true}
"#;

/// Where a contract leaves the order of lanes open the judge lets a byte pass that is not the model's: nobody says that it
/// is.
#[test]
fn what_passes_does_not_agree() {
    assert_eq!(asked(MET, &["--byte", "0x100"]).code, 1);
    let ran = asked(MET, &["--byte", "0x100", "--allowed-sets"]);
    assert!(ran.code == 0 && ran.out.contains("the judge lets this pass"), "{}{}", ran.out, ran.err);
    let ran = asked(MET, &["--byte", "0x100", "--allowed-sets", "--json"]);
    let json: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&json["agrees"], &json["passes"], ran.code), (&false.into(), &true.into(), 0));
}

#[test]
fn what_is_not_there_is_said() {
    for (name, told) in [
        ("7.0.0", "error: no operation has tag 0x07; there are 0x05, 0x06\n"),
        ("6.2.0", "lane 2 does not execute, and nothing came back\n"),
        ("6.0.1", "the operation has no register 1, and nothing came\nback\n"),
        ("5.0.0", "the operation stores, and writes nothing back, and\nnothing came back\n"),
    ] {
        let ran = asked(LOG, &["--wb", name]);
        let (err, told) = (ran.err.replace('\n', " "), told.replace('\n', " "));
        assert!(err.starts_with("error: ") && err.ends_with(&told) && ran.code == 1, "{err}");
    }
    for arguments in [
        &[][..],
        &["--byte", "here"],
        &["--wb", "6.0"],
        &["--wb", "256.0.0"],
        &["--byte", "1", "--wb", "6.0.0"],
        &["--byte", "1", "--run", "0"],
        &["--wb", "6.4.0"],
        &["--wb", "6.0.64"],
        &["--byte", "0x10000000000"],
    ] {
        assert_eq!(asked(LOG, arguments).code, 2, "{arguments:?}");
    }
    let ran = asked("{}", &["--byte", "1"]);
    assert!(ran.err.starts_with("error: run.jsonl, line 1: no header") && ran.code == 1, "{}", ran.err);
    let ran = asked(&LOG[..LOG.len() - 9], &["--byte", "1"]);
    assert!(ran.err.starts_with("error: run.jsonl, line 14: cut off") && ran.code == 1, "{}", ran.err);
    let ran = Place::new(LOG).ran(&["none.vcd", "--byte", "1"]);
    assert!(ran.err.starts_with("error: cannot read `none.vcd`") && ran.code == 2, "{}", ran.err);
}

/// What the scratchpad holds is known from the stores to it alone.
#[test]
fn the_scratchpad_tells_its_stores() {
    let shared = LOG.replace(
        "\"alloc\":[{\"base\":\"0x0\",\"size\":\"0x1000\"}]",
        "\"shared_window\":{\"size\":\"0x1000\"},\"shared_size\":4096",
    );
    let shared = shared.replace("\"predicate\":\"0xf\"", "\"predicate\":\"0x0\"");
    let shared: String = shared
        .lines()
        .filter(|line| !line.contains("\"req\"") && !line.contains("\"rsp\""))
        .map(|line| format!("{line}\n"))
        .collect();
    let shared = shared.replace("\"Allocation\"", "\"Window\"");
    let ran = asked(&shared, &["--shared", "0x105"]);
    let expected = "\
byte 0x105 of the scratchpad at the end: 0x77 by the model
cycle 3: operation 0 (warp 0, tag 0x05, taken in cycle 3): (an spa5 store of 4
    bytes a lane)
  0x77, from lane 1, register 0 (data beat 0), byte 1
";
    assert_eq!((&*ran.out, ran.code), (expected, 0), "{}", ran.err);
    let ran = asked(&shared, &["--wb", "6.1.0"]);
    assert!(ran.out.contains("from the scratchpad: 4 bytes at 0x104\n") && ran.code == 0, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("4 bytes at 0x104: stored in cycle 3 by operation 0 "), "{}", ran.out);
    for (offset, code) in [("0x200", 1), ("0x8000", 2)] {
        assert_eq!(asked(&shared, &["--shared", offset]).code, code);
    }
}

#[test]
fn a_closed_pipe_is_no_error() {
    let wrong = LOG.replacen("0x5566778811223344", "0x5566998811223344", 1);
    for (log, code) in [(LOG, 0), (&*wrong, 1)] {
        let place = Place::new(log);
        let mut command = process::Command::new(assert_cmd::cargo::cargo_bin("gpu-lsu"));
        let command = command.args(["wave", "why", "run.jsonl", "--byte", "0x105"]).current_dir(place.0.path());
        let mut child = command.stdout(process::Stdio::piped()).stderr(process::Stdio::null()).spawn().unwrap();
        drop(child.stdout.take());
        assert_eq!(child.wait().unwrap().code(), Some(code));
    }
}

/// A wave alone tells the same as the log of its run.
#[cfg(feature = "rtl")]
#[test]
fn a_wave_tells_what_its_log_tells() {
    let place = Place::new("");
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/spa5_saxpy.lsu");
    let mut command = Command::cargo_bin("gpu-lsu").unwrap();
    let command = command.args(["run", example, "--log", "run.jsonl", "--vcd", "run.vcd"]).current_dir(place.0.path());
    assert_eq!(command.env_remove("GPU_LSU_RTL").output().unwrap().status.code(), Some(0));
    let log = fs::read_to_string(place.0.path().join("run.jsonl")).unwrap();
    let write = log.lines().find(|line| line.contains("\"Write\"")).unwrap();
    let write: Value = serde_json::from_str(write).unwrap();
    let addr = write["req"]["addr"].as_str().unwrap();
    let [log, wave] = ["run.jsonl", "run.vcd"].map(|file| {
        let idle: &[&str] = if file.ends_with(".vcd") { &["--idle"] } else { &[] };
        let ran = place.ran(&[&[file, "--byte", addr, "--json"], idle].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        let json: Value = serde_json::from_str(&ran.out).unwrap();
        let write = json["byte"]["writes"][0].clone();
        [&write["unit"]["value"], &write["model"]["value"], &write["model"]["from"], &write["by"]["operation"]["text"]]
            .map(Value::clone)
    });
    assert_eq!(log, wave);
}

#[test]
fn a_cycle_after_the_end_is_told() {
    let place = Place::new(LOG);
    let ran = place.ran(&["run.jsonl", "--byte", "0x100", "--cycle", "31"]);
    assert_eq!((ran.err.as_str(), ran.code), ("note: the run ends in cycle 30, and `--cycle` is 31\n", 0));
    assert_eq!(place.ran(&["run.jsonl", "--byte", "0x100", "--cycle", "30"]).err, "");
}
