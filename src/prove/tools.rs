// SPDX-License-Identifier: MIT OR Apache-2.0
//! Yosys and a solver: finding them, and running them so that they can be stopped.

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

/// The programs that a proof needs.
#[derive(Clone, Debug)]
pub struct Tools {
    /// Yosys with read_slang, and its first arguments.
    yosys: Vec<PathBuf>,
    /// Where a WebAssembly build of Yosys caches compiled code.
    cache: Option<PathBuf>,
    /// The solver, and its first arguments.
    solver: Vec<PathBuf>,
    solver_name: String,
}

/// How a program ended.
pub(crate) enum Ended {
    /// It ended by itself and printed this.
    Done(ExitStatus, String),
    /// It was killed because its time was over.
    Late,
    /// It was killed because the caller asked.
    Stopped,
}

impl Tools {
    /// Finds Yosys and a solver as `GPU_LSU_YOSYS` and `GPU_LSU_SOLVER` name them, or as `scripts/setup test` installs
    /// them in the checkout.
    ///
    /// # Errors
    ///
    /// The first of them that is missing.
    pub fn find() -> Result<Self, ProveError> {
        let (yosys, cache) = yosys()?;
        let (solver_name, solver) = solver()?;
        Ok(Tools { yosys, cache, solver, solver_name })
    }

    /// The name of the solver.
    pub fn solver(&self) -> &str {
        &self.solver_name
    }

    /// Yosys, and where it comes from if that is a variable.
    pub(crate) fn yosys_name(&self) -> String {
        match &self.cache {
            Some(_) => "Yosys".to_owned(),
            None => format!("Yosys, `{}` by GPU_LSU_YOSYS,", self.yosys[0].display()),
        }
    }

    /// Runs a Yosys script in `dir`. A WebAssembly build of Yosys reaches no path outside of it.
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
        let mut command = Command::new(&self.solver[0]);
        run(command.args(&self.solver[1..]).arg(file), dir, &format!("{file}.log"), limit, stop)
    }
}

/// The candidates for the checkout: the current directory, and where this program was built.
fn checkouts() -> [PathBuf; 2] {
    [env::current_dir().unwrap_or_default(), PathBuf::from(env!("CARGO_MANIFEST_DIR"))]
}

/// `rtl/` of the current directory if there is one, else of the checkout that this program was built from.
pub fn default_rtl() -> PathBuf {
    let [here, built] = checkouts().map(|root| root.join("rtl"));
    if here.is_dir() { here } else { built }
}

fn yosys() -> Result<(Vec<PathBuf>, Option<PathBuf>), ProveError> {
    if let Some(words) = named("GPU_LSU_YOSYS")? {
        return Ok((words, None));
    }
    let (tools, script) = installed("yosys.py").ok_or(ProveError::NoYosys)?;
    Ok((vec![tools.join("bin/python"), script], Some(tools.join("cache"))))
}

/// The name of the solver, and its command. Bitwuzla is the fastest by far: ten times as fast as cvc5 where memories
/// are compared.
fn solver() -> Result<(String, Vec<PathBuf>), ProveError> {
    if let Some(words) = named("GPU_LSU_SOLVER")? {
        let name = words[0].file_stem().unwrap_or_default().to_string_lossy().into_owned();
        return Ok((name, words));
    }
    let (tools, script) = installed("solve.py").ok_or(ProveError::NoSolver)?;
    Ok(("bitwuzla".to_owned(), vec![tools.join("bin/python"), script]))
}

/// The folder that `scripts/setup test` installs into, and the script that runs one of its programs.
fn installed(script: &str) -> Option<(PathBuf, PathBuf)> {
    let root = checkouts().into_iter().find(|root| root.join("target/tools/installed").is_file())?;
    Some((root.join("target/tools"), root.join("scripts").join(script)))
}

/// The program and first arguments that the variable names, if it is set.
///
/// # Errors
///
/// When the program is not there, or its name is no text.
fn named(variable: &'static str) -> Result<Option<Vec<PathBuf>>, ProveError> {
    let named = env::var_os(variable).unwrap_or_default();
    let named = named.to_str().ok_or(ProveError::NoText { variable })?;
    let mut words: Vec<PathBuf> = named.split_whitespace().map(PathBuf::from).collect();
    let Some(first) = words.first_mut() else { return Ok(None) };
    // The program runs in another directory.
    let found = match first.components().count() {
        0 | 1 => first.to_str().and_then(on_path),
        _ => std::path::absolute(&*first).ok().filter(|path| path.is_file()),
    };
    let program = first.display().to_string();
    *first = found.ok_or(ProveError::NotThere { variable, program })?;
    Ok(Some(words))
}

fn on_path(name: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).map(|dir| dir.join(name)).find(|path| path.is_file())
}

/// Runs a program; all its output goes to the file `log`, and from there into the answer.
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
    // It may have ended in between; either way it is gone after this.
    let _ = child.kill();
    child.wait()?;
    Ok(killed)
}
