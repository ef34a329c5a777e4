# SPDX-License-Identifier: MIT OR Apache-2.0
"""The ceilings: a line a module, `MODULE SITES LEVELS`, kept in the repository."""

from pathlib import Path

FILE = Path("scripts/fpga.ceilings")
HEAD = """# SPDX-License-Identifier: MIT OR Apache-2.0
# What each module may cost on an ECP5 at the default parameters of scripts/fpga, which writes this file
# (`scripts/fpga ceilings`): 5 % more than it cost then. Module, sites, levels.
"""


class Unreadable(Exception):
    pass


def above(figure):
    """5 % more, at least one."""
    return figure + max(1, figure // 20)


def text(unit):
    rows = sorted(unit.rows.values(), key=lambda row: row.module)
    return HEAD + "".join(f"{row.module} {above(row.sites)} {above(row.path.levels)}\n" for row in rows)


def read(file):
    """Module -> (sites, levels)."""
    try:
        lines = file.read_text().splitlines()
    except OSError as error:
        raise Unreadable(f"cannot read the ceilings: {error}") from error
    kept = {}
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        words = line.split()
        if len(words) != 3 or not (words[1] + words[2]).isdecimal():
            raise Unreadable(f"{file}:{number}: expected `MODULE SITES LEVELS`, found `{line}`")
        kept[words[0]] = (int(words[1]), int(words[2]))
    return kept


def compare(unit, kept, file):
    """A line for each module that is above its ceiling, or stands on one side alone."""
    wrong = []
    for module, row in unit.rows.items():
        if module not in kept:
            wrong.append(f"{module} has no ceiling in {file}: {row.sites} sites, {row.path.levels} levels")
            continue
        for what, figure, ceiling in zip(("sites", "levels"), (row.sites, row.path.levels), kept[module]):
            if figure > ceiling:
                wrong.append(f"{module}: {figure} {what}, above the {ceiling} of {file}")
    if unit.whole:
        gone = [module for module in kept if module not in unit.rows]
        wrong += [f"{module} stands in {file}, and is no module of the unit" for module in gone]
    return wrong
