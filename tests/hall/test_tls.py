"""TLS of the message server: what is wrong with a certificate is said at the start, or where it is met."""

from __future__ import annotations

import asyncio
import calendar
import socket
import ssl
import subprocess
import time
from pathlib import Path
from random import Random

import pytest
from lastnose.companion.app.event_hall import SimulatedTable
from lastnose.companion.core.errors import BadInput
from lastnose.companion.link import engine, keys
from lastnose.companion.link.client import connect, let_go
from lastnose.companion.link.engine import NoLink, explained
from lastnose.companion.link.hub import Hall
from lastnose.companion.link.service import HallService
from lastnose.companion.link.store import HallStore
from lastnose.companion.system.certificate import must_be_good

from tests.support.certificates import certificate, need_openssl
from tests.support.halls import free_port, let_in, live_hall, need_server, until

NEW_YEAR_2030_S = calendar.timegm((2030, 1, 1, 12, 0, 0))


@need_openssl
def test_a_certificate_is_taken_from_its_first_second_to_its_last(tmp_path: Path) -> None:
    """The sentence has the day, and the file."""
    pair = certificate(tmp_path, "hall", begins="20290101120000Z", ends="20300101120000Z")
    must_be_good(*pair, NEW_YEAR_2030_S - 1)
    with pytest.raises(
        BadInput, match=r"hall\.pem is valid from 2029-01-01 .* to 2030-01-01 .*: get a new one"
    ):
        must_be_good(*pair, NEW_YEAR_2030_S)
    year_s = 365 * 24 * 3600
    must_be_good(*pair, NEW_YEAR_2030_S - year_s)
    with pytest.raises(BadInput, match=r"hall\.pem is valid from 2029-01-01 .* clock right"):
        must_be_good(*pair, NEW_YEAR_2030_S - year_s - 1)


@need_openssl
@pytest.mark.parametrize("zone", ["UTC-2", "UTC+2"])
def test_a_certificate_for_ever_is_not_valid_yet_where_the_clock_is_years_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, zone: str
) -> None:
    """Its last second (RFC 5280, 4.1.2.5) is in the year 10000 to the east: a sentence all the same."""
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        pair = certificate(tmp_path, "ever", begins="20290101120000Z", ends="99991231235959Z")
        with pytest.raises(
            BadInput, match=r"ever\.pem is valid from 2029-01-01 .* to 9999-12-31 .* clock right"
        ):
            must_be_good(*pair, 0.0)
    finally:
        monkeypatch.undo()
        time.tzset()


@need_openssl
def test_a_key_of_another_certificate_and_files_that_are_swapped_are_refused_by_name(tmp_path: Path) -> None:
    """Each sentence says which file is not what."""
    hall, other = certificate(tmp_path, "hall"), certificate(tmp_path, "other")
    with pytest.raises(
        BadInput, match=r"No server can use .*hall\.pem with .*other\.key \(KEY_VALUES_MISMATCH"
    ):
        must_be_good(hall[0], other[1], NEW_YEAR_2030_S)
    with pytest.raises(BadInput, match=r"hall\.key: TLS takes a certificate"):
        must_be_good(hall[1], hall[0], NEW_YEAR_2030_S)
    with pytest.raises(BadInput, match=r"other\.pem: TLS takes a certificate"):
        must_be_good(hall[0], other[0], NEW_YEAR_2030_S)
    with pytest.raises(BadInput, match=r"gone\.pem cannot be read \(No such file"):
        must_be_good(tmp_path / "gone.pem", hall[1], NEW_YEAR_2030_S)
    broken = tmp_path / "broken.pem"
    broken.write_text("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", encoding="ascii")
    with pytest.raises(BadInput, match=r"No server can use .*broken\.pem with .*hall\.key"):
        must_be_good(broken, hall[1], NEW_YEAR_2030_S)


@need_openssl
def test_a_certificate_that_another_has_signed_is_taken_too(tmp_path: Path) -> None:
    """Nobody but the tables need know who."""
    house = certificate(tmp_path, "house", signs=True)
    must_be_good(*certificate(tmp_path, "hall", by=house), NEW_YEAR_2030_S)


@need_openssl
def test_a_hall_with_an_expired_certificate_does_not_start(tmp_path: Path) -> None:
    """Nothing runs, and nothing was written for a server."""
    need_server()
    pair = certificate(tmp_path / "tls", "hall", ends="20210101120000Z")
    store = HallStore(tmp_path / "hall")
    service = HallService(tmp_path / "hall", store, Hall(store), port=free_port(), tls=pair)
    with pytest.raises(BadInput, match=r"valid from .* to 2021-01-01 .*: get a new one"):
        service.start()
    assert not (tmp_path / "hall" / "nats.conf").exists()
    service.stop()
    store.close()


