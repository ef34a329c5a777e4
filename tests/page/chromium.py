# SPDX-License-Identifier: MIT OR Apache-2.0
"""Opens pages in headless Chromium without a network, and uses them as a reader does.

    chromium.py fault|agree|burst|speed PAGE [SCREENSHOTS]
"""

import shutil
import sys
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

import checks
import pictures
from use import keys, operations


class Reader:
    """A browser window with one page; whatever it says or asks for besides fails the test."""

    def __init__(self, browser, path, width=1600, height=1000, scheme="light"):
        self.context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, offline=True)
        self.page = self.context.new_page()
        self.said = []
        # Pixels are read back by this test alone.
        self.page.on("console", lambda message: "willReadFrequently" in message.text or self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", lambda request: self.asked(request.url))
        self.url = Path(path).resolve().as_uri()
        begin = time.monotonic()
        self.page.goto(self.url)
        self.frame()
        self.seconds = time.monotonic() - begin

    def asked(self, url):
        if url != self.url:
            self.said.append(f"asked for {url}")

    def frame(self):
        self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def eval(self, script, argument=None):
        return self.page.evaluate(script, argument)

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)
        self.frame()

    def text(self, selector):
        return self.page.locator(selector).inner_text()

    def cursor(self):
        return self.eval("() => wave.state.cursor")

    def focus(self):
        self.page.locator("#rows").focus()

    def search(self, text):
        self.page.fill("#search", text)
        self.page.press("#search", "Enter")
        self.frame()
        return self.text("#live")

    def close(self):
        assert not self.said, f"{self.url}: {self.said}"
        self.context.close()


def common(browser, path, shots, name):
    """What holds for every page, in both colours and both widths."""
    for scheme in ("light", "dark"):
        for width in (800, 1600):
            reader = Reader(browser, path, width=width, scheme=scheme)
            checks.no_overflow(reader.page)
            checks.accessible(reader.page)
            checks.contrast(reader.page)
            if shots:
                reader.page.screenshot(path=f"{shots}/{name}-{scheme}-{width}.png", full_page=True)
            reader.close()
    # The reader's own choice counts more than the system's.
    reader = Reader(browser, path, scheme="light")
    back = lambda: reader.eval("() => getComputedStyle(document.body).backgroundColor")
    light = back()
    for _ in range(2):
        reader.page.click("#theme")
    assert reader.text("#theme") == "Colours: dark" and back() != light, "the button makes it dark"
    checks.contrast(reader.page)
    assert pictures.canvas_back(reader) == "#12161b", "the canvas follows"
    reader.close()


def fault(browser, path, shots):
    common(browser, path, shots, "fault")
    reader = Reader(browser, path)
    # It opens where something is wrong, and says what.
    wrong = reader.eval("() => data.mismatch")
    assert reader.cursor() == wrong["cycle"], (reader.cursor(), wrong)
    assert wrong["clause"] in reader.text("#sentences") and wrong["actual"] in reader.text("#sentences")
    assert wrong["clause"] in reader.text("#title")
    assert reader.eval("() => chosen") == wrong["op"]
    assert "which is not what the model has" in reader.text("#live"), reader.text("#live")
    assert reader.page.locator("#op-lanes td.wrong").count() >= 1, "the value that is wrong is marked in its lane"
    pictures.band(reader, wrong["cycle"])
    pictures.like(reader, "fault", shots)
    # Away and back, with the key and with the button.
    for back in (lambda: reader.press("d"), lambda: reader.page.click('[data-do="divergence"]')):
        reader.focus()
        reader.press("Home", "f")
        assert reader.cursor() == 0
        back()
        reader.frame()
        assert reader.cursor() == wrong["cycle"]
        assert reader.eval("() => wave.state.selected.id") == f"{wrong['group']}.{wrong['row']}"
    keys(reader)
    operations(reader)
    # A sentence leads to its cycle.
    reader.page.locator("#sentences button.link").first.click()
    assert reader.cursor() == wrong["cycle"]
    reader.close()


def agree(browser, path, shots):
    common(browser, path, shots, "agree")
    reader = Reader(browser, path)
    assert "unit and model agree" in reader.text("#title")
    assert reader.text("#sentences").startswith("Unit and model agree: ")
    assert reader.eval("() => groups.every((group) => group.signals.every((signal) => signal.wrong.length === 0))")
    keys(reader)
    operations(reader)
    reader.focus()
    reader.press("d")
    assert reader.text("#live") == "There is no divergence in this run."
    # Memory tells who wrote it.
    assert reader.eval("() => data.details.some((detail) => detail.memory.some((run) => /operation \\d+, lane \\d+/.test(run.by)))")
    reader.close()


def burst(browser, path, shots):
    common(browser, path, shots, "burst")
    reader = Reader(browser, path)
    seen = set()
    for op in range(reader.eval("() => operations")):
        reader.eval("(op) => chooseOperation(op, false)", op)
        seen |= {text.strip()[:1] for text in reader.page.locator("#op-lanes td span[title=clamped]").all_inner_texts()}
    assert seen == {"C"}, f"some dword is shown as clamped: {seen}"
    reader.close()


def speed(browser, path, shots):
    """How long the page takes to open, and each frame while one zooms and pans all over it."""
    reader = Reader(browser, path)
    figures = reader.eval("""async () => {
      const frames = [], frame = () => new Promise(requestAnimationFrame);
      for (const row of tree) row.open = true;
      wave.list();
      wave.fit();
      wave.paints.length = 0;
      let last = await frame();
      for (let step = 0; step < 240; step++) {
        if (step < 80) wave.zoom(1.1, 700); else if (step < 160) wave.zoom(1 / 1.1, 500); else wave.look(wave.view.from + cycles / 400, 4 * wave.painter.width / cycles);
        const now = await frame();
        frames.push(now - last);
        last = now;
      }
      const at = (list, part) => [...list].sort((a, b) => a - b)[Math.floor(part * (list.length - 1))];
      return { cycles, operations, paint: [at(wave.paints, .5), at(wave.paints, .95)], frame: [at(frames, .5), at(frames, .95)], columns: wave.painter.columns };
    }""")
    size = Path(path).stat().st_size
    paint, frame = figures["paint"], figures["frame"]
    print(f"{Path(path).name}: {figures['operations']} operations, {figures['cycles']} cycles, {size / 1e6:.1f} MB, open in {reader.seconds:.2f} s, "
          f"paint p50 {paint[0]:.1f} ms p95 {paint[1]:.1f} ms, frame p50 {frame[0]:.1f} ms p95 {frame[1]:.1f} ms")
    # Whatever else the machine does: what is drawn does not grow with the run.
    assert paint[1] < 50, f"painting takes {paint[1]:.0f} ms"
    assert reader.seconds < 15, f"opening takes {reader.seconds:.0f} s"
    reader.close()


def main():
    what, path, *shots = sys.argv[1:]
    chromium = shutil.which("chromium")
    assert chromium, "no chromium: run `scripts/setup test`"
    with sync_playwright() as playwright:
        # In a container Chromium's own sandbox has not the rights that it wants.
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        {"fault": fault, "agree": agree, "burst": burst, "speed": speed}[what](browser, path, shots[0] if shots else None)
        browser.close()


main()
