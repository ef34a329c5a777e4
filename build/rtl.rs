// SPDX-License-Identifier: MIT OR Apache-2.0
//! From SystemVerilog to a library that Rust links.

#[path = "identity.rs"]
mod identity;
#[path = "kept.rs"]
mod kept;
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

/// The list that build/planted.rs reads.
const FAULTS: &str = "tests/harness/faults.txt";

/// One module as C++: a library of its own, so that a change of one leaves the others as they were built.
struct Unit {
    /// Of the C++ class, the directory and the library.
    prefix: String,
    args: Vec<String>,
    files: Vec<PathBuf>,
}

impl Unit {
    /// The unit in `dir`. Where `assertions` are on, the RTL's own stop a run; the planted-fault build leaves the finding
    /// to the bench.
    fn lsu(prefix: &str, lanes: usize, dir: &Path, assertions: bool) -> Result<Self, String> {
        let mut args = ["--top-module", "lsu", "--trace", "--trace-structs"].map(str::to_owned).to_vec();
        args.push(format!("-GLANES={lanes}"));
        args.extend(assertions.then(|| "--assert".to_owned()));
        Ok(Unit { prefix: prefix.to_owned(), args, files: sources::in_order(dir)? })
    }

    /// A module that prints the bits of every field of src/op/table.rs, as rtl/lsu_pkg.sv places them.
    fn layout(rtl: &Path, out: &Path) -> Result<Self, String> {
        let file = out.join("lsu_layout.sv");
        fs::write(&file, layout::module()).map_err(|error| format!("cannot write `{}`: {error}", file.display()))?;
        let args = ["--top-module", "lsu_layout"].map(str::to_owned).to_vec();
        Ok(Unit { prefix: "Vlsu_layout".to_owned(), args, files: vec![rtl.join("lsu_pkg.sv"), file] })
    }
}

/// The directory of the unit's sources, which the program names in its reports (src/rtl.rs).
pub fn sources() -> Result<PathBuf, String> {
    let root = root();
    println!("cargo:rerun-if-changed=rtl");
    println!("cargo:rerun-if-env-changed=GPU_LSU_RTL");
    let dir = match env::var_os("GPU_LSU_RTL").filter(|dir| !dir.is_empty()) {
        Some(dir) => {
            let dir = root.join(dir); // which is `dir` itself if that is absolute
            println!("cargo:rerun-if-changed={}", dir.display());
            dir
        }
        None => root.join("rtl"),
    };
    let unusable = |error| format!("cannot read the directory `{}`: {error}", dir.display());
    let dir = dir.canonicalize().map_err(unusable)?;
    let name = dir.to_str().filter(|name| !name.contains('\n'));
    let name = name.ok_or_else(|| format!("`{}` is no path of UTF-8 text on one line", dir.display()))?;
    println!("cargo:rustc-env=GPU_LSU_BUILT_RTL={name}");
    println!("cargo:rustc-env=GPU_LSU_BUILT_HASH={}", identity::hash(&dir).map_err(unusable)?);
    Ok(dir)
}

fn root() -> PathBuf {
    PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"))
}

pub fn build(dir: &Path) -> Result<(), String> {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let root = root();
    for input in ["build", "src/dut", "src/op/table.rs", "src/ports/table.rs"] {
        println!("cargo:rerun-if-changed={input}");
    }
    for variable in ["VERILATOR_ROOT", "PATH", "CXX"] {
        println!("cargo:rerun-if-env-changed={variable}");
    }

    let verilator = Verilator::find()?;
    let own = root.join("rtl");
    let lanes: &[usize] = if cfg!(feature = "all-lanes") { &[32, 4, 8, 16] } else { &[32] };
    let mut units = Vec::new();
    for &lanes in lanes {
        units.push(Unit::lsu(&format!("Vlsu{lanes}"), lanes, dir, true)?);
    }
    if cfg!(feature = "planted-faults") {
        println!("cargo:rerun-if-changed={FAULTS}");
        let dir = planted::plant(&own, &root.join(FAULTS), &out.join("faulty-rtl"))?;
        units.push(Unit::lsu("Vlsu_faulty", 4, &dir, false)?);
    }
    units.push(Unit::layout(&own, &out)?);
    compile(&verilator, &units, &root, &out)
}

