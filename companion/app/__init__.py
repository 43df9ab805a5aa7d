"""Profile and options in, a running table out."""
