# SPDX-License-Identifier: MIT OR Apache-2.0
"""Yosys in processes of its own: what it refuses ends that process, and two of them use two cores.

Run as a program, this file is such a process: its arguments are commands of Yosys.
"""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

CORES = 2


class Refused(Exception):
    """The RTL, or a module that is asked for, is not what it should be."""


def run(commands, log):
    """Runs Yosys. Its words are in the log, and come with a refusal."""
    with log.open("w") as out:
        done = subprocess.run(
            [sys.executable, __file__, *commands], stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
        )
    if done.returncode:
        raise Refused("Yosys refuses the RTL:\n" + complaint(log.read_text(errors="replace")))


def complaint(text):
    """Errors with the lines that show where, or if there are none the end of the log."""
    lines = text.splitlines()
    errors = [line for line in lines if "error: " in line.lower()]
    return "\n".join(errors[:10] or lines[-10:])


def all_of(jobs):
    """Runs functions, two at a time, and returns what they return in their order."""
    with ThreadPoolExecutor(CORES) as pool:
        return list(pool.map(lambda job: job(), jobs))


if __name__ == "__main__":
    from pyosys import libyosys

    design = libyosys.Design()
    for command in sys.argv[1:]:
        libyosys.run_pass(command, design)
