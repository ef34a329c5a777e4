# SPDX-License-Identifier: MIT OR Apache-2.0
"""Builds the unit with lsu_axi, and plays bench_axi.py on it; the log is that of the unit's own ports.

    target/cocotb/tools/bin/python tests/axi/play.py run.jsonl --data-bytes 8
"""

import argparse
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
COCOTB = HERE.parents[1] / "examples/cocotb"
sys.path.insert(0, str(COCOTB))
sys.dont_write_bytecode = True  # of what lies in the source tree

import run  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("log", type=Path, help="the log to write")
    parser.add_argument("--rtl", type=Path, default=run.ROOT / "rtl", help="the RTL's directory")
    parser.add_argument("--line-bytes", type=int, default=32)
    parser.add_argument("--data-bytes", type=int, default=32)
    parser.add_argument("--ops", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", type=Path, default=run.ROOT / "target/axi/work", help="where to build")
    parser.add_argument("--flags", default="-O1", help="of the C++ compiler")
    parser.add_argument("--gpu-lsu", default=run.ROOT / "target/release/gpu-lsu", help="the program")
    parser.add_argument("--fault", type=int, help="of a copy with planted faults: which; no assertion is on then")
    args = parser.parse_args()

    work = args.work.resolve()
    options = [f"-GLINE_BYTES={args.line_bytes}", f"-GDATA_BYTES={args.data_bytes}"]
    options.append("--assert" if args.fault is None else "--no-assert")
    files = [HERE / "ports.vlt", *run.unit(args.rtl.resolve()), HERE / "top.sv"]
    run.build("lsu_axi_top", files, options, work, args.flags)
    with open(work / "layout.json", "w", encoding="utf-8") as file:
        shape = ["--lanes", 4, "--line-bytes", args.line_bytes]
        run.call(args.gpu_lsu, "layout", "--json", *shape, stdout=file)
    env = {"BENCH_OPS": args.ops, "BENCH_SEED": args.seed, "BENCH_LOG": args.log.resolve()}
    env |= {"BENCH_LAYOUT": work / "layout.json", "BENCH_DATA_BYTES": args.data_bytes}
    plusargs = [f"+fault={args.fault or 0}"]
    sys.exit(not run.play("lsu_axi_top", "bench_axi", work, args.seed, HERE, env, plusargs))


if __name__ == "__main__":
    main()
