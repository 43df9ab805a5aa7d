"""What the Debian package cannot know of a table: its wiring, config.txt, its name, its own Wi-Fi."""
