"""The settings of a run. A source of edges is named here, and made in `companion.app.sources`."""

TAPE = "replay"
PAGES = "pages"  # noses on pages and phones, and none of wood
SOURCES = ("gpiochip", "pins", "box", PAGES, "mock", TAPE)
