"""How Sphinx makes the site of these pages: `make docs`.

With the tag `fr` it speaks French as far as `locale` does: what is played and what is built.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

from lastnose import companion  # noqa: E402

IN_FRENCH = tags.has("fr")  # type: ignore[name-defined]  # noqa: F821
TRANSLATED = ("index", "play/", "box/")

project = "Last Nose"
author = "Last Nose contributors"
copyright = author
version = release = companion.__version__
language = "fr" if IN_FRENCH else "en"
locale_dirs = ["locale"]
gettext_compact = True
gettext_location = False
gettext_uuid = False
# What a program writes into a page speaks its own language already.
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_click", "from_program"]
myst_enable_extensions = ["attrs_block", "attrs_inline", "colon_fence", "deflist"]
myst_heading_anchors = 3
exclude_patterns = ["locale"]
nitpicky = False
default_role = "literal"
autodoc_typehints = "none"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
highlight_language = "text"

html_theme = "furo"
html_title = "Last Nose"
# The drawings of the rules look as on the table's own page.
html_static_path = ["_static", "../web/static/pages/help.css"]
html_css_files = ["help.css", "site.css"]
templates_path = ["_templates"]
html_favicon = "../web/static/nose.svg"
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_last_updated_fmt = None
html_theme_options = {"top_of_page_buttons": []}
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "sidebar/language.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}


def _other_language(app: Any, pagename: str, _template: str, context: dict[str, Any], _doctree: Any) -> None:
    """Say which page is this one in the other language, and that what is not translated is English."""
    translated = pagename.startswith(TRANSLATED)
    if IN_FRENCH and not translated:
        context["language"] = "en"
    up = "../" * (pagename.count("/") + IN_FRENCH)
    context["elsewhere"] = f"{up}{'' if IN_FRENCH else 'fr/'}{pagename}.html" if translated else ""


def setup(app: Any) -> None:
    """Add what the settings cannot say."""
    app.connect("html-page-context", _other_language)