def test_why_there_is_no_link_is_told_of_each_kind_of_trouble() -> None:
    """Of a name with several addresses asyncio has only the errors' words."""

    def failed(code: int) -> ssl.SSLError:
        made = ssl.SSLCertVerificationError("certificate verify failed")
        made.verify_code = code
        return made

    refused = ConnectionRefusedError(111, "Connect call failed ('192.0.2.2', 4222)")
    several = OSError("Multiple exceptions: [Errno 111] Connect call failed ('::1', 1), [Errno 111] …")
    for problem, says in (
        (failed(10), "its certificate is not valid today, or this machine’s clock is wrong."),
        (failed(9), "its certificate is not valid today, or this machine’s clock is wrong."),
        (failed(18), "nobody whom this machine trusts has signed its certificate (SSL_CERT_FILE)."),
        (failed(20), "nobody whom this machine trusts has signed its certificate (SSL_CERT_FILE)."),
        (failed(62), "its certificate is not for hall.example."),
        (failed(64), "its certificate is not for hall.example."),
        (refused, "hall.example does not answer."),
        (several, "hall.example does not answer."),
        (TimeoutError(), "hall.example does not answer."),
        (OSError(113, "No route to host"), "hall.example does not answer."),
    ):
        found = explained(problem, "hall.example")
        assert isinstance(found, NoLink)
        assert says == str(found)
    odd = ValueError("odd")
    assert odd is explained(odd, "hall.example")


async def reach(address: str, own: Path | None = None) -> None:
    """Connect as a stranger would, and leave."""
    client = await connect(address, keys.make_seed(), "stranger", own=own)
    await let_go(client)


def test_a_server_that_is_gone_and_a_name_that_nobody_has_are_told_apart() -> None:
    """Both without a server."""
    with pytest.raises(NoLink, match=r"127\.0\.0\.1 does not answer"):
        asyncio.run(reach(f"nats://127.0.0.1:{free_port()}"))
    with pytest.raises(NoLink, match=r"nowhere\.invalid cannot be reached"):
        asyncio.run(reach("tls://nowhere.invalid:4222"))


def test_plain_nats_does_not_leave_the_house_and_tls_is_not_given_up(tmp_path: Path) -> None:
    """A server that was asked for TLS and speaks none gets nothing: it could be anybody's."""
    with pytest.raises(NoLink, match=r"8\.8\.8\.8 is outside this house and has no TLS"):
        asyncio.run(reach("nats://8.8.8.8:4222"))
    with live_hall(tmp_path) as live:
        until(lambda: live.service._nc is not None and live.service._nc.is_connected, "the hall")
        with pytest.raises(NoLink, match="it does not speak TLS"):
            asyncio.run(reach(f"tls://127.0.0.1:{live.port}"))


def test_a_server_that_lets_everybody_in_gets_nothing_without_tls_either() -> None:
    """It asks for no signature."""
    need_server()
    port = free_port()
    server = subprocess.Popen(
        [engine.find_server(), "-a", "127.0.0.1", "-p", str(port)], stderr=subprocess.DEVNULL
    )
    try:
        until(lambda: not refused(port), "the server")
        asyncio.run(reach(f"nats://127.0.0.1:{port}"))
        with pytest.raises(NoLink, match="it does not speak TLS"):
            asyncio.run(reach(f"tls://127.0.0.1:{port}"))
    finally:
        server.kill()
        server.wait()


def refused(port: int) -> bool:
    """Return whether nobody listens there yet."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


@need_openssl
def test_a_table_says_which_trouble_its_link_has_with_tls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody knows the certificate; it is for another name; with all right, there is a link."""
    need_server()
    house = certificate(tmp_path / "tls", "house", signs=True)
    pair = certificate(tmp_path / "tls", "hall", by=house)
    folder = tmp_path / "hall"
    store = HallStore(folder)
    hall, port = Hall(store), free_port()
    service = HallService(folder, store, hall, host="127.0.0.1", port=port, tls=pair)
    service.start()

    def says(host: str) -> str:
        """Return what a table that comes in under the name *host* says of its link, once it knows."""
        member = let_in(hall, f"tls://{host}:{port}")
        until(lambda: service._nc is not None and service._nc.is_connected, "the hall")
        made = SimulatedTable(tmp_path / f"table-{member.number}", member, Random(1), 4)

        def link() -> str | None:
            known = made.thread.snapshot.hall
            return None if known is None or known.link is None else str(known.link)

        try:
            until(lambda: link() is None or "certificate" in str(link()), "the link to be known")
            return str(link())
        finally:
            made.close()

    try:
        assert says("localhost").startswith("No link to the hall: nobody whom this machine trusts has signed")
        monkeypatch.setenv("SSL_CERT_FILE", str(house[0]))
        assert "its certificate is not for 127.0.0.1. The table plays on" in says("127.0.0.1")
        assert "None" == says("localhost")
    finally:
        service.stop()
        store.close()


@need_openssl
def test_a_link_over_tls_that_is_refused_warns_of_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A hall asks each message server every few seconds: its terminal stays still."""
    need_server()
    pair = certificate(tmp_path / "tls", "hall", of="IP:127.0.0.1")
    store, port = HallStore(tmp_path / "hall"), free_port()
    service = HallService(tmp_path / "hall", store, Hall(store), host="127.0.0.1", port=port, tls=pair)
    service.start()
    try:
        until(lambda: service._nc is not None and service._nc.is_connected, "the hall")
        with pytest.raises(Exception, match="Authorization Violation"):
            asyncio.run(reach(f"tls://127.0.0.1:{port}", own=pair[0]))
    finally:
        service.stop()
        store.close()
    assert [] == [one.getMessage() for one in caplog.records if one.name == "asyncio"]
