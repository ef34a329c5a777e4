#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Makes judged.csv: `st` statements, each with the verdict of NVIDIA's own assembler.

    pip install nvidia-cuda-nvcc-cu12==12.9.86
    python3 make_judged.py .../nvidia/cuda_nvcc/bin/ptxas > judged.csv

The statements are the same each time (fixed seed): operands by hand, and modifiers at random, most of them likely to go
together. Left out are forms that the assembler takes by accident, or crashes on (tests/ptx/rows.rs lists them).
"""

import csv
import random
import re
import subprocess
import sys
import tempfile

BEFORE = """.version {version}
.target {target}
.address_size 64
.global .align 32 .b8 gbl[4096]; .const .align 32 .b8 cst[256]; .shared .align 32 .b8 sh[4096];
.entry k(.param .u64 p0, .param .align 32 .b8 pe[64]) {{
.local .align 32 .b8 loc[256]; .param .align 32 .b8 prm[64];
.reg .b64 %rd<20>, %pol; .reg .b32 %r<20>; .reg .b16 %h<20>; .reg .f32 %f<20>; .reg .f64 %d<20>; .reg .pred %p<3>;
ld.param.u64 %rd1, [p0]; {wide}
"""
KNOWN = [("sm_50", v) for v in ("4.0", "8.3", "8.8")] + [("sm_70", v) for v in ("6.0", "7.4", "8.3", "8.4", "8.8")]
KNOWN += [("sm_80", v) for v in ("7.0", "7.4", "8.8")] + [("sm_90", v) for v in ("7.8", "8.2", "8.8")]
KNOWN += [("sm_100", v) for v in ("8.6", "8.8")] + [("sm_120", v) for v in ("8.7", "8.8")]

# Two blanks, or a new line, part one form from the next.
ADDRESSES = """[%rd1 + 4 ]  [%rd1+ - 4]  [gbl + 4*2]  [gbl+(4*2)]  [%rd1+1+2]  [%rd1+4U]  [%rd1+0x10]  [%rd1+010]  [%rd1+0b11]
[%rd1+WARP_SZ]  [%rd1+-WARP_SZ]  [%rd1+1.5]  [-%rd1]  [4+%rd1]  [(%rd1)]  [%rd1+~0]  [%rd1++4]  [%rd1+4-8]  [%rd1+1?4:8]  [%rd1+!4]
[gbl+%rd1]  [gbl+gbl]  [gbl-4]  [%rd1 -4]  [%rd1+]  [%rd1 4]  [%rd1,4]  [%rd1][4]  [[%rd1]]  [{%rd1}]  [_]  [gbl.x]  []  %rd1  gbl
[%pol]  [%rd25]  [%rd]  [%rd01]  [%rd19]  [%rd20]  [%RD1]  [%h1]  [%f1]  [%q1]  [%p1]  [%laneid]  [cst]  [prm]  [pe]  [p0]  [sh]  [loc]  [k]  [nosuch]"""
IN_SPACE = """.local [4+4]  .local [-4]  .local [(4)]  .local [WARP_SZ]  .local [1.5]  .local [1?4:8]  .local [~0]  .local [18446744073709551616]
.local [gbl]  .local [k]  .shared::cluster [sh]  .shared::cluster [gbl]  .shared::cta [sh]  .shared::cta [loc]  .param [prm+4]
.param [pe]  .param [p0]  .param::func [p0]  .param [gbl]  .param [100]  .param [k]  .param [nosuch]  .global [k]  .global [100]"""
VALUES = """b32 ~5  b32 !5  b32 (5)  b32 5+6  b32 5<6?1:2  b32 (1<<5)|3  b32 (.u64)5  b32 (.u32)5  b32 (.s64)1.5  b32 +5  b32 --5  b32 5/0
b32 5%2  b32 5 % 2  b32 1.5<2.5  b32 1?2:3?4:5  b32 1?2  b32 (1  b32 1)  b32 1 < = 2  b32 1 ^^ 2  b32 0x  b32 0X1F  b32 0x1fU  b32 0x1fu
b32 5u  b32 5L  b32 0b102  b32 0b  b32 0B11  b32 08  b32 017U  b32 00  b32 12abc  b32 1_000  b32 18446744073709551616  b32 WARP_SZ  b32 warp_sz
b32 'a'  b32 gbl  b32 nosuch  b32 %laneid  b32 -%r2  b32 !%r2  b32 [%rd1]  b32 {%r1}  b32 {5}  b32 {_}  b32 {%r1, %r2}  b32 _
f32 5  f32 5.0  f32 -5.0  f32 5.  f32 .5  f32 1e3  f32 1e+3  f32 1E-3  f32 1.5f  f32 1e  f32 1e+  f32 .  f32 1.5.5  f32 01.5  f32 1e999
f32 1.5+2.5  f32 1.5*2  f32 -(1.5)  f32 !1.5  f32 1?1.5:2.5  f32 (0f3F800000)  f32 0F3f800000  f32 0f3F80000  f32 0f3F8000000
f32 -0f3F800000  f32 0d3FF0000000000000  f32 -0d3FF0000000000000  f32 0x1.8p3  f32 WARP_SZ  f64 0f3F800000  f64 1.5  b64 1.5
b64 0f3F800000  b64 -0d3FF0000000000000  b32 1.5  b32 0f3F800000  b32 0d3FF0000000000000  u32 0f3F800000  s64 1.5  b16 1.5
v2.b32 {1.5, 2.5}  v2.b32 {0f3F800000, 0f3F800000}  v2.b64 {1.5, 2.5}  v2.b64 {1.5, 5}  v2.f32 {1.5, 5}  v2.f32 {5, 6}  v2.u32 {5, %r1}
v2.b32 {5, %f2}  v2.b32 {%f2, 5}  v2.b32 {%f1, %r2}  v2.b32 {%r1, %rd2}  v2.b16 {%h1, %r2}  v2.f32 {%r1, %f1}  v2.f32 {%rd1, %rd1}
v2.f32 {%d1, %d1}  v2.u32 {%f1, %f1}  v2.b32 {%r1, %r2,}  v2.b32 {%r1 %r2}  v2.b32 {}  v2.b32 {{%r1, %r2}}  v2.b32 ({%r1, %r2})
v2.b32 %r1  v2.b32 {%r1}  v2.b32 {1+1, 2*3}  v2.b32 {nosuch, %r1}  v2.b64 {gbl, %rd1}  v4.b32 {%r1, 5, 6, %f1}"""
WHOLE = """st.b32 [%rd1], %r1  st.b32 [%rd1], %r1;;  ;  lab: st.b32 [%rd1], %r1;  a: b: st.b32 [%rd1], %r1;  @%p1 lab: st.b32 [%rd1], %r1;
@ ! %p1 st.b32 [%rd1], %r1;  @!!%p1 st.b32 [%rd1], %r1;  @(%p1) st.b32 [%rd1], %r1;  @%p3 st.b32 [%rd1], %r1;  @gbl st.b32 [%rd1], %r1;
_: st.b32 [%rd1], %r1;  st .global.b32 [%rd1], %r1;  st. global.b32 [%rd1], %r1;  st.shared ::cta.b32 [%rd1], %r1;  st/**/.b32 [%rd1], %r1;
st.global.B32 [%rd1], %r1;  St.b32 [%rd1], %r1;  st.b32[%rd1],%r1;  st.b32 [%rd1] %r1;  st.b32 [%rd1], ;  st.b32;  st [%rd1], %r1;
st.b32 [%rd1], %r1, %r2;  st.b32 [%rd1], %r1, %r2, %r3;  st. [%rd1], %r1;  st..b32 [%rd1], %r1;  st.b32. [%rd1], %r1;  stx.b32 [%rd1], %r1;
st.b32 [%rd1], %r1; st.b32 [%rd1], %r2;  st.b32 [%rd1], %r1; st.b16 [%rd1], %nosuch;  # x"""
POLICIES = "%pol %rd2 5 -1 5+6 WARP_SZ 1.5 0d3FF0000000000000 %r2 %h2 %d2 %q2 %p2 gbl _ {%pol} {5} [%pol] %clock64"


def split(text):
    return re.split(r"\n|  ", text)


def by_hand():
    for address in split(ADDRESSES):
        yield f"st.global.b32 {address}, %r2;"
        if re.match(r"\[\w+\]", address):
            yield f"st.b32 {address}, %r2;"
    for form in split(IN_SPACE):
        space, address = form.split(" ", 1)
        yield f"st{space}.b32 {address}, %r2;"
    for form in split(VALUES):
        element, value = form.split(" ", 1)
        yield f"st.global.{element} [%rd1], {value};"
    yield from split(WHOLE)
    for policy in POLICIES.split():
        yield f"st.L2::cache_hint.b32 [%rd1], %r1, {policy};"


SPACES = {"": "gbl", ".global": "gbl", ".local": "loc", ".shared": "sh", ".shared::cta": "sh", ".shared::cluster": "sh"}
SPACES |= {".param": "prm", ".param::func": "prm", ".const": "cst", ".param::entry": "pe"}
ORDERS = [".weak", ".volatile", ".relaxed", ".relaxed", ".release", ".release"]
SCOPES = [".cta", ".cluster", ".gpu", ".sys"]
PRIORITIES = ["evict_normal", "evict_first", "evict_last", "evict_unchanged", "no_allocate"]
TYPES = ["b8", "b16", "b32", "b64", "b128", "u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "f32", "f64"]
STRANGE = [".f16", ".b1", ".u128", ".pred", ".acquire", ".seq_cst", ".ca", ".nc", ".v3", ".L2::256B", ".evict_last", ".L1::x"]


def at_random(rng):
    def maybe(chance, choices):
        return [rng.choice(choices)] if rng.random() < chance else []

    space = maybe(0.6, [".global"] * 6 + list(SPACES)[1:])
    order = maybe(0.45, ORDERS)
    scope = maybe(0.95 if order and order[0][1:4] == "rel" else 0.05, SCOPES)
    mmio = maybe(0.08, [".mmio"])
    if mmio and rng.random() < 0.8:
        order, scope = [".relaxed"], [".sys"]
    hint = maybe(0.2, [".L2::cache_hint"])
    second = maybe(0.12, [".L2::" + each for each in PRIORITIES[:3] * 2 + PRIORITIES[3:]])
    vector, element = maybe(0.5, [".v2", ".v4", ".v8"]), rng.choice(TYPES)
    if second and rng.random() < 0.8:
        vector, element = rng.choice([([".v8"], rng.choice(["b32", "s32", "f32"])), ([".v4"], rng.choice(["b64", "u64", "f64"]))])
    first = maybe(0.2, [".L1::" + each for each in PRIORITIES])
    modifiers = space + order + scope + mmio + maybe(0.15, [".wb", ".cg", ".cs", ".wt"]) + first + second + hint + vector
    modifiers += ["." + element]
    modifiers += maybe(0.02, STRANGE) + maybe(0.02, modifiers) + maybe(0.02, [".cta", ".weak", ".v4", ".b32", ".global", ".cg"])
    if rng.random() < 0.5:
        rng.shuffle(modifiers)

    count = int(vector[0][2:]) if vector and rng.random() < 0.97 else rng.choice([1, 1, 2, 3])
    bits = int(element[1:])
    kind = {8: "h", 16: "h", 32: "r", 64: "rd", 128: "q"}[bits]
    kind = {"f32": "f", "f64": "d"}.get(element, kind) if rng.random() < 0.85 else rng.choice(["h", "r", "rd", "f", "d"])
    sinks = 0.4 if count * bits == 256 and rng.random() < 0.4 else 0.02
    elements = ["_" if rng.random() < sinks else f"%{kind}{rng.randrange(2, 20)}" for _ in range(count)]
    data = "{" + ", ".join(elements) + "}" if count > 1 or rng.random() < 0.05 else elements[0]

    own = SPACES[space[0] if space else ""]
    names = [own] * 3 if own in ("prm", "pe") else ["%rd1", "%rd2", "%r1", own, own]
    base = rng.choice(names if rng.random() < 0.85 else list(SPACES.values()) + ["p0", "k", "nosuch", "%f1", "100"])
    offset = "" if base == "100" else rng.choice(["", "", "+4", "+-8", "+2147483648", "+ (4*2)"])
    policy = ", " + rng.choice(["%pol", "%rd3", "5"]) if bool(hint) != (rng.random() < 0.05) else ""
    guard = "".join(maybe(0.08, ["@%p1 ", "@!%p1 ", "@%r1 ", "@!p9 "]))
    return f"{guard}st{''.join(modifiers)} [{base}{offset}], {data}{policy};"


def run(ptxas, target, version, statements):
    """None if the assembler takes them all, else the numbers that it names; none, if it stops without naming one."""
    wide = ".reg .b128 %q<20>;" if any("%q" in each for each in statements) else ""
    text = BEFORE.format(target=target, version=version, wide=wide)
    first = text.count("\n") + 1
    text += "".join(f"{{ {each} \n}}\n" for each in statements) + "ret; }\n"
    with tempfile.NamedTemporaryFile("w", suffix=".ptx") as file:
        file.write(text)
        file.flush()
        done = subprocess.run([ptxas, "-arch", target, "-O0", "-o", "/dev/null", file.name], capture_output=True, text=True)
    lines = [int(line) for line in re.findall(r", line (\d+); (?:error|fatal)", done.stderr)]
    if done.returncode == 0 or "32-Bit" in done.stderr:  # a module of 32-bit addresses alone: not what is asked
        return None if len(statements) == 1 or done.returncode == 0 else set()
    return {(line - first) // 2 for line in lines if line >= first}


def judge(ptxas, target, version, statements):
    verdicts, left = {}, list(range(len(statements)))
    while left:
        named = run(ptxas, target, version, [statements[each] for each in left])
        if named is None:
            return [verdicts.get(each, 1) for each in range(len(statements))]
        if not named and len(left) > 1:
            half = len(left) // 2
            for part in (left[:half], left[half:]):
                found = judge(ptxas, target, version, [statements[each] for each in part])
                verdicts |= dict(zip(part, found))
            break
        for each in named or {0}:
            verdicts[left[each]] = 0
        left = [each for number, each in enumerate(left) if number not in (named or {0})]
    return [verdicts.get(each, 1) for each in range(len(statements))]


def main():
    rng = random.Random(0x57)
    asked = {("sm_100", "8.8"): list(by_hand())}
    for known in KNOWN:
        asked.setdefault(known, []).extend(at_random(rng) for _ in range(80))
    output = csv.writer(sys.stdout, lineterminator="\n")
    output.writerow(["target", "ptx", "accepted", "statement"])
    for (target, version), statements in asked.items():
        for statement, verdict in zip(statements, judge(sys.argv[1], target, version, statements)):
            output.writerow([target, version, verdict, statement])


main()
