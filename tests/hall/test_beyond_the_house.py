"""Plain NATS does not leave the house: it is refused where somebody reads why, before anything is spent."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from lastnose.companion.app import event_hall
from lastnose.companion.app.event_hall import HallApp, HallSettings
from lastnose.companion.core.errors import BadInput
from lastnose.companion.link import engine, keys, membership
from lastnose.companion.link.hub import Hall
from lastnose.companion.link.membership import TableComes, TableIsIn, join, load
from lastnose.companion.link.store import HallStore
from lastnose.web.access import Access
from lastnose.web.hall.pages import create_hall_app

INVITATION = "http://8.8.8.8:8100/#abcd2345ef"


def answering(server: str) -> Callable[[str, TableComes, type[TableIsIn]], TableIsIn]:
    """Return a hall that lets everybody in, with its messages at *server*."""
    return lambda hall, wish, gives: TableIsIn("abcdefgh", 1, server)


def test_a_table_does_not_join_a_hall_whose_messages_would_leave_the_house_without_tls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is remembered. With TLS, or in the house, it joins."""
    monkeypatch.setattr(membership, "_ask", answering("nats://10.0.0.5:4222,nats://8.8.8.8:4222"))
    with pytest.raises(BadInput, match=r"8\.8\.8\.8 is outside this house and has no TLS: .* --tls-cert"):
        join(tmp_path, INVITATION)
    assert load(tmp_path) is None
    for server in ("tls://8.8.8.8:4222", "nats://10.0.0.5:4222", "nats://nowhere.invalid:4222"):
        monkeypatch.setattr(membership, "_ask", answering(server))
        assert server == join(tmp_path, INVITATION).engine


def test_a_hall_does_not_open_plain_nats_at_a_public_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before anything is made; a provider's shared address (100.64.0.0/10) is not public."""
    monkeypatch.setattr(event_hall, "interface_addresses", lambda: iter(["192.168.1.5", "8.8.8.8"]))
    with pytest.raises(BadInput, match=r"address 8\.8\.8\.8: give --tls-cert and --tls-key, or --no-lan"):
        HallApp(HallSettings(tmp_path / "hall")).start()
    assert not (tmp_path / "hall").exists()
    engine.must_not_be_open(["192.168.1.5", "100.64.0.1", "169.254.3.4", "127.0.0.1"])


def test_a_hall_refuses_who_comes_from_beyond_before_the_code_is_used(tmp_path: Path) -> None:
    """By the number under which it was reached; a name may mean another machine there than here."""
    plain = HallApp(HallSettings(tmp_path))
    with pytest.raises(BadInput, match=r"8\.8\.8\.8 is outside this house"):
        plain.engine_for("8.8.8.8")
    with pytest.raises(BadInput, match=r"2600::1 is outside this house"):
        plain.engine_for("[2600::1]")
    assert "nats://192.168.1.5:4222" == plain.engine_for("192.168.1.5")
    assert "nats://hall.example:4222" == plain.engine_for("hall.example")
    pair = tmp_path / "hall.pem", tmp_path / "hall.key"
    assert "tls://8.8.8.8:4222" == HallApp(HallSettings(tmp_path, tls=pair)).engine_for("8.8.8.8")


def test_who_is_refused_for_where_it_comes_from_may_use_its_code_from_here(tmp_path: Path) -> None:
    """The page's own address decides which message server is told."""
    store = HallStore(tmp_path / "hall")
    hall, access = Hall(store), Access(pin="2718", key=b"k" * 32, lan=True, now_s=lambda: 0.0)
    app = create_hall_app(
        hall, access, engine=HallApp(HallSettings(tmp_path)).engine_for, address=lambda: None
    )
    wish = {"code": hall.invite(), "table": keys.random_id(10), "key": keys.public_key(keys.make_seed())}

    def asked(host: str) -> tuple[int, str]:
        answer = app.test_client().post("/api/v1/hall/tables", json=wish, base_url=f"http://{host}:8100/")
        return answer.status_code, answer.get_data(as_text=True)

    code, says = asked("8.8.8.8")
    assert (422, True, {}) == (code, "is outside this house" in says, hall.state.tables)
    assert 200 == asked("192.168.1.5")[0]
    store.close()
