// SPDX-License-Identifier: MIT OR Apache-2.0
//! `gpu-lsu farm` on a real cluster: slurmctld, slurmd and munged on loopback (tests/farm/cluster), and what happens to them.
#![cfg(all(feature = "rtl", target_os = "linux"))]

use std::{
    collections::BTreeSet,
    fs,
    io::{Read, Write},
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

use tempfile::TempDir;

#[path = "support/hears.rs"]
mod hears;
use hears::hears;

/// Nothing of this takes longer: Slurm itself may run an element again, after all messages that it has on the way have timed out.
const PATIENCE: Duration = Duration::from_secs(300);

/// A controller writes what it knows within five seconds. One that dies before keeps elements for running that are over, and
/// their cores with them: no farm can mend that.
const SAVED: Duration = Duration::from_secs(8);

/// Writes a site's own program, in another process: what a test starts beside this one has, for a moment, each file that is open
/// here, and what somebody may still write does not run ("text file busy").
fn write_program(path: &Path, text: &str) {
    let mut install = Command::new("install");
    let mut child = install.args(["-m", "755", "/dev/stdin"]).arg(path).stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
}

/// Daemons in a folder; dropped, they are gone.
struct Cluster(TempDir);

impl Cluster {
    /// With one more line of its configuration.
    fn start(line: &str) -> Self {
        let cluster = Cluster(tempfile::tempdir().unwrap());
        cluster.tell(&["start", line]);
        cluster
    }

    fn tell(&self, what: &[&str]) {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/farm/cluster");
        let status = Command::new(script).arg(self.0.path()).args(what).status().unwrap();
        assert!(status.success(), "{what:?}: `scripts/setup test` installs Slurm");
    }

    fn command(&self, program: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(arguments).env("SLURM_CONF", self.0.path().join("slurm.conf"));
        command.env("NO_COLOR", "1").env_remove("GPU_LSU_RTL").env_remove("GPU_LSU_SEED");
        command
    }

    /// A command of Slurm: what it says.
    fn slurm(&self, program: &str, arguments: &[&str]) -> String {
        said(&self.command(program, arguments).output().unwrap()).0
    }

    /// Elements that run, as `JOB_ELEMENT`.
    fn running(&self) -> Vec<String> {
        let text = self.slurm("squeue", &["-h", "-r", "-t", "R", "-o", "%F_%K %j"]);
        let elements = text.lines().filter(|line| !line.ends_with(".merge"));
        elements.filter_map(|line| Some(line.split_once(' ')?.0.to_owned())).collect()
    }

    /// The node drains, or takes elements again. What a controller says is no sign: it refuses what is so already, and one that
    /// begins may do what it could not answer.
    fn drain(&self, drain: bool) {
        let name = self.slurm("sinfo", &["-h", "-o", "%n"]);
        let name = format!("nodename={}", name.trim());
        let state = format!("state={}", if drain { "drain" } else { "resume" });
        until("the node is as it is told to be", || {
            self.slurm("scontrol", &["update", &name, &state, "reason=test"]);
            let is = self.slurm("sinfo", &["-h", "-o", "%t"]);
            !is.is_empty() && is.contains("dr") == drain
        });
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if thread::panicking() {
            let jobs = self.slurm("squeue", &["-r"]) + &self.slurm("sinfo", &["-l"]);
            let log = fs::read_to_string(self.0.path().join("slurmctld.log")).unwrap_or_default();
            let from = log.lines().count().saturating_sub(60);
            eprintln!("{jobs}{}", log.lines().skip(from).collect::<Vec<_>>().join("\n"));
        }
        self.tell(&["stop"]);
    }
}

fn said(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

/// A farm of eight shards that take a second or so each.
fn arguments(dir: &Path) -> Vec<String> {
    let words = ["farm", "--shards", "8", "--ops", "80k", "--seed", "11", "--isa", "spa5", "--out"];
    words.iter().map(|word| (*word).to_owned()).chain([dir.display().to_string()]).collect()
}

/// A farm that runs; dropped, it does no longer.
struct Farm(Child);

impl Drop for Farm {
    fn drop(&mut self) {
        // It may be over.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn begun(cluster: &Cluster, arguments: &[String], more: &[&str]) -> Farm {
    let mut command = cluster.command(env!("CARGO_BIN_EXE_gpu-lsu"), &[]);
    command.args(arguments).args(more).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    Farm(command.spawn().unwrap())
}

/// Its report and what it says besides.
#[track_caller]
fn ended(mut farm: Farm, code: i32) -> (String, String) {
    until("the farm is over", || farm.0.try_wait().unwrap().is_some());
    let status = farm.0.wait().unwrap();
    // A page at most, that was in the pipes.
    let [mut out, mut err] = [String::new(), String::new()];
    farm.0.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    farm.0.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    assert_eq!(status.code(), Some(code), "{out}{err}");
    (out, err)
}

#[track_caller]
fn until(what: &str, mut is: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is() {
        assert!(start.elapsed() < PATIENCE, "{what}: never");
        thread::sleep(Duration::from_millis(100));
    }
}

/// What the merge of a folder says, but for the time that it took.
fn merged(dir: &Path) -> String {
    let text = fs::read_to_string(dir.join("merged.json")).unwrap();
    text.lines().filter(|line| !line.starts_with("\"seconds\"")).collect::<Vec<_>>().join("\n")
}

fn results(dir: &Path) -> usize {
    let names = fs::read_dir(dir).into_iter().flatten().map(|entry| entry.unwrap().file_name());
    names.filter(|name| name.to_string_lossy().ends_with(".result.json")).count()
}

/// The campaign that nobody cut.
fn whole(folder: &Path) -> String {
    in_one_piece(Path::new(env!("CARGO_BIN_EXE_gpu-lsu")), folder, &["--ops", "80k"], 0)
}

#[track_caller]
fn in_one_piece(program: &Path, folder: &Path, more: &[&str], code: i32) -> String {
    let dir = folder.join("whole");
    fs::create_dir(&dir).unwrap();
    let mut command = Command::new(program);
    command.args(["verify", "--seed", "11", "--isa", "spa5", "--result", "merged.json"]).args(more).current_dir(&dir);
    let output = command.env_remove("GPU_LSU_RTL").output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{:?}", said(&output));
    merged(&dir)
}

/// An element is killed, the node drained, the controller killed, the farm itself killed: nothing is lost, nothing counts twice.
#[test]
fn whatever_dies_the_merge_is_that_of_the_whole_campaign() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| -> PathBuf { folder.path().join(name) };
    let whole = whole(folder.path());
    let cluster = Cluster::start("");

    // Nobody is harmed.
    let farm = begun(&cluster, &arguments(&place("calm")), &["--slurm"]);
    let (out, err) = ended(farm, 0);
    assert!(out.contains("RTL and model agree") && err.is_empty(), "{out}{err}");
    assert_eq!(merged(&place("calm")), whole);

    // An element is killed with all its processes.
    let dir = place("killed");
    let farm = begun(&cluster, &arguments(&dir), &["--slurm"]);
    until("an element runs", || !cluster.running().is_empty());
    let element = cluster.running()[0].clone();
    cluster.slurm("scancel", &["--full", "--signal=KILL", &element]);
    // The node takes no more, and takes them again; meanwhile the controller is gone.
    cluster.drain(true);
    until("what ran is over", || cluster.running().is_empty());
    thread::sleep(SAVED);
    cluster.tell(&["kill", "slurmctld"]);
    thread::sleep(Duration::from_secs(1));
    cluster.tell(&["begin", "slurmctld"]);
    until("the controller is back", || cluster.slurm("sinfo", &["-h", "-o", "%t"]).contains("dr"));
    assert!(cluster.running().is_empty());
    cluster.drain(false);
    let (_, err) = ended(farm, 0);
    // What else ran when the node was drained may run again too.
    assert!(err.contains(" runs again: ") && err.contains(" ran again"), "{err}");
    assert_eq!((merged(&dir), results(&dir)), (whole.clone(), 8));

    // The farm is killed; another one finds its jobs, and starts none a second time.
    let dir = place("resumed");
    let mut farm = begun(&cluster, &arguments(&dir), &["--slurm"]);
    until("two elements run", || cluster.running().len() == 2);
    farm.0.kill().unwrap();
    farm.0.wait().unwrap();
    let jobs = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<_>>();
    let before = jobs(&cluster.slurm("squeue", &["-h", "-o", "%F"]));
    let farm = begun(&cluster, &["farm".to_owned(), "--resume".to_owned(), dir.display().to_string()], &[]);
    thread::sleep(Duration::from_secs(2));
    assert!(jobs(&cluster.slurm("squeue", &["-h", "-o", "%F"])).is_subset(&before));
    ended(farm, 0);
    assert_eq!((merged(&dir), results(&dir)), (whole, 8));
}

/// A controller that keeps fewer jobs than there are shards: the rest waits.
#[test]
fn a_controller_that_takes_no_more_is_no_end() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("full");
    let cluster = Cluster::start("MaxJobCount=6");
    let (out, err) = ended(begun(&cluster, &arguments(&dir), &["--slurm"]), 0);
    assert!(out.contains("RTL and model agree") && err.contains("takes no more now: "), "{out}{err}");
    assert_eq!((merged(&dir), results(&dir)), (whole(folder.path()), 8));
}

/// Shards that find mismatches have results: they run once, and their failures are those of the campaign in one piece. The farm
/// does not end them while they write.
#[cfg(feature = "planted-faults")]
#[test]
fn a_mismatch_is_a_result() {
    let folder = tempfile::tempdir().unwrap();
    // A farm drives no copy with faults; a program of a site's own may.
    let program = folder.path().join("planted");
    let bin = env!("CARGO_BIN_EXE_gpu-lsu");
    let script = format!("#!/bin/sh\n[ \"$1\" != verify ] || set -- \"$@\" --fault 13\nexec '{bin}' \"$@\"\n");
    write_program(&program, &script);
    let campaign = ["--ops", "20k", "--lanes", "4", "--failures", "1000"];
    let whole = in_one_piece(&program, folder.path(), &campaign, 1);

    let cluster = Cluster::start("");
    for how in [&["--local", "2"][..], &["--slurm"]] {
        let dir = folder.path().join(how[0]);
        let mut command = cluster.command(bin, &["farm", "--shards", "8", "--seed", "11", "--isa", "spa5", "--out"]);
        command.arg(&dir).args(campaign).args(how).arg("--program").arg(&program);
        let output = command.output().unwrap();
        let (out, err) = said(&output);
        assert_eq!(output.status.code(), Some(1), "{how:?}: {out}{err}");
        assert!(err.starts_with("error: RTL and model disagree: ") && !err.contains("again"), "{how:?}: {err}");
        assert!(
            out.contains(" failed, ") && fs::read_to_string(dir.join("report.txt")).unwrap() == out,
            "{how:?}: {out}"
        );
        // With the capsule of each cause.
        assert_eq!(merged(&dir), whole, "{how:?}");
        let text = fs::read(dir.join("merged.json")).unwrap();
        let (results, _) = gpu_lsu::regress::Results::read(&text).unwrap();
        assert!(!results.groups.is_empty());
        assert!(results.groups.sorted().iter().all(|group| !group.capsule.is_empty()));
        // All have come to their end, and none of them a second time: what ran is what they said.
        let exits: Vec<String> = (1..=8)
            .map(|shard| fs::read_to_string(dir.join(format!("shard-{shard:04}.exit"))).unwrap().trim().to_owned())
            .collect();
        let failing = exits.iter().filter(|code| *code == "1").count();
        assert!(failing > 1 && exits.iter().all(|code| code == "0" || code == "1"), "{how:?}: {exits:?}");
        let capsules = fs::read_dir(&dir).unwrap().filter(|entry| {
            let name = entry.as_ref().unwrap().file_name().into_string().unwrap();
            name.ends_with(".capsule") && name.matches('.').count() == 1
        });
        assert_eq!(capsules.count(), failing, "{how:?}");
    }
}

/// Interrupted, a farm says how to go on, and its processes end; what is done stays done.
#[test]
fn an_interrupted_farm_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("interrupted");
    let mut command = hears(env!("CARGO_BIN_EXE_gpu-lsu"));
    command.args(arguments(&dir)).args(["--local", "1"]).env_remove("GPU_LSU_RTL");
    let farm = Farm(command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap());
    until("a shard is done", || results(&dir) > 0);
    assert!(Command::new("kill").args(["-INT", &farm.0.id().to_string()]).status().unwrap().success());
    let (out, err) = ended(farm, 130);
    assert!(out.is_empty() && err.contains("--resume"), "{out}{err}");
    let done = results(&dir);
    assert!((1..8).contains(&done) && !dir.join("merged.json").exists());

    let output = Command::new(env!("CARGO_BIN_EXE_gpu-lsu")).args(["farm", "--resume"]).arg(&dir).output().unwrap();
    assert!(output.status.success(), "{:?}", said(&output));
    assert_eq!((merged(&dir), results(&dir)), (whole(folder.path()), 8));
}

