#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Makes spa5.csv: LD and ST words, each with the text that NVIDIA's own disassembler prints for it.

    pip download --no-deps triton==3.1.0 && unzip triton-3.1.0-*.whl 'triton/backends/nvidia/bin/nvdisasm'
    python3 make_spa5.py triton/backends/nvidia/bin/nvdisasm > spa5.csv

The words are the same each time (fixed seed); the texts are nvdisasm's (12.4.99).
"""

import random
import re
import struct
import subprocess
import sys
import tempfile

LD, ST = 4, 5
OFFSETS = [0, 1, 4, 0x14, 0x7F, 0x80, 0xFFF, 0x123456, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFF0, 0xFFFFFFFF]


def word(op, rd=4, ra=8, guard=7, imm=0, e=0, size=4, cop=0, plg=7):
    return rd | ra << 8 | guard << 16 | imm << 20 | e << 52 | size << 53 | cop << 56 | plg << 58 | op << 61


def words():
    rng = random.Random(0x5A5)
    yield 0x8000000000000000  # the one word that is printed NOP
    for op in (LD, ST):
        yield word(op, 0, 0, 0, 0, 0, 0, 0, 0) ^ 1  # its neighbours are not
        for size in range(8):
            for cop in range(4):
                for e in range(2):
                    yield word(op, size=size, cop=cop, e=e)
                    yield word(op, size=size, cop=cop, e=e, plg=rng.randrange(7), guard=rng.randrange(16))
        for guard in range(16):
            for plg in range(8):
                yield word(op, guard=guard, plg=plg, imm=0x10)
        for ra in (0, 1, 2, 254, 255):
            for imm in OFFSETS:
                for e in range(2):
                    yield word(op, ra=ra, imm=imm, e=e)
        for rd in (0, 1, 3, 252, 253, 254, 255):
            for ra in (0, 253, 254, 255):
                for size in (4, 5, 6, 7):
                    yield word(op, rd=rd, ra=ra, size=size, imm=0x20)
        for bit in range(61):
            yield word(op) ^ 1 << bit
        for _ in range(950):
            yield op << 61 | rng.getrandbits(61)


def main():
    chosen = list(dict.fromkeys(words()))
    with tempfile.NamedTemporaryFile(suffix=".bin") as raw:
        for at in range(0, len(chosen), 3):  # sm_50: a scheduling word, then three instructions
            group = (chosen[at : at + 3] + chosen[:2])[:3]
            raw.write(struct.pack("<4Q", 0x001F8000FC0007E0, *group))
        raw.flush()
        run = subprocess.run([sys.argv[1], "-b", "SM50", "-hex", raw.name], capture_output=True, text=True, check=True)
    texts = {}
    for line in run.stdout.splitlines():
        found = re.search(r"\*/\s+(.*?)\s*;?\s*/\* 0x([0-9a-f]{16}) \*/", line)
        if found:
            texts[int(found[2], 16)] = " ".join(found[1].split()).rstrip(" ;")
    missing = [each for each in chosen if each not in texts]
    if missing:
        sys.exit(f"no text for {len(missing)} words, the first {missing[0]:016x}")
    print("word,text")
    for each in chosen:
        print(f'{each:016x},"{texts[each]}"')


main()
