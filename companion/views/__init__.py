"""What screens show of an evening. Pure."""
