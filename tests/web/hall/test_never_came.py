"""Who is on the list and never came: what is printed and kept of the evening does not count them."""

from __future__ import annotations

from flask.testing import FlaskClient
from lastnose.companion.event import commands
from lastnose.companion.link.hub import Hall

from tests.support.halls import arranged, call_round, let_in


def test_a_certificate_counts_who_has_played(hall: Hall, client: FlaskClient) -> None:
    """Three of four: the first of 3. The fourth stands below on list and file, and says why."""
    arranged(hall, "Ann,Bob,Cid,Dee", rounds=1, tables=1, final=0)
    let_in(hall)
    hall.do(commands.Leave((4,)), "Ann")
    call_round(hall)
    hall.do(commands.TypeResult(1, 1, ((1,), (2,), (3,)), "paper"), "Ann")
    printed = client.get("/print/certificates?most=9").get_data(as_text=True)
    assert "Place 1 of 3" in printed
    assert "Place 3 of 3" in printed
    assert "<bdi>Dee</bdi>" not in printed
    below = client.get("/api/v1/hall/state").json["standings"][-1]
    assert ("Dee", None, "played no round") == (below["name"], below["place"], below["decided"])
    kept = client.get("/api/v1/hall/standings.csv").get_data(as_text=True).splitlines()
    assert ",Dee,,,0.0000,0,0,0,0,played no round" == kept[-1]
