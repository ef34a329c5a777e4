// SPDX-License-Identifier: MIT OR Apache-2.0
//! From SystemVerilog to a library that Rust links.

#[path = "identity.rs"]
mod identity;
#[path = "kept.rs"]
mod kept;
#[path = "layout.rs"]
mod layout;
#[path = "listing.rs"]
mod listing;
#[path = "parameters.rs"]
mod parameters;
#[path = "planted.rs"]
mod planted;
#[path = "ports.rs"]
mod ports;
#[path = "refusal.rs"]
mod refusal;
#[path = "sources.rs"]
mod sources;
#[path = "tasks.rs"]
mod tasks;
#[path = "traced.rs"]
mod traced;
#[path = "verilator.rs"]
mod verilator;

use std::{
    env, fs,
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        mpsc::{self, Receiver, Sender},
    },
};

use listing::Listing;
use tasks::{Task, side_by_side};
use traced::{TRACED, UNTRACED};
use verilator::Verilator;

/// The list that build/planted.rs reads.
const FAULTS: &str = "tests/harness/faults.txt";

/// Verilator's runtime library.
const RUNTIME: &str = "verilated";

/// The library that src/dut/bridge.rs calls.
const SHIM: &str = "gpu_lsu_shim";

/// The header with which a wave's values are stored.
const VALUES: &str = "src/dut/values.h";

/// Units for tests: at the corners of their parameters, and the one that scripts/fpga and scripts/synth build for a
/// board.
const CORNERS: [(&str, [&str; 5]); 4] = [
    ("Vlsu_narrow", ["LANES=8", "LINE_BYTES=32", "WARPS=1", "PENDING=2", "SHARED_BYTES=1024"]),
    ("Vlsu_few", ["LANES=4", "LINE_BYTES=128", "WARPS=5", "PENDING=3", "SHARED_BYTES=1024"]),
    ("Vlsu_deep", ["LANES=16", "LINE_BYTES=64", "WARPS=8", "PENDING=64", "SHARED_BYTES=65536"]),
    ("Vlsu_board", ["LANES=4", "LINE_BYTES=32", "WARPS=2", "PENDING=8", "SHARED_BYTES=1024"]),
];

/// One module as C++. It has a library of its own, so that a change of one module rebuilds no other.
struct Unit {
    /// The name of the C++ class, the directory and the library.
    prefix: String,
    args: Vec<String>,
    files: Vec<PathBuf>,
    /// Files that `files` include; a change of them counts as well.
    included: Vec<PathBuf>,
    /// Whether it is a unit, which states its parameters.
    is_lsu: bool,
}

/// What a compiler is told of sources besides their files.
fn besides(sources: &Listing) -> impl Iterator<Item = String> {
    let folders = sources.include_dirs.iter().map(|dir| format!("+incdir+{}", dir.display()));
    folders.chain(sources.defines.iter().map(|define| format!("+define+{define}")))
}

impl Unit {
    /// The unit of these sources. With `assertions`, the RTL's own assertions stop a run; the build with planted faults
    /// leaves it to the bench to find them. Parameters that are not set keep the values of the RTL.
    fn lsu(prefix: &str, set: &[String], sources: &Listing, out: &Path, assertions: bool) -> Result<Self, String> {
        let mut args = ["--top-module", "lsu"].map(str::to_owned).to_vec();
        args.extend(TRACED.map(str::to_owned));
        args.extend(set.iter().map(|set| format!("-G{set}")));
        args.extend(besides(sources));
        args.extend(assertions.then(|| "--assert".to_owned()));
        let asks = out.join("gpu_lsu_parameters.sv");
        fs::write(&asks, parameters::module())
            .map_err(|error| format!("cannot write `{}`: {error}", asks.display()))?;
        let untraced = out.join("gpu_lsu_untraced.vlt");
        let scopes: String = UNTRACED.iter().map(|scope| format!("tracing_off -scope \"{scope}\"\n")).collect();
        fs::write(&untraced, format!("`verilator_config\n{scopes}"))
            .map_err(|error| format!("cannot write `{}`: {error}", untraced.display()))?;
        let files = [&untraced].into_iter().chain(&sources.files).chain([&asks]).cloned().collect();
        Ok(Unit { prefix: prefix.to_owned(), args, files, included: sources.others.clone(), is_lsu: true })
    }

