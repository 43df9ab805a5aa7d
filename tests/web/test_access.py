"""PIN, brake, tokens and the Host header."""

from __future__ import annotations

import contextlib
import json
import stat
from pathlib import Path

import pytest
from lastnose.companion.core.errors import BadInput, StoreError
from lastnose.companion.core.text import text
from lastnose.web.access import (
    Access,
    TooManyTries,
    WrongPin,
    make_token,
    open_access,
    read_tokens,
    renew_pin,
)
from lastnose.web.auth import is_at_home
from lastnose.web.hosts import may_be_called

from tests.support.fakes import FakeTable
from tests.support.phones import PIN, Clock, Phone, make_access, make_app


def guess(access: Access, address: str = "192.0.2.1") -> None:
    """Guess wrong once."""
    with pytest.raises(WrongPin):
        access.check_pin("0000", address)


def opened(folder: Path, evening: int | None = 1) -> Access:
    """Return the access rules kept in *folder*, for *evening*."""
    return open_access(folder, lan=True, now_s=Clock(), evening=evening)


def test_the_right_pin_is_taken_with_spaces_around_it() -> None:
    """As often as one likes."""
    access = make_access()
    access.check_pin(PIN, "192.0.2.1")
    access.check_pin(f" {PIN} ", "192.0.2.1")


@pytest.mark.parametrize("pin", ["", "407", "40711", "四〇七一", "4071\x00"])
def test_anything_but_the_pin_is_wrong(pin: str) -> None:
    """Nothing near the PIN will do."""
    with pytest.raises(WrongPin):
        make_access().check_pin(pin, "192.0.2.1")


def test_five_wrong_pins_are_free_then_each_wait_is_twice_as_long() -> None:
    """After the fifth: 5, 10, 20, 40, 80, 160 s, and never more than five minutes."""
    clock = Clock()
    access = make_access(clock=clock)
    for _ in range(4):
        guess(access)
    waits = []
    for _ in range(8):
        guess(access)
        with pytest.raises(TooManyTries) as refused:
            access.check_pin(PIN, "192.0.2.1")
        waits.append(refused.value.wait_s)
        clock.now_s += refused.value.wait_s
    assert [5, 10, 20, 40, 80, 160, 300, 300] == waits


def test_a_try_that_comes_too_early_is_not_looked_at_and_costs_nothing() -> None:
    """Even the right PIN waits; after the wait it is taken, and the brake of this address is forgotten."""
    clock = Clock()
    access = make_access(clock=clock)
    for _ in range(5):
        guess(access)
    for _ in range(10):
        with pytest.raises(TooManyTries):
            access.check_pin(PIN, "192.0.2.1")
    clock.now_s += 4.9
    with pytest.raises(TooManyTries) as refused:
        access.check_pin(PIN, "192.0.2.1")
    assert "Too many wrong PINs. Try again in 1 second, or let a host make this phone one." == str(
        refused.value
    )
    clock.now_s += 0.1
    access.check_pin(PIN, "192.0.2.1")
    for _ in range(4):
        guess(access)
    access.check_pin(PIN, "192.0.2.1")


def test_another_address_is_not_held_up_by_one_clumsy_phone() -> None:
    """Five wrong PINs stop their own address only; addresses of one IPv6 network count as one."""
    access = make_access()
    for _ in range(5):
        guess(access, "2001:db8::1")
    with pytest.raises(TooManyTries):
        access.check_pin(PIN, "2001:db8::2")
    access.check_pin(PIN, "192.0.2.1")
    access.check_pin(PIN, "2001:db8:0:1::1")


def test_guessing_from_many_addresses_meets_the_brake_of_all() -> None:
    """Thirty wrong PINs from thirty addresses: now everybody waits, at most a minute."""
    clock = Clock()
    access = make_access(clock=clock)
    for n in range(30):
        guess(access, f"192.0.2.{n}")
    waits = []
    for n in range(100, 108):
        with pytest.raises(TooManyTries) as refused:
            access.check_pin(PIN, f"192.0.2.{n}")
        waits.append(refused.value.wait_s)
        clock.now_s += refused.value.wait_s
        guess(access, f"192.0.2.{n}")
    assert [2, 4, 8, 16, 32, 60, 60, 60] == waits


