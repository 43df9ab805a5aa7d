"""Words and names of many scripts to draw on the small screen: standings, verdicts, rounds, sentences."""

from __future__ import annotations

from typing import Any

from lastnose.companion.core.text import Text, listing, text
from lastnose.companion.games.rules.checks import letters_of
from lastnose.companion.games.rules.prompts import Choice, Choose, Show
from lastnose.companion.views.snapshot import PlayerRow, Snapshot

from tests.support.screen_scenes import finish, snapshot

# What is drawn, with four names in the same script.
WORDS = {
    "arabic": ("حمار", ("فاطمة", "محمد", "علي رضا", "پښتانه")),
    "devanagari": ("गधा", ("प्रिया", "कृष्ण", "लक्ष्मी", "अर्जुन सिंह")),
    "devanagari-conjuncts": ("नमस्ते", ("श्रीमती", "विद्या", "राष्ट्र", "ज्ञान")),
    "chinese": ("驴子", ("王小明", "李雷", "韩梅梅", "歐陽震華")),
    "korean": ("돼지", ("김철수", "이영희", "박지성", "최민")),
    "japanese": ("ロバ", ("さくら", "太郎", "ジョン", "花子さん")),
    "thai": ("ลา", ("สมชาย", "ปู่", "น้ำ", "กิ่งแก้ว")),
    "latin": ("ŽABA", ("Đorđe", "Željko", "Nguyễn", "Œdipe")),
    "greek": ("ΓΑΪΔΑΡΟΣ", ("Αλέξανδρος", "Σοφία", "Γιώργος", "Ἀθηνᾶ")),
    "cyrillic": ("дурак", ("Юлия", "Ђорђе", "Љиљана", "Қайрат")),
    "hebrew": ("חמור", ("דוד", "שרה", "יוסף", "רבקה (2)")),
    "bengali": ("গাধা", ("বন্ধু", "লক্ষ্মী", "সুস্মিতা", "রাষ্ট্র")),
    "tamil": ("கழுதை", ("யானை", "கண்ணன்", "ஸ்ரீதேவி", "முருகன்")),
    "burmese": ("မြည်း", ("အောင်ဆန်း", "ကျော်", "သီရိ", "မြန်မာ")),
    "tibetan": ("བོང་བུ", ("རྒྱལ་མཚན", "ལྷ་མོ", "བཀྲ་ཤིས", "པདྨ")),
    "amharic": ("አህያ", ("አበበ", "ሰላም", "ፀሐይ", "ኢትዮጵያ")),
    "twelve-wide": ("我爱玩牌今天晚上一起来吧", ("王小明", "歐陽震華", "North", "李雷")),
    "twelve-syllables": ("हिंदुस्तानीभाषापरिवार", ("प्रिया", "North", "कृष्ण", "लक्ष्मी")),
    "emoji": ("PIG", ("🐴 Zoë", "👩‍🚀", "♥ Ana", "\ue000\U00012345\U0010fffe")),
}
MANY = (
    "王小明",
    "李雷",
    "韩梅梅",
    "歐陽震華",
    "김철수",
    "さくら",
    "प्रिया",
    "محمد",
    "דוד",
    "North",
    "Élodie",
    "สมชาย",
    "Юлия",
)


def people(word: str, names: tuple[str, ...], **second: Any) -> tuple[PlayerRow, ...]:
    """Return a row a name: nothing yet, one letter, all but one, the whole word; *second* changes one."""
    letters = letters_of(word)
    counts = (0, 1, len(letters) - 1, len(letters))
    made = []
    for seat, name in enumerate(names, 1):
        row = {"letters": letters[: counts[(seat - 1) % 4]], "out": counts[(seat - 1) % 4] == len(letters)}
        more = second if seat == 2 else {}
        made.append(
            PlayerRow(**{"seat": seat, "player": name, "word": letters, "score": None, **row, **more})
        )
    return tuple(made)


