// SPDX-License-Identifier: MIT OR Apache-2.0
//! How every command speaks: `--color` and `--quiet`.

use std::{
    env,
    ffi::OsString,
    io::{self, IsTerminal},
    sync::OnceLock,
};

use clap::{ColorChoice, ValueEnum};

/// Flags that every command has.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct Args {
    /// When to colour errors and help: `always`, `never`, or `auto` (on a terminal, unless NO_COLOR is set)
    #[arg(long, global = true, value_name = "WHEN", env = Color::ENV, default_value = "auto", hide_possible_values = true)]
    color: Color,
    /// Print only results and errors: no notes, hints or progress
    #[arg(long, short, global = true)]
    quiet: bool,
}

/// When something is coloured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal that wants it.
    #[default]
    #[value(alias = "")] // a variable that is set to nothing
    Auto,
    /// Everywhere.
    Always,
    /// Nowhere.
    Never,
}

static MANNERS: OnceLock<Args> = OnceLock::new();

impl Args {
    /// What is said from now on is said so.
    pub fn keep(self) {
        let _ = MANNERS.set(self); // a process is one command
    }
}

fn manners() -> Args {
    MANNERS.get().copied().unwrap_or_default()
}

/// Whether notes, hints and progress are not wanted.
pub fn quiet() -> bool {
    manners().quiet
}

/// Whether what goes to standard error is coloured.
pub fn is_styled() -> bool {
    let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    match manners().color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => {
            io::stderr().is_terminal() && !is_set("NO_COLOR") && env::var_os("TERM").is_none_or(|term| term != "dumb")
        }
    }
}

impl Color {
    const ENV: &str = "GPU_LSU_COLOR";

    /// What help and usage errors follow, which come before the flags are read.
    pub fn of_help(arguments: impl Iterator<Item = OsString>) -> ColorChoice {
        let mut asked = env::var(Color::ENV).ok();
        let arguments = arguments.map(|argument| argument.to_string_lossy().into_owned());
        let mut arguments = arguments.take_while(|argument| argument != "--");
        while let Some(argument) = arguments.next() {
            match argument.strip_prefix("--color") {
                Some("") => asked = arguments.next(),
                Some(value) if value.starts_with('=') => asked = Some(value[1..].to_owned()),
                _ => {}
            }
        }
        match asked.as_deref() {
            Some("always") => ColorChoice::Always,
            Some("never") => ColorChoice::Never,
            _ => ColorChoice::Auto,
        }
    }
}
