"""Ask a hall for a table's invitation: `invited.py ADDRESS TOKEN` prints its address with the code.

`invited.py STATUS`, with what `lastnose hall status --json` has said in that file: the status is 0 once one
table is in and all of its log has come. With the standard library alone: it runs where only the package is.
"""

from __future__ import annotations

import json
import sys
import urllib.request
from pathlib import Path


def invitation(address: str, token: str) -> str:
    """Return the address with the code."""
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    wish = urllib.request.Request(f"{address}/api/v1/hall/invitations", b"{}", headers)
    with urllib.request.urlopen(wish, timeout=120) as answer:
        return str(json.loads(answer.read())["address"])


def all_there(status: bytes) -> bool:
    """Return whether one table is in and nothing of it is missing."""
    tables = json.loads(status or b"{}").get("tables", [])
    return len(tables) == 1 and tables[0]["have"] == tables[0]["n"] > 0


if __name__ == "__main__":
    if len(sys.argv) == 2:
        sys.exit(0 if all_there(Path(sys.argv[1]).read_bytes()) else 1)
    print(invitation(*sys.argv[1:]))
