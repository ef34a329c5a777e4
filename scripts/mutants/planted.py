# SPDX-License-Identifier: MIT OR Apache-2.0
"""Chooses mutants, and writes a copy of the RTL that holds them all: number K bites while lsu_fault_pkg::fault is K.

A mutant that Verilator refuses, or warns of, is replaced by the next one. No two mutants of a build overlap.
"""

import hashlib
import itertools
import re
import subprocess
from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path

from equivalent import plain
from places import LANES, Place

FAULT = "lsu_fault_pkg::fault"
PACKAGE = "package lsu_fault_pkg;\n  logic [15:0] fault /* verilator public_flat_rw */;\nendpackage\n"


@dataclass(frozen=True)
class Mutant:
    number: int
    place: Place
    kind: str
    put: str

    def planted(self, original):
        if self.place.is_statement:
            return f"begin if ({FAULT} != 16'd{self.number}) {original} end"
        return f"({FAULT} == 16'd{self.number} ? ({self.put}) : ({original}))"


def drawn(found, texts, seed):
    """Mutants without end to speak of, each kind in its turn. A hash of the seed and of a mutant's text orders them, so
    that a change of the RTL elsewhere leaves the others of a seed as they were."""

    def rank(place, kind, put):
        text = texts[place.file]
        line = text[text.rfind("\n", 0, place.start) + 1 : text.find("\n", place.start)]
        name = (seed, place.file, plain(line), plain(text[place.start : place.end]), kind, put)
        return hashlib.sha256(repr(name).encode()).digest(), place.start

    queues = defaultdict(list)
    for place, puts in found:
        of_place = defaultdict(list)
        for kind, put in puts:
            of_place[kind].append((rank(place, kind, put), put))
        for kind, choices in of_place.items():
            order, put = min(choices)
            queues[kind].append((order, Mutant(0, place, kind, put)))
    in_order = [[mutant for _, mutant in sorted(queues[kind], key=lambda item: item[0])] for kind in sorted(queues)]
    for turn in itertools.zip_longest(*in_order):
        yield from (mutant for mutant in turn if mutant is not None)


def overlap(one, other):
    return one.file == other.file and one.start < other.end and other.start < one.end


def write(texts, mutants, folder):
    """Writes the copy. Returns for each file what lies between which bytes of it: (start, end, mutant)."""
    spans = defaultdict(list)
    for file, text in texts.items():
        pieces, at, length = [], 0, 0
        for mutant in (mutant for mutant in mutants if mutant.place.file == file):
            put = mutant.planted(text[mutant.place.start : mutant.place.end])
            pieces += [text[at : mutant.place.start], put]
            start = length + mutant.place.start - at
            length = start + len(put)
            spans[Path(file).name].append((start, length, mutant))
            at = mutant.place.end
        target = folder / Path(file).name
        written = "".join(pieces) + text[at:]
        # What does not change keeps its date, and cargo its build.
        if not target.is_file() or target.read_text() != written:
            target.write_text(written)
    return spans


class Judge:
    """Verilator, as the build calls it, on a copy of the RTL."""

    def __init__(self, verilator, texts, folder):
        self.verilator, self.texts, self.folder = verilator, texts, folder
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "lsu_fault_pkg.sv").write_text(PACKAGE)
        (folder / "faults.txt").write_text("# The faults are in the RTL: see scripts/mutate.\n")

    def refused(self, mutants):
        """The mutants that Verilator does not take."""
        spans = write(self.texts, mutants, self.folder)
        names = ["lsu_fault_pkg.sv"] + [Path(file).name for file in self.texts]
        command = [
            self.verilator, "--cc", "-O3", "--top-module", "lsu", f"-GLANES={LANES}", "--error-limit", "1000",
            "--prefix", "Vlsu", "--Mdir", "../verilated", *sorted(names, key=lambda name: not name.endswith(".vlt")),
        ]
        run = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        if run.returncode == 0:
            return set()
        named = set()
        for name, line, column in re.findall(r"^%(?:Error|Warning)[^:]*: ([\w.]+):(\d+):(\d+):", run.stderr, re.M):
            lines = (self.folder / name).read_text().split("\n")
            at = sum(len(text) + 1 for text in lines[: int(line) - 1]) + int(column) - 1
            named |= {mutant for start, end, mutant in spans[name] if start <= at < end}
        if named:
            return named
        if not mutants:
            raise ValueError(f"Verilator refuses the RTL itself:\n{run.stderr}")
        # It names another place, such as where a signal is declared: the half that it refuses is looked at alone.
        if len(mutants) == 1:
            return set(mutants)
        half = len(mutants) // 2
        return self.refused(mutants[:half]) | self.refused(mutants[half:]) or set(mutants[half:])


def choose(found, seed, count, judge):
    """`count` mutants that Verilator takes together, numbered from 1 in the order of the files."""
    source = drawn(found, judge.texts, seed)
    order = {file: number for number, file in enumerate(judge.texts)}
    chosen = []
    while True:
        while len(chosen) < count:
            mutant = next(source, None)
            if mutant is None:
                raise ValueError(f"there are no more than {len(chosen)} mutants that do not overlap")
            if not any(overlap(mutant.place, other.place) for other in chosen):
                chosen.append(mutant)
        in_order = sorted(chosen, key=lambda mutant: (order[mutant.place.file], mutant.place.start))
        chosen = [replace(mutant, number=number) for number, mutant in enumerate(in_order, 1)]
        refused = judge.refused(chosen)
        if not refused:
            return chosen
        chosen = [mutant for mutant in chosen if mutant not in refused]
