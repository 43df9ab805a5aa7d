"""The JSON API: its calls, what they take and give, and their description."""
