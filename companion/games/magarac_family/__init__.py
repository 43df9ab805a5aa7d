"""What Magarac and Vatra share: a shout or a slap ends the turn. Who slaps a pile first is `first_family`."""
