"""Rounds with a rack: spoons and noses judged together. Pure."""