def test_a_thousand_addresses_do_not_wash_away_the_newest_guesser() -> None:
    """The brakes of 1,000 places are kept; who guesses now has the newest, and it grows to 5 minutes."""
    clock = Clock()
    access = make_access(clock=clock)

    def guess_when_let(address: str) -> int:
        """Guess wrong as soon as that is looked at, and return how long it took."""
        try:
            guess(access, address)
        except TooManyTries as wait:
            clock.now_s += wait.wait_s
            guess(access, address)
            return wait.wait_s
        return 0

    for n in range(1000):
        guess_when_let(f"198.18.{n // 250}.{n % 250}")
    assert 300 == [guess_when_let("192.0.2.1") for _ in range(12)][-1]


def test_an_evening_of_guessing_tries_few_of_the_ten_thousand_pins() -> None:
    """Six hours from as many addresses as one likes: less than 5 % of all PINs."""
    clock = Clock()
    access = make_access(clock=clock)
    tries, end_s = 0, clock.now_s + 6 * 3600
    while clock.now_s < end_s:
        try:
            access.check_pin("0000", f"10.{tries % 7}.{tries % 251}.{tries % 13}")
        except WrongPin:
            tries += 1
        except TooManyTries as wait:
            clock.now_s += wait.wait_s
    assert 30 < tries < 500


def test_the_secret_of_the_qr_code_is_held_up_by_no_brake() -> None:
    """Thirty wrong tries from a few addresses, then one a second: every host with the code comes in."""
    clock = Clock()
    access = make_access(clock=clock)
    for n in range(30):
        guess(access, f"192.0.2.{n}")
    for n in range(69):
        with contextlib.suppress(WrongPin, TooManyTries):
            access.check_pin("0000", f"192.0.2.{n % 5}")
        with pytest.raises(TooManyTries):
            access.check_pin(PIN, "192.0.2.1")
        access.check_pin(access.secret, "192.0.2.1")
        clock.now_s += 0.1
    assert len(access.secret) == 16


def test_a_file_from_before_there_was_a_secret_gets_one(tmp_path: Path) -> None:
    """As when the table is updated in the middle of an evening; it is the same after a restart."""
    opened(tmp_path)
    kept = json.loads((tmp_path / "access.json").read_text())
    del kept["secret"]
    (tmp_path / "access.json").write_text(json.dumps(kept))
    first, again = opened(tmp_path).secret, opened(tmp_path).secret
    assert (16, first) == (len(first), again)


def test_wrong_pins_are_forgotten_after_an_hour() -> None:
    """Who mistyped before supper starts afresh after it."""
    clock = Clock()
    access = make_access(clock=clock)
    for _ in range(4):
        guess(access)
    clock.now_s += 3601
    guess(access)
    guess(access)


def test_key_and_pin_survive_a_restart_the_same_evening(tmp_path: Path) -> None:
    """A crash locks no phone out and does not change the PIN, whatever the clock says."""
    first, second = opened(tmp_path), opened(tmp_path)
    assert (first.key, first.pin, first.secret) == (second.key, second.pin, second.secret)
    assert first.pin.isdecimal()
    assert (4, 16) == (len(first.pin), len(first.secret))


def test_another_evening_has_another_pin_and_the_same_key(tmp_path: Path) -> None:
    """The PIN of last week is worth nothing, nor is its QR code."""
    first, second = opened(tmp_path, 1), opened(tmp_path, 2)
    assert first.key == second.key
    assert first.pin != second.pin
    with pytest.raises(WrongPin):
        second.check_pin(first.secret, "192.0.2.1")
    assert second.pin == opened(tmp_path, None).pin, "a self-test or a tape is no evening"
    assert second.pin == opened(tmp_path, 2).pin


def test_a_pin_is_drawn_again_when_somebody_asks(tmp_path: Path) -> None:
    """With the next start, and from then on."""
    first = opened(tmp_path)
    second = open_access(tmp_path, lan=True, now_s=Clock(), evening=1, new_pin=True)
    assert first.pin != second.pin == opened(tmp_path).pin
    assert first.secret != second.secret


def test_an_evening_that_begins_under_way_has_its_pin_at_once(tmp_path: Path) -> None:
    """The old one lets nobody in any more; a restart knows the new one."""
    access = opened(tmp_path, 1)
    old = access.pin, access.secret
    renew_pin(tmp_path, access, 2)
    for known in old:
        with pytest.raises(WrongPin):
            access.check_pin(known, "192.0.2.1")
    access.check_pin(access.pin, "192.0.2.1")
    again = opened(tmp_path, 2)
    assert (access.pin, access.secret, access.key) == (again.pin, again.secret, again.key)


