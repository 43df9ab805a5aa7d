"""How many files and connections this process may have open."""

from __future__ import annotations

UNKNOWN = 1024
NO_LIMIT = 1_000_000


def allow_files(wanted: int) -> int:
    """Let this process open *wanted* files, or as many as the system permits; return how many that are.

    Where the system has no such limit (Windows), as many as one likes; where it does not say (a sandbox), the
    usual 1,024.
    """
    try:
        import resource
    except ImportError:
        return NO_LIMIT
    try:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft == resource.RLIM_INFINITY:
            return NO_LIMIT
        if soft < wanted:
            most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
            resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))
        return resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    except (OSError, ValueError):
        return UNKNOWN
