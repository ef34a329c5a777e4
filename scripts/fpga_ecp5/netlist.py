# SPDX-License-Identifier: MIT OR Apache-2.0
"""Cells of an ECP5 and the bits between them, read from Yosys' JSON; modules can be put together again."""

import json
import re
from collections import Counter
from dataclasses import dataclass, field

CONSTANT = ("0", "1", "x", "z")


@dataclass
class Cell:
    kind: str
    name: str
    source: str       # file:line of the RTL, if it is known
    pins: dict        # pin -> bits
    outputs: frozenset


@dataclass
class Netlist:
    cells: list
    inputs: dict      # port -> bits
    outputs: dict
    count: Counter = field(default_factory=Counter)

    @property
    def sites(self):
        """Places for a LUT4. A CCU2C takes two, a DPR16X4 four."""
        return self.count["LUT4"] + 2 * self.count["CCU2C"] + 4 * self.count["TRELLIS_DPR16X4"]


def read(file):
    """The one module of a file that is no cell of the library."""
    modules = json.loads(file.read_text())["modules"].values()
    (top,) = [module for module in modules if "blackbox" not in module["attributes"]]
    made = Netlist([], {}, {})
    for name, cell in top["cells"].items():
        outputs = frozenset(pin for pin, way in cell["port_directions"].items() if way == "output")
        source = rtl_line(cell["attributes"].get("src", ""))
        name = "" if cell["hide_name"] else signal(name)
        made.cells.append(Cell(cell["type"], name, source, cell["connections"], outputs))
        made.count[cell["type"]] += 1
    for port, held in top["ports"].items():
        (made.inputs if held["direction"] == "input" else made.outputs)[port] = held["bits"]
    return made


def rtl_line(source):
    """The first place in rtl/ of `a.sv:1.2-3.4|b.v:5.6-7.8`."""
    for place in source.split("|"):
        if place.startswith("rtl/"):
            return place.split(".sv:")[0] + ".sv:" + place.split(":")[1].split(".")[0]
    return ""


def signal(name):
    """Yosys calls a flip-flop `count_q[3][0]\\TRELLIS_FF`, a part of a memory `rows_q.0.1`."""
    return re.sub(r"\\.*|(\.\d+)+$", "", name)


class Join:
    """Modules put together: bits that a port connects become one."""

    def __init__(self):
        self.same = {}
        self.cells = []
        self.count = Counter()
        self.modules = 0

    def find(self, bit):
        while bit in self.same:
            bit = self.same[bit]
        return bit

    def unite(self, inner, outer):
        inner, outer = self.find(inner), self.find(outer)
        if inner == outer or inner in CONSTANT:
            return
        # A constant stays what it is.
        self.same[inner] = outer

    def add(self, instance, netlists, path=""):
        """A module and its parts below it. Returns its ports, with the bits they have here."""
        netlist = netlists[instance.path]
        own = self.modules = self.modules + 1

        def here(bits):
            return [bit if bit in CONSTANT else (own, bit) for bit in bits]

        prefix = path + "." if path else ""
        for cell in netlist.cells:
            pins = {pin: here(bits) for pin, bits in cell.pins.items()}
            part = instance.parts.get(cell.name)
            if part is None:
                self.count[cell.kind] += 1
                self.cells.append(Cell(cell.kind, cell.name and prefix + cell.name, cell.source, pins, cell.outputs))
                continue
            for port, bits in self.add(part, netlists, prefix + cell.name).items():
                for inner, outer in zip(bits, pins.get(port, []), strict=False):
                    self.connect(inner, outer, port in netlists[part.path].outputs)
        return {port: here(bits) for port, bits in (netlist.inputs | netlist.outputs).items()}

    def connect(self, inner, outer, is_output):
        # The side that is driven takes the name of the one that drives it.
        if is_output:
            self.unite(outer, inner)
        else:
            self.unite(inner, outer)

    def netlist(self, inputs, outputs):
        """All of it, as one."""
        def joined(bits):
            return [self.find(bit) for bit in bits]

        for cell in self.cells:
            cell.pins = {pin: joined(bits) for pin, bits in cell.pins.items()}
        ports = [{port: joined(bits) for port, bits in side.items()} for side in (inputs, outputs)]
        return Netlist(self.cells, *ports, self.count)


def joined(instance, netlists):
    """An opened module with its parts in it; any other as it is."""
    own = netlists[instance.path]
    if not instance.parts:
        return own
    join = Join()
    ports = join.add(instance, netlists)
    return join.netlist({port: ports[port] for port in own.inputs}, {port: ports[port] for port in own.outputs})
