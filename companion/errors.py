"""The one tree of errors. Each carries a Text that says what is wrong and what to do."""

from __future__ import annotations

from companion.text import Text, text


class CompanionError(Exception):
    """Something the user can mend; `text` is the one sentence to show."""

    def __init__(self, text: Text) -> None:
        super().__init__(str(text))
        self.text = text

    @property
    def sentence(self) -> Text:
        """The sentence with the rule behind it, where there is one."""
        return self.text


class BadInput(CompanionError):
    """An argument, option, file or request that cannot be taken as it is."""


class Missing(BadInput):
    """Something that was asked for and is not there."""


class NotNow(BadInput):
    """Something that could be done, but not at this moment."""


class ProfileError(CompanionError):
    """A profile that names a pin which does not exist, is taken, or is missing."""


class NoSuchProfile(ProfileError):
    """A profile that is not there, or a file that cannot be read."""


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

    @property
    def sentence(self) -> Text:
        """The sentence with its rule."""
        return text("{sentence} ({rule})", sentence=self.text, rule=self.rule)
