"""What can be wrong with a page: axe of any severity, the keyboard alone, and what axe cannot see.

Each check returns sentences, none when all is well. `LOOKS` are the ways in which a page is looked at.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple


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
    const root = document.querySelector("dialog:modal") ?? document; // all else is inert behind it
    const all = [...root.querySelectorAll(wanted)].filter((one) =>
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

# Too wide for the window, targets under 44 px on a phone, text under 12 px, a typewriter's apostrophe. Links
# inside a sentence are as high as its line (WCAG 2.5.5 has the same exception).
_SEEN = """(phone) => {
    const found = [];
    const name = (one) => one.outerHTML.slice(0, 100);
    const seen = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true })
        && !one.closest(".unseen, .sr, [inert]");
    const room = document.documentElement;
    const wide = Math.max(room.scrollWidth, document.body.scrollWidth);
    if (wide > innerWidth) found.push(`scrolls sideways: ${wide} of ${innerWidth} px`);
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        const one = node.parentElement;
        if (!node.data.trim() || /^(SCRIPT|STYLE|TEMPLATE)$/.test(one.tagName) || !seen(one)) continue;
        const words = node.data.trim();
        if (/'/.test(words) && !one.closest("code, pre, kbd")) found.push(`straight apostrophe: ${words}`);
        const size = parseFloat(getComputedStyle(one).fontSize);
        const scaled = one.closest("svg[viewBox], .board, .paper"); // as its screen or paper allows
        if (size && size < 11.9 && !scaled) found.push(`text of ${size} px: ${name(one)}`);
    }
    if (!phone) return found;
    const root = document.querySelector("dialog:modal") ?? document;
    for (const one of root.querySelectorAll("a[href], button, input, select, textarea, summary, label")) {
        const bare = one.matches("label") && !one.querySelector("input");
        if (bare || one.type === "hidden" || !seen(one)) continue;
        const inside = one.matches("input") && one.closest("label") || one;
        const box = inside.getBoundingClientRect();
        if (!box.width || !box.height || box.bottom < 0 && box.top < -99) continue;
        const inline = one.matches("a") && getComputedStyle(one).display === "inline";
        if (!inline && (box.height < 43.5 || box.width < 43.5))
            found.push(`${Math.round(box.width)} x ${Math.round(box.height)} px to tap: ${name(one)}`);
    }
    return found;
}"""


def axe_source() -> str:
    """Return the script of axe-core."""
    import axe_playwright_python

    return (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


# In forced colours Chromium draws text in the reader's colour, but says the page's own of its fill, which is
# what axe asks for.
_FILLS = """() => {
    if (!matchMedia("(forced-colors: active)").matches) return;
    for (const one of document.body.querySelectorAll("*"))
        one.style.setProperty("-webkit-text-fill-color", getComputedStyle(one).color);
}"""


def violations(page: Any) -> list[str]:
    """Return what axe finds on *page*, of any severity, best practices too, each with its first place.

    Contrast is measured in forced colours, too.
    """
    page.evaluate(_FILLS)
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(axe_source())
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'], preload: false })")["violations"]
    return [f"{one['impact']} {one['id']} ({len(one['nodes'])}): {_place(one['nodes'][0])}" for one in found]


def _place(node: Any) -> str:
    why = node["failureSummary"].splitlines()
    return f"{node['html'][:110]} {why[1].strip()[:150] if len(why) > 1 else ''}"


def seen(page: Any, *, phone: bool) -> list[str]:
    """Return what the eye or the thumb meets on *page*: see `_SEEN`."""
    return list(dict.fromkeys(page.evaluate(_SEEN, phone)))


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
