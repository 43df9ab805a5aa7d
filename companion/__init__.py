"""Last Nose: a table companion that says who was last, and how sure it is."""

__version__ = "0.1.0"
