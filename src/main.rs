// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command line; see [`gpu_lsu::cli`].

fn main() -> std::process::ExitCode {
    gpu_lsu::cli::main()
}