/// The library that Rust links: the shim, every unit, and what Verilator's classes stand on.
fn compile(verilator: &Verilator, units: &[Unit], root: &Path, out: &Path) -> Result<(), String> {
    for unit in units {
        unit_library(verilator, unit, root, out)?;
    }
    let mut shim = cxx_build::bridge("src/dut/bridge.rs");
    settings(&mut shim, verilator, root).opt_level(2).file("src/dut/shim.cc").include(ports::write(out)?);
    for unit in units {
        shim.define(&format!("GPU_LSU_{}", unit.prefix.to_uppercase()), None).include(out.join(&unit.prefix));
    }
    shim.try_compile("gpu_lsu_shim").map_err(does_not_compile)?;
    runtime_library(verilator, root, out)?;
    println!("cargo:rustc-link-lib=atomic");
    Ok(())
}

fn unit_library(verilator: &Verilator, unit: &Unit, root: &Path, out: &Path) -> Result<(), String> {
    let Unit { prefix, args, files } = unit;
    let (mut fast, mut slow) = (cc::Build::new(), cc::Build::new());
    settings(&mut fast, verilator, root).opt_level(2);
    // What runs once, at the start, is nearly half of the code.
    settings(&mut slow, verilator, root).opt_level(0);
    let inputs = (verilator.inputs(args, files)?, command(&fast)?, command(&slow)?);
    let dir = out.join(prefix);
    kept::keep(&dir, &inputs, |dir| {
        verilator.run(prefix, args, files, dir)?;
        for file in sources::with_extension(dir, "cpp")? {
            let once = file.file_stem().is_some_and(|stem| stem.to_string_lossy().ends_with("__Slow"));
            if once {
                slow.file(file)
            } else {
                fast.file(file)
            };
        }
        let objects = slow.out_dir(dir).try_compile_intermediates().map_err(does_not_compile)?;
        archive(fast.objects(objects), dir, prefix)
    })?;
    link(&dir, prefix);
    Ok(())
}

/// Verilator's own library.
fn runtime_library(verilator: &Verilator, root: &Path, out: &Path) -> Result<(), String> {
    let mut build = cc::Build::new();
    settings(&mut build, verilator, root).opt_level(2);
    let inputs = (verilator.inputs(&[], &[])?, command(&build)?);
    let dir = out.join("verilated");
    kept::keep(&dir, &inputs, |dir| {
        for file in ["verilated.cpp", "verilated_vcd_c.cpp", "verilated_threads.cpp"] {
            let file = verilator.include.join(file);
            if file.exists() {
                build.file(file);
            }
        }
        archive(&mut build, dir, "verilated")
    })?;
    link(&dir, "verilated");
    Ok(())
}

fn archive(build: &mut cc::Build, dir: &Path, name: &str) -> Result<(), String> {
    build.cargo_metadata(false).out_dir(dir).try_compile(name).map_err(does_not_compile)
}

fn link(dir: &Path, name: &str) {
    println!("cargo:rustc-link-search=native={}", dir.display());
    println!("cargo:rustc-link-lib=static={name}");
}

/// The compiler with all its flags.
fn command(build: &cc::Build) -> Result<String, String> {
    let compiler = build.try_get_compiler().map_err(|error| format!("no C++ compiler: {error}"))?;
    Ok(format!("{:?}", compiler.to_command()))
}

fn does_not_compile(error: cc::Error) -> String {
    format!(
        "the C++ that Verilator wrote does not compile.\n\n{error}\n\nA C++17 compiler is needed: g++ 9 or newer, or \
         clang++ 10 or newer (Debian: `apt-get install g++`); `CXX` names another one."
    )
}

fn settings<'a>(build: &'a mut cc::Build, verilator: &Verilator, root: &Path) -> &'a mut cc::Build {
    build
        .cpp(true)
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
