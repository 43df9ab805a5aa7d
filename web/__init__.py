"""The pages, the JSON API and the live stream."""
