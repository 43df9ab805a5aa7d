"""An evening as data: what people ask for, what happened, and what it comes to. Pure."""
