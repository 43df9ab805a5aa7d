"""The settings of a run. A source of edges is named here, and made in `companion.app.sources`."""

TAPE = "replay"
SOURCES = ("gpiochip", "pins", "box", "mock", TAPE)