/// An element that could never run says why, and is no agreement.
#[test]
fn an_element_that_is_refused_runs_once() {
    let folder = tempfile::tempdir().unwrap();
    let (program, dir) = (folder.path().join("refuses"), folder.path().join("refused"));
    let script = format!(
        "#!/bin/sh\n[ \"$1\" != verify ] || {{ echo x >>'{}'; echo 'error: no such unit' >&2; exit 2; }}\nexec '{}' \"$@\"\n",
        folder.path().join("began").display(),
        env!("CARGO_BIN_EXE_gpu-lsu")
    );
    write_program(&program, &script);
    let mut command = Command::new(env!("CARGO_BIN_EXE_gpu-lsu"));
    let output = command.args(arguments(&dir)).args(["--local", "2", "--program"]).arg(&program).output().unwrap();
    let (out, err) = said(&output);
    assert_eq!(output.status.code(), Some(2), "{out}{err}");
    assert!(
        err.starts_with("error: shards 1-8 of 8: exit code 2: error: no such unit\nerror: ") && out.is_empty(),
        "{out}{err}"
    );
    assert_eq!(fs::read_to_string(folder.path().join("began")).unwrap().lines().count(), 8);
}

/// Of what somebody else runs a farm says what is there and what is missing: it starts nothing, and waits for nobody.
#[test]
fn a_script_farm_says_what_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("script");
    let run = |arguments: &[&str], code: i32| {
        let output = Command::new(env!("CARGO_BIN_EXE_gpu-lsu")).args(arguments).arg(&dir).output().unwrap();
        let (out, err) = said(&output);
        assert_eq!(output.status.code(), Some(code), "{out}{err}");
        (out, err)
    };
    let (_, err) = run(&["farm", "--shards", "0", "--script", "--out"], 2);
    assert!(err.contains("a whole number, at least 1"), "{err}");
    run(&["farm", "--shards", "3", "--ops", "3k", "--seed", "11", "--isa", "spa5", "--script", "--out"], 0);
    let shown = fs::canonicalize(&dir).unwrap().display().to_string();
    // Where its lines end depends on how long the path is.
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let hint = format!("hint: run `GPU_LSU_SHARD=N sh {shown}/element.sh` for each N that is missing, then this again");
    let none = "error: no shard left a result: there is nothing to report";
    let (out, err) = run(&["farm", "--resume"], 2);
    assert_eq!((&*out, words(&err)), ("", format!("error: shards 1-3 of 3: it never ran {hint} {none}")));

    let element = |shard: &str| {
        let ran = Command::new("sh").arg(dir.join("element.sh")).arg(shard).env_remove("GPU_LSU_RTL").status().unwrap();
        assert!(ran.success());
    };
    let none = Command::new("sh").arg(dir.join("element.sh")).arg("4").output().unwrap();
    let told = "error: the shards are 1 to 3, and 4 is none\n".to_owned();
    assert_eq!((said(&none).1, none.status.code()), (told, Some(2)));
    element("2");
    // One that began, and one that says how it ended.
    fs::write(dir.join("shard-0001.out"), "").unwrap();
    fs::write(dir.join("shard-0003.exit"), "137\n").unwrap();
    let (out, err) = run(&["farm", "--resume"], 1);
    let expected = format!("error: shard 1 of 3: it still runs, or was killed error: shard 3 of 3: signal 9 {hint}");
    assert!(words(&err).starts_with(&expected) && !err.contains("again;"), "{err}");
    assert!(out.contains("incomplete"), "{out}");

    element("1");
    element("3");
    let (out, err) = run(&["farm", "--resume"], 0);
    assert!(out.contains("RTL and model agree") && err.is_empty(), "{out}{err}");
}

/// The same without a scheduler; a plan is a folder's own.
#[test]
fn local_cores_do_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("local");
    let whole = whole(folder.path());
    let run = |more: &[&str], code: i32| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gpu-lsu"));
        command.args(arguments(&dir)).args(more).env_remove("GPU_LSU_RTL");
        let output = command.output().unwrap();
        let (out, err) = said(&output);
        assert_eq!(output.status.code(), Some(code), "{out}{err}");
        (out, err)
    };
    run(&["--local", "2"], 0);
    assert_eq!(merged(&dir), whole);
    // A result that is cut is none, and its shard runs again.
    let path = dir.join("shard-0003.result.json");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, &text[..text.len() / 2]).unwrap();
    fs::remove_file(dir.join("merged.json")).unwrap();
    run(&["--local", "2"], 0);
    assert_eq!(merged(&dir), whole);
    let (out, err) = run(&["--local", "2", "--lanes", "32"], 2);
    assert!(out.is_empty() && err.contains(" holds another plan, "), "{err}");
}
