"""What goes over the wire: sentences in the reader's language, ready times, encoded once."""

from __future__ import annotations

import json

from lastnose.companion.core.text import text
from lastnose.companion.games import get_game
from lastnose.companion.i18n import translator
from lastnose.companion.views.photo_finish import TapeEdge
from lastnose.web.encoding import Views, for_page, game_info, plain, to_json

from tests.support.fakes import FINISH, VERDICT


def test_every_text_of_a_snapshot_becomes_a_sentence() -> None:
    """No message id with its parameters is left anywhere, and no field is lost."""
    shown = json.loads(to_json(VERDICT, "en"))
    assert "South was last: P" == shown["headline"]
    assert ["North opened."] == shown["proof"]
    assert set(VERDICT.__struct_fields__) == set(shown)
    assert '"params"' not in json.dumps(shown)


def test_times_have_a_ready_text_in_the_readers_language() -> None:
    """1,250,000 ns ± 20,688 is 1.250 ms in English and 1,250 ms in French; no margin, no text."""
    english, french = (plain(FINISH, translator(language)) for language in ("en", "fr"))
    assert ["0 µs", "1.250 ms", "1.662 ms"] == [mark["t_text"] for mark in english["marks"]]
    assert "412 µs" == english["margin_text"].replace("\u202f", " ").replace("\xa0", " ")
    assert ["10 µs"] * 3 == [mark["u_text"] for mark in english["marks"]]
    assert french["marks"][1]["t_text"].startswith("1,250")
    missing = plain(type(FINISH)((), (), None, None, False), translator("en"))
    assert [None, None] == [missing["margin_text"], missing["u_text"]]


def test_a_line_of_a_tape_is_told_no_more_sharply_than_it_is_known() -> None:
    """A phone's touch is sure to 61 ms: 160.412 ms says too much. What has no ± has no text."""
    phone = TapeEdge("edge", 160_412_345, u_ns=61_000_000)
    wired = TapeEdge("edge", -412_345, u_ns=10_000)
    told = [plain(line, translator("en"))["t_text"] for line in (phone, wired, TapeEdge("armed", -412_345))]
    assert ["160 ms", "−412 µs", None] == told


def test_a_snapshot_is_encoded_once_for_all_viewers_of_a_language() -> None:
    """The same bytes, not equal ones; a new snapshot is encoded again."""
    views = Views()
    assert views.state(VERDICT, "en") is views.state(VERDICT, "en")
    assert views.state(VERDICT, "en") is not views.state(VERDICT, "fr")
    later = type(VERDICT)(
        version=8, seq=12, evening=1, phase="armed", simulated=True, headline=text("Play!"), proof=()
    )
    assert b'"phase":"armed"' in views.state(later, "en")


def test_json_in_a_page_cannot_end_its_script_element() -> None:
    """A player called </script> stays a name."""
    name = "</script><!--\u2028&"
    made = for_page(to_json({"player": name}, "en"))
    assert {"player": name} == json.loads(made)
    assert not set("<>&\u2028") & set(made)


def test_a_game_is_described_for_set_up() -> None:
    """Every option with its label and choices as text, and a sentence where the label does not say it all."""
    shown = plain(game_info(get_game("pig")), translator("en"))
    assert {"fewest": 3, "most": 26} == shown["seats"]
    assert all(isinstance(option["label"], str) and option["label"] for option in shown["options"])
    explained = {option["key"]: option["explain"] for option in shown["options"]}
    assert all(one is None or (isinstance(one, str) and one) for one in explained.values())
    assert explained["stock"] is not None
    assert explained["hand_size"] is None
    assert {"flag", "choice", "word"} >= {option["kind"] for option in shown["options"]}
