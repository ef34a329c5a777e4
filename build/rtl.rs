// SPDX-License-Identifier: MIT OR Apache-2.0
//! From SystemVerilog to a library that Rust links.

#[path = "layout.rs"]
mod layout;
#[path = "planted.rs"]
mod planted;
#[path = "ports.rs"]
mod ports;
#[path = "sources.rs"]
mod sources;
#[path = "verilator.rs"]
mod verilator;

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use verilator::Verilator;

/// One build of the unit: the prefix of its C++ class, its lanes and its sources.
struct Unit {
    prefix: String,
    lanes: usize,
    dir: PathBuf,
    /// Assertions of the RTL stop a run; the planted-fault build leaves the finding to the bench.
    assertions: bool,
}

pub fn build() -> Result<(), String> {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"));
    for input in ["build", "rtl", "src/dut", "src/op/table.rs", "src/ports/table.rs", "tests/harness/faults.txt"] {
        println!("cargo:rerun-if-changed={input}");
    }
    for variable in ["VERILATOR_ROOT", "PATH", "CXX", "GPU_LSU_RTL"] {
        println!("cargo:rerun-if-env-changed={variable}");
    }

    let verilator = Verilator::find()?;
    let own = root.join("rtl");
    let dir = match env::var_os("GPU_LSU_RTL") {
        Some(dir) => {
            let dir = PathBuf::from(dir);
            let dir = if dir.is_absolute() { dir } else { root.join(dir) };
            println!("cargo:rerun-if-changed={}", dir.display());
            dir
        }
        None => own.clone(),
    };

    let unit = |lanes: usize| Unit { prefix: format!("Vlsu{lanes}"), lanes, dir: dir.clone(), assertions: true };
    let mut units = vec![unit(32)];
    if cfg!(feature = "all-lanes") {
        units.extend([4, 8, 16].map(unit));
    }
    if cfg!(feature = "planted-faults") {
        let dir = planted::plant(&own, &root.join("tests/harness/faults.txt"), &out.join("faulty-rtl"))?;
        units.push(Unit { prefix: "Vlsu_faulty".to_owned(), lanes: 4, dir, assertions: false });
    }

    let mut generated = Vec::new();
    for unit in &units {
        generated.push(verilate(&verilator, unit, &out)?);
    }
    generated.push(verilate_layout(&verilator, &own, &out)?);
    generated.push(ports::write(&out)?);
    compile(&verilator, &units, &generated, &root)
}

fn verilate(verilator: &Verilator, unit: &Unit, out: &Path) -> Result<PathBuf, String> {
    let files = sources::in_order(&unit.dir)?;
    let lanes = format!("-GLANES={}", unit.lanes);
    let mut args = vec!["--top-module", "lsu", "--trace", "--trace-structs", &lanes];
    if unit.assertions {
        args.push("--assert");
    }
    verilator.run(&unit.prefix, &args, &files, out)
}

/// A module that prints the bits of every field of src/op/table.rs, as rtl/lsu_pkg.sv places them.
fn verilate_layout(verilator: &Verilator, rtl: &Path, out: &Path) -> Result<PathBuf, String> {
    let file = out.join("lsu_layout.sv");
    fs::write(&file, layout::module()).map_err(|error| format!("cannot write `{}`: {error}", file.display()))?;
    verilator.run("Vlsu_layout", &["--top-module", "lsu_layout"], &[rtl.join("lsu_pkg.sv"), file], out)
}

fn compile(verilator: &Verilator, units: &[Unit], generated: &[PathBuf], root: &Path) -> Result<(), String> {
    let mut fast = cxx_build::bridge("src/dut/bridge.rs");
    settings(&mut fast, verilator, root).opt_level(2).file("src/dut/shim.cc");
    // What runs once, at the start, is nearly half of the code.
    let mut slow = cc::Build::new();
    settings(&mut slow, verilator, root).opt_level(0);
    for unit in units {
        fast.define(&format!("GPU_LSU_{}", unit.prefix.to_uppercase()), None);
    }
    for dir in generated {
        fast.include(dir);
        slow.include(dir);
        for file in sources::with_extension(dir, "cpp")? {
            let once = file.file_stem().is_some_and(|stem| stem.to_string_lossy().ends_with("__Slow"));
            if once {
                slow.file(file)
            } else {
                fast.file(file)
            };
        }
    }
    for file in ["verilated.cpp", "verilated_vcd_c.cpp", "verilated_threads.cpp"] {
        let file = verilator.include.join(file);
        if file.exists() {
            fast.file(file);
        }
    }
    for (build, name) in [(fast, "gpu_lsu_rtl"), (slow, "gpu_lsu_rtl_slow")] {
        build.try_compile(name).map_err(|error| {
            format!(
                "the C++ that Verilator wrote does not compile.\n\n{error}\n\nA C++17 compiler is needed: g++ 9 or \
                 newer, or clang++ 10 or newer (Debian: `apt-get install g++`); `CXX` names another one."
            )
        })?;
    }
    println!("cargo:rustc-link-lib=atomic");
    Ok(())
}

fn settings<'a>(build: &'a mut cc::Build, verilator: &Verilator, root: &Path) -> &'a mut cc::Build {
    build
        .std("c++17")
        .include(&verilator.include)
        .include(verilator.include.join("vltstd"))
        .include(root.join("src/dut"))
        .warnings(false)
        .debug(false)
        .flag_if_supported("-fno-plt")
        .define("VM_TRACE", "1")
        .define("VM_TRACE_VCD", "1")
        .define("VL_TIME_CONTEXT", None)
        .define("VL_USER_STOP", None)
        .define("VL_USER_FATAL", None)
        .define("VL_PRINTF", "gpu_lsu_report")
        .flag("-include")
        .flag(root.join("src/dut/report.h").display().to_string());
    if env::var_os("CXX").is_none() && verilator::on_path("clang++").is_some() {
        build.compiler("clang++");
    }
    build
}
