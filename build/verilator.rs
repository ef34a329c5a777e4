// SPDX-License-Identifier: MIT OR Apache-2.0
//! Finds Verilator, checks its version, runs it.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The oldest version that reads this RTL.
const LEAST: (u32, u32) = (5, 6);
/// The options for every unit.
const OPTIONS: &[&str] = &["--cc", "-O3", "--unroll-stmts", "5000", "--x-assign", "unique", "--x-initial", "unique"];

pub struct Verilator {
    program: PathBuf,
    root: PathBuf,
    /// The folder with `verilated.h`.
    pub include: PathBuf,
    /// As stated in its header.
    version: (u32, u32),
}

impl Verilator {
    pub fn find() -> Result<Self, String> {
        let remedy = "Verilator 5.006 or newer is needed to build the RTL.\n\nDebian 12: `apt-get install verilator \
                      g++`. Another installation: put its `verilator_bin` on PATH, or set VERILATOR_ROOT to the \
                      directory that holds `include/verilated.h`. Without it, `--no-default-features` builds the \
                      model and the instruction sets alone.";
        let from_root = env::var_os("VERILATOR_ROOT").map(PathBuf::from);
        let program = match &from_root {
            Some(root) => [root.join("bin/verilator_bin"), root.join("verilator_bin")]
                .into_iter()
                .find(|path| path.is_file())
                .or_else(|| on_path("verilator_bin")),
            None => on_path("verilator_bin"),
        }
        .ok_or_else(|| format!("no `verilator_bin` on PATH. {remedy}"))?;
        let root = match from_root {
            Some(root) => root,
            None => asks_root(&program).ok_or_else(|| {
                format!("`{}` does not say where its files are: set VERILATOR_ROOT. {remedy}", program.display())
            })?,
        };
        let include = root.join("include");
        let header = include.join("verilated_config.h");
        let text = fs::read_to_string(&header)
            .map_err(|error| format!("cannot read `{}`: {error}. {remedy}", header.display()))?;
        let found =
            version(&text).ok_or_else(|| format!("`{}` names no version of Verilator. {remedy}", header.display()))?;
        if found < LEAST {
            return Err(format!("Verilator {}.{:03} at `{}` is too old. {remedy}", found.0, found.1, root.display()));
        }
        Ok(Verilator { program, root, include, version: found })
    }

    /// Everything that the C++ of `files` depends on: this Verilator, its options, and every source with its name.
    pub fn inputs(&self, args: &[String], files: &[PathBuf], included: &[PathBuf]) -> Result<String, String> {
        let mut inputs = format!("{:?} {:?} {OPTIONS:?} {args:?}\n", self.program, self.version);
        for file in files.iter().chain(included) {
            let text =
                fs::read_to_string(file).map_err(|error| format!("cannot read `{}`: {error}", file.display()))?;
            inputs += &format!("{} {}\n{text}", file.display(), text.len());
        }
        Ok(inputs)
    }

    /// Verilates `files` into `dir`, as a class whose name begins with `prefix`. Returns Verilator's messages.
    pub fn run(&self, prefix: &str, args: &[String], files: &[PathBuf], dir: &Path) -> Result<String, String> {
        let output = Command::new(&self.program)
            .env("VERILATOR_ROOT", &self.root)
            .args(OPTIONS)
            .args(["--prefix", prefix, "--Mdir"])
            .arg(dir)
            .args(args)
            .args(files)
            .output()
            .map_err(|error| format!("cannot run `{}`: {error}", self.program.display()))?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() {
            return Ok(said);
        }
        let hint = super::parameters::hint(&said).map_or(String::new(), |hint| format!("\n\n{hint}"));
        let own = super::refusal::own_words(&said);
        Err(format!("Verilator refuses the RTL.\n\n{}{hint}{own}", said.trim_end()))
    }
}

/// Asks `verilator_bin --getenv`, which prints the root that was compiled in.
fn asks_root(program: &Path) -> Option<PathBuf> {
    let output = Command::new(program).args(["--getenv", "VERILATOR_ROOT"]).output().ok()?;
    let root = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
    if root.join("include/verilated.h").is_file() {
        return Some(root);
    }
    let beside = program.canonicalize().ok()?.parent()?.parent()?.join("share/verilator");
    beside.join("include/verilated.h").is_file().then_some(beside)
}

/// Finds `#define VERILATOR_VERSION "5.006 2023-01-22"`, the one place where every distribution states the version.
fn version(header: &str) -> Option<(u32, u32)> {
    let line = header.lines().find(|line| line.starts_with("#define VERILATOR_VERSION "))?;
    let number = line.split('"').nth(1)?.split_whitespace().next()?;
    let (major, minor) = number.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

pub fn on_path(name: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).map(|dir| dir.join(name)).find(|path| path.is_file())
}
