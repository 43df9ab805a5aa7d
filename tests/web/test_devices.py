"""What each device may do, from its first visit to the end of the evening, and what a crowd cannot."""

from __future__ import annotations

from pathlib import Path

import pytest
from lastnose.companion.core.errors import Missing
from lastnose.companion.evening.lobby import Guest
from lastnose.web.access import DEVICES, open_access
from lastnose.web.devices import MOST_WATCHERS, KeptDevices, KnownDevices

HERE, THERE = "192.0.2.7", "192.0.2.8"


def devices(kept: KeptDevices | None = None) -> KnownDevices:
    """Return devices of a table; what they keep is in `stored`."""
    return KnownDevices(b"k" * 32, kept, wall_s=lambda: 5.0)


def seen(of: KnownDevices, address: str = HERE) -> str:
    """Return a device that has asked for a page from *address*."""
    device = of.id_of(of.new_key())
    of.see(device, address, home=False)
    return device


def seated(of: KnownDevices, device: str, *, plays: bool = False) -> None:
    """Let Ana sit there with *device*."""
    of.change(lambda guests: (*guests, Guest("a", "Ana", device, "nose.1", plays=plays)))


def test_an_id_is_made_of_the_key_and_says_nothing_of_it() -> None:
    """The same at each visit, another at another table; short enough to be read out."""
    one, key = devices(), KnownDevices.new_key()
    assert one.id_of(key) == devices().id_of(key) != KnownDevices(b"x" * 32).id_of(key)
    assert 6 == len(one.id_of(key))
    assert one.id_of(key) not in key


def test_a_role_is_what_follows_from_seat_and_pin() -> None:
    """A host who plays is a host; without the PIN's right a player; without a seat a watcher."""
    of = devices()
    phone = seen(of)
    assert "watcher" == of.role(phone, HERE)
    seated(of, phone)
    assert "player" == of.role(phone, HERE)
    of.make_host(phone)
    assert "host" == of.role(phone, HERE)
    of.no_host(phone)
    of.change(lambda guests: ())
    assert "watcher" == of.role(phone, HERE)


def test_a_cookie_that_is_copied_to_another_address_does_not_host() -> None:
    """Until the PIN is typed there, too; the IPv4 address within an IPv6 one is the same place."""
    of = devices()
    phone = seen(of)
    of.make_host(phone, HERE)
    assert ("host", "watcher") == (of.role(phone, f"::ffff:{HERE}"), of.role(phone, THERE))
    of.make_host(phone, THERE)
    assert {"host"} == {of.role(phone, at) for at in (HERE, THERE)}


def test_a_new_pin_ends_the_hosts_of_the_old_one_at_once() -> None:
    """All but the one that drew it; a seat stays."""
    of = devices()
    first, second = seen(of), seen(of)
    for one in (first, second):
        of.make_host(one)
    seated(of, second)
    of.only(first)
    assert ("host", "player") == (of.role(first), of.role(second))


def test_a_device_that_is_put_out_has_no_right_at_all() -> None:
    """Neither as host nor as player; the seat in the game waits for whoever types that name."""
    of = devices()
    phone = seen(of)
    of.make_host(phone)
    seated(of, phone, plays=True)
    of.remove(phone)
    assert (True, "watcher", "removed") == (of.removed(phone), of.role(phone), of.standing(phone, HERE))
    assert [("Ana", "", True)] == [(one.name, one.device, one.vacant) for one in of.guests]
    with pytest.raises(Missing):
        of.remove("nobody")


def test_roles_end_with_the_evening() -> None:
    """But for the host that ended it; who was put out may come again, and nobody is at the table."""
    of = devices(KeptDevices(evening=1))
    host, guest, out = seen(of), seen(of), seen(of)
    for one in (host, guest):
        of.make_host(one)
    of.remove(out)
    seated(of, guest)
    of.heir = host
    of.begin(1)
    assert "host" == of.role(guest)
    of.begin(2)
    assert ["host", "watcher", "watcher"] == [of.role(one) for one in (host, guest, out)]
    assert ((), False) == (of.guests, of.removed(out))
    of.begin(3)
    assert "watcher" == of.role(host), "it did not end this one"


def test_what_is_kept_is_enough_for_a_restart() -> None:
    """Roles, names, seats, and who was put out."""
    stored: list[KeptDevices] = []
    of = KnownDevices(b"k" * 32, None, lambda kept: stored.append(kept) is None)
    host, player, out, named = (seen(of) for _ in range(4))
    of.make_host(host)
    seated(of, player)
    of.remove(out)
    of.rename(named, "  Big   screen ")
    again = devices(stored[-1])
    assert ["host", "player"] == [again.role(one, HERE) for one in (host, player)]
    assert (True, "Ana", "Big screen") == (again.removed(out), again.name(player), again.name(named))


def test_what_a_full_disk_did_not_take_is_kept_when_it_has_room_again(tmp_path: Path) -> None:
    """Not before, and once: a folder in the way of the file is a disk that takes nothing."""
    access = open_access(tmp_path, lan=False, now_s=lambda: 0.0)
    (tmp_path / DEVICES).mkdir()
    (tmp_path / DEVICES / "in the way").touch()
    guest = seen(access.devices)
    seated(access.devices, guest)
    access.devices.settle()
    (tmp_path / DEVICES / "in the way").unlink()
    (tmp_path / DEVICES).rmdir()
    access.devices.settle()
    assert "player" == open_access(tmp_path, lan=False, now_s=lambda: 0.0).devices.role(guest, HERE)
    (tmp_path / DEVICES).unlink()
    access.devices.settle()
    assert not (tmp_path / DEVICES).exists()


def test_twelve_addresses_push_out_nobody_elses_phone() -> None:
    """Thrice as many visits as are remembered: one phone at home is still known, and can be made a host."""
    of = devices()
    phone = seen(of)
    for n in range(3 * MOST_WATCHERS):
        seen(of, f"198.18.0.{n % 12}")
    of.make_host(phone)
    assert "host" == of.role(phone, HERE)
    assert MOST_WATCHERS == len(of._seen)


def test_as_many_may_host_as_are_let_in() -> None:
    """One more than watchers are remembered: the newest is not taken for one of those."""
    of = devices()
    phones = []
    for _ in range(MOST_WATCHERS + 1):
        phones.append(seen(of))
        of.make_host(phones[-1])
    assert {"host"} == {of.role(phone, HERE) for phone in phones}


def test_only_what_has_a_role_or_an_open_page_is_listed() -> None:
    """Hosts, players by their seats, watchers; pages are counted by device."""
    of = devices()
    idle, watcher, player, host = (seen(of) for _ in range(4))
    of.make_host(host)
    seated(of, player)
    for _ in range(40):
        of.opened(watcher)
    assert [(host, 0), (player, 0), (watcher, 40)] == [(one.id, one.pages) for one in of.all()]
    assert 1 == of.watching
    for _ in range(40):
        of.closed(watcher)
    assert (0, False) == (of.watching, idle in [one.id for one in of.all()])
