"""The small screen."""
