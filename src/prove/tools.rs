// SPDX-License-Identifier: MIT OR Apache-2.0
//! Yosys and a solver: where they are, and running them so that they can be stopped.

use std::{
    env,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    process::{Command, ExitStatus, Stdio},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use super::ProveError;

/// Solvers that are looked for on PATH, the preferred one first, with their options. All is bits: where cvc5 makes them at
/// once it needs seconds, and else minutes for the products of `uav`.
const SOLVERS: [(&str, &[&str]); 2] = [("cvc5", &["--lang=smt2", "--bitblast=eager"]), ("z3", &["-smt2"])];

/// The programs that a proof takes.
#[derive(Clone, Debug)]
pub struct Tools {
    /// Yosys with read_slang, and its first arguments.
    yosys: Vec<PathBuf>,
    /// Where a Yosys of WebAssembly keeps what it has compiled.
    cache: Option<PathBuf>,
    solver: PathBuf,
    solver_name: &'static str,
    solver_options: &'static [&'static str],
}

/// How a program ended.
pub(crate) enum Ended {
    /// By itself, having said this.
    Done(ExitStatus, String),
    /// Killed: its time was over.
    Late,
    /// Killed: the caller asked.
    Stopped,
}

impl Tools {
    /// Yosys as `GPU_LSU_YOSYS` names it, or as `scripts/setup test` installs it in the checkout; cvc5 or z3 on PATH.
    ///
    /// # Errors
    ///
    /// Which of them is missing.
    pub fn find() -> Result<Self, ProveError> {
        let (yosys, cache) = yosys().ok_or(ProveError::NoYosys)?;
        let found = |&(name, options): &(&'static str, _)| on_path(name).map(|path| (name, options, path));
        let (solver_name, solver_options, solver) = SOLVERS.iter().find_map(found).ok_or(ProveError::NoSolver)?;
        Ok(Tools { yosys, cache, solver, solver_name, solver_options })
    }

    /// The solver, by name.
    pub fn solver(&self) -> &'static str {
        self.solver_name
    }

    /// Runs a Yosys script in `dir`. Yosys in WebAssembly reaches no path outside of it.
    pub(crate) fn yosys(&self, dir: &Path, log: &str, script: &str, stop: &AtomicBool) -> io::Result<Ended> {
        let mut command = Command::new(&self.yosys[0]);
        command.args(&self.yosys[1..]).args(["-q", "-p", script]);
        if let Some(cache) = &self.cache {
            command.env("YOWASP_CACHE_DIR", cache);
        }
        run(&mut command, dir, log, None, stop)
    }

    /// Runs the solver on a file in `dir`.
    pub(crate) fn solve(
        &self,
        dir: &Path,
        file: &str,
        limit: Option<Duration>,
        stop: &AtomicBool,
    ) -> io::Result<Ended> {
        let mut command = Command::new(&self.solver);
        run(command.args(self.solver_options).arg(file), dir, &format!("{file}.log"), limit, stop)
    }
}

/// The checkout: the current directory, or where this program was built.
fn checkouts() -> [PathBuf; 2] {
    [env::current_dir().unwrap_or_default(), PathBuf::from(env!("CARGO_MANIFEST_DIR"))]
}

/// `rtl/` of the current directory if there is one, else of the checkout that this program was built from.
pub fn default_rtl() -> PathBuf {
    let [here, built] = checkouts().map(|root| root.join("rtl"));
    if here.is_dir() { here } else { built }
}

fn yosys() -> Option<(Vec<PathBuf>, Option<PathBuf>)> {
    if let Some(named) = env::var("GPU_LSU_YOSYS").ok().filter(|named| !named.trim().is_empty()) {
        let mut words: Vec<PathBuf> = named.split_whitespace().map(PathBuf::from).collect();
        // It is run in another directory.
        if words[0].components().count() > 1 {
            words[0] = std::path::absolute(&words[0]).unwrap_or_default();
        } else {
            words[0] = on_path(words[0].to_str()?)?;
        }
        return Some((words, None));
    }
    let root = checkouts().into_iter().find(|root| root.join("target/tools/installed").is_file())?;
    let tools = root.join("target/tools");
    Some((vec![tools.join("bin/python"), root.join("scripts/yosys.py")], Some(tools.join("cache"))))
}

fn on_path(name: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).map(|dir| dir.join(name)).find(|path| path.is_file())
}

/// Everything that the program says goes to the file `log`, and from there into the answer.
fn run(command: &mut Command, dir: &Path, log: &str, limit: Option<Duration>, stop: &AtomicBool) -> io::Result<Ended> {
    let path = dir.join(log);
    let said = File::create(&path)?;
    command.current_dir(dir).stdin(Stdio::null()).stderr(said.try_clone()?).stdout(said);
    let mut child = command.spawn()?;
    let start = Instant::now();
    let killed = loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Ended::Done(status, String::from_utf8_lossy(&fs::read(&path)?).into_owned()));
        }
        if stop.load(Ordering::Relaxed) {
            break Ended::Stopped;
        }
        if limit.is_some_and(|limit| start.elapsed() >= limit) {
            break Ended::Late;
        }
        thread::sleep(Duration::from_millis(10));
    };
    // It may have ended in between; either way nothing is left of it.
    let _ = child.kill();
    child.wait()?;
    Ok(killed)
}
