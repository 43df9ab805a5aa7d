"""For developers of games: scenarios, and a plugin for pytest."""
