"""A real browser for the tests of pages, which sees nothing but files."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

# Those that let it run as root and without anything from elsewhere.
_FLAGS = ("--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
          "--disable-component-update --disable-sync").split()


@contextmanager
def browser() -> Iterator[Browser]:
    """The browser that ``scripts/browser`` found."""
    path = os.environ.get("TREEPROOF_BROWSER") or shutil.which("chromium")
    assert path, "no Chromium: run scripts/browser"
    with sync_playwright() as play:
        launched = play.chromium.launch(executable_path=path, args=_FLAGS)
        yield launched
        launched.close()


@contextmanager
def opened(browser: Browser, file: Path, **options: Any) -> Iterator[Page]:
    """A page opened from its file: it must ask for nothing else, and have nothing to complain about."""
    context = browser.new_context(viewport=options.pop("viewport", {"width": 1100, "height": 900}), **options)
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: said.append(request.url) if request.url != file.as_uri() else None)
    page.goto(file.as_uri())
    yield page
    assert said == [], f"{file.name}: {said}"
    context.close()


# Every text with the colours of its own and of what lies behind it, and the elements with a width of their own.
_CONTRASTS = """() => {
  const parse = (text) => { const n = text.match(/[\\d.]+/g).map(Number); return n.length > 3 ? n : [...n, 1] }
  const light = (rgb) => { const [r, g, b] = rgb.slice(0, 3).map((c) => { c /= 255; return c <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4 }); return .2126 * r + .7152 * g + .0722 * b }
  const over = (top, under) => [0, 1, 2].map((i) => top[i] * top[3] + under[i] * (1 - top[3])).concat(1)
  const ground = (element) => {
    const layers = []
    for (let e = element; e; e = e.parentElement) layers.push(parse(getComputedStyle(e).backgroundColor))
    return layers.reverse().reduce((under, top) => over(top, under), matchMedia('(prefers-color-scheme: dark)').matches ? [18, 18, 18, 1] : [255, 255, 255, 1])
  }
  const found = []
  for (const element of document.body.querySelectorAll('*')) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim())
    if (!own || element.closest('svg, script, [hidden]') || !element.offsetParent) continue
    const style = getComputedStyle(element), back = ground(element)
    let opacity = 1
    for (let e = element; e; e = e.parentElement) opacity *= Number(getComputedStyle(e).opacity)
    const ink = parse(style.color); ink[3] *= opacity
    const [a, b] = [light(over(ink, back)), light(back)]
    found.push([(Math.max(a, b) + .05) / (Math.min(a, b) + .05), element.textContent.trim().slice(0, 40)])
  }
  return found
}"""


def contrasts(page: Page) -> list[tuple[float, str]]:
    """The contrast of every text with what lies behind it."""
    return [(ratio, text) for ratio, text in page.evaluate(_CONTRASTS)]


def overflow(page: Page) -> int:
    """By how much the page is wider than the screen."""
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


_STEPS = """(svg) => [...svg.querySelectorAll('path.line')].map((path) => path.getAttribute('d'))"""


def lines(page: Page, title: str) -> list[list[tuple[float, float]]]:
    """The points of the lines of a plot, in its own numbers."""
    svg = page.locator("figure.plot", has_text=title).locator("svg[role=img]")
    (left, right), (low, high) = (map(float, svg.get_attribute(f"data-{axis}").split()) for axis in "xy")

    def point(x: float, y: float) -> tuple[float, float]:
        return left + x / 1000 * (right - left), high - y / 1000 * (high - low)

    found = []
    for path in svg.evaluate(_STEPS):
        steps = path.removeprefix("M").replace("V", " ").split("H")
        found.append([point(*map(float, step.split())) for step in steps])
    return found
