# SPDX-License-Identifier: MIT OR Apache-2.0
"""The mutants that are argued to be no fault: equivalent.txt.

An entry is `## FILE`, the line of the source in which it stands (`in:`), the text there (`was:`), what stands there
instead (`put:`, empty where an assignment is dropped), and the reason. Of a line that the file has more than once, the
line before says which (`after:`). Spaces count once, lines have no numbers.
"""

from pathlib import Path

LIST = Path(__file__).with_name("equivalent.txt")


def plain(text):
    return " ".join(text.split())


def numbered(text):
    """A file's lines; of each that it has more than once, the line before as well."""
    lines = [plain(line) for line in text.split("\n")]
    return [(lines[at - 1] if at and lines.count(line) > 1 else "", line) for at, line in enumerate(lines)]


def where(mutant, texts):
    """What names a mutant: file, line before, line, text, new text."""
    place, text = mutant.place, texts[mutant.place.file]
    after, line = numbered(text)[text.count("\n", 0, place.start)]
    return Path(place.file).name, after, line, plain(text[place.start : place.end]), plain(mutant.put)


def entry(key):
    """As the file has it, without the reason."""
    file, after, line, was, put = key
    after = f"after: {after}\n" if after else ""
    return f"## {file}\n{after}in: {line}\nwas: {was}\nput: {put}".rstrip() + "\n"


def read(texts):
    """The entries: what names a mutant -> the reason. One whose line is gone from its file is an error."""
    files = {Path(file).name: set(numbered(text)) for file, text in texts.items()}
    reasons = {}
    for block in LIST.read_text().split("\n## ")[1:]:
        file, *lines = block.strip().split("\n")
        fields = {"after": "", "in": "", "was": "", "put": ""}
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
        if key[1:3] not in files.get(key[0], set()):
            raise ValueError(f"{LIST.name}: `{key[0]}` has no such line any more, or several:\n{entry(key)}")
        reasons[key] = plain(" ".join(reason))
    return reasons
