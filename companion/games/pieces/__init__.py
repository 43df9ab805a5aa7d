"""What is played with: cards and dominoes. Pure."""
