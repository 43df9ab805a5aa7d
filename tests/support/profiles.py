"""A profile out of a text, as a table reads it out of a file."""

from __future__ import annotations

from lastnose.companion.wiring.profile import Profile, judged, sound_profile


def read_profile(toml: str, file: str) -> Profile:
    """Read and check a profile; raise ProfileError naming *file*, key and pin."""
    return sound_profile(*judged(toml), file)