def standings(word: str, names: tuple[str, ...]) -> Snapshot:
    """Return the players between two rounds."""
    return snapshot("ready", text("Ready to deal"), players=people(word, names), simulated=False)


def verdict(word: str, names: tuple[str, ...], count: int) -> Snapshot:
    """Return the verdict that seat 2 was last and has *count* letters now."""
    letters = letters_of(word)
    new = {"letters": letters[:count], "new": True, "out": count == len(letters)}
    return snapshot(
        "verdict",
        text("{player} was last", player=names[1]),
        players=people(word, names, **new),
        finish=finish((2,), 412_000, 20_000),
        simulated=False,
    )


def seen(phase: str, *proof: Text, **more: Any) -> tuple[Snapshot, dict[str, Any]]:
    """Return a moment to draw as it is, under any headline."""
    return snapshot(phase, text("x"), *proof, **more), {}


def _winner(seat: int, name: str) -> PlayerRow:
    return PlayerRow(seat, name, (), (), False, None, winner=True)


SCRIPTS: dict[str, tuple[Snapshot, dict[str, Any]]] = {}
for _name, (_word, _names) in WORDS.items():
    SCRIPTS[f"script-{_name}"] = (standings(_word, _names), {})
    SCRIPTS[f"script-{_name}-verdict"] = (verdict(_word, _names, 1), {})
    SCRIPTS[f"script-{_name}-whole"] = (verdict(_word, _names, len(letters_of(_word))), {})
SCRIPTS |= {
    "script-code-points": (standings(*WORDS["emoji"]), {"page": 1}),
    "script-twelve-wide-nearly": (standings(*WORDS["twelve-wide"]), {"page": 2}),
    "script-twelve-syllables-all": (standings(*WORDS["twelve-syllables"]), {"page": 3}),
    "script-chinese-pig": (verdict("PIG", ("North", "王小明", "South", "West"), 2), {}),
    "script-arabic-pig": (verdict("PIG", ("North", "محمد", "South", "West"), 3), {}),
    "script-arabic-all": (standings(*WORDS["arabic"]), {"page": 1}),
    "script-punished": (
        snapshot(
            "verdict",
            text("x"),
            players=people("PIG", MANY[:4]),
            waits=True,
            simulated=False,
            steps=(
                Show(
                    text("{player}’s hand", player="王小明"),
                    (text("{dealer} deals {n} cards each.", dealer="محمد", n=4),),
                ),
                Choose(
                    "turn",
                    text("Turn a card for {player}?", player="王小明"),
                    text("x"),
                    (
                        Choice("a", text("{player}", player="李雷"), text("x")),
                        Choice("b", text("Stop"), text("x")),
                    ),
                ),
            ),
        ),
        {},
    ),
    "script-many": (standings("DONKEY", MANY), {"dense": True}),
    "script-many-judging": seen("judging", players=people("PIG", MANY, pressed=True), simulated=False),
    "script-few-judging": seen("judging", players=people("PIG", MANY[:6], pressed=True), simulated=False),
    "script-sudden-death": seen(
        "verdict",
        players=(
            PlayerRow(1, "王小明", (), (), True, None, new=True),
            PlayerRow(2, "李雷", (), (), False, None),
        ),
        finish=finish((1,), 412_000, 20_000),
    ),
    "script-dead-heat": seen(
        "dead-heat", players=people("PIG", MANY[:4]), finish=finish((2, 3), 400, 20_000, dead_heat=True)
    ),
    "script-winners": seen("won", players=(_winner(1, "王小明"), _winner(2, "लक्ष्मी"))),
    "script-winner": seen(
        "won",
        text("{player} was last and is out.", player="محمد"),
        players=(_winner(1, "فاطمة"),),
    ),
    "script-sentences": seen(
        "void",
        text("{names} touched without a spoon.", names=listing(("王小明", "محمد", "लक्ष्मी"))),
        players=people("PIG", MANY[:4]),
    ),
}