    /// A module that prints the bits of every field of src/op/table.rs, as these sources' lsu_pkg.sv places them.
    fn layout(sources: &Listing, out: &Path) -> Result<Self, String> {
        let file = out.join("lsu_layout.sv");
        fs::write(&file, layout::module()).map_err(|error| format!("cannot write `{}`: {error}", file.display()))?;
        let mut args = ["--top-module", "lsu_layout"].map(str::to_owned).to_vec();
        args.extend(besides(sources));
        let files = sources.files.iter().cloned().chain([file]).collect();
        Ok(Unit { prefix: "Vlsu_layout".to_owned(), args, files, included: sources.others.clone(), is_lsu: false })
    }
}

/// Finds the unit's sources, which the program names in its reports (src/rtl.rs).
pub fn sources() -> Result<PathBuf, String> {
    let root = root();
    println!("cargo:rerun-if-changed=rtl");
    println!("cargo:rerun-if-env-changed=GPU_LSU_RTL");
    let path = match env::var_os("GPU_LSU_RTL").filter(|path| !path.is_empty()) {
        // An absolute `path` stays as it is.
        Some(path) => root.join(path),
        None => root.join("rtl"),
    };
    let unusable = |error| format!("cannot read `{}`: {error}", path.display());
    let path = path.canonicalize().map_err(unusable)?;
    let listing = Listing::of(&path).map_err(unusable)?;
    for file in listing.files.iter().chain(&listing.include_dirs).chain(&listing.others) {
        println!("cargo:rerun-if-changed={}", file.display());
    }
    let name = path.to_str().filter(|name| !name.contains('\n'));
    let name = name.ok_or_else(|| format!("`{}` is no path of UTF-8 text on one line", path.display()))?;
    println!("cargo:rustc-env=GPU_LSU_BUILT_RTL={name}");
    println!("cargo:rustc-env=GPU_LSU_BUILT_HASH={}", identity::hash(&path).map_err(unusable)?);
    // `build` overrides these if it links a unit.
    println!("cargo:rustc-env=GPU_LSU_BUILT_UNITS=");
    println!("cargo:rustc-env=GPU_LSU_PLANTED=");
    Ok(path)
}

/// The parameters of GPU_LSU_PARAMETERS: `LANES=8,PENDING=4` as a list.
fn set_parameters() -> Vec<String> {
    println!("cargo:rerun-if-env-changed=GPU_LSU_PARAMETERS");
    let text = env::var("GPU_LSU_PARAMETERS").unwrap_or_default();
    text.split([',', ' ']).filter(|set| !set.is_empty()).map(str::to_owned).collect()
}

fn root() -> PathBuf {
    PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"))
}

pub fn build(path: &Path) -> Result<(), String> {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let root = root();
    for input in ["build", "src/dut", "src/op/limits.rs", "src/op/table.rs", "src/ports/table.rs"] {
        println!("cargo:rerun-if-changed={input}");
    }
    for variable in ["VERILATOR_ROOT", "PATH", "CXX", "GPU_LSU_MUTANTS"] {
        println!("cargo:rerun-if-env-changed={variable}");
    }

    let verilator = Verilator::find()?;
    let own = root.join("rtl");
    let mutants = env::var_os("GPU_LSU_MUTANTS").filter(|_| cfg!(feature = "planted-faults")).map(|dir| root.join(dir));
    let mut units = Vec::new();
    // scripts/mutate needs its copy and nothing else.
    if mutants.is_none() {
        let sources = sources::of(path)?;
        units.push(Unit::lsu("Vlsu", &set_parameters(), &sources, &out, true)?);
        if cfg!(feature = "line-coverage") {
            let mut counted = Unit::lsu("Vlsu_lines", &set_parameters(), &sources, &out, true)?;
            counted.args.push("--coverage-line".to_owned());
            units.push(counted);
        }
        let mut unit = |prefix: &str, set: &[String]| -> Result<(), String> {
            units.push(Unit::lsu(prefix, set, &sources, &out, true)?);
            Ok(())
        };
        if cfg!(feature = "all-lanes") {
            for lanes in [4, 8, 16] {
                unit(&format!("Vlsu{lanes}"), &[format!("LANES={lanes}")])?;
            }
        }
        if cfg!(feature = "corners") {
            for (prefix, set) in CORNERS {
                unit(prefix, &set.map(str::to_owned))?;
            }
        }
    }
    if cfg!(feature = "planted-faults") {
        println!("cargo:rerun-if-changed={FAULTS}");
        let (rtl, list) = match mutants {
            Some(dir) => {
                println!("cargo:rerun-if-changed={}", dir.display());
                (dir.clone(), dir.join("faults.txt"))
            }
            None => (own.clone(), root.join(FAULTS)),
        };
        println!("cargo:rustc-env=GPU_LSU_PLANTED={}", planted::numbers(&list)?);
        let faulty = sources::of(&planted::plant(&rtl, &list, &out.join("faulty-rtl"))?)?;
        units.push(Unit::lsu("Vlsu_faulty", &["LANES=4".to_owned()], &faulty, &out, false)?);
    }
    // The package of our own stands in a file of its own; that of others may be anywhere.
    let package = Listing { files: vec![own.join("lsu_pkg.sv")], ..Listing::default() };
    units.push(Unit::layout(&if *path == own { package } else { sources::of(path)? }, &out)?);
    compile(&verilator, &units, &root, &out)
}

