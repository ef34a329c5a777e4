#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Makes sm5.csv: the tokens of atomic_cmp_store, their text, and the tokens that this text gives back, written from the
bit positions and from the rules of vkd3d's text, and not from the crate.

    python3 make_sm5.py > sm5.csv

The rows are the same each time (fixed seed). Tokens that have one text differ in how a component is chosen, in bits
that mean nothing, and in whether an offset of 0 is written; the text gives the form that vkd3d's compiler writes.
"""

import random

# Type: name, number of indices, whether the first stands in brackets.
FILES = {
    0: ("r", 1, False), 1: ("v", 1, False), 3: ("x", 2, False), 8: ("cb", 2, False), 9: ("icb", 1, True),
    11: ("primID", 0, False), 22: ("vOutputControlPointID", 0, False), 25: ("vicp", 2, True),
    28: ("vDomainLocation", 0, False), 32: ("vThreadID", 0, False), 33: ("vThreadGroupID", 0, False),
    34: ("vThreadIDInGroup", 0, False), 35: ("vCoverage", 0, False), 36: ("vThreadIDInGroupFlattened", 0, False),
    37: ("vGSInstanceID", 0, False),
}  # fmt: skip
EXTENDED = 1 << 31
NUMBERS = [0, 1, 2, 3, 7, 31, 255, 4095, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE]
LITERALS = NUMBERS + [0xDEADBEEF, 0xFFFFFFFF]


def swizzle(taken):
    return 2 | 1 << 2 | sum(component << 4 + 2 * place for place, component in enumerate(taken))


def components(rng, relative=False):
    """Bits of a token, their suffix, and the bits that the suffix gives."""
    choice = rng.randrange(5)
    component = rng.randrange(4)
    letter = "." + "xyzw"[component]
    back = 2 | 2 << 2 | component << 4 if relative else swizzle([component] * 4)
    if choice == 0:
        return 1 | rng.getrandbits(10) << 2, "", 1
    if choice == 1:
        return 2 | 2 << 2 | component << 4 | rng.getrandbits(6) << 6, letter, back
    if choice == 2:
        return swizzle([component] * 4), letter, back
    if choice == 3:
        return 2 | rng.getrandbits(8) << 4, ".xyzw", swizzle([0, 1, 2, 3])
    taken = [rng.randrange(4) for _ in range(4)]
    if len(set(taken)) == 1:
        taken[0] = (taken[0] + 1) % 4
    return swizzle(taken), "." + "".join("xyzw"[one] for one in taken), swizzle(taken)


def indices(rng, number, plain=False):
    """Of each index its representation, dwords and text, and what the text gives back. Only the text of a number
    that is not the first, and of a relative index, has brackets."""
    made = []
    for _ in range(number):
        value = rng.choice(NUMBERS)
        kind = 0 if plain or rng.random() < 0.6 else rng.choice([1, 2, 3])
        if kind == 0:
            made.append((0, [value], f"{value}", 0, [value]))
        elif kind == 1:
            high = rng.choice([0, 0, 1, 0xFFFFFFFF])
            wide = high << 32 | value
            made.append((1, [high, value], f"{wide}", 1 if high else 0, [high, value] if high else [value]))
        else:
            tokens, text, back = register(rng, rng.choice([0, 3, 1]), True)
            offset = value if kind == 3 and rng.random() < 0.8 else 0
            given = [offset] if kind == 3 else []
            made.append((kind, given + tokens, f"[{text} + {offset}]", 3 if offset else 2, ([offset] if offset else []) + back))
    return made


def named(name, bracketed, made):
    text = name
    for place, (_, _, index, _, _) in enumerate(made):
        text += index if index.startswith("[") or (place == 0 and not bracketed) else f"[{index}]"
    return text


def register(rng, kind, relative=False):
    """A register as a source, or as what a relative index adds."""
    name, number, bracketed = FILES[kind]
    bits, suffix, back = components(rng, relative)
    made = indices(rng, number, relative)
    head = kind << 12 | number << 20
    tokens = [bits | head | sum(one[0] << 22 + 3 * place for place, one in enumerate(made))]
    given = [back | head | sum(one[3] << 22 + 3 * place for place, one in enumerate(made))]
    for one in made:
        tokens += one[1]
        given += one[4]
    return tokens, named(name, bracketed, made) + suffix, given


def source(rng, signed):
    if rng.random() < 0.3:
        values = [rng.choice(LITERALS) for _ in range(rng.choice([1, 4]))]
        shown = [value - (1 << 32) if signed and value >> 31 else value for value in values]
        text = "l(" + ", ".join(map(str, shown)) + ")"
        token = 0x4001 if len(values) == 1 else 0x4002
        noise = 0 if len(values) == 1 else rng.choice([0, 0, 0xE4 << 4 | 4])
        tokens, given = [token | noise] + values, [token] + values
    else:
        tokens, text, given = register(rng, rng.choice(list(FILES)))
    modifier = rng.choice([None, None, None, 0x01, 0x41, 0x81, 0xC1])
    if modifier is None:
        return tokens, text, given
    sign = "-" if modifier & 0x40 else ""
    bars = "|" if modifier & 0x80 else ""
    tokens = [tokens[0] | EXTENDED, modifier] + tokens[1:]
    if modifier != 0x01:
        given = [given[0] | EXTENDED, modifier] + given[1:]
    return tokens, f"{sign}{bars}{text}{bars}", given


def destination(rng):
    kind, name = rng.choice([(30, "u"), (31, "g")])
    choice, mask = rng.randrange(4), rng.randrange(16)
    bits, suffix, back = 0, "", 0
    if choice == 0:
        bits = back = 2 | mask << 4
        suffix = "." + "".join("xyzw"[bit] for bit in range(4) if mask >> bit & 1) if mask else ""
        back = bits if mask else 0
    made = indices(rng, rng.choice([1, 1, 1, 2, 3]))
    head = kind << 12 | len(made) << 20
    tokens = [bits | head | sum(one[0] << 22 + 3 * place for place, one in enumerate(made))]
    given = [back | head | sum(one[3] << 22 + 3 * place for place, one in enumerate(made))]
    for one in made:
        tokens += one[1]
        given += one[4]
    return tokens, named(name, False, made) + suffix, given


def row(parts):
    tokens, given = [0], [0]
    for part in parts:
        tokens += part[0]
        given += part[2]
    texts = [" ".join(f"{word:08x}" for word in [172 | len(all) << 24] + all[1:]) for all in (tokens, given)]
    return f'{texts[0]},"atomic_cmp_store {", ".join(part[1] for part in parts)}",{texts[1]}'


def main():
    rng = random.Random(5)
    print("tokens,text,back")
    for _ in range(1200):
        print(row([destination(rng), source(rng, True), source(rng, False), source(rng, False)]))


main()
