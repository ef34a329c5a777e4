// SPDX-License-Identifier: MIT OR Apache-2.0
//! A program that hears signals, whatever started the tests: what `nohup` starts, or a shell in the background, ignores some,
//! and so does all that it starts.

use std::process::Command;

pub fn hears(program: &str) -> Command {
    let mut command = Command::new("env");
    command.args(["--default-signal=HUP,INT", program]);
    command
}
