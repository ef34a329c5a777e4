# SPDX-License-Identifier: MIT OR Apache-2.0
"""What mutants showed, line by line, for reports of other failures: src/rtl/cone/mutants.txt."""

import re
from pathlib import Path

FILE = Path("src/rtl/cone/mutants.txt")
HEAD = """\
# SPDX-License-Identifier: MIT OR Apache-2.0
# Which rule small faults of each line of rtl/ broke, and where it showed: file, rules, place, line. Made by
# `scripts/mutate --lines`, which adds to it what its mutants show, and takes out lines that are gone.
"""
# `PORT-WB or PORT-DONE (its sentence) in cycle 9: wb_data of register 0, operation 1: expected 1, found 2`
SAYS = re.compile(r"^(?:unclear: )?([A-Z0-9 or-]+?) \(.*?\) in cycle \d+: (.*?)(?:, operation \d+)?(?:, lane \d+)?: expected ", re.S)
NUMBERS = re.compile(r"( of request \d+)?(, byte \d+)?( of register \d+)?$")


def row(mutant_line, verdict):
    """Of a mutant that was found: file, rules, place and line."""
    found = SAYS.match(verdict["says"])
    if not found:
        raise ValueError(f"not a mismatch: {verdict['says']}")
    place = NUMBERS.sub("", found[2]).rstrip("0123456789").rstrip()
    file, line = mutant_line
    return Path(file).name, found[1].replace(" or ", "|"), place, line.strip()


def add(rows, rtl=Path("rtl")):
    """Adds rows to the file; those of lines that are gone go."""
    old = [tuple(line.split("\t", 3)) for line in FILE.read_text().splitlines()] if FILE.is_file() else []
    stands = {(path.name, line.strip()) for path in rtl.glob("*.sv") for line in path.read_text().splitlines()}
    kept = {row for row in [*rows, *old] if len(row) == 4 and (row[0], row[3]) in stands}
    FILE.write_text(HEAD + "".join("\t".join(row) + "\n" for row in sorted(kept)))
    return len(kept)
