"""What a game is: its protocol, what it asks, its sheet, its variations. Pure."""
