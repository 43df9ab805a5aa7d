"""The table: its rounds, its log on disk, its thread."""
