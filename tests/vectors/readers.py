# SPDX-License-Identifier: MIT OR Apache-2.0
"""Prints the words of memory files as somebody else's programs have them, in hexadecimal: `readers.py FILE.mif` those that
the package `mif` reads, `readers.py WIDTH < words` those of the file that `bin2coe` writes of them."""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

import mif


def of_mif(path):
    with open(path) as file:
        _, words = mif.load(file, packed=True)
    for word in words:
        yield bytes(word)[::-1].hex()


def of_bin2coe(width, words):
    with tempfile.TemporaryDirectory() as place:
        data, coe = Path(place, "words.bin"), Path(place, "words.coe")
        data.write_bytes(b"".join(int(word, 16).to_bytes(width // 8, "little") for word in words))
        tool = Path(sys.executable).with_name("bin2coe")
        subprocess.run([tool, "-i", data, "-w", str(width), "-o", coe], check=True, stdout=subprocess.DEVNULL)
        text = coe.read_text().lower()
    radix, vector = re.fullmatch(
        r"memory_initialization_radix = (\d+);\s*memory_initialization_vector =\s*([^;]*);\s*", text).groups()
    assert radix == "16", radix
    yield from (word.strip().zfill(width // 4) for word in vector.split(","))


if not sys.argv[1].isdigit():
    words = of_mif(sys.argv[1])
else:
    words = of_bin2coe(int(sys.argv[1]), sys.stdin.read().split())
print("\n".join(words))
