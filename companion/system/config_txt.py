"""The Pi's config.txt as text: which of our lines it lacks, and a block of ours put in and taken out. Pure.

The file has sections (`[pi4]`, `[all]`); what stands before the first holds for every Pi. A later line wins.
Source: the Raspberry Pi documentation of config.txt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

BEGIN = "# Last Nose needs these lines; “lastnose setup-pi --undo” takes them out again."
END = "# The end of what Last Nose needs."
ALIASES = {"i2c": "i2c_arm", "i2c1": "i2c_arm", "i2c0": "i2c_vc"}
ON = ("", "on", "true", "yes", "1")


def missing(config: str, wanted: Sequence[str]) -> list[str]:
    """Return the lines of *wanted* that do not hold for every Pi in *config*, in order.

    >>> missing("dtparam=i2c=on\\n#dtparam=spi=on\\n", ["dtparam=i2c_arm=on", "dtparam=spi=on"])
    ['dtparam=spi=on']
    >>> missing("[pi4]\\ndtparam=spi=on", ["dtparam=spi=on"])
    ['dtparam=spi=on']
    """
    held = dict(_settings(config))
    return [line for line in wanted if any(held.get(key) != value for key, value in _parts(line))]


def _settings(config: str) -> Iterator[tuple[str, str]]:
    """Yield what holds for every Pi, as key and value, in order."""
    everywhere = True
    for raw in config.splitlines():
        line = raw.partition("#")[0].strip()
        if line.startswith("["):
            everywhere = line.lower() == "[all]"
        elif line and everywhere:
            yield from _parts(line)


def _parts(line: str) -> Iterator[tuple[str, str]]:
    """Yield a line's settings; several dtparams may stand in one line, and have other names.

    >>> list(_parts("dtparam=i2c,spi=off")), list(_parts("dtoverlay=spi0-1cs,no_miso"))
    ([('dtparam i2c_arm', 'on'), ('dtparam spi', 'off')], [('dtoverlay=spi0-1cs,no_miso', 'on')])
    """
    key, _, value = (part.strip() for part in line.partition("="))
    if key in ("dtparam", "device_tree_param"):
        for part in value.split(","):
            name, _, state = (word.strip() for word in part.partition("="))
            yield f"dtparam {ALIASES.get(name, name)}", "on" if state.lower() in ON else state
    elif key in ("dtoverlay", "device_tree_overlay"):
        yield f"dtoverlay={value}", "on"
    else:
        yield key, value


def with_block(config: str, lines: Sequence[str]) -> str:
    """Return *config* with our block of *lines* at its end, in place of an older one; none for no lines.

    >>> print(with_block("arm_boost=1", ["dtparam=spi=on"]))  # doctest: +ELLIPSIS
    arm_boost=1
    <BLANKLINE>
    # Last Nose needs...
    [all]
    dtparam=spi=on
    # The end...
    <BLANKLINE>
    """
    config = without_block(config)
    return config + block(config, lines)


def block(config: str, lines: Sequence[str]) -> str:
    """Return what is to be added to *config*, which has no block of ours, for *lines*; nothing for none."""
    if not lines:
        return ""
    newline = "\r\n" if "\r\n" in config else "\n"
    gap = "" if config.endswith("\n") or not config else newline
    return gap + newline.join(["", BEGIN, "[all]", *lines, END, ""])


def without_block(config: str) -> str:
    """Return *config* without our block, however it has been changed around it.

    >>> without_block(with_block("a=1\\n", ["b=2"]) + "c=3\\n")
    'a=1\\nc=3\\n'
    """
    before, begin, rest = config.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        return config
    for newline in ("\r\n", "\n"):
        if before.endswith(newline * 2) or before == newline:
            before = before.removesuffix(newline)
            break
    return before + after.removeprefix("\r\n").removeprefix("\n")
