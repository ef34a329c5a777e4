# SPDX-License-Identifier: MIT OR Apache-2.0
"""The unit as Yosys reads it: once, with its hierarchy.

read_slang makes a module of each instance, with the parameters it has there, and calls it `MODULE$lsu.u_execute.u_part`.
"""

import re
import subprocess
from dataclasses import dataclass, field

import yosys

# What these hold is shown part by part; every other module is shown whole.
OPENED = ("lsu", "lsu_place", "lsu_execute", "lsu_memory")
# Nor are these, in any module: their outputs come late, from block RAM, and ABC would make what is behind them as fast as it
# can be, of three times the LUTs.
LATE = ("lsu_spad_banks",)


@dataclass
class Instance:
    """A module at its place."""

    name: str                   # as Yosys calls it
    path: str                   # below the unit: `u_execute.u_part`
    parts: dict = field(default_factory=dict)  # by their cells, only of what is opened

    @property
    def module(self):
        return self.name.split("$")[0]


class Hierarchy:
    def __init__(self, parameters, work):
        self.parameters = parameters
        self.work = work
        self.design = work / "design.il"
        sources = subprocess.run(["scripts/sources"], stdout=subprocess.PIPE, text=True, check=True).stdout.split()
        given = " ".join(f"-G {name}={value}" for name, value in parameters.items())
        yosys.run([
            # At 32 lanes and 128 bytes a line loops are longer than read_slang takes for a mistake.
            f"read_slang --threads 1 --unroll-limit 1000000 --keep-hierarchy --top lsu {given} {' '.join(sources)}",
            "hierarchy -check -top lsu",
            f"write_rtlil {self.design}",
        ], work / "read.log")
        text = self.design.read_text(errors="replace")
        self.held = held(text)
        self.text = {name: body for name, body in re.findall(r"^module \\(\S+)(.*?)^end$", text, re.M | re.S)}
        self.top = self.instance("lsu", "")

    def instance(self, name, path):
        made = Instance(name, path)
        for cell, below in self.held[name]:
            if made.module in OPENED or below.split("$")[0] in LATE:
                made.parts[cell] = self.instance(below, f"{path}.{cell}".strip("."))
        return made

    def instances(self):
        """All that are shown, what is opened before its parts."""
        def walk(instance):
            yield instance
            for part in instance.parts.values():
                yield from walk(part)
        return list(walk(self.top))


    def find(self, module):
        """The first instance of a module that is shown."""
        shown = self.instances()
        for instance in shown:
            if instance.module == module:
                return instance
        known = ", ".join(sorted({instance.module for instance in shown}))
        raise yosys.Refused(f"no module `{module}` in the unit; its modules are {known}")

    def ports(self, instance):
        """name -> (direction, width)."""
        pattern = r"^  wire (?:width (\d+) )?(?:\w+ )*?(input|output) \d+ (?:\w+ )*\\(\S+)$"
        found = re.findall(pattern, self.text[instance.name], re.M)
        return {name: (way, int(width or 1)) for width, way, name in found}


def held(rtlil):
    """Of each module of a file its instances of others, as (cell, module), in the order of the RTL's lines."""
    found, line = {}, 0
    pattern = r"^module \\(\S+)|^ *attribute \\src \"[^:\"]*:(\d+)|^ *cell \\(\S+) \\(\S+)"
    for match in re.finditer(pattern, rtlil, re.MULTILINE):
        module, at, below, cell = match.groups()
        if module:
            inside = found[module] = []
        elif at:
            line = int(at)
        else:
            inside.append((line, cell, below))
    return {
        module: [(cell, below) for _, cell, below in sorted(cells) if below in found] for module, cells in found.items()
    }
