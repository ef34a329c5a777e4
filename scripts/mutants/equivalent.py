# SPDX-License-Identifier: MIT OR Apache-2.0
"""The mutants that are argued to be no fault: equivalent.txt.

An entry is `## FILE`, the line of the source in which it stands (`in:`), the text there (`was:`), what stands there
instead (`put:`, empty where an assignment is dropped), and the reason. Spaces count once, lines have no numbers.
"""

from pathlib import Path

LIST = Path(__file__).with_name("equivalent.txt")


def plain(text):
    return " ".join(text.split())


def where(mutant, texts):
    """What names a mutant: file, line, text, new text."""
    place, text = mutant.place, texts[mutant.place.file]
    start = text.rfind("\n", 0, place.start) + 1
    line = text[start : text.find("\n", place.start)]
    return Path(place.file).name, plain(line), plain(text[place.start : place.end]), plain(mutant.put)


def entry(key):
    """As the file has it, without the reason."""
    return "## {}\nin: {}\nwas: {}\nput: {}".format(*key).rstrip() + "\n"


def read(texts):
    """The entries: what names a mutant -> the reason. One whose line is gone from its file is an error."""
    files = {Path(file).name: [plain(line) for line in text.split("\n")] for file, text in texts.items()}
    reasons = {}
    for block in LIST.read_text().split("\n## ")[1:]:
        file, *lines = block.strip().split("\n")
        fields = {"in": "", "was": "", "put": ""}
        reason = []
        for line in lines:
            name, colon, value = line.partition(":")
            if colon and name in fields and not reason:
                fields[name] = plain(value)
            else:
                reason.append(line)
        key = (file.strip(), fields["in"], fields["was"], fields["put"])
        if not plain(" ".join(reason)):
            raise ValueError(f"{LIST.name}: an entry without a reason:\n{entry(key)}")
        if fields["in"] not in files.get(key[0], []):
            raise ValueError(f"{LIST.name}: `{key[0]}` has no such line any more:\n{entry(key)}")
        reasons[key] = plain(" ".join(reason))
    return reasons
