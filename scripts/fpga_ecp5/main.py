# SPDX-License-Identifier: MIT OR Apache-2.0
"""scripts/fpga: its arguments and what they ask for."""

import re
import sys
import tempfile
from pathlib import Path

import ceilings
import maps
import measure
import route
import table
from hierarchy import Hierarchy
from levels import Unknown
from yosys import Refused

OUT = Path("target/fpga")
PARAMETERS = {"LANES": 4, "LINE_BYTES": 32, "WARPS": 2, "PENDING": 8, "SHARED_BYTES": 1024}


class Usage(Exception):
    pass


def usage():
    """The head of scripts/fpga."""
    head = Path("scripts/fpga").read_text().split("\nset -eu\n")[0]
    return "\n".join(line[2:] for line in head.splitlines()[2:])


def arguments(words):
    """Parameters of the unit, and names of modules."""
    parameters, modules = dict(PARAMETERS), []
    for word in words:
        if word.startswith("-"):
            raise Usage(f"unknown flag `{word}`")
        name, equals, value = word.partition("=")
        if not equals:
            modules.append(name)
        elif name not in PARAMETERS:
            raise Usage(f"unknown parameter `{name}`; the unit has {', '.join(PARAMETERS)}")
        elif not re.fullmatch(r"[0-9]+", value):
            raise Usage(f"`{word}`: the value must be a number")
        else:
            parameters[name] = int(value)
    return parameters, modules


def option(words, flag, what):
    """The value of `flag`, if it is given, and the words without it."""
    if flag not in words:
        return None, words
    at = words.index(flag)
    if at + 1 == len(words):
        raise Usage(f"`{flag}` needs {what}")
    return words[at + 1], words[:at] + words[at + 2:]


def measured(words, work):
    parameters, modules = arguments(words)
    return measure.Unit(Hierarchy(parameters, work), modules)


def check(words, work):
    file, words = option(words, "--ceilings", "a file")
    file = Path(file) if file else ceilings.FILE
    if any("=" in word for word in words):
        raise Usage("the ceilings are those of the default parameters")
    arguments(words)
    kept = ceilings.read(file)
    maps.prove(work)
    unit = measured(words, work)
    print(table.text(unit))
    wrong = ceilings.compare(unit, kept, file)
    for line in wrong:
        print(f"error: {line}", file=sys.stderr)
    return 1 if wrong else 0


def write_ceilings(words, work):
    if words:
        raise Usage("`ceilings` takes no arguments")
    unit = measured([], work)
    print(table.text(unit))
    ceilings.FILE.write_text(ceilings.text(unit))
    return 0


def modules(words, work):
    print(table.text(measured(words, work)))
    return 0


def routed(words, work):
    seed, words = option(words, "--seed", "a number")
    if seed is not None and not re.fullmatch(r"[0-9]{1,9}", seed):
        raise Usage("`--seed` needs a number of at most nine digits")
    dense = "--dense" in words
    parameters, names = arguments([word for word in words if word != "--dense"])
    if len(names) > 1:
        raise Usage("`route` takes one module")
    print(route.run(Hierarchy(parameters, work), names[0] if names else "lsu", OUT, seed or "1", dense))
    return 0


COMMANDS = {"modules": modules, "check": check, "ceilings": write_ceilings, "route": routed}


def main(words):
    if words in (["-h"], ["--help"]):
        print(usage())
        return 0
    if not words or words[0] not in COMMANDS:
        print(usage(), file=sys.stderr)
        return 2
    OUT.mkdir(parents=True, exist_ok=True)
    try:
        with tempfile.TemporaryDirectory(dir=OUT, prefix="work.") as work:
            return COMMANDS[words[0]](words[1:], Path(work))
    except Usage as error:
        print(f"error: {error}\n\nhint: `scripts/fpga --help` lists the arguments", file=sys.stderr)
    except (Refused, Unknown, ceilings.Unreadable, route.Failed) as error:
        print(f"error: {error}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
