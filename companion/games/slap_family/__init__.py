"""The games in which a shout or a slap ends the turn: what they share."""
