# SPDX-License-Identifier: MIT OR Apache-2.0
"""What a reader does with a page: keys, pointer, search, operations."""


def keys(reader):
    """Keys, pointer, numbers, search: on any page with an operation."""
    cursors(reader)
    rows(reader)
    pointer(reader)
    numbers(reader)
    search(reader)
    events(reader)


def cursors(reader):
    reader.focus()
    reader.press("Home")
    assert reader.cursor() == 0
    reader.press("ArrowRight", "ArrowRight", "ArrowLeft")
    assert reader.cursor() == 1
    reader.press("m", "ArrowRight", "ArrowRight")
    assert "cursor B at cycle 1, difference 2 cycles" in reader.text("#cursors"), reader.text("#cursors")
    reader.press("Escape")
    assert "cursor B" not in reader.text("#cursors")
    reader.press("End")
    assert reader.cursor() == reader.eval("() => cycles - 1")
    scale = "() => wave.view.scale"
    reader.press("f")
    before = reader.eval(scale)
    reader.press("+", "+", "-")
    assert abs(reader.eval(scale) / before - 2) < 1e-6
    reader.press("?")
    assert reader.page.locator("#keys").is_visible()
    assert reader.eval("() => document.querySelectorAll('#keys dt').length") > 10
    reader.page.keyboard.press("Escape")
    assert not reader.page.locator("#keys").is_visible()


def rows(reader):
    """A group opens and closes, and says so; its changes, there and back."""
    reader.eval("() => wave.select(rowsById.get('op'), false)")
    row = reader.page.locator('[id="row-op"]')
    reader.focus()
    was = row.get_attribute("aria-expanded")
    reader.press("Enter")
    assert row.get_attribute("aria-expanded") != was
    if was == "true":
        reader.press("Enter")
    reader.press("Home", "n")
    first = reader.cursor()
    reader.press("n", "N")
    assert reader.cursor() == first
    rows = reader.eval("() => wave.rows.length")
    reader.page.uncheck("#model")
    assert reader.eval("() => wave.rows.length") <= rows
    reader.page.check("#model")


def pointer(reader):
    """A click puts a cursor where it points, with Shift the other; the wheel over the axis zooms around it; dragging moves."""
    reader.eval("() => wave.fit()")
    reader.frame()
    box = reader.page.locator("#canvas").bounding_box()
    x, y = box["x"] + 300, box["y"] + 60
    under = "() => Math.floor(wave.view.from + 300 / wave.view.scale)"
    reader.page.mouse.click(x, y)
    assert reader.cursor() == max(0, min(reader.eval("() => cycles - 1"), reader.eval(under)))
    reader.page.keyboard.down("Shift")
    reader.page.mouse.click(x + 200, y)
    reader.page.keyboard.up("Shift")
    assert "cursor B" in reader.text("#cursors")
    before = reader.eval("() => wave.view.from + 300 / wave.view.scale")
    reader.page.mouse.move(x, box["y"] + 8)
    reader.page.mouse.wheel(0, -400)
    reader.frame()
    assert abs(reader.eval("() => wave.view.from + 300 / wave.view.scale") - before) < 0.2, "zooms around the pointer"
    before = reader.eval("() => wave.view.from")
    reader.page.mouse.move(x, y)
    reader.page.mouse.down()
    reader.page.mouse.move(x - 100, y, steps=4)
    reader.page.mouse.up()
    assert reader.eval("() => wave.view.from") > before, "drags"


def numbers(reader):
    for radix, shown in (("dec", "255"), ("signed", "-1"), ("bin", "11111111"), ("hex", "ff")):
        reader.page.select_option("#radix", radix)
        assert reader.eval("(radix) => shown('ff', 8, radix)", radix) == shown
        assert reader.eval("() => wave.state.radix") == radix
    reader.focus()
    reader.press("R")
    assert reader.page.input_value("#radix") == "dec"
    reader.press("R", "R", "R")


def search(reader):
    """It finds a cycle, an operation, a signal, a value; and says when there is nothing."""
    assert reader.search("@3") == "Cycle 3."
    assert reader.search("#0").startswith("Operation 0, taken in cycle ")
    assert reader.search("mem_req.addr").startswith("mem_req.addr, 1 of ")
    assert reader.eval("() => wave.state.selected.id") == "mem_req.addr"
    value = reader.eval("() => channel.mem_req.byName.get('addr').values[0]")
    reader.eval("() => wave.go(0)")
    assert " in cycle " in reader.search(value)
    assert reader.search("no such thing") == "Nothing has no such thing."
    assert reader.search("#99999999").startswith("There is no operation")


def events(reader):
    """What a screen reader gets."""
    assert reader.text("#live") != ""
    reader.page.locator("#events summary").click()
    reader.page.wait_for_selector("#events-body tr")
    text = reader.text("#events-body")
    assert "operation 0" in text or "operation " in text


def operations(reader):
    """Clicks through the operations."""
    total = reader.eval("() => operations")
    reader.eval("() => chooseOperation(data.chosen, false)")
    reader.page.fill("#ops-filter", "")
    assert reader.page.locator("#ops-body tr").count() == min(25, total)
    for _ in range(min(4, total - 1)):
        before = reader.text("#op-head")
        button = "#op-on" if reader.page.locator("#op-on").is_enabled() else "#op-back"
        reader.page.click(button)
        assert reader.text("#op-head") != before
        assert reader.page.locator("#op-lanes tbody tr").count() >= 1
    reader.page.fill("#ops-filter", "no such instruction")
    assert reader.text("#ops-where") == "none"
    reader.page.fill("#ops-filter", "")
    reader.page.locator("#ops-body button.link").first.click()
    assert reader.eval("() => chosen") >= 0
