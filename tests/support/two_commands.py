"""The README's own two commands, typed in a fresh clone in an environment that is empty. Run by .ci/run.

`make run` is left as a reader leaves it, with Ctrl-C, once its page has answered; `make test` must be good,
and skip nothing but what needs `npm ci`.
The clone lies in a folder that only its owner may enter, as root's home is on a fresh machine.
"""

from __future__ import annotations

import http.client
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import NoReturn
from urllib.parse import urlsplit

from tests.support.once_more import good_alone

ROOT = Path(__file__).parent.parent.parent
WITHIN_S = 1800  # with all that is fetched, on a busy machine
# What pip needs to know of this machine (its index, its certificate) and what it has fetched before.
OF_PIP = (".config/pip", ".pip", ".cache/pip")


def commands(readme: str) -> list[str]:
    """Return the commands below “Try it”, as they stand there without their comments."""
    found = re.search(r"\n## Try it\n(?:(?!\n## ).)*?```sh\n(.*?)```", readme, re.DOTALL)
    if found is None:
        fail("README.md has no “Try it”.")
    return [line.partition("#")[0].strip() for line in found[1].splitlines()]


def fail(why: str) -> NoReturn:
    """End with a sentence."""
    sys.exit(f"The README's two commands: {why}")


def plain_environment(home: Path) -> dict[str, str]:
    """Return HOME, PATH and LANG, with *home* made as empty as pip allows."""
    real = Path.home()
    for name in OF_PIP:
        if (real / name).exists():
            (home / name).parent.mkdir(parents=True, exist_ok=True)
            (home / name).symlink_to(real / name)
    return {"HOME": str(home), "PATH": os.environ["PATH"], "LANG": os.environ.get("LANG", "C.UTF-8")}


def answers(address: str) -> bool:
    """Return whether the table's page is at *address*."""
    where = urlsplit(address)
    connection = http.client.HTTPConnection(str(where.hostname), where.port, timeout=WITHIN_S)
    try:
        connection.request("GET", "/")
        answer = connection.getresponse()
        return answer.status == 200 and b"Last Nose" in answer.read()
    except ConnectionRefusedError:
        return False
    finally:
        connection.close()


def until_its_page_answers(command: str, clone: Path, env: dict[str, str]) -> None:
    """Type *command*, look at the page that it names, press Ctrl-C, and see that nothing is left."""
    process = subprocess.Popen(
        command,
        shell=True,
        cwd=clone,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    watchdog = threading.Timer(WITHIN_S, os.killpg, (process.pid, signal.SIGKILL))
    watchdog.start()
    try:
        assert process.stdout is not None
        said, address = "", ""
        for line in process.stdout:
            said += line
            found = re.search(r"http://127\.0\.0\.1:\d+/?", line)
            if found:
                address = found.group()
                break
        if not address:
            fail(f"{command} named no page:\n{said}")
        if not answers(address):
            fail(f"{command}: nothing answered at {address}")
        os.killpg(process.pid, signal.SIGINT)
        said += process.stdout.read()
        process.wait()
        if "Traceback" in said:
            fail(f"{command} did not leave in peace:\n{said}")
        if answers(address):
            fail(f"{command} has left, and something still answers at {address}")
        print(f"{command}: {address} answered, and was closed again.", flush=True)
    finally:
        watchdog.cancel()
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)


def main() -> None:
    """Clone, type both, say how long they took."""
    run, test = commands((ROOT / "README.md").read_text(encoding="utf-8"))
    if not (run.startswith("make run") and test.startswith("make test")):
        fail(f"they are “{run}” and “{test}”, which this does not know how to judge.")
    with tempfile.TemporaryDirectory() as scratch:
        Path(scratch).chmod(0o700)  # tests that give up rights have to bear it
        home, clone = Path(scratch, "home"), Path(scratch, "clone")
        home.mkdir()
        env = plain_environment(home)
        env["LASTNOSE_NO_SKIP"] = "but node"  # the one thing in it that a reader's has not
        subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", str(ROOT), str(clone)], check=True)
        for command in (run, test):
            begun_s = time.monotonic()
            if command == run:
                until_its_page_answers(command, clone, env)
            elif subprocess.run(command, shell=True, cwd=clone, env=env, check=False).returncode and not (
                good_alone(f'{command} ARGS="--last-failed -n 0"', clone, env)
            ):
                fail(f"{command} failed.")
            print(f"{command}: {time.monotonic() - begun_s:.0f} s, set-up included.", flush=True)


if __name__ == "__main__":
    main()
