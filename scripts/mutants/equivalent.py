# SPDX-License-Identifier: MIT OR Apache-2.0
"""The mutants that are argued to be no fault: equivalent.txt.

An entry is `## FILE`, the line of the source in which it stands (`in:`), the text there (`was:`), what stands there
instead (`put:`, empty where an assignment is dropped), and the reason. Where the file has the line more than once, the
line of code before it says which one (`after:`), and if that is not enough, the line of code after it as well (`then:`).
Spaces count once, lines have no numbers, and comments do not count.
"""

from collections import Counter
from pathlib import Path

LIST = Path(__file__).with_name("equivalent.txt")
FIELDS = ("after", "in", "then", "was", "put")


def plain(text):
    """Without comments, spaces once."""
    return " ".join(" ".join(line.split("//")[0] for line in text.split("\n")).split())


def numbered(text):
    """What names each line of a file: the line of code before it, it, and the one after it, the others only if needed."""
    lines = [plain(line) for line in text.split("\n")]
    code = [at for at, line in enumerate(lines) if line]
    before = dict(zip(code[1:], (lines[at] for at in code)))
    after = dict(zip(code, (lines[at] for at in code[1:])))
    alone = Counter(lines)
    names = [(before.get(at, "") if alone[line] > 1 else "", line) for at, line in enumerate(lines)]
    pairs = Counter(names)
    return [(*name, after.get(at, "") if alone[name[1]] > 1 and pairs[name] > 1 else "") for at, name in enumerate(names)]


def where(mutant, texts):
    """What names a mutant: file, what names its line, text, new text."""
    place, text = mutant.place, texts[mutant.place.file]
    name = numbered(text)[text.count("\n", 0, place.start)]
    return Path(place.file).name, *name, plain(text[place.start : place.end]), plain(mutant.put)


def entry(key):
    """As the file has it, without the reason."""
    file, *values = key
    lines = [f"{name}: {value}".rstrip() for name, value in zip(FIELDS, values) if value or name in ("was", "put")]
    return "\n".join([f"## {file}", *lines]) + "\n"


def read(texts):
    """The entries: what names a mutant -> the reason. One whose line is gone from its file is an error."""
    files = {Path(file).name: Counter(numbered(text)) for file, text in texts.items()}
    reasons = {}
    for block in LIST.read_text().split("\n## ")[1:]:
        file, *lines = block.strip().split("\n")
        fields = dict.fromkeys(FIELDS, "")
        reason = []
        for line in lines:
            name, colon, value = line.partition(":")
            if colon and name in fields and not reason:
                fields[name] = plain(value)
            else:
                reason.append(line)
        key = (file.strip(), *fields.values())
        if not plain(" ".join(reason)):
            raise ValueError(f"{LIST.name}: an entry without a reason:\n{entry(key)}")
        if files.get(key[0], {}).get(key[1:4]) != 1:
            raise ValueError(f"{LIST.name}: `{key[0]}` has no such line any more, or several:\n{entry(key)}")
        reasons[key] = plain(" ".join(reason))
    return reasons
