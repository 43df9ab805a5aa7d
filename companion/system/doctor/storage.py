"""Where the evening is kept and shown: disk, log and copies; port and service."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.text import text, texts
from companion.system.doctor.facts import Facts, Folder, LogFacts
from companion.system.doctor.finding import DoctorFinding, fine, note, wrong

FULL_BYTES = 20_000_000
DAY_S = 24 * 3600


def findings(facts: Facts) -> Iterator[DoctorFinding]:
    """Yield what there is to say of disk, log, port and service."""
    yield from _disk(facts.folder, closed=facts.evening.state == "closed")
    yield from _evening(facts.evening)
    yield from _copies(facts.evening)
    yield from _page(facts)
    yield from _service(facts.service)


def _disk(folder: Folder, *, closed: bool) -> Iterator[DoctorFinding]:
    if not folder.writable and not closed:
        yield wrong(
            "disk-closed",
            "evening",
            text("{folder} cannot be written to.", folder=folder.path),
            text(
                "Name another with --data, or give this one to who runs the table. Is the SD card worn out?"
            ),
        )
    free = text("{n} MB are free in {folder}.", n=folder.free_bytes // 1_000_000, folder=folder.path)
    if folder.free_bytes < FULL_BYTES:
        room = text("Make room: an evening takes about 1 MB, the system wants more.")
        yield wrong("disk-full", "evening", free, room)
    else:
        yield fine("evening", free)


def _evening(evening: LogFacts) -> Iterator[DoctorFinding]:
    if evening.state == "bad":
        yield wrong(
            "log-bad",
            "evening",
            evening.why or text("The log is damaged."),
            text("Say lastnose rescue and the folder: it keeps the file, and reads what can be read."),
        )
    elif evening.state == "closed":
        yield note(
            "log-closed",
            "evening",
            text("The evenings belong to the service, so they were not looked at."),
            text("Say sudo lastnose doctor to have them looked at as well."),
        )
    elif evening.state == "none":
        yield fine("evening", text("No evening has been kept yet."))
    else:
        yield fine("evening", text("The log of the evenings is sound."))


def _copies(evening: LogFacts) -> Iterator[DoctorFinding]:
    """Yield when the evenings were last copied to another place."""
    if evening.state != "sound":
        return
    if evening.copied_s is None:
        yield fine(
            "evening",
            text("No copy of the evenings is kept: lastnose run --backup DIR makes one on a stick."),
        )
        return
    days = int(evening.copied_s // DAY_S)
    if days == 0:
        yield fine(
            "evening", text("The evenings were last copied within a day, to {file}.", file=evening.copy)
        )
        return
    yield note(
        "copy-old",
        "evening",
        texts(
            "The evenings were last copied {n} day ago, to {file}.",
            "The evenings were last copied {n} days ago, to {file}.",
            n=days,
            file=evening.copy,
        ),
        text("Plug the stick in that --backup names, and start the table again."),
    )


def _page(facts: Facts) -> Iterator[DoctorFinding]:
    page, running = facts.page, facts.evening.held_by is not None or facts.service == "active"
    if page.why is None:
        yield fine("page", text("The port {port} is free.", port=str(page.port)))
    elif running:
        yield fine("page", text("The port {port} is that of the table that runs.", port=str(page.port)))
    else:
        yield wrong(
            "port-taken",
            "page",
            text("The page cannot have port {port}: {why}.", port=str(page.port), why=page.why),
            text("Stop who has it (sudo ss -ltnp tells), or name another with --port."),
        )


def _service(state: str | None) -> Iterator[DoctorFinding]:
    match state:
        case None | "activating" | "reloading":
            return
        case "active":
            yield fine("page", text("The service lastnose is running."))
        case "failed":
            yield wrong(
                "service-failed",
                "page",
                text("The service lastnose does not come up."),
                text(
                    "journalctl -u lastnose -n 20 tells why; mend that, then sudo systemctl restart lastnose."
                ),
            )
        case _:
            yield note(
                "service-stopped",
                "page",
                text("The service lastnose is there, but not running."),
                text(
                    "sudo lastnose setup-pi --profile home6 sets it up; "
                    "after that, sudo systemctl start lastnose starts it."
                ),
            )
