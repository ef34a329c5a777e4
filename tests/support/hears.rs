// SPDX-License-Identifier: MIT OR Apache-2.0
//! A program that reacts to signals, whatever started the tests: `nohup` and background shells make a process ignore
//! some signals, and its children inherit that.

use std::process::Command;

pub fn hears(program: &str) -> Command {
    let mut command = Command::new("env");
    command.args(["--default-signal=HUP,INT", program]);
    command
}
