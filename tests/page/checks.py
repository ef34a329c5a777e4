# SPDX-License-Identifier: MIT OR Apache-2.0
"""What every page must keep: names for whatever can be used, contrast, no room that overflows."""

# Each gives the elements that break it, so that a failure says which.
UNNAMED = """() => [...document.querySelectorAll('button, input, select, summary, [tabindex], table, [role=row]')]
  .filter((e) => !(e.textContent.trim() || e.getAttribute('aria-label') || e.getAttribute('aria-labelledby')
    || e.labels?.length && e.labels[0].textContent.trim() || e.querySelector('caption')))
  .map((e) => e.outerHTML.slice(0, 90))"""
REPEATED = """() => {
  const ids = [...document.querySelectorAll('[id]')].map((e) => e.id);
  return ids.filter((id, at) => ids.indexOf(id) !== at);
}"""
DANGLING = """() => ['aria-labelledby', 'aria-describedby', 'aria-activedescendant'].flatMap((name) =>
  [...document.querySelectorAll(`[${name}]`)].filter((e) => !document.getElementById(e.getAttribute(name)))
    .map((e) => `${name}=${e.getAttribute(name)}`))"""
HEADINGS = """() => {
  const levels = [...document.querySelectorAll('main h2, main h3, header h1')].map((e) => Number(e.tagName[1]));
  return levels.filter((level, at) => at > 0 && level > levels[at - 1] + 1);
}"""
POSITIVE_TABINDEX = "() => [...document.querySelectorAll('[tabindex]')].filter((e) => e.tabIndex > 0).map((e) => e.id)"
UNTOLD_COLUMNS = """() => [...document.querySelectorAll('th:not([scope])')].map((e) => e.outerHTML.slice(0, 90))"""
HIDDEN_FOCUS = """() => {
  const style = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).map((rule) => rule.cssText).join();
  return /outline: *(none|0)/.test(style) ? ['outline: none'] : [];
}"""
ACCESSIBLE = {
    "has no name": UNNAMED,
    "stands twice": REPEATED,
    "names nothing": DANGLING,
    "skips a level": HEADINGS,
    "has a positive tabindex": POSITIVE_TABINDEX,
    "has no scope": UNTOLD_COLUMNS,
    "hides the focus": HIDDEN_FOCUS,
}

# Text on its ground, at least 4.5; lines of controls, at least 3 (WCAG 2.1 AA).
TEXTS = [
    ("text", "back"), ("text", "panel"), ("text", "select"), ("muted", "back"), ("muted", "panel"), ("accent", "back"),
    ("accent", "panel"), ("accent", "select"), ("unit", "back"), ("unit", "panel"), ("model", "back"), ("model", "select"),
    ("wrong", "back"), ("wrong", "panel"), ("wrong", "select"), ("wrong", "wrong-back"), ("text", "wrong-back"),
    ("model", "wrong-back"), ("muted", "select"),
]
LINES = [("idle", "back"), ("idle", "panel")]


def accessible(page):
    for what, script in ACCESSIBLE.items():
        found = page.evaluate(script)
        assert not found, f"{page.url}: {what}: {found[:5]}"


def luminance(colour):
    parts = [int(colour[at:at + 2], 16) / 255 for at in (1, 3, 5)]
    parts = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(page):
    names = {name for pair in TEXTS + LINES for name in pair}
    colours = {name: page.evaluate("(n) => getComputedStyle(document.documentElement).getPropertyValue(n).trim()", f"--{name}") for name in names}
    for pairs, least in ((TEXTS, 4.5), (LINES, 3)):
        for one, other in pairs:
            high, low = sorted((luminance(colours[one]), luminance(colours[other])), reverse=True)
            ratio = (high + 0.05) / (low + 0.05)
            assert ratio >= least, f"{one} {colours[one]} on {other} {colours[other]}: {ratio:.2f}, not {least}"
    return colours


def no_overflow(page):
    found = page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert found == 0, f"{page.url}: {found} pixels too wide at {page.viewport_size}"
