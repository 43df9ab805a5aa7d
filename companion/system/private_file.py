"""Files that only their owner reads: secrets, and what is configured with them."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from lastnose.companion.core.errors import StoreError, unwritable


def write_private(path: Path, body: bytes) -> None:
    """Replace *path* at one stroke with *body*, durably, readable by its owner only; raise StoreError.

    Written as root, the file belongs to whoever the folder belongs to: the table that reads it runs as that.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, draft = tempfile.mkstemp(dir=path.parent, prefix=path.name)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(body)
                file.flush()
                os.fsync(file.fileno())
            if hasattr(os, "geteuid") and os.geteuid() == 0:  # on Windows nobody is root
                owner = path.parent.stat()
                os.chown(draft, owner.st_uid, owner.st_gid)
            Path(draft).replace(path)
        except OSError:
            Path(draft).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise StoreError(unwritable(path, error)) from error
