#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Makes r700.csv: R700 words, each with its short and its long text, written from the manual's bit positions and from
the rules of Mesa's text, and not from the crate.

    python3 make_r700.py > r700.csv

The words are the same each time (fixed seed). Where several bits stay unnamed, they are 0.
"""

import random

WRITES = {
    0x20: "MEM_STREAM0",
    0x21: "MEM_STREAM1",
    0x22: "MEM_STREAM2",
    0x23: "MEM_STREAM3",
    0x24: "MEM_SCRATCH",
    0x25: "MEM_REDUCT",
    0x26: "MEM_RING",
    0x3A: "MEM_EXPORT",
}
EXPORTS = {0x27: "EXPORT", 0x28: "EXPORT_DONE"}
READS = ["READ_SCRATCH", "READ_REDUCTION", "READ_MEM"]
SELECT = "xyzw01?_"

# Name: dword, lowest bit, width.
CF = {
    "array_base": (0, 0, 13), "type": (0, 13, 2), "rw_gpr": (0, 15, 7), "rw_rel": (0, 22, 1),
    "index_gpr": (0, 23, 7), "elem_size": (0, 30, 2), "array_size": (1, 0, 12), "comp_mask": (1, 12, 4),
    "burst": (1, 17, 4), "eop": (1, 21, 1), "vpm": (1, 22, 1), "inst": (1, 23, 7), "wqm": (1, 30, 1),
    "barrier": (1, 31, 1),
}  # fmt: skip
READ = {
    "inst": (0, 0, 5), "elem_size": (0, 5, 2), "fwq": (0, 7, 1), "op": (0, 8, 3), "uncached": (0, 11, 1),
    "indexed": (0, 12, 1), "sel_y": (0, 13, 2), "src_gpr": (0, 16, 7), "src_rel": (0, 23, 1), "sel_x": (0, 24, 2),
    "burst": (0, 26, 4), "lds": (0, 30, 1), "coalesced": (0, 31, 1), "dst_gpr": (1, 0, 7), "dst_rel": (1, 7, 1),
    "dst_x": (1, 9, 3), "dst_y": (1, 12, 3), "dst_z": (1, 15, 3), "dst_w": (1, 18, 3), "fmt": (1, 22, 6),
    "nfa": (1, 28, 2), "fca": (1, 30, 1), "sma": (1, 31, 1), "array_base": (2, 0, 13), "endian": (2, 16, 2),
    "array_size": (2, 20, 12),
}  # fmt: skip


def pack(layout, dwords, fields):
    words = [0] * dwords
    for name, value in fields.items():
        dword, low, width = layout[name]
        assert 0 <= value < 1 << width, (name, value)
        words[dword] |= value << low
    return " ".join(f"{word:08x}" for word in words)


def run(first, more):
    return f"{first}-{first + more}" if more else f"{first}"


def cf(f):
    memory = f["inst"] in WRITES
    name = WRITES[f["inst"]] if memory else EXPORTS[f["inst"]]
    selects = [f["array_size"] >> 3 * i & 7 for i in range(4)]
    if memory:
        kind = ["WRITE", "WRITE_IND", "WRITE_ACK", "WRITE_IND_ACK"][f["type"]]
        swizzle = "".join(letter if f["comp_mask"] >> i & 1 else "_" for i, letter in enumerate("xyzw"))
    else:
        kind = ["PIXEL", "POS", "PARAM", "TYPE3"][f["type"]]
        swizzle = "".join(SELECT[select] for select in selects)
    short = f"{name} {kind} {run(f['array_base'], f['burst'])} R{run(f['rw_gpr'], f['burst'])}.{swizzle}"
    if memory and f["type"] in (1, 3):
        short += f" R{f['index_gpr']}"
    short += f" ES:{f['elem_size']}"
    if memory and f["array_size"] != 0xFFF:
        short += f" AS:{f['array_size']}"
    short += "" if f["barrier"] else " NO_BARRIER"
    short += " EOP" if f["eop"] else ""
    keys = "type array_base elem_size index_gpr rw_gpr rw_rel burst barrier eop vpm wqm".split()
    long = name + "".join(f" {key}={f[key]}" for key in keys)
    if memory:
        long += f" array_size={f['array_size']} comp_mask={f['comp_mask']:x}"
    else:
        long += " sel=" + ",".join(map(str, selects))
    return pack(CF, 2, f), short, long


def read(f):
    name, dst = READS[f["op"]], [f["dst_" + c] for c in "xyzw"]
    short = f"{name} R{f['dst_gpr']}.{''.join(SELECT[d] for d in dst)}"
    short += f", R{f['src_gpr']}.{SELECT[f['sel_x']]}{SELECT[f['sel_y']]}, RID:0"
    short += " UNCACHED" if f["uncached"] else ""
    short += " INDEXED:1" if f["indexed"] else ""
    short += f" ELEM_SIZE:{f['elem_size']}"
    short += f" BURST_COUNT:{f['burst']}" if f["burst"] else ""
    short += f" ARRAY_BASE:{f['array_base']} ARRAY_SIZE:{f['array_size']} UCF:0"
    short += f" FMT(DTA:{f['fmt']} NUM:{f['nfa']} COMP:{f['fca']} MODE:{f['sma']})"
    long = f"{name} elem_size={f['elem_size']} uncached={f['uncached']} indexed={f['indexed']} burst={f['burst']}"
    long += f" src_gpr={f['src_gpr']} src_rel={f['src_rel']} src_sel={f['sel_x']} dst_gpr={f['dst_gpr']}"
    long += f" dst_rel={f['dst_rel']} dst_sel={','.join(map(str, dst))} array_base={f['array_base']}"
    long += f" array_size={f['array_size']} fmt={f['fmt']} nfa={f['nfa']} fca={f['fca']} sma={f['sma']}"
    return pack(READ, 3, f), short, long


def fields(rng, layout, **fixed):
    edges = lambda width: [0, 1, (1 << width) - 1, 1 << width - 1, rng.randrange(1 << width)]
    return {name: fixed.get(name, rng.choice(edges(width))) for name, (_, _, width) in layout.items()}


def rows():
    rng = random.Random(0x700)
    usual = dict.fromkeys(CF, 0) | {"barrier": 1, "array_size": 0xFFF, "comp_mask": 0xF, "elem_size": 3}
    for inst in WRITES:
        for kind in range(4):
            for mask in range(16):
                yield cf(usual | {"inst": inst, "type": kind, "comp_mask": mask, "index_gpr": (kind & 1) * 5})
    for inst in EXPORTS:
        for kind in range(4):
            yield cf(usual | {"inst": inst, "type": kind, "comp_mask": 0, "array_size": 0o3210, "array_base": 60})
    for name, (_, _, width) in CF.items():
        for value in {1, (1 << width) - 1}:
            if name != "inst":
                yield cf(usual | {"inst": 0x24, name: value})
    for _ in range(200):
        yield cf(fields(rng, CF, inst=rng.choice(list(WRITES))))
    for _ in range(60):
        yield cf(fields(rng, CF, inst=rng.choice(list(EXPORTS)), array_size=rng.randrange(1 << 12), comp_mask=0))
    usual = dict.fromkeys(READ, 0) | {"inst": 2, "dst_y": 1, "dst_z": 2, "dst_w": 3, "fmt": 34, "nfa": 1}
    for op in range(3):
        yield read(usual | {"op": op})
        for name, (_, _, width) in READ.items():
            for value in {1, (1 << width) - 1}:
                if name not in ("inst", "op"):
                    yield read(usual | {"op": op, name: value})
        for _ in range(60):
            yield read(fields(rng, READ, inst=2, op=op))


print("dwords,short,long")
for dwords, short, long in dict.fromkeys(rows()):
    print(f'{dwords},"{short}","{long}"')
