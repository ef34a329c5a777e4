# SPDX-License-Identifier: MIT OR Apache-2.0
"""What the canvas shows: single pixels where something must be, and the whole beside a small picture of it."""

import io
import os
from pathlib import Path

from PIL import Image, ImageChops, ImageStat

HERE = Path(__file__).parent / "pictures"
# So small that letters are grey, whatever the font.
SIZE = (120, 60)
# Of 255: on average, and in the worst part.
MEAN, WORST = 6, 110

PIXEL = """([x, y]) => {
  const { context, ratio } = wave.painter;
  return [...context.getImageData(Math.round(x * ratio), Math.round(y * ratio), 1, 1).data].slice(0, 3);
}"""


def pixel(reader, x, y):
    return "#" + "".join(f"{part:02x}" for part in reader.eval(PIXEL, [x, y]))


def colour(reader, name):
    return reader.eval("(name) => wave.painter.colours[name]", name)


def canvas_back(reader):
    reader.frame()
    width, height = reader.eval("() => [wave.painter.width, wave.painter.height]")
    return pixel(reader, width - 2, height - 2)


def band(reader, cycle):
    """The red line at the divergence stands in the first pixels of its cycle, and nowhere else."""
    reader.focus()
    for key in ("f", "+", "+"):
        reader.press(key)
        x = reader.eval("(cycle) => wave.painter.x(cycle)", cycle)
        height = reader.eval("() => wave.painter.height")
        red = colour(reader, "wrong")
        assert pixel(reader, round(x) + 0.5, height - 2) == red, f"no red line at {x}"
        assert pixel(reader, round(x) - 3, height - 2) != red and pixel(reader, round(x) + 4, height - 2) != red
    reader.press("d")


def like(reader, name, shots):
    """The wave as it was when somebody looked at it; PICTURES=keep takes it as the new one."""
    reader.frame()
    shot = Image.open(io.BytesIO(reader.page.locator("#viewer").screenshot())).convert("RGB")
    small = shot.resize(SIZE, Image.Resampling.BOX)
    path = HERE / f"{name}.png"
    if os.environ.get("PICTURES") == "keep":
        path.parent.mkdir(exist_ok=True)
        small.save(path)
    difference = ImageChops.difference(small, Image.open(path).convert("RGB")).convert("L")
    mean, worst = ImageStat.Stat(difference).mean[0], difference.getextrema()[1]
    if shots:
        shot.save(f"{shots}/{name}-viewer.png")
    assert mean <= MEAN and worst <= WORST, f"the wave of {name} looks different: {mean:.1f} on average, {worst} at most"
