"""Harmless forfeits in place of blows: our own, to be done in a minute, at the table, and to laugh at."""

from __future__ import annotations

from companion.core.text import text

FORFEITS = (
    text("Deal the next round with your other hand."),
    text("Praise everybody at the table, one sentence each. You must mean it."),
    text("Speak only in questions until the next deal."),
    text("Sing the last thing you said."),
    text("Tell a joke. If nobody laughs, tell another."),
    text("Fetch something to drink for whoever asks first."),
    text("Keep a card on your head until the next deal."),
    text("Say the alphabet backwards, as far as you get."),
    text("Balance on one leg while the cards are dealt."),
    text("Make the sound of an animal; the table guesses which."),
    text("Say a tongue-twister three times, quickly."),
    text("Invent a card game, and explain it in one sentence."),
    text("Draw the player on your left in ten seconds. Show it."),
    text("Play the next round with a bow to everybody who passes you a card."),
    text("Hum a tune; the table guesses what it is."),
    text("Talk like a newsreader until the next deal."),
    text("Stand up, take a bow, and sit down with dignity."),
    text("Name five things that are red, in five seconds."),
    text("Give the winner of the round a short speech of thanks."),
    text("Hold a straight face for ten seconds while everybody tries to break it."),
    text("Whisper until somebody shouts “Vatra!”."),
)