/// Makes the libraries that Rust links: the shim, every unit, and Verilator's runtime.
fn compile(verilator: &Verilator, units: &[Unit], root: &Path, out: &Path) -> Result<(), String> {
    // Verilator uses one core, and so does the end of each library: several are made side by side. The shim waits only
    // for the C++ of each unit, not for its library.
    let (being_written, all_written) = mpsc::channel();
    let mut tasks: Vec<Task> = Vec::new();
    for unit in units {
        let written = being_written.clone();
        tasks.push(Box::new(move || unit_library(verilator, unit, root, out, written)));
    }
    drop(being_written);
    tasks.push(Box::new(|| runtime_library(verilator, root, out)));
    tasks.push(Box::new(move || shim_library(verilator, units, root, out, &all_written)));
    side_by_side(tasks.into_iter())?;

    let mut built = Vec::new();
    for unit in units {
        link(&out.join(&unit.prefix), &unit.prefix);
        if unit.is_lsu {
            built.push(format!("{} {}", unit.prefix, parameters::kept(&out.join(&unit.prefix))?));
        }
    }
    link(out, SHIM);
    link(&out.join(RUNTIME), RUNTIME);
    println!("cargo:rustc-env=GPU_LSU_BUILT_UNITS={}", built.join(","));
    println!("cargo:rustc-link-lib=atomic");
    Ok(())
}

/// Makes the shim, which knows every unit's class. Nothing is ever sent: `written` ends when the C++ of the last unit
/// exists, or never will.
fn shim_library(
    verilator: &Verilator,
    units: &[Unit],
    root: &Path,
    out: &Path,
    written: &Receiver<()>,
) -> Result<(), String> {
    let _ = written.recv();
    let classes = || units.iter().filter(|unit| unit.is_lsu).map(|unit| &unit.prefix);
    if classes().any(|prefix| !out.join(prefix).join(format!("{prefix}.h")).exists()) {
        // The task that failed to write it says why.
        return Ok(());
    }
    let mut shim = cxx_build::bridge("src/dut/bridge.rs");
    let lists = ports::write(out)?;
    let headers: String = classes().map(|prefix| format!("#include \"{prefix}.h\"\n")).collect();
    let names: String = classes().map(|prefix| format!("UNIT({prefix})\n")).collect();
    for (name, text) in [("units.h", headers), ("units.inc", names)] {
        let file = lists.join(name);
        fs::write(&file, text).map_err(|error| format!("cannot write `{}`: {error}", file.display()))?;
    }
    settings(&mut shim, verilator, root).opt_level(2).file("src/dut/shim.cc").include(lists);
    for unit in units {
        shim.include(out.join(&unit.prefix));
    }
    if cfg!(feature = "line-coverage") {
        shim.define("GPU_LSU_LINE_COVERAGE", None);
    }
    archive(&mut shim, out, SHIM)
}

