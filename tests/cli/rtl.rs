// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which RTL a verdict is about: what GPU_LSU_RTL may name, and what became of the sources of the build.

use std::{ffi::OsStr, fs, path::Path};

use assert_cmd::Command;
use gpu_lsu::rtl::{Other, Sources, Standing, built};

use crate::{Place, capsules, example};

/// A directory with two sources, and one file that is none.
fn sources() -> Place {
    Place::new().with("a.sv", "module a; endmodule\n").with("b.vlt", "// none\n").with("notes.txt", "1")
}

#[test]
fn a_hash_is_of_names_and_contents() {
    let place = sources();
    let hash = |place: &Place| Sources::of(place.path()).unwrap().hash;
    let first = hash(&place);
    assert_eq!(first.len(), 64);
    assert_eq!(hash(&sources()), first);
    assert_eq!(hash(&place.with("notes.txt", "2")), first);
    assert_ne!(hash(&sources().with("a.sv", "module a;  endmodule\n")), first);
    assert_ne!(hash(&sources().with("c.v", "")), first);
    let renamed = sources();
    fs::rename(renamed.path().join("a.sv"), renamed.path().join("c.sv")).unwrap();
    assert_ne!(hash(&renamed), first);
    // As sha256sum has it: `sha256sum a.sv b.vlt | sha256sum`.
    assert_eq!(first, "385658502b10eefb744070a885cb744ec05604d04063c8ec36cbdcf5712cca9e");
}

#[test]
fn a_program_knows_whether_it_is_what_was_asked_for() {
    let place = sources();
    let from = Sources::of(place.path()).unwrap();
    let named = |path: &Path| from.check(Some(path.as_os_str()));
    assert_eq!(from.check(None).unwrap(), Standing::Same);
    assert_eq!(from.check(Some(OsStr::new(""))).unwrap(), Standing::Same);
    assert_eq!(named(place.path()).unwrap(), Standing::Same);
    // The same sources elsewhere are the same.
    let copy = sources();
    assert_eq!(named(copy.path()).unwrap(), Standing::Same);
    assert!(matches!(named(&place.path().join("none")), Err(Other::Unreadable { .. })));

    let place = place.with("a.sv", "module b; endmodule\n");
    assert_eq!(from.check(None).unwrap(), Standing::Changed);
    assert!(matches!(named(place.path()), Err(Other::Differs { asked, .. }) if asked.path == from.path));
    drop(place);
    assert_eq!(from.check(None).unwrap(), Standing::Gone);
    assert_eq!(named(copy.path()).unwrap(), Standing::Same);
}

/// Whatever plays the unit refuses to judge one in the name of another.
#[test]
fn another_rtl_than_the_one_asked_for_is_refused() {
    let place = sources().with("a.capsule", &capsules::agreeing().to_text());
    let worked = example("spa5_worked.lsu");
    let hint = "\n\nhint: in the checkout, `cargo run --release -- ...` with GPU_LSU_RTL set builds\n      that RTL; or unset it\n";
    let other = Sources::of(place.path()).unwrap();
    let missing = "GPU_LSU_RTL is `/does/not/exist`, which cannot be read: No such file or directory (os error 2);";
    for (value, start) in [
        ("/does/not/exist".to_owned(), format!("error: {missing} this program was built from {}", built())),
        (other.path.clone(), format!("error: GPU_LSU_RTL names {other}, and this program was built from {}", built())),
    ] {
        for arguments in [&["verify", "--ops", "1"][..], &["run", &worked], &["replay", "a.capsule", "--vcd", "a.vcd"]]
        {
            let mut command = Command::cargo_bin("gpu-lsu").unwrap();
            let output = command.args(arguments).current_dir(place.path()).env("GPU_LSU_RTL", &value).output().unwrap();
            assert_eq!(String::from_utf8(output.stderr).unwrap(), format!("{start}{hint}"), "{arguments:?}");
            assert_eq!((output.stdout.len(), output.status.code()), (0, Some(2)), "{arguments:?}");
        }
    }
    assert!(!place.files().contains(&"a.vcd".to_owned()));
    let mut command = Command::cargo_bin("gpu-lsu").unwrap();
    command.args(["run", &worked]).env("GPU_LSU_RTL", built().path).assert().success().stderr("");
}
