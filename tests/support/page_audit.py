"""Every page against axe, of any severity, and by keyboard alone: themes, widths, zoom, languages.

`python -m tests.support.page_audit [PATH…]` serves scenes and prints what it finds, a line a finding; no line
means none. `tests/web/browser/test_audit.py` asks the same of a part.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

PATHS = (
    *("/", "/setup", "/board", "/history", "/history/11", "/join", "/help/vatra", "/statistics", "/zero"),
    *("/nose", "/away", "/nothing-here"),
)
LANGUAGES = ("en-GB", "fr-FR", "bs-BA")


class Look(NamedTuple):
    """How a page is looked at: the width of the window, its zoom, and what the reader has asked for."""

    name: str
    width: int
    height: int
    zoom: float = 1
    dark: bool = False
    forced: bool = False

    def context(self, language: str) -> dict[str, Any]:
        """Return what makes a browser look so; a zoom leaves less of the width, as in a browser."""
        return {
            "viewport": {"width": round(self.width / self.zoom), "height": round(self.height / self.zoom)},
            "device_scale_factor": self.zoom,
            "color_scheme": "dark" if self.dark else "light",
            "forced_colors": "active" if self.forced else "none",
            "reduced_motion": "reduce",
            "locale": language,
        }


LOOKS = (
    Look("desktop", 1280, 900),
    Look("phone, dark", 360, 740, dark=True),
    Look("320 px", 320, 568),
    Look("zoom 200 %", 1280, 900, zoom=2),
    Look("forced colours", 1280, 900, forced=True),
    Look("forced colours, dark phone", 360, 740, dark=True, forced=True),
)

_TABBABLE = """() => {
    const wanted = "a[href], button, input, select, textarea, summary, [tabindex='0']";
    const all = [...document.querySelectorAll(wanted)].filter((one) =>
        !one.disabled && one.tabIndex >= 0 && one.type !== "hidden" && !one.closest("[inert]")
        && one.checkVisibility({ visibilityProperty: true }));
    const group = (one) => one.type === "radio" ? one.form?.id + one.name : null;
    const seen = new Set();
    window.wanted = all.filter((one) => {
        const key = group(one);
        if (!key) return true;
        if (seen.has(key)) return false;
        seen.add(key);
        return true;
    });
    window.reached = new Set();
    document.activeElement?.blur?.();
    return window.wanted.length;
}"""
_REACHED = """() => {
    const one = document.activeElement;
    const ringed = (style) => style.outlineStyle !== "none" || style.boxShadow !== "none";
    const around = [one, one.closest("label"), one.parentElement].filter(Boolean);
    const shown = one.matches(":focus-visible") && around.some((each) => ringed(getComputedStyle(each)));
    window.reached.add(one.type === "radio" ? one.form?.id + one.name : one);
    return [one.outerHTML.slice(0, 90), one === document.body || shown];
}"""
_MISSED = """() => window.wanted.filter((one) =>
    !window.reached.has(one.type === "radio" ? one.form?.id + one.name : one))
    .map((one) => one.outerHTML.slice(0, 90))"""


def violations(page: Any, *, forced: bool = False) -> list[str]:
    """Return what axe finds on *page*, of any severity, each with its first place.

    With *forced* colours those are the reader's own; axe measures ours, which nobody sees then.
    """
    from axe_playwright_python.sync_playwright import Axe

    options = {"rules": {"color-contrast": {"enabled": not forced}}}
    found = Axe().run(page, options=options).response["violations"]
    return [f"{one['impact']} {one['id']}: {one['nodes'][0]['html'][:120]}" for one in found]


def keyboard(page: Any) -> list[str]:
    """Return what Tab does not reach on *page*, and what it reaches without showing so."""
    number = page.evaluate(_TABBABLE)
    unseen: dict[str, None] = {}
    for _ in range(number + 3):
        page.keyboard.press("Tab")
        element, shown = page.evaluate(_REACHED)
        if not shown:
            unseen[element] = None
    missed = [f"not reached by Tab: {element}" for element in page.evaluate(_MISSED)]
    return missed + [f"focus is not shown: {element}" for element in unseen]


def settle(page: Any) -> None:
    """Wait until the page has drawn what it knows, and open what can be unfolded."""
    page.wait_for_function("document.querySelector('h1')?.textContent !== ''")
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    page.wait_for_timeout(250)


def audit(browser: Any, address: str, path: str, look: Look, language: str) -> Iterator[str]:
    """Give what is wrong with one page in one look and language."""
    context = browser.new_context(**look.context(language))
    page = context.new_page()
    page.goto(address + path)
    settle(page)
    for one in [*violations(page, forced=look.forced), *(keyboard(page) if look.name == "desktop" else ())]:
        yield f"{path} [{look.name}, {language}] {one}"
    context.close()


def main(paths: tuple[str, ...]) -> int:
    """Print what is found; return 1 when there is something."""
    from playwright.sync_api import sync_playwright

    from tests.support.phones import make_access
    from tests.web.browser.conftest import Stage
    from tests.web.browser.scenes import CLOSE
    from web.server.server import Server

    server = Server(Stage(CLOSE), make_access(), port=0)
    server.start()
    count = 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for path in paths or PATHS:
            for look in LOOKS:
                for language in LANGUAGES if look is LOOKS[0] else LANGUAGES[:2]:
                    for line in audit(browser, f"http://127.0.0.1:{server.port}", path, look, language):
                        count += 1
                        print(line, flush=True)
        browser.close()
    server.stop()
    print(f"{count} findings")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(tuple(sys.argv[1:])))