@pytest.mark.parametrize("evening", [None, 2])
def test_a_disk_that_does_not_take_another_pin_leaves_one_but_for_another_evening(
    evening: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old one goes on where a host has asked; that of the last evening lets nobody in any more."""

    def full(path: Path, whole: bytes) -> None:
        raise StoreError(text("The disk is full."))

    access = opened(tmp_path, 1)
    old = access.pin
    monkeypatch.setattr("lastnose.web.access.write_private", full)
    with pytest.raises(StoreError):
        renew_pin(tmp_path, access, evening)
    assert (old == access.pin) == (evening is None)
    access.check_pin(access.pin, "192.0.2.1")


def test_files_are_for_their_owner_only(tmp_path: Path) -> None:
    """Neither key nor hashes can be read by others on the machine; tokens are kept as hashes."""
    opened(tmp_path)
    token = make_token(tmp_path, "scoreboard")
    names = ["access.json", "devices.json", "tokens.json", "tokens.lock"]
    for name in names:
        assert 0o600 == stat.S_IMODE((tmp_path / name).stat().st_mode)
    assert token not in (tmp_path / "tokens.json").read_text()
    assert names == sorted(path.name for path in tmp_path.iterdir())


def test_a_new_token_works_at_once_and_a_deleted_one_stops(tmp_path: Path) -> None:
    """The running table reads the tokens at each use."""
    access = opened(tmp_path)
    assert access.token_name("anything") is None
    board, bot = make_token(tmp_path, "board"), make_token(tmp_path, "bot")
    assert ["board", "bot"] == [access.token_name(board), access.token_name(bot)]
    assert access.token_name(board[:-1]) is None
    (tmp_path / "tokens.json").unlink()
    assert access.token_name(board) is None


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("board", "that no other has"),
        ("  ", "Give the token a name"),
        ("caf\udce9", "not written in UTF-8"),
    ],
)
def test_a_token_needs_a_name_of_its_own(tmp_path: Path, name: str, says: str) -> None:
    """An empty or taken name, or one in another encoding, is refused and nothing is written."""
    make_token(tmp_path, "board")
    with pytest.raises(BadInput, match=says):
        make_token(tmp_path, name)
    assert 1 == len(read_tokens(tmp_path))


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """A file where the folder should be: one sentence, no traceback."""
    (tmp_path / "data").write_text("")
    with pytest.raises(StoreError, match="data"):
        opened(tmp_path / "data")


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("localhost:8080", True),
        ("127.0.0.1", True),
        ("[::1]:8080", True),
        ("192.0.2.2:8080", True),
        ("Table.local:8080", True),
        ("table.local.", True),
        ("", False),
        ("evil.example", False),
        ("192.0.2.2.evil.example", False),
        ("localhost.evil.example:8080", False),
        ("evil.example:80:127.0.0.1", False),
    ],
)
def test_only_addresses_and_own_names_may_be_called(host: str, expected: bool) -> None:
    """A foreign name that points here (DNS rebinding) is refused."""
    assert expected == may_be_called(host, ("table.local",))


@pytest.mark.parametrize(
    "kept",
    [
        "{",
        '{"key":"not hex","pin":"4071","started_at":1}',
        '{"key":"ab","pin":"4071","started_at":1}',
        '{"key":"%s","pin":"40 71","started_at":1}' % ("ab" * 32),
        "[" * 1200,
    ],
    ids=["no JSON", "no hex", "short", "pin", "deep"],
)
def test_a_damaged_key_file_is_named_with_what_to_do(tmp_path: Path, kept: str) -> None:
    """A sentence, whatever is the matter with it."""
    (tmp_path / "access.json").write_text(kept)
    with pytest.raises(StoreError, match=r"access\.json is damaged .*Delete it and start again"):
        open_access(tmp_path, lan=True, now_s=lambda: 0.0)


def test_damaged_tokens_refuse_tokens_only_and_name_no_path(tmp_path: Path) -> None:
    """Who comes without one notices nothing."""
    access = open_access(tmp_path, lan=True, now_s=lambda: 0.0)
    (tmp_path / "tokens.json").write_text('[{"name":')
    app = make_app(FakeTable(), access)
    phone = Phone.in_network(app)
    assert 200 == phone.get("/api/v1/state").status_code
    refused = phone.get("/api/v1/state", Authorization="Bearer lastnose_x")
    assert 503 == refused.status_code
    assert "API tokens of this table cannot be read" in refused.text
    assert str(tmp_path) not in refused.text
    assert not is_at_home(app, {"host": "192.0.2.1", "authorization": "Bearer x"}, "192.0.2.9")
