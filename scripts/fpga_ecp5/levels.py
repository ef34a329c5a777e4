# SPDX-License-Identifier: MIT OR Apache-2.0
"""The longest path between registers, in levels of LUT4, as the cells are mapped and before anything is placed.

A level is a LUT4 and the wire to it, about a nanosecond. In sixteenths of one:
"""

from collections import defaultdict
from dataclasses import dataclass

LEVEL = 16
LUT = LEVEL           # also the read of a DPR16X4, which is a LUT
INTO_CARRY = LEVEL    # into a chain of CCU2C
ALONG_CARRY = 1       # to the next CCU2C of the chain
MULTIPLIER = 4 * LEVEL
# PFUMX and L6MUX21 stand behind their LUTs in one slice; what selects comes to them over a wire, as to a LUT.
MUXES = {"PFUMX": "C0", "L6MUX21": "SD"}

CARRY_INPUTS = {
    "S0": ("A0", "B0", "C0", "D0"),
    "S1": ("A0", "B0", "C0", "D0", "A1", "B1", "C1", "D1"),
    "COUT": ("A0", "B0", "C0", "D0", "A1", "B1", "C1", "D1"),
}
CLOCKS = ("CLK", "WCK", "CLKA", "CLKB", "CLK0", "CLK1", "CLK2", "CLK3")
# Outputs of these begin a path, inputs end one.
REGISTERS = ("TRELLIS_FF", "DP16KD")


@dataclass
class Path:
    """The signals and the lines at both ends, and what is between."""

    levels: int
    start: str
    end: str
    loops: bool  # some cells feed themselves: their paths are not in it


class Unknown(Exception):
    """A cell whose paths are not known here."""


def arcs(cell):
    """(input bit, output bit, weight) of what is not registered, and the bits that end a path."""
    pins, kind = cell.pins, cell.kind
    inputs = [bit for pin, bits in pins.items() if pin not in cell.outputs and pin not in CLOCKS for bit in bits]
    outputs = [bit for pin in cell.outputs for bit in pins.get(pin, ())]
    if kind in REGISTERS:
        return [], inputs
    if kind == "TRELLIS_DPR16X4":
        ends = [bit for pin in ("DI", "WAD", "WRE") for bit in pins.get(pin, ())]
        return [(read, bit, LUT) for read in pins["RAD"] for bit in pins["DO"]], ends
    if kind == "CCU2C":
        made = []
        for output, from_pins in CARRY_INPUTS.items():
            for bit in pins.get(output, ()):
                made += [(source, bit, INTO_CARRY) for pin in from_pins for source in pins.get(pin, ())]
                made += [(source, bit, ALONG_CARRY) for source in pins.get("CIN", ())]
        return made, []
    if kind in MUXES:
        made = [(source, bit, 0) for source in inputs for bit in outputs]
        return made + [(source, bit, LUT) for source in pins[MUXES[kind]] for bit in outputs], []
    weights = {"LUT4": LUT, "MULT18X18D": MULTIPLIER}
    if kind not in weights:
        raise Unknown(f"levels.py does not know the cell {kind}")
    return [(source, bit, weights[kind]) for source in inputs for bit in outputs], []


def longest(netlist):
    """The longest path of a netlist; its ports count as registers."""
    forward, waiting, ends = defaultdict(list), defaultdict(int), []
    for cell in netlist.cells:
        made, ending = arcs(cell)
        for source, bit, weight in made:
            if not isinstance(source, str):
                forward[source].append((bit, weight))
                waiting[bit] += 1
        ends += [(bit, cell) for bit in ending if not isinstance(bit, str)]
    for port, bits in netlist.outputs.items():
        ends += [(bit, port) for bit in bits if not isinstance(bit, str)]

    depth, before = defaultdict(int), {}
    ready = [bit for bit in list(forward) if not waiting[bit]]
    while ready:
        source = ready.pop()
        for bit, weight in forward.get(source, ()):
            if depth[source] + weight > depth[bit] or bit not in before:
                depth[bit], before[bit] = max(depth[bit], depth[source] + weight), source
            waiting[bit] -= 1
            if not waiting[bit]:
                ready.append(bit)
    loops = any(waiting.values())
    if not ends:
        return Path(0, "", "", loops)
    end, at = max(ends, key=lambda item: depth[item[0]])
    start = end
    while start in before:
        start = before[start]
    return Path(depth[end] // LEVEL, begins(netlist, start), at if isinstance(at, str) else labelled(at), loops)


def begins(netlist, bit):
    """What a path begins with: a register or a memory, or a port."""
    for cell in netlist.cells:
        if any(bit in cell.pins.get(pin, ()) for pin in cell.outputs):
            return labelled(cell)
    return next((port for port, bits in netlist.inputs.items() if bit in bits), "?")


def labelled(cell):
    """Its signal, and the line that it is written on."""
    if cell.name and cell.source:
        return f"{cell.name} ({cell.source})"
    return cell.name or cell.source or f"a {cell.kind}"
