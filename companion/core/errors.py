"""The one tree of errors. Each carries a Text that says what is wrong and what to do."""

from __future__ import annotations

from typing import Any

from lastnose.companion.core.names import shown
from lastnose.companion.core.text import Text, text, true_minus

MOST_LETTERS = 240  # of a name, a path or a reason within a sentence
MOST_NUMBER = 10**18  # a larger one is shown as it was typed
MOST_WRITTEN = 10**4_000  # Python writes no number of more than 4,300 digits
NOT_UTF8 = text("it is not UTF-8")


def _shown(said: Text) -> Text:
    """Return *said* with what came from outside on one line and no longer than fits a screen."""
    params = {name: _part(value) for name, value in said.params.items()}
    if said.plural is not None and isinstance(params["n"], str):  # it chooses the plural
        params["n"] = MOST_NUMBER
    return said if params == said.params else Text(said.id, params, said.plural)


def _part(value: int | float | str | Text) -> int | float | str | Text:
    """Return a parameter that can be shown: its middle is left out if it is long.

    >>> len(str(_part("x" * 100_000))), _part("two\\nlines\\x1b[2J")
    (240, 'two lines [2J')
    >>> _part(7), _part(10**18 + 1), _part(-(10**18) - 1)
    (7, '1000000000000000001', '−1000000000000000001')
    """
    if isinstance(value, Text):
        return _shown(value)
    if isinstance(value, int) and abs(value) > MOST_NUMBER:
        value = true_minus(max(-MOST_WRITTEN, min(value, MOST_WRITTEN)))
    if not isinstance(value, str):
        return value
    if len(value) > MOST_LETTERS:
        half = MOST_LETTERS // 2
        value = f"{value[:half]}…{value[1 - half :]}"
    return shown(value)


def reason(problem: Exception) -> str:
    """Return why something failed, of the system's errors without their number and file.

    What a request over the network failed of is inside its error.

    >>> from urllib.error import URLError
    >>> reason(OSError(30, "Read-only file system", "/mnt/x")), reason(ValueError("odd"))
    ('Read-only file system', 'odd')
    >>> reason(URLError(ConnectionRefusedError(111, "Connection refused")))
    'Connection refused'
    """
    inner = getattr(problem, "reason", None)
    if isinstance(inner, Exception):
        return reason(inner)
    return getattr(problem, "strerror", None) or str(problem)


def unreadable(file: object, problem: Exception) -> Text:
    """Return what to say of a *file* that cannot be read."""
    why = NOT_UTF8 if isinstance(problem, UnicodeDecodeError) else reason(problem)
    return text("{file} cannot be read ({why}).", file=str(file), why=why)


def unwritable(file: object, problem: Exception) -> Text:
    """Return what to say of a *file* that cannot be written."""
    return text("{file} cannot be written ({why}).", file=str(file), why=reason(problem))


def full(file: object) -> Text:
    """Return what to say where there is no space for a *file*."""
    return text("The disk with {file} is full: free some space; nothing is lost.", file=str(file))


def where_kept(place: object) -> Text:
    """Return what to say of a *place* for something else than the evenings, which are kept there."""
    return text("The evenings are kept in {place}: name another place.", place=str(place))


def no_permission(device: Text | str, group: str) -> Text:
    """Return what to say of a *device*, or several, that only a *group* may use."""
    return text(
        "No permission to use {port}. Join the group {group} (sudo usermod -aG {group} $USER), then log in "
        "again.",
        port=device,
        group=group,
    )


class CompanionError(Exception):
    """Something the user can put right; `text` is the one sentence to show."""

    def __init__(self, text: Text) -> None:
        text = _shown(text)
        super().__init__(str(text))
        self.text = text

    def __reduce__(self) -> tuple[Any, ...]:
        """Go whole from process to process, whatever arguments a kind of error takes."""
        return _again, (type(self), dict(self.__dict__))


def _again(kind: type[CompanionError], known: dict[str, Any]) -> CompanionError:
    made = kind.__new__(kind, str(known["text"]))
    made.__dict__.update(known)
    return made


class BadInput(CompanionError):
    """An argument, option, file or request that cannot be taken as it is."""


class Malformed(BadInput):
    """Data that cannot be decoded; `text` says why, as part of a sentence: “it is not valid JSON”."""


class Missing(BadInput):
    """Something that was asked for and is not there."""


class NotNow(BadInput):
    """Something that could be done, but not at this moment."""


class GameFailed(NotNow):
    """A game of another package has raised what is no refusal: an error of its own."""


class ProfileError(CompanionError):
    """A profile that names a pin which does not exist, is taken, or is missing."""


class NoSuchProfile(ProfileError):
    """A profile that is not there, or a file that cannot be read."""


class Busy(CompanionError):
    """Too much is asked at once; a little later it can be answered."""


class TapeError(CompanionError):
    """A tape with a line that cannot be read."""


class StoreError(CompanionError):
    """The data file cannot be opened, read or written."""


class DeviceError(CompanionError):
    """A device (pins, display) is missing or failed."""


class IllegalMove(CompanionError):
    """A move that the rules do not allow; `rule` is its identifier (`PIG-12`)."""

    def __init__(self, rule: str, text: Text) -> None:
        super().__init__(text)
        self.rule = rule
