"""Looks at the machine for the doctor: reads what kernel and system tell, asks the display, changes nothing.

Every file is read below a root, so that a test gives a machine as a folder.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from companion.config.settings import on_a_pi
from companion.system.doctor.facts import Facts, Wanted
from hardware.probe import devices, storage, system


def look(wanted: Wanted, data: Path, port: int, *, root: Path = Path("/")) -> Facts:
    """Return the facts of this machine; evenings are in *data*, and the display of *wanted* is asked."""
    config_path, config_txt = system.config_txt(root)
    user, groups, member = system.whoami(root)
    pi = on_a_pi(root / "proc/device-tree/model")
    return Facts(
        name=os.uname().nodename,
        system=system.system_name(root),
        kernel=system.kernel_version(os.uname().release),
        pi=pi,
        user=user,
        groups=groups,
        member=member,
        clock=system.clock(root),
        devices=devices.devices(wanted, root),
        folder=storage.folder(data),
        evening=storage.evening(data, root),
        page=storage.page(port),
        config_path=config_path,
        config_txt=config_txt,
        service=storage.service(root),
        late=storage.lateness(data, wanted),
        bits=64 if sys.maxsize > 2**32 else 32,
    )
