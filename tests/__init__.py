"""The tests, in the rooms of what they test; what helps them is in `support`."""