/// Makes a unit's library; drops `written` once its C++ exists.
fn unit_library(
    verilator: &Verilator,
    unit: &Unit,
    root: &Path,
    out: &Path,
    written: Sender<()>,
) -> Result<(), String> {
    let Unit { prefix, args, files, included, is_lsu } = unit;
    let (mut fast, mut waves, mut slow) = (cc::Build::new(), cc::Build::new(), cc::Build::new());
    settings(&mut fast, verilator, root).opt_level(2);
    // Code that stores every signal for a wave: long and flat, and twice as slow to compile at level 2.
    stores(settings(&mut waves, verilator, root).opt_level(1), root);
    // Code that runs once, at the start; it is nearly half of all.
    settings(&mut slow, verilator, root).opt_level(0);
    let included: Vec<_> = included.iter().cloned().chain([root.join(VALUES)]).collect();
    let inputs = (verilator.inputs(args, files, &included)?, command(&fast)?, command(&waves)?, command(&slow)?);
    let dir = out.join(prefix);
    kept::keep(&dir, &inputs, |dir| {
        let said = verilator.run(prefix, args, files, dir)?;
        if *is_lsu {
            parameters::keep(&said, dir)?;
            ports::all_there(&dir.join(format!("{prefix}.h")))?;
        }
        drop(written);
        let (mut quick, mut stored, mut once) = (Vec::new(), Vec::new(), Vec::new());
        for file in sources_of(dir)? {
            let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let files = match () {
                () if name.ends_with("__Slow") => &mut once,
                () if name.contains("__Trace__") => &mut stored,
                () => &mut quick,
            };
            files.push(file);
        }
        let objects = Mutex::new(Vec::new());
        let kinds = [(&fast, "fast", quick), (&slow, "slow", once), (&waves, "waves", stored)];
        side_by_side(kinds.into_iter().map(|(build, name, files)| {
            let objects = &objects;
            Box::new(move || {
                let mut build = build.clone();
                let made = build.files(together(dir, name, &files)?).out_dir(dir).try_compile_intermediates();
                let made = made.map_err(does_not_compile)?;
                objects.lock().unwrap_or_else(PoisonError::into_inner).extend(made);
                Ok(())
            }) as Task
        }))?;
        let mut objects = objects.into_inner().unwrap_or_else(PoisonError::into_inner);
        objects.sort();
        fast.objects(objects);
        archive(&mut fast, dir, prefix)
    })
}

/// Bytes of C++ that are compiled at a time. Every compilation reads Verilator's headers anew, which takes longer than
/// most of its generated files; a few large ones would leave cores idle.
const AT_A_TIME: u64 = 2_500_000;

/// Merges files into fewer ones, which include them.
fn together(dir: &Path, name: &str, files: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let mut parts = Vec::new();
    let (mut list, mut size) = (String::new(), 0);
    for (place, file) in files.iter().enumerate() {
        let length = |file: &PathBuf| fs::metadata(file).map_or(0, |data| data.len());
        size += length(file);
        list += &format!("#include \"{}\"\n", file.display());
        if files.get(place + 1).is_none_or(|next| size + length(next) > AT_A_TIME) {
            let part = dir.join(format!("{name}_{}.cpp", parts.len()));
            fs::write(&part, &list).map_err(|error| format!("cannot write `{}`: {error}", part.display()))?;
            parts.push(part);
            (list, size) = (String::new(), 0);
        }
    }
    Ok(parts)
}

/// The C++ files of a directory, by name.
fn sources_of(dir: &Path) -> Result<Vec<PathBuf>, String> {
    let cannot = |error| format!("cannot read the directory `{}`: {error}", dir.display());
    let entries = fs::read_dir(dir).map_err(cannot)?.map(|entry| Ok(entry.map_err(cannot)?.path()));
    let mut files = entries.collect::<Result<Vec<_>, String>>()?;
    files.retain(|file| listing::has_extension(file, &["cpp"]));
    files.sort();
    Ok(files)
}

fn runtime_library(verilator: &Verilator, root: &Path, out: &Path) -> Result<(), String> {
    let mut build = cc::Build::new();
    stores(settings(&mut build, verilator, root).opt_level(2), root);
    let mut files = vec!["verilated.cpp", "verilated_vcd_c.cpp", "verilated_threads.cpp"];
    files.extend(cfg!(feature = "line-coverage").then_some("verilated_cov.cpp"));
    let inputs = (verilator.inputs(&[], &[], &[root.join(VALUES)])?, command(&build)?, files.clone());
    let dir = out.join(RUNTIME);
    kept::keep(&dir, &inputs, |dir| {
        for file in files {
            let file = verilator.include.join(file);
            if file.exists() {
                build.file(file);
            }
        }
        archive(&mut build, dir, RUNTIME)
    })
}

fn archive(build: &mut cc::Build, dir: &Path, name: &str) -> Result<(), String> {
    build.cargo_metadata(false).out_dir(dir).try_compile(name).map_err(does_not_compile)
}

fn link(dir: &Path, name: &str) {
    println!("cargo:rustc-link-search=native={}", dir.display());
    println!("cargo:rustc-link-lib=static={name}");
}

/// The compiler with all its flags, but without its environment, most of which does not matter.
fn command(build: &cc::Build) -> Result<String, String> {
    let compiler = build.try_get_compiler().map_err(|error| format!("no C++ compiler: {error}"))?;
    Ok(format!("{:?} {:?}", compiler.path(), compiler.args()))
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

/// Adds the header for code that stores signals for a wave, or may.
fn stores(build: &mut cc::Build, root: &Path) {
    build.flag("-include").flag(root.join(VALUES).display().to_string());
}
